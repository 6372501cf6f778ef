#pragma once
// The constraint concept: what a type must say to be a constraint, and where it may say more.
//
//   template <sinew::scalar S>
//   struct my_rod {                                     // two anchors stay `length` apart
//       static constexpr std::size_t rows = 1;
//       sinew::vec3<S> anchor_a, anchor_b;              // body frames, m
//       S length;                                       // m
//       constexpr auto error(auto const& a, auto const& b) const {
//           return norm(a.point(anchor_a) - b.point(anchor_b)) - length;
//       }
//   };
//
// Required: `rows`, and `error(poses...)` (holonomic) or `rate(poses..., twists...)` (non-holonomic).
// Optional, each with a default (see derive.hpp): attachments, jacobian, jacobian_rate, stiffness, compliance, damping,
// limits, effective_mass, update; and in_lanes (in_lanes.hpp).
//
// Signs. error c; multiplier lambda; the constraint's wrench on its bodies is J^T lambda with c_dot = J v. An inequality
// means c >= 0 and lambda >= 0: limits (0, infinity).

#include <sinew/constraint/seeded_pose.hpp>

#include <limits>

namespace sinew::inline v0 {

/// Bounds of the multipliers of M rows (N, N m): lower <= lambda <= upper.
template <class S, std::size_t M>
struct bounds {
    vec<S, M> lower, upper;
};

namespace detail {
// Bounds in other units: f(bound) of all.
template <class S, std::size_t M, class F>
[[nodiscard]] constexpr bounds<S, M> scaled_bounds(bounds<S, M> b, F const& f) noexcept {
    for (std::size_t i = 0; i < M; ++i) {
        b.lower[i] = scaled_bound(b.lower[i], f);
        b.upper[i] = scaled_bound(b.upper[i], f);
    }
    return b;
}
}  // namespace detail

/// No bounds: an equality.
template <class S, std::size_t M>
[[nodiscard]] constexpr bounds<S, M> unbounded() noexcept {
    bounds<S, M> b{};
    for (std::size_t i = 0; i < M; ++i) {
        b.lower[i] = -infinity_v<S>;
        b.upper[i] = infinity_v<S>;
    }
    return b;
}
/// c >= 0: the constraint only pushes.
template <class S, std::size_t M>
[[nodiscard]] constexpr bounds<S, M> pushing() noexcept {
    bounds<S, M> b{};
    for (std::size_t i = 0; i < M; ++i) {
        b.lower[i] = S(0);
        b.upper[i] = infinity_v<S>;
    }
    return b;
}

/// Inverse mass of an attachment as a solver sees it: 1/kg, and 1/(kg m^2) in the world frame.
template <class S>
struct inverse_mass {
    S linear{};
    sym3<S> angular{};
};
template <class S>
struct particle_inverse_mass {
    S linear{};
};
/// Of a generalized body: M_u^-1.
template <class S, std::size_t N>
struct generalized_inverse_mass {
    mat<S, N, N> matrix{};
};

namespace detail {
template <class C>
struct declared_attachments {
    using type = binds<rigid, rigid>;
};
template <class C>
    requires requires { typename C::attachments; }
struct declared_attachments<C> {
    using type = typename C::attachments;
};
}  // namespace detail

/// How the library reads a constraint type. Specialise it for a type that cannot be edited; the default asks the members.
template <class C>
struct constraint_traits {
    using attachments = typename detail::declared_attachments<C>::type;

