#include <sinew/collision/collide.hpp>
#include <sinew/geometry/sphere.hpp>
#include <sinew/geometry/check_shape.hpp>
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
using corners = std::array<int, 3>;

template <class S>
struct raw_mesh {
    std::vector<vec3<S>> points;
    std::vector<corners> triangles;
};

// A cube of edge 2 about the origin, counter-clockwise seen from outside.
template <class S>
raw_mesh<S> cube() {
    raw_mesh<S> m;
    for (int i = 0; i < 8; ++i) m.points.push_back({S((i & 1) != 0 ? 1 : -1), S((i & 2) != 0 ? 1 : -1), S((i & 4) != 0 ? 1 : -1)});
    m.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return m;
}

// n x n cells of 1 m over x and z, heights by h, seen from above.
template <class S, class H>
raw_mesh<S> grid(int n, H const& h) {
    raw_mesh<S> m;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) m.points.push_back({S(i), S(h(i, j)), S(j)});
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            int const p = j * (n + 1) + i, q = p + n + 1;
            m.triangles.push_back({p, q, p + 1});
            m.triangles.push_back({p + 1, q, q + 1});
        }
    return m;
}

// Triangles thrown about.
template <class S>
raw_mesh<S> soup(std::mt19937_64& random, std::size_t n) {
    raw_mesh<S> m;
    std::uniform_real_distribution<double> far(-10, 10), near(-1, 1);
    for (std::size_t i = 0; i < n; ++i) {
        vec3<S> const p{S(far(random)), S(far(random)), S(far(random))};
        for (int k = 0; k < 3; ++k) m.points.push_back(p + vec3<S>{S(near(random)), S(near(random)), S(near(random))});
        int const at = static_cast<int>(3 * i);
        m.triangles.push_back({at, at + 1, at + 2});
    }
    return m;
}

template <class S>
vec3<S> direction(std::mt19937_64& random) {
    std::normal_distribution<double> g;
    return normalize(vec3<S>{S(g(random)), S(g(random)), S(g(random))});
}

template <class A, class B>
void expect_same_part(A const& a, B const& b, std::uint32_t i) {
    EXPECT_EQ(a.triangle_at(i), b.triangle_at(i));
    EXPECT_EQ(a.normal(i), b.normal(i));
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(a.across(i, k).edge, b.across(i, k).edge);
        EXPECT_EQ(a.across(i, k).triangle, b.across(i, k).triangle);
    }
}
template <class Mesh>
std::size_t edges_of(Mesh const& m, std::size_t i, surface_edge kind) {
    std::size_t n = 0;
    for (std::size_t k = 0; k < 3; ++k) n += m.across(static_cast<std::uint32_t>(i), k).edge == kind ? 1u : 0u;
    return n;
}

template <class S>
class triangle_mesh_of : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(triangle_mesh_of, scalars);

static_assert(shape_like<triangle_mesh<float>, float> && is_composed<triangle_mesh<float>, float> && has_bounds<triangle_mesh<float>, float>);
static_assert(convex_shape<surface_part<triangle_mesh<double>>, double>);

