#pragma once
// Bodies in reduced coordinates (Witkin 1997, 5): the user gives a map from a few coordinates u to links, and the links cannot
// leave it. A third kind of body beside rigid_body and particle, to which any constraint can be bound.
//
//   template <sinew::scalar S>
//   struct pendulum {                                                  // a rod that turns about z through the origin
//       static constexpr std::size_t coordinates = 1;                  // the angle from straight down, rad
//       S length{1};                                                   // m
//       constexpr auto links(auto const& u) const {                    // over any scalar
//           using T = typename std::remove_cvref_t<decltype(u)>::scalar_type;
//           auto const turn = sinew::rotation_about<sinew::quaternion<T>>({T(0), T(0), T(1)}, u[0]);
//           return sinew::pose<T>{rotate(turn, sinew::vec3<T>{T(0), T(-length / 2), T(0)}), turn};
//       }
//   };
//
// A link is a pose (of its centre of mass) or a point, vec3<T>; several are returned as a std::array or std::tuple of these.
//
//   q(u)  links      J = dq/du      q_dot = J u_dot                                      by dual numbers
//   M_u u_ddot = J^T (Q - M J_dot u_dot - gyroscopic),   M_u = J^T M J                   (Witkin 1997, eq. 13)
//
// The angular part of J belongs to world angular velocities, which are no derivatives of any coordinates; hence the gyroscopic
// term omega x I omega, which the particles of eq. 13 do not have. The same in momenta p = M_u u_dot:
// p_dot = J^T Q + dT/du with the kinetic energy T.

#include <sinew/body/body.hpp>
#include <sinew/linear/small_ldlt.hpp>
#include <sinew/math/dual.hpp>

#include <array>

