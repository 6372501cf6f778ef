#include <sinew/collision/collide.hpp>
#include <sinew/geometry/check_shape.hpp>
#include <sinew/geometry/height_field.hpp>
#include <sinew/geometry/sphere.hpp>
#include <sinew/geometry/triangle_mesh.hpp>

#include <counting_new.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace sinew;

template <class S>
std::vector<S> hills(std::uint64_t seed, std::size_t columns, std::size_t rows, double size) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> u(-size, size);
    std::vector<S> h(columns * rows);
    for (S& x : h) x = S(u(random));
    return h;
}

// The same surface as a mesh.
template <class S>
triangle_mesh<S> mesh_of_field(height_field<S> const& f) {
    std::vector<vec3<S>> points;
    std::vector<std::array<std::size_t, 3>> triangles;
    for (std::size_t j = 0; j < f.rows(); ++j)
        for (std::size_t i = 0; i < f.columns(); ++i) points.push_back(f.sample(i, j));
    for (std::size_t j = 0; j + 1 < f.rows(); ++j)
        for (std::size_t i = 0; i + 1 < f.columns(); ++i) {
            std::size_t const p = j * f.columns() + i, q = p + f.columns();
            triangles.push_back({p, q, p + 1});
            triangles.push_back({p + 1, q, q + 1});
        }
    return mesh_of(points, triangles);
}

template <class S>
class height_field_of_scalar : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(height_field_of_scalar, scalars);

static_assert(shape_like<height_field<float>, float> && is_composed<height_field<float>, float> && has_bounds<height_field<float>, float>);

// Parts, neighbours, edges, rays: everything is as with the mesh of the same triangles.
TYPED_TEST(height_field_of_scalar, it_is_the_mesh_of_its_triangles) {
    using S = TypeParam;
    check_shape<height_field<S>, S>();
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937_64 random(seed);
        std::size_t const columns = 2 + random() % 9, rows = 2 + random() % 9;
        vec<S, 2> const spacing{S(0.5), S(0.75)};
        auto const heights = hills<S>(seed, columns, rows, seed % 3 == 0 ? 0 : 1);
        auto const field = height_field_of(heights, columns, spacing);
        ASSERT_EQ(field.fault().name, nullptr);
        auto const mesh = mesh_of_field(field);
        ASSERT_EQ(field.part_count(), mesh.part_count());
        EXPECT_EQ(field.bounds(frame<S>{}), mesh.bounds(frame<S>{}));
        for (std::uint32_t t = 0; t < field.part_count(); ++t) {
            ASSERT_EQ(field.triangle_at(t), mesh.triangle_at(t));
            for (std::size_t k = 0; k < 3; ++k) {
                auto const a = field.across(t, k), b = mesh.across(t, k);
                ASSERT_EQ(a.edge, b.edge) << t << " " << k;
                if (a.edge == surface_edge::border) continue;
                ASSERT_EQ(a.triangle, b.triangle);
                ASSERT_EQ(a.side, b.side);
            }
        }
        std::uniform_real_distribution<double> x(-1, 0.5 * static_cast<double>(columns)), y(-1.5, 1.5), z(-1, 0.75 * static_cast<double>(rows)), size(0, 1.5);
        for (int k = 0; k < 100; ++k) {
            vec3<S> p{S(x(random)), S(y(random)), S(z(random))};
            if (k % 4 == 0) p = {S(0.5) * S(static_cast<int>(random() % columns)), p[1], S(0.75) * S(static_cast<int>(random() % rows))};
            aabb<S> const box{p, p + vec3<S>{S(size(random)), S(size(random)), S(size(random))}};
            std::vector<std::uint32_t> found, expected;
            field.for_each_part(box, [&](std::uint32_t i, auto const&, auto const&) { found.push_back(i); });
            mesh.for_each_part(box, [&](std::uint32_t i, auto const&, auto const&) { expected.push_back(i); });
            std::sort(expected.begin(), expected.end());
            std::sort(found.begin(), found.end());
            ASSERT_EQ(found, expected);
        }
        for (int k = 0; k < 400; ++k) {
            vec3<S> from{S(x(random)), S(y(random)), S(z(random))}, to{S(x(random)), S(y(random)), S(z(random))};
            if (k % 3 == 0) from[1] = S(3);
            if (k % 7 == 0) to = {from[0], S(-3), from[2]};
            if (k % 11 == 0) to = {from[0], S(-3), S(0.75)};
            ray<S> const r = k % 2 == 0 ? ray_between<S>(from, to) : ray_along<S>(from, to - from);
            ray_hit<S> const a = field.cast(r), b = mesh.cast(r);
            bool const below = a.hit && a.distance == S(0);
            if (below) continue;
            ASSERT_EQ(a.hit, b.hit) << k;
            if (a.hit) {
                ASSERT_EQ(a.distance, b.distance);
            }
        }
    }
}

