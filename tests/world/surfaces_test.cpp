// Triangle meshes, height fields and compounds in a world: what slides or rolls over inner edges moves as on a plane, what rests stays, what
// leans too far topples.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using sinew::vec3;

struct config : sinew::default_config {};

template <class S>
using pair_of_boxes = sinew::compound<sinew::box<S>, sinew::box<S>>;
template <class S>
using dumbbell = sinew::compound<sinew::sphere<S>, sinew::capsule<S>, sinew::sphere<S>>;
template <class S>
using heap_of_boxes = sinew::shape_group<sinew::box<S>>;

using world = sinew::world<config, sinew::sphere, sinew::box, sinew::capsule, sinew::convex_polytope, sinew::half_space, sinew::triangle_mesh, sinew::height_field, pair_of_boxes, dumbbell, heap_of_boxes>;
using body_handle = world::body_handle;
using options = sinew::collider_options<float>;

constexpr float dt = 1.0f / 60;

options rough(float friction) { return {.material = sinew::material<float>::of(friction)}; }

// A level square of triangles about the origin, its points moved at random within the plane. Counter-clockwise from above.
sinew::triangle_mesh<float> level_mesh(int cells, float pitch) {
    std::mt19937 random(2);
    std::uniform_real_distribution<float> part(-0.3f, 0.3f);
    std::vector<vec3<float>> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    auto const n = static_cast<std::uint32_t>(cells + 1);
    for (std::uint32_t j = 0; j < n; ++j)
        for (std::uint32_t i = 0; i < n; ++i) {
            float const dx = part(random), dz = part(random);
            points.push_back({pitch * (float(i) + dx - float(cells) / 2), 0, pitch * (float(j) + dz - float(cells) / 2)});
        }
    for (std::uint32_t j = 0; j + 1 < n; ++j)
        for (std::uint32_t i = 0; i + 1 < n; ++i) {
            std::uint32_t const p = j * n + i, r = p + 1, q = p + n, s = q + 1;
            triangles.push_back({p, q, r});
            triangles.push_back({r, q, s});
        }
    return sinew::mesh_of(points, triangles);
}
sinew::height_field<float> field_of(int samples, float pitch, auto&& height) {
    std::vector<float> heights;
    for (int j = 0; j < samples; ++j)
        for (int i = 0; i < samples; ++i) heights.push_back(height(i, j));
    return sinew::height_field_of(heights, static_cast<std::size_t>(samples), sinew::vec<float, 2>{pitch, pitch});
}

enum class ground { plane, mesh, field };
constexpr ground grounds[] = {ground::plane, ground::mesh, ground::field};
char const* name(ground g) { return g == ground::plane ? "half_space" : g == ground::mesh ? "triangle_mesh" : "height_field"; }

void lay(world& w, ground g, options o) {
    if (g == ground::plane) w.add(sinew::half_space<float>{}, w.ground(), o);
    if (g == ground::mesh) w.add(level_mesh(40, 0.5f), w.ground(), o);
    if (g == ground::field) {
        o.frame = {{-10, 0, -10}};
        w.add(field_of(41, 0.5f, [](int, int) { return 0.0f; }), w.ground(), o);
    }
}
sinew::quaternion<float> about_y(float angle) { return turned(sinew::quaternion<float>::identity(), vec3<float>{0, angle, 0}); }

struct course {
    float distance = 0, aside = 0, rise = 0, speed = 0, turned = 0;
};
// What becomes of a body that starts on the ground with a velocity along a heading.
template <class Shape>
course run(ground g, Shape const& shape, float height, float speed, float spin, float heading, float friction, float seconds) {
    world w;
    lay(w, g, rough(friction));
    vec3<float> const along{std::cos(heading), 0, -std::sin(heading)}, across{std::sin(heading), 0, std::cos(heading)};
    vec3<float> const from = -5.0f * along + vec3<float>{0, height, 0};
    auto const b = w.add_solid(shape, 1000.0f, {from, about_y(heading)}, rough(friction), {along * speed, across * -spin});
    course c;
    for (int i = 0; i < int(seconds * 60); ++i) {
        EXPECT_TRUE(w.step(dt));
        c.aside = std::max(c.aside, std::abs(dot(w.position(b), across)));
        c.rise = std::max(c.rise, std::abs(w.position(b).y() - height));
    }
    c.distance = dot(w.position(b) - from, along);
    c.speed = dot(w.twist(b).linear, along);
    c.turned = norm(w.pose(b).direction(vec3<float>{0, 1, 0}) - vec3<float>{0, 1, 0});
    return c;
}

