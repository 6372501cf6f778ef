// Random life of a world with shapes: bodies, colliders and joints come and go, materials and filters change, it steps, sleeps, is asked, saved and restored.
// Nothing may become NaN, and what is restored must go on to the same bits. SINEW_FUZZ_ACTIONS makes it longer, SINEW_FUZZ_SEED begins at
// another seed.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

using sinew::vec3;

struct fuzz_config : sinew::default_config {
    using sleep = sinew::island_sleep;
    using errors = sinew::null_errors;
    static constexpr bool resists_rolling = true;
};

template <class S>
using hammer = sinew::compound<sinew::box<S>, sinew::capsule<S>>;

class life {
public:
    using world = sinew::world<fuzz_config, sinew::sphere, sinew::box, sinew::capsule, sinew::cylinder, sinew::cone, sinew::convex_polytope, sinew::rounded_box, hammer,
                               sinew::half_space, sinew::triangle_mesh, sinew::height_field, sinew::ball_joint, sinew::hinge_joint>;
    using body_handle = world::body_handle;
    using options = sinew::collider_options<float>;

    explicit life(unsigned seed) : random_(seed), snapshot_(w_) {
        // Of every second seed rough ground instead of a plane, with an open mesh on it.
        if (seed % 2 == 0) {
            std::vector<float> heights;
            for (int i = 0; i < 81; ++i) heights.push_back(number(-0.3f, 0.3f));
            w_.add(sinew::height_field_of(heights, 9, sinew::vec<float, 2>{3.0f, 3.0f}), w_.ground(), {.frame = {{-12, 0, -12}}});
            std::vector<vec3<float>> const points{{-1, 0, -1}, {1, 0.1f, -1}, {-1, 0, 1}, {1, 0.4f, 1}, {0, 1, 0}};
            std::vector<std::array<std::uint32_t, 3>> const triangles{{0, 2, 4}, {2, 3, 4}, {3, 1, 4}};
            w_.add(sinew::mesh_of(points, triangles, seed % 4 == 0 ? sinew::mesh_kind::sheet : sinew::mesh_kind::surface), w_.ground(), {.frame = {{1, 0.3f, 1}}});
        } else {
            w_.add(sinew::half_space<float>{}, w_.ground());
        }
    }

