// Wheels, balls and blocks on surfaces of triangles: where the triangles lie in one plane, all goes as the laws of a plane say, however they are cut.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

using sinew::vec3;
using world = sinew::world<sinew::default_config, sinew::sphere, sinew::box, sinew::capsule, sinew::cylinder, sinew::half_space, sinew::triangle_mesh, sinew::height_field>;
using body_handle = world::body_handle;

constexpr float dt = 1.0f / 60, g = 9.81f, pi = 3.14159265f;
constexpr float length = 50, width = 4;  // of the ground, m

sinew::collider_options<float> rough(float friction) { return {.material = sinew::material<float>::of(friction)}; }

// A level strip of triangles from (-1, 0, -width / 2) along +x, its points moved at random within the plane. Counter-clockwise from above.
sinew::triangle_mesh<float> strip(float long_side, float pitch, float wide = width) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> part(-0.3f, 0.3f);
    std::vector<vec3<float>> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    auto const columns = static_cast<std::uint32_t>(long_side / pitch) + 2, rows = static_cast<std::uint32_t>(wide / pitch) + 2;
    for (std::uint32_t j = 0; j < rows; ++j)
        for (std::uint32_t i = 0; i < columns; ++i) {
            float const dx = part(random), dz = part(random);
            points.push_back({pitch * (float(i) + dx) - 1, 0, pitch * (float(j) + dz) - wide / 2});
        }
    for (std::uint32_t j = 0; j + 1 < rows; ++j)
        for (std::uint32_t i = 0; i + 1 < columns; ++i) {
            std::uint32_t const p = j * columns + i, r = p + 1, q = p + columns, s = q + 1;
            triangles.push_back({p, q, r});
            triangles.push_back({r, q, s});
        }
    return sinew::mesh_of(points, triangles);
}
sinew::height_field<float> flat_field(float pitch, float wide = width) {
    auto const columns = static_cast<std::size_t>(length / pitch) + 2, rows = static_cast<std::size_t>(wide / pitch) + 2;
    return sinew::height_field_of(std::vector<float>(columns * rows, 0.0f), columns, sinew::vec<float, 2>{pitch, pitch});
}

enum class ground { plane, field, coarse_mesh, mesh, fine_mesh };
constexpr ground cut[] = {ground::field, ground::coarse_mesh, ground::mesh, ground::fine_mesh};
char const* name(ground k) {
    char const* const names[] = {"half space", "height field of 0.5 m", "mesh of 3 m", "mesh of 0.5 m", "mesh of 0.1 m"};
    return names[static_cast<int>(k)];
}
// At a slope about z: it falls along +x.
void lay(world& w, ground k, float friction, float slope = 0, float long_side = length) {
    auto o = rough(friction);
    auto const tilt = turned(sinew::quaternion<float>::identity(), vec3<float>{0, 0, -slope});
    o.frame.rotation = tilt;
    if (k == ground::plane) w.add(sinew::half_space<float>{}, w.ground(), o);
    if (k == ground::field) {
        o.frame.position = sinew::pose<float>{{}, tilt}.point(vec3<float>{-1, 0, -width / 2 - 0.17f});
        w.add(flat_field(0.5f, width + 1), w.ground(), o);
    }
    if (k == ground::coarse_mesh) w.add(strip(long_side + 3, 3, 12), w.ground(), o);
    if (k == ground::mesh) w.add(strip(long_side, 0.5f), w.ground(), o);
    if (k == ground::fine_mesh) w.add(strip(long_side, 0.1f, 1.5f), w.ground(), o);
}
vec3<float> down_the_slope(float slope) { return {std::cos(slope), -std::sin(slope), 0}; }
vec3<float> out_of_the_slope(float slope) { return {std::sin(slope), std::cos(slope), 0}; }

// What lies on its side, its axis along z.
sinew::quaternion<float> lying() { return turned(sinew::quaternion<float>::identity(), vec3<float>{pi / 2, 0, 0}); }

