#pragma once
// N constraints of one type, none of which shares a body that moves with another, as one constraint over N lanes: what wide sweeps hand around.
//
// A pack that is not full repeats its first constraint in the lanes left over, and forgets what they find.

#include <sinew/solver/impulse_preparation.hpp>
#include <sinew/solver/joint_block.hpp>
#include <sinew/solver/lane_problem.hpp>
#include <sinew/solver/point_block.hpp>

namespace sinew::inline v0::detail {

// What a type of constraint is iterated on.
template <class C, class B>
struct lane_work : impulse_work<C, B> {};
template <class C, class B>
    requires joins_points_v<C>
struct lane_work<C, B> {
    point_block<B> block{};
};
template <class C, class B>
    requires(has_joint_rows_v<C> && floating_scalar<value_type_t<B>>)
struct lane_work<C, B> {
    joint_block<C, B> block{};
};

/// N constraints of type C.
template <class C, class S, std::size_t N>
struct constraint_pack {
    using number = S;
    using B = typename lanes_of_scalar<S, N>::type;
    using wide = typename with_scalar<C, S, B>::type;
    static constexpr std::size_t lanes = N, bodies = attachments_t<C>::size;

    constraint_entry<wide, B> entry{};  // its bodies are 0, 1, ...
    lane_work<wide, B> work{};
    static constexpr bool solves_at_once = requires { requires decltype(lane_work<wide, B>::block)::solves_at_once; };  // hard rows without bounds, written for lanes
    std::array<std::array<std::uint32_t, N>, bodies> body{};  // of its kind
    std::array<std::array<std::uint32_t, N>, bodies> node{};
    std::array<std::array<bool, N>, bodies> moves{};  // lanes left over do not
    std::array<std::uint32_t, N> from{};              // where the constraints are
    std::uint32_t count = 0;
    bool has_fixed = false, all_move = true;
};

/// Which bodies the lanes of a pack are bound to.
template <class P, class Entries, class C, class S, std::size_t N>
constexpr void bind(P const& p, Entries const& entries, constraint_pack<C, S, N>& k) {
    for (std::size_t lane = 0; lane < N; ++lane) {
        bool const used = lane < k.count;
        if (!used) k.from[lane] = k.from[0];
        std::size_t a = 0;
        for_each_attachment(entries[k.from[lane]], [&](auto kind, auto, std::uint32_t i) {
            bool const moves = attachment_access<decltype(kind)>::movable(p, i);
            k.body[a][lane] = i;
            k.node[a][lane] = p.node(kind, i);
            k.moves[a][lane] = used && moves;
            k.has_fixed = k.has_fixed || !moves;
            k.all_move = k.all_move && moves && used;
            ++a;
        });
    }
    for (std::size_t a = 0; a < k.bodies; ++a) k.entry.bodies[a] = static_cast<std::uint32_t>(a);
}
/// A constraint's numbers into its lane. Whether it still fits there.
template <class P, class C, class S, std::size_t N, class E>
[[nodiscard]] constexpr bool fill_lane(P const& p, constraint_pack<C, S, N>& k, std::size_t lane, E const& e) {
    using B = typename constraint_pack<C, S, N>::B;
    bool fits = true;
    std::size_t a = 0;
    for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
        bool const moves = attachment_access<decltype(kind)>::movable(p, i) && lane < k.count;
        fits = fits && k.body[a][lane] == i && k.node[a][lane] == p.node(kind, i) && k.moves[a][lane] == moves;
        ++a;
    });
    if constexpr (N == 1) {
        k.entry.constraint = e.constraint;
        k.entry.lambda = e.lambda;
    } else {
        if (lane > 0) fits = fits && same_in_all_lanes<B>(k.entry.constraint, e.constraint);
        set_lane<B>(k.entry.constraint, lane, e.constraint);
        for (std::size_t r = 0; r < e.lambda.size(); ++r) k.entry.lambda[r].e[lane] = e.lambda[r];
    }
    return fits;
}
/// Impulses into the multipliers of the constraints, times `by`.
template <class Entries, class C, class S, std::size_t N>
constexpr void give(Entries const& entries, constraint_pack<C, S, N>& k, typename constraint_pack<C, S, N>::B const& by) {
    for (std::size_t r = 0; r < k.work.block.rows; ++r) k.entry.lambda[r] = k.work.block.impulse[r] * by;
    for (std::size_t lane = 0; lane < k.count; ++lane) {
        auto& e = entries[k.from[lane]];
        for (std::size_t r = 0; r < k.work.block.rows; ++r) e.lambda[r] = lane_of<N>(k.entry.lambda[r], lane);
        if constexpr (moving_normal_v<C>)
            for (std::size_t a = 0; a < e.pushed.wrenches.size(); ++a) {
                auto const& w = k.entry.pushed.wrenches[a];
                for (std::size_t x = 0; x < 3; ++x) {
                    e.pushed.wrenches[a].force[x] = lane_of<N>(w.force[x], lane);
                    e.pushed.wrenches[a].torque[x] = lane_of<N>(w.torque[x], lane);
                }
            }
    }
}

}  // namespace sinew::inline v0::detail
