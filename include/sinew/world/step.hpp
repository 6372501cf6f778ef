#pragma once
// How a world steps: forces, free motion, and the solver at its level.

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
        w_->gather_forces(t);
        if constexpr (World::strategy_type::level == solver_level::acceleration) {
            auto const r = w_->solve_accelerations(kind, S(0));
            report.iterations += r.iterations;
            report.residual = r.residual;
            report.full_rank = report.full_rank && r.full_rank;
        }
        put_rates(dy);
        return changed ? derivative_status::changed : derivative_status::regular;
    }
    /// The same by the forces that the world has gathered.
    constexpr void put_rates(std::span<S> dy) const {
        std::size_t q = 0, v = split();
        for (std::size_t i = 0; i < w_->states_.size(); ++i) {
            auto const& m = w_->masses_[i];
            if (!m.movable) continue;
            auto const& b = w_->states_[i];
            put(dy, q, b.twist.linear);
            auto const rate = coordinate_rate(b.pose.rotation, b.twist.angular);
            for (std::size_t k = 0; k < R::dimension; ++k) dy[q++] = rate[k];
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
            if (!m.movable) continue;
            put(dy, q, w_->particle_states_[i].velocity);
            put(dy, v, in_momenta ? w_->particle_total_[i] : w_->particle_total_[i] * m.inverse_mass);
        }
        w_->for_each_map([&](auto const& g) {
            for (std::size_t i = 0; i < g.states.size(); ++i) {
                if (!g.masses[i].movable) continue;
                put(dy, q, g.states[i].rates);
                auto const& w = g.work[i];
                if constexpr (in_momenta)
                    put(dy, v, w.force + w.energy_gradient);
                else
                    put(dy, v, w.inverse_mass * (w.force + w.velocity_force));
            }
        });
    }

    solve_report<S> report{};

private:
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
        for (auto const& m : w_->masses_) n += m.movable ? 1 : 0;
        return n;
    }
    [[nodiscard]] constexpr std::size_t movable_particles() const noexcept {
        std::size_t n = 0;
        for (auto const& m : w_->particle_masses_) n += m.movable ? 1 : 0;
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
};

// What a solver sees of the user's constraints, type by type, and the contacts behind them.
template <class Config, template <class> class... Items>
template <class... P, std::size_t... I>
constexpr auto world<Config, Items...>::solved_entries([[maybe_unused]] std::tuple<P...>& all, std::index_sequence<I...>) {
    [[maybe_unused]] auto const entries = [&](auto& pool, [[maybe_unused]] std::size_t type) {
        std::size_t n = pool.size();
        if constexpr (env::sleeps) n = this->awake_entries(type, n);
        return std::span(pool.values().data(), n);
    };
    auto const own = std::make_tuple(entries(std::get<I>(all), I)...);
    if constexpr (env::has_shapes)
        return std::tuple_cat(own, this->contact_entries());
    else
        return own;
}
// A number that changes with what solvers see.
template <class Config, template <class> class... Items>
constexpr std::uint32_t world<Config, Items...>::solved_contents() const noexcept {
    std::uint32_t c = contents_;
    if constexpr (env::has_shapes) c = (c ^ this->set_contents_) * 0x9e3779b1u + 0x7f4a7c15u;
    if constexpr (env::sleeps) c = (c ^ this->layout_) * 0x9e3779b1u + 0x7f4a7c15u;
    return c;
}

template <class Config, template <class> class... Items>
constexpr auto world<Config, Items...>::make_problem() {
    return typename pools::problem_type{std::span(states_.data(), states_.size()),
                                        std::span<rigid_mass<S> const>(masses_.data(), masses_.size()),
                                        std::span(inverse_masses_.data(), inverse_masses_.size()),
                                        std::span(particle_states_.data(), particle_states_.size()),
                                        std::span<particle_mass<S> const>(particle_masses_.data(), particle_masses_.size()),
                                        solved_entries(constraints_, std::make_index_sequence<env::user_types>{}),
                                        solved_contents(),
                                        std::apply([](auto&... g) { return std::make_tuple(g.view()...); }, generalized_),
                                        elapsed_};
}

