#pragma once
// Poses that carry derivatives: what a constraint's error is evaluated on to obtain its Jacobian.
//
// A pose is perturbed on the left, x -> x + dx, R -> exp([dw]x) R (Waterson 2026, eq. 2.36), so the derivative of a
// world point p = x + R r is dp = dx + dw x (R r): the lanes are filled with [1 | -[R r]x] directly, instead of being
// pushed through the coordinates of the rotation. The coordinates carry lanes too, for whoever asks for them.
//
// The base of a seeded pose may itself be seeded; nested, the two yield second derivatives.
//
// A generalized body's pose carries its lanes in its coordinates: its links then go through the map over dual numbers.
//
//   B    scalar of the base pose        D = dual<B, N>
//   O    first lane of this body        N    lanes altogether

#include <sinew/body/generalized_body.hpp>

namespace sinew::inline v0 {

/// Velocity of a particle (m/s): the twist of a body without rotation.
template <class S>
struct particle_twist {
    using scalar_type = S;
    vec3<S> linear{S(0), S(0), S(0)};
};

namespace detail {

// World vector u that turns with the body, u_dot = omega x u: lanes O + 3 .. O + 5 get -[u]x.
template <std::size_t N, std::size_t O, class B>
[[nodiscard]] constexpr vec3<dual<B, N>> seed_turning(vec3<B> const& u) noexcept {
    vec3<dual<B, N>> r{dual<B, N>(u.x()), dual<B, N>(u.y()), dual<B, N>(u.z())};
    r[0].d[O + 4] = u.z();
    r[0].d[O + 5] = -u.y();
    r[1].d[O + 3] = -u.z();
    r[1].d[O + 5] = u.x();
    r[2].d[O + 3] = u.y();
    r[2].d[O + 4] = -u.x();
    return r;
}

template <std::size_t N, std::size_t O, class B>
[[nodiscard]] constexpr vec3<dual<B, N>> seed_position(vec3<B> const& x) noexcept {
    vec3<dual<B, N>> r{dual<B, N>(x.x()), dual<B, N>(x.y()), dual<B, N>(x.z())};
    for (std::size_t i = 0; i < 3; ++i) r[i].d[O + i] = B(1);
    return r;
}

// The members that every pose with lanes shares, given its position, rotation, and how a body vector is lifted.
// A body vector with lanes of its own (T is not the plain scalar) goes through the coordinates.
template <class Derived, class B, class D>
struct pose_with_lanes {
    using scalar_type = D;

    template <class T>
    [[nodiscard]] constexpr auto direction(vec3<T> const& d) const noexcept {
        Derived const& self = static_cast<Derived const&>(*this);
        if constexpr (std::convertible_to<T, B>)
            return self.lifted(self.base.direction(d));
        else
            return rotate(self.rotation, d);
    }
    template <class T>
    [[nodiscard]] constexpr auto point(vec3<T> const& r) const noexcept {
        return static_cast<Derived const&>(*this).position + direction(r);
    }
    template <class T>
    [[nodiscard]] constexpr auto local_point(vec3<T> const& p) const noexcept {
        Derived const& self = static_cast<Derived const&>(*this);
        return inverse_rotate(self.rotation, p - self.position);
    }
    template <class T>
    [[nodiscard]] constexpr auto local_direction(vec3<T> const& d) const noexcept {
        return inverse_rotate(static_cast<Derived const&>(*this).rotation, d);
    }
};

}  // namespace detail

/// A rigid body's pose with lanes O .. O + 5 seeded by its six degrees of freedom.
template <std::size_t N, std::size_t O, class Base>
struct seeded_pose : detail::pose_with_lanes<seeded_pose<N, O, Base>, typename Base::scalar_type, dual<typename Base::scalar_type, N>> {
    using B = typename Base::scalar_type;
    using D = dual<B, N>;
    using rotation_type = typename Base::rotation_type::template rebind<D>;

    Base base;
    vec3<D> position;
    rotation_type rotation;

    constexpr explicit seeded_pose(Base const& pose) noexcept
        : base(pose), position(detail::seed_position<N, O>(pose.position)), rotation(seeded(pose.rotation)) {}
    [[nodiscard]] static constexpr vec3<D> lifted(vec3<B> const& u) noexcept { return detail::seed_turning<N, O>(u); }

private:
    [[nodiscard]] static constexpr rotation_type seeded(typename Base::rotation_type const& r) noexcept {
        D c[rotation_type::dimension];
        for (std::size_t i = 0; i < rotation_type::dimension; ++i) c[i] = D(r.coordinate(i));
        for (std::size_t k = 0; k < 3; ++k) {
            vec3<B> axis{B(0), B(0), B(0)};
            axis[k] = B(1);
            auto const rate = coordinate_rate(r, axis);
            for (std::size_t i = 0; i < rotation_type::dimension; ++i) c[i].d[O + 3 + k] = rate[i];
        }
        rotation_type q;
        for (std::size_t i = 0; i < rotation_type::dimension; ++i) q.set_coordinate(i, c[i]);
        return q;
    }
};

/// A particle with lanes O .. O + 2 seeded.
template <std::size_t N, std::size_t O, class Base>
struct seeded_particle {
    using B = typename Base::scalar_type;
    using D = dual<B, N>;
    using scalar_type = D;
    vec3<D> position;
    constexpr explicit seeded_particle(Base const& pose) noexcept : position(detail::seed_position<N, O>(pose.position)) {}
};

/// A rigid body's pose that moves with a constant twist: the one lane is d/dt.
template <class Base, class S>
struct moving_pose : detail::pose_with_lanes<moving_pose<Base, S>, typename Base::scalar_type, dual<typename Base::scalar_type, 1>> {
    using B = typename Base::scalar_type;
    using D = dual<B, 1>;
    using rotation_type = typename Base::rotation_type::template rebind<D>;

