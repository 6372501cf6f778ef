// Twists and wrenches: power, and a force that acts off centre.

#include <sinew/body/twist.hpp>

#include <gtest/gtest.h>

namespace {

using namespace sinew;

constexpr twist<double> t{{1, 2, 3}, {4, 5, 6}};
constexpr wrench<double> w{{1, 0, -1}, {2, 0, 1}};
static_assert(dot(w, t) == 12);
static_assert(dot(w + w, t) == 24 && dot(2.0 * w, t) == 24 && dot(-w, t) == -12 && dot(w, 2.0 * t) == 24 && dot(w, t + t) == 24);
static_assert(twist<float>{} == twist<float>{{0, 0, 0}, {0, 0, 0}});

// Power at the point of action is the wrench's power: f . (v + omega x r) = f . v + (r x f) . omega.
TEST(twists, power_of_a_force_off_centre) {
    vec3<double> const f{2, -1, 5}, x{1, 1, 0}, p{3, 2, -4};
    wrench<double> const at = force_at(f, p, x);
    EXPECT_EQ(at.force, f);
    EXPECT_EQ(dot(at, t), dot(f, t.linear + cross(t.angular, p - x)));
    EXPECT_EQ(force_at(f, x, x).torque, (vec3<double>{0, 0, 0}));
    wrench<double> sum = at;
    sum += w;
    EXPECT_EQ(sum, at + w);
}

}  // namespace
