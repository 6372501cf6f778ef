#pragma once
// Symplectic Euler: velocities by the forces of now, then positions by the new velocities. Order 1.
//
//   v1 = v + h a(t, q, v)       q1 = q + h q'(t + h, q, v1)
//
// For a separable system the energy error stays bounded for ever. The state is (q, v): the first split() numbers are
// positions. Where the positions' rate is not given apart, a step takes two evaluations.

#include <sinew/ode/integrator.hpp>

namespace sinew::inline v0 {

struct symplectic_euler {
    static constexpr int order = 1;
    static constexpr std::size_t buffers = 1;

    template <class F, class T, class E, class W>
    constexpr void attempt(F& f, step_attempt<T, E, W> const& s) const {
        auto const& [t, h, y, k1, y1, w] = s;
        if (!f.has_halves()) return f.fail(ode_status::no_split);
        std::size_t const m = f.split();
        auto const k2 = s.stage(0);
        y1.first(m) = y.first(m);
        y1.from(m) = y.from(m) + h * k1.from(m);
        f.positions(k2, t + h, y1);
        y1.first(m) = y.first(m) + h * k2.first(m);
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<symplectic_euler, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0
