// Duals of fixed-point numbers in the searches: values are those of the plain numbers, derivatives those of duals of double of the same numbers.

#include <gtest/gtest.h>

#include <sinew/sinew.hpp>

#include <collision/shape_of_sizes.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace {

using namespace sinew;
using sinew_test::ellipsoid, sinew_test::shape_of;

template <class S>
class fixed_derivatives : public testing::Test {};
using formats = testing::Types<fixed<15, 16>, fixed<31, 32>>;
TYPED_TEST_SUITE(fixed_derivatives, formats);

// By b's position, rotation vectors of a and b, and three sizes each.
constexpr std::size_t inputs = 15, outputs = 10;

template <class S>
struct scene {
    frame<S> a, b;
    S size[6];
    vec3<S> way;
};
template <class S>
scene<S> scene_of(vec<S, inputs> const& x) {
    auto const turn = [&](std::size_t i) { return rotation_matrix<S>{so3_exp(vec3<S>{x[i], x[i + 1], x[i + 2]})}; };
    vec3<S> const at{x[0], x[1], x[2]};
    return {{{S(0), S(0), S(0)}, turn(3)}, {at, turn(6)}, {x[9], x[10], x[11], x[12], x[13], x[14]}, S(2) * at};
}
/// The same numbers in another scalar.
template <class T, class S>
scene<T> in(scene<S> const& c) {
    auto const frame_in = [](frame<S> const& f) {
        frame<T> r{cast<T>(f.position), {}};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) r.rotation.m(i, j) = static_cast<T>(f.rotation.m(i, j));
        return r;
    };
    scene<T> r{frame_in(c.a), frame_in(c.b), {}, cast<T>(c.way)};
    for (std::size_t i = 0; i < 6; ++i) r.size[i] = static_cast<T>(c.size[i]);
    return r;
}

template <template <class> class A, template <class> class B>
struct nearest_of {
    template <class S>
    static vec<S, outputs> ask(scene<S> const& c) {
        auto const r = closest_points<S>(shape_of<A<S>>(c.size[0], c.size[1], c.size[2]), c.a, shape_of<B<S>>(c.size[3], c.size[4], c.size[5]), c.b);
        return {r.distance, r.normal[0], r.normal[1], r.normal[2], r.on_a[0], r.on_a[1], r.on_a[2], r.on_b[0], r.on_b[1], r.on_b[2]};
    }
};
template <template <class> class A, template <class> class B>
struct hit_of {
    template <class S>
    static vec<S, outputs> ask(scene<S> const& c) {
        auto const r = shape_cast<S>(shape_of<A<S>>(c.size[0], c.size[1], c.size[2]), c.a, c.way, shape_of<B<S>>(c.size[3], c.size[4], c.size[5]), c.b);
        if (!r.hit) return {};
        return {r.fraction, r.normal[0], r.normal[1], r.normal[2], r.point[0], r.point[1], r.point[2], S(0), S(0), S(0)};
    }
};

/// How much the derivatives of results change where b is moved (m) and turned (rad) by so much, at most.
template <class Query, class D>
vec<double, outputs> changes(scene<D> const& c, vec<D, outputs> const& here, double by) {
    std::mt19937 random(5);
    auto const some = [&] { return by * (static_cast<double>(random() >> 8) / 8388608.0 - 1); };
    vec<double, outputs> most{};
    for (int k = 0; k < 6; ++k) {
        scene<D> moved = c;
        vec3<D> const way{D(some()), D(some()), D(some())}, turn{D(some()), D(some()), D(some())};
        moved.b.position = moved.b.position + way;
        moved.b.rotation.m = so3_exp(turn) * moved.b.rotation.m;
        auto const there = Query::ask(moved);
        for (std::size_t j = 0; j < outputs; ++j) most[j] = std::max(most[j], std::abs(there[j].d[0] - here[j].d[0]));
    }
    return most;
}