TEST(surfaces, a_box_slides_over_inner_edges_as_on_a_plane) {
    for (float const heading : {0.0f, 0.4f, 0.785398f, 1.9f}) {
        sinew::box<float> const brick{{0.4f, 0.2f, 0.3f}};
        float const v = 6, mu = 0.3f;
        course const plane = run(ground::plane, brick, 0.2f, v, 0, heading, mu, 1);
        EXPECT_NEAR(plane.speed, v - mu * 9.81f, 0.01f * plane.speed);
        for (ground const g : {ground::mesh, ground::field}) {
            SCOPED_TRACE(testing::Message() << name(g) << ", heading " << heading);
            course const c = run(g, brick, 0.2f, v, 0, heading, mu, 1);
            EXPECT_NEAR(c.speed, plane.speed, 0.01f * plane.speed);
            EXPECT_NEAR(c.distance, plane.distance, 0.01f * plane.distance);
            EXPECT_LT(c.aside, 0.01f * c.distance);
            EXPECT_LT(c.rise, 2e-3f);
            EXPECT_LT(c.turned, 5e-3f);
            // And stops where it does on a plane, at v^2 / (2 mu g).
            EXPECT_NEAR(run(g, brick, 0.2f, v, 0, heading, mu, 3).distance, v * v / (2 * mu * 9.81f), 0.02f * v * v / (2 * mu * 9.81f));
        }
    }
}

TEST(surfaces, a_ball_rolls_over_inner_edges_as_on_a_plane) {
    float const r = 0.25f, v = 3;
    for (float const heading : {0.0f, 0.4f, 1.9f}) {
        course const plane = run(ground::plane, sinew::sphere<float>{r}, r, v, v / r, heading, 0.5f, 3);
        EXPECT_NEAR(plane.speed, v, 0.01f * v);
        for (ground const g : {ground::mesh, ground::field}) {
            SCOPED_TRACE(testing::Message() << name(g) << ", heading " << heading);
            course const c = run(g, sinew::sphere<float>{r}, r, v, v / r, heading, 0.5f, 3);
            EXPECT_NEAR(c.speed, plane.speed, 0.01f * plane.speed);
            EXPECT_NEAR(c.distance, plane.distance, 0.01f * plane.distance);
            EXPECT_LT(c.aside, 1e-3f * c.distance);
            EXPECT_LT(c.rise, 1e-3f);
        }
    }
}

TEST(surfaces, what_is_put_down_rests) {
    for (ground const g : grounds) {
        SCOPED_TRACE(name(g));
        world w;
        lay(w, g, rough(0.6f));
        std::vector<std::pair<body_handle, float>> all;
        auto const put = [&](auto const& shape, float height, vec3<float> at) {
            at[1] = height + 0.01f;
            all.emplace_back(w.add_solid(shape, 500.0f, {at, about_y(0.3f)}, rough(0.6f)), height);
        };
        put(sinew::box<float>{{0.5f, 0.3f, 0.4f}}, 0.3f, {0.13f, 0, 0.21f});
        put(sinew::sphere<float>{0.3f}, 0.3f, {2, 0, 0});
        put(pair_of_boxes<float>{{{{0.4f, 0.1f, 0.1f}}, {{0, 0, 0.3f}}}, {{{0.4f, 0.1f, 0.1f}}, {{0, 0, -0.3f}}}}, 0.1f, {0, 0, 3});
        heap_of_boxes<float> table;  // a top on four legs
        table.add({{0.6f, 0.05f, 0.4f}}, sinew::frame<float>{{0, 0.6f, 0}});
        for (float const x : {-0.5f, 0.5f})
            for (float const z : {-0.3f, 0.3f}) table.add({{0.05f, 0.275f, 0.05f}}, sinew::frame<float>{{x, 0.275f, z}});
        put(table, table.mass_properties(1.0f).center.y(), {-3, 0, 0});
        std::vector<vec3<float>> before;
        for (int i = 0; i < 300; ++i) {
            ASSERT_TRUE(w.step(dt));
            if (i == 60)
                for (auto const& [b, h] : all) before.push_back(w.position(b));
        }
        for (std::size_t k = 0; k < all.size(); ++k) {
            auto const [b, h] = all[k];
            // A body's origin is its centre of mass.
            EXPECT_NEAR(w.position(b).y(), h, 0.003f) << k;
            EXPECT_LT(norm(w.twist(b).linear), 2e-3f) << k;
            EXPECT_LT(norm(w.position(b) - before[k]), 1e-3f) << k;
        }
    }
}

