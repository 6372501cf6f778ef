// Bad shapes and surfaces: each is refused by a sentence that names what is wrong with it, and the world stays as it was, however it was asked.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using sinew::vec3;

struct config : sinew::default_config {
    using sleep = sinew::island_sleep;
};
template <class S>
using pair_of_balls = sinew::compound<sinew::sphere<S>, sinew::sphere<S>>;

using world = sinew::world<config, sinew::sphere, sinew::box, sinew::convex_polytope, sinew::half_space, sinew::triangle_mesh, sinew::height_field, pair_of_balls>;
using triangle_list = std::vector<std::array<std::uint32_t, 3>>;

constexpr float nan_f = std::numeric_limits<float>::quiet_NaN(), inf_f = std::numeric_limits<float>::infinity();

struct scene {
    world w;
    world::body_handle body;
    sinew::collider_handle collider;
    world before;

    scene() : before(w) {
        w.add(sinew::half_space<float>{}, w.ground());
        body = w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, {{0, 0.5f, 0}});
        collider = world::collider(w.add(sinew::sphere<float>{0.5f}, body));
        for (int i = 0; i < 10; ++i) w.step(1.0f / 60);
        before = w;
    }
    template <class F>
    void refuses(F&& f, std::string const& sentence) {
        try {
            f();
            ADD_FAILURE() << "accepted, instead of: " << sentence;
        } catch (std::invalid_argument const& e) {
            EXPECT_EQ(std::string(e.what()).substr(0, sentence.size()), sentence);
        }
        EXPECT_TRUE(w == before) << sentence;
    }
    // Neither on a body that is there, nor on the ground, nor as a body of its own.
    template <class Shape>
    void refuses_shape(Shape const& shape, std::string const& sentence) {
        refuses([&] { w.add(shape, body); }, sentence);
        refuses([&] { w.add(shape, w.ground()); }, sentence);
        if constexpr (sinew::has_support<Shape, float> || sinew::is_composed<Shape, float>) refuses([&] { w.add_solid(shape, 1000.0f); }, sentence);
    }
    void goes_on() {
        for (int i = 0; i < 10; ++i) {
            ASSERT_TRUE(w.step(1.0f / 60));
            before.step(1.0f / 60);
        }
        EXPECT_TRUE(w == before);
    }
};

TEST(bad_shapes, extents) {
    scene s;
    for (float const bad : {0.0f, -1.0f, nan_f, inf_f}) {
        s.refuses_shape(sinew::sphere<float>{bad}, "sinew: radius must be positive and finite, but is ");
        s.refuses_shape(sinew::box<float>{{1, bad, 1}}, "sinew: half_extents[1] must be positive and finite, but is ");
        s.refuses_shape(pair_of_balls<float>{{{1}}, {{bad}, {{1, 0, 0}}}}, "sinew: radius must be positive and finite, but is ");
    }
    s.refuses_shape(sinew::half_space<float>{{0, 0, 0}, 0}, "sinew: normal must have length 1; its length is 0");
    s.refuses_shape(sinew::half_space<float>{{0, nan_f, 0}, 0}, "sinew: normal must be finite, but is NaN");
    s.refuses_shape(sinew::half_space<float>{{0, 1, 0}, nan_f}, "sinew: offset must be finite, but is NaN");
    s.goes_on();
}

TEST(bad_shapes, hulls) {
    scene s;
    using points = std::vector<vec3<float>>;
    s.refuses_shape(sinew::convex_polytope<float>{}, "sinew: points must ");
    s.refuses_shape(sinew::convex_hull(points{}), "sinew: points must ");
    s.refuses_shape(sinew::convex_hull(points{{1, 2, 3}, {1, 2, 3}}), "sinew: points must enclose a volume, but are all in one place");
    s.refuses_shape(sinew::convex_hull(points{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}), "sinew: points must enclose a volume, but are all on one line");
    s.refuses_shape(sinew::convex_hull(points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), "sinew: points must enclose a volume, but are all in one plane; their number is 4");
    s.refuses_shape(sinew::convex_hull(points{{0, 0, 0}, {1, 0, 0}, {0, nan_f, 0}, {0, 0, 1}}), "sinew: points must be finite, but one is not; its index is 2");
    s.goes_on();
}

