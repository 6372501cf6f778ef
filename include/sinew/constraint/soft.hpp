#pragma once
// Any constraint made soft: a spring and a damper in each of its rows, instead of a rigid hold.
//
//   c + compliance lambda = 0,   plus damping of c_dot      (Waterson 2026, 6.2; Macklin et al. 2016)
//
// A row of stiffness k (N/m, N m/rad) has compliance 1 / k; compliance 0 leaves it hard. Everything else is the joint's own.
//
//   template <class S> using soft_hinge = sinew::soft_joint<S, sinew::hinge_joint>;
//   soft_hinge<double>{sinew::hinge_joint<double>::at(a, b, anchor, axis), uniform_rows, ...}

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/stack.hpp>

namespace sinew::inline v0 {

/// (as many rows as the joint) A joint whose rows give way.
template <scalar S, template <class> class Joint>
struct soft_joint {
    using joint_type = Joint<S>;
    using traits = constraint_traits<joint_type>;
    using attachments = attachments_t<joint_type>;
    static constexpr std::size_t rows = rows_v<joint_type>;
    static constexpr bool moving_normal = moving_normal_v<joint_type>;
    static constexpr bool additive_error = additive_error_v<joint_type>;

    joint_type joint{};
    vec<S, rows> row_compliance{};  ///< 1/(N/m), 1/(N m/rad)
    vec<S, rows> row_damping{};     ///< N s/m, N m s/rad

    /// All rows alike.
    [[nodiscard]] static constexpr soft_joint with(joint_type const& joint, S const& compliance, S const& damping = S(0)) noexcept {
        soft_joint c{joint, {}, {}};
        for (std::size_t i = 0; i < rows; ++i) {
            c.row_compliance[i] = compliance;
            c.row_damping[i] = damping;
        }
        return c;
    }

    [[nodiscard]] constexpr vec<S, rows> const& compliance() const noexcept { return row_compliance; }
    [[nodiscard]] constexpr vec<S, rows> const& damping() const noexcept { return row_damping; }

    // Whatever the joint says is passed on; what it does not say is not said here either.
    template <class... P>
    [[nodiscard]] constexpr auto error(P const&... poses) const
        requires requires(joint_type const& j) { traits::error(j, poses...); }
    {
        return traits::error(joint, poses...);
    }
    template <class... A>
    [[nodiscard]] constexpr auto rate(A const&... poses_and_twists) const
        requires requires(joint_type const& j) { traits::rate(j, poses_and_twists...); }
    {
        return traits::rate(joint, poses_and_twists...);
    }
    template <class... P>
    [[nodiscard]] constexpr auto jacobian(P const&... poses) const
        requires requires(joint_type const& j) { traits::jacobian(j, poses...); }
    {
        return traits::jacobian(joint, poses...);
    }
    template <class... A>
    [[nodiscard]] constexpr auto jacobian_rate(A const&... poses_and_twists) const
        requires requires(joint_type const& j) { traits::jacobian_rate(j, poses_and_twists...); }
    {
        return traits::jacobian_rate(joint, poses_and_twists...);
    }
    template <class... A>
    [[nodiscard]] constexpr auto stiffness(A const&... poses_and_lambda) const
        requires requires(joint_type const& j) { traits::stiffness(j, poses_and_lambda...); }
    {
        return traits::stiffness(joint, poses_and_lambda...);
    }
    template <class... A>
    [[nodiscard]] constexpr auto limits(A const&... state) const
        requires requires(joint_type const& j) { traits::limits(j, state...); }
    {
        return traits::limits(joint, state...);
    }
    template <class... A>
    [[nodiscard]] constexpr auto update(A const&... state) const
        requires requires(joint_type const& j) { traits::update(j, state...); }
    {
        return traits::update(joint, state...);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        input_fault r = part_fault(joint);
        for (std::size_t i = 0; i < rows; ++i)
            r = first_fault(r, nonnegative_parameter("compliance", row_compliance[i]), nonnegative_parameter("damping", row_damping[i]));
        return r;
    }
    [[nodiscard]] friend constexpr bool operator==(soft_joint const&, soft_joint const&) = default;
};

}  // namespace sinew::inline v0