struct end {
    float speed, rim_speed, way, aside, rise;
};
template <class Shape>
end roll(ground k, Shape const& shape, float radius, float speed, float seconds) {
    world w;
    lay(w, k, 0.9f);
    auto const b = w.add_solid(shape, 200.0f, {{0.13f, radius, 0.07f}, lying()}, rough(0.9f), {{speed, 0, 0}, {0, 0, -speed / radius}});
    end e{};
    for (int i = 0; i < int(seconds * 60); ++i) {
        EXPECT_TRUE(w.step(dt));
        auto const p = w.position(b);
        e.aside = std::max(e.aside, std::abs(p.z() - 0.07f));
        e.rise = std::max(e.rise, std::abs(p.y() - radius));
    }
    e.way = w.position(b).x() - 0.13f;
    e.speed = w.twist(b).linear.x();
    e.rim_speed = -w.twist(b).angular.z() * radius;
    return e;
}

// Nothing brakes it: it goes on at its speed, straight, as far as on a plane, and does not leave the ground.
template <class Shape>
void rolls_on(Shape const& shape, float radius, float speed, float seconds) {
    end const plane = roll(ground::plane, shape, radius, speed, seconds);
    EXPECT_NEAR(plane.way, speed * seconds, 5e-3f * speed * seconds);
    for (ground const k : cut) {
        SCOPED_TRACE(name(k));
        end const e = roll(k, shape, radius, speed, seconds);
        EXPECT_NEAR(e.speed, speed, 1e-3f * speed);
        EXPECT_NEAR(e.rim_speed, speed, 2e-3f * speed);
        EXPECT_NEAR(e.way, plane.way, 5e-4f * plane.way);
        EXPECT_LT(e.aside, 1e-4f * plane.way);
        EXPECT_LT(e.rise, 1e-4f);
    }
}
TEST(rolling_on_surfaces, a_wheel_keeps_its_speed_and_its_line) { rolls_on(sinew::cylinder<float>{0.36f, 0.12f}, 0.36f, 5, 9); }
TEST(rolling_on_surfaces, a_fast_wheel_does) { rolls_on(sinew::cylinder<float>{0.36f, 0.12f}, 0.36f, 20, 2.2f); }
TEST(rolling_on_surfaces, a_ball_does) { rolls_on(sinew::sphere<float>{0.36f}, 0.36f, 5, 9); }
TEST(rolling_on_surfaces, a_capsule_does) { rolls_on(sinew::capsule<float>{0.2f, 0.4f}, 0.2f, 3, 9); }

TEST(rolling_on_surfaces, a_ball_rolls_down_a_slope_by_five_sevenths) {
    float const slope = 0.2f, r = 0.25f, seconds = 3;
    for (ground const k : cut) {
        SCOPED_TRACE(name(k));
        world w;
        lay(w, k, 0.8f, slope);
        vec3<float> const from = out_of_the_slope(slope) * r + vec3<float>{0, 0, 0.07f};
        auto const b = w.add_solid(sinew::sphere<float>{r}, 1000.0f, {from}, rough(0.8f));
        for (int i = 0; i < int(seconds * 60); ++i) ASSERT_TRUE(w.step(dt));
        float const a = 5.0f / 7 * g * std::sin(slope);
        EXPECT_NEAR(dot(w.twist(b).linear, down_the_slope(slope)), a * seconds, 3e-3f * a * seconds);
        EXPECT_NEAR(dot(w.position(b) - from, down_the_slope(slope)), a * seconds * seconds / 2, 0.01f * a * seconds * seconds / 2);
        EXPECT_NEAR(w.position(b).z(), 0.07f, 2e-3f);
        EXPECT_NEAR(dot(w.position(b), out_of_the_slope(slope)), r, 1e-3f);
    }
}