TEST(surfaces, balls_stay_in_a_valley_and_come_to_its_floor) {
    world w;
    options o = rough(0.5f);
    o.frame = {{-5, 0, -5}};
    // A bowl: height a r^2.
    w.add(field_of(41, 0.25f, [](int i, int j) { return 0.1f * (std::pow(0.25f * float(i) - 5, 2.0f) + std::pow(0.25f * float(j) - 5, 2.0f)); }), w.ground(), o);
    std::vector<body_handle> all;
    for (int k = 0; k < 12; ++k) all.push_back(w.add_solid(sinew::sphere<float>{0.2f}, 1000.0f, {{3 * std::cos(float(k)), 1.6f, 3 * std::sin(float(k))}}, rough(0.5f)));
    float energy = w.energy();
    for (int second = 0; second < 8; ++second) {
        for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(dt));
        EXPECT_LE(w.energy(), energy * 1.0001f);
        energy = w.energy();
        for (auto const b : all) {
            auto const x = w.position(b);
            EXPECT_GT(x.y(), 0.1f * (x.x() * x.x() + x.z() * x.z()) + 0.1f);
            EXPECT_LT(norm(x), 4);
        }
    }
}

// A prism that slides down an incline presses most on its front: ahead of its middle by friction times half its height, which here is nearly all the way to its rim. All
// headings, as its corners lie otherwise to the triangles and to the way.
TEST(surfaces, prisms_near_tipping_slide_down_triangles_without_stumbling) {
    float const mu = 0.5f, slope = std::atan(mu) + 0.25f, g = 9.81f, r = 0.3f, seconds = 2;
    float const pull = g * (std::sin(slope) - mu * std::cos(slope));
    struct prism {
        int sides;
        float of_tipping;
    };
    for (auto const [sides, of_tipping] : {prism{6, 0.9f}, prism{6, 0.95f}, prism{8, 0.9f}, prism{8, 0.95f}, prism{16, 0.85f}}) {
        float const inner = r * std::cos(3.14159265f / float(sides)), half = of_tipping * inner / mu;
        std::vector<vec3<float>> corners;
        for (int k = 0; k < sides; ++k) {
            float const a = 6.2831853f * (float(k) + 0.5f) / float(sides);
            for (float const y : {-half, half}) corners.push_back({r * std::cos(a), y, r * std::sin(a)});
        }
        auto const shape = sinew::convex_hull(corners);
        for (int turn = 0; turn < 4; ++turn) {
            SCOPED_TRACE(testing::Message() << sides << " sides, " << of_tipping << " of what tips, turned by " << 0.3 * turn);
            world w;
            w.gravity = {g * std::sin(slope), -g * std::cos(slope), 0};
            w.add(level_mesh(60, 0.5f), w.ground(), rough(mu));
            auto const b = w.add_solid(shape, 1000.0f, {{-12, half, 0}, about_y(0.3f * float(turn))}, rough(mu));
            int const steps = int(seconds * 60);
            for (int i = 0; i < steps; ++i) ASSERT_TRUE(w.step(dt));
            float const speed = pull * seconds, way = speed * seconds / 2;
            EXPECT_NEAR(w.twist(b).linear.x(), speed, 0.005f * speed);
            EXPECT_NEAR(w.position(b).x() + 12, way, 0.005f * way);
            EXPECT_GT(w.pose(b).direction(vec3<float>{0, 1, 0}).y(), 1 - 1e-3f);
        }
    }
}

