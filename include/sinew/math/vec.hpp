#pragma once
// Column vectors of compile-time size over any scalar.

#include <sinew/config/inlining.hpp>
#include <sinew/math/elementary.hpp>
#include <sinew/math/scalar.hpp>

#include <cstddef>
#include <type_traits>

namespace sinew::inline v0 {

/// N numbers in a row; an aggregate: vec3<double>{1, 2, 3}.
template <class S, std::size_t N>
    requires scalar<S>
struct vec {
    using scalar_type = S;
    S e[N];

    [[nodiscard]] static constexpr std::size_t size() noexcept { return N; }
    [[nodiscard]] constexpr S& operator[](std::size_t i) noexcept { return e[i]; }
    [[nodiscard]] constexpr S const& operator[](std::size_t i) const noexcept { return e[i]; }

    [[nodiscard]] constexpr S& x() noexcept { return e[0]; }
    [[nodiscard]] constexpr S const& x() const noexcept { return e[0]; }
    [[nodiscard]] constexpr S& y() noexcept
        requires(N > 1)
    {
        return e[1];
    }
    [[nodiscard]] constexpr S const& y() const noexcept
        requires(N > 1)
    {
        return e[1];
    }
    [[nodiscard]] constexpr S& z() noexcept
        requires(N > 2)
    {
        return e[2];
    }
    [[nodiscard]] constexpr S const& z() const noexcept
        requires(N > 2)
    {
        return e[2];
    }

