#pragma once
// Spring and damper along the line between two points, as a compliant constraint (Waterson 2026, 6.5.1): however stiff, it
// is solved implicitly with the joints, and its force is the multiplier.
//
//   c = |p_a - p_b| - rest_length       lambda = -k c - nu c_dot
//
//   k    spring rate, N/m; the compliance is 1 / k       nu   damper rate, N s/m
//
// Sign: lambda > 0, a pressed spring, pushes the points apart. The spring of body/spring.hpp is the same as an explicit force,
// which asks for small steps when it is stiff. For a spring of no length in three directions, as Waterson's, soften a
// ball_joint (soft.hpp).

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/separation.hpp>

namespace sinew::inline v0 {

/// (1 row, m, compliant) Between any two kinds of bodies.
template <scalar S, class KindA, class KindB>
struct spring_damper_between {
    static constexpr std::size_t rows = 1;
    using attachments = binds<KindA, KindB>;

    anchor_t<S, KindA> anchor_a{};  ///< frame of a, m
    anchor_t<S, KindB> anchor_b{};  ///< frame of b, m
    S rest_length{};                ///< m
    S spring_rate{1};               ///< k, N/m, more than 0
    S damper_rate{};                ///< nu, N s/m

    /// Between two world points, at rest now. A particle is its own end, whatever point is given.
    [[nodiscard]] static constexpr spring_damper_between at(auto const& a, auto const& b, vec3<S> const& end_a, vec3<S> const& end_b, S const& spring_rate,
                                                            S const& damper_rate = S(0)) noexcept {
        spring_damper_between c{anchor_at(a, end_a), anchor_at(b, end_b), S(0), spring_rate, damper_rate};
        c.rest_length = norm(anchored(a, c.anchor_a) - anchored(b, c.anchor_b));
        return c;
    }

    [[nodiscard]] constexpr auto error(auto const& a, auto const& b) const noexcept {
        return norm(anchored(a, anchor_a) - anchored(b, anchor_b)) - rest_length;
    }
    /// 1 / k (m/N).
    [[nodiscard]] constexpr S compliance() const noexcept { return S(1) / spring_rate; }
    /// nu (N s/m).
    [[nodiscard]] constexpr S damping() const noexcept { return damper_rate; }

    [[nodiscard]] constexpr mat<S, 1, attachments::dof> jacobian(auto const& a, auto const& b) const noexcept {
        return detail::separation_jacobian<KindA, KindB, S>(a, b, anchor_a, anchor_b);
    }
    [[nodiscard]] constexpr S jacobian_rate(auto const& a, auto const& b, auto const& ta, auto const& tb) const noexcept {
        return detail::separation_jacobian_rate<KindA, KindB, S>(a, b, anchor_a, anchor_b, ta, tb);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("anchor_a", anchor_a), finite_parameter("anchor_b", anchor_b),
                           nonnegative_parameter("rest_length", rest_length),
                           detail::parameter_within(spring_rate > S(0), "spring_rate", "must be positive (a damper alone is a force: spring with stiffness 0)", spring_rate),
                           finite_parameter("spring_rate", spring_rate), nonnegative_parameter("damper_rate", damper_rate));
    }
    [[nodiscard]] friend constexpr bool operator==(spring_damper_between const&, spring_damper_between const&) = default;
};

template <class S>
using spring_damper = spring_damper_between<S, rigid, rigid>;
template <class S>
using particle_spring_damper = spring_damper_between<S, point_mass, point_mass>;
template <class S>
using particle_body_spring_damper = spring_damper_between<S, point_mass, rigid>;

}  // namespace sinew::inline v0
