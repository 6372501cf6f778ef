// Strategies that iterate, in double.

#include <determinism/mechanisms.hpp>

namespace determinism {
namespace {

void joints_double() {
    double const h = 1.0 / 120;
    run_net<config<sequential_impulses, double>>("sequential_impulses,double,net", h, as_it_comes);
    run_net<config<nonlinear_gauss_seidel, double, symplectic_euler, rotation_matrix>>("nonlinear_gauss_seidel,double,net", h, as_it_comes);
    run_machine<config<augmented_lagrangian, double>>("augmented_lagrangian,double,machine", h, as_it_comes);
    run_machine<config<compliant_implicit, double>>("compliant_implicit,double,machine", h, as_it_comes);
}

scene_file const file_of_joints_double("joints_double", joints_double);

}  // namespace
}  // namespace determinism
