// Advancing by groups allocates nothing once it has run, and nothing ever with static storage.

#include <sinew/sinew.hpp>

#include <counting_new.hpp>

#include <gtest/gtest.h>

#include <memory>

using sinew_test::allocations;

namespace {

struct falling_config : sinew::default_config {
    using sleep = sinew::island_sleep;
};
struct static_config : falling_config {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 24, .colliders = 26, .contacts = 160}>;
};
template <class Config>
using falling = sinew::world<Config, sinew::sphere, sinew::box, sinew::half_space>;

template <class World>
void pour(World& w) {
    w.add(sinew::half_space<float>{}, w.ground());
    for (int i = 0; i < 24; ++i) {
        sinew::pose<float> const at{{2.5f * float(i % 4) + 0.05f * float(i / 4), 0.6f + float(i / 4), 0.4f * float(i % 2)}};
        if (i % 2 == 0)
            w.add_solid(sinew::box<float>{{0.4f, 0.4f, 0.4f}}, 1000.0f, at);
        else
            w.add_solid(sinew::sphere<float>{0.4f}, 1000.0f, at);
    }
}
template <class World, class Groups>
std::size_t allocations_in(World& w, Groups& g, int advances) {
    auto const state = w.save();
    auto const paces = g.paces();
    std::size_t const before = allocations;
    std::size_t contacts = 0, groups = 0;
    for (int i = 0; i < advances; ++i) {
        auto const r = g.advance(w, 1.0f / 60);
        contacts += r.contacts;
        groups += r.groups;
    }
    std::size_t const n = allocations - before;
    EXPECT_GT(contacts, 500u);
    EXPECT_GT(groups, 100u);
    EXPECT_TRUE(w.restore(state));
    g.set_paces(paces);
    return n;
}
TEST(group_allocation, nothing_once_they_have_run) {
    falling<falling_config> w;
    pour(w);
    sinew::simulation_groups<falling<falling_config>> g;
    for (int k = 0; k < 2; ++k) (void)allocations_in(w, g, 120);  // buffers take turns from step to step: each must have had its largest
    EXPECT_EQ(allocations_in(w, g, 120), 0u);
}
TEST(group_allocation, nothing_ever_with_static_storage) {
    auto w = std::make_unique<falling<static_config>>();
    auto g = std::make_unique<sinew::simulation_groups<falling<static_config>>>();
    std::size_t const before = allocations;
    pour(*w);
    EXPECT_EQ(allocations_in(*w, *g, 120), 0u);
    EXPECT_EQ(allocations, before);
}

}  // namespace
