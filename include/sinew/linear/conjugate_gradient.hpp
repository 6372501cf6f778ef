#pragma once
// Conjugate gradient and conjugate residual: A x = b for a symmetric, positive semi-definite A that is known only by what it
// does to a vector (Witkin 1997, 4.4). Where constraints repeat each other A = J W J^T is singular; where they also contradict
// each other no x exists, and the least-squares one is wanted.
//
//   P   preconditioner, a positive diagonal; of Jacobi's kind it is the diagonal of A. `inverse_diagonal` is 1 / P.
//       Both methods run on A^ = P^-1/2 A P^-1/2, x^ = P^1/2 x, b^ = P^-1/2 b, r^ = b^ - A^ x^, without ever forming a root
//
// Conjugate gradient minimises the error in the norm of A. Started at 0 it stays in the range of A^: of a singular system
// that has solutions it finds the one of smallest |x^|. If b^ has a part N outside of the range it fails: N stays in every
// residual and spoils the step lengths.
//
// Conjugate residual minimises |r^| over the same subspaces with the same one product by A each time, and its step lengths
//
//   alpha = r^.A^r^ / A^p^.A^p^,   beta = (r^.A^r^)' / r^.A^r^
//
// see the residual only through A^, where N vanishes. So |r^| falls to |N|, the least-squares answer, at the pace that the
// condition of A sets; conjugate gradient on A^T A, as Witkin takes it from Numerical Recipes, needs the square of it.
// Two things are then left to do, both by conjugate gradient; systems that have solutions do not come so far.
//
//   - Rounding puts eps |A^| |N|^2 into r^.A^r^, so that r^ = N + R ends with an R of some sqrt(eps) |N| in the range. R is found
//     from A^ w^ = A^ r^, which has solutions, the smallest of them w^ = R.
//   - x^ has collected a multiple of N, often a large one, as every direction p^ holds one. A^ x^ = b^ - N, from 0, gives the
//     least-squares solution of smallest |x^|, that of the pseudo-inverse.
//
// With P = 1 this is the plain least-squares answer. With another P it is the one of the weighted residual P^-1/2 (b - A x),
// which for Jacobi's does not depend on the units of the rows.

#include <sinew/core/storage.hpp>
#include <sinew/math/elementary.hpp>
#include <sinew/math/scalar.hpp>

#include <bit>
#include <cstddef>
#include <span>

namespace sinew::inline v0 {

/// How an iteration ended.
template <class S>
struct iteration_report {
    std::size_t iterations = 0;
    S residual{};             ///< |r^|, of the equations as they are, not of the recurrence
    bool converged = false;   ///< to a solution, or to the least-squares answer
    bool consistent = false;  ///< to a solution
};

/// The vectors that an iteration works in. Storage has `array<T, N>`.
template <class S, class Storage = dynamic_storage, std::size_t N = 0>
struct iteration_vectors {
    typename Storage::template array<S, N> r, z, p, ap, az, s, w;

