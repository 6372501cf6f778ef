#pragma once
// Where the bodies of a world are and how they move: links of generalized bodies, setting, and pushing.

#include <sinew/world/container.hpp>

namespace sinew::inline v0 {

template <class Config, template <class> class... Items>
template <class Map>
constexpr typename world<Config, Items...>::pose_type world<Config, Items...>::pose(generalized_handle<Map> const& h, std::size_t link) const {
    pose_type p{};
    if (!valid_link(h, link)) return p;
    auto const place = generalized_of<Map>().body(h.index).pose();
    with_link<Map>(link, [&](auto i) {
        auto const one = place.template link<i>();
        p.position = one.position;
        if constexpr (requires { one.rotation; }) p.rotation = rotation_cast<R>(one.rotation);
    });
    return p;
}

template <class Config, template <class> class... Items>
template <class Map>
constexpr twist<typename Config::scalar> world<Config, Items...>::twist(generalized_handle<Map> const& h, std::size_t link) const {
    sinew::twist<S> t{};
    if (!valid_link(h, link)) return t;
    auto const& g = generalized_of<Map>();
    with_link<Map>(link, [&](auto i) {
        auto const v = g.body(h.index).pose().template link_velocity<i>(g.states[h.index].rates);
        t.linear = {v[0], v[1], v[2]};
        if constexpr (v.size() == 6) t.angular = {v[3], v[4], v[5]};
    });
    return t;
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::set_pose(body_handle const& h, pose_type const& p) {
    if (error_type e = check_settable(h)) return refuse<bool>(e);
    if (error_type e = input::pose(p)) return refuse<bool>(e);
    wake_with(h.index);
    states_[h.index].pose = {p.position, projected(p.rotation)};
    this->note_motion(h.index);
    this->wake_met_by(h.index);
    return true;
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::set_twist(body_handle const& h, sinew::twist<S> const& t) {
    if (error_type e = check_settable(h)) return refuse<bool>(e);
    if (error_type e = input::twist(t)) return refuse<bool>(e);
    wake_with(h.index);
    states_[h.index].twist = t;
    this->note_motion(h.index);
    return true;
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::set_position(particle_handle const& h, vec3<S> const& x) {
    if (error_type e = check(h)) return refuse<bool>(e);
    if (error_type e = input::finite("position", x)) return refuse<bool>(e);
    particle_states_[h.index].position = x;
    return true;
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::set_velocity(particle_handle const& h, vec3<S> const& v) {
    if (error_type e = check(h)) return refuse<bool>(e);
    if (error_type e = input::finite("velocity", v)) return refuse<bool>(e);
    particle_states_[h.index].velocity = v;
    return true;
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::apply_force(body_handle const& h, vec3<S> const& force, vec3<S> const& point) {
    if (error_type e = check(h)) return refuse<bool>(e);
    if (error_type e = input::finite("force", force)) return refuse<bool>(e);
    if (error_type e = input::finite("point", point)) return refuse<bool>(e);
    return apply(h, force_at(force, point, states_[h.index].pose.position));
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::apply_wrench(body_handle const& h, wrench<S> const& w) {
    if (error_type e = check(h)) return refuse<bool>(e);
    if (error_type e = input::finite("force", w.force)) return refuse<bool>(e);
    if (error_type e = input::finite("torque", w.torque)) return refuse<bool>(e);
    return apply(h, w);
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::apply_force(particle_handle const& h, vec3<S> const& force) {
    if (error_type e = check(h)) return refuse<bool>(e);
    if (error_type e = input::finite("force", force)) return refuse<bool>(e);
    vec3<S> const sum = particle_applied_[h.index] + force;
    if (error_type e = input::finite("sum of the applied forces", sum)) return refuse<bool>(e);
    particle_applied_[h.index] = sum;
    return true;
}

template <class Config, template <class> class... Items>
template <class Map>
constexpr bool world<Config, Items...>::set_coordinates(generalized_handle<Map> const& h, vec<S, Map::coordinates> const& u) {
    if (error_type e = check(h)) return refuse<bool>(e);
    auto& g = generalized_of<Map>();
    auto moved = g.body(h.index);
    moved.u = u;
    if (error_type e = input::coordinates(moved)) return refuse<bool>(e);
    g.states[h.index].u = u;
    return true;
}

template <class Config, template <class> class... Items>
template <class Map>
constexpr bool world<Config, Items...>::set_rates(generalized_handle<Map> const& h, vec<S, Map::coordinates> const& rates) {
    if (error_type e = check(h)) return refuse<bool>(e);
    if (error_type e = input::finite("rates", rates)) return refuse<bool>(e);
    generalized_of<Map>().states[h.index].rates = rates;
    return true;
}

template <class Config, template <class> class... Items>
template <class Map>
constexpr bool world<Config, Items...>::apply_force(generalized_handle<Map> const& h, vec<S, Map::coordinates> const& force) {
    if (error_type e = check(h)) return refuse<bool>(e);
    if (error_type e = input::finite("force", force)) return refuse<bool>(e);
    auto& sum = generalized_of<Map>().applied[h.index].coordinates;
    if (error_type e = input::finite("sum of the applied forces", vec<S, Map::coordinates>(sum + force))) return refuse<bool>(e);
    sum += force;
    return true;
}

template <class Config, template <class> class... Items>
template <class Map>
constexpr bool world<Config, Items...>::apply_force(generalized_handle<Map> const& h, std::size_t link, vec3<S> const& force, vec3<S> const& point) {
    if (error_type e = check_link(h, link)) return refuse<bool>(e);
    if (error_type e = input::finite("force", force)) return refuse<bool>(e);
    if (error_type e = input::finite("point", point)) return refuse<bool>(e);
    return apply(generalized_of<Map>().applied[h.index].links[link], force_at(force, point, position(h, link)));
}

template <class Config, template <class> class... Items>
template <class Map>
constexpr bool world<Config, Items...>::apply_wrench(generalized_handle<Map> const& h, std::size_t link, wrench<S> const& w) {
    if (error_type e = check_link(h, link)) return refuse<bool>(e);
    if (error_type e = input::finite("force", w.force)) return refuse<bool>(e);
    if (error_type e = input::finite("torque", w.torque)) return refuse<bool>(e);
    return apply(generalized_of<Map>().applied[h.index].links[link], w);
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::apply(body_handle const& h, wrench<S> const& w) {
    this->wake_one(h.index);
    if constexpr (env::sleeps)
        if (this->rises_by_force(h.index)) this->enable_one(h.index);
    return apply(applied_[h.index], w);
}

template <class Config, template <class> class... Items>
constexpr bool world<Config, Items...>::apply(wrench<S>& applied, wrench<S> const& w) {
    wrench<S> sum = applied;
    sum += w;
    if (error_type e = input::finite("sum of the applied forces", sum.force)) return refuse<bool>(e);
    if (error_type e = input::finite("sum of the applied torques", sum.torque)) return refuse<bool>(e);
    applied = sum;
    return true;
}

}  // namespace sinew::inline v0
