#pragma once
// The rows of a step of compliant_implicit, linearised:
//
//   J dv + W mu = r        dv   the correction of velocities         mu   that of the impulses, eta h lambda (N s)
//
//   hard row          W = 0;  r = -f / h - J v: f(q1) = 0; of bounded ones W is a trace, see give
//   contact           the same; but of one that is deep f(q1) = f(q0) + h push_speed: all of it at once would be its depth / h, in a short step any speed
//   compliant row     W = (beta h C D + gamma h^2)^-1 C;  r from f(q_f) and its rate
//   velocity level    r = -rate; W as above
//   friction          the same, where it is hard
//
// Errors of hard rows are those of the poses reached; everything else is taken at q_f = q0 + (gamma / eta) h v, which for theta < 1 the bodies
// have passed: they are put back there for a moment.

#include <sinew/core/call_with.hpp>
#include <sinew/solver/friction_axes.hpp>
#include <sinew/solver/implicit_constants.hpp>
#include <sinew/solver/problem.hpp>
#include <sinew/solver/turning_mass.hpp>

namespace sinew::inline v0::detail {

/// Where a linear system stands in a step: before the bodies have moved; where they have got to; or for the velocities at the end.
enum class solve_stage : unsigned char { start, reached, end };

/// What a step asks of its rows.
template <class S>
struct implicit_step {
    S h{};  // s
    implicit_constants<S> constants{};
    bool geometric_stiffness = true;
    S push_speed{infinity_v<S>};  // at which contacts that have sunk in are pushed apart, m/s
};

// Where a row is with respect to its bounds.
inline constexpr signed char free_row = 0, at_lower = -1, at_upper = 1, left_out = 2;
inline constexpr std::uint32_t no_place = 0xffffffffu;

/// Whether a type's multipliers change direction in a way that its Hessian tells. The push of a contact keeps the direction in which it was found: under a push a
/// body tips over the point that bears it, alpha M - gamma h^2 G of a hard hit is not definite, and what it asks for is many times the energy of the fall.
/// Others with bounds keep it in steps in which that is so.
template <class C, class S>
inline constexpr bool has_turning_v = is_holonomic_v<C, S> && !moving_normal_v<C> && !presses_and_rubs<C, S>;

template <class C, class S, bool = has_turning_v<C, S>>
struct turning_part {
    mat<S, dof_v<C>, dof_v<C>> G{};  // gamma h^2 G
    bool tips = false;               // alpha M / 4 - gamma h^2 G of its bodies is not definite, for there may be four: G is 0 for the step
};
template <class C, class S>
struct turning_part<C, S, false> {};

/// One constraint's rows.
template <class C, class S>
struct compliant_row_work : turning_part<C, S> {
    jacobian_t<C, S> J{};
    rows_vec<C, S> W{}, r{};          // J dv + W mu = r
    rows_vec<C, S> weight{};          // J M^-1 J^T of hard rows with bounds; else 0
    rows_vec<C, S> lower{}, upper{};  // of mu
    rows_vec<C, S> mu{};              // so far
    rows_vec<C, S> change{};          // of mu, by the linear solve
    std::array<signed char, rows_v<C>> at_bound{}, wanted{};  // free_row, at_lower, ...
    S sunk{};               // how deep a contact may still be at the end, 0 or less, m
    S given{};              // the share of the weight that is in W, see give
    bool active = false;
    bool restless = false;  // rows have changed sides, and the number of wrong ones has not fallen
    std::uint32_t node = no_place, edge = no_place;  // in the factors; the first of its edges
    [[nodiscard]] constexpr bool is_free(std::size_t r_) const noexcept { return active && at_bound[r_] == free_row; }
};

template <class Env>
class compliant_rows {
public:
    using S = typename Env::scalar;
    using step = implicit_step<S>;
    template <class C>
    using work = compliant_row_work<C, S>;

    /// Whether there are as many as the problem has.
    template <class P>
    [[nodiscard]] constexpr bool are_of(P const& p) const {
        bool same = true;
        p.for_each_type([&](auto entries, auto t) { same = same && std::get<t>(work_).size() == entries.size(); });
        return same;
    }
    template <class P>
    constexpr void build(P const& p) {
        p.for_each_type([&](auto entries, auto t) { std::get<t>(work_).assign(entries.size(), {}); });
    }
    /// f(entry, its work) for all.
    template <class P, class F>
    constexpr void for_each(P const& p, F&& f) {
        p.for_each_type([&](auto entries, auto t) {
            auto& ws = std::get<t>(work_);
            for (std::size_t i = 0; i < entries.size(); ++i) f(entries[i], ws[i]);
        });
    }
    /// The largest error of a hard row without bounds (m, rad).
    [[nodiscard]] constexpr S residual() const noexcept { return residual_; }

