// Bodies in reduced coordinates: Jacobians by dual numbers against differences, and the terms of Witkin's eq. 13 against the laws that
// bind them and against the textbook's double pendulum.

#include "body_maps.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using sinew::vec;
using sinew::vec3;

// ---- what is a map

struct not_a_map {
    using scalar_type = double;
    enum : std::size_t { coordinates = 1 };
};
struct plain_map {  // of plain numbers only
    using scalar_type = double;
    static constexpr std::size_t coordinates = 1;
    vec3<double> links(vec<double, 1> const& u) const { return {u[0], 0, 0}; }
};
struct flat_map {  // whose derivative is lost
    using scalar_type = double;
    static constexpr std::size_t coordinates = 1;
    vec3<double> links(auto const& u) const { return {sinew::value(u[0]), 0, 0}; }
};
static_assert(sinew::body_map_for<maps::one_bar<double>, double> && sinew::body_map_for<maps::arm<float>, float>);
static_assert(sinew::body_map_for<maps::spatial_arm<double>, double> && sinew::body_map_for<maps::polar_point<double>, double>);
static_assert(sinew::body_map_for<maps::matrix_lever<double>, double> && sinew::body_map_for<maps::arm<long double>, long double>);
static_assert(!sinew::body_map_for<not_a_map, double> && !sinew::has_derivatives<plain_map, double> && !sinew::has_derivatives<flat_map, double>);
static_assert(sinew::has_links<plain_map, double>);
static_assert(sinew::generalized<maps::arm<double>>::dof == 3 && sinew::is_body_kind_v<sinew::generalized<maps::arm<double>>>);
static_assert(sinew::generalized_body<maps::spatial_arm<double>>::link_count == 3);
static_assert(sinew::binds<sinew::rigid, sinew::generalized<maps::arm<double>>, sinew::point_mass>::offset(2) == 9);

// ---- kinematics against differences

template <class Map>
using body_over = sinew::generalized_body<Map>;

template <class Map>
body_over<Map> random_body(sinew::splitmix64& random) {
    body_over<Map> b;
    b.u = sinew::random_vector<double, Map::coordinates>(random, 2.0);
    b.rates = sinew::random_vector<double, Map::coordinates>(random, 2.0);
    for (auto& m : b.masses) m = {sinew::random_number(random, 0.5, 2.0), sinew::world_inertia(sinew::diagonal(0.3, 0.5, 0.6), sinew::random_rotation<sinew::quaternion<double>>(random))};
    return b;
}
// Velocity of link I by differences: of its position, and of its rotation through the logarithm.
template <std::size_t I, class Map>
auto difference(sinew::generalized_pose<Map> const& p, vec<double, Map::coordinates> const& rates, double h) {
    auto ahead = p, behind = p;
    ahead.u += rates * h;
    behind.u -= rates * h;
    auto const a = ahead.template link<I>(), b = behind.template link<I>();
    vec3<double> const v = (a.position - b.position) / (2 * h);
    if constexpr (requires { a.rotation; }) {
        vec3<double> const w = log(a.rotation * inverse(b.rotation)) / (2 * h);
        return vec<double, 6>{v[0], v[1], v[2], w[0], w[1], w[2]};
    } else {
        return v;
    }
}
template <class Map>
class kinematics : public testing::Test {};
using all_maps = testing::Types<maps::one_bar<double>, maps::two_bars<double>, maps::arm<double>, maps::spatial_arm<double>, maps::quaternion_lever<double>,
                                maps::matrix_lever<double>, maps::vector_lever<double>, maps::two_points<double>, maps::polar_point<double>,
                                maps::spherical_point<double>, maps::ellipse_bead<double>>;
TYPED_TEST_SUITE(kinematics, all_maps);

template <class F, std::size_t... I>
void for_each_index(F&& f, std::index_sequence<I...>) {
    (f(std::integral_constant<std::size_t, I>{}), ...);
}
template <class Map, class F>
void for_each_link_of(F&& f) {
    for_each_index(f, std::make_index_sequence<body_over<Map>::link_count>{});
}