    constexpr vec& operator+=(vec const& b) noexcept {
        return *this = *this + b;
    }
    constexpr vec& operator-=(vec const& b) noexcept {
        return *this = *this - b;
    }
    constexpr vec& operator*=(S const& k) noexcept {
        return *this = *this * k;
    }
    [[nodiscard]] friend constexpr bool operator==(vec const& a, vec const& b) noexcept {
        auto const same = [&](std::size_t i) { return static_cast<bool>(a.e[i] == b.e[i]); };  // in all lanes
        if constexpr (N == 3) return same(0) && same(1) && same(2);
        for (std::size_t i = 0; i < N; ++i)
            if (!same(i)) return false;
        return true;
    }
};

template <class S, class... More>
vec(S, More...) -> vec<S, 1 + sizeof...(More)>;

template <class S>
using vec3 = vec<S, 3>;

namespace detail {
template <class S, std::size_t N>
[[nodiscard]] constexpr auto same_in_lanes(vec<S, N> const& a, vec<S, N> const& b) noexcept {
    auto r = a.e[0] == S(b.e[0]);
    for (std::size_t i = 1; i < N; ++i) r = r && a.e[i] == S(b.e[i]);
    return r;
}
}  // namespace detail

// With what has been computed, as in `if (v == vec3<S>{})`: of lanes a mask, as of one number (batch.hpp).
template <class S, std::size_t N>
    requires has_lanes_v<S>
[[nodiscard]] constexpr auto operator==(vec<S, N> const& a, vec<S, N>&& b) noexcept {
    return detail::same_in_lanes<S, N>(a, b);
}
template <class S, std::size_t N>
    requires has_lanes_v<S>
[[nodiscard]] constexpr auto operator==(vec<S, N>&& a, vec<S, N> const& b) noexcept {
    return detail::same_in_lanes<S, N>(a, b);
}
template <class S, std::size_t N>
    requires has_lanes_v<S>
[[nodiscard]] constexpr auto operator==(vec<S, N>&& a, vec<S, N>&& b) noexcept {
    return detail::same_in_lanes<S, N>(a, b);
}
template <class S, std::size_t N>
    requires has_lanes_v<S>
[[nodiscard]] constexpr auto operator!=(vec<S, N> const& a, vec<S, N>&& b) noexcept {
    return !detail::same_in_lanes<S, N>(a, b);
}
template <class S, std::size_t N>
    requires has_lanes_v<S>
[[nodiscard]] constexpr auto operator!=(vec<S, N>&& a, vec<S, N> const& b) noexcept {
    return !detail::same_in_lanes<S, N>(a, b);
}
template <class S, std::size_t N>
    requires has_lanes_v<S>
[[nodiscard]] constexpr auto operator!=(vec<S, N>&& a, vec<S, N>&& b) noexcept {
    return !detail::same_in_lanes<S, N>(a, b);
}

/// The scalar that holds both an A and a B: a dual number absorbs the plain one.
template <class A, class B>
using common_scalar_t = std::remove_cvref_t<decltype(std::declval<A const&>() * std::declval<B const&>())>;

// Three and six are written out here and below: at -O2 g++ keeps the loops, and these are the innermost ones of everything.
template <class A, class B, std::size_t N>
[[nodiscard]] constexpr auto operator+(vec<A, N> const& a, vec<B, N> const& b) noexcept {
    using V = vec<common_scalar_t<A, B>, N>;
    if constexpr (N == 3) {
        return V{a.e[0] + b.e[0], a.e[1] + b.e[1], a.e[2] + b.e[2]};
    } else if constexpr (N == 6) {
        return V{a.e[0] + b.e[0], a.e[1] + b.e[1], a.e[2] + b.e[2], a.e[3] + b.e[3], a.e[4] + b.e[4], a.e[5] + b.e[5]};
    } else {
        V r;
        for (std::size_t i = 0; i < N; ++i) r.e[i] = a.e[i] + b.e[i];
        return r;
    }
}
template <class A, class B, std::size_t N>
[[nodiscard]] constexpr auto operator-(vec<A, N> const& a, vec<B, N> const& b) noexcept {
    using V = vec<common_scalar_t<A, B>, N>;
    if constexpr (N == 3) {
        return V{a.e[0] - b.e[0], a.e[1] - b.e[1], a.e[2] - b.e[2]};
    } else if constexpr (N == 6) {
        return V{a.e[0] - b.e[0], a.e[1] - b.e[1], a.e[2] - b.e[2], a.e[3] - b.e[3], a.e[4] - b.e[4], a.e[5] - b.e[5]};
    } else {
        V r;
        for (std::size_t i = 0; i < N; ++i) r.e[i] = a.e[i] - b.e[i];
        return r;
    }
}
template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> operator-(vec<S, N> const& a) noexcept {
    vec<S, N> r;
    for (std::size_t i = 0; i < N; ++i) r.e[i] = -a.e[i];
    return r;
}

// A vector times a scalar: the scalar may be the vector's own, a number that converts to it, or one that absorbs it.
template <class S, class K>
concept scales = scalar<K> && requires(S const& s, K const& k) { requires scalar<common_scalar_t<S, K>>; };

template <class S, std::size_t N, class K>
    requires scales<S, K>
[[nodiscard]] constexpr auto operator*(vec<S, N> const& a, K const& k) noexcept {
    using V = vec<common_scalar_t<S, K>, N>;
    if constexpr (N == 3) {
        return V{a.e[0] * k, a.e[1] * k, a.e[2] * k};
    } else if constexpr (N == 6) {
        return V{a.e[0] * k, a.e[1] * k, a.e[2] * k, a.e[3] * k, a.e[4] * k, a.e[5] * k};
    } else {
        V r;
        for (std::size_t i = 0; i < N; ++i) r.e[i] = a.e[i] * k;
        return r;
    }
}
template <class S, std::size_t N, class K>
    requires scales<S, K>
[[nodiscard]] constexpr auto operator*(K const& k, vec<S, N> const& a) noexcept {
    if constexpr (N == 3)
        return vec<common_scalar_t<S, K>, N>{a.e[0] * k, a.e[1] * k, a.e[2] * k};
    else
        return a * k;
}
template <class S, std::size_t N, class K>
    requires scales<S, K>
[[nodiscard]] constexpr auto operator/(vec<S, N> const& a, K const& k) noexcept {
    using V = vec<common_scalar_t<S, K>, N>;
    if constexpr (N == 3) {
        return V{a.e[0] / k, a.e[1] / k, a.e[2] / k};
    } else {
        V r;
        for (std::size_t i = 0; i < N; ++i) r.e[i] = a.e[i] / k;
        return r;
    }
}
// An integer literal as factor: 2 * v.
template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> operator*(vec<S, N> const& a, int k) noexcept {
    return a * S(value_type_t<S>(k));
}
template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> operator*(int k, vec<S, N> const& a) noexcept {
    return a * k;
}
template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> operator/(vec<S, N> const& a, int k) noexcept {
    return a / S(value_type_t<S>(k));
}

/// Sum of products.
template <class A, class B, std::size_t N>
[[nodiscard]] constexpr auto dot(vec<A, N> const& a, vec<B, N> const& b) noexcept {
    if constexpr (N == 3) {
        return a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2];
    } else if constexpr (N == 6) {
        return a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2] + a.e[3] * b.e[3] + a.e[4] * b.e[4] + a.e[5] * b.e[5];
    } else {
        common_scalar_t<A, B> r = a.e[0] * b.e[0];
        for (std::size_t i = 1; i < N; ++i) r = r + a.e[i] * b.e[i];
        return r;
    }
}

