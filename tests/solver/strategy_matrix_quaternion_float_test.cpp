// Every strategy under every constraint: quaternions, float.

#include <solver/strategy_matrix_plain.hpp>

template struct sinew_test::plain_runs<sinew::quaternion<float>>;  // what other scalars are compared with

TEST(strategy_matrix, quaternion_float) { sinew_test::run_matrix<sinew::quaternion<float>>(); }
