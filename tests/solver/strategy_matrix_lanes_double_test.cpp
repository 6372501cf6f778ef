// Every strategy under every constraint: rotation vectors, batch<double, 4>.

#include <solver/strategy_matrix_scalars.hpp>

TEST(strategy_matrix, lanes_double) { sinew_test::run_lanes<sinew::rotation_vector<sinew::batch<double, 4>>>(); }
