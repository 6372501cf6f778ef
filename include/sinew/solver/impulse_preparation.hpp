#pragma once
// From a constraint at the poses of now to the block that is iterated on: J, B, K and what its rows ask for.
//
//   hard row          feedback as soft_step.hpp
//   c >= 0, slack     the rate may be as low as -c / h; what gets there fast is stopped, the rest as below
//   c >= 0, violated  feedback, not faster than max_push_speed
//   compliant row     c / (h + alpha d), softness gamma = alpha / (h (h + alpha d)): -c / alpha - d c_dot at the end of the step
//   velocity level    its own rate; with compliance softness gamma = alpha / (h (h + alpha d))

#include <sinew/config/inlining.hpp>
#include <sinew/core/call_with.hpp>
#include <sinew/solver/contact_gathering.hpp>
#include <sinew/solver/contact_sweep.hpp>
#include <sinew/solver/contact_lanes.hpp>
#include <sinew/solver/impulse_block.hpp>
#include <sinew/solver/joined_point.hpp>
#include <sinew/solver/position_rows.hpp>

namespace sinew::inline v0::detail {

template <class Cs>
inline constexpr bool any_contacts_v = false;
template <class... Cs>
inline constexpr bool any_contacts_v<std::tuple<Cs...>> = (is_contact_v<Cs> || ...);

/// Hard rows without bounds, of positions or of velocities: solved at once by a matrix made beforehand.
template <class C, class S>
inline constexpr bool is_hard_block_v = !moving_normal_v<C> && !is_bounded_v<C, S> && !has_update_v<C, S> && !has_compliance<C> && !(is_holonomic_v<C, S> && has_rate<C, S>);

template <class C, class S, class A>
inline constexpr bool has_coupled_limits_with_v = false;
template <class C, class S, class... K>
inline constexpr bool has_coupled_limits_with_v<C, S, binds<K...>> =
    requires(C const& c, vec<S, rows_v<C>> const& l, typename archetype<K, S>::pose_type const&... p) { constraint_traits<C>::limits(c, l, p...); };
/// Bounds that depend on the multipliers of other rows.
template <class C, class S>
inline constexpr bool has_coupled_limits_v = has_coupled_limits_with_v<C, S, attachments_t<C>>;

template <class C, class S>
struct impulse_work {
    std::conditional_t<is_hard_block_v<C, S>, hard_block<C, S>, general_block<C, S>> block{};
};
template <class C, class S>
    requires(!has_vector_quad_v<S> && joins_points_v<C>)
struct impulse_work<C, S> {
    point_in_threes<S> block{};
};
template <class C, class S>
struct work_on {
    using type = impulse_work<C, S>;
};
template <class C, class S>
    requires is_contact_v<C>
struct work_on<C, S> {
    using type = contact_manifold<S>;
};

template <class Q>
inline constexpr bool has_quad_threes = requires(Q& q) { Q::load_threes(nullptr, q, q); };

/// The velocity of a body as quads, and back.
template <class Q, class P, class K, class Packed>
constexpr void load_velocity(P const& p, K, std::uint32_t i, Packed& to) noexcept {
    using S = typename P::scalar_type;
    if constexpr (std::same_as<K, rigid>) {
        auto const& t = p.bodies[i].twist;
        if constexpr (has_quad_threes<Q>) {
            static_assert(sizeof(t) == 6 * sizeof(S));
            Q linear, angular;
            Q::load_threes(&t, linear, angular);
            linear.store(to.e);
            angular.store(to.e + 4);
        } else {
            Q::of(t.linear[0], t.linear[1], t.linear[2], S(0)).store(to.e);
            Q::of(t.angular[0], t.angular[1], t.angular[2], S(0)).store(to.e + 4);
        }
    } else {
        auto const v = attachment_access<K>::velocity(p, i);
        S padded[4 * quads_of_v<K>]{};
        for (std::size_t k = 0; k < K::dof; ++k) padded[k] = v[k];
        for (std::size_t k = 0; k < quads_of_v<K>; ++k) Q::of(padded[4 * k], padded[4 * k + 1], padded[4 * k + 2], padded[4 * k + 3]).store(to.e + 4 * k);
    }
}
template <class Q, class P, class K, class Packed>
constexpr void store_velocity(P const& p, K, std::uint32_t i, Packed const& from) noexcept {
    if constexpr (std::same_as<K, rigid>) {
        if constexpr (has_quad_threes<Q>)
            Q::store_threes(&p.bodies[i].twist, Q::load(from.e), Q::load(from.e + 4));
        else
            p.bodies[i].twist = {{from.e[0], from.e[1], from.e[2]}, {from.e[4], from.e[5], from.e[6]}};
    } else if constexpr (std::same_as<K, point_mass>) {
        p.particles[i].velocity = {from.e[0], from.e[1], from.e[2]};
    } else {
        auto dv = attachment_access<K>::velocity(p, i);
        for (std::size_t k = 0; k < K::dof; ++k) dv[k] = from.e[k] - dv[k];
        attachment_access<K>::accelerate(p, i, dv);
    }
}

// Where an attachment's velocity stands. That of a body which does not move is put there.
template <class Q, class P, class K, class Block, class Packed>
constexpr void place_body(P const& p, K kind, std::uint32_t i, Block& b, std::size_t body, Packed* bodies) noexcept {
    b.node[body] = p.node(kind, i);
    b.moves[body] = attachment_access<K>::movable(p, i);
    if (!b.moves[body]) load_velocity<Q>(p, kind, i, bodies[b.node[body]]);
}
// Row r of J: where it is, if its numbers stand there as a block wants them, or as it has been placed.
template <class Block, class S, std::size_t M, std::size_t N>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr S const* row_of([[maybe_unused]] mat<S, M, N> const& J, [[maybe_unused]] Block const& b, std::size_t r) noexcept {
    if constexpr (Block::in_threes)
        return J.e + r * N;
    else
        return b.gather[r];
}
// B, and beside it J as rows of quads; not of a hard block whose rows J has as they are: K^-1 J takes its place.
template <class Q, class P, class E, class S, std::size_t M, std::size_t N, class Block, class Packed>
[[gnu::flatten]] constexpr void place_rows(P const& p, E const& e, mat<S, M, N> const& J, Block& b, Packed* bodies) {
    using Row = in_rows_of<Q, Block>;
    constexpr bool copies_J = !Block::in_threes || !is_hard_block_v<typename E::constraint_type, S>;
    std::size_t body = 0;
    for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
        using Kind = decltype(kind);
        std::size_t const first = Block::width * Block::packs::first(body);
        place_body<Q>(p, kind, i, b, body++, bodies);
        if constexpr (std::same_as<Kind, rigid>) {
            auto const& w = p.inverse_masses[i];  // 0 of what does not move
            Row const m = Row::splat(w.linear);
            auto const& I = w.angular;
            Row const x = Row::of(I.xx, I.xy, I.xz, S(0)), y = Row::of(I.xy, I.yy, I.yz, S(0)), z = Row::of(I.xz, I.yz, I.zz, S(0));
            each_to(count_v<M>, [&](auto r) {
                Row const linear = Row::of(J(r, at), J(r, at + 1), J(r, at + 2), S(0)), angular = Row::of(J(r, at + 3), J(r, at + 4), J(r, at + 5), S(0));
                if constexpr (copies_J) {
                    linear.store(b.gather[r] + first);
                    angular.store(b.gather[r] + first + Block::width);
                }
                (linear * m).store(b.spread[r] + first);
                (x * angular.template all<0>() + (y * angular.template all<1>() + z * angular.template all<2>())).store(b.spread[r] + first + Block::width);
            });
        } else {
            for (std::size_t r = 0; r < M; ++r) {
                vec<S, Kind::dof> row;
                for (std::size_t k = 0; k < Kind::dof; ++k) row[k] = J(r, at + k);
                vec<S, Kind::dof> const weighed = attachment_access<Kind>::weigh(p, i, row);
                for (std::size_t k = 0; k < Kind::dof; ++k) {
                    if constexpr (copies_J) b.gather[r][first + k] = row[k];
                    b.spread[r][first + k] = weighed[k];
                }
            }
        }
    });
}
// K of rows that have been placed.
template <class Q, class Block, class S, std::size_t M, std::size_t N>
[[nodiscard, gnu::flatten]] constexpr mat<S, M, M> response_of(mat<S, M, N> const& J, Block const& b) noexcept {
    using Row = in_rows_of<Q, Block>;
    constexpr std::size_t width = Block::width;
    mat<S, M, M> K;
    each_to(count_v<M>, [&](auto r) SINEW_ALWAYS_INLINE {
        Row spread[Block::quads];
        each_to(count_v<Block::quads>, [&](auto k) SINEW_ALWAYS_INLINE { spread[k] = Row::load(b.spread[r] + width * k); });
        each_to(count_less(count_v<M>, r), [&](auto below) SINEW_ALWAYS_INLINE {
            std::size_t const q = r + below;
            K(q, r) = tree_sum(count_v<0>, count_v<Block::quads>, [&](auto k) SINEW_ALWAYS_INLINE { return Row::load(row_of(J, b, q) + width * k) * spread[k]; }).total().first();
            K(r, q) = K(q, r);
        });
    });
    return K;
}
// Rows of quads times -A, and divided by -K.
template <class Q, class Block, class S, std::size_t M, std::size_t N>
[[gnu::flatten]] constexpr void multiply_rows(mat<S, M, N> const& J, Block& b, mat<S, M, M> const& A) noexcept {
    using Row = in_rows_of<Q, Block>;
    for (std::size_t k = 0; k < Block::width * Block::quads; k += Block::width) {
        Row rows[M];
        each_to(count_v<M>, [&](auto i) { rows[i] = Row::load(row_of(J, b, i) + k); });
        each_to(count_v<M>, [&](auto i) { tree_sum(count_v<0>, count_v<M>, [&](auto j) { return rows[j] * Row::splat(-A(i, j)); }).store(b.gather[i] + k); });
    }
}
template <class Q, class Block, class S, std::size_t M, std::size_t N>
[[gnu::flatten]] constexpr void divide_rows(mat<S, M, N> const& J, Block& b, small_ldlt<S, M> const& K) noexcept {
    using Row = in_rows_of<Q, Block>;
    for (std::size_t k = 0; k < Block::width * Block::quads; k += Block::width) {
        Row rows[M];
        each_to(count_v<M>, [&](auto i) {
            rows[i] = Row::load(row_of(J, b, i) + k);
            each_to(i, [&](auto j) { rows[i] = rows[i] - Row::splat(K.l(i, j)) * rows[j]; });
        });
        each_to(count_v<M>, [&](auto i) { rows[i] = rows[i] * Row::splat(-K.l(i, i)); });
        each_to(count_v<M>, [&](auto down) {
            std::size_t const i = M - 1 - down;
            each_to(down, [&](auto j) { rows[i] = rows[i] - Row::splat(K.l(i + 1 + j, i)) * rows[i + 1 + j]; });
            rows[i].store(b.gather[i] + k);
        });
    }
}

