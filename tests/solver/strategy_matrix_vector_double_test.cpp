// Every strategy under every constraint: rotation vectors, double.

#include <solver/strategy_matrix_run.hpp>

TEST(strategy_matrix, vector_double) { sinew_test::run_matrix<sinew::rotation_vector<double>>(); }
