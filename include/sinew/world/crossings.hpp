#pragma once
// What has gone through something in a step all the same. The contacts of a step are those that were found where it begins, or where a fast body first touches. A small
// body that runs over triangles comes to others, which rise before it; one that hits at a thousand metres a second leaves as a whirl whose contacts say little of where
// it goes; and one that is pressed on, or turns over an edge of its own, digs in by a little more in every step, until its contacts see the surface from behind. So after the step
// the middle of each body that is `continuous` is followed, and over surfaces that stand of all: where it enters what it meets, the body is put back before it, as far as it is
// wide. So is every body that has entered a solid that stands, if it had contacts with that or has gone as far as it is wide: a small one beneath heavy ones would be worked, or struck, through
// a floor of a few centimetres. Its velocity stays, and meets what it has hit in the next step. A horseshoe over a ridge has its middle behind the surface and is well: of what has nothing in its middle
// only a way that is wider than half of it counts, and over surfaces and of what is `continuous` alone.

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

/// The same of any shape; not where the ray begins within it.
template <class S, class Shape>
[[nodiscard]] constexpr ray_hit<S> cast_into(ray<S> const& r, Shape const& shape, frame<S> const& at, bool surfaces_alone) {
    if constexpr (is_surface<Shape>) {
        return cast_into_front(r, shape, at);
    } else {
        if (surfaces_alone) return {};
        ray_hit<S> const h = cast(r, shape, at);
        return h.hit && h.distance > S(0) ? h : ray_hit<S>{};
    }
}

// The middle of a collider was at one place where the step began and is at another: where it is put back to, before the first that it has entered, or where it is.
template <class World, class Env, class... Shapes>
constexpr vec3<typename Env::scalar> colliding_world<World, Env, shape_list<Shapes...>>::before_crossing(std::uint32_t id, vec3<S> const& from, vec3<S> const& to,
                                                                                                       bool surfaces_alone, bool standing_alone) {
    World& w = self();
    record const& mine = store_[id];
    S least{1};
    std::uint32_t first = 0;  // of several that are entered at once the one of least number, in whatever order they are found
    vec3<S> shift{};
    store_.index().query(bounds_of_ray(ray_between(from, to)), [&](std::uint32_t other) {
        record const& its = store_[other];
        if (its.body == mine.body || its.sensor || !may_collide(mine.filter, its.filter) || are_joined(mine.body, its.body)) return;
        if (standing_alone && moves(its.body)) return;
        // Seen from the other, which may have moved too.
        frame<S> const before = store_.frame_at(other), after = moves(its.body) ? sinew::frame_of(w.states_[its.body].pose) * its.local : before;
        ray<S> const way = ray_between(from, before.point(after.local_point(to)));
        if (!(way.length > S(0))) return;
        store_.with_shape(other, [&](auto const& shape) {
            ray_hit<S> const h = cast_into(way, shape, before, surfaces_alone);
            if (!h.hit) return;
            S const share = h.distance / way.length;
            if (!(least > share || (least == share && first > other)) || !stops(id, other, h)) return;
            least = share;
            first = other;
            shift = after.point(before.local_point(h.point)) + after.direction(before.local_direction(h.normal)) * mine.extent - to;
        });
    });
    return shift;
}

template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::take_back_crossings() {
    World& w = self();
    bool const over_surfaces = store_.has_surfaces();
    for (std::uint32_t id = 0; id < store_.size(); ++id) {
        record const& mine = store_[id];
        bool const continuous = mine.continuous || collision.continuous;
        if (!store_.slots()[id].alive || mine.sensor || !w.may_move(mine.body)) continue;
        auto& now = w.states_[mine.body];
        bool const far = !mine.hollow && squared_norm(now.pose.position - w.backup_.bodies[mine.body].pose.position) > mine.extent * mine.extent;
        if (!over_surfaces && !continuous && !far) continue;
        vec3<S> const from = w.backup_.bodies[mine.body].pose.point(mine.middle);
        // Put back before one face it may be behind another, as in a gorge: there it stays where it was.
        for (int again = 0; again < 3; ++again) {
            vec3<S> const to = now.pose.point(mine.middle);
            S const way2 = squared_norm(to - from);
            if (!(way2 > S(0)) || (mine.hollow && !(way2 * S(4) > mine.extent * mine.extent))) break;
            vec3<S> const shift = before_crossing(id, from, to, !continuous && !far, !continuous);
            if (shift == vec3<S>{}) break;
            now.pose.position += again < 2 ? shift : from - to;
        }
    }
    for (near_pair const& p : active_.pairs) {
        if (moves(store_[p.a].body) && moves(store_[p.b].body)) continue;
        take_out_of(p.a, p.b);
        take_out_of(p.b, p.a);
    }
}

// A collider that has contacts with a solid that stands, and whose middle has entered it.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::take_out_of(std::uint32_t id, std::uint32_t other) {
    World& w = self();
    record const &mine = store_[id], &its = store_[other];
    if (mine.sensor || its.sensor || mine.hollow || mine.continuous || collision.continuous || moves(its.body) || !w.may_move(mine.body) || !all(isfinite(its.radius))) return;
    auto& now = w.states_[mine.body];
    vec3<S> const from = w.backup_.bodies[mine.body].pose.point(mine.middle), to = now.pose.point(mine.middle);
    ray<S> const way = ray_between(from, to);
    if (!(way.length > S(0)) || !sinew::overlaps(bounds_of_ray(way), store_.bounds(other))) return;
    frame<S> const at = store_.frame_at(other);
    store_.with_shape(other, [&](auto const& shape) {
        if constexpr (!is_surface<std::remove_cvref_t<decltype(shape)>>) {
            ray_hit<S> const h = cast_into(way, shape, at, false);
            if (h.hit && stops(id, other, h)) now.pose.position += h.point + h.normal * mine.extent - to;
        }
    });
}

// Whether the user lets two meet, where the middle of the first comes to the other.
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
