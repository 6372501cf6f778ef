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
//
// Only what a hit may be handed on to is looked at: what can be reached, body by body, from where one comes. And what no
// sweep has changed but by rounding is swept no more, body by body.

#include <sinew/constraint/restitution.hpp>
#include <sinew/core/call_with.hpp>
#include <sinew/core/storage.hpp>
#include <sinew/solver/hit_list.hpp>
#include <sinew/solver/struck_bodies.hpp>
#include <sinew/solver/struck_rows.hpp>

namespace sinew::inline v0 {

/// Env: the world's environment.
template <class Env>
class impacts {
public:
    using S = typename Env::scalar;
    using mask = mask_t<S>;
    static constexpr int most_rounds = 16;  ///< in which a hit is handed on within one step
    static constexpr int sweeps = 16;       ///< over the constraints that are struck together, at most

    /// Before a step, of whatever parts: whether anything gives restitution at all.
    template <class P>
    constexpr void begin(P const& p) {
        can_bounce_ = false;
        p.for_each_type([&](auto entries, auto) {
            if constexpr (bounces<decltype(entries)>)
                for (std::size_t i = 0; i < entries.size() && !can_bounce_; ++i) can_bounce_ = any(can_bounce(entries[i].constraint));
        });
    }
    /// Before the forces of a part of h seconds: which constraints may be hit in it. Whether any.
    template <class P>
    constexpr bool note(P const& p, S const& h) {
        if (!can_bounce_) return false;
        notes_ = false;
        each_that_bounces(p, [&](auto const& e, std::uint32_t, mask const& here, auto&) {
            mask const who = may_come_at_once(p, e, here, h);
            if (!any(who)) return;
            if (!any(notes_)) bodies_.begin(p);
            notes_ = notes_ || who;
            (void)bodies_.mark(p, e, who);
        });
        if (!any(notes_)) return false;
        make_room_for_hits(p);
        reach(p);
        each_that_bounces(p, [&](auto const& e, std::uint32_t i, mask const& here, auto& hits) {
            mask const reached = here && bodies_.marked(p, e);
            if (!any(reached)) return;
            auto const poses = poses_of(p, e);
            auto& one = hits.add(e.bodies);
            one.begin(i, reached);
            one.before = rates_of(p, e, poses);
            one.room = room_of(e, poses);
            one.comes = reached && comes(e.constraint, one.before, one.room, h);
        });
        bodies_.clear_marks();
        return true;
    }
    /// After the forces: the hits. `lead`: how far, of h, velocities are now ahead of the positions.
    template <class P>
    constexpr void strike(P const& p, S const& h, S const& lead) {
        p.update_inverse_masses();
        each_hit(p, [&](auto const& e, auto& one) {
            one.driven = rates_of(p, e, poses_of(p, e));
            one.acceleration = (one.driven - one.before) / h;
        });
        mask active = notes_;
        for (int round = 0; round < most_rounds; ++round) {
            mask struck = false;
            p.for_each_type([&](auto entries, auto t) {
                if constexpr (bounces<decltype(entries)>) struck = find_hits(p, entries, std::get<t>(hits_), active, h, lead) || struck;
            });
            active = active && struck;
            if (!any(active)) break;
            each_hit(p, [&](auto const&, auto& one) { one.strikes = active && one.here && !one.touches && is_nonzero(one.wanted); });
            sweep(p, h);
        }
    }
    /// After the forces of `strike` have been taken back: to what was not struck nothing was done, not even rounding.
    template <class P>
    constexpr void put_back_others(P const& p) const {
        bodies_.put_back_others(p);
    }
    /// After the step: what has been let touch. `lead` as before.
    template <class P>
    constexpr void leave(P const& p, S const& h, S const& lead) {
        bool touch = false;
        each_hit(p, [&](auto const&, auto& one) {
            one.strikes = one.here && one.touches && is_nonzero(one.wanted);
            if (!any(one.strikes)) return;
            touch = true;
            for (std::size_t r = 0; r < one.wanted.size(); ++r) one.wanted[r] = select(one.wanted[r] > S(0), one.wanted[r] - (S(1) - lead) * one.acceleration[r] * h, S(0));
            one.impulse = {};
            one.is_ready = false;  // the poses are others now
        });
        if (touch) {
            p.update_inverse_masses();  // the strategy may have left some as they were, and in lanes others than it would have alone
            sweep(p, h);
        }
        p.for_each_type([&](auto entries, auto t) {
            if constexpr (bounces<decltype(entries)>) std::get<t>(hits_).clear();
        });
    }

private:
    template <class C>
    struct hit {
        std::uint32_t entry = 0;
        std::array<std::uint32_t, attachments_t<C>::size> bodies{};
        bool is_ready = false;  // the rows
        mask here = true;       // where it may be one
        mask comes = false;     // by itself, or has been struck by what has been hit
        mask touches = false;   // it is to get `wanted` after the step
        mask strikes = false;   // it is to get `wanted` now
        vec<S, rows_v<C>> before{}, driven{}, room{}, acceleration{}, wanted{}, impulse{};
        detail::struck_rows<C, S> rows{};

