// Constraints on links of generalized bodies: what the chain rule makes of a joint's own rows, against dual numbers through the whole map,
// against central differences, and against the joint on a rigid body that stands where the link does.

#include <body/body_maps.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using sinew::as_bound;
using sinew::link_of;
using sinew::vec;
using sinew::vec3;
using map = maps::spatial_arm<double>;  // two poses and a point
using place = sinew::generalized_pose<map>;
using speed = sinew::generalized_twist<double, 3>;

template <class S>
using grip = sinew::on_link<S, sinew::ball_joint, link_of<maps::spatial_arm, 1>>;
template <class S>
using held = sinew::on_link<S, sinew::hinge_joint, as_bound, link_of<maps::spatial_arm, 0>>;
template <class S>
using clasp = sinew::on_link<S, sinew::ball_joint, link_of<maps::spatial_arm, 1>, link_of<maps::spatial_arm, 0>>;
template <class S>
using string_at_tip = sinew::on_link<S, sinew::particle_rope, link_of<maps::spatial_arm, 2>>;
template <class S>
using pin = sinew::on_link<S, sinew::particle_pin, link_of<maps::spatial_arm, 2>, link_of<maps::spatial_arm, 0>>;
template <class S>
using scalar_grip = sinew::on_link<S, sinew::scalar_point_to_point, link_of<maps::spatial_arm, 1>>;
template <class S>
using soft_ball = sinew::soft_joint<S, sinew::ball_joint>;
template <class S>
using soft_grip = sinew::on_link<S, soft_ball, link_of<maps::spatial_arm, 1>>;
template <class S>
using driven = sinew::on_link<S, sinew::powered_axis, link_of<maps::spatial_arm, 1>>;

static_assert(std::same_as<sinew::attachments_t<grip<double>>, sinew::binds<sinew::generalized<map>, sinew::rigid>>);
static_assert(std::same_as<sinew::attachments_t<held<double>>, sinew::binds<sinew::rigid, sinew::generalized<map>>>);
static_assert(std::same_as<sinew::attachments_t<string_at_tip<double>>, sinew::binds<sinew::generalized<map>, sinew::point_mass>>);
static_assert(sinew::constraint_for<grip<double>, double> && sinew::constraint_for<clasp<float>, float> && sinew::constraint_for<driven<double>, double>);
static_assert(sinew::is_bounded_v<string_at_tip<double>, double> && !sinew::is_bounded_v<grip<double>, double>);
static_assert(sinew::has_compliance<soft_grip<double>> && !sinew::has_compliance<grip<double>>);
static_assert(sinew::moving_normal_v<scalar_grip<double>> && !sinew::moving_normal_v<grip<double>>);
static_assert(!sinew::is_holonomic_v<driven<double>, double> && sinew::is_holonomic_v<held<double>, double>);
static_assert(!sinew::has_effective_mass_v<grip<double>, double>, "the joint's own knows no M_u");

// Poses and twists of whatever an attachment binds.
template <class K>
auto random_place(sinew::splitmix64& random) {
    if constexpr (sinew::is_generalized_v<K>)
        return place{{}, sinew::random_vector<double, 3>(random, 1.5)};
    else
        return sinew::random_pose<K, sinew::quaternion<double>>(random, 1.0);
}
template <class K>
auto random_speed(sinew::splitmix64& random) {
    if constexpr (sinew::is_generalized_v<K>)
        return speed{sinew::random_vector<double, 3>(random, 1.0)};
    else
        return sinew::random_twist<K>(random, 1.0);
}
template <class A>
struct of_attachments;
template <class... K>
struct of_attachments<sinew::binds<K...>> {
    static auto places(sinew::splitmix64& random) { return std::tuple{random_place<K>(random)...}; }
    static auto speeds(sinew::splitmix64& random) { return std::tuple{random_speed<K>(random)...}; }
};
template <class C, class F>
void at_random_states(std::uint64_t seed, F&& f) {
    sinew::splitmix64 random{seed};
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (int n = 0; n < 200; ++n) {
        auto const p = of_attachments<sinew::attachments_t<C>>::places(random);
        auto const t = of_attachments<sinew::attachments_t<C>>::speeds(random);
        f(p, t);
    }
}
sinew::ball_joint<double> const ball{{0.1, 0.4, -0.2}, {0.3, 0, 0.2}};

