// Cylinders, cones and a user's ellipsoid, in float: random pairs of each with every shape, against a reference in long double.

#include <collision/pair_suite.hpp>

namespace {

using namespace sinew_test;
using S = float;

TEST(round_pairs_of_float, cylinders_agree_with_the_reference) {
    check_all<cylinder<S>, half_space<S>, sphere<S>, capsule<S>, box<S>, rounded_box<S>, triangle<S>, convex_polytope<S>, cylinder<S>>();
}
TEST(round_pairs_of_float, cones_agree_with_the_reference) {
    check_all<cone<S>, half_space<S>, sphere<S>, capsule<S>, box<S>, rounded_box<S>, triangle<S>, convex_polytope<S>, cylinder<S>, cone<S>>();
}
TEST(round_pairs_of_float, ellipsoids_agree_with_the_reference) {
    check_all<ellipsoid<S>, half_space<S>, sphere<S>, capsule<S>, box<S>, rounded_box<S>, triangle<S>, convex_polytope<S>, cylinder<S>, cone<S>, ellipsoid<S>>();
}

}  // namespace
