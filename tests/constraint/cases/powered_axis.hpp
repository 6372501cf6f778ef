#pragma once
// Cases of sinew/constraint/powered_axis.hpp.

#include <sinew/constraint/powered_axis.hpp>

#include <constraint/conformance_case.hpp>

namespace sinew_test {

// How far the speed is from where it is cut off, in x.
template <class S>
S clear_of_top_speed(auto const& c, S const& ahead) {
    return c.alpha > S(0) ? abs(abs(c.speed + c.alpha * ahead) - c.max_speed) / c.alpha : S(1);
}

template <class R>
struct powered_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto c = powered_axis<S>::at(a, b, base::axis(random), random_number(random, S(-2), S(2)), S(3));
        if (random() % 2 == 0) c = c.towards(random_number(random, S(-3), S(3)), random_number(random, S(0), S(4)));
        if (random() % 2 == 0) c.max_speed = S(3);
        return made{c, a, b};
    }
    static S margin(auto const& c, auto const& a, auto const& b) {
        S const axes = (S(1) + dot(a.direction(c.angle.axis_a), b.direction(c.angle.axis_b))) / S(2);
        S const ahead = wrapped(c.target - c.angle.error(a, b));
        return min(axes, min(clear_of_top_speed<S>(c, ahead), pi_v<S> - abs(ahead)));
    }
};

template <class R>
struct linear_motor_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random), b = base::body(random);
        auto const anchor = base::point(random), axis = base::axis(random);
        auto c = linear_motor<S>::at(a, b, anchor, axis, random_number(random, S(-2), S(2)), S(3));
        if (random() % 2 == 0) c = c.towards(random_number(random, S(-2), S(2)), random_number(random, S(0), S(4)));
        if (random() % 2 == 0) c.max_speed = S(3);
        return made{c, a, b};
    }
    static S margin(auto const& c, auto const& a, auto const& b) {
        return clear_of_top_speed<S>(c, c.target - detail::displacement(a, b, c.anchor_a, c.anchor_b, c.axis));
    }
};

template <class R>
struct particle_motor_case : conformance_case<R> {
    using S = typename R::scalar_type;
    using base = conformance_case<R>;
    static auto make(splitmix64& random) {
        auto const a = base::body(random);
        auto const b = base::particle(random);
        auto const c = particle_motor<S>::at(a, b, b.position, base::axis(random), random_number(random, S(-2), S(2)), S(3));
        return made{c.towards(random_number(random, S(-2), S(2)), random_number(random, S(0), S(4))), a, b};
    }
};

}  // namespace sinew_test
