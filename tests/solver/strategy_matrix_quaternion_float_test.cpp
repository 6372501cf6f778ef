// Every strategy under every constraint: quaternions, float.

#include <solver/strategy_matrix_run.hpp>

TEST(strategy_matrix, quaternion_float) { sinew_test::run_matrix<sinew::quaternion<float>>(); }
