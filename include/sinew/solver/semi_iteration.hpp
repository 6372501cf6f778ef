#pragma once
// Chebyshev's semi-iteration for a stationary iteration whose eigenvalues are real (Golub and Varga 1961; as Wang 2015 and Chen 2024 use it for
// projective dynamics and vertex block descent).
//
//   x_(k+1) = w_(k+1) (g (x^ - x_k) + x_k - x_(k-1)) + x_(k-1),   x^ what one sweep makes of x_k
//   w_1 = 1,  w_2 = 2 / (2 - r^2),  w_(k+1) = 4 / (4 - r^2 w_k)  ->  2 / (1 + sqrt(1 - r^2))
//
//   eigenvalues in [-rho, rho]:  g = 1,             r = rho
//               in [0, rho]:     g = 2 / (2 - rho), r = rho / (2 - rho), which moves them to [-r, r]
//
// In the end the error shrinks by r / (1 + sqrt(1 - r^2)) a sweep. rho too large does harm, rho too small only wins less. Where it is not given, it is
// estimated from how the steps of the first sweeps shrink, which approaches rho from below.

#include <sinew/math/elementary.hpp>

namespace sinew::inline v0 {

template <class S>
class semi_iteration {
public:
    static constexpr int sweeps_to_estimate = 6;

    /// rho: of one sweep, 0 where it is to be estimated. `positive`: the eigenvalues are in [0, rho].
    constexpr semi_iteration(bool accelerate, S const& rho, bool positive) noexcept
        : on_(accelerate), given_(any(rho > S(0))), positive_(positive), rho_(rho) {}

    struct factors {
        S omega{1}, gamma{1};  ///< w and g
    };
    /// Of the coming sweep.
    [[nodiscard]] constexpr factors next() noexcept {
        if (!on_ || (!given_ && sweep_++ < sweeps_to_estimate)) return {};
        S const gamma = positive_ ? S(2) / (S(2) - rho_) : S(1);
        S const r = positive_ ? rho_ / (S(2) - rho_) : rho_;
        omega_ = first_ ? S(1) : second_ ? S(2) / (S(2) - r * r) : S(4) / (S(4) - r * r * omega_);
        second_ = first_;
        first_ = false;
        return {omega_, gamma};
    }
    /// The square of the size of the step that a sweep made before acceleration, in any norm.
    constexpr void observe(S const& square) noexcept {
        if (!on_ || given_ || sweep_ > sweeps_to_estimate) return;
        if (sweep_ > 1) {
            auto const none = last_ <= S(0);
            // At most such that w stays below 1.9, and the memory of a sweep below some twenty sweeps.
            rho_ = min(sqrt(max(square, S(0)) / select(none, S(1), last_)), S(value_type_t<S>(0.998)));
            rho_ = select(none, S(0), rho_);
        }
        last_ = square;
    }

private:
    bool on_, given_, positive_, first_ = true, second_ = false;
    int sweep_ = 0;
    S rho_, omega_{1}, last_{};
};

}  // namespace sinew::inline v0