    Base base;
    twist<S> motion;
    vec3<D> position;
    rotation_type rotation;

    constexpr moving_pose(Base const& pose, twist<S> const& t) noexcept : base(pose), motion(t), position(carried(pose.position, t.linear)) {
        auto const rate = coordinate_rate(pose.rotation, t.angular);
        for (std::size_t i = 0; i < rotation_type::dimension; ++i) {
            D c(pose.rotation.coordinate(i));
            c.d[0] = rate[i];
            rotation.set_coordinate(i, c);
        }
    }
    [[nodiscard]] constexpr vec3<D> lifted(vec3<B> const& u) const noexcept { return carried(u, cross(motion.angular, u)); }
    template <class T>
    [[nodiscard]] static constexpr vec3<D> carried(vec3<B> const& u, vec3<T> const& u_dot) noexcept {
        vec3<D> r{D(u.x()), D(u.y()), D(u.z())};
        for (std::size_t i = 0; i < 3; ++i) r[i].d[0] = u_dot[i];
        return r;
    }
};

template <class Base, class S>
struct moving_particle {
    using B = typename Base::scalar_type;
    using D = dual<B, 1>;
    using scalar_type = D;
    vec3<D> position;
    constexpr moving_particle(Base const& pose, particle_twist<S> const& t) noexcept {
        for (std::size_t i = 0; i < 3; ++i) {
            position[i] = D(pose.position[i]);
            position[i].d[0] = t.linear[i];
        }
    }
};

template <class P>
concept pose_with_rotation = requires(P const& p) { p.rotation; };
template <class P>
using scalar_of_pose = typename P::scalar_type;

/// The pose with its lanes seeded.
template <std::size_t N, std::size_t O, class P>
[[nodiscard]] constexpr auto seed(P const& p) noexcept {
    if constexpr (is_generalized_pose_v<P>)
        return p.template with_lanes<N>([](std::size_t i, std::size_t k) { return scalar_of_pose<P>(O + i == k ? 1 : 0); });
    else if constexpr (pose_with_rotation<P>)
        return seeded_pose<N, O, P>(p);
    else
        return seeded_particle<N, O, P>(p);
}
/// The twist with its lanes seeded.
template <std::size_t N, std::size_t O, class S>
[[nodiscard]] constexpr auto seed_twist(twist<S> const& t) noexcept {
    twist<dual<S, N>> r;
    r.linear = detail::seed_position<N, O>(t.linear);
    r.angular = detail::seed_position<N, O + 3>(t.angular);
    return r;
}
template <std::size_t N, std::size_t O, class S>
[[nodiscard]] constexpr auto seed_twist(particle_twist<S> const& t) noexcept {
    return particle_twist<dual<S, N>>{detail::seed_position<N, O>(t.linear)};
}
template <std::size_t N, std::size_t O, class S, std::size_t M>
[[nodiscard]] constexpr auto seed_twist(generalized_twist<S, M> const& t) noexcept {
    generalized_twist<dual<S, N>, M> r;
    for (std::size_t i = 0; i < M; ++i) r.rates[i] = dual<S, N>::variable(t.rates[i], O + i);
    return r;
}
/// The pose moving with a twist; apply it twice for second derivatives in time.
template <class P, class S>
[[nodiscard]] constexpr auto moving(P const& p, twist<S> const& t) noexcept {
    return moving_pose<P, S>(p, t);
}
template <class P, class S>
[[nodiscard]] constexpr auto moving(P const& p, particle_twist<S> const& t) noexcept {
    return moving_particle<P, S>(p, t);
}
template <class P, class S, std::size_t M>
[[nodiscard]] constexpr auto moving(P const& p, generalized_twist<S, M> const& t) noexcept {
    return p.template with_lanes<1>([&](std::size_t i, std::size_t) { return scalar_of_pose<P>(t.rates[i]); });
}
/// A twist that does not change, over scalar D.
template <class D, class S>
[[nodiscard]] constexpr twist<D> lift_twist(twist<S> const& t) noexcept {
    twist<D> r;
    for (std::size_t i = 0; i < 3; ++i) {
        r.linear[i] = D(t.linear[i]);
        r.angular[i] = D(t.angular[i]);
    }
    return r;
}
template <class D, class S>
[[nodiscard]] constexpr particle_twist<D> lift_twist(particle_twist<S> const& t) noexcept {
    particle_twist<D> r;
    for (std::size_t i = 0; i < 3; ++i) r.linear[i] = D(t.linear[i]);
    return r;
}
template <class D, class S, std::size_t M>
[[nodiscard]] constexpr generalized_twist<D, M> lift_twist(generalized_twist<S, M> const& t) noexcept {
    generalized_twist<D, M> r;
    for (std::size_t i = 0; i < M; ++i) r.rates[i] = D(t.rates[i]);
    return r;
}

}  // namespace sinew::inline v0
