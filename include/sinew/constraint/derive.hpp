#pragma once
// What the library derives from a constraint, and the choice between that and what the type gives by hand.
//
//   error_of          c                         m
//   rate_of           c_dot                     m
//   jacobian_of       J, c_dot = J v            m x dof, [dc/dx | Dc] for each attachment (Waterson 2026, eq. 3.44)
//   jacobian_rate_of  J_dot v, c_ddot = J v_dot + J_dot v
//   stiffness_of      D(J^T lambda), dof x dof: how the constraint's wrench changes with the pose, lambda held
//   effective_mass_of (J M^-1 J^T + softness)^-1
//
// derived_... always differentiates by dual numbers, so that what is given by hand can be tested against it.

#include <sinew/constraint/constraint.hpp>
#include <sinew/core/call_with.hpp>
#include <sinew/linear/small_ldlt.hpp>

#include <utility>

namespace sinew::inline v0 {

/// m x dof Jacobian of a constraint.
template <class C, class S>
using jacobian_t = mat<S, rows_v<C>, dof_v<C>>;
template <class C, class S>
using rows_vec = vec<S, rows_v<C>>;

namespace detail {

// A constraint of one row may return a bare scalar.
template <std::size_t M, class R>
[[nodiscard]] constexpr auto as_rows(R const& r) noexcept {
    if constexpr (requires { R::size(); })
        return r;
    else
        return vec<R, M>{r};
}

template <std::size_t N, std::size_t M, class S>
[[nodiscard]] constexpr mat<S, M, N> lanes_of(vec<dual<S, N>, M> const& e) noexcept {
    mat<S, M, N> J;
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < N; ++j) J(i, j) = e[i].d[j];
    return J;
}

template <class P>
using scalar_of = typename std::remove_cvref_t<P>::scalar_type;
template <class... P>
using first_scalar = scalar_of<std::tuple_element_t<0, std::tuple<P...>>>;

template <class Seq>
struct over_attachments;
template <std::size_t... I>
struct over_attachments<std::index_sequence<I...>> {
    // Flattened: only where everything is inlined do the lanes stay in registers, and the zeros of the seeds vanish.
    template <class C, class... P>
    [[nodiscard, gnu::flatten]] static constexpr auto jacobian(C const& c, P const&... p) {
        using A = attachments_t<C>;
        return lanes_of<A::dof>(as_rows<rows_v<C>>(constraint_traits<C>::error(c, seed<A::dof, A::offset(I)>(p)...)));
    }
    template <class C, class Poses, class Twists>
    [[nodiscard, gnu::flatten]] static constexpr auto rate_jacobian(C const& c, Poses const& poses, Twists const& twists) {
        using A = attachments_t<C>;
        return lanes_of<A::dof>(
            as_rows<rows_v<C>>(constraint_traits<C>::rate(c, std::get<I>(poses)..., seed_twist<A::dof, A::offset(I)>(std::get<I>(twists))...)));
    }
};

template <class C>
using attachment_indices = std::make_index_sequence<attachments_t<C>::size>;

// Poses and twists travel as two tuples, since a function cannot take two packs.
template <class... T>
[[nodiscard]] constexpr std::tuple<T...> pack(T const&... t) {
    return std::tuple<T...>(t...);
}

template <class C, class Poses, class Twists, std::size_t... I>
[[nodiscard]] constexpr auto call_rate(C const& c, Poses const& p, Twists const& t, std::index_sequence<I...>) {
    return as_rows<rows_v<C>>(constraint_traits<C>::rate(c, std::get<I>(p)..., std::get<I>(t)...));
}

template <class Twists, std::size_t N, class S, class A, std::size_t... I>
constexpr void stack(Twists const& t, vec<S, N>& v, A, std::index_sequence<I...>) {
    auto const put = [&v](std::size_t at, auto const& one) {
        if constexpr (requires { one.rates; }) {
            for (std::size_t k = 0; k < one.rates.size(); ++k) v[at + k] = one.rates[k];
        } else {
            for (std::size_t k = 0; k < 3; ++k) v[at + k] = one.linear[k];
            if constexpr (requires { one.angular; })
                for (std::size_t k = 0; k < 3; ++k) v[at + 3 + k] = one.angular[k];
        }
    };
    (put(A::offset(I), std::get<I>(t)), ...);
}

}  // namespace detail