// Small balls run down a hilly bowl, several times their size a step, and the next triangles rise before them.
TEST(surfaces, small_balls_do_not_run_through_rising_ground) {
    auto const height = [](float x, float z) { return 0.08f * (x * x + z * z) + 0.3f * std::sin(1.3f * x) * std::cos(1.1f * z) + 0.1f * std::sin(3.1f * x + z); };
    auto const field = field_of(41, 0.25f, [&](int i, int j) { return height(0.25f * float(i) - 5, 0.25f * float(j) - 5); });
    std::vector<vec3<float>> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::size_t j = 0; j < 41; ++j)
        for (std::size_t i = 0; i < 41; ++i) points.push_back(field.sample(i, j));
    for (std::uint32_t j = 0; j < 40; ++j)
        for (std::uint32_t i = 0; i < 40; ++i) {
            std::uint32_t const p = 41 * j + i, r = p + 1, q = p + 41;
            triangles.push_back({p, q, r});
            triangles.push_back({r, q, q + 1});
        }
    for (auto const kind : {sinew::mesh_kind::surface, sinew::mesh_kind::sheet})
        for (bool const continuous : {false, true}) {
            world w;
            options o = rough(0.6f);
            o.frame = {{-5, 0, -5}};
            w.add(sinew::mesh_of(points, triangles, kind), w.ground(), o);
            o = rough(0.6f);
            o.continuous = continuous;
            o.filter = {.category = 2, .mask = 1};
            std::mt19937 random(7);
            std::uniform_real_distribution<float> place(-3, 3);
            std::vector<body_handle> all;
            for (int k = 0; k < 60; ++k) {
                float const x = place(random), z = place(random), r = k % 2 == 0 ? 0.004f : 0.01f;
                all.push_back(w.add_solid(sinew::sphere<float>{r}, 1000.0f, {{x, field.height(x + 5, z + 5) + 0.5f, z}}, o));
            }
            for (int i = 0; i < 240; ++i) ASSERT_TRUE(w.step(dt));
            for (std::size_t k = 0; k < all.size(); ++k) {
                auto const x = w.position(all[k]);
                EXPECT_GT(x.y(), field.height(x.x() + 5, x.z() + 5)) << k;
                EXPECT_LT(norm(w.twist(all[k]).linear), 5) << k;
            }
        }
}

// What stands beside a triangle is pushed aside by it, if at all: the normal then tells little of the side from which a sheet is touched.
TEST(surfaces, a_box_that_falls_flat_on_a_sheet_does_not_spin) {
    constexpr std::uint32_t n = 21;
    std::vector<vec3<float>> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::uint32_t j = 0; j < n; ++j)
        for (std::uint32_t i = 0; i < n; ++i) points.push_back({0.37f * (static_cast<float>(i) - 10), 0, 0.37f * (static_cast<float>(j) - 10)});
    for (std::uint32_t j = 0; j + 1 < n; ++j)
        for (std::uint32_t i = 0; i + 1 < n; ++i) {
            std::uint32_t const p = j * n + i, r = p + n;
            triangles.push_back({p, r, p + 1});
            triangles.push_back({p + 1, r, r + 1});
        }
    options o{.material = sinew::material<float>::of(0.4f, 0.2f)};
    o.material.restitution_threshold = 0;
    for (float const side : {1.0f, -1.0f})  // from above, from below
        for (float const hertz : {60.0f, 120.0f, 240.0f})
            for (float const height : {1.0f, 10.0f}) {
                world w;
                w.gravity = {0, -9.81f * side, 0};
                w.add(sinew::mesh_of(points, triangles, sinew::mesh_kind::sheet), w.ground(), o);
                auto const box = w.add_solid(sinew::box<float>{{1, 1.0f / 3, 0.5f}}, 1000.0f, {{0.11f, side * (height + 1.0f / 3), 0.07f}}, o);
                float spin = 0;
                for (int i = 0; i < static_cast<int>(4 * hertz); ++i) {
                    ASSERT_TRUE(w.step(1 / hertz));
                    spin = std::max(spin, norm(w.twist(box).angular));
                }
                EXPECT_LT(spin, 1e-2f) << side << ' ' << hertz << ' ' << height;
                EXPECT_NEAR(w.position(box).y(), side / 3, 1e-2f) << side << ' ' << hertz << ' ' << height;
            }
}