        // The rest is said before it is read; rows are long, and few are ever asked for.
        constexpr void begin(std::uint32_t of, mask const& where) noexcept {
            entry = of;
            here = where;
            is_ready = false;
            touches = strikes = false;
            wanted = impulse = {};
        }
    };
    template <class Entries>
    static constexpr bool bounces = detail::has_restitution<typename Entries::value_type::constraint_type, S>;

    template <class E>
    using constraint_of = typename std::remove_cvref_t<E>::constraint_type;

    // Where.
    template <class C>
    [[nodiscard]] static constexpr mask can_bounce(C const& c) noexcept {
        mask r = true;
        if constexpr (requires { c.presence.here; }) r = c.presence.here;
        if constexpr (requires { c.restitution > S(0); }) r = r && c.restitution > S(0);
        return r;
    }
    // Where a row is on its way, with the rates before the forces. Those are not known yet: what comes twice as fast, over twice the step.
    template <class C, class V>
    [[nodiscard]] static constexpr mask comes(C const& c, V const& before, V const& room, S const& h) {
        auto const leaves = detail::per_row<S, rows_v<C>>(c.restitution_rate(before * S(2)));
        mask r = false;
        for (std::size_t k = 0; k < rows_v<C>; ++k) r = r || (leaves[k] != S(0) && before[k] < S(0) && room[k] + S(4) * h * before[k] < S(0));
        return r;
    }
    // Where an entry may be hit within h.
    template <class P, class E>
    [[nodiscard]] static constexpr mask may_come(P const& p, E const& e, mask const& here, S const& h) {
        using C = constraint_of<E>;
        mask const moves = here && detail::call_with([&](auto const&... t) { return detail::may_bounce<C, S>(e.constraint, S(2), t...); }, twists_of(p, e));
        if (!any(moves)) return false;
        auto const poses = poses_of(p, e);
        auto const before = rates_of(p, e, poses);
        return moves && comes(e.constraint, before, room_of(e, poses), h);
    }
    // All are asked in every step, so in one piece; but not in fixed point, whose firmware would be 2 KB longer.
    template <class P, class E>
    [[nodiscard, gnu::flatten]] static constexpr mask may_come_at_once(P const& p, E const& e, mask const& here, S const& h)
        requires(floating_scalar<S>)
    {
        return may_come(p, e, here, h);
    }
    template <class P, class E>
    [[nodiscard]] static constexpr mask may_come_at_once(P const& p, E const& e, mask const& here, S const& h) {
        return may_come(p, e, here, h);
    }
    // The rates of an entry's rows, and the room that they have left; of the first alone where no other may bounce.
    template <class P, class E, class Poses>
    [[nodiscard]] static constexpr auto rates_of(P const& p, E const& e, Poses const& poses) {
        return detail::call_with(
            [&](auto const&... q) {
                return detail::call_with(
                    [&](auto const&... t) -> vec<S, rows_v<constraint_of<E>>> {
                        if constexpr (requires { e.constraint.approach(q..., t...); })
                            return {e.constraint.approach(q..., t...)};
                        else
                            return rate_of(e.constraint, poses, twists_of(p, e));
                    },
                    twists_of(p, e));
            },
            poses);
    }
    template <class E, class Poses>
    [[nodiscard]] static constexpr auto room_of(E const& e, Poses const& poses) {
        return detail::call_with(
            [&](auto const&... q) -> vec<S, rows_v<constraint_of<E>>> {
                if constexpr (requires { e.constraint.room(q...); })
                    return {e.constraint.room(q...)};
                else
                    return error_of(e.constraint, q...);
            },
            poses);
    }
    // f(entry, its place, where it may bounce, the hits of its type) for each that may bounce.
    template <class P, class F>
    constexpr void each_that_bounces(P const& p, F&& f) {
        p.for_each_type([&](auto entries, auto t) {
            if constexpr (bounces<decltype(entries)>)
                for (std::uint32_t i = 0; i < entries.size(); ++i)
                    if (mask const here = can_bounce(entries[i].constraint); any(here)) f(entries[i], i, here, std::get<t>(hits_));
        });
    }
    // f(entry, hit)
    template <class P, class F>
    constexpr void each_hit(P const& p, F&& f) {
        p.for_each_type([&](auto entries, auto t) {
            if constexpr (bounces<decltype(entries)>)
                std::get<t>(hits_).for_each([&](auto& one) { f(entries[one.entry], one); });
        });
    }
    template <class P>
    constexpr void make_room_for_hits(P const& p) {
        p.for_each_type([&](auto entries, auto t) {
            if constexpr (bounces<decltype(entries)>) {
                std::get<t>(hits_).clear();
                make_room(std::get<t>(hits_), entries.size());  // how many are reached changes from hit to hit
            }
        });
    }
    // From body to body, as far as the rounds go.
    template <class P>
    constexpr void reach(P const& p) {
        bool grows = true;
        for (int round = 0; round < most_rounds && grows; ++round) {
            grows = false;
            each_that_bounces(p, [&](auto const& e, std::uint32_t, mask const& here, auto&) {
                mask const on = here && bodies_.marked(p, e);
                if (any(on)) grows = bodies_.mark(p, e, on) || grows;
            });
        }
    }

