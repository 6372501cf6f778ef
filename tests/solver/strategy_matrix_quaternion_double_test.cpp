// Every strategy under every constraint: quaternions, double.

#include <solver/strategy_matrix_run.hpp>

TEST(strategy_matrix, quaternion_double) { sinew_test::run_matrix<sinew::quaternion<double>>(); }