    /// All rows at the state of now.
    template <class P>
    constexpr void linearise(P const& p, step const& s, solve_stage at) {
        residual_ = S(0);
        given_ = S(0);
        if (at == solve_stage::start) turn_frictions(p);
        S const back = S(1) - s.constants.gamma / s.constants.eta;
        bool const apart = at == solve_stage::reached && any(back != S(0));
        if (apart) {
            for_each(p, [&](auto& e, auto& w) { linearise_errors(p, e, w, s, at); });
            save_poses(p);
            p.for_each_movable([&](auto kind, std::uint32_t i) {
                using A = attachment_access<decltype(kind)>;
                A::displace(p, i, A::velocity(p, i) * (-back * s.h));
            });
        }
        for_each(p, [&](auto& e, auto& w) {
            if (!apart) linearise_errors(p, e, w, s, at);
            linearise(p, e, w, s, at);
        });
        if (apart) restore_poses(p, back * s.h);
    }
    /// Hard rows that hold ask for a rate of 0 at the state of now; all others are left out.
    template <class P>
    constexpr void linearise_rates(P const& p) {
        for_each(p, [&](auto& e, auto& w) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            auto const compliance = compliance_of<S>(e.constraint);
            bool any_row = false;
            for (std::size_t r = 0; r < rows_v<C>; ++r) {
                bool const takes_part = !any(compliance[r] > S(0)) && w.at_bound[r] == free_row;
                w.at_bound[r] = takes_part ? free_row : left_out;
                any_row = any_row || takes_part;
            }
            w.active = any_row && !moving_normal_v<C>;
            if (!w.active) return;
            auto const poses = poses_of(p, e);
            w.J = detail::call_with([&](auto const&... q) { return jacobian_of(e.constraint, q...); }, poses);
            w.W = w.weight * (presses_and_rubs<C, S> ? give<C> / S(1024) : S(0));  // four points under a box, of a rank of three
            w.r = -rate_of(e.constraint, poses, twists_of(p, e));
        });
    }

    /// After the first linear system, before the bodies move: which constraints tip under what they have been found to push.
    template <class P>
    constexpr void notice_tipping(P const& p, step const& s) {
        for_each(p, [&](auto& e, auto& w) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            if constexpr (has_turning_v<C, S> && is_bounded_v<C, S>)
                if (e.lambda != vec<S, rows_v<C>>{}) turn(p, e, w, s, true);
        });
    }
    /// Of those that are restless hard rows with bounds give more, see give. False if none can.
    template <class P>
    constexpr bool give_more(P const& p) {
        S const most = S(1) / S(4);
        given_ = min(max(given_ * S(16), S(1) / S(1024)), most);
        bool any_more = false;
        for_each(p, [&](auto&, auto& w) {
            if (!w.restless || !(w.given < given_)) return;
            w.W = w.W + w.weight * (given_ - w.given);
            w.given = given_;
            any_more = true;
        });
        return any_more;
    }

