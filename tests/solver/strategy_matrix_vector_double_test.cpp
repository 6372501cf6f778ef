// Every strategy under every constraint: rotation vectors, double.

#include <solver/strategy_matrix_plain.hpp>

template struct sinew_test::plain_runs<sinew::rotation_vector<double>>;  // what other scalars are compared with

TEST(strategy_matrix, vector_double) { sinew_test::run_matrix<sinew::rotation_vector<double>>(); }