TYPED_TEST(height_field_of_scalar, no_ray_from_above_passes) {
    using S = TypeParam;
    std::size_t const columns = 40, rows = 30;
    auto const field = height_field_of(hills<S>(1, columns, rows, 0.5), columns, vec<S, 2>{S(1), S(1)});
    auto const mesh = mesh_of_field(field);
    std::mt19937_64 random(2);
    for (int k = 0; k < 20000; ++k) {
        // At a sample or a point of an edge, from any side above.
        std::size_t const i = 1 + random() % (columns - 3), j = 1 + random() % (rows - 3);
        S const s = k % 3 == 0 ? S(0) : S(std::uniform_real_distribution<double>(0, 1)(random));
        // Along x, along z, and along the diagonal.
        vec3<S> const p = k % 5 == 0 ? field.sample(i + 1, j) : field.sample(i, j), q = k % 2 == 0 ? field.sample(i, j + 1) : field.sample(i + 1, j);
        vec3<S> const target = p + (q - p) * s;
        std::normal_distribution<double> g;
        // Steeper than any face; one that grazes a ridge may pass.
        double const steep = k % 2 == 0 ? 0.5 : 10;
        vec3<S> const from{S(steep * g(random)), S(5), S(steep * g(random))};
        ray<S> const r = ray_along<S>(target + from, -from);
        bool const hit = field.cast(r).hit;
        EXPECT_TRUE(hit || (k % 2 != 0 && !mesh.cast(r).hit)) << k;
    }
}

TYPED_TEST(height_field_of_scalar, its_height_is_that_of_a_plumb_line) {
    using S = TypeParam;
    auto const field = height_field_of(hills<S>(3, 6, 5, 1), 6, vec<S, 2>{S(2), S(0.5)});
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> x(0.01, 9.99), z(0.01, 1.99);
    for (int k = 0; k < 500; ++k) {
        S const px = S(x(random)), pz = S(z(random));
        auto const hit = field.cast({{px, S(5), pz}, {S(0), S(-1), S(0)}});
        ASSERT_TRUE(hit.hit);
        EXPECT_NEAR(static_cast<double>(hit.point.y()), static_cast<double>(field.height(px, pz)), 1e-5);
        auto const inside = field.cast({{px, field.height(px, pz) - S(0.01), pz}, {S(0), S(1), S(0)}});
        if (field.height(px, pz) - S(0.01) > field.bounds(frame<S>{}).lower.y()) {
            EXPECT_EQ(inside.distance, S(0));
        }
    }
}

