// Shapes in worlds whose scalar has lanes: bodies fall onto half spaces, slide, roll, bounce and come to rest, in every lane elsewhere; each lane has the bits of
// a world that is alone.

#include "lanes_drops.hpp"

namespace {

using namespace lanes_drops;

TEST(lanes_on_half_spaces, slide_roll_and_bounce_as_worlds_that_are_alone) {
    expect_lanes_of_drops<plain, batch<float, 8>>(1, 0.8, 300, as_it_is);
    expect_lanes_of_drops<plain, batch<float, 8>>(2, 0, 100, as_it_is);
}
TEST(lanes_on_half_spaces, are_sixteen_worlds_too) { expect_lanes_of_drops<plain, batch<float, 16>>(9, 0.8, 120, as_it_is); }
TEST(lanes_on_half_spaces, are_worlds_that_are_alone_under_other_settings) {
    expect_lanes_of_drops<plain, batch<float, 8>>(3, 0.8, 100, [](auto& w) {
        w.solver.substeps = 1;
        w.solver.iterations = 8;
        w.solver.relaxing_iterations = 0;
        w.solver.feedback = position_feedback::baumgarte;
    });
    expect_lanes_of_drops<plain, batch<float, 8>>(4, 0.5, 60, [](auto& w) {
        w.solver.substeps = 2;
        w.solver.contact_stride = 2;
        w.solver.iterations = 4;
        w.collision.margin = decltype(w.collision.margin)(0.1f);
    });
}
TEST(lanes_on_half_spaces, rub_by_other_laws) {
    expect_lanes_of_drops<pyramids, batch<double, 4>>(5, 0.6, 80, as_it_is);
    expect_lanes_of_drops<lagged, batch<float, 4>>(6, 0.6, 80, as_it_is);
}

// What lies where it lay is asked whether it slides as the surfaces are now, by how rough they have become.
TEST(lanes_on_half_spaces, are_given_other_surfaces) {
    for (unsigned seed = 30; seed < 34; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        expect_lanes_of_worlds<ground, batch<float, 8>>([&](auto& w, auto scalar, std::size_t lane) { build_drops<typename decltype(scalar)::type>(w, lane, seed, 0); }, as_it_is, 120, 60,
                                                        [](auto& w, int step) {
                                                            using S = typename std::remove_cvref_t<decltype(w)>::scalar_type;
                                                            if (step % 20 == 0) w.for_each_shape([&](auto const&, auto h) { ASSERT_TRUE(w.set_material(h, material<S>::of(of<S>(step % 40 == 0 ? 0.9 : 0.05)))); });
                                                        });
    }
}
// A body that is let touch gets its speed back after the step, by an inertia that has turned: in lanes in which it turns little, too.
TEST(lanes_on_half_spaces, touch_while_other_lanes_tumble) {
    for (unsigned seed = 1352; seed < 1360; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        expect_lanes_of_worlds<ground, batch<float, 8>>(
            [&](auto& w, auto scalar, std::size_t lane) {
                using S = typename decltype(scalar)::type;
                numbers of_lane{std::mt19937(seed)};
                w.add(half_space<S>{}, w.ground());
                drop(w, lane, of_lane, S(0), 0, material<S>{}, 0.9, false, 2);
            },
            [](auto& w) { w.solver.substeps = 1; }, 60, 60);
    }
}

TEST(lanes_on_half_spaces, lie_on_soft_ground_and_on_a_belt) {
    expect_lanes_of_worlds<ground, batch<float, 8>>(on_soft_ground_and_a_belt, as_it_is, 150, 60);
}

// Boxes that ball joints join fall in a heap.
TEST(lanes_on_half_spaces, hold_together_by_joints) {
    expect_lanes_of_worlds<ground, batch<float, 8>>(
        [](auto& w, auto scalar, std::size_t lane) {
            using S = typename decltype(scalar)::type;
            w.add(half_space<S>{}, w.ground());
            S const half = by_lane<S>(lane, [](double i) { return 0.2 + 0.02 * i; }), zero(0), height = by_lane<S>(lane, [](double i) { return 0.3 + 0.1 * i; });
            handle<rigid> previous{};
            for (int k = 0; k < 5; ++k) {
                S const x = half * of<S>(2 * k);
                auto const link = w.add_solid(box<S>{{half, of<S>(0.1), of<S>(0.15)}}, of<S>(800), {{x, height + of<S>(0.05 * k), zero}, {}}, {.filter = alone});
                if (k > 0) w.add(ball_joint<S>::at(w.pose(previous), w.pose(link), {x - half, height, zero}), previous, link);
                previous = link;
            }
        },
        as_it_is, 150, 60);
}

// And the laws: what lies presses with its weight, what slides stops after v^2 / (2 mu g).
TEST(lanes_on_half_spaces, stop_and_press) {
    using B = batch<float, 8>;
    ground<B> w;
    auto const speed = [](double i) { return 1 + 0.5 * i; };
    auto const mu = [](double i) { return 0.2 + 0.05 * i; };
    auto const rough = material<B>::of(by_lane<B>(0, mu));
    w.add(half_space<B>{}, w.ground(), {.material = rough});
    auto const body = w.add(rigid_body_of(solid_box(by_lane<B>(0, [](double i) { return 1 + i; }), vec3<B>{B(1), B(0.2f), B(1)}), pose<B>{{B(0), B(0.1f), B(0)}, {}}));
    auto const shape = w.add(box<B>{{B(0.5), B(0.1f), B(0.5)}}, body, {.material = rough});
    ASSERT_TRUE(w.set_twist(body, {{by_lane<B>(0, speed), B(0), B(0)}, {}}));
    for (int s = 0; s < 180; ++s) ASSERT_TRUE(w.step(B(1.0f / 60)));
    for (std::size_t i = 0; i < 8; ++i) {
        double const d = static_cast<double>(i), way = speed(d) * speed(d) / (2 * mu(d) * 9.81);
        EXPECT_NEAR(w.position(body).x()[i], way, 0.02 * way) << "lane " << i;
        EXPECT_NEAR(w.position(body).y()[i], 0.1, 1e-3) << "lane " << i;
        EXPECT_NEAR(w.pressing(shape)[i], (1 + d) * 9.81, 0.01 * (1 + d) * 9.81) << "lane " << i;
    }
}

TEST(lanes_on_half_spaces, are_copied_saved_and_compared) {
    using B = batch<float, 8>;
    ground<B> a;
    build_drops<B>(a, 0, 8, 0.5);
    for (int s = 0; s < 40; ++s) ASSERT_TRUE(a.step(B(1.0f / 60)));
    auto const saved = a.save();
    auto b = a;
    EXPECT_TRUE(a.save() == b.save());
    for (int s = 0; s < 20; ++s) {
        ASSERT_TRUE(a.step(B(1.0f / 60)));
        ASSERT_TRUE(b.step(B(1.0f / 60)));
    }
    EXPECT_TRUE(a.save() == b.save());
    EXPECT_FALSE(a.save() == saved);
    ASSERT_TRUE(b.restore(saved));
    for (int s = 0; s < 20; ++s) ASSERT_TRUE(b.step(B(1.0f / 60)));
    EXPECT_TRUE(a.save() == b.save());
    // What is removed takes its contacts along.
    std::size_t const contacts = a.contacts().size();
    a.for_each_body([&](auto h) {
        if (h.index == 1) {
            EXPECT_TRUE(a.remove(h));
        }
    });
    EXPECT_LT(a.contacts().size(), contacts);
    ASSERT_TRUE(a.step(B(1.0f / 60)));
}

// What cannot differ by lane.
TEST(lanes_on_half_spaces, refuse_what_they_cannot_have) {
    using B = batch<float, 8>;
    ground<B> w;
    auto const body = w.add(rigid_body_of(solid_sphere(B(1), B(1)), pose<B>{}));
    sphere<B> const ball{B(1)};
    EXPECT_THROW((void)w.add(ball, body, {.sensor = true}), std::invalid_argument);
    EXPECT_THROW((void)w.add(ball, body, {.continuous = true}), std::invalid_argument);
    EXPECT_THROW((void)w.add(ball, w.ground()), std::invalid_argument);
    EXPECT_THROW((void)w.add(half_space<B>{}, body), std::invalid_argument);
    ASSERT_TRUE(w.add(ball, body));
    EXPECT_THROW((void)w.add(ball, body), std::invalid_argument);
    ASSERT_TRUE(w.add(half_space<B>{}, w.ground()));
    EXPECT_THROW((void)w.add(half_space<B>::at({B(0), B(-1), B(0)}, {by_lane<B>(0, [](double i) { return i == 5 ? 0 : 1; }), B(1), B(0)}), w.ground()), std::invalid_argument);
    material<B> rolls;
    rolls.rolling_friction = with_lane(B(0), 3, 0.1f);
    EXPECT_THROW((void)w.add(half_space<B>::at({B(0), B(0), B(0)}, {B(1), B(0), B(0)}), w.ground(), {.material = rolls}), std::invalid_argument);
}

template <class S>
struct plain_config : default_config {
    using scalar = S;
};
// Rates that are left over are those of the contacts that a lane has, and not of another's.
TEST(lanes_on_half_spaces, report_what_is_left_as_worlds_that_are_alone) {
    auto const left_over = []<class S>(S const& height) {
        world<plain_config<S>, sphere, half_space> w;
        w.solver.measure_rates = true;
        w.add(half_space<S>{}, w.ground());
        w.add_solid(sphere<S>{S(0.5f)}, S(1000), pose<S>{{S(0), height, S(0)}, {}});
        step_report<S> r;
        for (int i = 0; i < 3; ++i) r = w.step(S(1.0f / 64));
        return r.residual;
    };
    batch<float, 4> heights(0.5f);
    heights[1] = 5;
    heights[3] = 0.505f;
    auto const wide = left_over(heights);
    for (std::size_t lane = 0; lane < 4; ++lane) EXPECT_EQ(wide[lane], left_over(heights[lane])) << "lane " << lane;
}

}  // namespace
