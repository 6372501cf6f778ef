// Parts on the axes of two bodies: asin form, two rows, perpendicularity.

#include <sinew/constraint/axis_alignment.hpp>

#include <constraint/cases/axis_alignment.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(axis_alignment, Conformance, on_all_rotations<alignment_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(parallel_axes, Conformance, on_all_rotations<parallel_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(perpendicular_axes, Conformance, on_all_rotations<perpendicular_case>);

using V = vec3<double>;
using Q = quaternion<double>;
using body = pose<double>;

// Body b tilted against a by an angle about x; both axes are z.
body tilted(double angle) { return {{}, rotation_about<Q>(V{1, 0, 0}, angle)}; }

TEST(axis_alignment, is_asin_of_the_cross_product) {
    axis_alignment<double> const c{};
    for (double const angle : {1e-9, 1e-3, 0.5, 1.5, -0.7}) EXPECT_NEAR(c.error(body{}, tilted(angle)), abs(angle), 1e-15);
    // Beyond a right angle asin falls again: the nearer alignment is the opposite one.
    EXPECT_NEAR(c.error(body{}, tilted(3)), pi_v<double> - 3, 1e-15);
    splitmix64 random{2};
    for (int i = 0; i < 100; ++i) {
        auto const a = random_pose<rigid, Q>(random, 1.0), b = random_pose<rigid, Q>(random, 1.0);
        double const s = norm(cross(a.direction(c.axis_a), b.direction(c.axis_b)));
        EXPECT_NEAR(c.error(a, b), asin(min(s, 1.0)), 1e-8);  // asin itself loses half of the digits near 1
    }
}

// With Waterson's (5.55) as printed, (w, -w), the error would grow.
TEST(axis_alignment, a_step_against_the_gradient_aligns) {
    axis_alignment<double> const c{};
    double const h = 1e-3;
    for (double const angle : {0.3, 1.2, 2.0, 3.0}) {
        body const a{}, b = tilted(angle);
        auto const J = c.jacobian(a, b);
        vec<double, 12> const step = transpose_times(J, vec<double, 1>{-h});
        double const before = c.error(a, b);
        EXPECT_NEAR(c.error(detail::displaced(a, step.e), detail::displaced(b, step.e + 6)), before - 2 * h, 1e-12);
        EXPECT_NEAR(c.error(detail::displaced(a, (-step).e), detail::displaced(b, (-step).e + 6)), before + 2 * h, 1e-12);
    }
    // n_a = z, n_b = (0, -sin, cos): w = n_a x n_b / |.| = x, and Dc = (-w, w).
    auto const J = c.jacobian(body{}, tilted(0.3));
    EXPECT_NEAR(J(0, 3), -1, 1e-15);
    EXPECT_NEAR(J(0, 9), 1, 1e-15);
}

// Waterson's (5.57), with the one inverse that it has too many left out.
TEST(axis_alignment, inverse_effective_mass_is_that_of_the_turn_about_w) {
    splitmix64 random{5};
    using C = axis_alignment<double>;
    C const c{};
    auto const a = random_pose<rigid, Q>(random, 1.0), b = random_pose<rigid, Q>(random, 1.0);
    auto const wa = random_inverse_mass<rigid, Q>(random), wb = random_inverse_mass<rigid, Q>(random);
    V const w = normalize(cross(a.direction(c.axis_a), b.direction(c.axis_b)));
    auto const mu = derived_effective_mass<C>(c.jacobian(a, b), vec<double, 1>{}, wa, wb);
    EXPECT_NEAR(1 / mu(0, 0), dot(w, (wa.angular + wb.angular) * w), 1e-14);
}

TEST(axis_alignment, has_no_direction_where_aligned) {
    axis_alignment<double> const c{};
    EXPECT_EQ(c.error(body{}, body{}), 0);
    EXPECT_EQ(c.jacobian(body{}, body{}), (mat<double, 1, 12>{}));
    EXPECT_EQ(derived_jacobian(c, body{}, body{}), (mat<double, 1, 12>{}));
    static_assert(axis_alignment<double>::moving_normal);
}

// The two-row form keeps its full rank at zero error, where the asin form has none.
TEST(parallel_axes, is_smooth_where_aligned) {
    parallel_axes<double> const c{};
    EXPECT_EQ(c.error(body{}, body{}), (vec<double, 2>{}));
    EXPECT_EQ(rank_of(c.jacobian(body{}, body{})), 2);
    // The rotation that is left is about the axis.
    EXPECT_EQ(c.jacobian(body{}, body{}) * stacked<double>({}, {{1, 2, 3}, {0, 0, 7}}), (vec<double, 2>{}));
    EXPECT_NEAR(norm(c.error(body{}, tilted(1e-3))), sin(1e-3), 1e-17);
    // The same amount for every direction of tilt.
    for (double around = 0; around < 6; around += 0.5) {
        body const b{{}, rotation_about<Q>(V{cos(around), sin(around), 0}, 0.4)};
        EXPECT_NEAR(norm(c.error(body{}, b)), sin(0.4), 1e-15);
    }
}

TEST(perpendicular_axes, is_the_cosine_between_them) {
    perpendicular_axes<double> const c{{1, 0, 0}, {0, 1, 0}};
    body const b{{}, rotation_about<Q>(V{0, 0, 1}, 0.25)};
    EXPECT_NEAR(c.error(body{}, b), -sin(0.25), 1e-15);
    EXPECT_STREQ((perpendicular_axes<double>{{1, 0, 0}, {0, 0, 0}}.fault().name), "axis_b");
}

}  // namespace
