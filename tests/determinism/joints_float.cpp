// Strategies that iterate, in float.

#include <determinism/mechanisms.hpp>

namespace determinism {
namespace {

void joints_float() {
    float const h = 1.0f / 120;
    run_machine<config<sequential_impulses, float>>("sequential_impulses,float,machine", h, as_it_comes);
    run_machine<config<nonlinear_gauss_seidel, float>>("nonlinear_gauss_seidel,float,machine", h, [](auto& w) {
        w.solver.warm_start = 0.5f;
        w.solver.adaptive = true;
    });
    run_machine<config<jacobi, float>>("jacobi,float,machine", h, as_it_comes);
    run_net<config<vertex_block_descent, float>>("vertex_block_descent,float,net", h, as_it_comes);
    run_net<config<compliant_implicit, float>>("compliant_implicit,float,net", h, as_it_comes);
}

scene_file const file_of_joints_float("joints_float", joints_float);

}  // namespace
}  // namespace determinism
