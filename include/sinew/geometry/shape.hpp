#pragma once
// The shape concept: what a type must say to be a shape, and where it may say more.
//
//   template <sinew::scalar S>
//   struct ellipsoid {
//       sinew::vec3<S> semi_axes;                                       // m
//       constexpr sinew::vec3<S> support(sinew::vec3<S> const& d) const {    // the farthest point along d
//           sinew::vec3<S> const q{semi_axes[0] * d[0], semi_axes[1] * d[1], semi_axes[2] * d[2]};
//           sinew::vec3<S> const u = normalize(q);
//           return {semi_axes[0] * u[0], semi_axes[1] * u[1], semi_axes[2] * u[2]};
//       }
//   };
//
// That is a whole shape. A shape is one of three kinds:
//
//   convex      support(d); besides, each with a default in the functions below, margin(), bounds(frame),
//               mass_properties(density), supporting_face(d), cast(ray), fault(). The solid is the core, which support tells of,
//               grown by a ball of radius margin(): a sphere is a point so grown, a capsule a segment.
//               One that tells of no faces counts as round: where it touches is looked for in every step.
//   half space  normal and offset: the solid is { x : normal . x <= offset }
//   composed    part_count() and for_each_part(box, f), which calls f(number, convex shape, its frame) for the parts near a box
//
// Shapes are values in their own frame, in metres. S is the scalar, d a direction of any length, the zero vector included.

#include <sinew/body/mesh_mass_properties.hpp>
#include <sinew/body/parameter_fault.hpp>
#include <sinew/geometry/polygon.hpp>
#include <sinew/geometry/ray.hpp>

#include <concepts>
#include <cstdint>

