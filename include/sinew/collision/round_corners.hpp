#pragma once
// Derivatives of where two cores are nearest, where a corner of A - B lies on something round and turns with the normal: on the rim of a cylinder
// or a cone, anywhere on an ellipsoid.
//
// The searches end with corners that they found along the directions of several steps, and what derivatives these carry are of those steps. What was found
// is where, with the unit normal n from a to b, the separation s, the corners w_i(n) that support A - B, and their parts l_i,
//
//   sum l_i w_i(n) + s n = 0     the point of A - B nearest to the origin, or where the way out ends
//   n . (w_i(n) - w_0(n)) = 0    the corners of a face or an edge are equally far
//
// with sum l_i = 1 and |n| = 1. With H_i = dw_i/dn, which takes n to 0 and leads across n, a Newton step is
//
//   (w_i - w_0) . dn = -n . (w_i - w_0)                         along what is flat
//   u . (sum l_i H_i + s) dn = -u . (sum l_i w_i + s n)         along u across it: radii of curvature and separation add up
//
// and of numbers with derivatives it makes those right: once for the first ones, twice for the second (Griewank, Walther 2008, 15.3).
//
// In fixed point points and directions are known to a last place e, and n, across which distances change with the square of the way, to the root of e.

#include <sinew/collision/gjk.hpp>
#include <sinew/math/dual.hpp>

#include <cstddef>

namespace sinew::inline v0 {

namespace detail {

/// How cores are nearest: unit normal from a to b, separation (m, negative where they overlap), point of a.
template <class S>
struct nearest_cores {
    vec3<S> normal;
    S separation;
    vec3<S> on_a;
};

template <class S, class Pair>
    requires(derivative_order_v<S> > 0)
class round_corners {
public:
    /// `found`: the corners that the search ended with, and its directions; `normal` what it found.
    constexpr round_corners(Pair const& pair, difference_simplex<S> const& found, vec3<S> const& normal) noexcept : pair_(pair), normal_(values(normal)) {
        for (std::size_t i = 0; i < found.count && i < most; ++i) take(found.at[i], value(found.weight[i]));
    }

    /// x, with the derivatives of what was found.
    [[nodiscard]] constexpr nearest_cores<S> with_derivatives(nearest_cores<S> const& x) const noexcept {
        if (!any_) return x;  // of flat ones the search's own are right
        vec3<V> const& n0 = normal_;
        V const s0 = value(x.separation);
        mat3<V> H{};
        for (std::size_t i = 0; i < count_; ++i) H += at_[i].weight * at_[i].H;
        for (std::size_t k = 0; k < 3; ++k) H(k, k) = H(k, k) + s0;
        edges const flat = edges_across(n0);
        mat3<V> M{};  // of dn: across n, along what is flat, and across that
        set_row(M, 0, n0);
        for (std::size_t j = 0; j < 2; ++j) set_row(M, j + 1, j < flat.count ? flat.unit[j] : transpose_times(H, flat.unit[j]));
        V const det = determinant(M), size = norm(M.row(1)) * norm(M.row(2));
        bool const turns = abs(det) > V(64) * epsilon_v<V> * size && size > V(0);
        mat3<V> const inverse_of_M = turns ? inverse(M) : mat3<V>{};  // a point that touches a point has any normal

        vec3<S> n = cast<S>(n0);
        S s(s0), weight[most];
        for (std::size_t i = 0; i < count_; ++i) weight[i] = S(at_[i].weight);
        difference_point<S> p[most];
        auto const see = [&] {
            for (std::size_t i = 0; i < count_; ++i) p[i] = seen(at_[i], n - cast<S>(n0));
        };
        for (std::size_t order = 0; order < derivative_order_v<S>; ++order) {
            see();
            vec3<S> r = s * n;
            for (std::size_t i = 0; i < count_; ++i) r = r + weight[i] * p[i].w;
            r = r - cast<S>(values(r));  // how far the search had converged
            vec3<S> ahead{S(0), S(0), S(0)};
            for (std::size_t j = 0; j < 2; ++j) {
                S const e = j < flat.count ? dot(n, p[flat.corner[j]].w - p[0].w) / flat.length[j] : dot(flat.unit[j], r);
                ahead[j + 1] = S(value(e)) - e;
            }
            vec3<S> const dn = inverse_of_M * ahead;
            r = r + H * dn;
            S const ds = -dot(n0, r);
            n = with_values_of(normalize(n + dn), cast<S>(n0));
            s = s + ds;
            // What is left of r leads along what is flat: the parts of its corners make up for it.
            S moved[2] = {S(0), S(0)};
            if (flat.count == 1) moved[0] = -dot(flat.unit[0], r) / flat.length[0];
            if (flat.count == 2) {
                V const area = dot(cross(flat.unit[0], flat.unit[1]), n0);
                moved[0] = -dot(cross(r, cast<S>(flat.unit[1])), n0) / (area * flat.length[0]);
                moved[1] = -dot(cross(cast<S>(flat.unit[0]), r), n0) / (area * flat.length[1]);
            }
            for (std::size_t j = 0; j < flat.count; ++j) {
                weight[flat.corner[j]] = weight[flat.corner[j]] + moved[j];
                weight[0] = weight[0] - moved[j];
            }
        }
        see();
        vec3<S> on_a{S(0), S(0), S(0)};
        for (std::size_t i = 0; i < count_; ++i) on_a = on_a + weight[i] * p[i].a;
        return {n, s, with_values_of(on_a, x.on_a)};
    }

private:
    using V = value_type_t<S>;
    static constexpr std::size_t most = 3;

