#include <sinew/collision/cast.hpp>
#include <sinew/collision/collide.hpp>
#include <sinew/geometry/check_shape.hpp>
#include <sinew/geometry/compound.hpp>
#include <sinew/geometry/cylinder.hpp>
#include <sinew/geometry/half_space.hpp>
#include <sinew/geometry/shape_group.hpp>
#include <sinew/geometry/sphere.hpp>
#include <sinew/geometry/triangle_mesh.hpp>

#include <counting_new.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace sinew;

template <class S>
using dumbbell = compound<sphere<S>, box<S>, sphere<S>>;

// A user's shape, known by its support alone.
template <scalar S>
struct brick {
    using scalar_type = S;
    vec3<S> half{};
    [[nodiscard]] constexpr vec3<S> support(vec3<S> const& d) const {
        return {d[0] < S(0) ? -half[0] : half[0], d[1] < S(0) ? -half[1] : half[1], d[2] < S(0) ? -half[2] : half[2]};
    }
    [[nodiscard]] friend constexpr bool operator==(brick const&, brick const&) = default;
};

template <class S>
frame<S> turned(std::mt19937_64& random, double range) {
    std::uniform_real_distribution<double> u(-range, range);
    std::normal_distribution<double> g;
    quaternion<S> const q{S(g(random)), S(g(random)), S(g(random)), S(g(random))};
    return frame_of(pose<S>{{S(u(random)), S(u(random)), S(u(random))}, normalize(q)});
}
template <class S>
void expect_near(vec3<S> const& a, vec3<S> const& b, double tolerance) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(a[i]), static_cast<double>(b[i]), tolerance);
}

template <class S>
class compound_of : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(compound_of, scalars);

static_assert(shape_like<dumbbell<float>, float> && is_composed<dumbbell<float>, float> && has_cast<dumbbell<float>, float>);
static_assert(!has_cast<compound<brick<float>>, float>);
static_assert(is_composed<shape_group<box<double>>, double> && std::regular<shape_group<box<double>>> && std::regular<dumbbell<double>>);

TYPED_TEST(compound_of, it_is_the_sum_of_its_parts) {
    using S = TypeParam;
    check_shape<dumbbell<S>, S>();
    S const half = S(1) / S(2);
    frame<S> const left{{S(-1), S(0), S(0)}, rotation_matrix<S>::identity()}, right{{S(1), S(0), S(0)}, rotation_matrix<S>::identity()};
    dumbbell<S> const d{{sphere<S>{half}, left}, {box<S>{{half, S(0.1), S(0.1)}}}, {sphere<S>{half}, right}};
    EXPECT_EQ(d.fault().name, nullptr);
    EXPECT_EQ(d.part_count(), 3u);
    EXPECT_EQ(d.bounds(frame<S>{}), (aabb<S>{{S(-1.5), -half, -half}, {S(1.5), half, half}}));
    auto const m = d.mass_properties(S(2));
    auto const expected = moved(solid_sphere(of_density(S(2)), half), vec3<S>{S(-1), S(0), S(0)}) + moved(solid_sphere(of_density(S(2)), half), vec3<S>{S(1), S(0), S(0)}) +
                          solid_box(of_density(S(2)), vec3<S>{S(1), S(0.2), S(0.2)});
    EXPECT_NEAR(static_cast<double>(m.mass), static_cast<double>(expected.mass), 1e-5);
    EXPECT_NEAR(static_cast<double>(m.inertia.yy), static_cast<double>(expected.inertia.yy), 1e-5);
    std::vector<std::uint32_t> near;
    d.for_each_part({{S(0.3), S(-0.05), S(0)}, {S(0.9), S(0.05), S(0)}}, [&](std::uint32_t i, auto const&, frame<S> const&) { near.push_back(i); });
    EXPECT_EQ(near, (std::vector<std::uint32_t>{1, 2}));
    auto const hit = d.cast({{S(1), S(5), S(0)}, {S(0), S(-1), S(0)}});
    EXPECT_TRUE(hit.hit);
    EXPECT_NEAR(static_cast<double>(hit.distance), 4.5, 1e-5);
    EXPECT_EQ(d.template get<2>().frame.position.x(), S(1));
    auto other = d;
    EXPECT_TRUE(other == d);
    other.template get<0>().shape.radius = S(3);
    EXPECT_FALSE(other == d);
}

