#pragma once
// Strategies under every scalar: a chain of three links that is let go from the horizontal while it turns, in space.
//
// A strategy runs over float and double, and over each further scalar that it has a meaning for; which these are is in scalar_list.hpp. Laws:
//   every scalar   joints hold, energy stays, as far as the strategy's own error goes
//   batch          every lane has the bits of a world of its own
//   dual           the values have the bits of double, and the derivatives are those of its motion, by central differences
//   fixed, float,
//   long double    the motion is that of double to what a number of the format can tell
// A strategy is run under one rotation and one integrator, another pair with each; and every integrator over every rotation without a strategy, the links on springs.
// Strategies under every rotation are in solver/strategy_matrix_run.hpp.

#include <world/scalar_list.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstring>
#include <string>
#include <vector>

namespace scalar_matrix {

inline constexpr int steps = 64;  // of a second

/// How a strategy is run.
template <class Solver, class Integrator, template <class> class Rotation>
struct run_of {
    using solver = Solver;
    using integrator = Integrator;
    template <class S>
    using rotation = Rotation<S>;
};

/// The same links on springs instead of joints: an integrator with nothing beside it.
template <class Integrator, template <class> class Rotation>
struct flight_of : run_of<sequential_impulses, Integrator, Rotation> {
    static constexpr bool is_flight = true;
};
template <class Run>
inline constexpr bool is_flight_v = requires { Run::is_flight; };

/// What a strategy's own error is after a second.
template <class Run>
struct own_error {
    using strategy = typename world<config_of<typename Run::solver>>::strategy_type;
    static constexpr bool on_positions = strategy::level == solver_level::position;
    static constexpr bool in_stages = strategy::level == solver_level::acceleration;
    static constexpr bool iterates = requires { Run::integrator::iterates; };
    /// m, of the joints: they drift by (h v)^2 / 2 l a step at 5 m/s, which feedback takes back; implicit Euler by h v^2 / l times the time of feedback, 1/20 s.
    static constexpr double joints = std::same_as<typename Run::integrator, implicit_euler> ? 0.03 : 3e-3;
    /// Of the energy that gravity gives: some h times the rate at which the links turn, or its square.
    static constexpr double energy = in_stages && Run::integrator::order > 1 ? 0.01 : 0.3;

