#pragma once
// What a solver sees: the moving states of the bodies, their inverse masses, and the constraints type by type.
//
// A solver is a strategy over this problem. It never sees the world that made it.

#include <sinew/body/body.hpp>
#include <sinew/constraint/derive.hpp>
#include <sinew/core/call_with.hpp>
#include <sinew/rotation/lane_poses.hpp>
#include <sinew/solver/generalized_state.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

namespace sinew::inline v0 {

/// Where a solver acts in a step: inside the derivative of the integrator, on velocities, or on positions.
enum class solver_level : unsigned char { acceleration, velocity, position };

/// The part of a rigid body that moves.
template <class S, class R>
struct rigid_state {
    sinew::pose<S, R> pose{};
    sinew::twist<S> twist{};
    [[nodiscard]] friend constexpr bool operator==(rigid_state const&, rigid_state const&) = default;
};
/// The part of a rigid body that does not. What is not movable has no inverse mass.
template <class S>
struct rigid_mass {
    S mass{};
    S inverse_mass{};
    sym3<S> inertia{};          ///< body axes
    sym3<S> inverse_inertia{};  ///< body axes
    bool movable = false;
    [[nodiscard]] friend constexpr bool operator==(rigid_mass const&, rigid_mass const&) = default;
};
template <class S>
struct particle_state {
    vec3<S> position{S(0), S(0), S(0)};
    vec3<S> velocity{S(0), S(0), S(0)};
    [[nodiscard]] friend constexpr bool operator==(particle_state const&, particle_state const&) = default;
};
template <class S>
struct particle_mass {
    S mass{};
    S inverse_mass{};
    bool movable = false;
    [[nodiscard]] friend constexpr bool operator==(particle_mass const&, particle_mass const&) = default;
};

namespace detail {
// A vector that takes no room when it has no elements.
template <class S, std::size_t N>
struct memory_of : vec<S, N> {};
template <class S>
struct memory_of<S, 0> {
    [[nodiscard]] friend constexpr bool operator==(memory_of const&, memory_of const&) = default;
};

// The wrenches of the last step, of constraints whose J at the solution no longer shows where they pushed. Of a generalized body
// there is none.
template <class C, class S, bool = moving_normal_v<C>>
struct remembered_wrenches {
    static constexpr std::size_t count = 0;
    constexpr void clear() noexcept {}
    template <class Scale>
    constexpr void add(std::size_t, wrench<S> const&, Scale const&) noexcept {}
};
template <class C, class S>
struct remembered_wrenches<C, S, true> {
    static constexpr std::size_t count = attachments_t<C>::size;
    std::array<wrench<S>, count> wrenches{};
    constexpr void clear() noexcept { wrenches = {}; }
    template <class Scale>
    constexpr void add(std::size_t i, wrench<S> const& w, Scale const& scale) noexcept {
        wrenches[i].force += w.force * scale;
        wrenches[i].torque += w.torque * scale;
    }
};
}  // namespace detail

/// A constraint, the indices of its bodies, and what a solver keeps of it from step to step: the multipliers (N, N m), and
/// `Memory` more numbers per row where the strategy asks for them (static constexpr std::size_t memory_per_row).
template <class C, class S, std::size_t Memory = 0>
struct constraint_entry {
    using constraint_type = C;
    static constexpr std::size_t memory_size = Memory * rows_v<C>;
    C constraint{};
    std::array<std::uint32_t, attachments_t<C>::size> bodies{};
    vec<S, rows_v<C>> lambda{};
    [[no_unique_address]] detail::memory_of<S, memory_size> memory{};
    [[no_unique_address]] detail::remembered_wrenches<C, S> pushed{};
    [[nodiscard]] friend constexpr bool operator==(constraint_entry const& a, constraint_entry const& b) {
        if constexpr (std::equality_comparable<C>) {
            if (!(a.constraint == b.constraint)) return false;
        }
        return a.bodies == b.bodies && a.lambda == b.lambda && a.memory == b.memory;
    }
};

/// The maps of a world's generalized bodies.
template <class... Maps>
struct map_list {
    using bodies = std::tuple<generalized_bodies<Maps>...>;
};

/// Bodies and constraints of one step. Bodies of all kinds are numbered together as nodes: the rigid ones, then the particles, then
/// the generalized ones, map by map. Maps is a map_list.
template <class S, class R, std::size_t Memory, class Maps, class... Cs>
struct problem {
    using scalar_type = S;
    using rotation_type = R;
    using map_types = Maps;
    using constraint_types = std::tuple<Cs...>;

