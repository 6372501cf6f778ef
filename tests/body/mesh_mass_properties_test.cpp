// Meshes: exact where the shape has flat faces, converging at second order where it is round; and what is not a volume is said
// not to be one.

#include <sinew/body/mesh_mass_properties.hpp>
#include <sinew/math/dual.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace {

using namespace sinew;
using real = long double;

template <class S>
class mesh_of : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(mesh_of, scalars);

using triangle = std::array<int, 3>;
using tetrahedron = std::array<int, 4>;

template <class S>
struct surface {
    std::vector<vec3<S>> points;
    std::vector<triangle> triangles;
};

template <class S>
surface<S> box(vec3<S> const& size, vec3<S> const& center) {
    surface<S> s;
    for (int i = 0; i < 8; ++i)
        s.points.push_back(center + vec3<S>{size[0] * S(i & 1 ? 0.5 : -0.5), size[1] * S(i & 2 ? 0.5 : -0.5), size[2] * S(i & 4 ? 0.5 : -0.5)});
    s.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return s;
}

// A surface of revolution about y through (radius, height) pairs from bottom to top, both ends on the axis, in n segments.
template <class S>
surface<S> revolution(std::vector<std::array<real, 2>> const& profile, int n) {
    surface<S> s;
    int const rings = static_cast<int>(profile.size()) - 2;
    for (int i = 1; i <= rings; ++i)
        for (int k = 0; k < n; ++k) {
            real const a = 2 * 3.14159265358979323846264338327950288L * k / n, r = profile[static_cast<std::size_t>(i)][0];
            s.points.push_back({static_cast<S>(r * std::cos(a)), static_cast<S>(profile[static_cast<std::size_t>(i)][1]), static_cast<S>(r * std::sin(a))});
        }
    int const bottom = static_cast<int>(s.points.size()), top = bottom + 1;
    s.points.push_back({S(0), static_cast<S>(profile.front()[1]), S(0)});
    s.points.push_back({S(0), static_cast<S>(profile.back()[1]), S(0)});
    for (int k = 0; k < n; ++k) {
        int const l = (k + 1) % n;
        s.triangles.push_back({bottom, k, l});
        for (int i = 0; i + 1 < rings; ++i) {
            s.triangles.push_back({i * n + k, (i + 1) * n + k, i * n + l});
            s.triangles.push_back({i * n + l, (i + 1) * n + k, (i + 1) * n + l});
        }
        s.triangles.push_back({(rings - 1) * n + k, top, (rings - 1) * n + l});
    }
    return s;
}

template <class S>
void expect_same(mass_properties<S> const& a, mass_properties<S> const& b, real units) {
    real const e = units * static_cast<real>(epsilon_v<S>);
    EXPECT_LE(std::abs(static_cast<real>(a.mass - b.mass)), e * static_cast<real>(b.mass));
    real const size = static_cast<real>(sqrt((b.inertia.xx + b.inertia.yy + b.inertia.zz) / b.mass));
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_LE(std::abs(static_cast<real>(a.center[i] - b.center[i])), e * (size + std::abs(static_cast<real>(b.center[i]))));
    sym3<S> const d = a.inertia - b.inertia;
    for (S const x : {d.xx, d.yy, d.zz, d.xy, d.xz, d.yz}) EXPECT_LE(std::abs(static_cast<real>(x)), e * static_cast<real>(b.mass) * size * size);
}

TYPED_TEST(mesh_of, a_box_is_exact) {
    using S = TypeParam;
    vec3<S> const size{S(1), S(2), S(3)};
    surface<S> const s = box(size, vec3<S>{S(0), S(0), S(0)});
    auto const m = solid_mesh(of_density(S(2)), s.points, s.triangles);
    ASSERT_TRUE(m) << to_text(m.status);
    EXPECT_EQ(m.volume, S(6));
    expect_same(m.properties, solid_box(S(12), size), 4);
    expect_same(solid_mesh(S(5), s.points, s.triangles).properties, solid_box(S(5), size), 4);
}

TYPED_TEST(mesh_of, a_box_turned_and_shifted) {
    using S = TypeParam;
    vec3<S> const size{S(1), S(2), S(3)};
    surface<S> s = box(size, vec3<S>{S(0), S(0), S(0)});
    pose<S> const p{{S(1), S(-2), S(0.5)}, quaternion_exp(vec3<S>{S(0.3L), S(1), S(-0.7L)})};
    for (auto& x : s.points) x = p.point(x);
    auto const m = solid_mesh(S(5), s.points, s.triangles);
    ASSERT_TRUE(m) << to_text(m.status);
    expect_same(m.properties, moved(solid_box(S(5), size), p), 24);
}

