// A step allocates nothing once it has run, and nothing ever with static storage: counted by the global operator new.

#include <sinew/sinew.hpp>
#include <sinew/solver/compliant_implicit.hpp>

#include <counting_new.hpp>

#include <gtest/gtest.h>

using sinew_test::allocations;

namespace {

using sinew::vec3;

struct double_config : sinew::default_config {
    using scalar = double;
    using solver = sinew::nonlinear_gauss_seidel;
};
struct static_config : double_config {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 12, .constraints = 12, .particles = 4}>;
};
struct direct_config : double_config {
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};
struct static_direct_config : static_config {
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};
template <class Config>
struct implicit : Config {
    using solver = sinew::compliant_implicit;
};
struct impulse_config : double_config {
    using solver = sinew::sequential_impulses;
};
struct static_impulse_config : static_config {
    using solver = sinew::sequential_impulses;
};
template <class Config>
struct with_rk4 : Config {
    using integrator = sinew::rk4;
};

template <class World>
void add_chain(World& w, int n) {
    auto previous = w.ground();
    for (int i = 0; i < n; ++i) {
        sinew::rigid_body<double> b;
        b.inertia = sinew::diagonal(0.01, 0.09, 0.09);
        b.pose.position = {i + 0.5, 0, 0};
        auto const link = w.add(b);
        w.add(sinew::ball_joint<double>{i == 0 ? vec3<double>{0, 0, 0} : vec3<double>{0.5, 0, 0}, {-0.5, 0, 0}}, previous, link);
        previous = link;
    }
}

template <class Config>
std::size_t allocations_in_steps(int warm_up) {
    sinew::world<Config, sinew::ball_joint> w;
    add_chain(w, 10);
    for (int i = 0; i < warm_up; ++i) w.step(1.0 / 60);
    std::size_t const before = allocations;
    for (int i = 0; i < 100; ++i) w.step(1.0 / 60);
    return allocations - before;
}
TEST(storage, a_step_allocates_nothing_once_it_has_run) {
    EXPECT_EQ(allocations_in_steps<double_config>(1), 0u);
    EXPECT_EQ(allocations_in_steps<direct_config>(1), 0u);
    EXPECT_EQ(allocations_in_steps<impulse_config>(1), 0u);
    EXPECT_EQ(allocations_in_steps<implicit<double_config>>(1), 0u);
    EXPECT_EQ(allocations_in_steps<with_rk4<direct_config>>(1), 0u);
}
template <class Config>
std::size_t allocations_ever() {
    std::size_t const before = allocations;
    sinew::world<Config, sinew::ball_joint> w;
    add_chain(w, 10);
    auto const state = w.save();
    for (int i = 0; i < 10; ++i) w.step(1.0 / 60);
    w.restore(state);
    return allocations - before;
}
TEST(storage, static_storage_never_allocates) {
    EXPECT_EQ(allocations_ever<static_config>(), 0u);
    EXPECT_EQ(allocations_ever<static_direct_config>(), 0u);
    EXPECT_EQ(allocations_ever<static_impulse_config>(), 0u);
    EXPECT_EQ(allocations_ever<implicit<static_config>>(), 0u);
    EXPECT_EQ(allocations_ever<with_rk4<static_direct_config>>(), 0u);
}

}  // namespace
