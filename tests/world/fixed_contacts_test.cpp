// Worlds of contacts in fixed point: what rests stays, what slides goes by Coulomb's law, and round shapes find each other.

#include "fixed_point.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

namespace {

using namespace fixed_point;
using sinew::box;
using sinew::cylinder;
using sinew::half_space;
using sinew::sphere;
using sinew::vec3;

template <class S>
using plane_world = sinew::world<config<S>, box, cylinder, sphere, half_space>;
template <class S>
using body_of = decltype(std::declval<plane_world<S>&>().ground());

// Under gravity that leans by an angle (rad), which is a slope for whoever lives on it.
template <class S>
[[nodiscard]] plane_world<S> on_a_slope(double angle) {
    plane_world<S> world;
    world.gravity = numbers<S>(9.81 * std::sin(angle), -9.81 * std::cos(angle), 0);
    world.add(half_space<S>{}, world.ground());
    return world;
}
// A cube of 1 m and 1 kg.
template <class S>
[[nodiscard]] body_of<S> add_cube(plane_world<S>& world, double height) {
    return world.add_solid(box<S>{numbers<S>(0.5, 0.5, 0.5)}, S(1), sinew::pose<S>{numbers<S>(0, height, 0), {}});
}
template <class S>
void run(plane_world<S>& world, int steps) {
    for (int i = 0; i < steps; ++i) ASSERT_EQ(world.step(S(1) / S(64)).status, sinew::step_status::ok) << i;
}

template <class S>
class contacts_in_fixed_point : public testing::Test {};
using formats = testing::Types<q16, q32>;
TYPED_TEST_SUITE(contacts_in_fixed_point, formats);

TYPED_TEST(contacts_in_fixed_point, cube_comes_to_rest) {
    using S = TypeParam;
    auto world = on_a_slope<S>(0);
    auto const cube = add_cube(world, 0.6);
    run(world, 128);
    for (int i = 0; i < 128; ++i) {
        run(world, 1);
        ASSERT_NEAR(real(world.position(cube).y()), 0.5, 1e-3);
        ASSERT_NEAR(real(world.position(cube).x()), 0, 1e-3);
        ASSERT_LT(real(norm(world.twist(cube).linear)), 2e-3);
        ASSERT_LT(real(norm(world.twist(cube).angular)), 2e-3);
    }
}

// Friction of 0.6 holds up to atan 0.6 = 0.54 rad.
TYPED_TEST(contacts_in_fixed_point, cube_sticks_on_a_gentle_slope) {
    using S = TypeParam;
    auto world = on_a_slope<S>(0.3);
    auto const cube = add_cube(world, 0.501);
    run(world, 64);
    double const x = real(world.position(cube).x());
    run(world, 192);
    EXPECT_NEAR(real(world.position(cube).x()), x, 2e-3);
    EXPECT_LT(std::abs(x), 2e-2);
}

// On a steep one it slides with g (sin a - mu cos a).
TYPED_TEST(contacts_in_fixed_point, cube_slides_by_the_law) {
    using S = TypeParam;
    auto world = on_a_slope<S>(0.7);
    auto const cube = add_cube(world, 0.5);
    run(world, 32);
    double const before = real(world.twist(cube).linear.x());
    run(world, 64);
    EXPECT_NEAR(real(world.twist(cube).linear.x()) - before, 9.81 * (std::sin(0.7) - 0.6 * std::cos(0.7)), 0.02);
}

// Without slipping, at the speed that it began with; down a gentle slope as over double, with 5/7 of what gravity does along it. It goes by arcs, whose ends
// Q15.16 has no digits for.
template <class S>
[[nodiscard]] vec3<double> rolled(double angle) {
    auto world = on_a_slope<S>(angle);
    auto const ball = world.add_solid(sphere<S>{number<S>(0.25)}, S(20), sinew::pose<S>{numbers<S>(0, 0.25, 0), {}}, {}, {numbers<S>(2, 0, 1), numbers<S>(4, 0, -8)});
    for (int i = 0; i < 128; ++i) EXPECT_EQ(world.step(S(1) / S(64)).status, sinew::step_status::ok) << i;
    vec3<S> const at = world.position(ball);
    return {real(at.x()), real(at.y()), real(at.z())};
}
TYPED_TEST(contacts_in_fixed_point, ball_rolls_by_the_law) {
    using S = TypeParam;
    double const tolerance = sinew::has_small_squares_v<S> ? 1e-6 : 3e-2;
    vec3<double> const level = rolled<S>(0);
    EXPECT_NEAR(level.x(), 4, tolerance);
    EXPECT_NEAR(level.z(), 2, tolerance);
    double const a = 5.0 / 7 * 9.81 * std::sin(0.1);
    vec3<double> const down = rolled<S>(0.1), exact = rolled<double>(0.1);
    EXPECT_NEAR(down.x(), exact.x(), tolerance);
    EXPECT_NEAR(down.z(), exact.z(), tolerance);
    EXPECT_NEAR(exact.x(), 4 + 2 * a, 2 * a / 64);  // no more than what a step of the first order leaves
}

// The feedback of a short substep has an angular frequency beyond Q15.16, and still holds what lies. What has no room even for the rate of substeps is refused.
TYPED_TEST(contacts_in_fixed_point, ball_lies_however_short_the_step) {
    using S = TypeParam;
    for (auto const& [rate, substeps] : {std::pair(64, 400), std::pair(2048, 4), std::pair(4096, 4), std::pair(4096, 5)}) {
        auto world = on_a_slope<S>(0);
        world.solver.substeps = substeps;
        auto const ball = world.add_solid(sphere<S>{number<S>(0.25)}, S(20), sinew::pose<S>{numbers<S>(0, 0.25, 0), {}});
        for (int i = 0; i < rate / 4; ++i) ASSERT_EQ(world.step(S(1) / S(rate)).status, sinew::step_status::ok) << rate << ' ' << substeps;
        EXPECT_NEAR(real(world.position(ball).y()), 0.25, 2e-3) << rate << ' ' << substeps;
    }
}
template <class Solver>
struct told : config<q16, Solver> {
    using errors = sinew::error_codes;
};
template <class Solver>
class short_steps_in_fixed_point : public testing::Test {};
using strategies_with_substeps = testing::Types<sinew::sequential_impulses, sinew::lagrange_impulses<sinew::dantzig>, sinew::nonlinear_gauss_seidel, sinew::jacobi>;
TYPED_TEST_SUITE(short_steps_in_fixed_point, strategies_with_substeps);

TYPED_TEST(short_steps_in_fixed_point, are_refused_where_their_rate_has_no_room) {
    sinew::world<told<TypeParam>, sphere, half_space> world;
    world.add(half_space<q16>{}, world.ground());
    world.add_solid(sphere<q16>{0.25}, q16(20), sinew::pose<q16>{numbers<q16>(0, 0.25, 0), {}});
    world.solver.substeps = 4;
    auto const before = world;
    EXPECT_EQ(world.step(q16(1) / q16(8192)).status, sinew::step_status::invalid_step);
    EXPECT_TRUE(world == before);
    EXPECT_EQ(world.last_error().code, sinew::errc::invalid_parameter);
    world.solver.substeps = 2;
    EXPECT_EQ(world.step(q16(1) / q16(8192)).status, sinew::step_status::ok);
}

// Five substeps of 64 last places are no whole number of them each, and yet 64 together.
TYPED_TEST(contacts_in_fixed_point, substeps_together_are_the_step) {
    using S = TypeParam;
    sinew::world<config<S>, sphere> world;
    world.gravity = {};
    world.solver.substeps = 5;
    auto const ball = world.add_solid(sphere<S>{number<S>(0.25)}, S(20), sinew::pose<S>{}, {}, {numbers<S>(1, 0, 0), {}});
    for (int i = 0; i < 1024; ++i) ASSERT_EQ(world.step(S(1) / S(1024)).status, sinew::step_status::ok) << i;
    EXPECT_EQ(world.position(ball).x(), S(1));
    EXPECT_EQ(world.time(), S(1));
}

TYPED_TEST(contacts_in_fixed_point, stack_stands_and_repeats) {
    using S = TypeParam;
    auto world = on_a_slope<S>(0);
    std::array<body_of<S>, 4> cube;
    for (std::size_t i = 0; i < 4; ++i) cube[i] = add_cube(world, 0.51 + 1.01 * static_cast<double>(i));
    auto copy = world;
    run(world, 192);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(real(world.position(cube[i]).y()), 0.5 + static_cast<double>(i), 3e-3) << i;
        EXPECT_NEAR(real(world.position(cube[i]).x()), 0, 5e-3) << i;
        EXPECT_NEAR(real(world.position(cube[i]).z()), 0, 5e-3) << i;
    }
    run(copy, 192);
    EXPECT_TRUE(copy == world);
}