TEST(bad_shapes, meshes) {
    scene s;
    std::vector<vec3<float>> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    triangle_list const closed{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    triangle_list open = closed;
    open.pop_back();
    s.refuses_shape(sinew::triangle_mesh<float>{}, "sinew: triangles must not be empty; their number is 0");
    s.refuses_shape(sinew::mesh_of(points, triangle_list{{0, 1, 7}}), "sinew: triangles must name points that exist, but one does not; its index is 0");
    s.refuses_shape(sinew::mesh_of(points, triangle_list{{0, 1, 1}}), "sinew: triangles must have their corners not in one line, but one has; its index is 0");
    s.refuses_shape(sinew::mesh_of(points, open, sinew::mesh_kind::solid), "sinew: triangles of a solid must close it; the number of open edges is 3");
    // An open surface may stand or be carried, but has no mass of its own; nor has a closed one that does not say it is solid.
    for (auto const kind : {sinew::mesh_kind::surface, sinew::mesh_kind::sheet})
        for (auto const& triangles : {open, closed})
            s.refuses([&] { s.w.add_solid(sinew::mesh_of(points, triangles, kind), 1000.0f); },
                      "sinew: shape must enclose a volume, as a mesh of mesh_kind::solid does, and one whose mass the scalar can tell from 0; its mass is 0");
    auto bad = points;
    bad[2][1] = nan_f;
    s.refuses_shape(sinew::mesh_of(bad, closed), "sinew: points must be finite, but one is not; its index is 2");
    s.goes_on();
    EXPECT_TRUE(s.w.add(sinew::mesh_of(points, open), s.w.ground()));
    EXPECT_TRUE(s.w.add_solid(sinew::mesh_of(points, closed, sinew::mesh_kind::solid), 1000.0f, {{5, 5, 5}}));
    for (int i = 0; i < 60; ++i) EXPECT_TRUE(s.w.step(1.0f / 60));
}

TEST(bad_shapes, height_fields) {
    scene s;
    std::vector<float> heights(12);
    s.refuses_shape(sinew::height_field<float>{}, "sinew: heights must not be empty; their number is 0");
    s.refuses_shape(sinew::height_field_of(heights, 5, sinew::vec<float, 2>{1, 1}), "sinew: heights must fill their rows; their number is 12");
    s.refuses_shape(sinew::height_field_of(heights, 4, sinew::vec<float, 2>{1, -1}), "sinew: spacing[1] must be positive and finite, but is -1");
    s.refuses([&] { s.w.add_solid(sinew::height_field_of(heights, 4, sinew::vec<float, 2>{1, 1}), 1000.0f); }, "sinew: shape must enclose a volume, as a mesh");
    heights[7] = inf_f;
    s.refuses_shape(sinew::height_field_of(heights, 4, sinew::vec<float, 2>{1, 1}), "sinew: heights must be finite, but one is not; its index is 7");
    s.goes_on();
}

TEST(bad_shapes, materials_frames_and_densities) {
    scene s;
    auto const refuse = [&](auto change, std::string const& sentence) {
        auto m = sinew::material<float>::of(0.5f);
        change(m);
        s.refuses([&] { s.w.add(sinew::sphere<float>{1}, s.body, {.material = m}); }, sentence);
        s.refuses([&] { s.w.add_solid(sinew::sphere<float>{1}, 1.0f, {}, {.material = m}); }, sentence);
        s.refuses([&] { s.w.set_material(s.collider, m); }, sentence);
    };
    refuse([](auto& m) { m.static_friction = -0.1f; }, "sinew: material.static_friction must be finite and not negative, but is -0.1");
    refuse([](auto& m) { m.static_friction = nan_f; }, "sinew: material.static_friction must be finite and not negative, but is NaN");
    refuse([](auto& m) { m.dynamic_friction = -0.1f; }, "sinew: material.dynamic_friction must be finite and not negative, but is -0.1");
    refuse([](auto& m) { m.dynamic_friction = 0.6f; }, "sinew: material.dynamic_friction must not be above the static friction, but is 0.6");
    refuse([](auto& m) { m.restitution = 1.5f; }, "sinew: material.restitution must be between 0 and 1, but is 1.5");
    refuse([](auto& m) { m.restitution = -0.5f; }, "sinew: material.restitution must be between 0 and 1, but is -0.5");
    refuse([](auto& m) { m.restitution = nan_f; }, "sinew: material.restitution must be between 0 and 1, but is NaN");
    refuse([](auto& m) { m.compliance = -1; }, "sinew: material.compliance must be finite and not negative, but is -1");
    refuse([](auto& m) { m.surface_velocity[2] = inf_f; }, "sinew: material.surface_velocity must be finite");
    refuse([](auto& m) { m.rolling_friction = 0.1f; }, "sinew: material.rolling_friction needs a config that says ");
    s.refuses([&] { s.w.add(sinew::sphere<float>{1}, s.body, {.frame = {{0, nan_f, 0}}}); }, "sinew: position must be finite, but is NaN");
    s.refuses([&] { s.w.add(sinew::sphere<float>{1}, s.body, {.frame = {{0, 0, 0}, {0, 0, 0, 0}}}); }, "sinew: rotation must be a rotation");
    for (float const bad : {0.0f, -1.0f}) s.refuses([&] { s.w.add_solid(sinew::sphere<float>{1}, bad); }, "sinew: density must be positive, but is ");
    s.refuses([&] { s.w.add_solid(sinew::sphere<float>{1}, nan_f); }, "sinew: density must be finite, but is NaN");
    s.refuses([&] { s.w.add_solid(sinew::sphere<float>{1}, 1.0f, {{nan_f, 0, 0}}); }, "sinew: position must be finite, but is NaN");
    s.refuses([&] { s.w.add(sinew::half_space<float>{}, s.body); }, "sinew: shape is unbounded, so that it can only stand on the ground or on a fixed body");
    s.goes_on();
}

// Shapes that know their mass, but not where they end: the whole of a body and its shape is refused, not the shape alone.
template <class S>
struct endless {
    constexpr vec3<S> support(vec3<S> const& d) const { return normalize(d); }
    constexpr sinew::aabb<S> bounds(sinew::frame<S> const&) const { return sinew::unbounded_aabb<S>(); }
    constexpr sinew::mass_properties<S> mass_properties(S const& density) const { return sinew::solid_sphere(sinew::of_density(density), S(1)); }
};
template <class S>
using box_on_a_plane = sinew::compound<sinew::box<S>, sinew::half_space<S>>;

TEST(bad_shapes, a_solid_body_without_an_end_leaves_nothing_behind) {
    sinew::world<config, endless, box_on_a_plane> w;
    auto const before = w;
    EXPECT_THROW(w.add_solid(endless<float>{}, 1000.0f), std::invalid_argument);
    EXPECT_THROW(w.add_solid(box_on_a_plane<float>{{{{1, 1, 1}}}, {{}}}, 1000.0f), std::invalid_argument);
    EXPECT_EQ(w.body_count(), before.body_count());
    EXPECT_TRUE(w == before);
}

TEST(bad_shapes, hulls_too_large_to_have_a_volume) {
    scene s;
    float const far = 1e38f;
    std::vector<vec3<float>> const points{{0, 0, 0}, {far, 0, 0}, {0, far, 0}, {0, 0, far}};
    s.refuses_shape(sinew::convex_hull(points), "sinew: points must be finite, but one is not; its index is 3");
}

TEST(bad_shapes, queries) {
    scene s;
    using ray = sinew::ray<float>;
    using frame = sinew::frame<float>;
    vec3<float> const up{0, 10, 0}, down{0, -1, 0};
    sinew::sphere<float> const ball{0.5f};
    s.refuses([&] { (void)s.w.cast(ray{{0, nan_f, 0}, down}); }, "sinew: ray.origin must be finite, but is NaN");
    s.refuses([&] { (void)s.w.cast(ray{{0, inf_f, 0}, down}); }, "sinew: ray.origin must be finite, but is ");
    s.refuses([&] { (void)s.w.cast(ray{up, {0, nan_f, 0}}); }, "sinew: ray.direction must be finite, but is NaN");
    s.refuses([&] { (void)s.w.cast(ray{up, {0, 0, 0}}); }, "sinew: ray.direction must have length 1, as ray_along makes it; its length is 0");
    s.refuses([&] { (void)s.w.cast(ray{up, {0, -2, 0}}); }, "sinew: ray.direction must have length 1, as ray_along makes it; its length is 2");
    s.refuses([&] { (void)s.w.cast(ray{up, down, -1}); }, "sinew: ray.length must not be negative, but is -1");
    s.refuses([&] { (void)s.w.cast(ray{up, down, nan_f}); }, "sinew: ray.length must not be negative, but is NaN");
    s.refuses([&] { (void)s.w.closest(sinew::sphere<float>{nan_f}, frame{up}, 20.0f); }, "sinew: radius must be positive and finite, but is NaN");
    s.refuses([&] { (void)s.w.closest(ball, frame{{0, nan_f, 0}}, 20.0f); }, "sinew: position must be finite, but is NaN");
    s.refuses([&] { (void)s.w.closest(ball, frame{up}, nan_f); }, "sinew: limit must be a number, but is NaN");
    s.refuses([&] { (void)s.w.shape_cast(ball, frame{up}, {0, -inf_f, 0}); }, "sinew: translation must be finite, but is ");
    s.refuses([&] { (void)s.w.shape_cast(sinew::convex_polytope<float>{}, frame{up}, {0, -1, 0}); }, "sinew: points must not be empty");
    s.refuses([&] { s.w.overlaps(sinew::triangle_mesh<float>{}, frame{up}, [](auto const&) {}); }, "sinew: triangles must not be empty");
    // From a point to itself: nothing is on the way, but what the point is in.
    EXPECT_FALSE(s.w.cast(sinew::ray_between(up, up)));
    vec3<float> const middle = s.w.position(s.body);
    EXPECT_TRUE(s.w.cast(sinew::ray_between(middle, middle)));
    EXPECT_TRUE(s.w.closest(ball, frame{up}, inf_f));
    s.goes_on();
}

TEST(bad_shapes, handles_of_other_shapes) {
    scene s;
    sinew::handle<sinew::box<float>> const wrong{s.collider.index, s.collider.generation, s.collider.world};  // of a sphere
    std::string const sentence = "sinew: collider handle names a collider of another shape";
    s.refuses([&] { s.w.remove(wrong); }, sentence);
    s.refuses([&] { (void)s.w.get(wrong); }, sentence);
    EXPECT_FALSE(s.w.contains(wrong));
    EXPECT_TRUE(s.w.contains(s.collider));
    s.goes_on();
}

}  // namespace
