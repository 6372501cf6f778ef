// Rays and moving shapes: what they hit first, against closed forms and against the distance itself.

#include <sinew/collision/cast.hpp>
#include <sinew/collision/time_of_impact.hpp>

#include <collision/pair_laws.hpp>

#include <gtest/gtest.h>

namespace {

using namespace sinew_test;

/// A shape that only tells its support, so that the generic cast is taken.
template <class Shape>
struct plain {
    using scalar_type = typename Shape::scalar_type;
    Shape shape;
    [[nodiscard]] constexpr auto support(vec3<scalar_type> const& d) const { return shape.support(d); }
    [[nodiscard]] constexpr auto margin() const { return margin_of<scalar_type>(shape); }
};

template <class S>
class casts : public testing::Test {
public:
    static constexpr bool is_float = std::is_same_v<S, float>;
};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(casts, scalars);

TYPED_TEST(casts, of_rays_by_support_alone_agree_with_closed_forms) {
    using S = TypeParam;
    S const near = this->is_float ? S(2e-3) : S(1e-6);
    splitmix64 random{1};
    auto const check = [&]<class T>(T const&) {
        SCOPED_TRACE(make<T>::name);
        int hits = 0, grazing = 0;
        for (int i = 0; i < 2000; ++i) {
            T const shape = make<T>::random(random);
            frame<S> const f = random_frame<S>(random, S(1));
            ray<S> r = ray_along(random_vector<S, 3>(random, S(4)), random_vector<S, 3>(random, S(1)));
            if (i % 2 == 0) r = ray_between(r.origin, f.position + random_vector<S, 3>(random, S(0.3)));
            auto const exact = cast(r, shape, f), generic = cast(r, plain<T>{shape}, f);
            if (exact.hit != generic.hit) {
                ++grazing;
                continue;
            }
            if (!exact.hit) continue;
            ++hits;
            EXPECT_NEAR(exact.distance, generic.distance, near * 10);
            EXPECT_LE(norm(exact.point - generic.point), near * 10);
            // Not along the surface, the last plane tells the rest of the way: as well as distances are known, which is 4e-9 at a cone (pair_suite.hpp).
            if (!this->is_float && dot(exact.normal, r.direction) < S(-0.1)) {
                EXPECT_NEAR(exact.distance, generic.distance, 4e-8);
            }
            reference_shape const reference = reference_of(shape, f);
            if (generic.distance > 0) {
                EXPECT_LE(abs(reference.signed_distance(precise(generic.point))), real(near));
                EXPECT_NEAR(norm(generic.normal), 1, 1e-5);
                EXPECT_LT(dot(generic.normal, r.direction), S(1e-3));
            }
        }
        EXPECT_GT(hits, 500);
        EXPECT_LE(grazing, this->is_float ? 4 : 1);
    };
    check(sphere<S>{});
    check(capsule<S>{});
    check(box<S>{});
    check(cylinder<S>{});
    check(cone<S>{});
    check(convex_polytope<S>{});
}

TYPED_TEST(casts, of_rays_that_begin_inside_or_pass_by) {
    using S = TypeParam;
    plain<box<S>> const cube{{{S(0.5), S(0.5), S(0.5)}}};
    frame<S> const f;
    auto const inside = cast(ray_along(vec3<S>{S(0.1), 0, 0}, vec3<S>{0, 0, 1}), cube, f);
    EXPECT_TRUE(inside.hit && inside.distance == 0);
    EXPECT_EQ(inside.normal, (vec3<S>{0, 0, -1}));
    EXPECT_FALSE(cast(ray_along(vec3<S>{2, 0, 0}, vec3<S>{1, 0, 0}), cube, f).hit);
    EXPECT_FALSE(cast(ray_along(vec3<S>{2, 0, 0}, vec3<S>{-1, 0, 0}, S(1)), cube, f).hit);
    EXPECT_TRUE(cast(ray_along(vec3<S>{2, 0, 0}, vec3<S>{-1, 0, 0}), cube, f).hit);  // without end
    EXPECT_FALSE(cast(ray_along(vec3<S>{2, S(0.6), 0}, vec3<S>{-1, 0, 0}), cube, f).hit);
    // From far away.
    auto const far = cast(ray_along(vec3<S>{S(1000), S(0.25), 0}, vec3<S>{-1, 0, 0}), cube, f);
    ASSERT_TRUE(far.hit);
    EXPECT_NEAR(far.distance, 999.5, this->is_float ? 1e-2 : 1e-9);
}

// Near what is wide a search among points has lost its direction long before they touch: against the same in a wider scalar.
TYPED_TEST(casts, that_begin_near_what_is_wide) {
    using S = TypeParam;
    using wider = std::conditional_t<std::is_same_v<S, float>, double, long double>;
    splitmix64 random{7};
    auto const widened = [](vec3<S> const& v) { return vec3<wider>{static_cast<wider>(v[0]), static_cast<wider>(v[1]), static_cast<wider>(v[2])}; };
    auto const frame_widened = [&](frame<S> const& f) {
        frame<wider> r;
        r.position = widened(f.position);
        for (std::size_t i = 0; i < 9; ++i) r.rotation.m.e[i] = static_cast<wider>(f.rotation.m.e[i]);
        return r;
    };
    plain<cylinder<S>> const a{{S(0.375), S(0.25)}};
    plain<cylinder<wider>> const wide_a{{wider(0.375), wider(0.25)}};
    for (int const half : {100, 1000, 10000}) {
        plain<box<S>> const ground{{{S(half), S(1), S(half)}}};
        plain<box<wider>> const wide_ground{{{wider(half), wider(1), wider(half)}}};
        S const unit = epsilon_v<S> * S(half);
        for (int i = 0; i < 200; ++i) {
            SCOPED_TRACE(testing::Message() << "half " << half << ", round " << i);
            frame<S> const fb = random_frame<S>(random, S(1));
            vec3<S> const up = fb.direction(vec3<S>{0, 1, 0});
            // Above the ground by 48 to 500 roundings of its size: GJK knows its direction from 256 on.
            frame<S> fa = random_frame<S>(random, S(0.25) * S(half));
            fa.position = fa.position - dot(fa.position - fb.position, up) * up;
            S const gap = unit * random_number(random, S(48), S(500));
            frame<wider> const wide_fb = frame_widened(fb);
            for (int k = 0; k < 2; ++k)  // of what is deep the distance is not known so well
                fa.position = fa.position + (gap - S(closest_points(wide_ground, wide_fb, wide_a, frame_widened(fa)).distance)) * up;
            vec3<S> const way = (random_vector<S, 3>(random, S(0.5)) - up) * (S(100) * gap);
            auto const hit = shape_cast(a, fa, way, ground, fb);
            auto const known = shape_cast(wide_a, frame_widened(fa), widened(way), wide_ground, wide_fb);
            ASSERT_TRUE(known.hit && known.fraction > 0);
            ASSERT_TRUE(hit.hit);
            EXPECT_NEAR(hit.fraction * -dot(way, up), static_cast<S>(known.fraction) * -dot(way, up), 32 * unit);
            EXPECT_LE(norm(hit.normal - up), S(1e-3));
            vec3<S> const from = fa.position + (gap + S(1) - dot(fa.position - fb.position, up)) * up;
            ray<S> const r = ray_between(from, from + way);
            auto const seen = cast(r, ground, fb);
            ASSERT_TRUE(seen.hit);
            EXPECT_NEAR(seen.distance * -dot(r.direction, up), gap, 32 * unit);
        }
    }
}

TYPED_TEST(casts, of_shapes_stop_where_they_touch) {
    using S = TypeParam;
    S const near = this->is_float ? S(1e-3) : S(1e-6);
    splitmix64 random{2};
    auto const check = [&]<class A, class B>(A const&, B const&) {
        SCOPED_TRACE(testing::Message() << make<A>::name << " at " << make<B>::name);
        int hits = 0, missed = 0;
        for (int i = 0; i < 1000; ++i) {
            A const a = make<A>::random(random);
            B const b = make<B>::random(random);
            frame<S> const fa = random_frame<S>(random, S(3)), fb = random_frame<S>(random, S(1));
            vec3<S> const way = S(2) * (fb.position + random_vector<S, 3>(random, S(1)) - fa.position);
            auto const hit = shape_cast(a, fa, way, b, fb);
            bool const at_start = closest_points(a, fa, b, fb).distance <= 0;
            if (at_start) {
                EXPECT_TRUE(hit.hit && hit.fraction == 0);
                continue;
            }
            auto const there = [&](S t) {
                frame<S> f = fa;
                f.position = f.position + t * way;
                return closest_points(a, f, b, fb);
            };
            // Up to there they are apart, there they touch; and if nothing is hit they are apart all the way.
            S const free = hit.hit ? hit.fraction : S(1);
            for (int k = 0; k < 8; ++k) EXPECT_GT(there(free * S(k) / 8).distance, -near);
            if (!hit.hit) {
                ++missed;
                continue;
            }
            ++hits;
            auto const c = there(hit.fraction);
            EXPECT_LE(std::abs(c.distance), near);
            EXPECT_NEAR(norm(hit.normal), 1, 1e-5);
            EXPECT_LT(dot(hit.normal, way), 0);
            EXPECT_LE(abs(reference_of(b, fb).signed_distance(precise(hit.point))), real(10 * near));
        }
        EXPECT_GT(hits, 100);
        EXPECT_GT(missed, 20);
    };
    check(sphere<S>{}, box<S>{});
    check(box<S>{}, box<S>{});
    check(capsule<S>{}, cylinder<S>{});
    check(convex_polytope<S>{}, cone<S>{});
    check(rounded_box<S>{}, ellipsoid<S>{});
}

TYPED_TEST(casts, of_shapes_onto_a_half_space) {
    using S = TypeParam;
    box<S> const cube{{S(0.5), S(0.5), S(0.5)}};
    half_space<S> const ground;
    frame<S> above;
    above.position = {1, 3, 2};
    auto const down = shape_cast(cube, above, {2, -5, 0}, ground, frame<S>{});
    ASSERT_TRUE(down.hit);
    EXPECT_NEAR(down.fraction, 0.5, 1e-6);
    EXPECT_EQ(down.normal, (vec3<S>{0, 1, 0}));
    EXPECT_NEAR(down.point[1], 0, 1e-6);
    EXPECT_FALSE(shape_cast(cube, above, {2, 5, 0}, ground, frame<S>{}).hit);
    EXPECT_FALSE(shape_cast(cube, above, {2, -2, 0}, ground, frame<S>{}).hit);
    // The ground comes up.
    auto const up = shape_cast(ground, frame<S>{}, {0, 5, 0}, cube, above);
    ASSERT_TRUE(up.hit);
    EXPECT_NEAR(up.fraction, 0.5, 1e-6);
    EXPECT_EQ(up.normal, (vec3<S>{0, -1, 0}));
    EXPECT_NEAR(up.point[1], 2.5, 1e-6);
}

TYPED_TEST(casts, of_time_stop_a_bullet_at_a_thin_wall) {
    // 1000 m/s, 1/60 s, 1 cm: the wall is passed 1600 times over within the step.
    using S = TypeParam;
    box<S> const wall{{S(0.005), S(2), S(2)}};
    S const way = S(1000) / 60;
    splitmix64 random{3};
    auto const check = [&](auto const& bullet, S reach) {
        for (int i = 0; i < 500; ++i) {
            motion<S> shot;
            shot.start = {{-S(8), random_number(random, S(-1), S(1)), random_number(random, S(-1), S(1))}, random_rotation<rotation_matrix<S>>(random)};
            shot.center = shot.start.position;
            shot.translation = {way, random_number(random, S(-0.5), S(0.5)), random_number(random, S(-0.5), S(0.5))};
            shot.rotation = random_vector<S, 3>(random, S(3));
            auto const hit = time_of_impact(bullet, shot, wall, at_rest(frame<S>{}), S(0.002), S(0.001));
            ASSERT_EQ(hit.what, impact<S>::status::hit) << i;
            S const x = shot.at(hit.fraction).position[0];
            EXPECT_LT(x, -S(0.005));
            EXPECT_GT(x, -S(0.005) - reach - S(0.003));
            EXPECT_GT(hit.nearest.distance, 0);
            EXPECT_LE(hit.nearest.distance, S(0.003) + S(1e-5));
            EXPECT_GT(hit.nearest.normal[0], S(0.9));
        }
    };
    check(sphere<S>{S(0.01)}, S(0.01));
    check(box<S>{{S(0.02), S(0.005), S(0.005)}}, S(0.022));
    check(capsule<S>{S(0.004), S(0.02)}, S(0.024));
}

TYPED_TEST(casts, of_time_see_a_rod_turn_into_a_wall) {
    using S = TypeParam;
    // A rod of 2 m turns about its middle, half a metre beside a wall: its end comes near at an angle of asin((0.5 - 0.01) / 1).
    capsule<S> const rod{S(0.05), S(0.95)};
    motion<S> turn = at_rest(frame<S>{});
    turn.rotation = {0, 0, S(1.5)};
    half_space<S> const wall = half_space<S>::at({-S(0.5), 0, 0}, {1, 0, 0});
    S const target = S(0.01), tolerance = S(1e-4);
    auto const hit = time_of_impact(rod, turn, wall, at_rest(frame<S>{}), target, tolerance);
    ASSERT_EQ(hit.what, impact<S>::status::hit);
    // sin(angle) * 0.95 + 0.05 = 0.49
    EXPECT_NEAR(hit.fraction * S(1.5), std::asin(S(0.44) / S(0.95)), 2e-4);
    EXPECT_GE(hit.nearest.distance, target - S(1e-6));
    // It does not get there, or was there already.
    turn.rotation = {0, 0, S(0.4)};
    EXPECT_EQ(time_of_impact(rod, turn, wall, at_rest(frame<S>{}), target, tolerance).what, impact<S>::status::none);
    EXPECT_EQ(time_of_impact(rod, turn, half_space<S>::at({-S(0.05), 0, 0}, {1, 0, 0}), at_rest(frame<S>{}), target, tolerance).what,
              impact<S>::status::at_start);
}

TYPED_TEST(casts, of_time_are_never_too_late) {
    using S = TypeParam;
    splitmix64 random{4};
    int hits = 0, none = 0;
    auto const check = [&]<class A, class B>(A const&, B const&) {
        for (int i = 0; i < 300; ++i) {
            A const a = make<A>::random(random);
            B const b = make<B>::random(random);
            auto const any = [&](S reach) {
                motion<S> m;
                m.start = random_frame<S>(random, reach);
                m.center = m.start.position + random_vector<S, 3>(random, S(0.2));
                m.translation = random_vector<S, 3>(random, S(3));
                m.rotation = random_vector<S, 3>(random, S(2));
                return m;
            };
            motion<S> ma = any(S(3)), mb = any(S(1));
            ma.translation = mb.center - ma.center + random_vector<S, 3>(random, S(1));
            S const target = S(0.02), tolerance = S(0.005);
            auto const r = time_of_impact(a, ma, b, mb, target, tolerance);
            if (r.what == impact<S>::status::at_start) continue;
            EXPECT_NE(r.what, impact<S>::status::undecided);
            (r.what == impact<S>::status::hit ? hits : none)++;
            S const free = r.what == impact<S>::status::hit ? r.fraction : S(1);
            for (int k = 0; k <= 16; ++k) {
                S const t = free * S(k) / 16;
                EXPECT_GE(closest_points(a, ma.at(t), b, mb.at(t)).distance, target - S(1e-4));
            }
        }
    };
    check(box<S>{}, box<S>{});
    check(sphere<S>{}, cylinder<S>{});
    check(capsule<S>{}, convex_polytope<S>{});
    EXPECT_GT(hits, 100);
    EXPECT_GT(none, 100);
}

}  // namespace
