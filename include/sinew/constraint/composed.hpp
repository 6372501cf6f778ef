#pragma once
// A constraint f(g(q)) of a mapping g, which is another constraint's error, and a function f of its values: what g has by hand is used,
// and the rest follows by the chain rule.
//
//   c = f(y),  y = g(q)      J = J_f J_g      J_dot v = J_f (J_g_dot v) + y_dot^T (D^2 f) y_dot,  y_dot = J_g v
//   G(q, lambda) = G_g(q, gamma) + J_g^T G_f(y, lambda) J_g,   gamma = J_f^T lambda          (Tournier, "Composing geometric stiffnesses")
//
// f is differentiated over the few values of g by dual numbers, instead of over the twelve and more degrees of freedom of the bodies.
//
//   template <class S>
//   struct reach {                                            // |y| <= length: an arm's, of the point that it holds
//       static constexpr std::size_t rows = 1;
//       S length{1};
//       constexpr auto value(auto const& y) const { return length - norm(y); }
//       constexpr auto limits() const { return sinew::pushing<S, 1>(); }
//   };
//   template <class S> using arm = sinew::composed<S, reach, sinew::ball_joint>;
//   world.add(arm<double>{sinew::ball_joint<double>{shoulder, grip}, {0.8}}, body, load);
//
// f says `rows` and value(y), y a vec of as many numbers as g has rows, over any scalar. It may say jacobian(y) (rows x values) and
// stiffness(y, lambda) (values x values, sum of lambda_i D^2 f_i) by hand, and compliance(), damping(), limits(), fault() as a
// constraint does. Those of g do not count: of g only the error is meant. Compositions compose.
// G has the sign of all stiffnesses here: the change of J^T lambda.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/check_members.hpp>

namespace sinew::inline v0 {

/// (as many rows as Outer) Outer<S> of the error of Inner<S>.
template <scalar S, template <class> class Outer, template <class> class Inner>
struct composed {
    using inner_type = Inner<S>;
    using outer_type = Outer<S>;
    using joint_type = inner_type;  // whose members are checked: those below are there as far as the parts have them
    using attachments = attachments_t<inner_type>;
    static_assert(has_error<inner_type, S>, "sinew: a composed constraint is a function of another's error; this inner one has none that can be called with its poses.");
    static_assert(has_rows<outer_type>, "sinew: the outer function of a composed constraint does not say how many rows it has; add `static constexpr std::size_t rows = ...;`.");
    static_assert(!detail::names_limits<outer_type> || requires(outer_type const& f) { f.limits(); },
                  "sinew: the `limits` of this composed constraint's outer function cannot be called as limits() const; it would be ignored.");
    static_assert(!detail::names_compliance<outer_type> || requires(outer_type const& f) { f.compliance(); },
                  "sinew: the `compliance` of this composed constraint's outer function cannot be called as compliance() const; it would be ignored.");
    static_assert(!detail::names_damping<outer_type> || requires(outer_type const& f) { f.damping(); },
                  "sinew: the `damping` of this composed constraint's outer function cannot be called as damping() const; it would be ignored.");
    static_assert(!detail::names_jacobian<outer_type> || requires(outer_type const& f, vec<S, rows_v<inner_type>> const& y) { f.jacobian(y); },
                  "sinew: the `jacobian` of this composed constraint's outer function cannot be called as jacobian(y) const, with y = vec<S, values>; it would be ignored.");
    static constexpr std::size_t rows = outer_type::rows;
    static constexpr std::size_t values = rows_v<inner_type>;
    static constexpr bool moving_normal = moving_normal_v<inner_type> || moving_normal_v<outer_type>;

    inner_type inner{};  ///< g
    outer_type outer{};  ///< f

    template <class... P>
    [[nodiscard]] constexpr auto error(P const&... poses) const {
        return outer.value(error_of(inner, poses...));
    }
    /// J_f J_g.
    template <class... P>
        requires(sizeof...(P) == attachments::size)
    [[nodiscard]] constexpr mat<S, rows, attachments::dof> jacobian(P const&... poses) const {
        return outer_jacobian(error_of(inner, poses...)) * jacobian_of(inner, poses...);
    }
    /// jacobian_rate(poses..., twists...).
    template <class... A>
        requires(sizeof...(A) == 2 * attachments::size)
    [[nodiscard]] constexpr vec<S, rows> jacobian_rate(A const&... poses_and_twists) const {
        return rate_by(std::tie(poses_and_twists...), detail::attachment_indices<inner_type>{});
    }
    /// stiffness(poses..., lambda).
    template <class... A>
        requires(sizeof...(A) == attachments::size + 1)
    [[nodiscard]] constexpr mat<S, attachments::dof, attachments::dof> stiffness(A const&... poses_and_lambda) const {
        return stiffness_by(std::tie(poses_and_lambda...), detail::attachment_indices<inner_type>{});
    }

