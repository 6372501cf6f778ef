#pragma once
// The dense arithmetic on one node of a forest: factor its block, take it out of its parent's, substitute.
//
// Written once over extents. An extent is a std::size_t, or extent_constant<N>: then every loop is unrolled and the numbers live in registers. (At -O2 a
// compiler does not unroll by itself what grows, and of functions that it has not put together yet it unrolls the inner one too early. Hence all of them
// are always inlined.)
//
//   a   n x n, lower triangle of the node's block H_vv; factored: L below the diagonal, 1 / D on it (fixed point: D), 0 where a pivot is lost
//   e   the block between the node and its parent; factored: Z = H_pv L^-T D^-1.
//       across: H_pv, m x n, a row for each of the parent's.   along: H_vp, n x m, a row for each of the node's
//   p   m x m, lower triangle of the parent's block; loses Z D Z^T
//
// All row by row.

#include <sinew/config/inlining.hpp>
#include <sinew/linear/dense.hpp>
#include <sinew/math/scalar.hpp>

#include <cstddef>
#include <type_traits>

namespace sinew::inline v0::detail {

template <std::size_t N>
using extent_constant = std::integral_constant<std::size_t, N>;
template <class N>
inline constexpr bool is_extent_constant = !std::is_same_v<N, std::size_t>;

// f(0), ..., f(n - 1); of a constant n written out. Where a loop within ends earlier, it goes to n all the same, and says by a condition what it leaves out: nothing
// remains of that once all is written out, and f is compiled once, where indices that are constants would have it compiled for each of them.
template <class N, class F>
SINEW_ALWAYS_INLINE constexpr void each(N n, F&& f) {
    if constexpr (is_extent_constant<N>) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < N::value; ++i) f(i);
    } else {
        for (std::size_t i = 0; i < n; ++i) f(i);
    }
}
// f(first), ..., f(n - 1).
template <class N, class F>
SINEW_ALWAYS_INLINE constexpr void each_from(std::size_t first, N n, F&& f) {
    if constexpr (is_extent_constant<N>) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < N::value; ++i)
            if (i >= first) f(i);
    } else {
        for (std::size_t i = first; i < n; ++i) f(i);
    }
}
// f(0), ..., f(end - 1), end <= n.
template <class N, class F>
SINEW_ALWAYS_INLINE constexpr void each_before(std::size_t end, [[maybe_unused]] N n, F&& f) {
    if constexpr (is_extent_constant<N>) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < N::value; ++i)
            if (i < end) f(i);
    } else {
        for (std::size_t i = 0; i < end; ++i) f(i);
    }
}
// f(i, k) for all k < i < n, row by row.
template <class N, class F>
SINEW_ALWAYS_INLINE constexpr void each_below_diagonal(N n, F&& f) {
    each(n, [&](std::size_t i) SINEW_ALWAYS_INLINE { each_before(i, n, [&](std::size_t k) SINEW_ALWAYS_INLINE { f(i, k); }); });
}
// f(n - 1), ..., f(0).
template <class N, class F>
SINEW_ALWAYS_INLINE constexpr void each_down(N n, F&& f) {
    if constexpr (is_extent_constant<N>) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < N::value; ++i) f(N::value - 1 - i);
    } else {
        for (std::size_t i = n; i-- > 0;) f(i);
    }
}

// f(w), with the first `used` of n numbers at `row` in w; what f makes of them is written back. Of constant n they are in registers meanwhile.
template <class S, class N, class F>
SINEW_ALWAYS_INLINE constexpr void with_row(S* const row, std::size_t used, N n, F&& f) {
    if constexpr (is_extent_constant<N>) {
        S w[N::value];
        each_before(used, n, [&](std::size_t i) SINEW_ALWAYS_INLINE { w[i] = row[i]; });
        f(w);
        each_before(used, n, [&](std::size_t i) SINEW_ALWAYS_INLINE { row[i] = w[i]; });
    } else {
        S* w = row;
        f(w);
    }
}
template <class S, class N, class F>
SINEW_ALWAYS_INLINE constexpr void with_row(S* const row, N n, F&& f) {
    with_row(row, n, n, f);
}

