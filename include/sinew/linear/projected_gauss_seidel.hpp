#pragma once
// Projected Gauss-Seidel for the complementarity problem of lo_hi_problem.hpp: row by row x_i = clamp(x_i - relaxation w_i / a_ii).
//
// For a semi-definite A and relaxations between 0 and 2 no row makes x.A x / 2 + b.x larger, so it converges wherever a solution is,
// at the pace of the theory of successive over-relaxation; it never ends exactly. Without a solution x walks off along the direction
// that proves it, some step per sweep. It needs no factors and gives an answer after any number of sweeps.
//
// A friction row has its bounds from what its normal has now, where lo_hi_lcp takes them from a pass without friction: the two
// answers differ where friction changes the normal forces, and this one is nearer to Coulomb's law.

#include <sinew/core/storage.hpp>
#include <sinew/linear/lo_hi_problem.hpp>
#include <sinew/linear/updatable_ldlt.hpp>

#include <cstddef>
#include <span>

namespace sinew::inline v0 {

/// The solver and its memory; see lo_hi_lcp.
template <class S, class Storage = dynamic_storage, std::size_t N = 0>
class projected_gauss_seidel {
public:
    S relaxation{1};
    std::size_t iterations = 100;         ///< sweeps at most
    S tolerance = detail::lcp_tolerance_v<S>;  ///< of a row's residual, see lcp_report, to count as satisfied; 0 for all the sweeps

    /// x for the problem p. In the report `pivots` counts sweeps.
    constexpr lcp_report<S> solve(lo_hi_problem<S> const& p, std::span<S> x, lcp_start start = lcp_start::cold) {
        lcp_report<S> report;
        n_ = p.b.size();
        if (!detail::is_valid(p)) {
            detail::set_harmless(p, x);
            report.status = lcp_status::invalid;
            report.unsatisfied = n_;
            report.residual = infinity_v<S>;
            n_ = 0;
            return report;
        }
        load(p, x, start);
        while (report.pivots < iterations) {
            ++report.pivots;
            S worst(0), size = size_of_b_;
            for (std::size_t i = 0; i < n_; ++i) {
                set_interval(p, i);
                S const w = response_of(i);
                S const next = min(max(moved(i, w), lower_[i]), upper_[i]);
                worst = max(worst, detail::lcp_violation(x_[i], w, lower_[i], upper_[i]));
                if (isfinite(next)) x_[i] = next;
                size = max(size, abs(x_[i]));
            }
            // What the rows were before they moved is no more than a hint of what they are.
            if (worst <= tolerance * size && residual(p, report) <= tolerance) break;
        }
        report.residual = residual(p, report);
        if (report.unsatisfied > 0) report.status = lcp_status::pivot_limit;
        for (std::size_t i = 0; i < n_; ++i) {
            x[i] = x_[i] * scale_[i];
            if (!detail::is_friction(p, i)) x[i] = min(max(x[i], p.lower[i]), p.upper[i]);
        }
        return report;
    }

    /// The bounds that row i had at last.
    [[nodiscard]] constexpr S lower(std::size_t i) const noexcept { return lower_[i] * scale_[i]; }
    [[nodiscard]] constexpr S upper(std::size_t i) const noexcept { return upper_[i] * scale_[i]; }

private:
    constexpr void load(lo_hi_problem<S> const& p, std::span<S const> x, lcp_start start) {
        a_.resize(n_ * n_);
        for (auto* v : {&b_, &x_, &lower_, &upper_, &scale_, &inverse_}) v->resize(n_);
        detail::load_scaled<S>(p, scale_.data(), a_.data(), b_.data());
        size_of_b_ = detail::size_of_b<S>(p, scale_.data());
        for (std::size_t i = 0; i < n_; ++i) {
            S const d = a_[i * n_ + i];
            inverse_[i] = d > S(0) ? relaxation / d : S(0);
            bool const depends = detail::is_friction(p, i);
            auto const scaled = [&](S const& bound) { return bound / scale_[i]; };
            lower_[i] = depends ? -infinity_v<S> : detail::scaled_bound(S(p.lower[i]), scaled);
            upper_[i] = depends ? infinity_v<S> : detail::scaled_bound(S(p.upper[i]), scaled);
            x_[i] = detail::start_of<S>(start, x[i] / scale_[i], lower_[i], upper_[i]);
        }
    }
    constexpr void set_interval(lo_hi_problem<S> const& p, std::size_t i) noexcept {
        if (!detail::is_friction(p, i)) return;
        std::size_t const normal = p.normal[i];
        auto const range = detail::friction_interval<S>(p, i, x_[normal] * scale_[normal]);
        lower_[i] = range.lower / scale_[i];
        upper_[i] = range.upper / scale_[i];
    }
    [[nodiscard]] constexpr S response_of(std::size_t i) const noexcept {
        return b_[i] + detail::dot_of_four<S>(a_.data() + i * n_, x_.data(), n_);
    }
    // Where row i goes. One that does not answer to its own force goes to the bound that w asks for.
    [[nodiscard]] constexpr S moved(std::size_t i, S const& w) const noexcept {
        if (inverse_[i] > S(0)) return x_[i] - inverse_[i] * w;
        S const bound = w < S(0) ? upper_[i] : w > S(0) ? lower_[i] : x_[i];
        return isfinite(bound) ? bound : x_[i];
    }
    // The largest residual, and what else of it the report says.
    constexpr S residual(lo_hi_problem<S> const& p, lcp_report<S>& report) noexcept {
        S worst(0), size = size_of_b_;
        for (std::size_t i = 0; i < n_; ++i) {
            set_interval(p, i);
            x_[i] = min(max(x_[i], lower_[i]), upper_[i]);
        }
        for (S const& v : x_) size = max(size, abs(v));
        report.unsatisfied = 0;
        report.indefinite = false;
        for (std::size_t i = 0; i < n_; ++i) {
            S const v = detail::lcp_violation(x_[i], response_of(i), lower_[i], upper_[i]);
            worst = max(worst, v);
            report.unsatisfied += v <= tolerance * size ? 0u : 1u;
            report.indefinite = report.indefinite || a_[i * n_ + i] < S(0);
        }
        return size > S(0) ? worst / size : worst;
    }

    typename Storage::template array<S, N * N> a_;
    typename Storage::template array<S, N> b_, x_, lower_, upper_, scale_, inverse_;
    std::size_t n_ = 0;
    S size_of_b_{};
};

}  // namespace sinew::inline v0
