// Derivatives of the nearest points of round shapes, by poses and sizes, are those of differences in long double; and their values those of double.

#include <sinew/sinew.hpp>

#include <collision/shape_of_sizes.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace {

using namespace sinew;
using sinew_test::ellipsoid, sinew_test::shape_of;

// By b's position, rotation vectors of a and b, and three sizes each.
constexpr std::size_t inputs = 15, outputs = 10;
template <template <class> class A, template <class> class B, class S>
vec<S, outputs> nearest(vec<S, inputs> const& x) {
    auto const turn = [&](std::size_t i) { return rotation_matrix<S>{so3_exp(vec3<S>{x[i], x[i + 1], x[i + 2]})}; };
    S const tenth = S(1) / S(10);
    frame<S> const fa{{tenth, -tenth, tenth / S(2)}, turn(3)}, fb{{x[0], x[1], x[2]}, turn(6)};
    auto const c = closest_points<S>(shape_of<A<S>>(x[9], x[10], x[11]), fa, shape_of<B<S>>(x[12], x[13], x[14]), fb);
    return {c.distance, c.normal[0], c.normal[1], c.normal[2], c.on_a[0], c.on_a[1], c.on_a[2], c.on_b[0], c.on_b[1], c.on_b[2]};
}

// Where cores overlap, the way out is found to 1e-5 of their size, and its direction to the root of that: differences tell no more.
template <template <class> class A, template <class> class B>
void expect_derivatives(bool deep, double tolerance) {
    using D = dual<double, inputs>;
    using L = long double;
    std::uint64_t const seed = 20261130;
    SCOPED_TRACE(testing::Message() << "seed " << seed << (deep ? ", deep" : ", apart"));
    std::mt19937_64 random(seed);
    auto const within = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
    int seen = 0;
    for (int k = 0; k < 24; ++k) {
        vec<double, inputs> x;
        vec3<double> const way = normalize(vec3<double>{within(-1, 1), within(-1, 1), within(-1, 1)}) * (deep ? within(0.2, 0.7) : within(0.9, 1.6));
        for (std::size_t i = 0; i < 3; ++i) x[i] = way[i];
        for (std::size_t i = 3; i < 9; ++i) x[i] = within(-2, 2);
        for (std::size_t i = 9; i < inputs; ++i) x[i] = within(0.2, 0.6);
        auto const plain = nearest<A, B, double>(x);
        if (deep ? plain[0] > -0.01 : plain[0] < 0.001) continue;
        vec<D, inputs> y;
        for (std::size_t i = 0; i < inputs; ++i) y[i] = D::variable(x[i], i);
        auto const found = nearest<A, B, D>(y);
        for (std::size_t j = 0; j < outputs; ++j) EXPECT_EQ(found[j].v, plain[j]);
        for (std::size_t i = 0; i < inputs; ++i) {
            auto const difference = [&](L h) {
                vec<L, inputs> p = cast<L>(x), q = p;
                p[i] += h;
                q[i] -= h;
                return (nearest<A, B, L>(p) - nearest<A, B, L>(q)) / (2 * h);
            };
            auto const fine = difference(1e-4L), coarse = difference(2e-4L);
            for (std::size_t j = 0; j < outputs; ++j) {
                double const wanted = static_cast<double>(fine[j] + (fine[j] - coarse[j]) / 3), scale = 1 + std::abs(wanted);
                if (std::abs(static_cast<double>(fine[j] - coarse[j])) > 3e-6 * scale) continue;  // not smooth as far as that
                EXPECT_NEAR(found[j].d[i], wanted, tolerance * scale) << "case " << k << ", input " << i << ", output " << j;
                ++seen;
            }
        }
    }
    EXPECT_GT(seen, 1000);
}

