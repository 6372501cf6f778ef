// Joints in fixed point, in a program of little else: GCC 12 at -O3 once left stores out of it.

#include <determinism/mechanisms.hpp>

#include <sinew/math/fixed.hpp>

namespace determinism {
namespace {

// A chain of boxes that are joined in three ways, one after the other, held at its end: what turns about it is small, and the arithmetic is called with constants.
template <class Config>
void run_chain(char const* name, typename Config::scalar const& h) {
    using S = typename Config::scalar;
    using V = vec3<S>;
    world<Config, ball_joint, hinge_joint, weld_joint, powered_axis, slider_joint> w;
    auto last = w.ground();
    for (int i = 0; i < 30; ++i) {
        V const at{S(i), 0, 0};
        auto const link = w.add(rigid_body_of(solid_box(S(1), V{S(1), number_as<S>(0.125), number_as<S>(0.25)}), typename decltype(w)::pose_type{at + V{number_as<S>(0.5), 0, 0}}));
        auto const a = w.pose(last), b = w.pose(link);
        if (i % 3 == 0)
            w.add(ball_joint<S>::at(a, b, at), last, link);
        else if (i % 3 == 1)
            w.add(hinge_joint<S>::at(a, b, at, V{0, 0, S(1)}), last, link);
        else
            w.add(weld_joint<S>::at(a, b, at), last, link);
        last = link;
    }
    run(name, w, 100, h);
}

void fixed_chain() {
    using q16 = fixed<15, 16>;
    run_chain<config<sequential_impulses, q16>>("sequential_impulses,Q15.16,chain", q16(1) / q16(64));
}

scene_file const file_of_fixed_chain("fixed_chain", fixed_chain);

}  // namespace
}  // namespace determinism
