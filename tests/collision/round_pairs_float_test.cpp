// Cylinders, cones and a user's ellipsoid, in float: 10,000 random pairs of each with every shape, against a reference in long double.

#include <collision/pair_suite.hpp>

namespace {

using namespace sinew_test;
using S = float;

TEST(round_pairs_of_float, cylinders_agree_with_the_reference) {
    check_all<cylinder<S>, sphere<S>, capsule<S>, box<S>, rounded_box<S>, triangle<S>, convex_polytope<S>, cylinder<S>>(10000);
}
TEST(round_pairs_of_float, cones_agree_with_the_reference) {
    check_all<cone<S>, sphere<S>, capsule<S>, box<S>, rounded_box<S>, triangle<S>, convex_polytope<S>, cylinder<S>, cone<S>>(10000);
}
TEST(round_pairs_of_float, ellipsoids_agree_with_the_reference) {
    check_all<ellipsoid<S>, sphere<S>, capsule<S>, box<S>, rounded_box<S>, triangle<S>, convex_polytope<S>, cylinder<S>, cone<S>, ellipsoid<S>>(10000);
}

}  // namespace