namespace sinew::inline v0 {

namespace detail {

// The scalar of a map: the argument of its template, or its own scalar_type.
template <class Map>
struct scalar_of_map {};
template <template <class> class Map, class S>
struct scalar_of_map<Map<S>> {
    using type = S;
};
template <class Map>
    requires requires { typename Map::scalar_type; }
struct scalar_of_map<Map> {
    using type = typename Map::scalar_type;
};
template <template <class> class Map, class S>
    requires requires { typename Map<S>::scalar_type; }
struct scalar_of_map<Map<S>> {
    using type = typename Map<S>::scalar_type;
};

// What a map returns, as a tuple of poses and particle poses.
template <class T>
[[nodiscard]] constexpr particle_pose<T> as_link(vec<T, 3> const& x) noexcept {
    return {x};
}
template <class T>
[[nodiscard]] constexpr particle_pose<T> as_link(particle_pose<T> const& x) noexcept {
    return x;
}
template <class T, class R>
[[nodiscard]] constexpr pose<T, R> as_link(pose<T, R> const& x) noexcept {
    return x;
}
template <class Links>
concept several_links = requires { std::tuple_size<Links>::value; };
template <class Links, std::size_t... I>
[[nodiscard]] constexpr auto links_as_tuple(Links const& links, std::index_sequence<I...>) noexcept {
    return std::make_tuple(as_link(std::get<I>(links))...);
}
template <class Links>
[[nodiscard]] constexpr auto links_as_tuple(Links const& links) noexcept {
    if constexpr (several_links<Links>)
        return links_as_tuple(links, std::make_index_sequence<std::tuple_size_v<Links>>{});
    else
        return std::make_tuple(as_link(links));
}

template <class Link, class T>
inline constexpr bool is_link_over_v = requires(Link const& x) {
    { as_link(x).position } -> std::convertible_to<vec<T, 3>>;
} && std::same_as<typename decltype(as_link(std::declval<Link const&>()))::scalar_type, T>;
template <class Links, class T, std::size_t... I>
[[nodiscard]] constexpr bool all_links_over(std::index_sequence<I...>) noexcept {
    return sizeof...(I) > 0 && (is_link_over_v<std::tuple_element_t<I, Links>, T> && ...);
}
template <class Links, class T>
[[nodiscard]] constexpr bool are_links_over() noexcept {
    if constexpr (several_links<Links>)
        return all_links_over<Links, T>(std::make_index_sequence<std::tuple_size_v<Links>>{});
    else if constexpr (requires(Links const& x) { as_link(x); })
        return is_link_over_v<Links, T>;
    else
        return false;
}

template <class Map, class T>
concept maps_from = requires(Map const& m, vec<T, Map::coordinates> const& u) { m.links(u); };
template <class Map, class T>
concept maps_to_links_over = maps_from<Map, T> && are_links_over<std::remove_cvref_t<decltype(std::declval<Map const&>().links(
                                                                     std::declval<vec<T, Map::coordinates> const&>()))>, T>();

}  // namespace detail

// The atoms.

/// Says how many coordinates it has.
template <class Map>
concept has_coordinates = requires { typename std::integral_constant<std::size_t, Map::coordinates>; } && (Map::coordinates > 0);
/// Is a template over its scalar alone, or names it.
template <class Map>
concept has_map_scalar = requires { typename detail::scalar_of_map<Map>::type; };
/// links(u) const can be called with a vector of its coordinates, and yields poses or points.
template <class Map, class S>
concept has_links = has_coordinates<Map> && detail::maps_to_links_over<Map, S>;
/// And over dual numbers, with derivatives.
template <class Map, class S>
concept has_derivatives = has_links<Map, S> && detail::maps_to_links_over<Map, dual<S, 1>>;

/// A map over scalar S that a generalized body can be made of.
template <class Map, class S>
concept body_map_for = scalar<S> && has_map_scalar<Map> && has_derivatives<Map, S> && std::copyable<Map> && std::default_initializable<Map>;

/// Kind of a generalized body: as many degrees of freedom as its map has coordinates.
template <class Map>
struct generalized {
    using map_type = Map;
    static constexpr std::size_t dof = Map::coordinates;
};
template <class Map>
inline constexpr bool is_body_kind_v<generalized<Map>> = has_coordinates<Map>;
template <class K>
inline constexpr bool is_generalized_v = false;
template <class Map>
inline constexpr bool is_generalized_v<generalized<Map>> = true;

/// Turns a missing part of the concept into one sentence.
template <class Map, class S>
constexpr void check_body_map() noexcept {
    static_assert(has_coordinates<Map>, "sinew: this body map does not say how many coordinates it has; add `static constexpr std::size_t coordinates = ...;`.");
    static_assert(has_map_scalar<Map>, "sinew: this body map does not show its scalar; add `using scalar_type = S;`.");
    if constexpr (has_coordinates<Map>) {
        static_assert(has_links<Map, S>,
                      "sinew: this body map has no `links(u)` const that can be called with a sinew::vec<T, coordinates> and returns a sinew::pose<T, ...>, a point "
                      "sinew::vec3<T>, or a std::array or std::tuple of these, all over the scalar T of u; take u as `auto const&`.");
        if constexpr (has_links<Map, S>)
            static_assert(has_derivatives<Map, S>,
                          "sinew: this body map's `links(u)` can be called with plain numbers only, or does not return dual numbers for dual numbers, so that its "
                          "Jacobian cannot be derived; take u as `auto const&`, and compute in its scalar.");
    }
    static_assert(std::copyable<Map> && std::default_initializable<Map>, "sinew: a body map must be a copyable value that can be made without arguments.");
}

/// What one link weighs. A point has no inertia, and ignores it. A link of mass 0 is a mere place, to bind things to.
template <class S>
struct link_mass {
    S mass{1};                                     ///< kg
    sym3<S> inertia = diagonal(S(1), S(1), S(1));  ///< kg m^2, about the centre of mass, axes of the link

