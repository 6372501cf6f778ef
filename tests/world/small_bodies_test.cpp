// Bodies of a few millimetres on hilly ground at a step of 1/30 s, in which gravity alone gives them 0.33 m/s, three times their size: none is worked through it.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

using sinew::vec3;

struct config : sinew::default_config {};
template <class S>
using horseshoe = sinew::compound<sinew::box<S>, sinew::box<S>, sinew::box<S>>;
using world = sinew::world<config, sinew::sphere, sinew::box, sinew::capsule, sinew::cylinder, sinew::cone, sinew::convex_polytope, sinew::triangle_mesh, sinew::height_field, horseshoe>;
using body_handle = world::body_handle;
using options = sinew::collider_options<float>;

constexpr int samples = 41;
constexpr float width = 1.2f, pitch = width / (samples - 1);  // m

// A hollow of 1.2 m with hills of a few centimetres.
sinew::height_field<float> hills() {
    auto const height = [](float x, float z) { return 0.08f * (x * x + z * z) + 0.3f * std::sin(1.3f * x) * std::cos(1.1f * z) + 0.1f * std::sin(3.1f * x + z); };
    std::vector<float> heights;
    for (int j = 0; j < samples; ++j)
        for (int i = 0; i < samples; ++i) heights.push_back(0.12f * height(0.25f * float(i) - 5, 0.25f * float(j) - 5));
    return sinew::height_field_of(heights, samples, sinew::vec<float, 2>{pitch, pitch});
}
sinew::triangle_mesh<float> mesh_over(sinew::height_field<float> const& field) {
    std::vector<vec3<float>> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::size_t j = 0; j < samples; ++j)
        for (std::size_t i = 0; i < samples; ++i) points.push_back(field.sample(i, j));
    for (std::uint32_t j = 0; j + 1 < samples; ++j)
        for (std::uint32_t i = 0; i + 1 < samples; ++i) {
            std::uint32_t const p = samples * j + i, r = p + 1, q = p + samples;
            triangles.push_back({p, q, r});
            triangles.push_back({r, q, q + 1});
        }
    return sinew::mesh_of(points, triangles);
}

// Of half a size (m), in any attitude.
body_handle drop(world& w, int kind, float r, sinew::pose<float> const& at, options const& o, std::mt19937& random) {
    constexpr float density = 1000;
    switch (kind) {
        case 0: return w.add_solid(sinew::sphere<float>{r}, density, at, o);
        case 1: return w.add_solid(sinew::box<float>{{r, r * 0.6f, r * 0.8f}}, density, at, o);
        case 2: return w.add_solid(sinew::cone<float>{r * 0.8f, r}, density, at, o);
        case 3: return w.add_solid(sinew::capsule<float>{r * 0.5f, r * 0.5f}, density, at, o);
        case 4: return w.add_solid(sinew::cylinder<float>{r * 0.7f, r * 0.7f}, density, at, o);
        default: {
            std::vector<vec3<float>> points;
            std::normal_distribution<float> bell;
            for (int q = 0; q < 12; ++q) {
                float const a = bell(random), b = bell(random), c = bell(random);
                points.push_back(normalize(vec3<float>{a, b, c}) * r);
            }
            return w.add_solid(sinew::convex_hull(points), density, at, o);
        }
    }
}

// How many of 300 are below the ground at the end.
int lost(bool as_mesh, unsigned seed, int steps) {
    SCOPED_TRACE(testing::Message() << (as_mesh ? "triangle mesh" : "height field") << ", seed " << seed);
    std::mt19937 random(seed);
    world w;
    auto const field = hills();
    options o{.material = sinew::material<float>::of(0.5f)};
    o.frame = {{-width / 2, 0, -width / 2}};
    if (as_mesh)
        w.add(mesh_over(field), w.ground(), o);
    else
        w.add(field, w.ground(), o);
    float const inside = 0.3f * width;
    auto const wall = [&](vec3<float> const& half, vec3<float> const& at) {
        o.frame = {at};
        w.add(sinew::box<float>{half}, w.ground(), o);
    };
    for (float const side : {-1.0f, 1.0f}) {
        wall({0.5f, 2, 2}, {side * (inside + 0.5f), 1, 0});
        wall({2, 2, 0.5f}, {0, 1, side * (inside + 0.5f)});
    }
    o.frame = {};
    std::uniform_real_distribution<float> place(-0.9f * inside, 0.9f * inside), size(0.004f, 0.01f), turn(-1, 1);
    std::vector<body_handle> all;
    std::vector<float> sizes;
    auto const ground = [&](vec3<float> const& p) { return field.height(p.x() + width / 2, p.z() + width / 2); };
    for (int k = 0; k < 300; ++k) {
        vec3<float> at{place(random), 0, place(random)};
        at.y() = 0.15f + ground(at) + 0.002f * float(k);
        sizes.push_back(size(random));
        vec3<float> const attitude{turn(random), turn(random), turn(random)};
        all.push_back(drop(w, k % 6, sizes.back(), {at, turned(sinew::quaternion<float>::identity(), attitude)}, o, random));
    }
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(1.0f / 30));
    int gone = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        auto const p = w.position(all[k]);
        bool const out = std::abs(p.x()) > inside || std::abs(p.z()) > inside;
        if (out || p.y() < ground(p) - sizes[k]) ++gone;
    }
    return gone;
}

