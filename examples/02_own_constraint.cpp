// Your own constraint: a whole one is a struct with `rows` and `error`. Writes 02_own_constraint.html.
//
// Here: a point of a body stays on a torus, a doughnut of radius R and tube r around the y axis. The library makes the
// Jacobian, its rate, the effective mass and the rest from the one function below, and every solver can run it.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <cstdio>

template <sinew::scalar S>
struct on_torus {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::rigid>;  // one body; without this line it would be two
    sinew::vec3<S> anchor;                           // point of the body, m
    S ring, tube;                                    // radii, m

    constexpr auto error(auto const& body) const {  // what must be zero, over any scalar
        auto const p = body.point(anchor);
        auto const from_ring = sqrt(p.x() * p.x() + p.z() * p.z()) - ring;
        return sqrt(from_ring * from_ring + p.y() * p.y()) - tube;
    }
};
static_assert(sinew::constraint_for<on_torus<double>, double>);

struct config : sinew::default_config {
    using scalar = double;
};

int main() {
    sinew::world<config, on_torus> world;
    world.solver.substeps = 4;
    auto const body = world.add(rigid_body_of(sinew::solid_box(1.0, sinew::vec3<double>{0.3, 0.3, 0.3}), sinew::pose<double>{{1.4, 0.45, 0}}));
    world.set_twist(body, {{0, 0, 1.5}, {0, 0, 0}});
    world.add(on_torus<double>{{-0.15, -0.15, 0}, 1.0, 0.4}, body);

    // The suite that the library runs on its own constraints runs on yours.
    sinew::splitmix64 random{1};
    auto const report = sinew::check_conformance(on_torus<double>{{-0.15, -0.15, 0}, 1.0, 0.4}, random);
    std::printf("conforms: %s\n", report.conforms() ? "yes" : "no");

    sinew::recorder page("A box that hangs on a doughnut by one corner");
    auto const shape = page.add_box({0.15, 0.15, 0.15});
    auto const corner = page.add_marker();
    for (int k = 0; k < 12; ++k)
        for (bool around : {false, true}) {
            std::vector<sinew::vec3<double>> circle;
            for (int i = 0; i <= 48; ++i) {
                double const u = 2 * sinew::pi_v<double> * k / 12, v = 2 * sinew::pi_v<double> * i / 48;
                double const a = around ? v : u, b = around ? u : v, r = 1.0 + 0.4 * sinew::cos(b);
                circle.push_back({r * sinew::cos(a), 0.4 * sinew::sin(b), r * sinew::sin(a)});
            }
            page.add_curve(circle);
        }
    for (int i = 0; i < 600; ++i) {
        page.frame(world.time());
        page.pose(shape, world.pose(body));
        page.position(corner, world.pose(body).point(sinew::vec3<double>{-0.15, -0.15, 0}));
        page.plot("distance from the torus [m]", "error", world.constraint_error());
        page.plot("energy [J]", "total", world.energy());
        world.step(1.0 / 60);
    }
    page.write("02_own_constraint.html");
}
