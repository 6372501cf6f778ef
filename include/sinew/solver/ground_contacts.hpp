#pragma once
// The contacts of a world whose scalar has lanes: all of them with the ground, see contact_lanes.hpp.
//
//   stage       once a step, one by one: what a manifold begins with
//   arrange     two and two, where a register takes the lanes of both
//   sweep       velocities side by side, one sweep, velocities back
//
// Two manifolds become the halves of one whose scalar has twice the lanes, which contact_sweep.hpp sweeps. What one waits for is waited for once for both. They share
// no body that moves, so neither waits for the other, and each half has the bits that it has alone. One that finds no partner goes on as it was staged.

#include <sinew/config/inlining.hpp>
#include <sinew/math/lane_pairs.hpp>
#include <sinew/solver/contact_gathering.hpp>
#include <sinew/solver/contact_lanes.hpp>

namespace sinew::inline v0::detail {

/// Manifolds of two bodies against the ground, or where to find a single one.
template <class S>
struct manifold_pair {
    using W = lane_pair_t<S>;
    contact_manifold<W> m{};
    std::array<std::uint32_t, 2> node[2]{};  // of each half
    std::array<std::uint32_t, 2> from{};     // among those that are staged
    std::uint32_t count = 0;                 // 2; or 1, and m is not used
};

/// W of the bodies of both halves, see packed_mass.
template <class S>
struct paired_mass {
    using W = lane_pair_t<S>;
    packed_mass<S> const &lower, &upper;

    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q row(std::size_t i) const noexcept {
        auto const both = [&](std::size_t k) { return side_by_side<W>(lower.angular[i][k], upper.angular[i][k]); };
        return Q::of(both(0), both(1), both(2), W(0));
    }
    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q pushed() const noexcept {
        return Q::splat(inverse_mass());
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr W inverse_mass() const noexcept { return side_by_side<W>(lower.linear[0], upper.linear[0]); }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr W trace() const noexcept { return side_by_side<W>(lower.trace(), upper.trace()); }
};

/// Where a pair finds what it needs of its bodies. MovesB: those that move are the second ones.
template <class S, class Packed, bool MovesB>
struct pair_over_ground {
    using W = lane_pair_t<S>;
    manifold_pair<S> const& pair;
    bodies_in_rows<S, Packed> const& all;

    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr twist_over_ground<Q, MovesB> gather(Packed const* from) const noexcept {
        auto const &x = from[pair.node[0][MovesB]].e, &y = from[pair.node[1][MovesB]].e;
        auto const both = [&](std::size_t k) { return side_by_side<W>(x[k], y[k]); };
        return {Q::of(both(0), both(1), both(2), W(0)), Q::of(both(4), both(5), both(6), W(0))};
    }
    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr twist_over_ground<Q, MovesB> velocity(auto const&) const noexcept {
        return gather<Q>(all.velocities);
    }
    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr twist_over_ground<Q, MovesB> moved(auto const&) const noexcept {
        return gather<Q>(all.moves);
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr paired_mass<S> mass(auto const&, std::size_t body) const noexcept {
        return {all.masses[pair.node[0][body]], all.masses[pair.node[1][body]]};
    }
    template <class Q>
    SINEW_ALWAYS_INLINE constexpr void store(auto const&, twist_over_ground<Q, MovesB> const& t) const noexcept {
        put<false>(all.velocities[pair.node[0][MovesB]].e, t);
        put<true>(all.velocities[pair.node[1][MovesB]].e, t);
    }

private:
    template <bool Upper, class Q>
    SINEW_ALWAYS_INLINE static constexpr void put(S* e, twist_over_ground<Q, MovesB> const& t) noexcept {
        each_of<3>([&](auto k) {
            e[k] = half_of<S, Upper>(t.v.e[k]);
            e[4 + k] = half_of<S, Upper>(t.w.e[k]);
        });
    }
};

// Of scalars that no machine takes two of there are none.
template <class S>
struct pair_of {
    struct type {};
};
template <class S>
    requires may_have_lane_pairs_v<S>
struct pair_of<S> {
    using type = manifold_pair<S>;
};

/// The manifolds of contacts of type C. Env gives arrays and their sizes.
template <class Env, class C>
class ground_contacts {
public:
    using S = typename Env::scalar;
    static constexpr bool in_pairs = has_lane_pairs_v<S>;
    template <class T>
    using array = typename Env::template array<T, Env::template most_of<C>>;

    /// The manifolds as they are staged, in the order of their contacts.
    [[nodiscard]] constexpr auto& staged() noexcept { return staged_; }
    /// After a step that has come to nothing, as in wide_contacts.hpp.
    constexpr void forget() noexcept {
        staged_.clear();
        pairs_.clear();
    }