    void run(int actions) {
        for (int i = 0; i < actions; ++i) {
            SCOPED_TRACE(i);
            act();
            if (i % 16 == 0) check();
            if (testing::Test::HasFailure()) return;
        }
    }
    void check() {
        w_.for_each_body([&](auto b) {
            auto const p = w_.pose(b);
            auto const t = w_.twist(b);
            for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(sinew::isfinite(p.position[k]) && sinew::isfinite(t.linear[k]) && sinew::isfinite(t.angular[k]));
        });
    }

private:
    float number(float lo, float hi) { return std::uniform_real_distribution<float>(lo, hi)(random_); }
    int number_below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
    bool now_and_then(float share) { return number(0, 1) < share; }
    vec3<float> place() {
        float const x = number(-2, 2), y = number(0, 5), z = number(-2, 2);
        return {x, y, z};
    }
    sinew::pose<float> pose() {
        vec3<float> const at = place(), by = place();
        return {at, turned(sinew::quaternion<float>::identity(), by)};
    }
    template <class T>
    T one_of(std::vector<T> const& v) {
        return v.empty() ? T{} : v[static_cast<std::size_t>(number_below(static_cast<int>(v.size())))];
    }
    sinew::material<float> stuff() {
        float const friction = number(0, 1), restitution = number(0, 1);
        auto m = sinew::material<float>::of(friction, restitution);
        m.dynamic_friction = friction * number(0.5f, 1);
        if (now_and_then(0.3f)) m.rolling_friction = number(0, 0.1f);
        if (now_and_then(0.2f)) m.spinning_friction = number(0, 0.1f);
        if (now_and_then(0.1f)) m.compliance = number(0, 1e-4f);
        if (now_and_then(0.2f)) m.surface_velocity = place();
        return m;
    }
    sinew::collision_filter filter() {
        sinew::collision_filter f;
        if (now_and_then(0.2f)) f.category = 1u << number_below(3);
        if (now_and_then(0.2f)) f.mask = ~(1u << number_below(3));
        if (now_and_then(0.1f)) f.group = number_below(3) - 1;
        return f;
    }
    options anything() {
        options o;
        o.sensor = now_and_then(0.1f);
        o.continuous = now_and_then(0.3f);
        o.filter = filter();
        o.material = stuff();
        return o;
    }
    // Of any kind, handed to f.
    template <class F>
    void with_shape(F&& f) {
        float const x = number(0.1f, 0.6f), y = number(0.1f, 0.6f), z = number(0.1f, 0.6f);
        switch (number_below(8)) {
            case 0: return f(sinew::sphere<float>{x});
            case 1: return f(sinew::box<float>{{x, y, z}});
            case 2: return f(sinew::capsule<float>{x / 2, y});
            case 3: return f(sinew::cylinder<float>{x, y});
            case 4: return f(sinew::cone<float>{x, y});
            case 5: {
                // Points enough now and then lie so that they have no hull: it is refused.
                std::vector<vec3<float>> points;
                int const n = 3 + number_below(12);
                for (int i = 0; i < n; ++i) points.push_back(place() * 0.2f);
                return f(sinew::convex_hull(points));
            }
            case 6: return f(sinew::rounded_box<float>{{{x, y, z}}, number(0, 0.1f)});
            default: return f(hammer<float>{{{{x, y / 2, z}}, {{0, y, 0}}}, {{x / 3, y}}});
        }
    }
    void act() {
        if (number_below(8) >= 5) {
            // Long falls and short ones; now and then so short or long that nothing is of it.
            float const h = now_and_then(0.9f) ? 1.0f / 60 : now_and_then(0.9f) ? number(0.001f, 0.05f) : number(-1, 0.2f);
            (void)w_.step(h);
            return;
        }
        int const what = number_below(24);
        if (what <= 7 || (what >= 12 && what <= 14)) saved_ = false;  // what a state does not hold
        switch (what) {
            case 0:
            case 1: {
                if (w_.body_count() > 40) break;
                auto const at = pose();
                auto const o = anything();
                sinew::twist<float> const t{place(), place()};
                with_shape([&](auto const& shape) { bodies_.push_back(w_.add_solid(shape, 1000.0f, at, o, t)); });
                break;
            }
            case 2: {
                auto const b = one_of(bodies_);
                auto o = anything();
                o.frame = pose();
                with_shape([&](auto const& shape) {
                    if (auto const h = w_.add(shape, b, o)) colliders_.push_back(world::collider(h));
                });
                break;
            }
            case 3:
                if (w_.body_count() > 10) w_.remove(one_of(bodies_));
                break;
            case 4: w_.remove(one_of(colliders_)); break;
            case 5: {
                auto const a = one_of(bodies_), b = one_of(bodies_);
                if (!w_.contains(a) || !w_.contains(b) || a == b) break;
                vec3<float> const axis{0, 0, 1};
                if (now_and_then(0.5f))
                    joints_.push_back(w_.add(sinew::ball_joint<float>::at(w_.pose(a), w_.pose(b), w_.position(a)), a, b));
                else
                    hinges_.push_back(w_.add(sinew::hinge_joint<float>::at(w_.pose(a), w_.pose(b), w_.position(a), axis), a, b));
                break;
            }
            case 6:
                w_.remove(one_of(joints_));
                w_.remove(one_of(hinges_));
                break;
            case 7: {
                // A platform that moves, or one that stands.
                if (w_.body_count() > 40) break;
                auto const at = pose();
                auto const b = now_and_then(0.5f) ? w_.add_fixed(at) : w_.add_fixed(at, {place() * 0.3f, place() * 0.3f});
                bodies_.push_back(b);
                auto const o = anything();
                with_shape([&](auto const& shape) { w_.add(shape, b, o); });
                break;
            }
            case 8: w_.wake(one_of(bodies_)); break;
            case 9: w_.put_to_sleep(one_of(bodies_)); break;
            case 10: w_.set_twist(one_of(bodies_), {place() * (now_and_then(0.1f) ? 100.0f : 4.0f), place() * 4}); break;
            case 11: w_.set_pose(one_of(bodies_), pose()); break;
            case 12: w_.set_material(one_of(colliders_), stuff()); break;
            case 13: w_.set_filter(one_of(colliders_), filter()); break;
            case 14: w_.let_joined_collide(one_of(joints_), now_and_then(0.5f)); break;
            case 15:
                // At once: a state that is saved does not have the forces that wait for the coming step, a copy of the world has.
                w_.apply_force(one_of(bodies_), place() * 1000.0f, place());
                if (!w_.step(1.0f / 60)) (void)w_.restore(w_.save());  // which forgets them
                break;
            case 16:
            case 17:
                snapshot_ = w_;
                state_ = w_.save();
                saved_ = true;
                break;
            case 18:
            case 19:
                if (saved_) compare();
                break;
            case 20: {
                auto const from = place();
                (void)w_.cast({from, {0, -1, 0}});
                (void)w_.closest(sinew::sphere<float>{0.5f}, sinew::frame<float>{from}, 3.0f);
                (void)w_.shape_cast(sinew::sphere<float>{0.2f}, sinew::frame<float>{from}, {3, 0, 0});
                w_.overlaps(sinew::sphere<float>{0.5f}, sinew::frame<float>{from}, [](auto const&) {});
                break;
            }
            case 21:
                for (auto const& e : w_.touch_begins()) EXPECT_TRUE(sinew::all(isfinite(e.point)) && sinew::all(isfinite(e.normal)));
                for (auto const& e : w_.touch_ends()) (void)w_.contains(e.body_a);
                break;
            case 22: {
                // Nothing of what is bad gets in.
                float const nan = std::numeric_limits<float>::quiet_NaN();
                auto const b = one_of(bodies_);
                EXPECT_FALSE(w_.add(sinew::box<float>{{1, nan, 1}}, b));
                EXPECT_FALSE(w_.add_solid(sinew::cone<float>{-1, 1}, 1.0f));
                EXPECT_FALSE(w_.add(sinew::half_space<float>{}, w_.contains(b) && w_.is_movable(b) ? b : body_handle{}));
                EXPECT_FALSE(w_.set_twist(b, {{nan, 0, 0}, {}}));
                break;
            }
            default: w_.collision.continuous = now_and_then(0.3f); saved_ = false;
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
    world::state_type state_{};
    bool saved_ = false;
    std::vector<body_handle> bodies_;
    std::vector<sinew::collider_handle> colliders_;
    std::vector<sinew::handle<sinew::ball_joint<float>>> joints_;
    std::vector<sinew::handle<sinew::hinge_joint<float>>> hinges_;
};

unsigned number_of(char const* name, unsigned otherwise) {
    char const* const wanted = std::getenv(name);
    return wanted != nullptr ? static_cast<unsigned>(std::atoi(wanted)) : otherwise;
}

TEST(collision_fuzz, a_random_life_is_finite_and_reproducible) {
    int const actions = static_cast<int>(number_of("SINEW_FUZZ_ACTIONS", 800));
    unsigned const first = number_of("SINEW_FUZZ_SEED", 1);
    for (unsigned seed = first; seed < first + 4; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        life l(seed);
        l.run(actions);
        l.check();
        if (HasFailure()) return;
    }
}

}  // namespace