    [[nodiscard]] constexpr auto compliance() const noexcept
        requires requires(outer_type const& f) { f.compliance(); }
    {
        return outer.compliance();
    }
    [[nodiscard]] constexpr auto damping() const noexcept
        requires requires(outer_type const& f) { f.damping(); }
    {
        return outer.damping();
    }
    [[nodiscard]] constexpr auto limits() const noexcept
        requires requires(outer_type const& f) { f.limits(); }
    {
        return outer.limits();
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(part_fault(inner), part_fault(outer));
    }
    [[nodiscard]] friend constexpr bool operator==(composed const&, composed const&) = default;

private:
    using values_type = vec<S, values>;
    using rows_type = vec<S, rows>;

    template <class T>
    [[nodiscard]] constexpr auto outer_of(vec<T, values> const& y) const {
        return detail::as_rows<rows>(outer.value(y));
    }
    [[nodiscard]] constexpr mat<S, rows, values> outer_jacobian(values_type const& y) const {
        if constexpr (requires { outer.jacobian(y); }) {
            return outer.jacobian(y);
        } else {
            using D = dual<S, values>;
            vec<D, values> z;
            for (std::size_t i = 0; i < values; ++i) z[i] = D::variable(y[i], i);
            return detail::lanes_of<values>(outer_of(z));
        }
    }
    // sum of lambda_i D^2 f_i
    [[nodiscard]] constexpr mat<S, values, values> outer_stiffness(values_type const& y, rows_type const& lambda) const {
        if constexpr (requires { outer.stiffness(y, lambda); }) {
            return outer.stiffness(y, lambda);
        } else {
            using D = dual<S, values>;
            using DD = dual<D, values>;
            vec<DD, values> z;
            for (std::size_t i = 0; i < values; ++i) z[i] = DD::variable(D::variable(y[i], i), i);
            auto const e = outer_of(z);
            mat<S, values, values> G{};
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t j = 0; j < values; ++j)
                    for (std::size_t k = 0; k < values; ++k) G(j, k) = G(j, k) + lambda[i] * e[i].d[j].d[k];
            return G;
        }
    }
    template <class Args, std::size_t... I>
    [[nodiscard]] constexpr auto stiffness_by(Args const& a, std::index_sequence<I...>) const {
        rows_type const& lambda = std::get<sizeof...(I)>(a);
        values_type const y = error_of(inner, std::get<I>(a)...);
        auto const J = jacobian_of(inner, std::get<I>(a)...);
        values_type const gamma = transpose_times(outer_jacobian(y), lambda);
        return stiffness_of(inner, detail::pack(std::get<I>(a)...), gamma) + transpose(J) * (outer_stiffness(y, lambda) * J);
    }
    template <class Args, std::size_t... I>
    [[nodiscard]] constexpr rows_type rate_by(Args const& a, std::index_sequence<I...>) const {
        auto const poses = detail::pack(std::get<I>(a)...);
        auto const twists = detail::pack(std::get<sizeof...(I) + I>(a)...);
        values_type const y = error_of(inner, std::get<I>(a)...);
        values_type const y_dot = jacobian_of(inner, std::get<I>(a)...) * stacked_velocity<inner_type>(twists);
        // f along y + t y_dot: its second derivative.
        using D = dual<S, 1>;
        using DD = dual<D, 1>;
        vec<DD, values> z;
        for (std::size_t i = 0; i < values; ++i) {
            D inside(y[i]);
            inside.d[0] = y_dot[i];
            z[i] = DD(inside);
            z[i].d[0] = D(y_dot[i]);
        }
        auto const e = outer_of(z);
        rows_type r = outer_jacobian(y) * jacobian_rate_of(inner, poses, twists);
        for (std::size_t i = 0; i < rows; ++i) r[i] = r[i] + e[i].d[0].d[0];
        return r;
    }
};

}  // namespace sinew::inline v0
