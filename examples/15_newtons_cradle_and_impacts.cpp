// Hits and rubs, each against its law. Writes 15_newtons_cradle_and_impacts.html.
//
// The cradle: steel balls on threads, the first let go; all of its momentum must come out at the other end (Newton's law of impact with a
// restitution of 1; Waterson 2026, 5.5). A thread is a constraint of distance, and each ball hangs on two.
//
// The break: on a table without friction one ball is shot into ten that touch each other, so that many hits fall together. Whatever they do to
// each other, the momentum stays until the first ball meets the frame of the table, and the energy for good.
//
// The desk: it is tilted slowly, and of five blocks with different frictions each must begin to slide at its own angle, atan(mu).

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

struct config : sinew::default_config {
    using scalar = double;
};
using vec = sinew::vec3<double>;
using material = sinew::material<double>;
using ball = sinew::sphere<double>;
using world_type = sinew::world<config, sinew::sphere, sinew::box, sinew::half_space, sinew::distance>;

int main() {
    world_type world;
    material steel = material::of(0, 1);
    steel.restitution_threshold = 0.01;
    world.add(sinew::half_space<double>{}, world.ground(), {.material = material::of(1)});

    constexpr double r = 0.15, thread = 1.2;
    auto const nail = [](std::size_t i, double z) { return vec{2 * r * double(i) - 3, 1.5, z}; };
    std::array<world_type::body_handle, 5> cradle;
    for (std::size_t i = 0; i < cradle.size(); ++i) {
        double const angle = i == 0 ? -0.7 : 0;
        cradle[i] = world.add_solid(ball{r}, 7800, {nail(i, 0) + vec{std::sin(angle), -std::cos(angle), 0} * thread}, {.material = steel});
        for (double const z : {-0.5, 0.5})
            world.add(sinew::distance<double>::at(world.pose(world.ground()), world.pose(cradle[i]), nail(i, z), world.position(cradle[i])), world.ground(), cradle[i]);
    }

    vec const table{0, 0, 2.6};
    for (double const side : {-1.0, 1.0}) {
        world.add(sinew::box<double>{{2.3, 0.1, 0.06}}, world.ground(), {.frame = {table + vec{0, 0.1, 1.26 * side}}, .material = steel});
        world.add(sinew::box<double>{{0.06, 0.1, 1.2}}, world.ground(), {.frame = {table + vec{2.24 * side, 0.1, 0}}, .material = steel});
    }
    constexpr double size = 0.11, speed = 3;
    std::vector<world_type::body_handle> balls{world.add_solid(ball{size}, 1700, {table + vec{-1.5, size, 0.01}}, {.material = steel}, {{speed, 0, 0}, {}})};
    for (int row = 0; row < 4; ++row)
        for (int k = 0; k <= row; ++k)
            balls.push_back(world.add_solid(ball{size}, 1700, {table + vec{0.3 + std::sqrt(3.0) * size * row, size, size * (2 * k - row)}}, {.material = steel}));
    auto const moving = [&] {  // energy, J, and momentum along the shot, N s, as shares of those of the first ball
        double energy = 0, momentum = 0;
        for (auto const& b : balls) {
            vec const v = world.twist(b).linear;
            energy += squared_norm(v) / (speed * speed);
            momentum += v.x() / speed;
        }
        return std::pair(energy, momentum);
    };

    // The desk turns about its lower edge by two degrees a second. Two surfaces rub with the geometric mean of their coefficients.
    constexpr std::array<double, 5> mu{0.1, 0.2, 0.3, 0.4, 0.5};
    vec const hinge{1.3, 0.06, 0};
    auto const desk = world.add_fixed({hinge}, {{}, {0, 0, 2 * sinew::pi_v<double> / 180}});
    world.add(sinew::box<double>{{1.3, 0.05, 1.1}}, desk, {.frame = {{1.3, 0, 0}}, .material = material::of(1)});
    std::array<world_type::body_handle, 5> blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i)
        blocks[i] = world.add_solid(sinew::box<double>{{0.16, 0.08, 0.14}}, 500, {hinge + vec{2.3, 0.13, 0.42 * (double(i) - 2)}}, {.material = material::of(mu[i] * mu[i])});

    sinew::recorder page("Newton's cradle, simultaneous impacts, and a friction desk");
    page.camera(0.3, 0.35);
    auto const shown = page.add_colliders(world);
    std::vector<std::pair<sinew::shape_id, vec>> nails;
    for (std::size_t i = 0; i < cradle.size(); ++i)
        for (double const z : {-0.5, 0.5}) {
            nails.emplace_back(page.add_point(0.015, "#5b626d"), nail(i, z));
            page.add_line({nails.back().first, shown[i].second}, "#5b626d", 1.2);
        }

    double last_ball = 0, worst_angle = 0, after_break = 0, least = 1, most = 1;
    std::array<double, 5> slides{};  // angle at which each block begins to slide, degrees
    std::array<vec, 5> place{};      // on the desk
    for (int step = 0; step < 14 * 240; ++step) {
        if (step % 6 == 0) {
            page.frame(world.time());
            page.show(world, shown);
            for (auto const& [id, at] : nails) page.position(id, at);
            for (std::size_t const i : {0u, 4u}) page.plot("speed in the cradle [m/s]", i == 0 ? "first ball" : "last ball", world.twist(cradle[i]).linear.x());
            page.plot("the break, shares of the shot's", "energy", moving().first);
            page.plot("the break, shares of the shot's", "momentum", moving().second);
            for (std::size_t i = 0; i < 5; ++i)
                page.plot("speed of the blocks [m/s]", "mu 0." + std::to_string(i + 1), norm(world.twist(blocks[i]).linear - world.twist(desk).linear));
        }
        if (!world.step(1.0 / 240)) return 1;
        last_ball = std::max(last_ball, world.twist(cradle[4]).linear.x());
        if (step == 140) after_break = moving().second;
        least = std::min(least, moving().first);
        most = std::max(most, moving().first);
        vec const slope = world.pose(desk).direction(vec{1, 0, 0});
        for (std::size_t i = 0; i < 5; ++i) {
            vec const now = world.pose(desk).local_point(world.position(blocks[i]));
            if (step == 120) place[i] = now;
            if (step > 120 && slides[i] == 0 && norm(now - place[i]) > 1e-4) slides[i] = std::atan2(slope.y(), slope.x()) * 180 / sinew::pi_v<double>;
        }
    }
    page.write("15_newtons_cradle_and_impacts.html");

    double const swing = std::sqrt(2 * 9.81 * thread * (1 - std::cos(0.7)));
    std::printf("cradle: the last ball leaves at %.3f m/s; the first came at %.3f\n", last_ball, swing);
    std::printf("break: %.4f of the momentum after it; in 14 s energy between %.4f and %.4f of the shot's\n", after_break, least, most);
    for (std::size_t i = 0; i < 5; ++i) {
        double const law = std::atan(mu[i]) * 180 / sinew::pi_v<double>;
        std::printf("a block of mu %.1f slides at %5.2f degrees; atan(mu) is %5.2f\n", mu[i], slides[i], law);
        worst_angle = std::max(worst_angle, std::abs(slides[i] - law));
    }
    bool const kept = std::abs(after_break - 1) < 1e-3 && least > 0.97 && most < 1.03;
    return std::abs(last_ball - swing) < 0.03 * swing && kept && worst_angle < 0.4 ? 0 : 1;
}
