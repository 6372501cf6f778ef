// Floors laid of boxes: what rolls, slides or falls on boxes that lie flush beside each other moves as on one; what stands out of them, or is missing between them, is met.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace {

using sinew::vec3;

template <class S, class Strategy>
struct settings : sinew::default_config {
    using scalar = S;
    using strategy = Strategy;
};
template <class S>
using many_boxes = sinew::shape_group<sinew::box<S>>;
template <class S, class Strategy>
using world_of = sinew::world<settings<S, Strategy>, sinew::sphere, sinew::box, sinew::capsule, sinew::cylinder, sinew::convex_polytope, many_boxes>;

enum class floor { one_box, colliders, bodies, parts };
constexpr floor laid[] = {floor::colliders, floor::bodies, floor::parts};
char const* name(floor f) { return f == floor::one_box ? "one box" : f == floor::colliders ? "colliders of one body" : f == floor::bodies ? "bodies" : "parts of a shape"; }

template <class Type>
class laid_floors : public ::testing::Test {
public:
    using S = typename Type::first_type;
    using world = world_of<S, typename Type::second_type>;
    using rotation = sinew::quaternion<S>;
    using pose = sinew::pose<S, rotation>;
    using options = sinew::collider_options<S>;
    using body_handle = typename world::body_handle;
    using V = vec3<S>;
    static constexpr S h = S(1) / S(60), g = S(9.81), thick = S(0.2);

    static options surface(S friction, S e = S(0)) { return {.material = sinew::material<S>::of(friction, e)}; }

    // A world whose up is the y of a turn, and in it a floor of 8 m x 2 m about the origin, its top at y = 0; each tile off by up to `off` (m).
    struct course {
        world w{};
        rotation turn{};
        V point(V const& p) const { return rotate(turn, p); }
        pose at(V const& p) const { return {point(p), turn}; }
        V position(body_handle b) const { return inverse_rotate(turn, w.pose(b).position); }
        V velocity(body_handle b) const { return inverse_rotate(turn, w.twist(b).linear); }
    };
    static course lay(floor f, S tile, S friction, S off = S(0), S e = S(0), rotation const& turn = {}) {
        course c{};
        c.turn = turn;
        c.w.gravity = c.point({S(0), -g, S(0)});
        options o = surface(friction, e);
        many_boxes<S> group;
        int const nx = f == floor::one_box ? 1 : static_cast<int>(std::lround(8 / double(tile))), nz = f == floor::one_box ? 1 : static_cast<int>(std::lround(2 / double(tile)));
        S const wide = S(8) / S(nx), deep = S(2) / S(nz);
        for (int i = 0; i < nx; ++i)
            for (int j = 0; j < nz; ++j) {
                S const lift = off * S((i * 7 + j * 3) % 5 - 2) / S(2);
                V const middle{(S(i) + S(0.5)) * wide - S(4) + lift, lift - thick, (S(j) + S(0.5)) * deep - S(1) - lift};
                sinew::box<S> const shape{{wide / 2, thick, deep / 2}};
                if (f == floor::parts) {
                    group.add(shape, sinew::frame_of(c.at(middle)));
                } else if (f == floor::bodies) {
                    c.w.add(shape, c.w.add_fixed(c.at(middle)), o);
                } else {
                    o.frame = c.at(middle);
                    c.w.add(shape, c.w.ground(), o);
                }
            }
        if (f == floor::parts) c.w.add(group, c.w.ground(), o);
        return c;
    }
    struct trace {
        S highest{-1000}, lowest{1000};
        V velocity{}, position{};
    };
    static trace follow(course& c, body_handle b, int steps) {
        trace t;
        for (int i = 0; i < steps; ++i) {
            EXPECT_TRUE(c.w.step(h));
            S const y = c.position(b).y();
            t.highest = std::max(t.highest, y);
            t.lowest = std::min(t.lowest, y);
        }
        t.velocity = c.velocity(b);
        t.position = c.position(b);
        return t;
    }
    // A ball that rolls from one end of the floor.
    static trace roll(floor f, S tile, S speed, S heading, S off, rotation const& turn = {}) {
        course c = lay(f, tile, S(0.5), off, S(0), turn);
        S const r = S(0.1);
        V const v{speed * S(std::cos(double(heading))), S(0), speed * S(std::sin(double(heading)))};
        auto const ball = c.w.add_solid(sinew::sphere<S>{r}, S(1000), c.at({S(-3.7), r, S(-0.83)}), surface(S(0.5)), {c.point(v), c.point({v.z() / r, S(0), -v.x() / r})});
        return follow(c, ball, std::max(1, static_cast<int>(std::min(7 / double(v.x()), 1.7 / std::max(double(v.z()), 1e-3)) * 60)));
    }
    template <class Shape>
    static trace slide(floor f, Shape const& shape, S height, rotation const& turned, S speed, S friction) {
        course c = lay(f, S(0.25), friction);
        auto const b = c.w.add_solid(shape, S(1000), {{S(-3), height, S(0.07)}, turned}, surface(friction), {{speed, S(0), S(0)}, {}});
        return follow(c, b, 30);
    }
};
using kinds = ::testing::Types<std::pair<float, sinew::sequential_impulses>, std::pair<double, sinew::sequential_impulses>, std::pair<double, sinew::lagrange_impulses<sinew::dantzig>>,
                               std::pair<double, sinew::augmented_lagrangian>, std::pair<double, sinew::nonlinear_gauss_seidel>>;