    /// m and m/s, for fixed point that rounds by `rounding`, on three links that hang on each other, all to one side: a step rounds speeds some sixteen
    /// times; or positions, and 64 times as much is the speed. What conjugate residuals cannot tell from 0 has a square below the last place.
    /// Forces of penalties are rounded as their stiffness, which is a hundred times the mass over h^2.
    [[nodiscard]] static double in_fixed_point(double rounding) {
        if (goes_by_squares<typename Run::solver>) return steps * std::sqrt(rounding);
        double const penalties = std::same_as<typename Run::solver, vertex_block_descent> ? 100 : 1;
        return 3 * steps * rounding * penalties * (on_positions ? steps : 16);
    }
};

template <class Run, class S>
struct config : default_config {
    using scalar = S;
    using solver = typename Run::solver;
    using integrator = typename Run::integrator;
    template <class T>
    using rotation = typename Run::template rotation<T>;
};

template <class S>
[[nodiscard]] S number(double x) {
    if constexpr (requires { S::from(x); })
        return S::from(x);
    else
        return S(static_cast<value_type_t<S>>(x));
}
/// Of one lane; of a dual number the value.
template <class S>
[[nodiscard]] auto in_lane(S const& x, [[maybe_unused]] std::size_t lane) {
    if constexpr (has_lanes_v<S>)
        return x[lane];
    else if constexpr (is_dual_v<S>)
        return x.v;
    else
        return x;
}

/// gravity, m/s^2; mass of the second link, kg; spin about the vertical at the start, rad/s; thickness of the first link, m
template <class S>
using parameters = std::array<S, 4>;
inline constexpr parameters<double> usual{9.8125, 1.5, 0.75, 0.25};

template <class S>
struct outcome {
    std::vector<S> state;  // three links: position, velocity; rotation, spin
    S energy{}, given{}, apart{};
    bool stepped = true;
};

template <class Run, class S>
struct world_of {
    using type = world<config<Run, S>, ball_joint>;
};
template <class Run, class S>
    requires is_flight_v<Run>
struct world_of<Run, S> {
    using type = world<config<Run, S>, spring>;
};

template <class Run, class S>
[[nodiscard]] outcome<S> moved(parameters<S> const& with) {
    using R = typename Run::template rotation<S>;
    typename world_of<Run, S>::type w;
    if constexpr (is_flight_v<Run>) w.solver.substeps = 1;  // a fifth of a step is no number of fixed point
    outcome<S> o;
    S const zero(0), one(1), half = number<S>(0.5), quarter = number<S>(0.25);
    auto const& [gravity, mass, spin, thickness] = with;
    w.gravity = {zero, -gravity, zero};
    auto previous = w.ground();
    for (int i = 0; i < 3; ++i) {
        S const x = number<S>(i);
        S thick = i == 0 ? thickness : quarter;
        // Springs turn what joints would hold. Of thin links a rounding of the torque is a hundred times as much of the spin; of these, with 1/2 kg m^2 and more, twice.
        if constexpr (is_flight_v<Run>) thick = thick + one + one;
        auto link = rigid_body_of(solid_box(i == 1 ? mass : one, vec3<S>{one, thick, thick}), pose<S, R>{{x + half, zero, zero}, R::identity()});
        link.twist = {{zero, zero, -(spin * (x + half))}, {zero, spin, zero}};
        auto const h = w.add(link);
        vec3<S> const at{x, zero, zero};
        if constexpr (is_flight_v<Run>)
            w.add(spring<S>{.anchor_a = w.pose(previous).local_point(at), .anchor_b = w.pose(h).local_point(at + vec3<S>{quarter, quarter, half}), .rest_length = quarter, .stiffness = S(8), .damping = quarter}, previous, h);
        else
            w.add(ball_joint<S>::at(w.pose(previous), w.pose(h), at), previous, h);
        previous = h;
    }
    S const start = w.energy();
    for (int i = 0; i < steps; ++i) o.stepped = w.step(one / number<S>(steps)).status == step_status::ok && o.stepped;
    w.for_each_body([&](auto h) {
        auto const b = w.body(h);
        for (vec3<S> const& v : {b.pose.position, b.twist.linear})
            for (S const& x : v.e) o.state.push_back(x);
        o.given = o.given + b.mass * dot(w.gravity, b.pose.position);
    });
    w.for_each_body([&](auto h) {
        auto const b = w.body(h);
        for (std::size_t k = 0; k < R::dimension; ++k) o.state.push_back(b.pose.rotation.coordinate(k));
        for (S const& x : b.twist.angular.e) o.state.push_back(x);
    });
    if constexpr (!is_flight_v<Run>) w.template for_each<ball_joint<S>>([&](auto h) { o.apart = max(o.apart, norm(w.error_of(h))); });
    o.energy = w.energy() - start;
    return o;
}

/// Another of each in every lane.
template <class S>
[[nodiscard]] parameters<S> by_lane(std::size_t lane) {
    auto const x = static_cast<double>(lane);
    return {number<S>(usual[0] * (1 - 0.0625 * x)), number<S>(usual[1] + 0.25 * x), number<S>(usual[2] - 0.125 * x), number<S>(usual[3] + 0.0625 * x)};
}
template <class B>
[[nodiscard]] parameters<B> in_lanes() {
    parameters<B> p;
    for (std::size_t k = 0; k < p.size(); ++k)
        for (std::size_t lane = 0; lane < B::lanes; ++lane) p[k][lane] = by_lane<typename B::lane_type>(lane)[k];
    return p;
}
template <class S>
[[nodiscard]] parameters<S> plain() {
    return by_lane<S>(0);
}

template <class T>
[[nodiscard]] bool same_bits(T const& a, T const& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class Run, class S>
void expect_laws(outcome<S> const& o, double rounding) {
    for (std::size_t lane = 0; lane < lanes_v<S>; ++lane) {
        EXPECT_TRUE(o.stepped);
        EXPECT_GT(static_cast<double>(in_lane(o.given, lane)), 10);  // it has fallen
        EXPECT_LT(static_cast<double>(in_lane(o.apart, lane)), own_error<Run>::joints + rounding);
        EXPECT_LT(std::abs(static_cast<double>(in_lane(o.energy, lane))), (own_error<Run>::energy + rounding) * static_cast<double>(in_lane(o.given, lane)));
    }
}
/// The greatest distance of two states, in their first n numbers.
template <class A, class B>
[[nodiscard]] double distance(std::vector<A> const& a, std::vector<B> const& b, std::size_t n) {
    double d = 0;
    for (std::size_t i = 0; i < n; ++i) d = std::max(d, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    return d;
}

/// A step rounds speeds of 10 m/s; of 64 times some ten roundings, all to one side.
inline constexpr double roundings = steps * 10 * 10;

/// Every lane is a world of its own.
template <class Run, class B>
void expect_lanes() {
    SCOPED_TRACE("batch<" + std::string(sizeof(typename B::lane_type) == 4 ? "float, " : "double, ") + std::to_string(B::lanes) + ">");
    using T = typename B::lane_type;
    auto const wide = moved<Run, B>(in_lanes<B>());
    expect_laws<Run>(wide, 1e-3);
    for (std::size_t lane = 0; lane < B::lanes; ++lane) {
        auto const alone = moved<Run, T>(by_lane<T>(lane));
        ASSERT_EQ(wide.state.size(), alone.state.size());
        for (std::size_t i = 0; i < alone.state.size(); ++i) EXPECT_TRUE(same_bits<T>(wide.state[i][lane], alone.state[i])) << "lane " << lane << ", number " << i;
        EXPECT_TRUE(same_bits<T>(wide.energy[lane], alone.energy)) << lane;
    }
}
/// The values are those of double, the derivatives those of its motion.
template <class Run>
void expect_derivatives() {
    SCOPED_TRACE("dual<double, 4>");
    using D = dual<double, 4>;
    parameters<D> p;
    for (std::size_t k = 0; k < 4; ++k) p[k] = D::variable(usual[k], k);
    auto const found = moved<Run, D>(p);
    auto const plainly = moved<Run, double>(usual);
    ASSERT_EQ(found.state.size(), plainly.state.size());
    if constexpr (own_error<Run>::iterates) {
        // Until the derivatives have converged too, which may take one iteration more: the last bits.
        for (std::size_t i = 0; i < plainly.state.size(); ++i) EXPECT_NEAR(found.state[i].v, plainly.state[i], roundings * 1e-16) << i;
    } else {
        for (std::size_t i = 0; i < plainly.state.size(); ++i) EXPECT_TRUE(same_bits(found.state[i].v, plainly.state[i])) << i;
        EXPECT_TRUE(same_bits(found.energy.v, plainly.energy));
    }
    for (std::size_t k = 0; k < 4; ++k) {
        double const h = 1e-5;  // rounding of 1e-15 over it, and its square: 1e-10 of a number of order 1 each
        auto up = usual, down = usual;
        up[k] += h;
        down[k] -= h;
        auto const after_up = moved<Run, double>(up), after_down = moved<Run, double>(down);
        double greatest = 0, off = 0;
        for (std::size_t i = 0; i < plainly.state.size(); ++i) {
            double const difference = (after_up.state[i] - after_down.state[i]) / (2 * h);
            greatest = std::max(greatest, std::abs(difference));
            off = std::max(off, std::abs(found.state[i].d[k] - difference));
        }
        EXPECT_GT(greatest, 1e-3) << "parameter " << k;
        EXPECT_LT(off, 1e-6 * (1 + greatest)) << "parameter " << k;
    }
}
/// The motion of double.
template <class Run, class S>
void expect_near_double(char const* name, double tolerance) {
    SCOPED_TRACE(name);
    auto const found = moved<Run, S>(plain<S>());
    auto const reference = moved<Run, double>(plain<double>());
    ASSERT_EQ(found.state.size(), reference.state.size());
    expect_laws<Run>(found, tolerance);
    // In fixed point not the spins: a link has 0.01 kg m^2 about its own axis, and a last place of that is a hundred of a speed.
    EXPECT_LT(distance(found.state, reference.state, !floating_scalar<value_type_t<S>> ? 18 : found.state.size()), tolerance);
}

/// A strategy, or an integrator alone, under every scalar that it has a meaning for.
template <class Run>
void under_every_scalar() {
    using Solver = typename Run::solver;
    expect_laws<Run>(moved<Run, double>(plain<double>()), 0);
    expect_near_double<Run, float>("float", roundings * 6e-8);
    expect_near_double<Run, long double>("long double", roundings * 1.1e-16);
    expect_derivatives<Run>();
    if constexpr (has_meaning<Solver, q32>) expect_near_double<Run, q32>("fixed<31, 32>", own_error<Run>::in_fixed_point(std::ldexp(1.0, -33)));
    if constexpr (has_meaning<Solver, q16>) expect_near_double<Run, q16>("fixed<15, 16>", own_error<Run>::in_fixed_point(std::ldexp(1.0, -17)));
    if constexpr (has_meaning<Solver, batch<float, 4>> && steps_over<typename Run::integrator, batch<float, 4>>) {
        expect_lanes<Run, batch<float, 4>>();
        expect_lanes<Run, batch<float, 8>>();
        expect_lanes<Run, batch<double, 4>>();
    }
}

}  // namespace scalar_matrix