// Flattened: where a joint's own code is part of it, J need not be written to be read again.
template <class Q, class P, class E, class Packed, class S>
[[gnu::flatten]] constexpr S prepare_rows(P const& p, E const& e, hard_block<typename E::constraint_type, S>& b, Packed* bodies, row_feedback<S> const& feedback) {
    using C = typename E::constraint_type;
    constexpr std::size_t M = rows_v<C>;
    auto const J = entry_jacobian(p, e);
    place_rows<Q>(p, e, J, b, bodies);
    S worst(0);
    auto const wanted = [&] {
        if constexpr (is_holonomic_v<C, S>) {
            vec<S, M> const c = detail::call_with([&](auto const&... q) { return error_of(e.constraint, q...); }, poses_of(p, e));
            for (std::size_t i = 0; i < M; ++i) worst = max(worst, abs(c[i]));
            return c * (feedback.bias_rate * feedback.mass_scale);
        } else {
            auto const twists = twists_of(p, e);
            vec<S, M> const rate = rate_of(e.constraint, poses_of(p, e), twists);
            for (std::size_t i = 0; i < M; ++i) worst = max(worst, abs(rate[i]));
            return rate - J * stacked_velocity<C>(twists);
        }
    };
    vec<S, M> offset;
    if constexpr (has_effective_mass_v<C, S>) {
        auto const effective_mass = own_effective_mass(p, e);
        offset = -(effective_mass * wanted());
        multiply_rows<Q>(J, b, effective_mass);
    } else {
        small_ldlt<S, M> const K(response_of<Q>(J, b));  // first: its divisions wait for each other, and what is wanted for none
        offset = -K.solve(wanted());
        divide_rows<Q>(J, b, K);
    }
    for (std::size_t i = 0; i < M; ++i) b.offset[i] = offset[i];
    return worst;
}
template <class Q, class P, class E, class Packed, class S>
constexpr S prepare(P const& p, E const& e, hard_block<typename E::constraint_type, S>& b, Packed* bodies, row_feedback<S> const& feedback, S const&, S const&) {
    if constexpr (joins_points_v<typename E::constraint_type>) {
        place_body<Q>(p, rigid{}, e.bodies[0], b, 0, bodies);
        place_body<Q>(p, rigid{}, e.bodies[1], b, 1, bodies);
        return prepare_point<Q>(p, e, b, feedback);
    } else {
        return prepare_rows<Q>(p, e, b, bodies, feedback);
    }
}