TYPED_TEST(height_field_of_scalar, bad_input_is_refused_with_a_reason) {
    using S = TypeParam;
    vec<S, 2> const one{S(1), S(1)};
    std::vector<S> h(12, S(0));
    EXPECT_EQ(height_field_of(h, 4, one).fault().name, nullptr);
    EXPECT_STREQ(height_field<S>{}.fault().name, "heights");
    EXPECT_STREQ(height_field_of(std::vector<S>{}, 4, one).fault().requirement, "must not be empty; their number");
    EXPECT_STREQ(height_field_of(h, 1, one).fault().name, "columns");
    EXPECT_STREQ(height_field_of(h, 0, one).fault().name, "columns");
    EXPECT_STREQ(height_field_of(h, 5, one).fault().requirement, "must fill their rows; their number");
    EXPECT_STREQ(height_field_of(h, 12, one).fault().requirement, "must fill two rows at least; their number");
    EXPECT_STREQ(height_field_of(h, 4, vec<S, 2>{S(1), S(0)}).fault().name, "spacing[1]");
    EXPECT_STREQ(height_field_of(h, 4, vec<S, 2>{infinity_v<S>, S(1)}).fault().name, "spacing[0]");
    h[7] = std::numeric_limits<S>::quiet_NaN();
    EXPECT_STREQ(height_field_of(h, 4, one).fault().requirement, "must be finite, but one is not; its index");
    EXPECT_EQ(height_field_of(h, 4, one).fault().value, 7);
    EXPECT_STREQ((height_field_in_place<11>(std::vector<S>(12), 4, one).fault().requirement), "must not be more than there is room for; their number");
    // Empty, it is nowhere and hits nothing.
    height_field<S> const none;
    EXPECT_EQ(none.part_count(), 0u);
    EXPECT_FALSE(none.cast({}).hit);
    EXPECT_EQ(none.height(S(1), S(2)), S(0));
    none.for_each_part(unbounded_aabb<S>(), [](std::uint32_t, auto const&, auto const&) { ADD_FAILURE(); });
}

// Even a ball whose centre has sunk below the surface is pushed up, and on a plane only up.
TYPED_TEST(height_field_of_scalar, ground_pushes_up) {
    using S = TypeParam;
    std::vector<S> const flat(100, S(2));
    auto const field = height_field_of(flat, 10, vec<S, 2>{S(1), S(1)});
    std::mt19937_64 random(6);
    std::uniform_real_distribution<double> place(1, 8), sunk(-0.3, 0.49);
    for (int k = 0; k < 500; ++k) {
        double const y = sunk(random);
        frame<S> const f{{S(place(random)), S(2 + y), S(place(random))}, rotation_matrix<S>::identity()};
        int contacts = 0;
        S deepest{0};
        for_each_manifold<S>(field, frame<S>{}, sphere<S>{S(0.5)}, f, S(0.01), [&](manifold<S> const& m, std::uint32_t, std::uint32_t) {
            EXPECT_NEAR(static_cast<double>(m.normal.y()), 1, 1e-5);
            for (auto const& p : m.points) deepest = min(deepest, p.distance);
            contacts += 1;
        });
        EXPECT_GT(contacts, 0);
        EXPECT_NEAR(static_cast<double>(deepest), y - 0.5, 1e-4);
    }
}

TYPED_TEST(height_field_of_scalar, without_a_heap_it_is_the_same) {
    using S = TypeParam;
    std::array<S, 12> const h{S(1), S(2), S(3), S(4)};
    std::size_t const before = sinew_test::allocations;
    auto const field = height_field_in_place<12>(h, 3, vec<S, 2>{S(1), S(2)});
    EXPECT_EQ(sinew_test::allocations, before);
    EXPECT_EQ(field.rows(), 4u);
    EXPECT_EQ(field.triangle_at(5), (height_field_of(h, 3, vec<S, 2>{S(1), S(2)}).triangle_at(5)));
    auto const copy = field;
    EXPECT_TRUE(copy == field);
    EXPECT_FALSE((copy == height_field_in_place<12>(h, 4, vec<S, 2>{S(1), S(2)})));
}

constexpr bool hits_at_compile_time() {
    std::array<double, 6> const h{0, 0, 0, 1, 1, 1};
    auto const field = height_field_of(h, 3, vec<double, 2>{1, 1});
    auto const hit = field.cast({{0.25, 5, 0.5}, {0, -1, 0}});
    return hit.hit && hit.distance == 4.5;
}
static_assert(hits_at_compile_time());

}  // namespace
