#include <sinew/math/batch.hpp>
#include <sinew/math/dual.hpp>
#include <sinew/math/fixed.hpp>
#include <sinew/math/quad.hpp>
#include <sinew/math/traces.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace sinew;
using detail::tilt;

TEST(traces, are_none_below_two_to_the_minus_60_in_float) {
    EXPECT_EQ(tilt(0x1p-61f), 0.0f);
    EXPECT_EQ(tilt(-0x1p-62f), 0.0f);
    EXPECT_EQ(tilt(1e-38f), 0.0f);
    EXPECT_EQ(tilt(std::numeric_limits<float>::denorm_min()), 0.0f);
    for (float const x : {0.0f, 1.0f, -1.0f, 0.5f, 0x1.fffffep-1f, -0x1.555556p-7f, 0x1.8p-36f, -0x1p-40f, 0x1p-58f}) EXPECT_EQ(tilt(x), x) << x;
    // Products of two are never subnormal: what is left is at least half of the grid.
    for (float x = 0x1p-20f; x > 0x1p-100f; x *= 0.7f)
        for (float const y : {tilt(x), tilt(-x)}) EXPECT_TRUE(y == 0 || std::abs(y) >= 0x1p-61f) << x;
}
TEST(traces, move_nothing_by_more_than_half_of_the_grid_or_of_the_last_place) {
    for (float x = 1; x > 0x1p-70f; x *= 0.93f)
        for (float const y : {x, -x}) EXPECT_LE(std::abs(tilt(y) - y), std::max(0x1p-60f, x * std::numeric_limits<float>::epsilon())) << y;
}
TEST(traces, of_a_size_scale_with_it) {
    EXPECT_EQ(detail::without_traces(0x1p-40f, 0x1p10f), 0x1p-40f);
    EXPECT_EQ(detail::without_traces(0x1p-51f, 0x1p10f), 0.0f);
    using Q = detail::array_quad<float>;
    Q const q = detail::without_traces(Q::of(1.0f, 0x1p-40f, 0x1p-62f, -0x1p-63f), 1.0f);
    EXPECT_EQ(q.first(), 1.0f);
    EXPECT_EQ(q.all<1>().first(), 0x1p-40f);
    EXPECT_EQ(q.all<2>().first(), 0.0f);
    EXPECT_EQ(q.all<3>().first(), 0.0f);
}
TEST(traces, stay_where_they_do_no_harm) {
    EXPECT_EQ(tilt(1e-40), 1e-40);
    EXPECT_EQ(tilt(1e-40L), 1e-40L);
    using Q15_16 = fixed<15, 16>;
    EXPECT_EQ(tilt(epsilon_v<Q15_16>), epsilon_v<Q15_16>);
}
TEST(traces, leave_their_derivatives) {
    dual<float, 2> x(1e-30f);
    x.d[0] = 3;
    x.d[1] = -1e-30f;
    dual<float, 2> const y = tilt(x);
    EXPECT_EQ(value(y), 0.0f);
    EXPECT_EQ(y.d[0], 3.0f);
    EXPECT_EQ(y.d[1], -1e-30f);
}
TEST(traces, of_lanes_are_those_of_each) {
    float const of[4] = {1.0f, 0x1p-45f, 0x1p-61f, -1e-30f};
    batch<float, 4> x;
    for (std::size_t i = 0; i < 4; ++i) x[i] = of[i];
    batch<float, 4> const y = tilt(x);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(y[i], tilt(of[i])) << i;
}
static_assert(tilt(0x1p-61f) == 0 && tilt(0.25f) == 0.25f);

}  // namespace
