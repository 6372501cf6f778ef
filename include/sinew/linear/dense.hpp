#pragma once
// Cholesky and L D L^T of a dense symmetric matrix whose size is known at run time.
//
// The matrix is a span of n * n numbers, row by row; only the lower triangle is read and written. Nothing allocates.

#include <sinew/math/elementary.hpp>
#include <sinew/math/scalar.hpp>

#include <cstddef>
#include <span>

namespace sinew::inline v0 {

/// How a factorisation ended: `rank` of `n` pivots were usable; the rest were set aside (their unknowns become 0).
struct factor_report {
    std::size_t size = 0;
    std::size_t rank = 0;
    [[nodiscard]] constexpr bool full_rank() const noexcept { return rank == size; }
};

namespace detail {

// The first n numbers of x less what those before them take off by the rows of L, n_all apart; finish(x_k, L_kk) is what number k is then. Four at a
// time: of a sum each term waits for the one before it, of four sums no longer.
template <class S, class Finish>
constexpr void substitute_forward(S* x, S const* l, std::size_t n_all, std::size_t n, Finish const& finish) noexcept {
    std::size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        S const *const r0 = l + k * n_all, *const r1 = r0 + n_all, *const r2 = r1 + n_all, *const r3 = r2 + n_all;
        S x0 = x[k], x1 = x[k + 1], x2 = x[k + 2], x3 = x[k + 3];
        for (std::size_t i = 0; i < k; ++i) {
            S const xi = x[i];
            x0 = x0 - xi * r0[i];
            x1 = x1 - xi * r1[i];
            x2 = x2 - xi * r2[i];
            x3 = x3 - xi * r3[i];
        }
        x0 = finish(x0, r0[k]);
        x1 = finish(x1 - x0 * r1[k], r1[k + 1]);
        x2 = finish(x2 - x0 * r2[k] - x1 * r2[k + 1], r2[k + 2]);
        x3 = finish(x3 - x0 * r3[k] - x1 * r3[k + 1] - x2 * r3[k + 2], r3[k + 3]);
        x[k] = x0;
        x[k + 1] = x1;
        x[k + 2] = x2;
        x[k + 3] = x3;
    }
    for (; k < n; ++k) {
        S const* const row = l + k * n_all;
        S xk = x[k];
        for (std::size_t i = 0; i < k; ++i) xk = xk - x[i] * row[i];
        x[k] = finish(xk, row[k]);
    }
}

}  // namespace detail

/// A = L L^T in place. A pivot at or below `relative_floor` times the row's own diagonal is a redundant row: it is set
/// aside. The diagonal then holds 1 / L_ii, or 0 for such a row.
template <class S>
constexpr factor_report cholesky_factor(std::span<S> a, std::size_t n, std::type_identity_t<S> const& relative_floor) noexcept {
    factor_report report{n, 0};
    for (std::size_t j = 0; j < n; ++j) {
        S* const row = &a[j * n];
        S const own = row[j];
        detail::substitute_forward(row, a.data(), n, j, [](S const& x, S const& inverse) { return x * inverse; });
        S d = own;
        for (std::size_t k = 0; k < j; ++k) d = d - row[k] * row[k];
        auto const lost = d <= own * relative_floor;
        row[j] = select(lost, S(0), S(1) / sqrt(select(lost, S(1), d)));
        report.rank += any(lost) ? 0u : 1u;
    }
    return report;
}

/// x with L L^T x = b, in place.
template <class S>
constexpr void cholesky_solve(std::span<S const> matrix, std::size_t n, std::span<S> vector) noexcept {
    S const* const l = matrix.data();
    S* const b = vector.data();
    detail::substitute_forward(b, l, n, n, [](S const& x, S const& inverse) { return x * inverse; });
    for (std::size_t i = n; i-- > 0;) {
        b[i] = b[i] * l[i * n + i];
        for (std::size_t k = 0; k < i; ++k) b[k] = b[k] - l[i * n + k] * b[i];
    }
}

/// A = L D L^T in place, for a definite A of either sign or a quasi-definite one: L below the diagonal, 1 / D on it.
template <class S>
constexpr factor_report ldlt_factor(std::span<S> a, std::size_t n, std::type_identity_t<S> const& relative_floor) noexcept {
    factor_report report{n, 0};
    for (std::size_t j = 0; j < n; ++j) {
        S* const row = &a[j * n];
        S const own = abs(row[j]);
        // Row j holds L D up to column j.
        detail::substitute_forward(row, a.data(), n, j, [](S const& x, S const&) { return x; });
        S d = row[j];
        for (std::size_t k = 0; k < j; ++k) {
            S const ld = row[k];
            row[k] = ld * a[k * n + k];
            d = d - ld * row[k];
        }
        auto const lost = abs(d) <= own * relative_floor;
        row[j] = select(lost, S(0), S(1) / select(lost, S(1), d));
        report.rank += any(lost) ? 0u : 1u;
    }
    return report;
}

/// x with L D L^T x = b, in place.
template <class S>
constexpr void ldlt_solve(std::span<S const> l, std::size_t n, std::span<S> b) noexcept {
    detail::substitute_forward(b.data(), l.data(), n, n, [](S const& x, S const&) { return x; });
    for (std::size_t i = 0; i < n; ++i) b[i] = b[i] * l[i * n + i];
    for (std::size_t i = n; i-- > 0;)
        for (std::size_t k = 0; k < i; ++k) b[k] = b[k] - l[i * n + k] * b[i];
}

}  // namespace sinew::inline v0