    // sqrt(u^2 + x), or 0 where that is negative. Where the square has left the range, x is little beside it.
    [[nodiscard]] static constexpr S root(S const& u, S const& x) noexcept {
        S const square = u * u + x, r = sqrt(max(square, S(0)));
        if constexpr (floating_scalar<S>)
            return r;
        else
            return select(isfinite(square), r, max(abs(u) + x / (abs(u) + abs(u)), S(0)));
    }

    // Hits of one type: what they are to be left with. Where there is any.
    template <class P, class Entries, class Hits>
    constexpr mask find_hits(P const& p, Entries const& entries, Hits& hits, mask const& active, S const& h, S const& lead) {
        mask struck = false, touched = false;
        hits.for_each([&](auto& one) {
            auto const& e = entries[one.entry];
            constexpr std::size_t M = rows_v<constraint_of<decltype(e)>>;
            bool const is_pushed = any(bodies_.marked(p, e));
            if (!is_pushed && !any(one.comes)) return;
            auto const rate = is_pushed ? rates_of(p, e, poses_of(p, e)) : one.driven;
            // Not what others bring along that have nothing to do with it: bodies that are far apart bounce as if alone.
            mask const who = active && one.here && (one.comes || is_nonzero(rate - one.driven));
            vec<S, M> arrival{}, wanted{};
            for (std::size_t r = 0; r < M; ++r) {
                S const a = one.acceleration[r], c = max(one.room[r], S(0));
                S const u = rate[r] - lead * a * h;
                auto const reaches = one.room[r] + rate[r] * h < S(0) && u < S(0);
                S const speed = root(u, -(S(2) * a * c));
                arrival[r] = select(reaches && speed > abs(a) * h, -speed, S(0));
            }
            auto const left = detail::per_row<S, M>(e.constraint.restitution_rate(arrival));
            mask touches = false, leaves = false;
            for (std::size_t r = 0; r < M; ++r) {
                mask const parts = arrival[r] < S(0) && left[r] > S(0);
                if (!any(parts)) continue;
                S const x = S(2) * one.acceleration[r] * max(one.room[r], S(0));
                S const back = root(left[r], x);
                mask const returns = back > S(0);
                wanted[r] = select(parts, select(returns, back + lead * one.acceleration[r] * h, left[r]), S(0));
                leaves = leaves || (parts && returns);
                touches = touches || (parts && !returns);
            }
            one.comes = one.comes || who;
            one.wanted = select(who, wanted, one.wanted);
            one.impulse = select(who, vec<S, M>{}, one.impulse);
            one.touches = select(who, touches, one.touches);
            struck = struck || (who && leaves);
            touched = touched || (who && touches);
        });
        return any(touched) ? spare_what_touches(hits, active) : struck;
    }
    // Of hits between the same bodies, if one is let touch none of the others is struck. Where any is struck still.
    template <class Hits>
    static constexpr mask spare_what_touches(Hits& hits, mask const& active) {
        mask struck = false;
        for (std::size_t first = 0, last = 0; first < hits.size(); first = last) {
            last = hits.end_of_same(first);
            mask touch = false;
            hits.for_each([&](auto const& one) { touch = touch || (active && one.here && one.touches); }, first, last);
            hits.for_each([&](auto& one) {
                mask const others = active && one.here && !one.touches;
                one.wanted = select(touch && others, decltype(one.wanted){}, one.wanted);
                struck = struck || (others && is_nonzero(one.wanted));
            }, first, last);
        }
        return struck;
    }
    template <class V>
    [[nodiscard]] static constexpr mask is_nonzero(V const& v) noexcept {
        mask r = false;
        for (auto const& x : v.e) r = r || x != S(0);
        return r;
    }

