// A step with contacts allocates nothing once it has run, and nothing ever with static storage.

#include <sinew/sinew.hpp>

#include <counting_new.hpp>

#include <gtest/gtest.h>

#include <memory>

using sinew_test::allocations;

namespace {

using sinew::vec3;

template <class BroadPhase>
struct config : sinew::default_config {
    using broad_phase = BroadPhase;
    using sleep = sinew::island_sleep;
};
template <class BroadPhase>
struct static_config : config<BroadPhase> {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 24, .colliders = 26, .contacts = 160}>;
};
template <class Config>
using world = sinew::world<Config, sinew::sphere, sinew::box, sinew::half_space>;

template <class World>
void fill(World& w) {
    w.add(sinew::half_space<float>{}, w.ground());
    for (int i = 0; i < 24; ++i) {
        sinew::pose<float> const at{{0.3f * float(i % 3), 0.6f + float(i / 3), 0.4f * float(i % 2)}};
        if (i % 2 == 0)
            w.add_solid(sinew::box<float>{{0.4f, 0.4f, 0.4f}}, 1000.0f, at);
        else
            w.add_solid(sinew::sphere<float>{0.4f}, 1000.0f, at);
    }
}
// The same again, from the same beginning: whatever it needs it has.
template <class World>
std::size_t allocations_in(World& w, int steps) {
    auto const state = w.save();
    std::size_t const before = allocations;
    std::size_t contacts = 0;
    for (int i = 0; i < steps; ++i) contacts += w.step(1.0f / 60).contacts;
    std::size_t const n = allocations - before;
    EXPECT_GT(contacts, 1000u);
    EXPECT_TRUE(w.restore(state));
    return n;
}

template <class BroadPhase>
class allocation : public testing::Test {};
using phases = testing::Types<sinew::bounding_volume_tree, sinew::sweep_and_prune, sinew::brute_force>;
TYPED_TEST_SUITE(allocation, phases);

TYPED_TEST(allocation, a_step_allocates_nothing_once_it_has_run) {
    world<config<TypeParam>> w;
    fill(w);
    (void)allocations_in(w, 200);
    EXPECT_EQ(allocations_in(w, 200), 0u);
}
TYPED_TEST(allocation, static_storage_allocates_nothing_ever) {
    auto w = std::make_unique<world<static_config<TypeParam>>>();
    std::size_t const before = allocations;
    fill(*w);
    EXPECT_EQ(allocations_in(*w, 200), 0u);
    EXPECT_EQ(allocations, before);
}

}  // namespace