// A compound in a compound: parts are numbered on, and frames are multiplied.
TYPED_TEST(compound_of, compounds_nest) {
    using S = TypeParam;
    using pair = compound<sphere<S>, sphere<S>>;
    using nested = compound<box<S>, pair, pair>;
    std::mt19937_64 random(8);
    frame<S> const f1 = turned<S>(random, 1), f2 = turned<S>(random, 1), g1 = turned<S>(random, 1), g2 = turned<S>(random, 1);
    pair const p{{sphere<S>{S(1)}, f1}, {sphere<S>{S(2)}, f2}};
    nested const n{{box<S>{{S(1), S(1), S(1)}}}, {p, g1}, {p, g2}};
    EXPECT_EQ(n.part_count(), 5u);
    EXPECT_EQ(n.fault().name, nullptr);
    std::vector<frame<S>> const expected{frame<S>{}, g1 * f1, g1 * f2, g2 * f1, g2 * f2};
    std::size_t count = 0;
    n.for_each_part(unbounded_aabb<S>(), [&](std::uint32_t i, auto const&, frame<S> const& f) {
        EXPECT_EQ(i, count++);
        EXPECT_EQ(f, expected[i]);
    });
    EXPECT_EQ(count, 5u);
}

TYPED_TEST(compound_of, a_user_shape_is_a_part) {
    using S = TypeParam;
    compound<brick<S>, half_space<S>> const c{{brick<S>{{S(1), S(1), S(1)}}, {{S(0), S(1), S(0)}, rotation_matrix<S>::identity()}}, {half_space<S>{}}};
    EXPECT_EQ(c.fault().name, nullptr);
    // Without a ray cast of its own it is cast by its support.
    auto const hit = sinew::cast(ray<S>{{S(0), S(9), S(0)}, {S(0), S(-1), S(0)}}, c, frame<S>{});
    EXPECT_TRUE(hit.hit);
    EXPECT_NEAR(static_cast<double>(hit.distance), 7, 1e-3);
    EXPECT_NEAR(static_cast<double>(c.mass_properties(S(1)).mass), 8, 1e-2);
    int manifolds = 0;
    for_each_manifold<S>(c, frame<S>{}, sphere<S>{S(0.5)}, frame<S>{{S(1.2), S(0.4), S(0)}, rotation_matrix<S>::identity()}, S(0.01),
                         [&](manifold<S> const&, std::uint32_t, std::uint32_t) { ++manifolds; });
    EXPECT_EQ(manifolds, 2);
}

TYPED_TEST(compound_of, bad_parts_are_refused) {
    using S = TypeParam;
    frame<S> bad;
    EXPECT_STREQ((compound<sphere<S>>{{sphere<S>{S(-1)}}}).fault().name, "radius");
    bad.position[1] = std::numeric_limits<S>::quiet_NaN();
    EXPECT_NE((compound<sphere<S>>{{sphere<S>{S(1)}, bad}}).fault().name, nullptr);
    bad = {};
    bad.rotation.m(0, 0) = S(2);
    EXPECT_STREQ((compound<sphere<S>>{{sphere<S>{S(1)}, bad}}).fault().name, "frame.rotation");
    bad.rotation.m(0, 0) = S(-1);
    EXPECT_STREQ((compound<sphere<S>>{{sphere<S>{S(1)}, bad}}).fault().name, "frame.rotation");
    bad.rotation.m(0, 0) = std::numeric_limits<S>::quiet_NaN();
    EXPECT_STREQ((compound<sphere<S>>{{sphere<S>{S(1)}, bad}}).fault().name, "frame.rotation");
    EXPECT_STREQ(shape_group<sphere<S>>{}.fault().name, "shapes");
    shape_group<sphere<S>> g;
    g.add(sphere<S>{S(0)});
    EXPECT_STREQ(g.fault().name, "radius");
}

