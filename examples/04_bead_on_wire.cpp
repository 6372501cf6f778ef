// A bead on a circular wire (Witkin 1997, section 2): what feedback is for. Writes 04_bead_on_wire.html.
//
// Lagrange multipliers make the bead's acceleration legal. That alone lets rounding and the integrator's error pile up, and
// the bead spirals outwards; a feedback term pulls it back.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <cstdio>

struct unit_circle {
    constexpr auto operator()(auto const& x, auto const& y) const { return (x * x + y * y - 1) / 2; }  // Witkin's eq. 1
};
template <class S>
using bead = sinew::particle_on_curve<S, sinew::planar_curve<S, unit_circle>>;

struct config : sinew::default_config {
    using scalar = double;
    using integrator = sinew::rk4;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};

int main() {
    double const h = 1.0 / 1000;
    sinew::world<config, bead> with, without;
    without.solver.feedback_stiffness = 0;
    without.solver.feedback_damping = 0;
    auto const start = [](auto& world) {
        auto const p = world.add(sinew::particle<double>{1, {1, 0, 0}, {0, 3, 0}});
        world.add(bead<double>{}, p);
        return p;
    };
    auto const a = start(with), b = start(without);

    sinew::recorder page("A bead on a wire");
    auto const bead_a = page.add_point(0.05), bead_b = page.add_point(0.05);
    std::vector<sinew::vec3<double>> circle;
    for (int i = 0; i <= 90; ++i) circle.push_back({sinew::cos(i * sinew::pi_v<double> / 45), sinew::sin(i * sinew::pi_v<double> / 45), 0});
    page.add_curve(circle);
    page.camera(0.25, 0.1);
    page.log_scale("distance from the wire [m]");

    auto const off = [](auto const& world, auto p) {
        double const d = norm(world.position(p)) - 1;
        return d < 0 ? -d : d;
    };
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
        if (i % 50 == 0 && i < 20000) {
            page.frame(with.time());
            page.position(bead_a, with.position(a));
            page.position(bead_b, without.position(b));
            page.plot("distance from the wire [m]", "with feedback", off(with, a) + 1e-17);
            page.plot("distance from the wire [m]", "without", off(without, b) + 1e-17);
            page.plot("energy [J]", "with feedback", with.energy());
        }
        with.step(h);
        without.step(h);
        worst = sinew::max(worst, off(with, a));
    }
    std::printf("after 100 s: with feedback never more than %.1e m off the wire, without it %.1e m\n", worst, off(without, b));
    page.summary("largest distance from the wire in 100 s, with feedback", std::to_string(worst * 1e12) + " pm");
    page.write("04_bead_on_wire.html");
}
