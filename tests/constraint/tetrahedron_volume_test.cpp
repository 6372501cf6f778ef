// Volume of a tetrahedron: its derivatives and momentum, and what volume means.

#include <sinew/constraint/tetrahedron_volume.hpp>

#include <constraint/cases/tetrahedron_volume.hpp>
#include <constraint/conformance_suite.hpp>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(tetrahedron_volume, Conformance, on_all_rotations<tetrahedron_case>);

using P = particle_pose<double>;

TEST(tetrahedron_volume, is_a_sixth_of_the_corner_of_a_box) {
    auto const c = tetrahedron_volume<double>::at(P{{1, 1, 1}}, P{{3, 1, 1}}, P{{1, 4, 1}}, P{{1, 1, 6}});
    EXPECT_DOUBLE_EQ(c.volume, 2.0 * 3.0 * 5.0 / 6.0);
    // Turned inside out, the volume is negative.
    EXPECT_DOUBLE_EQ((tetrahedron_volume<double>::at(P{{1, 1, 1}}, P{{1, 4, 1}}, P{{3, 1, 1}}, P{{1, 1, 6}}).volume), -c.volume);
}

// Euler's theorem for homogeneous functions: V has degree 3, so the gradient at p, applied to p about the first corner, is 3 V.
TEST(tetrahedron_volume, scales_with_the_cube) {
    P const a{{0, 0, 0}}, b{{1, 0.5, 0}}, c{{-0.3, 1, 0.2}}, d{{0.1, 0.4, 2}};
    auto const volume = tetrahedron_volume<double>::at(a, b, c, d);
    auto const J = volume.jacobian(a, b, c, d);
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += J(0, 3 + k) * b.position[k] + J(0, 6 + k) * c.position[k] + J(0, 9 + k) * d.position[k];
    EXPECT_NEAR(sum, 3 * volume.volume, 1e-15);
}

TEST(tetrahedron_volume, refuses_a_negative_compliance) {
    EXPECT_STREQ((tetrahedron_volume<double>{1, -1}.fault().name), "compliance");
    EXPECT_STREQ((tetrahedron_volume<double>{infinity_v<double>, 0}.fault().name), "volume");
    EXPECT_EQ((tetrahedron_volume<double>{1, 0}.fault().name), nullptr);
}

}  // namespace
