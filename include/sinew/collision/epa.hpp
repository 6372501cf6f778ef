#pragma once
// How deep two convex cores overlap: the expanding polytope (van den Bergen 2001), kept on bounds that hold whatever rounding does.
//
//   h(n) = max over A - B of n . w       for every unit n a valid way out: b moved by h(n) along n touches no more
//   depth = min over n of h(n)           below it for every polytope within A - B: the least distance of its faces
//
// The face nearest to the origin is pushed out by the point that supports A - B along its normal, until it is that far already.
// The same holds when the origin is a little outside: the least h is then the negative distance. So touching cores need no case of
// their own. Should rounding break the polytope, the least h seen is the answer: still a way out, if not the shortest. So it may be, rarely, of smooth bodies
// right in each other, where the ways out all around differ by less than a thousandth: several of them are followed to their ends, not all.

#include <sinew/collision/gjk.hpp>

#include <cstddef>
#include <cstdint>

namespace sinew::inline v0 {

namespace detail {

template <class S>
struct epa_result {
    vec3<S> normal;                                  // unit, from a to b, a's frame
    S depth;                                         // m; negative where the cores are a little apart
    difference_simplex<search_number_t<S>> corners;  // whose points of a lead to the one that touches
    bool exact;                                      // the face that was found is one of A - B

    /// The point of the core; that of b is on_a - depth * normal.
    [[nodiscard]] constexpr vec3<S> on_a() const noexcept { return cast<S>(corners.on_a()); }
};

template <class S>
class expanding_polytope {
public:
    static constexpr std::size_t max_vertices = 64, round_vertices = 24;
    static constexpr std::size_t max_faces = 2 * max_vertices + 32;

    /// `size`: the largest |w|, the unit of the tolerances.
    template <class Support>
    [[nodiscard]] constexpr epa_result<S> run(Support const& support, difference_simplex<S> const& start, S const& size) noexcept {
        size_ = size;
        if (!first_tetrahedron(support, start)) return flat_;
        S reached = -infinity_v<S>;  // the polytope only grows: its nearest face never comes nearer again
        for (;;) {
            std::size_t const f = nearest_face();
            if (f == none || face_[f].d < reached - tolerance()) break;
            reached = max(reached, face_[f].d);
            difference_point<S> const p = support(face_[f].n);
            S const h = dot(face_[f].n, p.w);
            keep_least(f, h);
            if (h - face_[f].d <= tolerance_at(h)) {
                S aside{};
                difference_simplex<S> const corners = foot_on(f, aside);
                return {face_[f].n, h, corners, aside <= S(64) * tolerance()};
            }
            // What lies between the bounds is no longer worth a vertex: of a round body, where every face is cut again and again, soon.
            S const gap = best_h_ - face_[f].d;
            if (gap <= tolerance_at(best_h_) || (vertex_count_ >= round_vertices && gap <= S(value_type_t<S>(2e-5)) * size_) ) break;
            if (vertex_count_ == max_vertices) {
                // All went into one round side: the way out may be on another, whose faces have not had their turn.
                for (std::size_t g = 0; g < face_count_; ++g)
                    if (key_[g] < best_h_) keep_least(g, dot(face_[g].n, support(face_[g].n).w));
                break;
            }
            bool twice = false;
            for (std::size_t i = 0; i < 3; ++i) twice = twice || vertex_[face_[f].v[i]].w == p.w;
            if (twice || !expand(f, p)) break;
        }
        return {best_n_, best_h_, foot_of_best(), false};
    }

    /// A face that may hide a way out shorter than `depth`, and looks another way than those that are `known` already: that of the least h, or the nearest one.
    /// Its h is infinite if there is none.
    template <class Support>
    [[nodiscard]] constexpr epa_result<S> elsewhere(Support const& support, S const& depth, vec3<S> const* known, std::size_t count, bool nearest) noexcept {
        have_best_ = false;
        S least = depth - tolerance_at(depth);
        for (std::size_t f = 0; f < face_count_; ++f) {
            bool other = key_[f] < least;
            for (std::size_t i = 0; i < count && other; ++i) other = dot(face_[f].n, known[i]) < S(value_type_t<S>(0.99));
            if (!other) continue;
            if (nearest) {
                least = key_[f];
                have_best_ = false;
            }
            keep_least(f, dot(face_[f].n, support(face_[f].n).w));
        }
        if (!have_best_) return {{}, infinity_v<S>, {}, false};
        return {best_n_, best_h_, foot_of_best(), false};
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};
    using index = std::uint8_t;
    static_assert(max_faces < 256);