TEST(small_bodies, none_of_300_is_worked_through_a_hilly_mesh) {
    for (unsigned const seed : {1u, 2u}) EXPECT_EQ(lost(true, seed, 60), 0) << "seed " << seed;
}
TEST(small_bodies, none_of_300_is_worked_into_a_hilly_height_field) {
    EXPECT_EQ(lost(false, 1, 60), 0) << "seed 1";
}

// Where two faces stand 40 degrees apart what is put back before one is behind the other.
TEST(small_bodies, none_leaves_a_gorge_through_its_sides) {
    std::vector<vec3<float>> const points{{-0.1f, 0.27f, -3}, {0, 0, -3}, {0.1f, 0.27f, -3}, {-0.1f, 0.27f, 3}, {0, 0, 3}, {0.1f, 0.27f, 3}};
    std::vector<std::array<std::uint32_t, 3>> const faces{{0, 3, 1}, {1, 3, 4}, {1, 4, 2}, {2, 4, 5}};
    auto const gorge = sinew::mesh_of(points, faces);
    ASSERT_GT(gorge.normal(0).x(), 0);
    ASSERT_LT(gorge.normal(2).x(), 0);
    for (unsigned const seed : {1u, 2u, 3u}) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> place(-0.02f, 0.02f), turn(-1, 1), size(0.004f, 0.01f);
        world w;
        options o{.material = sinew::material<float>::of(0.3f)};
        w.add(gorge, w.ground(), o);
        o.filter = {.category = 2, .mask = 1};
        std::vector<body_handle> all;
        for (int k = 0; k < 60; ++k) {
            vec3<float> const attitude{turn(random), turn(random), turn(random)}, at{place(random), 0.2f, 0.03f * float(k) - 0.9f};
            all.push_back(drop(w, k % 6, size(random), {at, turned(sinew::quaternion<float>::identity(), attitude)}, o, random));
            w.set_twist(all.back(), {{0, -3, 0}, attitude * 50.0f});
        }
        for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(1.0f / 30));
        for (std::size_t k = 0; k < all.size(); ++k) EXPECT_GT(w.position(all[k]).y(), 2.7f * std::abs(w.position(all[k]).x()) - 0.005f) << k << ", seed " << seed;
    }
}

// What is behind a surface in its middle, where there is nothing of it, has not gone through: it is let down over a ridge and stands astride.
TEST(small_bodies, a_horseshoe_is_let_down_over_a_ridge) {
    std::vector<vec3<float>> const points{{-1, 0, -1}, {-0.05f, 0, -1}, {0, 0.3f, -1}, {0.05f, 0, -1}, {1, 0, -1}, {-1, 0, 1}, {-0.05f, 0, 1}, {0, 0.3f, 1}, {0.05f, 0, 1}, {1, 0, 1}};
    std::vector<std::array<std::uint32_t, 3>> faces;
    for (std::uint32_t i = 0; i < 4; ++i) {
        faces.push_back({i, i + 5, i + 1});
        faces.push_back({i + 1, i + 5, i + 6});
    }
    world w;
    w.add(sinew::mesh_of(points, faces), w.ground());
    // Legs of 0.4 m with 0.2 m between them.
    horseshoe<float> const shoe{{{{0.05f, 0.2f, 0.1f}}, {{-0.15f, 0.2f, 0}}}, {{{0.05f, 0.2f, 0.1f}}, {{0.15f, 0.2f, 0}}}, {{{0.2f, 0.05f, 0.1f}}, {{0, 0.45f, 0}}}};
    auto const b = w.add_solid(shoe, 500.0f, {{0, 0.4f, 0}});
    float const height = w.pose(b).local_point(vec3<float>{0, 0.4f, 0}).y();  // of its feet in its frame
    for (int i = 0; i < 120; ++i) {
        ASSERT_TRUE(w.step(1.0f / 60));
        if (w.pose(b).point(vec3<float>{0, height, 0}).y() > 0.02f) w.set_twist(b, {{0, -0.3f, 0}, {}});
    }
    EXPECT_NEAR(w.pose(b).point(vec3<float>{0, height, 0}).y(), 0, 5e-3f);
}

}  // namespace