    /// Of anything that has both: mass_properties, a rigid_body.
    [[nodiscard]] static constexpr link_mass of(auto const& properties) noexcept { return {properties.mass, properties.inertia}; }
    [[nodiscard]] friend constexpr bool operator==(link_mass const&, link_mass const&) = default;
};

/// Velocity of a generalized body: the rates of its coordinates.
template <class S, std::size_t N>
struct generalized_twist {
    using scalar_type = S;
    vec<S, N> rates{};
};

namespace detail {

// omega of a rotation whose coordinates change at a rate (r_dot, in the same representation).
template <class T>
[[nodiscard]] constexpr vec3<T> turning_rate(quaternion<T> const& q, quaternion<T> const& rate) noexcept {
    // (0, omega) = 2 q_dot q*
    vec3<T> const half = rate.vector() * q.w - q.vector() * rate.w + cross(q.vector(), rate.vector());
    return half + half;
}
template <class R>
[[nodiscard]] constexpr auto turning_rate(R const& r, R const& rate) noexcept {
    // [omega]x = R_dot R^T: omega = 1/2 sum of a x a_dot over the axes a of the body.
    using T = typename R::scalar_type;
    using D = dual<T, 1>;
    typename R::template rebind<D> moving;
    for (std::size_t i = 0; i < R::dimension; ++i) {
        D c(r.coordinate(i));
        c.d[0] = rate.coordinate(i);
        moving.set_coordinate(i, c);
    }
    mat3<D> const m = to_matrix(moving);
    vec3<T> omega{T(0), T(0), T(0)};
    for (std::size_t k = 0; k < 3; ++k) {
        vec3<T> const a{m(0, k).v, m(1, k).v, m(2, k).v}, a_dot{m(0, k).d[0], m(1, k).d[0], m(2, k).d[0]};
        omega += cross(a, a_dot);
    }
    return omega * (T(1) / T(2));
}

// The values, or one lane, of vectors and rotations over dual numbers.
template <class T, std::size_t N>
[[nodiscard]] constexpr vec3<T> values_of(vec3<dual<T, N>> const& x) noexcept {
    return {x[0].v, x[1].v, x[2].v};
}
template <class T, std::size_t N>
[[nodiscard]] constexpr vec3<T> lane_of(vec3<dual<T, N>> const& x, std::size_t k) noexcept {
    return {x[0].d[k], x[1].d[k], x[2].d[k]};
}
template <class R>
using base_rotation_t = typename R::template rebind<typename R::scalar_type::scalar_type>;
template <class R>
[[nodiscard]] constexpr base_rotation_t<R> values_of(R const& r) noexcept {
    base_rotation_t<R> v;
    for (std::size_t i = 0; i < R::dimension; ++i) v.set_coordinate(i, r.coordinate(i).v);
    return v;
}
template <class R>
[[nodiscard]] constexpr base_rotation_t<R> lane_of(R const& r, std::size_t k) noexcept {
    base_rotation_t<R> v;
    for (std::size_t i = 0; i < R::dimension; ++i) v.set_coordinate(i, r.coordinate(i).d[k]);
    return v;
}

// J of a link that was evaluated with lanes d/du: 3 or 6 rows.
template <class T, std::size_t N>
[[nodiscard]] constexpr mat<T, 3, N> link_rows(particle_pose<dual<T, N>> const& x) noexcept {
    mat<T, 3, N> J;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < N; ++k) J(i, k) = x.position[i].d[k];
    return J;
}
template <class T, std::size_t N, class R>
[[nodiscard]] constexpr mat<T, 6, N> link_rows(pose<dual<T, N>, R> const& x) noexcept {
    mat<T, 6, N> J;
    auto const r = values_of(x.rotation);
    for (std::size_t k = 0; k < N; ++k) {
        vec3<T> const turn = turning_rate(r, lane_of(x.rotation, k));
        for (std::size_t i = 0; i < 3; ++i) {
            J(i, k) = x.position[i].d[k];
            J(3 + i, k) = turn[i];
        }
    }
    return J;
}

// The kind that a link looks like.
template <class T>
[[nodiscard]] constexpr point_mass kind_of_link(particle_pose<T> const&) noexcept {
    return {};
}
template <class T, class R>
[[nodiscard]] constexpr rigid kind_of_link(pose<T, R> const&) noexcept {
    return {};
}

// J^T w.
template <class S, std::size_t D, std::size_t N>
[[nodiscard]] constexpr vec<S, N> pulled(mat<S, D, N> const& J, wrench<S> const& w) noexcept {
    vec<S, N> f;
    for (std::size_t k = 0; k < N; ++k) {
        f[k] = J(0, k) * w.force[0] + J(1, k) * w.force[1] + J(2, k) * w.force[2];
        if constexpr (D == 6) f[k] = f[k] + (J(3, k) * w.torque[0] + J(4, k) * w.torque[1] + J(5, k) * w.torque[2]);
    }
    return f;
}

}  // namespace detail