// Those on the links of generalized bodies, as forces on the coordinates; and what else the equations of motion ask of these bodies.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::gather_generalized([[maybe_unused]] S const& t) {
    for_each_map([&](auto& g) {
        for (std::uint32_t i = 0; i < g.states.size(); ++i) {
            if (!g.masses[i].movable) continue;
            auto& w = g.work[i];
            w.force = g.applied[i].coordinates;
            w.move(g.masses[i], g.states[i], [&](auto const& link, auto index) {
                wrench<S> sum = g.applied[i].links[index];
                sum.force += gravity * link.body.mass;
                detail::for_each_in(forces_, [&](auto const& p) {
                    using F = std::remove_cvref_t<decltype(p.values()[0].force)>;
                    if constexpr (detail::force_arity<F>::value == 0)
                        if (all(link.body.mass > S(0)))  // a mere place feels nothing
                            for (auto const& e : p.values()) sum += e.force.wrench_on(link.body, t);
                });
                w.force += detail::pulled(link.jacobian, sum);
            });
        }
    });
}

// Gravity, forces applied by the user, and force objects, at the states of now.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::gather_forces(S const& t) {
    total_.resize(states_.size());
    particle_total_.resize(particle_states_.size());
    applied_.resize(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i) {
        total_[i] = applied_[i];
        total_[i].force += gravity * masses_[i].mass;
    }
    for (std::size_t i = 0; i < particle_states_.size(); ++i) particle_total_[i] = particle_applied_[i] + gravity * particle_masses_[i].mass;
    gather_generalized(t);

    auto const act = [&](auto const& entry) {
        auto const& f = entry.force;
        using F = std::remove_cvref_t<decltype(f)>;
        if constexpr (detail::force_arity<F>::value == 0) {
            for (std::uint32_t i = 0; i < states_.size(); ++i)
                if (masses_[i].movable) total_[i] += f.wrench_on(seen(rigid{}, i), t);
            for (std::uint32_t i = 0; i < particle_states_.size(); ++i)
                if (particle_masses_[i].movable) particle_total_[i] += f.wrench_on(seen(point_mass{}, i), t).force;
        } else {
            using A = typename F::attachments;
            auto const w = wrenches_by(entry, t);
            auto const add = [&](auto kind, std::uint32_t i, auto const& one) {
                if constexpr (std::same_as<decltype(kind), rigid>)
                    total_[i] += one;
                else if constexpr (std::same_as<decltype(kind), point_mass>)
                    particle_total_[i] += one.force;
                else
                    generalized_of<typename decltype(kind)::map_type>().work[i].force += one;
            };
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (add(typename A::template kind<I>{}, entry.bodies[I], std::get<I>(w)), ...);
            }(std::make_index_sequence<A::size>{});
        }
    };
    detail::for_each_in(forces_, [&](auto const& p) {
        for (auto const& e : p.values()) act(e);
    });
}

// Symplectic Euler: velocities by the gathered forces ...
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::kick_all(S const& h) {
    for (std::size_t i = 1; i < states_.size(); ++i)
        if (masses_[i].movable) kick(states_[i], masses_[i], total_[i], h);
    for (std::size_t i = 0; i < particle_states_.size(); ++i)
        particle_states_[i].velocity += particle_total_[i] * (particle_masses_[i].inverse_mass * h);  // 0 of what no force moves
    for_each_map([&](auto& g) {
        for (std::size_t i = 0; i < g.states.size(); ++i)
            if (g.masses[i].movable) g.states[i].rates += g.work[i].inverse_mass * g.work[i].force * h;
    });
}
// ... then positions by the new velocities.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::drift_all(S const& h) {
    for (std::size_t i = 1; i < states_.size(); ++i)
        if (body_slots_[i].alive && !this->sleeps(static_cast<std::uint32_t>(i))) drift(states_[i], masses_[i], h, gyroscopic);
    for (auto& b : particle_states_) b.position += b.velocity * h;
    for_each_map([&](auto& g) {
        for (std::size_t i = 0; i < g.states.size(); ++i)
            if (g.masses[i].movable) drift(g.states[i], g.masses[i], h, gyroscopic);
    });
}

