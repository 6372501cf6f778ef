#pragma once
// Floors laid of boxes: an edge or a side that the next box hides is none, and what was met there is no contact.
//
// What lies on one box has sunk in by a little, or is looked ahead for by a step, and so meets the side of the next as if that stood up; one that rolls leans over its edge. Within
// a surface of triangles the neighbours tell (geometry/surface_part.hpp). Colliders and parts of composed shapes know of no neighbours; but what a body meets of several that do not
// move against each other tells enough. Contacts are planes: a point q and a normal m towards x. With x at p on y along n, p is hidden by z, also near x, if for one of these planes
//
//   p'  which is p, or where it lies below the plane its foot on that, does not stand out of the plane, and p and p' are on z
//   n   leads from p into z, or is not what z is left along: the union of y and z cannot be touched there along n
//   m   leaves y and z from p': they do not rise there, as a wall does, or the foot of a ramp
//
// The surface of a half space has no edge and is never hidden, but hides. x keeps the contact that is the plane. All is asked of the contacts as they were
// found, so that nothing depends on the order of what goes.

#include <sinew/collision/distance.hpp>
#include <sinew/world/colliding_world.hpp>

namespace sinew::inline v0 {

namespace detail {

// One side of a pair: collider y, seen by x.
template <class World, class Env, class... Shapes>
struct colliding_world<World, Env, shape_list<Shapes...>>::edge_side {
    near_pair const* pair;
    frame<S> at;           // of y's body
    std::uint32_t x, y;
    bool of_b;             // y is the pair's b

