// Joining rows of parts.

#include <sinew/constraint/stack.hpp>

#include <gtest/gtest.h>

namespace {

using namespace sinew;

TEST(stack, rows_follow_in_order) {
    auto const r = stack_rows(vec<double, 2>{1, 2}, 3.0, vec<double, 3>{4, 5, 6});
    static_assert(std::same_as<decltype(r), vec<double, 6> const>);
    EXPECT_EQ(r, (vec<double, 6>{1, 2, 3, 4, 5, 6}));
    static_assert(stack_rows(1.0f, 2.0f) == vec<float, 2>{1, 2});
}

TEST(stack, a_part_with_derivatives_lends_them_to_all) {
    using D = dual<double, 2>;
    auto const r = stack_rows(1.0, D::variable(2.0, 1));
    static_assert(std::same_as<decltype(r), vec<D, 2> const>);
    EXPECT_EQ(r[0].d[1], 0);
    EXPECT_EQ(r[1].d[1], 1);
}

TEST(stack, jacobians_and_bounds) {
    mat<double, 1, 2> const a{1, 2};
    mat<double, 2, 2> const b{3, 4, 5, 6};
    EXPECT_EQ(stack_rows(a, b), (mat<double, 3, 2>{1, 2, 3, 4, 5, 6}));
    auto const l = stack_rows(unbounded<double, 1>(), pushing<double, 1>());
    EXPECT_EQ(l.lower[0], -infinity_v<double>);
    EXPECT_EQ(l.lower[1], 0);
    EXPECT_EQ(l.upper[1], infinity_v<double>);
}

TEST(stack, blocks_go_where_they_are_placed) {
    mat<double, 3, 4> J{};
    place(J, 1, 2, mat<double, 2, 2>{1, 2, 3, 4});
    place(J, 0, 1, vec<double, 2>{5, 6});
    EXPECT_EQ(J, (mat<double, 3, 4>{0, 5, 6, 0, 0, 0, 1, 2, 0, 0, 3, 4}));
    EXPECT_EQ((block_of<2, 2>(J, 1, 2)), (mat<double, 2, 2>{1, 2, 3, 4}));
}

TEST(stack, centripetal_acceleration_points_to_the_axis) {
    vec3<double> const a = centripetal<double>({0, 0, 2}, {3, 0, 5});
    EXPECT_EQ(a, (vec3<double>{-12, 0, 0}));
}

}  // namespace
