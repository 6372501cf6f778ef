// Bullets of 1000 m/s at thin things, with continuous collision and the default strategy: at grazing angles, spinning, at sheets of triangles and ground
// of heights, at walls that move, many at once. None may pass.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace {

using sinew::vec3;

struct config : sinew::default_config {};
using world = sinew::world<config, sinew::sphere, sinew::box, sinew::capsule, sinew::triangle_mesh, sinew::height_field>;
using body_handle = world::body_handle;

constexpr float dt = 1.0f / 60, density = 8000;

enum class wall { thin_box, surface, sheet, field };
constexpr wall walls[] = {wall::thin_box, wall::surface, wall::sheet, wall::field};
char const* name(wall w) { return w == wall::thin_box ? "box" : w == wall::surface ? "surface" : w == wall::sheet ? "sheet" : "height field"; }

// Level at height 0, its top within 1 cm of it, hundreds of metres wide; in triangles of metres.
void lay(world& w, wall kind) {
    constexpr std::uint32_t n = 31;
    constexpr float pitch = 20, half = pitch * (n - 1) / 2;
    if (kind == wall::thin_box) w.add(sinew::box<float>{{half, 0.005f, half}}, w.ground(), {.frame = {{0, -0.005f, 0}}});
    if (kind == wall::field) w.add(sinew::height_field_of(std::vector<float>(n * n), n, sinew::vec<float, 2>{pitch, pitch}), w.ground(), {.frame = {{-half, 0, -half}}});
    if (kind != wall::surface && kind != wall::sheet) return;
    std::vector<vec3<float>> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::uint32_t j = 0; j < n; ++j)
        for (std::uint32_t i = 0; i < n; ++i) points.push_back({pitch * float(i) - half, 0, pitch * float(j) - half});
    for (std::uint32_t j = 0; j + 1 < n; ++j)
        for (std::uint32_t i = 0; i + 1 < n; ++i) {
            std::uint32_t const p = j * n + i, r = p + 1, q = p + n, s = q + 1;
            triangles.push_back({p, q, r});
            triangles.push_back({r, q, s});
        }
    w.add(sinew::mesh_of(points, triangles, kind == wall::sheet ? sinew::mesh_kind::sheet : sinew::mesh_kind::surface), w.ground());
}

struct gun {
    std::mt19937 random{5};
    float part(float lo = -1, float hi = 1) { return std::uniform_real_distribution<float>(lo, hi)(random); }
    // A ball, a spinning box or a tumbling capsule of a centimetre, which would be at `target` some time in the next steps.
    body_handle shoot(world& w, vec3<float> const& target, vec3<float> const& velocity, vec3<float> const& of_target = {}) {
        float const before = part(0.5f, 2.5f) * dt;
        sinew::pose<float> const from{target - (velocity - of_target) * before, turned(sinew::quaternion<float>::identity(), vec3<float>{part(), part(), part()})};
        vec3<float> const spin{200 * part(), 200 * part(), 200 * part()};
        sinew::collider_options<float> const options{.material = sinew::material<float>::of(part(0, 0.8f), part(0, 0.5f)), .continuous = true};
        switch (shots++ % 3) {
            case 0: return w.add_solid(sinew::sphere<float>{0.005f}, density, from, options, {velocity, {}});
            case 1: return w.add_solid(sinew::box<float>{{0.01f, 0.005f, 0.005f}}, density, from, options, {velocity, spin});
            default: return w.add_solid(sinew::capsule<float>{0.004f, 0.008f}, density, from, options, {velocity, spin});
        }
    }
    int shots = 0;
};

TEST(bullets, do_not_pass_at_any_angle) {
    for (wall const kind : walls) {
        SCOPED_TRACE(name(kind));
        gun g;
        for (int trial = 0; trial < 60; ++trial) {
            SCOPED_TRACE(trial);
            world w;
            w.gravity = {};
            lay(w, kind);
            // From straight down to 3 degrees above the ground.
            float const elevation = g.part(0.05f, 1.57f), heading = g.part(0, 6.28f);
            vec3<float> const v = 1000.0f * vec3<float>{std::cos(elevation) * std::cos(heading), -std::sin(elevation), std::cos(elevation) * std::sin(heading)};
            auto const b = g.shoot(w, {g.part(-100, 100), 0.0f, g.part(-100, 100)}, v);
            for (int i = 0; i < 8; ++i) {
                ASSERT_TRUE(w.step(dt));
                auto const x = w.position(b);
                ASSERT_TRUE(x.y() > -0.002f || std::abs(x.x()) > 290 || std::abs(x.z()) > 290) << "at step " << i << ": " << x.x() << ", " << x.y() << ", " << x.z();
            }
            EXPECT_GT(w.twist(b).linear.y(), -1.0f) << "it has been stopped, or turned";
            EXPECT_LT(norm(w.twist(b).linear), 1001.0f);
        }
    }
}