    std::span<rigid_state<S, R>> bodies;
    std::span<rigid_mass<S> const> masses;
    std::span<inverse_mass<S>> inverse_masses;  ///< world frame
    std::span<particle_state<S>> particles;
    std::span<particle_mass<S> const> particle_masses;
    std::tuple<std::span<constraint_entry<Cs, S, Memory>>...> constraints;
    std::uint32_t contents = 0;  ///< changes whenever a body or a constraint is added or removed: what was built of them is then stale
    [[no_unique_address]] typename Maps::bodies generalized{};
    S elapsed{};  ///< s, since the step began of which this is a part: as long have targets moved that move by themselves

    [[nodiscard]] constexpr std::size_t node_count() const noexcept {
        std::size_t n = bodies.size() + particles.size();
        for_each_map([&](auto const& g) { n += g.states.size(); });
        return n;
    }
    [[nodiscard]] constexpr std::uint32_t node(rigid, std::uint32_t i) const noexcept { return i; }
    [[nodiscard]] constexpr std::uint32_t node(point_mass, std::uint32_t i) const noexcept { return static_cast<std::uint32_t>(bodies.size()) + i; }
    template <class Map>
    [[nodiscard]] constexpr std::uint32_t node(sinew::generalized<Map>, std::uint32_t i) const noexcept {
        std::size_t before = bodies.size() + particles.size();
        bool found = false;
        for_each_map([&](auto const& g) {
            found = found || std::same_as<std::remove_cvref_t<decltype(g)>, generalized_bodies<Map>>;
            before += found ? 0 : g.states.size();
        });
        return static_cast<std::uint32_t>(before) + i;
    }
    /// f(generalized_bodies) for each map.
    template <class F>
    constexpr void for_each_map([[maybe_unused]] F&& f) const {
        if constexpr (!std::same_as<typename Maps::bodies, std::tuple<>>) detail::call_with([&](auto const&... g) { (f(g), ...); }, generalized);
    }
    /// f(kind, index) for every body, of whatever kind, that can be moved; in the order of the nodes.
    template <class F>
    constexpr void for_each_movable(F&& f) const {
        for_each_movable(0, bodies.size(), f);
        for_each_other_movable(f);
    }
    /// The rigid bodies among them, first <= i < last; and all that are no rigid bodies.
    template <class F>
    constexpr void for_each_movable(std::size_t first, std::size_t last, F&& f) const {
        for (std::size_t i = first; i < last; ++i)
            if (masses[i].movable) f(rigid{}, static_cast<std::uint32_t>(i));
    }
    template <class F>
    constexpr void for_each_other_movable(F&& f) const {
        for (std::uint32_t i = 0; i < particles.size(); ++i)
            if (particle_masses[i].movable) f(point_mass{}, i);
        for_each_map([&](auto const& g) {
            using kind = sinew::generalized<typename std::remove_cvref_t<decltype(g)>::map_type>;
            for (std::uint32_t i = 0; i < g.states.size(); ++i)
                if (g.masses[i].movable) f(kind{}, i);
        });
    }
    /// R I^-1 R^T of every movable body, at the poses of now, and M_u^-1 of every generalized one.
    constexpr void update_inverse_masses() const noexcept {
        update_rigid_inverse_masses();
        update_generalized_masses();
    }
    /// Of the rigid ones alone.
    constexpr void update_rigid_inverse_masses() const noexcept {
        std::size_t single = bodies.size();  // waits for a second one
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (!masses[i].movable) continue;
            if constexpr (detail::has_pose_pairs_v<S, R>) {
                if (!std::is_constant_evaluated()) {
                    if (single < bodies.size()) update_inverse_mass_pair(single, i);
                    single = single < bodies.size() ? bodies.size() : i;
                    continue;
                }
            }
            update_inverse_mass(i);
        }
        if (single < bodies.size()) update_inverse_mass(single);
    }
    /// Of one rigid body.
    constexpr void update_inverse_mass(std::size_t i) const noexcept {
        auto const& m = masses[i];
        inverse_masses[i] = {m.inverse_mass, detail::seen_from_world(m.inverse_inertia, bodies[i].pose.rotation)};
    }
    constexpr void update_generalized_masses() const noexcept {
        for_each_map([](auto const& g) {
            for (std::size_t i = 0; i < g.states.size(); ++i)
                if (g.masses[i].movable) g.work[i].update(g.masses[i], g.states[i]);
        });
    }
    /// Of generalized bodies, before their forces are gathered: what their velocities change by themselves, at the state of now.
    constexpr void update_velocity_forces() const noexcept {
        for_each_map([](auto const& g) {
            for (std::size_t i = 0; i < g.states.size(); ++i)
                if (g.masses[i].movable) g.work[i].move(g.masses[i], g.states[i], [](auto const&, auto) {});
        });
    }
    /// f(span of entries, index of the type), for each type of constraint.
    template <class F>
    constexpr void for_each_type(F&& f) const {
        [&]<std::size_t... T>(std::index_sequence<T...>) {
            (f(std::get<T>(constraints), std::integral_constant<std::size_t, T>{}), ...);
        }(std::index_sequence_for<Cs...>{});
    }

private:
    // Two bodies side by side, where a register takes the lanes of both: with the bits of one after the other.
    [[gnu::flatten]] void update_inverse_mass_pair(std::size_t i, std::size_t j) const noexcept {
        using W = detail::lane_pair_t<S>;
        pose<W, typename R::template rebind<W>> both;
        inverse_mass<W> w;
        static_assert(sizeof(w) == 7 * sizeof(W));
        auto const &a = masses[i].inverse_inertia, &b = masses[j].inverse_inertia;
        detail::pair_numbers<3 + R::dimension>(bodies[i].pose.position.e, bodies[j].pose.position.e, both.position.e);
        detail::pair_numbers<6>(&a.xx, &b.xx, &w.angular.xx);
        w.linear = detail::side_by_side<W>(masses[i].inverse_mass, masses[j].inverse_mass);
        w.angular = detail::seen_from_world(w.angular, both.rotation);
        detail::part_numbers<7>(&w.linear, &inverse_masses[i].linear, &inverse_masses[j].linear);
    }
};

