// Solids that fall, roll, bounce and sleep, in float.

#include <determinism/scene.hpp>

namespace determinism {
namespace {

struct sleepy : config<sequential_impulses, float> {
    using sleep = island_sleep;
};

template <class World>
void build_heap(World& w) {
    using V = vec3<float>;
    w.add(half_space<float>{}, w.ground(), {.frame = {{0, 0, 0}, quaternion_exp(V{0, 0, 0.1f})}});
    for (int i = 0; i < 18; ++i) {
        float const k = static_cast<float>(i);
        pose<float> const at{{0.3f * static_cast<float>(i % 3), 0.6f + 0.5f * k, 0.2f * static_cast<float>(i % 2)}, quaternion_exp(V{0.2f * k, 0.1f, -0.3f * k})};
        auto const surface = material<float>::of(0.3f + 0.02f * k, 0.05f * static_cast<float>(i % 5));
        if (i % 3 == 0)
            w.add_solid(box<float>{{0.25f, 0.2f, 0.15f}}, 500.0f, at, {.material = surface});
        else if (i % 3 == 1)
            w.add_solid(sphere<float>{0.2f}, 700.0f, at, {.material = surface});
        else
            w.add_solid(capsule<float>{0.12f, 0.2f}, 400.0f, at, {.material = surface});
    }
}

void contacts_float() {
    {
        world<sleepy, box, sphere, capsule, half_space> w;
        build_heap(w);
        run("sequential_impulses,float,heap", w, 300, 1.0f / 60);
    }
    {
        world<config<lagrange_impulses<sparse_ldlt>, float>, box, half_space> w;
        w.add(half_space<float>{}, w.ground());
        for (int i = 0; i < 5; ++i)
            w.add_solid(box<float>{{0.3f, 0.2f, 0.25f}}, 600.0f, pose<float>{{0.05f * static_cast<float>(i), 0.3f + 0.45f * static_cast<float>(i), 0}});
        run("lagrange_impulses<sparse_ldlt>,float,stack", w, 200, 1.0f / 60);
    }
}

scene_file const file_of_contacts_float("contacts_float", contacts_float);

}  // namespace
}  // namespace determinism