    struct face {
        vec3<S> n;    // outward, unit
        S d;          // n . vertex
        index v[3];   // counter-clockwise seen from outside
        index at[3];  // the face across the edge v[i], v[i + 1]
        bool alive, flat;
    };

    // The face whose normal gives the least h so far.
    constexpr void keep_least(std::size_t f, S const& h) noexcept {
        if (have_best_ && !(h < best_h_)) return;
        have_best_ = true;
        best_h_ = h;
        best_n_ = face_[f].n;
        for (std::size_t i = 0; i < 3; ++i) best_v_[i] = face_[f].v[i];
    }
    [[nodiscard]] constexpr std::size_t nearest_face() const noexcept {
        std::size_t best = none;
        S least = infinity_v<S>;
        for (std::size_t i = 0; i < face_count_; ++i)
            if (key_[i] < least) {
                least = key_[i];
                best = i;
            }
        return best;
    }

    // The corners around the foot of the origin on face f. A face of A - B with more than three corners is several of ours,
    // equally far: the foot is on one of them, or `aside` by more than rounding (m).
    [[nodiscard]] constexpr difference_simplex<S> foot_on(std::size_t f, S& aside) const noexcept {
        vec3<S> const n = face_[f].n, foot = face_[f].d * n;
        S const near = face_[f].d + S(8) * tolerance();
        S const aligned = S(1) - S(value_type_t<S>(1e-4));
        S least{};
        bool found = false;
        difference_simplex<S> best;
        for (std::size_t g = 0; g < face_count_; ++g) {
            if (!face_[g].alive || face_[g].flat || (g != f && (face_[g].d > near || dot(face_[g].n, n) < aligned))) continue;
            difference_simplex<S> s;
            s.count = 3;
            for (std::size_t i = 0; i < 3; ++i) s.at[i] = seen_from(foot, face_[g].v[i]);
            nearest_point<S> const x = nearest_on_simplex(s);
            if (found && !(x.squared < least)) continue;
            found = true;
            least = x.squared;
            keep_corners(s, x);
            best = s;
        }
        aside = sqrt(least);
        return best;
    }
    // The same on the face whose normal gave the least h, whatever has become of it since.
    [[nodiscard]] constexpr difference_simplex<S> foot_of_best() const noexcept {
        if (!have_best_) return only(vertex_[0]);
        difference_simplex<S> s;
        s.count = 3;
        for (std::size_t i = 0; i < 3; ++i) s.at[i] = seen_from(best_h_ * best_n_, best_v_[i]);
        keep_corners(s, nearest_on_simplex(s));
        return s;
    }
    [[nodiscard]] constexpr difference_point<S> seen_from(vec3<S> const& origin, std::size_t vertex) const noexcept {
        difference_point<S> p = vertex_[vertex];
        p.w = p.w - origin;
        return p;
    }
    [[nodiscard]] constexpr S tolerance() const noexcept { return max(S(8) * epsilon_v<S>, S(value_type_t<S>(1e-10))) * size_; }
    // Of a depth: a ten-millionth of itself, as far as the scalar tells it (m).
    [[nodiscard]] constexpr S tolerance_at(S const& depth) const noexcept {
        return clamp(S(value_type_t<S>(1e-7)) * abs(depth), S(8) * epsilon_v<S> * size_, tolerance());
    }

    constexpr bool make_face(std::size_t slot, std::size_t i, std::size_t j, std::size_t k) noexcept {
        face& f = face_[slot];
        f.v[0] = static_cast<index>(i);
        f.v[1] = static_cast<index>(j);
        f.v[2] = static_cast<index>(k);
        f.alive = true;
        vec3<S> const &p = vertex_[i].w, &q = vertex_[j].w, &r = vertex_[k].w;
        vec3<S> const pq = q - p, pr = r - p;
        vec3<S> const n = cross(pq, pr);
        S const nn = dot(n, n);
        f.flat = !(nn > S(256) * epsilon_v<S> * epsilon_v<S> * dot(pq, pq) * dot(pr, pr)) || !(nn > S(0));
        if (f.flat) {
            f.n = vec3<S>{S(0), S(0), S(0)};
            f.d = S(0);
            key_[slot] = infinity_v<S>;
            return false;
        }
        f.n = n * (S(1) / sqrt(nn));
        f.d = max(max(dot(f.n, p), dot(f.n, q)), dot(f.n, r));
        key_[slot] = f.d;
        return true;
    }