    [[nodiscard]] constexpr vec3<S> point(typename set_type::entry const& e) const { return at.point(of_b ? e.constraint.anchor_b : e.constraint.anchor_a); }
    [[nodiscard]] constexpr vec3<S> normal(typename set_type::entry const& e) const { return of_b ? -e.constraint.normal : e.constraint.normal; }
};
/// A plane along which x meets something: a point of it, and its normal towards x.
template <class World, class Env, class... Shapes>
struct colliding_world<World, Env, shape_list<Shapes...>>::edge_plane {
    vec3<S> point{}, normal{};
};
// Below it two normals are one: rounding of frames and of distances is less.
template <class S>
inline constexpr S hidden_lean = S(1) / S(10000);
template <class S>
[[nodiscard]] constexpr bool is_along(vec3<S> const& m, vec3<S> const& n) noexcept {
    return squared_norm(m - n) <= hidden_lean<S> * hidden_lean<S>;
}
template <class World, class Env, class... Shapes>
constexpr auto colliding_world<World, Env, shape_list<Shapes...>>::side_of(near_pair const& p, bool of_b) const -> edge_side {
    std::uint32_t const x = of_b ? p.a : p.b, y = of_b ? p.b : p.a;
    return {&p, body_frame(y), x, y, of_b};
}

// Whether one side of a pair has parts that may hide edges of each other.
template <class World, class Env, class... Shapes>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::has_several_parts(near_pair const& p, bool of_b) const {
    return p.count > 1 && edges_type::has_parts(store_[of_b ? p.b : p.a].type);
}

// A pair that has been taken last.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::note_edges(near_pair const& p) {
    auto const pair = static_cast<std::uint32_t>(active_.pairs.size() - 1);
    auto const one = [&](std::uint32_t x, std::uint32_t y, bool of_b) {
        record const& r = store_[y];
        bool const stands = !moves(r.body);
        if (stands || r.next != record::none || store_.first_of(r.body) != y || edges_type::has_parts(r.type)) edges_.note(pair, of_b, x, stands ? edges_type::none : r.body);
    };
    one(p.a, p.b, true);
    one(p.b, p.a, false);
}

template <class World, class Env, class... Shapes>
constexpr auto colliding_world<World, Env, shape_list<Shapes...>>::nearest_to(std::uint32_t id, vec3<S> const& point, S const& limit) const -> sinew::closest<S> {
    sinew::closest<S> c;
    frame<S> at{};
    at.position = point;
    store_.with_shape(id, [&](auto const& shape) { c = closest_points(sphere<S>{S(0)}, at, shape, store_.frame_at(id), limit); });
    return c;
}
// Whether a collider is not left along n from a point that is `off` it: it is nearer to what lies `size` away along n, or nearest somewhere else.
template <class World, class Env, class... Shapes>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::leans_into(std::uint32_t id, vec3<S> const& point, vec3<S> const& n, S const& off, S const& size,
                                                                            S const& tolerance) const {
    vec3<S> const away = point + n * size;
    sinew::closest<S> const c = nearest_to(id, away, size + size);
    if (size - tolerance > c.distance) return true;
    if (!(c.distance <= size + size)) return false;
    vec3<S> const foot = c.on_b - point, aside = foot - n * dot(n, foot);
    S const most = hidden_lean<S> * size + S(2) * off + epsilon_v<S> * S(8) * norm(point);
    return squared_norm(aside) > most * most;
}
// Of a contact of x with y at p along n, by a plane of x. f(g): calls g(z) for all that may hide it, until that says so.
template <class World, class Env, class... Shapes>
template <class F>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::is_hidden(edge_side const& of, vec3<S> const& p, vec3<S> const& n, edge_plane const& plane, F&& f) const {
    record const &x = store_[of.x], &y = store_[of.y];
    S const near = min(margin_of(of.x), margin_of(of.y)) / S(64);
    vec3<S> const& m = plane.normal;
    S const rise = dot(m, p - plane.point);
    if (!(rise <= near)) return false;
    vec3<S> const raised = rise < S(0) ? p - m * rise : p;
    S const size = isfinite(x.extent) ? x.extent : isfinite(y.extent) ? y.extent : S(4) * self().collision.margin;
    auto const off_own = [&](std::uint32_t id) { return max(nearest_to(id, raised, near).distance, S(0)); };
    S const own = rise < S(0) ? off_own(of.y) : S(0);
    if (leans_into(of.y, raised, m, own <= near ? own : S(0), size, near)) return false;
    return f([&](std::uint32_t z) {
        S const off = max(nearest_to(z, p, near).distance, S(0));
        if (!(off <= near)) return false;
        S const off_raised = rise < S(0) ? off_own(z) : off;
        return off_raised <= near && leans_into(z, p, n, off, size, near) && !leans_into(z, raised, m, off_raised, size, near);
    });
}

// The planes along which the collider x of a chain meets what is in it; those that are hardly apart are one.
template <class World, class Env, class... Shapes>
template <class F>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::find_planes(static_vector<edge_plane, most_edge_planes>& planes, std::uint32_t x, F&& each_side) const {
    planes.clear();
    S const near = margin_of(x) / S(512);
    each_side([&](edge_side const& side) {
        for (std::uint32_t l = side.pair->first; l < side.pair->first + side.pair->count; ++l) {
            if (active_.keys[l].feature == core_feature && l > side.pair->first) continue;
            edge_plane const mine{side.point(active_.entries[l]), side.normal(active_.entries[l])};
            bool known = false;
            for (auto const& of : planes) known = known || (is_along(of.normal, mine.normal) && abs(dot(of.normal, mine.point - of.point)) <= near);
            if (!known && planes.size() < most_edge_planes) planes.push_back(mine);
        }
    });
}

// Marks the contacts of a side that are hidden. Whether there are any.
template <class World, class Env, class... Shapes>
template <class F>
constexpr bool colliding_world<World, Env, shape_list<Shapes...>>::hide_edges_of(edge_side const& of, static_vector<edge_plane, most_edge_planes> const& planes, F&& each_side) {
    if (edges_type::is_endless(store_[of.y].type)) return false;
    bool any_hidden = false, before = false;
    near_pair const& p = *of.pair;
    for (std::uint32_t k = p.first; k < p.first + p.count; ++k) {
        auto& e = active_.entries[k];
        bool const is_core = active_.keys[k].feature == core_feature && k > p.first;
        bool hidden = is_core && before;  // it goes with what it was made for
        if (!is_core) {
            vec3<S> const n = of.normal(e), at = of.point(e);
            auto const by_any = [&](auto const& hides) {
                bool found = false;
                each_side([&](edge_side const& by) {
                    if (found || (by.y == of.y && !edges_type::has_parts(store_[of.y].type))) return;
                    found = hides(by.y);
                });
                return found;
            };
            for (std::size_t l = 0; l < planes.size() && !hidden; ++l)
                hidden = !is_along(planes[l].normal, n) && is_hidden(of, at, n, planes[l], by_any);
        }
        before = hidden;
        if (!hidden) continue;
        e.bodies = {edges_type::none, edges_type::none};
        any_hidden = true;
    }
    return any_hidden;
}

// Takes out all contacts that are hidden.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::hide_edges() {
    bool any_hidden = false;
    auto& all_of = edges_.all();
    static_vector<edge_plane, most_edge_planes> planes;
    for (std::uint32_t i = 0; i < all_of.size(); ++i) {
        auto& c = all_of[i];
        std::uint32_t const head = edges_.head_of(c);
        if (c.seen || (c.next == edges_type::none && head == i && !has_several_parts(active_.pairs[c.pair], c.of_b))) continue;
        std::uint32_t sides = 0;
        for (std::uint32_t j = head; j != edges_type::none; j = all_of[j].next) {
            if (!all_of[j].is_beside(c)) continue;
            all_of[j].seen = true;
            ++sides;
        }
        if (sides < 2 && !has_several_parts(active_.pairs[c.pair], c.of_b)) continue;
        auto const each_side = [&](auto const& f) {
            for (std::uint32_t j = head; j != edges_type::none; j = all_of[j].next)
                if (all_of[j].is_beside(c)) f(side_of(active_.pairs[all_of[j].pair], all_of[j].of_b));
        };
        find_planes(planes, c.x, each_side);
        if (planes.size() > 1) each_side([&](edge_side const& of) { any_hidden = hide_edges_of(of, planes, each_side) || any_hidden; });
    }
    if (any_hidden) take_out_hidden();
}