/// Whether the constraint holds a position (error) rather than only a velocity (rate).
template <class C, class S>
inline constexpr bool is_holonomic_v = has_error<C, S>;

/// c(X): the holonomic residual (m, rad).
template <class C, class... P>
[[nodiscard]] constexpr auto error_of(C const& c, P const&... poses) {
    return detail::as_rows<rows_v<C>>(constraint_traits<C>::error(c, poses...));
}

/// The velocities of the attachments one below the other: the v of c_dot = J v.
template <class C, class Twists>
[[nodiscard]] constexpr auto stacked_velocity(Twists const& twists) {
    using S = detail::scalar_of<std::tuple_element_t<0, Twists>>;
    vec<S, dof_v<C>> v{};
    detail::stack(twists, v, attachments_t<C>{}, detail::attachment_indices<C>{});
    return v;
}

/// J by dual numbers, for a holonomic constraint.
template <class C, class... P>
[[nodiscard]] constexpr auto derived_jacobian(C const& c, P const&... poses) {
    return detail::over_attachments<detail::attachment_indices<C>>::jacobian(c, poses...);
}

/// J of a velocity-level constraint: d rate / d twist, by dual numbers (Waterson 2026, eq. 3.52).
template <class C, class Poses, class Twists>
[[nodiscard]] constexpr auto derived_rate_jacobian(C const& c, Poses const& poses, Twists const& twists) {
    return detail::over_attachments<detail::attachment_indices<C>>::rate_jacobian(c, poses, twists);
}

namespace detail {
template <class P, class S = scalar_of<P>>
[[nodiscard]] constexpr auto zero_twist_for(P const&) noexcept {
    if constexpr (is_generalized_pose_v<P>)
        return generalized_twist<S, P::coordinates>{};
    else if constexpr (pose_with_rotation<P>)
        return twist<S>{};
    else
        return particle_twist<S>{};
}
}  // namespace detail

/// J, by hand if the type gives it. Of a non-holonomic constraint, which is affine in the twists, J is taken at rest.
template <class C, class... P>
[[nodiscard]] constexpr auto jacobian_of(C const& c, P const&... poses) {
    using S = detail::first_scalar<P...>;
    if constexpr (requires { constraint_traits<C>::jacobian(c, poses...); })
        return constraint_traits<C>::jacobian(c, poses...);
    else if constexpr (is_holonomic_v<C, S>)
        return derived_jacobian(c, poses...);
    else
        return derived_rate_jacobian(c, detail::pack(poses...), detail::pack(detail::zero_twist_for(poses)...));
}

/// c_dot(X, v). A type that has both error and rate says here what its error's rate is to be (a moving target).
template <class C, class... P, class... T>
[[nodiscard]] constexpr auto rate_of(C const& c, std::tuple<P...> const& poses, std::tuple<T...> const& twists) {
    using S = detail::first_scalar<P...>;
    if constexpr (has_rate<C, S>)
        return detail::call_rate(c, poses, twists, detail::attachment_indices<C>{});
    else
        return detail::call_with([&](auto const&... p) { return jacobian_of(c, p...); }, poses) * stacked_velocity<C>(twists);
}