    /// Pairs of all that has been staged.
    template <class P, class Masses, class ForRange>
    constexpr void arrange(P const&, Masses const*, ForRange const&) {
        if constexpr (in_pairs) {
            make_room(pairs_, staged_.size());  // who finds a partner changes from step to step
            std::size_t used = 0;
            for (std::size_t i = 0; i < staged_.size();) {
                if (used == pairs_.size()) pairs_.push_back({});
                auto& k = pairs_[used++];
                k.count = i + 1 < staged_.size() && suits(staged_[i], staged_[i + 1]) ? 2 : 1;
                for (std::uint32_t half = 0; half < k.count; ++half) k.from[half] = static_cast<std::uint32_t>(i) + half;
                i += k.count;
                if (k.count > 1) fill(k);
            }
            while (pairs_.size() > used) pairs_.pop_back();
        }
    }
    /// Where the inertia of bodies has turned with them.
    template <class Masses, class Turned, class ForRange>
    constexpr void turn(Masses const*, Turned const& turned, ForRange const&) {
        auto const either = [&](auto const& node) -> mask_t<S> { return turned[node[0]] || turned[node[1]]; };
        if constexpr (in_pairs) {
            for (auto& k : pairs_) {
                if (k.count > 1)
                    k.m.make_anew(side_by_side<mask_t<typename pair::W>>(either(k.node[0]), either(k.node[1])));
                else
                    alone(k).make_anew(either(alone(k).node));
            }
        } else {
            for (auto& m : staged_) m.make_anew(either(m.node));
        }
    }
    template <class Q, class Packed, class ForRange>
    constexpr void start(bodies_in_rows<S, Packed> const& bodies, bool first, ForRange const&) {
        each(bodies, [&](auto& m, auto const& own) { start(m, own, first); });
    }
    template <class Q, bool Soft, class Friction, class Packed, class ForRange>
    constexpr void sweep(bodies_in_rows<S, Packed> const& bodies, contact_feedback<S> const& feedback, int hit_sweeps, ForRange const&) {
        auto const of_all = for_any(feedback);
        each(bodies, [&]<class M>(M& m, auto const& own) { detail::sweep<quad<M>, Soft, Friction>(m, own, of_all.of(m), hit_sweeps); });
    }
    /// Surfaces that move over their bodies have done so for h.
    constexpr void drive(S const& h) {
        auto const of_all = for_any(h);
        each_manifold([&](auto& m) {
            if (m.is_driven) detail::drive(m, of_all.of(m));
        });
    }
    /// Impulses into the multipliers of the contacts, times a factor; of a hit only what goes on, if that is asked for.
    template <class Entries>
    constexpr void give(Entries const& entries, S const& factor, bool lasting) {
        auto const of_all = for_any(factor);
        auto const by = [&](auto const& m) { return lasting ? of_all.of(m) * m.lasting_share() : of_all.of(m); };
        if constexpr (in_pairs) {
            for (auto const& k : pairs_) {
                if (k.count > 1) {
                    give_half<false>(k, entries, by(k.m));
                    give_half<true>(k, entries, by(k.m));
                } else {
                    detail::give(alone(k), entries, by(alone(k)));
                }
            }
        } else {
            for (auto const& m : staged_) detail::give(m, entries, by(m));
        }
    }

private:
    using pair = typename pair_of<S>::type;
    template <class M>
    using quad = array_quad<typename M::scalar_type>;

