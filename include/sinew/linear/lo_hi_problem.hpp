#pragma once
// The linear complementarity problem with lower and upper bounds (Vondrak 2005, 6.2.4):
//
//   w = A x + b,   lower <= x <= upper,   and of each row
//
//   x = lower  and w >= 0,   or   x = upper  and w <= 0,   or   lower < x < upper  and w = 0
//
//   A   symmetric, n x n: J W J^T, the response of the constrained directions to unit forces along each other
//   x   forces (lambda), or impulses
//   w   accelerations (or velocities) along the constrained directions; b those without the forces
//
// A row with no bounds is an equality; lower = 0 with no upper is a contact; lower = upper is a given force, whatever w is. For a
// semi-definite A these are the conditions of the least x.A x / 2 + b.x within the bounds, so w is unique, x need not be, and there
// is no solution just if some direction d without end has A d = 0 and b.d < 0: constraints that contradict each other.
//
// A friction row has the bounds -+ mu |x| of the row that presses, its normal.

#include <sinew/math/float_tools.hpp>
#include <sinew/math/scalar.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::inline v0 {

/// The row is no friction row.
inline constexpr std::uint32_t no_normal = 0xffffffffu;

/// The data of one problem of n = b.size() rows. Infinite bounds are infinity_v<S>; a bound of 1e30 is taken at its word.
template <class S>
struct lo_hi_problem {
    std::span<S const> a;      ///< n * n, row by row; only the lower triangle is read
    std::span<S const> b;      ///< n
    std::span<S const> lower;  ///< n; not read of friction rows
    std::span<S const> upper;  ///< n; not read of friction rows
    std::span<std::uint32_t const> normal{};  ///< n, or empty: for each row the row that presses, or no_normal
    std::span<S const> friction{};            ///< n if there are normals: mu >= 0
    /// n, or empty: how large the terms were that the diagonal of A and b are made of. Where they are small differences of large numbers,
    /// as those of a row which the constraints solved before have left with nothing to do, this tells rounding from rows.
    std::span<S const> diagonal_scale{}, b_scale{};
};

enum class lcp_start : std::uint8_t {
    cold,  ///< x = 0, or the bound next to it
    warm,  ///< x as given
};

enum class lcp_status : std::uint8_t {
    solved,       ///< every row is on its line
    unsatisfied,  ///< some are not: the problem has no solution, or, A indefinite, none was found
    pivot_limit,  ///< some are not, for want of pivots or iterations
    invalid,      ///< not a number, lower > upper, a normal that is no row or a friction row itself; x is 0 or a bound
};

/// How it ended. Residuals are free of units: of each row |x - clamp(x - w, lower, upper)| with the row and its unknown scaled to
/// a_ii of about 1, over the largest |b| (or b_scale) and |x| so scaled, and in fixed point over 1 at least.
template <class S>
struct lcp_report {
    lcp_status status = lcp_status::solved;
    std::size_t pivots = 0;       ///< changes of the set of free rows, or sweeps of an iteration
    std::size_t unsatisfied = 0;  ///< rows
    std::size_t refactored = 0;   ///< how often the factors had to be made anew
    S residual{};                 ///< the largest of all rows
    bool indefinite = false;      ///< A was found to be
};

