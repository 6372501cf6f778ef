// Every strategy under every constraint: quaternions, fixed<15, 16>.

#include <solver/strategy_matrix_scalars.hpp>

TEST(strategy_matrix, q16) { sinew_test::run_against_double<sinew::quaternion<sinew::fixed<15, 16>>>(); }
