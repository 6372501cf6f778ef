#pragma once
// The manifolds of the triangles of a surface, made one where they agree.
//
// What stands or rolls on flat triangles touches one plane, whatever it is cut into: one manifold with at most four points, as on a half space. Left
// apart, triangles that come and go would each push and rub by themselves, and what rolls over them would be braked and turned.
//
// Of all points with one normal the outermost in eight directions across it are kept, and the deepest: so all corners are that have no more than 135
// degrees. Of these the four are chosen that span most, with the deepest among them; but where more corners stand out of what four span, as those of a hexagonal prism do,
// all are given, as two manifolds: what is about to tip would else find its front now on a corner, now on none, and stumble.

#include <sinew/collision/reduce.hpp>
#include <sinew/geometry/surface_part.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sinew::inline v0 {

namespace detail {

/// Parts of two shapes.
struct part_pair {
    std::uint32_t a = 0, b = 0;
    [[nodiscard]] friend constexpr bool operator==(part_pair const&, part_pair const&) = default;
};
/// The parts on which the points of a manifold are: all on the same, or each on its own.
struct manifold_parts {
    part_pair first{};
    part_pair const* each = nullptr;  // of the points, where they differ
    bool on_surface_a = false, on_surface_b = false;
    bool is_rest = false;  // further points of the manifold before
    bool is_near_tipping = false;  // which points are kept is to be asked anew in every step

    [[nodiscard]] constexpr part_pair const& of(std::size_t point) const noexcept { return each == nullptr ? first : each[point]; }
    /// With a and b exchanged; `room` holds what is given out.
    [[nodiscard]] constexpr manifold_parts flipped(part_pair (&room)[4], std::size_t points) const noexcept {
        manifold_parts r{{first.b, first.a}, nullptr, on_surface_b, on_surface_a, is_rest, is_near_tipping};
        if (each == nullptr) return r;
        for (std::size_t i = 0; i < points; ++i) room[i] = {each[i].b, each[i].a};
        r.each = room;
        return r;
    }
};

/// Chooses four of n points that span most; the deepest is among them if it is deeper than they are by a thousandth of their extent. Points that are nearer to
/// each other than `least` (m) are one.
template <class S>
constexpr std::size_t choose_widest(planar_point<S> const* p, std::size_t n, S const& least, std::size_t (&chosen)[4]) noexcept {
    S const slack = S(1) + S(value_type_t<S>(1e-3));
    auto const farthest_from = [&](std::size_t from, S& far) {
        std::size_t found = from;
        S best = least * least;
        for (std::size_t i = 0; i < n; ++i) {
            S const du = p[i].u - p[from].u, dw = p[i].w - p[from].w, d = du * du + dw * dw;
            if (!(d > best)) continue;
            best = d * slack;
            far = d;
            found = i;
        }
        return found;
    };
    std::size_t deepest = 0;
    for (std::size_t i = 1; i < n; ++i)
        if (p[i].z < p[deepest].z) deepest = i;
    S far{0};
    std::size_t const one = farthest_from(0, far), other = farthest_from(one, far);
    chosen[0] = deepest;
    if (other == one) return 1;
    chosen[0] = one;
    chosen[1] = other;
    S const thin(value_type_t<S>(1e-3));
    std::size_t count = complete_four(p, n, thin, chosen);
    std::size_t top = 0;
    for (std::size_t i = 1; i < count; ++i)
        if (p[chosen[i]].z < p[chosen[top]].z) top = i;
    S const extent = sqrt(far);
    if (p[deepest].z + thin * extent < p[chosen[top]].z) {
        // Away from the deepest, and on from there.
        std::size_t const away = farthest_from(deepest, far);
        chosen[0] = deepest;
        if (away == deepest) return 1;
        chosen[1] = away;
        return complete_four(p, n, thin, chosen);
    }
    if (p[chosen[top]].z + thin * extent < p[chosen[0]].z) {
        std::size_t const swapped = chosen[0];
        chosen[0] = chosen[top];
        chosen[top] = swapped;
    }
    return count;
}

/// Takes manifolds one by one, and gives those that are left when all have come: f(manifold, manifold_parts). What has a normal of its own is given as it came.
template <class S>
class manifold_merger {
public:
    /// `near` (m): points of one manifold that are nearer to each other are one.
    constexpr manifold_merger(bool surface_a, bool surface_b, S const& near) noexcept : surface_a_(surface_a), surface_b_(surface_b), near_(near) {}

    template <class F>
    constexpr void add(manifold<S> const& m, std::uint32_t part_a, std::uint32_t part_b, F&& f) {
        part_pair const parts{part_a, part_b};
        if (!take(m, parts)) f(m, manifold_parts{parts, nullptr, surface_a_, surface_b_});
    }
    template <class F>
    constexpr void finish(F&& f) {
        for (std::size_t g = 0; g < count_; ++g)
            if (groups_[g].is_many)
                give(groups_[g], f);
            else
                f(groups_[g].first, manifold_parts{groups_[g].parts, nullptr, surface_a_, surface_b_});
        count_ = 0;
    }

private:
    static constexpr std::size_t most_groups = 6, kept = 9;
    struct known {
        planar_point<S> planar;
        contact_point<S> point;
        part_pair parts;
    };
    struct group {
        manifold<S> first{};
        part_pair parts{};
        bool is_many = false;
        bool is_empty = true;
        vec3<S> origin{};
        basis<S> across{};
        known best[kept] = {};  // the outermost in eight directions, and the deepest
    };

