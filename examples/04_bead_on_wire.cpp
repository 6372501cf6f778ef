// A bead on a circular wire (Witkin 1997, section 2): what feedback is for. Writes 04_bead_on_wire.html.
//
// The wire is C(x) = 0. Lagrange multipliers choose the force along the gradient of C that makes the acceleration legal,
// C'' = 0 (Witkin, eq. 11). A bead that begins on the wire then stays on it, but for the error of the integrator, which
// nothing takes back: Euler's bead spirals outwards before your eyes, Runge-Kutta's too slowly to see. Feedback asks for
// C'' = -k_s C - k_d C' instead, a damped spring that pulls every error back.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <cstdio>

struct unit_circle {
    constexpr auto operator()(auto const& x, auto const& y) const { return (x * x + y * y - 1) / 2; }  // Witkin's eq. 1
};
template <class S>
using bead = sinew::particle_on_curve<S, sinew::planar_curve<S, unit_circle>>;

template <class Integrator>
struct config : sinew::default_config {
    using scalar = double;
    using integrator = Integrator;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};

int main() {
    double const h = 1.0 / 1000;
    sinew::world<config<sinew::rk4>, bead> with, without;
    sinew::world<config<sinew::euler>, bead> euler;
    without.solver.feedback_stiffness = euler.solver.feedback_stiffness = 0;
    without.solver.feedback_damping = euler.solver.feedback_damping = 0;
    auto const start = [](auto& world) {
        auto const p = world.add(sinew::particle<double>{1, {1, 0, 0}, {0, 3, 0}});
        world.add(bead<double>{}, p);
        return p;
    };
    auto const a = start(with), b = start(without), c = start(euler);

    sinew::recorder page("A bead on a wire, and one that leaves it");
    auto const bead_a = page.add_point(0.04, "#2f77b5"), bead_c = page.add_point(0.04, "#3f9a68");
    std::vector<sinew::vec3<double>> circle, path;
    for (int i = 0; i <= 90; ++i) circle.push_back({sinew::cos(i * sinew::pi_v<double> / 45), sinew::sin(i * sinew::pi_v<double> / 45), 0});
    page.camera(0.25, 0.1);
    page.log_scale("distance from the wire [m]");

    auto const off = [](auto const& world, auto p) {
        double const d = norm(world.position(p)) - 1;
        return d < 0 ? -d : d;
    };
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
        if (i % 20 == 0 && i < 12000) {
            page.frame(with.time());
            page.position(bead_a, with.position(a));
            page.position(bead_c, euler.position(c));
            path.push_back(euler.position(c));
            page.plot("distance from the wire [m]", "rk4, feedback", off(with, a));
            page.plot("distance from the wire [m]", "rk4", off(without, b));
            page.plot("distance from the wire [m]", "euler", off(euler, c));
            page.plot("energy [J]", "rk4, feedback", with.energy());
            page.plot("energy [J]", "rk4", without.energy());
            page.plot("energy [J]", "euler", euler.energy());
        }
        with.step(h);
        without.step(h);
        if (i % 4 == 0 && i < 12000) euler.step(4 * h);  // longer steps, to see it sooner
        worst = sinew::max(worst, off(with, a));
    }
    page.add_curve(path, "#8fbfa5");
    page.add_curve(circle);
    std::printf("rk4 with feedback   never more than %.1e m off the wire in 100 s\n", worst);
    std::printf("rk4 without         %.1e m off after 100 s\n", off(without, b));
    std::printf("euler without       %.1e m off after 12 s\n", off(euler, c));
    page.write("04_bead_on_wire.html");
}