TYPED_TEST_SUITE(laid_floors, kinds, );

TYPED_TEST(laid_floors, balls_roll_over_seams_as_over_one_box) {
    using T = typename TestFixture::S;
    for (T const speed : {T(0.5), T(5), T(20)})
        for (T const heading : {T(0), T(0.2)}) {
            auto const one = this->roll(floor::one_box, T(1), speed, heading, T(0));
            for (floor const f : laid)
                for (T const tile : {T(0.25), T(1)}) {
                    auto const t = this->roll(f, tile, speed, heading, T(0));
                    EXPECT_NEAR(t.highest, one.highest, 1e-4) << name(f) << ' ' << tile << ' ' << speed << ' ' << heading;
                    EXPECT_NEAR(t.lowest, one.lowest, 1e-4) << name(f) << ' ' << tile << ' ' << speed << ' ' << heading;
                    EXPECT_NEAR(norm(t.velocity - one.velocity), 0, 1e-3 * speed) << name(f) << ' ' << tile << ' ' << speed << ' ' << heading;
                }
        }
}
TYPED_TEST(laid_floors, that_are_askew_and_off_by_rounding_are_smooth_too) {
    using T = typename TestFixture::S;
    auto const turn = sinew::quaternion_exp(vec3<T>{T(0.3), T(-0.5), T(0.7)});
    for (T const speed : {T(2), T(10)}) {
        auto const one = this->roll(floor::one_box, T(1), speed, T(0.1), T(0), turn);
        for (floor const f : laid) {
            if (f == floor::parts) continue;
            auto const t = this->roll(f, T(0.5), speed, T(0.1), T(1e-6), turn);
            EXPECT_NEAR(t.highest, one.highest, 1e-4) << name(f) << ' ' << speed;
            EXPECT_NEAR(t.lowest, one.lowest, 1e-4) << name(f) << ' ' << speed;
            EXPECT_NEAR(norm(t.velocity - one.velocity), 0, 2e-3 * speed) << name(f) << ' ' << speed;
        }
    }
}
// By Coulomb's law, a = mu g, whatever the seams.
TYPED_TEST(laid_floors, what_slides_is_braked_by_friction_alone) {
    using T = typename TestFixture::S;
    using R = typename TestFixture::rotation;
    T const mu = T(0.3), speed = T(5), left = speed - mu * this->g * T(0.5), pi = std::numbers::pi_v<T>;
    R const along = sinew::quaternion_exp(vec3<T>{T(0), T(0), pi / 2});
    std::vector<vec3<T>> corners;
    for (int k = 0; k < 6; ++k)
        for (T const y : {T(-0.1), T(0.1)}) corners.push_back({T(0.2) * T(std::cos(k * std::numbers::pi / 3)), y, T(0.2) * T(std::sin(k * std::numbers::pi / 3))});
    for (floor const f : laid) {
        auto const check = [&](auto const& t, T height, char const* what) {
            EXPECT_NEAR(t.velocity.x(), left, 0.01 * speed) << what << " on " << name(f);
            EXPECT_NEAR(t.velocity.z(), 0, 0.01 * speed) << what << " on " << name(f);
            EXPECT_LT(t.highest, height + T(1e-3)) << what << " on " << name(f);
            EXPECT_GT(t.lowest, height - T(1e-3)) << what << " on " << name(f);
        };
        check(this->slide(f, sinew::box<T>{{T(0.3), T(0.1), T(0.2)}}, T(0.1), {}, speed, mu), T(0.1), "box");
        check(this->slide(f, sinew::cylinder<T>{T(0.2), T(0.1)}, T(0.1), {}, speed, mu), T(0.1), "cylinder");
        check(this->slide(f, sinew::capsule<T>{T(0.1), T(0.2)}, T(0.1), along, speed, mu), T(0.1), "capsule");
        check(this->slide(f, sinew::convex_hull(corners), T(0.1), {}, speed, mu), T(0.1), "hexagonal prism");
    }
}
TYPED_TEST(laid_floors, balls_that_fall_on_a_seam_bounce_straight_up) {
    using T = typename TestFixture::S;
    for (floor const f : laid)
        for (T const aside : {T(0), T(1e-4), T(0.01), T(0.05)}) {
            auto c = this->lay(f, T(0.5), T(0.3), T(0), T(0.8));
            auto const ball = c.w.add_solid(sinew::sphere<T>{T(0.1)}, T(1000), c.at({aside, T(0.6), aside}), this->surface(T(0.3), T(0.8)));
            auto const t = this->follow(c, ball, 90);
            EXPECT_NEAR(std::hypot(double(t.position.x() - aside), double(t.position.z() - aside)), 0, 1e-3) << name(f) << ' ' << aside;
            EXPECT_NEAR(std::hypot(double(t.velocity.x()), double(t.velocity.z())), 0, 1e-2) << name(f) << ' ' << aside;
        }
}
// ---- what is there is met

