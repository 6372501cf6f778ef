// Every strategy under every constraint: rotation matrices, float.

#include <solver/strategy_matrix_plain.hpp>

template struct sinew_test::plain_runs<sinew::rotation_matrix<float>>;  // what other scalars are compared with

TEST(strategy_matrix, matrix_float) { sinew_test::run_matrix<sinew::rotation_matrix<float>>(); }
