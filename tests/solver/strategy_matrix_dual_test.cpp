// Every strategy under every constraint: quaternions, dual<double, 4>.

#include <solver/strategy_matrix_scalars.hpp>

TEST(strategy_matrix, dual) { sinew_test::run_derivatives<sinew::quaternion<sinew::dual<double, 4>>>(); }