TYPED_TEST(triangle_mesh_of, parts_near_a_box_are_those_that_brute_force_finds) {
    using S = TypeParam;
    check_shape<triangle_mesh<S>, S>();
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937_64 random(seed);
        auto const raw = soup<S>(random, 1 + seed * seed);
        auto const mesh = mesh_of(raw.points, raw.triangles);
        ASSERT_EQ(mesh.fault().name, nullptr);
        ASSERT_EQ(mesh.part_count(), raw.triangles.size());
        for (int k = 0; k < 20; ++k) {
            std::uniform_real_distribution<double> far(-10, 10), size(0, 4);
            vec3<S> const p{S(far(random)), S(far(random)), S(far(random))};
            aabb<S> const box{p, p + vec3<S>{S(size(random)), S(size(random)), S(size(random))}};
            std::vector<std::uint32_t> found, expected;
            mesh.for_each_part(box, [&](std::uint32_t i, surface_part<triangle_mesh<S>> const& t, frame<S> const& f) {
                found.push_back(i);
                EXPECT_EQ(f, frame<S>{});
                EXPECT_EQ(t.a, raw.points[3 * i]);
                EXPECT_EQ(mesh.normal(i), t.normal());
            });
            for (std::uint32_t i = 0; i < raw.triangles.size(); ++i)
                if (overlaps(box, triangle<S>{raw.points[3 * i], raw.points[3 * i + 1], raw.points[3 * i + 2]}.bounds(frame<S>{}))) expected.push_back(i);
            std::sort(found.begin(), found.end());
            EXPECT_EQ(found, expected);
        }
        for (int k = 0; k < 50; ++k) {
            ray<S> const r{direction<S>(random) * S(12), direction<S>(random), k % 2 == 0 ? infinity_v<S> : S(10)};
            ray_hit<S> expected;
            for (std::size_t i = 0; i < raw.triangles.size(); ++i)
                expected = detail::nearer(expected, triangle<S>{raw.points[3 * i], raw.points[3 * i + 1], raw.points[3 * i + 2]}.cast(r));
            EXPECT_EQ(mesh.cast(r), expected);
        }
    }
}

TYPED_TEST(triangle_mesh_of, a_closed_mesh_is_a_solid) {
    using S = TypeParam;
    auto const raw = cube<S>();
    auto const mesh = mesh_of(raw.points, raw.triangles, mesh_kind::solid);
    ASSERT_EQ(mesh.fault().name, nullptr);
    EXPECT_TRUE(mesh.is_closed());
    auto const m = mesh.mass_properties(S(3));
    EXPECT_NEAR(static_cast<double>(m.mass), 24, 1e-4);
    EXPECT_NEAR(static_cast<double>(m.inertia.xx), 24. * 8 / 12, 1e-4);
    EXPECT_EQ(mesh.bounds(frame<S>{{S(1), S(2), S(3)}, rotation_matrix<S>::identity()}), (aabb<S>{{S(0), S(1), S(2)}, {S(2), S(3), S(4)}}));
    // Within, a ray hits at once, even one that ends within; from outside it finds the face.
    for (S const length : {infinity_v<S>, S(1) / S(2)}) {
        auto const inside = mesh.cast({{S(1) / S(2), S(0), S(1) / S(4)}, {S(0), S(1), S(0)}, length});
        EXPECT_TRUE(inside.hit);
        EXPECT_EQ(inside.distance, S(0));
    }
    auto const hit = mesh.cast({{S(1) / S(2), S(5), S(1) / S(4)}, {S(0), S(-1), S(0)}});
    EXPECT_TRUE(hit.hit);
    EXPECT_NEAR(static_cast<double>(hit.distance), 4, 1e-5);
    EXPECT_NEAR(static_cast<double>(hit.normal.y()), 1, 1e-6);
    EXPECT_FALSE(mesh.cast({{S(1) / S(2), S(5), S(1) / S(4)}, {S(0), S(-1), S(0)}, S(3)}).hit);
    EXPECT_FALSE(mesh.cast({{S(1) / S(2), S(5), S(1) / S(4)}, {S(0), S(1), S(0)}}).hit);
}

// No ray passes between the triangles of a closed surface (a tetrahedron cut into small faces), wherever it comes from.
TYPED_TEST(triangle_mesh_of, no_ray_slips_through_the_edges) {
    using S = TypeParam;
    auto const raw = grid<S>(8, [](int i, int j) { return 0.3 * std::sin(i * 1.7 + j); });
    auto const mesh = mesh_of(raw.points, raw.triangles);
    std::mt19937_64 random(11);
    for (int k = 0; k < 20000; ++k) {
        // Aimed at a point of an edge.
        auto const& t = raw.triangles[random() % raw.triangles.size()];
        vec3<S> const p = raw.points[static_cast<std::size_t>(t[0])], q = raw.points[static_cast<std::size_t>(t[1])];
        S const s = S(std::uniform_real_distribution<double>(0.05, 0.95)(random));
        vec3<S> const target = p + (q - p) * s;
        if (target.x() < S(0.1) || target.x() > S(7.9) || target.z() < S(0.1) || target.z() > S(7.9)) continue;
        vec3<S> from = direction<S>(random);
        from[1] = abs(from[1]) + S(1);
        EXPECT_TRUE(mesh.cast(ray_along<S>(target + from * S(10), -from)).hit) << k;
    }
}

