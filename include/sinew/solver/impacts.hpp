#pragma once
// Hits: what approaches along an inequality that asks for restitution leaves with a share of the speed it came with (Newton's law; Waterson
// 2026, 5.5; Vondrak 2005, eq. 6.44). Under every strategy alike: velocities are changed where a step begins in which the rows would be
// reached, and the strategy then finds bodies that part.
//
//   c    room that is left, c >= 0         u   its rate at the start of the step        a   its acceleration by the forces
//
//   u_s = -sqrt(u^2 - 2 a c)     with which c = 0 will be reached within the step
//   w_s = restitution_rate(u_s)  with which it is left
//   w   =  sqrt(w_s^2 + 2 a c)   the same at c, where the bodies are now
//
// So a hit comes by up to one step too early, but no energy is lost or won by it: bodies turn at c with what they would have there on
// their way back. If they would not come back as far as c (w_s^2 + 2 a c < 0), they are let touch, and get w_s after the step.
//
// Symplectic Euler has its velocities half a step behind the positions: what moves a body from x_k to x_k+1 is that of the middle. Then u is
// the mean of the rates before and after the forces. Without this a ball would lose or win g h v / 2 of its energy per kg in each hit.
// What is slower than the forces make it within a step, |u_s| < |a| h, rests.
//
// All that approach are struck together, rates not below w and impulses not below 0, by Gauss-Seidel: so a box that falls flat does not spin, and a ball
// that meets two flies straight back. What approaches only then is struck after it, and so on: so a row of balls hands on its momentum from one to the
// next (Smith, Kaufman, Vouga, Tamstorf, Grinspun 2012, "Reflections on simultaneous impact"; 6.44 for all that touch would let all balls but the first leave
// together). The impulse of a constraint that presses and rubs takes its friction along.
//
// The strategy must not brake what does not push yet: a hit needs its speed.

#include <sinew/constraint/restitution.hpp>
#include <sinew/solver/row_block.hpp>

namespace sinew::inline v0 {

/// Env: the world's environment.
template <class Env>
class impacts {
public:
    using S = typename Env::scalar;
    static constexpr int most_rounds = 16;  ///< in which a hit is handed on within one step
    static constexpr int sweeps = 16;       ///< over the constraints that are struck together

