// Friction in fixed point, of light bodies whose impulses are a few hundred last places: the squares of those are 0, and would tell nothing. Several points of
// contact, where boxes and capsules slide on ice, on slopes and by a push, against the motion that friction leaves them.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace sinew;

template <class S>
struct config : default_config {
    using scalar = S;
};
template <class S>
class fixed_friction : public testing::Test {};
using formats = testing::Types<fixed<15, 16>, fixed<11, 20>, fixed<31, 32>>;
TYPED_TEST_SUITE(fixed_friction, formats);

// How far a body slides down a slope in a second from rest. Gravity leans, and the floor does not.
template <class S, class Shape>
double slid(Shape const& shape, double height, double volume, double mass, double friction, double slope) {
    double const a = std::atan(slope);
    world<config<S>, box, capsule, half_space> w;
    w.gravity = {S::from(9.81 * std::sin(a)), S::from(-9.81 * std::cos(a)), S(0)};
    collider_options<S> const surface{.material = material<S>::of(S::from(friction))};
    w.add(half_space<S>{}, w.ground(), surface);
    auto const b = w.add_solid(shape, S::from(mass / volume), pose<S>{{S(0), S::from(height), S(0)}, {}}, surface);
    for (int i = 0; i < 64; ++i) EXPECT_TRUE(w.step(S(1) / S(64)));
    return static_cast<double>(w.position(b)[0]);
}
// g (sin a - mu cos a) t^2 / 2, and 0 where friction holds; a substep later by half of it.
double slides(double friction, double slope) {
    double const a = std::atan(slope);
    return std::max(9.81 * (std::sin(a) - friction * std::cos(a)) / 2, 0.0);
}

TYPED_TEST(fixed_friction, of_a_box_on_a_slope_is_what_its_coefficient_says) {
    using S = TypeParam;
    box<S> const crate{{S(0.5), S(0.25), S(0.5)}};
    for (double const mass : {0.5, 2.0, 8.0})
        for (double const friction : {0.0, 0.05, 0.1})
            for (double const slope : {0.08, 0.12, 0.2}) {
                double const expected = slides(friction, slope);
                EXPECT_NEAR(slid<S>(crate, 0.25, 0.5, mass, friction, slope), expected, 0.02 * expected + 0.005) << "mass " << mass << ", friction " << friction << ", slope " << slope;
            }
}
TYPED_TEST(fixed_friction, of_a_capsule_on_ice_is_none) {
    using S = TypeParam;
    world<config<S>, box, capsule, half_space> w;
    w.gravity = {S(1), S(-10), S(0)};
    collider_options<S> const ice{.material = material<S>::of(S(0))};
    w.add(half_space<S>{}, w.ground(), ice);
    auto const b = w.add_solid(capsule<S>{S(0.25), S(0.5)}, S(4), pose<S>{{S(0), S(0.25), S(0)}, rotation_about<quaternion<S>>({S(1), S(0), S(0)}, pi_v<S> / S(2))}, ice);
    for (int i = 0; i < 64; ++i) EXPECT_TRUE(w.step(S(1) / S(64)));
    EXPECT_NEAR(static_cast<double>(w.twist(b).linear[0]), 1, 0.005);
}

}  // namespace