// Impulses where a step begins, if an acceleration-level solver knows any: whether they changed velocities.
template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::take_impulses() {
    if constexpr (requires { solver.impulses(make_problem()); })
        return solver.impulses(make_problem());
    else
        return false;
}
// Hits of the coming h seconds, if any constraint gives restitution: what the forces would do is tried, and taken back. Whether there may be any.
template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::strike_hits([[maybe_unused]] S const& h) {
    if constexpr (has_restitution) {
        if (!impacts_.note(make_problem(), h)) return false;
        gather_forces(time_);
        kick_all(h);
        impacts_.strike(make_problem(), h, velocity_lead);
        kick_all(-h);
        if constexpr (has_lanes_v<S>) impacts_.put_back_others(make_problem());
        return true;
    } else {
        return false;
    }
}
// Constraint forces onto the gathered ones. A solver need not ask what the state is for, nor how far a step goes.
template <class Config, template <class> class... Items>
constexpr auto world<Config, Items...>::solve_accelerations([[maybe_unused]] state_kind kind, [[maybe_unused]] S const& h) {
    auto const p = make_problem();
    std::span<wrench<S>> const forces(total_.data(), total_.size());
    std::span<vec3<S>> const particle_forces(particle_total_.data(), particle_total_.size());
    if constexpr (is_symplectic && requires { solver.solve_step(p, forces, particle_forces, h); })
        return solver.solve_step(p, forces, particle_forces, h);
    else if constexpr (requires { solver.solve(p, forces, particle_forces, kind); })
        return solver.solve(p, forces, particle_forces, kind);
    else
        return solver.solve(p, forces, particle_forces);
}

// The multipliers are part of the derivative, in every stage; then, if asked for, the positions are put back onto the constraints.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::step_accelerations(S const& h, step_report<S>& report) {
    if constexpr (is_symplectic) {
        (void)take_impulses();
        gather_forces(time_);
        merge(report, solve_accelerations(state_kind::regular, h));
        kick_all(h);
        drift_all(h);
    } else {
        integrate(h, report);
    }
}

// Forces, impulses, then motion. Another integrator's free motion is known only when it has arrived: its velocities are corrected where
// the step began, and its positions by as much as that correction would have moved them.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::step_velocities(S const& h, step_report<S>& report) {
    if constexpr (is_symplectic) {
        gather_forces(time_);
        kick_all(h);
        merge(report, solver.solve(make_problem(), h));
        drift_all(h);
    } else {
        start_.bodies = states_;
        start_.particles = particle_states_;
        for_each_of_maps([](auto const& g, auto& start) { start = g.states; }, start_.generalized);
        integrate(h, report);
        if (!report) return;
        auto& free = predicted_;
        free.bodies = states_;
        free.particles = particle_states_;
        for_each_of_maps(
            [](auto& g, auto& end, auto const& start) {
                end = g.states;
                for (std::size_t i = 0; i < g.states.size(); ++i) g.states[i].u = start[i].u;
            },
            free.generalized, start_.generalized);
        for (std::size_t i = 0; i < states_.size(); ++i) states_[i].pose = start_.bodies[i].pose;
        for (std::size_t i = 0; i < particle_states_.size(); ++i) particle_states_[i].position = start_.particles[i].position;
        merge(report, solver.solve(make_problem(), h));
        for (std::size_t i = 0; i < states_.size(); ++i) {
            states_[i].pose = free.bodies[i].pose;
            states_[i].pose.position += (states_[i].twist.linear - free.bodies[i].twist.linear) * h;
            states_[i].pose.rotation = nudged(states_[i].pose.rotation, (states_[i].twist.angular - free.bodies[i].twist.angular) * h);
        }
        for (std::size_t i = 0; i < particle_states_.size(); ++i)
            particle_states_[i].position = free.particles[i].position + (particle_states_[i].velocity - free.particles[i].velocity) * h;
        for_each_of_maps(
            [&](auto& g, auto const& end) {
                for (std::size_t i = 0; i < g.states.size(); ++i) g.states[i].u = end[i].u + (g.states[i].rates - end[i].rates) * h;
            },
            free.generalized);
    }
    if constexpr (requires { solver.relax(make_problem(), h); }) merge(report, solver.relax(make_problem(), h));
}

