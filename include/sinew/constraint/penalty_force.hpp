#pragma once
// Any holonomic constraint as a force: a spring and a damper in each of its rows, which pull towards zero error.
//
//   lambda = -k c - d c_dot      wrench = J^T lambda      E = k c^2 / 2      (Vondrak 2005, 3.4; Witkin 1997, section 1)
//
//   template <class S> using soft_pin = sinew::penalty_force<S, sinew::ball_joint>;
//   world.add(soft_pin<double>::with(sinew::ball_joint<double>::at(a, b, anchor), 1000, 20), hand, target);
//
// What a constraint says of the bounds of its multipliers holds here too. A row that can only push, or only pull, acts only
// while it is violated, its damper included, and never the wrong way; the force of a servo stays within its strength.
// Beyond a bound the spring is a constant force, and E its potential: with s = clamp(-k c, lower, upper),
//
//   E = -s (c + s / (2 k)),   whose derivative by c is -s everywhere
//
// The force is explicit: it asks for steps well below sqrt(m / k), which compliance (soft.hpp) does not. Compliance and
// damping of the constraint's own are replaced by those given here.
//
//   c  error     c_dot  its rate     k  stiffness     d  damping     lambda, s  multiplier of a row, and its part by the spring

#include <sinew/body/force.hpp>
#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/derive.hpp>

namespace sinew::inline v0 {

namespace detail {

// A body of a force as a constraint sees it.
template <class S, class R>
[[nodiscard]] constexpr pose<S, R> const& pose_of(rigid_body<S, R> const& b) noexcept {
    return b.pose;
}
template <class S>
[[nodiscard]] constexpr particle_pose<S> pose_of(particle<S> const& b) noexcept {
    return {b.position};
}
template <class S, class R>
[[nodiscard]] constexpr twist<S> const& twist_of(rigid_body<S, R> const& b) noexcept {
    return b.twist;
}
template <class S>
[[nodiscard]] constexpr particle_twist<S> twist_of(particle<S> const& b) noexcept {
    return {b.velocity};
}

// The part of J^T lambda that belongs to an attachment of kind K.
template <class K, class S, std::size_t N>
[[nodiscard]] constexpr wrench<S> wrench_in(vec<S, N> const& q, std::size_t at) noexcept {
    wrench<S> w;
    for (std::size_t i = 0; i < 3; ++i) {
        w.force[i] = q[at + i];
        if constexpr (K::dof == 6) w.torque[i] = q[at + 3 + i];
    }
    return w;
}

}  // namespace detail

/// A force between the attachments of a constraint of type C; written penalty_force below.
template <scalar S, class C>
struct penalty_force_of {
    using constraint_type = C;
    using attachments = attachments_t<constraint_type>;
    static_assert((check_constraint<constraint_type, S>(), true));
    static_assert(has_error<constraint_type, S>,
                  "sinew: a penalty force is made from a constraint's error; this constraint has only a rate, which nothing can be pulled back from.");
    static constexpr std::size_t rows = rows_v<constraint_type>;

    constraint_type constraint{};
    vec<S, rows> stiffness{};  ///< of each row, N/m, N m/rad
    vec<S, rows> damping{};    ///< of each row, N s/m, N m s/rad

    /// All rows alike.
    [[nodiscard]] static constexpr penalty_force_of with(constraint_type const& constraint, S const& stiffness, S const& damping = S(0)) noexcept {
        penalty_force_of f{constraint, {}, {}};
        for (std::size_t i = 0; i < rows; ++i) {
            f.stiffness[i] = stiffness;
            f.damping[i] = damping;
        }
        return f;
    }

