#pragma once
// Cases of sinew/constraint/servo.hpp.

#include <sinew/constraint/servo.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

template <class R>
struct angular_servo_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    // Made at its target.
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto c = angular_servo<S>::at(a, b, base::axis(random), random_number(random, S(-3), S(3)), S(2));
        auto const turn = rotation_about<R>(a.direction(c.angle.axis_a), c.target);
        return made{c, a, pose<S, R>{b.position, turn * b.rotation}};
    }
    // Without an angle where the axes are opposite; opposite to the target the short way round changes.
    static S margin(auto const& c, auto const& a, auto const& b) {
        S const axes = (S(1) + dot(a.direction(c.angle.axis_a), b.direction(c.angle.axis_b))) / S(2);
        return min(axes, pi_v<S> - abs(c.error(a, b)));
    }
};

template <class R>
struct linear_servo_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const anchor = base::point(random), axis = base::axis(random);
        S const target = random_number(random, S(-2), S(2));
        return made{linear_servo<S>::at(a, b, anchor, axis, target, S(2)), a, pose<S, R>{b.position + axis * target, b.rotation}};
    }
};

template <class R>
struct particle_servo_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random);
        auto const b = base::particle(random);
        auto const axis = base::axis(random);
        S const target = random_number(random, S(-2), S(2));
        return made{particle_servo<S>::at(a, b, b.position, axis, target, S(2)), a, particle_pose<S>{b.position + axis * target}};
    }
};

}  // namespace sinew_test
