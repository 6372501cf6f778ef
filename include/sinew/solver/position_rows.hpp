#pragma once
// What the position-level strategies that go constraint by constraint share: the equation of a constraint's rows, the step of its
// multipliers, and how far the bodies have been displaced.
//
//   c       error at the displaced poses, or h rate        p = lambda h^2      h   time step, s
//   alpha~ = compliance / h^2 + regularisation,  gamma = alpha~ damping h      dx = v h since the start of the step
//
//   K dp = -xi r,   r = c + alpha~ p + gamma J dx,   K = alpha~ + (1 + gamma) J W J^T        (Waterson 2026, eq. 4.73, 6.35, 6.36)
//
// gamma = alpha~ damping h needs B h^2 = beta~ in the printed (6.33), not B h; (4.82) lacks the factor h.
//
// In fixed point all of it is divided by h (position_unit.hpp).

#include <sinew/body/carried_spin.hpp>
#include <sinew/body/parameter_fault.hpp>
#include <sinew/core/call_with.hpp>
#include <sinew/linear/small_lu.hpp>
#include <sinew/solver/lane_guide.hpp>
#include <sinew/solver/position_unit.hpp>
#include <sinew/solver/row_block.hpp>

namespace sinew::inline v0 {

/// When Jacobians and effective masses are evaluated. Constraints with a moving normal are evaluated every iteration.
enum class evaluate : unsigned char { every_step, every_iteration };
/// Where velocity-level constraints are solved: among the positions, or after them on velocities alone (Waterson 4.11).
enum class velocity_rows : unsigned char { in_loop, after };

namespace detail {

// Checks of tuning numbers.
[[nodiscard]] constexpr input_fault count_parameter(char const* name, int number, int least) noexcept {
    return number >= least ? input_fault{} : input_fault{name, least == 0 ? "must not be negative" : "must be at least 1", static_cast<error_number>(number)};
}

// What is done or left in a step as a whole must be so in all lanes.
template <class M>
[[nodiscard]] constexpr input_fault alike_in_lanes(char const* name, M const& is_zero) noexcept {
    return all(is_zero) || !any(is_zero) ? input_fault{} : input_fault{name, "must be 0 in every lane or in none", 0};
}

// Columns of one attachment of a row of J.
template <class Kind, class S, std::size_t M, std::size_t N>
[[nodiscard]] constexpr vec<S, Kind::dof> row_block(mat<S, M, N> const& J, std::size_t r, std::size_t at) noexcept {
    vec<S, Kind::dof> b;
    each_below<S>(count_v<Kind::dof>, [&](auto k) { b.e[k] = J(r, at + k); });
    return b;
}

// Rows and their weights at one pose.
template <class C, class S>
struct linearised {
    jacobian_t<C, S> J{};
    mat<S, rows_v<C>, rows_v<C>> K{};  // J M^-1 J^T; its inverse where the constraint gives it
    bool inverted = false;             // K is the inverse
};

// Whether the constraint's own effective mass is used. A block with bounds is solved row by row and needs J M^-1 J^T itself.
template <class C, class S>
inline constexpr bool inverts_itself_v = has_effective_mass_v<C, S> && (rows_v<C> == 1 || !is_bounded_v<C, S>);

// One row's effective mass may be a number.
template <class S, std::size_t M, class T>
[[nodiscard]] constexpr mat<S, M, M> as_block(T const& x) noexcept {
    if constexpr (std::convertible_to<T, S>)
        return mat<S, M, M>{{S(x)}};
    else
        return x;
}
// (J M^-1 J^T)^-1 as the constraint gives it.
template <class P, class E>
[[nodiscard]] constexpr auto own_effective_mass(P const& p, E const& e) {
    using C = typename E::constraint_type;
    using S = typename P::scalar_type;
    return detail::call_with(
        [&](auto const&... q) {
            return detail::call_with([&](auto const&... m) { return as_block<S, rows_v<C>>(constraint_traits<C>::effective_mass(e.constraint, q..., m...)); },
                              inverse_masses_of(p, e));
        },
        poses_of(p, e));
}

template <class S, std::size_t M>
[[nodiscard]] constexpr vec<S, M> scaled_rows(vec<S, M> const& k, vec<S, M> const& v) noexcept {
    vec<S, M> r;
    for (std::size_t i = 0; i < M; ++i) r[i] = k[i] * v[i];
    return r;
}

// How far a row is from being satisfied: a row that pushes one way only is violated on one side. In fixed point a multiplier is at a bound when its impulse
// is: it came from there, rounded.
template <class E, class Poses, class S, std::size_t M>
[[nodiscard]] constexpr S violation(E const& e, Poses const& poses, vec<S, M> const& r, std::size_t i, [[maybe_unused]] position_unit<S> const& unit) {
    using C = typename E::constraint_type;
    if constexpr (is_bounded_v<C, S>) {
        auto const limits = detail::call_with([&](auto const&... q) { return limits_of(e.constraint, e.lambda, q...); }, poses);
        auto const counted = [&](S const& force) {
            if constexpr (position_unit<S>::is_divided)
                return force * unit.of_multiplier();
            else
                return force;
        };
        S const p = counted(e.lambda[i]);
        S const can_push_up = select(p < counted(limits.upper[i]), max(-r[i], S(0)), S(0));
        S const can_push_down = select(counted(limits.lower[i]) < p, max(r[i], S(0)), S(0));
        return max(can_push_up, can_push_down);
    } else {
        return abs(r[i]);
    }
}

// The error when a target that moves by itself, at the rate that the constraint has of bodies at rest, has done so for a time.
template <class C, class Poses, class S>
[[nodiscard]] constexpr auto error_then(C const& c, Poses const& poses, [[maybe_unused]] S const& time) {
    auto r = detail::call_with([&](auto const&... x) { return error_of(c, x...); }, poses);
    if constexpr (has_rate<C, S>) r = r + rate_of(c, poses, detail::call_with([](auto const&... x) { return std::make_tuple(zero_twist_for(x)...); }, poses)) * time;
    return r;
}

template <class S, std::size_t M>
struct row_equation {
    vec<S, M> r;
    mat<S, M, M> K;
    bool in_range = true;  // of fixed point
};
// r and K of an entry whose J and J W J^T are w's. `twists()` are the velocities of now; `residual` becomes the largest violation met.
// `until`: since the step began, when these displacements will have been made.
template <class E, class W, class Poses, class Twists, class S>
[[nodiscard]] constexpr auto equation_of(E const& e, W const& w, Poses const& poses, Twists&& twists, position_unit<S> const& unit, S const& until, S const& regularization, S& residual) {
    using C = typename E::constraint_type;
    constexpr std::size_t M = rows_v<C>;
    row_equation<S, M> q{{}, w.K};
    auto& [r, K, in_range] = q;
    if constexpr (is_holonomic_v<C, S>)
        r = unit.of_length(error_then(e.constraint, poses, until));
    else
        r = unit.of_rate(rate_of(e.constraint, poses, twists()));

    vec<S, M> const position_impulse = e.lambda * unit.of_multiplier();
    if constexpr (has_compliance<C>) {
        vec<S, M> const compliance = compliance_of<S>(e.constraint);
        vec<S, M> const alpha = compliance / squared(unit.h);
        if constexpr (position_unit<S>::is_divided) in_range = all(isfinite(alpha));
        // Each row divided by its 1 + gamma, so that the block stays symmetric.
        if constexpr (has_damping<C> && position_unit<S>::is_divided) {
            // Term by term: gamma J dx leaves the range long before the rest does.
            vec<S, M> const gamma = scaled_rows(compliance, damping_of<S>(e.constraint)) * unit.inverse_h;
            in_range = in_range && all(isfinite(gamma));
            vec<S, M> const moved = unit.of_rate(w.J * stacked_velocity<C>(twists()));
            for (std::size_t i = 0; i < M; ++i) {
                S const k = S(1) + gamma[i], a = alpha[i] / k;
                r[i] = r[i] / k + a * position_impulse[i] + (gamma[i] / k) * moved[i];
                K(i, i) = K(i, i) + a;
            }
        } else if constexpr (has_damping<C>) {
            r = r + scaled_rows(alpha, position_impulse);
            vec<S, M> const gamma = scaled_rows(alpha, damping_of<S>(e.constraint)) * unit.h;
            vec<S, M> const moved = unit.of_rate(w.J * stacked_velocity<C>(twists()));
            r = r + scaled_rows(gamma, moved);
            for (std::size_t i = 0; i < M; ++i) {
                S const k = S(1) / (S(1) + gamma[i]);
                r[i] = r[i] * k;
                K(i, i) = K(i, i) + alpha[i] * k;
            }
        } else {
            r = r + scaled_rows(alpha, position_impulse);
            for (std::size_t i = 0; i < M; ++i) K(i, i) = K(i, i) + alpha[i];
        }
    }
    r = r + position_impulse * regularization;
    for (std::size_t i = 0; i < M; ++i) residual = max(residual, unit.to_length(violation(e, poses, r, i, unit)));
    for (std::size_t i = 0; i < M; ++i) K(i, i) = K(i, i) + regularization;
    return q;
}

// K^-1 r. Of bodies that spin K need not be symmetric.
template <bool IsSymmetric, class S, std::size_t M>
[[nodiscard]] constexpr vec<S, M> solve_rows(mat<S, M, M> const& K, vec<S, M> const& r) noexcept {
    if constexpr (IsSymmetric)
        return solve_spd(K, r);
    else
        return solve_positive(K, r);
}
// -xi K^-1 r within the bounds, and the constraint's own rule after it. p and dp in N times `scale`. `inverted`: K is the inverse.
template <bool IsSymmetric = true, class E, class Poses, class S, std::size_t M>
[[nodiscard]] constexpr vec<S, M> impulse_of(E const& e, bool inverted, mat<S, M, M> const& K, vec<S, M> const& r, Poses const& poses, S const& scale, S const& xi) {
    using C = typename E::constraint_type;
    vec<S, M> const p = e.lambda * scale;
    vec<S, M> dp;
    if constexpr (presses_and_rubs<C, S>) {
        auto const limits = detail::call_with([&](auto const&... q) { return limits_of(e.constraint, e.lambda, q...); }, poses);
        auto const scaled = [&](S const& bound) { return bound * scale; };
        dp = solve_rubbing(4, e.constraint, K, rubbing_steps<S>(K, xi), r, p, detail::scaled_bound(S(limits.lower[0]), scaled), detail::scaled_bound(S(limits.upper[0]), scaled), scale, xi);
    } else if constexpr (is_bounded_v<C, S>) {
        bounds<S, M> const unscaled = detail::call_with([&](auto const&... q) { return limits_of(e.constraint, e.lambda, q...); }, poses);
        auto const limits = detail::scaled_bounds(unscaled, [&](S const& bound) { return bound * scale; });
        if (inverted) {  // one row
            dp = K * r * (-xi);
            dp[0] = clamp(p[0] + dp[0], limits.lower[0], limits.upper[0]) - p[0];
        } else {
            dp = solve_bounded(K, r, p, limits, xi);
        }
    } else if constexpr (inverts_itself_v<C, S>) {
        dp = inverted ? K * r * (-xi) : solve_rows<IsSymmetric>(K, r) * (-xi);
    } else {
        dp = solve_rows<IsSymmetric>(K, r) * (-xi);
    }
    if constexpr (has_update_v<C, S>)
        dp = detail::call_with([&](auto const&... q) { return updated_multipliers(e.constraint, e.lambda, e.lambda + dp / scale, q...); }, poses) * scale - p;
    return dp;
}

}  // namespace detail

/// What has been done to each body since the solve began: the sums of J^T dp, apart from the positions, since a difference
/// of positions would lose digits far from the origin. Spins are carried through the change of pose (carried_spin.hpp). Of generalized bodies, the
/// sums of W J^T dp. CarriesSpins: as momenta otherwise.
template <class Env, bool CarriesSpins>
class pushed_bodies {
public:
    using S = typename Env::scalar;

