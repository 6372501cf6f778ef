#pragma once
// L D L^T of a small symmetric matrix whose size is known at compile time: the effective mass of one constraint.
//
// Without square roots and without branches, so that it runs on SIMD lanes. A pivot that is lost in rounding belongs
// to a row that nothing can move, or that repeats others: its reciprocal is taken as 0, so that the row gets no
// multiplier instead of an infinite one.

#include <sinew/config/inlining.hpp>
#include <sinew/math/mat.hpp>
#include <sinew/math/unrolled.hpp>

namespace sinew::inline v0 {

/// Factors of A = L D L^T: L unit lower triangular below the diagonal, 1 / D on it, 0 above it.
template <class S, std::size_t N>
struct small_ldlt {
    mat<S, N, N> l{};

    [[gnu::flatten]] constexpr explicit small_ldlt(mat<S, N, N> const& a) noexcept {
        // What rounding leaves of a pivot is a share of its own diagonal: rows have different units, 1/kg and 1/(kg m^2).
        S const rounding = epsilon_v<S> * S(value_type_t<S>(4 * N));
        each(size, [&](auto j) {
            // First row j of L D, then of L.
            each(j, [&](auto i) {
                S ld = a(j, i);
                each(i, [&](auto k) { ld = ld - l(j, k) * l(i, k); });
                l(j, i) = ld;
            });
            S d = a(j, j);
            each(j, [&](auto k) {
                S const ld = l(j, k);
                l(j, k) = ld * l(k, k);
                d = d - ld * l(j, k);
            });
            auto const lost = d <= a(j, j) * rounding;
            l(j, j) = select(lost, S(0), S(1) / select(lost, S(1), d));
        });
    }

    /// x with A x = b.
    [[nodiscard, gnu::flatten]] constexpr vec<S, N> solve(vec<S, N> b) const noexcept {
        each(size, [&](auto i) { each(i, [&](auto k) { b[i] = b[i] - l(i, k) * b[k]; }); });
        each(size, [&](auto i) { b[i] = b[i] * l(i, i); });
        each(size, [&](auto done) {
            std::size_t const i = N - 1 - done;
            each(done, [&](auto k) { b[i] = b[i] - l(i + 1 + k, i) * b[i + 1 + k]; });
        });
        return b;
    }

private:
    // A constant where loops over it are to be written out: those of large matrices would take long to compile.
    static constexpr auto size = [] {
        if constexpr (N <= 6)
            return detail::count_v<N>;
        else
            return N;
    }();
    template <class Size, class F>
    SINEW_ALWAYS_INLINE static constexpr void each(Size n, F const& f) noexcept {
        detail::each_below<S>(n, f);
    }
};

template <class S, std::size_t N>
[[nodiscard]] constexpr vec<S, N> solve_spd(mat<S, N, N> const& a, vec<S, N> const& b) noexcept {
    if constexpr (N == 1) {
        auto const lost = a.e[0] <= S(0);
        return {select(lost, S(0), b.e[0] / select(lost, S(1), a.e[0]))};
    } else {
        return small_ldlt<S, N>(a).solve(b);
    }
}

/// A^-1, column by column.
template <class S, std::size_t N>
[[nodiscard]] constexpr mat<S, N, N> inverse_spd(mat<S, N, N> const& a) noexcept {
    mat<S, N, N> r{};
    small_ldlt<S, N> const f(a);
    for (std::size_t j = 0; j < N; ++j) {
        vec<S, N> e{};
        e[j] = S(1);
        vec<S, N> const x = f.solve(e);
        for (std::size_t i = 0; i < N; ++i) r(i, j) = x[i];
    }
    return r;
}

}  // namespace sinew::inline v0