template <class S>
[[nodiscard]] constexpr S larger(S const& a, S const& b) noexcept {
    return select(a <= b, b, a);
}

template <class S>
inline constexpr bool is_fixed_point_v = scalar<S> && !floating_scalar<S>;

// y / D. Of fixed point 1 / D has the fewer digits the larger D is, so the diagonal keeps D itself.
template <class S>
[[nodiscard]] constexpr S kept_pivot(S const& d) noexcept {
    if constexpr (is_fixed_point_v<S>)
        return d;
    else
        return S(1) / d;
}
template <class S>
[[nodiscard]] constexpr S over_pivot(S const& y, S const& kept) noexcept {
    if constexpr (is_fixed_point_v<S>) {
        auto const lost = kept == S(0);
        return select(lost, S(0), y / select(lost, S(1), kept));
    } else {
        return y * kept;
    }
}
// What rounding may have left of the pivot of row j, in units of that of one number: with d = L^-T l_j the pivot is (-d, 1) A (-d, 1)^T, and of every
// a_kk it has d_k^2 times the error. Where rows repeat each other by way of a small pivot, d is large. It is put above the diagonal, where nothing
// is read.
template <class S>
[[nodiscard]] constexpr S magnified_size(S* const a, S const* const size, std::size_t n, std::size_t j) noexcept {
    S sum = size[j];
    for (std::size_t k = j; k-- > 0;) {
        S d = a[j * n + k];
        for (std::size_t q = k + 1; q < j; ++q) d = d - a[q * n + k] * a[q * n + j];
        a[k * n + j] = d;
        sum = sum + d * d * size[k];
    }
    return sum;
}
// Whether the pivot d of row j is rounding. A small one is looked at twice: in floating point one that has lost half of its digits, by a few roundings of what the pivots
// before it magnify, in its own node and (children(j)) below.
template <class S, class Children>
[[nodiscard]] constexpr auto is_rounding(S const& d, S* const a, S const* const size, std::size_t n, std::size_t j, S const& relative_floor, Children const& children) noexcept {
    if constexpr (is_fixed_point_v<S>) {
        if (any(abs(d) <= size[j] * S(0.0625))) return abs(d) <= magnified_size(a, size, n, j) * relative_floor;
        return abs(d) <= size[j] * relative_floor;
    } else {
        auto lost = abs(d) <= size[j] * relative_floor;
        if (auto const small = d * d <= size[j] * size[j] * relative_floor; any(small)) {
            S const own = magnified_size(a, size, n, j);  // first: children() goes on from what it leaves
            lost = lost || (small && abs(d) <= (own + children(j)) * (S(4) * epsilon_v<S>));
        }
        return lost;
    }
}

