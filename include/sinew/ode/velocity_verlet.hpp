#pragma once
// Velocity Verlet: half a kick, a drift, half a kick. Order 2, symplectic where forces depend on positions alone.
//
//   u = v + h/2 a(t, q, v)      q1 = q + h q'(t + h/2, q + h/2 q'(t, q, v), u)      v1 = u + h/2 a(t + h, q1, u + h/2 a(t, q, v))
//
// The rate of the drift is taken halfway: where q' depends on q, as a body's rate of turning does on how it lies while its angular momentum stays, that of where the
// step begins would make it of order 1. Where q' is u both are the same.
// The last force is taken at the predicted velocity, so that the order holds with forces that depend on it (drag).
// The state is (q, v), as for symplectic_euler.

#include <sinew/ode/integrator.hpp>

namespace sinew::inline v0 {

struct velocity_verlet {
    static constexpr int order = 2;
    static constexpr std::size_t buffers = 2;

    template <class F, class T, class E, class W>
    constexpr void attempt(F& f, step_attempt<T, E, W> const& s) const {
        auto const& [t, h, y, k1, y1, w] = s;
        if (!f.has_halves()) return f.fail(ode_status::no_split);
        std::size_t const m = f.split();
        T const half = h / T(2), rest = h - half;  // in fixed point not the same: both together are h
        auto const k2 = s.stage(0), u = s.stage(1);
        u.from(m) = y.from(m) + half * k1.from(m);
        u.first(m) = y.first(m) + half * k1.first(m);
        f.positions(k2, t + half, u);
        y1.first(m) = y.first(m) + h * k2.first(m);
        y1.from(m) = u.from(m) + rest * k1.from(m);
        f(k2, t + h, y1);
        y1.from(m) = u.from(m) + rest * k2.from(m);
    }

    /// Buffers for step, as many and of the kind of Buffer: a container of the state's numbers.
    template <class Buffer>
    using workspace = ode_workspace_like<velocity_verlet, Buffer>;
    /// One step in place: see make_step.
    template <class P, class T, class W>
    constexpr ode_status step(P& problem, T const& t, T const& h, W& w) const {
        return make_step(*this, problem, t, h, w);
    }
};

}  // namespace sinew::inline v0