    /// Nothing has been done. Remembers the rotations.
    template <class P>
    constexpr void begin(P const& p) {
        pushed_.assign(p.bodies.size(), wrench<S>{});
        if constexpr (CarriesSpins) own_torque_.assign(p.bodies.size(), vec3<S>{});
        predicted_.resize(p.bodies.size());
        particle_pushed_.assign(p.particles.size(), vec3<S>{});
        p.for_each_map([&](auto const& g) {
            using Map = typename std::remove_cvref_t<decltype(g)>::map_type;
            std::get<place_of<Map>()>(displaced_).assign(g.states.size(), vec<S, Map::coordinates>{});
        });
        for (std::size_t i = 0; i < p.bodies.size(); ++i) predicted_[i] = p.bodies[i].pose.rotation;
    }
    /// f = J^T dp displaces a body that is where it is now.
    template <class P>
    constexpr void add(P const& p, rigid, std::uint32_t i, wrench<S> const& f) noexcept {
        pushed_[i] += f;
        add_own(p, i, f);
    }
    /// Displaces a body of numbers that are divided by h, by f = J^T dp; `turn` as below. It is turned from where it began by all pushes together:
    /// a turn of less than a place would be none.
    template <class P, class Turn>
    constexpr void push(P const& p, rigid, std::uint32_t i, wrench<S> const& f, detail::position_unit<S> const& unit, Turn&& turn) {
        auto& pose = p.bodies[i].pose;
        pose.position += displacement(pushed_[i].force, f.force, [&](vec3<S> const& x) { return unit.to_length(p.inverse_masses[i].linear * x); });
        pushed_[i].torque += f.torque;
        add_own(p, i, f);
        pose.rotation = nudged(predicted_[i], unit.to_length(turn(i, pushed_[i].torque)));
    }
    template <class P>
    constexpr void push(P const& p, point_mass, std::uint32_t i, wrench<S> const& f, detail::position_unit<S> const& unit) {
        p.particles[i].position += displacement(particle_pushed_[i], f.force, [&](vec3<S> const& x) { return unit.to_length(p.particle_masses[i].inverse_mass * x); });
    }
    /// Of a generalized body, by f = W J^T dp.
    template <class P, class Map>
    constexpr void push(P const& p, generalized<Map> kind, std::uint32_t i, vec<S, Map::coordinates> const& f, detail::position_unit<S> const& unit) {
        detail::attachment_access<decltype(kind)>::displace(p, i, displacement(displaced<Map>(i), f, [&](auto const& x) { return unit.to_length(x); }));
    }

