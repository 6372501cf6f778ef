// Strategies that factorise, in double.

#include <determinism/mechanisms.hpp>

namespace determinism {
namespace {

void direct_double() {
    double const h = 1.0 / 120;
    run_net<config<lagrange_impulses<cholesky>, double>>("lagrange_impulses<cholesky>,double,net", h, as_it_comes);
    run_net<config<lagrange_multipliers<ldlt>, double>>("lagrange_multipliers<ldlt>,double,staggered_net", h, as_it_comes);
    run_machine<config<lagrange_multipliers<dantzig>, double>>("lagrange_multipliers<dantzig>,double,staggered_machine", h, as_it_comes);
    run_machine<config<lagrange_multipliers<sparse_ldlt>, double, rk4>>("lagrange_multipliers<sparse_ldlt>,double,machine", h, as_it_comes);
    run_net<config<lagrange_multipliers<dantzig>, double, dormand_prince_54>>("lagrange_multipliers<dantzig>,double,net", h, as_it_comes);
    run_net<config<lagrange_multipliers<conjugate_gradient>, double, midpoint, rotation_vector>>("lagrange_multipliers<conjugate_gradient>,double,net", h, as_it_comes);
}

scene_file const file_of_direct_double("direct_double", direct_double);

}  // namespace
}  // namespace determinism
