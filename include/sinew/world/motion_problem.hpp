#pragma once
// The equations of motion of a world, for an integrator that steps them as a whole.

#include <sinew/ode/problem.hpp>
#include <sinew/world/container.hpp>

namespace sinew::inline v0 {

/// The equations of motion of a world as an ODE problem (Vondrak 2005, 2.3): what an integrator other than symplectic
/// Euler steps. State: all positions and rotation coordinates, then all momenta (or velocities), of movable bodies.
template <class World>
class motion_problem {
public:
    using S = typename World::S;
    using R = typename World::R;
    using scalar_type = S;
    template <std::size_t N>
    using buffer = typename World::env::template array<S, N>;
    static constexpr std::size_t max_dimension = World::env::max_state;

    /// From the states at time t0 (s), which also say how kinematic bodies go on.
    constexpr motion_problem(World& w, typename World::state_type const& from) noexcept : w_(&w), from_(&from) {}

    [[nodiscard]] constexpr std::size_t dimension() const noexcept { return split() + velocity_dimension(); }
    /// Where the velocities begin.
    [[nodiscard]] constexpr std::size_t split() const noexcept { return movable_bodies() * (3 + R::dimension) + movable_particles() * 3 + coordinates(); }

    constexpr void get_state(std::span<S> y) const {
        std::size_t q = 0, v = split();
        for (std::size_t i = 0; i < w_->states_.size(); ++i) {
            auto const& m = w_->masses_[i];
            if (!m.movable) continue;
            auto const& b = w_->states_[i];
            put(y, q, b.pose.position);
            for (std::size_t k = 0; k < R::dimension; ++k) y[q++] = b.pose.rotation.coordinate(k);
            if constexpr (in_momenta) {
                put(y, v, b.twist.linear * m.mass);
                put(y, v, b.pose.direction(m.inertia * b.pose.local_direction(b.twist.angular)));
            } else {
                put(y, v, b.twist.linear);
                put(y, v, b.twist.angular);
            }
        }
        for (std::size_t i = 0; i < w_->particle_states_.size(); ++i) {
            auto const& m = w_->particle_masses_[i];
            if (!m.movable) continue;
            put(y, q, w_->particle_states_[i].position);
            put(y, v, in_momenta ? w_->particle_states_[i].velocity * m.mass : w_->particle_states_[i].velocity);
        }
        w_->for_each_map([&](auto const& g) {
            for (std::size_t i = 0; i < g.states.size(); ++i) {
                auto const& m = g.masses[i];
                if (!m.movable) continue;
                auto const& b = g.states[i];
                put(y, q, b.u);
                if constexpr (in_momenta)
                    put(y, v, detail::mass_matrix_of(whole_body(m, b)) * b.rates);
                else
                    put(y, v, b.rates);
            }
        });
    }
    /// What one of metres, radians and seconds is in each number of the state: the mass of a momentum, the least inertia of an angular one.
    constexpr void get_units(std::span<S> y) const {
        std::size_t v = split();
        for (std::size_t k = 0; k < y.size(); ++k) y[k] = S(1);
        if constexpr (in_momenta) {
            for (auto const& m : w_->masses_) {
                if (!m.movable) continue;
                for (std::size_t k = 0; k < 3; ++k) y[v++] = m.mass;
                S const least = min(min(m.inertia(0, 0), m.inertia(1, 1)), m.inertia(2, 2));
                for (std::size_t k = 0; k < 3; ++k) y[v++] = least;
            }
            for (auto const& m : w_->particle_masses_) {
                if (!m.movable) continue;
                for (std::size_t k = 0; k < 3; ++k) y[v++] = m.mass;
            }
        }
    }
    constexpr void set_state(std::span<S const> y) {
        std::size_t q = 0, v = split();
        for (std::size_t i = 0; i < w_->states_.size(); ++i) {
            auto const& m = w_->masses_[i];
            if (!m.movable) continue;
            auto& b = w_->states_[i];
            take(y, q, b.pose.position);
            for (std::size_t k = 0; k < R::dimension; ++k) b.pose.rotation.set_coordinate(k, y[q++]);
            take(y, v, b.twist.linear);
            take(y, v, b.twist.angular);
            if constexpr (in_momenta) {
                b.twist.linear *= m.inverse_mass;
                b.twist.angular = world_inertia(m.inverse_inertia, projected(b.pose.rotation)) * b.twist.angular;
            }
        }
        for (std::size_t i = 0; i < w_->particle_states_.size(); ++i) {
            auto const& m = w_->particle_masses_[i];
            if (!m.movable) continue;
            take(y, q, w_->particle_states_[i].position);
            take(y, v, w_->particle_states_[i].velocity);
            if constexpr (in_momenta) w_->particle_states_[i].velocity *= m.inverse_mass;
        }
        w_->for_each_map([&](auto& g) {
            for (std::size_t i = 0; i < g.states.size(); ++i) {
                if (!g.masses[i].movable) continue;
                auto& b = g.states[i];
                take(y, q, b.u);
                take(y, v, b.rates);
                if constexpr (in_momenta) {
                    g.work[i].update(g.masses[i], b);
                    b.rates = g.work[i].inverse_mass * b.rates;
                }
            }
        });
    }
    /// y' at time t: velocities, and the accelerations by all forces. Under an acceleration-level solver these include
    /// the constraint forces; and hits in a regular state change it, by impulses (Vondrak 2005, 6.3.3).
    constexpr derivative_status derivative(S const& t, std::span<S> dy, state_kind kind = state_kind::regular) {
        w_->place_kinematic(*from_, t - from_->time);
        bool const changed = kind == state_kind::regular && w_->take_impulses();
        put_coordinate_rates(dy);
        if (kind == state_kind::intermediate) normalise_rotations();
        w_->gather_forces(t);
        if constexpr (World::strategy_type::level == solver_level::acceleration) {
            auto const r = w_->solve_accelerations(kind, S(0));
            report.iterations += r.iterations;
            report.residual = r.residual;
            report.full_rank = report.full_rank && r.full_rank;
        }
        put_velocity_rates(dy);
        return changed ? derivative_status::changed : derivative_status::regular;
    }
    /// The same by the forces that the world has gathered.
    constexpr void put_rates(std::span<S> dy) const {
        put_coordinate_rates(dy);
        put_velocity_rates(dy);
    }

