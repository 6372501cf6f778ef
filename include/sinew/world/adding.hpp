#pragma once
// What comes into a world: bodies, constraints and forces, each looked at before anything is changed.

#include <sinew/core/call_with.hpp>
#include <sinew/world/container.hpp>

namespace sinew::inline v0 {

namespace detail {
template <class S>
[[nodiscard]] constexpr bool is_finite_push(wrench<S> const& w) {
    return all(isfinite(w.force)) && all(isfinite(w.torque));
}
template <class S, std::size_t N>
[[nodiscard]] constexpr bool is_finite_push(vec<S, N> const& f) {
    return all(isfinite(f));
}
}  // namespace detail

template <class Config, template <class> class... Items>
constexpr handle<rigid> world<Config, Items...>::add(body_type const& b) {
    if (error_type e = check(b)) return refuse<body_handle>(e);
    if (body_slots_.full() || (body_slots_.next() == states_.size() && is_full(states_)))
        return refuse<body_handle>(full("bodies", Config::storage::limits.bodies));
    rigid_mass<S> m{b.mass, S(1) / b.mass, b.inertia, inverse(b.inertia), true};  // not const: in constant expressions g++ 12 would refuse lanes in it
    return place_body({{b.pose.position, projected(b.pose.rotation)}, b.twist}, m);
}

template <class Config, template <class> class... Items>
constexpr handle<rigid> world<Config, Items...>::add_fixed(pose_type const& p, sinew::twist<S> const& t) {
    if (error_type e = input::pose(p)) return refuse<body_handle>(e);
    if (error_type e = input::twist(t)) return refuse<body_handle>(e);
    if (body_slots_.full() || (body_slots_.next() == states_.size() && is_full(states_)))
        return refuse<body_handle>(full("bodies", Config::storage::limits.bodies));
    return place_body({{p.position, projected(p.rotation)}, t}, {});
}

template <class Config, template <class> class... Items>
constexpr handle<point_mass> world<Config, Items...>::add(particle_type const& b) {
    if (error_type e = input::mass(b.mass)) return refuse<particle_handle>(e);
    if (error_type e = input::finite("position", b.position)) return refuse<particle_handle>(e);
    if (error_type e = input::finite("velocity", b.velocity)) return refuse<particle_handle>(e);
    return place_particle({b.position, b.velocity}, {b.mass, S(1) / b.mass, true});
}

template <class Config, template <class> class... Items>
constexpr handle<point_mass> world<Config, Items...>::add_fixed_particle(vec3<S> const& position) {
    if (error_type e = input::finite("position", position)) return refuse<particle_handle>(e);
    return place_particle({position, {}}, {});
}

template <class Config, template <class> class... Items>
template <class Map>
constexpr handle<generalized<Map>> world<Config, Items...>::add(generalized_body<Map> const& b) {
    if (error_type e = input::generalized(b)) return refuse<generalized_handle<Map>>(e);
    auto& g = generalized_of<Map>();
    if (g.slots.full()) return refuse<generalized_handle<Map>>(full("generalized bodies of this map", limits.generalized));
    std::uint32_t const i = g.add(b);
    note(change::generalized_added, i, place_of_map<Map>());
    return {i, g.slots[i].generation, tag_};
}

template <class Config, template <class> class... Items>
constexpr auto world<Config, Items...>::check(body_type const& b) noexcept -> error_type {
    if (error_type e = input::mass(b.mass)) return e;
    if (error_type e = input::inertia(b.inertia)) return e;
    if (error_type e = input::pose(b.pose)) return e;
    return input::twist(b.twist);
}

template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::put_body(std::uint32_t i, rigid_state<S, R> const& state, rigid_mass<S> const& m) {
    states_.put(i, state);
    masses_.put(i, m);
    inverse_masses_.put(i, {});
    applied_.put(i, {});
    this->add_rest(i);
}

template <class Config, template <class> class... Items>
constexpr handle<rigid> world<Config, Items...>::place_body(rigid_state<S, R> const& state, rigid_mass<S> const& m) {
    std::uint32_t const i = body_slots_.take(body_slots_.next());
    note(change::body_added, i, m.movable ? 1 : 0);
    put_body(i, state, m);
    return {i, body_slots_[i].generation, tag_};
}

template <class Config, template <class> class... Items>
constexpr handle<point_mass> world<Config, Items...>::place_particle(particle_state<S> const& state, particle_mass<S> const& m) {
    if (particle_slots_.full()) return refuse<particle_handle>(full("particles", limits.particles));
    std::uint32_t const i = particle_slots_.take(0);
    note(change::particle_added, i, m.movable ? 1 : 0);
    if (i == particle_states_.size()) {
        particle_states_.push_back(state);
        particle_masses_.push_back(m);
    } else {
        particle_states_[i] = state;
        particle_masses_[i] = m;
    }
    particle_applied_.resize(particle_states_.size());
    return {i, particle_slots_[i].generation, tag_};
}

template <class Config, template <class> class... Items>
template <class... H>
constexpr auto world<Config, Items...>::check_bodies([[maybe_unused]] H const&... handles) const -> error_type {
    if constexpr (!checks) return {};
    error_type found{};
    ((found = found ? found : check(handles)), ...);
    if (found) return found;
    [[maybe_unused]] auto const same = [](auto const& a, auto const& b) {
        if constexpr (std::same_as<decltype(a), decltype(b)>)
            return a == b;
        else
            return false;
    };
    int equal_pairs = 0;
    ([&](auto const& a) { equal_pairs += (static_cast<int>(same(a, handles)) + ... + 0); }(handles), ...);
    if (equal_pairs > static_cast<int>(sizeof...(H)))
        return {errc::self_binding, "bodies of a constraint or force", "must be different bodies, not the same one twice", 0, false};
    return {};
}

template <class Config, template <class> class... Items>
template <class C, class... H>
constexpr handle<C> world<Config, Items...>::add_constraint(C const& c, H const&... handles) {
    static_assert(detail::binds_kinds<attachments_t<C>, std::tuple<H...>>::value,
                  "sinew: this constraint is added with the wrong handles: give one per attachment, body handles for `rigid`, particle handles for "
                  "`point_mass`, those of its map for `generalized`, in the order of its `attachments`.");
    if (error_type e = check_bodies(handles...)) return refuse<handle<C>>(e);
    if (error_type e = input::fault(c)) return refuse<handle<C>>(e);
    constraint_entry<C, S, env::memory_per_row> entry{c, {handles.index...}, {}};
    if (error_type e = check_evaluation(entry)) return refuse<handle<C>>(e);
    auto& pool = pool_of<C>();
    if (pool.full()) return refuse<handle<C>>(full("constraints of this type", Config::storage::limits.constraints));
    if constexpr (limits.rows > 0)
        if (row_count() + rows_v<C> > limits.rows) return refuse<handle<C>>(full("rows of constraints", limits.rows));
    this->wake_bound(entry);
    std::uint32_t const s = pool.add(entry, {});
    note(change::item_added, s, place_in_list<C>());
    for (std::uint32_t const body : entry.bodies) note(change::item_added, body);
    return {s, pool.slots()[s].generation, tag_};
}

template <class Config, template <class> class... Items>
template <class F, class... H>
constexpr handle<F> world<Config, Items...>::add_force(F const& f, H const&... handles) {
    if constexpr (detail::force_arity<F>::value > 0) {
        static_assert(detail::binds_kinds<typename F::attachments, std::tuple<H...>>::value,
                      "sinew: this force is added with the wrong handles: give one per attachment, in the order of its `attachments`.");
    } else {
        static_assert(sizeof...(H) == 0, "sinew: this force acts on every body; add it without handles.");
    }
    if (error_type e = check_bodies(handles...)) return refuse<handle<F>>(e);
    if (error_type e = input::fault(f)) return refuse<handle<F>>(e);
    detail::force_entry<F> entry{f, {handles.index...}};
    if (error_type e = check_action(entry)) return refuse<handle<F>>(e);
    auto& pool = pool_of<F>();
    if (pool.full()) return refuse<handle<F>>(full("forces of this type", limits.forces));
    this->wake_bound(entry);
    std::uint32_t const s = pool.add(entry, {});
    note(change::item_added, s, place_in_list<F>());
    return {s, pool.slots()[s].generation, tag_};
}

// A constraint with a NaN inside is found by what it yields.
template <class Config, template <class> class... Items>
template <class E>
constexpr auto world<Config, Items...>::check_evaluation([[maybe_unused]] E const& entry) const -> error_type {
    if constexpr (!checks) return {};
    auto const p = const_problem();
    auto const poses = poses_of(p, entry);
    bool finite = all(isfinite(residual(entry, p, poses)));
    auto const J = detail::call_with([&](auto const&... q) { return jacobian_of(entry.constraint, q...); }, poses);
    for (S const& x : J.e) finite = finite && all(isfinite(x));
    if constexpr (has_compliance<typename E::constraint_type>)
        for (S const& x : compliance_of<S>(entry.constraint).e)
            if (error_type e = detail::as_error<error_type>(nonnegative_parameter("compliance", x))) return e;
    if constexpr (is_bounded_v<typename E::constraint_type, S>) {
        auto const limits_now = detail::call_with([&](auto const&... q) { return limits_of(entry.constraint, entry.lambda, q...); }, poses);
        for (std::size_t i = 0; i < rows_v<typename E::constraint_type>; ++i)
            if (!all(limits_now.lower[i] <= limits_now.upper[i]))
                return {errc::invalid_parameter, "limits", "must be numbers, the lower not above the upper; the lower one", detail::shown_number(limits_now.lower[i], limits_now.lower[i] <= limits_now.upper[i]), true};
    }
    if constexpr (has_damping<typename E::constraint_type>)
        for (S const& x : damping_of<S>(entry.constraint).e)
            if (error_type e = detail::as_error<error_type>(nonnegative_parameter("damping", x))) return e;
    if (!finite) return {errc::not_finite, "constraint", "must have finite parameters: its error or Jacobian is not finite here", 0, false};
    return {};
}

// Likewise a force: on the bodies it is added with, or on those that are there.
template <class Config, template <class> class... Items>
template <class F>
constexpr auto world<Config, Items...>::check_action([[maybe_unused]] detail::force_entry<F> const& entry) const -> error_type {
    if constexpr (!checks) return {};
    bool finite = true;
    if constexpr (detail::force_arity<F>::value > 0) {
        detail::call_with([&](auto const&... w) { finite = (detail::is_finite_push(w) && ...); }, wrenches_by(entry, time_));
    } else {
        for_each_map([&](auto const& g) {
            for (std::uint32_t i = 0; i < g.states.size(); ++i)
                if (g.masses[i].movable) g.body(i).for_each_link([&](auto const& link, auto) { finite = finite && detail::is_finite_push(entry.force.wrench_on(link, time_)); });
        });
        for (std::uint32_t i = 0; i < states_.size(); ++i)
            if (masses_[i].movable) {
                wrench<S> const w = entry.force.wrench_on(seen(rigid{}, i), time_);
                finite = finite && detail::is_finite_push(w);
            }
        for (std::uint32_t i = 0; i < particle_states_.size(); ++i)
            if (particle_masses_[i].movable) finite = finite && all(isfinite(entry.force.wrench_on(seen(point_mass{}, i), time_).force));
    }
    return finite ? error_type{} : error_type{errc::not_finite, "force", "must have finite parameters: its wrench is not finite here", 0, false};
}

}  // namespace sinew::inline v0
