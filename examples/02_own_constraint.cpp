// Your own constraint: a whole one is a struct with `rows` and `error`. Writes 02_own_constraint.html.
//
// Here: a point of a body stays on a torus, a doughnut around the y axis. With d the distance of the point from the ring in
// the middle of its tube, the error is d - tube, and the constraint says that it is zero. The solver needs more: the
// Jacobian J (how the error changes with the body's velocity), its rate, the effective mass. The library derives them from
// that one function with dual numbers, which carry a derivative along with each value.

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
    // Accurate and without loss of energy. Without these two lines: the game's solver, which runs the same constraint.
    using integrator = sinew::rk4;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};

int main() {
    double const ring = 1.0, tube = 0.4, pi = sinew::pi_v<double>;
    sinew::vec3<double> const anchor{-0.15, -0.15, 0.15};  // a corner of the box
    on_torus<double> const constraint{anchor, ring, tube};

    // The suite that the library runs on its own constraints runs on yours: derivatives, momentum, finite numbers.
    sinew::splitmix64 random{1};
    std::printf("conforms: %s\n", sinew::check_conformance(constraint, random).conforms() ? "yes" : "no");

    // The corner begins on the torus, 0.24 outside the ring and 0.32 above it, and is thrown along it.
    sinew::world<config, on_torus> world;
    sinew::vec3<double> const start{ring + 0.24, 0.32, 0};
    auto const body =
        world.add(rigid_body_of(sinew::solid_box(1.0, sinew::vec3<double>{0.3, 0.3, 0.3}), sinew::pose<double>{start - anchor}));
    world.set_twist(body, {{0, 0, 2}, {0, 0, 0}});
    world.add(constraint, body);

    sinew::recorder page("A box that hangs on a doughnut by one corner");
    auto const shape = page.add_box({0.15, 0.15, 0.15});
    auto const corner = page.add_marker("#d9534f");
    auto const wire = [&](auto const& point) {
        std::vector<sinew::vec3<double>> circle;
        for (int i = 0; i <= 48; ++i) circle.push_back(point(i * pi / 24));
        page.add_curve(circle, "#7d8590");
    };
    auto const on = [&](double around, double across) {
        double const r = ring + tube * sinew::cos(across);
        return sinew::vec3<double>{r * sinew::cos(around), tube * sinew::sin(across), r * sinew::sin(around)};
    };
    for (int k = 0; k < 24; ++k) wire([&](double u) { return on(k * pi / 12, u); });
    for (int k = 0; k < 8; ++k) wire([&](double u) { return on(u, k * pi / 4); });
    page.camera(0.6, 0.45);
    page.log_scale("distance from the torus [m]");

    for (int i = 0; i < 4800; ++i) {
        if (i % 8 == 0) {
            page.frame(world.time());
            page.pose(shape, world.pose(body));
            page.position(corner, world.pose(body).point(anchor));
            page.plot("energy [J]", "kinetic", world.kinetic_energy());
            page.plot("energy [J]", "total", world.energy());
            page.plot("distance from the torus [m]", "error", world.constraint_error());
        }
        world.step(1.0 / 480);
    }
    std::printf("after %.0f s: corner %.1e m off the torus\n", world.time(), world.constraint_error());
    page.write("02_own_constraint.html");
}
