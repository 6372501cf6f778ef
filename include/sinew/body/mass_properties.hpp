#pragma once
// Mass, centre of mass and inertia: of the common solids, their sums, and what becomes of them in another frame.
//
//   auto const handle = solid_cylinder(0.2, 0.3, 0.015);                                  // kg, m, m
//   auto const head   = solid_box(of_density(7800.0), vec3<double>{0.1, 0.03, 0.03});     // kg/m^3, m
//   auto const hammer = handle + moved(head, vec3<double>{0, 0.15, 0});
//   rigid_body<double> const body = rigid_body_of(hammer, pose<double>{});
//
// The first argument of a shape is its mass (kg), or of_density(kg/m^3). Shapes stand about the origin, those with an axis
// along y. An inertia is about the centre of mass; off its diagonal it holds -integral(x y dm) (Vondrak 2005, eq. 5.13).
//
// Parallel axes (Huygens, Steiner): about a point at d from the centre of mass,  I' = I + m (d^2 1 - d d^T).

#include <sinew/body/body.hpp>

#include <concepts>
#include <span>
#include <type_traits>

namespace sinew::inline v0 {

/// What the equations of motion need to know of a body's shape and material.
template <class S>
    requires scalar<S>
struct mass_properties {
    using scalar_type = S;
    S mass{0};                           ///< kg
    vec3<S> center{S(0), S(0), S(0)};    ///< m, centre of mass
    sym3<S> inertia{};                   ///< kg m^2, about the centre of mass, along the axes of the frame

