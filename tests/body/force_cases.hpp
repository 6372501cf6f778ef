#pragma once
// Bodies to try forces on, and the laws that forces keep.

#include <sinew/body/body_point.hpp>
#include <sinew/body/force.hpp>
#include <sinew/core/errors.hpp>
#include <sinew/math/dual.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <string>

namespace force_cases {

using namespace sinew;

inline vec3<double> random_vec(std::mt19937& random) {
    std::uniform_real_distribution<double> any(-2, 2);
    return {any(random), any(random), any(random)};
}

template <class Kind, class R>
auto random_body(std::mt19937& random) {
    std::uniform_real_distribution<double> mass(0.5, 3);
    if constexpr (std::same_as<Kind, rigid>) {
        rigid_body<double, R> b;
        b.mass = mass(random);
        b.inertia = diagonal(1.0, 1.5, 2.0);
        b.pose = {random_vec(random), rotation_exp<R>(random_vec(random))};
        b.twist = {random_vec(random), random_vec(random)};
        return b;
    } else {
        return particle<double>{mass(random), random_vec(random), random_vec(random)};
    }
}

// The body with its place seeded: lanes O .. O + 2 for the position, O + 3 .. O + 5 for world turns.
template <std::size_t N, std::size_t O, class R>
auto seeded(rigid_body<double, R> const& b) {
    using D = dual<double, N>;
    using RD = typename R::template rebind<D>;
    rigid_body<D, RD> s;
    s.mass = b.mass;
    s.inertia = diagonal(D(b.inertia.xx), D(b.inertia.yy), D(b.inertia.zz));
    for (std::size_t i = 0; i < 3; ++i) {
        s.pose.position[i] = D::variable(b.pose.position[i], O + i);
        s.twist.linear[i] = b.twist.linear[i];
        s.twist.angular[i] = b.twist.angular[i];
    }
    for (std::size_t i = 0; i < R::dimension; ++i) {
        D c(b.pose.rotation.coordinate(i));
        for (std::size_t k = 0; k < 3; ++k) {
            vec3<double> axis{0, 0, 0};
            axis[k] = 1;
            c.d[O + 3 + k] = coordinate_rate(b.pose.rotation, axis)[i];
        }
        s.pose.rotation.set_coordinate(i, c);
    }
    return s;
}
template <std::size_t N, std::size_t O>
auto seeded(particle<double> const& b) {
    using D = dual<double, N>;
    particle<D> s;
    s.mass = b.mass;
    for (std::size_t i = 0; i < 3; ++i) {
        s.position[i] = D::variable(b.position[i], O + i);
        s.velocity[i] = b.velocity[i];
    }
    return s;
}

template <std::size_t N, std::size_t O, class R>
void expect_gradient(wrench<double> const& w, rigid_body<double, R> const&, dual<double, N> const& energy, double scale) {
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(w.force[i], -energy.d[O + i], 1e-13 * scale);
        EXPECT_NEAR(w.torque[i], -energy.d[O + 3 + i], 1e-13 * scale);
    }
}
template <std::size_t N, std::size_t O>
void expect_gradient(wrench<double> const& w, particle<double> const&, dual<double, N> const& energy, double scale) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(w.force[i], -energy.d[O + i], 1e-13 * scale);
}

// A force on every body: its wrench is minus the gradient of its energy. `f` and `fd` are the same force over double and dual.
template <class Body, class F, class FD>
void expect_conservative(F const& f, FD const& fd, Body const& b, double scale) {
    expect_gradient<6, 0>(f.wrench_on(b, 0.0), b, fd.energy(seeded<6, 0>(b)), scale);
}
// A force between two bodies: the same for both, and what acts on one acts back on the other.
template <class A, class B, class F, class FD>
void expect_conservative(F const& f, FD const& fd, A const& a, B const& b, double scale) {
    auto const w = f.wrenches(a, b, 0.0);
    dual<double, 12> const e = fd.energy(seeded<12, 0>(a), seeded<12, 6>(b));
    EXPECT_NEAR(e.v, f.energy(a, b), 1e-13 * scale);
    expect_gradient<12, 0>(w[0], a, e, scale);
    expect_gradient<12, 6>(w[1], b, e, scale);
}
template <class A, class B, class F>
void expect_reaction(F const& f, A const& a, B const& b, double scale) {
    auto const w = f.wrenches(a, b, 0.0);
    vec3<double> const force = w[0].force + w[1].force;
    vec3<double> const torque = cross(center_of(a), w[0].force) + w[0].torque + cross(center_of(b), w[1].force) + w[1].torque;
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(force[i], 0, 1e-13 * scale);
        EXPECT_NEAR(torque[i], 0, 1e-13 * scale);
    }
    if constexpr (std::same_as<typename A::kind, point_mass>) {
        EXPECT_EQ(w[0].torque, (vec3<double>{0, 0, 0}));
    }
    if constexpr (std::same_as<typename B::kind, point_mass>) {
        EXPECT_EQ(w[1].torque, (vec3<double>{0, 0, 0}));
    }
}

template <class S>
bool finite(wrench<S> const& w) {
    return isfinite(w.force) && isfinite(w.torque);
}

// The name of the parameter that a force refuses, or "".
template <class F>
std::string faulty(F const& f) {
    input_fault const fault = f.fault();
    return fault.name == nullptr ? "" : fault.name;
}

}  // namespace force_cases