// Free motion predicts, the solver displaces (Waterson 2026, 4.1-4.2).
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::step_positions(S const& h, step_report<S>& report) {
    if constexpr (is_symplectic) {
        gather_forces(time_);
        kick_all(h);
        drift_all(h);
    } else {
        integrate(h, report);
        if (!report) return;
    }
    merge(report, solver.solve(make_problem(), h));
}

// One step of an integrator other than symplectic Euler.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::integrate(S const& h, step_report<S>& report) {
    motion_problem<world> motion(*this, backup_);
    auto const status = integrator.step(motion, time_, h, workspace_);
    if (status == ode_status::not_converged)
        report.status = step_status::not_converged;
    else if (status != ode_status::ok)
        report.status = step_status::not_finite;
    for (std::size_t i = 1; i < states_.size(); ++i)
        if (masses_[i].movable) states_[i].pose.rotation = projected(states_[i].pose.rotation);
    place_kinematic(backup_, time_ - backup_.time + h);
    merge(report, motion.report);
}

template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::merge(step_report<S>& report, solve_report<S> const& r) {
    report.iterations += r.iterations;
    report.residual = r.residual;
    report.full_rank = report.full_rank && r.full_rank;
}

// A step of h seconds since the backup has been taken.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::pass_time(S const& h) {
    // Kahan's sum: thousands of steps of 1/60 s would otherwise drift by whole per cents in float.
    S const exact = h - backup_.time_carry;
    time_ = backup_.time + exact;
    time_carry_ = (time_ - backup_.time) - exact;
    clear_applied();
}
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::clear_applied() {
    for (auto& w : applied_) w = {};
    for (auto& f : particle_applied_) f = {};
    for_each_map([](auto& g) { g.clear_applied(); });
}

template <class Config, template <class> class... Items>
constexpr error world<Config, Items...>::check_settings() const {
    error parameter = detail::check_finite("gravity", gravity);
    if (!parameter) parameter = detail::check_fault(solver);
    if (!parameter) parameter = detail::check_fault(integrator);
    if constexpr (env::has_shapes)
        if (!parameter) parameter = detail::check_fault(this->collision);
    if constexpr (env::sleeps)
        if (!parameter) parameter = detail::check_fault(this->sleep);
    return parameter;
}

template <class Config, template <class> class... Items>
constexpr step_report<typename Config::scalar> world<Config, Items...>::step(S const& h) {
    step_report<S> report;
    if constexpr (checks) {
        if (error e = detail::check_positive("step length", h)) {
            (void)refuse<bool>(e);
            report.status = step_status::invalid_step;
            return report;
        }
        if (error const parameter = check_settings()) {
            (void)refuse<bool>(parameter);
            report.status = step_status::invalid_parameter;
            return report;
        }
    }
    save_motion(backup_);
    this->wake_for_gravity();
    if constexpr (env::has_shapes)
        this->find_contacts(h, report);
    else
        this->arrange();
    int parts = 1;
    if constexpr (requires { solver.substeps; }) parts = solver.substeps > 1 ? solver.substeps : 1;
    S const dt = h / S(value_type_t<S>(parts));
    elapsed_ = S(0);
    if constexpr (requires { solver.begin(make_problem(), h); }) solver.begin(make_problem(), h);
    if constexpr (has_restitution) impacts_.begin(make_problem());
    for (int part = 0; part < parts && report; ++part) {
        [[maybe_unused]] bool const hits = strike_hits(dt);
        if constexpr (strategy_type::level == solver_level::acceleration)
            step_accelerations(dt, report);
        else if constexpr (strategy_type::level == solver_level::velocity)
            step_velocities(dt, report);
        else
            step_positions(dt, report);
        if constexpr (requires { solver.project(make_problem(), dt); })
            if (report) merge(report, solver.project(make_problem(), dt));
        if constexpr (has_restitution)
            if (hits && report) impacts_.leave(make_problem(), dt, velocity_lead);
        time_ = time_ + dt;
        elapsed_ = elapsed_ + dt;
        if constexpr (breaks)
            if (has_breakables_ && report) note_overloads();
    }
    if constexpr (requires { solver.finish(make_problem(), h); })
        if (report) merge(report, solver.finish(make_problem(), h));
    if (report && !is_finite()) report.status = step_status::not_finite;
    if (!report) {
        put_back(backup_);
        if constexpr (env::has_shapes) this->undo_contacts();
        return report;
    }
    pass_time(h);
    if constexpr (breaks)
        if (has_breakables_) report.broken = break_overloaded();
    if constexpr (env::has_shapes) this->stop_at_what_stands(h);
    if constexpr (env::sleeps) this->fall_asleep(h, report.islands);
    if constexpr (env::has_shapes) this->settle_contacts(h);
    return report;
}