// Parts and rays of a group are those that brute force finds, while it grows.
TYPED_TEST(compound_of, a_group_is_its_shapes) {
    using S = TypeParam;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937_64 random(seed);
        std::uniform_real_distribution<double> size(0.05, 0.6), far(-6, 6);
        shape_group<box<S>> group;
        check_shape<shape_group<box<S>>, S>();
        sinew::mass_properties<S> mass{};
        for (std::size_t n = 0; n < 100; ++n) {
            box<S> const b{{S(size(random)), S(size(random)), S(size(random))}};
            frame<S> const f = turned<S>(random, 5);
            EXPECT_EQ(group.add(b, f), n);
            mass = mass + moved(b.mass_properties(S(1)), f);
            for (int k = 0; k < 4; ++k) {
                vec3<S> const p{S(far(random)), S(far(random)), S(far(random))};
                aabb<S> const box_near{p, p + vec3<S>{S(2), S(2), S(2)}};
                std::vector<std::uint32_t> found, expected;
                group.for_each_part(box_near, [&](std::uint32_t i, box<S> const&, frame<S> const&) { found.push_back(i); });
                ray<S> const r = ray_along<S>(p * S(2), vec3<S>{S(far(random)), S(far(random)), S(far(random))});
                ray_hit<S> nearest;
                for (std::uint32_t i = 0; i <= n; ++i) {
                    auto const& part = group.parts()[i];
                    if (overlaps(box_near, part.shape.bounds(part.frame))) expected.push_back(i);
                    nearest = detail::nearer(nearest, world_hit(part.frame, part.shape.cast(local_ray(part.frame, r))));
                }
                std::sort(found.begin(), found.end());
                ASSERT_EQ(found, expected);
                auto const hit = group.cast(r);
                ASSERT_EQ(hit.hit, nearest.hit);
                if (hit.hit) {
                    ASSERT_EQ(hit.distance, nearest.distance);
                }
            }
        }
        EXPECT_NEAR(static_cast<double>(group.mass_properties(S(1)).mass), static_cast<double>(mass.mass), 1e-3);
        expect_near(group.mass_properties(S(1)).center, mass.center, 1e-3);
        auto const copy = group;
        EXPECT_TRUE(copy == group);
    }
}

TYPED_TEST(compound_of, a_group_without_a_heap) {
    using S = TypeParam;
    std::size_t const before = sinew_test::allocations;
    shape_group<sphere<S>, static_storage<>, 20> group;
    while (!group.full()) group.add(sphere<S>{S(0.5)}, {{S(static_cast<int>(group.part_count())), S(0), S(0)}, rotation_matrix<S>::identity()});
    std::size_t n = 0;
    group.for_each_part({{S(3), S(0), S(0)}, {S(5), S(0), S(0)}}, [&](std::uint32_t, auto const&, auto const&) { ++n; });
    EXPECT_EQ(n, 3u);
    EXPECT_EQ(sinew_test::allocations, before);
}

constexpr std::size_t parts_at_compile_time() {
    compound<sphere<double>, box<double>> const c{{sphere<double>{1}}, {box<double>{{1, 1, 1}}, {{5, 0, 0}, rotation_matrix<double>::identity()}}};
    std::size_t n = 0;
    c.for_each_part({{-1, -1, -1}, {1, 1, 1}}, [&](std::uint32_t, auto const&, auto const&) { ++n; });
    return n;
}
static_assert(parts_at_compile_time() == 1);

}  // namespace