TYPED_TEST(triangle_mesh_of, bad_input_is_refused_with_a_reason) {
    using S = TypeParam;
    auto const fault = [](raw_mesh<S> const& m, mesh_kind kind = mesh_kind::surface) { return mesh_of(m.points, m.triangles, kind).fault(); };
    auto const good = cube<S>();
    EXPECT_EQ(fault(good).name, nullptr);
    EXPECT_STREQ(triangle_mesh<S>{}.fault().name, "triangles");
    EXPECT_STREQ(fault({good.points, {}}).requirement, "must not be empty; their number");
    for (int const bad : {8, -1, 1 << 30}) {
        auto m = good;
        m.triangles[5][1] = bad;
        EXPECT_STREQ(fault(m).requirement, "must name points that exist, but one does not; its index");
        EXPECT_EQ(fault(m).value, 5);
    }
    for (S const bad : {std::numeric_limits<S>::quiet_NaN(), infinity_v<S>}) {
        auto m = good;
        m.points[3][2] = bad;
        EXPECT_STREQ(fault(m).name, "points");
        EXPECT_EQ(fault(m).value, 3);
    }
    auto m = good;
    m.triangles[7] = {2, 2, 3};
    EXPECT_STREQ(fault(m).requirement, "must have their corners not in one line, but one has; its index");
    EXPECT_EQ(fault(m).value, 7);
    m = good;
    m.points.push_back(m.points[2] + (m.points[3] - m.points[2]) * S(2));
    m.triangles[7] = {2, 3, 8};
    EXPECT_EQ(fault(m).value, 7);
    // A hole: a surface may have one, a solid not.
    m = good;
    m.triangles.pop_back();
    EXPECT_EQ(fault(m).name, nullptr);
    EXPECT_EQ(mesh_of(m.points, m.triangles).open_edges(), 3u);
    EXPECT_STREQ(fault(m, mesh_kind::solid).requirement, "of a solid must close it; the number of open edges");
    EXPECT_EQ(fault(m, mesh_kind::solid).value, 3);
    // One face the wrong way round.
    m = good;
    std::swap(m.triangles[4][1], m.triangles[4][2]);
    EXPECT_EQ(fault(m, mesh_kind::solid).value, 6);
    // All of them.
    for (auto& t : m.triangles = good.triangles) std::swap(t[1], t[2]);
    EXPECT_STREQ(fault(m, mesh_kind::solid).requirement, "must be counter-clockwise seen from outside, but enclose a negative volume; their number");
    // Three faces at one edge.
    m = grid<S>(1, [](int, int) { return 0; });
    m.points.push_back({S(0), S(1), S(0)});
    m.triangles.push_back({1, 2, 4});
    EXPECT_EQ(mesh_of(m.points, m.triangles).open_edges(), 4u + 2u + 3u);
}

// Triangles that share places, not indices.
TYPED_TEST(triangle_mesh_of, points_in_one_place_are_one) {
    using S = TypeParam;
    auto const raw = cube<S>();
    raw_mesh<S> apart;
    for (auto const& t : raw.triangles) {
        int const at = static_cast<int>(apart.points.size());
        for (int const i : t) apart.points.push_back(raw.points[static_cast<std::size_t>(i)]);
        apart.triangles.push_back({at, at + 1, at + 2});
    }
    auto const mesh = mesh_of(apart.points, apart.triangles, mesh_kind::solid), same = mesh_of(raw.points, raw.triangles, mesh_kind::solid);
    EXPECT_EQ(mesh.fault().name, nullptr);
    for (std::size_t i = 0; i < mesh.part_count(); ++i) expect_same_part(mesh, same, static_cast<std::uint32_t>(i));
}

