// A carousel that turns four chains (Vondrak 2005, 9.1.4): every joint is held at acceleration level only, without feedback,
// so that the error of the joints is the error of the integrator. Writes 07_carousel.svg and 07_carousel.html.

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
        hub = world.add(rigid_body_of(sinew::solid_cylinder(40.0, 0.2, 1.0), sinew::pose<double>{{0, 3, 0}}));
        world.set_twist(hub, {{0, 0, 0}, {0, 2, 0}});
        world.add(sinew::hinge_joint<double>::at(world.pose(world.ground()), world.pose(hub), {0, 3, 0}, {0, 1, 0}), world.ground(), hub);
        for (int arm = 0; arm < 4; ++arm) {
            double const angle = arm * sinew::pi_v<double> / 2, x = sinew::cos(angle), z = sinew::sin(angle);
            body previous = hub;
            for (int i = 0; i < 5; ++i) {
                auto const link = world.add(rigid_body_of(sinew::solid_capsule(1.0, 0.3, 0.06), sinew::pose<double>{{x, 3 - 0.2 - 0.4 * i, z}}));
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
    plot.title = "Carousel with chains: largest joint error, h = 1/100 s, no feedback";
    plot.x_label = "t [s]";
    plot.y_label = "error [m]";
    plot.log_y = true;
    auto const run = [&]<class I>(char const* name, I) {
        carousel<I> c;
        std::vector<double> t, e;
        for (int i = 0; i < 1000; ++i) {
            if (!c.world.step(1.0 / 100)) break;
            t.push_back(c.world.time());
            e.push_back(c.world.constraint_error());
        }
        std::printf("%-10s joint error after %.0f s: %.1e m\n", name, t.back(), e.back());
        plot.add(name, t, e);
    };
    run("euler", sinew::euler{});
    run("midpoint", sinew::midpoint{});
    run("rk4", sinew::rk4{});
    plot.write("07_carousel.svg");

    carousel<sinew::rk4> c;
    sinew::recorder page("A carousel with four chains");
    std::vector<std::pair<carousel<sinew::rk4>::body, sinew::shape_id>> shapes{{c.hub, page.add_cylinder(0.1, 1.0)}};
    for (auto const& link : c.links) shapes.emplace_back(link, page.add_capsule(0.15, 0.06));
    page.log_scale("joint error [m]");
    for (int i = 0; i < 600; ++i) {
        page.frame(c.world.time());
        for (auto const& [body, shape] : shapes) page.pose(shape, c.world.pose(body));
        page.plot("energy [J]", "total", c.world.energy());
        page.plot("joint error [m]", "largest", c.world.constraint_error() + 1e-17);
        c.world.step(1.0 / 60);
    }
    page.write("07_carousel.html");
}