TEST(derivatives_of_nearest_points, of_cylinders_and_boxes) { expect_derivatives<cylinder, box>(false, 1e-5); }
TEST(derivatives_of_nearest_points, of_cylinders) { expect_derivatives<cylinder, cylinder>(false, 1e-5); }
TEST(derivatives_of_nearest_points, of_cones_and_cylinders) { expect_derivatives<cone, cylinder>(false, 1e-5); }
TEST(derivatives_of_nearest_points, of_cones_and_boxes) { expect_derivatives<cone, box>(false, 1e-5); }
TEST(derivatives_of_nearest_points, of_cones) { expect_derivatives<cone, cone>(false, 1e-5); }
TEST(derivatives_of_nearest_points, of_capsules_and_cylinders) { expect_derivatives<capsule, cylinder>(false, 1e-5); }
TEST(derivatives_of_nearest_points, of_rounded_cylinders) { expect_derivatives<rounded_cylinder, cylinder>(false, 1e-5); }
TEST(derivatives_of_nearest_points, of_a_users_own_shape) {
    expect_derivatives<ellipsoid, box>(false, 1e-5);
    expect_derivatives<ellipsoid, cone>(false, 1e-5);
    expect_derivatives<ellipsoid, ellipsoid>(false, 1e-5);
}
TEST(derivatives_of_ways_out, of_what_overlaps) {
    expect_derivatives<cylinder, box>(true, 5e-3);
    expect_derivatives<cylinder, cylinder>(true, 5e-3);
    expect_derivatives<cone, box>(true, 5e-3);
    expect_derivatives<ellipsoid, box>(true, 5e-3);
    expect_derivatives<ellipsoid, ellipsoid>(true, 1e-5);
}

// A cylinder that stands over the middle of a table as good as upright: which point of its rim looks down is rounding, and turns with nothing.
TEST(derivatives_of_nearest_points, of_a_cylinder_that_stands_know_no_direction_of_its_rim) {
    using D = dual<double, 2>;
    for (double const lean : {0.0, 1e-16, 1e-13, 1e-10}) {
        auto const turn = [](D const& x, D const& z) { return rotation_matrix<D>{so3_exp(vec3<D>{x, D(0), z})}; };
        frame<D> const table{{D(0.02), D(-1), D(0.01)}, turn(D::variable(0, 0), D(0))}, on{{D(0), D(0.1), D(0)}, turn(D(lean), D::variable(lean, 1))};
        auto const c = closest_points<D>(cylinder<D>{D(0.3), D(0.5)}, on, box<D>{{D(2), D(0.5), D(2)}}, table);
        EXPECT_NEAR(c.distance.v, 0.1, 1e-9);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t lane = 0; lane < 2; ++lane) {
                EXPECT_LT(std::abs(c.normal[i].d[lane]), 1.5) << lean << " " << i << lane;
                EXPECT_LT(std::abs(c.on_a[i].d[lane]), 3) << lean << " " << i << lane;
            }
    }
}

// A point above a cylinder's side: d = |p| - r, of which second derivatives are known: curvature 1 / |p| across.
TEST(second_derivatives_of_nearest_points, are_those_of_the_circle) {
    using D = dual<dual<double, 1>, 1>;
    double const x = 0.6, y = 0.8;
    D const px(dual<double, 1>::variable(x, 0)), one_more = [&] {
        D p = px;
        p.d[0] = dual<double, 1>(1);
        return p;
    }();
    auto const c = closest_points<D>(cylinder<D>{D(0.5), D(1)}, frame<D>{}, box<D>{{D(0.01), D(0.01), D(0.01)}}, frame<D>{{one_more, D(0.1), D(y)}, {}});
    // The corner of the box that is nearest. The search knows the direction of the way to the root of what it knows of its length.
    double const cx = x - 0.01, cy = y - 0.01, r = std::sqrt(cx * cx + cy * cy);
    EXPECT_NEAR(value(c.distance), r - 0.5, 1e-14);
    EXPECT_NEAR(c.distance.d[0].v, cx / r, 1e-7);
    EXPECT_NEAR(c.distance.d[0].d[0], cy * cy / (r * r * r), 1e-7);
    EXPECT_NEAR(c.normal[0].d[0].v, cy * cy / (r * r * r), 1e-7);
    EXPECT_NEAR(c.normal[0].d[0].d[0], -3 * cx * cy * cy / std::pow(r, 5), 1e-6);
}

}  // namespace
