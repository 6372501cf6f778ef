// The spin of a body that is displaced in no time: of tops as a momentum, of bars along with them.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace {

using namespace sinew;

template <class R>
struct carried_spin : testing::Test {
    using scalar = typename R::scalar_type;
    static constexpr double rounding = sizeof(scalar) == 4 ? 2e-6 : 1e-14;

    // Omega in body axes, before the turn by delta about an axis of the body; then what it is in the axes of the body after it.
    struct result {
        vec3<scalar> own;
        vec3<scalar> gained;  // as it is said
        vec3<scalar> missed;  // I omega' - L less that
        vec3<scalar> c;       // -delta x L: R L - L, seen from the body
    };
    static result turned(sym3<scalar> const& inertia, vec3<scalar> const& own, vec3<scalar> const& delta, bool whole = false) {
        R const from = nudged(nudged(R{}, vec3<scalar>{scalar(0.3), scalar(-0.7), scalar(0.4)}), vec3<scalar>{scalar(0.5), scalar(0.1), scalar(-0.2)});
        R const to = nudged(from, rotate(from, delta));
        vec3<scalar> const omega = rotate(from, own);
        auto const r = detail::carry_spin(inertia, inverse(inertia), from, to, omega, {}, {}, whole);
        vec3<scalar> const L = rotate(from, inertia * own), after = inverse_rotate(to, r.angular);
        return {after, r.gained, rotate(to, inertia * after) - L - r.gained, inverse_rotate(to, L) - inertia * own};
    }
    static void expect_no_more(vec3<scalar> const& x, double most) { EXPECT_LE(static_cast<double>(norm(x)), most); }
};
using rotations = testing::Types<quaternion<double>, rotation_matrix<double>, rotation_vector<double>, quaternion<float>>;
TYPED_TEST_SUITE(carried_spin, rotations);

