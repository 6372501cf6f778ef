// What is round rolls where no position may be edited: sides and rims of cylinders and cones, over faces, over each other.
#include <world/non_penetrating_scene.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace sinew_test;

// Told by its support function alone: the farthest point along d is half^2 d / |half d|.
template <class S>
struct egg {
    sinew::vec3<S> half{S(1), S(1), S(1)};  // m
    constexpr sinew::vec3<S> support(sinew::vec3<S> const& d) const {
        sinew::vec3<S> const r{half[0] * d[0], half[1] * d[1], half[2] * d[2]};
        S const size = norm(r);
        return size > S(0) ? sinew::vec3<S>{half[0] * r[0] / size, half[1] * r[1] / size, half[2] * r[2] / size} : sinew::vec3<S>{};
    }
};

using world_type = moving_world<egg, sinew::sphere, sinew::capsule, sinew::cylinder, sinew::cone, sinew::rounded_cylinder>;
using motion = sinew::non_penetrating<world_type>;

vec along(sinew::quaternion<double> const& q) { return rotate(q, vec{0, 1, 0}); }

// On its side, rolling without sliding: a solid cylinder goes down a slope with 2/3 g sin.
template <class Shape>
void expect_rolls_down(Shape const& shape, double r, double share, bool upside_down) {
    double const angle = 0.3;
    vec const normal{-std::sin(angle), std::cos(angle), 0}, down{-std::cos(angle), -std::sin(angle), 0};
    world_type w;
    auto const at = [&](double height) { return sinew::pose<double>{normal * height, sinew::quaternion_exp(vec{0, 0, angle})}; };
    auto const rough = material::of(1);
    // The order in which they are added decides which of the two is a.
    world_type::body_handle b;
    auto const put = [&] { b = w.add_solid(shape, 1000.0, {at(r).position, sinew::quaternion_exp(vec{quarter, 0, 0})}, {.material = rough}); };
    if (upside_down) put();
    w.add(sinew::box<double>{{5, 0.1, 1}}, w.ground(), {.frame = at(-0.1), .material = rough});
    if (!upside_down) put();
    motion m(w);
    auto const report = m.advance(1.0);
    ASSERT_TRUE(report);
    EXPECT_EQ(report.stopped, 0u);
    EXPECT_GE(report.nearest, -1e-9);
    EXPECT_NEAR(dot(w.position(b) - normal * r, down), share / 2 * g * std::sin(angle), 1e-6);
    EXPECT_NEAR(w.twist(b).angular.z() * r, dot(w.twist(b).linear, down), 1e-6);
}
TEST(non_penetrating_rolling, a_cylinder_rolls_down_at_two_thirds) {
    for (bool const first : {false, true}) expect_rolls_down(sinew::cylinder<double>{0.2, 0.3}, 0.2, 2.0 / 3, first);
}
TEST(non_penetrating_rolling, so_does_one_with_rounded_edges) {
    sinew::rounded_cylinder<double> const shape{{0.15, 0.3}, 0.05};
    auto const p = mass_properties_of<double>(shape, 1000.0);
    double const share = 1 / (1 + p.inertia(1, 1) / (p.mass * 0.04));
    expect_rolls_down(shape, 0.2, share, false);
}
// A ball of which nothing is known but its support function: 5/7 g sin.
TEST(non_penetrating_rolling, what_is_told_by_its_support_function_rolls) {
    double const angle = 0.3, r = 0.2;
    vec const normal{-std::sin(angle), std::cos(angle), 0}, down{-std::cos(angle), -std::sin(angle), 0};
    for (bool const first : {false, true}) {
        world_type w;
        auto const b = w.add(sinew::rigid_body_of(mass_properties_of<double>(ball{r}, 1000.0), sinew::pose<double>{normal * r}));
        auto const shape = [&] { w.add(egg<double>{{r, r, r}}, b, {.material = material::of(1)}); };
        if (first) shape();
        w.add(box{{5, 0.1, 1}}, w.ground(), {.frame = {normal * -0.1, sinew::quaternion_exp(vec{0, 0, angle})}, .material = material::of(1)});
        if (!first) shape();
        motion m(w);
        auto const report = m.advance(1.0);
        ASSERT_TRUE(report);
        EXPECT_EQ(report.stopped, 0u);
        EXPECT_GE(report.nearest, -1e-9);
        EXPECT_NEAR(dot(w.position(b) - normal * r, down), 5.0 / 14 * g * std::sin(angle), 1e-6);
        EXPECT_NEAR(w.twist(b).angular.z() * r, dot(w.twist(b).linear, down), 1e-6);
    }
}
// Of three unequal axes, rolling: nothing slides, so nothing takes energy.
TEST(non_penetrating_rolling, an_egg_that_rolls_keeps_its_energy) {
    for (double const mu : {0.0, 2.0}) {
        world_type w;
        w.add(sinew::half_space<double>{}, w.ground(), {.material = material::of(mu)});
        vec const half{0.3, 0.2, 0.25}, omega{0.3, 0.2, -4};
        auto const b = w.add_solid(egg<double>{half}, 1000.0, {{0, half.y(), 0}}, {.material = material::of(mu)}, {cross(omega, vec{0, half.y(), 0}), omega});
        double const energy = w.energy();
        motion m(w);
        double lowest = 1, highest = 0;
        for (int k = 0; k < 20; ++k) {
            auto const report = m.advance(0.1);
            ASSERT_TRUE(report);
            EXPECT_EQ(report.stopped, 0u);
            EXPECT_NEAR(w.energy(), energy, 1e-5 * energy) << mu << ' ' << w.time();
            lowest = std::min(lowest, w.position(b).y());
            highest = std::max(highest, w.position(b).y());
        }
        EXPECT_GT(highest - lowest, 0.01) << mu;  // it does turn
    }
}
TEST(non_penetrating_rolling, on_the_level_it_goes_on_however_slow) {
    for (double const speed : {3.0, 0.1, 1e-3})
        for (double const mu : {0.0, 0.5}) {
            world_type w;
            w.add(sinew::half_space<double>{}, w.ground(), {.material = material::of(mu)});
            auto const b = w.add_solid(sinew::cylinder<double>{0.2, 0.1}, 1000.0, {{0, 0.2, 0}, sinew::quaternion_exp(vec{quarter, 0, 0})}, {.material = material::of(mu)},
                                       {{speed, 0, 0}, {0, 0, -speed / 0.2}});
            motion m(w);
            auto const report = m.advance(2.0);
            ASSERT_TRUE(report);
            EXPECT_EQ(report.stopped, 0u) << speed;
            EXPECT_NEAR(w.position(b).x(), 2 * speed, 1e-6 * speed) << speed;
            EXPECT_NEAR(w.twist(b).linear.x(), speed, 1e-6 * speed) << speed;
        }
}
// A wheel that leans rolls in a circle if its lean, the circle and the rate W at which it goes round belong together: the balance of angular momentum
// about its centre of mass, dL/dt = W x L = contact x F with F = m (-W^2 radius, g, 0), gives W.
TEST(non_penetrating_rolling, a_leaning_wheel_goes_round_in_a_circle) {
    double const r = 0.2, h = 0.005, theta = 1.2, radius = 0.5;  // radius: of the circle of the centre, m
    double const s = std::sin(theta), c = std::cos(theta);
    // The circle lies about the y axis, the wheel at x = radius, leaning inwards. Of its axis e the outer end points up: e = (s, c, 0).
    vec const e{s, c, 0};
    // Out of the lower face towards -e, the lowest point: -h e + r (c, -s, 0).
    vec const contact = e * -h + vec{c, -s, 0} * r;
    world_type w;
    w.add(sinew::half_space<double>{}, w.ground(), {.material = material::of(2)});
    sinew::cylinder<double> const wheel{r, h};
    auto const p = mass_properties_of<double>(wheel, 1000.0);
    double const I = p.inertia(0, 0), C = p.inertia(1, 1);
    // v = W y x (radius, 0, 0) = (0, 0, -W radius); spin w = W y + n e; v + w x contact = 0 gives n.
    vec const y{0, 1, 0};
    double const n_per_W = (radius - cross(y, contact).z()) / cross(e, contact).z();
    vec const w1 = y + e * n_per_W;  // of W = 1
    auto const momentum = [&](vec const& omega) { return omega * I + e * ((C - I) * dot(omega, e)); };
    double const turn = cross(y, momentum(w1)).z(), side = p.mass * radius;
    // Along z: W^2 turn = contact.x m g + contact.y W^2 side.
    double const W = std::sqrt(contact.x() * p.mass * g / (turn - contact.y() * side));
    auto const q = sinew::quaternion_exp(vec{0, 0, -(quarter - std::atan2(e.y(), e.x()))});
    auto const b = w.add_solid(wheel, 1000.0, {{radius, -contact.y(), 0}, q}, {.material = material::of(2)}, {{0, 0, -W * radius}, w1 * W});
    ASSERT_NEAR(norm(along(w.pose(b).rotation) - e), 0, 1e-12);
    motion m(w);
    for (int k = 1; k <= 10; ++k) {
        auto const report = m.advance(0.1);
        ASSERT_TRUE(report);
        EXPECT_EQ(report.stopped, 0u);
        double const a = W * w.time();
        EXPECT_NEAR(w.position(b).x(), radius * std::cos(a), 1e-5) << k;
        EXPECT_NEAR(w.position(b).z(), -radius * std::sin(a), 1e-5) << k;
        EXPECT_NEAR(along(w.pose(b).rotation).y(), c, 1e-5) << k;
    }
}
// A cone on its side rolls about its tip, which stays: v of the centre is across the line to the tip, and the whole turns at one rate.
TEST(non_penetrating_rolling, a_cone_rolls_about_its_tip) {
    double const r = 0.2, h = 0.3, rate = 2;
    world_type w;
    w.add(sinew::half_space<double>{}, w.ground(), {.material = material::of(1)});
    double const half = std::atan(r / (2 * h));  // half angle
    // Its axis from the base to the tip leans down by it; the tip at the origin, the base towards +x.
    vec const axis{-std::cos(half), -std::sin(half), 0};
    auto const turned = sinew::quaternion_exp(vec{0, 0, std::atan2(axis.y(), axis.x()) - quarter});
    sinew::cone<double> const shape{r, h};
    auto const body = sinew::solid(shape, 1000.0, sinew::pose<double>{axis * -h, turned});
    // Turning about the tip with the line of contact at rest: w along that line (x), so that the axis goes round y at `rate`.
    vec const omega{-rate / std::tan(half), 0, 0};
    auto moving = body.body;
    moving.twist = {cross(omega, moving.pose.position), omega};
    auto const b = w.add(moving);
    w.add(shape, b, {.frame = body.frame, .material = material::of(1)});
    auto const tip = [&] { return w.pose(b).point(body.frame.point(vec{0, h, 0})); };
    ASSERT_NEAR(norm(tip()), 0, 1e-12);
    double const energy = w.energy();
    motion m(w);
    auto const report = m.advance(1.0);
    ASSERT_TRUE(report);
    EXPECT_EQ(report.stopped, 0u);
    EXPECT_NEAR(w.energy(), energy, 1e-5 * energy);
    EXPECT_NEAR(norm(tip()), 0, 1e-5);
    vec const to = normalize(w.position(b) - vec{0, w.position(b).y(), 0});
    EXPECT_NEAR(std::abs(std::atan2(to.z(), to.x())), rate, 1e-5);
}
// On two rails, and of a ball on a cylinder that is fixed: what touches the side is carried round as by a capsule.
TEST(non_penetrating_rolling, a_cylinder_is_to_edges_and_balls_what_a_capsule_is) {
    auto const ball_on = [](auto const& log, double speed) {
        world_type w;
        w.add(log, w.ground(), {.frame = {{}, sinew::quaternion_exp(vec{quarter, 0, 0})}, .material = material::of(0)});
        auto const b = w.add_solid(sinew::sphere<double>{0.1}, 1000.0, {{0, 0.4, 0}}, {.material = material::of(0)}, {{speed, 0, 0.05}, {}});
        motion m(w);
        EXPECT_TRUE(m.advance(0.3));
        return w.position(b);
    };
    EXPECT_NEAR(norm(ball_on(sinew::cylinder<double>{0.3, 1}, 0.5) - ball_on(sinew::capsule<double>{0.3, 1}, 0.5)), 0, 1e-7);
    auto const on_rails = [](auto const& roller) {
        world_type w;
        for (double const z : {-0.2, 0.2})
            w.add(sinew::box<double>{{5, 0.05, 0.05}}, w.ground(), {.frame = {{0, -0.05 * std::sqrt(2.0), z}, sinew::quaternion_exp(vec{quarter / 2, 0, 0})}, .material = material::of(1)});
        auto body = sinew::rigid_body_of(mass_properties_of<double>(sinew::cylinder<double>{0.2, 0.4}, 1000.0), sinew::pose<double>{{0, 0.2, 0}, sinew::quaternion_exp(vec{quarter, 0, 0})});
        body.twist = {{1, 0, 0}, {0, 0, -5}};
        auto const b = w.add(body);
        w.add(roller, b, {.material = material::of(1)});
        motion m(w);
        auto const report = m.advance(1.0);
        EXPECT_TRUE(report);
        EXPECT_EQ(report.stopped, 0u);
        return w.position(b);
    };
    EXPECT_NEAR(on_rails(sinew::cylinder<double>{0.2, 0.4}).x(), 1, 1e-6);
    EXPECT_NEAR(on_rails(sinew::capsule<double>{0.2, 0.4}).x(), 1, 1e-6);
}

}  // namespace