// What a number of format S can tell is some last places e; and of a direction that leads to something round the root of e, since next to the nearest point the
// distance changes with the square of the way. So derivatives may be those of a place that is off by so much, which also is how far off they may be themselves.
template <class S, class Query>
void expect_derivatives(bool flat, double from, double to, bool deep) {
    using D = dual<S, 1>;
    using real = dual<double, 1>;
    double const place = static_cast<double>(epsilon_v<S>), off = flat ? 8 * place : std::sqrt(place);
    std::uint64_t const seed = 20261130;
    SCOPED_TRACE(testing::Message() << "seed " << seed << (deep ? ", deep" : ", apart"));
    std::mt19937_64 random(seed);
    auto const within = [&](double a, double b) { return a + (b - a) * static_cast<double>(random() >> 11) / 9007199254740992.0; };
    int seen = 0, close = 0;
    for (int k = 0; k < 16; ++k) {
        vec<S, inputs> x;
        vec3<double> const direction{within(-1, 1), within(-1, 1), within(-1, 1)}, way = normalize(direction) * within(from, to);
        for (std::size_t i = 0; i < 3; ++i) x[i] = S::from(way[i]);
        for (std::size_t i = 3; i < 9; ++i) x[i] = S::from(within(-2, 2));
        for (std::size_t i = 9; i < inputs; ++i) x[i] = S::from(within(0.2, 0.6));
        auto const plain = Query::ask(scene_of(x));
        double const known = Query::ask(in<double>(scene_of(x)))[0];
        if (deep ? known > -0.01 : known < 0.01) continue;
        for (std::size_t i = 0; i < inputs; ++i) {
            vec<D, inputs> y = cast<D>(x);
            y[i].d[0] = S(1);
            auto const c = scene_of(y);
            auto const real_scene = in<real>(c);
            auto const found = Query::ask(c);
            auto const wanted = Query::ask(real_scene);
            auto const change = changes<Query>(real_scene, wanted, off);
            for (std::size_t j = 0; j < outputs; ++j) {
                ASSERT_EQ(found[j].v, plain[j]) << "case " << k << ", input " << i << ", output " << j;
                double const w = wanted[j].d[0], tolerance = 8 * (off * (1 + std::abs(w)) + change[j]);
                EXPECT_NEAR(static_cast<double>(found[j].d[0]), w, tolerance) << "case " << k << ", input " << i << ", output " << j;
                ++seen;
                if (tolerance < 32 * off * (1 + std::abs(w))) ++close;
            }
        }
    }
    EXPECT_GT(seen, 500);
    EXPECT_GT(close, seen * 3 / 4);  // few are where derivatives change too fast to tell
}

template <class S, template <class> class A, template <class> class B>
void expect_all(bool flat) {
    {
        SCOPED_TRACE("nearest points");
        expect_derivatives<S, nearest_of<A, B>>(flat, 0.9, 1.6, false);
        expect_derivatives<S, nearest_of<A, B>>(flat, 0.2, 0.7, true);
    }
    SCOPED_TRACE("hits");
    expect_derivatives<S, hit_of<A, B>>(false, 1.3, 2, false);
}

TYPED_TEST(fixed_derivatives, of_boxes) { expect_all<TypeParam, box, box>(true); }
TYPED_TEST(fixed_derivatives, of_capsules) { expect_all<TypeParam, capsule, capsule>(true); }
TYPED_TEST(fixed_derivatives, of_capsules_and_boxes) { expect_all<TypeParam, capsule, box>(true); }
TYPED_TEST(fixed_derivatives, of_capsules_and_cylinders) { expect_all<TypeParam, capsule, cylinder>(false); }
TYPED_TEST(fixed_derivatives, of_cylinders) { expect_all<TypeParam, cylinder, cylinder>(false); }
TYPED_TEST(fixed_derivatives, of_cylinders_and_boxes) { expect_all<TypeParam, cylinder, box>(false); }
TYPED_TEST(fixed_derivatives, of_cones_and_cylinders) { expect_all<TypeParam, cone, cylinder>(false); }
TYPED_TEST(fixed_derivatives, of_cones_and_boxes) { expect_all<TypeParam, cone, box>(false); }
TYPED_TEST(fixed_derivatives, of_a_users_own_shape) { expect_all<TypeParam, ellipsoid, box>(false); }