/// Vector product, right-handed.
template <class A, class B>
[[nodiscard]] SINEW_RESULT_INLINE constexpr auto cross(vec<A, 3> const& a, vec<B, 3> const& b) noexcept {
    return vec<common_scalar_t<A, B>, 3>{a.e[1] * b.e[2] - a.e[2] * b.e[1],
                                         a.e[2] * b.e[0] - a.e[0] * b.e[2],
                                         a.e[0] * b.e[1] - a.e[1] * b.e[0]};
}

template <class S, std::size_t N>
[[nodiscard]] constexpr S squared_norm(vec<S, N> const& a) noexcept {
    return dot(a, a);
}

/// Euclidean length.
template <class S, std::size_t N>
[[nodiscard]] constexpr S norm(vec<S, N> const& a) noexcept {
    return sqrt(dot(a, a));
}

/// a / |a|; the zero vector stays zero, so that a constraint at its degenerate pose stays finite.
template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> normalize(vec<S, N> const& a) noexcept {
    S const n2 = dot(a, a);
    auto const zero = n2 == S(0);
    S const k = S(1) / sqrt(select(zero, S(1), n2));
    return a * k;
}

namespace detail {
// a, with the values of b and its own derivatives.
template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> with_values_of(vec<S, N> a, vec<S, N> const& b) noexcept {
    for (std::size_t i = 0; i < N; ++i) a.e[i] = with_value_of(a.e[i], b.e[i]);
    return a;
}
}  // namespace detail

/// Two unit vectors that, with the unit vector n, make a right-handed frame (u, v, n). Duff et al. 2017, without a branch.
template <class S>
struct basis {
    vec<S, 3> u, v;
};
template <class S>
[[nodiscard]] constexpr basis<S> orthonormal_basis(vec<S, 3> const& n) noexcept {
    S const sign = select(n.z() < S(0), S(-1), S(1));
    S const a = S(-1) / (sign + n.z());
    S const b = n.x() * n.y() * a;
    return {{S(1) + sign * n.x() * n.x() * a, sign * b, -sign * n.x()}, {b, sign + n.y() * n.y() * a, -n.y()}};
}

/// The vector converted to another scalar.
template <class T, class S, std::size_t N>
[[nodiscard]] constexpr vec<T, N> cast(vec<S, N> const& a) noexcept {
    vec<T, N> r;
    for (std::size_t i = 0; i < N; ++i) r.e[i] = static_cast<T>(a.e[i]);
    return r;
}

namespace detail {

// Of as many as there are: one function for vectors of every size.
template <class S>
[[nodiscard]] constexpr auto all_finite(S const* x, std::size_t n) noexcept {
    decltype(isfinite(x[0])) r = true;
    for (std::size_t i = 0; i < n; ++i) r = r & isfinite(x[i]);
    return r;
}

}  // namespace detail

template <class S, std::size_t N>
[[nodiscard]] constexpr auto isfinite(vec<S, N> const& a) noexcept {
    return detail::all_finite(a.e, N);
}

/// Whether any entry differs, also in its derivatives.
template <class S, std::size_t N>
[[nodiscard]] constexpr auto differs(vec<S, N> const& a, vec<S, N> const& b) noexcept {
    auto r = differs(a.e[0], b.e[0]);
    for (std::size_t i = 1; i < N; ++i) r = r | differs(a.e[i], b.e[i]);
    return r;
}

namespace detail {
// Whether the value of any entry differs.
template <class S, std::size_t N>
[[nodiscard]] constexpr auto values_differ(vec<S, N> const& a, vec<S, N> const& b) noexcept {
    auto r = differs(value(a.e[0]), value(b.e[0]));
    for (std::size_t i = 1; i < N; ++i) r = r | differs(value(a.e[i]), value(b.e[i]));
    return r;
}
}  // namespace detail

/// a == b, and in their derivatives too.
template <class S, std::size_t N>
[[nodiscard]] constexpr bool is_same(vec<S, N> const& a, vec<S, N> const& b) noexcept {
    if constexpr (derivative_order_v<S> > 0)
        return !any(differs(a, b));
    else
        return a == b;
}

template <class M, class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> select(M const& mask, vec<S, N> const& a, vec<S, N> const& b) noexcept {
    vec<S, N> r;
    for (std::size_t i = 0; i < N; ++i) r.e[i] = select(mask, a.e[i], b.e[i]);
    return r;
}

}  // namespace sinew::inline v0