// Those that are marked go; a pair without any is kept, so that it is known to be near, but does not touch.
template <class World, class Env, class... Shapes>
constexpr void colliding_world<World, Env, shape_list<Shapes...>>::take_out_hidden() {
    std::uint32_t at = 0, at_rolling = 0;
    for (std::size_t i = 0; i < active_.pairs.size(); ++i) {
        near_pair& p = active_.pairs[i];
        auto const is_marked = [&](std::uint32_t k) { return active_.entries[k].bodies[0] == edges_type::none; };
        // What resists rolling was made for contacts with its parts and its normal.
        std::uint32_t const first_rolling = at_rolling;
        for (std::uint32_t r = p.first_rolling; r < p.first_rolling + p.rolling_count; ++r) {
            auto const& key = active_.rolling_keys[r];
            bool stays = false, goes = false;
            for (std::uint32_t k = p.first; k < p.first + p.count; ++k) {
                auto const& mine = active_.keys[k];
                if (mine.part_a != key.part_a || mine.part_b != key.part_b) continue;
                if (!(dot(active_.entries[k].constraint.normal, active_.rolling[r].constraint.normal) > S(value_type_t<S>(0.999)))) continue;
                (is_marked(k) ? goes : stays) = true;
            }
            if (goes && !stays) continue;
            if (at_rolling != r) {
                active_.rolling[at_rolling] = active_.rolling[r];
                active_.rolling_keys[at_rolling] = key;
            }
            ++at_rolling;
        }
        std::uint32_t const first_contact = at;
        for (std::uint32_t k = p.first; k < p.first + p.count; ++k) {
            if (is_marked(k)) continue;
            if (at != k) {
                active_.entries[at] = active_.entries[k];
                active_.keys[at] = active_.keys[k];
            }
            ++at;
        }
        bool const lost = p.count != at - first_contact;
        p.first = first_contact;
        p.first_rolling = first_rolling;
        p.count = static_cast<std::uint16_t>(at - first_contact);
        p.rolling_count = static_cast<std::uint16_t>(at_rolling - first_rolling);
        if (!lost) continue;
        active_.origins[i].margin = S(-1);  // what is left is looked for again
        if (p.count > 0) continue;
        active_.origins[i] = {};
        p.touches = p.lingers = false;
    }
    while (active_.entries.size() > at) {
        active_.entries.pop_back();
        active_.keys.pop_back();
    }
    while (active_.rolling.size() > at_rolling) {
        active_.rolling.pop_back();
        active_.rolling_keys.pop_back();
    }
}

}  // namespace detail

}  // namespace sinew::inline v0
