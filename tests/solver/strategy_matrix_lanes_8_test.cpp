// Every strategy under every constraint: rotation matrices, batch<float, 8>.

#include <solver/strategy_matrix_scalars.hpp>

TEST(strategy_matrix, lanes_8) { sinew_test::run_lanes<sinew::rotation_matrix<sinew::batch<float, 8>>>(); }