    /// Before a step, of whatever parts: whether anything gives restitution at all.
    template <class P>
    constexpr void begin(P const& p) {
        can_bounce_ = false;
        p.for_each_type([&](auto entries, auto) {
            if constexpr (detail::has_restitution<typename decltype(entries)::value_type::constraint_type, S>)
                for (std::size_t i = 0; i < entries.size() && !can_bounce_; ++i) can_bounce_ = can_bounce(entries[i].constraint);
        });
    }
    /// Before the forces of a part of h seconds: which constraints may be hit in it. Whether any.
    template <class P>
    constexpr bool note(P const& p, S const& h) {
        if (!can_bounce_) return false;
        // Forces are not known yet: what comes twice as fast, over twice the step.
        S fastest{0};
        p.for_each_type([&](auto entries, auto t) {
            if constexpr (detail::has_restitution<typename decltype(entries)::value_type::constraint_type, S>) std::get<t>(hits_).clear();
        });
        each_that_bounces(p, [&](auto const& c, auto const& one, auto&) {
            using C = std::remove_cvref_t<decltype(c)>;
            auto const leaves = detail::per_row<S, rows_v<C>>(c.restitution_rate(one.before * S(2)));
            for (std::size_t r = 0; r < rows_v<C>; ++r)
                if (any(leaves[r] != S(0)) && any(one.room[r] + S(4) * h * one.before[r] < S(0))) fastest = max(fastest, -one.before[r]);
        });
        if (!any(fastest > S(0))) return false;
        // What rests may be struck by what is hit.
        each_that_bounces(p, [&](auto const& c, auto const& one, auto& hits) {
            using C = std::remove_cvref_t<decltype(c)>;
            vec<S, rows_v<C>> struck{};
            for (auto& u : struck.e) u = -fastest;
            auto const leaves = detail::per_row<S, rows_v<C>>(c.restitution_rate(struck));
            bool near = false;
            for (std::size_t r = 0; r < rows_v<C>; ++r) near = near || (any(leaves[r] != S(0)) && any(one.room[r] < S(4) * h * fastest));
            if (near) hits.push_back(one);
        });
        return true;
    }
    /// After the forces: the hits. `lead`: how far, of h, velocities are now ahead of the positions.
    template <class P>
    constexpr void strike(P const& p, S const& h, S const& lead) {
        p.update_inverse_masses();
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            if constexpr (detail::has_restitution<C, S>) {
                for (auto& one : std::get<t>(hits_)) {
                    auto const& e = entries[one.entry];
                    one.acceleration = (rate_of(e.constraint, poses_of(p, e), twists_of(p, e)) - one.before) / h;
                }
            }
        });
        for (int round = 0; round < most_rounds; ++round) {
            bool struck = false;
            p.for_each_type([&](auto entries, auto t) {
                using C = typename decltype(entries)::value_type::constraint_type;
                if constexpr (detail::has_restitution<C, S>) {
                    auto& hits = std::get<t>(hits_);
                    for (std::size_t i = 0; i < hits.size();) {
                        std::size_t n = 1;
                        while (i + n < hits.size() && entries[hits[i + n].entry].bodies == entries[hits[i].entry].bodies) ++n;
                        struck = is_hit(p, entries, std::span(hits.data() + i, n), h, lead) || struck;
                        i += n;
                    }
                }
            });
            if (!struck) break;
            for (int sweep = 0; sweep < sweeps; ++sweep)
                p.for_each_type([&](auto entries, auto t) {
                    using C = typename decltype(entries)::value_type::constraint_type;
                    if constexpr (detail::has_restitution<C, S>)
                        for (auto& one : std::get<t>(hits_))
                            if (!one.touches) push(p, entries, one, h);
                });
        }
    }
    /// After the step: what has been let touch. `lead` as before.
    template <class P>
    constexpr void leave(P const& p, S const& h, S const& lead) {
        bool any_touches = false;
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            if constexpr (detail::has_restitution<C, S>) {
                for (auto& one : std::get<t>(hits_)) {
                    if (!one.touches) continue;
                    any_touches = true;
                    for (std::size_t r = 0; r < rows_v<C>; ++r) one.wanted[r] = select(one.wanted[r] > S(0), one.wanted[r] - (S(1) - lead) * one.acceleration[r] * h, S(0));
                    one.impulse = {};
                }
            }
        });
        for (int sweep = 0; any_touches && sweep < sweeps; ++sweep)
            p.for_each_type([&](auto entries, auto t) {
                using C = typename decltype(entries)::value_type::constraint_type;
                if constexpr (detail::has_restitution<C, S>)
                    for (auto& one : std::get<t>(hits_))
                        if (one.touches) push(p, entries, one, h);
            });
        p.for_each_type([&](auto entries, auto t) {
            if constexpr (detail::has_restitution<typename decltype(entries)::value_type::constraint_type, S>) std::get<t>(hits_).clear();
        });
    }

