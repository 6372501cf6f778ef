#pragma once
// Sums over a world: energies, momenta, and how far its constraints are from holding.

#include <sinew/core/call_with.hpp>
#include <sinew/world/container.hpp>

namespace sinew::inline v0 {

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
                auto const limits_now = detail::call_with([&](auto const&... q) { return limits_of(entry.constraint, entry.lambda, q...); }, poses_of(const_problem(), entry));
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

}  // namespace sinew::inline v0
