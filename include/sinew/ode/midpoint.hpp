#pragma once
// Explicit midpoint (Vondrak 2005, 2.2.2): half an Euler step, then a full step with the derivative found there. Order 2.

#include <sinew/ode/integrator.hpp>

namespace sinew::inline v0 {

struct midpoint {
    static constexpr int order = 2;
    static constexpr std::size_t buffers = 1;

    template <class F, class T, class E, class W>
    constexpr void attempt(F& f, step_attempt<T, E, W> const& s) const {
        auto const& [t, h, y, k1, y1, w] = s;
        T const half = h / T(2);
        auto const k2 = s.stage(0);
        f(k2, t + half, y + half * k1);
        y1 = y + h * k2;
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<midpoint, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0
