// Joining rows of parts.

#include <sinew/constraint/stack.hpp>
#include <sinew/math/batch.hpp>

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

TEST(stack, lanes_go_where_numbers_go) {
    using B = batch<double, 2>;
    auto const both = [](double x) {
        B b(x);
        b.e[1] = -x;
        return b;
    };
    mat<B, 1, 2> const a{both(1), both(2)};
    mat<B, 2, 2> const b{both(3), both(4), both(5), both(6)};
    auto const r = stack_rows(a, b);
    mat<B, 3, 2> J{};
    place(J, 0, 0, vec<B, 2>{both(1), both(2)});
    place(J, 1, 0, b);
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t lane = 0; lane < 2; ++lane) {
            double const expected = static_cast<double>(i + 1) * (lane == 0 ? 1 : -1);
            EXPECT_EQ(r.e[i][lane], expected);
            EXPECT_EQ(J.e[i][lane], expected);
        }
}

TEST(stack, centripetal_acceleration_points_to_the_axis) {
    vec3<double> const a = centripetal<double>({0, 0, 2}, {3, 0, 5});
    EXPECT_EQ(a, (vec3<double>{-12, 0, 0}));
}

}  // namespace
