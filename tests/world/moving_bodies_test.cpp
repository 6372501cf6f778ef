// Bodies move N at a time with the bits that each has alone: whatever turns, stands, sleeps or is missing beside it.

#include "wide_sweeps_scene.hpp"

#include <sinew/io/thread_pool.hpp>

namespace {

using namespace wide_sweeps_scene;

template <class S>
struct moving_bodies : testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(moving_bodies, scalars);

// A body that turns as its number says: balls, rods about a principal axis and about none, slow and so fast that a step is taken in parts.
template <class S>
std::pair<rigid_state<S, quaternion<S>>, rigid_mass<S>> any_body(int i) {
    S const n = of<S>(i), wide = i % 4 == 0 ? of<S>(0.2) : of<S>(0.1 + 0.05 * (i % 3));
    auto const b = rigid_body_of(solid_box(of<S>(1 + i % 5), vec3<S>{of<S>(0.2), wide, wide}), pose<S>{{n, -n, of<S>(0.5) * n}, quaternion_exp(vec3<S>{of<S>(0.1) * n, of<S>(0.2), -n})});
    S const fast = i % 7 == 3 ? of<S>(900) : i % 5 == 2 ? of<S>(40) : of<S>(0.5);
    twist<S> const t{{n, of<S>(1), -n}, i % 6 == 5 ? vec3<S>{} : vec3<S>{fast, fast / of<S>(3), of<S>(i % 3) * fast}};
    return {{b.pose, t}, {b.mass, S(1) / b.mass, b.inertia, inverse(b.inertia), i % 8 != 6}};
}
TYPED_TEST(moving_bodies, have_the_bits_that_each_has_alone) {
    using S = TypeParam;
    for (int const count : {1, 3, 8, 21, 64, 101})
        for (auto const gyroscopic : {gyroscopic_term::conserving, gyroscopic_term::explicit_euler, gyroscopic_term::none}) {
            std::vector<rigid_state<S, quaternion<S>>> alone, by_four, by_eight;
            std::vector<rigid_mass<S>> masses;
            for (int i = 0; i < count; ++i) {
                auto const [state, mass] = any_body<S>(i);
                alone.push_back(state);
                masses.push_back(mass);
            }
            by_four = by_eight = alone;
            auto const goes = [](std::size_t i) { return i % 9 != 4; };
            auto const n = static_cast<std::size_t>(count);
            S const h = of<S>(1.0 / 60);
            for (int step = 0; step < 3; ++step) {
                for (std::size_t i = 0; i < n; ++i)
                    if (goes(i)) drift(alone[i], masses[i], h, gyroscopic);
                detail::drift_bodies<4>(by_four.data(), masses.data(), 0, n, h, gyroscopic, goes);
                detail::drift_bodies<8>(by_eight.data(), masses.data(), 0, n / 2, h, gyroscopic, goes);
                detail::drift_bodies<8>(by_eight.data(), masses.data(), n / 2, n, h, gyroscopic, goes);
            }
            for (std::size_t i = 0; i < n; ++i) {
                auto const* const bytes = reinterpret_cast<unsigned char const*>(&alone[i]);
                auto const same = [&](auto const& other) { return std::equal(bytes, bytes + sizeof(alone[i]), reinterpret_cast<unsigned char const*>(&other)); };
                EXPECT_TRUE(same(by_four[i])) << i << " of " << count;
                EXPECT_TRUE(same(by_eight[i])) << i << " of " << count;
                EXPECT_TRUE(goes(i) ? alone[i].pose.position != any_body<S>(static_cast<int>(i)).first.pose.position : alone[i] == any_body<S>(static_cast<int>(i)).first);
            }
        }
}

// Chains of boxes and what is loose: kinematic bodies, bodies pushed by the user, removed ones; boxes on the ground that are put to sleep.
template <class S, class Solver>
struct sleeping : config<S, Solver> {
    using sleep = island_sleep;
};
template <class S, std::size_t Lanes, class Executor>
std::vector<unsigned char> crowd_after(int bodies, int steps, thread_pool* pool) {
    using solver = wide_sequential_impulses<Lanes, Executor>;
    auto const w = std::make_unique<world<sleeping<S, solver>, ball_joint, box, half_space>>();
    w->add(half_space<S>{}, w->ground());
    std::vector<handle<rigid>> b;
    for (int i = 0; i < bodies; ++i) {
        vec3<S> const at{of<S>(i % 10), of<S>(5), of<S>(i / 10)};
        if (i % 11 == 7)
            b.push_back(w->add_fixed({at, {}}, {{S(0), of<S>(0.1), S(0)}, {S(0), S(1), S(0)}}));
        else if (i % 11 == 3)
            b.push_back(w->add_solid(box<S>{{of<S>(0.2), of<S>(0.2), of<S>(0.2)}}, S(1), {{at[0], of<S>(0.2), at[2]}}));
        else
            b.push_back(add_box(*w, at, 1 + i % 3));
        if (i % 10 != 0 && i % 11 != 3 && (i - 1) % 11 != 3)
            w->add(ball_joint<S>::at(w->pose(b[b.size() - 2]), w->pose(b.back()), at - vec3<S>{of<S>(0.5), S(0), S(0)}), b[b.size() - 2], b.back());
    }
    if (bodies > 20) w->remove(b[18]);
    w->solver.sweeps.grain = 1;
    w->solver.sweeps.body_grain = 5;
    if constexpr (requires { w->solver.sweeps.executor.pool; }) w->solver.sweeps.executor.pool = pool;
    std::size_t slept = 0;
    for (int i = 0; i < steps; ++i) {
        if (i % 4 == 1) w->apply_force(b[0], {S(1), S(2), S(3)}, {of<S>(0.2), S(0), S(0)});
        EXPECT_TRUE(w->step(of<S>(1.0 / 60)));
        if (i == 5)
            for (std::size_t k = 3; k < b.size(); k += 11) w->put_to_sleep(b[k]);
        slept = w->asleep_count();
    }
    EXPECT_GT(slept, 0U);
    return bits(*w);
}
TYPED_TEST(moving_bodies, of_a_world_have_the_bits_of_one_lane_and_one_thread) {
    using S = TypeParam;
    thread_pool pool(2);
    for (int const bodies : {5, 16, 47, 101}) {
        int const steps = 20;
        auto const alone = crowd_after<S, 1, serial>(bodies, steps, nullptr);
        EXPECT_TRUE(alone == (crowd_after<S, 4, serial>(bodies, steps, nullptr))) << bodies;
        EXPECT_TRUE(alone == (crowd_after<S, 8, on_threads>(bodies, steps, &pool))) << bodies;
        EXPECT_TRUE(alone == (crowd_after<S, 8, backwards>(bodies, steps, nullptr))) << bodies;
    }
}

}  // namespace