    /// Velocity now: predicted, plus what has been displaced since; the torque by whatever inertia `turn` (i, torque) divides by.
    template <class P, class Turn>
    [[nodiscard]] constexpr twist<S> twist_now(P const& p, rigid, std::uint32_t i, detail::position_unit<S> const& unit, Turn&& turn) const {
        auto const& b = p.bodies[i];
        return {b.twist.linear + unit.to_rate(p.inverse_masses[i].linear) * pushed_[i].force, b.twist.angular + unit.to_rate(turn(i, pushed_[i].torque))};
    }
    template <class P, class Turn>
    [[nodiscard]] constexpr particle_twist<S> twist_now(P const& p, point_mass, std::uint32_t i, detail::position_unit<S> const& unit, Turn&&) const {
        return {p.particles[i].velocity + unit.to_rate(p.particle_masses[i].inverse_mass) * particle_pushed_[i]};
    }
    template <class P, class Map, class Turn>
    [[nodiscard]] constexpr generalized_twist<S, Map::coordinates> twist_now(P const& p, generalized<Map> kind, std::uint32_t i, detail::position_unit<S> const& unit, Turn&&) const {
        return {detail::attachment_access<decltype(kind)>::velocity(p, i) + unit.to_rate(displaced<Map>(i))};
    }