    [[nodiscard]] static constexpr std::size_t rows()
        requires requires {
            { C::rows } -> std::convertible_to<std::size_t>;
        }
    {
        return C::rows;
    }
    template <class... P>
    [[nodiscard]] static constexpr auto error(C const& c, P const&... poses)
        requires requires { c.error(poses...); }
    {
        return c.error(poses...);
    }
    template <class... A>
    [[nodiscard]] static constexpr auto rate(C const& c, A const&... poses_and_twists)
        requires requires { c.rate(poses_and_twists...); }
    {
        return c.rate(poses_and_twists...);
    }
    template <class... P>
    [[nodiscard]] static constexpr auto jacobian(C const& c, P const&... poses)
        requires requires { c.jacobian(poses...); }
    {
        return c.jacobian(poses...);
    }
    template <class... A>
    [[nodiscard]] static constexpr auto jacobian_rate(C const& c, A const&... poses_and_twists)
        requires requires { c.jacobian_rate(poses_and_twists...); }
    {
        return c.jacobian_rate(poses_and_twists...);
    }
    template <class... A>
    [[nodiscard]] static constexpr auto stiffness(C const& c, A const&... poses_and_lambda)
        requires requires { c.stiffness(poses_and_lambda...); }
    {
        return c.stiffness(poses_and_lambda...);
    }
    [[nodiscard]] static constexpr auto compliance(C const& c)
        requires requires { c.compliance(); }
    {
        return c.compliance();
    }
    [[nodiscard]] static constexpr auto damping(C const& c)
        requires requires { c.damping(); }
    {
        return c.damping();
    }
    template <class... A>
    [[nodiscard]] static constexpr auto limits(C const& c, A const&... state)
        requires requires { c.limits(state...); }
    {
        return c.limits(state...);
    }
    template <class... A>
    [[nodiscard]] static constexpr auto effective_mass(C const& c, A const&... state)
        requires requires { c.effective_mass(state...); }
    {
        return c.effective_mass(state...);
    }
    template <class... A>
    [[nodiscard]] static constexpr auto update(C const& c, A const&... state)
        requires requires { c.update(state...); }
    {
        return c.update(state...);
    }
};

template <class C>
using attachments_t = typename constraint_traits<C>::attachments;

namespace detail {

// A list of attachments, and the poses and twists that go with it.
template <class A>
inline constexpr bool is_attachment_list_v = false;
template <class... K>
inline constexpr bool is_attachment_list_v<binds<K...>> = (sizeof...(K) > 0) && (is_body_kind_v<K> && ...);

template <class K, class S>
struct archetype;
template <class S>
struct archetype<rigid, S> {
    using pose_type = pose<S, quaternion<S>>;
    using twist_type = twist<S>;
    using inverse_mass_type = inverse_mass<S>;
};
template <class S>
struct archetype<point_mass, S> {
    using pose_type = particle_pose<S>;
    using twist_type = particle_twist<S>;
    using inverse_mass_type = particle_inverse_mass<S>;
};
template <class Map, class S>
struct archetype<generalized<Map>, S> {
    using pose_type = generalized_pose<Map, S>;
    using twist_type = generalized_twist<S, Map::coordinates>;
    using inverse_mass_type = generalized_inverse_mass<S, Map::coordinates>;
};

template <class T, class S>
concept other_than = std::floating_point<std::remove_cvref_t<T>> && !std::same_as<std::remove_cvref_t<T>, S>;
template <class R, class S, std::size_t M>
concept residual_of = (M == 1 && std::convertible_to<R, S>) || requires(R r) {
    requires R::size() == M;
    { r[0] } -> std::convertible_to<S>;
};
// Numbers of the compiler's of another kind than S: a constant without a suffix makes doubles of floats.
template <class R, class S>
concept residual_of_other = std::floating_point<S> && (other_than<R, S> || requires(R r) {
    { r[0] } -> other_than<S>;
});

template <class C, class S, class A>
struct callable_with;
template <class C, class S, class... K>
struct callable_with<C, S, binds<K...>> {
    static constexpr bool error = requires(C const& c, typename archetype<K, S>::pose_type const&... p) {
        constraint_traits<C>::error(c, p...);
    };
    static constexpr bool rate =
        requires(C const& c, typename archetype<K, S>::pose_type const&... p, typename archetype<K, S>::twist_type const&... t) {
            constraint_traits<C>::rate(c, p..., t...);
        };
    // What it returns.
    [[nodiscard]] static constexpr auto result() {
        if constexpr (error)
            return std::type_identity<decltype(constraint_traits<C>::error(std::declval<C const&>(), std::declval<typename archetype<K, S>::pose_type const&>()...))>{};
        else if constexpr (rate)
            return std::type_identity<decltype(constraint_traits<C>::rate(std::declval<C const&>(), std::declval<typename archetype<K, S>::pose_type const&>()...,
                                                                          std::declval<typename archetype<K, S>::twist_type const&>()...))>{};
        else
            return std::type_identity<void>{};
    }
};

template <class C, class S>
using result_of_t = typename decltype(callable_with<C, S, attachments_t<C>>::result())::type;

}  // namespace detail

// The atoms.

template <class C>
concept has_rows = requires {
    { constraint_traits<C>::rows() } -> std::convertible_to<std::size_t>;
};
template <class C>
concept has_attachments = detail::is_attachment_list_v<attachments_t<C>>;
/// Holonomic: error(poses...) can be called with its attachments' poses.
template <class C, class S>
concept has_error = has_attachments<C> && detail::callable_with<C, S, attachments_t<C>>::error;
/// Velocity level: rate(poses..., twists...) can be called.
template <class C, class S>
concept has_rate = has_attachments<C> && detail::callable_with<C, S, attachments_t<C>>::rate;
template <class C, class S>
concept has_error_or_rate = has_error<C, S> || has_rate<C, S>;
/// What it returns has as many values as `rows` says.
template <class C, class S>
concept has_matching_rows = has_rows<C> && has_attachments<C> &&
                            detail::residual_of<detail::result_of_t<C, S>, S, constraint_traits<C>::rows()>;
/// And its numbers are of the world's type, where that is one of the compiler's.
template <class C, class S>
concept has_own_scalar = has_attachments<C> && !detail::residual_of_other<detail::result_of_t<C, S>, S>;

/// A type that a world over scalar S can hold as a constraint.
template <class C, class S>
concept constraint_for = scalar<S> && has_rows<C> && has_attachments<C> && has_error_or_rate<C, S> && has_matching_rows<C, S> && has_own_scalar<C, S> && std::copyable<C>;

/// Turns a missing part of the concept into one sentence. Called first wherever a constraint enters the library.
template <class C, class S>
constexpr void check_constraint() noexcept {
    static_assert(has_rows<C>, "sinew: this constraint does not say how many rows it has; add `static constexpr std::size_t rows = ...;`.");
    static_assert(has_attachments<C>, "sinew: this constraint's `attachments` is not a non-empty list of body kinds, such as sinew::binds<sinew::rigid, sinew::point_mass>.");
    if constexpr (has_rows<C> && has_attachments<C>) {
        static_assert(has_error_or_rate<C, S>,
                      "sinew: this constraint has neither `error(poses...)` nor `rate(poses..., twists...)` const that can be called with one pose (and twist) per "
                      "attachment; write one, taking `auto const&`.");
        if constexpr (has_error_or_rate<C, S>) {
            static_assert(has_matching_rows<C, S>, "sinew: this constraint's error (or rate) does not return as many values as its `rows` says: a number for one row, a sinew::vec for more.");
            static_assert(has_own_scalar<C, S>, "sinew: this constraint's error (or rate) returns other numbers than the world's: a constant like 0.5 makes doubles of floats; write S(0.5).");
        }
    }
    static_assert(std::copyable<C>, "sinew: a constraint must be a copyable value.");
}

/// Whether the type says that the direction of its Jacobian turns freely near its solution, as that of a distance which
/// must vanish: `static constexpr bool moving_normal = true`. Such rows are evaluated anew in every iteration.
template <class C>
inline constexpr bool moving_normal_v = false;
template <class C>
    requires requires { requires C::moving_normal; }
inline constexpr bool moving_normal_v<C> = true;

/// Whether the type says that its error is a sum of terms, each of one body's pose: `static constexpr bool additive_error = true`.
/// Its stiffness has then no blocks between bodies, and direct solvers keep none.
template <class C>
inline constexpr bool additive_error_v = false;
template <class C>
    requires requires { requires C::additive_error; }
inline constexpr bool additive_error_v<C> = true;

template <class C>
inline constexpr std::size_t rows_v = constraint_traits<C>::rows();
template <class C>
inline constexpr std::size_t dof_v = attachments_t<C>::dof;

}  // namespace sinew::inline v0