    /// A derivative, or a state, that is infinite or NaN.
    constexpr void refused(std::span<S const> x) noexcept { failed_ = !detail::all_finite(x.data(), x.size()); }
    /// In which lanes it was.
    [[nodiscard]] constexpr mask_t<S> failed() const noexcept { return failed_; }

    solve_report<S> report{};

private:
    constexpr void put_coordinate_rates(std::span<S> dy) const {
        std::size_t q = 0;
        for (std::size_t i = 0; i < w_->states_.size(); ++i) {
            if (!w_->masses_[i].movable) continue;
            auto const& b = w_->states_[i];
            put(dy, q, b.twist.linear);
            auto const rate = coordinate_rate(b.pose.rotation, b.twist.angular);
            for (std::size_t k = 0; k < R::dimension; ++k) dy[q++] = rate[k];
        }
        for (std::size_t i = 0; i < w_->particle_states_.size(); ++i)
            if (w_->particle_masses_[i].movable) put(dy, q, w_->particle_states_[i].velocity);
        w_->for_each_map([&](auto const& g) {
            for (std::size_t i = 0; i < g.states.size(); ++i)
                if (g.masses[i].movable) put(dy, q, g.states[i].rates);
        });
    }
    constexpr void put_velocity_rates(std::span<S> dy) const {
        std::size_t v = split();
        for (std::size_t i = 0; i < w_->states_.size(); ++i) {
            auto const& m = w_->masses_[i];
            if (!m.movable) continue;
            auto const& b = w_->states_[i];
            auto const& f = w_->total_[i];
            if constexpr (in_momenta) {
                put(dy, v, f.force);
                put(dy, v, f.torque);
            } else {
                put(dy, v, f.force * m.inverse_mass);
                R const r = projected(b.pose.rotation);
                vec3<S> const omega = inverse_rotate(r, b.twist.angular);
                vec3<S> const torque = inverse_rotate(r, f.torque) + cross(m.inertia * omega, omega);
                put(dy, v, rotate(r, m.inverse_inertia * torque));
            }
        }
        for (std::size_t i = 0; i < w_->particle_states_.size(); ++i) {
            auto const& m = w_->particle_masses_[i];
            if (m.movable) put(dy, v, in_momenta ? w_->particle_total_[i] : w_->particle_total_[i] * m.inverse_mass);
        }
        w_->for_each_map([&](auto const& g) {
            for (std::size_t i = 0; i < g.states.size(); ++i) {
                if (!g.masses[i].movable) continue;
                auto const& w = g.work[i];
                if constexpr (in_momenta)
                    put(dy, v, w.force + w.energy_gradient);
                else
                    put(dy, v, w.inverse_mass * (w.force + w.velocity_force));
            }
        });
    }
    // Quaternions between steps are not of length 1, and such a one shears what it turns: parallel axes are so no more, and redundant joints contradict each other. Their own
    // rate is by the quaternion as it is, in which it is linear: implicit steps of any turn have a solution.
    constexpr void normalise_rotations() {
        if constexpr (requires(R const& r) { r.vector(); })
            for (std::size_t i = 0; i < w_->states_.size(); ++i)
                if (w_->masses_[i].movable) w_->states_[i].pose.rotation = projected(w_->states_[i].pose.rotation);
    }
    static constexpr bool in_momenta = World::config::form == motion_form::momentum;

    template <std::size_t N>
    static constexpr void put(std::span<S> y, std::size_t& at, vec<S, N> const& x) noexcept {
        for (std::size_t k = 0; k < N; ++k) y[at++] = x[k];
    }
    template <std::size_t N>
    static constexpr void take(std::span<S const> y, std::size_t& at, vec<S, N>& x) noexcept {
        for (std::size_t k = 0; k < N; ++k) x[k] = y[at++];
    }
    [[nodiscard]] constexpr std::size_t movable_bodies() const noexcept {
        std::size_t n = 0;
        for (auto const& m : w_->masses_) n += m.movable ? 1u : 0u;
        return n;
    }
    [[nodiscard]] constexpr std::size_t movable_particles() const noexcept {
        std::size_t n = 0;
        for (auto const& m : w_->particle_masses_) n += m.movable ? 1u : 0u;
        return n;
    }
    [[nodiscard]] constexpr std::size_t coordinates() const noexcept {
        std::size_t n = 0;
        w_->for_each_map([&](auto const& g) {
            for (auto const& m : g.masses) n += m.movable ? std::remove_cvref_t<decltype(g)>::map_type::coordinates : 0;
        });
        return n;
    }
    [[nodiscard]] constexpr std::size_t velocity_dimension() const noexcept { return movable_bodies() * 6 + movable_particles() * 3 + coordinates(); }

    World* w_;
    typename World::state_type const* from_;
    mask_t<S> failed_ = true;  // unless told
};

}  // namespace sinew::inline v0
