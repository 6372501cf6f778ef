// A double pendulum of two hinged boxes under Lagrange multipliers, against the differential equation of its two angles,
// solved in 128-bit arithmetic. Writes 05_double_pendulum.svg.
//
// An integrator has order p if its error falls as h^p: with ten times the steps, p decades in the plot. The multipliers
// are found anew in every stage of the integrator (Witkin 1997, eq. 11), so that a constrained system keeps its order.

#include <sinew/io/svg_plot.hpp>
#include <sinew/sinew.hpp>

#include <cstdio>

template <class Integrator>
struct config : sinew::default_config {
    using scalar = double;
    using integrator = Integrator;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};

// Two boxes of 1 m and 1 kg fall from the horizontal. After 1 s their angles from the vertical must be
// (-1.20432407923534, -0.819980711665502) rad.
template <class Integrator>
double error_after_a_second(int steps) {
    sinew::world<config<Integrator>, sinew::hinge_joint> world;
    auto const box = sinew::solid_box(1.0, sinew::vec3<double>{1.0, 0.1, 0.1});
    auto const upper = world.add(rigid_body_of(box, sinew::pose<double>{{0.5, 0, 0}}));
    auto const lower = world.add(rigid_body_of(box, sinew::pose<double>{{1.5, 0, 0}}));
    auto const hinge = [&](auto a, auto b, double x) {
        world.add(sinew::hinge_joint<double>::at(world.pose(a), world.pose(b), {x, 0, 0}, {0, 0, 1}), a, b);
    };
    hinge(world.ground(), upper, 0);
    hinge(upper, lower, 1);
    for (int i = 0; i < steps; ++i) world.step(1.0 / steps);
    auto const angle = [&](auto body) {
        auto const d = world.pose(body).direction(sinew::vec3<double>{1, 0, 0});
        return sinew::atan2(d.x(), -d.y());
    };
    double const e1 = angle(upper) + 1.20432407923534, e2 = angle(lower) + 0.819980711665502;
    return sinew::sqrt(e1 * e1 + e2 * e2);
}

int main() {
    sinew::svg_plot plot;
    plot.title = "Double pendulum: error of the angles after 1 s";
    plot.x_label = "steps in 1 s";
    plot.y_label = "error [rad]";
    plot.log_x = plot.log_y = plot.markers = true;
    auto const measure = [&]<class I>(char const* name, I) {
        std::vector<double> n, e;
        std::printf("%-18s", name);
        for (int steps = 32; steps <= 2048; steps *= 2) {
            n.push_back(steps);
            e.push_back(error_after_a_second<I>(steps));
            std::printf(" %.1e", e.back());
        }
        std::printf("\n");
        plot.add(name, n, e);
    };
    measure("euler", sinew::euler{});
    measure("symplectic_euler", sinew::symplectic_euler{});
    measure("midpoint", sinew::midpoint{});
    measure("implicit_midpoint", sinew::implicit_midpoint{});
    measure("rk4", sinew::rk4{});
    measure("dormand_prince_54", sinew::dormand_prince_54{});
    plot.width = 920;
    plot.height = 480;
    plot.write("05_double_pendulum.svg");
}
