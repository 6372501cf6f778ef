#pragma once
// One constraint as a solver on velocities iterates on it: everything that does not change from sweep to sweep, side by side.
//
//   V     packed velocities of its bodies, one quad after the other: a rigid body is (v, 0), (omega, 0); a particle (v, 0)
//   J, B  rows of the Jacobian and of (M^-1 J^T)^T, in the same places
//   K     J M^-1 J^T, with the softness gamma of compliant rows on its diagonal
//   p     impulses so far, N s, N m s
//
//   hard_block      hard rows without bounds, solved at once:   dp = mass_scale (-K^-1 J) V + offset - impulse_scale p,   V += B^T dp
//   general_block   all others: at once where there are no bounds, or else one row after the other
//
// Along a chain every joint waits for the velocities that the one before it stored, so what counts is the path from load to store:
// K^-1 is multiplied into J beforehand, sums are trees, and what does not depend on velocities is added beside the path.

#include <sinew/config/inlining.hpp>
#include <sinew/constraint/restitution.hpp>
#include <sinew/math/quad.hpp>
#include <sinew/solver/row_block.hpp>
#include <sinew/solver/soft_step.hpp>

namespace sinew::inline v0::detail {

// How many quads the velocity of a body of kind K takes. Of a rigid body, linear and angular velocity begin one each.
template <class K>
inline constexpr std::size_t quads_of_v = (K::dof + 3) / 4;
template <>
inline constexpr std::size_t quads_of_v<rigid> = 2;

template <class A>
struct packing;
template <class... K>
struct packing<binds<K...>> {
    static constexpr std::size_t quads = (quads_of_v<K> + ...);
    static constexpr std::size_t bodies = sizeof...(K);
    static constexpr std::array<std::size_t, sizeof...(K)> count{quads_of_v<K>...};
    [[nodiscard]] static constexpr std::size_t first(std::size_t body) noexcept {
        std::size_t n = 0;
        for (std::size_t i = 0; i < body; ++i) n += count[i];
        return n;
    }
    // The body that quad k belongs to, and where it begins in that one's packed velocity.
    static constexpr std::array<std::size_t, quads> body_at = [] {
        std::array<std::size_t, quads> of{};
        for (std::size_t k = 0, i = 0; k < quads; of[k++] = i)
            while (i + 1 < bodies && first(i + 1) <= k) ++i;
        return of;
    }();
    static constexpr std::array<std::size_t, quads> place_at = [] {
        std::array<std::size_t, quads> of{};
        for (std::size_t k = 0; k < quads; ++k) of[k] = 4 * (k - first(body_at[k]));
        return of;
    }();
};

/// The velocity of one body, of whatever kind, as quads.
template <class S, std::size_t Quads>
struct alignas(2 * quad_alignment_v<S>) packed_velocity {
    S e[4 * Quads]{};
};

template <class A>
inline constexpr bool moves_in_threes_v = false;
template <class... K>
inline constexpr bool moves_in_threes_v<binds<K...>> = ((std::same_as<K, rigid> || std::same_as<K, point_mass>) && ...);

/// What both kinds of block are made of. Where there are no vectors for S, rows of rigid bodies and particles go without the spare fourth numbers of quads: a quarter
/// less to read and to do, with the same bits.
template <class C, class S>
struct alignas(2 * quad_alignment_v<S>) block_base {
    static constexpr std::size_t rows = rows_v<C>;
    using packs = packing<attachments_t<C>>;
    static constexpr std::size_t quads = packs::quads;
    static constexpr std::size_t row_quads = (rows + 3) / 4;
    static constexpr bool in_threes = !has_vector_quad_v<S> && moves_in_threes_v<attachments_t<C>>;
    static constexpr std::size_t width = in_threes ? 3 : 4;  // of a quad in a row

