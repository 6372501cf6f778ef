// Polytopes, rounded boxes and triangles: random pairs of each against a reference in long double.

#include <collision/pair_suite.hpp>

namespace {

using namespace sinew_test;

template <class S>
class polytope_pairs : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(polytope_pairs, scalars);

TYPED_TEST(polytope_pairs, agree_with_the_reference) {
    using S = TypeParam;
    check_all<convex_polytope<S>, half_space<S>, sphere<S>, capsule<S>, box<S>, rounded_box<S>, triangle<S>, convex_polytope<S>>();
}
TYPED_TEST(polytope_pairs, of_rounded_boxes_agree_with_the_reference) {
    using S = TypeParam;
    check_all<rounded_box<S>, half_space<S>, sphere<S>, capsule<S>, box<S>, rounded_box<S>>();
}
TYPED_TEST(polytope_pairs, of_triangles_agree_with_the_reference) {
    using S = TypeParam;
    check_all<triangle<S>, half_space<S>, sphere<S>, capsule<S>, box<S>, rounded_box<S>, triangle<S>>();
}

}  // namespace