// A point above a cylinder's side: d = |p| - r, of which second derivatives are known.
TYPED_TEST(fixed_derivatives, of_second_order_are_those_of_the_circle) {
    using S = TypeParam;
    using first = dual<S, 1>;
    using D = dual<first, 1>;
    double const off = 4 * std::sqrt(static_cast<double>(epsilon_v<S>));
    D px(first::variable(S(0.625), 0));
    px.d[0] = first(1);
    S const small = S(1) / S(64);
    auto const c = closest_points<D>(cylinder<D>{D(S(0.5)), D(S(1))}, frame<D>{}, box<D>{{D(small), D(small), D(small)}}, frame<D>{{px, D(S(0.125)), D(S(0.75))}, {}});
    // The corner of the box that is nearest.
    double const x = 0.625 - 1.0 / 64, y = 0.75 - 1.0 / 64, r = std::sqrt(x * x + y * y);
    EXPECT_EQ(value(c.distance), closest_points<S>(cylinder<S>{S(0.5), S(1)}, frame<S>{}, box<S>{{small, small, small}}, frame<S>{{S(0.625), S(0.125), S(0.75)}, {}}).distance);
    EXPECT_NEAR(static_cast<double>(c.distance.v.d[0]), x / r, off);
    EXPECT_NEAR(static_cast<double>(c.distance.d[0].v), x / r, off);
    EXPECT_NEAR(static_cast<double>(c.distance.d[0].d[0]), y * y / (r * r * r), off);
    EXPECT_NEAR(static_cast<double>(c.normal[0].d[0].v), y * y / (r * r * r), off);
    EXPECT_NEAR(static_cast<double>(c.normal[0].d[0].d[0]), -3 * x * y * y / std::pow(r, 5), 4 * off);
}

// Derivatives that have left the range stay beside the values, of the first order and the second.
template <class D>
void expect_values(vec<value_type_t<D>, inputs> const& x, std::mt19937_64& random) {
    using S = value_type_t<D>;
    vec<D, inputs> y;
    for (std::size_t i = 0; i < inputs; ++i) {
        y[i] = D(x[i]);
        for (std::size_t k = 1; k < sinew::detail::parts_of<D>(); ++k) sinew::detail::part_of(y[i], k) = random() % 2 == 0 ? S(0) : random() % 2 == 0 ? infinity_v<S> : -infinity_v<S>;
    }
    auto const c = scene_of(y);
    auto const plain = scene_of(x);
    auto const same = [](auto const& a, auto const& b) {
        for (std::size_t j = 0; j < outputs; ++j) EXPECT_EQ(value(a[j]), b[j]) << "output " << j;
    };
    same(nearest_of<cone, cylinder>::ask(c), nearest_of<cone, cylinder>::ask(plain));
    same(hit_of<cylinder, box>::ask(c), hit_of<cylinder, box>::ask(plain));
}
TYPED_TEST(fixed_derivatives, without_end_leave_values_alone) {
    using S = TypeParam;
    std::mt19937_64 random(3);
    auto const within = [&](double a, double b) { return S::from(a + (b - a) * static_cast<double>(random() >> 11) / 9007199254740992.0); };
    for (int k = 0; k < 20; ++k) {
        SCOPED_TRACE(testing::Message() << "seed 3, case " << k);
        vec<S, inputs> x;
        for (std::size_t i = 0; i < 3; ++i) x[i] = within(-1, 1);
        for (std::size_t i = 3; i < 9; ++i) x[i] = within(-2, 2);
        for (std::size_t i = 9; i < inputs; ++i) x[i] = within(0.2, 0.6);
        expect_values<dual<S, 1>>(x, random);
        expect_values<dual<dual<S, 1>, 1>>(x, random);
    }
}

}  // namespace