TYPED_TEST(triangle_mesh_of, edges_are_what_they_are_seen_from_the_front) {
    using S = TypeParam;
    auto const count = [](triangle_mesh<S> const& m, surface_edge kind) {
        std::size_t n = 0;
        for (std::size_t i = 0; i < m.part_count(); ++i) n += edges_of(m, i, kind);
        return n;
    };
    auto raw = cube<S>();
    auto mesh = mesh_of(raw.points, raw.triangles);
    EXPECT_EQ(count(mesh, surface_edge::ridge), 24u);
    EXPECT_EQ(count(mesh, surface_edge::flat), 12u);
    for (auto& t : raw.triangles) std::swap(t[1], t[2]);
    mesh = mesh_of(raw.points, raw.triangles);
    EXPECT_EQ(count(mesh, surface_edge::valley), 24u);
    auto const roof = grid<S>(2, [](int i, int) { return i == 1 ? 1 : 0; });
    mesh = mesh_of(roof.points, roof.triangles);
    EXPECT_EQ(count(mesh, surface_edge::ridge), 4u);
    EXPECT_EQ(count(mesh, surface_edge::border), 8u);
}

// On a plane made of triangles no normal leans, whatever a single triangle says.
TYPED_TEST(triangle_mesh_of, in_a_plane_only_the_face_normal_is_left) {
    using S = TypeParam;
    auto const raw = grid<S>(4, [](int, int) { return 0; });
    auto const mesh = mesh_of(raw.points, raw.triangles);
    std::mt19937_64 random(3);
    for (int k = 0; k < 2000; ++k) {
        auto const part = mesh.part(random() % mesh.part_count());
        if (edges_of(mesh, part.number, surface_edge::border) > 0) continue;
        vec3<S> n = direction<S>(random);
        n[1] = abs(n[1]);
        vec3<S> const r = part.constrain_normal(n);
        EXPECT_NEAR(static_cast<double>(norm(r - vec3<S>{S(0), S(1), S(0)})), 0, 2e-3);
    }
    EXPECT_EQ(mesh.part(8).constrain_normal({S(0), S(-1), S(0)}), (vec3<S>{}));
    auto const sheet = mesh_of(raw.points, raw.triangles, mesh_kind::sheet);
    EXPECT_EQ(sheet.part(8).constrain_normal({S(0), S(-1), S(0)}), (vec3<S>{S(0), S(-1), S(0)}));
}

// Over the edge of a cube a normal turns from the one face to the other, and no farther; each of its triangles says so.
TYPED_TEST(triangle_mesh_of, over_a_ridge_a_normal_stays_between_the_faces) {
    using S = TypeParam;
    auto const raw = cube<S>();
    auto const mesh = mesh_of(raw.points, raw.triangles);
    vec3<S> const up{S(0), S(1), S(0)}, right{S(1), S(0), S(0)};
    for (std::size_t i = 0; i < mesh.part_count(); ++i) {
        auto const part = mesh.part(i);
        if (dot(mesh.normal(part.number), up) < S(0.5)) continue;
        bool has_right_edge = false;
        for (std::size_t k = 0; k < 3; ++k) has_right_edge = has_right_edge || dot(mesh.normal(mesh.across(part.number, k).triangle), right) > S(0.9);
        for (int degrees = -170; degrees <= 170; degrees += 5) {
            double const a = degrees * 3.14159265358979 / 180;
            vec3<S> const n = up * S(std::cos(a)) + right * S(std::sin(a));
            vec3<S> const r = part.constrain_normal(n);
            if (!has_right_edge || degrees < 0) continue;
            EXPECT_LT(static_cast<double>(norm(r - (degrees <= 90 ? n : right))), 1e-3) << degrees;
        }
    }
}

