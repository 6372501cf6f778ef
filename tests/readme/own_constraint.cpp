// The constraints that the README writes, unchanged, in worlds over every scalar: a box that hangs from the ground by a rod, and a ball from the box; and a rail
// that hangs from it by a rope, with a bead on the rail.

#include "my_rail.hpp"  // made from the README
#include "my_rod.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <type_traits>

namespace {

using namespace sinew;

template <class S>
struct config : default_config {
    using scalar = S;
};

template <class S>
[[nodiscard]] S number(double x) {
    if constexpr (requires { S::from(x); })
        return S::from(x);
    else
        return S(static_cast<value_type_t<S>>(x));
}
template <class S>
struct outcome {
    std::array<S, 6> at;     // where the two bodies are, m
    std::array<S, 2> apart;  // what the constraints are off, m
};

template <class W, class Upper, class Lower>
[[nodiscard]] auto after_a_second(W& w, auto const& first, auto const& second, Upper const& upper, Lower const& lower) {
    using S = typename W::scalar_type;
    for (int i = 0; i < 64; ++i) EXPECT_EQ(w.step(S(1) / number<S>(64)).status, step_status::ok) << i;
    outcome<S> o{{}, {w.error_of(upper)[0], w.error_of(lower)[0]}};
    for (std::size_t k = 0; k < 3; ++k) {
        o.at[k] = w.position(first)[k];
        o.at[3 + k] = w.position(second)[k];
    }
    return o;
}
// Let go from the side for a second. length: of the upper rod or the rope, m.
struct by_rods {
    template <class S>
    [[nodiscard]] static outcome<S> hung(S const& length) {
        world<config<S>, my_rod> w;
        S const zero(0), one(1), half = number<S>(0.5);
        vec3<S> const corner{half, number<S>(0.25), zero};
        auto const box = w.add(rigid_body_of(solid_box(one, vec3<S>{one, half, half}), pose<S>{vec3<S>{length, zero, zero} - corner, {}}));
        auto const ball = w.add(rigid_body_of(solid_sphere(one, half), pose<S>{vec3<S>{length, zero, one} + corner, {}}));
        auto const upper = w.add(my_rod<S>{{zero, zero, zero}, corner, length}, w.ground(), box);
        auto const lower = w.add(my_rod<S>{corner, -corner, one}, box, ball);
        return after_a_second(w, box, ball, upper, lower);
    }
};
struct by_a_rope {
    template <class S>
    [[nodiscard]] static outcome<S> hung(S const& length) {
        world<config<S>, my_rail, my_rope> w;
        S const zero(0), one(1), half = number<S>(0.5);
        auto const rail = w.add(rigid_body_of(solid_box(one, vec3<S>{one, half, half}), pose<S>{{length, zero, zero}, {}}));
        auto const bead = w.add(particle<S>{half, {length + number<S>(0.25), zero, zero}, {}});
        auto const rope = w.add(my_rope<S>{length}, w.ground(), rail);
        return after_a_second(w, rail, bead, rope, w.add(my_rail<S>{}, rail, bead));
    }
};
constexpr double usual = 1.25, millimetre = 1e-3;

double as_double(auto const& x) { return static_cast<double>(x); }

// Of one number: the constraints hold, the first body has fallen, and all is where it is in double.
template <class Scene, class S>
void expect_as_in_double(char const* name, double tolerance) {
    SCOPED_TRACE(name);
    auto const found = Scene::hung(number<S>(usual));
    auto const reference = Scene::hung(usual);
    for (S const& x : found.apart) EXPECT_LT(std::abs(as_double(x)), 2 * millimetre);
    EXPECT_LT(as_double(found.at[1]), -0.25);
    for (std::size_t i = 0; i < found.at.size(); ++i) EXPECT_NEAR(as_double(found.at[i]), reference.at[i], tolerance) << i;
}
// Other lengths in the lanes: each is a world of its own, bit for bit.
template <class Scene, class B>
void expect_lanes() {
    using T = typename B::lane_type;
    B length;
    for (std::size_t lane = 0; lane < B::lanes; ++lane) length[lane] = static_cast<T>(usual + 0.125 * static_cast<double>(lane));
    auto const found = Scene::hung(length);
    for (std::size_t lane = 0; lane < B::lanes; ++lane) {
        auto const alone = Scene::hung(static_cast<T>(length[lane]));
        for (std::size_t i = 0; i < alone.at.size(); ++i) EXPECT_EQ(found.at[i][lane], alone.at[i]) << lane << ' ' << i;
        for (std::size_t i = 0; i < alone.apart.size(); ++i) EXPECT_LT(std::abs(as_double(found.apart[i][lane])), 2 * millimetre);
    }
}

template <class Scene>
struct constraints_of_the_readme : testing::Test {};
using scenes = testing::Types<by_rods, by_a_rope>;
TYPED_TEST_SUITE(constraints_of_the_readme, scenes, );

TYPED_TEST(constraints_of_the_readme, run_over_every_built_in_number) {
    // 64 steps of some hundred roundings each.
    expect_as_in_double<TypeParam, double>("double", 0);
    expect_as_in_double<TypeParam, float>("float", 6400 * 6e-8);
    expect_as_in_double<TypeParam, long double>("long double", 6400 * 1.1e-16);
}
TYPED_TEST(constraints_of_the_readme, run_in_lanes) {
    expect_lanes<TypeParam, batch<float, 4>>();
    expect_lanes<TypeParam, batch<float, 8>>();
    expect_lanes<TypeParam, batch<double, 4>>();
}
TYPED_TEST(constraints_of_the_readme, run_in_fixed_point) {
    expect_as_in_double<TypeParam, fixed<15, 16>>("fixed<15, 16>", 6400 * 7.6e-6);
    expect_as_in_double<TypeParam, fixed<31, 32>>("fixed<31, 32>", 6400 * 1.2e-10);
}
TYPED_TEST(constraints_of_the_readme, carry_derivatives) {
    using D = dual<double, 4>;
    auto const found = TypeParam::hung(D::variable(usual, 2));
    auto const plain = TypeParam::hung(usual);
    double const h = 1e-5;
    auto const longer = TypeParam::hung(usual + h), shorter = TypeParam::hung(usual - h);
    for (std::size_t i = 0; i < plain.at.size(); ++i) {
        EXPECT_EQ(found.at[i].v, plain.at[i]) << i;
        EXPECT_NEAR(found.at[i].d[2], (longer.at[i] - shorter.at[i]) / (2 * h), 1e-6) << i;
        EXPECT_EQ(found.at[i].d[0], 0) << i;
    }
}

}  // namespace
