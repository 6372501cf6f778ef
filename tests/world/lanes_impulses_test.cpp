// Worlds whose scalar has lanes, under sequential impulses: every lane has the bits of a world that is alone.

#include "lanes_scene.hpp"

namespace {

using namespace lanes_scene;

template <class S>
using impulses = machine_world<S, sequential_impulses>;

TEST(lanes_under_sequential_impulses, are_worlds_that_are_alone) { expect_lanes_of_worlds<impulses, batch<float, 8>>(machine, as_it_is, 200, 60); }
TEST(lanes_under_sequential_impulses, are_sixteen_worlds_too) { expect_lanes_of_worlds<impulses, batch<float, 16>>(machine, as_it_is, 60, 60); }

TEST(lanes_under_sequential_impulses, are_worlds_that_are_alone_under_other_settings) {
    expect_lanes_of_worlds<impulses, batch<float, 8>>(
        machine,
        [](auto& w) {
            w.solver.substeps = 1;
            w.solver.iterations = 8;
            w.solver.relaxing_iterations = 0;
            w.solver.feedback = position_feedback::baumgarte;
            w.gyroscopic = gyroscopic_term::explicit_euler;
        },
        60, 120);
}

// A world in lanes is a value as any other: copies and saved states go on alike.
TEST(lanes_under_sequential_impulses, are_copied_saved_and_compared) {
    using B = batch<float, 8>;
    impulses<B> a;
    build_machine<B>(a, 0);
    for (int s = 0; s < 20; ++s) ASSERT_TRUE(a.step(B(1.0f / 60)));
    auto const saved = a.save();
    auto b = a;
    for (int s = 0; s < 20; ++s) {
        ASSERT_TRUE(a.step(B(1.0f / 60)));
        ASSERT_TRUE(b.step(B(1.0f / 60)));
    }
    EXPECT_TRUE(saved == saved);
    EXPECT_FALSE(a.save() == saved);
    EXPECT_TRUE(a.save() == b.save());
    ASSERT_TRUE(b.restore(saved));
    for (int s = 0; s < 20; ++s) ASSERT_TRUE(b.step(B(1.0f / 60)));
    EXPECT_TRUE(a.save() == b.save());
}

// Steps of other lengths, and another gravity, in each lane.
TEST(lanes_under_sequential_impulses, have_their_own_gravity_and_step) {
    using B = batch<float, 8>;
    auto const gravity = [](double i) { return -9.81 + i; };
    auto const length = [](double i) { return (1 + 0.1 * i) / 60; };
    impulses<B> wide;
    wide.gravity.y() = by_lane<B>(0, gravity);
    build_machine<B>(wide, 0);
    for (int s = 0; s < 30; ++s) ASSERT_TRUE(wide.step(by_lane<B>(0, length)));
    for (std::size_t i = 0; i < 8; ++i) {
        impulses<float> alone;
        alone.gravity.y() = by_lane<float>(i, gravity);
        build_machine<float>(alone, i);
        for (int s = 0; s < 30; ++s) ASSERT_TRUE(alone.step(by_lane<float>(i, length)));
        expect_lane(wide, alone, i);
    }
}

// What one lane cannot be, the world refuses; and if one lane would leave the numbers, all stay where they are.
TEST(lanes_under_sequential_impulses, refuse_together) {
    using B = batch<float, 8>;
    impulses<B> w;
    EXPECT_THROW((void)w.add(rigid_body_of(solid_sphere(with_lane(B(1), 2, -1.0f), B(1)), pose<B>{})), std::invalid_argument);
    EXPECT_EQ(w.last_error().code, errc::not_positive);
    auto const h = w.add(rigid_body_of(solid_sphere(B(1), B(1)), pose<B>{}));
    ASSERT_TRUE(w.step(B(0.01f)));
    auto const before = w.position(h);
    EXPECT_THROW((void)w.set_twist(h, {{with_lane(B(0), 1, infinity_v<float>), B(0), B(0)}, {}}), std::invalid_argument);
    ASSERT_TRUE(w.set_twist(h, {{with_lane(B(0), 1, 3e38f), B(0), B(0)}, {}}));
    EXPECT_EQ(w.step(B(100)).status, step_status::not_finite);
    EXPECT_TRUE(all(w.position(h) == before));
}

}  // namespace
