#pragma once
// Which bodies of a world touch, at any state that an integrator tries: what non_penetrating.hpp asks of collision detection (Vondrak 2005, 6.5.1).
//
//   pairs       colliders that may meet within a step, by the boxes of the broad phase; found where a step begins
//   distance    of each pair at the poses of now; below 0 it is how deep they overlap
//   touches     the points of manifolds that are within the shell of a pair
//
// All lengths are shares of a pair's size, which is half the smallest edge of the smaller:
//
//   shell   contact_shell of it: what is nearer touches, and takes part in hits and rests
//   hold    1e-3 of the shell: what comes from farther away is stopped between half and all of it, and what rests nearer is led there, so that
//           rounding overlaps nothing
//   touch   1e-4 of the shell: resolution of distances. A state in which two that are nearer than `hold` get to overlap by half of it is refused
//
// Of bodies that begin with an overlap the contacts are surrogates (Vondrak 2005, 10.1): the shortest way out, and they may not get deeper than they
// have been.

#include <sinew/world/resting_contact.hpp>
#include <sinew/world/world.hpp>

namespace sinew::inline v0 {

namespace detail {

template <class World>
class touch_finder {
public:
    using S = typename World::S;
    using R = typename World::R;
    using env = typename World::env;
    template <class T, std::size_t N>
    using array = typename env::template array<T, N>;
    static constexpr std::size_t max_pairs = env::limits.pairs > 0 ? env::limits.pairs : env::limits.contacts;

    struct near_colliders {
        std::uint32_t a = 0, b = 0;  // colliders, a below b
        std::uint32_t i = 0, j = 0;  // their bodies
        S size{}, shell{}, touch{};  // m
        S floor{};                   // m, 0, or how deep they overlapped when they were found, less what they have parted since
        S landing{};                 // m, above the floor: where what comes from farther away is stopped
        S distance{};                // m, or that at which manifolds are looked for, if they are farther apart
        S reach{};                   // m, how far they may go towards each other and still be found overlapping
        sinew::material<S> surface{};
        [[nodiscard]] constexpr std::uint64_t key() const noexcept { return std::uint64_t{a} << 32 | b; }
        /// In units of what counts as touching: refused below -1, arrived below 1.
        [[nodiscard]] constexpr S room() const noexcept { return (distance - floor - landing) / touch - S(0.5); }
        [[nodiscard]] constexpr S hold() const noexcept { return touch * S(10); }
        [[nodiscard]] constexpr bool is_deep() const noexcept { return floor < -touch; }
    };
    struct touch {
        resting_contact<S> contact{};
        std::uint32_t pair = 0;
        S distance{};                   // m
        S restitution{}, threshold{};
    };

    S contact_shell{};