    [[nodiscard]] friend constexpr bool operator==(mass_properties const&, mass_properties const&) = default;
};

/// An amount of material by its density (kg/m^3), where a shape asks for a mass.
template <class S>
struct material_density {
    S value;
};
template <class S>
[[nodiscard]] constexpr material_density<S> of_density(S const& kilograms_per_cubic_metre) noexcept {
    return {kilograms_per_cubic_metre};
}

namespace detail {

template <class A>
inline constexpr bool is_density_v = false;
template <class D>
inline constexpr bool is_density_v<material_density<D>> = true;

template <class A, class S>
[[nodiscard]] constexpr S mass_of(A const& mass_or_density, S const& volume) noexcept {
    if constexpr (is_density_v<A>)
        return S(mass_or_density.value) * volume;
    else
        return S(mass_or_density);
}

// m (d^2 1 - d d^T): the inertia of a point mass at d.
template <class S>
[[nodiscard]] constexpr sym3<S> inertia_of_point(S const& mass, vec3<S> const& d) noexcept {
    S const x = d.x(), y = d.y(), z = d.z();
    return mass * sym3<S>{y * y + z * z, x * x + z * z, opaque(x * x + y * y), -(x * y), -(x * z), -(y * z)};
}

template <class S>
[[nodiscard]] constexpr S ratio(int a, int b) noexcept {
    return S(a) / S(b);
}

}  // namespace detail

/// What a shape over S takes as its amount of material: a mass, or of_density.
template <class A, class S>
concept mass_or_density_for = scalar<S> && (std::convertible_to<A, S> || detail::is_density_v<A>);

// ---- Solids of uniform density

/// Box with edges `size` (m; full lengths).
template <class A, class S>
    requires mass_or_density_for<A, S>
[[nodiscard]] constexpr mass_properties<S> solid_box(A const& mass_or_density, vec3<S> const& size) noexcept {
    S const x2 = size.x() * size.x(), y2 = size.y() * size.y(), z2 = size.z() * size.z();
    S const m = detail::mass_of(mass_or_density, size.x() * size.y() * size.z());
    return {m, {S(0), S(0), S(0)}, (m * detail::ratio<S>(1, 12)) * diagonal(y2 + z2, x2 + z2, x2 + y2)};
}

/// Ellipsoid with semi-axes (m).
template <class A, class S>
    requires mass_or_density_for<A, S>
[[nodiscard]] constexpr mass_properties<S> solid_ellipsoid(A const& mass_or_density, vec3<S> const& semi_axes) noexcept {
    S const x2 = semi_axes.x() * semi_axes.x(), y2 = semi_axes.y() * semi_axes.y(), z2 = semi_axes.z() * semi_axes.z();
    S const m = detail::mass_of(mass_or_density, detail::ratio<S>(4, 3) * pi_v<S> * semi_axes.x() * semi_axes.y() * semi_axes.z());
    return {m, {S(0), S(0), S(0)}, (m * detail::ratio<S>(1, 5)) * diagonal(y2 + z2, x2 + z2, x2 + y2)};
}

/// Sphere (radius in m).
template <class A, class S>
    requires mass_or_density_for<A, S>
[[nodiscard]] constexpr mass_properties<S> solid_sphere(A const& mass_or_density, S const& radius) noexcept {
    return solid_ellipsoid(mass_or_density, vec3<S>{radius, radius, radius});
}

/// Cylinder along y (height and radius in m).
template <class A, class S>
    requires mass_or_density_for<A, S>
[[nodiscard]] constexpr mass_properties<S> solid_cylinder(A const& mass_or_density, S const& height, std::type_identity_t<S> const& radius) noexcept {
    S const r2 = radius * radius;
    S const m = detail::mass_of(mass_or_density, pi_v<S> * r2 * height);
    S const across = m * (r2 * detail::ratio<S>(1, 4) + height * height * detail::ratio<S>(1, 12));
    return {m, {S(0), S(0), S(0)}, diagonal(across, m * r2 * detail::ratio<S>(1, 2), across)};
}

/// Capsule along y: a cylinder of that length (m, without the caps) between two half spheres (radius in m).
template <class A, class S>
    requires mass_or_density_for<A, S>
[[nodiscard]] constexpr mass_properties<S> solid_capsule(A const& mass_or_density, S const& length, std::type_identity_t<S> const& radius) noexcept {
    S const r2 = radius * radius;
    // Volumes over pi r^2: the middle, and both caps.
    S const middle = length, caps = detail::ratio<S>(4, 3) * radius;
    S const m = detail::mass_of(mass_or_density, pi_v<S> * r2 * (middle + caps));
    auto const empty = middle + caps == S(0);
    S const per_length = select(empty, S(0), m / select(empty, S(1), middle + caps));
    S const m_middle = per_length * middle, m_caps = per_length * caps;
    S const along = m_middle * r2 * detail::ratio<S>(1, 2) + m_caps * r2 * detail::ratio<S>(2, 5);
    // A half sphere's centre of mass is 3/8 r from its base, and its inertia about a diameter of the base is 2/5 m r^2.
    S const across = m_middle * (r2 * detail::ratio<S>(1, 4) + length * length * detail::ratio<S>(1, 12)) +
                     m_caps * (r2 * detail::ratio<S>(2, 5) + length * length * detail::ratio<S>(1, 4) + length * radius * detail::ratio<S>(3, 8));
    return {m, {S(0), S(0), S(0)}, diagonal(across, along, across)};
}

/// Cone along y (height and base radius in m): the base at -height/2, the tip at +height/2, the centre of mass at -height/4.
template <class A, class S>
    requires mass_or_density_for<A, S>
[[nodiscard]] constexpr mass_properties<S> solid_cone(A const& mass_or_density, S const& height, std::type_identity_t<S> const& radius) noexcept {
    S const r2 = radius * radius;
    S const m = detail::mass_of(mass_or_density, pi_v<S> * r2 * height * detail::ratio<S>(1, 3));
    S const across = m * (r2 * detail::ratio<S>(3, 20) + height * height * detail::ratio<S>(3, 80));
    return {m, {S(0), height * detail::ratio<S>(-1, 4), S(0)}, diagonal(across, m * r2 * detail::ratio<S>(3, 10), across)};
}

// ---- Bodies without volume: by mass alone

/// A point (position in m).
template <class S>
[[nodiscard]] constexpr mass_properties<S> mass_at(std::type_identity_t<S> const& mass, vec3<S> const& position) noexcept {
    return {mass, position, {}};
}

/// A thin straight rod from a to b (m). Alone it has no inertia about its own line, so it is no rigid body by itself.
template <class S>
[[nodiscard]] constexpr mass_properties<S> thin_rod(std::type_identity_t<S> const& mass, vec3<S> const& a, vec3<S> const& b) noexcept {
    return {mass, (a + b) * detail::ratio<S>(1, 2), detail::inertia_of_point(mass * detail::ratio<S>(1, 12), b - a)};
}

/// A thin spherical shell (radius in m).
template <class S>
[[nodiscard]] constexpr mass_properties<S> thin_sphere(std::type_identity_t<S> const& mass, S const& radius) noexcept {
    S const i = mass * radius * radius * detail::ratio<S>(2, 3);
    return {mass, {S(0), S(0), S(0)}, diagonal(i, i, i)};
}

// ---- Sums and differences

/// Both bodies as one. Their properties must be in the same frame.
template <class S>
[[nodiscard]] constexpr mass_properties<S> operator+(mass_properties<S> const& a, mass_properties<S> const& b) noexcept {
    S const m = a.mass + b.mass;
    auto const none = m == S(0);
    S const share = select(none, S(0), b.mass / select(none, S(1), m));
    vec3<S> const d = b.center - a.center;
    // The two parallel-axis terms in one: m_a |c_a - c|^2 + m_b |c_b - c|^2 = (m_a m_b / m) |c_b - c_a|^2.
    return {m, a.center + d * share, a.inertia + b.inertia + detail::inertia_of_point(a.mass * share, d)};
}

/// What is left of a when b is cut out of it. b must lie within a and weigh less.
template <class S>
[[nodiscard]] constexpr mass_properties<S> operator-(mass_properties<S> const& a, mass_properties<S> const& b) noexcept {
    return a + mass_properties<S>{-b.mass, b.center, sym3<S>{} - b.inertia};
}

/// The sum over a contiguous range of mass_properties.
template <class Range>
    requires requires(Range const& r) { std::span(r); }
[[nodiscard]] constexpr auto total(Range const& parts) noexcept {
    auto const view = std::span(parts);
    typename decltype(view)::value_type sum{};
    for (auto const& p : view) sum = sum + p;
    return sum;
}

/// The same shape of another mass (kg).
template <class S>
[[nodiscard]] constexpr mass_properties<S> scaled_to_mass(mass_properties<S> const& p, std::type_identity_t<S> const& mass) noexcept {
    return {mass, p.center, (mass / p.mass) * p.inertia};
}

// ---- Other frames

/// Seen from the frame that the pose leads to: turned, then shifted.
template <class S, class R>
[[nodiscard]] constexpr mass_properties<S> moved(mass_properties<S> const& p, pose<S, R> const& to) noexcept {
    return {p.mass, to.point(p.center), congruence(to_matrix(to.rotation), p.inertia)};
}
/// Shifted by an offset (m).
template <class S>
[[nodiscard]] constexpr mass_properties<S> moved(mass_properties<S> const& p, vec3<S> const& by) noexcept {
    return {p.mass, p.center + by, p.inertia};
}
/// Turned about the origin.
template <class S, rotation_like R>
    requires std::same_as<typename R::scalar_type, S>
[[nodiscard]] constexpr mass_properties<S> rotated(mass_properties<S> const& p, R const& r) noexcept {
    return moved(p, pose<S, R>{{S(0), S(0), S(0)}, r});
}

/// Inertia about another point (m) than the centre of mass (parallel axes).
template <class S>
[[nodiscard]] constexpr sym3<S> inertia_about(mass_properties<S> const& p, vec3<S> const& point) noexcept {
    return p.inertia + detail::inertia_of_point(p.mass, p.center - point);
}

/// A rigid body of these properties, whose shape's frame is at `frame`. The body's own frame has the same axes and its
/// origin at the centre of mass: what is at r in the shape's frame is at r - center in the body's. It is at rest.
template <class S, class R>
[[nodiscard]] constexpr rigid_body<S, R> rigid_body_of(mass_properties<S> const& p, pose<S, R> const& frame) noexcept {
    return {p.mass, p.inertia, {frame.point(p.center), frame.rotation}, {}};
}

}  // namespace sinew::inline v0
