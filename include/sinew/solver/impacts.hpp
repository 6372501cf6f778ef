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
//
// Where the scalar has lanes, in each other bodies are hit, and in other rounds: what is decided is a mask, and where it says no, velocities stay as they are, to
// the last bit. Over any other scalar a mask is a bool.
//
//   notes      lanes in which something may be hit in this part of the step
//   active     lanes in which the rounds go on

#include <sinew/constraint/restitution.hpp>
#include <sinew/solver/row_block.hpp>

namespace sinew::inline v0 {

/// Env: the world's environment.
template <class Env>
class impacts {
public:
    using S = typename Env::scalar;
    using mask = mask_t<S>;
    static constexpr int most_rounds = 16;  ///< in which a hit is handed on within one step
    static constexpr int sweeps = 16;       ///< over the constraints that are struck together

    /// Before a step, of whatever parts: whether anything gives restitution at all.
    template <class P>
    constexpr void begin(P const& p) {
        can_bounce_ = false;
        p.for_each_type([&](auto entries, auto) {
            if constexpr (detail::has_restitution<typename decltype(entries)::value_type::constraint_type, S>)
                for (std::size_t i = 0; i < entries.size() && !can_bounce_; ++i) can_bounce_ = any(can_bounce(entries[i].constraint));
        });
    }
    /// Before the forces of a part of h seconds: which constraints may be hit in it. Whether any.
    template <class P>
    constexpr bool note(P const& p, S const& h) {
        if (!can_bounce_) return false;
        // Forces are not known yet: what comes twice as fast, over twice the step.
        notes_ = false;
        clear_hits(p);
        each_that_bounces(p, [&](auto const& c, auto& one, auto&) { notes_ = notes_ || comes(c, one, h); });
        if (!any(notes_)) return false;
        // What rests may be struck by what is hit.
        each_that_bounces(p, [&](auto const& c, auto& one, auto& hits) {
            one.comes = comes(c, one, h);
            one.here = one.here && notes_;
            if (any(one.here)) hits.push_back(one);
        });
        before_.clear();
        each_velocity(p, [&](vec3<S>& v) { before_.push_back({v}); });
        return true;
    }
    /// After the forces: the hits. `lead`: how far, of h, velocities are now ahead of the positions.
    template <class P>
    constexpr void strike(P const& p, S const& h, S const& lead) {
        p.update_inverse_masses();
        each_hit(p, [&](auto const& e, auto& one) {
            one.driven = rate_of(e.constraint, poses_of(p, e), twists_of(p, e));
            one.acceleration = (one.driven - one.before) / h;
        });
        mask active = notes_;
        for (int round = 0; round < most_rounds; ++round) {
            mask struck = false;
            p.for_each_type([&](auto entries, auto t) {
                if constexpr (detail::has_restitution<typename decltype(entries)::value_type::constraint_type, S>)
                    struck = find_hits(p, entries, std::get<t>(hits_), active, h, lead) || struck;
            });
            active = active && struck;
            if (!any(active)) break;
            for (int sweep = 0; sweep < sweeps; ++sweep) each_hit(p, [&](auto const& e, auto& one) { push(p, e, one, active && one.here && !one.touches, h); });
        }
    }
    /// After the forces of `strike` have been taken back: to what was not struck nothing was done, not even rounding.
    template <class P>
    constexpr void put_back_others(P const& p) const {
        std::size_t n = 0;
        each_velocity(p, [&](vec3<S>& v) {
            v = select(before_[n].struck, v, before_[n].velocity);
            ++n;
        });
    }
    /// After the step: what has been let touch. `lead` as before.
    template <class P>
    constexpr void leave(P const& p, S const& h, S const& lead) {
        mask any_touches = false;
        each_hit(p, [&](auto const&, auto& one) {
            mask const who = one.here && one.touches;
            if (!any(who)) return;
            any_touches = any_touches || who;
            for (std::size_t r = 0; r < one.wanted.size(); ++r) one.wanted[r] = select(one.wanted[r] > S(0), one.wanted[r] - (S(1) - lead) * one.acceleration[r] * h, S(0));
            one.impulse = {};
        });
        for (int sweep = 0; any(any_touches) && sweep < sweeps; ++sweep) each_hit(p, [&](auto const& e, auto& one) { push(p, e, one, one.here && one.touches, h); });
        clear_hits(p);
    }

private:
    template <class C>
    struct hit {
        std::uint32_t entry = 0;
        mask here = true;      // where it may be one
        mask comes = false;    // by itself, or has been struck by what has been hit
        mask touches = false;  // it is to get `wanted` after the step
        vec<S, rows_v<C>> before{}, driven{}, room{}, acceleration{}, wanted{}, impulse{};
    };
    // Where.
    template <class C>
    [[nodiscard]] static constexpr mask can_bounce(C const& c) noexcept {
        mask r = true;
        if constexpr (requires { c.presence.here; }) r = c.presence.here;
        if constexpr (requires { c.restitution > S(0); }) r = r && c.restitution > S(0);
        return r;
    }
    template <class C, class Hit>
    [[nodiscard]] static constexpr mask comes(C const& c, Hit const& one, S const& h) {
        auto const leaves = detail::per_row<S, rows_v<C>>(c.restitution_rate(one.before * S(2)));
        mask r = false;
        for (std::size_t k = 0; k < rows_v<C>; ++k) r = r || (one.here && leaves[k] != S(0) && one.before[k] < S(0) && one.room[k] + S(4) * h * one.before[k] < S(0));
        return r;
    }
    // f(constraint, its hit, the hits of its type) for each that may bounce.
    template <class P, class F>
    constexpr void each_that_bounces(P const& p, F&& f) {
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            if constexpr (detail::has_restitution<C, S>) {
                auto& hits = std::get<t>(hits_);
                for (std::size_t i = 0; i < entries.size(); ++i) {
                    auto const& e = entries[i];
                    mask const here = can_bounce(e.constraint);
                    if (!any(here)) continue;
                    auto const poses = poses_of(p, e);
                    hit<C> one;
                    one.here = here;
                    one.entry = static_cast<std::uint32_t>(i);
                    one.before = rate_of(e.constraint, poses, twists_of(p, e));
                    one.room = std::apply([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
                    f(e.constraint, one, hits);
                }
            }
        });
    }
    // f(entry, hit)
    template <class P, class F>
    constexpr void each_hit(P const& p, F&& f) {
        p.for_each_type([&](auto entries, auto t) {
            if constexpr (detail::has_restitution<typename decltype(entries)::value_type::constraint_type, S>)
                for (auto& one : std::get<t>(hits_)) f(entries[one.entry], one);
        });
    }
    template <class P>
    constexpr void clear_hits(P const& p) {
        p.for_each_type([&](auto entries, auto t) {
            if constexpr (detail::has_restitution<typename decltype(entries)::value_type::constraint_type, S>) std::get<t>(hits_).clear();
        });
    }
    template <class P, class F>
    static constexpr void each_velocity(P const& p, F&& f) {
        for (auto& b : p.bodies) {
            f(b.twist.linear);
            f(b.twist.angular);
        }
        for (auto& b : p.particles) f(b.velocity);
    }

