// Every strategy under every constraint: quaternions, double.

#include <solver/strategy_matrix_plain.hpp>

template struct sinew_test::plain_runs<sinew::quaternion<double>>;  // what other scalars are compared with

TEST(strategy_matrix, quaternion_double) { sinew_test::run_matrix<sinew::quaternion<double>>(); }
