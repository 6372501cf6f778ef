#pragma once
// Small bodies that run over a surface of triangles: the contacts of a step are those of the triangles near its beginning, and a body that goes farther than it is
// wide may come to others, which rise before it, and through them. After the step a body whose middle has crossed a face that stands is put back before it,
// as far as it is wide; its velocity stays, and meets the face in the next step.

#include <sinew/world/colliding_world.hpp>

namespace sinew::inline v0 {

namespace detail {

/// The first triangle that a ray (world) enters from a side that is touched; the normal out of that side.
template <class S, class Shape>
[[nodiscard]] constexpr ray_hit<S> cast_into_front(ray<S> const& r, Shape const& surface, frame<S> const& at) {
    ray_hit<S> best;
    ray<S> rest = local_ray(at, r);
    surface.for_each_part(bounds_of_ray(rest), [&](std::uint32_t number, auto const& part, frame<S> const&) {
        if (surface.sides() != surface_sides::both && !(dot(surface.normal(number), rest.direction) < S(0))) return;
        ray_hit<S> const h = part.cast(rest);
        if (!h.hit || (best.hit && !(best.distance > h.distance))) return;
        best = h;
        rest.length = h.distance;
    });
    return best.hit ? world_hit(at, best) : best;
}

template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::take_back_crossings() {
    if constexpr ((is_surface<Shapes> || ...)) {
        World& w = self();
        for (std::uint32_t id = 0; id < store_.size(); ++id) {
            record const& mine = store_[id];
            if (!store_.slots()[id].alive || mine.sensor || !w.may_move(mine.body)) continue;
            auto& now = w.states_[mine.body];
            vec3<S> const from = w.backup_.bodies[mine.body].pose.point(mine.middle), to = now.pose.point(mine.middle);
            if (!(squared_norm(to - from) * S(4) > mine.extent * mine.extent)) continue;
            ray<S> way = ray_between(from, to);
            ray_hit<S> first;
            store_.index().query(bounds_of_ray(way), [&](std::uint32_t other) {
                record const& its = store_[other];
                if (its.body == mine.body || moves(its.body) || its.sensor || !may_collide(mine.filter, its.filter) || are_joined(mine.body, its.body)) return;
                store_.with_shape(other, [&](auto const& shape) {
                    if constexpr (is_surface<std::remove_cvref_t<decltype(shape)>>) {
                        ray_hit<S> const h = cast_into_front(way, shape, store_.frame_at(other));
                        if (!h.hit || (first.hit && !(first.distance > h.distance)) || !stops(id, other, h)) return;
                        first = h;
                    }
                });
            });
            if (first.hit) now.pose.position += first.point + first.normal * mine.extent - to;
        }
    }
}

// Whether the user lets two meet, where the middle of the first comes to the surface of the other.
template <class World, class Env, class... Shapes>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::stops(std::uint32_t id, std::uint32_t other, ray_hit<S> const& at) {
    std::uint32_t const a = std::min(id, other), b = std::max(id, other);
    collider_pair const names{handle_of(a), handle_of(b), handle_of_body(store_[a].body), handle_of_body(store_[b].body), store_[a].filter, store_[b].filter};
    if (!pair_filter(names)) return false;
    manifold<S> m;
    m.normal = id == a ? -at.normal : at.normal;
    m.points.push_back({at.point, at.point, S(0), core_feature});
    sinew::material<S> surface = combined<typename config::combination>(store_.surface(a), store_.surface(b));
    contact_setup<S> setup{names, m, surface, self().states_[store_[a].body].twist, self().states_[store_[b].body].twist};
    contact_rule(setup);
    return !m.points.empty();
}

}  // namespace detail

}  // namespace sinew::inline v0