namespace sinew::inline v0 {

// The atoms.

/// support(d) const: the point of the core that is farthest along d (m).
template <class T, class S>
concept has_support = requires(T const& shape, vec3<S> const& d) {
    { shape.support(d) } -> std::convertible_to<vec3<S>>;
};
/// margin() const: the radius of the ball that the core is grown by (m).
template <class T, class S>
concept has_margin = requires(T const& shape) {
    { shape.margin() } -> std::convertible_to<S>;
};
/// bounds(frame) const: a box of the world around the whole shape at that frame.
template <class T, class S>
concept has_bounds = requires(T const& shape, frame<S> const& f) {
    { shape.bounds(f) } -> std::convertible_to<aabb<S>>;
};
/// mass_properties(density) const: of the whole shape, in its own frame.
template <class T, class S>
concept has_mass_properties = requires(T const& shape, S const& density) {
    { shape.mass_properties(density) } -> std::convertible_to<mass_properties<S>>;
};
/// supporting_face(d) const: the face, edge or point of the core that looks along d.
template <class T, class S>
concept has_supporting_face = requires(T const& shape, vec3<S> const& d) {
    { shape.supporting_face(d) } -> std::convertible_to<polygon<S>>;
};
/// cast(ray) const: where a ray of the shape's frame hits the whole shape.
template <class T, class S>
concept has_cast = requires(T const& shape, ray<S> const& r) {
    { shape.cast(r) } -> std::convertible_to<ray_hit<S>>;
};
/// fault() const: what is wrong with the shape's numbers.
template <class T>
concept has_shape_fault = requires(T const& shape) {
    { shape.fault() } -> std::convertible_to<input_fault>;
};
/// normal and offset, and no support.
template <class T, class S>
concept is_half_space = !has_support<T, S> && requires(T const& shape) {
    { shape.normal } -> std::convertible_to<vec3<S>>;
    { shape.offset } -> std::convertible_to<S>;
};

namespace detail {
// Stands for the function that for_each_part calls.
struct part_visitor {
    template <class Part, class F>
    constexpr void operator()(std::uint32_t, Part const&, F const&) const noexcept {}
};
}  // namespace detail

/// part_count() const and for_each_part(box, f) const.
template <class T, class S>
concept is_composed = !has_support<T, S> && requires(T const& shape, aabb<S> const& box, detail::part_visitor const& f) {
    { shape.part_count() } -> std::convertible_to<std::size_t>;
    shape.for_each_part(box, f);
};

/// A convex solid over S.
template <class T, class S>
concept convex_shape = scalar<S> && std::copyable<T> && has_support<T, S>;
/// A solid over S that a world can hold.
template <class T, class S>
concept shape_like = scalar<S> && std::copyable<T> && (has_support<T, S> || is_half_space<T, S> || is_composed<T, S>);

// What a shape says, or the default.

/// The radius of the ball that the core is grown by (m).
template <class S, convex_shape<S> T>
[[nodiscard]] constexpr S margin_of(T const& shape) noexcept {
    if constexpr (has_margin<T, S>)
        return shape.margin();
    else
        return S(0);
}

/// The point of the whole shape that is farthest along d (m).
template <class S, convex_shape<S> T>
[[nodiscard]] constexpr vec3<S> surface_point(T const& shape, vec3<S> const& d) noexcept {
    if constexpr (has_margin<T, S>)
        return shape.support(d) + normalize(d) * shape.margin();
    else
        return shape.support(d);
}

/// A box of the world around a shape at f.
template <class S, shape_like<S> T>
[[nodiscard]] constexpr aabb<S> bounds_of(T const& shape, frame<S> const& f) noexcept {
    if constexpr (has_bounds<T, S>) {
        return shape.bounds(f);
    } else if constexpr (has_support<T, S>) {
        aabb<S> b{};
        S const margin = margin_of<S>(shape);
        for (std::size_t i = 0; i < 3; ++i) {
            vec3<S> const axis = f.rotation.m.row(i);  // the world's axis, seen from the shape
            b.upper[i] = f.position[i] + dot(axis, shape.support(axis)) + margin;
            b.lower[i] = f.position[i] + dot(axis, shape.support(-axis)) - margin;
        }
        return b;
    } else {
        return unbounded_aabb<S>();
    }
}

/// The face, edge or point of the core that looks along d.
template <class S, convex_shape<S> T>
[[nodiscard]] constexpr polygon<S> supporting_face_of(T const& shape, vec3<S> const& d) noexcept {
    if constexpr (has_supporting_face<T, S>) {
        return shape.supporting_face(d);
    } else {
        polygon<S> p;
        p.add(shape.support(d), 0);
        return p;
    }
}

/// Whether a shape says `static constexpr bool revolves = true`: a circle about its axis y through each point of its surface lies in the surface. So
/// it rolls as what is round does where no position may be edited.
template <class T>
inline constexpr bool is_revolved = false;
template <class T>
    requires requires { T::revolves; }
inline constexpr bool is_revolved<T> = T::revolves;

/// What is wrong with a shape's numbers, or none. Of a shape without fault(), points of its surface are asked to be finite.
template <class S, shape_like<S> T>
[[nodiscard]] constexpr input_fault fault_of(T const& shape) noexcept {
    if constexpr (has_shape_fault<T>) {
        return shape.fault();
    } else if constexpr (has_support<T, S>) {
        if (input_fault const f = nonnegative_parameter("margin", margin_of<S>(shape)); f.name != nullptr) return f;
        for (std::size_t i = 0; i < 6; ++i) {
            vec3<S> d{S(0), S(0), S(0)};
            d[i / 2] = i % 2 == 0 ? S(1) : S(-1);
            if (input_fault const f = finite_parameter("support", shape.support(d)); f.name != nullptr) return f;
        }
        return {};
    } else {
        return {};
    }
}

namespace detail {

/// x must be a length that is there.
template <class S>
[[nodiscard]] constexpr input_fault extent_parameter(char const* name, S const& x) noexcept {
    return parameter_within(isfinite(x) && x > S(0), name, "must be positive and finite", x);
}

// Moments of a shape known by its support alone: the directions of an octahedron, each face cut into n^2 triangles, carried
// to the surface. The triangles form a closed surface inside the shape, so the sums of body/mesh_mass_properties.hpp hold.
template <class S, class T>
[[nodiscard]] constexpr mass_properties<S> sampled_mass_properties(T const& shape, S const& density, int n) noexcept {
    vec3<S> reference{S(0), S(0), S(0)};
    for (std::size_t i = 0; i < 3; ++i) {
        vec3<S> d{S(0), S(0), S(0)};
        d[i] = S(1);
        reference += (surface_point<S>(shape, d) + surface_point<S>(shape, -d)) * ratio<S>(1, 6);
    }
    auto const point = [&](S const& sx, S const& sy, S const& sz, int i, int j) {
        return surface_point<S>(shape, normalize(vec3<S>{sx * ratio<S>(i, n), sy * ratio<S>(j, n), sz * ratio<S>(n - i - j, n)})) - reference;
    };
    volume_moments<S> sum;
    for (int octant = 0; octant < 8; ++octant) {
        S const sx = S((octant & 1) != 0 ? -1 : 1), sy = S((octant & 2) != 0 ? -1 : 1), sz = S((octant & 4) != 0 ? -1 : 1);
        bool const mirrored = ((octant & 1) != 0) != (((octant & 2) != 0) != ((octant & 4) != 0));
        auto const add = [&](vec3<S> const& a, vec3<S> const& b, vec3<S> const& c) { mirrored ? sum.add(a, c, b) : sum.add(a, b, c); };
        for (int i = 0; i < n; ++i)
            for (int j = 0; i + j < n; ++j) {
                vec3<S> const a = point(sx, sy, sz, i, j), b = point(sx, sy, sz, i + 1, j), c = point(sx, sy, sz, i, j + 1);
                add(a, b, c);
                if (i + j + 1 < n) add(b, point(sx, sy, sz, i + 1, j + 1), c);
            }
    }
    if (!(sum.volume > S(0))) return {};
    return sum.properties(density * sum.volume, reference);
}

// The error of the sampled moments falls with the square of the step: two steps yield it, and it is taken away (Richardson).
template <class S>
[[nodiscard]] constexpr mass_properties<S> extrapolated(mass_properties<S> const& coarse, mass_properties<S> const& fine) noexcept {
    S const a = ratio<S>(4, 3), b = ratio<S>(1, 3);
    return {a * fine.mass - b * coarse.mass, a * fine.center - b * coarse.center, a * fine.inertia - b * coarse.inertia};
}
template <class S, class T>
[[nodiscard]] constexpr mass_properties<S> support_mass_properties(T const& shape, S const& density) noexcept {
    return extrapolated(sampled_mass_properties<S>(shape, density, 16), sampled_mass_properties<S>(shape, density, 32));
}

}  // namespace detail

/// Of the whole shape at a density (kg/m^3), about its centre of mass, in its own frame. Of a shape without
/// mass_properties() they are found from its support by 5000 calls, within 1e-4 of the largest figures (a box exactly, a
/// cylinder 2e-5, a thin capsule 8e-5), 2e-3 where it is flat and sharp at once (a cone of a tenth of its width in height).
template <class S, shape_like<S> T>
    requires has_mass_properties<T, S> || has_support<T, S>
[[nodiscard]] constexpr mass_properties<S> mass_properties_of(T const& shape, S const& density) noexcept {
    if constexpr (has_mass_properties<T, S>)
        return shape.mass_properties(density);
    else
        return detail::support_mass_properties<S>(shape, density);
}

}  // namespace sinew::inline v0
