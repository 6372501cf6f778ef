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

}  // namespace sinew::inline v0
