#pragma once
// Inertia that light links under tension must have for a step of their length, from the geometric stiffness of the joints that pull them.
//
// A force f on an arm r turns a body towards the line of f: its torque r x f falls by -G theta as the body turns by theta, with
//
//   G = [f]x [r]x,   -G = (r . f) 1 - (r f^T + f r^T) / 2 of its symmetric part,   largest eigenvalue |r| |f| (1 + cos) / 2
//
// A link between two joints under tension T thus swings with omega^2 = T l / I, and so do all links of a chain in turns: the fastest that
// it can do. Impulses J^T p with the J of the start of a step make of it symplectic Euler's oscillator, which grows where h omega > 2: ten
// links of 1 kg and 0.5 m cannot carry a swinging 1000 kg at h = 1/60 s, where h omega is 8 to 14. The implicit step has h^2 (-G) beside the inertia
// (Tournier; compliant_implicit); as an approximation that is positive semidefinite, and of each body alone, it leaves the linear
// system its shape (Andrews, Teichmann and Kry 2017, who take a diagonal):
//
//   K = h^2 |r| |f| (s^2 1 - s s^T) / 4,   s = r / |r| + f / |f|       the inertia of a point mass at s
//
// It is -h^2 G where f pulls along r, 0 where it pushes, and in between has the eigenvector and the largest eigenvalue of -h^2 G; so
// -h^2 G <= K everywhere, and no eigenvalues need be found. Forces are those of the last step. Of the sum of a body's K only
//
//   (1 - 2 / mu) K,   mu = tr(I^-1 K),   and nothing where mu <= 2
//
// is added (they, too, add as little as stability asks for). Of a link mu is 2 (h omega)^2, in two directions alike: it is left with
// h omega = 1 where it was above, and untouched below. As h goes to 0 nothing is added. Where a force is new its first step goes without.
//
// The velocities before the impulses become (I + K)^-1 (I omega + K omega'). With omega' = 0 this is implicit Euler, and a brake on a
// chain that turns as a whole; but then its forces turn as well, and G asks nothing. So omega' is how fast the surroundings turn: the
// mean of the body's own omega and that of the bodies on its joints. A common turning is kept, bodies that turn against each other
// are damped as by implicit Euler.
//
// A projection of positions (projection.hpp) meets the same: a chain that is straight and too short has light links sideways and nothing
// else to give, and Newton's method without D^2 c folds it. There the multipliers are those of the displacement so far, in kg m:
// -G of them is what is missing of the Newton matrix, and K stands for it in the same way, where it is more than that of the forces.
//
// Linear momentum is kept to rounding. Angular momentum is not while something is added: a torque impulse on a body gives
// (I + K)^-1 of it. The heavy end itself is left as it is: its mu is small.
//
// Forces at the points of ball joints, hinges, universal joints and welds take part. What rods, sliders and the joints of particles
// do to links is left as it is: a rope of particles would need K of what moves it sideways, which binds its bodies to each other.

#include <sinew/constraint/hinge.hpp>
#include <sinew/constraint/universal.hpp>
#include <sinew/constraint/weld.hpp>
#include <sinew/solver/row_system.hpp>

#include <span>

namespace sinew::inline v0::detail {

/// Whether the first three rows of a type hold a point, and it binds a rigid body.
template <class C>
struct pulls_at_point : std::bool_constant<has_point_blocks_v<C>> {};
template <class S>
struct pulls_at_point<hinge_joint<S>> : std::true_type {};
template <class S>
struct pulls_at_point<universal_joint<S>> : std::true_type {};
template <class S>
struct pulls_at_point<weld_joint<S>> : std::true_type {};

template <class C>
[[nodiscard]] constexpr auto const& held_point(C const& c) noexcept {
    if constexpr (has_point_blocks_v<C>)
        return c;
    else
        return c.point;
}

/// Env: the world's environment.
template <class Env>
class turning_inertia {
public:
    using S = typename Env::scalar;
    using rows_type = row_system<Env>;

    /// Adds to the inertias, for a step of h, what the multipliers of the last one ask for: to rows.added_inertia and the problem's
    /// inverse masses, which must be those of now. change(body, d omega, I d omega, in which lanes): how its angular velocity and the angular momentum of
    /// its own inertia are then to change before any impulses.
    template <class P, class F>
    constexpr void add(P const& p, rows_type& rows, S const& h, F&& change) {
        rows.added_inertia.clear();
        // Nothing is to be allocated when the first body comes to need it.
        make_room(rows.added_inertia, p.bodies.size());
        make_room(around_, p.bodies.size());
        collect(p, h * h, last_force);
        bool needed = false;
        for (std::size_t i = 0; i < p.bodies.size(); ++i) {
            asked_[i] = needed_of(asked_[i], p.inverse_masses[i].angular);
            needed = needed || any(trace(asked_[i]) > S(0));
        }
        if (!needed) return;
        rows.added_inertia.resize(p.bodies.size());
        for (std::size_t i = 0; i < p.bodies.size(); ++i) rows.added_inertia[i] = asked_[i];
        rows.weigh_added(p);
        calm(p, rows, change);
    }
    /// To what is added already, what the multipliers of a displacement (kg m, one for each row) ask for, where that is more.
    template <class P>
    constexpr void add_for_displacement(P const& p, rows_type& rows, std::span<S const> multipliers) {
        p.update_inverse_masses();
        collect(p, S(1), [&](auto const&, auto const& at) { return vec3<S>{multipliers[at.row], multipliers[at.row + 1], multipliers[at.row + 2]}; });
        bool const had_none = rows.added_inertia.size() == 0;
        rows.added_inertia.resize(p.bodies.size());
        for (std::size_t i = 0; i < p.bodies.size(); ++i) {
            auto& k = rows.added_inertia[i];
            sym3<S> const more = needed_of(asked_[i], p.inverse_masses[i].angular);
            if constexpr (has_lanes_v<S>)
                k = select(trace(more) > trace(k), more, had_none ? sym3<S>{} : k);
            else if (had_none || trace(more) > trace(k))
                k = more;
        }
        rows.weigh_added(p);
    }

private:
    [[nodiscard]] static constexpr S trace(sym3<S> const& k) noexcept { return k.xx + k.yy + k.zz; }

