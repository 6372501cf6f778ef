// Solids against closed forms from the literature and against quadrature; sums, parallel axes, other frames.

#include <sinew/body/mass_properties.hpp>
#include <sinew/math/dual.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace {

using namespace sinew;
using real = long double;

constexpr real pi = 3.14159265358979323846264338327950288L;
constexpr unsigned seed = 21;

template <class S>
class mass_properties_of : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(mass_properties_of, scalars);

template <class S>
real largest(sym3<S> const& m) {
    real r = 0;
    for (S const x : {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz}) r = std::max(r, std::abs(static_cast<real>(x)));
    return r;
}
// Relative to the largest entry of the second.
template <class S, class T>
void expect_inertia(sym3<S> const& a, sym3<T> const& b, real units) {
    sym3<real> const d{static_cast<real>(a.xx) - static_cast<real>(b.xx), static_cast<real>(a.yy) - static_cast<real>(b.yy),
                       static_cast<real>(a.zz) - static_cast<real>(b.zz), static_cast<real>(a.xy) - static_cast<real>(b.xy),
                       static_cast<real>(a.xz) - static_cast<real>(b.xz), static_cast<real>(a.yz) - static_cast<real>(b.yz)};
    EXPECT_LE(largest(d), units * static_cast<real>(epsilon_v<S>) * largest(b));
}
template <class S, class T>
void expect_same(mass_properties<S> const& a, mass_properties<T> const& b, real units = 8) {
    real const e = units * static_cast<real>(epsilon_v<S>);
    EXPECT_LE(std::abs(static_cast<real>(a.mass) - static_cast<real>(b.mass)), e * std::abs(static_cast<real>(b.mass)));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(std::abs(static_cast<real>(a.center[i]) - static_cast<real>(b.center[i])), e * 4);
    expect_inertia(a.inertia, b.inertia, units);
}

// ---- Closed forms, with numbers that come out round (Goldstein, Poole & Safko, Classical Mechanics, 5; Beer & Johnston,
//      Vector Mechanics, inside back cover)

TYPED_TEST(mass_properties_of, box) {
    using S = TypeParam;
    // m/12 (b^2 + c^2)
    expect_same(solid_box(S(12), vec3<S>{S(1), S(2), S(3)}), mass_properties<S>{S(12), {}, diagonal(S(13), S(10), S(5))});
    expect_same(solid_box(of_density(S(2)), vec3<S>{S(1), S(2), S(3)}), mass_properties<S>{S(12), {}, diagonal(S(13), S(10), S(5))});
}
TYPED_TEST(mass_properties_of, sphere) {
    using S = TypeParam;
    // 2/5 m r^2
    expect_same(solid_sphere(S(5), S(2)), mass_properties<S>{S(5), {}, diagonal(S(8), S(8), S(8))});
    real const m = 3 * 4 * pi / 3 * 8;
    expect_same(solid_sphere(of_density(S(3)), S(2)), mass_properties<real>{m, {}, diagonal(m * 1.6L, m * 1.6L, m * 1.6L)});
}
TYPED_TEST(mass_properties_of, ellipsoid) {
    using S = TypeParam;
    // m/5 (b^2 + c^2)
    expect_same(solid_ellipsoid(S(5), vec3<S>{S(1), S(2), S(3)}), mass_properties<S>{S(5), {}, diagonal(S(13), S(10), S(5))});
    real const m = 4 * pi / 3 * 6;
    expect_same(solid_ellipsoid(of_density(S(1)), vec3<S>{S(1), S(2), S(3)}), mass_properties<real>{m, {}, (m / 5) * diagonal(13.0L, 10.0L, 5.0L)});
}
TYPED_TEST(mass_properties_of, cylinder) {
    using S = TypeParam;
    // m r^2 / 2 along, m/12 (3 r^2 + h^2) across
    expect_same(solid_cylinder(S(12), S(4), S(2)), mass_properties<S>{S(12), {}, diagonal(S(28), S(24), S(28))});
    real const m = 5 * pi * 4 * 4;
    expect_same(solid_cylinder(of_density(S(5)), S(4), S(2)), mass_properties<real>{m, {}, (m / 12) * diagonal(28.0L, 24.0L, 28.0L)});
}
TYPED_TEST(mass_properties_of, cone) {
    using S = TypeParam;
    // 3/10 m r^2 along, 3/80 m (4 r^2 + h^2) across the centre of mass, which is a quarter of the height above the base
    expect_same(solid_cone(S(80), S(2), S(3)), mass_properties<S>{S(80), {S(0), S(-0.5), S(0)}, diagonal(S(120), S(216), S(120))});
    real const m = pi * 9 * 2 / 3;
    expect_same(solid_cone(of_density(S(1)), S(2), S(3)), mass_properties<real>{m, {0, -0.5L, 0}, (m / 80) * diagonal(120.0L, 216.0L, 120.0L)});
}
TYPED_TEST(mass_properties_of, thin_rod) {
    using S = TypeParam;
    // m l^2 / 12
    expect_same(thin_rod(S(12), vec3<S>{S(0), S(1), S(0)}, vec3<S>{S(0), S(4), S(0)}), mass_properties<S>{S(12), {S(0), S(2.5), S(0)}, diagonal(S(9), S(0), S(9))});
}
TYPED_TEST(mass_properties_of, thin_sphere) {
    using S = TypeParam;
    // 2/3 m r^2
    expect_same(thin_sphere(S(3), S(2)), mass_properties<S>{S(3), {}, diagonal(S(8), S(8), S(8))});
}