    // False where there is no room.
    constexpr bool take(manifold<S> const& m, part_pair const& parts) {
        for (std::size_t g = 0; g < count_; ++g)
            if (agrees(groups_[g], m, parts)) {
                if (!groups_[g].is_many) {
                    groups_[g].is_many = true;
                    enter(groups_[g], groups_[g].first, groups_[g].parts);
                }
                enter(groups_[g], m, parts);
                return true;
            }
        if (count_ == most_groups) return false;
        group& g = groups_[count_++];
        g.first = m;
        g.parts = parts;
        g.is_many = false;
        g.is_empty = true;
        return true;
    }
    [[nodiscard]] constexpr bool agrees(group const& g, manifold<S> const& m, part_pair const& parts) const noexcept {
        if ((!surface_a_ && g.parts.a != parts.a) || (!surface_b_ && g.parts.b != parts.b)) return false;
        if (g.first.round_a != m.round_a || g.first.round_b != m.round_b) return false;
        for (std::size_t k = 0; k < 3; ++k)
            if (!(abs(g.first.normal[k] - m.normal[k]) <= slight_lean<S>)) return false;
        return true;
    }
    // How far a point is out in one of eight directions; in the ninth, how deep.
    [[nodiscard]] static constexpr S reach(planar_point<S> const& p, std::size_t k) noexcept {
        S const along[4] = {p.u, p.u + p.w, p.w, p.w - p.u};
        return k == 8 ? -p.z : k < 4 ? along[k] : -along[k - 4];
    }
    constexpr void enter(group& g, manifold<S> const& m, part_pair const& parts) noexcept {
        vec3<S> const& n = g.first.normal;
        if (g.is_empty) {
            g.origin = m.points[0].on_b;  // far from the world's origin areas would be lost in rounding
            g.across = orthonormal_basis(n);
        }
        for (auto const& point : m.points) {
            known k{{}, point, parts};
            k.point.distance = dot(n, point.on_b - point.on_a);
            vec3<S> const d = point.on_b - g.origin;
            k.planar = {dot(g.across.u, d), dot(g.across.v, d), k.point.distance};
            for (std::size_t i = 0; i < kept; ++i)
                if (g.is_empty || reach(k.planar, i) > reach(g.best[i].planar, i)) g.best[i] = k;
            g.is_empty = false;
        }
    }
    template <class F>
    constexpr void give(group const& g, F&& f) const {
        std::size_t chosen[kept] = {};
        std::size_t const n = choose(g, chosen);
        manifold<S> m;
        m.normal = g.first.normal;
        m.round_a = g.first.round_a;
        m.round_b = g.first.round_b;
        part_pair each[4];
        for (std::size_t from = 0; from < n; from += 4) {
            m.points.clear();
            for (std::size_t i = from; i < n && i < from + 4; ++i) {
                each[i - from] = g.best[chosen[i]].parts;
                m.points.push_back(g.best[chosen[i]].point);
            }
            f(m, manifold_parts{each[0], each, surface_a_, surface_b_, from > 0});
        }
    }
    // Which points of a group are left: how many.
    [[nodiscard]] constexpr std::size_t choose(group const& g, std::size_t (&chosen)[kept]) const noexcept {
        planar_point<S> planar[kept];
        for (std::size_t i = 0; i < kept; ++i) planar[i] = g.best[i].planar;
        std::size_t n = corners(planar, chosen);
        if (n > 4) return n;
        std::size_t four[4] = {};
        n = choose_widest(planar, kept, near_, four);
        for (std::size_t i = 0; i < n; ++i) chosen[i] = four[i];
        return n;
    }
    // The outermost points in their order round, the deepest first, without those that hardly stand out from their neighbours; none if one that is deeper is within.
    [[nodiscard]] constexpr std::size_t corners(planar_point<S> const (&p)[kept], std::size_t (&chosen)[kept]) const noexcept {
        S wide{0}, top = infinity_v<S>;
        for (std::size_t i = 0; i < 4; ++i) {
            S const du = p[i].u - p[i + 4].u, dw = p[i].w - p[i + 4].w;
            wide = max(wide, du * du + dw * dw);
        }
        std::size_t n = 0;
        for (std::size_t i = 0; i < 8; ++i) chosen[n++] = i;
        // The least first: of points that are one, all but the last go.
        S const least = wide / S(50);
        while (n > 4) {
            std::size_t lost = n;
            S smallest = least;
            for (std::size_t i = 0; i < n; ++i) {
                planar_point<S> const &a = p[chosen[(i + n - 1) % n]], &b = p[chosen[i]], &c = p[chosen[(i + 1) % n]];
                S const area = abs((b.u - a.u) * (c.w - a.w) - (b.w - a.w) * (c.u - a.u));
                if (!(area < smallest)) continue;
                smallest = area;
                lost = i;
            }
            if (lost == n) break;
            --n;
            for (std::size_t i = lost; i < n; ++i) chosen[i] = chosen[i + 1];
        }
        std::size_t first = 0;
        for (std::size_t i = 0; i < n; ++i)
            if (p[chosen[i]].z < top) top = p[chosen[first = i]].z;
        S const thin(value_type_t<S>(1e-3));
        if (p[8].z + thin * sqrt(wide) < top) return 0;
        std::swap(chosen[0], chosen[first]);
        return n;
    }

    group groups_[most_groups] = {};
    std::size_t count_ = 0;
    bool surface_a_, surface_b_;
    S near_;
};

}  // namespace detail

}  // namespace sinew::inline v0
