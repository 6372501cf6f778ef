#pragma once
// An optional member that is there but cannot be called as the library calls it would be passed over in silence, and what it
// says would not hold: an inequality whose limits() takes one pose too few would become an equality. So a member of one of these
// names must be callable.

#include <sinew/body/force.hpp>
#include <sinew/constraint/derive.hpp>
#include <sinew/core/errors.hpp>

#include <concepts>
#include <cstddef>
#include <utility>

namespace sinew::inline v0 {

namespace detail {

struct jacobian_name {
    void jacobian();
};
struct jacobian_rate_name {
    void jacobian_rate();
};
struct stiffness_name {
    void stiffness();
};
struct compliance_name {
    void compliance();
};
struct damping_name {
    void damping();
};
struct limits_name {
    void limits();
};
struct effective_mass_name {
    void effective_mass();
};
struct update_name {
    void update();
};
struct fault_name {
    void fault();
};
template <class C>
concept names_jacobian = can_be_joined<C> && !requires { &joined<C, jacobian_name>::jacobian; };
template <class C>
concept names_jacobian_rate = can_be_joined<C> && !requires { &joined<C, jacobian_rate_name>::jacobian_rate; };
template <class C>
concept names_stiffness = can_be_joined<C> && !requires { &joined<C, stiffness_name>::stiffness; };
template <class C>
concept names_compliance = can_be_joined<C> && !requires { &joined<C, compliance_name>::compliance; };
template <class C>
concept names_damping = can_be_joined<C> && !requires { &joined<C, damping_name>::damping; };
template <class C>
concept names_limits = can_be_joined<C> && !requires { &joined<C, limits_name>::limits; };
template <class C>
concept names_effective_mass = can_be_joined<C> && !requires { &joined<C, effective_mass_name>::effective_mass; };
template <class C>
concept names_update = can_be_joined<C> && !requires { &joined<C, update_name>::update; };
template <class C>
concept names_fault = can_be_joined<C> && !requires { &joined<C, fault_name>::fault; };

// A number for each of M rows: a vec, or a number if there is one row. That a bool is a number is not what was meant.
template <class S, class T>
inline constexpr bool is_number_v = std::constructible_from<S, T> && !std::same_as<T, bool>;
template <class S, std::size_t M, class T>
inline constexpr bool tells_rows_v = std::convertible_to<T, vec<S, M>> || (M == 1 && is_number_v<S, T>);

template <class C, class S, class A>
struct gives_by_hand;
template <class C, class S, class... K>
struct gives_by_hand<C, S, binds<K...>> {
    static constexpr bool jacobian = requires(C const& c, typename archetype<K, S>::pose_type const&... p) { constraint_traits<C>::jacobian(c, p...); };
    static constexpr bool jacobian_fits = requires(C const& c, typename archetype<K, S>::pose_type const&... p) {
        { constraint_traits<C>::jacobian(c, p...) } -> std::convertible_to<mat<S, rows_v<C>, dof_v<C>>>;
    };
    using bounds_type = bounds<S, rows_v<C>>;
    static constexpr bool limits_fit =
        requires(C const& c) { { constraint_traits<C>::limits(c) } -> std::convertible_to<bounds_type>; } ||
        requires(C const& c, typename archetype<K, S>::pose_type const&... p) { { constraint_traits<C>::limits(c, p...) } -> std::convertible_to<bounds_type>; } ||
        requires(C const& c, vec<S, rows_v<C>> const& l, typename archetype<K, S>::pose_type const&... p) { { constraint_traits<C>::limits(c, l, p...) } -> std::convertible_to<bounds_type>; };
    static constexpr bool jacobian_rate =
        requires(C const& c, typename archetype<K, S>::pose_type const&... p, typename archetype<K, S>::twist_type const&... t) {
            constraint_traits<C>::jacobian_rate(c, p..., t...);
        };
    static constexpr bool jacobian_rate_fits =
        requires(C const& c, typename archetype<K, S>::pose_type const&... p, typename archetype<K, S>::twist_type const&... t) {
            requires tells_rows_v<S, rows_v<C>, decltype(constraint_traits<C>::jacobian_rate(c, p..., t...))>;
        };
    static constexpr bool stiffness = requires(C const& c, typename archetype<K, S>::pose_type const&... p, vec<S, rows_v<C>> const& lambda) {
        constraint_traits<C>::stiffness(c, p..., lambda);
    };
    static constexpr bool stiffness_fits = requires(C const& c, typename archetype<K, S>::pose_type const&... p, vec<S, rows_v<C>> const& lambda) {
        { constraint_traits<C>::stiffness(c, p..., lambda) } -> std::convertible_to<mat<S, dof_v<C>, dof_v<C>>>;
    };
    static constexpr bool effective_mass_fits =
        requires(C const& c, typename archetype<K, S>::pose_type const&... p, typename archetype<K, S>::inverse_mass_type const&... w) {
            { constraint_traits<C>::effective_mass(c, p..., w...) } -> std::convertible_to<mat<S, rows_v<C>, rows_v<C>>>;
        } || requires(C const& c, typename archetype<K, S>::pose_type const&... p, typename archetype<K, S>::inverse_mass_type const&... w) {
            requires rows_v<C> == 1 && is_number_v<S, decltype(constraint_traits<C>::effective_mass(c, p..., w...))>;
        };
    static constexpr bool update_fits = requires(C const& c, typename archetype<K, S>::pose_type const&... p, vec<S, rows_v<C>> const& lambda) {
        requires tells_rows_v<S, rows_v<C>, decltype(constraint_traits<C>::update(c, lambda, lambda, p...))>;
    };
    // One number may stand for all rows.
    static constexpr bool compliance_fits = requires(C const& c) {
        requires tells_rows_v<S, rows_v<C>, decltype(constraint_traits<C>::compliance(c))> || is_number_v<S, decltype(constraint_traits<C>::compliance(c))>;
    };
    static constexpr bool damping_fits = requires(C const& c) {
        requires tells_rows_v<S, rows_v<C>, decltype(constraint_traits<C>::damping(c))> || is_number_v<S, decltype(constraint_traits<C>::damping(c))>;
    };
};

// What error() makes of poses of dual numbers, by which J is derived.
template <class C, class S, class A, class I>
struct error_of_duals;
template <class C, class S, class... K, std::size_t... I>
struct error_of_duals<C, S, binds<K...>, std::index_sequence<I...>> {
    using A = attachments_t<C>;
    static constexpr bool is_there = requires(C const& c, typename archetype<K, S>::pose_type const&... p) { constraint_traits<C>::error(c, seed<A::dof, A::offset(I)>(p)...); };
    static constexpr bool keeps_derivatives = !requires(C const& c, typename archetype<K, S>::pose_type const&... p) {
        { constraint_traits<C>::error(c, seed<A::dof, A::offset(I)>(p)...) } -> std::same_as<decltype(constraint_traits<C>::error(c, p...))>;
    };
};
template <class C, class S>
using derived_error = error_of_duals<C, S, attachments_t<C>, attachment_indices<C>>;

}  // namespace detail

/// Turns an optional member that would be passed over into one sentence. C satisfies constraint_for.
template <class C, class S>
constexpr void check_members() noexcept {
    if constexpr (requires { typename C::joint_type; }) {
        check_members<typename C::joint_type, S>();  // a wrapper passes on what its joint has
    } else {
        using given = detail::gives_by_hand<C, S, attachments_t<C>>;
        using hooks = detail::has_hooks_with<C, S, attachments_t<C>>;
        if constexpr (is_holonomic_v<C, S> && !given::jacobian) {
            static_assert(detail::derived_error<C, S>::is_there,
                          "sinew: this constraint's `error` takes poses of its own scalar alone, or calls functions that do; take `auto const&`, and `sin`, not `std::sin`, for its "
                          "Jacobian is derived by dual numbers (or write `jacobian` too).");
            static_assert(!detail::derived_error<C, S>::is_there || detail::derived_error<C, S>::keeps_derivatives,
                          "sinew: this constraint's `error` returns the same type for poses of dual numbers, which has no derivatives; return `auto` (or write `jacobian` too).");
        }
        static_assert(!detail::names_jacobian<C> || given::jacobian,
                      "sinew: this constraint's `jacobian` cannot be called as jacobian(poses...) const, with one pose per attachment; it would be ignored.");
        static_assert(!given::jacobian || given::jacobian_fits,
                      "sinew: this constraint's `jacobian` does not return a mat<S, rows, columns> with six columns for each rigid body, three for each particle that it acts on, and S the world's scalar.");
        static_assert(!detail::names_jacobian_rate<C> || given::jacobian_rate,
                      "sinew: this constraint's `jacobian_rate` cannot be called as jacobian_rate(poses..., twists...) const, with one of each per attachment; "
                      "it would be ignored.");
        static_assert(!given::jacobian_rate || given::jacobian_rate_fits, "sinew: this constraint's `jacobian_rate` does not return vec<S, rows>, a number for each row.");
        static_assert(!detail::names_stiffness<C> || given::stiffness,
                      "sinew: this constraint's `stiffness` cannot be called as stiffness(poses..., lambda) const, with one pose per attachment; it would be "
                      "ignored.");
        static_assert(!given::stiffness || given::stiffness_fits,
                      "sinew: this constraint's `stiffness` does not return a mat<S, dof, dof> with six rows and columns for each rigid body, three for each particle.");
        static_assert(!detail::names_compliance<C> || has_compliance<C>,
                      "sinew: this constraint's `compliance` cannot be called as compliance() const; it would be ignored.");
        static_assert(!detail::names_damping<C> || has_damping<C>, "sinew: this constraint's `damping` cannot be called as damping() const; it would be ignored.");
        static_assert(!has_compliance<C> || given::compliance_fits, "sinew: this constraint's `compliance` does not return vec<S, rows>, or one number for all rows.");
        static_assert(!has_damping<C> || given::damping_fits, "sinew: this constraint's `damping` does not return vec<S, rows>, or one number for all rows.");
        static_assert(!has_damping<C> || has_compliance<C>, "sinew: this constraint has `damping` without `compliance`; a hard row has none, and it would be ignored.");
        static_assert(!detail::names_limits<C> || is_bounded_v<C, S>,
                      "sinew: this constraint's `limits` cannot be called as limits(), limits(poses...) or limits(lambda, poses...) const, with one pose per "
                      "attachment; it would be ignored.");
        static_assert(!is_bounded_v<C, S> || given::limits_fit, "sinew: this constraint's `limits` does not return bounds<S, rows>, a lower and an upper one for each row.");
        static_assert(!detail::names_effective_mass<C> || hooks::effective_mass,
                      "sinew: this constraint's `effective_mass` cannot be called as effective_mass(poses..., inverse_masses...) const, with one of each per "
                      "attachment; it would be ignored.");
        static_assert(!hooks::effective_mass || given::effective_mass_fits,
                      "sinew: this constraint's `effective_mass` does not return mat<S, rows, rows>, the inverse of J M^-1 J^T.");
        static_assert(!detail::names_update<C> || hooks::update,
                      "sinew: this constraint's `update` cannot be called as update(lambda, proposed, poses...) const, with one pose per attachment; it would "
                      "be ignored.");
        static_assert(!hooks::update || given::update_fits, "sinew: this constraint's `update` does not return vec<S, rows>, a multiplier for each row.");
        static_assert(!detail::names_fault<C> || requires(C const& c) {
            { c.fault() } -> std::convertible_to<input_fault>;
        }, "sinew: this constraint's `fault` cannot be called as fault() const, or does not return sinew::input_fault; it would be ignored.");
    }
}

}  // namespace sinew::inline v0