// What would stop a slip at once is far more than the friction may be: its square leaves Q15.16.
TYPED_TEST(contacts_in_fixed_point, friction_is_cut_along_its_direction) {
    using S = TypeParam;
    sinew::vec<S, 3> const cut = sinew::friction_cone::within(sinew::vec<S, 3>{S(10), S(3000), S(-4000)}, S(5));
    EXPECT_EQ(cut[0], S(10));
    EXPECT_NEAR(real(cut[1]), 3, 1e-3);
    EXPECT_NEAR(real(cut[2]), -4, 1e-3);
    sinew::vec<S, 3> const held = sinew::friction_cone::within(sinew::vec<S, 3>{S(10), number<S>(0.001), number<S>(-0.002)}, number<S>(0.003));
    EXPECT_EQ(held[1], number<S>(0.001));
    EXPECT_EQ(held[2], number<S>(-0.002));
}

// 80 kg from a metre's height onto a corner, at 1280 substeps a second: as a force such a hit has no room before the point, as an impulse it has.
TYPED_TEST(contacts_in_fixed_point, hard_hits_are_taken_however_short_the_steps) {
    using S = TypeParam;
    for (double const bounce : {0.0, 0.5})
        for (int i = 0; i < 12; ++i) {
            SCOPED_TRACE(testing::Message() << "bounce " << bounce << ", tilt " << i);
            plane_world<S> world;
            auto const surface = sinew::material<S>::of(number<S>(0.5), number<S>(bounce));
            world.add(half_space<S>{}, world.ground(), {.material = surface});
            double const a = 0.25 * i - 1.5, b = 0.6 - 0.1 * i, c = 0.17 * i - 0.8;
            auto const crate = world.add_solid(box<S>{numbers<S>(0.5, 0.25, 0.5)}, S(160), sinew::pose<S>{numbers<S>(0, 1, 0), quaternion_exp(numbers<S>(a, b, c))}, {.material = surface});
            for (int k = 0; k < 1024; ++k) ASSERT_EQ(world.step(S(1) / S(256)).status, sinew::step_status::ok) << "step " << k;
            EXPECT_GT(real(world.position(crate).y()), 0.24);
            EXPECT_LT(real(world.position(crate).y()), 0.6);
            EXPECT_LT(real(norm(world.twist(crate).linear)), 1);
        }
}