// A capsule without a middle is a sphere; a very long one is nearly a rod.
TYPED_TEST(mass_properties_of, capsule_at_its_limits) {
    using S = TypeParam;
    expect_same(solid_capsule(S(5), S(0), S(2)), solid_sphere(S(5), S(2)));
    expect_same(solid_capsule(of_density(S(7)), S(0), S(2)), solid_sphere(of_density(S(7)), S(2)));
    expect_same(solid_capsule(S(12), S(3), S(0)), solid_cylinder(S(12), S(3), S(0)));
    EXPECT_EQ(solid_capsule(S(12), S(0), S(0)).inertia, (sym3<S>{}));
}

// ---- Quadrature: a solid of revolution about y, as discs of squared radius r2(y). Five Gauss points integrate polynomials up
//      to degree 9 exactly; r2 has degree 2 at most, so the sum is exact on each piece.

mass_properties<real> by_discs(real density, std::vector<std::array<real, 2>> const& pieces, std::function<real(real)> const& r2) {
    real const node[5] = {0, 0.538469310105683091036314420700208805L, -0.538469310105683091036314420700208805L, 0.906179845938663992797626878299392965L,
                          -0.906179845938663992797626878299392965L};
    real const weight[5] = {0.568888888888888888888888888888888889L, 0.478628670499366468041291514835638193L, 0.478628670499366468041291514835638193L,
                            0.236926885056189087514264040719917363L, 0.236926885056189087514264040719917363L};
    real m = 0, first = 0, second = 0, along = 0;
    for (auto const& p : pieces)
        for (int i = 0; i < 5; ++i) {
            real const half = (p[1] - p[0]) / 2, y = (p[0] + p[1]) / 2 + half * node[i];
            real const dm = density * pi * r2(y) * weight[i] * half;
            m += dm;
            first += dm * y;
            second += dm * y * y;
            along += dm * r2(y) / 2;
        }
    real const c = first / m;
    real const across = along / 2 + second - m * c * c;
    return {m, {0, c, 0}, diagonal(across, along, across)};
}

