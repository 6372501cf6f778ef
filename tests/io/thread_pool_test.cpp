// The pool does every piece once, whoever takes it; and wide sweeps on it have the bits that they have without.

#include <sinew/io/thread_pool.hpp>
#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <vector>

#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace {

using namespace sinew;

static_assert(executor_like<on_threads>);

TEST(thread_pool, does_every_piece_once) {
    for (std::size_t const helpers : {0u, 1u, 3u}) {
        thread_pool pool(helpers);
        EXPECT_EQ(pool.helpers(), helpers);
        for (std::size_t task = 0; task < 2000; ++task) {
            std::size_t const count = task % 37;
            std::vector<std::atomic<int>> times(count);
            pool.for_each(count, [&](std::size_t i) { times[i].fetch_add(1); });
            for (auto const& t : times) ASSERT_EQ(t.load(), 1) << "task " << task;
        }
    }
}
// What one task has written, the next one reads, on whatever thread.
TEST(thread_pool, ends_a_task_before_the_next) {
    thread_pool pool(2);
    std::vector<long> numbers(64, 0);
    for (long task = 0; task < 3000; ++task)
        pool.for_each(numbers.size(), [&](std::size_t i) { numbers[i] = numbers[i] + 1; });
    for (long const n : numbers) EXPECT_EQ(n, 3000);
}
TEST(thread_pool, ends_without_work) {
    for (int i = 0; i < 50; ++i) thread_pool pool(2);
}

#if defined(__linux__)
// Where there is room for some threads only, those that have begun are woken and end, and the caller hears of it.
TEST(thread_pool, that_gets_no_more_threads_ends_those_that_it_has) {
    auto const without_room = [] {
        alarm(60);  // instead of a wait without end
        rlimit64 room{};
        getrlimit64(RLIMIT_AS, &room);
        room.rlim_cur = 2048ull << 20;
        if (setrlimit64(RLIMIT_AS, &room) != 0) std::_Exit(3);
        try {
            thread_pool const pool(100000);
            std::_Exit(4);
        } catch (std::system_error const&) {
            std::_Exit(0);
        }
    };
    EXPECT_EXIT(without_room(), testing::ExitedWithCode(0), "");
}
#endif

template <class Executor, std::size_t Lanes = 4>
struct config : default_config {
    using solver = wide_sequential_impulses<Lanes, Executor>;
};
// A net of boxes on ball joints, 12 x 12, hung at two corners.
template <class Executor, class Tune>
auto net_after(int steps, Tune const& tune) {
    auto const w = std::make_unique<world<config<Executor>, ball_joint>>();
    constexpr int n = 12;
    std::vector<handle<rigid>> b;
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            vec3<float> const at{static_cast<float>(x), 0, static_cast<float>(y)};
            b.push_back(w->add(rigid_body_of(solid_sphere(1.0f, 0.3f), pose<float>{at, {}})));
            auto const here = b.size() - 1;
            if (x > 0) w->add(ball_joint<float>::at(w->pose(b[here - 1]), w->pose(b[here]), at - vec3<float>{0.5f, 0, 0}), b[here - 1], b[here]);
            if (y > 0) w->add(ball_joint<float>::at(w->pose(b[here - n]), w->pose(b[here]), at - vec3<float>{0, 0, 0.5f}), b[here - n], b[here]);
        }
    w->add(ball_joint<float>::at(w->pose(w->ground()), w->pose(b[0]), w->position(b[0])), w->ground(), b[0]);
    w->add(ball_joint<float>::at(w->pose(w->ground()), w->pose(b[n - 1]), w->position(b[n - 1])), w->ground(), b[n - 1]);
    tune(*w);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w->step(1.0f / 60));
    std::vector<float> r;
    for (auto const h : b)
        for (std::size_t k = 0; k < 3; ++k) {
            r.push_back(w->position(h)[k]);
            r.push_back(w->twist(h).angular[k]);
        }
    return r;
}
TEST(thread_pool, sweeps_with_the_same_bits) {
    thread_pool pool(3);
    auto const alone = net_after<serial>(30, [](auto&) {});
    auto const shared = net_after<on_threads>(30, [&](auto& w) {
        w.solver.sweeps.executor.pool = &pool;
        w.solver.sweeps.grain = 2;
    });
    EXPECT_TRUE(alone == shared);
}

// A pyramid of boxes whose neighbours in the lowest row are hinged, hit by balls: joints and contacts.
template <std::size_t Lanes, class Executor>
std::vector<float> pile_after(int steps, thread_pool* pool) {
    auto const w = std::make_unique<world<config<Executor, Lanes>, hinge_joint, box, sphere, half_space>>();
    w->add(half_space<float>{}, w->ground());
    std::vector<handle<rigid>> b;
    for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 6 - y; ++x) {
            vec3<float> const at{1.02f * static_cast<float>(x) + 0.51f * static_cast<float>(y), 0.5f + static_cast<float>(y), 0};
            b.push_back(w->add_solid(box<float>{{0.5f, 0.5f, 0.5f}}, 1.0f, {at}));
            if (y == 0 && x > 0) {
                auto const before = b[b.size() - 2];
                w->add(hinge_joint<float>::at(w->pose(before), w->pose(b.back()), at - vec3<float>{0.51f, 0.5f, 0}, {0, 0, 1}), before, b.back());
            }
        }
    for (int i = 0; i < 4; ++i) b.push_back(w->add_solid(sphere<float>{0.3f}, 3.0f, {{-2, 1 + static_cast<float>(i), 0.1f * static_cast<float>(i)}}, {}, {{8, 0, 0}, {}}));
    w->solver.sweeps.grain = 1;
    if constexpr (requires { w->solver.sweeps.executor.pool; }) w->solver.sweeps.executor.pool = pool;
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w->step(1.0f / 60));
    std::vector<float> r;
    for (auto const h : b)
        for (std::size_t k = 0; k < 3; ++k) {
            r.push_back(w->position(h)[k]);
            r.push_back(w->twist(h).angular[k]);
        }
    return r;
}
TEST(thread_pool, sweeps_contacts_with_the_same_bits) {
    thread_pool pool(3);
    auto const one_lane = pile_after<1, serial>(40, nullptr);
    EXPECT_TRUE(one_lane == (pile_after<1, on_threads>(40, &pool)));
    EXPECT_TRUE(one_lane == (pile_after<8, serial>(40, nullptr)));
    EXPECT_TRUE(one_lane == (pile_after<8, on_threads>(40, &pool)));
}

}  // namespace