// What a ball meets on a solid mesh: the nearest point is among its contacts, with the normal that leads to the ball's centre; and no contact
// has a normal that is not of the surface near there.
TYPED_TEST(triangle_mesh_of, a_ball_is_touched_from_where_the_surface_is) {
    using S = TypeParam;
    auto const raw = cube<S>();
    auto const mesh = mesh_of(raw.points, raw.triangles);
    std::mt19937_64 random(5);
    sphere<S> const ball{S(1) / S(2)};
    for (int k = 0; k < 3000; ++k) {
        vec3<S> const d = direction<S>(random);
        S const m = max(abs(d[0]), max(abs(d[1]), abs(d[2])));
        vec3<S> on = d / m;  // of the cube's surface
        // Out from there, into the region of a face, an edge or a corner.
        vec3<S> out{};
        for (std::size_t i = 0; i < 3; ++i)
            if (abs(on[i]) > S(0.9)) out[i] = on[i] = on[i] > S(0) ? S(1) : S(-1);
        vec3<S> const at = on + normalize(out) * S(0.45);
        frame<S> const f{at, rotation_matrix<S>::identity()};
        S nearest{1};
        vec3<S> normal{};
        for_each_manifold<S>(mesh, frame<S>{}, ball, f, S(0.01), [&](manifold<S> const& c, std::uint32_t, std::uint32_t) {
            for (auto const& p : c.points) {
                EXPECT_NEAR(static_cast<double>(norm(c.normal)), 1, 1e-4);
                if (nearest > p.distance) {
                    nearest = p.distance;
                    normal = c.normal;
                }
            }
        });
        EXPECT_NEAR(static_cast<double>(nearest), -0.05, 1e-4);
        EXPECT_NEAR(static_cast<double>(norm(normal - normalize(out))), 0, 2e-3);
    }
}

// A ball and a box dragged over a plane of triangles: every contact's normal is up.
TYPED_TEST(triangle_mesh_of, nothing_stumbles_over_inner_edges) {
    using S = TypeParam;
    auto const raw = grid<S>(6, [](int, int) { return 0; });
    auto const mesh = mesh_of(raw.points, raw.triangles);
    std::mt19937_64 random(9);
    std::uniform_real_distribution<double> place(1.5, 4.5), depth(-0.03, 0.005), turn(0, 3);
    int contacts = 0;
    double covered = 0;
    for (int k = 0; k < 2000; ++k) {
        S const y = S(depth(random));
        double const a = turn(random);
        mat3<S> turned = identity<S, 3>();
        turned(0, 0) = turned(2, 2) = S(std::cos(a));
        turned(0, 2) = S(std::sin(a));
        turned(2, 0) = -turned(0, 2);
        frame<S> const f{{S(place(random)), S(1) / S(2) + y, S(place(random))}, {turned}};
        S deepest{1};
        auto const each = [&](manifold<S> const& c, std::uint32_t, std::uint32_t) {
            for (auto const& p : c.points) {
                ++contacts;
                EXPECT_GT(static_cast<double>(c.normal.y()), 0.99999);
                EXPECT_GE(static_cast<double>(p.distance), static_cast<double>(y) - 1e-4);
                deepest = min(deepest, p.distance);
            }
        };
        for_each_manifold<S>(mesh, frame<S>{}, box<S>{{S(1) / S(2), S(1) / S(2), S(1) / S(2)}}, f, S(0.01), each);
        EXPECT_NEAR(static_cast<double>(deepest), static_cast<double>(y), 1e-4);
        for_each_manifold<S>(mesh, frame<S>{}, sphere<S>{S(1) / S(2)}, f, S(0.01), each);
        covered += 1;
    }
    EXPECT_GT(contacts, 5 * covered);
}