/// A generalized body as a constraint sees it, over any scalar T: its coordinates, and its links as poses or particle poses.
template <class Map, class T = typename detail::scalar_of_map<Map>::type>
struct generalized_pose {
    using scalar_type = T;
    using map_type = Map;
    static constexpr std::size_t coordinates = Map::coordinates;

    Map map{};
    vec<T, coordinates> u{};

    /// Of all links, a tuple.
    [[nodiscard]] constexpr auto links() const noexcept { return detail::links_as_tuple(map.links(u)); }
    /// Link I, a pose or a particle pose over T.
    template <std::size_t I>
    [[nodiscard]] constexpr auto link() const noexcept {
        if constexpr (detail::several_links<std::remove_cvref_t<decltype(map.links(u))>>)
            return detail::as_link(std::get<I>(map.links(u)));
        else
            return std::get<I>(std::make_tuple(detail::as_link(map.links(u))));
    }
    /// Link i of a map whose links are all alike.
    [[nodiscard]] constexpr auto link(std::size_t i) const noexcept
        requires requires(Map const& m, vec<T, coordinates> const& x) { m.links(x)[i]; }
    {
        return detail::as_link(map.links(u)[i]);
    }

    /// The same body with its coordinates moving in N directions: lane k of coordinate i is f(i, k).
    template <std::size_t N, class F>
    [[nodiscard]] constexpr auto with_lanes(F&& f) const noexcept {
        generalized_pose<Map, dual<T, N>> r{map, {}};
        for (std::size_t i = 0; i < coordinates; ++i) {
            r.u[i] = dual<T, N>(u[i]);
            for (std::size_t k = 0; k < N; ++k) r.u[i].d[k] = f(i, k);
        }
        return r;
    }
    /// J of link I: 6 rows (velocity of its centre, angular velocity; world frame), or 3 of a point.
    template <std::size_t I>
    [[nodiscard]] constexpr auto link_jacobian() const noexcept {
        return detail::link_rows(with_lanes<coordinates>([](std::size_t i, std::size_t k) { return T(i == k ? 1 : 0); }).template link<I>());
    }
    /// Twist (or velocity, of a point) of link I. The rates may be over a scalar that T converts to.
    template <std::size_t I, class U>
    [[nodiscard]] constexpr auto link_velocity(vec<U, coordinates> const& rates) const noexcept {
        using C = common_scalar_t<T, U>;
        generalized_pose<Map, dual<C, 1>> moving{map, {}};
        for (std::size_t i = 0; i < coordinates; ++i) {
            moving.u[i] = dual<C, 1>(C(u[i]));
            moving.u[i].d[0] = C(rates[i]);
        }
        auto const J = detail::link_rows(moving.template link<I>());
        return J.col(0);
    }
    /// J_dot u_dot of link I: how its velocity changes at constant rates.
    template <std::size_t I>
    [[nodiscard]] constexpr auto link_acceleration(vec<T, coordinates> const& rates) const noexcept {
        auto const moving = with_lanes<1>([&](std::size_t i, std::size_t) { return rates[i]; });
        auto const v = moving.template link_velocity<I>(rates);
        vec<T, decltype(v)::size()> a;
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = v[i].d[0];
        return a;
    }
    [[nodiscard]] friend constexpr bool operator==(generalized_pose const&, generalized_pose const&) = default;
};

