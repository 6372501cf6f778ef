// Worlds whose scalar has lanes allocate nothing once they have run, and take static storage.

#include "counting_new.hpp"
#include "lanes_scene.hpp"

namespace sinew::inline v0::detail {
template <>
inline constexpr bool has_lane_pairs_v<batch<float, 2>> = true;  // no other test has a world of these
}  // namespace sinew::inline v0::detail

namespace {

using namespace lanes_scene;
using B = batch<double, 4>;

template <class Solver>
struct fixed_config : config<B, Solver> {
    using storage = static_storage<capacities{.bodies = 6, .constraints = 6}>;
};
template <class Config>
std::size_t allocations_in_steps() {
    auto const w = std::make_unique<world<Config, ball_joint, my_rod>>();
    build_chain<B>(*w, 0, 6);
    EXPECT_TRUE(w->step(B(1.0 / 60)));
    std::size_t const before = sinew_test::allocations;
    for (int s = 0; s < 30; ++s) EXPECT_TRUE(w->step(B(1.0 / 60)));
    return sinew_test::allocations - before;
}

TEST(lanes, allocate_nothing_once_they_have_run) {
    EXPECT_EQ(allocations_in_steps<fixed_config<nonlinear_gauss_seidel>>(), 0u);
    EXPECT_EQ((allocations_in_steps<config<B, lagrange_impulses<cholesky>>>()), 0u);
}

// Boxes that fall, bounce and come to rest: forty steps bring every lane as many contacts as it ever has.
struct ground_config : config<B, sequential_impulses> {
    using storage = static_storage<capacities{.bodies = 4, .constraints = 4, .colliders = 5, .contacts = 16}>;
};
template <class Config>
std::size_t allocations_on_the_ground() {
    auto const w = std::make_unique<world<Config, box, half_space>>();
    auto const bouncy = material<B>::of(of<B>(0.5), by_lane<B>(0, [](double i) { return 0.2 * i; }));
    w->add(half_space<B>{}, w->ground(), {.material = bouncy});
    for (int k = 0; k < 4; ++k) w->add_solid(box<B>{{B(0.5), B(0.5), B(0.5)}}, B(1000), {{B(2.0 * k), B(0.6), B(0)}, {}}, {.material = bouncy});
    for (int s = 0; s < 40; ++s) EXPECT_TRUE(w->step(B(1.0 / 60)));
    std::size_t const before = sinew_test::allocations;
    for (int s = 0; s < 40; ++s) EXPECT_TRUE(w->step(B(1.0 / 60)));
    EXPECT_EQ(w->contacts().size(), 16u);
    return sinew_test::allocations - before;
}
TEST(lanes, allocate_nothing_for_contacts_once_they_have_run) {
    EXPECT_EQ(allocations_on_the_ground<ground_config>(), 0u);
    EXPECT_EQ((allocations_on_the_ground<config<B, sequential_impulses>>()), 0u);
}

// Of two manifolds at a time: balls roll from a floor into corners, where each has two manifolds and finds no partner in its own.
TEST(lanes, allocate_nothing_for_partners_that_change) {
    using P = batch<float, 2>;
    auto const w = std::make_unique<world<config<P, sequential_impulses>, sphere, half_space>>();
    collider_options<P> const alone{.filter = {.category = 2, .mask = 1}};
    for (int k = 0; k < 6; ++k) w->add_solid(sphere<P>{P(0.2f)}, P(500), {{P(0), P(0.2f), P(static_cast<float>(k))}, {}}, alone, twist<P>{{P(1), P(0), P(0)}, {P(0), P(0), P(-5)}});
    w->add(half_space<P>{}, w->ground());
    w->add(half_space<P>::at({P(1), P(0), P(0)}, {P(-1), P(0), P(0)}), w->ground());
    for (int s = 0; s < 20; ++s) EXPECT_TRUE(w->step(P(1.0f / 60)));
    EXPECT_EQ(w->contacts().size(), 6u);
    std::size_t most = 0, before = 0;
    for (int s = 0; s < 100; ++s) {
        if (s == 60) before = sinew_test::allocations;
        EXPECT_TRUE(w->step(P(1.0f / 60)));
        most = std::max(most, w->contacts().size());
    }
    EXPECT_EQ(most, 12u);
    EXPECT_EQ(sinew_test::allocations - before, 0u);
}

}  // namespace