TYPED_TEST(mass_properties_of, discs_of_a_cylinder) {
    using S = TypeParam;
    expect_same(solid_cylinder(of_density(S(3)), S(1.5), S(0.25)), by_discs(3, {{{-0.75L, 0.75L}}}, [](real) { return 0.0625L; }));
}
TYPED_TEST(mass_properties_of, discs_of_a_sphere) {
    using S = TypeParam;
    expect_same(solid_sphere(of_density(S(3)), S(1.5)), by_discs(3, {{{-1.5L, 1.5L}}}, [](real y) { return 2.25L - y * y; }));
}
TYPED_TEST(mass_properties_of, discs_of_an_ellipsoid) {
    using S = TypeParam;
    expect_same(solid_ellipsoid(of_density(S(3)), vec3<S>{S(0.5), S(2), S(0.5)}),
                by_discs(3, {{{-2.0L, 2.0L}}}, [](real y) { return 0.25L * (1 - y * y / 4); }));
}
TYPED_TEST(mass_properties_of, discs_of_a_cone) {
    using S = TypeParam;
    expect_same(solid_cone(of_density(S(3)), S(2), S(0.75)), by_discs(3, {{{-1.0L, 1.0L}}}, [](real y) {
                    real const r = 0.75L * (1 - y) / 2;
                    return r * r;
                }));
}
TYPED_TEST(mass_properties_of, discs_of_a_capsule) {
    using S = TypeParam;
    auto const r2 = [](real y) {
        real const beyond = std::max(std::abs(y) - 0.5L, 0.0L);
        return 0.0625L - beyond * beyond;
    };
    mass_properties<real> const expected = by_discs(3, {{{-0.75L, -0.5L}}, {{-0.5L, 0.5L}}, {{0.5L, 0.75L}}}, r2);
    expect_same(solid_capsule(of_density(S(3)), S(1), S(0.25)), expected);
    expect_same(solid_capsule(static_cast<S>(expected.mass), S(1), S(0.25)), expected);
}

// ---- Sums

template <class S>
mass_properties<S> some_body(std::mt19937& random) {
    std::uniform_real_distribution<double> length(0.2, 2), angle(-1, 1);
    auto const n = [&] { return static_cast<S>(angle(random)); };
    auto const box = solid_box(static_cast<S>(length(random)), vec3<S>{static_cast<S>(length(random)), static_cast<S>(length(random)), static_cast<S>(length(random))});
    return moved(box, pose<S>{{n(), n(), n()}, quaternion_exp(vec3<S>{n(), n(), n()})});
}

// Eight points of a box of half edges (a, b, c), each of an eighth of the mass: m (b^2 + c^2) about x, so a box's inertia with
// edges a sqrt(12). The sum must find it from nothing but points.
TYPED_TEST(mass_properties_of, sum_of_points) {
    using S = TypeParam;
    std::vector<mass_properties<S>> points;
    for (int i = 0; i < 8; ++i)
        points.push_back(mass_at(S(0.5), vec3<S>{S(i & 1 ? 1 : -1) + S(5), S(i & 2 ? 2 : -2), S(i & 4 ? 3 : -3)}));
    expect_same(total(points), mass_properties<S>{S(4), {S(5), S(0), S(0)}, diagonal(S(52), S(40), S(20))});
}

TYPED_TEST(mass_properties_of, a_box_is_the_sum_of_its_eighths) {
    using S = TypeParam;
    vec3<S> const size{S(1), S(2), S(3)};
    std::vector<mass_properties<S>> parts;
    for (int i = 0; i < 8; ++i)
        parts.push_back(moved(solid_box(S(1.5), vec3<S>(size / 2)), vec3<S>{S(i & 1 ? 1 : -1) / 4, S(i & 2 ? 1 : -1) / 2, S(i & 4 ? 3 : -3) / 4}));
    expect_same(total(parts), solid_box(S(12), size));
}

TYPED_TEST(mass_properties_of, sums_commute_and_associate) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 20; ++i) {
        auto const a = some_body<S>(random), b = some_body<S>(random), c = some_body<S>(random);
        expect_same(a + b, b + a, 8);
        expect_same((a + b) + c, a + (b + c), 16);
        expect_same((a + b) - b, a, 64);
        // Nothing added is nothing changed.
        EXPECT_EQ((a + mass_properties<S>{}).inertia, a.inertia);
        expect_same(mass_properties<S>{} + a, a, 2);
    }
}

TYPED_TEST(mass_properties_of, a_capsule_is_a_cylinder_and_two_half_spheres) {
    using S = TypeParam;
    // A half sphere: 2/5 m r^2 about every axis through the middle of its base, its centre of mass 3/8 r above.
    real const r = 0.25L, m = 4 * pi / 6 * r * r * r;
    real const about_center = 0.4L * m * r * r - m * (0.375L * r) * (0.375L * r);
    mass_properties<real> const half{m, {0, 0.5L + 0.375L * r, 0}, diagonal(about_center, 0.4L * m * r * r, about_center)};
    mass_properties<real> other = half;
    other.center[1] = -other.center[1];
    expect_same(solid_capsule(of_density(S(1)), S(1), S(0.25)), solid_cylinder(of_density(1.0L), 1.0L, 0.25L) + half + other);
}

