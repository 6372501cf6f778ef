// Worlds whose scalar has lanes allocate nothing once they have run, and take static storage.

#include "counting_new.hpp"
#include "lanes_scene.hpp"

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

}  // namespace