    // Hits of one type: what they are to be left with. Where there is any.
    template <class P, class Entries, class Hits>
    constexpr mask find_hits(P const& p, Entries const& entries, Hits& hits, mask const& active, S const& h, S const& lead) {
        mask struck = false, touched = false;
        for (auto& one : hits) {
            auto const& e = entries[one.entry];
            constexpr std::size_t M = rows_v<typename std::remove_cvref_t<decltype(e)>::constraint_type>;
            auto const rate = rate_of(e.constraint, poses_of(p, e), twists_of(p, e));
            // Not what others bring along that have nothing to do with it: bodies that are far apart bounce as if alone.
            mask const who = active && one.here && (one.comes || is_nonzero(rate - one.driven));
            vec<S, M> arrival{}, wanted{};
            for (std::size_t r = 0; r < M; ++r) {
                S const a = one.acceleration[r], c = max(one.room[r], S(0));
                S const u = rate[r] - lead * a * h;
                auto const reaches = one.room[r] + rate[r] * h < S(0) && u < S(0);
                S const speed = sqrt(max(u * u - S(2) * a * c, S(0)));
                arrival[r] = select(reaches && speed > abs(a) * h, -speed, S(0));
            }
            auto const left = detail::per_row<S, M>(e.constraint.restitution_rate(arrival));
            mask touches = false, leaves = false;
            for (std::size_t r = 0; r < M; ++r) {
                mask const bounces = arrival[r] < S(0) && left[r] > S(0);
                if (!any(bounces)) continue;
                S const square = left[r] * left[r] + S(2) * one.acceleration[r] * max(one.room[r], S(0));
                mask const returns = square > S(0);
                wanted[r] = select(bounces, select(returns, sqrt(max(square, S(0))) + lead * one.acceleration[r] * h, left[r]), S(0));
                leaves = leaves || (bounces && returns);
                touches = touches || (bounces && !returns);
            }
            one.comes = one.comes || who;
            one.wanted = select(who, wanted, one.wanted);
            one.impulse = select(who, vec<S, M>{}, one.impulse);
            one.touches = select(who, touches, one.touches);
            struck = struck || (who && leaves);
            touched = touched || (who && touches);
        }
        return any(touched) ? spare_what_touches(entries, hits, active) : struck;
    }
    // Hits between the same bodies, which follow each other: if one of them is let touch, none of the others is struck. In other lanes others
    // follow each other. Where any is struck still.
    template <class Entries, class Hits>
    static constexpr mask spare_what_touches(Entries const& entries, Hits& hits, mask const& active) {
        mask struck = false;
        for (std::size_t lane = 0; lane < lanes_v<S>; ++lane) {
            mask const here = active && only(lane);
            if (!any(here)) continue;
            for (std::size_t i = 0; i < hits.size();) {
                if (!any(hits[i].here && here)) {
                    ++i;
                    continue;
                }
                std::size_t end = i;
                bool touch = false, leaves = false;
                for (; end < hits.size(); ++end) {
                    auto const& one = hits[end];
                    if (!any(one.here && here)) continue;
                    if (!(entries[one.entry].bodies == entries[hits[i].entry].bodies)) break;
                    touch = touch || any(one.touches && here);
                    leaves = leaves || any(here && !one.touches && is_nonzero(one.wanted));
                }
                for (std::size_t k = i; touch && k < end; ++k) hits[k].wanted = select(here && hits[k].here && !hits[k].touches, decltype(hits[k].wanted){}, hits[k].wanted);
                struck = struck || (here && (leaves && !touch));
                i = end;
            }
        }
        return struck;
    }
    // That lane and no other.
    [[nodiscard]] static constexpr mask only([[maybe_unused]] std::size_t lane) noexcept {
        if constexpr (has_lanes_v<S>) {
            mask m = false;
            m.e[lane] = typename mask::word(-1);
            return m;
        } else {
            return true;
        }
    }
    template <class V>
    [[nodiscard]] static constexpr mask is_nonzero(V const& v) noexcept {
        mask r = false;
        for (auto const& x : v.e) r = r || x != S(0);
        return r;
    }

