#pragma once
// Mass properties of meshes of uniform density: tetrahedra that fill a volume, or a closed surface of triangles.
//
// Both are sums over tetrahedra, signed for a surface: the tetrahedron (o, a, b, c) of each outward triangle, with o any
// fixed point, adds up to the volume inside (Zhang & Chen 2001). A tetrahedron with corners v_i has
//
//   V = (v_1 - v_0) . ((v_2 - v_0) x (v_3 - v_0)) / 6,   integral of x = V/4 sum v_i,
//   integral of x x^T = V/20 (sum v_i v_i^T + (sum v_i)(sum v_i)^T)                          (Tonon 2004)
//
// and the inertia is tr(C) 1 - C of the second moment C. The sums are exact for the mesh, not approximations.

#include <sinew/body/mass_properties.hpp>
#include <sinew/core/hash.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::inline v0 {

enum class mesh_status : unsigned char {
    ok,
    empty,        ///< no elements
    bad_index,    ///< an element names a point that does not exist
    not_finite,   ///< a point is NaN or infinite
    not_closed,   ///< an edge of a triangle has no partner that runs the other way
    inside_out,   ///< the volume is negative: the elements are numbered the wrong way round
    flat,         ///< there is no volume
};

/// Why a mesh has no mass properties, as a sentence.
[[nodiscard]] constexpr char const* to_text(mesh_status s) noexcept {
    switch (s) {
        case mesh_status::ok: return "the mesh is fine";
        case mesh_status::empty: return "the mesh has no elements";
        case mesh_status::bad_index: return "an element of the mesh names a point that does not exist";
        case mesh_status::not_finite: return "a point of the mesh is not finite";
        case mesh_status::not_closed: return "the mesh is not closed: an edge has no partner that runs the other way";
        case mesh_status::inside_out: return "the mesh is inside out: its volume is negative";
        case mesh_status::flat: return "the mesh has no volume";
    }
    return "";
}

/// Mass properties, or why there are none.
template <class S>
struct mesh_mass_properties {
    mesh_status status = mesh_status::empty;
    S volume{0};  ///< m^3; signed
    mass_properties<S> properties{};

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return status == mesh_status::ok; }
};

namespace detail {

// Moments up to the second of a uniform density of 1, about a point near the mesh, so that little cancels far from the origin.
template <class S>
struct volume_moments {
    S volume{0};
    vec3<S> first{S(0), S(0), S(0)};
    sym3<S> second{};

    // The tetrahedron with corners o (the reference point, at zero), a, b, c.
    constexpr void add(vec3<S> const& a, vec3<S> const& b, vec3<S> const& c) noexcept { add(vec3<S>{S(0), S(0), S(0)}, a, b, c); }

