#pragma once
// L U factors of a small dense matrix with row pivoting, in place: the linear part of Newton's method for implicit steps.

#include <sinew/math/scalar.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace sinew::inline v0::detail {

/// P A = L U, row by row; pivots[j] is the row exchanged with row j. False if a pivot is zero or not finite.
template <class V>
[[nodiscard]] constexpr bool lu_factor(std::span<V> a, std::span<std::uint32_t> pivots) noexcept {
    std::size_t const n = pivots.size();
    for (std::size_t j = 0; j < n; ++j) {
        std::size_t best = j;
        for (std::size_t i = j + 1; i < n; ++i)
            if (abs(a[i * n + j]) > abs(a[best * n + j])) best = i;
        pivots[j] = static_cast<std::uint32_t>(best);
        V const pivot = a[best * n + j];
        if (!(abs(pivot) > V(0)) || !(abs(pivot) <= scalar_traits<V>::max)) return false;
        if (best != j)
            for (std::size_t k = 0; k < n; ++k) std::swap(a[j * n + k], a[best * n + k]);
        for (std::size_t i = j + 1; i < n; ++i) {
            V const l = a[i * n + j] / pivot;
            a[i * n + j] = l;
            for (std::size_t k = j + 1; k < n; ++k) a[i * n + k] -= l * a[j * n + k];
        }
    }
    return true;
}

/// x with A x = b, in place. b may carry derivatives that A does not.
template <class V, class B>
constexpr void lu_solve(std::span<V const> a, std::span<std::uint32_t const> pivots, B b) {
    std::size_t const n = pivots.size();
    for (std::size_t j = 0; j < n; ++j) {
        std::size_t const p = pivots[j];
        if (p == j) continue;
        auto const other = b[p];
        b[p] = b[j];
        b[j] = other;
    }
    for (std::size_t i = 1; i < n; ++i)
        for (std::size_t k = 0; k < i; ++k) b[i] = b[i] - b[k] * a[i * n + k];
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) b[i] = b[i] - b[k] * a[i * n + k];
        b[i] = b[i] / a[i * n + i];
    }
}

}  // namespace sinew::inline v0::detail