template <class P>
inline constexpr bool is_generalized_pose_v = false;
template <class Map, class T>
inline constexpr bool is_generalized_pose_v<generalized_pose<Map, T>> = true;

namespace detail {

template <class Map>
using map_scalar_t = typename scalar_of_map<Map>::type;
template <class Map>
using links_of_map_t = decltype(std::declval<generalized_pose<Map> const&>().links());
template <class Map>
inline constexpr std::size_t link_count_v = std::tuple_size_v<links_of_map_t<Map>>;
template <class Map, std::size_t I>
using link_kind_t = decltype(kind_of_link(std::declval<std::tuple_element_t<I, links_of_map_t<Map>> const&>()));

}  // namespace detail

/// A generalized body: map and masses are constant, coordinates and rates move.
template <class Map>
struct generalized_body {
    using map_type = Map;
    using scalar_type = detail::map_scalar_t<Map>;
    using kind = generalized<Map>;
    using S = scalar_type;
    static constexpr std::size_t coordinates = Map::coordinates;
    static constexpr std::size_t link_count = detail::link_count_v<Map>;

    Map map{};
    std::array<link_mass<S>, link_count> masses{};  ///< of the links, in their order
    vec<S, coordinates> u{};                        ///< coordinates, in the map's units
    vec<S, coordinates> rates{};                    ///< their rates, per s
    vec<S, coordinates> armature{};                 ///< inertia of each coordinate by itself (kg, kg m^2), as of a geared rotor

    [[nodiscard]] constexpr generalized_pose<Map> pose() const noexcept { return {map, u}; }
    /// Link I as a force sees it: a rigid_body or a particle.
    template <std::size_t I>
    [[nodiscard]] constexpr auto link() const noexcept {
        return body_of(pose().template link<I>(), masses[I], pose().template link_velocity<I>(rates));
    }
    /// The force on the coordinates by a wrench on link I: J^T w.
    template <std::size_t I>
    [[nodiscard]] constexpr vec<S, coordinates> pulled(wrench<S> const& w) const noexcept {
        return detail::pulled(pose().template link_jacobian<I>(), w);
    }
    /// f(link as a rigid_body or particle, std::integral_constant of its index) for each.
    template <class F>
    constexpr void for_each_link(F&& f) const {
        [&]<std::size_t... I>(std::index_sequence<I...>) { (f(link<I>(), std::integral_constant<std::size_t, I>{}), ...); }(std::make_index_sequence<link_count>{});
    }
    [[nodiscard]] friend constexpr bool operator==(generalized_body const&, generalized_body const&) = default;

    template <class R>
    [[nodiscard]] static constexpr rigid_body<S, R> body_of(sinew::pose<S, R> const& p, link_mass<S> const& m, vec<S, 6> const& v) noexcept {
        return {m.mass, m.inertia, p, {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}};
    }
    [[nodiscard]] static constexpr particle<S> body_of(particle_pose<S> const& p, link_mass<S> const& m, vec3<S> const& v) noexcept {
        return {m.mass, p.position, v};
    }
};