template <class S>
struct only_scalar : sinew::default_config {
    using scalar = S;
};
// A capsule that is nearly laid down touches what is flat along a line, at three points or, on a mesh, at four: between their pushes stands little but rounding.
TYPED_TEST(contacts_in_fixed_point, hard_landings_along_a_line_are_taken) {
    using S = TypeParam;
    using sinew::capsule, sinew::triangle_mesh;
    auto const ground = sinew::mesh_of(std::vector<vec3<S>>{numbers<S>(-16, 0, -16), numbers<S>(16, 0, -16), numbers<S>(-16, 0, 16), numbers<S>(16, 0, 16)},
                                       std::vector<std::array<std::uint32_t, 3>>{{0, 2, 1}, {1, 2, 3}});
    for (bool const on_mesh : {false, true})
        for (int i = 0; i < 24; ++i) {
            SCOPED_TRACE(testing::Message() << (on_mesh ? "mesh, " : "box, ") << i);
            sinew::world<only_scalar<S>, capsule, box, triangle_mesh> world;
            sinew::collider_options<S> options{.material = sinew::material<S>::of(number<S>(0.0625 * (i % 8)))};
            if (on_mesh) {
                world.add(ground, world.ground(), options);
            } else {
                options.frame.position = numbers<S>(0, -1, 0);
                world.add(box<S>{numbers<S>(16, 1, 16)}, world.ground(), options);
                options.frame = {};
            }
            auto const body = world.add_solid(capsule<S>{number<S>(0.2), number<S>(0.3)}, S(184),  // 20 kg
                                              sinew::pose<S>{numbers<S>(0.3, 1 + i / 64.0, 0.7), quaternion_exp(numbers<S>(0.1 * i - 1.2, 0.3, 0.5))}, options,
                                              {numbers<S>(i % 2 == 0 ? 0 : 18, -20, 0), {}});
            for (int k = 0; k < 64; ++k) ASSERT_EQ(world.step(S(1) / S(64)).status, sinew::step_status::ok) << "step " << k;
            EXPECT_GT(real(world.position(body).y()), 0.15);
            EXPECT_LT(norm(world.twist(body).linear), S(20));
        }
}