TYPED_TEST(laid_floors, a_wall_that_stands_on_tiles_stops_what_comes) {
    using T = typename TestFixture::S;
    for (floor const f : laid)
        for (bool const is_ball : {false, true}) {
            auto c = this->lay(f, T(0.5), T(0.1));
            auto o = this->surface(T(0.1));
            o.frame = c.at({T(0.25), T(0.5), T(0)});
            c.w.add(sinew::box<T>{{T(0.25), T(0.5), T(1)}}, c.w.ground(), o);
            sinew::twist<T> const v{{T(3), T(0), T(0)}, {}};
            auto const b = is_ball ? c.w.add_solid(sinew::sphere<T>{T(0.1)}, T(1000), c.at({T(-1), T(0.1), T(0.1)}), this->surface(T(0.1)), v)
                                   : c.w.add_solid(sinew::box<T>{{T(0.1), T(0.1), T(0.1)}}, T(1000), c.at({T(-1), T(0.1), T(0.1)}), this->surface(T(0.1)), v);
            T farthest{-10};
            for (int i = 0; i < 90; ++i) {
                ASSERT_TRUE(c.w.step(this->h));
                farthest = std::max(farthest, c.position(b).x());
            }
            EXPECT_LT(farthest, T(-0.1) + T(2e-3)) << name(f) << ' ' << is_ball;
            EXPECT_GT(farthest, T(-0.12)) << name(f) << ' ' << is_ball;
        }
}
TYPED_TEST(laid_floors, a_step_of_five_millimetres_stops_a_box) {
    using T = typename TestFixture::S;
    auto c = this->lay(floor::one_box, T(1), T(0.1));
    auto o = this->surface(T(0.1));
    o.frame = c.at({T(2), T(-0.195), T(0)});
    c.w.add(sinew::box<T>{{T(2), T(0.2), T(1)}}, c.w.ground(), o);
    auto const b = c.w.add_solid(sinew::box<T>{{T(0.3), T(0.05), T(0.3)}}, T(1000), c.at({T(-1), T(0.05), T(0)}), this->surface(T(0.1)), {{T(1.5), T(0), T(0)}, {}});
    auto const t = this->follow(c, b, 120);
    EXPECT_NEAR(t.position.x(), -0.3, 5e-3);
}
TYPED_TEST(laid_floors, what_is_smaller_than_a_gap_falls_in) {
    using T = typename TestFixture::S;
    typename TestFixture::course c{};
    for (T const side : {T(-1), T(1)}) {
        auto o = this->surface(T(0.5));
        o.frame = c.at({side * T(1.06), -this->thick, T(0)});
        c.w.add(sinew::box<T>{{T(1), this->thick, T(1)}}, c.w.ground(), o);
    }
    auto const small = c.w.add_solid(sinew::sphere<T>{T(0.05)}, T(1000), c.at({T(-0.5), T(0.05), T(0)}), this->surface(T(0.5)), {{T(0.5), T(0), T(0)}, {}});
    auto const t = this->follow(c, small, 150);
    EXPECT_LT(t.position.y(), -0.3);
}
TYPED_TEST(laid_floors, what_hangs_over_the_end_tips) {
    using T = typename TestFixture::S;
    for (floor const f : laid)
        for (bool const over : {false, true}) {
            auto c = this->lay(f, T(0.5), T(0.8));
            auto const b = c.w.add_solid(sinew::box<T>{{T(0.3), T(0.05), T(0.2)}}, T(1000), c.at({over ? T(4.05) : T(3.95), T(0.05), T(0)}), this->surface(T(0.8)));
            auto const t = this->follow(c, b, 120);
            if (over)
                EXPECT_LT(t.position.y(), -0.3) << name(f);
            else
                EXPECT_NEAR(t.position.y(), 0.05, 1e-3) << name(f);
        }
}
// ---- floors that move

