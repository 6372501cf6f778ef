// Point to point in both forms: derivatives, momentum, rank; Waterson's formulas for direction, effective mass, couple.

#include <sinew/constraint/point_to_point.hpp>

#include <constraint/cases/point_to_point.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(ball_joint, Conformance, on_all_rotations<ball_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(particle_pin, Conformance, on_all_rotations<pin_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(scalar_point_to_point, Conformance, on_all_rotations<scalar_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(scalar_particle_pin, Conformance, on_all_rotations<scalar_pin_case>);

using V = vec3<double>;
using body = pose<double>;

struct scene {
    splitmix64 random;
    body a, b;
    V anchor_a, anchor_b;  // body frames; the points are apart
    explicit scene(std::uint64_t seed) : random{seed} {
        a = random_pose<rigid, quaternion<double>>(random, 1.0);
        b = random_pose<rigid, quaternion<double>>(random, 1.0);
        anchor_a = random_vector(random, 1.0);
        anchor_b = random_vector(random, 1.0);
    }
};

TEST(ball_joint, leaves_three_relative_degrees_of_freedom) {
    scene s(1);
    auto const c = ball_joint<double>::at(s.a, s.b, s.anchor_a);
    EXPECT_EQ(rank_of(c.jacobian(s.a, s.b)), 3);
    // b turns about the point in any direction.
    V const p = s.a.point(c.anchor_a), w = random_vector(s.random, 1.0);
    EXPECT_LE(norm(c.jacobian(s.a, s.b) * stacked<double>({}, {cross(w, s.b.position - p), w})), 1e-14);
}

// Waterson 2026, eq. 5.6: c_dot is the relative velocity of the points along dp; J is a unit pull on each body.
TEST(scalar_point_to_point, pulls_along_the_line_between_the_points) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        scene s(seed);
        scalar_point_to_point<double> const c{s.anchor_a, s.anchor_b};
        V const ra = s.a.direction(s.anchor_a), rb = s.b.direction(s.anchor_b);
        V const n = normalize(s.a.position + ra - s.b.position - rb);
        auto const J = c.jacobian(s.a, s.b);
        V const turn_a = cross(ra, n), turn_b = cross(rb, n);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_NEAR(J(0, k), n[k], 1e-15);
            EXPECT_NEAR(J(0, 3 + k), turn_a[k], 1e-15);
            EXPECT_NEAR(J(0, 6 + k), -n[k], 1e-15);
            EXPECT_NEAR(J(0, 9 + k), -turn_b[k], 1e-15);
        }
        twist<double> const ta = random_twist<rigid>(s.random, 1.0), tb = random_twist<rigid>(s.random, 1.0);
        V const relative = ta.linear + cross(ta.angular, ra) - tb.linear - cross(tb.angular, rb);
        EXPECT_NEAR((J * stacked(ta, tb))[0], dot(n, relative), 1e-14);
    }
}

// Waterson 2026, eq. 5.8: mu^-1 = n . ((1/m_i + 1/m_j) 1 - [r_i]x I_i^-1 [r_i]x - [r_j]x I_j^-1 [r_j]x) n. The line before
// it prints I for I^-1.
TEST(scalar_point_to_point, effective_mass_is_watersons) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        scene s(seed);
        using C = scalar_point_to_point<double>;
        C const c{s.anchor_a, s.anchor_b};
        auto const wa = random_inverse_mass<rigid, quaternion<double>>(s.random), wb = random_inverse_mass<rigid, quaternion<double>>(s.random);
        V const ra = s.a.direction(s.anchor_a), rb = s.b.direction(s.anchor_b);
        V const n = normalize(s.a.position + ra - s.b.position - rb);
        mat3<double> const inverse_M = (wa.linear + wb.linear) * identity<double, 3>() - skew(ra) * to_mat(wa.angular) * skew(ra) -
                                       skew(rb) * to_mat(wb.angular) * skew(rb);
        auto const mu = derived_effective_mass<C>(c.jacobian(s.a, s.b), vec<double, 1>{}, wa, wb);
        EXPECT_NEAR(1 / mu(0, 0), dot(n, inverse_M * n), 1e-13);
        // The vector form has the matrix itself (eq. 5.9).
        using B = ball_joint<double>;
        auto const J = B{s.anchor_a, s.anchor_b}.jacobian(s.a, s.b);
        auto const K = inverse_effective_mass(J, weighted_jacobian<B>(J, wa, wb));
        for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(K.e[i], inverse_M.e[i], 1e-13);
    }
}

// While the points are apart the vector form leaves the couple dp x f; the scalar form leaves none (Waterson 2026, 5.2).
TEST(point_to_point, net_torque_of_both_forms) {
    scene s(4);
    ball_joint<double> const vector_form{s.anchor_a, s.anchor_b};
    scalar_point_to_point<double> const scalar_form{s.anchor_a, s.anchor_b};
    auto const torque = [&](auto const& w) {
        V const fa{w[0], w[1], w[2]}, ta{w[3], w[4], w[5]}, fb{w[6], w[7], w[8]}, tb{w[9], w[10], w[11]};
        return cross(s.a.position, fa) + ta + cross(s.b.position, fb) + tb;
    };
    V const f{1, 2, 3}, dp = vector_form.error(s.a, s.b);
    EXPECT_LE(norm(torque(transpose_times(vector_form.jacobian(s.a, s.b), f)) - cross(dp, f)), 1e-14);
    EXPECT_LE(norm(torque(transpose_times(scalar_form.jacobian(s.a, s.b), vec<double, 1>{2}))), 1e-14);
    EXPECT_GT(norm(cross(dp, f)), 0.1);
}

// A step along -J^T reduces the error.
TEST(scalar_point_to_point, a_step_against_the_gradient_brings_the_points_together) {
    scene s(9);
    scalar_point_to_point<double> const c{s.anchor_a, s.anchor_b};
    auto const J = c.jacobian(s.a, s.b);
    double const h = 1e-3;
    vec<double, 12> const step = transpose_times(J, vec<double, 1>{-h});
    body const a = detail::displaced(s.a, step.e), b = detail::displaced(s.b, step.e + 6);
    EXPECT_NEAR(c.error(a, b) - c.error(s.a, s.b), -h * squared_norm(J.row(0)), 10 * h * h);
}

TEST(scalar_point_to_point, asks_for_nothing_where_the_points_coincide) {
    body const a{}, b{};
    scalar_point_to_point<double> const c{};
    EXPECT_EQ(c.error(a, b), 0);
    EXPECT_EQ(c.jacobian(a, b), (mat<double, 1, 12>{}));
    EXPECT_EQ(derived_jacobian(c, a, b), (mat<double, 1, 12>{}));
    static_assert(scalar_point_to_point<double>::moving_normal);
}

// The two ends of a spinning rod on a particle each: the acceleration is omega^2 r towards the centre (Vondrak 2005, eq. 7.3).
TEST(particle_pin, jacobian_rate_is_the_centripetal_acceleration) {
    particle_pin<double> const c{{}, {2, 0, 0}};
    auto const r = c.jacobian_rate(particle_pose<double>{{2, 0, 0}}, body{}, particle_twist<double>{{0, 6, 0}}, twist<double>{{}, {0, 0, 3}});
    EXPECT_EQ(r, (V{18, 0, 0}));  // of dp = p_a - p_b, and p_b accelerates by -18 along x
}

}  // namespace
