// Every strategy under every constraint: rotation vectors, float.

#include <solver/strategy_matrix_run.hpp>

TEST(strategy_matrix, vector_float) { sinew_test::run_matrix<sinew::rotation_vector<float>>(); }