namespace detail {

// How a solver reads and moves a body of any kind K, as vectors and matrices of its K::dof numbers in the order of a Jacobian's
// columns. What a solver does through this alone, it does for every kind of body.
//
//   pose, twist      as a constraint sees them              velocity     the twist as a vector
//   inverse_mass     as a constraint's effective_mass sees   weigh        W f, the velocity change by an impulse f
//   mass_matrix      M at the pose of now, world frame       push         v += W f
//   movable          whether W is not zero                   accelerate   v += dv
//                                                            displace     x moved along d
template <class K>
struct attachment_access;

template <>
struct attachment_access<rigid> {
    [[nodiscard]] static constexpr auto const& pose(auto const& p, std::uint32_t i) noexcept { return p.bodies[i].pose; }
    [[nodiscard]] static constexpr auto const& twist(auto const& p, std::uint32_t i) noexcept { return p.bodies[i].twist; }
    [[nodiscard]] static constexpr auto inverse_mass(auto const& p, std::uint32_t i) noexcept { return p.inverse_masses[i]; }
    [[nodiscard]] static constexpr bool movable(auto const& p, std::uint32_t i) noexcept { return p.masses[i].movable; }
    [[nodiscard]] static constexpr auto velocity(auto const& p, std::uint32_t i) noexcept {
        auto const& t = p.bodies[i].twist;
        return joined(t.linear, t.angular);
    }
    template <class S>
    [[nodiscard]] static constexpr vec<S, 6> weigh(auto const& p, std::uint32_t i, vec<S, 6> const& f) noexcept {
        if (!p.masses[i].movable) return vec<S, 6>{};
        auto const& w = p.inverse_masses[i];
        return joined(w.linear * linear_part(f), w.angular * angular_part(f));
    }
    [[nodiscard]] static constexpr auto mass_matrix(auto const& p, std::uint32_t i) noexcept {
        using S = typename std::remove_cvref_t<decltype(p)>::scalar_type;
        sym3<S> const I = world_inertia(p.masses[i].inertia, p.bodies[i].pose.rotation);
        mat3<S> const J = to_mat(I);
        mat<S, 6, 6> m{};
        for (std::size_t r = 0; r < 3; ++r) {
            m(r, r) = p.masses[i].mass;
            for (std::size_t c = 0; c < 3; ++c) m(3 + r, 3 + c) = J(r, c);
        }
        return m;
    }
    template <class S>
    static constexpr void accelerate(auto const& p, std::uint32_t i, vec<S, 6> const& dv) noexcept {
        p.bodies[i].twist.linear += linear_part(dv);
        p.bodies[i].twist.angular += angular_part(dv);
    }
    template <class S>
    static constexpr void push(auto const& p, std::uint32_t i, vec<S, 6> const& f) noexcept {
        if (p.masses[i].movable) accelerate(p, i, weigh(p, i, f));
    }
    template <class S>
    static constexpr void displace(auto const& p, std::uint32_t i, vec<S, 6> const& d) noexcept {
        auto& pose = p.bodies[i].pose;
        pose.position += linear_part(d);
        pose.rotation = nudged(pose.rotation, angular_part(d));
    }

