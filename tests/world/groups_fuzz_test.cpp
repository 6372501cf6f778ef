// Random life of a world that is advanced by groups: bodies, joints and springs come and go, are disabled and enabled, sleep, are saved and restored. Nothing may become
// NaN, one fixed step of each group must lead to the bits to which a step of the world leads, and what is restored must go on to the same.
// SINEW_FUZZ_ACTIONS makes it longer.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

namespace {

using sinew::vec3;

struct group_fuzz_config : sinew::default_config {
    using sleep = sinew::island_sleep;
    using errors = sinew::null_errors;
    static constexpr bool resists_rolling = true;
};

class group_life {
public:
    using world = sinew::world<group_fuzz_config, sinew::sphere, sinew::box, sinew::half_space, sinew::ball_joint, sinew::spring>;
    using groups = sinew::simulation_groups<world>;
    using body_handle = world::body_handle;

    // size: of everything, with masses and forces to it. What is small goes far against its size in a step.
    explicit group_life(unsigned seed, float size = 1) : random_(seed), snapshot_(w_), size_(size) {
        w_.add(sinew::half_space<float>{}, w_.ground());
        alike_.settings.mode = sinew::stepping::fixed;
        w_.sleep.time = 0.2f;
    }
    void run(int actions) {
        for (int i = 0; i < actions; ++i) {
            SCOPED_TRACE(i);
            act();
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    std::size_t retries = 0, compared = 0, most = 0;

private:
    float number(float lo, float hi) { return std::uniform_real_distribution<float>(lo, hi)(random_); }
    vec3<float> place() {
        float const x = number(-6, 6), y = number(0, 5), z = number(-6, 6);
        return vec3<float>{x, y, z} * size_;
    }
    template <class T>
    T one_of(std::vector<T> const& v) {
        return v.empty() ? T{} : v[std::uniform_int_distribution<std::size_t>(0, v.size() - 1)(random_)];
    }
    float volume() const { return size_ * size_ * size_; }
    void act() {
        switch (std::uniform_int_distribution<int>(0, 20)(random_)) {
            case 0: {
                float const x = size_ * number(0.1f, 0.6f), y = size_ * number(0.1f, 0.6f), z = size_ * number(0.1f, 0.6f);
                bool const sensor = number(0, 1) < 0.1f, fast = number(0, 1) < 0.2f;
                bodies_.push_back(w_.add_solid(sinew::box<float>{{x, y, z}}, 1000.0f, sinew::pose<float>{place()}, {.sensor = sensor, .continuous = fast}));
                saved_ = false;
                break;
            }
            case 1: {
                auto m = sinew::material<float>::of(number(0, 1), number(0, 1) < 0.5f ? 0 : number(0, 0.8f));
                m.rolling_friction = size_ * number(0, 0.1f);
                float const radius = size_ * number(0.1f, 0.6f);
                bodies_.push_back(w_.add_solid(sinew::sphere<float>{radius}, 1000.0f, sinew::pose<float>{place()}, {.material = m}));
                saved_ = false;
                break;
            }
            case 2: {
                auto const board = w_.add_fixed({place()}, {{size_ * number(-1, 1), 0, 0}, {0, number(-1, 1), 0}});
                w_.add(sinew::box<float>{{size_, size_ * 0.2f, size_}}, board, {.sensor = number(0, 1) < 0.3f});
                bodies_.push_back(board);
                saved_ = false;
                break;
            }
            case 3:
                if (w_.body_count() > 25) w_.remove(one_of(bodies_));
                saved_ = false;
                break;
            case 4: {
                auto const a = one_of(bodies_), b = one_of(bodies_);
                if (w_.contains(a) && w_.contains(b) && !(a == b)) {
                    auto const joint = w_.add(sinew::ball_joint<float>::at(w_.pose(a), w_.pose(b), w_.position(a)), a, b);
                    w_.set_break_threshold(joint, number(1e3f, 1e5f) * volume());  // it may be bound to what is moved apart
                    joints_.push_back(joint);
                }
                saved_ = false;
                break;
            }
            case 5: {
                auto const a = one_of(bodies_), b = one_of(bodies_);
                if (w_.contains(a) && w_.contains(b) && !(a == b)) springs_.push_back(w_.add(sinew::spring<float>{.rest_length = size_ * number(0, 8), .stiffness = size_ * size_ * number(10, 3e3f)}, a, b));
                saved_ = false;
                break;
            }
            case 6:
                w_.remove(one_of(joints_));
                w_.remove(one_of(springs_));
                saved_ = false;
                break;
            case 7: w_.wake(one_of(bodies_)); break;
            case 8: w_.put_to_sleep(one_of(bodies_)); break;
            case 9: w_.set_twist(one_of(bodies_), {place(), place() / size_}); break;
            case 10: w_.set_pose(one_of(bodies_), {place()}); break;
            case 11: w_.apply_wrench(one_of(bodies_), {place() * (1e4f * size_ * size_), place() * (1e3f * volume())}); break;
            case 12: w_.disable(one_of(bodies_), sinew::enabled_by(std::uniform_int_distribution<int>(0, 3)(random_))); break;
            case 13: w_.enable(one_of(bodies_)); break;
            case 14:
                snapshot_ = w_;
                state_ = w_.save();
                saved_ = true;
                break;
            case 15:
                if (saved_) compare();
                break;
            case 16:
            case 17: advance(); break;
            default: step_alike();
        }
    }
    // As far as they need, each with steps of its own.
    void advance() {
        world const before = w_;
        auto const r = free_.advance(w_, number(0, 1) < 0.7f ? 1.0f / 60 : number(0.01f, 0.3f));
        retries += r.retries;
        saved_ = saved_ && r.broken == 0;
        check();
        if (!r) {
            ASSERT_TRUE(w_ == before);
            calm();
        }
    }
    // What has been torn with unbounded force may be faster than numbers are.
    void calm() {
        for (auto const j : joints_) w_.remove(j);
        w_.for_each_body([&](auto b) {
            if (norm(w_.position(b)) > 100) w_.set_pose(b, {place()});
            if (w_.is_movable(b)) w_.set_twist(b, {});
        });
        saved_ = false;
    }
    void step_alike() {
        float const h = number(0, 1) < 0.9f ? 1.0f / 60 : number(0.001f, 0.05f);
        world other = w_;
        auto const r = alike_.advance(w_, h);
        auto const s = other.step(h);
        ASSERT_EQ(r.status, s.status);
        ASSERT_TRUE(w_ == other);
        most = std::max(most, r.groups);
        ++compared;
        check();
        saved_ = saved_ && r.broken == 0;
        if (number(0, 1) < 0.2f) w_ = other;  // the same in what is not compared, too
    }
    void check() {
        w_.for_each_body([&](auto b) {
            for (float const x : w_.position(b).e) ASSERT_TRUE(sinew::isfinite(x));
        });
    }
    void compare() {
        ASSERT_TRUE(w_.restore(state_));
        world copy = snapshot_;
        copy.restore(state_);
        groups a = free_, b = free_;
        for (int k = 0; k < 5; ++k) {
            a.advance(w_, 1.0f / 60);
            b.advance(copy, 1.0f / 60);
        }
        ASSERT_TRUE(w_ == copy);
        ASSERT_TRUE(a.paces() == b.paces());
        saved_ = false;
    }

    std::mt19937 random_;
    world w_, snapshot_;
    float size_;
    groups free_, alike_;
    world::state_type state_{};
    bool saved_ = false;
    std::vector<body_handle> bodies_;
    std::vector<sinew::handle<sinew::ball_joint<float>>> joints_;
    std::vector<sinew::handle<sinew::spring<float>>> springs_;
};

TEST(group_fuzz, a_random_life_by_groups_is_that_of_one_world) {
    char const* const wanted = std::getenv("SINEW_FUZZ_ACTIONS");
    int const actions = wanted != nullptr ? std::atoi(wanted) : 600;
    for (auto const& [seed, size] : {std::pair{1u, 1.0f}, {2u, 1.0f}, {3u, 1.0f}, {4u, 0.02f}}) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", size " << size);
        group_life life(seed, size);
        life.run(actions);
        if (HasFatalFailure()) return;
        EXPECT_GT(life.compared, std::size_t(actions / 12));
        EXPECT_GT(life.most, 5u);
    }
}

}  // namespace
