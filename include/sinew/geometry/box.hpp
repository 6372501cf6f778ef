#pragma once
// A box about the origin, along the axes.
//
// Corner i lies at +half_extents along the axes whose bit is set in i: 0 is (-, -, -), 1 is (+, -, -), 2 is (-, +, -), 7 is (+, +, +).
// Face 2 k looks along -axis k, face 2 k + 1 along +axis k.

#include <sinew/geometry/shape.hpp>

namespace sinew::inline v0 {

template <scalar S>
struct box {
    using scalar_type = S;
    vec3<S> half_extents{};  ///< m

    [[nodiscard]] constexpr vec3<S> corner(std::size_t i) const noexcept {
        return {(i & 1) != 0 ? half_extents[0] : -half_extents[0], (i & 2) != 0 ? half_extents[1] : -half_extents[1],
                (i & 4) != 0 ? half_extents[2] : -half_extents[2]};
    }
    [[nodiscard]] constexpr vec3<S> support(vec3<S> const& d) const noexcept {
        return {select(d[0] < S(0), -half_extents[0], half_extents[0]), select(d[1] < S(0), -half_extents[1], half_extents[1]),
                select(d[2] < S(0), -half_extents[2], half_extents[2])};
    }
    [[nodiscard]] constexpr S margin() const noexcept { return S(0); }
    [[nodiscard]] constexpr aabb<S> bounds(frame<S> const& f) const noexcept {
        vec3<S> reach{};
        for (std::size_t i = 0; i < 3; ++i)
            reach[i] = abs(f.rotation.m(i, 0)) * half_extents[0] + abs(f.rotation.m(i, 1)) * half_extents[1] + abs(f.rotation.m(i, 2)) * half_extents[2];
        return {f.position - reach, f.position + reach};
    }
    [[nodiscard]] constexpr sinew::mass_properties<S> mass_properties(S const& density) const noexcept { return solid_box(of_density(density), half_extents * 2); }
    /// Of the box grown by a ball of a radius (m).
    [[nodiscard]] constexpr sinew::mass_properties<S> rounded_mass_properties(S const& density, S const& radius) const noexcept {
        S const a = half_extents[0], b = half_extents[1], c = half_extents[2], r = radius, r2 = r * r;
        S const volume = S(8) * (a * b * c + r * (a * b + b * c + c * a)) + S(2) * pi_v<S> * r2 * (a + b + c) + detail::ratio<S>(4, 3) * pi_v<S> * r2 * r;
        S const xx = second_moment(a, b, c, r), yy = second_moment(b, c, a, r), zz = second_moment(c, a, b, r);
        return {density * volume, {S(0), S(0), S(0)}, density * diagonal(yy + zz, xx + zz, xx + yy)};
    }

    /// Corners of a face, counter-clockwise seen from outside.
    [[nodiscard]] static constexpr std::size_t face_corner(std::size_t face, std::size_t i) noexcept {
        std::size_t const k = face / 2, u = std::size_t{1} << ((k + 1) % 3), v = std::size_t{1} << ((k + 2) % 3);
        std::size_t const at = (face & 1) != 0 ? i : 3 - i;  // seen from the other side, the other way round
        std::size_t const base = (face & 1) != 0 ? std::size_t{1} << k : 0;
        return base | (at == 1 || at == 2 ? u : 0) | (at >= 2 ? v : 0);
    }
    [[nodiscard]] constexpr polygon<S> supporting_face(vec3<S> const& d) const noexcept {
        std::size_t k = 0;
        if (abs(d[1]) > abs(d[k])) k = 1;
        if (abs(d[2]) > abs(d[k])) k = 2;
        std::size_t const face = 2 * k + (d[k] < S(0) ? 0 : 1);
        polygon<S> p;
        for (std::size_t i = 0; i < 4; ++i) {
            std::size_t const c = face_corner(face, i);
            p.add(corner(c), c);
        }
        p.normal[k] = d[k] < S(0) ? S(-1) : S(1);
        return p;
    }
    [[nodiscard]] constexpr ray_hit<S> cast(ray<S> const& r) const noexcept {
        S enters{0}, leaves = r.length;
        std::size_t side = 3;
        for (std::size_t i = 0; i < 3; ++i) {
            S const o = r.origin[i], v = r.direction[i];
            if (v == S(0)) {
                if (abs(o) > half_extents[i]) return {};
                continue;
            }
            S const reach = v < S(0) ? -half_extents[i] : half_extents[i];
            S const in = (-reach - o) / v, out = (reach - o) / v;
            if (in > enters) {
                enters = in;
                side = i;
            }
            leaves = min(leaves, out);
        }
        if (!(enters <= leaves)) return {};
        if (side == 3) return detail::hit_from_inside(r);
        vec3<S> normal{S(0), S(0), S(0)};
        normal[side] = r.direction[side] < S(0) ? S(1) : S(-1);
        return detail::hit_at(r, enters, normal);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(detail::extent_parameter("half_extents[0]", half_extents[0]), detail::extent_parameter("half_extents[1]", half_extents[1]),
                           detail::extent_parameter("half_extents[2]", half_extents[2]));
    }
    [[nodiscard]] friend constexpr bool operator==(box const&, box const&) = default;

private:
    // Integral of x^2 over the rounded box: the box and its slabs across x; those along x, with the quarter cylinders along x;
    // the quarter cylinders across x; the octants of the ball.
    [[nodiscard]] static constexpr S second_moment(S const& a, S const& b, S const& c, S const& r) noexcept {
        S const pi = pi_v<S>, a3 = a * a * a, end = a + r, r2 = r * r;
        S const slabs = detail::ratio<S>(8, 3) * b * c * end * end * end;
        S const along = detail::ratio<S>(2, 3) * a3 * (S(4) * r * (b + c) + pi * r2);
        S const across = S(8) * (b + c) * r2 * (a * a * pi * detail::ratio<S>(1, 4) + detail::ratio<S>(2, 3) * a * r + pi * r2 * detail::ratio<S>(1, 16));
        S const octants = pi * r2 * r * (detail::ratio<S>(4, 3) * a * a + a * r + detail::ratio<S>(4, 15) * r2);
        return slabs + along + across + octants;
    }
};

}  // namespace sinew::inline v0
