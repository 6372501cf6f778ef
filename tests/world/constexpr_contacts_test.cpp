// Contacts in constant expressions: on the heap, and over other numbers than double.

#include <world/constexpr_run.hpp>

namespace {

using namespace sinew;

struct outcome {
    double energy, top;  // J; m, height of its middle in the end
    bool stepped, hit;
};

struct config_on_the_heap : default_config {
    using scalar = double;
    using errors = null_errors;
};

// A crate on the ground, on the heap: its four contacts go on from step to step in lanes, of which four are empty.
constexpr outcome drop(vec3<double> const& half, double density, pose<double> const& at, twist<double> const& t, int steps) {
    world<config_on_the_heap, box, half_space> w;
    bool stepped = w.add(half_space<double>{}, w.ground()) ? true : false;
    auto const crate = w.add_solid(box<double>{half}, density, at, {}, t);
    outcome o{0, 0, crate && stepped, false};
    for (int i = 0; i < steps; ++i) {
        o.stepped = w.step(1.0 / 64) && o.stepped;
        o.hit = o.hit || !w.touch_begins().empty();
    }
    o.top = w.position(crate).y();
    o.energy = w.energy();
    return o;
}
// Of 80 kg, let fall from 1 cm above it.
constexpr outcome land(int steps) { return drop({0.5, 0.5, 0.5}, 80, {{0, 0.51, 0}, {}}, {}, steps); }
// One that tumbles: in some of the lanes nothing slips.
constexpr outcome tumble(int steps) { return drop({0.3, 0.2, 0.25}, 500, {{0, 0.25, 0}, quaternion_exp(vec3<double>{0.1, 0.2, 0.05})}, {{1, 0, 0}, {}}, steps); }

constexpr outcome after_landing = land(10);
static_assert(after_landing.stepped && after_landing.hit);
static_assert(abs(after_landing.top - 0.5) < 1e-3);
constexpr outcome after_tumbling = tumble(12);
static_assert(after_tumbling.stepped && after_tumbling.hit);

TEST(constant_expression, has_the_bits_of_the_same_call_at_run_time_for_a_crate_that_lands_on_the_heap) {
    sinew_test::expect_same_bits(after_landing, land, 10);
}
TEST(constant_expression, has_the_bits_of_the_same_call_at_run_time_for_a_crate_that_tumbles_on_the_heap) {
    sinew_test::expect_same_bits(after_tumbling, tumble, 12);
}

// Over other numbers: a ball that comes down at 1 m/s and lies.
template <class S>
struct config_over : default_config {
    using scalar = S;
    using errors = null_errors;
    using storage = static_storage<capacities{.bodies = 2, .constraints = 1, .colliders = 2, .contacts = 4}>;
};
template <class S>
constexpr bool lands(int steps) {
    world<config_over<S>, sphere, half_space> w;
    S const radius = S(1) / S(4);
    bool fine = w.add(half_space<S>{}, w.ground()) ? true : false;
    auto const ball = w.add_solid(sphere<S>{radius}, S(50), {{S(0), radius + S(1) / S(16), S(0)}, {}}, {}, {{S(1), S(-1), S(0)}, {}});
    for (int i = 0; i < steps; ++i) fine = static_cast<bool>(w.step(S(1) / S(64))) && fine;
    return fine && all(abs(w.position(ball).y() - radius) < S(1) / S(100));
}
static_assert(lands<float>(8));
static_assert(lands<long double>(8));
static_assert(lands<dual<double, 2>>(8));
static_assert(lands<batch<float, 4>>(8));
static_assert(lands<fixed<31, 32>>(8));

}  // namespace