template <class Q, class P, class E, class Packed, class S>
constexpr S prepare(P const& p, E const& e, point_in_threes<S>& b, Packed* bodies, row_feedback<S> const& feedback, S const&, S const&) {
    place_body<Q>(p, rigid{}, e.bodies[0], b, 0, bodies);
    place_body<Q>(p, rigid{}, e.bodies[1], b, 1, bodies);
    return prepare_point(p, e, b, feedback);
}

/// Two at a time, which no other blocks are. The largest error so far (m), these with it.
template <class Q, class P, class E, class Packed, class S>
constexpr S prepare_two(P const& p, E const& e, E const& f, point_in_threes<S>& of_e, point_in_threes<S>& of_f, Packed* bodies, row_feedback<S> const& feedback, S const& worst) {
    for (std::size_t body = 0; body < 2; ++body) {
        place_body<Q>(p, rigid{}, e.bodies[body], of_e, body, bodies);
        place_body<Q>(p, rigid{}, f.bodies[body], of_f, body, bodies);
    }
    return prepare_two_points(p, e, f, of_e, of_f, feedback, worst);
}

template <class C, class S>
constexpr void invert(general_block<C, S>& b) noexcept {
    if constexpr (is_bounded_v<C, S>) {
        for (std::size_t i = 0; i < rows_v<C>; ++i) {
            auto const stuck = b.K(i, i) <= S(0);
            b.inverse(i, i) = select(stuck, S(0), S(1) / select(stuck, S(1), b.K(i, i)));
        }
    } else {
        b.inverse = inverse_spd(b.K);
    }
}
template <class Q, class P, class E, class Packed, class S>
constexpr S prepare(P const& p, E const& e, general_block<typename E::constraint_type, S>& b, Packed* bodies, row_feedback<S> const& feedback, S const& max_push_speed, S const& h) {
    using C = typename E::constraint_type;
    constexpr std::size_t M = rows_v<C>;
    auto const J = entry_jacobian(p, e);
    place_rows<Q>(p, e, J, b, bodies);
    b.K = response_of<Q>(J, b);
    auto const poses = poses_of(p, e);
    auto const twists = twists_of(p, e);
    bounds<S, M> const limits = detail::call_with([&](auto const&... q) { return limits_of(e.constraint, e.lambda, q...); }, poses);
    b.limits = detail::scaled_bounds(limits, [&](S const& bound) { return bound * h; });
    S worst(0);
    vec<S, M> c{};
    if constexpr (is_holonomic_v<C, S>) c = detail::call_with([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
    // The rate beyond J v: that of a target which moves.
    vec<S, M> rate{}, own{};
    if constexpr (has_rate<C, S>) {
        rate = rate_of(e.constraint, poses, twists);
        own = rate - J * stacked_velocity<C>(twists);
    }
    vec<S, M> const alpha = compliance_of<S>(e.constraint), damping = damping_of<S>(e.constraint);
    auto is_soft = alpha[0] > S(0);
    for (std::size_t i = 1; i < M; ++i) is_soft = is_soft || alpha[i] > S(0);
    for (std::size_t i = 0; i < M; ++i) {
        auto const soft = alpha[i] > S(0);
        S const lag = h + alpha[i] * damping[i];
        b.gamma[i] = soft_share(alpha[i], h, lag);
        b.K(i, i) = b.K(i, i) + b.gamma[i];
        // What is slack may go on until it is not.
        auto const pushes = limits.lower[i] >= S(0), pulls = limits.upper[i] <= S(0);
        S const gap = select(pushes, max(c[i], S(0)), select(pulls, min(c[i], S(0)), S(0)));
        auto const slack = gap != S(0);
        b.gap[i] = gap;
        S push = c[i] * feedback.bias_rate;
        push = select(pushes || pulls, clamp(push, -max_push_speed, max_push_speed), push);
        S const hard_offset = select(soft, c[i] / lag, gap / h);
        b.offset[0][i] = own[i] + hard_offset;
        b.offset[1][i] = own[i] + select(soft || slack, hard_offset, push);
        // What is reached slowly is as soft as when it is violated: a body that leans on its limit has c = 0 but for rounding, which must not decide how it goes on.
        auto const is_hit = slack && abs(gap) > h;  // 1 m/s, 1 rad/s
        auto const rigid_row = is_hit || is_soft || !is_holonomic_v<C, S>;
        b.mass_scale[i] = select(rigid_row, S(1), feedback.mass_scale);
        b.impulse_scale[i] = select(rigid_row, S(0), feedback.impulse_scale);
        S const error = is_holonomic_v<C, S> ? c[i] - gap : rate[i];
        worst = max(worst, select(soft, S(0), abs(error)));
    }
    invert(b);
    if constexpr (M == 1 && is_bounded_v<C, S> && has_effective_mass_v<C, S>) b.inverse = own_effective_mass(p, e);
    return worst;
}

// The pose that a body reaches within h seconds by its packed velocity. Other kinds of bodies stay where they are.
template <class S, class R>
[[nodiscard]] constexpr pose<S, R> carried(pose<S, R> const& x, S const* v, S const& h) noexcept {
    return {x.position + vec3<S>{v[0], v[1], v[2]} * h, nudged(x.rotation, vec3<S>{v[4], v[5], v[6]} * h)};
}
template <class S>
[[nodiscard]] constexpr particle_pose<S> carried(particle_pose<S> const& x, S const* v, S const& h) noexcept {
    return {x.position + vec3<S>{v[0], v[1], v[2]} * h};
}

/// Rows whose normals turn, made anew at the poses that the bodies will reach: c = 0 there, whatever J is here. Yields J.
template <class Q, class P, class E, class S, class Packed>
constexpr auto prepare_ahead(P const& p, E const& e, general_block<typename E::constraint_type, S>& b, Packed* bodies, S const& h) {
    using C = typename E::constraint_type;
    using A = attachments_t<C>;
    auto const reached = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::make_tuple(carried(attachment_access<typename A::template kind<I>>::pose(p, e.bodies[I]), bodies[b.node[I]].e, h)...);
    }(std::make_index_sequence<A::size>{});
    auto const J = detail::call_with([&](auto const&... q) { return jacobian_of(e.constraint, q...); }, reached);
    place_rows<Q>(p, e, J, b, bodies);
    b.K = response_of<Q>(J, b);
    auto const c = detail::call_with([&](auto const&... q) { return error_of(e.constraint, q...); }, reached);
    auto const alpha = compliance_of<S>(e.constraint), damping = damping_of<S>(e.constraint);
    for (std::size_t i = 0; i < rows_v<C>; ++i) {
        S rate(0);
        for (std::size_t k = 0; k < b.quads; ++k) {
            S const* const v = bodies[b.node[packing<A>::body_at[k]]].e + packing<A>::place_at[k];
            for (std::size_t x = 0; x < b.width; ++x) rate = rate + b.gather[i][b.width * k + x] * v[x];
        }
        S const lag = h + alpha[i] * damping[i];
        b.K(i, i) = b.K(i, i) + b.gamma[i];
        b.offset[1][i] = (c[i] - h * rate) / lag;  // the rate is added by the iteration
        b.mass_scale[i] = S(1);
        b.impulse_scale[i] = S(0);
    }
    invert(b);
    return J;
}

}  // namespace sinew::inline v0::detail
