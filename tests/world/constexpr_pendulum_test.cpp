// A simulation in a constant expression: a double pendulum under multipliers, by Runge and Kutta.

#include <world/constexpr_run.hpp>

namespace {

using namespace sinew;

struct config : default_config {
    using scalar = double;
    using integrator = rk4;
    using solver = lagrange_multipliers<cholesky>;
    using storage = static_storage<capacities{.constraints = 1, .particles = 2}>;
    using errors = null_errors;
};

struct outcome {
    double energy, apart, way;  // J, of 0 where it begins; m, of the rods; m
    bool stepped;
};

// Two points of 1 kg on rods of 1 m, let go from the horizontal.
constexpr outcome swing(int steps) {
    world<config, particle_body_distance, particle_distance> w;
    auto const a = w.add(particle<double>{1, {1, 0, 0}}), b = w.add(particle<double>{1, {2, 0, 0}});
    bool stepped = w.add(particle_body_distance<double>{{}, {}, 1}, a, w.ground()) && w.add(particle_distance<double>{{}, {}, 1}, a, b);
    for (int i = 0; i < steps; ++i) stepped = w.step(1.0 / 200) && stepped;
    double const upper = norm(w.position(a)) - 1, lower = norm(w.position(b) - w.position(a)) - 1;
    return {w.energy(), max(abs(upper), abs(lower)), norm(w.position(b) - vec3<double>{2, 0, 0}), stepped};
}

constexpr outcome after_a_second = swing(200);
static_assert(after_a_second.stepped && after_a_second.way > 1);
static_assert(abs(after_a_second.energy) < 1e-6);  // of 19.6 J that went from height to speed and in part back
static_assert(after_a_second.apart < 1e-6);

TEST(constant_expression, has_the_bits_of_the_same_call_at_run_time_for_a_double_pendulum) { sinew_test::expect_same_bits(after_a_second, swing, 200); }

}  // namespace
