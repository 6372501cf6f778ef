// Every strategy under every constraint: quaternions, batch<float, 4>.

#include <solver/strategy_matrix_scalars.hpp>

TEST(strategy_matrix, lanes_4) { sinew_test::run_lanes<sinew::quaternion<sinew::batch<float, 4>>>(); }
