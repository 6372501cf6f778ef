// Strategies that factorise, in float.

#include <determinism/mechanisms.hpp>

namespace determinism {
namespace {

void direct_float() {
    float const h = 1.0f / 120;
    run_machine<config<lagrange_impulses<sparse_ldlt>, float>>("lagrange_impulses<sparse_ldlt>,float,machine", h, as_it_comes);
    run_net<config<lagrange_multipliers<cholesky>, float, rk4, rotation_matrix>>("lagrange_multipliers<cholesky>,float,net", h, as_it_comes);
    run_net<config<lagrange_multipliers<ldlt>, float, velocity_verlet>>("lagrange_multipliers<ldlt>,float,net", h, as_it_comes);
}

scene_file const file_of_direct_float("direct_float", direct_float);

}  // namespace
}  // namespace determinism