    /// Pairs of the coming h seconds, at the poses of now. Anew: what overlaps now may do so; else only what overlapped before may.
    constexpr void prepare(World& w, S const& h, bool anew) {
        w.last_h_ = h;
        w.update_joined();
        w.note_all_motion();
        std::swap(pairs_, before_);
        if (anew) before_.clear();
        pairs_.clear();
        dropped_ = 0;
        std::size_t at = 0;
        w.store_.index().for_each_pair([&](std::uint32_t a, std::uint32_t b) {
            near_colliders p;
            if (!may_touch(w, a, b, p)) return;
            if (is_full(pairs_)) {
                ++dropped_;
                return;
            }
            while (at < before_.size() && before_[at].key() < p.key()) ++at;
            bool const known = at < before_.size() && before_[at].key() == p.key();
            if (known) p.floor = before_[at].floor;
            measure(w, p);
            p.floor = known ? min(max(p.floor, p.distance), S(0)) : anew ? min(p.distance, S(0)) : S(0);
            p.landing = p.distance >= p.hold() ? p.hold() / S(2) : S(0);
            pairs_.push_back(p);
        });
    }
    /// Colliders where their bodies are now, which an integrator has moved.
    constexpr void place(World& w) const {
        for (std::uint32_t i = 1; i < w.states_.size(); ++i)
            if (w.may_go(i)) w.store_.move_with(i, w.states_[i].pose, [](std::uint32_t) {});
    }
    /// Distances at the poses of now.
    constexpr void measure(World& w) {
        for (auto& p : pairs_) measure(w, p);
    }
    /// The points that touch.
    constexpr void find(World& w) {
        touches_.clear();
        for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
            auto& p = pairs_[k];
            if (p.distance > p.shell) continue;
            S deepest = infinity_v<S>;
            each_manifold(w, p, p.shell, [&](manifold<S> const& m, sinew::material<S> const&) {
                for (auto const& point : m.points) deepest = min(deepest, point.distance);
            });
            // Faces that lean against each other touch in one point, and not along a face's normal. And of more points than a manifold holds it need not keep
            // the nearest: what is not told of could not be stopped.
            bool const leans = abs(deepest - p.distance) > p.hold();
            if (!leans) each_manifold(w, p, p.shell, [&](manifold<S> const& m, sinew::material<S> const& surface) { take(w, k, m, surface); });
            if (!leans && deepest - p.distance <= p.touch / S(4)) continue;
            closest<S> const c = nearest(w, p, p.shell);
            manifold<S> m;
            m.normal = c.normal;
            m.round_a = rounding(w, p.a);
            m.round_b = rounding(w, p.b);
            m.points.push_back({c.on_a, c.on_b, c.distance, 0});
            sinew::material<S> own = p.surface;
            contact_setup<S> setup{names(w, p), m, own, w.states_[p.i].twist, w.states_[p.j].twist};
            w.contact_rule(setup);
            take(w, k, m, own);
        }
    }
    /// Of a contact whose normal has been turned: where what is smooth touches now, and how it is curved there.
    static constexpr void roll(World const& w, near_colliders const& p, resting_contact<S>& c, auto const& a, auto const& b) {
        bool const b_rolls = c.turns == normal_of::a;
        rounded_point const r = b_rolls ? rounded_at(w, p.b, b.local_direction(-c.normal)) : rounded_at(w, p.a, a.local_direction(c.normal));
        (b_rolls ? c.core_b : c.core_a) = r.point;
        c.curvature = r.curvature;
    }
    /// How long all pairs may go on as they do without passing through each other unseen, s.
    [[nodiscard]] constexpr S safe_time(World const& w) const {
        S longest = infinity_v<S>;
        for (auto const& p : pairs_) {
            auto const &ta = w.states_[p.i].twist, &tb = w.states_[p.j].twist;
            S const speed = norm(tb.linear - ta.linear) + turning(w, p.a) + turning(w, p.b);
            if (speed > S(0)) longest = min(longest, (max(p.distance, S(0)) + p.reach) / speed);
        }
        // Boxes are made for velocities that do not change: what they change by must stay within the margins.
        for (std::uint32_t i = 1; i < w.states_.size(); ++i) {
            if (!w.masses_[i].movable) continue;
            S const a = norm(w.total_[i].force) * w.masses_[i].inverse_mass;
            S margin = infinity_v<S>;
            w.store_.for_each_of(i, [&](std::uint32_t id) { margin = min(margin, w.margin_of(id)); });
            if (a > S(0) && margin < infinity_v<S>) longest = min(longest, sqrt(margin / a));
        }
        return longest;
    }
    /// Whether something has gone farther than its boxes were made for: from states in which a step of h seconds began.
    template <class States>
    [[nodiscard]] constexpr bool strays(World const& w, States const& from, S const& h) const {
        for (std::uint32_t i = 1; i < w.states_.size(); ++i) {
            if (!w.masses_[i].movable || w.store_.first_of(i) == collider_record<S>::none) continue;
            S const off = norm(w.states_[i].pose.position - from[i].pose.position - from[i].twist.linear * h);
            bool out = false;
            w.store_.for_each_of(i, [&](std::uint32_t id) { out = out || off > w.margin_of(id); });
            if (out) return true;
        }
        return false;
    }

