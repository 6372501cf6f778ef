#pragma once
// One step of a simulation group: of fixed length, or as a whole and in two halves, which say how far it is off.

#include <sinew/world/simulation_groups.hpp>
#include <sinew/world/group_hulls.hpp>

namespace sinew::inline v0 {

template <class World>
constexpr step_report<typename World::S> simulation_groups<World>::step_part(S const& h, report_type& report) {
    part_.push();
    report.body_steps += part_.moved_count();
    return part_.stepped().step(h);
}

// How far the part is from another outcome of the same step, in units of what is tolerated.
template <class World>
constexpr typename World::S simulation_groups<World>::difference(state_type const& from, state_type const& other) {
    World& w = part_.stepped();
    S worst{};
    auto const note = [&](S const& off, S const& way) {
        S const tolerated = settings.absolute_error + settings.relative_error * way;
        worst = max(worst, off > S(0) ? (tolerated > S(0) ? off / tolerated : infinity_v<S>) : S(0));
    };
    for (std::size_t i = 1; i < w.states_.size(); ++i) {
        if (!w.masses_[i].movable) continue;
        auto const &a = from.bodies[i].pose, &b = other.bodies[i].pose, &c = w.states_[i].pose;
        note(norm(c.position - b.position), norm(c.position - a.position));
        S turn{}, turned{};  // of that axis of the body which differs most
        for (std::size_t k = 0; k < 3; ++k) {
            vec3<S> const axis{S(k == 0), S(k == 1), S(k == 2)};
            vec3<S> const now = c.direction(axis);
            turn = max(turn, norm(now - b.direction(axis)));
            turned = max(turned, norm(now - a.direction(axis)));
        }
        note(turn, turned);
    }
    for (std::size_t i = 0; i < w.particle_states_.size(); ++i)
        note(norm(w.particle_states_[i].position - other.particles[i].position), norm(w.particle_states_[i].position - from.particles[i].position));
    w.for_each_of_maps(
        [&](auto const& g, auto const& before, auto const& instead) {
            for (std::size_t i = 0; i < g.states.size(); ++i)
                for (std::size_t k = 0; k < g.states[i].u.size(); ++k) note(abs(g.states[i].u[k] - instead[i].u[k]), abs(g.states[i].u[k] - before[i].u[k]));
        },
        from.generalized, other.generalized);
    return worst;
}

template <class World>
constexpr void simulation_groups<World>::forget_events([[maybe_unused]] std::size_t begun, [[maybe_unused]] std::size_t ended) {
    if constexpr (env::has_shapes) {
        while (staged_.begun.size() > begun) staged_.begun.pop_back();
        while (staged_.ended.size() > ended) staged_.ended.pop_back();
    }
}

// One step of the part, as long as all others; the last one may be shorter.
template <class World>
constexpr typename simulation_groups<World>::outcome simulation_groups<World>::take_fixed_step(World& w, run& r, S const& duration, S& done, report_type& report) {
    S const step = settings.initial_step > S(0) ? settings.initial_step : duration;
    auto const grid = detail::count_steps(S(0), duration, step);
    bool const last = r.steps + 1 >= grid.steps;
    S const length = last && !grid.whole ? duration - done : step;
    if (outcome const o = hold(w, length, duration - done); o != outcome::reached) return o;
    last_ = step_part(length, report);
    if (!last_) return outcome::failed;
    if (outcome const o = look_back(w, length); o != outcome::reached) return o;
    if constexpr (env::has_shapes) part_.give_events(staged_.begun, staged_.ended);
    ++r.steps;
    done = last ? duration : static_cast<S>(r.steps) * step;
    return outcome::reached;
}

// One step in two halves, or none if its error was too large; `step` becomes what to try next.
template <class World>
constexpr typename simulation_groups<World>::outcome simulation_groups<World>::take_step(World& w, run& r, S& step, S const& left, S const& floor, S& done,
                                                                                        report_type& report) {
    S length = max(unhurried(min(step, settings.max_step)), floor);
    bool const free = length <= left / S(2);
    if (length >= left)
        length = left;
    else if (!free)
        length = left / S(2);  // two alike instead of a long one and a short one
    bool const last = length == left;
    S const end = done + length;
    if (outcome const o = hold(w, length, left); o != outcome::reached) return o;
    auto const keep_events = [&] {
        if constexpr (env::has_shapes) part_.give_events(staged_.begun, staged_.ended);
    };
    auto const keep = [&](S const& at) {
        keep_events();
        ++r.steps;
        done = at;
        return outcome::reached;
    };

    part_.save(from_);
    part_.set_breaking(false);
    bool const whole = static_cast<bool>(step_part(length, report));
    part_.set_breaking(true);
    part_.save_motion(coarse_);
    part_.restore(from_);
    S const half = length / S(2);
    auto const shorten = [&](S const& factor) {
        ++report.rejections;
        step = max(length * factor, floor);
        return outcome::reached;
    };
    std::size_t begun = 0, ended = 0;
    if constexpr (env::has_shapes) {
        begun = staged_.begun.size();
        ended = staged_.ended.size();
    }
    last_ = step_part(half, report);
    if (!last_) return length > floor ? shorten(S(1) / S(4)) : outcome::failed;
    if (outcome const o = look_back(w, half); o != outcome::reached) return o;
    // What has broken cannot be taken back: the first half is kept as it is.
    if (last_.broken > 0) return keep(done + half);
    keep_events();
    if (outcome const o = hold(w, half, left - half); o != outcome::reached) return o;
    last_ = step_part(half, report);
    if (!last_) {
        forget_events(begun, ended);
        part_.restore(from_);
        return length > floor ? shorten(S(1) / S(4)) : outcome::failed;
    }
    using control_type = step_parameters<S>;
    control_type const control{};
    constexpr int order = World::strategy_type::level == solver_level::acceleration ? World::config::integrator::order : 1;
    S const error = whole ? difference(from_, coarse_) : infinity_v<S>;
    if (!(error <= S(1))) {
        if (length > floor && last_.broken == 0) {
            forget_events(begun, ended);
            part_.restore(from_);
            return shorten(r.pace.control.reject(control, error, order, false));
        }
        ++report.at_floor;
    }
    S const grown = length * r.pace.control.accept(control, min(error, scalar_traits<S>::max), order, false);
    step = max(free || grown > step ? grown : step, floor);
    if (outcome const o = look_back(w, half); o != outcome::reached) return o;
    ++r.steps;  // two halves are two
    return keep(last ? done + left : end);
}

}  // namespace sinew::inline v0