TEST(rolling_on_surfaces, a_block_stops_where_its_friction_says) {
    float const v = 6, mu = 0.3f, way = v * v / (2 * mu * g);
    sinew::box<float> const brick{{0.4f, 0.2f, 0.3f}};
    for (float const heading : {0.0f, 0.5f}) {
        float on_plane = 0;
        for (ground const k : {ground::plane, ground::field, ground::coarse_mesh, ground::mesh, ground::fine_mesh}) {
            SCOPED_TRACE(testing::Message() << name(k) << ", turned by " << heading);
            world w;
            lay(w, k, mu);
            auto const turn = turned(sinew::quaternion<float>::identity(), vec3<float>{0, heading, 0});
            auto const b = w.add_solid(brick, 1000.0f, {{0.13f, 0.2f, 0.07f}, turn}, rough(mu), {{v, 0, 0}, {}});
            for (int i = 0; i < 180; ++i) ASSERT_TRUE(w.step(dt));
            auto const p = w.position(b);
            if (k == ground::plane) on_plane = p.x() - 0.13f;
            EXPECT_NEAR(p.x() - 0.13f, way, 0.015f * way);  // within a step's way
            EXPECT_NEAR(p.x() - 0.13f, on_plane, 5e-3f * way);
            EXPECT_NEAR(p.z(), 0.07f, 5e-3f);
            vec3<float> const side = w.pose(b).direction(vec3<float>{1, 0, 0});
            EXPECT_NEAR(std::atan2(-side.z(), side.x()), heading, 5e-3f);
        }
    }
}

TEST(rolling_on_surfaces, a_block_on_many_triangles_stays_where_it_is) {
    for (float const slope : {0.0f, 0.3f})
        for (ground const k : {ground::mesh, ground::fine_mesh}) {
            SCOPED_TRACE(testing::Message() << name(k) << ", slope " << slope);
            world w;
            lay(w, k, 0.6f, slope, 4);
            auto const turn = turned(sinew::quaternion<float>::identity(), vec3<float>{0, 0, -slope});
            auto const b = w.add_solid(sinew::box<float>{{0.5f, 0.3f, 0.4f}}, 500.0f, {out_of_the_slope(slope) * 0.3f + vec3<float>{0.03f, 0, 0.01f}, turn}, rough(0.6f));
            for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(dt));
            auto const from = w.pose(b);
            for (int i = 0; i < 60 * 60; ++i) ASSERT_TRUE(w.step(dt));
            EXPECT_LT(norm(w.position(b) - from.position), 1e-4f);
            EXPECT_LT(norm(w.pose(b).direction(vec3<float>{1, 1, 1}) - from.direction(vec3<float>{1, 1, 1})), 2e-4f);
        }
}

// It stops after the way on which its resistance takes its energy: the torque c N, over the angle way / r. A rule sees one manifold of one point in each step.
struct one_manifold {
    int* seen = nullptr;
    int* points = nullptr;
    void operator()(sinew::contact_setup<float>& c) const {
        if (seen != nullptr) ++*seen;
        if (points != nullptr) *points += int(c.manifold.points.size());
    }
};
struct resisting : sinew::default_config {
    static constexpr bool resists_rolling = true;
    using contact_rule = one_manifold;
};
TEST(rolling_on_surfaces, resistance_stops_a_ball_where_it_does_on_a_plane) {
    float const r = 0.2f, v = 2, c = 0.01f, way = 0.7f * v * v * r / (c * g);
    for (bool const on_field : {false, true}) {
        SCOPED_TRACE(on_field ? "height field" : "half space");
        sinew::world<resisting, sinew::sphere, sinew::half_space, sinew::height_field> w;
        auto o = rough(0.8f);
        o.material.rolling_friction = c;
        int seen = 0, points = 0;
        w.contact_rule = {&seen, &points};
        auto const b = w.add_solid(sinew::sphere<float>{r}, 1000.0f, {{0.13f, r, 0.07f}}, o, {{v, 0, 0}, {0, 0, -v / r}});
        if (!on_field) w.add(sinew::half_space<float>{}, w.ground(), o);
        o.frame.position = {-1, 0, -width / 2 - 0.17f};
        if (on_field) w.add(flat_field(0.1f, width + 1), w.ground(), o);
        for (int i = 0; i < 400; ++i) ASSERT_TRUE(w.step(dt));
        EXPECT_NEAR(w.position(b).x() - 0.13f, way, 0.02f * way);
        EXPECT_NEAR(w.position(b).z(), 0.07f, 1e-3f);
        EXPECT_EQ(seen, 400);
        EXPECT_EQ(points, 400);
    }
}