TYPED_TEST(mass_properties_of, a_hollow_box) {
    using S = TypeParam;
    vec3<S> const outer{S(1), S(2), S(3)}, inner{S(0.5), S(1.5), S(2.5)};
    auto const shell = solid_box(of_density(S(2)), outer) - solid_box(of_density(S(2)), inner);
    S const mo = S(12), mi = S(3.75);
    EXPECT_EQ(shell.mass, mo - mi);
    expect_inertia(shell.inertia,
                   diagonal(S((mo * 13 - mi * S(8.5)) / 12), S((mo * 10 - mi * S(6.5)) / 12), S((mo * 5 - mi * S(2.5)) / 12)), 16);
    // Cut out off centre: the sum of the rest and the plug is the whole.
    auto const plug = moved(solid_sphere(of_density(S(2)), S(0.25)), vec3<S>{S(0.1L), S(0.5), S(-0.75)});
    auto const whole = solid_box(of_density(S(2)), outer);
    expect_same((whole - plug) + plug, whole, 16);
}

// ---- Parallel axes and other frames

TYPED_TEST(mass_properties_of, parallel_axes) {
    using S = TypeParam;
    // A rod about its end: m l^2 / 3. A sphere about a tangent: 7/5 m r^2.
    expect_inertia(inertia_about(thin_rod(S(3), vec3<S>{S(0), S(0), S(0)}, vec3<S>{S(2), S(0), S(0)}), vec3<S>{S(0), S(0), S(0)}), diagonal(S(0), S(4), S(4)), 8);
    auto const tangent = inertia_about(solid_sphere(S(5), S(2)), vec3<S>{S(0), S(2), S(0)});
    expect_inertia(tangent, diagonal(S(28), S(8), S(28)), 8);
    // About a point off the axes: products of inertia with Vondrak's sign (5.13), -m x y.
    expect_inertia(inertia_about(mass_at(S(2), vec3<S>{S(1), S(2), S(3)}), vec3<S>{S(0), S(0), S(0)}), sym3<S>{S(26), S(20), S(10), S(-4), S(-6), S(-12)}, 4);
}

// The inertia about any point adds up over parts.
TYPED_TEST(mass_properties_of, inertia_about_a_point_is_additive) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 20; ++i) {
        auto const a = some_body<S>(random), b = some_body<S>(random);
        vec3<S> const p{S(0.5), S(-1), S(2)};
        expect_inertia(inertia_about(a + b, p), inertia_about(a, p) + inertia_about(b, p), 16);
        expect_inertia(inertia_about(a, a.center), a.inertia, 0);
    }
}

TYPED_TEST(mass_properties_of, moving_is_a_group_action) {
    using S = TypeParam;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 20; ++i) {
        auto const a = some_body<S>(random);
        pose<S> const p{{S(1), S(-2), S(0.5)}, quaternion_exp(vec3<S>{S(0.3L), S(1), S(-0.7L)})};
        pose<S> const q{{S(-1), S(1), S(0.25)}, quaternion_exp(vec3<S>{S(-1.3L), S(0.1L), S(0.7L)})};
        expect_same(moved(a, p * q), moved(moved(a, q), p), 32);
        expect_same(moved(moved(a, p), inverse(p)), a, 32);
        expect_same(moved(a, vec3<S>{S(1), S(2), S(3)}), moved(a, pose<S>{{S(1), S(2), S(3)}, quaternion<S>::identity()}), 1);
        expect_same(rotated(a, q.rotation), moved(a, pose<S>{{S(0), S(0), S(0)}, q.rotation}), 0);
        // Parts move as the whole does.
        auto const b = some_body<S>(random);
        expect_same(moved(a + b, p), moved(a, p) + moved(b, p), 32);
        // The inertia about a point does not ask who looks.
        vec3<S> const at{S(0.5), S(-1), S(2)};
        expect_inertia(inertia_about(moved(a, p), p.point(at)), congruence(to_matrix(p.rotation), inertia_about(a, at)), 32);
    }
}

