// Joints and contacts in fixed point, of 32 and of 64 bits.

#include <determinism/mechanisms.hpp>

#include <sinew/math/fixed.hpp>

namespace determinism {
namespace {

using q16 = fixed<15, 16>;
using q32 = fixed<31, 32>;

// A cube, a ball and a capsule fall on a slope and on each other.
template <class World>
void build_fall(World& w) {
    using S = typename World::scalar_type;
    using P = typename World::pose_type;
    auto const number = [](double x) { return number_as<S>(x); };
    w.gravity = {number(1.5), number(-9.7), 0};
    w.add(half_space<S>{}, w.ground());
    w.add_solid(box<S>{{number(0.5), number(0.4), number(0.3)}}, S(10), P{{0, number(0.6), 0}});
    w.add_solid(sphere<S>{number(0.4)}, S(20), P{{number(0.2), number(1.7), number(0.1)}}, {.material = material<S>::of(number(0.5), number(0.4))});
    w.add_solid(capsule<S>{number(0.3), number(0.4)}, S(15), P{{number(-0.2), number(2.8), 0}, quaternion_exp(vec3<S>{number(0.4), 0, number(1.1)})});
}

template <class Config>
void run_fall(char const* name, typename Config::scalar const& h) {
    world<Config, box, sphere, capsule, half_space> w;
    build_fall(w);
    run(name, w, 200, h);
}

void fixed_point() {
    run_net<config<nonlinear_gauss_seidel, q16>>("nonlinear_gauss_seidel,Q15.16,net", q16(1) / q16(64), as_it_comes);
    run_machine<config<sequential_impulses, q32>>("sequential_impulses,Q31.32,machine", q32(1) / q32(120), as_it_comes);
    run_fall<config<sequential_impulses, q16>>("sequential_impulses,Q15.16,fall", q16(1) / q16(64));
    run_fall<config<nonlinear_gauss_seidel, q32>>("nonlinear_gauss_seidel,Q31.32,fall", q32(1) / q32(64));
}

scene_file const file_of_fixed_point("fixed_point", fixed_point);

}  // namespace
}  // namespace determinism
