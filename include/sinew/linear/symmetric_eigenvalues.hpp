#pragma once
// All eigenvalues of a dense symmetric matrix: Householder's tridiagonal form, then QL with implicit shifts (Golub and Van Loan 1996,
// 8.3). About 4/3 n^3 operations. For diagnostics: it is exact where a power iteration crawls, as on long chains.

#include <sinew/math/elementary.hpp>
#include <sinew/math/scalar.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace sinew::inline v0 {

namespace detail {

// Householder's reduction of the lower triangle of a (n x n, row by row): the diagonal to d, what is beside it to e[0 .. n - 2].
template <class S>
constexpr void tridiagonalise(std::span<S> a, std::size_t n, std::span<S> d, std::span<S> e) noexcept {
    for (std::size_t i = n; i-- > 1;) {
        // Row i without its diagonal becomes (0, ..., 0, e[i - 1]).
        S* const u = &a[i * n];
        S scale{};
        for (std::size_t k = 0; k < i; ++k) scale = scale + abs(u[k]);
        if (i == 1 || !(scale > S(0))) {
            e[i - 1] = u[i - 1];
            d[i] = u[i];
            continue;
        }
        S h{};
        for (std::size_t k = 0; k < i; ++k) {
            u[k] = u[k] / scale;
            h = h + u[k] * u[k];
        }
        S const f = u[i - 1];
        S const g = f >= S(0) ? -sqrt(h) : sqrt(h);
        e[i - 1] = scale * g;
        d[i] = u[i];
        h = h - f * g;  // u . u / 2 of the reflected vector
        u[i - 1] = f - g;
        // p = A u / h, kept in d; then A -= u q^T + q u^T with q = p - (u . p / 2 h) u.
        S up{};
        for (std::size_t j = 0; j < i; ++j) {
            S s{};
            for (std::size_t k = 0; k <= j; ++k) s = s + a[j * n + k] * u[k];
            for (std::size_t k = j + 1; k < i; ++k) s = s + a[k * n + j] * u[k];
            d[j] = s / h;
            up = up + d[j] * u[j];
        }
        S const half = up / (h + h);
        for (std::size_t j = 0; j < i; ++j) d[j] = d[j] - half * u[j];
        for (std::size_t j = 0; j < i; ++j)
            for (std::size_t k = 0; k <= j; ++k) a[j * n + k] = a[j * n + k] - (u[j] * d[k] + d[j] * u[k]);
    }
    if (n > 0) d[0] = a[0];
}

}  // namespace detail

/// Eigenvalues of the symmetric matrix in the lower triangle of `a` (n x n, row by row; overwritten), ascending, to `d` (n numbers). `e`
/// is room for n numbers. False if QL did not converge, which no finite matrix has been seen to do.
template <class S>
constexpr bool symmetric_eigenvalues(std::span<S> a, std::size_t n, std::span<S> d, std::span<S> e) noexcept {
    detail::tridiagonalise(a, n, d, e);
    if (n > 0) e[n - 1] = S(0);
    for (std::size_t l = 0; l < n; ++l) {
        for (int iteration = 0;; ++iteration) {
            std::size_t m = l;
            for (; m + 1 < n; ++m) {
                S const size = abs(d[m]) + abs(d[m + 1]);
                if (abs(e[m]) <= epsilon_v<S> * size || !(abs(e[m]) > S(0))) break;
            }
            if (m == l) break;
            if (iteration == 60) return false;
            S g = (d[l + 1] - d[l]) / (S(2) * e[l]);
            S r = sqrt(g * g + S(1));
            g = d[m] - d[l] + e[l] / (g + (g >= S(0) ? r : -r));
            S s(1), c(1), p(0);
            std::size_t i = m;
            bool split = false;
            while (i-- > l) {
                S f = s * e[i];
                S const b = c * e[i];
                r = sqrt(f * f + g * g);
                e[i + 1] = r;
                if (!(r > S(0))) {
                    d[i + 1] = d[i + 1] - p;
                    e[m] = S(0);
                    split = true;
                    break;
                }
                s = f / r;
                c = g / r;
                g = d[i + 1] - p;
                r = (d[i] - g) * s + S(2) * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
            }
            if (split) continue;
            d[l] = d[l] - p;
            e[l] = g;
            e[m] = S(0);
        }
    }
    std::sort(d.begin(), d.begin() + static_cast<std::ptrdiff_t>(n));
    return true;
}

}  // namespace sinew::inline v0
