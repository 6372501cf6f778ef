#pragma once
// Hits in lanes: impacts.hpp with masks for its decisions. In each other lanes bodies are hit, and in other rounds; where none is, velocities stay as they are,
// to the last bit.
//
//   notes      lanes in which something may be hit in this part of the step
//   active     lanes in which the rounds go on

#include <sinew/constraint/restitution.hpp>
#include <sinew/solver/row_block.hpp>

namespace sinew::inline v0 {

/// Env: the world's environment.
template <class Env>
class impacts_in_lanes {
public:
    using S = typename Env::scalar;
    using mask = mask_t<S>;
    static constexpr int most_rounds = 16, sweeps = 16;  // as in impacts

    template <class P>
    constexpr void begin(P const& p) {
        can_bounce_ = false;
        p.for_each_type([&](auto entries, auto) {
            if constexpr (detail::has_restitution<typename decltype(entries)::value_type::constraint_type, S>)
                for (auto const& e : entries) can_bounce_ = can_bounce_ || any(can_bounce(e.constraint));
        });
    }
    template <class P>
    constexpr bool note(P const& p, S const& h) {
        if (!can_bounce_) return false;
        S fastest{0};
        p.for_each_type([&](auto entries, auto t) {
            if constexpr (detail::has_restitution<typename decltype(entries)::value_type::constraint_type, S>) std::get<t>(hits_).clear();
        });
        each_that_bounces(p, [&](auto const& c, auto const& one, auto&) {
            using C = std::remove_cvref_t<decltype(c)>;
            auto const leaves = detail::per_row<S, rows_v<C>>(c.restitution_rate(one.before * S(2)));
            for (std::size_t r = 0; r < rows_v<C>; ++r)
                fastest = select(one.here && leaves[r] != S(0) && one.room[r] + S(4) * h * one.before[r] < S(0), max(fastest, -one.before[r]), fastest);
        });
        notes_ = fastest > S(0);
        if (!any(notes_)) return false;
        each_that_bounces(p, [&](auto const& c, auto& one, auto& hits) {
            using C = std::remove_cvref_t<decltype(c)>;
            vec<S, rows_v<C>> struck{};
            for (auto& u : struck.e) u = -fastest;
            auto const leaves = detail::per_row<S, rows_v<C>>(c.restitution_rate(struck));
            mask near = false;
            for (std::size_t r = 0; r < rows_v<C>; ++r) near = near || (leaves[r] != S(0) && one.room[r] < S(4) * h * fastest);
            one.here = one.here && near && notes_;
            if (any(one.here)) hits.push_back(one);
        });
        before_.clear();
        each_velocity(p, [&](vec3<S>& v) { before_.push_back(v); });
        return true;
    }
    template <class P>
    constexpr void strike(P const& p, S const& h, S const& lead) {
        p.update_inverse_masses();
        each_hit(p, [&](auto const& e, auto& one) {
            one.acceleration = (rate_of(e.constraint, poses_of(p, e), twists_of(p, e)) - one.before) / h;
        });
        mask active = notes_;
        for (int round = 0; round < most_rounds; ++round) {
            mask struck = false;
            p.for_each_type([&](auto entries, auto t) {
                if constexpr (detail::has_restitution<typename decltype(entries)::value_type::constraint_type, S>) struck = struck || find_hits(p, entries, std::get<t>(hits_), active, h, lead);
            });
            active = active && struck;
            if (!any(active)) break;
            for (int sweep = 0; sweep < sweeps; ++sweep) each_hit(p, [&](auto const& e, auto& one) { push(p, e, one, active && one.here && !one.touches, h); });
        }
    }
    /// After the forces of `strike` have been taken back: where nothing was noted nothing was done.
    template <class P>
    constexpr void put_back_others(P const& p) const {
        std::size_t n = 0;
        each_velocity(p, [&](vec3<S>& v) {
            v = select(notes_, v, before_[n]);
            ++n;
        });
    }
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
        p.for_each_type([&](auto entries, auto t) {
            if constexpr (detail::has_restitution<typename decltype(entries)::value_type::constraint_type, S>) std::get<t>(hits_).clear();
        });
    }

private:
    template <class C>
    struct hit {
        std::uint32_t entry = 0;
        mask here = true, touches = false;
        vec<S, rows_v<C>> before{}, room{}, acceleration{}, wanted{}, impulse{};
    };
    // In which lanes.
    template <class C>
    [[nodiscard]] static constexpr mask can_bounce(C const& c) noexcept {
        mask r = true;
        if constexpr (requires { c.presence.here; }) r = c.presence.here;
        if constexpr (requires { c.restitution > S(0); }) r = r && c.restitution > S(0);
        return r;
    }
    template <class P, class F>
    constexpr void each_that_bounces(P const& p, F&& f) {
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            if constexpr (detail::has_restitution<C, S>)
                for (std::size_t i = 0; i < entries.size(); ++i) {
                    auto const& e = entries[i];
                    hit<C> one;
                    one.here = can_bounce(e.constraint);
                    if (!any(one.here)) continue;
                    auto const poses = poses_of(p, e);
                    one.entry = static_cast<std::uint32_t>(i);
                    one.before = rate_of(e.constraint, poses, twists_of(p, e));
                    one.room = std::apply([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
                    f(e.constraint, one, std::get<t>(hits_));
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
    template <class P, class F>
    static constexpr void each_velocity(P const& p, F&& f) {
        for (auto& b : p.bodies) {
            f(b.twist.linear);
            f(b.twist.angular);
        }
        for (auto& b : p.particles) f(b.velocity);
    }

    // impacts::is_hit for all of a type.
    template <class P, class Entries, class Hits>
    constexpr mask find_hits(P const& p, Entries const& entries, Hits& hits, mask const& active, S const& h, S const& lead) {
        mask struck = false, touched = false;
        for (auto& one : hits) {
            auto const& e = entries[one.entry];
            constexpr std::size_t M = rows_v<typename std::remove_cvref_t<decltype(e)>::constraint_type>;
            mask const who = active && one.here;
            auto const rate = rate_of(e.constraint, poses_of(p, e), twists_of(p, e));
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
                auto const bounces = arrival[r] < S(0) && left[r] > S(0);
                S const square = left[r] * left[r] + S(2) * one.acceleration[r] * max(one.room[r], S(0));
                auto const returns = square > S(0);
                wanted[r] = select(bounces, select(returns, sqrt(max(square, S(0))) + lead * one.acceleration[r] * h, left[r]), S(0));
                leaves = leaves || (bounces && returns);
                touches = touches || (bounces && !returns);
            }
            one.wanted = select(who, wanted, one.wanted);
            one.impulse = select(who, vec<S, M>{}, one.impulse);
            one.touches = select(who, touches, one.touches);
            struck = struck || (who && leaves);
            touched = touched || (who && touches);
        }
        if (!any(touched)) return struck;
        // Lane by lane: hits between the same bodies that follow each other there. If one of them is let touch, none of the others is struck.
        mask still = false;
        for (std::size_t lane = 0; lane < lanes_v<S>; ++lane) {
            if (!active[lane]) continue;
            bool any_struck = false;
            for (std::size_t i = 0; i < hits.size();) {
                if (!hits[i].here[lane]) {
                    ++i;
                    continue;
                }
                std::size_t end = i;
                bool touch = false, leaves = false;
                for (; end < hits.size(); ++end) {
                    if (!hits[end].here[lane]) continue;
                    if (!(entries[hits[end].entry].bodies == entries[hits[i].entry].bodies)) break;
                    touch = touch || hits[end].touches[lane];
                    if (!hits[end].touches[lane])
                        for (auto const& x : hits[end].wanted.e) leaves = leaves || x[lane] != 0;
                }
                for (std::size_t k = i; touch && k < end; ++k)
                    if (hits[k].here[lane] && !hits[k].touches[lane])
                        for (auto& x : hits[k].wanted.e) x[lane] = 0;
                any_struck = any_struck || (leaves && !touch);
                i = end;
            }
            still.e[lane] = any_struck ? typename mask::word(-1) : typename mask::word(0);
        }
        return still;
    }

    // Rates of the rows that want one: not below it.
    template <class P, class E, class Hit>
    constexpr void push(P const& p, E const& e, Hit& one, mask const& on, S const& h) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        mask wants = false;
        for (auto const& x : one.wanted.e) wants = wants || x != S(0);
        mask const who = on && wants;
        if (!any(who)) return;
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
            auto const pushed = detail::pushed_on<K2>(J, at, dp);
            if constexpr (std::same_as<K2, rigid>) {
                auto const before = p.bodies[i].twist;
                detail::attachment_access<K2>::push(p, i, pushed);
                auto& now = p.bodies[i].twist;
                now = {select(who, now.linear, before.linear), select(who, now.angular, before.angular)};
            } else {
                auto const before = p.particles[i].velocity;
                detail::attachment_access<K2>::push(p, i, pushed);
                p.particles[i].velocity = select(who, p.particles[i].velocity, before);
            }
        });
    }

    template <class Tuple>
    struct hits_of;
    template <class... Cs>
    struct hits_of<std::tuple<Cs...>> {
        using type = std::tuple<typename Env::template array<hit<Cs>, detail::has_restitution<Cs, S> ? Env::limits.constraints : 0>...>;
    };
    typename hits_of<typename Env::constraint_types>::type hits_;
    typename Env::template array<vec3<S>, 2 * (Env::limits.bodies + 1) + Env::limits.particles> before_{};
    mask notes_ = false;
    bool can_bounce_ = false;
};

}  // namespace sinew::inline v0
