#pragma once
// A shape grown by a ball: rounded edges, which roll and slide more smoothly and are cheaper to keep apart than sharp ones.

#include <sinew/geometry/box.hpp>
#include <sinew/geometry/cone.hpp>
#include <sinew/geometry/convex_polytope.hpp>
#include <sinew/geometry/cylinder.hpp>

namespace sinew::inline v0 {

/// Core (+) ball. The core keeps its size: the whole stands out by the radius on every side.
template <class Core, scalar S = typename Core::scalar_type>
    requires convex_shape<Core, S>
struct rounded {
    using scalar_type = S;
    static constexpr bool revolves = is_revolved<Core>;
    Core core{};
    S radius{};  ///< m

    [[nodiscard]] constexpr vec3<S> support(vec3<S> const& d) const noexcept { return core.support(d); }
    [[nodiscard]] constexpr S margin() const noexcept { return margin_of<S>(core) + radius; }
    [[nodiscard]] constexpr aabb<S> bounds(frame<S> const& f) const noexcept { return grown(bounds_of<S>(core, f), radius); }
    /// In closed form where the core knows it, else from its support.
    [[nodiscard]] constexpr sinew::mass_properties<S> mass_properties(S const& density) const noexcept {
        if constexpr (requires { core.rounded_mass_properties(density, radius); })
            return core.rounded_mass_properties(density, radius);
        else
            return detail::support_mass_properties<S>(*this, density);
    }
    [[nodiscard]] constexpr polygon<S> supporting_face(vec3<S> const& d) const noexcept { return supporting_face_of<S>(core, d); }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return first_fault(fault_of<S>(core), nonnegative_parameter("radius", radius)); }
    [[nodiscard]] friend constexpr bool operator==(rounded const&, rounded const&) = default;
};

// For a world's list of shapes.
template <class S>
using rounded_box = rounded<box<S>, S>;
template <class S>
using rounded_cylinder = rounded<cylinder<S>, S>;
template <class S>
using rounded_cone = rounded<cone<S>, S>;
template <class S>
using rounded_polytope = rounded<convex_polytope<S>, S>;

}  // namespace sinew::inline v0