private:
    template <class Tuple>
    struct works_of;
    template <class... Cs>
    struct works_of<std::tuple<Cs...>> {
        using type = std::tuple<typename Env::template array<work<Cs>, Env::template most_of<Cs>>...>;
    };

    // Along what slips, or would slip if nothing rubbed: velocities are still those that the other forces predict. Once a step, for impulses add up along the axes.
    template <class P>
    constexpr void turn_frictions(P const& p) {
        for_each(p, [&](auto& e, auto&) {
            if constexpr (has_friction_axes<typename std::remove_cvref_t<decltype(e)>::constraint_type, S>) {
                auto& c = e.constraint;
                vec3<S> const last = c.tangent * e.lambda[1] + c.bitangent() * e.lambda[2];
                if (turn_friction(c, rate_of(c, poses_of(p, e), twists_of(p, e)), least_slip<S>())) {
                    e.lambda[1] = dot(c.tangent, last);
                    e.lambda[2] = dot(c.bitangent(), last);
                }
            }
        });
    }
    template <class P, class E>
    [[nodiscard]] static constexpr auto velocities_of(P const& p, E const& e) {
        return stacked_velocity<typename E::constraint_type>(twists_of(p, e));
    }
    // Hard friction. How far it has crept says something else at each point of a body that has turned: to take all of it back at once, each would push as hard as it can, for ever.
    template <class C>
    [[nodiscard]] static constexpr bool goes_by_rate(std::size_t row) noexcept {
        return presses_and_rubs<C, S> && row > 0;
    }
    // r of hard rows: -f / h. Bounds of mu.
    template <class P, class E, class W>
    constexpr void linearise_errors(P const& p, E const& e, W& w, step const& s, [[maybe_unused]] solve_stage at) {
        using C = typename E::constraint_type;
        w.r = {};
        auto const poses = poses_of(p, e);
        if constexpr (is_holonomic_v<C, S>) {
            auto const c = detail::call_with([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
            auto const compliance = compliance_of<S>(e.constraint);
            for (std::size_t i = 0; i < rows_v<C>; ++i) {
                bool const hard = !any(compliance[i] > S(0));
                if (hard && !goes_by_rate<C>(i)) w.r[i] = -c[i] / s.h;
                if constexpr (presses_and_rubs<C, S>) {
                    if (!hard || i > 0) continue;
                    if (at == solve_stage::start) w.sunk = min(c[0] + s.push_speed * s.h, S(0));
                    w.r[0] = w.r[0] + w.sunk / s.h;
                }
                if constexpr (!is_bounded_v<C, S>)
                    if (hard) residual_ = max(residual_, abs(c[i]));
            }
        }
        if constexpr (is_bounded_v<C, S>) {
            auto const limits = detail::call_with([&](auto const&... q) { return limits_of(e.constraint, e.lambda, q...); }, poses);
            for (std::size_t i = 0; i < rows_v<C>; ++i) {
                auto const scaled = [&](S const& bound) { return bound * (s.constants.eta * s.h); };
                w.lower[i] = detail::scaled_bound(limits.lower[i], scaled);
                w.upper[i] = detail::scaled_bound(limits.upper[i], scaled);
            }
        }
    }
    template <class P, class E, class W>
    constexpr void linearise(P const& p, E const& e, W& w, step const& s, solve_stage at) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        bool const starts = at == solve_stage::start;
        S const beta = s.constants.beta * s.h, gamma = s.constants.gamma * (s.h * s.h), eta = s.constants.eta * s.h;
        // At the start a moving normal has no direction yet.
        w.active = !(moving_normal_v<C> && starts);
        w.given = give<C>;
        if (starts) start_multipliers(e, w, eta);
        if (!w.active) return;
        auto const poses = poses_of(p, e);
        w.J = detail::call_with([&](auto const&... q) { return jacobian_of(e.constraint, q...); }, poses);
        vec<S, M> const Jv = w.J * velocities_of(p, e);
        vec<S, M> rate = Jv;
        if constexpr (has_rate<C, S>) rate = rate_of(e.constraint, poses, twists_of(p, e));
        vec<S, M> const compliance = compliance_of<S>(e.constraint);
        vec<S, M> const damping = damping_of<S>(e.constraint);
        vec<S, M> c{};
        if constexpr (is_holonomic_v<C, S> && has_compliance<C>) c = detail::call_with([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
        for (std::size_t i = 0; i < M; ++i) {
            bool const soft = any(compliance[i] > S(0));
            S const scale = soft ? S(1) / (gamma + beta * compliance[i] * damping[i]) : S(0);
            w.W[i] = compliance[i] * scale;
            w.weight[i] = S(0);
            if constexpr (is_bounded_v<C, S>)
                if (!soft) {
                    w.weight[i] = weight_of(p, e, w, i);
                    w.W[i] = w.given * w.weight[i];
                }
            if constexpr (is_holonomic_v<C, S>) {
                // At the start v is still to move the bodies.
                if (soft) w.r[i] = -scale * (eta * c[i] + beta * compliance[i] * damping[i] * rate[i]) - (starts ? scale * gamma * Jv[i] : S(0));
                if (!soft && (starts || goes_by_rate<C>(i))) w.r[i] = w.r[i] - Jv[i];
                // A surface that moves by itself goes on for the step.
                if (!soft) w.r[i] = w.r[i] - (rate[i] - Jv[i]);
            } else {
                w.r[i] = -rate[i];
            }
            if (soft) w.r[i] = w.r[i] - w.W[i] * w.mu[i];  // else W is a trace, for what mu is to change
            if constexpr (derivative_order_v<S> > 0 && has_compliance<C>)
                if (!soft) {  // of none, which has derivatives
                    S const given = compliance[i] / gamma;
                    w.W[i] = w.W[i] + given;
                    w.r[i] = w.r[i] - given * (beta * damping[i] * rate[i] + w.mu[i]);
                }
        }
        if constexpr (has_turning_v<C, S>) {
            if (starts) w.tips = false;
            turn(p, e, w, s, starts && e.lambda != vec<S, M>{});
        }
    }
    // G by the multipliers of now, at the poses of now. `asks`: whether it tips.
    template <class P, class E, class W>
    static constexpr void turn(P const& p, E const& e, W& w, step const& s, bool asks) {
        using C = typename E::constraint_type;
        if (!s.geometric_stiffness || w.tips) return;
        auto const G = stiffness_of(e.constraint, poses_of(p, e), e.lambda);
        S const half = s.constants.gamma * (s.h * s.h) * (S(1) / S(2));
        for (std::size_t i = 0; i < dof_v<C>; ++i)
            for (std::size_t j = 0; j <= i; ++j) w.G(i, j) = w.G(j, i) = half * (G(i, j) + G(j, i));
        if constexpr (is_bounded_v<C, S>) {
            if (!asks) return;
            auto const mass = stacked_mass_of(p, e);
            w.tips = !mass.outweighs(mass.turning(w.G * (S(4) / s.constants.alpha)));
            if (w.tips) w.G = {};
        }
    }
    // Bounded rows may say the same, as four points under a box do. Their multipliers are then not known, and which are at their bounds is not either: the active set
    // would go round in circles. A hard one gives to a change of mu by this share of its own weight J M^-1 J^T, which decides; what it lets through the next iteration takes back.
    // Of contacts, which begin with what they had, there is little change at rest: they may give more. Motors and limits carry all of their load through it.
    template <class C>
    static constexpr S give = presses_and_rubs<C, S> ? max(S(4) * sqrt(epsilon_v<S>), S(1) / S(1 << 21)) : S(4) * sqrt(epsilon_v<S>);
    template <class P, class E, class W>
    [[nodiscard]] static constexpr S weight_of(P const& p, E const& e, W const& w, std::size_t row) {
        S sum(0);
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            using K = decltype(kind);
            auto const J = row_block<K>(w.J, row, at);
            sum = sum + dot(J, attachment_access<K>::weigh(p, i, J));
        });
        return sum;
    }
    // mu begins at nothing, and that of hard contacts where the last step ended; lambda, of that, shows which bounds are likely to be reached.
    template <class E, class W>
    constexpr void start_multipliers(E const& e, W& w, [[maybe_unused]] S const& scale) const {
        using C = typename E::constraint_type;
        w.mu = {};
        if constexpr (is_bounded_v<C, S>) {
            auto const compliance = compliance_of<S>(e.constraint);
            for (std::size_t i = 0; i < w.mu.size(); ++i) {
                S const last = e.lambda[i] * scale;
                w.at_bound[i] = any(last <= w.lower[i]) ? at_lower : any(last >= w.upper[i]) ? at_upper : free_row;
                if (presses_and_rubs<C, S> && !moving_normal_v<C> && !any(compliance[i] > S(0))) w.mu[i] = clamp(last, w.lower[i], w.upper[i]);
            }
        }
    }

    // Poses of rigid bodies and particles are put back as they were; of other kinds, whose coordinates add, by the way back.
    template <class P>
    constexpr void save_poses(P const& p) {
        saved_bodies_.resize(p.bodies.size());
        saved_particles_.resize(p.particles.size());
        for (std::size_t i = 0; i < p.bodies.size(); ++i) saved_bodies_[i] = p.bodies[i].pose;
        for (std::size_t i = 0; i < p.particles.size(); ++i) saved_particles_[i] = p.particles[i].position;
    }
    template <class P>
    constexpr void restore_poses(P const& p, S const& time) const {
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            using A = attachment_access<K>;
            if constexpr (std::same_as<K, rigid>)
                p.bodies[i].pose = saved_bodies_[i];
            else if constexpr (std::same_as<K, point_mass>)
                p.particles[i].position = saved_particles_[i];
            else
                A::displace(p, i, A::velocity(p, i) * time);
        });
    }

    typename works_of<typename Env::constraint_types>::type work_;
    typename Env::template array<pose<S, typename Env::rotation>, Env::limits.bodies + 1> saved_bodies_;
    typename Env::template array<vec3<S>, Env::limits.particles> saved_particles_;
    S residual_{};
    S given_{};  // by those that are restless
};

}  // namespace sinew::inline v0::detail
