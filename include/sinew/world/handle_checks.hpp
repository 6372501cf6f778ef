#pragma once
// Whether the handles that a world is given name what it holds.

#include <sinew/world/container.hpp>

namespace sinew::inline v0 {

template <class Config, template <class> class... Items>
template <class Slots, class T>
constexpr auto world<Config, Items...>::fault_of_slot(Slots const& slots, handle<T> const& h, char const* name) const noexcept -> error_type {
    if (!h) return {errc::dead_handle, name, "is null: it names nothing", 0, false};
    if (h.world != tag_) return {errc::foreign_handle, name, "belongs to another world", 0, false};
    if (h.index >= slots.size() || !slots[h.index].alive || slots[h.index].generation != h.generation)
        return {errc::dead_handle, name, "is dead: what it named has been removed", 0, false};
    return {};
}

template <class Config, template <class> class... Items>
constexpr auto world<Config, Items...>::fault_of_handle(body_handle const& h) const noexcept -> error_type {
    if (h == body_handle{0, 0, 0}) return {};  // the ground, asked of a world that was still empty
    return fault_of_slot(body_slots_, h, "body handle");
}

template <class Config, template <class> class... Items>
template <class C>
constexpr auto world<Config, Items...>::fault_of_handle(handle<C> const& h) const noexcept -> error_type {
    if constexpr (is_collider<C>) {
        if (error_type e = this->fault_of_collider({h.index, h.generation, h.world})) return e;
        if constexpr (!std::same_as<C, any_shape>)
            if (!this->template has_shape<C>(h.index)) return {errc::invalid_parameter, "collider handle", "names a collider of another shape", 0, false};
        return {};
    } else
        return fault_of_slot(pool_of<C>().slots(), h, "constraint or force handle");
}

template <class Config, template <class> class... Items>
template <class Map>
constexpr auto world<Config, Items...>::fault_of_handle(generalized_handle<Map> const& h) const noexcept -> error_type {
    return fault_of_slot(generalized_of<Map>().slots, h, "handle of a generalized body");
}

template <class Config, template <class> class... Items>
template <class Map>
constexpr auto world<Config, Items...>::check_link(generalized_handle<Map> const& h, std::size_t link) const noexcept -> error_type {
    if (error_type e = check(h)) return e;
    if (link < detail::link_count_v<Map>) return {};
    return {errc::invalid_parameter, "index of a link", "must be below their number", static_cast<error_number>(link), true};
}

template <class Config, template <class> class... Items>
constexpr auto world<Config, Items...>::check_settable(body_handle const& h) const noexcept -> error_type {
    if constexpr (!checks) return {};
    if (error_type e = check(h)) return e;
    if (h.index == 0) return {errc::invalid_parameter, "ground", "cannot be changed", 0, false};
    return {};
}

}  // namespace sinew::inline v0
