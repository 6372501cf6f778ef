// Where fixed point has few digits, or none: small factors are not multiplied with each other first, and time ends.

#include "fixed_point.hpp"

#include <gtest/gtest.h>

namespace {

using namespace fixed_point;

template <class S>
class range_in_fixed_point : public testing::Test {};
using formats = testing::Types<q16, q32>;
TYPED_TEST_SUITE(range_in_fixed_point, formats);

// 1 / m times a 64th of a second, or a fifth of that, has two digits left in Q15.16 where m is 90 kg; 1 / m itself is right to a part in 1300 up to 100 kg.
TYPED_TEST(range_in_fixed_point, particles_fall_whatever_their_mass) {
    using S = TypeParam;
    for (double const mass : {0.1, 1.0, 3.0, 10.0, 30.0, 60.0, 90.0, 100.0}) {
        SCOPED_TRACE(mass);
        sinew::world<config<S>> w;
        auto const particle = w.add(sinew::particle<S>{number<S>(mass), {}, {}});
        auto const body = w.add(rigid_body_of(solid_sphere(number<S>(mass), S(1)), sinew::pose<S>{numbers<S>(5, 0, 0), {}}));
        auto const driven = w.add(sinew::particle<S>{number<S>(mass), numbers<S>(9, 0, 0), {}});
        for (int i = 0; i < 64; ++i) {
            w.apply_force(driven, numbers<S>(3 * mass, 0, 0));
            ASSERT_TRUE(w.step(S(1) / S(64)));
        }
        EXPECT_NEAR(real(w.velocity(particle)[1]), -9.81, 9.81 / 1000);
        EXPECT_NEAR(real(w.velocity(driven)[0]), 3, 3.0 / 400) << "a force of 0.3 N is right to a part in 400";
        EXPECT_EQ(w.velocity(particle)[1], w.twist(body).linear[1]) << "as a rigid body does";
    }
}

TEST(time_in_fixed_point, ends_and_can_be_set) {
    using S = q16;
    sinew::world<config<S>> w;
    w.gravity = {};
    auto const body = w.add(rigid_body_of(solid_sphere(S(1), S(1)), sinew::pose<S>{}));
    w.set_twist(body, {{S(1) / S(1024), S(0), S(0)}, {}});
    int steps = 0;
    while (w.step(S(64))) ++steps;
    EXPECT_EQ(steps, 511) << "one more would be 32768 s";
    EXPECT_EQ(real(w.time()), 511 * 64.0);
    EXPECT_NEAR(real(w.position(body)[0]), 511 / 16.0, 0.02);  // half a place in each of five parts of each step
    auto const before = w.save();
    EXPECT_EQ(w.step(S(64)).status, sinew::step_status::not_finite);
    EXPECT_TRUE(w.save() == before);
    EXPECT_TRUE(w.restore(before));

    EXPECT_TRUE(w.set_time(S(0)));
    EXPECT_TRUE(w.step(S(64)));
    EXPECT_EQ(real(w.time()), 64);
    EXPECT_NEAR(real(w.position(body)[0]), 512 / 16.0, 0.02);
    EXPECT_ANY_THROW(w.set_time(sinew::infinity_v<S>));
    EXPECT_EQ(real(w.time()), 64);
}
// By steps of 1/60 s, time in float is summed up with what rounding has left out; that is forgotten.
TEST(time, is_set_to_the_last_bit) {
    struct floats : sinew::default_config {
        using scalar = float;
    };
    sinew::world<floats> w, fresh;
    for (int i = 0; i < 1001; ++i) ASSERT_TRUE(w.step(1.0f / 60));
    EXPECT_TRUE(w.set_time(0));
    for (int i = 0; i < 1001; ++i) ASSERT_TRUE(w.step(1.0f / 60) && fresh.step(1.0f / 60));
    EXPECT_EQ(w.time(), fresh.time());
}

}  // namespace
