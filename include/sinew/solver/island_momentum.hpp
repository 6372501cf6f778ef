#pragma once
// Momentum that a solve lost, given back to bodies that hang together on nothing else.
//
// A strategy that goes body by body moves each of them against the others as they are, so that actions and reactions meet only when it has
// converged (Waterson 2026, 7.3.2). What is amiss in an island's linear and angular momentum after the last sweep is known: its constraints
// may not change them. It is given back as one rigid motion of all its bodies, which no constraint that is invariant under motion feels.
//
//   P, L    momenta of the predicted velocities, L about the origin    P', L'   of the velocities that the solve has set
//   F, T    wrench of the constraints that are not internal: those whose forces have a sum
//
//   M dv = P + h F - P',    I dw = (L + h T - L') about the centre of mass

#include <sinew/linear/small_ldlt.hpp>
#include <sinew/solver/connected_bodies.hpp>

namespace sinew::inline v0 {

/// Env: the world's environment, for its scalar and storage.
template <class Env>
class island_momentum {
public:
    using S = typename Env::scalar;

    /// Finds the islands, before anything else in a step.
    template <class P>
    constexpr void connect(P const& p) {
        connected_.build(p);
    }
    /// The node that stands for an island.
    [[nodiscard]] constexpr std::uint32_t root(std::uint32_t node) noexcept { return connected_.root(node); }
    /// Takes the momenta at the predicted state.
    template <class P>
    constexpr void begin(P const& p) {
        islands_.resize(connected_.size());
        any_free_ = false;
        for (std::uint32_t i = 0; i < connected_.size(); ++i) {
            islands_[i] = {};
            any_free_ = any_free_ || is_free_root(i);
        }
        if (!any_free_) return;
        sum_momenta(p, S(1));
    }
    /// The wrench of a constraint for h seconds at the poses of now; its attachments' forces f.
    template <class P, class E, std::size_t N>
    constexpr void add(P const& p, E const& e, std::array<wrench<S>, N> const& f, S const& h) {
        if (!any_free_) return;
        vec3<S> force{}, torque{};
        S size{};
        std::uint32_t root = none;
        std::size_t k = 0;
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            wrench<S> const& w = f[k++];
            if (detail::attachment_access<decltype(kind)>::movable(p, i)) root = connected_.root(p.node(kind, i));
            if constexpr (std::same_as<decltype(kind), rigid> || std::same_as<decltype(kind), point_mass>) {
                force += w.force;
                torque += w.torque + cross(detail::attachment_access<decltype(kind)>::pose(p, i).position, w.force);
                size = size + squared_norm(w.force);
            }
        });
        if (root == none) return;
        auto const external = squared_norm(force) > size * (S(64) * epsilon_v<S>) || N == 1;
        if (!any(external)) return;
        auto& island = islands_[root];
        if constexpr (has_lanes_v<S>) {
            island.linear = select(external, island.linear + h * force, island.linear);
            island.angular = select(external, island.angular + h * torque, island.angular);
        } else {
            island.linear += h * force;
            island.angular += h * torque;
        }
    }
    /// Angular momentum (kg m^2/s) that a body has gained as its spin was carried to where it has been displaced.
    template <class P>
    constexpr void add_spin(P const& p, std::uint32_t body, vec3<S> const& gained) noexcept {
        if (any_free_) islands_[connected_.root(p.node(rigid{}, body))].spins += gained;
    }
    /// Gives back what is amiss.
    template <class P>
    constexpr void give_back(P const& p) {
        if (!any_free_) return;
        sum_momenta(p, S(-1));
        for_each_of_islands(p, [&](auto kind, std::uint32_t i, sums& island) {
            S const m = mass_of(p, kind, i);
            island.mass = island.mass + m;
            ++island.count;
            island.moment += m * place_of(p, kind, i);
        });
        for_each_of_islands(p, [&](auto kind, std::uint32_t i, sums& island) {
            vec3<S> const r = place_of(p, kind, i) - island.moment / island.mass;
            island.inertia += mass_of(p, kind, i) * (squared_norm(r) * identity<S, 3>() - outer(r, r));
            if constexpr (std::same_as<decltype(kind), rigid>) island.inertia += to_mat(world_inertia(p.masses[i].inertia, p.bodies[i].pose.rotation));
        });
        for (std::uint32_t i = 0; i < connected_.size(); ++i) {
            auto& island = islands_[i];
            if (!is_free_root(i) || island.other || !any(island.mass > S(0))) continue;
            vec3<S> const center = island.moment / island.mass;
            island.omega = small_ldlt<S, 3>(island.inertia).solve((island.count > 1 ? island.angular : island.angular + island.spins) - cross(center, island.linear));
            island.velocity = island.linear / island.mass;
        }
        for_each_of_islands(p, [&](auto kind, std::uint32_t i, sums& island) {
            if (island.other) return;
            vec3<S> const r = place_of(p, kind, i) - island.moment / island.mass;
            if constexpr (std::same_as<decltype(kind), rigid>) {
                p.bodies[i].twist.linear += island.velocity + cross(island.omega, r);
                p.bodies[i].twist.angular += island.omega;
            } else {
                p.particles[i].velocity += island.velocity + cross(island.omega, r);
            }
        });
    }

private:
    static constexpr std::uint32_t none = 0xffffffffu;
    struct sums {
        vec3<S> linear{}, angular{};  // what is amiss
        S mass{};
        vec3<S> moment{};
        mat3<S> inertia{};
        vec3<S> spins{};  // gained as they were carried: of one body alone, which is turned from outside only, that is not amiss
        int count = 0;    // of bodies
        vec3<S> velocity{}, omega{};
        bool other = false;  // holds bodies of another kind, whose momentum is not summed
    };

    [[nodiscard]] constexpr bool is_free_root(std::uint32_t i) noexcept {
        return connected_.root(i) == i && connected_.is_bound(i) && !connected_.is_anchored(i);
    }
    template <class P, class F>
    constexpr void for_each_of_islands(P const& p, F&& f) {
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            std::uint32_t const r = connected_.root(p.node(kind, i));
            if (!connected_.is_bound(r) || connected_.is_anchored(r)) return;
            if constexpr (std::same_as<decltype(kind), rigid> || std::same_as<decltype(kind), point_mass>)
                f(kind, i, islands_[r]);
            else
                islands_[r].other = true;
        });
    }
    template <class P>
    constexpr void sum_momenta(P const& p, S const& sign) {
        for_each_of_islands(p, [&](auto kind, std::uint32_t i, sums& island) {
            vec3<S> const momentum = (sign * mass_of(p, kind, i)) * detail::attachment_access<decltype(kind)>::twist(p, i).linear;
            island.linear += momentum;
            island.angular += cross(place_of(p, kind, i), momentum);
            if constexpr (std::same_as<decltype(kind), rigid>) {
                auto const& b = p.bodies[i];
                island.angular += sign * b.pose.direction(p.masses[i].inertia * b.pose.local_direction(b.twist.angular));
            }
        });
    }
    template <class P>
    static constexpr S mass_of(P const& p, rigid, std::uint32_t i) {
        return p.masses[i].mass;
    }
    template <class P>
    static constexpr S mass_of(P const& p, point_mass, std::uint32_t i) {
        return p.particle_masses[i].mass;
    }
    template <class P, class Kind>
    static constexpr vec3<S> place_of(P const& p, Kind, std::uint32_t i) {
        return detail::attachment_access<Kind>::pose(p, i).position;
    }

    connected_bodies<Env> connected_;
    typename Env::template array<sums, Env::max_nodes> islands_;
    bool any_free_ = false;
};

}  // namespace sinew::inline v0
