// A convex shape of your own takes one function; and what else solids and ground may be made of. Writes 19_own_shape_and_terrain.html.
//
//   ellipsoid      ours: the farthest point in a direction is all that it says. Collision, ray casts, bounds, mass and the drawing follow from it
//   jack           three capsules that are one (compound)
//   cushion        a box, rounded by a margin (rounded)
//   pipe           a mesh of triangles, here with lips that hang over, as no field of heights could. Its inner edges must not be felt
//
// The mass that is summed from the support function is compared with the formula, and so is where a ray meets the shape. All must stay in the
// pipe, and come to rest where it is lowest.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

template <class S>
struct ellipsoid {
    sinew::vec3<S> half{S(0.16f), S(0.1f), S(0.22f)};  // m
    // p in direction d with the largest d . p: half^2 d / |half d|
    constexpr sinew::vec3<S> support(sinew::vec3<S> const& d) const {
        sinew::vec3<S> const r{half[0] * d[0], half[1] * d[1], half[2] * d[2]};
        S const size = norm(r);
        return size > S(0) ? sinew::vec3<S>{half[0] * r[0] / size, half[1] * r[1] / size, half[2] * r[2] / size} : sinew::vec3<S>{};
    }
};
template <class S>
using jack = sinew::compound<sinew::capsule<S>, sinew::capsule<S>, sinew::capsule<S>>;
template <class S>
using cushion = sinew::rounded<sinew::box<S>>;

struct config : sinew::default_config {
    using sleep = sinew::island_sleep;
    static constexpr bool resists_rolling = true;
};
using vec = sinew::vec3<float>;
using world_type = sinew::world<config, ellipsoid, jack, cushion, sinew::triangle_mesh>;

// A winding pipe, open at the top, lowest at x = 6 m.
sinew::triangle_mesh<float> pipe() {
    constexpr std::uint32_t along = 61, around = 15;
    std::vector<vec> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::uint32_t i = 0; i < along; ++i)
        for (std::uint32_t j = 0; j < around; ++j) {
            float const x = 10 * float(i) / (along - 1), angle = 1.9f * (2 * float(j) / (around - 1) - 1);
            points.push_back({x, 0.06f * (x - 6) * (x - 6) + 0.7f * (1 - std::cos(angle)), 0.4f * std::sin(0.9f * x) + 0.7f * std::sin(angle)});
        }
    for (std::uint32_t i = 0; i + 1 < along; ++i)
        for (std::uint32_t j = 0; j + 1 < around; ++j) {
            std::uint32_t const p = i * around + j, q = p + around;
            triangles.push_back({p, p + 1, q});  // counter-clockwise seen from inside
            triangles.push_back({p + 1, q + 1, q});
        }
    return mesh_of(points, triangles);
}

int main() {
    world_type world;
    sinew::material<float> slippery = sinew::material<float>::of(0.12f);
    slippery.rolling_friction = 0.004f;
    world.add(pipe(), world.ground(), {.material = slippery});

    sinew::capsule<float> const arm{0.05f, 0.14f};
    auto const turned = [](vec const& axis) { return sinew::frame_of(sinew::pose<float>{{}, sinew::quaternion_exp(axis * (sinew::pi_v<float> / 2))}); };
    jack<float> const three{{arm}, {arm, turned({1, 0, 0})}, {arm, turned({0, 0, 1})}};
    cushion<float> const pillow{{{0.12f, 0.05f, 0.12f}}, 0.05f};
    for (int i = 0; i < 24; ++i) {
        float const x = 0.4f + 0.4f * float(i);
        sinew::pose<float> const at{{x, 0.06f * (x - 6) * (x - 6) + 0.45f + 0.55f * float(i % 2), 0.4f * std::sin(0.9f * x)}, sinew::quaternion_exp(vec{float(i), 0.7f * float(i), 0.3f})};
        if (i % 3 == 0)
            world.add_solid(ellipsoid<float>{}, 1000.0f, at, {.material = slippery});
        else if (i % 3 == 1)
            world.add_solid(three, 1000.0f, at, {.material = slippery});
        else
            world.add_solid(pillow, 1000.0f, at, {.material = slippery});
    }

    sinew::recorder page("Shapes of one's own in a pipe of triangles");
    page.camera(0.35, 0.95);
    auto const shown = page.add_colliders(world, [&](auto const& body) { return std::string(body == world.ground() ? "#a9b39a" : ""); });
    float lowest = 1, above = 0, least = world.energy();
    for (int step = 0; step < 720; ++step) {
        if (step % 3 == 0) {
            page.frame(static_cast<double>(world.time()));
            page.show(world, shown);
            page.plot("energy [J]", "kinetic", static_cast<double>(world.kinetic_energy()));
            page.plot("energy [J]", "total", static_cast<double>(world.energy()));
            page.plot("bodies asleep", "of 24", static_cast<double>(world.asleep_count()));
        }
        if (!world.step(1.0f / 60)) return 1;
        above = std::max(above, world.energy() - least);
        least = std::min(least, world.energy());
        world.for_each_body([&](auto body) { lowest = std::min(lowest, world.position(body).y()); });
    }
    page.write("19_own_shape_and_terrain.html");

    ellipsoid<float> const own;
    float const mass = sinew::mass_properties_of<float>(own, 1000.0f).mass, law = 4.0f / 3 * sinew::pi_v<float> * own.half[0] * own.half[1] * own.half[2] * 1000;
    auto const hit = cast(sinew::ray<float>{{1, 0.5f, 0.3f}, normalize(vec{-1, -0.45f, -0.25f})}, own, sinew::frame<float>{});
    vec const on{hit.point[0] / own.half[0], hit.point[1] / own.half[1], hit.point[2] / own.half[2]};  // of the unit sphere
    float farthest = 0;
    world.for_each_body([&](auto body) { farthest = std::max(farthest, std::abs(world.position(body).x() - 6)); });

    std::printf("ellipsoid: %.3f kg by its support function, %.3f by the formula; a ray meets it %.0e of its size beside its surface\n", static_cast<double>(mass), static_cast<double>(law),
                static_cast<double>(std::abs(norm(on) - 1)));
    std::printf("pipe: no centre below %.3f m, all within %.2f m of the lowest place, %zu of 24 asleep; energy never %.2f J above what it had come down to\n", static_cast<double>(lowest),
                static_cast<double>(farthest), world.asleep_count(), static_cast<double>(above));
    return lowest > 0 && farthest < 3 && hit.hit && std::abs(norm(on) - 1) < 1e-4f && std::abs(mass / law - 1) < 1e-3f ? 0 : 1;
}