    constexpr void add(vec3<S> const& a, vec3<S> const& b, vec3<S> const& c, vec3<S> const& d) noexcept {
        S const v = dot(b - a, cross(c - a, d - a)) * ratio<S>(1, 6);
        vec3<S> const sum = a + b + c + d;
        volume = volume + v;
        first += sum * (v * ratio<S>(1, 4));
        second = second + (v * ratio<S>(1, 20)) * (square(a) + square(b) + square(c) + square(d) + square(sum));
    }
    [[nodiscard]] constexpr mass_properties<S> properties(S const& mass, vec3<S> const& reference) const noexcept {
        vec3<S> const c = first / volume;
        S const density = mass / volume;
        sym3<S> const m = second - volume * square(c);
        sym3<S> const inertia{m.yy + m.zz, m.xx + m.zz, m.xx + m.yy, -m.xy, -m.xz, -m.yz};
        return {mass, reference + c, density * inertia};
    }
    [[nodiscard]] static constexpr sym3<S> square(vec3<S> const& v) noexcept {
        return {v.x() * v.x(), v.y() * v.y(), v.z() * v.z(), v.x() * v.y(), v.x() * v.z(), v.y() * v.z()};
    }
};

// A sum of hashes over directed edges, in which an edge cancels its reverse: zero if each has a partner, and, but for one
// chance in 2^64, only then. It needs no memory and no order. Points are known by their coordinates rather than by their
// indices, so that a surface whose triangles do not share points (STL) is closed too.
class edge_sum {
public:
    template <class S>
    constexpr void add(vec3<S> const& a, vec3<S> const& b) noexcept {
        sum_ += hash(a, b) - hash(b, a);
    }
    [[nodiscard]] constexpr bool closed() const noexcept { return sum_ == 0; }

private:
    template <class S>
    [[nodiscard]] static constexpr std::uint64_t hash(vec3<S> const& a, vec3<S> const& b) noexcept {
        bit_hash h;
        for (auto const* p : {&a, &b})
            for (S const& x : p->e) {
                auto const v = value(x);
                // Two doubles hold what a long double holds.
                auto const high = static_cast<double>(v);
                h.add(high);
                if constexpr (sizeof(v) > sizeof(double)) h.add(static_cast<double>(v - high));
            }
        // FNV mixes its last bytes little: finish as splitmix64 does (Steele et al. 2014).
        std::uint64_t z = h.value();
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    std::uint64_t sum_ = 0;
};

// Are all corners there and finite? Their mean is the point to compute about.
template <std::size_t Corners, class S, class Elements>
[[nodiscard]] constexpr mesh_status check_corners(std::span<vec3<S> const> points, Elements const& elements, vec3<S>& mean) noexcept {
    if (elements.empty()) return mesh_status::empty;
    vec3<S> sum{S(0), S(0), S(0)};
    for (auto const& e : elements)
        for (std::size_t k = 0; k < Corners; ++k) {
            // A negative index turns into a huge one.
            auto const i = static_cast<std::size_t>(e[k]);
            if (i >= points.size()) return mesh_status::bad_index;
            if (!all(isfinite(points[i]))) return mesh_status::not_finite;
            sum += points[i];
        }
    mean = sum / S(static_cast<value_type_t<S>>(elements.size() * Corners));
    return mesh_status::ok;
}

// Is a tetrahedron numbered the wrong way round, beyond rounding?
template <class S>
[[nodiscard]] constexpr bool is_inverted(vec3<S> const& a, vec3<S> const& b, vec3<S> const& c, vec3<S> const& d) noexcept {
    S const rounding = norm(b - a) * norm(c - a) * norm(d - a) * epsilon_v<S> * S(16);
    return all(dot(b - a, cross(c - a, d - a)) < -rounding);
}

// A volume within rounding of zero, against the cube of the mesh's size, is none.
template <class S>
[[nodiscard]] constexpr mesh_status check_volume(S const& volume, S const& squared_size) noexcept {
    S const size = sqrt(squared_size);
    S const rounding = size * size * size * epsilon_v<S> * S(16);
    if (all(volume < -rounding)) return mesh_status::inside_out;
    return all(volume > rounding) ? mesh_status::ok : mesh_status::flat;
}

template <class Range>
using element_t = std::remove_cv_t<typename decltype(std::span(std::declval<Range const&>()))::element_type>;

template <class V>
inline constexpr bool is_point_v = false;
template <class S>
inline constexpr bool is_point_v<vec<S, 3>> = scalar<S>;

}  // namespace detail

/// A contiguous range of vec3: std::vector, std::array, std::span, ...
template <class R>
concept point_range = requires(R const& r) { std::span(r); } && detail::is_point_v<detail::element_t<R>>;
/// A contiguous range of elements of N indices each: std::vector<std::array<int, N>>, ...
template <class R, std::size_t N>
concept element_range = requires(R const& r) {
    std::span(r);
    { static_cast<std::size_t>(std::span(r)[0][N - 1]) };
};

/// A volume cut into tetrahedra (corners by index into points, m), of a mass (kg) or of_density(kg/m^3). Each must have its
/// corners so that (b - a) . ((c - a) x (d - a)) > 0.
template <class A, point_range Points, element_range<4> Tetrahedra>
[[nodiscard]] constexpr auto solid_tetrahedra(A const& mass_or_density, Points const& points, Tetrahedra const& tetrahedra) noexcept {
    using S = typename detail::element_t<Points>::scalar_type;
    std::span<vec3<S> const> const p(points);
    auto const elements = std::span(tetrahedra);
    mesh_mass_properties<S> result;
    vec3<S> mean{};
    result.status = detail::check_corners<4>(p, elements, mean);
    if (!result) return result;

    detail::volume_moments<S> sum;
    bool inverted = false;
    for (auto const& e : elements) {
        vec3<S> const &a = p[static_cast<std::size_t>(e[0])], &b = p[static_cast<std::size_t>(e[1])], &c = p[static_cast<std::size_t>(e[2])],
                      &d = p[static_cast<std::size_t>(e[3])];
        inverted = inverted || detail::is_inverted(a, b, c, d);
        sum.add(a - mean, b - mean, c - mean, d - mean);
    }
    result.volume = sum.volume;
    result.status = inverted ? mesh_status::inside_out : all(sum.volume > S(0)) ? mesh_status::ok : mesh_status::flat;
    if (result) result.properties = sum.properties(detail::mass_of(mass_or_density, sum.volume), mean);
    return result;
}

/// The inside of a closed surface of triangles (corners by index into points, m), counter-clockwise seen from outside, of a
/// mass (kg) or of_density(kg/m^3). Holes in the surface are found; a surface that intersects itself is not.
template <class A, point_range Points, element_range<3> Triangles>
[[nodiscard]] constexpr auto solid_mesh(A const& mass_or_density, Points const& points, Triangles const& triangles) noexcept {
    using S = typename detail::element_t<Points>::scalar_type;
    std::span<vec3<S> const> const p(points);
    auto const elements = std::span(triangles);
    mesh_mass_properties<S> result;
    vec3<S> mean{};
    result.status = detail::check_corners<3>(p, elements, mean);
    if (!result) return result;

    detail::volume_moments<S> sum;
    detail::edge_sum edges;
    S squared_size{0};
    for (auto const& e : elements) {
        vec3<S> const &a = p[static_cast<std::size_t>(e[0])], &b = p[static_cast<std::size_t>(e[1])], &c = p[static_cast<std::size_t>(e[2])];
        edges.add(a, b);
        edges.add(b, c);
        edges.add(c, a);
        sum.add(a - mean, b - mean, c - mean);
        squared_size = max(squared_size, max(squared_norm(a - mean), max(squared_norm(b - mean), squared_norm(c - mean))));
    }
    result.volume = sum.volume;
    result.status = edges.closed() ? detail::check_volume(sum.volume, squared_size) : mesh_status::not_closed;
    if (result) result.properties = sum.properties(detail::mass_of(mass_or_density, sum.volume), mean);
    return result;
}

}  // namespace sinew::inline v0
