#pragma once
// How fast stationary iterations on A x = b converge, for a symmetric semi-definite A in diagonal blocks.
//
//   A = D + L + L^T              D: diagonal blocks, each solved at once
//   G_J  = 1 - D^-1 A            Jacobi
//   G_xi = (D + xi L)^-1 ((1 - xi) D - xi L^T)          Gauss-Seidel (xi = 1), SOR (Waterson 2026, eq. 4.76)
//
// The spectral radius rho(G) is the factor by which one sweep shrinks the error in the end (eq. 4.70). What lies in the null space of A
// is no error: no sweep changes it, and it is left out.

#include <sinew/core/dynamic_vector.hpp>
#include <sinew/linear/dense.hpp>
#include <sinew/linear/symmetric_eigenvalues.hpp>
#include <sinew/math/elementary.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::inline v0 {

template <class S>
class block_iteration {
public:
    /// `a`: n x n, row by row, symmetric. `sizes`: of the diagonal blocks, n together.
    constexpr block_iteration(std::span<S const> a, std::size_t n, std::span<std::size_t const> sizes) : n_(n) {
        first_.push_back(0);
        for (std::size_t const size : sizes) first_.push_back(first_.back() + size);
        for (std::size_t i = 0; i < n; ++i) {
            row_start_.push_back(entries_.size());
            for (std::size_t j = 0; j < n; ++j)
                if (a[i * n + j] > S(0) || a[i * n + j] < S(0)) entries_.push_back({j, a[i * n + j]});
        }
        row_start_.push_back(entries_.size());
        for (std::size_t g = 0; g + 1 < first_.size(); ++g) {
            std::size_t const m = first_[g + 1] - first_[g];
            block_start_.push_back(blocks_.size());
            for (std::size_t i = 0; i < m; ++i)
                for (std::size_t j = 0; j < m; ++j) blocks_.push_back(a[(first_[g] + i) * n + first_[g] + j]);
            (void)cholesky_factor<S>(std::span<S>(blocks_.data() + block_start_.back(), m * m), m, floor_of(m));
        }
        find_rank(a);
        find_spectrum(a);
    }

    /// Rows of A that do not repeat others.
    [[nodiscard]] constexpr std::size_t rank() const noexcept { return rank_; }
    /// Whether row i is a combination of those before it: its pivot vanishes in the factors of those, beside its own diagonal. Units do not count.
    [[nodiscard]] constexpr bool is_redundant(std::size_t i) const noexcept { return redundant_[i] != 0; }
    /// Largest eigenvalue of A over the smallest that is not zero; 1 / epsilon at most.
    [[nodiscard]] constexpr S condition() const noexcept { return condition_; }
    /// rho(G_J), from the eigenvalues of D^-1 A.
    [[nodiscard]] constexpr S jacobi_radius() const noexcept { return jacobi_; }

    /// rho(G_xi) by power iteration: the mean contraction of the error in the norm of A, in windows of sweeps until two agree.
    [[nodiscard]] constexpr S sor_radius(S const& xi) {
        error_.resize(n_);
        part_.resize(n_);
        std::uint32_t seed = 1;
        for (S& x : error_) {
            seed = seed * 1664525u + 1013904223u;
            x = S(static_cast<value_type_t<S>>(seed >> 8)) / S(static_cast<value_type_t<S>>(1u << 23)) - S(1);
        }
        constexpr int sweeps = 60, windows = 100;
        S radius{};
        for (int w = 0; w < windows; ++w) {
            S before = energy_norm(), logs{};
            for (int k = 0; k < sweeps; ++k) {
                for (std::size_t g = 0; g + 1 < first_.size(); ++g) relax(g, xi);
                S const after = energy_norm();
                if (!(after > before * epsilon_v<S>)) return S(0);
                logs = logs + log(after / before);
                // Scaled back, or the error would vanish.
                for (S& x : error_) x = x / after;
                before = S(1);
            }
            S const last = radius;
            radius = exp(logs / S(value_type_t<S>(sweeps)));
            if (w > 1 && abs(radius - last) < S(value_type_t<S>(2e-6)) + epsilon_v<S> * S(16)) break;
        }
        return radius;
    }

    struct relaxation {
        S xi{1};
        S radius{};  ///< rho(G_xi)
    };
    /// The xi for which rho(G_xi) is smallest, by golden section. Young's 2 / (1 + sqrt(1 - rho(G_J)^2)), exact where A is consistently ordered
    /// (a chain), is taken where nothing better is found. (Eq. 4.79 lacks the square.)
    [[nodiscard]] constexpr relaxation optimal_relaxation() {
        S best(1), least = sor_radius(S(1));
        auto const offer = [&](S const& xi) {
            S const rho = sor_radius(xi);
            if (rho < least) least = rho, best = xi;
            return rho;
        };
        if (jacobi_ < S(1)) {
            S const young = S(2) / (S(1) + sqrt(S(1) - jacobi_ * jacobi_));
            if (offer(young) <= young - S(1) + S(value_type_t<S>(0.02))) return {young, young - S(1)};  // as the theory says
        }
        S const golden = (sqrt(S(5)) - S(1)) / S(2);
        S lo(value_type_t<S>(0.6)), hi(value_type_t<S>(1.98));
        S x0 = hi - golden * (hi - lo), x1 = lo + golden * (hi - lo), f0 = offer(x0), f1 = offer(x1);
        for (int k = 0; k < 14; ++k) {
            if (f0 < f1) {
                hi = x1, x1 = x0, f1 = f0;
                x0 = hi - golden * (hi - lo);
                f0 = offer(x0);
            } else {
                lo = x0, x0 = x1, f0 = f1;
                x1 = lo + golden * (hi - lo);
                f1 = offer(x1);
            }
        }
        return {best, least};
    }

private:
    struct entry {
        std::size_t column = 0;
        S value{};
    };
    [[nodiscard]] static constexpr S floor_of(std::size_t m) noexcept { return epsilon_v<S> * S(static_cast<value_type_t<S>>(4 * m)); }

