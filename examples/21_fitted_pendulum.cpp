// What weighs a double pendulum, and how much do its hinges rub? Masses and damping found from noisy angles of six seconds, by least squares
// with exact derivatives. Writes 21_fitted_pendulum.html.
//
// The scene is written over its scalar. Over double it is a simulation; over dual numbers with the four parameters as variables it also yields how
// every angle at every moment changes with each of them: the matrix that the method of Gauss and Newton asks for. A motor of known torque drives
// the pendulum: of one that only falls, the ratio of the masses could be told, but not the masses.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

// Torque against the relative spin of two bodies.
template <sinew::scalar S>
struct rotary_damper {
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;
    S damping{0};  // N m s

    constexpr auto wrenches(auto const& a, auto const& b, S const&) const {
        auto const torque = (b.twist.angular - a.twist.angular) * damping;
        return std::array<sinew::wrench<S>, 2>{sinew::wrench<S>{{}, torque}, sinew::wrench<S>{{}, -torque}};
    }
};

template <class S>
struct config : sinew::default_config {
    using scalar = S;
    using integrator = sinew::rk4;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};

constexpr std::size_t steps = 300, unknowns = 4;  // of 1/50 s
constexpr double h = 0.02, noise = 0.02;          // rad
char const* const names[unknowns] = {"upper mass [kg]", "lower mass [kg]", "upper damping [N m s]", "lower damping [N m s]"};

template <class S>
struct pendulum {
    sinew::world<config<S>, sinew::hinge_joint, rotary_damper> world;
    sinew::handle<sinew::rigid> upper{}, lower{};

    explicit pendulum(std::array<S, unknowns> const& p) {
        auto const bar = [&](S const& mass, double x) {
            return world.add(rigid_body_of(sinew::solid_box(mass, sinew::vec3<S>{S(1), S(0.05), S(0.05)}), sinew::pose<S>{{S(x), S(0), S(0)}, {}}));
        };
        upper = bar(p[0], 0.5);
        lower = bar(p[1], 1.5);
        auto const hinge = [&](auto a, auto b, double x, S const& damping) {
            world.add(sinew::hinge_joint<S>::at(world.pose(a), world.pose(b), {S(x), S(0), S(0)}, {S(0), S(0), S(1)}), a, b);
            world.add(rotary_damper<S>{damping}, a, b);
        };
        hinge(world.ground(), upper, 0, p[2]);
        hinge(upper, lower, 1, p[3]);
    }
    void step() {
        using sinew::sin;
        world.apply_wrench(upper, {{}, {S(0), S(0), S(6) * sin(S(2.3) * world.time())}});
        world.step(S(h));
    }
    // Of both bars against the x axis, rad.
    std::array<S, 2> angles() const {
        auto const of = [&](auto body) {
            auto const d = world.pose(body).direction(sinew::vec3<S>{S(1), S(0), S(0)});
            return atan2(d.y(), d.x());
        };
        return {of(upper), of(lower)};
    }
};

double wrapped(double angle) { return std::remainder(angle, 2 * sinew::pi_v<double>); }

using parameters = std::array<double, unknowns>;
using record = std::vector<std::array<double, 2>>;

// Half the sum of squares of what a simulation differs from the record by; its gradient J^T r, and J^T J.
struct misfit {
    double half_square = 0;
    sinew::vec<double, unknowns> gradient{};
    sinew::mat<double, unknowns, unknowns> curvature{};
};
misfit compare(parameters const& p, record const& measured) {
    using S = sinew::dual<double, unknowns>;
    std::array<S, unknowns> variables;
    for (std::size_t i = 0; i < unknowns; ++i) variables[i] = S::variable(p[i], i);
    pendulum<S> model(variables);
    misfit m;
    for (auto const& row : measured) {
        model.step();
        auto const angles = model.angles();
        for (std::size_t k = 0; k < 2; ++k) {
            double const r = wrapped(angles[k].v - row[k]);
            m.half_square += r * r / 2;
            for (std::size_t i = 0; i < unknowns; ++i) {
                m.gradient[i] += angles[k].d[i] * r;
                for (std::size_t j = 0; j < unknowns; ++j) m.curvature(i, j) += angles[k].d[i] * angles[k].d[j];
            }
        }
    }
    return m;
}