template <class Config, template <class> class... Items>
template <class Bodies, class Particles>
constexpr bool world<Config, Items...>::are_finite(Bodies const& bodies, Particles const& particles) {
    bool finite = true;
    for (auto const& b : bodies) {
        finite = finite && all(isfinite(b.pose.position)) && all(isfinite(b.twist.linear)) && all(isfinite(b.twist.angular));
        for (std::size_t k = 0; k < R::dimension; ++k) finite = finite && all(isfinite(b.pose.rotation.coordinate(k)));
    }
    for (auto const& b : particles) finite = finite && all(isfinite(b.position)) && all(isfinite(b.velocity));
    return finite;
}

template <class Config, template <class> class... Items>
template <class States>
constexpr bool world<Config, Items...>::are_finite_rates(States const& states) {
    bool finite = true;
    for (auto const& b : states) finite = finite && all(isfinite(b.u)) && all(isfinite(b.rates));
    return finite;
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::is_finite() const {
    bool finite = are_finite(states_, particle_states_);
    for_each_map([&](auto const& g) { finite = finite && are_finite_rates(g.states); });
    detail::for_each_in(constraints_, [&](auto const& p) {
        for (auto const& e : p.values()) for_each_number(e, [&](S const& x) { finite = finite && all(isfinite(x)); });
    });
    if constexpr (env::has_shapes) this->active_.for_each_number([&](S const& x) { finite = finite && all(isfinite(x)); });
    return finite;
}

// Kinematic bodies and particles as far along their constant twists as a time after a saved state.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::place_kinematic(state_type const& from, S const& after) {
    for (std::size_t i = 1; i < states_.size(); ++i) {
        if (may_move(static_cast<std::uint32_t>(i)) || !body_slots_[i].alive) continue;
        states_[i].pose = from.bodies[i].pose;
        drift(states_[i], masses_[i], after, gyroscopic);
    }
    for (std::size_t i = 0; i < particle_states_.size(); ++i)
        if (!particle_masses_[i].movable) particle_states_[i].position = from.particles[i].position + from.particles[i].velocity * after;
}

// After every substep: a short jerk breaks too.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::note_overloads() {
    detail::for_each_in(constraints_, [&](auto& p) {
        using C = typename std::remove_cvref_t<decltype(p.values()[0])>::constraint_type;
        for (std::size_t i = 0; i < p.size(); ++i)
            for (std::size_t k = 0; k < attachments_t<C>::size; ++k) {
                wrench<S> const w = wrench_of(p.values()[i], k);
                p.side(i).exceeded = p.side(i).exceeded || any(norm(w.force) > p.side(i).force) || any(norm(w.torque) > p.side(i).torque);
            }
    });
}

