#pragma once
// What leaves a world: bodies with all that is bound to them, constraints and forces, and what breaks.

#include <sinew/world/container.hpp>

namespace sinew::inline v0 {

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::remove(body_handle const& h) {
    if (error e = check(h)) return refuse<bool>(e);
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
    if (error e = check(h)) return refuse<bool>(e);
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
    if (error e = check(h)) return refuse<bool>(e);
    remove_bound<generalized<Map>>(h.index);
    note(change::generalized_removed, h.index, place_of_map<Map>());
    generalized_of<Map>().remove(h.index);
    return true;
}

template <class Config, template <class> class... Items>
template <class C>
constexpr bool world<Config, Items...>::remove(handle<C> const& h) {
    if (error e = check(h)) return refuse<bool>(e);
    if constexpr (is_collider<C>) {
        this->drop(h.index);
    } else {
        this->wake_bound(pool_of<C>().at_slot(h.index));
        note(change::item_removed, h.index, place_in_list<C>());
        pool_of<C>().remove_slot(h.index);
    }
    return true;
}

}  // namespace sinew::inline v0
