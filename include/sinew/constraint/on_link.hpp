#pragma once
// Any constraint, bound to links of generalized bodies where it would bind rigid bodies or particles.
//
//   template <class S> using grip  = sinew::on_link<S, sinew::ball_joint, sinew::link_of<arm, 2>>;                        // arm, rigid
//   template <class S> using clasp = sinew::on_link<S, sinew::ball_joint, sinew::link_of<arm, 2>, sinew::link_of<arm, 2>>;  // two arms
//   template <class S> using hook  = sinew::on_link<S, sinew::particle_pin, sinew::as_bound, sinew::link_of<arm, 2>>;
//
// One place for each attachment, in their order; those left out are as the joint binds them.
//
//   c(u) = c(q(u)),   J_u = J dq/du,   J_u_dot u_dot = J_dot q_dot + J (dq/du)_dot u_dot
//
// where J is the joint's own, by hand if it gives one. Bounds, compliance, damping and a rule for the multipliers are the joint's. Its
// effective mass is not: it knows no M_u. Its geometric stiffness is derived in the coordinates, where the map's curvature takes part.

#include <sinew/body/link_of.hpp>
#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/derive.hpp>
#include <sinew/core/call_with.hpp>
#include <sinew/core/errors.hpp>

namespace sinew::inline v0 {

/// (as many rows as the joint) A joint on links. Places: link_of<Map, I> or as_bound.
template <scalar S, template <class> class Joint, class... Places>
struct on_link {
    using joint_type = Joint<S>;
    using traits = constraint_traits<joint_type>;
    using places = detail::on_places<S, attachments_t<joint_type>, Places...>;
    using attachments = typename places::attachments;
    static constexpr std::size_t rows = rows_v<joint_type>;
    static constexpr bool moving_normal = moving_normal_v<joint_type>;
    static constexpr bool on_links = true;

    joint_type joint{};

    /// The joint's maker: generalized poses of the bodies, where it takes those of the links, and whatever else it takes.
    template <class... A>
    [[nodiscard]] static constexpr on_link at(A const&... poses_and_places) {
        return at_links(std::index_sequence_for<A...>{}, poses_and_places...);
    }

    template <class... P>
    [[nodiscard]] constexpr auto error(P const&... poses) const
        requires(has_error<joint_type, S> && sizeof...(P) == attachments::size)
    {
        return detail::call_with([&](auto const&... q) { return traits::error(joint, q...); }, seen(poses...));
    }
    template <class... A>
    [[nodiscard]] constexpr auto rate(A const&... poses_and_twists) const
        requires(has_rate<joint_type, S> && sizeof...(A) == 2 * attachments::size)
    {
        return apply_halves(
            [&](auto const& poses, auto const& twists) {
                return detail::call_with([&](auto const&... a) { return traits::rate(joint, a...); }, std::tuple_cat(seen_of(poses), moving_as(poses, twists)));
            },
            poses_and_twists...);
    }
    template <class... P>
    [[nodiscard]] constexpr mat<S, rows, attachments::dof> jacobian(P const&... poses) const
        requires(sizeof...(P) == attachments::size)
    {
        return chained(detail::call_with([&](auto const&... q) { return jacobian_of(joint, q...); }, seen(poses...)), std::tie(poses...));
    }
    template <class... A>
    [[nodiscard]] constexpr vec<S, rows> jacobian_rate(A const&... poses_and_twists) const
        requires(sizeof...(A) == 2 * attachments::size)
    {
        return apply_halves(
            [&](auto const& poses, auto const& twists) {
                auto const links = seen_of(poses);
                jacobian_t<joint_type, S> const J = detail::call_with([&](auto const&... q) { return jacobian_of(joint, q...); }, links);
                vec<S, rows> r = jacobian_rate_of(joint, links, moving_as(poses, twists));
                each([&](auto i, auto at, auto) {
                    using place = typename places::template place<i>;
                    if constexpr (place::is_link) {
                        auto const a = std::get<i>(poses).template link_acceleration<place::index>(std::get<i>(twists).rates);
                        for (std::size_t k = 0; k < rows; ++k)
                            for (std::size_t j = 0; j < a.size(); ++j) r[k] = r[k] + J(k, at + j) * a[j];
                    }
                });
                return r;
            },
            poses_and_twists...);
    }
    [[nodiscard]] constexpr auto compliance() const
        requires has_compliance<joint_type>
    {
        return traits::compliance(joint);
    }
    [[nodiscard]] constexpr auto damping() const
        requires has_damping<joint_type>
    {
        return traits::damping(joint);
    }
    template <class... P>
    [[nodiscard]] constexpr bounds<S, rows> limits(vec<S, rows> const& lambda, P const&... poses) const
        requires(is_bounded_v<joint_type, S> && sizeof...(P) == attachments::size)
    {
        return detail::call_with([&](auto const&... q) { return limits_of(joint, lambda, q...); }, seen(poses...));
    }
    template <class... P>
    [[nodiscard]] constexpr vec<S, rows> update(vec<S, rows> const& lambda, vec<S, rows> const& proposed, P const&... poses) const
        requires(has_update_v<joint_type, S> && sizeof...(P) == attachments::size)
    {
        return detail::call_with([&](auto const&... q) { return updated_multipliers(joint, lambda, proposed, q...); }, seen(poses...));
    }
    /// The wrenches on the links and bodies (N, N m; about their centres).
    template <class... P>
    [[nodiscard]] constexpr std::array<wrench<S>, attachments::size> link_wrenches(vec<S, rows> const& lambda, P const&... poses) const {
        auto const Q = transpose_times(detail::call_with([&](auto const&... q) { return jacobian_of(joint, q...); }, seen(poses...)), lambda);
        std::array<wrench<S>, attachments::size> w{};
        each([&](auto i, auto at, auto) {
            using kind = typename attachments_t<joint_type>::template kind<i>;
            for (std::size_t k = 0; k < 3; ++k) {
                if constexpr (!is_generalized_v<kind>) w[i].force[k] = Q[at + k];
                if constexpr (std::same_as<kind, rigid>) w[i].torque[k] = Q[at + 3 + k];
            }
        });
        return w;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return part_fault(joint);
    }
    [[nodiscard]] friend constexpr bool operator==(on_link const& a, on_link const& b)
        requires std::equality_comparable<joint_type>
    {
        return a.joint == b.joint;
    }

private:
    using indices = typename places::indices;