namespace detail {
template <class C, class Poses, class Twists, std::size_t... I>
[[nodiscard]] constexpr auto jacobian_rate_by_duals(C const& c, Poses const& p, Twists const& t, std::index_sequence<I...>) {
    using S = scalar_of<std::tuple_element_t<0, Poses>>;
    vec<S, rows_v<C>> r;
    if constexpr (is_holonomic_v<C, S>) {
        // c along R(t) = exp([omega t]x) R, x(t) = x + v t; its second derivative is J_dot v, since v_dot = 0 there.
        auto const e = as_rows<rows_v<C>>(constraint_traits<C>::error(c, moving(moving(std::get<I>(p), std::get<I>(t)), std::get<I>(t))...));
        for (std::size_t i = 0; i < rows_v<C>; ++i) r[i] = e[i].d[0].d[0];
    } else {
        using D = dual<S, 1>;
        auto const e = as_rows<rows_v<C>>(constraint_traits<C>::rate(c, moving(std::get<I>(p), std::get<I>(t))..., lift_twist<D>(std::get<I>(t))...));
        for (std::size_t i = 0; i < rows_v<C>; ++i) r[i] = e[i].d[0];
    }
    return r;
}

template <class C, class Poses, class S, std::size_t... I>
[[nodiscard]] constexpr auto stiffness_by_duals(C const& c, Poses const& p, vec<S, rows_v<C>> const& lambda, std::index_sequence<I...>) {
    using A = attachments_t<C>;
    constexpr std::size_t N = A::dof;
    mat<S, N, N> G{};
    auto const accumulate = [&](auto const& e) {
        // e[i].d[j].d[k] = d/dxi_k of J_ij
        for (std::size_t i = 0; i < rows_v<C>; ++i)
            for (std::size_t j = 0; j < N; ++j)
                for (std::size_t k = 0; k < N; ++k) G(j, k) = G(j, k) + lambda[i] * e[i].d[j].d[k];
    };
    if constexpr (is_holonomic_v<C, S>) {
        accumulate(as_rows<rows_v<C>>(constraint_traits<C>::error(c, seed<N, A::offset(I)>(seed<N, A::offset(I)>(std::get<I>(p)))...)));
    } else {
        using D = dual<S, N>;
        accumulate(as_rows<rows_v<C>>(constraint_traits<C>::rate(
            c, seed<N, A::offset(I)>(std::get<I>(p))..., seed_twist<N, A::offset(I)>(lift_twist<D>(zero_twist_for(std::get<I>(p))))...)));
    }
    return G;
}
}  // namespace detail

/// J_dot v by dual numbers: the second derivative in time along a motion of constant twists.
template <class C, class... P, class... T>
[[nodiscard]] constexpr auto derived_jacobian_rate(C const& c, std::tuple<P...> const& poses, std::tuple<T...> const& twists) {
    return detail::jacobian_rate_by_duals(c, poses, twists, detail::attachment_indices<C>{});
}

/// J_dot v, by hand if the type gives it.
template <class C, class... P, class... T>
[[nodiscard]] constexpr auto jacobian_rate_of(C const& c, std::tuple<P...> const& poses, std::tuple<T...> const& twists) {
    if constexpr (requires { constraint_traits<C>::jacobian_rate(c, std::declval<P const&>()..., std::declval<T const&>()...); })
        return detail::as_rows<rows_v<C>>(
            detail::call_with([&](auto const&... a) { return constraint_traits<C>::jacobian_rate(c, a...); }, std::tuple_cat(poses, twists)));
    else
        return derived_jacobian_rate(c, poses, twists);
}

/// D(J^T lambda) by nested dual numbers. Its antisymmetric part belongs to the left-trivialised torque; the symmetric
/// part is the Hessian of lambda . c along exp.
template <class C, class... P, class S>
[[nodiscard]] constexpr auto derived_stiffness(C const& c, std::tuple<P...> const& poses, S const& lambda) {
    return detail::stiffness_by_duals(c, poses, lambda, detail::attachment_indices<C>{});
}

template <class C, class... P, class S>
[[nodiscard]] constexpr auto stiffness_of(C const& c, std::tuple<P...> const& poses, S const& lambda) {
    if constexpr (requires { constraint_traits<C>::stiffness(c, std::declval<P const&>()..., lambda); })
        return detail::call_with([&](auto const&... p) { return constraint_traits<C>::stiffness(c, p..., lambda); }, poses);
    else
        return derived_stiffness(c, poses, lambda);
}