    struct corner {
        vec3<V> along;          // of some length
        V length;
        vec3<V> held;           // along which what does not turn was found
        V weight;
        vec3<V> w, a;           // m
        V width;                // of A - B (m)
        mat3<V> by_a, by_b;     // their points, by n (m)
        mat3<V> H;              // dw / dn (m)
        bool is_curved;         // on something round, also where that is as good as flat
        bool a_turns, b_turns;  // with n
        bool a_spins, b_spins;  // around a flat end
    };
    // What the corners span: from corner 0 to others, across n; and directions that make up the rest.
    struct edges {
        vec3<V> unit[2];
        V length[2];
        std::size_t corner[2];
        std::size_t count = 0;
    };

    static constexpr bool is_rounded = requires { Pair::last_place; };  // of fixed point
    // Rounder than so many widths is a flat end seen from within a milliradian, or from where n may be.
    static constexpr V most_round = [] {
        if constexpr (is_rounded)
            return min(V(1000), V(1) / (V(4) * sqrt(Pair::last_place)));
        else
            return V(1000);
    }();
    // How far a point may be off (m), by its own last place and by that of its direction.
    [[nodiscard]] static constexpr V noise(mat3<V> const& H) noexcept
        requires is_rounded
    {
        return V(8) * Pair::last_place * (V(1) + norm(H.col(0)) + norm(H.col(1)) + norm(H.col(2)));
    }
    // So near the normal, on the way from there to another direction, that the corner is the one that is sought; but not so near that directions are none.
    [[nodiscard]] constexpr V part_of_the_way(vec3<V> const& unit) const noexcept {
        if constexpr (is_rounded)
            return min(max(V(1e-4), V(4) * Pair::last_place / norm(unit - normal_)), V(1));
        else
            return V(1e-4);
    }
    [[nodiscard]] static constexpr vec3<V> values(vec3<S> const& a) noexcept { return {value(a[0]), value(a[1]), value(a[2])}; }
    static constexpr void set_row(mat3<V>& m, std::size_t i, vec3<V> const& r) noexcept {
        for (std::size_t j = 0; j < 3; ++j) m(i, j) = r[j];
    }

    // The points of a corner where n has turned by `turn`, which has derivatives alone.
    [[nodiscard]] constexpr difference_point<S> seen(corner const& c, vec3<S> const& turn) const noexcept {
        vec3<S> const along = cast<S>(c.along) + c.length * turn;
        difference_point<S> const still = held_along(c.held), turned = pair_(along);
        vec3<S> const a = c.a_turns ? turned.a : still.a, b = c.b_turns ? of_b(along, turned) : still.a - still.w;
        return {a - b, a};
    }

    // b's point of a corner p, by itself where the pair tells it: of the difference nothing is left where a's goes around a flat end.
    [[nodiscard]] constexpr vec3<S> of_b(vec3<S> const& along, difference_point<S> const& p) const noexcept {
        if constexpr (requires { pair_.of_b(along); })
            return pair_.of_b(-along);
        else
            return p.a - p.w;
    }
    [[nodiscard]] constexpr difference_point<S> held_along(vec3<V> const& d) const noexcept {
        if constexpr (requires { pair_.held(cast<S>(d)); })
            return pair_.held(cast<S>(d));
        else
            return pair_(cast<S>(d));
    }