// A = L D L^T in place; the number of pivots kept. `size` holds the magnitudes of the diagonal as it was written: a pivot is judged by
// that, or by what the children have made of it if that is more, and by what is_rounding says.
template <class S, class N, class Children>
[[gnu::flatten]] constexpr std::size_t factor_block(S* const a, S* const size, N n, S const& relative_floor, Children const& children) noexcept {
    if constexpr (is_extent_constant<N>) {
        // Column by column: what a pivot allows to do is done at once, so that nothing waits but the next pivot.
        S w[N::value * N::value], own[N::value];
        each_below_diagonal(n, [&](std::size_t i, std::size_t k) SINEW_ALWAYS_INLINE { w[i * n + k] = a[i * n + k]; });
        each(n, [&](std::size_t i) SINEW_ALWAYS_INLINE {
            w[i * n + i] = a[i * n + i];
            own[i] = larger(size[i], abs(w[i * n + i]));
        });
        std::size_t kept = 0;
        each(n, [&](std::size_t j) SINEW_ALWAYS_INLINE {
            S const d = w[j * n + j];
            auto const lost = is_rounding(d, a, own, n, j, relative_floor, children);
            S const r = select(lost, S(0), kept_pivot(select(lost, S(1), d)));
            kept += any(lost) ? 0u : 1u;
            each_from(j + 1, n, [&](std::size_t i) SINEW_ALWAYS_INLINE {
                S const l = over_pivot(w[i * n + j], r);
                each_from(j + 1, n, [&](std::size_t k) SINEW_ALWAYS_INLINE {
                    if (k <= i) w[i * n + k] = w[i * n + k] - l * w[k * n + j];
                });
                a[i * n + j] = l;
            });
            a[j * n + j] = r;
        });
        each(n, [&](std::size_t i) SINEW_ALWAYS_INLINE { size[i] = own[i]; });  // for what is judged by them later
        return kept;
    } else {
        for (std::size_t i = 0; i < n; ++i) size[i] = larger(size[i], abs(a[i * n + i]));
        std::size_t kept = 0;
        for (std::size_t j = 0; j < n; ++j) {
            S const d = a[j * n + j];
            auto const lost = is_rounding(d, a, size, n, j, relative_floor, children);
            S const r = select(lost, S(0), kept_pivot(select(lost, S(1), d)));
            kept += any(lost) ? 0u : 1u;
            a[j * n + j] = r;
            // From the last row up, so that a row can become L once the rows below have been multiplied by it.
            for (std::size_t i = n; --i > j;) {
                S const l = over_pivot(a[i * n + j], r);
                for (std::size_t k = j + 1; k <= i; ++k) a[i * n + k] = a[i * n + k] - l * a[k * n + j];
                a[i * n + j] = l;
            }
        }
        return kept;
    }
}

// With a factored: e becomes Z, p loses Z D Z^T. Of an `across` block n may be a constant, of an `along` block m: the length of
// the rows that lie in memory.
template <class S, class N, class M>
[[gnu::flatten]] constexpr void eliminate_across(S const* const a, S* const e, S* const p, N n, M m) noexcept {
    for (std::size_t i = 0; i < m; ++i) {
        S* const y = e + i * n;
        with_row(y, n, [&](auto& w) SINEW_ALWAYS_INLINE {
            each_below_diagonal(n, [&](std::size_t j, std::size_t k) SINEW_ALWAYS_INLINE { w[j] = w[j] - a[j * n + k] * w[k]; });
        });
    }
    // From the last row up, so that row i can become Z once it has been multiplied by all rows above it.
    for (std::size_t i = m; i-- > 0;) {
        with_row(e + i * n, n, [&](auto& z) SINEW_ALWAYS_INLINE {
            S own = p[i * m + i];
            each(n, [&](std::size_t j) SINEW_ALWAYS_INLINE {
                S const y = z[j];
                z[j] = over_pivot(y, a[j * n + j]);
                own = own - y * z[j];
            });
            p[i * m + i] = own;
            for (std::size_t k = 0; k < i; ++k) {
                S s = p[i * m + k];
                each(n, [&](std::size_t j) SINEW_ALWAYS_INLINE { s = s - z[j] * e[k * n + j]; });
                p[i * m + k] = s;
            }
        });
    }
}
template <class S, class N, class M>
[[gnu::flatten]] constexpr void eliminate_along(S const* const a, S* const e, S* const p, N n, M m) noexcept {
    each_from(1, n, [&](std::size_t j) SINEW_ALWAYS_INLINE {
        with_row(e + j * m, m, [&](auto& w) SINEW_ALWAYS_INLINE {
            each_before(j, n, [&](std::size_t k) SINEW_ALWAYS_INLINE {
                S const l = a[j * n + k];
                each(m, [&](std::size_t i) SINEW_ALWAYS_INLINE { w[i] = w[i] - l * e[k * m + i]; });
            });
        });
    });
    each(m, [&](std::size_t i) SINEW_ALWAYS_INLINE {
        with_row(p + i * m, i + 1, m, [&](auto& w) SINEW_ALWAYS_INLINE {
            each(n, [&](std::size_t j) SINEW_ALWAYS_INLINE {
                S const* const y = e + j * m;
                S const z = over_pivot(y[i], a[j * n + j]);
                each_before(i + 1, m, [&](std::size_t k) SINEW_ALWAYS_INLINE { w[k] = w[k] - z * y[k]; });
            });
        });
    });
    each(n, [&](std::size_t j) SINEW_ALWAYS_INLINE {
        S const r = a[j * n + j];
        each(m, [&](std::size_t i) SINEW_ALWAYS_INLINE { e[j * m + i] = over_pivot(e[j * m + i], r); });
    });
}