    template <class S>
    [[nodiscard]] static constexpr vec<S, 6> joined(vec3<S> const& a, vec3<S> const& b) noexcept {
        return {a[0], a[1], a[2], b[0], b[1], b[2]};
    }
    template <class S>
    [[nodiscard]] static constexpr vec3<S> linear_part(vec<S, 6> const& f) noexcept {
        return {f[0], f[1], f[2]};
    }
    template <class S>
    [[nodiscard]] static constexpr vec3<S> angular_part(vec<S, 6> const& f) noexcept {
        return {f[3], f[4], f[5]};
    }
};
template <>
struct attachment_access<point_mass> {
    [[nodiscard]] static constexpr auto pose(auto const& p, std::uint32_t i) noexcept {
        using S = typename std::remove_cvref_t<decltype(p)>::scalar_type;
        return particle_pose<S>{p.particles[i].position};
    }
    [[nodiscard]] static constexpr auto twist(auto const& p, std::uint32_t i) noexcept {
        using S = typename std::remove_cvref_t<decltype(p)>::scalar_type;
        return particle_twist<S>{p.particles[i].velocity};
    }
    [[nodiscard]] static constexpr auto inverse_mass(auto const& p, std::uint32_t i) noexcept {
        using S = typename std::remove_cvref_t<decltype(p)>::scalar_type;
        return particle_inverse_mass<S>{p.particle_masses[i].inverse_mass};
    }
    [[nodiscard]] static constexpr bool movable(auto const& p, std::uint32_t i) noexcept { return p.particle_masses[i].movable; }
    [[nodiscard]] static constexpr auto velocity(auto const& p, std::uint32_t i) noexcept { return p.particles[i].velocity; }
    template <class S>
    [[nodiscard]] static constexpr vec3<S> weigh(auto const& p, std::uint32_t i, vec3<S> const& f) noexcept {
        return p.particle_masses[i].inverse_mass * f;  // 0 of what does not move
    }
    [[nodiscard]] static constexpr auto mass_matrix(auto const& p, std::uint32_t i) noexcept {
        using S = typename std::remove_cvref_t<decltype(p)>::scalar_type;
        return p.particle_masses[i].mass * identity<S, 3>();
    }
    template <class S>
    static constexpr void accelerate(auto const& p, std::uint32_t i, vec3<S> const& dv) noexcept {
        p.particles[i].velocity += dv;
    }
    template <class S>
    static constexpr void push(auto const& p, std::uint32_t i, vec3<S> const& f) noexcept {
        if (p.particle_masses[i].movable) accelerate(p, i, weigh(p, i, f));
    }
    template <class S>
    static constexpr void displace(auto const& p, std::uint32_t i, vec3<S> const& d) noexcept {
        p.particles[i].position += d;
    }
};
// Coordinates are a vector space: J dq/du, W = M_u^-1, and a displacement is a sum. Beside what all kinds have, the acceleration
// level finds here the force of the stage, to add to, and the velocity-dependent one.
template <class Map>
struct attachment_access<generalized<Map>> {
    using S = map_scalar_t<Map>;
    static constexpr std::size_t N = Map::coordinates;
    using vector = vec<S, N>;

    [[nodiscard]] static constexpr auto const& bodies(auto const& p) noexcept { return std::get<generalized_bodies<Map>>(p.generalized); }
    [[nodiscard]] static constexpr generalized_pose<Map> pose(auto const& p, std::uint32_t i) noexcept {
        return {bodies(p).masses[i].map, bodies(p).states[i].u};
    }
    [[nodiscard]] static constexpr generalized_twist<S, N> twist(auto const& p, std::uint32_t i) noexcept { return {bodies(p).states[i].rates}; }
    [[nodiscard]] static constexpr vector velocity(auto const& p, std::uint32_t i) noexcept { return bodies(p).states[i].rates; }
    [[nodiscard]] static constexpr generalized_inverse_mass<S, N> inverse_mass(auto const& p, std::uint32_t i) noexcept { return {bodies(p).work[i].inverse_mass}; }
    [[nodiscard]] static constexpr bool movable(auto const& p, std::uint32_t i) noexcept { return bodies(p).masses[i].movable; }
    [[nodiscard]] static constexpr vector weigh(auto const& p, std::uint32_t i, vector const& f) noexcept {
        if (!movable(p, i)) return vector{};
        return bodies(p).work[i].inverse_mass * f;
    }
    [[nodiscard]] static constexpr mat<S, N, N> mass_matrix(auto const& p, std::uint32_t i) noexcept {
        return mass_matrix_of(whole_body(bodies(p).masses[i], bodies(p).states[i]));
    }
    static constexpr void accelerate(auto const& p, std::uint32_t i, vector const& dv) noexcept { bodies(p).states[i].rates += dv; }
    static constexpr void push(auto const& p, std::uint32_t i, vector const& f) noexcept {
        if (movable(p, i)) accelerate(p, i, weigh(p, i, f));
    }
    static constexpr void displace(auto const& p, std::uint32_t i, vector const& d) noexcept { bodies(p).states[i].u += d; }

