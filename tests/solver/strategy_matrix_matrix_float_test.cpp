// Every strategy under every constraint: rotation matrices, float.

#include <solver/strategy_matrix_run.hpp>

TEST(strategy_matrix, matrix_float) { sinew_test::run_matrix<sinew::rotation_matrix<float>>(); }
