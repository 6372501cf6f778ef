// Derivatives of what shapes and rays hit, by poses, ways and sizes, are those of differences in long double; and their values those of double.

#include <sinew/sinew.hpp>

#include <collision/shape_of_sizes.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace {

using namespace sinew;
using sinew_test::ellipsoid, sinew_test::shape_of;

// By b's position, rotation vectors of a and b, the way, and three sizes.
constexpr std::size_t inputs = 15, outputs = 7;
using numbers = vec<double, inputs>;
template <class S>
vec3<S> three(vec<S, inputs> const& x, std::size_t from) {
    return {x[from], x[from + 1], x[from + 2]};
}
template <template <class> class A, template <class> class B>
struct of_shapes {
    template <class S>
    static vec<S, outputs> hit(vec<S, inputs> const& x) {
        S const tenth = S(1) / S(10);
        frame<S> const fa{{tenth, -tenth, tenth / S(2)}, rotation_matrix<S>{so3_exp(three(x, 3))}}, fb{three(x, 0), rotation_matrix<S>{so3_exp(three(x, 6))}};
        auto const h = shape_cast<S>(shape_of<A<S>>(x[12], x[13], x[14]), fa, three(x, 9), shape_of<B<S>>(x[14], x[12], x[13]), fb);
        if (!h.hit) return {};
        return {h.fraction, h.normal[0], h.normal[1], h.normal[2], h.point[0], h.point[1], h.point[2]};
    }
};
template <template <class> class B>
struct of_rays {
    template <class S>
    static vec<S, outputs> hit(vec<S, inputs> const& x) {
        S const tenth = S(1) / S(10);
        frame<S> const fb{three(x, 0), rotation_matrix<S>{so3_exp(three(x, 6))}};
        auto const h = cast<S>(ray<S>{{tenth, -tenth, tenth / S(2)}, normalize(three(x, 9))}, shape_of<B<S>>(x[14], x[12], x[13]), fb);
        if (!h.hit) return {};
        return {h.distance, h.normal[0], h.normal[1], h.normal[2], h.point[0], h.point[1], h.point[2]};
    }
};

// The search ends at 1e-7 of the size, in every scalar: differences tell no more than that over their step.
template <class Hits>
void expect_derivatives() {
    constexpr double tolerance = 1e-4;
    using D = dual<double, inputs>;
    using L = long double;
    std::uint64_t const seed = 20261130;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    auto const within = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
    int seen = 0;
    for (int k = 0; k < 20; ++k) {
        numbers x;
        vec3<double> const way = normalize(vec3<double>{within(-1, 1), within(-1, 1), within(-1, 1)}) * within(1.3, 2);
        for (std::size_t i = 0; i < 3; ++i) x[i] = way[i];
        for (std::size_t i = 3; i < 9; ++i) x[i] = within(-2, 2);
        for (std::size_t i = 9; i < 12; ++i) x[i] = 1.5 * way[i - 9] + within(-0.3, 0.3);
        for (std::size_t i = 12; i < inputs; ++i) x[i] = within(0.2, 0.6);
        auto const plain = Hits::hit(x);
        if (!(plain[0] > 0.05)) continue;
        vec<D, inputs> y;
        for (std::size_t i = 0; i < inputs; ++i) y[i] = D::variable(x[i], i);
        auto const found = Hits::hit(y);
        for (std::size_t j = 0; j < outputs; ++j) EXPECT_EQ(found[j].v, plain[j]);
        for (std::size_t i = 0; i < inputs; ++i) {
            auto const difference = [&](L h) {
                vec<L, inputs> p = cast<L>(x), q = p;
                p[i] += h;
                q[i] -= h;
                return (Hits::hit(p) - Hits::hit(q)) / (2 * h);
            };
            auto const fine = difference(4e-3L), coarse = difference(8e-3L);
            for (std::size_t j = 0; j < outputs; ++j) {
                double const wanted = static_cast<double>(fine[j] + (fine[j] - coarse[j]) / 3), scale = 1 + std::abs(wanted);
                if (std::abs(static_cast<double>(fine[j] - coarse[j])) > 1e-4 * scale) continue;  // not smooth as far as that
                EXPECT_NEAR(found[j].d[i], wanted, tolerance * scale) << "case " << k << ", input " << i << ", output " << j;
                ++seen;
            }
        }
    }
    EXPECT_GT(seen, 300);
}

TEST(derivatives_of_shape_casts, of_boxes) { expect_derivatives<of_shapes<box, box>>(); }
TEST(derivatives_of_shape_casts, of_cylinders) {
    expect_derivatives<of_shapes<cylinder, box>>();
    expect_derivatives<of_shapes<cylinder, cylinder>>();
}
TEST(derivatives_of_shape_casts, of_cones) { expect_derivatives<of_shapes<cone, cylinder>>(); }
TEST(derivatives_of_shape_casts, of_round_shapes) {
    expect_derivatives<of_shapes<capsule, cylinder>>();
    expect_derivatives<of_shapes<rounded_cylinder, box>>();
    expect_derivatives<of_shapes<sphere, capsule>>();
}
TEST(derivatives_of_shape_casts, of_a_users_own_shape) {
    expect_derivatives<of_shapes<ellipsoid, box>>();
    expect_derivatives<of_shapes<ellipsoid, ellipsoid>>();
}
TEST(derivatives_of_ray_casts, of_the_librarys_shapes) {
    expect_derivatives<of_rays<box>>();
    expect_derivatives<of_rays<cylinder>>();
    expect_derivatives<of_rays<cone>>();
    expect_derivatives<of_rays<capsule>>();
}
TEST(derivatives_of_ray_casts, of_a_users_own_shape) { expect_derivatives<of_rays<ellipsoid>>(); }

}  // namespace
