#pragma once
// A generalized body as a solver holds it: what moves, what does not, and what is worked out of both at the coordinates of now.

#include <sinew/body/generalized_body.hpp>

#include <span>

namespace sinew::inline v0 {

/// The part of a generalized body that moves.
template <class Map>
struct generalized_state {
    using S = detail::map_scalar_t<Map>;
    vec<S, Map::coordinates> u{};
    vec<S, Map::coordinates> rates{};
    [[nodiscard]] friend constexpr bool operator==(generalized_state const&, generalized_state const&) = default;
};
/// The part that does not. A removed body is not movable.
template <class Map>
struct generalized_mass {
    using S = detail::map_scalar_t<Map>;
    Map map{};
    std::array<link_mass<S>, detail::link_count_v<Map>> masses{};
    vec<S, Map::coordinates> armature{};
    bool movable = false;
    [[nodiscard]] friend constexpr bool operator==(generalized_mass const&, generalized_mass const&) = default;
};

/// The body of both parts.
template <class Map>
[[nodiscard]] constexpr generalized_body<Map> whole_body(generalized_mass<Map> const& m, generalized_state<Map> const& b) noexcept {
    return {m.map, m.masses, b.u, b.rates, m.armature};
}

/// What follows of the state.
template <class Map>
struct generalized_work {
    using S = detail::map_scalar_t<Map>;
    static constexpr std::size_t N = Map::coordinates;

    mat<S, N, N> inverse_mass{};  ///< M_u^-1 at `u`
    vec<S, N> u{};
    bool valid = false;
    vec<S, N> force{};            ///< on the coordinates, of a stage: of applied forces, and of what an acceleration-level solver adds
    vec<S, N> velocity_force{};   ///< -J^T (M J_dot u_dot + gyroscopic), as of the forces or of a hit
    vec<S, N> energy_gradient{};  ///< dT/du, likewise

    /// M_u^-1 at the coordinates of now, unless that is what it is.
    constexpr void update(generalized_mass<Map> const& m, generalized_state<Map> const& b) {
        if (valid && is_at(b.u)) return;
        place(b.u, detail::mass_matrix_of(whole_body(m, b)));
    }
    /// Everything at the state of now; no forces yet. f(moving_link, index) for each link.
    template <class F>
    constexpr void move(generalized_mass<Map> const& m, generalized_state<Map> const& b, F&& f) {
        detail::generalized_dynamics<Map> const d(whole_body(m, b), f);
        velocity_force = d.velocity_force;
        energy_gradient = d.energy_gradient;
        place(b.u, d.mass);
    }

private:
    constexpr void place(vec<S, N> const& at, mat<S, N, N> const& mass) {
        u = at;
        valid = true;
        inverse_mass = inverse_spd(mass);
    }
    // A zero may have either sign, which the map may see: it counts as elsewhere, so that equal states yield equal bits.
    [[nodiscard]] constexpr bool is_at(vec<S, N> const& x) const {
        bool same = true;
        for (std::size_t k = 0; k < N; ++k) same = same && !any(differs(u[k], x[k])) && !any(x[k] == S(0));
        return same;
    }
};

/// The bodies over one map, as a solver sees them.
template <class Map>
struct generalized_bodies {
    using map_type = Map;
    std::span<generalized_state<Map>> states;
    std::span<generalized_mass<Map> const> masses;
    std::span<generalized_work<Map>> work;
};

}  // namespace sinew::inline v0
