#pragma once
// The angular momentum that displacements cost, and its return.
//
// A position-level solver displaces a body by d/m while it moves with v, which changes x cross m v by d cross v: a term of second
// order that the derivation drops (Waterson 2026, 5.16 holds x fixed). Summed over all constraints of bodies that hang together,
// and on nothing else, it is D = sum d_i cross v_i. It is given back after the last sweep as a common rotation rate of all
// these bodies about their centre of mass, which no constraint that is invariant under rotation feels. Given back
// constraint by constraint it would pull the neighbours apart, and feed on itself. So is what spins lack that were carried along with
// their bodies (carried_spin.hpp), where there are several.

#include <sinew/linear/small_ldlt.hpp>
#include <sinew/solver/connected_bodies.hpp>

namespace sinew::inline v0 {

/// Env: the world's environment, for its scalar and storage.
template <class Env>
class angular_momentum_balance {
public:
    using S = typename Env::scalar;
    static constexpr std::uint32_t no_island = 0xffffffffu;

    /// Finds the islands, and forgets what was lost.
    template <class P>
    constexpr void begin(P const& p) {
        connected_.build(p);
        islands_.resize(connected_.size());
        for (std::size_t i = 0; i < connected_.size(); ++i) islands_[i] = {};
    }
    /// The island of a constraint's bodies, or no_island if it hangs on something that does not move.
    template <class P, class E>
    [[nodiscard]] constexpr std::uint32_t island_of(P const& p, E const& e) {
        std::uint32_t r = no_island;
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            if (detail::attachment_access<decltype(kind)>::movable(p, i)) r = connected_.root(p.node(kind, i));
        });
        return r == no_island || connected_.is_anchored(r) ? no_island : r;
    }
    /// Displacements by f (force: kg m, or any multiple) of bodies that move with v (m/s).
    template <std::size_t N>
    constexpr void add(std::uint32_t island, std::array<wrench<S>, N> const& f, std::array<vec3<S>, N> const& v) noexcept {
        if constexpr (N == 1) return;  // pushed from outside
        vec3<S> net{}, lost{};
        for (std::size_t k = 0; k < N; ++k) {
            net += f[k].force;
            lost += cross(f[k].force, v[k]);
        }
        // A constraint to something outside leaves a net force; its momentum is not the bodies' to keep.
        auto const internal = is_rounding(net, f);
        islands_[island].lost += select(internal, lost, vec3<S>{});
    }
    /// Angular momentum (kg m^2/s) that a body has gained as its spin was carried to where it has been displaced.
    template <class P>
    constexpr void add_spin(P const& p, std::uint32_t body, vec3<S> const& gained) noexcept {
        islands_[connected_.root(p.node(rigid{}, body))].spins += gained;
    }

    /// Turns the bodies of every free island together, so that its angular momentum grows by -lost and nothing else. `unit`: of the
    /// displacements, in kg m.
    template <class P>
    constexpr void give_back(P const& p, S const& unit) {
        bool any_free = false;
        for (std::uint32_t i = 0; i < connected_.size(); ++i) any_free = any_free || is_free_root(i);
        if (!any_free) return;
        for_each_of_islands(p, [&](auto kind, std::uint32_t i, island_sums& island) {
            auto const [m, x] = mass_and_place(p, kind, i);
            island.mass = island.mass + m;
            island.moment += m * x;
            ++island.count;
        });
        for_each_of_islands(p, [&](auto kind, std::uint32_t i, island_sums& island) {
            auto const [m, x] = mass_and_place(p, kind, i);
            vec3<S> const r = x - island.moment / island.mass;
            island.inertia += m * (squared_norm(r) * identity<S, 3>() - outer(r, r));
            if constexpr (std::same_as<decltype(kind), rigid>) island.inertia += to_mat(world_inertia(p.masses[i].inertia, p.bodies[i].pose.rotation));
        });
        for (std::uint32_t i = 0; i < connected_.size(); ++i)
            if (is_free_root(i)) islands_[i].omega = -small_ldlt<S, 3>(islands_[i].inertia).solve(islands_[i].count > 1 ? islands_[i].lost * unit + islands_[i].spins : islands_[i].lost * unit);
        for_each_of_islands(p, [&](auto kind, std::uint32_t i, island_sums& island) {
            vec3<S> const center = island.moment / island.mass;
            if constexpr (std::same_as<decltype(kind), rigid>) {
                p.bodies[i].twist.linear += cross(island.omega, p.bodies[i].pose.position - center);
                p.bodies[i].twist.angular += island.omega;
            } else {
                p.particles[i].velocity += cross(island.omega, p.particles[i].position - center);
            }
        });
    }

private:
    // Whether the sum of forces is 0 but for rounding. Where small squares have no digits it is told by the largest components.
    template <std::size_t N>
    [[nodiscard]] static constexpr auto is_rounding(vec3<S> const& net, std::array<wrench<S>, N> const& f) noexcept {
        S size(0);
        if constexpr (floating_scalar<S>) {
            for (auto const& one : f) size = size + squared_norm(one.force);
            return squared_norm(net) <= size * (S(16) * epsilon_v<S>);
        } else {
            for (auto const& one : f) size = max(size, largest(one.force));
            return largest(net) <= S(8) * epsilon_v<S> + size * (S(4) * sqrt(epsilon_v<S>));
        }
    }
    [[nodiscard]] static constexpr S largest(vec3<S> const& x) noexcept { return max(abs(x[0]), max(abs(x[1]), abs(x[2]))); }
    [[nodiscard]] constexpr bool is_free_root(std::uint32_t i) noexcept {
        return connected_.root(i) == i && connected_.is_bound(i) && !connected_.is_anchored(i);
    }
    // f(kind, index, sums) for what moves and hangs together on nothing else.
    template <class P, class F>
    constexpr void for_each_of_islands(P const& p, F&& f) {
        auto const visit = [&](auto kind, std::uint32_t i) {
            if constexpr (!is_generalized_v<decltype(kind)>) {  // those are anchored
                std::uint32_t const r = connected_.root(p.node(kind, i));
                if (connected_.is_bound(r) && !connected_.is_anchored(r)) f(kind, i, islands_[r]);
            }
        };
        p.for_each_movable(visit);
    }
    template <class Kind>
    struct mass_place {
        S m;
        vec3<S> x;
    };
    template <class P>
    static constexpr mass_place<rigid> mass_and_place(P const& p, rigid, std::uint32_t i) {
        return {p.masses[i].mass, p.bodies[i].pose.position};
    }
    template <class P>
    static constexpr mass_place<point_mass> mass_and_place(P const& p, point_mass, std::uint32_t i) {
        return {p.particle_masses[i].mass, p.particles[i].position};
    }

    struct island_sums {
        vec3<S> lost{};   // D, kg m^2/s, by the unit of the displacements
        vec3<S> spins{};  // S, kg m^2/s
        int count = 0;    // of bodies; one alone is turned from outside only
        S mass{};
        vec3<S> moment{};
        mat3<S> inertia{};
        vec3<S> omega{};
    };

    connected_bodies<Env> connected_;
    typename Env::template array<island_sums, Env::max_nodes> islands_;
};

}  // namespace sinew::inline v0
