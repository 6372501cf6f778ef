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

TEST(traces, are_rounded_to_multiples_of_two_to_the_minus_60_in_float) {
    EXPECT_EQ(tilt(0x1.fffffep-62f), 0.0f);
    EXPECT_EQ(tilt(-0x1.fffffep-62f), 0.0f);
    EXPECT_EQ(tilt(0x1.8p-61f), 0x1p-60f);
    EXPECT_EQ(tilt(-0x1.4p-59f), -0x1.8p-59f);
    EXPECT_EQ(tilt(1e-38f), 0.0f);
    EXPECT_EQ(tilt(std::numeric_limits<float>::denorm_min()), 0.0f);
    for (float const x : {0.0f, 1.0f, -1.0f, 0.5f, 0x1.fffffep-1f, -0x1.555556p-7f, 0x1.8p-36f, -0x1p-40f, 0x1p-58f}) EXPECT_EQ(tilt(x), x) << x;
    for (float x = 0x1p-20f; x > 0x1p-100f; x *= 0.7f)  // so products of two are never subnormal
        for (float const y : {tilt(x), tilt(-x)}) EXPECT_TRUE(y == 0 || std::abs(y) >= 0x1p-60f) << x;
}
// A number that is added and taken away again would move all of a binade one way, if it were half of their last place.
TEST(traces, let_nothing_drift) {
    for (int binade = -64; binade < 0; ++binade) {
        int changed = 0;
        for (int k = 0; k < 4001; ++k) {
            float const x = std::ldexp(1 + static_cast<float>(k) / 4001, binade);
            float up = tilt(x), down = tilt(-x);
            changed += (up != x) + (down != -x);
            EXPECT_LE(std::abs(up - x), std::max(0x1p-60f, std::ldexp(1.0f, binade - 23))) << x;
            if (binade < -38) {
                EXPECT_EQ(down, -up) << x;
            }
            for (int again = 0; again < 100; ++again) {
                up = tilt(up);
                down = tilt(down);
            }
            EXPECT_LE(std::abs(up - x), 0x1p-36f) << x;  // if by anything, by what is taken away in all
            EXPECT_LE(std::abs(down + x), 0x1p-36f) << x;
        }
        if (binade >= -11) {
            EXPECT_EQ(changed, 0) << "2^" << binade;
        } else if (binade > -34) {  // only just below a power of two
            EXPECT_LE(changed, 8 + 2 * 4001 * std::ldexp(1.0, -37 - binade)) << "2^" << binade;
        }
    }
}
TEST(traces, of_a_size_scale_with_it) {
    EXPECT_EQ(detail::without_traces(0x1p-40f, 0x1p10f), 0x1p-40f);
    EXPECT_EQ(detail::without_traces(0x1p-52f, 0x1p10f), 0.0f);
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
    float const of[4] = {1.0f, 0x1p-45f, 0x1p-62f, -1e-30f};
    batch<float, 4> x;
    for (std::size_t i = 0; i < 4; ++i) x[i] = of[i];
    batch<float, 4> const y = tilt(x);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(y[i], tilt(of[i])) << i;
}
static_assert(tilt(0x1p-62f) == 0 && tilt(0.25f) == 0.25f);

}  // namespace
