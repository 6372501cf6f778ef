#pragma once
// States of a world: saved, checked and put back.

#include <sinew/world/container.hpp>

namespace sinew::inline v0 {

template <class Config, template <class> class... Items>
template <class Bodies, class Particles>
constexpr auto world<Config, Items...>::are_finite(Bodies const& bodies, Particles const& particles) -> mask_t<S> {
    mask_t<S> finite = true;
    for (auto const& b : bodies) {
        finite = finite && isfinite(b.pose.position) && isfinite(b.twist.linear) && isfinite(b.twist.angular);
        for (std::size_t k = 0; k < R::dimension; ++k) finite = finite && isfinite(b.pose.rotation.coordinate(k));
    }
    for (auto const& b : particles) finite = finite && isfinite(b.position) && isfinite(b.velocity);
    return finite;
}

template <class Config, template <class> class... Items>
template <class States>
constexpr auto world<Config, Items...>::are_finite_rates(States const& states) -> mask_t<S> {
    mask_t<S> finite = true;
    for (auto const& b : states) finite = finite && isfinite(b.u) && isfinite(b.rates);
    return finite;
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::set_time(S const& t) {
    if (error_type e = input::finite("time", t)) return refuse<bool>(e);
    time_ = t;
    time_carry_ = S(0);
    return true;
}

template <class Config, template <class> class... Items>
constexpr auto world<Config, Items...>::is_finite() const -> mask_t<S> {
    mask_t<S> finite = are_finite(states_, particle_states_);
    if constexpr (!floating_scalar<S>) finite = finite && isfinite(time_);  // which nine hours suffice for
    for_each_map([&](auto const& g) { finite = finite && are_finite_rates(g.states); });
    detail::for_each_in(constraints_, [&](auto const& p) {
        for (auto const& e : p.values()) for_each_vector(e, [&](auto const& v) { finite = finite && isfinite(v); });
    });
    if constexpr (env::has_shapes) this->active_.for_each_number([&](S const& x) { finite = finite && isfinite(x); });
    return finite;
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
    s.wrenches.clear();
    for_each_wrench(constraints_, [&](wrench<S> const& w) { s.wrenches.push_back(w); });
    this->save_rest(s.rest);
}

// Whether it is one of this world, and finite in the lanes that are meant.
template <class Config, template <class> class... Items>
constexpr auto world<Config, Items...>::check_state(state_type const& s, mask_t<S> const& lanes) const -> error_type {
    std::size_t rows = 0, wrenches = 0;
    detail::for_each_in(constraints_, [&](auto const& p) {
        for (auto const& e : p.values()) for_each_number(e, [&](S const&) { ++rows; });
    });
    for_each_wrench(constraints_, [&](wrench<S> const&) { ++wrenches; });
    bool fits = s.contents == contents_ && s.bodies.size() == states_.size() && s.particles.size() == particle_states_.size() && s.multipliers.size() == rows && s.wrenches.size() == wrenches;
    for_each_of_maps([&](auto const& g, auto const& saved) { fits = fits && saved.size() == g.states.size(); }, s.generalized);
    if (!fits) return {errc::mismatch, "world state", "does not fit this world: bodies or constraints were added, removed, enabled or disabled since it was saved", 0, false};
    mask_t<S> finite = are_finite(s.bodies, s.particles) && isfinite(s.time);
    for_each_of_maps([&](auto const&, auto const& saved) { finite = finite && are_finite_rates(saved); }, s.generalized);
    for (S const& x : s.multipliers) finite = finite && isfinite(x);
    for (auto const& w : s.wrenches) finite = finite && isfinite(w.force) && isfinite(w.torque);
    if constexpr (env::has_shapes) {
        s.contacts.awake.for_each_number([&](S const& x) { finite = finite && isfinite(x); });
        if constexpr (env::sleeps) s.contacts.asleep.for_each_number([&](S const& x) { finite = finite && isfinite(x); });
    }
    if (any(lanes && !finite)) return {errc::not_finite, "world state", "must be finite", 0, false};
    return {};
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::restore(state_type const& s) {
    if (error_type const e = check_state(s, true)) return refuse<bool>(e);
    put_back(s);
    if constexpr (env::has_shapes) this->put_contacts(s.contacts);
    this->arrange();
    clear_applied();  // forces for the coming step were meant for another one
    return true;
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::restore(state_type const& s, mask_t<S> const& lanes) {
    if (all(lanes)) return restore(s);
    if (error_type const e = check_state(s, lanes)) return refuse<bool>(e);
    if constexpr (has_lanes_v<S>) {
        if constexpr (env::has_shapes)
            if (error_type const e = this->put_contacts_in(lanes, s.contacts)) return refuse<bool>(e);
        auto const put = [&](auto& mine, auto const& saved) { mine = select(lanes, saved, mine); };
        for (std::size_t i = 0; i < states_.size(); ++i) {
            put(states_[i].pose, s.bodies[i].pose);
            put(states_[i].twist, s.bodies[i].twist);
        }
        for (std::size_t i = 0; i < particle_states_.size(); ++i) {
            put(particle_states_[i].position, s.particles[i].position);
            put(particle_states_[i].velocity, s.particles[i].velocity);
        }
        put(time_, s.time);
        put(time_carry_, s.time_carry);
        std::size_t at = 0;
        detail::for_each_in(constraints_, [&](auto& p) { for_each_kept(p, [&](auto& e) { for_each_number(e, [&](S& x) { put(x, s.multipliers[at++]); }); }); });
        at = 0;
        for_each_wrench(constraints_, [&](wrench<S>& w) { put(w, s.wrenches[at++]); });
        for (auto& w : applied_) put(w, wrench<S>{});
        for (auto& f : particle_applied_) put(f, vec3<S>{});
        if constexpr (env::has_shapes) this->note_all_motion();
        this->arrange();
    }
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
        if constexpr (breaks)
            for (std::size_t i = 0; i < p.size(); ++i) p.side(i).exceeded = false;
        for_each_kept(p, [&](auto& e) { for_each_number(e, [&](S& x) { x = s.multipliers[at++]; }); });
    };
    detail::for_each_in(constraints_, put);
    at = 0;
    for_each_wrench(constraints_, [&](wrench<S>& w) { w = s.wrenches[at++]; });
    this->put_rest(s.rest);
}

}  // namespace sinew::inline v0