// A slip of a millimetre has a direction, though its square is 0 in Q15.16; and what a contact remembers is a contact that may be set.
TYPED_TEST(contacts_in_fixed_point, contact_turns_along_a_short_slip) {
    using S = TypeParam;
    using P = sinew::pose<S>;
    vec3<S> const up{S(0), S(1), S(0)}, moved = numbers<S>(0.0006, 0, 0.0008);
    auto const friction = sinew::material<S>::of(number<S>(0.5));
    auto const last = sinew::contact<S>::at(P{}, P{}, vec3<S>{}, vec3<S>{}, up, friction);
    auto now = sinew::contact<S>::at(P{}, P{moved, {}}, moved, moved, up, friction);
    now.continue_from(last, sinew::vec<S, 3>{S(10), S(5), S(0)}, P{}, P{moved, {}}, number<S>(0.01));
    EXPECT_TRUE(now.slides);
    EXPECT_NEAR(real(dot(now.tangent, moved)), 0.001, 3e-5);
    EXPECT_EQ(now.fault().name, nullptr) << now.fault().requirement;
}

// The nearest points of a cylinder and a box come from a search over products of four lengths: of decimetres, 1e-4 m^4.
TYPED_TEST(contacts_in_fixed_point, cylinder_stands_on_a_small_box) {
    using S = TypeParam;
    auto world = on_a_slope<S>(0);
    // 1000 kg/m^3: a box of 8 kg and a cylinder of 6 kg
    auto const lower = world.add_solid(box<S>{numbers<S>(0.1, 0.1, 0.1)}, S(1000), sinew::pose<S>{numbers<S>(0, 0.1, 0), {}});
    auto const upper = world.add_solid(cylinder<S>{number<S>(0.1), number<S>(0.1)}, S(1000), sinew::pose<S>{numbers<S>(0.02, 0.301, 0.01), {}});
    run(world, 192);
    EXPECT_NEAR(real(world.position(lower).y()), 0.1, 1e-3);
    EXPECT_NEAR(real(world.position(upper).y()), 0.3, 2e-3);
    EXPECT_NEAR(real(world.position(upper).x()), 0.02, 5e-3);
    EXPECT_NEAR(real(world.position(upper).z()), 0.01, 5e-3);
}

}  // namespace
