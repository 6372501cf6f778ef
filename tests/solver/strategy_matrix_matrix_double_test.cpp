// Every strategy under every constraint: rotation matrices, double.

#include <solver/strategy_matrix_run.hpp>

TEST(strategy_matrix, matrix_double) { sinew_test::run_matrix<sinew::rotation_matrix<double>>(); }
