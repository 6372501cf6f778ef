// Eight worlds in the lanes of one, and eight constraints of one world at a time, in float: what vectors compute, and what stands for them where there are none.

#include <determinism/mechanisms.hpp>

#include <sinew/math/batch.hpp>
#include <sinew/solver/wide_sequential_impulses.hpp>

namespace determinism {
namespace {

using wide = batch<float, 8>;

// first, first + step, ... from lane to lane.
wide from_lane_to_lane(float first, float step) {
    wide x;
    for (std::size_t i = 0; i < 8; ++i) x[i] = first + step * static_cast<float>(i);
    return x;
}

// Solids of eight sizes fall on a slope of eight steepnesses, slide, bounce and roll.
void fall() {
    world<config<sequential_impulses, wide>, box, sphere, capsule, half_space> w;
    vec3<wide> const about_z{wide(0), wide(0), wide(1)};
    collider_options<wide> options;
    options.material = material<wide>::of(from_lane_to_lane(0.1f, 0.08f), max(from_lane_to_lane(-0.2f, 0.1f), wide(0)));
    options.filter = {.category = 2, .mask = 1};
    w.add(half_space<wide>{}, w.ground(), {.frame = {{}, quaternion_exp(about_z * from_lane_to_lane(0, 0.04f))}});
    for (int i = 0; i < 3; ++i) {
        wide const x(static_cast<float>(2 * i)), size = from_lane_to_lane(0.2f, 0.02f);
        pose<wide> const at{{x, from_lane_to_lane(0.8f, 0.1f), wide(0)}, quaternion_exp(vec3<wide>{from_lane_to_lane(0.1f, 0.2f), wide(0.3f), from_lane_to_lane(-0.5f, 0.1f)})};
        twist<wide> const t{{from_lane_to_lane(-1, 0.5f), wide(0), wide(0.5f)}, {wide(1), from_lane_to_lane(0, 0.3f), wide(-1)}};
        if (i == 0) w.add_solid(box<wide>{{size, wide(0.2f), size * wide(0.7f)}}, wide(500), at, options, t);
        if (i == 1) w.add_solid(sphere<wide>{size}, wide(700), at, options, t);
        if (i == 2) w.add_solid(capsule<wide>{size * wide(0.5f), wide(0.3f)}, from_lane_to_lane(300, 100), at, options, t);
    }
    run("sequential_impulses,batch<float,8>,fall", w, 300, wide(1.0f / 60));
}

// Eight chains of other masses and lengths.
template <class Solver>
void swing(char const* name) {
    world<config<Solver, wide>, ball_joint, hinge_joint> w;
    auto previous = w.ground();
    wide x(0);
    for (int k = 0; k < 5; ++k) {
        wide const length = from_lane_to_lane(0.5f, 0.1f);
        auto link = rigid_body_of(solid_box(from_lane_to_lane(1, k % 2 == 0 ? 0.2f : 0), vec3<wide>{length, wide(0.1f), wide(0.2f)}), pose<wide>{{x + length * wide(0.5f), wide(0), wide(0)}, {}});
        link.twist.angular = {wide(0), from_lane_to_lane(0, 0.2f), wide(0.1f)};
        auto const h = w.add(link);
        vec3<wide> const at{x, wide(0), wide(0)};
        if (k % 2 == 0)
            w.add(ball_joint<wide>::at(w.pose(previous), w.pose(h), at), previous, h);
        else
            w.add(hinge_joint<wide>::at(w.pose(previous), w.pose(h), at, {wide(0), wide(0), wide(1)}), previous, h);
        x = x + length;
        previous = h;
    }
    run(name, w, 300, wide(1.0f / 120));
}

void wide_float() {
    float const h = 1.0f / 120;
    run_machine<config<wide_sequential_impulses<8>, float>>("wide_sequential_impulses<8>,float,machine", h, as_it_comes);
    run_net<config<wide_sequential_impulses<8>, float>>("wide_sequential_impulses<8>,float,net", h, as_it_comes);
    fall();
    swing<sequential_impulses>("sequential_impulses,batch<float,8>,chains");
    swing<nonlinear_gauss_seidel>("nonlinear_gauss_seidel,batch<float,8>,chains");
}

scene_file const file_of_wide_float("wide_float", wide_float);

}  // namespace
}  // namespace determinism