    // mu of what is left alone.
    static constexpr S slow{2};
    // What of K is added to an inertia, of which w is the inverse.
    [[nodiscard]] static constexpr sym3<S> needed_of(sym3<S> const& k, sym3<S> const& w) noexcept {
        S const mu = w.xx * k.xx + w.yy * k.yy + w.zz * k.zz + S(2) * (w.xy * k.xy + w.xz * k.xz + w.yz * k.yz);
        return either(mu > slow, [&] { return S(1) - slow / mu; }, [] { return S(0); }) * k;
    }

    // f(body, anchor, force on it) of every joint that holds a movable rigid body at a point. force_of(entry, place).
    template <class P, class Force, class F>
    static constexpr void for_each_pull(P const& p, Force&& force_of, F&& f) {
        rows_type::template for_each_of<pulls_at_point>(p, [&](auto const& e, auto const& at) {
            using A = attachments_t<typename std::remove_cvref_t<decltype(e)>::constraint_type>;
            auto const& point = held_point(e.constraint);
            vec3<S> const force = force_of(e, at);
            if constexpr (std::same_as<typename A::template kind<0>, rigid>)
                if (p.masses[e.bodies[0]].movable) f(e.bodies[0], point.anchor_a, force);
            if constexpr (std::same_as<typename A::template kind<1>, rigid>)
                if (p.masses[e.bodies[1]].movable) f(e.bodies[1], point.anchor_b, -force);
        });
    }
    static constexpr auto last_force = [](auto const& e, auto const&) { return vec3<S>{e.lambda[0], e.lambda[1], e.lambda[2]}; };

    // K of all forces on a body, h^2 = scale.
    template <class P, class Force>
    constexpr void collect(P const& p, S const& scale, Force&& force_of) {
        asked_.resize(p.bodies.size());
        for (auto& k : asked_) k = {};
        for_each_pull(p, force_of, [&](std::uint32_t i, vec3<S> const& anchor, vec3<S> const& force) {
            vec3<S> const r = p.bodies[i].pose.direction(anchor);
            S const size = norm(r), pull = norm(force);
            auto const pulls = size * pull > S(0);
            if (!any(pulls)) return;
            vec3<S> const u = pull * r + size * force;  // |r| |f| s
            sym3<S> const m{u[1] * u[1] + u[2] * u[2], u[0] * u[0] + u[2] * u[2], u[0] * u[0] + u[1] * u[1], -u[0] * u[1], -u[0] * u[2], -u[1] * u[2]};
            sym3<S> const sum = asked_[i] + (scale / (S(4) * size * pull)) * m;
            if constexpr (has_lanes_v<S>)
                asked_[i] = select(pulls, sum, asked_[i]);
            else
                asked_[i] = sum;
        });
    }
    // d omega = -(I + K)^-1 K (omega - omega').
    template <class P, class F>
    constexpr void calm(P const& p, rows_type const& rows, F&& change) {
        around_.assign(p.bodies.size(), surroundings{});
        rows_type::template for_each_of<pulls_at_point>(p, [&](auto const& e, auto const&) {
            using A = attachments_t<typename std::remove_cvref_t<decltype(e)>::constraint_type>;
            if constexpr (std::same_as<typename A::template kind<0>, rigid> && std::same_as<typename A::template kind<1>, rigid>) {
                std::uint32_t const a = e.bodies[0], b = e.bodies[1];
                if (!p.masses[a].movable || !p.masses[b].movable) return;
                vec3<S> const difference = p.bodies[a].twist.angular - p.bodies[b].twist.angular;
                around_[a].sum += difference;
                around_[b].sum -= difference;
                around_[a].joints = around_[a].joints + S(2);
                around_[b].joints = around_[b].joints + S(2);
            }
        });
        for (std::uint32_t i = 0; i < p.bodies.size(); ++i) {
            auto const calms = rows.adds_to(i) && around_[i].joints > S(0);
            if (!any(calms)) continue;
            vec3<S> const against = around_[i].sum / around_[i].joints;  // omega - omega'
            sym3<S> const& k = rows.added_inertia[i];
            vec3<S> const d = -(p.inverse_masses[i].angular * (k * against));
            change(i, d, -(k * (against + d)), calms);
        }
    }

    struct surroundings {
        vec3<S> sum{S(0), S(0), S(0)};  // of the differences from them
        S joints{};                     // twice their number
    };
    typename Env::template array<sym3<S>, Env::limits.bodies + 1> asked_{};
    typename Env::template array<surroundings, Env::limits.bodies + 1> around_{};
};

/// What has been added to inertias, where a solve may be done more than once.
template <class Env, bool = has_lanes_v<typename Env::scalar>>
struct saved_inertia {
    constexpr void take(auto const&, std::size_t) noexcept {}
    constexpr void give(auto&) const noexcept {}
};
template <class Env>
struct saved_inertia<Env, true> {
    typename Env::template array<sym3<typename Env::scalar>, Env::limits.bodies + 1> kept{};
    constexpr void take(auto const& added, std::size_t bodies) {
        make_room(kept, bodies);
        kept = added;
    }
    constexpr void give(auto& added) const { added = kept; }
};

}  // namespace sinew::inline v0::detail