TEST(surfaces, a_compound_weighs_what_its_parts_weigh) {
    // Two halves are the whole.
    pair_of_boxes<float> const halves{{{{0.25f, 0.2f, 0.3f}}, {{-0.25f, 0, 0}}}, {{{0.25f, 0.2f, 0.3f}}, {{0.25f, 0, 0}}}};
    sinew::box<float> const whole{{0.5f, 0.2f, 0.3f}};
    world w;
    w.gravity = {};
    auto const a = w.add_solid(halves, 700.0f, {{0, 0, 0}}), b = w.add_solid(whole, 700.0f, {{5, 0, 0}});
    EXPECT_NEAR(w.body(a).mass, w.body(b).mass, 1e-4f * w.body(b).mass);
    auto const i = w.body(a).inertia, j = w.body(b).inertia;
    for (auto const& [x, y] : {std::pair{i.xx, j.xx}, {i.yy, j.yy}, {i.zz, j.zz}}) EXPECT_NEAR(x, y, 1e-4f * y);
    for (float const x : {i.xy, i.xz, i.yz}) EXPECT_NEAR(x, 0, 1e-4f * j.yy);
    EXPECT_LT(norm(w.position(a)), 1e-6f);
    // One much heavier part: the centre of mass is that of the weights, by hand.
    dumbbell<float> const club{{{0.2f}, {{0, 0.5f, 0}}}, {{0.05f, 0.5f}}, {{0.1f}, {{0, -0.5f, 0}}}};
    auto const c = w.add_solid(club, 1000.0f, {{0, 10, 0}});
    float const pi = 3.14159265f, ball = 4 * pi / 3;
    float const big = ball * 0.008f, rod = pi * 0.0025f * 1.0f + ball * 0.000125f, small = ball * 0.001f;
    EXPECT_NEAR(w.body(c).mass, 1000 * (big + rod + small), 0.01f);
    EXPECT_NEAR(w.position(c).y(), 10 + 0.5f * (big - small) / (big + rod + small), 1e-4f);
}

TEST(surfaces, a_compound_topples_when_its_centre_of_mass_is_beyond_its_base) {
    // A post of 0.2 m with a beam on top that reaches out to one side. About the middle of the post the beam's moment is its mass times its offset.
    float const half = 0.1f, post = 0.5f;
    for (ground const g : grounds)
        for (bool const falls : {false, true}) {
            SCOPED_TRACE(testing::Message() << name(g) << (falls ? ", beyond" : ", within"));
            float const reach = 0.4f;  // half the beam's length
            float const m_post = 2 * post * 4 * half * half, m_beam = 2 * reach * 4 * half * half;
            // The offset of the beam that puts the centre of mass 10 % within or beyond the base's edge.
            float const offset = (falls ? 1.1f : 0.9f) * half * (m_post + m_beam) / m_beam;
            pair_of_boxes<float> const crane{{{{half, post, half}}, {{0, post, 0}}}, {{{reach, half, half}}, {{offset, 2 * post + half, 0}}}};
            world w;
            lay(w, g, rough(0.8f));
            auto const b = w.add_solid(crane, 500.0f, {{0.07f, 0, 0.11f}}, rough(0.8f));
            for (int i = 0; i < 300; ++i) ASSERT_TRUE(w.step(dt));
            float const upright = w.pose(b).direction(vec3<float>{0, 1, 0}).y();
            if (falls)
                EXPECT_LT(upright, 0.5f);
            else
                EXPECT_GT(upright, 0.9999f);
            EXPECT_GT(w.position(b).y(), 0.05f);
        }
}

}  // namespace