    // f(index, first column in the joint's J, first column here) for each attachment, all constants.
    template <class F>
    static constexpr void each(F&& f) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (f(std::integral_constant<std::size_t, I>{}, std::integral_constant<std::size_t, attachments_t<joint_type>::offset(I)>{},
               std::integral_constant<std::size_t, attachments::offset(I)>{}),
             ...);
        }(indices{});
    }
    // The poses of links in place of those of their bodies; of a tuple of poses.
    template <class... P>
    [[nodiscard]] static constexpr auto seen(P const&... poses) {
        return seen_of(std::tie(poses...));
    }
    template <class Poses>
    [[nodiscard]] static constexpr auto seen_of(Poses const& poses) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::make_tuple(places::template place<I>::pose(std::get<I>(poses))...);
        }(indices{});
    }
    // Likewise their twists.
    template <class Poses, class Twists>
    [[nodiscard]] static constexpr auto moving_as(Poses const& poses, Twists const& twists) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::make_tuple(twist_at<typename places::template place<I>>(std::get<I>(poses), std::get<I>(twists))...);
        }(indices{});
    }
    template <class Place>
    [[nodiscard]] static constexpr auto twist_at(auto const& pose, auto const& t) {
        if constexpr (Place::is_link)
            return as_twist(pose.template link_velocity<Place::index>(t.rates));
        else
            return t;
    }
    template <class T>
    [[nodiscard]] static constexpr twist<T> as_twist(vec<T, 6> const& v) noexcept {
        return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    }
    template <class T>
    [[nodiscard]] static constexpr particle_twist<T> as_twist(vec3<T> const& v) noexcept {
        return {v};
    }
    // f(poses, twists) of a pack of both.
    template <class F, class... A>
    [[nodiscard]] static constexpr auto apply_halves(F&& f, A const&... both) {
        auto const all = std::tie(both...);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return f(std::tie(std::get<I>(all)...), std::tie(std::get<attachments::size + I>(all)...));
        }(indices{});
    }
    template <class Poses>
    [[nodiscard]] static constexpr mat<S, rows, attachments::dof> chained(jacobian_t<joint_type, S> const& J, Poses const& poses) {
        mat<S, rows, attachments::dof> r;
        each([&](auto i, auto from, auto to) {
            using place = typename places::template place<i>;
            constexpr std::size_t own = attachments::template kind<i>::dof;
            if constexpr (place::is_link) {
                auto const L = std::get<i>(poses).template link_jacobian<place::index>();
                for (std::size_t k = 0; k < rows; ++k)
                    for (std::size_t j = 0; j < own; ++j) {
                        S s = J(k, from) * L(0, j);
                        for (std::size_t q = 1; q < L.rows(); ++q) s = s + J(k, from + q) * L(q, j);
                        r(k, to + j) = s;
                    }
            } else {
                for (std::size_t k = 0; k < rows; ++k)
                    for (std::size_t j = 0; j < own; ++j) r(k, to + j) = J(k, from + j);
            }
        });
        return r;
    }
    template <std::size_t... I, class... A>
    [[nodiscard]] static constexpr on_link at_links(std::index_sequence<I...>, A const&... a) {
        return {joint_type::at(argument<I>(a)...)};
    }
    template <std::size_t I>
    [[nodiscard]] static constexpr auto argument(auto const& a) {
        if constexpr (I < attachments::size)
            return places::template place<I>::pose(a);
        else
            return a;
    }
};

}  // namespace sinew::inline v0
