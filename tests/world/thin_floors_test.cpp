// Small bodies above, on and below thin things that stand, at long steps: what gravity and other forces add to a velocity within a step must not carry them
// through. A body at rest falls 11 mm in 1/30 s.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace {

template <class S>
struct config : sinew::default_config {
    using scalar = S;
};
template <class S>
using world_of = sinew::world<config<S>, sinew::sphere, sinew::box, sinew::capsule, sinew::triangle_mesh, sinew::height_field, sinew::spring>;

enum class floor_kind { box, field, surface, sheet };
constexpr floor_kind floors[] = {floor_kind::box, floor_kind::field, floor_kind::surface, floor_kind::sheet};
char const* name(floor_kind k) { return k == floor_kind::box ? "box" : k == floor_kind::field ? "height field" : k == floor_kind::surface ? "surface" : "sheet"; }

// Its top at height 0.
template <class S>
void lay(world_of<S>& w, floor_kind kind) {
    using vec = sinew::vec3<S>;
    if (kind == floor_kind::box) w.add(sinew::box<S>{{S(0.5), S(0.002), S(0.5)}}, w.ground(), {.frame = {{0, S(-0.002), 0}}});
    if (kind == floor_kind::field)
        w.add(sinew::height_field_of(std::vector<S>(9), 3, sinew::vec<S, 2>{S(0.5), S(0.5)}), w.ground(), {.frame = {{S(-0.5), 0, S(-0.5)}}});
    if (kind != floor_kind::surface && kind != floor_kind::sheet) return;
    std::vector<vec> const points{{S(-0.5), 0, S(-0.5)}, {S(0.5), 0, S(-0.5)}, {S(-0.5), 0, S(0.5)}, {S(0.5), 0, S(0.5)}};
    std::vector<std::array<std::uint32_t, 3>> const triangles{{0, 2, 1}, {1, 2, 3}};
    w.add(sinew::mesh_of(points, triangles, kind == floor_kind::sheet ? sinew::mesh_kind::sheet : sinew::mesh_kind::surface), w.ground());
}
// A ball, a cube or a lying capsule that reaches `size` below its middle: a standing one would fall over within a few steps.
template <class S>
auto put(world_of<S>& w, int kind, S size, sinew::vec3<S> const& at, bool continuous = false) {
    sinew::collider_options<S> const o{.continuous = continuous};
    sinew::pose<S> const pose{at};
    S const density = 1000;
    if (kind == 0) return w.add_solid(sinew::sphere<S>{size}, density, pose, o);
    if (kind == 1) return w.add_solid(sinew::box<S>{{size, size, size}}, density, pose, o);
    auto const lying = sinew::rotation_about<sinew::quaternion<S>>({S(0), S(0), S(1)}, S(1.5707963267948966));
    return w.add_solid(sinew::capsule<S>{size, size}, density, {at, lying}, o);
}

template <class S>
class thin_floors : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(thin_floors, scalars);

TYPED_TEST(thin_floors, hold_what_is_let_go_above_them) {
    using S = TypeParam;
    for (floor_kind const kind : floors)
        for (S const h : {S(1) / 30, S(1) / 60})
            for (S const size : {S(0.0005), S(0.002), S(0.005)})
                for (S const gap : {S(0), S(0.0003), S(0.0007), S(0.0015), S(0.003), S(0.007), S(0.02)})
                    for (int body = 0; body < 6; ++body) {
                        SCOPED_TRACE(testing::Message() << name(kind) << ", step " << h << " s, size " << size << " m, gap " << gap << " m, body " << body);
                        world_of<S> w;
                        lay(w, kind);
                        auto const b = put(w, body % 3, size, {S(0.1), size + gap, S(0.05)}, body >= 3);
                        for (int i = 0; i < 12; ++i) {
                            ASSERT_TRUE(w.step(h));
                            ASSERT_GT(w.position(b)[1], size / 2) << "at step " << i;
                        }
                        EXPECT_LT(w.position(b)[1], S(1.5) * size + gap);
                    }
}

TYPED_TEST(thin_floors, hold_what_is_thrown_up_against_them) {
    // It would be above the ceiling at the highest point of its way, and below it again when the step is over; or above it then, too.
    using S = TypeParam;
    S const h = S(1) / 30, size = S(0.0005);
    for (S const speed : {S(0.2), S(0.33), S(0.6)})
        for (bool const continuous : {false, true}) {
            SCOPED_TRACE(testing::Message() << speed << " m/s" << (continuous ? ", continuous" : ""));
            world_of<S> w;
            w.add(sinew::box<S>{{S(0.5), S(0.0002), S(0.5)}}, w.ground(), {.frame = {{0, S(0.0002), 0}}});
            auto const b = w.add_solid(sinew::sphere<S>{size}, S(1000), sinew::pose<S>{{0, -size - S(0.0008), 0}}, {.continuous = continuous}, {{0, speed, 0}, {}});
            for (int i = 0; i < 6; ++i) {
                ASSERT_TRUE(w.step(h));
                ASSERT_LT(w.position(b)[1], -size / 2) << "at step " << i;
            }
        }
}

