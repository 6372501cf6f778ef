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

/// A = L L^T in place. A pivot at or below `relative_floor` times the row's own diagonal is a redundant row: it is set
/// aside. The diagonal then holds 1 / L_ii, or 0 for such a row.
template <class S>
constexpr factor_report cholesky_factor(std::span<S> a, std::size_t n, std::type_identity_t<S> const& relative_floor) noexcept {
    factor_report report{n, 0};
    for (std::size_t j = 0; j < n; ++j) {
        S* const row = &a[j * n];
        S const own = row[j];
        for (std::size_t k = 0; k < j; ++k) {
            S const* const rk = &a[k * n];
            S s = row[k];
            for (std::size_t i = 0; i < k; ++i) s = s - row[i] * rk[i];
            row[k] = s * rk[k];
        }
        S d = own;
        for (std::size_t k = 0; k < j; ++k) d = d - row[k] * row[k];
        auto const lost = d <= own * relative_floor;
        row[j] = select(lost, S(0), S(1) / sqrt(select(lost, S(1), d)));
        report.rank += any(lost) ? 0 : 1;
    }
    return report;
}

/// x with L L^T x = b, in place.
template <class S>
constexpr void cholesky_solve(std::span<S const> matrix, std::size_t n, std::span<S> vector) noexcept {
    S const* const l = matrix.data();
    S* const b = vector.data();
    for (std::size_t i = 0; i < n; ++i) {
        S s = b[i];
        for (std::size_t k = 0; k < i; ++k) s = s - l[i * n + k] * b[k];
        b[i] = s * l[i * n + i];
    }
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
        for (std::size_t k = 0; k < j; ++k)
            for (std::size_t i = 0; i < k; ++i) row[k] = row[k] - row[i] * a[k * n + i];
        S d = row[j];
        for (std::size_t k = 0; k < j; ++k) {
            S const ld = row[k];
            row[k] = ld * a[k * n + k];
            d = d - ld * row[k];
        }
        auto const lost = abs(d) <= own * relative_floor;
        row[j] = select(lost, S(0), S(1) / select(lost, S(1), d));
        report.rank += any(lost) ? 0 : 1;
    }
    return report;
}

/// x with L D L^T x = b, in place.
template <class S>
constexpr void ldlt_solve(std::span<S const> l, std::size_t n, std::span<S> b) noexcept {
    for (std::size_t i = 1; i < n; ++i)
        for (std::size_t k = 0; k < i; ++k) b[i] = b[i] - l[i * n + k] * b[k];
    for (std::size_t i = 0; i < n; ++i) b[i] = b[i] * l[i * n + i];
    for (std::size_t i = n; i-- > 0;)
        for (std::size_t k = 0; k < i; ++k) b[k] = b[k] - l[i * n + k] * b[i];
}

}  // namespace sinew::inline v0
