// Every strategy under every constraint: rotation vectors, fixed<31, 32>.

#include <solver/strategy_matrix_scalars.hpp>

TEST(strategy_matrix, q32) { sinew_test::run_against_double<sinew::rotation_vector<sinew::fixed<31, 32>>>(); }