TYPED_TEST(mass_properties_of, moving_in_every_representation) {
    using S = TypeParam;
    auto const a = solid_box(S(2), vec3<S>{S(1), S(2), S(3)});
    vec3<S> const theta{S(0.3L), S(1), S(-0.7L)}, x{S(1), S(2), S(3)};
    auto const by_quaternion = moved(a, pose<S>{x, quaternion_exp(theta)});
    expect_same(moved(a, pose<S, rotation_matrix<S>>{x, rotation_exp<rotation_matrix<S>>(theta)}), by_quaternion);
    expect_same(moved(a, pose<S, rotation_vector<S>>{x, rotation_exp<rotation_vector<S>>(theta)}), by_quaternion);
}

// A quarter turn about z swaps the moments about x and y.
TYPED_TEST(mass_properties_of, quarter_turn) {
    using S = TypeParam;
    auto const a = rotated(solid_box(S(12), vec3<S>{S(1), S(2), S(3)}), rotation_about<quaternion<S>>(vec3<S>{S(0), S(0), S(1)}, pi_v<S> / 2));
    expect_inertia(a.inertia, diagonal(S(10), S(13), S(5)), 8);
}

TYPED_TEST(mass_properties_of, scaled_to_a_mass) {
    using S = TypeParam;
    expect_same(scaled_to_mass(solid_cone(of_density(S(3)), S(2), S(0.75)), S(7)), solid_cone(S(7), S(2), S(0.75)));
}

TYPED_TEST(mass_properties_of, rigid_body_about_its_center_of_mass) {
    using S = TypeParam;
    auto const hammer = solid_cylinder(S(0.2L), S(0.3L), S(0.015L)) + moved(solid_box(S(0.7L), vec3<S>{S(0.1L), S(0.03L), S(0.03L)}), vec3<S>{S(0), S(0.15L), S(0)});
    pose<S> const frame{{S(1), S(2), S(3)}, quaternion_exp(vec3<S>{S(0.3L), S(1), S(-0.7L)})};
    rigid_body<S> const body = rigid_body_of(hammer, frame);
    EXPECT_EQ(body.mass, hammer.mass);
    EXPECT_EQ(body.inertia, hammer.inertia);
    EXPECT_EQ(body.pose.position, frame.point(hammer.center));
    EXPECT_EQ(body.pose.rotation, frame.rotation);
    EXPECT_EQ(body.twist, twist<S>{});
    // The head's middle is where it was.
    vec3<S> const head{S(0), S(0.15L), S(0)};
    EXPECT_LE(norm(body.pose.point(head - hammer.center) - frame.point(head)), 8 * epsilon_v<S>);
}

// Masses may be said in any type that converts: whole kilograms, for one.
TYPED_TEST(mass_properties_of, masses_convert) {
    using S = TypeParam;
    EXPECT_EQ(solid_sphere(5, S(2)), solid_sphere(S(5), S(2)));
    EXPECT_EQ(solid_sphere(of_density(5), S(2)), solid_sphere(of_density(S(5)), S(2)));
    EXPECT_EQ(solid_capsule(5, S(2), 1), solid_capsule(S(5), S(2), S(1)));
}

// How an inertia answers to a length: d/dr of 2/5 rho 4/3 pi r^5.
TEST(mass_properties_of, derivative_by_a_length) {
    using D = dual<double, 1>;
    auto const p = solid_sphere(of_density(3.0), D::variable(0.5, 0));
    double const volume = 4.0 / 3 * 3.14159265358979324 * 0.125;
    EXPECT_NEAR(p.inertia.xx.d[0], 2 * 3 * volume * 0.5, 1e-14);
    EXPECT_NEAR(p.mass.d[0], 3 * 4 * 3.14159265358979324 * 0.25, 1e-14);
}

// The same code in a constant expression.
constexpr auto plank = solid_box(12.0, vec3<double>{1, 2, 3});
static_assert(plank.mass == 12 && plank.center == vec3<double>{0, 0, 0});
constexpr auto dumbbell = moved(solid_sphere(5.0, 2.0), vec3<double>{0, 3, 0}) + moved(solid_sphere(5.0, 2.0), vec3<double>{0, -3, 0});
static_assert(dumbbell.mass == 10 && dumbbell.center == vec3<double>{0, 0, 0});
static_assert(dumbbell.inertia.xx == 106 && dumbbell.inertia.zz == 106 && dumbbell.inertia.yy == 16);
constexpr std::array parts{plank, plank};
static_assert(total(parts).mass == 24);

}  // namespace
