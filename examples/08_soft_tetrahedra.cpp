// A soft bar of tetrahedra, held at one end. Writes 08_soft_tetrahedra.html.
//
// Its particles are joined by two sorts of constraint: the edges keep their lengths, softly, and every tetrahedron keeps
// its volume, dot(b - a, cross(c - a, d - a)) / 6 (Waterson 2026, 6.5.2). A soft edge is an XPBD constraint (Macklin,
// Mueller and Chentanez 2016): it yields by its compliance, in m/N, times the force in it, whatever the step, so that the bar sags as
// far with any settings under which the solver converges; more substeps bring it nearer.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <array>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>

template <class S>
using soft_edge = sinew::soft_joint<S, sinew::particle_distance>;
struct config : sinew::default_config {
    using solver = sinew::nonlinear_gauss_seidel;
};
using world_type = sinew::world<config, soft_edge, sinew::tetrahedron_volume>;

int main() {
    world_type world;
    world.solver.substeps = 8;
    world.solver.iterations = 10;

    // A grid of points, 9 x 3 x 3, each cube cut into five tetrahedra.
    constexpr int nx = 9, ny = 3, nz = 3;
    constexpr float edge = 0.12f;
    std::vector<world_type::particle_handle> points;
    auto const index = [](int x, int y, int z) { return static_cast<std::size_t>((x * ny + y) * nz + z); };
    for (int x = 0; x < nx; ++x)
        for (int y = 0; y < ny; ++y)
            for (int z = 0; z < nz; ++z) {
                sinew::vec3<float> const p{edge * static_cast<float>(x), edge * static_cast<float>(y), edge * static_cast<float>(z)};
                points.push_back(x == 0 ? world.add_fixed_particle(p) : world.add(sinew::particle<float>{0.02f, p, {}}));
            }
    std::vector<std::array<std::size_t, 4>> tetrahedra;
    for (int x = 0; x + 1 < nx; ++x)
        for (int y = 0; y + 1 < ny; ++y)
            for (int z = 0; z + 1 < nz; ++z) {
                auto const c = [&](int i, int j, int k) { return index(x + i, y + j, z + k); };
                // Alternate cubes are mirrored, so that the diagonals of neighbours meet.
                auto const m = [&](int i, int j, int k) { return (x + y + z) % 2 == 0 ? c(i, j, k) : c(1 - i, j, k); };
                tetrahedra.push_back({m(0, 0, 0), m(1, 1, 0), m(1, 0, 1), m(0, 1, 1)});
                tetrahedra.push_back({m(1, 0, 0), m(0, 0, 0), m(1, 1, 0), m(1, 0, 1)});
                tetrahedra.push_back({m(0, 1, 0), m(0, 0, 0), m(1, 1, 0), m(0, 1, 1)});
                tetrahedra.push_back({m(0, 0, 1), m(0, 0, 0), m(1, 0, 1), m(0, 1, 1)});
                tetrahedra.push_back({m(1, 1, 1), m(1, 1, 0), m(1, 0, 1), m(0, 1, 1)});
            }

    sinew::recorder page("A soft bar of tetrahedra");
    std::vector<sinew::shape_id> shapes;
    for (std::size_t i = 0; i < points.size(); ++i) shapes.push_back(page.add_point(0.004, "#7a4a12"));

    std::set<std::pair<std::size_t, std::size_t>> edges;
    float rest_volume = 0;
    auto const at = [&](std::size_t i) { return world.position(points[i]); };
    auto const pose = [&](std::size_t i) { return sinew::particle_pose<float>{at(i)}; };
    for (auto const& t : tetrahedra) {
        world.add(sinew::tetrahedron_volume<float>::at(pose(t[0]), pose(t[1]), pose(t[2]), pose(t[3])), points[t[0]], points[t[1]],
                  points[t[2]], points[t[3]]);
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t k = i + 1; k < 4; ++k)
                if (edges.insert({std::min(t[i], t[k]), std::max(t[i], t[k])}).second) {
                    auto const rod = sinew::particle_distance<float>::at(pose(t[i]), pose(t[k]), at(t[i]), at(t[k]));
                    world.add(soft_edge<float>::with(rod, 8e-4f, 1.6f), points[t[i]], points[t[k]]);
                }
    }
    // Its skin: the faces that belong to one tetrahedron only.
    std::map<std::set<std::size_t>, int> faces;
    for (auto const& t : tetrahedra)
        for (std::size_t i = 0; i < 4; ++i) ++faces[{t[i], t[(i + 1) % 4], t[(i + 2) % 4]}];
    for (auto const& [face, owners] : faces)
        if (owners == 1) page.add_triangle(shapes[*face.begin()], shapes[*std::next(face.begin())], shapes[*face.rbegin()], "#e6a45c");
    page.camera(0.5, 0.42);

    auto const volume = [&] {
        float v = 0;
        for (auto const& t : tetrahedra) {
            float const one = dot(at(t[1]) - at(t[0]), cross(at(t[2]) - at(t[0]), at(t[3]) - at(t[0]))) / 6;
            v += one < 0 ? -one : one;
        }
        return v;
    };
    rest_volume = volume();

    auto const tip = points[index(nx - 1, 1, 1)];
    for (int i = 0; i < 480; ++i) {
        page.frame(world.time());
        for (std::size_t k = 0; k < points.size(); ++k) page.position(shapes[k], at(k));
        page.plot("height of the tip [m]", "tip", world.position(tip).y());
        page.plot("relative change of volume", "volume", volume() / rest_volume - 1);
        world.step(1.0f / 60);
    }
    std::printf("%zu particles, %zu edges, %zu tetrahedra; volume after 8 s: %.3f of rest\n", points.size(), edges.size(),
                tetrahedra.size(), static_cast<double>(volume() / rest_volume));
    page.write("08_soft_tetrahedra.html");
}
