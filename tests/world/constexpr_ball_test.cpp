// A simulation in a constant expression: a ball that bounces, by shapes, contacts and sequential impulses.

#include <world/constexpr_run.hpp>

namespace {

using namespace sinew;

struct config : default_config {
    using scalar = double;
    using storage = static_storage<capacities{.bodies = 1, .colliders = 2, .contacts = 2}>;
    using errors = null_errors;
};

constexpr double height = 0.5, kept = 0.8;  // m, the fall; of the speed at a hit

struct outcome {
    double energy, top;  // J over that of the ball at rest on the ground; m, greatest height over it after the hit
    bool stepped, hit;
};

// A ball of 1 kg.
constexpr outcome bounce(int steps) {
    world<config, sphere, half_space> w;
    auto const bouncing = material<double>::of(0.5, kept);
    double const radius = 0.2, volume = 4.0 / 3 * pi_v<double> * radius * radius * radius;
    bool stepped = w.add(half_space<double>{}, w.ground(), {.material = bouncing}) ? true : false;
    auto const ball = w.add_solid(sphere<double>{radius}, 1 / volume, {{0, radius + height, 0}}, {.material = bouncing});
    outcome o{0, 0, ball && stepped, false};
    for (int i = 0; i < steps; ++i) {
        o.stepped = w.step(1.0 / 60) && o.stepped;
        o.hit = o.hit || !w.touch_begins().empty();
        if (o.hit) o.top = max(o.top, w.position(ball).y() - radius);
    }
    o.energy = w.energy() - radius * 9.81;
    return o;
}

constexpr outcome after_a_bounce = bounce(40);
static_assert(after_a_bounce.stepped && after_a_bounce.hit);
static_assert(abs(after_a_bounce.top / (kept * kept * height) - 1) < 0.01);
static_assert(abs(after_a_bounce.energy / (kept * kept * height * 9.81) - 1) < 0.01);

TEST(constant_expression, has_the_bits_of_the_same_call_at_run_time_for_a_ball_that_bounces) { sinew_test::expect_same_bits(after_a_bounce, bounce, 40); }

}  // namespace
