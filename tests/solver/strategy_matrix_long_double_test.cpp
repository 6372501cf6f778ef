// Every strategy under every constraint: rotation matrices, long double.

#include <solver/strategy_matrix_scalars.hpp>

TEST(strategy_matrix, long_double) { sinew_test::run_matrix<sinew::rotation_matrix<long double>>(); }
