// Strategies on positions and the implicit one in fixed point, and those that need a wide format.

#include "fixed_strategies.hpp"

namespace {

using namespace fixed_point;

template <class Strategy>
class position_strategy : public testing::Test {};
using position_strategies = testing::Types<on_positions<sinew::nonlinear_gauss_seidel>, on_positions<sinew::jacobi>, strategy<sinew::compliant_implicit>>;
TYPED_TEST_SUITE(position_strategy, position_strategies);

TYPED_TEST(position_strategy, moves_as_in_double) { expect_as_in_double<TypeParam>(q16{}, q32{}); }

template <class Strategy>
class strategy_of_wide_numbers : public testing::Test {};
using wide_strategies = testing::Types<on_positions<sinew::vertex_block_descent>, on_positions<sinew::augmented_lagrangian>,
                                       strategy<sinew::lagrange_multipliers<sinew::conjugate_gradient>, sinew::rk4>>;
TYPED_TEST_SUITE(strategy_of_wide_numbers, wide_strategies);

TYPED_TEST(strategy_of_wide_numbers, moves_as_in_double) { expect_as_in_double<TypeParam>(q32{}); }

}  // namespace