// On the waves of a road a ball exchanges its energy between speed and height. It is slow enough not to lift off, so that it loses only what a kink takes:
// where the way turns up by an angle d it hits it, and by its angular momentum about the point that it hits 2/7 + 5/7 cos d of its spin is left. Thus of the
// energy of its motion 10/7 (1 - cos d), less its square. Over a ridge it goes on along the old face until the step is over, and falls from there: v dt d deep.
TEST(rolling_on_surfaces, a_ball_on_waves_loses_what_the_kinks_take) {
    float const pitch = 0.5f, r = 0.36f, v = 1.2f;
    for (float const height : {0.01f, 0.03f}) {
        SCOPED_TRACE(height);
        std::vector<float> heights;
        std::size_t const columns = 100, rows = 9;
        for (std::size_t j = 0; j < rows; ++j)
            for (std::size_t i = 0; i < columns; ++i) heights.push_back(height * std::cos(pi / 3 * float(i)));
        world w;
        auto o = rough(0.9f);
        o.frame.position = {0, 0, -2};
        w.add(sinew::height_field_of(heights, columns, sinew::vec<float, 2>{pitch, pitch}), w.ground(), o);
        auto const b = w.add_solid(sinew::sphere<float>{r}, 200.0f, {{6 * pitch, r + height, 0.07f}}, rough(0.9f), {{v, 0, 0}, {0, 0, -v / r}});
        float const mass = w.body(b).mass, before = 0.7f * mass * v * v + mass * g * height;
        float lost = 0;  // at most: at the speed that it has at the foot of a wave
        float const fastest = std::sqrt(v * v + 2 * g * height / 0.7f);
        int done = 6;
        for (int i = 0; i < 900; ++i) {
            ASSERT_TRUE(w.step(dt));
            for (; w.position(b).x() > pitch * (float(done) + 1); ++done) {
                auto const h = [&](int at) { return heights[static_cast<std::size_t>(at)]; };
                float const bend = std::atan((h(done + 2) - h(done + 1)) / pitch) - std::atan((h(done + 1) - h(done)) / pitch);
                lost += bend > 0 ? 10.0f / 7 * (1 - std::cos(bend)) * 0.7f * mass * fastest * fastest : mass * g * fastest * dt * -bend;
            }
        }
        ASSERT_GT(done, 36);
        auto const t = w.twist(b);
        float const after = 0.5f * mass * squared_norm(t.linear) + 0.2f * mass * r * r * squared_norm(t.angular) + mass * g * (w.position(b).y() - r);
        EXPECT_LT(before - after, lost);
        EXPECT_LT(after, before * 1.001f);
        EXPECT_NEAR(w.position(b).z(), 0.07f, 2e-3f);
    }
}

// What slides goes on by the dynamic coefficient over every triangle that it comes to: a = g (sin - mu_d cos), with a static one of 0.6.
TEST(sliding_on_surfaces, a_new_triangle_does_not_hold_what_slides) {
    float const slope = 0.5f, dynamic = std::sqrt(0.6f * 0.3f), expected = g * (std::sin(slope) - dynamic * std::cos(slope)), r = 0.3f, half = 0.2f;
    for (ground k : cut) {
        SCOPED_TRACE(name(k));
        for (bool const round : {true, false}) {
            SCOPED_TRACE(round ? "cylinder" : "box");
            world w;
            lay(w, k, 0.6f, slope);
            auto o = rough(0.6f);
            o.material.dynamic_friction = 0.3f;  // and the ground's is 0.6
            auto const tilt = turned(sinew::quaternion<float>::identity(), vec3<float>{0, 0, -slope});
            sinew::pose<float> const at{down_the_slope(slope) * 2.0f + out_of_the_slope(slope) * half, tilt};
            sinew::twist<float> const start{down_the_slope(slope), {}};
            auto const b = round ? w.add_solid(sinew::cylinder<float>{r, half}, 200.0f, at, o, start) : w.add_solid(sinew::box<float>{{r, half, r}}, 200.0f, at, o, start);
            auto const speed = [&] { return dot(w.twist(b).linear, down_the_slope(slope)); };
            for (int i = 0; i < 10; ++i) ASSERT_TRUE(w.step(dt));
            float const before = speed();
            for (int i = 0; i < 120; ++i) ASSERT_TRUE(w.step(dt));
            EXPECT_NEAR((speed() - before) / 2, expected, 0.005f * expected);
        }
    }
}

}  // namespace
