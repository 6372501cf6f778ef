// What a constraint may say besides its error: its own effective mass, and its own rule for the multipliers.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using sinew::vec3;

struct config : sinew::default_config {
    using scalar = double;
    using solver = sinew::nonlinear_gauss_seidel;
};
struct direct_config : config {
    using integrator = sinew::rk4;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};

// A puck on a table under dry friction: the two rows share one bound, a disc.
template <class S>
struct sliding {
    static constexpr std::size_t rows = 2;
    using attachments = sinew::binds<sinew::point_mass>;
    S max_force = S(3);
    constexpr auto rate(auto const&, auto const& v) const { return sinew::vec{v.linear.x(), v.linear.z()}; }
    constexpr auto update(sinew::vec<S, 2> const&, sinew::vec<S, 2> const& proposed, auto const&) const {
        S const size = sinew::norm(proposed);
        return proposed * (max_force / sinew::max(size, max_force));
    }
};

// The same with a bound for each row: a square.
template <class S>
struct sliding_in_a_square {
    static constexpr std::size_t rows = 2;
    using attachments = sinew::binds<sinew::point_mass>;
    S max_force = S(3);
    constexpr auto rate(auto const&, auto const& v) const { return sinew::vec{v.linear.x(), v.linear.z()}; }
    constexpr sinew::bounds<S, 2> limits() const { return {{-max_force, -max_force}, {max_force, max_force}}; }
};

template <template <class> class Rule>
double braking_force(double heading, sinew::velocity_rows where) {
    sinew::world<config, Rule> w;
    w.gravity = {0, 0, 0};
    w.solver.velocity = where;
    vec3<double> const start{5 * std::cos(heading), 0, 5 * std::sin(heading)};
    auto const p = w.add(sinew::particle<double>{2, {0, 0, 0}, start});
    auto const friction = w.add(Rule<double>{}, p);
    EXPECT_TRUE(w.step(0.01));
    vec3<double> const change = w.velocity(p) - start;
    EXPECT_LE(norm(w.multipliers(friction)), 3 * std::sqrt(2.0) + 1e-12);
    EXPECT_NEAR(dot(change, start) / (norm(change) * norm(start)), -1, heading == 0 ? 1e-12 : 1);
    return norm(change) * 2 / 0.01;
}

TEST(update_rule, bounds_rows_together) {
    for (auto where : {sinew::velocity_rows::in_loop, sinew::velocity_rows::after})
        for (double heading : {0.0, 0.3, 0.8, 2.0}) {
            SCOPED_TRACE(heading);
            EXPECT_NEAR(braking_force<sliding>(heading, where), 3, 1e-9);  // the same in every direction
        }
    EXPECT_NEAR(braking_force<sliding_in_a_square>(sinew::pi_v<double> / 4, sinew::velocity_rows::in_loop), 3 * std::sqrt(2.0), 1e-9);
}
TEST(update_rule, stops_the_puck_and_holds_it) {
    sinew::world<config, sliding> w;
    w.gravity = {0, 0, 0};
    auto const p = w.add(sinew::particle<double>{2, {0, 0, 0}, {1, 0, 1}});
    w.add(sliding<double>{}, p);
    // v / (f / m) = 0.94 s
    for (int i = 0; i < 90; ++i) ASSERT_TRUE(w.step(0.01));
    EXPECT_GT(norm(w.velocity(p)), 0.01);
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(w.step(0.01));
    EXPECT_LT(norm(w.velocity(p)), 1e-14);
    EXPECT_NEAR(norm(w.position(p)), 2 / (2 * 1.5), 0.01);  // v^2 / (2 f / m), to first order in the step
}
// A linear solver cannot honour a rule, and says so where the world is made.
static_assert(!sinew::honours_v<sinew::world<direct_config>::strategy_type, sliding<double>, double>);

// A pin with its effective mass by hand; `by_hand` counts the calls, to show that it is used.
int calls = 0;
template <class S>
struct counted_pin {
    static constexpr std::size_t rows = 3;
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;
    vec3<S> anchor_a{}, anchor_b{};
    constexpr auto error(auto const& a, auto const& b) const { return a.point(anchor_a) - b.point(anchor_b); }
    auto effective_mass(auto const& a, auto const& b, auto const& wa, auto const& wb) const {
        ++calls;
        return sinew::derived_effective_mass<counted_pin>(sinew::jacobian_of(*this, a, b), vec3<S>{}, wa, wb);
    }
};
template <class S>
struct plain_pin {
    static constexpr std::size_t rows = 3;
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;
    vec3<S> anchor_a{}, anchor_b{};
    constexpr auto error(auto const& a, auto const& b) const { return a.point(anchor_a) - b.point(anchor_b); }
};
template <template <class> class Pin>
vec3<double> swing() {
    sinew::world<config, Pin> w;
    auto previous = w.ground();
    for (int i = 0; i < 3; ++i) {
        auto const link = w.add(rigid_body_of(sinew::solid_box(1.0, vec3<double>{1, 0.2, 0.3}), sinew::pose<double>{{i + 0.5, 0, 0}}));
        w.add(Pin<double>{{i == 0 ? 0.0 : 0.5, 0, 0.1}, {-0.5, 0, 0.1}}, previous, link);
        previous = link;
    }
    for (int i = 0; i < 60; ++i) EXPECT_TRUE(w.step(1.0 / 60));
    return w.position(previous);
}
TEST(effective_mass_by_hand, is_used_and_changes_nothing) {
    calls = 0;
    auto const by_hand = swing<counted_pin>();
    EXPECT_GE(calls, 60 * 10 * 3);
    EXPECT_LT(norm(by_hand - swing<plain_pin>()), 1e-9);  // the chain doubles an error about every tenth of a second
    EXPECT_LT(norm(by_hand - swing<sinew::ball_joint>()), 1e-9);
}

}  // namespace