    // Points are added to those of GJK until four span a volume. False where A - B has none: then flat_ is the answer.
    template <class Support>
    constexpr bool first_tetrahedron(Support const& support, difference_simplex<S> const& start) noexcept {
        S const least = S(64) * epsilon_v<S> * size_;  // m: less is no extent
        vertex_count_ = 0;
        face_count_ = 0;
        have_best_ = false;
        for (std::size_t i = 0; i < start.count; ++i) vertex_[vertex_count_++] = start.at[i];
        // One: any other.
        vec3<S> const axes[3] = {{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}};
        if (vertex_count_ == 4) {
            if (well_spread(least)) return four_faces();
            vertex_count_ = 3;
        }
        if (vertex_count_ == 3) {
            vec3<S> const n = cross(vertex_[1].w - vertex_[0].w, vertex_[2].w - vertex_[0].w);
            S const longest = max(squared_norm(vertex_[1].w - vertex_[0].w), squared_norm(vertex_[2].w - vertex_[0].w));
            if (!(dot(n, n) > least * least * longest)) vertex_count_ = longest > least * least ? 2 : 1;
            if (vertex_count_ == 2 && squared_norm(vertex_[2].w - vertex_[0].w) > squared_norm(vertex_[1].w - vertex_[0].w)) vertex_[1] = vertex_[2];
        }
        if (vertex_count_ == 2 && !(squared_norm(vertex_[1].w - vertex_[0].w) > least * least)) vertex_count_ = 1;
        if (vertex_count_ <= 1) {
            if (vertex_count_ == 0) vertex_[0] = support(axes[0]);
            vertex_count_ = 1;
            S far = least * least;
            for (std::size_t i = 0; i < 6; ++i) {
                difference_point<S> const p = support(i < 3 ? axes[i] : -axes[i - 3]);
                S const d = squared_norm(p.w - vertex_[0].w);
                if (d > far) {
                    far = d;
                    vertex_[1] = p;
                    vertex_count_ = 2;
                }
            }
            if (vertex_count_ == 1) {  // a point: any direction is as good
                vec3<S> const& w = vertex_[0].w;
                vec3<S> const n = dot(w, w) > S(0) ? -normalize(w) : axes[1];
                flat_ = {n, dot(n, w), only(vertex_[0]), true};
                return false;
            }
        }
        if (vertex_count_ == 2) {
            vec3<S> const d = normalize(vertex_[1].w - vertex_[0].w);
            S far = least;
            basis<S> const across = orthonormal_basis(d);
            S const half = S(1) / S(2), root = S(value_type_t<S>(0.8660254037844386));
            vec3<S> const around[3] = {across.u, root * across.v - half * across.u, -half * across.u - root * across.v};
            for (std::size_t i = 0; i < 6; ++i) {
                difference_point<S> const p = support(i < 3 ? around[i] : -around[i - 3]);
                S const out = norm(cross(d, p.w - vertex_[0].w));
                if (out > far) {
                    far = out;
                    vertex_[2] = p;
                    vertex_count_ = 3;
                }
            }
            if (vertex_count_ == 2) {  // a segment: out of it along what is left of the way to the origin
                vec3<S> w = vertex_[0].w - dot(vertex_[0].w, d) * d;
                w = w - dot(w, d) * d;  // twice: beside a long segment what is left of it along d would turn the way out
                bool const off = dot(w, w) > S(4) * epsilon_v<S> * epsilon_v<S> * size_ * size_;
                set_flat(off ? -normalize(w) : across.u);
                return false;
            }
        }
        vec3<S> const n = normalize(cross(vertex_[1].w - vertex_[0].w, vertex_[2].w - vertex_[0].w));
        difference_point<S> const up = support(n), down = support(-n);
        S const over = dot(n, up.w - vertex_[0].w), under = dot(n, vertex_[0].w - down.w);
        if (!(max(over, under) > least)) {  // a flat figure: out of its plane on the nearer side
            set_flat(dot(n, vertex_[0].w) > S(0) ? -n : n);
            return false;
        }
        vertex_[3] = over > under ? up : down;
        vertex_count_ = 4;
        four_faces();
        // A second tip on the other side, where the triangle is not a face of A - B and the origin may lie behind it.
        difference_point<S> const other = over > under ? down : up;
        if (min(over, under) > least) {
            std::size_t const f = nearest_face();
            std::size_t behind = none;
            for (std::size_t i = 0; i < face_count_; ++i)
                if (face_[i].v[0] != 3 && face_[i].v[1] != 3 && face_[i].v[2] != 3) behind = i;
            if (f != none && behind != none && !face_[behind].flat) expand(behind, other);
        }
        return true;
    }

