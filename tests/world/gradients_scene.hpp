#pragma once
// Scenes whose gradients are known another way: by differences in long double.
//
// All over one scalar, as sinew::reverse_sweep wants them: what is built of parameters, a step with its controls, and a loss.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

namespace gradients_scene {

using namespace sinew;

template <class T, class Solver, class Integrator = symplectic_euler>
struct config : default_config {
    using scalar = T;
    using solver = Solver;
    using integrator = Integrator;
};

template <class S>
constexpr S number(double x) {
    return S(static_cast<value_type_t<S>>(x));
}

template <class S>
collider_options<S, quaternion<S>> surface_of(S const& friction, S const& restitution = S(0)) {
    collider_options<S, quaternion<S>> options;
    options.material = material<S>::of(friction, restitution);
    return options;
}

// A number that depends on every coordinate of a place.
template <class S, class R>
S mark_of(pose<S, R> const& p) {
    vec3<S> const tip = p.point(vec3<S>{number<S>(0.3), number<S>(0.2), number<S>(0.1)});
    return tip[0] + number<S>(0.7) * tip[1] + number<S>(0.3) * tip[2];
}

/// Boxes of 1 m in a row, the first held: {mass of the second, length of the first, spin of the last, its torque}. Controls: a torque on the last.
template <class S, class World, int Links, int Hertz>
struct row_of_boxes {
    World world;
    handle<rigid> last{};

    void build(std::span<S const> p) {
        auto previous = world.ground();
        S x(0);
        for (int k = 0; k < Links; ++k) {
            S const length = k == 0 ? p[1] : S(1), mass = k == 1 ? p[0] : S(1);
            auto link = rigid_body_of(solid_box(mass, vec3<S>{length, number<S>(0.1), number<S>(0.2)}), pose<S>{{x + length / S(2), S(0), S(0)}, {}});
            if (k == Links - 1) link.twist.angular = {p[2], S(0), S(0)};
            last = world.add(link);
            world.add(ball_joint<S>::at(world.pose(previous), world.pose(last), vec3<S>{x, S(0), S(0)}), previous, last);
            x = x + length;
            previous = last;
        }
        torque = p[3];
    }
    bool step(std::size_t, std::span<S const> controls) {
        world.apply_wrench(last, {{}, {torque, S(0), controls.empty() ? S(0) : controls[0]}});
        return static_cast<bool>(world.step(S(1) / S(Hertz)));
    }
    S loss(std::size_t k, std::span<S const> controls) const {
        S sum(0);
        for (S const& u : controls) sum = sum + u * u * number<S>(1e-3);
        return k % 50 == 49 ? sum + mark_of(world.pose(last)) : sum;
    }
    S torque{};
};

/// Richardson's central differences of f by its i-th number: errors of order 4.
template <class F>
double derivative(F const& f, std::vector<long double> const& at, std::size_t i, long double h = 1e-6L) {
    auto const difference = [&](long double d) {
        std::vector<long double> a = at, b = at;
        a[i] += d;
        b[i] -= d;
        return (f(a) - f(b)) / (2 * d);
    };
    return static_cast<double>((4 * difference(h / 2) - difference(h)) / 3);
}

/// Forward derivatives of a scene by all of its parameters, with values in Real, against differences.
template <template <class> class Scene, std::size_t N, class Real = double>
void expect_gradient(double const (&parameters)[N], std::size_t steps, double tolerance, long double h = 1e-6L) {
    using D = dual<Real, N>;
    std::vector<D> p;
    std::vector<long double> at;
    for (std::size_t i = 0; i < N; ++i) {
        p.push_back(D::variable(parameters[i], i));
        at.push_back(parameters[i]);
    }
    auto const forward = simulate<Scene, D>(p, {}, steps);
    ASSERT_TRUE(forward);
    double largest = 0;
    for (std::size_t i = 0; i < N; ++i) largest = std::max(largest, std::abs(static_cast<double>(forward.loss.d[i])));
    EXPECT_GT(largest, 1e-3);
    for (std::size_t i = 0; i < N; ++i) {
        double const expected = derivative([&](std::vector<long double> const& x) { return simulate<Scene, long double>(x, {}, steps).loss; }, at, i, h);
        EXPECT_NEAR(static_cast<double>(forward.loss.d[i]), expected, tolerance * std::max(std::abs(expected), 1e-2 * largest)) << "parameter " << i;
    }
}

/// The reverse sweep against forward derivatives: by all parameters, and by every `pace`-th control.
template <template <class> class Scene>
sweep_report<double> expect_same_gradient(std::vector<double> const& parameters, std::vector<double> const& controls, std::size_t steps, std::size_t pace, std::size_t stride = 0) {
    constexpr std::size_t N = 8;
    using D = dual<double, N>;
    reverse_sweep<Scene, double, N> sweep;
    sweep.stride = stride;
    std::vector<double> by_parameters(parameters.size()), by_controls(controls.size());
    auto const report = sweep(parameters, controls, steps, by_parameters, by_controls);
    EXPECT_TRUE(report);

    std::vector<std::size_t> chosen;  // parameters, then controls
    for (std::size_t i = 0; i < parameters.size(); ++i) chosen.push_back(i);
    for (std::size_t i = 0; i < controls.size(); i += pace) chosen.push_back(parameters.size() + i);
    double largest = 0;
    std::vector<double> expected;
    for (std::size_t first = 0; first < chosen.size(); first += N) {
        std::vector<D> p(parameters.begin(), parameters.end()), u(controls.begin(), controls.end());
        for (std::size_t lane = 0; lane < N && first + lane < chosen.size(); ++lane) {
            std::size_t const i = chosen[first + lane];
            (i < p.size() ? p[i] : u[i - p.size()]).d[lane] = 1;
        }
        auto const forward = simulate<Scene, D>(p, u, steps);
        EXPECT_EQ(forward.loss.v, report.loss);
        for (std::size_t lane = 0; lane < N && first + lane < chosen.size(); ++lane) {
            expected.push_back(forward.loss.d[lane]);
            largest = std::max(largest, std::abs(forward.loss.d[lane]));
        }
    }
    EXPECT_GT(largest, 1e-3);
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        std::size_t const i = chosen[k];
        double const got = i < parameters.size() ? by_parameters[i] : by_controls[i - parameters.size()];
        EXPECT_NEAR(got, expected[k], 1e-10 * std::max(std::abs(expected[k]), 1e-3 * largest)) << (i < parameters.size() ? "parameter " : "control ") << i;
    }
    return report;
}

}  // namespace gradients_scene
