// Random life of a world with shapes: bodies, colliders and joints come and go, it steps, sleeps, is asked, saved and restored. Nothing may
// become NaN, what is restored must go on to the same bits, and the broad phase must not matter. SINEW_FUZZ_ACTIONS makes it longer.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

namespace {

using sinew::vec3;

template <class BroadPhase>
struct fuzz_config : sinew::default_config {
    using sleep = sinew::island_sleep;
    using errors = sinew::null_errors;
    using broad_phase = BroadPhase;
    static constexpr bool resists_rolling = true;
};

template <class BroadPhase>
class life {
public:
    using world = sinew::world<fuzz_config<BroadPhase>, sinew::sphere, sinew::box, sinew::capsule, sinew::half_space, sinew::ball_joint>;
    using body_handle = typename world::body_handle;

    explicit life(unsigned seed) : random_(seed), snapshot_(w_) { w_.add(sinew::half_space<float>{}, w_.ground()); }

    void run(int actions) {
        for (int i = 0; i < actions; ++i) {
            SCOPED_TRACE(i);
            act();
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    std::uint64_t hash() {
        sinew::bit_hash h;
        w_.for_each_body([&](auto b) {
            auto const p = w_.pose(b);
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_TRUE(sinew::isfinite(p.position[k]));
                h.add(p.position[k]);
            }
        });
        return h.value();
    }

private:
    float number(float lo, float hi) { return std::uniform_real_distribution<float>(lo, hi)(random_); }
    vec3<float> place() {
        float const x = number(-2, 2), y = number(0, 5), z = number(-2, 2);
        return {x, y, z};
    }
    template <class T>
    T one_of(std::vector<T> const& v) {
        return v.empty() ? T{} : v[std::uniform_int_distribution<std::size_t>(0, v.size() - 1)(random_)];
    }
    void act() {
        switch (std::uniform_int_distribution<int>(0, 15)(random_)) {
            case 0: {
                float const x = number(0.1f, 0.6f), y = number(0.1f, 0.6f), z = number(0.1f, 0.6f);
                bool const sensor = number(0, 1) < 0.1f, fast = number(0, 1) < 0.2f;
                bodies_.push_back(w_.add_solid(sinew::box<float>{{x, y, z}}, 1000.0f, sinew::pose<float>{place()}, {.sensor = sensor, .continuous = fast}));
                saved_ = false;
                break;
            }
            case 1: {
                float const friction = number(0, 1), restitution = number(0, 1);
                auto m = sinew::material<float>::of(friction, restitution);
                m.rolling_friction = number(0, 0.1f);
                float const radius = number(0.1f, 0.6f);
                bodies_.push_back(w_.add_solid(sinew::sphere<float>{radius}, 1000.0f, sinew::pose<float>{place()}, {.material = m}));
                saved_ = false;
                break;
            }
            case 2: {
                float const radius = number(0.1f, 0.3f), half = number(0.1f, 0.5f);
                if (auto const h = w_.add(sinew::capsule<float>{radius, half}, one_of(bodies_), {.frame = {place()}})) colliders_.push_back(world::collider(h));
                saved_ = false;
                break;
            }
            case 3:
                if (w_.body_count() > 10) w_.remove(one_of(bodies_));
                saved_ = false;
                break;
            case 4:
                w_.remove(one_of(colliders_));
                saved_ = false;
                break;
            case 5: {
                auto const a = one_of(bodies_), b = one_of(bodies_);
                if (w_.contains(a) && w_.contains(b) && !(a == b)) joints_.push_back(w_.add(sinew::ball_joint<float>::at(w_.pose(a), w_.pose(b), w_.position(a)), a, b));
                saved_ = false;
                break;
            }
            case 6:
                w_.remove(one_of(joints_));
                saved_ = false;
                break;
            case 7: w_.wake(one_of(bodies_)); break;
            case 8: w_.put_to_sleep(one_of(bodies_)); break;
            case 9: w_.set_twist(one_of(bodies_), {place() * 4, place() * 4}); break;
            case 10: w_.set_pose(one_of(bodies_), {place()}); break;
            case 11:
                snapshot_ = w_;
                state_ = w_.save();
                saved_ = true;
                break;
            case 12:
                if (saved_) compare();
                break;
            case 13: {
                auto const from = place();
                (void)w_.cast({from, {0, -1, 0}});
                (void)w_.closest(sinew::sphere<float>{0.5f}, sinew::frame<float>{from}, 3.0f);
                (void)w_.shape_cast(sinew::sphere<float>{0.2f}, sinew::frame<float>{from}, {3, 0, 0});
                break;
            }
            default: (void)w_.step(number(0, 1) < 0.9f ? 1.0f / 60 : number(0.001f, 0.05f));
        }
    }
    void compare() {
        ASSERT_TRUE(w_.restore(state_));
        world copy = snapshot_;
        for (int k = 0; k < 5; ++k) {
            w_.step(1.0f / 60);
            copy.step(1.0f / 60);
        }
        ASSERT_TRUE(w_ == copy);
    }

    std::mt19937 random_;
    world w_, snapshot_;
    typename world::state_type state_{};
    bool saved_ = false;
    std::vector<body_handle> bodies_;
    std::vector<sinew::collider_handle> colliders_;
    std::vector<sinew::handle<sinew::ball_joint<float>>> joints_;
};

TEST(collision_fuzz, a_random_life_is_finite_reproducible_and_the_same_under_every_broad_phase) {
    char const* const wanted = std::getenv("SINEW_FUZZ_ACTIONS");
    int const actions = wanted != nullptr ? std::atoi(wanted) : 500;
    for (unsigned seed : {1u, 2u, 3u}) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        life<sinew::bounding_volume_tree> tree(seed);
        life<sinew::brute_force> brute(seed);
        tree.run(actions);
        brute.run(actions);
        if (HasFatalFailure()) return;
        EXPECT_EQ(tree.hash(), brute.hash());
    }
}

}  // namespace