TYPED_TEST(thin_floors, hold_what_other_forces_press_on_them) {
    using S = TypeParam;
    S const size = S(0.002), g = S(9.81);
    for (floor_kind const kind : floors)
        for (int by = 0; by < 2; ++by) {
            SCOPED_TRACE(testing::Message() << name(kind) << (by == 0 ? ", applied" : ", by a spring"));
            world_of<S> w;
            lay(w, kind);
            w.gravity = {};
            auto const b = put(w, 0, size, {S(0.1), size + S(0.001), S(0.05)});
            S const weight = S(1000) * S(4.18879) * size * size * size * g;
            if (by == 1) {
                sinew::spring<S> s{};
                s.anchor_a = {S(0.1), S(-1), S(0.05)};
                s.stiffness = S(4) * weight;
                w.add(s, w.ground(), b);
            }
            for (int i = 0; i < 12; ++i) {
                if (by == 0) w.apply_force(b, sinew::vec3<S>{0, S(-4) * weight, 0}, w.position(b));
                ASSERT_TRUE(w.step(S(1) / 60));
                ASSERT_GT(w.position(b)[1], size / 2) << "at step " << i;
            }
        }
}

// A crate of half a ton falls on something of a few kilograms: what sweeps make of that within a step is a velocity that goes through the floor in that step, or a place
// in it from which its contacts would see the floor from behind.
TYPED_TEST(thin_floors, hold_what_heavy_bodies_fall_on) {
    using S = TypeParam;
    for (S const thickness : {S(0.02), S(0.05)})
        for (int kind = 0; kind < 3; ++kind)
            for (S const speed : {S(3), S(8), S(15)})
                for (S const aside : {S(0), S(0.1), S(0.25)}) {
                    SCOPED_TRACE(testing::Message() << "body " << kind << " on " << thickness << " m, hit at " << speed << " m/s, " << aside << " m aside");
                    S const size = S(0.06);
                    world_of<S> w;
                    w.add(sinew::box<S>{{20, thickness / 2, 20}}, w.ground(), {.frame = {{0, -thickness / 2, 0}}});
                    auto const small = put(w, kind, size, {0, size, 0});
                    (void)w.add_solid(sinew::box<S>{{S(0.3), S(0.4), S(0.3)}}, S(2000), sinew::pose<S>{{aside, S(0.75), S(0.05)}}, {}, {{0, -speed, 0}, {}});
                    for (int i = 0; i < 180; ++i) {
                        ASSERT_TRUE(w.step(S(1) / 60));
                        ASSERT_GT(w.position(small)[1], 0) << "at step " << i;
                    }
                }
}

// What has nothing in the middle of its box has not gone through what stands there: a ring about a post, and a corner that is cut from a cube.
template <class S>
using ring = sinew::compound<sinew::box<S>, sinew::box<S>, sinew::box<S>, sinew::box<S>>;

TYPED_TEST(thin_floors, and_posts_let_rings_and_corners_down) {
    using S = TypeParam;
    using vec = sinew::vec3<S>;
    using sinew::frame_of;
    sinew::world<config<S>, sinew::box, ring, sinew::convex_polytope> w;
    w.add(sinew::box<S>{{2, S(0.02), 2}}, w.ground(), {.frame = {{0, S(-0.02), 0}}});
    w.add(sinew::box<S>{{S(0.05), 1, S(0.05)}}, w.ground(), {.frame = {{0, 1, 0}}});
    sinew::box<S> const side{{S(0.2), S(0.02), S(0.05)}}, across{{S(0.05), S(0.02), S(0.2)}};
    auto const at = [](S x, S z) { return frame_of(sinew::pose<S>{{x, 0, z}}); };
    auto const hoop = w.add_solid(ring<S>{{side, at(0, S(0.25))}, {side, at(0, S(-0.25))}, {across, at(S(0.25), 0)}, {across, at(S(-0.25), 0)}}, S(1000), sinew::pose<S>{{0, S(3.5), 0}});
    std::vector<vec> const corners{{0, 0, 0}, {S(0.4), 0, 0}, {0, S(0.4), 0}, {0, 0, S(0.4)}};
    // Its slanted face downward: the middle of its box is beneath that.
    vec const down = normalize(vec{1, 1, 1});
    vec const axis = cross(down, vec{0, -1, 0});
    auto const turn = sinew::rotation_about<sinew::quaternion<S>>(normalize(axis), std::atan2(norm(axis), -down[1]));
    auto const corner = w.add_solid(convex_hull(corners), S(1000), sinew::pose<S>{{1, S(0.8), 0}, turn});
    for (int i = 0; i < 180; ++i) ASSERT_TRUE(w.step(S(1) / 60));
    EXPECT_NEAR(w.position(hoop)[1], S(0.02), S(0.005));
    EXPECT_NEAR(w.position(corner)[1], S(0.4) / std::sqrt(S(3)) / 4, S(0.005)) << "a quarter of its height";
}

}  // namespace
