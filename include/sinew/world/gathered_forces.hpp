#pragma once
// The forces of a stage: gravity, what the user has applied, and force objects.

#include <sinew/world/container.hpp>

namespace sinew::inline v0 {

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

// Gravity and forces applied by the user, on what is not a rigid body.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::gather_other_weights(S const& t) {
    particle_total_.resize(particle_states_.size());
    for (std::size_t i = 0; i < particle_states_.size(); ++i) particle_total_[i] = particle_applied_[i] + gravity * particle_masses_[i].mass;
    gather_generalized(t);
}

// Gravity, forces applied by the user, and force objects, at the states of now.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::gather_forces(S const& t) {
    total_.resize(states_.size());
    applied_.resize(states_.size());
    in_parts([masses = masses_.data(), applied = applied_.data(), total = total_.data(), g = gravity](std::size_t first_body, std::size_t end_body) {
        for (std::size_t i = first_body; i < end_body; ++i) total[i] = {applied[i].force + g * masses[i].mass, applied[i].torque};
    });
    gather_other_weights(t);

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

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::has_force_objects() const noexcept {
    bool any_objects = false;
    detail::for_each_in(forces_, [&](auto const& p) { any_objects = any_objects || p.size() > 0; });
    return any_objects;
}
// The forces as they are when a step begins. Without force objects they are known of any body without its being done.
template <class Config, template <class> class... Items>
constexpr void world<Config, Items...>::expect_forces() {
    if (has_force_objects())
        gather_forces(time_);
    else
        applied_.resize(states_.size());
}
template <class Config, template <class> class... Items>
constexpr wrench<typename Config::scalar> world<Config, Items...>::expected_force(std::uint32_t i) const {
    if (has_force_objects()) return total_[i];
    wrench<S> total = applied_[i];
    total.force += gravity * masses_[i].mass;
    return total;
}
// What they add to a body's twist in a step of h seconds.
template <class Config, template <class> class... Items>
constexpr sinew::twist<typename Config::scalar> world<Config, Items...>::expected_push(std::uint32_t i, S const& h) const {
    if (!masses_[i].movable) return {};
    return push_of(i, masses_[i], expected_force(i), h);
}
// The same, or what they would add if it woke.
template <class Config, template <class> class... Items>
constexpr sinew::twist<typename Config::scalar> world<Config, Items...>::expected_push_awake(std::uint32_t i, S const& h) const {
    if (masses_[i].movable || !(may_move(i) || this->rises_by_touch(i))) return expected_push(i, h);
    auto m = masses_[i];
    m.inverse_mass = S(1) / m.mass;
    m.inverse_inertia = inverse(m.inertia);
    wrench<S> total = expected_force(i);
    detail::for_each_in(forces_, [&](auto const& p) {
        using F = std::remove_cvref_t<decltype(p.values()[0].force)>;
        if constexpr (detail::force_arity<F>::value == 0)
            for (auto const& e : p.values()) total += e.force.wrench_on(seen(rigid{}, i), time_);
    });
    return push_of(i, m, total, h);
}
template <class Config, template <class> class... Items>
constexpr sinew::twist<typename Config::scalar> world<Config, Items...>::push_of(std::uint32_t i, rigid_mass<S> const& m, wrench<S> const& total, S const& h) const {
    auto const more = differs(total.force, gravity * m.mass) || differs(total.torque, vec3<S>{});
    vec3<S> const fall = gravity * h;
    if (!any(more)) return {fall, {}};
    auto const& at = states_[i].pose;
    vec3<S> angular = at.direction(m.inverse_inertia * at.local_direction(total.torque)) * h;
    vec3<S> linear = total.force * m.inverse_mass * h;
    if constexpr (derivative_order_v<S> > 0) {  // what has derivatives alone leaves the values of the fall
        auto const acts = detail::values_differ(total.force, gravity * m.mass) || detail::values_differ(total.torque, vec3<S>{});
        linear = select(acts, linear, detail::with_values_of(linear, fall));
        angular = select(acts, angular, detail::with_values_of(angular, vec3<S>{}));
    }
    if constexpr (has_lanes_v<S>) linear = select(more, linear, fall);
    return {linear, angular};
}

}  // namespace sinew::inline v0
