// Your own ODE, without bodies: integrators know nothing of the system. Writes 03_own_ode.svg.
//
// The orbit of Arenstorf: a satellite between earth and moon (Hairer, Norsett and Wanner, Solving Ordinary Differential
// Equations I, II.0), which closes after t = 17.0652. With 4000 equal steps, Runge-Kutta 4 loses its way as it passes the
// moon, where the forces change fastest; Dormand-Prince chooses its steps by an estimate of their error, takes short ones
// there and long ones elsewhere, and comes home for fewer evaluations.

#include <sinew/io/svg_plot.hpp>
#include <sinew/sinew.hpp>

#include <array>
#include <cstdio>

using state = std::array<double, 4>;  // x, y, and their rates, in the frame that turns with earth and moon
constexpr double mu = 0.012277471;    // the moon's share of the mass: the earth is at (-mu, 0), the moon at (1 - mu, 0)

// The right-hand side of y' = f(t, y): any function will do.
state arenstorf(double, state const& y) {
    double const nu = 1 - mu;
    double const a = (y[0] + mu) * (y[0] + mu) + y[1] * y[1], b = (y[0] - nu) * (y[0] - nu) + y[1] * y[1];
    double const d1 = a * sinew::sqrt(a), d2 = b * sinew::sqrt(b);
    return {y[2], y[3], y[0] + 2 * y[3] - nu * (y[0] + mu) / d1 - mu * (y[0] - nu) / d2, y[1] - 2 * y[2] - nu * y[1] / d1 - mu * y[1] / d2};
}

int main() {
    state const start{0.994, 0, 0, -2.00158510637908252240537862224};
    double const period = 17.0652165601579625588917206249;

    sinew::svg_plot plot;
    plot.title = "A satellite between earth and moon: Arenstorf's orbit, one period";
    plot.x_label = "x [distance of earth and moon]";
    plot.y_label = "y";
    plot.equal_axes = true;
    plot.height = 700;

    auto const trace = [&](char const* name, auto&& advance) {
        std::vector<double> xs{start[0]}, ys{start[1]};
        state y = start;
        std::size_t evaluations = 0;
        for (int i = 0; i < 400; ++i) {
            auto const r = advance(y, i * period / 400, (i + 1) * period / 400);
            y = r.y;
            evaluations += r.report.evaluations;
            xs.push_back(y[0]);
            ys.push_back(y[1]);
        }
        std::printf("%-28s ends %.1e from where it began, %zu evaluations\n", name,
                    sinew::sqrt((y[0] - start[0]) * (y[0] - start[0]) + (y[1] - start[1]) * (y[1] - start[1])), evaluations);
        plot.add(name, xs, ys);
    };
    trace("Runge-Kutta 4, fixed",
          [&](state const& y, double from, double to) { return sinew::integrate(sinew::rk4{}, arenstorf, y, from, to, period / 4000); });
    trace("Dormand-Prince, adaptive", [&](state const& y, double from, double to) {
        return sinew::integrate(sinew::dormand_prince_54{}, arenstorf, y, from, to, sinew::adaptive_steps(1e-11, 1e-11));
    });
    plot.add("earth", {-mu}, {0});
    plot.add("moon", {1 - mu}, {0});
    plot.write("03_own_ode.svg");
}