    constexpr void set_flat(vec3<S> const& n) noexcept {
        difference_simplex<S> s;
        s.count = vertex_count_;
        for (std::size_t i = 0; i < s.count; ++i) s.at[i] = vertex_[i];
        nearest_point<S> const x = nearest_on_simplex(s);
        keep_corners(s, x);
        flat_ = {n, dot(n, vertex_[0].w), s, true};
    }

    [[nodiscard]] constexpr bool well_spread(S const& least) const noexcept {
        vec3<S> const p = vertex_[1].w - vertex_[0].w, q = vertex_[2].w - vertex_[0].w, r = vertex_[3].w - vertex_[0].w;
        vec3<S> const n = cross(p, q);
        return abs(dot(n, r)) > least * norm(n) && dot(n, n) > least * least * max(dot(p, p), dot(q, q));
    }

    constexpr bool four_faces() noexcept {
        vec3<S> const p = vertex_[1].w - vertex_[0].w, q = vertex_[2].w - vertex_[0].w, r = vertex_[3].w - vertex_[0].w;
        if (dot(cross(p, q), r) > S(0)) {  // the fourth corner is to be below 0, 1, 2
            difference_point<S> const x = vertex_[1];
            vertex_[1] = vertex_[2];
            vertex_[2] = x;
        }
        make_face(0, 0, 1, 2);
        make_face(1, 0, 3, 1);
        make_face(2, 1, 3, 2);
        make_face(3, 2, 3, 0);
        face_count_ = 4;
        constexpr index across[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t e = 0; e < 3; ++e) face_[i].at[e] = across[i][e];
        return true;
    }

    // Replaces all faces that p sees, beginning with f, by those that join p to their rim. False if the rim is no simple loop.
    constexpr bool expand(std::size_t f, difference_point<S> const& p) noexcept {
        S const noise = S(2) * epsilon_v<S> * size_;
        index stack[max_faces];
        bool seen[max_faces] = {};
        std::size_t depth = 0;
        struct rim_edge {
            index from, to, outside, edge;  // the face that stays, and which of its edges
        };
        rim_edge rim[max_vertices];
        std::size_t rim_count = 0;
        stack[depth++] = static_cast<index>(f);
        seen[f] = true;
        index freed[max_faces];
        std::size_t freed_count = 0;
        while (depth > 0) {
            index const g = stack[--depth];
            freed[freed_count++] = g;
            for (std::size_t e = 0; e < 3; ++e) {
                index const o = face_[g].at[e];
                if (seen[o]) continue;
                // A flat face has no side: it goes with the neighbour by which it was reached.
                if (face_[o].flat || dot(face_[o].n, p.w) - face_[o].d > noise) {
                    seen[o] = true;
                    stack[depth++] = o;
                }
            }
        }
        for (std::size_t k = 0; k < freed_count; ++k) {
            face const& g = face_[freed[k]];
            for (std::size_t e = 0; e < 3; ++e) {
                index const o = g.at[e];
                if (seen[o]) continue;
                if (rim_count == max_vertices) return false;
                std::size_t back = 0;
                while (back < 3 && !(face_[o].v[back] == g.v[(e + 1) % 3] && face_[o].v[(back + 1) % 3] == g.v[e])) ++back;
                if (back == 3) return false;
                rim[rim_count++] = {g.v[e], g.v[(e + 1) % 3], o, static_cast<index>(back)};
            }
        }
        if (rim_count < 3) return false;
        // In order around the loop.
        for (std::size_t i = 0; i + 1 < rim_count; ++i) {
            std::size_t j = i + 1;
            while (j < rim_count && rim[j].from != rim[i].to) ++j;
            if (j == rim_count) return false;
            rim_edge const x = rim[i + 1];
            rim[i + 1] = rim[j];
            rim[j] = x;
        }
        if (rim[rim_count - 1].to != rim[0].from) return false;
        // New faces take the places of the old ones first.
        if (face_count_ + rim_count > max_faces + freed_count) return false;
        std::size_t const added = vertex_count_;
        vertex_[vertex_count_++] = p;
        for (std::size_t k = 0; k < freed_count; ++k) {
            face_[freed[k]].alive = false;
            key_[freed[k]] = infinity_v<S>;
        }
        index slot[max_vertices];
        for (std::size_t i = 0; i < rim_count; ++i) slot[i] = i < freed_count ? freed[i] : static_cast<index>(face_count_++);
        for (std::size_t i = 0; i < rim_count; ++i) {
            make_face(slot[i], rim[i].from, rim[i].to, added);
            face& g = face_[slot[i]];
            g.at[0] = rim[i].outside;
            g.at[1] = slot[(i + 1) % rim_count];
            g.at[2] = slot[(i + rim_count - 1) % rim_count];
            face_[rim[i].outside].at[rim[i].edge] = slot[i];
        }
        return true;
    }