// Ten kilometres off, where the square of the distance would swamp the inertia: computed about the mesh itself, nothing is lost.
TYPED_TEST(mesh_of, a_box_far_from_the_origin) {
    using S = TypeParam;
    surface<S> const s = box(vec3<S>{S(1), S(1), S(1)}, vec3<S>{S(8192), S(-4096), S(2048)});
    auto const m = solid_mesh(S(6), s.points, s.triangles);
    ASSERT_TRUE(m) << to_text(m.status);
    expect_same(m.properties, moved(solid_box(S(6), vec3<S>{S(1), S(1), S(1)}), vec3<S>{S(8192), S(-4096), S(2048)}), 8);
}

// The tetrahedron of the origin and the unit points: centre (1, 1, 1)/4. Of the mass m, integral(x^2) is m/10 and integral(x y)
// is m/20 (Tonon 2004); about the centre, I_xx = 2 (1/10 - 1/16) m = 3/40 m and I_xy = -(1/20 - 1/16) m = m/80.
TYPED_TEST(mesh_of, a_corner_tetrahedron) {
    using S = TypeParam;
    std::array<vec3<S>, 4> const points{{{S(0), S(0), S(0)}, {S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}}};
    std::array<triangle, 4> const faces{{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
    std::array<tetrahedron, 1> const inside{{{0, 1, 2, 3}}};
    mass_properties<S> const expected{S(80), {S(0.25), S(0.25), S(0.25)}, {S(6), S(6), S(6), S(1), S(1), S(1)}};
    auto const by_faces = solid_mesh(S(80), points, faces);
    auto const by_volume = solid_tetrahedra(S(80), points, inside);
    ASSERT_TRUE(by_faces && by_volume);
    expect_same(by_faces.properties, expected, 4);
    expect_same(by_volume.properties, expected, 4);
    EXPECT_LE(std::abs(static_cast<real>(by_volume.volume) - 1.0L / 6), static_cast<real>(epsilon_v<S>));
    EXPECT_LE(std::abs(static_cast<real>(by_faces.volume) - 1.0L / 6), static_cast<real>(epsilon_v<S>));
}

// A general tetrahedron against the sum over its sub-tetrahedra, and against its own surface.
TYPED_TEST(mesh_of, a_tetrahedron_cut_in_four) {
    using S = TypeParam;
    std::vector<vec3<S>> const points{{S(0.5), S(0.25), S(-1)}, {S(2), S(0), S(0.5)}, {S(0), S(1.5), S(0.25)}, {S(-0.5), S(0.5), S(2)}, {S(0.5), S(0.625), S(0.5)}};
    std::vector<tetrahedron> const whole{{0, 1, 2, 3}}, parts{{4, 1, 2, 3}, {0, 4, 2, 3}, {0, 1, 4, 3}, {0, 1, 2, 4}};
    std::vector<triangle> const faces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    auto const a = solid_tetrahedra(of_density(S(3)), points, whole), b = solid_tetrahedra(of_density(S(3)), points, parts);
    auto const c = solid_mesh(of_density(S(3)), points, faces);
    ASSERT_TRUE(a && b && c);
    expect_same(a.properties, b.properties, 16);
    expect_same(a.properties, c.properties, 16);
}

TYPED_TEST(mesh_of, a_box_of_five_tetrahedra) {
    using S = TypeParam;
    vec3<S> const size{S(1), S(2), S(3)};
    auto const s = box(size, vec3<S>{S(1), S(0), S(0)});
    std::vector<tetrahedron> const five{{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}, {1, 2, 4, 7}};
    auto const m = solid_tetrahedra(of_density(S(2)), s.points, five);
    ASSERT_TRUE(m) << to_text(m.status);
    expect_same(m.properties, moved(solid_box(S(12), size), vec3<S>{S(1), S(0), S(0)}), 8);
}

// ---- Round shapes: inscribed meshes of n and 2 n segments; the error is of second order, so (4 b - a) / 3 is far closer.

real relative(real a, real b) { return std::abs(a - b) / std::abs(b); }

void expect_second_order(surface<double> const& coarse, surface<double> const& fine, mass_properties<double> const& exact) {
    auto const a = solid_mesh(of_density(1.0), coarse.points, coarse.triangles), b = solid_mesh(of_density(1.0), fine.points, fine.triangles);
    ASSERT_TRUE(a) << to_text(a.status);
    ASSERT_TRUE(b) << to_text(b.status);
    auto const check = [&](double x, double y, double expected) {
        EXPECT_NEAR(static_cast<double>(relative(x, expected) / relative(y, expected)), 4, 0.1);
        EXPECT_LE(relative((4 * static_cast<real>(y) - x) / 3, expected), 1e-5L);
    };
    check(a.properties.mass, b.properties.mass, exact.mass);
    check(a.properties.inertia.xx, b.properties.inertia.xx, exact.inertia.xx);
    check(a.properties.inertia.yy, b.properties.inertia.yy, exact.inertia.yy);
    check(a.properties.inertia.zz, b.properties.inertia.zz, exact.inertia.zz);
    EXPECT_NEAR(b.properties.center[0], exact.center[0], 1e-12);
    EXPECT_NEAR(b.properties.center[2], exact.center[2], 1e-12);
    EXPECT_NEAR(b.properties.center[1], exact.center[1], 1e-3);
}

// Caps of a sphere or capsule: rings by latitude.
std::vector<std::array<real, 2>> capsule_profile(real length, real radius, int n) {
    std::vector<std::array<real, 2>> p;
    for (int half = -1; half <= 1; half += 2)
        for (int i = 0; i <= n / 2; ++i) {
            real const a = 3.14159265358979323846264338327950288L / 2 * (half < 0 ? i - n / 2 : i) / (n / 2);
            if (length == 0 && half > 0 && i == 0) continue;
            p.push_back({radius * std::cos(a), half * length / 2 + radius * std::sin(a)});
        }
    return p;
}

TEST(mesh_of, a_sphere) {
    expect_second_order(revolution<double>(capsule_profile(0, 0.5L, 48), 96), revolution<double>(capsule_profile(0, 0.5L, 96), 192), solid_sphere(of_density(1.0), 0.5));
}
TEST(mesh_of, a_capsule) {
    expect_second_order(revolution<double>(capsule_profile(1.5L, 0.5L, 48), 96), revolution<double>(capsule_profile(1.5L, 0.5L, 96), 192),
                        solid_capsule(of_density(1.0), 1.5, 0.5));
}
TEST(mesh_of, an_ellipsoid) {
    auto const stretched = [](surface<double> s) {
        for (auto& p : s.points) p = {p[0] * 1, p[1] * 2, p[2] * 3};
        return s;
    };
    expect_second_order(stretched(revolution<double>(capsule_profile(0, 1, 48), 96)), stretched(revolution<double>(capsule_profile(0, 1, 96), 192)),
                        solid_ellipsoid(of_density(1.0), vec3<double>{1, 2, 3}));
}
TEST(mesh_of, a_cylinder) {
    std::vector<std::array<real, 2>> const profile{{0, -0.75L}, {0.25L, -0.75L}, {0.25L, 0.75L}, {0, 0.75L}};
    expect_second_order(revolution<double>(profile, 96), revolution<double>(profile, 192), solid_cylinder(of_density(1.0), 1.5, 0.25));
}
TEST(mesh_of, a_cone) {
    std::vector<std::array<real, 2>> const profile{{0, -1}, {0.75L, -1}, {0, 1}};
    auto const exact = solid_cone(of_density(1.0), 2.0, 0.75);
    expect_second_order(revolution<double>(profile, 96), revolution<double>(profile, 192), exact);
    // A pyramid has its centre of mass where the cone has: a quarter up.
    auto const pyramid = revolution<double>(profile, 4);
    EXPECT_NEAR(solid_mesh(1.0, pyramid.points, pyramid.triangles).properties.center[1], -0.5, 1e-15);
}

// ---- What is refused

TYPED_TEST(mesh_of, a_hole_is_found_wherever_it_is) {
    using S = TypeParam;
    auto const s = box(vec3<S>{S(1), S(2), S(3)}, vec3<S>{S(0.5), S(1), S(1.5)});
    for (std::size_t k = 0; k < s.triangles.size(); ++k) {
        auto open = s.triangles;
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(k));
        EXPECT_EQ(solid_mesh(S(1), s.points, open).status, mesh_status::not_closed) << k;
        // One triangle turned round is as bad as a hole.
        auto twisted = s.triangles;
        std::swap(twisted[k][0], twisted[k][1]);
        EXPECT_EQ(solid_mesh(S(1), s.points, twisted).status, mesh_status::not_closed) << k;
        // One twice.
        auto doubled = s.triangles;
        doubled.push_back(doubled[k]);
        EXPECT_EQ(solid_mesh(S(1), s.points, doubled).status, mesh_status::not_closed) << k;
    }
}

TYPED_TEST(mesh_of, inside_out) {
    using S = TypeParam;
    auto s = box(vec3<S>{S(1), S(2), S(3)}, vec3<S>{S(0), S(0), S(0)});
    for (auto& t : s.triangles) std::swap(t[1], t[2]);
    auto const m = solid_mesh(S(1), s.points, s.triangles);
    EXPECT_EQ(m.status, mesh_status::inside_out);
    EXPECT_EQ(m.volume, S(-6));
    EXPECT_FALSE(m);
    std::vector<tetrahedron> const wrong{{0, 2, 1, 4}};
    EXPECT_EQ(solid_tetrahedra(S(1), s.points, wrong).status, mesh_status::inside_out);
    // One wrong among right ones, though the sum is positive.
    std::vector<tetrahedron> const mixed{{0, 1, 2, 4}, {3, 2, 7, 1}};
    EXPECT_EQ(solid_tetrahedra(S(1), s.points, mixed).status, mesh_status::inside_out);
}

// A soup of triangles that share no points (STL) is closed all the same; and a zero has no sign.
TYPED_TEST(mesh_of, triangles_that_share_no_points) {
    using S = TypeParam;
    auto const s = box(vec3<S>{S(1), S(2), S(3)}, vec3<S>{S(0.5), S(0), S(0)});
    surface<S> soup;
    for (auto const& t : s.triangles) {
        int const n = static_cast<int>(soup.points.size());
        for (int const i : t) {
            vec3<S> p = s.points[static_cast<std::size_t>(i)];
            if (p[0] == S(0) && (n % 2) == 0) p[0] = -S(0);
            soup.points.push_back(p);
        }
        soup.triangles.push_back({n, n + 1, n + 2});
    }
    auto const m = solid_mesh(S(12), soup.points, soup.triangles);
    ASSERT_TRUE(m) << to_text(m.status);
    expect_same(m.properties, moved(solid_box(S(12), vec3<S>{S(1), S(2), S(3)}), vec3<S>{S(0.5), S(0), S(0)}), 8);
}

TYPED_TEST(mesh_of, bad_input) {
    using S = TypeParam;
    auto s = box(vec3<S>{S(1), S(2), S(3)}, vec3<S>{S(0), S(0), S(0)});
    EXPECT_EQ(solid_mesh(S(1), s.points, std::vector<triangle>{}).status, mesh_status::empty);
    EXPECT_EQ(solid_mesh(S(1), std::vector<vec3<S>>{}, s.triangles).status, mesh_status::bad_index);
    EXPECT_EQ(solid_tetrahedra(S(1), s.points, std::vector<tetrahedron>{}).status, mesh_status::empty);
    for (int const i : {8, -1, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
        auto bad = s.triangles;
        bad[5][1] = i;
        EXPECT_EQ(solid_mesh(S(1), s.points, bad).status, mesh_status::bad_index) << i;
        EXPECT_EQ(solid_tetrahedra(S(1), s.points, std::vector<tetrahedron>{{0, 1, 2, i}}).status, mesh_status::bad_index) << i;
    }
    // A sheet: two triangles back to back are closed, but there is nothing inside.
    EXPECT_EQ(solid_mesh(S(1), s.points, std::vector<triangle>{{0, 1, 2}, {0, 2, 1}}).status, mesh_status::flat);
    EXPECT_EQ(solid_tetrahedra(S(1), s.points, std::vector<tetrahedron>{{0, 1, 2, 3}}).status, mesh_status::flat);
    for (S const x : {std::numeric_limits<S>::quiet_NaN(), std::numeric_limits<S>::infinity(), -std::numeric_limits<S>::infinity()}) {
        auto points = s.points;
        points[3][2] = x;
        EXPECT_EQ(solid_mesh(S(1), points, s.triangles).status, mesh_status::not_finite);
    }
}

TEST(mesh_of, every_status_has_a_sentence) {
    for (auto const s : {mesh_status::ok, mesh_status::empty, mesh_status::bad_index, mesh_status::not_finite, mesh_status::not_closed, mesh_status::inside_out,
                         mesh_status::flat})
        EXPECT_GT(std::strlen(to_text(s)), 10u);
}

// How the volume answers to a corner's position: the gradient is the area of the faces about it, by the divergence theorem.
TEST(mesh_of, derivative_by_a_corner) {
    using D = dual<double, 3>;
    std::array<vec3<D>, 4> points{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (std::size_t i = 0; i < 3; ++i) points[3][i] = D::variable(points[3][i].v, i);
    std::array<triangle, 4> const faces{{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
    auto const m = solid_mesh(of_density(6.0), points, faces);
    ASSERT_TRUE(m);
    EXPECT_NEAR(m.properties.mass.d[0], 0, 1e-15);
    EXPECT_NEAR(m.properties.mass.d[1], 0, 1e-15);
    EXPECT_NEAR(m.properties.mass.d[2], 1, 1e-15);
    EXPECT_NEAR(m.properties.center[2].d[2], 0.25, 1e-15);
}

// The same code in a constant expression; any contiguous range, any index type.
constexpr std::array<vec3<double>, 4> corner{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr std::array<std::array<unsigned short, 3>, 4> corner_faces{{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
static_assert(solid_mesh(1.0, corner, corner_faces).status == mesh_status::ok);
static_assert(solid_mesh(1, std::span(corner), std::span(corner_faces)).properties.mass == 1);
static_assert(solid_mesh(1.0, corner, std::span(corner_faces).first(3)).status == mesh_status::not_closed);
constexpr int plain_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
static_assert(solid_mesh(1.0, corner, plain_faces));

}  // namespace