namespace detail {
template <class S, std::size_t M, class V>
[[nodiscard]] constexpr vec<S, M> per_row(V const& v) noexcept {
    if constexpr (requires { V::size(); }) {
        return v;
    } else {
        vec<S, M> r;
        for (std::size_t i = 0; i < M; ++i) r[i] = S(v);
        return r;
    }
}
}  // namespace detail

/// Whether any row of the type may be soft. A type without compliance() is hard at compile time.
template <class C>
concept has_compliance = requires(C const& c) { constraint_traits<C>::compliance(c); };
template <class C>
concept has_damping = requires(C const& c) { constraint_traits<C>::damping(c); };

/// Compliance of each row, 1/(N/m) or 1/(N m/rad): 0 is hard.
template <class S, class C>
[[nodiscard]] constexpr rows_vec<C, S> compliance_of([[maybe_unused]] C const& c) noexcept {
    if constexpr (has_compliance<C>)
        return detail::per_row<S, rows_v<C>>(constraint_traits<C>::compliance(c));
    else
        return rows_vec<C, S>{};
}
/// Damping of each row, N s/m or N m s/rad; it acts on rows with compliance.
template <class S, class C>
[[nodiscard]] constexpr rows_vec<C, S> damping_of([[maybe_unused]] C const& c) noexcept {
    if constexpr (has_damping<C>)
        return detail::per_row<S, rows_v<C>>(constraint_traits<C>::damping(c));
    else
        return rows_vec<C, S>{};
}

namespace detail {
template <class C, class S, class A>
struct has_limits_with;
template <class C, class S, class... K>
struct has_limits_with<C, S, binds<K...>> {
    static constexpr bool value =
        requires(C const& c) { constraint_traits<C>::limits(c); } ||
        requires(C const& c, typename archetype<K, S>::pose_type const&... p) { constraint_traits<C>::limits(c, p...); } ||
        requires(C const& c, vec<S, rows_v<C>> const& l, typename archetype<K, S>::pose_type const&... p) { constraint_traits<C>::limits(c, l, p...); };
};
}  // namespace detail

/// Whether the type bounds its multipliers, by limits(), limits(poses...) or limits(lambda, poses...).
template <class C, class S>
inline constexpr bool is_bounded_v = detail::has_limits_with<C, S, attachments_t<C>>::value;

/// Bounds of the multipliers, given their present values and the poses.
template <class C, class S, std::size_t M, class... P>
[[nodiscard]] constexpr bounds<S, M> limits_of(C const& c, vec<S, M> const& lambda, P const&... poses) {
    if constexpr (requires { constraint_traits<C>::limits(c, lambda, poses...); })
        return constraint_traits<C>::limits(c, lambda, poses...);
    else if constexpr (requires { constraint_traits<C>::limits(c, poses...); })
        return constraint_traits<C>::limits(c, poses...);
    else if constexpr (requires { constraint_traits<C>::limits(c); })
        return constraint_traits<C>::limits(c);
    else
        return unbounded<S, M>();
}

namespace detail {
template <class C, class S, class A>
struct has_hooks_with;
template <class C, class S, class... K>
struct has_hooks_with<C, S, binds<K...>> {
    static constexpr bool update =
        requires(C const& c, vec<S, rows_v<C>> const& l, typename archetype<K, S>::pose_type const&... p) { constraint_traits<C>::update(c, l, l, p...); };
    static constexpr bool effective_mass =
        requires(C const& c, typename archetype<K, S>::pose_type const&... p, typename archetype<K, S>::inverse_mass_type const&... w) {
            constraint_traits<C>::effective_mass(c, p..., w...);
        };
};
}  // namespace detail

/// Whether the type has a rule of its own for its multipliers: update(lambda, proposed, poses...) returns those to take. For
/// bounds that couple rows, such as a friction cone.
template <class C, class S>
inline constexpr bool has_update_v = detail::has_hooks_with<C, S, attachments_t<C>>::update;
template <class C, class S, std::size_t M, class... P>
[[nodiscard]] constexpr vec<S, M> updated_multipliers([[maybe_unused]] C const& c, [[maybe_unused]] vec<S, M> const& lambda, vec<S, M> const& proposed,
                                                      [[maybe_unused]] P const&... poses) {
    if constexpr (has_update_v<C, S>)
        return detail::per_row<S, M>(constraint_traits<C>::update(c, lambda, proposed, poses...));
    else
        return proposed;
}