    constexpr void find_rank(std::span<S const> a) {
        dynamic_vector<S> factors(n_ * n_);
        for (std::size_t i = 0; i < n_ * n_; ++i) factors[i] = a[i];
        S const floor = epsilon_v<S> * (S(16) * sqrt(S(static_cast<value_type_t<S>>(n_ + 1))));
        rank_ = cholesky_factor<S>(std::span<S>(factors.data(), n_ * n_), n_, floor).rank;
        for (std::size_t i = 0; i < n_; ++i) redundant_.push_back(factors[i * n_ + i] > S(0) ? 0 : 1);
    }
    constexpr void find_spectrum(std::span<S const> a) {
        dynamic_vector<S> copy(n_ * n_), d(n_), e(n_);
        for (std::size_t i = 0; i < n_ * n_; ++i) copy[i] = a[i];
        (void)symmetric_eigenvalues<S>(std::span<S>(copy.data(), n_ * n_), n_, std::span<S>(d.data(), n_), std::span<S>(e.data(), n_));
        // As many are zero as rows are redundant: a size by which to tell would depend on units.
        std::size_t const zeros = n_ - rank_;
        if (rank_ > 0) condition_ = d[n_ - 1] / max(d[zeros], d[n_ - 1] * epsilon_v<S>);
        // D^-1 A has the eigenvalues of L^-1 A L^-T, D = L L^T; the factors hold 1 / L_ii.
        for (std::size_t i = 0; i < n_ * n_; ++i) copy[i] = a[i];
        for (std::size_t pass = 0; pass < 2; ++pass) {
            for (std::size_t column = 0; column < n_; ++column)
                for (std::size_t g = 0; g + 1 < first_.size(); ++g) {
                    std::size_t const m = first_[g + 1] - first_[g];
                    S const* const l = blocks_.data() + block_start_[g];
                    for (std::size_t i = 0; i < m; ++i) {
                        S s = copy[(first_[g] + i) * n_ + column];
                        for (std::size_t k = 0; k < i; ++k) s = s - l[i * m + k] * copy[(first_[g] + k) * n_ + column];
                        copy[(first_[g] + i) * n_ + column] = s * l[i * m + i];
                    }
                }
            for (std::size_t i = 0; i < n_; ++i)
                for (std::size_t j = 0; j < i; ++j) {
                    S const x = copy[i * n_ + j];
                    copy[i * n_ + j] = copy[j * n_ + i];
                    copy[j * n_ + i] = x;
                }
        }
        (void)symmetric_eigenvalues<S>(std::span<S>(copy.data(), n_ * n_), n_, std::span<S>(d.data(), n_), std::span<S>(e.data(), n_));
        for (std::size_t i = zeros; i < n_; ++i) jacobi_ = max(jacobi_, abs(S(1) - d[i]));
    }

    constexpr void relax(std::size_t g, S const& xi) {
        std::size_t const first = first_[g], m = first_[g + 1] - first;
        for (std::size_t i = 0; i < m; ++i) part_[i] = times_error(first + i);
        cholesky_solve<S>(std::span<S const>(blocks_.data() + block_start_[g], m * m), m, std::span<S>(part_.data(), m));
        for (std::size_t i = 0; i < m; ++i) error_[first + i] = error_[first + i] - xi * part_[i];
    }
    [[nodiscard]] constexpr S times_error(std::size_t i) const {
        S s{};
        for (std::size_t k = row_start_[i]; k < row_start_[i + 1]; ++k) s = s + entries_[k].value * error_[entries_[k].column];
        return s;
    }
    [[nodiscard]] constexpr S energy_norm() const {
        S e{};
        for (std::size_t i = 0; i < n_; ++i) e = e + times_error(i) * error_[i];
        return e > S(0) ? sqrt(e) : S(0);
    }

    std::size_t n_;
    std::size_t rank_ = 0;
    S condition_{1}, jacobi_{};
    dynamic_vector<std::size_t> first_{}, row_start_{}, block_start_{};
    dynamic_vector<entry> entries_{};
    dynamic_vector<S> blocks_{}, error_{}, part_{};
    dynamic_vector<unsigned char> redundant_{};
};

}  // namespace sinew::inline v0