TYPED_TEST(kinematics, jacobian_agrees_with_central_differences) {
    constexpr std::size_t N = TypeParam::coordinates;
    sinew::splitmix64 random{1};
    SCOPED_TRACE("seed 1");
    for (int n = 0; n < 200; ++n) {
        auto const p = random_body<TypeParam>(random).pose();
        for_each_link_of<TypeParam>([&](auto I) {
            auto const J = p.template link_jacobian<I>();
            for (std::size_t k = 0; k < N; ++k) {
                vec<double, N> e{};
                e[k] = 1;
                auto const d = difference<I>(p, e, 1e-5);
                for (std::size_t i = 0; i < d.size(); ++i) EXPECT_NEAR(J(i, k), d[i], 1e-8) << i << " " << k;
            }
        });
    }
}
TYPED_TEST(kinematics, velocity_is_the_jacobian_times_the_rates) {
    sinew::splitmix64 random{2};
    SCOPED_TRACE("seed 2");
    for (int n = 0; n < 200; ++n) {
        auto const b = random_body<TypeParam>(random);
        for_each_link_of<TypeParam>([&](auto I) {
            auto const v = b.pose().template link_velocity<I>(b.rates);
            auto const J = b.pose().template link_jacobian<I>() * b.rates;
            for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], J[i], 1e-13);
        });
    }
}
// J_dot u_dot: how the velocity changes along constant rates.
TYPED_TEST(kinematics, acceleration_at_constant_rates_agrees_with_central_differences) {
    sinew::splitmix64 random{3};
    SCOPED_TRACE("seed 3");
    for (int n = 0; n < 200; ++n) {
        auto const b = random_body<TypeParam>(random);
        double const h = 1e-5;
        auto ahead = b.pose(), behind = b.pose();
        ahead.u += b.rates * h;
        behind.u -= b.rates * h;
        for_each_link_of<TypeParam>([&](auto I) {
            auto const a = b.pose().template link_acceleration<I>(b.rates);
            auto const d = (ahead.template link_velocity<I>(b.rates) - behind.template link_velocity<I>(b.rates)) / (2 * h);
            for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], d[i], 1e-7);
        });
    }
}

// ---- dynamics against the laws that bind it

TYPED_TEST(kinematics, mass_matrix_carries_the_kinetic_energy) {
    sinew::splitmix64 random{4};
    SCOPED_TRACE("seed 4");
    for (int n = 0; n < 200; ++n) {
        auto b = random_body<TypeParam>(random);
        b.armature[0] = 0.25;
        auto const M = mass_matrix(b);
        double const energy = kinetic_energy(b);
        EXPECT_NEAR(dot(b.rates, M * b.rates) / 2, energy, 1e-13 * (1 + energy));
        sinew::detail::generalized_dynamics<TypeParam> const d(b);
        for (std::size_t i = 0; i < TypeParam::coordinates; ++i)
            for (std::size_t k = 0; k < TypeParam::coordinates; ++k) {
                EXPECT_NEAR(d.mass(i, k), M(i, k), 1e-13 * (1 + energy));
                EXPECT_EQ(M(i, k), M(k, i));
            }
    }
}
TYPED_TEST(kinematics, gradient_of_the_kinetic_energy_agrees_with_central_differences) {
    sinew::splitmix64 random{5};
    SCOPED_TRACE("seed 5");
    for (int n = 0; n < 200; ++n) {
        auto const b = random_body<TypeParam>(random);
        sinew::detail::generalized_dynamics<TypeParam> const d(b);
        for (std::size_t k = 0; k < TypeParam::coordinates; ++k) {
            auto ahead = b, behind = b;
            ahead.u[k] += 1e-5;
            behind.u[k] -= 1e-5;
            EXPECT_NEAR(d.energy_gradient[k], (kinetic_energy(ahead) - kinetic_energy(behind)) / 2e-5, 1e-7);
        }
    }
}
// Lagrange: d/dt (M u_dot) = Q + dT/du, so M u_ddot = Q + dT/du - M_dot u_dot. It is Witkin's eq. 13 by another way.
TYPED_TEST(kinematics, velocity_force_is_lagranges) {
    sinew::splitmix64 random{6};
    SCOPED_TRACE("seed 6");
    for (int n = 0; n < 200; ++n) {
        auto const b = random_body<TypeParam>(random);
        sinew::detail::generalized_dynamics<TypeParam> const d(b);
        auto ahead = b, behind = b;
        double const h = 1e-5;
        ahead.u += b.rates * h;
        behind.u -= b.rates * h;
        auto const M_dot = (mass_matrix(ahead) - mass_matrix(behind)) * (0.5 / h);
        auto const expected = d.energy_gradient - M_dot * b.rates;
        for (std::size_t k = 0; k < TypeParam::coordinates; ++k) EXPECT_NEAR(d.velocity_force[k], expected[k], 1e-7);
    }
}
TYPED_TEST(kinematics, a_wrench_on_a_link_does_the_same_work_on_the_coordinates) {
    sinew::splitmix64 random{7};
    SCOPED_TRACE("seed 7");
    for (int n = 0; n < 100; ++n) {
        auto const b = random_body<TypeParam>(random);
        for_each_link_of<TypeParam>([&](auto I) {
            sinew::wrench<double> const w{sinew::random_vector<double>(random, 1.0), sinew::random_vector<double>(random, 1.0)};
            double power = 0;
            auto const link = b.template link<I>();
            if constexpr (requires { link.twist; })
                power = dot(w, link.twist);
            else
                power = dot(w.force, link.velocity);
            EXPECT_NEAR(dot(b.template pulled<I>(w), b.rates), power, 1e-13);
        });
    }
}

