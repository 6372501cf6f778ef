#pragma once
// The classical Runge-Kutta method (Vondrak 2005, 2.2.2). Order 4.
//
//   k1 = f(t, y)                  k2 = f(t + h/2, y + h/2 k1)
//   k3 = f(t + h/2, y + h/2 k2)   k4 = f(t + h, y + h k3)      y1 = y + h/6 (k1 + 2 k2 + 2 k3 + k4)

#include <sinew/ode/integrator.hpp>

namespace sinew::inline v0 {

struct rk4 {
    static constexpr int order = 4;
    static constexpr std::size_t buffers = 3;

    template <class F, class T, class E, class W>
    constexpr void attempt(F& f, step_attempt<T, E, W> const& s) const {
        auto const& [t, h, y, k1, y1, w] = s;
        T const half = h / T(2);
        auto const k2 = s.stage(0), k3 = s.stage(1), k4 = s.stage(2);
        f(k2, t + half, y + half * k1);
        f(k3, t + half, y + half * k2);
        f(k4, t + h, y + h * k3);
        if constexpr (floating_scalar<T>)
            y1 = y + h / T(6) * (k1 + T(2) * (k2 + k3) + k4);
        else  // h / 6 would have few digits
            y1 = y + h * (T(1) / T(6) * (k1 + T(2) * (k2 + k3) + k4));
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<rk4, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0