private:
    template <class C>
    struct hit {
        std::uint32_t entry = 0;
        bool touches = false;  // it is to get `wanted` after the step
        vec<S, rows_v<C>> before{}, room{}, acceleration{}, wanted{}, impulse{};
    };
    // f(constraint, its hit, the hits of its type) for each that may bounce.
    template <class P, class F>
    constexpr void each_that_bounces(P const& p, F&& f) {
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            if constexpr (detail::has_restitution<C, S>) {
                auto& hits = std::get<t>(hits_);
                for (std::size_t i = 0; i < entries.size(); ++i) {
                    auto const& e = entries[i];
                    if (!can_bounce(e.constraint)) continue;
                    auto const poses = poses_of(p, e);
                    hit<C> one;
                    one.entry = static_cast<std::uint32_t>(i);
                    one.before = rate_of(e.constraint, poses, twists_of(p, e));
                    one.room = std::apply([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
                    f(e.constraint, one, hits);
                }
            }
        });
    }
    template <class V>
    [[nodiscard]] static constexpr bool is_any_nonzero(V const& v) noexcept {
        bool r = false;
        for (auto const& x : v.e) r = r || any(x != S(0));
        return r;
    }
    template <class C>
    [[nodiscard]] static constexpr bool can_bounce(C const& c) noexcept {
        if constexpr (requires { c.restitution > S(0); })
            return any(c.restitution > S(0));
        else
            return true;
    }

    // Hits between the same bodies: what they are to be left with. Whether there is any; none, if one of them is let touch.
    template <class P, class Entries, class Hits>
    constexpr bool is_hit(P const& p, Entries const& entries, Hits hits, S const& h, S const& lead) {
        bool any_hit = false, any_touches = false;
        for (auto& one : hits) {
            auto const& e = entries[one.entry];
            constexpr std::size_t M = rows_v<typename std::remove_cvref_t<decltype(e)>::constraint_type>;
            auto const rate = rate_of(e.constraint, poses_of(p, e), twists_of(p, e));
            one.wanted = {};
            one.impulse = {};
            vec<S, M> arrival{};
            for (std::size_t r = 0; r < M; ++r) {
                S const a = one.acceleration[r], c = max(one.room[r], S(0));
                S const u = rate[r] - lead * a * h;
                auto const reaches = one.room[r] + rate[r] * h < S(0) && u < S(0);
                S const speed = sqrt(max(u * u - S(2) * a * c, S(0)));
                arrival[r] = select(reaches && speed > abs(a) * h, -speed, S(0));
            }
            auto const left = detail::per_row<S, M>(e.constraint.restitution_rate(arrival));
            one.touches = false;
            for (std::size_t r = 0; r < M; ++r) {
                if (!any(arrival[r] < S(0)) || !any(left[r] > S(0))) continue;
                S const square = left[r] * left[r] + S(2) * one.acceleration[r] * max(one.room[r], S(0));
                if (any(square > S(0))) {
                    one.wanted[r] = sqrt(square) + lead * one.acceleration[r] * h;
                    any_hit = true;
                } else {
                    one.wanted[r] = left[r];
                    one.touches = true;
                }
            }
            any_touches = any_touches || one.touches;
        }
        if (!any_touches) return any_hit;
        for (auto& one : hits)
            if (!one.touches) one.wanted = {};
        return false;
    }

    // Rates of the rows that want one: not below it.
    template <class P, class Entries, class Hit>
    constexpr void push(P const& p, Entries const& entries, Hit& one, S const& h) {
        if (!is_any_nonzero(one.wanted)) return;
        auto const& e = entries[one.entry];
        using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        auto const J = entry_jacobian(p, e);
        auto const K = std::apply([&](auto const&... w) { return inverse_effective_mass(J, weighted_jacobian<C>(J, w...)); }, inverse_masses_of(p, e));
        vec<S, M> const r = rate_of(e.constraint, poses_of(p, e), twists_of(p, e)) - one.wanted;
        vec<S, M> dp{};
        if constexpr (presses_and_rubs<C, S>) {
            dp = detail::solve_rubbing(e.constraint, K, r, one.impulse, S(0), infinity_v<S>, h, S(1));
        } else {
            for (std::size_t i = 0; i < M; ++i) {
                auto const idle = one.wanted[i] == S(0) || K(i, i) <= S(0);
                dp[i] = select(idle, S(0), max(one.impulse[i] - r[i] / select(idle, S(1), K(i, i)), S(0)) - one.impulse[i]);
            }
        }
        one.impulse = one.impulse + dp;
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            using K2 = decltype(kind);
            detail::attachment_access<K2>::push(p, i, detail::pushed_on<K2>(J, at, dp));
        });
    }

    template <class Tuple>
    struct hits_of;
    template <class... Cs>
    struct hits_of<std::tuple<Cs...>> {
        using type = std::tuple<typename Env::template array<hit<Cs>, detail::has_restitution<Cs, S> ? Env::limits.constraints : 0>...>;
    };
    typename hits_of<typename Env::constraint_types>::type hits_;
    bool can_bounce_ = false;  // anything, in this step
};

}  // namespace sinew::inline v0