// Backwards, since a removal moves the last one into the gap.
template <class Config, template <class> class... Items>
constexpr std::size_t world<Config, Items...>::break_overloaded() {
    std::size_t broken = 0;
    detail::for_each_in(constraints_, [&](auto& p) {
        using C = typename std::remove_cvref_t<decltype(p.values()[0])>::constraint_type;
        for (std::size_t i = p.size(); i-- > 0;) {
            if (!p.side(i).exceeded) continue;
            this->wake_bound(p.values()[i]);
            note(change::item_removed, p.slot_at(i), place_in_list<C>());
            p.remove_at(i);
            ++broken;
        }
    });
    return broken;
}

template <class Config, template <class> class... Items>
template <class Kind>
constexpr void world<Config, Items...>::remove_bound(std::uint32_t index) {
    auto const unbind_constraints = [&](auto& p) {
        using C = typename std::remove_cvref_t<decltype(p.values()[0])>::constraint_type;
        for (std::size_t i = p.size(); i-- > 0;) {
            bool bound = false;
            for_each_attachment(p.values()[i], [&](auto kind, auto, std::uint32_t b) { bound = bound || (std::same_as<decltype(kind), Kind> && b == index); });
            if (!bound) continue;
            this->wake_bound(p.values()[i]);
            note(change::item_removed, p.slot_at(i), place_in_list<C>());
            p.remove_at(i);
        }
    };
    detail::for_each_in(constraints_, unbind_constraints);
    auto const unbind_forces = [&](auto& p) {
        using F = std::remove_cvref_t<decltype(p.values()[0].force)>;
        if constexpr (detail::force_arity<F>::value > 0) {
            using A = typename F::attachments;
            for (std::size_t i = p.size(); i-- > 0;) {
                bool bound = false;
                [&]<std::size_t... I>(std::index_sequence<I...>) {
                    ((bound = bound || (std::same_as<typename A::template kind<I>, Kind> && p.values()[i].bodies[I] == index)), ...);
                }(std::make_index_sequence<A::size>{});
                if (!bound) continue;
                this->wake_bound(p.values()[i]);
                p.remove_at(i);
            }
        }
    };
    detail::for_each_in(forces_, unbind_forces);
}

template <class Config, template <class> class... Items>
template <class Map>
constexpr typename world<Config, Items...>::pose_type world<Config, Items...>::pose(generalized_handle<Map> const& h, std::size_t link) const {
    pose_type p{};
    if (!valid_link(h, link)) return p;
    auto const place = generalized_of<Map>().body(h.index).pose();
    with_link<Map>(link, [&](auto i) {
        auto const one = place.template link<i>();
        p.position = one.position;
        if constexpr (requires { one.rotation; }) p.rotation = rotation_cast<R>(one.rotation);
    });
    return p;
}
template <class Config, template <class> class... Items>
template <class Map>
constexpr twist<typename Config::scalar> world<Config, Items...>::twist(generalized_handle<Map> const& h, std::size_t link) const {
    sinew::twist<S> t{};
    if (!valid_link(h, link)) return t;
    auto const& g = generalized_of<Map>();
    with_link<Map>(link, [&](auto i) {
        auto const v = g.body(h.index).pose().template link_velocity<i>(g.states[h.index].rates);
        t.linear = {v[0], v[1], v[2]};
        if constexpr (v.size() == 6) t.angular = {v[3], v[4], v[5]};
    });
    return t;
}

template <class Config, template <class> class... Items>
constexpr typename Config::scalar world<Config, Items...>::kinetic_energy() const {
    S e{};
    for_each_body([&](body_handle h) {
        if (masses_[h.index].movable) e = e + sinew::kinetic_energy(body(h));
    });
    for_each_particle([&](particle_handle h) { e = e + sinew::kinetic_energy(body(h)); });
    for_each_map([&](auto const& g) {
        for (std::uint32_t i = 0; i < g.states.size(); ++i)
            if (g.masses[i].movable) e = e + sinew::kinetic_energy(g.body(i));
    });
    return e;
}