    constexpr void resize(std::size_t n) {
        r.resize(n);
        z.resize(n);
        p.resize(n);
        ap.resize(n);
        az.resize(n);
        s.resize(n);
        w.resize(n);
    }
};

/// When to stop: |r^| <= tolerance |b^|, or after so many iterations, of one product by A each.
template <class S>
struct iteration_limits {
    S tolerance{};
    std::size_t iterations = 0;
};

namespace detail {

template <class S>
[[nodiscard]] constexpr S dot_product(std::size_t n, S const* a, S const* b) noexcept {
    S s(0);
    for (std::size_t i = 0; i < n; ++i) s = s + a[i] * b[i];
    return s;
}
// Sum of a_i d_i b_i; no d is d = 1.
template <class S>
[[nodiscard]] constexpr S weighted_product(std::size_t n, S const* a, std::span<S const> d, S const* b) noexcept {
    if (d.empty()) return detail::dot_product(n, a, b);
    S s(0);
    for (std::size_t i = 0; i < n; ++i) s = s + a[i] * d[i] * b[i];
    return s;
}
// r = b - A x, z = r / P; |r^|^2.
template <class S, class Apply>
constexpr S true_residual(Apply&& apply, std::span<S const> b, std::span<S const> x, std::span<S const> inverse_diagonal, std::span<S> r, std::span<S> z) {
    apply(x, r);
    for (std::size_t i = 0; i < b.size(); ++i) {
        r[i] = b[i] - r[i];
        z[i] = inverse_diagonal.empty() ? r[i] : r[i] * inverse_diagonal[i];
    }
    return detail::dot_product<S>(b.size(), r.data(), z.data());
}

// About |A^|: |A^ v^| / |v^| of a vector of signs that no usual matrix knows (Thue and Morse), v^ = +-1. Uses x and y.
template <class S, class Apply>
constexpr S norm_estimate(Apply&& apply, std::span<S const> inverse_diagonal, std::span<S> x, std::span<S> y) {
    std::size_t const n = x.size();
    for (std::size_t i = 0; i < n; ++i) {
        S const v = inverse_diagonal.empty() ? S(1) : sqrt(inverse_diagonal[i]);
        x[i] = std::popcount(i) % 2 == 0 ? v : -v;
    }
    apply(std::span<S const>(x), y);
    return sqrt(detail::weighted_product<S>(n, y.data(), inverse_diagonal, y.data()) / S(value_type_t<S>(n)));
}
// How an iteration decides over scalars without lanes.
struct plain_decision {
    [[nodiscard]] constexpr bool operator()(bool decision) const noexcept { return decision; }
};
// Conjugate gradient until |r^|^2 <= goal; iterations are added to those of the report.
template <class S, class Apply, class Vectors, class Guide>
constexpr void conjugate_gradient(Apply&& apply, std::span<S const> b, std::span<S> x, std::span<S const> inverse_diagonal, Vectors& work, S const& goal,
                                  std::size_t most, iteration_report<S>& report, Guide& decide) {
    std::size_t const n = b.size();
    std::span<S> const r(work.r.data(), n), z(work.z.data(), n), p(work.p.data(), n), ap(work.ap.data(), n);
    S before = infinity_v<S>;
    // The residual of the recurrence drifts from the true one: what it reports is checked, and if it was wrong the true one goes on.
    while (true) {
        S rz = detail::true_residual<S>(apply, b, x, inverse_diagonal, r, z);
        report.residual = sqrt(max(rz, S(0)));
        report.converged = report.consistent = decide(rz <= goal);
        if (report.converged || report.iterations >= most || !decide(rz < before)) return;
        before = rz;
        S norm(0), pp = rz;  // of A^, from below; |p^|^2
        for (std::size_t i = 0; i < n; ++i) p[i] = z[i];
        while (report.iterations < most) {
            apply(std::span<S const>(p), ap);
            ++report.iterations;
            S const pap = detail::dot_product<S>(n, p.data(), ap.data());
            // A direction that A does not see: a step along it would be of any length.
            if (!decide(pap > norm * pp * (S(4) * epsilon_v<S>))) break;
            norm = max(norm, pap / pp);
            S const alpha = rz / pap;
            S next(0);
            for (std::size_t i = 0; i < n; ++i) {
                x[i] = x[i] + alpha * p[i];
                r[i] = r[i] - alpha * ap[i];
                z[i] = inverse_diagonal.empty() ? r[i] : r[i] * inverse_diagonal[i];
                next = next + r[i] * z[i];
            }
            if (decide(next <= goal)) break;
            S const beta = next / rz;
            rz = next;
            pp = rz + beta * beta * pp;
            for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + beta * p[i];
        }
    }
}

}  // namespace detail

/// A x = b by preconditioned conjugate gradient, from the x given. apply(x, y) does y = A x on std::span<S const>, std::span<S>.
/// `inverse_diagonal` may be empty: no preconditioner. A may be singular if the system has solutions.
template <class S, class Apply, class Vectors>
constexpr iteration_report<S> conjugate_gradient_solve(Apply&& apply, std::span<S const> b, std::span<S> x, std::span<S const> inverse_diagonal,
                                                       Vectors& work, iteration_limits<S> const& limits) {
    work.resize(b.size());
    S const goal = limits.tolerance * limits.tolerance * detail::weighted_product<S>(b.size(), b.data(), inverse_diagonal, b.data());
    iteration_report<S> report;
    detail::plain_decision decide;
    detail::conjugate_gradient<S>(apply, b, x, inverse_diagonal, work, goal, limits.iterations, report, decide);
    return report;
}

/// The x of smallest |P^-1/2 (b - A x)| by preconditioned conjugate residual, for a semi-definite A and any b. Where there is no
/// solution, or from x = 0, it is the one of smallest |P^1/2 x|: with no preconditioner the pseudo-inverse of A times b.
/// decide(comparison): what it means for all lanes, where S has some; see lane_guide.hpp.
template <class S, class Apply, class Vectors, class Guide>
constexpr iteration_report<S> conjugate_residual_solve(Apply&& apply, std::span<S const> b, std::span<S> x, std::span<S const> inverse_diagonal,
                                                       Vectors& work, iteration_limits<S> const& limits, Guide& decide) {
    std::size_t const n = b.size();
    work.resize(n);
    std::span<S> const r(work.r.data(), n), z(work.z.data(), n), p(work.p.data(), n), ap(work.ap.data(), n), az(work.az.data(), n);
    S const tolerance2 = limits.tolerance * limits.tolerance;
    S const bb = detail::weighted_product<S>(n, b.data(), inverse_diagonal, b.data());
    S const goal = tolerance2 * bb;
    iteration_report<S> report;
    S norm(0);  // of A^, from below
    S before = infinity_v<S>;
    // A^ r^ = 0 is the mark of the answer, whether there is a solution or not. Close to it r^.A^r^ is lost in the rounding of N.
    auto const stationary = [&](S const& rr, S const& arar, S const& rar) {
        bool const yes = decide(arar <= norm * norm * rr * tolerance2) || decide(rar <= norm * rr * (S(64) * epsilon_v<S>));
        if (!yes) norm = max(norm, arar / rar);
        return yes;
    };
    while (true) {
        S rr = detail::true_residual<S>(apply, b, x, inverse_diagonal, r, z);
        report.residual = sqrt(max(rr, S(0)));
        report.converged = report.consistent = decide(rr <= goal);
        if (report.converged || report.iterations >= limits.iterations) return report;
        if (decide(norm == S(0))) norm = detail::norm_estimate<S>(apply, inverse_diagonal, p, ap);
        apply(std::span<S const>(z), az);
        ++report.iterations;
        S arar = detail::weighted_product<S>(n, az.data(), inverse_diagonal, az.data());
        S zaz = detail::dot_product<S>(n, z.data(), az.data());
        if (stationary(rr, arar, zaz) || !decide(arar < before)) break;
        before = arar;
        for (std::size_t i = 0; i < n; ++i) {
            p[i] = z[i];
            ap[i] = az[i];
        }
        while (report.iterations < limits.iterations) {
            S const apap = detail::weighted_product<S>(n, ap.data(), inverse_diagonal, ap.data());
            if (!decide(apap > S(0))) break;
            S const alpha = zaz / apap;
            rr = S(0);
            for (std::size_t i = 0; i < n; ++i) {
                x[i] = x[i] + alpha * p[i];
                r[i] = r[i] - alpha * ap[i];
                z[i] = inverse_diagonal.empty() ? r[i] : r[i] * inverse_diagonal[i];
                rr = rr + r[i] * z[i];
            }
            if (decide(rr <= goal)) break;
            apply(std::span<S const>(z), az);
            ++report.iterations;
            arar = detail::weighted_product<S>(n, az.data(), inverse_diagonal, az.data());
            S const next = detail::dot_product<S>(n, z.data(), az.data());
            if (stationary(rr, arar, next)) break;
            S const beta = next / zaz;
            zaz = next;
            for (std::size_t i = 0; i < n; ++i) {
                p[i] = z[i] + beta * p[i];
                ap[i] = az[i] + beta * ap[i];
            }
        }
    }
    // r holds N + R, az A z.
    std::span<S> const s(work.s.data(), n), w(work.w.data(), n), kept = az;
    for (std::size_t i = 0; i < n; ++i) {
        s[i] = az[i];
        w[i] = S(0);
        kept[i] = r[i];
    }
    S const rounding = epsilon_v<S> * epsilon_v<S> * S(value_type_t<S>(4096 * n));
    S const enough = norm * norm * report.residual * report.residual * max(tolerance2, rounding);
    detail::conjugate_gradient<S>(apply, std::span<S const>(s), w, inverse_diagonal, work, enough, limits.iterations, report, decide);
    bool const split = report.converged;
    for (std::size_t i = 0; i < n; ++i) {
        s[i] = b[i] - (kept[i] - (inverse_diagonal.empty() ? w[i] : w[i] / inverse_diagonal[i]));
        x[i] = S(0);
    }
    detail::conjugate_gradient<S>(apply, std::span<S const>(s), x, inverse_diagonal, work, bb * max(tolerance2, rounding), limits.iterations, report, decide);
    bool const solved = report.converged && split;
    S const rr = detail::true_residual<S>(apply, b, x, inverse_diagonal, r, z);
    report.residual = sqrt(max(rr, S(0)));
    report.consistent = decide(rr <= goal);
    report.converged = solved || report.consistent;
    return report;
}
template <class S, class Apply, class Vectors>
constexpr iteration_report<S> conjugate_residual_solve(Apply&& apply, std::span<S const> b, std::span<S> x, std::span<S const> inverse_diagonal,
                                                       Vectors& work, iteration_limits<S> const& limits) {
    detail::plain_decision decide;
    return conjugate_residual_solve<S>(apply, b, x, inverse_diagonal, work, limits, decide);
}

}  // namespace sinew::inline v0