template <class C>
void expect_same_derivatives(C const& c, std::uint64_t seed) {
    at_random_states<C>(seed, [&](auto const& p, auto const& t) {
        auto const J = std::apply([&](auto const&... q) { return sinew::jacobian_of(c, q...); }, p);
        auto const d = std::apply([&](auto const&... q) { return sinew::derived_jacobian(c, q...); }, p);
        for (std::size_t i = 0; i < sizeof J.e / sizeof J.e[0]; ++i) EXPECT_NEAR(J.e[i], d.e[i], 1e-12);
        auto const r = sinew::jacobian_rate_of(c, p, t);
        auto const e = sinew::derived_jacobian_rate(c, p, t);
        for (std::size_t i = 0; i < r.size(); ++i) EXPECT_NEAR(r[i], e[i], 1e-11);
    });
}
TEST(chain_rule, agrees_with_dual_numbers_through_the_map) {
    expect_same_derivatives(grip<double>{ball}, 1);
    expect_same_derivatives(clasp<double>{ball}, 2);
    expect_same_derivatives(string_at_tip<double>{{.length = 2}}, 3);
    expect_same_derivatives(pin<double>{{{}, {0.1, 0.2, 0.3}}}, 4);
    expect_same_derivatives(scalar_grip<double>{{{0.1, 0.4, -0.2}, {0.3, 0, 0.2}}}, 5);
    sinew::pose<double> const a{{0.2, 0.3, 0}, maps::about_x(0.4)};
    place const b{{}, {0.1, 0.2, 0.3}};
    expect_same_derivatives(held<double>::at(a, b, vec3<double>{0, 0.5, 0}, vec3<double>{0, 1, 2}), 6);
}
TEST(jacobian, agrees_with_central_differences) {
    grip<double> const c{ball};
    at_random_states<grip<double>>(7, [&](auto const& p, auto const&) {
        auto const& [arm, body] = p;
        auto const J = sinew::jacobian_of(c, arm, body);
        for (std::size_t k = 0; k < 3; ++k) {
            auto ahead = arm, behind = arm;
            ahead.u[k] += 1e-5;
            behind.u[k] -= 1e-5;
            auto const d = (sinew::error_of(c, ahead, body) - sinew::error_of(c, behind, body)) / 2e-5;
            for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(J(i, k), d[i], 1e-9);
        }
    });
}
// J_dot v is the second derivative along constant rates.
TEST(jacobian_rate, agrees_with_second_differences) {
    clasp<double> const c{ball};
    at_random_states<clasp<double>>(8, [&](auto const& p, auto const& t) {
        auto const &a = std::get<0>(p), &b = std::get<1>(p);  // clang 14 captures no structured bindings
        auto const &ta = std::get<0>(t), &tb = std::get<1>(t);
        double const h = 1e-4;
        auto const error_at = [&](double s) {
            auto x = a, y = b;
            x.u += ta.rates * s;
            y.u += tb.rates * s;
            return sinew::error_of(c, x, y);
        };
        auto const d = (error_at(h) - 2 * error_at(0) + error_at(-h)) / (h * h);
        auto const r = sinew::jacobian_rate_of(c, p, t);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(r[i], d[i], 1e-6);
    });
}
TEST(stiffness, agrees_with_central_differences_and_is_symmetric_in_the_coordinates) {
    clasp<double> const c{ball};
    at_random_states<clasp<double>>(9, [&](auto const& p, auto const&) {
        auto const& [a, b] = p;
        vec3<double> const lambda{1, -2, 0.5};
        auto const G = sinew::stiffness_of(c, p, lambda);
        for (std::size_t k = 0; k < 3; ++k) {
            auto ahead = a, behind = a;
            ahead.u[k] += 1e-5;
            behind.u[k] -= 1e-5;
            auto const d = (transpose_times(sinew::jacobian_of(c, ahead, b), lambda) - transpose_times(sinew::jacobian_of(c, behind, b), lambda)) / 2e-5;
            for (std::size_t i = 0; i < 6; ++i) {
                EXPECT_NEAR(G(i, k), d[i], 1e-8);
                EXPECT_NEAR(G(i, k), G(k, i), 1e-13) << "coordinates are a vector space: the Hessian";
            }
        }
    });
}

// ---- against the joint on rigid bodies in the links' places