    // Rates of the rows that want one: not below it.
    template <class P>
    constexpr void sweep(P const& p, S const& h) {
        if constexpr (floating_scalar<S>)
            p.for_each_type([&](auto entries, auto t) {
                if constexpr (bounces<decltype(entries)>) share(p, entries, std::get<t>(hits_));
            });
        if constexpr (!floating_scalar<S>) {  // its roundings are no share of what they round
            for (int i = 0; i < sweeps; ++i)
                each_hit(p, [&](auto const& e, auto& one) {
                    if (any(one.strikes)) (void)strike_one(p, e, one, one.strikes, h);
                });
        } else {
            bodies_.begin_sweeps();
            mask changes = true;
            for (int i = 0; i < sweeps && any(changes); ++i) {
                changes = false;
                each_hit(p, [&](auto const& e, auto& one) {
                    mask const on = one.strikes && bodies_.changed(p, e, i);
                    if (!any(on)) return;
                    mask const more = on && exceeds_rounding(strike_one(p, e, one, on, h), one.impulse);
                    if (!any(more)) return;
                    bodies_.change(p, e, more, i);
                    changes = changes || more;
                });
            }
            if constexpr (derivative_order_v<S> > 0)
                if (mask const ended = !changes; any(ended)) sweep_derivatives(p, h, ended);  // elsewhere values are those of so many sweeps, and so are derivatives
        }
    }
    // What is right in its values already may not be so in its derivatives, of which a sweep, like an iteration of any other kind, finds a share. Values stay.
    template <class P>
    constexpr void sweep_derivatives(P const& p, S const& h, mask changes) {
        constexpr int most = sweeps * static_cast<int>(derivative_order_v<S>);  // those of higher order follow those of lower
        for (int i = 0; i < most && any(changes); ++i) {
            mask const on = changes;  // in each lane as many sweeps as it would have alone
            changes = false;
            each_hit(p, [&](auto const& e, auto& one) {
                mask const who = on && one.strikes;
                if (!any(who)) return;
                auto const dp = derivatives_alone(one.rows.change(p, e, one.wanted, one.impulse, h));
                one.impulse = select(who, one.impulse + dp, one.impulse);
                push(who, p, e, one, dp);
                changes = changes || (who && derivatives_exceed_rounding(dp, one.impulse));
            });
        }
    }
    // Yields the change of its impulses.
    template <class P, class E, class Hit>
    constexpr auto strike_one(P const& p, E const& e, Hit& one, mask const& who, S const& h) {
        make_ready(p, e, one);
        auto const dp = one.rows.change(p, e, one.wanted, one.impulse, h);
        one.impulse = select(who, one.impulse + dp, one.impulse);
        push(who, p, e, one, dp);
        return dp;
    }
    template <class T, std::size_t N>
    [[nodiscard]] static constexpr mask exceeds_rounding(vec<T, N> const& change, vec<T, N> const& impulse) {
        T most(0), all(0);
        for (std::size_t r = 0; r < N; ++r) {
            most = max(most, abs(change[r]));
            all = max(all, abs(impulse[r]));
        }
        return most > all * T(value_type_t<T>(16) * epsilon_v<value_type_t<T>>);
    }
    // Without values: to impulses and velocities these add nothing but derivatives.
    template <std::size_t N>
    [[nodiscard]] static constexpr vec<S, N> derivatives_alone(vec<S, N> const& change) {
        return detail::with_values_of(change, vec<S, N>{});
    }
    template <std::size_t N>
    [[nodiscard]] static constexpr mask derivatives_exceed_rounding(vec<S, N> const& change, vec<S, N> const& impulse) {
        mask more = false;
        for (std::size_t k = 1; k < detail::parts_of<S>(); ++k) {
            vec<std::remove_cvref_t<decltype(detail::part_of(change[0], k))>, N> d, of;
            for (std::size_t r = 0; r < N; ++r) {
                d[r] = detail::part_of(change[r], k);
                of[r] = detail::part_of(impulse[r], k);
            }
            more = more || exceeds_rounding(d, of);
        }
        return more;
    }
    // To begin with, where several hits are between the same two bodies: all of them pressed as each would be alone, times what is right for all together (a step of
    // steepest descent; the rates answer by K d to impulses d). For what falls flat that is the answer, which sweeps take long to come to.
    template <class P, class Entries, class Hits>
    constexpr void share(P const& p, Entries const& entries, Hits& hits) {
        for (std::size_t first = 0, last = 0; first < hits.size(); first = last) {
            last = hits.end_of_same(first);
            S several(0);
            hits.for_each([&](auto const& one) { several = several + select(one.strikes, S(1), S(0)); }, first, last);
            mask const who = several > S(1);
            if (!any(who)) continue;
            auto const each = [&](auto const& f) {
                hits.for_each([&](auto& one) {
                    if (mask const here = who && one.strikes; any(here)) f(entries[one.entry], one, here);
                }, first, last);
            };
            S asked(0), answered(0);
            each([&](auto const& e, auto& one, mask const& here) {
                make_ready(p, e, one);
                auto const alone = one.rows.alone(p, e, one.wanted);
                one.impulse = select(here, alone, one.impulse);
                for (std::size_t r = 0; r < alone.size(); ++r) asked = asked + select(here, alone[r] * alone[r] * one.rows.K(r, r), S(0));
            });
            each([&](auto const& e, auto& one, mask const& here) { push(here, p, e, one, one.impulse); });
            each([&](auto const& e, auto& one, mask const& here) {
                auto const missing = one.wanted - one.rows.rates(p, e);
                for (std::size_t r = 0; r < missing.size(); ++r) answered = answered + select(here, one.impulse[r] * (one.impulse[r] * one.rows.K(r, r) - missing[r]), S(0));
            });
            auto const moves = answered > S(0);
            S const part = select(moves, asked / select(moves, answered, S(1)), S(1));
            each([&](auto const& e, auto& one, mask const& here) {
                push(here, p, e, one, one.impulse * (part - S(1)));
                one.impulse = select(here, one.impulse * part, one.impulse);
            });
        }
    }
    template <class P, class E, class Hit>
    static constexpr void make_ready(P const& p, E const& e, Hit& one) {
        if (one.is_ready) return;
        one.rows.prepare(p, e);
        one.is_ready = true;
    }
    template <class P, class E, class Hit, class V>
    constexpr void push(mask const& who, P const& p, E const& e, Hit const& one, V const& dp) {
        (void)bodies_.mark(p, e, who);
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            using K = decltype(kind);
            push_where<K>(who, p, i, detail::pushed_on<K>(one.rows.J, at, dp));
        });
    }
    template <class Kind, class P, class Push>
    static constexpr void push_where([[maybe_unused]] mask const& who, P const& p, std::uint32_t i, Push const& pushed) {
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
        template <class C>
        static constexpr std::size_t room = detail::has_restitution<C, S> ? Env::template most_of<C> : 0;
        using type = std::tuple<detail::hit_list<typename Env::template array<hit<Cs>, room<Cs>>, typename Env::template array<std::uint32_t, room<Cs>>>...>;
    };
    typename hits_of<typename Env::constraint_types>::type hits_;
    detail::struck_bodies<Env> bodies_{};  // marked where a hit may be handed on to, and then, where something was struck
    mask notes_ = false;
    bool can_bounce_ = false;  // anything, in this step
};

}  // namespace sinew::inline v0
