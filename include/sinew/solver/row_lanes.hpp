#pragma once
// Rows of N constraints side by side, as wide sweeps iterate on them: what impulse_block.hpp has, with the same bits. Where lanes are constraints, vectors of three need
// no quads: a quarter less to read, in sweeps that wait for little else.
//
//   row r    sum over i of gather[r][i] v_i, + rest[r]      v without the spare fourth numbers; rest is the zero that these would add, with its sign

#include <sinew/solver/impulse_block.hpp>

namespace sinew::inline v0::detail {

template <class C, class B>
struct lane_rows {
    static constexpr bool is_in_lanes = true;
    static constexpr std::size_t rows = rows_v<C>;
    using packs = packing<attachments_t<C>>;
    static constexpr std::size_t threes = packs::quads;  // of rigid bodies and particles
    static constexpr std::size_t row_quads = (rows + 3) / 4;

    B gather[rows][3 * threes];
    B spread[rows][3 * threes];
    B rest[rows];
    B impulse[rows]{};

    constexpr void take_rows(block_base<C, B> const& b) noexcept {
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t k = 0; k < threes; ++k)
                for (std::size_t i = 0; i < 3; ++i) {
                    gather[r][3 * k + i] = b.gather[r][4 * k + i];
                    spread[r][3 * k + i] = b.spread[r][4 * k + i];
                }
            rest[r] = tree_sum<0, threes>([&](auto k) { return b.gather[r][4 * k + 3] * B(0); });
        }
    }
};

/// A hard_block in lanes.
template <class C, class B>
struct hard_lanes : lane_rows<C, B> {
    using padded = hard_block<C, B>;
    static constexpr bool solves_at_once = true;
    B offset[rows_v<C>];

    constexpr void take(padded const& b) noexcept {
        this->take_rows(b);
        for (std::size_t r = 0; r < rows_v<C>; ++r) offset[r] = b.offset[r];
    }
};
/// A general_block in lanes.
template <class C, class B>
struct general_lanes : general_block<C, B, lane_rows<C, B>> {
    using padded = general_block<C, B>;

    constexpr void take(padded const& b) noexcept {
        this->take_rows(b);
        static_cast<general_numbers<C, B>&>(*this) = b;
    }
};

/// The velocities stay where they are.
template <class Q, class Block, class Packed>
    requires requires { Block::is_in_lanes; }
struct gathered<Q, Block, Packed> {
    Packed* bodies;

    constexpr gathered(Block const&, Packed* all) noexcept : bodies(all) {}
    constexpr void store(Block const&, Packed*) const noexcept {}

    /// gather * V of one row.
    template <std::size_t R>
    [[nodiscard, gnu::always_inline]] constexpr auto row(Block const& b) const noexcept {
        auto const sum = [&](auto i) { return tree_sum<0, Block::threes>([&](auto k) { return b.gather[R][3 * k + i] * number(k, i); }); };
        return (sum(at<0>) + sum(at<2>)) + (sum(at<1>) + b.rest[R]);
    }
    template <std::size_t Group>
    [[nodiscard]] constexpr Q rows(Block const& b) const noexcept {
        auto const of = [&](auto r) {
            if constexpr (r < Block::rows)
                return row<r>(b);
            else
                return std::remove_cvref_t<decltype(b.rest[0])>(0);
        };
        return Q::of(of(at<4 * Group>), of(at<4 * Group + 1>), of(at<4 * Group + 2>), of(at<4 * Group + 3>));
    }
    /// V += B^T dp; dp(r) is that of one row.
    template <class F>
    [[gnu::always_inline]] constexpr void push_each(Block const& b, F const& dp) noexcept {
        each_of<Block::threes>([&](auto k) {
            each_of<3>([&](auto i) {
                auto const term = [&](auto r) { return b.spread[r][3 * k + i] * dp(r); };
                auto v = number(k, i) + term(at<0>);
                if constexpr (Block::rows > 1) v = v + tree_sum<1, Block::rows - 1>(term);
                number(k, i) = v;
            });
        });
    }
    constexpr void push(Block const& b, Q const* dp) noexcept {
        push_each(b, [&](auto r) { return dp[r / 4].e[r % 4]; });
    }

private:
    template <std::size_t I>
    static constexpr std::integral_constant<std::size_t, I> at{};
    template <class K>
    [[nodiscard, gnu::always_inline]] constexpr auto& number(K, std::size_t i) const noexcept {
        constexpr std::size_t body = Block::packs::body_of(K::value);
        return bodies[body].e[4 * (K::value - Block::packs::first(body)) + i];
    }
};

template <class Q, class Block, class Packed>
    requires requires { Block::is_in_lanes; }
[[gnu::flatten]] constexpr void warm_start(Block const& b, Packed* bodies) noexcept {
    gathered<Q, Block, Packed>(b, bodies).push_each(b, [&](auto r) { return b.impulse[r]; });
}
template <class Q, bool Soft, class C, class B, class Packed>
[[gnu::flatten]] constexpr void iterate(hard_lanes<C, B>& b, Packed* bodies, [[maybe_unused]] row_feedback<B> const& feedback) noexcept {
    gathered<Q, hard_lanes<C, B>, Packed> g(b, bodies);
    B change[rows_v<C>];
    each_of<rows_v<C>>([&](auto r) {
        B const p = b.impulse[r];
        B dp = g.template row<r>(b);
        if constexpr (!is_holonomic_v<C, B>)
            dp = dp + b.offset[r];
        else if constexpr (Soft)
            dp = dp * feedback.mass_scale + (b.offset[r] - p * feedback.impulse_scale);
        b.impulse[r] = p + dp;
        change[r] = dp;
    });
    g.push_each(b, [&](auto r) { return change[r]; });
}

}  // namespace sinew::inline v0::detail