    difference_point<S> vertex_[max_vertices];
    face face_[max_faces];
    S key_[max_faces];  // d of the faces that can be the nearest, else infinite
    std::size_t vertex_count_ = 0, face_count_ = 0;
    S size_{}, best_h_{};
    bool have_best_ = false;
    vec3<S> best_n_{};
    index best_v_[3]{};
    epa_result<S> flat_;
};

/// Finds the least h near r, from outside: moved apart along n, and `clear` more, the cores' nearest points tell a better n, whose h is never larger. The
/// direction's error shrinks by the distance over the radii of curvature of A - B, each time; from the last three such steps the next are extrapolated
/// (Anderson 1965), and taken back if that does not lead to a lesser h. `size`: the largest |w|.
template <class S, class Support>
constexpr void turn_to_least(Support const& support, S const& size, epa_result<S>& r) noexcept {
    S clear = S(value_type_t<S>(0.01)) * size;
    // A normal found by GJK is rounded, and h by as much as that turns it: an h worse by less than `slack` is no step astray.
    S const noise = S(16) * epsilon_v<S> * size, slack = max(S(32) * epsilon_v<S>, S(value_type_t<S>(1e-12))) * size;
    S const most_clear = S(value_type_t<S>(0.16)) * size;
    S const near = clear * max(S(value_type_t<S>(1e-4)), S(8192) * epsilon_v<S>), close = max(S(value_type_t<S>(4e-9)), S(128) * epsilon_v<S>);
    vec3<S> aim = r.normal, plain{};
    S aim_depth = r.depth, plain_depth{}, last = r.depth, least_aside = infinity_v<S>;
    // The last steps: from where, and which way.
    vec3<S> from[2]{}, turned[2]{};
    std::size_t steps = 0;
    bool extrapolated = false;
    int in_vain = 0;
    for (int k = 0; k < 30; ++k) {
        vec3<S> const shift = (aim_depth + clear) * aim;
        auto const shifted = [&](vec3<S> const& d) {
            difference_point<S> p = support(d);
            p.w = p.w - shift;
            return p;
        };
        gjk_result<S> const g = gjk_search(shifted, difference_simplex<S>{}, shift * S(-1), infinity_v<S>);
        bool const apart = g.status == gjk_status::apart;
        vec3<S> const n = apart ? g.v * (S(-1) / g.distance) : aim, turn = n - aim;
        S const h = dot(n, support(n).w);
        // The nearest points of the polytope may be off the surfaces: those of the first step are better, unless it led astray.
        if (!apart || !(h <= last + (k == 0 ? near : slack))) {
            if (!extrapolated) break;
            aim = plain;
            aim_depth = plain_depth;
            extrapolated = false;
            steps = 0;
            continue;
        }
        bool const settled = last - h <= S(4) * epsilon_v<S> * size;
        last = min(last, h);
        // The nearest points are apart along the turn besides: of ways out that are as short, the one whose points are most nearly one above the other.
        S const aside = norm(turn) * (aim_depth + clear);
        bool const lesser = k == 0 || r.depth - h > noise;
        bool const gains_nothing = settled && !(aside * S(2) < least_aside) && ++in_vain == 2;
        if (lesser || aside < least_aside) {
            r.normal = n;
            r.depth = h;
            r.corners = nearest_corners(g, size);
            least_aside = aside;
        }
        if (gains_nothing || (settled && norm(turn) <= close)) break;
        if (settled && clear < most_clear) {  // as well as this distance tells n
            clear = S(4) * clear;
            steps = 0;
        }
        plain = n;
        plain_depth = h;
        // The turn is 0 where that of a combination of the last steps is, as far as turns are linear.
        extrapolated = false;
        vec3<S> ahead = n;
        if (steps > 0) {
            vec3<S> const p = turn - turned[0], q = steps > 1 ? turn - turned[1] : vec3<S>{S(0), S(0), S(0)};
            S const pp = dot(p, p), qq = dot(q, q), pq = dot(p, q), pt = dot(p, turn), qt = dot(q, turn), both = pp * qq - pq * pq;
            if (both > S(value_type_t<S>(1e-4)) * pp * qq) {
                S const u = (qq * pt - pq * qt) / both, v = (pp * qt - pq * pt) / both;
                ahead = n - u * (aim - from[0] + p) - v * (aim - from[1] + q);
            } else if (pp > S(0)) {
                ahead = n - (pt / pp) * (aim - from[0] + p);
            }
            extrapolated = squared_norm(ahead - n) < S(1) / S(4);
        }
        from[1] = from[0];
        turned[1] = turned[0];
        from[0] = aim;
        turned[0] = turn;
        if (steps < 2) ++steps;
        aim = extrapolated ? normalize(ahead) : n;
        aim_depth = extrapolated ? dot(aim, support(aim).w) : h;
        // Where the steps do not shrink yet, ever farther the same way.
        if (!extrapolated)
            for (S far = S(1); far < S(1024); far = far * S(2)) {
                vec3<S> const there = normalize(n + far * turn);
                S const there_depth = dot(there, support(there).w);
                if (!(there_depth < aim_depth)) break;
                aim = there;
                aim_depth = there_depth;
            }
    }
}

/// The least translation that separates the cores, from the simplex GJK ended with.
///
/// Of round bodies the polytope only tells about where the way out is. There the rest is found from outside. Where the polytope leaves room for a shorter way
/// elsewhere, that is gone after as well.
template <class S, class Support>
[[nodiscard]] constexpr epa_result<S> epa_search(Support const& support, difference_simplex<S> const& start, S const& seen) noexcept {
    // What GJK saw before it met the origin may be next to nothing: a corner that touches a corner.
    S size = seen;
    if (start.count < 4)
        for (std::size_t i = 0; i < 3; ++i) {
            vec3<S> axis{S(0), S(0), S(0)};
            axis[i] = S(1);
            size = max(size, max(norm(support(axis).w), norm(support(-axis).w)));
        }
    expanding_polytope<S> polytope;
    epa_result<S> r = polytope.run(support, start, size);
    if (r.exact) return r;
    vec3<S> known[8] = {r.normal};  // where a search began and ended
    turn_to_least(support, size, r);
    known[1] = r.normal;
    for (std::size_t i = 2; i < 8; i += 2) {
        epa_result<S> other = polytope.elsewhere(support, r.depth, known, i, i == 4);
        if (!(other.depth < infinity_v<S>)) break;
        known[i] = other.normal;
        turn_to_least(support, size, other);
        known[i + 1] = other.normal;
        if (other.depth < r.depth - S(32) * epsilon_v<S> * size) r = other;  // not for noise
    }
    return r;
}

/// epa_search, in the numbers of gjk.
template <class S, class Support>
[[nodiscard]] constexpr epa_result<S> epa(Support const& support, difference_simplex<search_number_t<S>> const& start, S const& seen) noexcept {
    if constexpr (floating_scalar<S>) {
        return epa_search(support, start, seen);
    } else {
        epa_result<search_number_t<S>> const found = epa_search(searched_support<S, Support>(support), start, static_cast<search_number_t<S>>(seen));
        return {cast<S>(found.normal), static_cast<S>(found.depth), found.corners, found.exact};
    }
}

}  // namespace detail

}  // namespace sinew::inline v0