    constexpr void take(difference_point<S> const& found, V const& weight) noexcept {
        // As it was, of any length: next to the normal of a face, rounding decides between its corners.
        corner c = corner_along(values(found.along));
        any_ = any_ || c.is_curved;
        // Nearer to the normal what is round has its H, if the corner is still the same.
        if (c.a_turns || c.b_turns) {
            vec3<V> const unit = c.along / c.length;
            corner const nearer = corner_along(normal_ + part_of_the_way(unit) * (unit - normal_));
            V led = V(2) * norm(c.H * (nearer.along - unit)) + V(1e-6) * c.width;
            if constexpr (is_rounded) led = led + V(2) * norm(nearer.H * (nearer.along - unit)) + noise(nearer.H);  // searches end farther from the normal
            if (squared_norm(nearer.w - c.w) <= led * led) {
                c = nearer;
            } else if constexpr (is_rounded) {
                c = beside_flat_end(c, nearer);
            }
        }
        c.weight = weight;
        // One that lies where another leads with the normal is that one, seen from another step of the search.
        for (std::size_t i = 0; i < count_; ++i) {
            corner& known = at_[i];
            vec3<V> const apart = c.w - known.w, turned = known.H * (c.along / c.length - known.along / known.length);
            bool same = squared_norm(apart - turned) * V(4) <= squared_norm(apart);
            if constexpr (is_rounded) same = same || squared_norm(apart - turned) <= noise(known.H) * noise(known.H);
            if (!same) continue;
            V const both = known.weight + c.weight;
            if (c.weight > known.weight) known = c;
            known.weight = both;
            return;
        }
        at_[count_++] = c;
    }
    // Directions so near a flat end lead to any point of its rim: what is there stays where it was found. What the other body has is nearer, if that is the same.
    [[nodiscard]] static constexpr corner beside_flat_end(corner const& found, corner const& nearer) noexcept
        requires is_rounded
    {
        bool const a_stays = found.a_turns && nearer.a_spins, b_stays = found.b_turns && nearer.b_spins;
        corner c = found;
        c.a_turns = found.a_turns && !a_stays;
        c.b_turns = found.b_turns && !b_stays;
        if (a_stays != b_stays && (a_stays ? nearer.b_turns : nearer.a_turns)) {
            vec3<V> const a_led = nearer.a - found.a, led = a_stays ? nearer.w - found.w - a_led : a_led;
            mat3<V> const& by = a_stays ? found.by_b : found.by_a;
            V const reach = V(2) * norm(by * (nearer.along - found.along / found.length)) + noise(by);
            if (squared_norm(led) <= reach * reach) {
                c.along = nearer.along;
                c.length = nearer.length;
                c.by_a = nearer.by_a;
                c.by_b = nearer.by_b;
                c.w = found.w + led;
            }
        }
        set_H(c);
        return c;
    }
    [[nodiscard]] constexpr corner corner_along(vec3<V> const& along) const noexcept {
        corner c{};
        c.along = c.held = along;
        c.length = norm(along);
        difference_point<S> const here = pair_(cast<S>(along));
        c.w = values(here.w);
        c.a = values(here.a);
        vec3<S> const here_b = of_b(cast<S>(along), here);
        mat3<V> by_a{}, by_b{};
        for (std::size_t k = 0; k < 3; ++k) {
            vec3<S> d = cast<S>(along);
            d[k].d[0] = c.length;  // as if it were a unit vector
            difference_point<S> const p = pair_(d);
            vec3<S> const p_b = of_b(d, p);
            for (std::size_t j = 0; j < 3; ++j) {
                by_a(j, k) = value(p.a[j].d[0]) - value(here.a[j].d[0]);
                by_b(j, k) = value(p_b[j].d[0]) - value(here_b[j].d[0]);
            }
        }
        if (by_a == mat3<V>{} && by_b == mat3<V>{}) return c;
        c.is_curved = true;
        difference_point<S> const across = pair_(cast<S>(-along));
        c.width = norm(values(here.w - across.w));
        // Whether a point turns with the normal at all, but around a flat end, as of a cylinder.
        auto const turns = [](mat3<V> const& by, V const& width, bool& spins) {
            V h2 = V(0);
            for (std::size_t k = 0; k < 3; ++k) h2 = h2 + squared_norm(by.col(k));
            V const least = V(1e-9) * width, largest = most_round * width;  // less is rounding
            spins = !(h2 <= largest * largest);
            return h2 > least * least && !spins;
        };
        c.a_turns = turns(by_a, norm(values(here.a - across.a)), c.a_spins);
        c.b_turns = turns(by_b, norm(values(here_b - of_b(cast<S>(-along), across))), c.b_spins);
        c.by_a = by_a;
        c.by_b = by_b;
        set_H(c);
        return c;
    }
    static constexpr void set_H(corner& c) noexcept {
        c.H = {};
        if (c.a_turns) c.H += c.by_a;
        if (c.b_turns) c.H -= c.by_b;
    }

    [[nodiscard]] constexpr edges edges_across(vec3<V> const& n) const noexcept {
        edges r;
        for (std::size_t i = 1; i < count_; ++i) {
            vec3<V> const e = at_[i].w - at_[0].w, across = e - dot(n, e) * n;
            V const length = norm(across);
            if (!(length > V(0))) continue;
            vec3<V> const unit = across * (V(1) / length);
            if (r.count == 1 && !(squared_norm(cross(unit, r.unit[0])) > epsilon_v<V>)) continue;
            r.unit[r.count] = unit;
            r.length[r.count] = length;
            r.corner[r.count++] = i;
        }
        if (r.count == 0) {
            basis<V> const b = orthonormal_basis(n);
            r.unit[0] = b.u;
            r.unit[1] = b.v;
        } else if (r.count == 1) {
            r.unit[1] = cross(n, r.unit[0]);
        }
        return r;
    }

    Pair const& pair_;
    vec3<V> normal_;
    corner at_[most]{};
    std::size_t count_ = 0;
    bool any_ = false;
};

}  // namespace detail

}  // namespace sinew::inline v0