/// Whether a hard type knows (J M^-1 J^T)^-1 in closed form: effective_mass(poses..., inverse_masses...). With compliance the
/// step length enters, and it is derived.
template <class C, class S>
inline constexpr bool has_effective_mass_v = detail::has_hooks_with<C, S, attachments_t<C>>::effective_mass && !has_compliance<C>;

namespace detail {

// Columns of M^-1 J^T that belong to one attachment.
template <std::size_t M, std::size_t N, class S>
constexpr void weigh(mat<S, M, N> const& J, std::size_t at, inverse_mass<S> const& w, mat<S, M, N>& B) noexcept {
    for (std::size_t i = 0; i < M; ++i) {
        for (std::size_t k = 0; k < 3; ++k) B(i, at + k) = w.linear * J(i, at + k);
        vec3<S> const t = w.angular * vec3<S>{J(i, at + 3), J(i, at + 4), J(i, at + 5)};
        for (std::size_t k = 0; k < 3; ++k) B(i, at + 3 + k) = t[k];
    }
}
template <std::size_t M, std::size_t N, class S>
constexpr void weigh(mat<S, M, N> const& J, std::size_t at, particle_inverse_mass<S> const& w, mat<S, M, N>& B) noexcept {
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t k = 0; k < 3; ++k) B(i, at + k) = w.linear * J(i, at + k);
}

template <std::size_t M, std::size_t N, class S, std::size_t K>
constexpr void weigh(mat<S, M, N> const& J, std::size_t at, generalized_inverse_mass<S, K> const& w, mat<S, M, N>& B) noexcept {
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < K; ++j) {
            S s = w.matrix(j, 0) * J(i, at);
            for (std::size_t k = 1; k < K; ++k) s = s + w.matrix(j, k) * J(i, at + k);
            B(i, at + j) = s;
        }
}

template <class A, std::size_t M, std::size_t N, class S, std::size_t... I, class... W>
[[nodiscard]] constexpr mat<S, M, N> weighted(mat<S, M, N> const& J, std::index_sequence<I...>, W const&... w) noexcept {
    mat<S, M, N> B;
    (weigh(J, A::offset(I), w, B), ...);
    return B;
}

}  // namespace detail

/// (M^-1 J^T)^T: the velocity change that a unit of each multiplier makes, row by row.
template <class C, class S, class... W>
[[nodiscard]] constexpr jacobian_t<C, S> weighted_jacobian(jacobian_t<C, S> const& J, W const&... inverse_masses) noexcept {
    return detail::weighted<attachments_t<C>>(J, detail::attachment_indices<C>{}, inverse_masses...);
}

/// J M^-1 J^T of one constraint, from J and the weighted Jacobian.
template <std::size_t M, std::size_t N, class S>
[[nodiscard]] constexpr mat<S, M, M> inverse_effective_mass(mat<S, M, N> const& J, mat<S, M, N> const& B) noexcept {
    mat<S, M, M> K;
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = i; j < M; ++j) {
            S s = J(i, 0) * B(j, 0);
            for (std::size_t k = 1; k < N; ++k) s = s + J(i, k) * B(j, k);
            K(i, j) = s;
            K(j, i) = s;
        }
    return K;
}

/// (J M^-1 J^T + softness)^-1, derived: the effective mass as a block (Waterson 2026, eq. 4.85 and 5.9).
template <class C, class S, std::size_t M, class... PW>
[[nodiscard]] constexpr mat<S, M, M> derived_effective_mass(jacobian_t<C, S> const& J, vec<S, M> const& softness, PW const&... inverse_masses) {
    auto K = inverse_effective_mass(J, weighted_jacobian<C>(J, inverse_masses...));
    for (std::size_t i = 0; i < M; ++i) K(i, i) = K(i, i) + softness[i];
    return inverse_spd(K);
}

}  // namespace sinew::inline v0