    [[nodiscard]] static constexpr vector& force(auto const& p, std::uint32_t i) noexcept { return bodies(p).work[i].force; }
    [[nodiscard]] static constexpr vector const& velocity_force(auto const& p, std::uint32_t i) noexcept { return bodies(p).work[i].velocity_force; }
};

}  // namespace detail

/// Calls f(kind, column offset, body index) for each attachment of an entry.
template <class E, class F>
constexpr void for_each_attachment(E const& entry, F&& f) {
    using A = attachments_t<typename E::constraint_type>;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (f(typename A::template kind<I>{}, std::integral_constant<std::size_t, A::offset(I)>{}, entry.bodies[I]), ...);
    }(std::make_index_sequence<A::size>{});
}

namespace detail {
// References as references, and values as values.
template <class... T>
[[nodiscard]] constexpr std::tuple<T...> as_given(T&&... x) {
    return std::tuple<T...>(std::forward<T>(x)...);
}
}  // namespace detail

/// The poses of an entry's bodies, as a tuple; those of rigid bodies as references to where they stand. (Copies that are read again at once are waited for: compilers copy
/// a tuple of numbers with lanes in other pieces than it was written in.)
template <class P, class E>
[[nodiscard]] constexpr auto poses_of(P const& p, E const& entry) {
    using A = attachments_t<typename E::constraint_type>;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return detail::as_given(detail::attachment_access<typename A::template kind<I>>::pose(p, entry.bodies[I])...);
    }(std::make_index_sequence<A::size>{});
}
/// The same of their twists.
template <class P, class E>
[[nodiscard]] constexpr auto twists_of(P const& p, E const& entry) {
    using A = attachments_t<typename E::constraint_type>;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return detail::as_given(detail::attachment_access<typename A::template kind<I>>::twist(p, entry.bodies[I])...);
    }(std::make_index_sequence<A::size>{});
}
template <class P, class E>
[[nodiscard]] constexpr auto inverse_masses_of(P const& p, E const& entry) {
    using A = attachments_t<typename E::constraint_type>;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::make_tuple(detail::attachment_access<typename A::template kind<I>>::inverse_mass(p, entry.bodies[I])...);
    }(std::make_index_sequence<A::size>{});
}
/// Whether every body of the entry can be moved, so that its momentum is the constraint's to keep.
template <class P, class E>
[[nodiscard]] constexpr bool all_movable(P const& p, E const& entry) {
    bool r = true;
    for_each_attachment(entry, [&](auto kind, auto, std::uint32_t i) { r = r && detail::attachment_access<decltype(kind)>::movable(p, i); });
    return r;
}

/// J of an entry at the poses of now.
template <class P, class E>
[[nodiscard]] constexpr auto entry_jacobian(P const& p, E const& entry) {
    return detail::call_with([&](auto const&... poses) { return jacobian_of(entry.constraint, poses...); }, poses_of(p, entry));
}

/// What a strategy can honour. A constraint that asks for anything else is refused at compile time, with a sentence.
struct solver_abilities {
    bool bounds = true;          ///< limits of the multipliers
    bool update_rules = true;    ///< a constraint's own rule for its multipliers
    bool moving_normals = true;  ///< Jacobians that vanish where the constraint holds
    bool soft_rates = true;      ///< compliance of velocity-level rows
    bool generalized_bodies = true;  ///< bodies in reduced coordinates
    bool lanes = true;               ///< scalars of several lanes, each of which has the bits that it would have alone
    bool soft_in_lanes = true;       ///< compliance, where the scalar has lanes
    bool contacts_in_lanes = false;  ///< contacts that are there in some lanes and not in others (contact_presence)
};
/// What a solver reports of one solve.
template <class S>
struct solve_report {
    int iterations = 0;
    S residual{};      ///< largest |error| met in the last sweep (m, rad, or m/s, rad/s for velocity-level rows)
    bool full_rank = true;  ///< false when rows were redundant
    bool in_range = true;   ///< false when a multiplier or a velocity of fixed point became infinite. (Infinite and back is 0 there, and would be seen no more.)
};

}  // namespace sinew::inline v0