TEST(error_and_rate, are_those_of_the_joint_on_bodies_in_the_same_place) {
    grip<double> const c{ball};
    at_random_states<grip<double>>(10, [&](auto const& p, auto const& t) {
        auto const& [arm, body] = p;
        auto const& [rates, twist] = t;
        EXPECT_EQ(sinew::error_of(c, arm, body), sinew::error_of(ball, arm.template link<1>(), body));
        auto const v = arm.template link_velocity<1>(rates.rates);
        std::tuple const twin_twists{sinew::twist<double>{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}, twist};
        auto const r = sinew::rate_of(c, p, t), s = sinew::rate_of(ball, std::tuple{arm.template link<1>(), body}, twin_twists);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(r[i], s[i], 1e-13);
    });
}
TEST(velocity_level_joint, drives_a_link) {
    sinew::powered_axis<double> motor{};
    driven<double> const c{motor};
    at_random_states<driven<double>>(11, [&](auto const& p, auto const& t) {
        auto const& [arm, body] = p;
        auto const& [rates, twist] = t;
        auto const v = arm.template link_velocity<1>(rates.rates);
        std::tuple const links{arm.template link<1>(), body};
        std::tuple const twin_twists{sinew::twist<double>{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}, twist};
        auto const r = sinew::rate_of(c, p, t), s = sinew::rate_of(motor, links, twin_twists);
        for (std::size_t i = 0; i < r.size(); ++i) EXPECT_NEAR(r[i], s[i], 1e-12);
        // J by the chain rule is that of the rate.
        auto const J = sinew::jacobian_of(c, arm, body);
        auto const d = sinew::derived_rate_jacobian(c, p, t);
        for (std::size_t i = 0; i < sizeof J.e / sizeof J.e[0]; ++i) EXPECT_NEAR(J.e[i], d.e[i], 1e-12);
        auto const b = sinew::jacobian_rate_of(c, p, t), e = sinew::derived_jacobian_rate(c, p, t);
        for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(b[i], e[i], 1e-11);
    });
}
TEST(wrench_on_a_link, does_the_work_of_the_multipliers) {
    clasp<double> const c{ball};
    at_random_states<clasp<double>>(12, [&](auto const& p, auto const& t) {
        auto const& [a, b] = p;
        auto const& [ta, tb] = t;
        vec3<double> const lambda{1, -2, 0.5};
        auto const w = c.link_wrenches(lambda, a, b);
        auto const va = a.template link_velocity<1>(ta.rates), vb = b.template link_velocity<0>(tb.rates);
        double const work = dot(w[0], sinew::twist<double>{{va[0], va[1], va[2]}, {va[3], va[4], va[5]}}) +
                            dot(w[1], sinew::twist<double>{{vb[0], vb[1], vb[2]}, {vb[3], vb[4], vb[5]}});
        EXPECT_NEAR(work, dot(lambda, sinew::rate_of(c, p, t)), 1e-12);
    });
}

// ---- what is the joint's own

TEST(maker, measures_from_the_links) {
    place const arm{{}, {0.3, 0.2, 0.1}};
    sinew::pose<double> const body{{1, 1, 0}, maps::about_z(0.3)};
    vec3<double> const anchor{0.2, 0.9, 0.1};
    auto const c = grip<double>::at(arm, body, anchor);
    EXPECT_EQ(c.joint, sinew::ball_joint<double>::at(arm.link<1>(), body, anchor));
    auto const e = sinew::error_of(c, arm, body);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(e[i], 0, 1e-15);
}
TEST(bounds_and_compliance, are_passed_on) {
    string_at_tip<double> const rope{{.length = 1}};
    place const arm{};
    sinew::particle_pose<double> const bob{{0, 1, 0}};
    auto const b = sinew::limits_of(rope, vec<double, 1>{}, arm, bob);
    EXPECT_EQ(b.lower[0], 0);
    EXPECT_EQ(b.upper[0], sinew::infinity_v<double>);
    soft_grip<double> const soft{soft_ball<double>::with(ball, 0.5, 2)};
    EXPECT_EQ(sinew::compliance_of<double>(soft)[2], 0.5);
    EXPECT_EQ(sinew::damping_of<double>(soft)[1], 2);
    auto const faulty = grip<double>{{{INFINITY, 0, 0}, {}}};
    EXPECT_NE(faulty.fault().name, nullptr);
}

// A user's own constraint sees coordinates and links.
template <sinew::scalar S>
struct elbow_angle {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::generalized<maps::spatial_arm<S>>>;
    S angle{};
    constexpr auto error(auto const& a) const { return a.u[2] - angle; }
};
template <sinew::scalar S>
struct tip_height {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::generalized<maps::spatial_arm<S>>>;
    S height{};
    constexpr auto error(auto const& a) const { return a.template link<2>().position.y() - height; }
};
static_assert(sinew::constraint_for<elbow_angle<double>, double> && sinew::constraint_for<tip_height<float>, float>);
TEST(own_constraint, on_a_coordinate_has_a_unit_row) {
    auto const J = sinew::jacobian_of(elbow_angle<double>{0.5}, place{{}, {1, 2, 3}});
    EXPECT_EQ(J(0, 0), 0);
    EXPECT_EQ(J(0, 2), 1);
}
TEST(own_constraint, on_a_link_has_its_row) {
    place const arm{{}, {0.4, 0.3, 0.2}};
    auto const J = sinew::jacobian_of(tip_height<double>{0.5}, arm);
    auto const L = arm.link_jacobian<2>();
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(J(0, k), L(1, k), 1e-15);
}

}  // namespace