    // Rates of the rows that want one: not below it.
    template <class P, class E, class Hit>
    constexpr void push(P const& p, E const& e, Hit& one, mask const& on, S const& h) {
        mask const who = on && is_nonzero(one.wanted);
        if (!any(who)) return;
        using C = typename E::constraint_type;
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
        one.impulse = select(who, one.impulse + dp, one.impulse);
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            using K2 = decltype(kind);
            push_where<K2>(who, p, i, detail::pushed_on<K2>(J, at, dp));
        });
    }
    template <class Kind, class P, class Push>
    constexpr void push_where(mask const& who, P const& p, std::uint32_t i, Push const& pushed) {
        auto const note = [&](std::size_t n) { before_[n].struck = before_[n].struck || who; };
        if constexpr (std::same_as<Kind, rigid>) {
            note(2 * i);
            note(2 * i + 1);
        } else if constexpr (std::same_as<Kind, point_mass>) {
            note(2 * p.bodies.size() + i);
        }
        using access = detail::attachment_access<Kind>;
        if constexpr (!has_lanes_v<S>) {
            access::push(p, i, pushed);
        } else if constexpr (std::same_as<Kind, rigid>) {
            auto& now = p.bodies[i].twist;
            auto const before = now;
            access::push(p, i, pushed);
            now = {select(who, now.linear, before.linear), select(who, now.angular, before.angular)};
        } else {
            auto& now = p.particles[i].velocity;
            auto const before = now;
            access::push(p, i, pushed);
            now = select(who, now, before);
        }
    }

    template <class Tuple>
    struct hits_of;
    template <class... Cs>
    struct hits_of<std::tuple<Cs...>> {
        using type = std::tuple<typename Env::template array<hit<Cs>, detail::has_restitution<Cs, S> ? Env::limits.constraints : 0>...>;
    };
    struct velocity_before {
        vec3<S> velocity{};
        mask struck = false;
    };

    typename hits_of<typename Env::constraint_types>::type hits_;
    typename Env::template array<velocity_before, 2 * (Env::limits.bodies + 1) + Env::limits.particles> before_{};  // the forces: linear and angular of each body, then of particles
    mask notes_ = false;
    bool can_bounce_ = false;  // anything, in this step
};

}  // namespace sinew::inline v0