TYPED_TEST(carried_spin, of_what_is_round_in_every_direction_stays) {
    using S = typename TypeParam::scalar_type;
    auto const from = TypeParam{}, to = nudged(from, vec3<S>{S(0.3), S(0.2), S(-0.1)});
    vec3<S> const omega{S(1), S(2), S(3)};
    sym3<S> const ball = diagonal(S(0.4), S(0.4), S(0.4));
    auto const r = detail::carry_spin(ball, inverse(ball), from, to, omega, {}, {});
    TestFixture::expect_no_more(r.angular - omega, 10 * TestFixture::rounding);
    TestFixture::expect_no_more(r.gained, 10 * TestFixture::rounding);
}
// A disc and a rod that spin about their axis: L stays, or the top would fall.
TYPED_TEST(carried_spin, of_a_top_is_a_momentum) {
    using S = typename TypeParam::scalar_type;
    for (auto const& inertia : {diagonal(S(0.02), S(0.01), S(0.01)), diagonal(S(0.002), S(0.08), S(0.08))}) {
        vec3<S> const delta{S(0), S(0.01), S(0.004)};
        auto const r = TestFixture::turned(inertia, {S(60), S(0), S(0)}, delta);
        double const kick = static_cast<double>(norm(r.c));
        EXPECT_GT(kick, 1e-3);
        TestFixture::expect_no_more(r.gained, static_cast<double>(norm(delta)) * kick);  // of the second order
        EXPECT_NEAR(static_cast<double>(r.own[0]), 60, 1e-3);
    }
}
// Turned across the plane in which it goes round: none of L about its axis, where it would be I_p / I_x times as fast.
TYPED_TEST(carried_spin, of_a_bar_does_not_begin_about_itself) {
    using S = typename TypeParam::scalar_type;
    double const slender = 0.002, across = 0.08;
    auto const r = TestFixture::turned(diagonal(S(slender), S(across), S(across)), {S(0), S(3), S(0)}, {S(0), S(0), S(0.01)});
    double const as_momentum = across * 3 * 0.01 / slender;
    EXPECT_NEAR(static_cast<double>(std::abs(r.c[0])) / slender, as_momentum, 0.01 * as_momentum);
    EXPECT_LT(static_cast<double>(std::abs(r.own[0])), 4 * (slender / across) * 3 * 0.01 * 1.05);
    EXPECT_NEAR(static_cast<double>(r.own[1]), 3, 1e-3);
}
// What is said to be gained is the difference of the momenta, of any body; and none is where all of it is asked for.
TYPED_TEST(carried_spin, says_what_it_gains) {
    using S = typename TypeParam::scalar_type;
    unsigned const seed = 20;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1), size(0.05, 1);
    auto const any = [&](double k) { return vec3<S>{S(k * number(random)), S(k * number(random)), S(k * number(random))}; };
    for (int i = 0; i < 100; ++i) {
        double const a = size(random), b = size(random), c = size(random);
        auto const box = to_matrix(nudged(quaternion<S>{}, any(2)));
        sym3<S> const inertia = congruence(box, diagonal(S(b * b + c * c), S(a * a + c * c), S(a * a + b * b)));
        auto const r = TestFixture::turned(inertia, any(5), any(0.1));
        TestFixture::expect_no_more(r.missed, 40 * TestFixture::rounding);
        TestFixture::expect_no_more(r.gained, 1.01 * static_cast<double>(norm(r.c)) + 40 * TestFixture::rounding);
        auto const whole = TestFixture::turned(inertia, any(5), any(0.1), true);
        TestFixture::expect_no_more(whole.gained + whole.missed, 40 * TestFixture::rounding);
    }
}
// The same with what has pushed it on its way. A push that has had no moment about the axis of a bar, as the bar was turned, gives none: whatever the sum has in the world.
TYPED_TEST(carried_spin, takes_pushes_as_the_body_was_turned) {
    using S = typename TypeParam::scalar_type;
    sym3<S> const bar = diagonal(S(0.002), S(0.08), S(0.08));
    TypeParam const from = nudged(TypeParam{}, vec3<S>{S(0.3), S(-0.7), S(0.4)}), between = nudged(from, rotate(from, vec3<S>{S(0), S(0.1), S(0.2)})), to = nudged(between, rotate(between, vec3<S>{S(0), S(-0.2), S(0.1)}));
    vec3<S> const first{S(0), S(2), S(-1)}, second{S(0), S(1), S(3)}, omega = rotate(from, vec3<S>{S(0), S(3), S(-2)});
    vec3<S> const T = rotate(from, first) + rotate(between, second), L = rotate(from, bar * inverse_rotate(from, omega));
    auto const r = detail::carry_spin(bar, inverse(bar), from, to, omega, T, first + second);
    vec3<S> const after = inverse_rotate(to, r.angular);
    TestFixture::expect_no_more(rotate(to, bar * after) - (L + T) - r.gained, 40 * TestFixture::rounding);
    double const in_the_world = std::abs(static_cast<double>(inverse_rotate(to, T)[0])) / 0.002;
    EXPECT_GT(in_the_world, 50);
    EXPECT_LT(static_cast<double>(std::abs(after[0])), 0.01 * in_the_world);
    auto const whole = detail::carry_spin(bar, inverse(bar), from, to, omega, T, {}, true);
    TestFixture::expect_no_more(rotate(to, bar * inverse_rotate(to, whole.angular)) - (L + T), 40 * TestFixture::rounding);
}
// Of forces that are off by far, no more than the body has been displaced by; all of what has no part about a thin axis, and of what is shorter.
TYPED_TEST(carried_spin, trusts_forces_as_far_as_displacements_go) {
    using S = typename TypeParam::scalar_type;
    sym3<S> const bar = diagonal(S(0.002), S(0.08), S(0.08)), box = diagonal(S(0.2), S(0.25), S(0.3));
    auto const rest = [](sym3<S> const& inertia, vec3<S> const& y) { return static_cast<double>(norm(y - detail::across_a_top(detail::inertia_by_rho(inertia), y))); };
    vec3<S> const T{S(0.3), S(-0.2), S(0.1)}, little{S(0.03), S(0.02), S(0.02)}, far{S(4000), S(7000), S(-9000)};
    for (auto const& inertia : {bar, box}) {
        EXPECT_EQ(detail::trusted_impulse(inertia, T, little), little);
        auto const r = detail::trusted_impulse(inertia, T, far);
        EXPECT_NEAR(rest(inertia, r), rest(inertia, T), 100 * TestFixture::rounding);
        TestFixture::expect_no_more(cross(normalize(r), normalize(far)), 10 * TestFixture::rounding);
        TestFixture::expect_no_more(detail::trusted_impulse(inertia, {}, far), 0);
        TestFixture::expect_no_more(detail::trusted_impulse(inertia, T, {}), 0);
    }
    auto const across = detail::trusted_impulse(bar, T, vec3<S>{S(0), S(40), S(-70)});  // no spin comes of it
    EXPECT_EQ(across[0], S(0));
    sym3<S> const ball = diagonal(S(0.4), S(0.4), S(0.4));
    EXPECT_EQ(detail::trusted_impulse(ball, T, far), far);  // carry_spin takes none of it
}
// rho lies between the moments, is the double one where there is one, and K is between 0 and 1 for whatever can be a body.
TEST(carried_spins, weigh_axes_by_the_moment_of_what_is_round) {
    EXPECT_NEAR(detail::inertia_by_rho(diagonal(0.002, 0.08, 0.08)).yy, 1, 1.1e-2);
    EXPECT_NEAR(detail::inertia_by_rho(diagonal(0.02, 0.01, 0.01)).yy, 1, 1.1e-2);
    EXPECT_NEAR(detail::inertia_by_rho(diagonal(0.02, 0.0200001, 0.02)).yy, 1, 1e-4);
    unsigned const seed = 7;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> size(0, 1);
    for (int i = 0; i < 1000; ++i) {
        double const a = size(random), b = size(random), c = size(random), i1 = b + c, i2 = a + c, i3 = a + b;  // of second moments a, b, c
        auto const X = detail::inertia_by_rho(diagonal(i1, i2, i3));
        for (double const x : {X.xx, X.yy, X.zz}) {
            EXPECT_GE(x, 0);
            EXPECT_LE(x, 2.01);
        }
        double const rho = i1 / X.xx;
        EXPECT_GE(rho, std::min({i1, i2, i3}) * 0.999);
        EXPECT_LE(rho, std::max({i1, i2, i3}) * 1.001);
    }
}
// The same in lanes, a cube among them, and in a constant expression.
TEST(carried_spins, are_the_same_in_lanes) {
    using lanes = batch<double, 4>;
    double const sizes[4][3] = {{1, 0.1, 0.1}, {0.4, 0.4, 0.4}, {0.1, 1, 2}, {0.3, 0.3, 0.1}};
    sym3<lanes> inertia{}, inverses{};
    for (std::size_t i = 0; i < 4; ++i) {
        auto const& s = sizes[i];
        inertia.xx[i] = s[1] * s[1] + s[2] * s[2];
        inertia.yy[i] = s[0] * s[0] + s[2] * s[2];
        inertia.zz[i] = s[0] * s[0] + s[1] * s[1];
    }
    inverses = inverse(inertia);
    auto const run = []<class S>(sym3<S> const& I, sym3<S> const& W) {
        auto const from = nudged(quaternion<S>{}, vec3<S>{S(0.3), S(0.2), S(-0.1)}), to = nudged(from, vec3<S>{S(0.02), S(-0.01), S(0.03)});
        vec3<S> const impulse{S(0.2), S(-0.1), S(0.4)}, own = detail::trusted_impulse(I, inverse_rotate(to, impulse), vec3<S>{S(3), S(-2), S(0.5)});
        return detail::carry_spin(I, W, from, to, vec3<S>{S(1), S(2), S(3)}, impulse, own);
    };
    auto const wide = run(inertia, inverses);
    for (std::size_t i = 0; i < 4; ++i) {
        auto const one = run(diagonal(inertia.xx[i], inertia.yy[i], inertia.zz[i]), inverse(diagonal(inertia.xx[i], inertia.yy[i], inertia.zz[i])));
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(wide.angular[k][i], one.angular[k]);
            EXPECT_EQ(wide.gained[k][i], one.gained[k]);
        }
    }
    constexpr sym3<double> bar = diagonal(0.002, 0.08, 0.08);
    constexpr auto before = run(bar, inverse(bar));
    EXPECT_EQ(before.angular, run(bar, inverse(bar)).angular);
}

}  // namespace
