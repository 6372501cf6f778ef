#pragma once
// Explicit Euler (Vondrak 2005, 2.2.1): y1 = y + h f(t, y). Order 1.
//
// Gains energy on every oscillation. Kept to compare with, and for systems that are strongly damped.

#include <sinew/ode/integrator.hpp>

namespace sinew::inline v0 {

struct euler {
    static constexpr int order = 1;
    static constexpr std::size_t buffers = 0;

    template <class F, class T, class E, class W>
    constexpr void attempt(F&, step_attempt<T, E, W> const& s) const {
        s.y1 = s.y + s.h * s.k1;
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<euler, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0
