#pragma once
// What leaves a world: bodies with all that is bound to them, constraints and forces, and what breaks.

#include <sinew/world/container.hpp>

namespace sinew::inline v0 {

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::remove(body_handle const& h) {
    if (error_type e = check(h)) return refuse<bool>(e);
    if (h.index == 0) return refuse<bool>({errc::invalid_parameter, "ground", "cannot be removed", 0, false});
    wake_with(h.index);
    this->drop_colliders_of(h.index);
    remove_bound<rigid>(h.index);
    note(change::body_removed, h.index);
    states_[h.index] = {};
    masses_[h.index] = {};
    inverse_masses_[h.index] = {};
    applied_[h.index] = {};
    body_slots_.release(h.index);
    return true;
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::remove(particle_handle const& h) {
    if (error_type e = check(h)) return refuse<bool>(e);
    remove_bound<point_mass>(h.index);
    note(change::particle_removed, h.index);
    particle_states_[h.index] = {};
    particle_masses_[h.index] = {};
    particle_applied_[h.index] = {};
    particle_slots_.release(h.index);
    return true;
}

template <class Config, template <class> class... Items>
template <class Map>
constexpr bool world<Config, Items...>::remove(generalized_handle<Map> const& h) {
    if (error_type e = check(h)) return refuse<bool>(e);
    remove_bound<generalized<Map>>(h.index);
    note(change::generalized_removed, h.index, place_of_map<Map>());
    generalized_of<Map>().remove(h.index);
    return true;
}

template <class Config, template <class> class... Items>
template <class C>
constexpr bool world<Config, Items...>::remove(handle<C> const& h) {
    if (error_type e = check(h)) return refuse<bool>(e);
    if constexpr (is_collider<C>) {
        this->drop(h.index);
    } else {
        this->wake_bound(pool_of<C>().at_slot(h.index));
        note(change::item_removed, h.index, place_in_list<C>());
        pool_of<C>().remove_slot(h.index);
    }
    return true;
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

}  // namespace sinew::inline v0