/// Kinetic energy (J).
template <class Map>
[[nodiscard]] constexpr auto kinetic_energy(generalized_body<Map> const& b) noexcept {
    using S = detail::map_scalar_t<Map>;
    S e{};
    b.for_each_link([&](auto const& link, auto) { e = e + kinetic_energy(link); });
    for (std::size_t k = 0; k < b.coordinates; ++k) e = e + b.armature[k] * b.rates[k] * b.rates[k] * (S(1) / S(2));
    return e;
}
/// Linear momentum of the links (kg m/s).
template <class Map>
[[nodiscard]] constexpr auto linear_momentum(generalized_body<Map> const& b) noexcept {
    vec3<detail::map_scalar_t<Map>> p{};
    b.for_each_link([&](auto const& link, auto) { p += linear_momentum(link); });
    return p;
}
/// Angular momentum of the links about the world's origin (kg m^2/s).
template <class Map>
[[nodiscard]] constexpr auto angular_momentum(generalized_body<Map> const& b) noexcept {
    vec3<detail::map_scalar_t<Map>> l{};
    b.for_each_link([&](auto const& link, auto) { l += angular_momentum(link); });
    return l;
}

namespace detail {

// One link in motion: the body that forces see, and its Jacobian.
template <class Body, class J>
struct moving_link {
    Body body;
    J jacobian;
};

template <class S, std::size_t N>
constexpr void add_armature(mat<S, N, N>& M, vec<S, N> const& armature) noexcept {
    for (std::size_t j = 0; j < N; ++j)
        for (std::size_t k = 0; k < j; ++k) M(k, j) = M(j, k);
    for (std::size_t k = 0; k < N; ++k) M(k, k) = M(k, k) + armature[k];
}
// M += J^T diag(m, I) J on and below the diagonal.
template <class S, std::size_t D, std::size_t N>
constexpr void add_link(mat<S, N, N>& M, mat<S, D, N> const& J, S const& mass, [[maybe_unused]] sym3<S> const& inertia) noexcept {
    for (std::size_t k = 0; k < N; ++k) {
        vec3<S> const v = mass * vec3<S>{J(0, k), J(1, k), J(2, k)};
        for (std::size_t j = k; j < N; ++j) M(j, k) = M(j, k) + (J(0, j) * v[0] + J(1, j) * v[1] + J(2, j) * v[2]);
        if constexpr (D == 6) {
            vec3<S> const w = inertia * vec3<S>{J(3, k), J(4, k), J(5, k)};
            for (std::size_t j = k; j < N; ++j) M(j, k) = M(j, k) + (J(3, j) * w[0] + J(4, j) * w[1] + J(5, j) * w[2]);
        }
    }
}

// M_u of a body at its coordinates.
template <class Map>
[[nodiscard]] constexpr auto mass_matrix_of(generalized_body<Map> const& b) noexcept {
    using S = map_scalar_t<Map>;
    constexpr std::size_t N = Map::coordinates;
    mat<S, N, N> M{};
    auto const links = b.pose().template with_lanes<N>([](std::size_t i, std::size_t k) { return S(i == k ? 1 : 0); }).links();
    auto const add = [&](auto const& link, link_mass<S> const& m) {
        sym3<S> inertia{};
        if constexpr (requires { link.rotation; }) inertia = world_inertia(m.inertia, values_of(link.rotation));
        add_link(M, link_rows(link), m.mass, inertia);
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) { (add(std::get<I>(links), b.masses[I]), ...); }(std::make_index_sequence<link_count_v<Map>>{});
    add_armature(M, b.armature);
    return M;
}

// All that the equations of motion ask of a body, from one evaluation of its map over dual<dual<S, N>, 1>: the inner lanes are
// d/du, the outer one is d/dt along the rates.
template <class Map>
struct generalized_dynamics {
    using S = map_scalar_t<Map>;
    static constexpr std::size_t N = Map::coordinates;
    using D = dual<S, N>;

    mat<S, N, N> mass{};            // M_u
    vec<S, N> velocity_force{};     // -J^T (M J_dot u_dot + gyroscopic)
    vec<S, N> energy_gradient{};    // dT/du at constant rates