// Levenberg and Marquardt: steps of Gauss and Newton, held back as long as they do not help.
parameters fit(parameters p, record const& measured) {
    misfit now = compare(p, measured);
    double hold = 1e-3;
    std::printf("deviation %.4f rad\n", std::sqrt(now.half_square / static_cast<double>(measured.size())));
    for (int i = 0; i < 60; ++i) {
        auto held = now.curvature;
        for (std::size_t k = 0; k < unknowns; ++k) held(k, k) *= 1 + hold;
        auto const change = solve_spd(held, now.gradient);
        parameters next;
        for (std::size_t k = 0; k < unknowns; ++k) next[k] = std::max(p[k] - change[k], 0.1 * p[k]);  // none below 0
        misfit const there = compare(next, measured);
        bool const settled = std::abs(now.half_square - there.half_square) < 1e-9 * now.half_square;
        if (there.half_square < now.half_square) {
            p = next;
            now = there;
            hold /= 5;
            std::printf("deviation %.4f rad with %.4f %.4f kg, %.4f %.4f N m s\n", std::sqrt(now.half_square / static_cast<double>(measured.size())), p[0], p[1], p[2], p[3]);
        } else {
            hold *= 4;
        }
        if (settled) break;
    }
    return p;
}

int main() {
    constexpr parameters truth{1.3, 0.7, 0.15, 0.06}, guess{1, 1, 0.05, 0.05};
    constexpr unsigned seed = 7;
    std::mt19937 random(seed);
    auto const error = [&] {  // of twelve equal distributions: nearly normal, and the same everywhere
        double sum = -6;
        for (int i = 0; i < 12; ++i) sum += static_cast<double>(random()) / 4294967296.0;
        return sum * noise;
    };
    record measured;
    pendulum<double> real(truth);
    for (std::size_t k = 0; k < steps; ++k) {
        real.step();
        auto const angles = real.angles();
        measured.push_back({angles[0] + error(), angles[1] + error()});
    }
    std::printf("%zu angles with a noise of %.2f rad (seed %u)\n", 2 * steps, noise, seed);

    parameters const found = fit(guess, measured);
    auto const spread = inverse_spd(compare(found, measured).curvature);
    std::printf("%-24s %9s %9s %9s +- %s\n", "", "guess", "truth", "found", "expected deviation");
    for (std::size_t i = 0; i < unknowns; ++i) std::printf("%-24s %9.4f %9.4f %9.4f +- %.4f\n", names[i], guess[i], truth[i], found[i], noise * std::sqrt(spread(i, i)));

    sinew::recorder page("A double pendulum: as it was, as it was guessed to be, and as it was found to be");
    page.camera(0, 0);
    struct shown {
        char const* name;
        pendulum<double> model;
        std::array<sinew::shape_id, 2> bars;
    };
    std::vector<shown> all;
    auto const show = [&](char const* name, parameters const& p, double thickness, char const* color) {
        all.push_back({name, pendulum<double>(p), {page.add_box({0.5, 0.025, thickness}, color), page.add_box({0.5, 0.025, thickness}, color)}});
    };
    show("truth", truth, 0.03, "#1f5f8b");
    show("guess", guess, 0.02, "#c9c9c9");
    show("found", found, 0.04, "#d2691e");
    auto const from_below = [](double angle) { return wrapped(angle + sinew::pi_v<double> / 2); };
    for (std::size_t k = 0; k < steps; ++k) {
        page.frame(h * static_cast<double>(k));
        for (auto& s : all) {
            page.pose(s.bars[0], s.model.world.pose(s.model.upper));
            page.pose(s.bars[1], s.model.world.pose(s.model.lower));
            page.plot("lower bar, from below [rad]", s.name, from_below(s.model.angles()[1]));
            s.model.step();
        }
        page.plot("lower bar, from below [rad]", "measured", from_below(measured[k > 0 ? k - 1 : 0][1]));
        page.plot("found less measured [rad]", "lower bar", k > 0 ? wrapped(all[2].model.angles()[1] - measured[k][1]) : 0);
    }
    page.write("21_fitted_pendulum.html");
}
