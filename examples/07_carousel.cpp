// A carousel that turns four chains (Vondrak 2005, 9.1.4), under three integrators. Writes 07_carousel.svg and
// 07_carousel.html.
//
// Every joint is held at acceleration level only, without feedback, so that the error of the joints is the error of the
// integrator: of order 1, 2 and 4. Euler's chains come apart before your eyes.

#include <sinew/io/recorder.hpp>
#include <sinew/io/svg_plot.hpp>
#include <sinew/sinew.hpp>

#include <cstdio>
#include <utility>

template <class Integrator>
struct config : sinew::default_config {
    using scalar = double;
    using integrator = Integrator;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};

template <class Integrator>
struct carousel {
    sinew::world<config<Integrator>, sinew::ball_joint, sinew::hinge_joint> world;
    using body = typename decltype(world)::body_handle;
    body hub;
    std::vector<body> links;

    carousel() {
        world.solver.feedback_stiffness = 0;
        world.solver.feedback_damping = 0;
        // A heavy disc on a vertical hinge, and at its rim four chains of five links.
        hub = world.add(rigid_body_of(sinew::solid_cylinder(40.0, 0.2, 1.0), sinew::pose<double>{{0, 3, 0}}));
        world.set_twist(hub, {{0, 0, 0}, {0, 2, 0}});
        world.add(sinew::hinge_joint<double>::at(world.pose(world.ground()), world.pose(hub), {0, 3, 0}, {0, 1, 0}), world.ground(), hub);
        for (int arm = 0; arm < 4; ++arm) {
            double const angle = arm * sinew::pi_v<double> / 2, x = sinew::cos(angle), z = sinew::sin(angle);
            body previous = hub;
            for (int i = 0; i < 5; ++i) {
                auto const link =
                    world.add(rigid_body_of(sinew::solid_capsule(1.0, 0.3, 0.06), sinew::pose<double>{{x, 3 - 0.2 - 0.4 * i, z}}));
                world.set_twist(link, {{2 * z, 0, -2 * x}, {0, 2, 0}});  // turns with the hub
                world.add(sinew::ball_joint<double>::at(world.pose(previous), world.pose(link), {x, 3 - 0.4 * i, z}), previous, link);
                links.push_back(link);
                previous = link;
            }
        }
    }
};

int main() {
    sinew::svg_plot plot;
    plot.title = "Carousel with chains: largest joint error, h = 1/100 s";
    plot.x_label = "t [s]";
    plot.y_label = "error [m]";
    plot.log_y = true;
    auto const run = [&]<class I>(char const* name, I) {
        carousel<I> c;
        std::vector<double> t, e;
        for (int i = 0; i < 1000; ++i) {
            if (!c.world.step(1.0 / 100) || c.world.constraint_error() > 1) break;  // a metre: it flew apart
            t.push_back(c.world.time());
            e.push_back(c.world.constraint_error());
        }
        std::printf("%-10s joint error after %.1f s: %.1e m\n", name, t.back(), e.back());
        plot.add(name, t, e);
    };
    run("euler", sinew::euler{});
    run("midpoint", sinew::midpoint{});
    run("rk4", sinew::rk4{});
    plot.write("07_carousel.svg");

    // And the page, with Runge-Kutta 4.
    carousel<sinew::rk4> c;
    sinew::recorder page("A carousel with four chains");
    std::vector<std::pair<carousel<sinew::rk4>::body, sinew::shape_id>> shapes{{c.hub, page.add_cylinder(0.1, 1.0, "#7d8590")}};
    for (std::size_t i = 0; i < c.links.size(); ++i)
        shapes.emplace_back(c.links[i], page.add_capsule(0.15, 0.06, i % 5 % 2 == 0 ? "#3b7cb8" : "#d9822b"));
    double const energy = c.world.energy();
    page.log_scale("joint error [m]");
    for (int i = 0; i < 600; ++i) {
        page.frame(c.world.time());
        for (auto const& [body, shape] : shapes) page.pose(shape, c.world.pose(body));
        page.plot("joint error [m]", "largest", c.world.constraint_error());
        page.plot("relative change of energy", "total", c.world.energy() / energy - 1);
        c.world.step(1.0 / 60);
    }
    page.write("07_carousel.html");
}
