#pragma once
// A ball about the origin: a point, grown by its radius.

#include <sinew/geometry/shape.hpp>

namespace sinew::inline v0 {

template <scalar S>
struct sphere {
    using scalar_type = S;
    S radius{};  ///< m

    [[nodiscard]] constexpr vec3<S> support(vec3<S> const&) const noexcept { return {S(0), S(0), S(0)}; }
    [[nodiscard]] constexpr S margin() const noexcept { return radius; }
    [[nodiscard]] constexpr aabb<S> bounds(frame<S> const& f) const noexcept { return grown(aabb<S>{f.position, f.position}, radius); }
    [[nodiscard]] constexpr sinew::mass_properties<S> mass_properties(S const& density) const noexcept { return solid_sphere(of_density(density), radius); }
    [[nodiscard]] constexpr polygon<S> supporting_face(vec3<S> const& d) const noexcept {
        polygon<S> p;
        p.add(support(d), 0);
        return p;
    }
    [[nodiscard]] constexpr ray_hit<S> cast(ray<S> const& r) const noexcept { return detail::cast_ball(r, vec3<S>{S(0), S(0), S(0)}, radius); }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return detail::extent_parameter("radius", radius); }
    [[nodiscard]] friend constexpr bool operator==(sphere const&, sphere const&) = default;
};

}  // namespace sinew::inline v0