// In the frame of a platform that goes on evenly the laws are the same.
TYPED_TEST(laid_floors, balls_roll_over_a_moving_platform_of_boxes) {
    using T = typename TestFixture::S;
    auto const run = [&](bool of_two, T speed) {
        typename TestFixture::course c{};
        c.w.gravity = {T(0), -this->g, T(0)};
        vec3<T> const going{T(0.7), T(0), T(0.2)};
        auto const platform = c.w.add_fixed(c.at({T(0), T(0), T(0)}), {going, {}});
        auto o = this->surface(T(0.5));
        for (T const side : {T(-1), T(1)}) {
            if (!of_two && side > T(0)) continue;
            o.frame = c.at({of_two ? side : T(0), -this->thick, T(0)});
            c.w.add(sinew::box<T>{{of_two ? T(1) : T(2), this->thick, T(1)}}, platform, o);
        }
        T const r = T(0.1);
        auto const ball = c.w.add_solid(sinew::sphere<T>{r}, T(1000), c.at({T(-1), r, T(0)}), this->surface(T(0.5)), {going + vec3<T>{speed, T(0), T(0)}, {T(0), T(0), -speed / r}});
        return this->follow(c, ball, static_cast<int>(120 / speed));
    };
    for (T const speed : {T(2), T(8)}) {
        auto const two = run(true, speed), one = run(false, speed);
        EXPECT_NEAR(two.highest, one.highest, 1e-4) << speed;
        EXPECT_NEAR(norm(two.velocity - one.velocity), 0, 2e-3 * speed) << speed;
    }
}
// A body's own boxes over the seams of a floor.
TYPED_TEST(laid_floors, a_body_of_two_boxes_slides_over_tiles) {
    using T = typename TestFixture::S;
    T const mu = T(0.3), speed = T(4);
    for (floor const f : laid) {
        auto c = this->lay(f, T(0.25), mu);
        auto p = sinew::mass_properties_of<T>(sinew::box<T>{{T(0.4), T(0.1), T(0.2)}}, T(1000));
        auto body = sinew::rigid_body_of(p, c.at({T(-3), T(0.1), T(0.07)}));
        body.twist.linear = {speed, T(0), T(0)};
        auto const b = c.w.add(body);
        for (T const side : {T(-0.2), T(0.2)}) {
            auto o = this->surface(mu);
            o.frame = c.at({side, T(0), T(0)});
            c.w.add(sinew::box<T>{{T(0.2), T(0.1), T(0.2)}}, b, o);
        }
        auto const t = this->follow(c, b, 30);
        EXPECT_NEAR(t.velocity.x(), speed - mu * this->g * T(0.5), 0.01 * speed) << name(f);
        EXPECT_LT(t.highest, T(0.101)) << name(f);
    }
}
// ---- what is told of them

TYPED_TEST(laid_floors, sides_of_tiles_touch_nothing) {
    using T = typename TestFixture::S;
    auto c = this->lay(floor::colliders, T(0.5), T(0.5));
    T const r = T(0.1), speed = T(5);
    c.w.add_solid(sinew::sphere<T>{r}, T(1000), c.at({T(-3.7), r, T(0.2)}), this->surface(T(0.5)), {{speed, T(0), T(0)}, {T(0), T(0), -speed / r}});
    int begun = 0;
    for (int i = 0; i < 80; ++i) {
        ASSERT_TRUE(c.w.step(this->h));
        for (auto const& e : c.w.touch_begins()) {
            ++begun;
            EXPECT_GT(std::abs(double(e.normal.y())), 0.99);
        }
    }
    EXPECT_GE(begun, 10);
}
// A sensor neither hides nor is hidden.
TYPED_TEST(laid_floors, sensors_see_what_rolls_over_them) {
    using T = typename TestFixture::S;
    auto c = this->lay(floor::colliders, T(0.5), T(0.5));
    auto o = this->surface(T(0.5));
    o.sensor = true;
    o.frame = c.at({T(0), -this->thick, T(0)});
    c.w.add(sinew::box<T>{{T(0.3), this->thick, T(1)}}, c.w.ground(), o);
    T const r = T(0.1), speed = T(2);
    c.w.add_solid(sinew::sphere<T>{r}, T(1000), c.at({T(-1), r - T(0.001), T(0.2)}), this->surface(T(0.5)), {{speed, T(0), T(0)}, {T(0), T(0), -speed / r}});
    int begun = 0, ended = 0;
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(c.w.step(this->h));
        for (auto const& e : c.w.touch_begins()) begun += e.sensor;
        for (auto const& e : c.w.touch_ends()) ended += e.sensor;
    }
    EXPECT_GE(begun, 1);
    EXPECT_GE(ended, 1);
}

}  // namespace