    /// wrenches(bodies..., t).
    template <class... BodiesAndTime>
        requires(sizeof...(BodiesAndTime) == attachments::size + 1)
    [[nodiscard]] constexpr std::array<wrench<S>, attachments::size> wrenches(BodiesAndTime const&... bodies_and_time) const {
        return wrenches_on(std::tie(bodies_and_time...), indices{});
    }
    /// J, zero where the constraint holds.
    template <class... Bodies>
        requires(sizeof...(Bodies) == attachments::size && !has_update_v<constraint_type, S>)
    [[nodiscard]] constexpr S energy(Bodies const&... bodies) const {
        auto const c = error_of(constraint, detail::pose_of(bodies)...);
        auto const s = springs(c, detail::pose_of(bodies)...);
        S e{};
        for (std::size_t i = 0; i < rows; ++i) {
            auto const soft = stiffness[i] > S(0);
            e = e - s[i] * (c[i] + s[i] / select(soft, S(2) * stiffness[i], S(1)));
        }
        return e;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        input_fault r = part_fault(constraint);
        for (std::size_t i = 0; i < rows; ++i)
            r = first_fault(r, nonnegative_parameter("stiffness", stiffness[i]), nonnegative_parameter("damping", damping[i]));
        return r;
    }
    [[nodiscard]] friend constexpr bool operator==(penalty_force_of const&, penalty_force_of const&) = default;

private:
    using rows_type = vec<S, rows>;
    using indices = detail::attachment_indices<constraint_type>;

    [[nodiscard]] static constexpr rows_type clamped(rows_type const& lambda, bounds<S, rows> const& b) noexcept {
        rows_type r;
        for (std::size_t i = 0; i < rows; ++i) r[i] = max(b.lower[i], min(b.upper[i], lambda[i]));
        return r;
    }
    [[nodiscard]] constexpr rows_type pull(rows_type const& c) const noexcept {
        rows_type r;
        for (std::size_t i = 0; i < rows; ++i) r[i] = -(stiffness[i] * c[i]);
        return r;
    }
    [[nodiscard]] constexpr rows_type springs(rows_type const& c, auto const&... poses) const {
        rows_type const s = pull(c);
        return clamped(s, limits_of(constraint, s, poses...));
    }
    template <class Bodies, std::size_t... I>
    [[nodiscard]] constexpr std::array<wrench<S>, attachments::size> wrenches_on(Bodies const& bodies, std::index_sequence<I...>) const {
        rows_type const c = error_of(constraint, detail::pose_of(std::get<I>(bodies))...);
        auto const J = jacobian_of(constraint, detail::pose_of(std::get<I>(bodies))...);
        auto const twists = detail::pack(detail::twist_of(std::get<I>(bodies))...);
        rows_type c_dot;
        if constexpr (has_rate<constraint_type, S>)
            c_dot = rate_of(constraint, detail::pack(detail::pose_of(std::get<I>(bodies))...), twists);
        else
            c_dot = J * stacked_velocity<constraint_type>(twists);

        rows_type lambda = pull(c);
        bounds<S, rows> const limits = limits_of(constraint, lambda, detail::pose_of(std::get<I>(bodies))...);
        for (std::size_t i = 0; i < rows; ++i) {
            S const x = max(limits.lower[i], min(limits.upper[i], lambda[i] - damping[i] * c_dot[i]));
            // On its legal side a one-sided row is as if it were not there: its damper does not act either.
            S const pushing_only = select(c[i] >= S(0), S(0), x), pulling_only = select(c[i] <= S(0), S(0), x);
            lambda[i] = select(limits.lower[i] >= S(0), pushing_only, select(limits.upper[i] <= S(0), pulling_only, x));
        }
        lambda = updated_multipliers(constraint, rows_type{}, lambda, detail::pose_of(std::get<I>(bodies))...);
        auto const q = transpose_times(J, lambda);
        return {detail::wrench_in<typename attachments::template kind<I>>(q, attachments::offset(I))...};
    }
};

template <class S, template <class> class Constraint>
using penalty_force = penalty_force_of<S, Constraint<S>>;

}  // namespace sinew::inline v0