    alignas(quad_alignment_v<S>) S gather[rows][width * quads]{};  // -K^-1 J, or J
    alignas(quad_alignment_v<S>) S spread[rows][width * quads]{};  // B
    alignas(quad_alignment_v<S>) S impulse[4 * row_quads]{};
    std::array<std::uint32_t, packs::bodies> node{};
    std::array<bool, packs::bodies> moves{};
};

template <class C, class S>
struct hard_block : block_base<C, S> {
    static constexpr bool solves_at_once = block_base<C, S>::in_threes;
    alignas(quad_alignment_v<S>) S offset[4 * block_base<C, S>::row_quads]{};  // -mass_scale K^-1 (the rate that feedback or the row itself asks for); in the hard pass only the latter
};

/// What rows need that do not all go at once.
template <class C, class S>
struct general_numbers {
    static constexpr std::size_t M = rows_v<C>;
    mat<S, M, M> K{};
    mat<S, M, M> inverse{};         // of K; with bounds, of its diagonal
    vec<S, M> offset[2]{};          // rates asked for in the hard and in the soft pass
    vec<S, M> gamma{};              // softness of compliant rows, 1/kg
    vec<S, M> mass_scale{}, impulse_scale{};  // of the soft pass
    vec<S, M> gap{};                // how far inequalities are from what they forbid
    bounds<S, M> limits{};          // of p
};
template <class C, class S>
struct general_block : block_base<C, S>, general_numbers<C, S> {};

/// What rows of a block are read as, where Q is what four rows are.
template <class Q, class Block>
using in_rows_of = std::conditional_t<Block::in_threes, array_three<std::remove_cvref_t<decltype(Block{}.gather[0][0])>>, Q>;

/// The velocities of a block's bodies, read and written whole.
template <class Q, class Block, class Packed>
struct gathered {
    Q v[Block::quads];

    constexpr gathered(Block const& b, Packed const* bodies) noexcept {
        each_to(quads, [&](auto k) { v[k] = Q::load(bodies[b.node[packs::body_at[k]]].e + packs::place_at[k]); });
    }
    // What does not move is left alone: bodies that share it need not wait for each other.
    constexpr void store(Block const& b, Packed* bodies) const noexcept {
        each_to(count_v<packs::bodies>, [&](auto body) {
            if (!b.moves[body]) return;
            S* const to = bodies[b.node[body]].e;
            each_to(quads, [&](auto k) {
                if (packs::body_at[k] == body) v[k].store(to + packs::place_at[k]);
            });
        });
    }
    /// gather * V, row by row: one quad for every four rows.
    template <std::size_t Group>
    [[nodiscard]] constexpr Q rows(Block const& b) const noexcept {
        auto const row = [&](auto r) {
            if constexpr (r < Block::rows)
                return tree_sum(count_v<0>, quads, [&](auto k) { return Q::load(b.gather[r] + 4 * k) * v[k]; });
            else
                return Q::splat(S(0));
        };
        return Q::sums(row(count_v<4 * Group>), row(count_v<4 * Group + 1>), row(count_v<4 * Group + 2>), row(count_v<4 * Group + 3>));
    }
    /// V += B^T dp, dp as quads.
    constexpr void push(Block const& b, Q const* dp) noexcept {
        Q all[Block::rows];
        each_of<Block::rows>([&](auto r) { all[r] = dp[r / 4].template all<static_cast<int>(r % 4)>(); });
        each_to(quads, [&](auto k) {
            auto const term = [&](auto r) { return Q::load(b.spread[r] + 4 * k) * all[r]; };
            v[k] = v[k] + term(count_v<0>);
            if constexpr (Block::rows > 1) v[k] = v[k] + tree_sum(count_v<1>, count_v<Block::rows - 1>, term);
        });
    }

private:
    using S = std::remove_cvref_t<decltype(Block{}.gather[0][0])>;
    using packs = typename Block::packs;
    static constexpr auto quads = count_v<Block::quads>;
};

/// The same without spare fourth numbers.
template <class Q, class Block, class Packed>
    requires(Block::in_threes)
struct gathered<Q, Block, Packed> {
    using S = std::remove_cvref_t<decltype(Block{}.gather[0][0])>;
    S v[3 * Block::quads];

