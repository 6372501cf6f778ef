// A world of lanes in which some lanes go back to a saved state while the others go on: each lane has the bits of a world that is alone and goes back, or not.

#include "lanes_drops.hpp"

#include <optional>

namespace {

using namespace lanes_drops;

// Saves after `before` steps, and goes back to it in other lanes again and again.
template <template <class> class World, class B, class Build, class Tune>
void expect_lanes_that_go_back(Build const& build, Tune const& tune, int before, int steps) {
    using T = typename B::lane_type;
    both_worlds<World, B> worlds(build, tune);
    auto& [wide, narrow] = worlds;
    std::optional<typename World<B>::state_type> kept;
    std::vector<typename World<T>::state_type> kept_alone(B::lanes);
    std::mt19937 engine(5);
    for (int s = 0; s < steps; ++s) {
        if (s == before) {
            kept = wide->save();
            for (std::size_t i = 0; i < B::lanes; ++i) kept_alone[i] = narrow[i].save();
        }
        if (s > before && s % 7 == 0) {
            mask_t<B> back = false;
            for (std::size_t i = 0; i < B::lanes; ++i)
                if (engine() % 3 == 0) {
                    back.set(i, true);
                    ASSERT_TRUE(narrow[i].restore(kept_alone[i]));
                }
            ASSERT_TRUE(wide->restore(*kept, back));
            for (std::size_t i = 0; i < B::lanes; ++i) expect_lane(*wide, narrow[i], i);
        }
        ASSERT_TRUE(wide->step(of<B>(1.0 / 60))) << "step " << s;
        for (std::size_t i = 0; i < B::lanes; ++i) {
            ASSERT_TRUE(narrow[i].step(of<T>(1.0 / 60))) << "step " << s << ", lane " << i;
            expect_lane(*wide, narrow[i], i);
        }
        if (testing::Test::HasFailure()) FAIL() << "first at step " << s;
    }
}

template <class Solver>
struct machine_of {
    template <class S>
    using world = machine_world<S, Solver>;
};
template <class S>
struct rk4_config : config<S, lagrange_multipliers<ldlt>> {
    using integrator = rk4;
};
template <class S>
using rk4_chain = world<rk4_config<S>, ball_joint, my_rod>;

template <class Solver>
class lanes_that_go_back : public testing::Test {};
using solvers = testing::Types<sequential_impulses, nonlinear_gauss_seidel, jacobi, augmented_lagrangian, vertex_block_descent>;
TYPED_TEST_SUITE(lanes_that_go_back, solvers);

TYPED_TEST(lanes_that_go_back, in_a_machine) {
    expect_lanes_that_go_back<machine_of<TypeParam>::template world, batch<float, 8>>(machine, as_it_is, 12, 30);
}
TEST(lanes_that_go_back_to, what_an_integrator_steps) { expect_lanes_that_go_back<rk4_chain, batch<double, 4>>(chain, as_it_is, 10, 60); }
TEST(lanes_that_go_back_to, contacts) {
    for (unsigned seed = 1; seed < 3; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        auto const build = [&](auto& w, auto scalar, std::size_t lane) { build_drops<typename decltype(scalar)::type>(w, lane, seed, seed == 2 ? 0 : 0.7); };
        expect_lanes_that_go_back<ground, batch<float, 8>>(build, as_it_is, 5, 60);    // in the air
        expect_lanes_that_go_back<ground, batch<float, 8>>(build, as_it_is, 60, 110);  // on the ground
        expect_lanes_that_go_back<lagged_ground, batch<double, 4>>(build, as_it_is, 40, 75);
    }
}

// What a world keeps of older steps, to write less of what has come to rest, is seen by nobody: after every step it is the one that has just been restored, whatever
// has gone before: steps that failed, lanes that went back, surfaces that changed, bodies that were removed.
TEST(lanes_that_go_back_to, contacts_as_if_nothing_had_been_before) {
    using B = batch<float, 8>;
    for (unsigned seed = 1; seed < 4; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        ground<B> w;
        build_drops<B>(w, 0, seed, 0);
        ground<B> other = w;  // goes its own way, and comes to the states of the first from there
        handle<rigid> body{};
        auto const floor_of = [](ground<B>& world) {
            collider_handle first{};
            world.for_each_shape([&](auto const&, collider_handle const& h) {
                if (h.index == 0) first = h;
            });
            return first;
        };
        w.for_each_body([&](auto h) {
            if (h.index == 2) body = h;
        });
        std::mt19937 engine(seed);
        auto surface = material<B>::of(of<B>(0.5));
        auto kept = w.save();
        for (int s = 0; s < 240; ++s) {
            bool const together = s < 215 && s % 13 > 6;
            if (s == 100) kept = w.save();
            if (s > 100 && s < 215 && s % 23 == 0) {
                mask_t<B> back = false;
                for (std::size_t i = 0; i < B::lanes; ++i) back.set(i, engine() % 3 == 0);
                ASSERT_TRUE(w.restore(kept, back));
                if (together) {
                    ASSERT_TRUE(other.restore(kept, back));
                }
            }
            if (s == 201) {
                ASSERT_TRUE(w.restore(kept));
            }
            if (s % 31 == 30) {
                auto const before = w.save();
                auto const gravity = w.gravity;
                w.gravity[0] = of<B>(3e38);
                ASSERT_FALSE(w.step(of<B>(2)));
                w.gravity = gravity;
                ASSERT_TRUE(w.save() == before);
            }
            if (s % 47 == 46) {
                surface = material<B>::of(of<B>(0.3 + 0.001 * s));
                for (auto* each : {&w, &other}) ASSERT_TRUE(each->set_material(floor_of(*each), surface));
            }
            if (s == 215) {
                ASSERT_TRUE(w.remove(body));
            }
            if (together && s % 13 == 7) {
                ASSERT_TRUE(other.restore(w.save()));
            }
            auto fresh = w;
            ground<B> anew;
            bool const begins = s < 215 && s % 7 == 0;
            if (begins) {
                build_drops<B>(anew, 0, seed, 0);
                ASSERT_TRUE(anew.set_material(floor_of(anew), surface));
                ASSERT_TRUE(anew.restore(w.save()));
            }
            ASSERT_TRUE(w.step(of<B>(1.0 / 60))) << "step " << s;
            ASSERT_TRUE(fresh.step(of<B>(1.0 / 60)));
            ASSERT_TRUE(fresh.save() == w.save()) << "step " << s;
            ASSERT_TRUE(other.step(of<B>(together ? 1.0 / 60 : 1.0 / 50)));
            if (together) {
                ASSERT_TRUE(other.save() == w.save()) << "step " << s;
            }
            if (!begins) continue;
            ASSERT_TRUE(anew.step(of<B>(1.0 / 60)));
            ASSERT_TRUE(anew.save() == w.save()) << "step " << s;
        }
    }
}

// Two worlds that have written as many contacts as each other, elsewhere: what one of them keeps is not taken for the other's.
TEST(lanes_that_go_back_to, contacts_of_a_world_with_as_many) {
    using B = batch<float, 8>;
    auto const with_a_box_at = [](double x) {
        ground<B> w;
        w.add(half_space<B>{}, w.ground());
        w.add_solid(box<B>{{of<B>(0.5), of<B>(0.5), of<B>(0.5)}}, of<B>(500), pose<B>{{of<B>(x), of<B>(0.5), of<B>(0)}, {}}, {.filter = alone});
        for (int s = 0; s < 60; ++s) EXPECT_TRUE(w.step(of<B>(1.0 / 60)));
        return w;
    };
    auto a = with_a_box_at(0), b = with_a_box_at(2);
    ASSERT_TRUE(b.restore(a.save()));
    for (int s = 0; s < 4; ++s) {
        ASSERT_TRUE(a.step(of<B>(1.0 / 60)));
        ASSERT_TRUE(b.step(of<B>(1.0 / 60)));
        EXPECT_TRUE(a.save() == b.save()) << "step " << s;
    }
}

// A state of all lanes and of none are those of restore, and of nothing.
TEST(lanes_that_go_back_to, all_and_none) {
    using B = batch<float, 8>;
    ground<B> w;
    build_drops<B>(w, 0, 9, 0.5);
    for (int s = 0; s < 50; ++s) ASSERT_TRUE(w.step(of<B>(1.0 / 60)));
    auto const kept = w.save();
    for (int s = 0; s < 30; ++s) ASSERT_TRUE(w.step(of<B>(1.0 / 60)));
    auto const now = w.save();
    ASSERT_TRUE(w.restore(kept, false));
    EXPECT_TRUE(w.save() == now);
    ASSERT_TRUE(w.restore(kept, true));
    EXPECT_TRUE(w.save() == kept);
}

// What presses where a lane goes back to presses nowhere else; and contacts that no lane has any more take no room.
TEST(lanes_that_go_back_to, contacts_leave_the_others_without) {
    using B = batch<float, 4>;
    ground<B> w;
    w.add(half_space<B>{}, w.ground());
    auto const ball = w.add_solid(sphere<B>{B(0.5f)}, B(100), {{B(0), B(0.5f), B(0)}, {}}, {.filter = alone});
    for (int s = 0; s < 30; ++s) ASSERT_TRUE(w.step(of<B>(1.0 / 60)));
    auto const pressed = [&](std::size_t lane) {
        float sum = 0;
        w.for_each_shape([&](auto const& shape, auto h) {
            if constexpr (requires { shape.radius; }) sum += w.pressing(h)[lane];
        });
        return sum;
    };
    auto const kept = w.save();
    for (std::size_t i = 0; i < 4; ++i) EXPECT_GT(pressed(i), 100.0f);
    ASSERT_TRUE(w.set_pose(ball, {{B(0), B(5), B(0)}, {}}));
    ASSERT_TRUE(w.step(of<B>(1.0 / 60)));
    mask_t<B> second = false;
    second.set(1, true);
    ASSERT_TRUE(w.restore(kept, second));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(pressed(i) > 0, i == 1) << i;
}

// Forces for the coming step were meant for where the lane was.
TEST(lanes_that_go_back_to, a_state_forget_forces_there_alone) {
    using B = batch<float, 4>;
    world<config<B, sequential_impulses>> w;
    w.gravity = {};
    auto const ball = w.add(rigid_body_of(solid_sphere(B(1), B(1)), pose<B>{}));
    auto const kept = w.save();
    w.apply_force(ball, {B(60), B(0), B(0)}, {});
    mask_t<B> const second = by_lane<B>(0, [](double i) { return i; }) == B(1);
    ASSERT_TRUE(w.restore(kept, second));
    ASSERT_TRUE(w.step(B(0.5f)));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(w.twist(ball).linear.x()[i], i == 1 ? 0.0f : 30.0f);
}

// What is not of this world, or not finite in a lane that is meant, changes nothing; what is not finite in others is not asked for.
TEST(lanes_that_go_back_to, nothing_refuse) {
    using B = batch<float, 4>;
    using W = world<config<B, sequential_impulses>, ball_joint>;
    W w;
    auto const ball = w.add(rigid_body_of(solid_sphere(B(1), B(1)), pose<B>{}));
    auto kept = w.save();
    kept.bodies[1].pose.position.x()[2] = infinity_v<float>;
    auto const numbers = by_lane<B>(0, [](double i) { return i; });
    ASSERT_TRUE(w.step(B(0.5f)));
    auto const before = w;
    EXPECT_THROW((void)w.restore(kept, numbers == B(2)), std::invalid_argument);
    EXPECT_EQ(w.last_error().code, errc::not_finite);
    EXPECT_TRUE(w.save() == before.save());
    EXPECT_TRUE(w.restore(kept, numbers < B(2)));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(w.time()[i], i < 2 ? 0.0f : 0.5f);
    (void)w.add(rigid_body_of(solid_sphere(B(1), B(1)), pose<B>{}));
    EXPECT_THROW((void)w.restore(kept, numbers == B(0)), std::invalid_argument);
    EXPECT_EQ(w.last_error().code, errc::mismatch);
    EXPECT_EQ(w.twist(ball).linear.y()[0], 0.0f);
    EXPECT_LT(w.twist(ball).linear.y()[2], 0.0f);
}

struct small_config : config<batch<float, 4>, sequential_impulses> {
    using storage = static_storage<capacities{.bodies = 4, .colliders = 4, .contacts = 4}>;
};
// Two boxes that rest, in some lanes one and in others the other, have eight contacts together.
TEST(lanes_that_go_back_to, more_contacts_than_there_is_room_for_refuse) {
    using B = batch<float, 4>;
    using W = world<small_config, box, half_space>;
    W w;
    auto const numbers = by_lane<B>(0, [](double i) { return i; });
    w.add(half_space<B>{}, w.ground());
    handle<rigid> boxes[2];
    for (int k = 0; k < 2; ++k) boxes[k] = w.add_solid(box<B>{{B(0.5f), B(0.5f), B(0.5f)}}, B(100), {{B(static_cast<float>(4 * k)), B(k == 0 ? 0.5f : 9.0f), B(0)}, {}}, {.filter = alone});
    auto const change_over = [&](bool first) {
        for (int k = 0; k < 2; ++k) {
            pose<B> at = w.pose(boxes[k]);
            at.position.y() = B((k == 0) == first ? 0.5f : 9.0f);
            ASSERT_TRUE(w.set_pose(boxes[k], at));
            ASSERT_TRUE(w.set_twist(boxes[k], {}));
        }
        auto const r = w.step(B(1.0f / 60));
        ASSERT_TRUE(r);
        EXPECT_EQ(r.contacts, 4u);
        EXPECT_EQ(r.dropped_contacts, 0u);
    };
    change_over(true);
    auto const kept = w.save();
    change_over(false);
    auto const now = w.save();
    EXPECT_THROW((void)w.restore(kept, numbers < B(2)), std::invalid_argument);
    EXPECT_EQ(w.last_error().code, errc::full);
    EXPECT_TRUE(w.save() == now);
    EXPECT_TRUE(w.restore(kept, true));
    EXPECT_TRUE(w.save() == kept);
}

// A box on an edge has two points where flat it had four: those that no lane has any more take no room from another's.
TEST(lanes_that_go_back_to, fewer_contacts_take_less_room) {
    using B = batch<float, 4>;
    world<small_config, box, half_space> w;
    w.add(half_space<B>{}, w.ground());
    float const half_diagonal = 0.70710678f;
    auto const on_edge = quaternion_exp(vec3<B>{B(0), B(0), B(0.78539816f)});
    auto const at = [](int k, B const& height, quaternion<B> const& turn) { return pose<B>{{B(static_cast<float>(4 * k)), height, B(0)}, turn}; };
    handle<rigid> boxes[2];
    for (int k = 0; k < 2; ++k) boxes[k] = w.add_solid(box<B>{{B(0.5f), B(0.5f), B(0.5f)}}, B(100), at(k, B(half_diagonal), on_edge), {.filter = alone});
    auto r = w.step(B(1.0f / 60));
    ASSERT_TRUE(r);
    ASSERT_EQ(r.contacts, 4u);
    auto const kept = w.save();
    mask_t<B> first = false;
    first.set(0, true);
    ASSERT_TRUE(w.set_pose(boxes[0], select(first, at(0, B(0.5f), {}), at(0, B(9), {}))));
    ASSERT_TRUE(w.set_pose(boxes[1], at(1, B(9), {})));
    for (auto const& b : boxes) ASSERT_TRUE(w.set_twist(b, {}));
    r = w.step(B(1.0f / 60));
    ASSERT_TRUE(r);
    ASSERT_EQ(r.contacts, 4u);  // of the first box, in the first lane
    EXPECT_TRUE(w.restore(kept, first));
}

// A step that fails says in which lanes; these can begin again.
template <class W>
void expect_to_tell_where_it_failed() {
    using B = typename W::scalar_type;
    W w;
    auto const ball = w.add(rigid_body_of(solid_sphere(B(1), B(1)), pose<B>{}));
    auto const start = w.save();
    EXPECT_TRUE(w.step(B(0.01f)));
    EXPECT_FALSE(any(w.step(B(0.01f)).failed));
    auto const numbers = by_lane<B>(0, [](double i) { return i; });
    auto const bad = numbers == B(1) || numbers == B(3);
    ASSERT_TRUE(w.set_twist(ball, {{select(bad, B(3e38f), B(1)), B(0), B(0)}, {}}));
    auto const r = w.step(B(100));
    EXPECT_EQ(r.status, step_status::not_finite);
    EXPECT_TRUE(all(r.failed == bad));
    ASSERT_TRUE(w.restore(start, r.failed));
    EXPECT_TRUE(w.step(B(100)));
    EXPECT_TRUE(all(w.time() == select(bad, B(100), B(0.01f) + B(0.01f) + B(100))));
}
struct by_forces : config<batch<float, 8>, lagrange_multipliers<ldlt>> {
    using integrator = midpoint;
};
TEST(lanes_that_fail, are_told) {
    expect_to_tell_where_it_failed<world<config<batch<float, 8>, sequential_impulses>, ball_joint>>();
    expect_to_tell_where_it_failed<world<config<batch<float, 8>, nonlinear_gauss_seidel>, ball_joint>>();
    expect_to_tell_where_it_failed<world<by_forces, ball_joint>>();
    world<default_config, ball_joint> alone;
    auto const ball = alone.add(rigid_body_of(solid_sphere(1.0f, 1.0f), pose<float>{}));
    ASSERT_TRUE(alone.set_twist(ball, {{3e38f, 0, 0}, {}}));
    EXPECT_TRUE(alone.step(100).failed);
}

}  // namespace