namespace detail {

// A power of two d that brings d a d into [1, 4): exact, so that it costs no rounding. 1 for 0.
template <class S>
[[nodiscard]] constexpr S unit_scale(S const& a) noexcept {
    S const m = abs(a);
    if (!(m > S(0))) return S(1);
    if constexpr (std::floating_point<S>) {
        int const e = detail::split(m).e;
        return detail::power_of_two<S>(-(e >> 1));
    } else {
        S d(1);
        for (S top(4); m >= top && isfinite(top); top = top * S(4)) d = d / S(2);
        for (S bottom(1); m < bottom; bottom = bottom / S(4)) d = d * S(2);
        return d;
    }
}

// What is left to do of one scaled row.
template <class S>
[[nodiscard]] constexpr S lcp_violation(S const& x, S const& w, S const& lower, S const& upper) noexcept {
    return abs(x - min(max(x - w, lower), upper));
}

// The bounds of row i; those of a friction row under the force `pressing`.
template <class S>
struct lcp_interval {
    S lower, upper;
};
template <class S>
[[nodiscard]] constexpr bool is_friction(lo_hi_problem<S> const& p, std::size_t i) noexcept {
    return !p.normal.empty() && p.normal[i] != no_normal;
}
template <class S>
[[nodiscard]] constexpr lcp_interval<S> friction_interval(lo_hi_problem<S> const& p, std::size_t i, S const& pressing) noexcept {
    S const most = pressing == S(0) ? S(0) : p.friction[i] * abs(pressing);
    return {-most, most};
}

template <class S>
[[nodiscard]] constexpr bool is_valid(lo_hi_problem<S> const& p) noexcept {
    std::size_t const n = p.b.size();
    for (std::size_t i = 0; i < n; ++i) {
        if (!isfinite(p.b[i])) return false;
        for (std::size_t k = 0; k <= i; ++k)
            if (!isfinite(p.a[i * n + k])) return false;
        if (detail::is_friction(p, i)) {
            std::size_t const normal = p.normal[i];
            if (normal >= n || detail::is_friction(p, normal) || !(p.friction[i] >= S(0))) return false;
        } else if (!(p.lower[i] <= p.upper[i]) || p.lower[i] == infinity_v<S> || p.upper[i] == -infinity_v<S>) {
            return false;
        }
    }
    return true;
}

// A d and b d of the problem scaled by d, which makes a_ii about 1; A with both its triangles.
template <class S>
constexpr void load_scaled(lo_hi_problem<S> const& p, S* d, S* a, S* b) noexcept {
    std::size_t const n = p.b.size();
    for (std::size_t i = 0; i < n; ++i) {
        d[i] = detail::unit_scale(p.diagonal_scale.empty() ? p.a[i * n + i] : p.diagonal_scale[i]);
        b[i] = p.b[i] * d[i];
        S const* const from = p.a.data() + i * n;
        S* const to = a + i * n;
        for (std::size_t k = 0; k <= i; ++k) {
            to[k] = from[k] * d[i] * d[k];
            a[k * n + i] = to[k];
        }
    }
}
// Residuals are rounding below this.
template <class S>
inline constexpr S lcp_tolerance_v = epsilon_v<S> * S(floating_scalar<S> ? 512 : 64);
// The largest b, or what it was made of, so scaled. Rounding of numbers without an exponent does not shrink with them: 1 at least.
template <class S>
[[nodiscard]] constexpr S size_of_b(lo_hi_problem<S> const& p, S const* d) noexcept {
    S size(floating_scalar<S> ? 0 : 1);
    for (std::size_t i = 0; i < p.b.size(); ++i) {
        size = max(size, abs(p.b[i]) * d[i]);
        if (!p.b_scale.empty()) size = max(size, abs(p.b_scale[i]) * d[i]);
    }
    return size;
}
// What x starts from.
template <class S>
[[nodiscard]] constexpr S start_of(lcp_start start, S const& x, S const& lower, S const& upper) noexcept {
    return min(max(start == lcp_start::warm && isfinite(x) ? x : S(0), lower), upper);
}

// x of an invalid problem: harmless.
template <class S>
constexpr void set_harmless(lo_hi_problem<S> const& p, std::span<S> x) noexcept {
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = S(0);
        if (detail::is_friction(p, i) || !(p.lower[i] <= p.upper[i])) continue;
        S const nearest = min(max(S(0), p.lower[i]), p.upper[i]);
        if (isfinite(nearest)) x[i] = nearest;
    }
}

}  // namespace detail

}  // namespace sinew::inline v0