template <class Config, template <class> class... Items>
constexpr typename Config::scalar world<Config, Items...>::potential_energy() const {
    S e{};
    for_each_body([&](body_handle h) { e = e - masses_[h.index].mass * dot(gravity, states_[h.index].pose.position); });
    for_each_particle([&](particle_handle h) { e = e - particle_masses_[h.index].mass * dot(gravity, particle_states_[h.index].position); });
    // f(link) for each link of each generalized body.
    [[maybe_unused]] auto const for_each_link = [&](auto&& f) {
        for_each_map([&](auto const& g) {
            for (std::uint32_t i = 0; i < g.states.size(); ++i)
                if (g.masses[i].movable) g.body(i).for_each_link([&](auto const& link, auto) { f(link); });
        });
    };
    if constexpr (has_maps) for_each_link([&](auto const& link) { e = e - link.mass * dot(gravity, center_of(link)); });
    auto const of_constraint = [&](auto const& p) {
        using C = typename std::remove_cvref_t<decltype(p.values()[0])>::constraint_type;
        if constexpr (has_compliance<C> && is_holonomic_v<C, S>)
            for (auto const& entry : p.values()) {
                auto const c = residual(entry);
                auto const alpha = compliance_of<S>(entry.constraint);
                auto const limits_now = std::apply([&](auto const&... q) { return limits_of(entry.constraint, entry.lambda, q...); }, poses_of(const_problem(), entry));
                for (std::size_t i = 0; i < rows_v<C>; ++i) {
                    // alpha lambda^2 / 2 with lambda = -c / alpha, as far as its bounds let it: a slack rope holds nothing.
                    auto const soft = alpha[i] > S(0);
                    S const lambda = select(soft, clamp(-c[i] / select(soft, alpha[i], S(1)), limits_now.lower[i], limits_now.upper[i]), S(0));
                    e = e + alpha[i] * lambda * lambda / S(2);
                }
            }
    };
    detail::for_each_in(constraints_, of_constraint);
    auto const of_force = [&](auto const& p) {
        using F = std::remove_cvref_t<decltype(p.values()[0].force)>;
        for (auto const& entry : p.values()) {
            if constexpr (detail::force_arity<F>::value == 0) {
                if constexpr (requires { entry.force.energy(body_type{}); })
                    for_each_body([&](body_handle h) {
                        if (masses_[h.index].movable) e = e + entry.force.energy(body(h));
                    });
                if constexpr (requires { entry.force.energy(particle_type{}); })
                    for_each_particle([&](particle_handle h) { e = e + entry.force.energy(body(h)); });
                if constexpr (has_maps)
                    for_each_link([&](auto const& link) {
                        if constexpr (requires { entry.force.energy(link); })
                            if (all(link.mass > S(0))) e = e + entry.force.energy(link);
                    });
            } else {
                using A = typename F::attachments;
                [&]<std::size_t... I>(std::index_sequence<I...>) {
                    if constexpr (requires { entry.force.energy(seen(typename A::template kind<I>{}, entry.bodies[I])...); })
                        e = e + entry.force.energy(seen(typename A::template kind<I>{}, entry.bodies[I])...);
                }(std::make_index_sequence<A::size>{});
            }
        }
    };
    detail::for_each_in(forces_, of_force);
    return e;
}

template <class Config, template <class> class... Items>
constexpr vec3<typename Config::scalar> world<Config, Items...>::linear_momentum() const {
    vec3<S> p{};
    for_each_body([&](body_handle h) {
        if (masses_[h.index].movable) p += masses_[h.index].mass * states_[h.index].twist.linear;
    });
    for_each_particle([&](particle_handle h) { p += sinew::linear_momentum(body(h)); });
    for_each_map([&](auto const& g) {
        for (std::uint32_t i = 0; i < g.states.size(); ++i) p += sinew::linear_momentum(g.body(i));
    });
    return p;
}

template <class Config, template <class> class... Items>
constexpr vec3<typename Config::scalar> world<Config, Items...>::angular_momentum() const {
    vec3<S> l{};
    for_each_body([&](body_handle h) {
        if (masses_[h.index].movable) l += sinew::angular_momentum(body(h));
    });
    for_each_particle([&](particle_handle h) { l += sinew::angular_momentum(body(h)); });
    for_each_map([&](auto const& g) {
        for (std::uint32_t i = 0; i < g.states.size(); ++i)
            if (g.masses[i].movable) l += sinew::angular_momentum(g.body(i));
    });
    return l;
}

