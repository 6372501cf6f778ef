// Strategies on velocities and accelerations in fixed point.

#include "fixed_strategies.hpp"

namespace {

using namespace fixed_point;

template <class Strategy>
class direct_strategy : public testing::Test {};
using direct_strategies = testing::Types<strategy<sinew::sequential_impulses>, strategy<sinew::lagrange_impulses<sinew::cholesky>>,
                                         strategy<sinew::lagrange_impulses<sinew::sparse_ldlt>>,
                                         strategy<sinew::lagrange_multipliers<sinew::cholesky>, sinew::rk4>,
                                         strategy<sinew::lagrange_multipliers<sinew::dantzig>, sinew::dormand_prince_54>>;
TYPED_TEST_SUITE(direct_strategy, direct_strategies);

TYPED_TEST(direct_strategy, moves_as_in_double) { expect_as_in_double<TypeParam>(q16{}, q32{}); }

}  // namespace
