// Solids that fall, roll and stack, in double.

#include <determinism/scene.hpp>

#include <array>

namespace determinism {
namespace {

struct pyramids : config<sequential_impulses, double> {
    using broad_phase = sweep_and_prune;
    template <class S>
    using contact = pyramid_contact<S>;
};

// A stack that leans, and a ball thrown at it.
template <class World>
void build_stack(World& w) {
    w.add(half_space<double>{}, w.ground());
    for (int i = 0; i < 4; ++i)
        w.add_solid(box<double>{{0.3, 0.2, 0.25}}, 600.0, pose<double>{{0.04 * i, 0.21 + 0.41 * i, 0.01 * i}}, {.material = material<double>::of(0.6, 0.0)});
    w.add_solid(sphere<double>{0.15}, 2000.0, pose<double>{{-3, 1.2, 0.05}}, {.material = material<double>::of(0.4, 0.5)}, twist<double>{{4, 2, 0}, {0, 1, 0}});
}

void contacts_double() {
    {
        world<pyramids, convex_polytope, cylinder, cone, half_space> w;
        w.add(half_space<double>{}, w.ground());
        std::array<vec3<double>, 7> const corners{vec3<double>{0.3, 0, 0}, {-0.2, 0.1, 0.2}, {-0.2, 0, -0.25}, {0, 0.35, 0}, {0.1, -0.3, 0.1}, {0.2, 0.1, 0.25}, {0.15, 0.2, -0.2}};
        auto const stone = convex_hull(corners);
        for (int i = 0; i < 6; ++i) {
            pose<double> const at{{0.1 * (i % 3), 0.5 + 0.6 * i, 0.15 * (i % 2)}, quaternion_exp(vec3<double>{0.3 * i, -0.2 * i, 0.1})};
            if (i % 3 == 0)
                w.add_solid(stone, 800.0, at);
            else if (i % 3 == 1)
                w.add_solid(cylinder<double>{0.2, 0.15}, 600.0, at);
            else
                w.add_solid(cone<double>{0.2, 0.2}, 500.0, at);
        }
        run("sequential_impulses,double,stones", w, 200, 1.0 / 60);
    }
    {
        world<config<nonlinear_gauss_seidel, double>, box, sphere, half_space> w;
        build_stack(w);
        run("nonlinear_gauss_seidel,double,stack", w, 200, 1.0 / 120);
    }
    {
        world<config<lagrange_impulses<dantzig>, double>, box, sphere, half_space> w;
        build_stack(w);
        run("lagrange_impulses<dantzig>,double,stack", w, 200, 1.0 / 120);
    }
}

scene_file const file_of_contacts_double("contacts_double", contacts_double);

}  // namespace
}  // namespace determinism