    // For both halves, where there are any.
    [[nodiscard]] static constexpr auto twice(S const& x) noexcept {
        if constexpr (in_pairs)
            return side_by_side<typename pair::W>(x, x);
        else
            return x;
    }
    [[nodiscard]] static constexpr auto twice(contact_feedback<S> const& f) noexcept {
        using W = decltype(twice(f.inverse_h));
        return contact_feedback<W>{{twice(f.hard.bias_rate), twice(f.hard.mass_scale), twice(f.hard.impulse_scale)}, twice(f.inverse_h), twice(f.push_speed)};
    }
    // What any manifold is given, single or of two.
    template <class X, class Twice>
    struct given {
        X alone;
        Twice both;
        template <class M>
        [[nodiscard]] constexpr auto const& of(M const&) const noexcept {
            if constexpr (std::same_as<typename M::scalar_type, S>)
                return alone;
            else
                return both;
        }
    };
    template <class X>
    [[nodiscard]] static constexpr auto for_any(X const& x) noexcept {
        return given<X, decltype(twice(x))>{x, twice(x)};
    }
    // The same of the two bodies moves, and not one for both; and of surfaces that move by themselves neither waits for the other's.
    [[nodiscard]] static constexpr bool suits(contact_manifold<S> const& a, contact_manifold<S> const& b) noexcept {
        return a.moves == b.moves && a.node[a.moves[1]] != b.node[b.moves[1]] && a.is_driven == b.is_driven;
    }
    template <class F>
    constexpr void each_manifold(F const& f) {
        if constexpr (in_pairs) {
            for (auto& k : pairs_) {
                if (k.count > 1)
                    f(k.m);
                else
                    f(alone(k));
            }
        } else {
            for (auto& m : staged_) f(m);
        }
    }
    // One that has found no partner goes on by itself.
    [[nodiscard]] constexpr auto& alone(pair const& k) noexcept { return staged_[k.from[0]]; }
    template <class Packed, class F>
    static constexpr void one(contact_manifold<S>& m, bodies_in_rows<S, Packed> const& bodies, F const& f) {
        if (m.moves[1])
            f(m, body_over_ground<S, Packed, true>{bodies});
        else
            f(m, body_over_ground<S, Packed, false>{bodies});
    }
    // f(manifold, where it finds its bodies)
    template <class Packed, class F>
    constexpr void each(bodies_in_rows<S, Packed> const& bodies, F const& f) {
        if constexpr (in_pairs) {
            for (auto& k : pairs_) {
                if (k.count == 1)
                    one(alone(k), bodies, f);
                else if (k.m.moves[1])
                    f(k.m, pair_over_ground<S, Packed, true>{k, bodies});
                else
                    f(k.m, pair_over_ground<S, Packed, false>{k, bodies});
            }
        } else {
            for (auto& m : staged_) one(m, bodies, f);
        }
    }
    template <class M, class Own>
    [[gnu::flatten]] static constexpr void start(M& m, Own const& own, bool first) {
        m.template go_on<quad<M>>(first);
        push_again<quad<M>>(m, own);
    }
    // What both begin with, side by side.
    constexpr void fill(pair& k) noexcept {
        auto const &x = staged_[k.from[0]], &y = staged_[k.from[1]];
        auto& m = k.m;
        auto const row = [&](auto const& of) {
            auto& to = of(m);
            for (std::size_t i = 0; i < std::size(to); ++i) to[i] = side_by_side<std::remove_reference_t<decltype(to[i])>>(of(x)[i], of(y)[i]);
        };
        auto const number = [&](auto const& of) { of(m) = side_by_side<std::remove_reference_t<decltype(of(m))>>(of(x), of(y)); };
        for (std::size_t i = 0; i < 3; ++i) {
            row([i](auto& z) -> auto& { return z.arm_a[i]; });
            row([i](auto& z) -> auto& { return z.arm_b[i]; });
        }
        for (std::size_t i = 0; i < 2; ++i) {
            row([i](auto& z) -> auto& { return z.rub[i]; });
            row([i](auto& z) -> auto& { return z.slip[i]; });
        }
        row([](auto& z) -> auto& { return z.normal; });
        row([](auto& z) -> auto& { return z.tangent; });
        row([](auto& z) -> auto& { return z.bitangent; });
        row([](auto& z) -> auto& { return z.push; });
        row([](auto& z) -> auto& { return z.gap; });
        row([](auto& z) -> auto& { return z.friction; });
        row([](auto& z) -> auto& { return z.softness; });
        row([](auto& z) -> auto& { return z.drive; });
        row([](auto& z) -> auto& { return z.drive_rate; });
        row([](auto& z) -> auto& { return z.live; });
        number([](auto& z) -> auto& { return z.soft_rate; });
        number([](auto& z) -> auto& { return z.last; });
        number([](auto& z) -> auto& { return z.points; });
        number([](auto& z) -> auto& { return z.single; });
        number([](auto& z) -> auto& { return z.several; });
        number([](auto& z) -> auto& { return z.is_laid; });
        m.moves = x.moves;
        m.is_driven = x.is_driven;
        m.is_ready = false;
        m.both_move = false;
        for (std::size_t half = 0; half < 2; ++half) k.node[half] = staged_[k.from[half]].node;
    }
    template <bool Upper, class Entries>
    constexpr void give_half(pair const& k, Entries const& entries, auto const& by) {
        auto& m = staged_[k.from[Upper]];
        for (std::size_t n = 0; n < 4; ++n) {
            m.push[n] = half_of<S, Upper>(k.m.push[n]);
            m.rub[0][n] = half_of<S, Upper>(k.m.rub[0][n]);
            m.rub[1][n] = half_of<S, Upper>(k.m.rub[1][n]);
        }
        detail::give(m, entries, half_of<S, Upper>(by));
    }

    array<contact_manifold<S>> staged_;
    array<pair> pairs_;  // under all options, for it is part of the layout: without such registers there are none in it
};

}  // namespace sinew::inline v0::detail