// A surface is touched from its front only, a sheet from both sides.
TYPED_TEST(triangle_mesh_of, what_is_behind_a_surface_passes) {
    using S = TypeParam;
    auto const raw = grid<S>(4, [](int, int) { return 0; });
    auto const count = [&](mesh_kind kind, S y) {
        int n = 0;
        auto const mesh = mesh_of(raw.points, raw.triangles, kind);
        for_each_manifold<S>(mesh, frame<S>{}, sphere<S>{S(0.5)}, frame<S>{{S(1.7), y, S(1.6)}, rotation_matrix<S>::identity()}, S(0.01),
                             [&](manifold<S> const& m, std::uint32_t, std::uint32_t) {
                                 EXPECT_GT(static_cast<double>(m.normal.y() * y), 0.39);
                                 ++n;
                             });
        return n;
    };
    EXPECT_GT(count(mesh_kind::surface, S(0.4)), 0);
    EXPECT_EQ(count(mesh_kind::surface, S(-0.4)), 0);
    EXPECT_GT(count(mesh_kind::sheet, S(0.4)), 0);
    EXPECT_GT(count(mesh_kind::sheet, S(-0.4)), 0);
}

TYPED_TEST(triangle_mesh_of, without_a_heap_it_is_the_same) {
    using S = TypeParam;
    auto const raw = cube<S>();
    std::size_t const before = sinew_test::allocations;
    auto const mesh = mesh_in_place<16>(raw.points, raw.triangles, mesh_kind::solid);
    EXPECT_EQ(sinew_test::allocations, before);
    ASSERT_EQ(mesh.fault().name, nullptr);
    auto const heap = mesh_of(raw.points, raw.triangles, mesh_kind::solid);
    for (std::size_t i = 0; i < mesh.part_count(); ++i) expect_same_part(mesh, heap, static_cast<std::uint32_t>(i));
    EXPECT_STREQ(mesh_in_place<11>(raw.points, raw.triangles).fault().requirement, "must not be more than there is room for; their number");
    auto const copy = heap;
    EXPECT_TRUE(copy == heap);
    EXPECT_FALSE(copy == mesh_of(raw.points, raw.triangles));
}

// A thousand triangles in one place cannot be told apart by any cut.
TEST(triangle_mesh, equal_triangles_are_survived) {
    raw_mesh<float> m;
    m.points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    m.triangles.assign(1000, {0, 1, 2});
    auto const mesh = mesh_of(m.points, m.triangles);
    std::size_t n = 0;
    mesh.for_each_part({{0, 0, 0}, {1, 1, 1}}, [&](std::uint32_t, auto const&, auto const&) { ++n; });
    EXPECT_EQ(n, 1000u);
    // Each half as large as the one before: no cut halves their number.
    m = {};
    for (int i = 0; i < 60; ++i) {
        float const s = std::ldexp(1.f, 30 - i);
        int const at = static_cast<int>(m.points.size());
        m.points.insert(m.points.end(), {{s, 0, 0}, {2 * s, 0, 0}, {s, s, 0}});
        m.triangles.push_back({at, at + 1, at + 2});
    }
    n = 0;
    auto const chain = mesh_of(m.points, m.triangles);
    ASSERT_EQ(chain.fault().name, nullptr) << chain.fault().requirement << chain.fault().value;
    chain.for_each_part({{0, 0, 0}, {1e10f, 1e10f, 1e10f}}, [&](std::uint32_t, auto const&, auto const&) { ++n; });
    EXPECT_EQ(n, 60u);
}

constexpr std::size_t parts_at_compile_time() {
    std::array<vec3<double>, 4> const points{{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}}};
    std::array<std::array<int, 3>, 2> const triangles{{{0, 2, 1}, {1, 2, 3}}};
    auto const mesh = mesh_of(points, triangles);
    std::size_t n = mesh.fault().name == nullptr ? 10 : 0;
    mesh.for_each_part({{0.9, -1, 0.9}, {2, 2, 2}}, [&](std::uint32_t, auto const&, auto const&) { ++n; });
    return n;
}
static_assert(parts_at_compile_time() == 12);

}  // namespace
