#pragma once
// What a surface is made of, as contacts ask: friction, restitution, softness. And what two surfaces make of each other.
//
//   friction      static: what it takes to begin to slide; dynamic: what is left of it while sliding (Waterson 2026, 5.6)
//   restitution   share of the approach speed that a hit gives back (Newton's law; Waterson 2026, eq. 5.36)
//   rolling       a torque against rolling, and against spinning about the normal, for each N that presses: N m / N = m
//   compliance    1/(N/m) of each contact point, and the damping that goes with it
//
// Two surfaces touch with one friction and one restitution. Which is a rule: a type with `friction(a, b)` and `restitution(a, b)`, see
// default_combination. Compliances add as those of springs in a row.

#include <sinew/body/parameter_fault.hpp>

#include <type_traits>

namespace sinew::inline v0 {

/// The surface of a body, or what two surfaces have together.
template <scalar S>
struct material {
    S static_friction{value_type_t<S>(0.6)};   ///< coefficient while sticking
    S dynamic_friction{value_type_t<S>(0.6)};  ///< coefficient while sliding, not above the static one
    S restitution{0};                          ///< 0: stays; 1: leaves as fast as it came
    S restitution_threshold{value_type_t<S>(0.5)};  ///< approach speed below which nothing bounces, m/s
    S rolling_friction{0};                     ///< torque against rolling over the force that presses, m
    S spinning_friction{0};                    ///< torque against spinning about the normal over the force that presses, m
    S compliance{0};                           ///< of a contact point, 1/(N/m); 0 is hard
    S damping{0};                              ///< of a soft contact point, N s/m
    vec3<S> surface_velocity{};                ///< of the surface against its body, as that of a conveyor belt, frame of the shape, m/s

    /// With one coefficient for both kinds of friction.
    [[nodiscard]] static constexpr material of(S const& friction, S const& restitution = S(0)) noexcept {
        material m;
        m.static_friction = m.dynamic_friction = friction;
        m.restitution = restitution;
        return m;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(nonnegative_parameter("material.static_friction", static_friction), nonnegative_parameter("material.dynamic_friction", dynamic_friction),
                           detail::parameter_within(dynamic_friction <= static_friction, "material.dynamic_friction", "must not be above the static friction", dynamic_friction),
                           detail::parameter_within(restitution >= S(0) && restitution <= S(1), "material.restitution", "must be between 0 and 1", restitution),
                           magnitude_parameter("material.restitution_threshold", restitution_threshold),
                           nonnegative_parameter("material.rolling_friction", rolling_friction), nonnegative_parameter("material.spinning_friction", spinning_friction),
                           nonnegative_parameter("material.compliance", compliance), nonnegative_parameter("material.damping", damping),
                           finite_parameter("material.surface_velocity", surface_velocity));
    }
    [[nodiscard]] friend constexpr bool operator==(material const&, material const&) = default;
};

// How one number is made of two.

struct take_average {
    template <class S>
    [[nodiscard]] static constexpr S of(S const& a, S const& b) noexcept {
        return (a + b) / S(2);
    }
};
/// 0 if either is 0: ice stays slippery under rubber.
struct take_geometric_mean {
    template <class S>
    [[nodiscard]] static constexpr S of(S const& a, S const& b) noexcept {
        S mean = sqrt(a * b);
        if constexpr (derivative_order_v<S> > 0) {
            // From nothing it grows as the mean of what both grow by; a square root has no derivative there.
            auto const begins = a == S(0) && b == S(0);
            for (std::size_t k = 0; k < S::lanes; ++k) {
                using part = std::remove_cvref_t<decltype(a.d[k])>;
                mean.d[k] = select(begins, of(max(a.d[k], part(0)), max(b.d[k], part(0))), mean.d[k]);
            }
        }
        return mean;
    }
};
struct take_product {
    template <class S>
    [[nodiscard]] static constexpr S of(S const& a, S const& b) noexcept {
        return a * b;
    }
};
struct take_smaller {
    template <class S>
    [[nodiscard]] static constexpr S of(S const& a, S const& b) noexcept {
        return min(a, b);
    }
};
struct take_larger {
    template <class S>
    [[nodiscard]] static constexpr S of(S const& a, S const& b) noexcept {
        return max(a, b);
    }
};

/// A rule of two parts: how coefficients of friction are combined, and how restitutions are.
template <class Friction, class Restitution>
struct combination {
    template <class S>
    [[nodiscard]] static constexpr S friction(S const& a, S const& b) noexcept {
        return Friction::of(a, b);
    }
    template <class S>
    [[nodiscard]] static constexpr S restitution(S const& a, S const& b) noexcept {
        return Restitution::of(a, b);
    }
};
/// Geometric mean of the frictions, the larger restitution.
using default_combination = combination<take_geometric_mean, take_larger>;

/// What two surfaces have together. Their surface velocities are given in the world frame, and the result is that of a against b.
template <class Rule = default_combination, class S>
[[nodiscard]] constexpr material<S> combined(material<S> const& a, material<S> const& b) noexcept {
    material<S> m;
    m.static_friction = Rule::friction(a.static_friction, b.static_friction);
    m.dynamic_friction = min(Rule::friction(a.dynamic_friction, b.dynamic_friction), m.static_friction);
    m.restitution = Rule::restitution(a.restitution, b.restitution);
    m.restitution_threshold = max(a.restitution_threshold, b.restitution_threshold);
    m.rolling_friction = max(a.rolling_friction, b.rolling_friction);
    m.spinning_friction = max(a.spinning_friction, b.spinning_friction);
    m.compliance = a.compliance + b.compliance;
    m.damping = max(a.damping, b.damping);
    m.surface_velocity = a.surface_velocity - b.surface_velocity;
    return m;
}

}  // namespace sinew::inline v0