    // f(moving_link, index) for each link, in passing.
    template <class F>
    constexpr generalized_dynamics(generalized_body<Map> const& b, F&& f) {
        generalized_pose<Map, dual<D, 1>> place{b.map, {}};
        for (std::size_t i = 0; i < N; ++i) {
            place.u[i] = dual<D, 1>(D::variable(b.u[i], i));
            place.u[i].d[0] = D(b.rates[i]);
        }
        auto const links = place.links();
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (f(add(std::get<I>(links), b.masses[I], b.rates), std::integral_constant<std::size_t, I>{}), ...);
        }(std::make_index_sequence<link_count_v<Map>>{});
        add_armature(mass, b.armature);
    }
    constexpr explicit generalized_dynamics(generalized_body<Map> const& b) : generalized_dynamics(b, [](auto const&, auto) {}) {}

    /// M_u x = f. What cannot be moved stays.
    [[nodiscard]] constexpr vec<S, N> accelerated(vec<S, N> const& f) const noexcept { return solve_spd(mass, f); }

private:
    template <class Link>
    constexpr auto add(Link const& x, link_mass<S> const& m, vec<S, N> const& rates) noexcept {
        vec3<D> const p = values_of(x.position), v = lane_of(x.position, 0);
        vec3<S> const place = values_of(p), velocity = values_of(v);
        if constexpr (requires { x.rotation; }) {
            auto const r = values_of(x.rotation);  // over D
            vec3<D> const w = turning_rate(r, lane_of(x.rotation, 0));
            auto const rotation = values_of(r);
            vec3<S> const omega = values_of(w);
            auto const J = link_rows(pose<D, std::remove_cvref_t<decltype(r)>>{p, r});
            sym3<S> const inertia = world_inertia(m.inertia, rotation);
            vec3<S> const spin = inertia * omega;
            add_link(mass, J, m.mass, inertia);
            // T = (m v.v + omega . I omega) / 2, and I turns with the link: d(omega . I omega)/du_k / 2 = I omega . (d omega - j_k x omega).
            for (std::size_t k = 0; k < N; ++k)
                energy_gradient[k] = energy_gradient[k] + (m.mass * dot(velocity, lane_of(v, k)) +
                                                           dot(spin, lane_of(w, k) - cross(vec3<S>{J(3, k), J(4, k), J(5, k)}, omega)));
            vec3<S> const torque = inertia * along(w, rates) + cross(omega, spin);
            velocity_force -= pulled(J, wrench<S>{along(v, rates) * m.mass, torque});
            using R = std::remove_cvref_t<decltype(rotation)>;
            return moving_link<rigid_body<S, R>, mat<S, 6, N>>{{m.mass, m.inertia, {place, rotation}, {velocity, omega}}, J};
        } else {
            auto const J = link_rows(particle_pose<D>{p});
            add_link(mass, J, m.mass, sym3<S>{});
            for (std::size_t k = 0; k < N; ++k) energy_gradient[k] = energy_gradient[k] + m.mass * dot(velocity, lane_of(v, k));
            velocity_force -= pulled(J, wrench<S>{along(v, rates) * m.mass, {}});
            return moving_link<particle<S>, mat<S, 3, N>>{{m.mass, place, velocity}, J};
        }
    }
    // The derivative along the rates.
    [[nodiscard]] static constexpr vec3<S> along(vec3<D> const& v, vec<S, N> const& rates) noexcept {
        vec3<S> a{S(0), S(0), S(0)};
        for (std::size_t k = 0; k < N; ++k) a += lane_of(v, k) * rates[k];
        return a;
    }
};

}  // namespace detail

/// M_u = J^T M J with the armature (kg, kg m, kg m^2).
template <class Map>
[[nodiscard]] constexpr auto mass_matrix(generalized_body<Map> const& b) noexcept {
    return detail::mass_matrix_of(b);
}

}  // namespace sinew::inline v0
