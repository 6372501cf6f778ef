#pragma once
// States of a world: saved, checked and put back.

#include <sinew/world/container.hpp>

namespace sinew::inline v0 {

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
constexpr bool world<Config, Items...>::set_time(S const& t) {
    if (error_type e = input::finite("time", t)) return refuse<bool>(e);
    time_ = t;
    time_carry_ = S(0);
    return true;
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::is_finite() const {
    bool finite = are_finite(states_, particle_states_);
    if constexpr (!floating_scalar<S>) finite = finite && isfinite(time_);  // which nine hours suffice for
    for_each_map([&](auto const& g) { finite = finite && are_finite_rates(g.states); });
    detail::for_each_in(constraints_, [&](auto const& p) {
        for (auto const& e : p.values()) for_each_vector(e, [&](auto const& v) { finite = finite && all(isfinite(v)); });
    });
    if constexpr (env::has_shapes) this->active_.for_each_number([&](S const& x) { finite = finite && all(isfinite(x)); });
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
        if constexpr (breaks)
            for (std::size_t i = 0; i < p.size(); ++i) p.side(i).exceeded = false;
        for_each_kept(p, [&](auto& e) { for_each_number(e, [&](S& x) { x = s.multipliers[at++]; }); });
    };
    detail::for_each_in(constraints_, put);
    this->put_rest(s.rest);
}

}  // namespace sinew::inline v0
