#pragma once
// How a world steps: forces (gathered_forces.hpp), free motion, and the solver at its level. What does not end finite is taken back (saving.hpp).

#include <sinew/core/call_with.hpp>
#include <sinew/world/container.hpp>
#include <sinew/world/gathered_forces.hpp>
#include <sinew/world/motion_problem.hpp>
#include <sinew/world/moving_bodies.hpp>
#include <sinew/world/removing.hpp>
#include <sinew/world/saving.hpp>

namespace sinew::inline v0 {

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
                                        detail::call_with([](auto&... g) { return std::make_tuple(g.view()...); }, generalized_),
                                        elapsed_};
}

// f(first, last) of parts of the bodies, on the solver's threads if it has any: what f does to one body must not depend on another.
template <class Config, template <class> class... Items>
template <class F>
constexpr void world<Config, Items...>::in_parts(F const& f) {
    if constexpr (requires { solver.in_parts(states_.size(), f); })
        solver.in_parts(states_.size(), f);
    else
        f(std::size_t{0}, states_.size());
}

// Symplectic Euler: velocities by the gathered forces ...
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::kick_all(S const& h) {
    in_parts([states = states_.data(), masses = masses_.data(), total = total_.data(), h](std::size_t first_body, std::size_t end_body) {
        for (std::size_t i = first_body; i < end_body; ++i)
            if (masses[i].movable) kick(states[i], masses[i], total[i], h);
    });
    kick_others(h);
}
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::kick_others(S const& h) {
    for (std::size_t i = 0; i < particle_states_.size(); ++i)
        particle_states_[i].velocity += detail::gained_velocity(particle_total_[i], particle_masses_[i].inverse_mass, h);  // 0 of what no force moves
    for_each_map([&](auto& g) {
        for (std::size_t i = 0; i < g.states.size(); ++i)
            if (g.masses[i].movable) g.states[i].rates += g.work[i].inverse_mass * g.work[i].force * h;
    });
}

// The same, of the forces of now. What nothing but gravity and the user acts on, is pushed where its force is summed up.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::gather_and_kick(S const& h) {
    if (has_force_objects()) {
        gather_forces(time_);
        kick_all(h);
        return;
    }
    applied_.resize(states_.size());
    in_parts([states = states_.data(), masses = masses_.data(), applied = applied_.data(), g = gravity, h](std::size_t first_body, std::size_t end_body) {
        for (std::size_t i = first_body; i < end_body; ++i)
            if (masses[i].movable) kick(states[i], masses[i], wrench<S>{applied[i].force + g * masses[i].mass, applied[i].torque}, h);
    });
    gather_other_weights(time_);
    kick_others(h);
}

// ... then positions by the new velocities.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::drift_all(S const& h) {
    in_parts([&](std::size_t first_body, std::size_t end_body) {
        detail::drift_bodies<body_lanes>(states_.data(), masses_.data(), first_body > 0 ? first_body : 1, end_body, h, gyroscopic,
                                         [&](std::size_t i) { return body_slots_[i].alive && !this->sleeps(static_cast<std::uint32_t>(i)); });
    });
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
        impacts_.put_back_others(make_problem());
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
        if constexpr (requires { solver.step_impulses(make_problem(), h); })
            (void)solver.step_impulses(make_problem(), h);
        else
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
        gather_and_kick(h);
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
        gather_and_kick(h);
        drift_all(h);
    } else {
        integrate(h, report);
        if (!report) return;
    }
    merge(report, solver.solve(make_problem(), h));
}

// What an integrator leaves of the rotations, as rotations. False if one is lost: of a matrix of numbers whose squares have no room only zeros are left. What has no
// more numbers than freedoms is a rotation whatever they are.
template <class Config, template <class> class... Items>
constexpr auto world<Config, Items...>::project_rotations() -> mask_t<S> {
    mask_t<S> kept = true;
    for (std::size_t i = 1; i < states_.size(); ++i) {
        if (!masses_[i].movable) continue;
        auto& r = states_[i].pose.rotation;
        r = projected(r);
        if constexpr (R::dimension > 3) kept = kept && deviation(r) < S(1) / S(64);
    }
    return kept;
}

// One step of an integrator other than symplectic Euler.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::integrate(S const& h, step_report<S>& report) {
    motion_problem<world> motion(*this, backup_);
    auto const status = integrator.step(motion, time_, h, workspace_);
    if (status == ode_status::not_converged)
        report.status = step_status::not_converged;
    else if (status != ode_status::ok)
        commit_unless(motion.failed(), report);
    commit_unless(!project_rotations(), report);
    place_kinematic(backup_, time_ - backup_.time + h);
    merge(report, motion.report);
}

template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::merge(step_report<S>& report, solve_report<S> const& r) {
    if constexpr (!floating_scalar<S>)
        commit_unless(!r.in_range, report);
    report.iterations += r.iterations;
    report.residual = r.residual;
    report.full_rank = report.full_rank && r.full_rank;
}

// A state that is none in one lane is committed in none.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::commit_unless(mask_t<S> const& failed, step_report<S>& report) {
    if (!any(failed)) return;
    report.status = step_status::not_finite;
    report.failed = report.failed || failed;
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
constexpr auto world<Config, Items...>::check_settings() const -> error_type {
    error_type parameter = detail::check_finite<error_type>("gravity", gravity);
    if (!parameter) parameter = detail::check_fault<error_type>(solver);
    if (!parameter) parameter = detail::check_fault<error_type>(integrator);
    if constexpr (env::has_shapes)
        if (!parameter) parameter = detail::check_fault<error_type>(this->collision);
    if constexpr (env::sleeps)
        if (!parameter) parameter = detail::check_fault<error_type>(this->sleep);
    return parameter;
}

template <class Config, template <class> class... Items>
constexpr step_report<typename Config::scalar> world<Config, Items...>::step(S const& h) {
    step_report<S> report;
    int parts = 1;
    if constexpr (requires { solver.substeps; }) parts = solver.substeps > 1 ? solver.substeps : 1;
    if constexpr (checks) {
        error_type e = detail::check_positive<error_type>("step length", h);
        if constexpr (!floating_scalar<S> && strategy_type::level != solver_level::acceleration)
            if (!e) e = detail::check_rate<error_type>("step length", h, parts);
        if (e) {
            (void)refuse<bool>(e);
            report.status = step_status::invalid_step;
            return report;
        }
        if (error_type const parameter = check_settings()) {
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
    elapsed_ = S(0);
    if constexpr (requires { solver.begin(make_problem(), h); }) solver.begin(make_problem(), h);
    if constexpr (has_restitution) impacts_.begin(make_problem());
    for (int part = 0; part < parts && report; ++part) {
        // In fixed point a share of h is rounded. There each part takes its share of what is left, and together they are h.
        S const dt = floating_scalar<S> ? h / S(value_type_t<S>(parts)) : (h - elapsed_) / S(value_type_t<S>(parts - part));
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
    if (report) commit_unless(!is_finite(), report);
    if (!report) {
        put_back(backup_);
        if constexpr (env::has_shapes) this->undo_contacts();
        if constexpr (requires { solver.forget(); }) solver.forget();
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

}  // namespace sinew::inline v0
