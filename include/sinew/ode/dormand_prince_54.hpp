#pragma once
// Dormand and Prince's pair of orders 5 and 4 (J. Comput. Appl. Math. 6, 1980; Hairer, Norsett, Wanner, Solving
// Ordinary Differential Equations I, table II.5.2). The fifth-order result is kept; the difference is the error.
//
// The seventh derivative is that of the state at the end: it is the next step's first, so a step costs six.

#include <sinew/ode/integrator.hpp>

namespace sinew::inline v0 {

namespace detail {

// n / d, made by the compiler.
template <class V>
struct ratio_constant {
    constexpr ratio_constant() noexcept = default;
    [[nodiscard]] consteval V operator()(int n, int d) const noexcept {
        if constexpr (std::floating_point<V>)
            return V(n) / V(d);
        else
            return V(static_cast<double>(n) / d);  // n and d may be beyond the range
    }
};

}  // namespace detail

struct dormand_prince_54 {
    static constexpr int order = 5;
    static constexpr std::size_t buffers = 7;
    static constexpr std::size_t end_derivative_buffer = 5;
    static constexpr std::size_t error_buffer = 6;
    static constexpr int error_order = 4;  ///< of the lower result: the error estimate falls with h^(error_order + 1)

    template <class F, class T, class E, class W>
    constexpr void attempt(F& f, step_attempt<T, E, W> const& s) const {
        auto const& [t, h, y, k1, y1, w] = s;
        auto const k2 = s.stage(0), k3 = s.stage(1), k4 = s.stage(2), k5 = s.stage(3), k6 = s.stage(4), k7 = s.stage(5);
        using V = value_type_t<T>;
        constexpr detail::ratio_constant<V> q;
        f(k2, t + q(1, 5) * h, y + h * (q(1, 5) * k1));
        f(k3, t + q(3, 10) * h, y + h * (q(3, 40) * k1 + q(9, 40) * k2));
        f(k4, t + q(4, 5) * h, y + h * (q(44, 45) * k1 + q(-56, 15) * k2 + q(32, 9) * k3));
        f(k5, t + q(8, 9) * h, y + h * (q(19372, 6561) * k1 + q(-25360, 2187) * k2 + q(64448, 6561) * k3 + q(-212, 729) * k4));
        f(k6, t + h, y + h * (q(9017, 3168) * k1 + q(-355, 33) * k2 + q(46732, 5247) * k3 + q(49, 176) * k4 + q(-5103, 18656) * k5));
        y1 = y + h * (q(35, 384) * k1 + q(500, 1113) * k3 + q(125, 192) * k4 + q(-2187, 6784) * k5 + q(11, 84) * k6);
        f(k7, t + h, y1);
        s.stage(error_buffer) = h * (q(71, 57600) * k1 + q(-71, 16695) * k3 + q(71, 1920) * k4 + q(-17253, 339200) * k5 + q(22, 525) * k6 + q(-1, 40) * k7);
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<dormand_prince_54, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0