// Textbook: (m1 + m2) l1^2, m2 l1 l2 cos(d), m2 l2^2; and -+ m2 l1 l2 sin(d) theta^2. Here all are 1.
TEST(double_pendulum, has_the_textbooks_equations) {
    sinew::splitmix64 random{8};
    SCOPED_TRACE("seed 8");
    for (int n = 0; n < 100; ++n) {
        auto b = random_body<maps::two_points<double>>(random);
        for (auto& m : b.masses) m.mass = 1;
        sinew::detail::generalized_dynamics<maps::two_points<double>> const d(b);
        double const difference = b.u[0] - b.u[1], c = std::cos(difference), s = std::sin(difference);
        EXPECT_NEAR(d.mass(0, 0), 2, 1e-14);
        EXPECT_NEAR(d.mass(0, 1), c, 1e-14);
        EXPECT_NEAR(d.mass(1, 1), 1, 1e-14);
        EXPECT_NEAR(d.velocity_force[0], -s * b.rates[1] * b.rates[1], 1e-13);
        EXPECT_NEAR(d.velocity_force[1], s * b.rates[0] * b.rates[0], 1e-13);
    }
}
TEST(lever, is_the_same_in_every_rotation) {
    sinew::splitmix64 random{9};
    SCOPED_TRACE("seed 9");
    for (int n = 0; n < 100; ++n) {
        auto const q = random_body<maps::quaternion_lever<double>>(random);
        auto const same = [&](auto b) {
            b.masses[0] = q.masses[0];
            b.u = q.u;
            b.rates = q.rates;
            auto const J = q.pose().link_jacobian<0>() - b.pose().template link_jacobian<0>();
            auto const M = mass_matrix(q) - mass_matrix(b);
            for (double x : J.e) EXPECT_NEAR(x, 0, 1e-12);
            for (double x : M.e) EXPECT_NEAR(x, 0, 1e-12);
        };
        same(body_over<maps::matrix_lever<double>>{});
        same(body_over<maps::vector_lever<double>>{});
    }
}

// ---- places

TEST(link, is_seen_by_number_where_all_are_alike) {
    sinew::generalized_pose<maps::arm<double>> const p{{}, {0.1, 0.2, 0.3}};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(p.link(i), i == 0 ? p.link<0>() : i == 1 ? p.link<1>() : p.link<2>());
}
TEST(link, of_no_mass_adds_nothing) {
    sinew::generalized_body<maps::spatial_arm<double>> b{.u = {0.3, 0.2, 0.1}, .rates = {1, 2, 3}};
    b.masses[2].mass = 0;
    auto const without = mass_matrix(b);
    b.masses[1] = {0, {}};
    b.masses[2].mass = 1;
    auto const tip = mass_matrix(b);
    // The tip alone is a point 1.8 m away at most.
    EXPECT_GT(without(0, 0), 0);
    EXPECT_LT(tip(1, 1), 1.8 * 1.8 + 1 + 0.25 + 1e-12);
}
TEST(polar_coordinates, stay_finite_where_one_of_them_moves_nothing) {
    sinew::generalized_body<maps::polar_point<double>> b{.rates = {1, 5}};
    sinew::detail::generalized_dynamics<maps::polar_point<double>> const d(b);
    EXPECT_EQ(d.mass(1, 1), 0);
    auto const a = d.accelerated({1, 1});
    EXPECT_EQ(a[0], 1);
    EXPECT_EQ(a[1], 0) << "what moves no mass is not moved";
}

// ---- over every scalar, and in the compiler

template <class S>
class scalars : public testing::Test {};
using all_scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(scalars, all_scalars);
TYPED_TEST(scalars, agree) {
    using S = TypeParam;
    sinew::generalized_body<maps::spatial_arm<S>> b{.u = {S(0.5L), S(-0.25L), S(0.75L)}, .rates = {S(1), S(2), S(-1)}};
    sinew::generalized_body<maps::spatial_arm<long double>> c{.u = {0.5L, -0.25L, 0.75L}, .rates = {1, 2, -1}};
    c.map.lower = static_cast<long double>(b.map.lower);
    sinew::detail::generalized_dynamics<maps::spatial_arm<S>> const d(b);
    sinew::detail::generalized_dynamics<maps::spatial_arm<long double>> const e(c);
    auto const eps = static_cast<long double>(sinew::epsilon_v<S>);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_LE(std::abs(static_cast<long double>(d.velocity_force[k]) - e.velocity_force[k]), 64 * eps);
        EXPECT_LE(std::abs(static_cast<long double>(d.energy_gradient[k]) - e.energy_gradient[k]), 64 * eps);
    }
}
constexpr double energy_in_the_compiler() {
    return kinetic_energy(sinew::generalized_body<maps::one_bar<double>>{.masses = {{{3, sinew::diagonal(0.25, 0.25, 0.25)}}}, .u = {1}, .rates = {2}});
}
// (m l^2 / 4 + I) u_dot^2 / 2
static_assert(energy_in_the_compiler() > 1.9999999 && energy_in_the_compiler() < 2.0000001);

}  // namespace