template <class Config, template <class> class... Items>
constexpr typename Config::scalar world<Config, Items...>::constraint_error() const {
    S worst{};
    auto const of_pool = [&](auto const& p) {
        using C = typename std::remove_cvref_t<decltype(p.values()[0])>::constraint_type;
        if constexpr (is_holonomic_v<C, S> && !is_bounded_v<C, S>)
            for (auto const& e : p.values()) {
                auto const c = residual(e);
                auto const alpha = compliance_of<S>(e.constraint);
                for (std::size_t i = 0; i < rows_v<C>; ++i) worst = max(worst, select(alpha[i] > S(0), S(0), abs(c[i])));
            }
    };
    detail::for_each_in(constraints_, of_pool);
    return worst;
}

template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::save(state_type& s) const {
    save_motion(s);
    if constexpr (env::has_shapes) this->save_contacts(s.contacts);
}
// Without the contacts, which a step that fails has kept itself.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::save_motion(state_type& s) const {
    s.bodies = states_;
    s.particles = particle_states_;
    for_each_of_maps([](auto const& g, auto& saved) { saved = g.states; }, s.generalized);
    s.time = time_;
    s.time_carry = time_carry_;
    s.contents = contents_;
    s.multipliers.clear();
    auto const of_pool = [&](auto const& p) {
        for_each_kept(p, [&](auto const& e) { for_each_number(e, [&](S const& x) { s.multipliers.push_back(x); }); });
    };
    detail::for_each_in(constraints_, of_pool);
    this->save_rest(s.rest);
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::restore(state_type const& s) {
    std::size_t rows = 0;
    detail::for_each_in(constraints_, [&](auto const& p) {
        for (auto const& e : p.values()) for_each_number(e, [&](S const&) { ++rows; });
    });
    bool fits = s.contents == contents_ && s.bodies.size() == states_.size() && s.particles.size() == particle_states_.size() && s.multipliers.size() == rows;
    for_each_of_maps([&](auto const& g, auto const& saved) { fits = fits && saved.size() == g.states.size(); }, s.generalized);
    if (!fits)
        return refuse<bool>({errc::mismatch, "world state", "does not fit this world: bodies or constraints were added or removed since it was saved", 0, false});
    bool finite = are_finite(s.bodies, s.particles) && all(isfinite(s.time));
    for_each_of_maps([&](auto const&, auto const& saved) { finite = finite && are_finite_rates(saved); }, s.generalized);
    for (S const& x : s.multipliers) finite = finite && all(isfinite(x));
    if constexpr (env::has_shapes) {
        s.contacts.awake.for_each_number([&](S const& x) { finite = finite && all(isfinite(x)); });
        if constexpr (env::sleeps) s.contacts.asleep.for_each_number([&](S const& x) { finite = finite && all(isfinite(x)); });
    }
    if (!finite) return refuse<bool>({errc::not_finite, "world state", "must be finite", 0, false});
    put_back(s);
    if constexpr (env::has_shapes) this->put_contacts(s.contacts);
    this->accept_gravity();
    this->arrange();
    clear_applied();  // forces for the coming step were meant for another one
    return true;
}

template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::put_back(state_type const& s) {
    states_ = s.bodies;
    particle_states_ = s.particles;
    for_each_of_maps([](auto& g, auto const& saved) { g.states = saved; }, s.generalized);
    time_ = s.time;
    time_carry_ = s.time_carry;
    std::size_t at = 0;
    auto const put = [&](auto& p) {
        for (std::size_t i = 0; i < p.size(); ++i) p.side(i).exceeded = false;
        for_each_kept(p, [&](auto& e) { for_each_number(e, [&](S& x) { x = s.multipliers[at++]; }); });
    };
    detail::for_each_in(constraints_, put);
    this->put_rest(s.rest);
}

}  // namespace sinew::inline v0
