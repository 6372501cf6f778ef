// Half-spaces, spheres, capsules and boxes: random pairs of each against a reference in long double.

#include <collision/pair_suite.hpp>

namespace {

using namespace sinew_test;

template <class S>
class closed_form_pairs : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(closed_form_pairs, scalars);

TYPED_TEST(closed_form_pairs, agree_with_the_reference) {
    using S = TypeParam;
    check_all<half_space<S>, sphere<S>, capsule<S>, box<S>>();
    check_all<sphere<S>, sphere<S>, capsule<S>, box<S>>();
    check_all<capsule<S>, capsule<S>, box<S>>();
    check_all<box<S>, box<S>>();
}

}  // namespace