// The way to the root: b <- L^-1 b, b_p <- b_p - Z b.
template <class S, class N, class M>
[[gnu::flatten]] constexpr void forward_across(S const* const a, S const* const e, S* const b, S* const parent_b, N n, M m) noexcept {
    with_row(b, n, [&](auto& w) SINEW_ALWAYS_INLINE {
        each_below_diagonal(n, [&](std::size_t i, std::size_t k) SINEW_ALWAYS_INLINE { w[i] = w[i] - a[i * n + k] * w[k]; });
        each(m, [&](std::size_t i) SINEW_ALWAYS_INLINE {
            S s = parent_b[i];
            each(n, [&](std::size_t j) SINEW_ALWAYS_INLINE { s = s - e[i * n + j] * w[j]; });
            parent_b[i] = s;
        });
    });
}
template <class S, class N, class M>
[[gnu::flatten]] constexpr void forward_along(S const* const a, S const* const e, S* const b, S* const parent_b, N n, M m) noexcept {
    with_row(b, n, [&](auto& y) SINEW_ALWAYS_INLINE {
        each_below_diagonal(n, [&](std::size_t i, std::size_t k) SINEW_ALWAYS_INLINE { y[i] = y[i] - a[i * n + k] * y[k]; });
        with_row(parent_b, m, [&](auto& w) SINEW_ALWAYS_INLINE {
            each(n, [&](std::size_t j) SINEW_ALWAYS_INLINE {
                each(m, [&](std::size_t i) SINEW_ALWAYS_INLINE { w[i] = w[i] - e[j * m + i] * y[j]; });
            });
        });
    });
}

// The way back: x = L^-T (D^-1 b - Z^T x_p). The unknowns come from the last to the first, and so they are used: the one that is
// waited for comes last in every sum.
template <class S, class N, class M>
[[gnu::flatten]] constexpr void backward_across(S const* const a, S const* const e, S* const b, S const* const parent_x, N n, M m) noexcept {
    with_row(b, n, [&](auto& w) SINEW_ALWAYS_INLINE {
        each(n, [&](std::size_t j) SINEW_ALWAYS_INLINE { w[j] = over_pivot(w[j], a[j * n + j]); });
        for (std::size_t i = m; i-- > 0;) {
            S const x = parent_x[i];
            each(n, [&](std::size_t j) SINEW_ALWAYS_INLINE { w[j] = w[j] - e[i * n + j] * x; });
        }
        each_down(n, [&](std::size_t i) SINEW_ALWAYS_INLINE {
            each_before(i, n, [&](std::size_t k) SINEW_ALWAYS_INLINE { w[k] = w[k] - a[i * n + k] * w[i]; });
        });
    });
}
template <class S, class N, class M>
[[gnu::flatten]] constexpr void backward_along(S const* const a, S const* const e, S* const b, S const* const parent_x, N n, M m) noexcept {
    with_row(b, n, [&](auto& w) SINEW_ALWAYS_INLINE {
        each_down(n, [&](std::size_t j) SINEW_ALWAYS_INLINE {
            S s = over_pivot(w[j], a[j * n + j]);
            each_down(m, [&](std::size_t i) SINEW_ALWAYS_INLINE { s = s - e[j * m + i] * parent_x[i]; });
            each_down(n, [&](std::size_t k) SINEW_ALWAYS_INLINE {
                if (k > j) s = s - a[k * n + j] * w[k];
            });
            w[j] = s;
        });
    });
}

}  // namespace sinew::inline v0::detail