    /// Momenta grow by J^T dp / h; what they are of spins is divided by the inertia of the new pose, all of it or as carried_spin.hpp says.
    /// spins(i, angular momentum gained in that).
    template <class P, class F>
    constexpr void update_velocities(P const& p, detail::position_unit<S> const& unit, bool all_of_spin, F&& spins) const {
        all_of_spin = all_of_spin || !CarriesSpins;
        for (std::uint32_t i = 0; i < p.bodies.size(); ++i) {
            auto const& m = p.masses[i];
            if (!m.movable) continue;
            auto& b = p.bodies[i];
            b.twist.linear += unit.to_rate(m.inverse_mass) * pushed_[i].force;
            auto const carried = detail::carry_spin(m.inertia, m.inverse_inertia, predicted_[i], b.pose.rotation, b.twist.angular, unit.to_rate(pushed_[i].torque), unit.to_rate(own_torque(i)), all_of_spin);
            b.twist.angular = carried.angular;
            spins(i, carried.gained);
        }
        for (std::size_t i = 0; i < particle_pushed_.size(); ++i)
            if (p.particle_masses[i].movable) p.particles[i].velocity += unit.to_rate(p.particle_masses[i].inverse_mass) * particle_pushed_[i];
        p.for_each_map([&](auto const& g) {
            for (std::uint32_t i = 0; i < g.states.size(); ++i) g.states[i].rates += unit.to_rate(displaced<typename std::remove_cvref_t<decltype(g)>::map_type>(i));
        });
    }

private:
    // Torques, in the body as it is turned.
    template <class P>
    constexpr void add_own([[maybe_unused]] P const& p, [[maybe_unused]] std::uint32_t i, [[maybe_unused]] wrench<S> const& f) noexcept {
        if constexpr (CarriesSpins) own_torque_[i] += p.bodies[i].pose.local_direction(f.torque);
    }
    [[nodiscard]] constexpr vec3<S> own_torque([[maybe_unused]] std::uint32_t i) const noexcept {
        if constexpr (CarriesSpins)
            return own_torque_[i];
        else
            return {};
    }
    // How far f, added to a sum, moves a body. In fixed point each sum moves it to where it would alone, so that what is below a place is not lost.
    template <class Sum, class Moved>
    [[nodiscard]] static constexpr auto displacement(Sum& sum, Sum const& f, Moved const& moved) {
        if constexpr (detail::position_unit<S>::is_divided) {
            auto const before = moved(sum);
            sum += f;
            return moved(sum) - before;
        } else {
            sum += f;
            return moved(f);
        }
    }
    template <class Map>
    [[nodiscard]] static constexpr std::size_t place_of() noexcept {
        return []<class... Maps>(map_list<Maps...>) {
            std::size_t n = 0;
            bool found = false;
            ((found = found || std::same_as<Maps, Map>, n += found ? 0 : 1), ...);
            return n;
        }(typename Env::map_types{});
    }
    template <class Map>
    [[nodiscard]] constexpr auto& displaced(std::uint32_t i) noexcept {
        return std::get<place_of<Map>()>(displaced_)[i];
    }
    template <class Map>
    [[nodiscard]] constexpr auto const& displaced(std::uint32_t i) const noexcept {
        return std::get<place_of<Map>()>(displaced_)[i];
    }
    template <class Maps>
    struct displacements;
    template <class... Maps>
    struct displacements<map_list<Maps...>> {
        using type = std::tuple<typename Env::template array<vec<S, Maps::coordinates>, Env::limits.generalized>...>;
    };

    typename Env::template array<wrench<S>, Env::limits.bodies + 1> pushed_;
    struct none {};
    [[no_unique_address]] std::conditional_t<CarriesSpins, typename Env::template array<vec3<S>, Env::limits.bodies + 1>, none> own_torque_;
    typename Env::template array<vec3<S>, Env::limits.particles> particle_pushed_;
    typename Env::template array<typename Env::rotation, Env::limits.bodies + 1> predicted_;
    [[no_unique_address]] typename displacements<typename Env::map_types>::type displaced_;
};

}  // namespace sinew::inline v0
