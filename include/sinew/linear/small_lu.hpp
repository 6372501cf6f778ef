#pragma once
// A small system whose matrix is not symmetric, but positive: x . A x > 0. Such is the effective mass of what spins, where its inertia is that of eq. 4.17
// (Waterson 2026): a symmetric part, and one that turns by 90 degrees.
//
// Its pivots are positive without exchanging rows, so that there are no branches, and lanes can have it. A lost pivot counts as in small_ldlt.hpp.

#include <sinew/math/mat.hpp>

namespace sinew::inline v0 {

/// x with A x = b.
template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> solve_positive(mat<S, N, N> a, vec<S, N> b) noexcept {
    S const rounding = epsilon_v<S> * S(value_type_t<S>(4 * N));
    vec<S, N> reciprocal{}, size{};
    for (std::size_t j = 0; j < N; ++j) size[j] = a(j, j);
    for (std::size_t j = 0; j < N; ++j) {
        auto const lost = a(j, j) <= size[j] * rounding;
        reciprocal[j] = select(lost, S(0), S(1) / select(lost, S(1), a(j, j)));
        for (std::size_t i = j + 1; i < N; ++i) {
            S const l = a(i, j) * reciprocal[j];
            for (std::size_t k = j + 1; k < N; ++k) a(i, k) = a(i, k) - l * a(j, k);
            b[i] = b[i] - l * b[j];
        }
    }
    for (std::size_t i = N; i-- > 0;) {
        for (std::size_t k = i + 1; k < N; ++k) b[i] = b[i] - a(i, k) * b[k];
        b[i] = b[i] * reciprocal[i];
    }
    return b;
}

}  // namespace sinew::inline v0