    [[nodiscard]] constexpr auto const& pairs() const noexcept { return pairs_; }
    [[nodiscard]] constexpr auto& touches() noexcept { return touches_; }
    [[nodiscard]] constexpr std::size_t dropped() const noexcept { return dropped_; }

private:
    [[nodiscard]] static constexpr S turning(World const& w, std::uint32_t id) {
        auto const& r = w.store_[id];
        vec3<S> const& omega = w.states_[r.body].twist.angular;
        return omega == vec3<S>{} ? S(0) : norm(omega) * r.radius;
    }
    // What can meet at all.
    constexpr bool may_touch(World& w, std::uint32_t a, std::uint32_t b, near_colliders& p) const {
        auto const &ra = w.store_[a], &rb = w.store_[b];
        p.a = a;
        p.b = b;
        p.i = ra.body;
        p.j = rb.body;
        if (p.i == p.j || ra.sensor || rb.sensor || !may_collide(ra.filter, rb.filter)) return false;
        if (!w.masses_[p.i].movable && !w.masses_[p.j].movable) return false;
        if (w.are_joined(p.i, p.j) || !w.pair_filter(names(w, p))) return false;
        // A flat mesh has no extent of its own.
        S const lesser = min(ra.extent, rb.extent), greater = max(ra.extent, rb.extent);
        p.size = lesser > S(0) ? lesser : greater;
        p.reach = (ra.extent + rb.extent) / S(2);
        S const rounding = epsilon_v<S> * S(64) * (p.size + norm(w.states_[p.i].pose.position) + norm(w.states_[p.j].pose.position));
        p.shell = max(contact_shell * p.size, rounding * S(100));
        p.touch = max(p.shell * S(value_type_t<S>(1e-4)), rounding);
        sinew::material<S> ma = w.store_.surface(a), mb = w.store_.surface(b);
        if (!is_same(ma.surface_velocity, vec3<S>{})) ma.surface_velocity = w.store_.frame_at(a).direction(ma.surface_velocity);
        if (!is_same(mb.surface_velocity, vec3<S>{})) mb.surface_velocity = w.store_.frame_at(b).direction(mb.surface_velocity);
        p.surface = combined<typename World::config::combination>(ma, mb);
        return true;
    }
    [[nodiscard]] static constexpr collider_pair names(World const& w, near_colliders const& p) {
        return {w.handle_of(p.a), w.handle_of(p.b), w.handle_of_body(p.i), w.handle_of_body(p.j), w.store_[p.a].filter, w.store_[p.b].filter};
    }
    // f(manifold, surface) as the contact rule leaves them.
    template <class F>
    static constexpr void each_manifold(World& w, near_colliders const& p, S const& margin, F&& f) {
        w.each_manifold(p.a, p.b, w.store_.frame_at(p.a), w.store_.frame_at(p.b), margin, [&](manifold<S> m) {
            sinew::material<S> own = p.surface;
            contact_setup<S> setup{names(w, p), m, own, w.states_[p.i].twist, w.states_[p.j].twist};
            w.contact_rule(setup);
            if (!m.points.empty()) f(m, own);
        });
    }
    static constexpr void measure(World& w, near_colliders& p) {
        S const margin = min(w.margin_of(p.a), w.margin_of(p.b));
        p.distance = min(nearest(w, p, margin).distance, margin);
        if constexpr (!std::same_as<typename World::config::contact_rule, plain_contacts>) {
            if (p.distance >= margin) return;
            bool kept = false;
            each_manifold(w, p, margin, [&](manifold<S> const&, sinew::material<S> const&) { kept = true; });
            if (!kept) p.distance = margin;
        }
    }
    // The true distance: that of a manifold is along a face, where edges may be nearer.
    [[nodiscard]] static constexpr closest<S> nearest(World const& w, near_colliders const& p, S const& limit) {
        closest<S> c;
        bool const ordered = w.store_[p.a].type <= w.store_[p.b].type;
        std::uint32_t const first = ordered ? p.a : p.b, second = ordered ? p.b : p.a;
        w.store_.with_shapes(first, second,
                             [&](auto const& x, auto const& y) { c = closest_points(x, w.store_.frame_at(first), y, w.store_.frame_at(second), limit); });
        return ordered ? c : flipped(c);
    }
    [[nodiscard]] static constexpr S rounding(World const& w, std::uint32_t id) {
        S r(0);
        w.store_.with_shape(id, [&](auto const& shape) { r = rounding_of<S>(shape); });
        return r;
    }
    constexpr void take(World const& w, std::uint32_t pair, manifold<S> const& m, sinew::material<S> const& surface) {
        auto const& p = pairs_[pair];
        frame<S> const at_a = w.body_frame(p.a), at_b = w.body_frame(p.b);
        auto const &a = w.states_[p.i].pose, &b = w.states_[p.j].pose;
        for (auto const& point : m.points) {
            if (point.distance > p.shell) continue;
            if (is_full(touches_)) {
                ++dropped_;
                continue;
            }
            touch t;
            auto& c = t.contact;
            c.normal = m.normal;
            c.round_a = m.round_a;
            c.round_b = m.round_b;
            c.core_a = at_a.local_point(point.on_a - m.normal * m.round_a);
            c.core_b = at_b.local_point(point.on_b + m.normal * m.round_b);
            find_owner(w, p, c, at_a, at_b);
            if (c.is_smooth) roll(w, p, c, a, b);
            c.tangent = orthonormal_basis(m.normal).u;
            c.static_friction = surface.static_friction;
            c.dynamic_friction = surface.dynamic_friction;
            c.surface_velocity = surface.surface_velocity;
            t.pair = pair;
            t.distance = point.distance;
            t.restitution = surface.restitution;
            t.threshold = surface.restitution_threshold;
            touches_.push_back(t);
        }
    }
    // What a shape has where it is touched: at a point of its core, along a direction out of it.
    struct feature {
        enum class kind : unsigned char { face, edge, point } what = kind::face;
        vec3<S> direction{};  // of an edge, unit, world
        // Of what is round about its axis y: the circle through the point, if that is where it reaches farthest out; world.
        vec3<S> axis{}, center{};
        S radius{};          // m; 0 if there is none
        bool side = false;  // the axis lies across the direction: along it nothing bends
        bool smooth = false;  // it is round every way
    };
    // Of a shape told by its support function alone: the point of its core that is farthest along d, unit, and how it goes as d turns; all in its body's frame.
    struct rounded_point {
        vec3<S> point{};
        mat3<S> curvature{};
        bool smooth = false;
    };
    [[nodiscard]] static constexpr rounded_point rounded_at(World const& w, std::uint32_t id, vec3<S> const& d) {
        rounded_point r;
        auto const& record = w.store_[id];
        w.store_.with_shape(id, [&](auto const& shape) {
            using T = std::remove_cvref_t<decltype(shape)>;
            if constexpr (has_support<T, S> && !has_supporting_face<T, S>) {
                vec3<S> const out = record.plain ? d : record.local.local_direction(d);
                auto const in_body = [&](vec3<S> const& v) { return record.plain ? v : record.local.direction(v); };
                vec3<S> const p = shape.support(out);
                r.point = record.plain ? p : record.local.point(p);
                auto const axes = orthonormal_basis(out);
                // The error of the difference is its square; where it is another over half the way the point jumps: that is a face or an edge.
                S const far = sqrt(sqrt(epsilon_v<S>)), near = far / S(2);
                r.smooth = true;
                S size(0), change(0);
                for (vec3<S> const& t : {axes.u, axes.v}) {
                    vec3<S> const over = (shape.support(out + t * far) - shape.support(out - t * far)) / (S(2) * far);
                    vec3<S> const half = (shape.support(out + t * near) - shape.support(out - t * near)) / (S(2) * near);
                    r.curvature = r.curvature + outer(in_body(half), in_body(t));
                    size = max(size, norm(half));
                    change = max(change, norm(over - half));
                }
                r.smooth = size > S(0) && change <= size * S(value_type_t<S>(0.01));
            }
        });
        return r;
    }
    [[nodiscard]] static constexpr feature feature_at(World const& w, std::uint32_t id, vec3<S> const& point, vec3<S> const& out) {
        feature r;
        frame<S> const at = w.store_.frame_at(id);
        w.store_.with_shape(id, [&](auto const& shape) {
            using T = std::remove_cvref_t<decltype(shape)>;
            if constexpr (has_support<T, S>) {
                vec3<S> const d = at.local_direction(out), p = at.local_point(point);
                polygon<S> const face = supporting_face_of<S>(shape, d);
                S const same = S(1) - max(S(value_type_t<S>(1e-10)), S(64) * epsilon_v<S>);
                if (face.is_face() && dot(face.normal, d) > same) return;
                r.smooth = rounded_at(w, id, w.body_frame(id).local_direction(out)).smooth;
                if constexpr (is_revolved<T>) {
                    if (r.smooth) return;
                    S const wide = sqrt(p.x() * p.x() + p.z() * p.z()), lean = sqrt(d.x() * d.x() + d.z() * d.z());
                    if (lean > S(value_type_t<S>(1e-3)) && p.x() * d.x() + p.z() * d.z() > (S(1) - S(value_type_t<S>(1e-6))) * wide * lean) {
                        r.axis = at.direction(vec3<S>{S(0), S(1), S(0)});
                        r.center = at.point(vec3<S>{S(0), p.y(), S(0)});
                        r.radius = wide;
                        r.side = abs(d.y()) < S(value_type_t<S>(1e-4));
                    }
                }
                // The corner or side that is nearest to the point.
                std::size_t const n = face.size();
                S corner = infinity_v<S>, side = infinity_v<S>, size(0);
                for (std::size_t i = 0; i < n; ++i) {
                    vec3<S> const from = face[i].position, along = face[(i + 1) % n].position - from;
                    S const length2 = squared_norm(along);
                    corner = min(corner, squared_norm(p - from));
                    size = max(size, length2);
                    if (!(length2 > S(0))) continue;
                    vec3<S> const off = p - from - along * clamp(dot(p - from, along) / length2, S(0), S(1));
                    if (!(side > squared_norm(off))) continue;
                    side = squared_norm(off);
                    r.direction = at.direction(along * (S(1) / sqrt(length2)));
                }
                bool const is_corner = n == 1 || corner <= size * S(value_type_t<S>(1e-12));
                r.what = is_corner ? feature::kind::point : feature::kind::edge;
            }
        });
        return r;
    }
    // What the normal of a contact turns with.
    static constexpr void find_owner(World const& w, near_colliders const& p, resting_contact<S>& c, frame<S> const& at_a, frame<S> const& at_b) {
        using kind = typename feature::kind;
        feature const fa = feature_at(w, p.a, at_a.point(c.core_a), c.normal), fb = feature_at(w, p.b, at_b.point(c.core_b), -c.normal);
        c.edge_a = at_a.local_direction(fa.direction);
        c.edge_b = at_b.local_direction(fb.direction);
        if (fa.what == kind::face)
            c.turns = normal_of::a;
        else if (fb.what == kind::face)
            c.turns = normal_of::b;
        else if (fa.what == kind::point && fb.what == kind::point)
            c.turns = normal_of::cores;
        else if (fb.what == kind::point)
            c.turns = normal_of::edge_a;
        else if (fa.what == kind::point)
            c.turns = normal_of::edge_b;
        else if (squared_norm(cross(fa.direction, fb.direction)) > S(value_type_t<S>(1e-4)))
            c.turns = normal_of::edges;
        if (c.turns == normal_of::a && fb.radius > S(0)) go_round(c, fb, at_b);
        if (c.turns == normal_of::b && fa.radius > S(0)) go_round(c, fa, at_a);
        if (fa.what != kind::face && fb.what != kind::face) {
            // The side of a cylinder is what is round about its axis.
            if (fa.side) c.round_a += fa.radius, c.core_a = at_a.local_point(fa.center), c.edge_a = at_a.local_direction(fa.axis);
            if (fb.side) c.round_b += fb.radius, c.core_b = at_b.local_point(fb.center), c.edge_b = at_b.local_direction(fb.axis);
        }
        c.is_smooth = (c.turns == normal_of::a && fb.smooth) || (c.turns == normal_of::b && fa.smooth);
        if (c.turns == normal_of::a) c.own_normal = at_a.local_direction(c.normal);
        if (c.turns == normal_of::b) c.own_normal = at_b.local_direction(c.normal);
    }

    static constexpr void go_round(resting_contact<S>& c, feature const& f, frame<S> const& body) {
        c.circle_axis = body.local_direction(f.axis);
        c.circle_center = body.local_point(f.center);
        c.circle_radius = f.radius;
    }

    array<near_colliders, max_pairs> pairs_{}, before_{};
    array<touch, env::limits.contacts> touches_{};
    std::size_t dropped_ = 0;
};

}  // namespace detail

}  // namespace sinew::inline v0