TEST(bullets, do_not_pass_a_wall_that_moves) {
    gun g;
    for (int trial = 0; trial < 60; ++trial) {
        SCOPED_TRACE(trial);
        world w;
        w.gravity = {};
        // Towards it, away from it, aside, and in turning about its middle; of its own weight or driven.
        vec3<float> const drift{g.part(-100, 100), g.part(-20, 20), g.part(-20, 20)};
        bool const driven = trial % 2 == 0;
        sinew::twist<float> const t{drift, driven ? vec3<float>{} : vec3<float>{0, 0, 1}};
        sinew::box<float> const plate{{0.005f, 3, 3}};
        body_handle target;
        if (driven) {
            target = w.add_fixed({}, t);
            w.add(plate, target);
        } else {
            target = w.add_solid(plate, density, {}, {}, t);
        }
        auto const b = g.shoot(w, {0, g.part(), g.part()}, {1000, 0, 0}, drift);
        for (int i = 0; i < 8; ++i) {
            ASSERT_TRUE(w.step(dt));
            vec3<float> const seen = w.pose(target).local_point(w.position(b));
            ASSERT_TRUE(seen.x() < 0.002f || std::abs(seen.y()) > 3 || std::abs(seen.z()) > 3) << "at step " << i << ": " << seen.x();
        }
    }
}

TEST(bullets, many_at_once_do_not_pass) {
    for (wall const kind : {wall::thin_box, wall::surface}) {
        SCOPED_TRACE(name(kind));
        world w;
        lay(w, kind);
        gun g;
        std::vector<body_handle> all;
        for (int k = 0; k < 200; ++k) all.push_back(g.shoot(w, {g.part(-5, 5), 0, g.part(-5, 5)}, {g.part(-300, 300), -1000, g.part(-300, 300)}));
        for (int i = 0; i < 30; ++i) {
            ASSERT_TRUE(w.step(dt));
            for (auto const b : all) ASSERT_TRUE(w.position(b).y() > -0.002f || norm(w.position(b)) > 290) << "at step " << i;
        }
    }
}

// What is hit askew leaves as a whirl of ten thousand turns a second, whose contacts say little of where it goes next.
TEST(bullets, long_and_edged_ones_do_not_whirl_through) {
    struct exact : sinew::default_config {
        using scalar = double;
    };
    using vec = vec3<double>;
    using exact_world = sinew::world<exact, sinew::box, sinew::capsule, sinew::convex_polytope>;
    std::mt19937 random(3);
    auto const part = [&](double lo = -1, double hi = 1) { return std::uniform_real_distribution<double>(lo, hi)(random); };
    for (double const h : {1.0 / 60, 1.0 / 30})
        for (bool const fixed : {true, false})
            for (int trial = 0; trial < 300; ++trial) {
                SCOPED_TRACE(trial);
                exact_world w;
                w.gravity = {};
                sinew::collider_options<double> o{.material = sinew::material<double>::of(0.3, 0.2)};
                sinew::box<double> const wall{{0.005, 20, 20}};
                auto const target = fixed ? w.add_fixed({}) : w.add_solid(wall, 8000, {}, o);
                if (fixed) w.add(wall, target, o);
                double const angle = part(0, 1.3), spin = trial % 2 == 0 ? 0 : 300, r = 0.02;
                vec const heading = normalize(vec{std::cos(angle), std::sin(angle), part(-0.1, 0.1)});
                sinew::pose<double> const from{-heading * part(4, 10), turned(sinew::quaternion<double>::identity(), vec{part(-2, 2), part(-2, 2), part(-2, 2)})};
                sinew::twist<double> const t{1000.0 * heading, spin * vec{part(), part(), part()}};
                o.continuous = true;
                body_handle b;
                if (trial % 4 < 2) {
                    b = w.add_solid(sinew::capsule<double>{r / 2, r}, 8000, from, o, t);
                } else {
                    std::vector<vec> corners;
                    for (int i = 0; i < 12; ++i) corners.push_back(normalize(vec{part(), part(), part()}) * r);
                    b = w.add_solid(sinew::convex_hull(corners), 8000, from, o, t);
                }
                for (int i = 0; i < 10; ++i) {
                    ASSERT_TRUE(w.step(h));
                    vec const seen = w.pose(target).local_point(w.position(b));
                    if (std::abs(seen.y()) > 20 || std::abs(seen.z()) > 20) break;
                    ASSERT_LT(seen.x(), 0.004) << "at step " << i;
                }
            }
}

}  // namespace