    SINEW_ALWAYS_INLINE constexpr gathered(Block const& b, Packed const* bodies) noexcept {
        each_to(count_v<packs::bodies>, [&](auto body) SINEW_ALWAYS_INLINE {
            auto const& from = bodies[b.node[body]].e;
            each_number_of(body, [&](auto k, std::size_t of_body) SINEW_ALWAYS_INLINE { v[k] = from[of_body]; });
        });
    }
    /// gather * V of row r.
    template <class R>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr S row(Block const& b, R r) const noexcept {
        auto const sum = [&](std::size_t i) SINEW_ALWAYS_INLINE {
            return tree_sum(count_v<0>, count_v<Block::quads>, [&](auto k) SINEW_ALWAYS_INLINE { return b.gather[r][3 * k + i] * v[3 * k + i]; });
        };
        return (sum(0) + sum(2)) + (sum(1) + S(0));
    }
    template <std::size_t Group>
    [[nodiscard]] constexpr Q rows(Block const& b) const noexcept {
        auto const of = [&](auto r) {
            if constexpr (r < Block::rows)
                return row(b, r);
            else
                return S(0);
        };
        return Q::of(of(count_v<4 * Group>), of(count_v<4 * Group + 1>), of(count_v<4 * Group + 2>), of(count_v<4 * Group + 3>));
    }
    /// V + B^T dp for the bodies that move; dp(r) is that of one row.
    template <class F>
    SINEW_ALWAYS_INLINE constexpr void push_each(Block const& b, Packed* bodies, F const& dp) const noexcept {
        each_to(count_v<packs::bodies>, [&](auto body) SINEW_ALWAYS_INLINE {
            if (!b.moves[body]) return;
            auto& to = bodies[b.node[body]].e;
            each_number_of(body, [&](auto k, std::size_t of_body) SINEW_ALWAYS_INLINE {
                auto const term = [&](auto r) SINEW_ALWAYS_INLINE { return b.spread[r][k] * dp(r); };
                S pushed = v[k] + term(count_v<0>);
                if constexpr (Block::rows > 1) pushed = pushed + tree_sum(count_v<1>, count_v<Block::rows - 1>, term);
                to[of_body] = pushed;
            });
        });
    }

private:
    using packs = typename Block::packs;
    // f(its place in a row, in the packed velocity) for every number of a body's velocity.
    template <class Body, class F>
    SINEW_ALWAYS_INLINE static constexpr void each_number_of(Body body, F const& f) noexcept {
        each_to(count_v<3 * Block::quads>, [&](auto k) SINEW_ALWAYS_INLINE {
            if (packs::body_at[k / 3] == body) f(k, packs::place_at[k / 3] + k % 3);
        });
    }
};

/// The impulses that are there already act again.
template <class Q, class Block, class Packed>
[[gnu::flatten]] constexpr void warm_start(Block const& b, Packed* bodies) noexcept {
    gathered<Q, Block, Packed> g(b, bodies);
    if constexpr (Block::in_threes) {
        typename gathered<Q, Block, Packed>::S p[Block::rows];
        each_to(count_v<Block::rows>, [&](auto r) SINEW_ALWAYS_INLINE { p[r] = b.impulse[r]; });
        g.push_each(b, bodies, [&](auto r) SINEW_ALWAYS_INLINE { return p[r]; });
    } else {
        Q p[Block::row_quads];
        for (std::size_t i = 0; i < Block::row_quads; ++i) p[i] = Q::load(b.impulse + 4 * i);
        g.push(b, p);
        g.store(b, bodies);
    }
}

template <class Q, bool Soft, std::size_t I, class C, class S, class G>
[[nodiscard]] constexpr Q impulse_of(hard_block<C, S>& b, G const& g, row_feedback<S> const& feedback) noexcept {
    Q const p = Q::load(b.impulse + 4 * I);
    Q dp = g.template rows<I>(b);
    if constexpr (!is_holonomic_v<C, S>)
        dp = dp + Q::load(b.offset + 4 * I);
    else if constexpr (Soft)
        dp = dp * Q::splat(feedback.mass_scale) + (Q::load(b.offset + 4 * I) - p * Q::splat(feedback.impulse_scale));
    (p + dp).store(b.impulse + 4 * I);
    return dp;
}

/// One iteration of hard rows without bounds.
template <class Q, bool Soft, class C, class S, class Packed>
[[gnu::flatten]] constexpr void iterate(hard_block<C, S>& b, Packed* bodies, row_feedback<S> const& feedback) noexcept {
    using block = hard_block<C, S>;
    gathered<Q, block, Packed> g(b, bodies);
    if constexpr (block::in_threes) {
        S change[block::rows];
        each_to(count_v<block::rows>, [&](auto r) SINEW_ALWAYS_INLINE {
            S const p = b.impulse[r];
            S dp = g.row(b, r);
            if constexpr (!is_holonomic_v<C, S>)
                dp = dp + b.offset[r];
            else if constexpr (Soft)
                dp = dp * feedback.mass_scale + (b.offset[r] - p * feedback.impulse_scale);
            b.impulse[r] = p + dp;
            change[r] = dp;
        });
        g.push_each(b, bodies, [&](auto r) SINEW_ALWAYS_INLINE { return change[r]; });
    } else {
        Q dp[block::row_quads];
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((dp[I] = impulse_of<Q, Soft, I>(b, g, feedback)), ...);
        }(std::make_index_sequence<block::row_quads>{});
        g.push(b, dp);
        g.store(b, bodies);
    }
}
/// One iteration of any rows. limits(lambda) gives bounds anew where they depend on the multipliers (friction); update(before, proposed)
/// is the constraint's own rule. Both in N.
template <class Q, bool Soft, class C, class S, class Packed, class Limits, class Update, class Rubs>
constexpr void iterate(general_block<C, S>& b, Packed* bodies, [[maybe_unused]] Limits const& limits, [[maybe_unused]] Update const& update, [[maybe_unused]] Rubs const& rubs) noexcept {
    using block = general_block<C, S>;
    constexpr std::size_t M = rows_v<C>;
    gathered<Q, block, Packed> g(b, bodies);
    alignas(quad_alignment_v<S>) S rate[4 * block::row_quads];
    [&]<std::size_t... I>(std::index_sequence<I...>) { (g.template rows<I>(b).store(rate + 4 * I), ...); }(std::make_index_sequence<block::row_quads>{});
    vec<S, M> r, p;
    for (std::size_t i = 0; i < M; ++i) {
        p[i] = b.impulse[i];
        r[i] = rate[i] + b.offset[Soft ? 1 : 0][i] + b.gamma[i] * p[i];
    }
    vec<S, M> dp{};
    if constexpr (presses_and_rubs<C, S>) {
        friction_step<S> const friction(b.K(1, 1), b.K(2, 1), b.K(2, 2));
        auto const along = [&](std::size_t i) { return Soft ? b.mass_scale[i] : S(1); };
        auto const back = [&](std::size_t i) { return Soft ? S(1) - b.impulse_scale[i] : S(1); };
        for (int sweep = 0; sweep < 2; ++sweep) {
            S const push = -b.inverse(0, 0) * (r[0] + b.K(0, 1) * dp[1] + b.K(0, 2) * dp[2]);
            dp[0] = clamp(back(0) * p[0] + along(0) * push, b.limits.lower[0], b.limits.upper[0]) - p[0];
            vec<S, M> const from{p[0] + dp[0], back(1) * p[1], back(2) * p[2]};
            dp = rubs(from, along(1) * (r[1] + b.K(1, 0) * dp[0]), along(2) * (r[2] + b.K(2, 0) * dp[0]), friction) - p;
        }
    } else if constexpr (is_bounded_v<C, S>) {
        for (int sweep = 0; sweep < (M == 1 ? 1 : 4); ++sweep) {
            bounds<S, M> const within = limits(p + dp);
            for (std::size_t i = 0; i < M; ++i) {
                S e = r[i];
                for (std::size_t j = 0; j < M; ++j)
                    if (j != i) e = e + b.K(i, j) * dp[j];
                S step = -b.inverse(i, i) * e;
                // What does not push is not braked before the next forces: a hit needs its speed.
                if constexpr (!Soft && has_restitution<C, S>) step = select(b.gap[i] != S(0) && p[i] == S(0), S(0), step);
                if constexpr (Soft) step = b.mass_scale[i] * step - b.impulse_scale[i] * p[i];
                dp[i] = clamp(p[i] + step, within.lower[i], within.upper[i]) - p[i];
            }
        }
    } else {
        dp = -(b.inverse * r);
        if constexpr (Soft)
            for (std::size_t i = 0; i < M; ++i) dp[i] = b.mass_scale[i] * dp[i] - b.impulse_scale[i] * p[i];
    }
    if constexpr (has_update_v<C, S>) dp = update(p, p + dp) - p;
    S step[4 * block::row_quads]{};
    for (std::size_t i = 0; i < M; ++i) {
        step[i] = dp[i];
        b.impulse[i] = p[i] + dp[i];
    }
    if constexpr (block::in_threes) {
        g.push_each(b, bodies, [&](auto row) SINEW_ALWAYS_INLINE { return step[row]; });
    } else {
        Q steps[block::row_quads];
        for (std::size_t i = 0; i < block::row_quads; ++i) steps[i] = Q::of(step[4 * i], step[4 * i + 1], step[4 * i + 2], step[4 * i + 3]);
        g.push(b, steps);
        g.store(b, bodies);
    }
}

}  // namespace sinew::inline v0::detail
