#pragma once
// Joining the rows of parts into the rows of a joint, and writing the blocks of a Jacobian by hand.
//
// A joint is made of parts: a hinge is three rows of a point and two of an axis. Each part knows its error and its
// Jacobian; the joint puts them one below the other, in one order for all of its quantities.
//
//   constexpr auto error(auto const& a, auto const& b) const { return stack_rows(point.error(a, b), axes.error(a, b)); }
//
// Legend: i row, j column of the upper left entry of a block.

#include <sinew/config/inlining.hpp>
#include <sinew/constraint/derive.hpp>
#include <sinew/math/unrolled.hpp>

namespace sinew::inline v0 {

namespace detail {

template <class T>
struct part_rows {
    static constexpr std::size_t value = 1;
    using scalar_type = T;
};
template <class S, std::size_t M>
struct part_rows<vec<S, M>> {
    static constexpr std::size_t value = M;
    using scalar_type = S;
};
template <class T>
using part_scalar_t = typename part_rows<T>::scalar_type;

template <class... T>
struct joined_scalar;
template <class A>
struct joined_scalar<A> {
    using type = A;
};
template <class A, class B, class... Rest>
struct joined_scalar<A, B, Rest...> : joined_scalar<common_scalar_t<A, B>, Rest...> {};

// A part's numbers, and where the next part's begin. As a call it would copy many lanes one by one.
template <class S, std::size_t M, std::size_t N>
SINEW_ALWAYS_INLINE constexpr S* put_numbers(S* to, mat<S, M, N> const& part) noexcept {
    each_below<S>(count_v<M * N>, [&](auto i) { to[i] = part.e[i]; });
    return to + M * N;
}

}  // namespace detail

/// Errors (or rates, or rows of J_dot v) one below the other. A part of one row may be a bare scalar.
template <class... E>
    requires(sizeof...(E) > 0)
[[nodiscard]] constexpr auto stack_rows(E const&... parts) noexcept {
    using T = typename detail::joined_scalar<detail::part_scalar_t<E>...>::type;
    vec<T, (detail::part_rows<E>::value + ...)> r{};
    std::size_t at = 0;
    auto const put = [&](auto const& part) {
        if constexpr (requires { part.size(); })
            for (std::size_t k = 0; k < part.size(); ++k) r[at++] = part[k];
        else
            r[at++] = part;
    };
    (put(parts), ...);
    return r;
}

/// Jacobians of parts with the same attachments, one below the other.
template <class S, std::size_t N, std::size_t... M>
[[nodiscard]] constexpr mat<S, (M + ...), N> stack_rows(mat<S, M, N> const&... parts) noexcept {
    mat<S, (M + ...), N> J;
    S* to = J.e;
    ((to = detail::put_numbers(to, parts)), ...);
    return J;
}

/// Bounds of parts, one below the other.
template <class S, std::size_t... M>
[[nodiscard]] constexpr bounds<S, (M + ...)> stack_rows(bounds<S, M> const&... parts) noexcept {
    return {stack_rows(parts.lower...), stack_rows(parts.upper...)};
}

/// Writes a block with its upper left entry at (i, j).
template <class S, std::size_t M, std::size_t N, std::size_t R, std::size_t C>
constexpr void place(mat<S, M, N>& J, std::size_t i, std::size_t j, mat<S, R, C> const& block) noexcept {
    detail::each_below<S>(detail::count_v<R>, [&](auto r) { detail::each_below<S>(detail::count_v<C>, [&](auto c) { J(i + r, j + c) = block(r, c); }); });
}
/// Writes a vector as part of row i, from column j.
template <class S, std::size_t M, std::size_t N, std::size_t C>
constexpr void place(mat<S, M, N>& J, std::size_t i, std::size_t j, vec<S, C> const& row) noexcept {
    detail::each_below<S>(detail::count_v<C>, [&](auto c) { J(i, j + c) = row[c]; });
}

/// R x C block of a Jacobian whose upper left entry is at (i, j): for a part that binds only some of a joint's bodies.
template <std::size_t R, std::size_t C, class S, std::size_t M, std::size_t N>
[[nodiscard]] constexpr mat<S, R, C> block_of(mat<S, M, N> const& J, std::size_t i, std::size_t j) noexcept {
    mat<S, R, C> b;
    for (std::size_t r = 0; r < R; ++r)
        for (std::size_t c = 0; c < C; ++c) b(r, c) = J(i + r, j + c);
    return b;
}

/// omega x (omega x r): the acceleration of an arm r that turns with the constant angular velocity omega (Vondrak 2005, 7.3).
template <class S>
[[nodiscard]] constexpr vec3<S> centripetal(vec3<S> const& omega, vec3<S> const& r) noexcept {
    return cross(omega, cross(omega, r));
}

}  // namespace sinew::inline v0
