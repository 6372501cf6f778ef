// The torque-free body: what the default game step keeps, and what it does to fast and slow spins.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace {

template <class S, template <class> class R>
struct config : sinew::default_config {
    using scalar = S;
    using solver = sinew::nonlinear_gauss_seidel;  // takes the step whole
    template <class T>
    using rotation = R<T>;
};

template <class Config>
struct by_stages : Config {
    using integrator = sinew::rk4;
};

template <class Config>
class free_body : public testing::Test {
public:
    using number = typename Config::scalar;
    using world = sinew::world<Config>;
};

using configs = testing::Types<config<double, sinew::quaternion>, config<double, sinew::rotation_matrix>, config<double, sinew::rotation_vector>,
                               config<float, sinew::quaternion>, config<float, sinew::rotation_matrix>, config<float, sinew::rotation_vector>>;
TYPED_TEST_SUITE(free_body, configs);

// Drag that a step of rk4 is too long for: its stages run away, to numbers whose squares have no room. Such a step is not taken.
TYPED_TEST(free_body, that_loses_its_rotation_is_not_stepped) {
    using S = typename TestFixture::number;
    int refused = 0;
    for (int i = 100; i < 1000; i += 10) {
        sinew::world<by_stages<TypeParam>, sinew::quadratic_drag> w;
        sinew::rigid_body<S, typename TestFixture::world::rotation_type> b;
        b.inertia = sinew::diagonal(S(0.02), S(0.01), S(0.015));
        b.twist.angular = {S(3), S(4), S(5)};
        auto const h = w.add(b);
        w.add(sinew::quadratic_drag<S>{S(0), S(0.01) * static_cast<S>(i)});  // N m s^2
        bool goes_on = true;
        for (int step = 0; step < 20 && goes_on; ++step) {
            auto const before = w.pose(h).rotation;
            auto const r = w.step(S(1) / S(60));
            if (decltype(before)::dimension > 3) {
                ASSERT_LT(sinew::deviation(w.pose(h).rotation), S(1e-3)) << "drag " << 0.01 * i << ", step " << step;
            }
            goes_on = static_cast<bool>(r);
            if (goes_on) continue;
            EXPECT_EQ(r.status, sinew::step_status::not_finite);
            EXPECT_EQ(w.pose(h).rotation, before);
            ++refused;
        }
    }
    EXPECT_GT(refused, 10);
    // But what turns fast is taken: by more than a turn in a step, about an axis that no stage leaves.
    sinew::world<by_stages<TypeParam>> w;
    w.gravity = {S(0), S(0), S(0)};
    sinew::rigid_body<S, typename TestFixture::world::rotation_type> b;
    b.inertia = sinew::diagonal(S(1), S(2), S(3));
    b.twist.angular = {S(0), S(0), S(std::is_same_v<typename TestFixture::world::rotation_type, sinew::rotation_vector<S>> ? 500 : 50)};
    (void)w.add(b);
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(w.step(S(1) / S(60))) << i;
}

// Inertia (1, 2, 3), spin (0.01, 10, 0.01) rad/s, 10 s: the tennis-racket flip.
TYPED_TEST(free_body, keeps_energy_and_angular_momentum_through_the_flip) {
    using S = typename TestFixture::number;
    typename TestFixture::world w;
    w.gravity = {S(0), S(0), S(0)};
    sinew::rigid_body<S, typename TestFixture::world::rotation_type> b;
    b.inertia = sinew::diagonal(S(1), S(2), S(3));
    b.twist.angular = {S(0.01), S(10), S(0.01)};
    auto const h = w.add(b);
    S const energy = w.energy();
    auto const momentum = w.angular_momentum();
    S worst_energy = 0, worst_momentum = 0;
    bool flipped = false;
    for (int i = 0; i < 600; ++i) {
        ASSERT_TRUE(w.step(S(1) / S(60)));
        worst_energy = std::max(worst_energy, std::abs(w.energy() / energy - S(1)));
        worst_momentum = std::max(worst_momentum, sinew::norm(w.angular_momentum() - momentum) / sinew::norm(momentum));
        flipped = flipped || w.pose(h).local_direction(w.twist(h).angular).y() < S(-9);
    }
    EXPECT_TRUE(flipped);
    S const rounding = std::numeric_limits<S>::epsilon() * S(600);
    EXPECT_LT(worst_energy, S(4) * rounding);
    EXPECT_LT(worst_momentum, rounding);
}

TYPED_TEST(free_body, turns_about_a_principal_axis_by_the_right_angle) {
    using S = typename TestFixture::number;
    for (S rate : {S(0.1), S(3), S(25)}) {
        typename TestFixture::world w;
        w.gravity = {S(0), S(0), S(0)};
        sinew::rigid_body<S, typename TestFixture::world::rotation_type> b;
        b.inertia = sinew::diagonal(S(1), S(2), S(3));
        b.twist.angular = {S(0), S(0), rate};
        auto const h = w.add(b);
        for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(S(1) / S(60)));
        auto const x = w.pose(h).direction(sinew::vec3<S>{S(1), S(0), S(0)});
        // 60 steps, each of which may round the rate by a few ulp.
        S const tolerance = S(8 * 60) * (S(1) + rate) * std::numeric_limits<S>::epsilon();
        EXPECT_NEAR(x.x(), std::cos(rate), tolerance);
        EXPECT_NEAR(x.y(), std::sin(rate), tolerance);
    }
}

// Speeds whose squares would be subnormal are none; but what is gained by a gentle push in the shortest of steps is kept, and adds up.
TYPED_TEST(free_body, moves_by_no_traces_but_what_is_small_adds_up) {
    using S = typename TestFixture::number;
    typename TestFixture::world w;
    w.gravity = {S(0), S(0), S(0)};
    S const subnormal_square = std::sqrt(std::numeric_limits<S>::min()), rounding = std::numeric_limits<S>::epsilon(), h = S(1) / S(1 << 20);
    S const speed = rounding * std::sqrt(rounding) / h / S(16);  // h: a microsecond
    sinew::rigid_body<S, typename TestFixture::world::rotation_type> b;
    b.inertia = sinew::diagonal(S(1), S(2), S(3));
    b.twist = {{subnormal_square, S(2), -subnormal_square}, {S(1), -subnormal_square, S(0)}};
    auto const trace = w.add(b);
    b.twist = {{speed, speed, speed}, {S(0), S(0), speed}};
    auto const slow = w.add(b);
    b.twist = {};
    auto const pushed = w.add(b);
    S const torque = speed;
    for (int i = 0; i < 1024; ++i) {
        w.apply_wrench(pushed, {{}, {S(0), S(0), torque}});
        ASSERT_TRUE(w.step(h));
    }
    auto const v = w.twist(trace);
    EXPECT_TRUE(v.linear == (sinew::vec3<S>{S(0), S(2), S(0)})) << v.linear.x() << ' ' << v.linear.z();
    EXPECT_TRUE(v.angular == (sinew::vec3<S>{S(1), S(0), S(0)})) << v.angular.y();
    EXPECT_TRUE(w.twist(slow).linear == (sinew::vec3<S>{speed, speed, speed}));
    EXPECT_TRUE(w.twist(slow).angular == (sinew::vec3<S>{S(0), S(0), speed}));
    EXPECT_NEAR(w.twist(pushed).angular.z() / (torque / S(3) * S(1024) * h), S(1), S(1024) * rounding);
}

// A turn of less than a rounding in each step adds up all the same, about whatever axis; and nothing precesses by it.
TYPED_TEST(free_body, that_hardly_turns_goes_on_turning) {
    using S = typename TestFixture::number;
    using R = typename TestFixture::world::rotation_type;
    S const rounding = std::numeric_limits<S>::epsilon(), h = S(1) / S(64);
    for (S const share : {S(0.01), S(0.3), S(0.9), S(1.1), S(4)}) {  // of what hardly turns; the last two are beyond it
        typename TestFixture::world w;
        w.gravity = {S(0), S(0), S(0)};
        sinew::rigid_body<S, R> b;
        b.inertia = sinew::diagonal(S(1), S(2), S(3));
        b.twist.angular = sinew::vec3<S>{S(1), S(-2), S(3)} * (share * S(2) * rounding / h / S(6));
        auto const body = w.add(b);
        constexpr int steps = 1024;
        for (int i = 0; i < steps; ++i) ASSERT_TRUE(w.step(h));
        EXPECT_LE(sinew::norm(w.twist(body).angular - b.twist.angular), S(steps) * rounding * sinew::norm(b.twist.angular));
        sinew::vec3<S> const whole = b.twist.angular * (h * S(steps)), turned = log(to_quaternion(w.pose(body).rotation));
        EXPECT_LT(sinew::norm(turned - whole), S(steps) * rounding * sinew::norm(whole)) << "share " << share;
    }
}

// A body that has spun for a second, freely.
template <class S>
sinew::rigid_body<S> spun(sinew::vec3<S> const& spin) {
    sinew::world<config<S, sinew::quaternion>> w;
    w.gravity = {S(0), S(0), S(0)};
    sinew::rigid_body<S> b;
    b.inertia = sinew::diagonal(S(2), S(3), S(4));
    b.twist.angular = spin;
    auto const body = w.add(b);
    for (int i = 0; i < 16; ++i) EXPECT_TRUE(w.step(S(1) / S(16)));
    return w.body(body);
}

// Second derivatives by the spin of a body at rest: what precesses does so with the square of it.
template <class S>
auto second_derivative_at_rest() {
    using D = sinew::dual<sinew::dual<S, 1>, 1>;
    D x(0.0), y(0.0);
    x.d[0].v = S(1);
    y.v.d[0] = S(1);
    return spun<D>({x, y, D(0)}).twist.angular.z().d[0].d[0];
}
TEST(free_body, precesses_in_second_derivatives_at_rest) {
    auto const turned_after = [](double x, double y) { return spun<double>({x, y, 0}).twist.angular.z(); };
    double const e = 1e-3, by_difference = (turned_after(e, e) - turned_after(-e, e) - turned_after(e, -e) + turned_after(-e, -e)) / (4 * e * e);
    EXPECT_GT(std::abs(by_difference), 0.1);
    EXPECT_NEAR(second_derivative_at_rest<double>(), by_difference, 1e-5);
    auto const in_lanes = second_derivative_at_rest<sinew::batch<double, 2>>();
    for (std::size_t lane = 0; lane < 2; ++lane) EXPECT_NEAR(in_lanes[lane], by_difference, 1e-5);
}

// A cube does not precess, but what has a little more inertia about one axis does.
TEST(free_body, precesses_in_derivatives_by_its_inertia) {
    auto const spin_of = []<class S>(S const& first) {
        sinew::world<config<S, sinew::quaternion>> w;
        w.gravity = {S(0), S(0), S(0)};
        sinew::rigid_body<S> b;
        b.inertia = sinew::diagonal(first, S(2), S(2));
        b.twist.angular = {S(1), S(2), S(3)};
        auto const body = w.add(b);
        for (int i = 0; i < 16; ++i) EXPECT_TRUE(w.step(S(1) / S(16)));
        return w.twist(body).angular;
    };
    auto const by_inertia = [&]<class S>(S const& value) {
        sinew::dual<S, 1> first(value);
        first.d[0] = S(1);
        return spin_of(first);
    };
    auto const more = spin_of(2 + 1e-5), less = spin_of(2 - 1e-5);
    auto const alone = by_inertia(2.0);
    auto const wide = by_inertia(sinew::batch<double, 2>(2.0));
    for (std::size_t k = 0; k < 3; ++k) {
        double const by_difference = (more[k] - less[k]) / 2e-5;
        EXPECT_NEAR(alone[k].d[0], by_difference, 1e-6);
        for (std::size_t lane = 0; lane < 2; ++lane) EXPECT_NEAR(wide[k].d[0][lane], by_difference, 1e-6) << "lane " << lane;
    }
    EXPECT_GT(std::abs(alone[1].d[0]), 0.05);
}

// About a principal axis nothing precesses, but it would by any other spin.
TEST(free_body, has_in_lanes_the_derivatives_of_a_body_alone) {
    using B = sinew::batch<double, 4>;
    double const spins[4] = {0, 1e-20, 1e-3, 2};
    auto const by_x = []<class S>(S const& spin) {
        using D = sinew::dual<S, 1>;
        D x(0.0), z(0.0);
        x.d[0] = S(1);
        z.v = spin;
        return spun<D>({x, D(0), z});
    };
    B z;
    for (std::size_t lane = 0; lane < 4; ++lane) z[lane] = spins[lane];
    auto const wide = by_x(z);
    for (std::size_t lane = 0; lane < 4; ++lane) {
        auto const alone = by_x(spins[lane]);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(wide.twist.angular[k].v[lane], alone.twist.angular[k].v);
            EXPECT_NEAR(wide.twist.angular[k].d[0][lane], alone.twist.angular[k].d[0], 1e-14) << "spin " << spins[lane];
        }
        for (std::size_t k = 0; k < 4; ++k) {
            EXPECT_EQ(wide.pose.rotation.coordinate(k).v[lane], alone.pose.rotation.coordinate(k).v);
            EXPECT_NEAR(wide.pose.rotation.coordinate(k).d[0][lane], alone.pose.rotation.coordinate(k).d[0], 1e-14) << "spin " << spins[lane];
        }
    }
    EXPECT_GT(std::abs(by_x(2.0).twist.angular.y().d[0]), 0.05);
}

// A trace goes with its value alone, and in its lane alone.
TEST(free_body, keeps_the_derivatives_of_a_trace_and_what_other_lanes_move_by) {
    {
        using S = sinew::dual<float, 1>;
        sinew::world<config<S, sinew::quaternion>> w;
        w.gravity = {S(0), S(0), S(0)};
        sinew::rigid_body<S> b;
        b.twist.linear.x() = S(1e-17f);
        b.twist.linear.x().d[0] = 3;
        auto const h = w.add(b);
        ASSERT_TRUE(w.step(S(0.5f)));
        EXPECT_EQ(w.twist(h).linear.x().v, 0.0f);
        EXPECT_EQ(w.twist(h).linear.x().d[0], 3.0f);
        EXPECT_EQ(w.position(h).x().v, 0.0f);
        EXPECT_FLOAT_EQ(w.position(h).x().d[0], 1.5f);
    }
    {
        using S = sinew::batch<float, 4>;
        sinew::world<config<S, sinew::quaternion>> w;
        w.gravity = {S(0), S(0), S(0)};
        sinew::rigid_body<S> b;
        float const speeds[4] = {1e-17f, 2, -1e-17f, 1e-14f}, kept[4] = {0, 2, 0, 1e-14f};
        for (std::size_t i = 0; i < 4; ++i) b.twist.angular.y()[i] = speeds[i];
        auto const h = w.add(b);
        ASSERT_TRUE(w.step(S(0.5f)));
        for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(w.twist(h).angular.y()[i], kept[i]) << "lane " << i;
    }
}

TEST(free_body, any_of_the_three_gyroscopic_terms_can_be_chosen) {
    struct c : sinew::default_config {
        using scalar = double;
        using solver = sinew::nonlinear_gauss_seidel;
    };
    auto const energy_after = [](sinew::gyroscopic_term term) {
        sinew::world<c> w;
        w.gravity = {0, 0, 0};
        w.gyroscopic = term;
        sinew::rigid_body<double> b;
        b.inertia = sinew::diagonal(1.0, 2.0, 3.0);
        b.twist.angular = {1, 10, 1};
        w.add(b);
        double const before = w.energy();
        for (int i = 0; i < 120; ++i) EXPECT_TRUE(w.step(1.0 / 60));
        return w.energy() / before;
    };
    EXPECT_NEAR(energy_after(sinew::gyroscopic_term::conserving), 1.0, 1e-12);
    EXPECT_GT(energy_after(sinew::gyroscopic_term::explicit_euler), 1.05);
    EXPECT_LT(std::abs(energy_after(sinew::gyroscopic_term::none) - 1.0), 0.5);
}

// Fast, thin and heavy: spins far beyond what a step resolves must not blow up.
TEST(free_body, stays_finite_and_keeps_momentum_when_a_step_cannot_resolve_the_spin) {
    struct c : sinew::default_config {
        using solver = sinew::nonlinear_gauss_seidel;
    };
    sinew::world<c> w;
    w.gravity = {0, 0, 0};
    sinew::rigid_body<float> b;
    b.mass = 0.1f;
    b.inertia = sinew::diagonal(1e-5f, 1e-3f, 1.005e-3f);
    b.twist.angular = {300, 250, -400};
    w.add(b);
    auto const l = w.angular_momentum();
    for (int i = 0; i < 600; ++i) ASSERT_TRUE(w.step(1.0f / 60));
    EXPECT_LT(norm(w.angular_momentum() - l) / norm(l), 4 * 600 * std::numeric_limits<float>::epsilon());
}

// Spins of up to 8 rad/s of boxes from 5 cm to 1 m: a step of fixed point is that of double, whole, however its last places go to and fro.
TEST(free_body, turns_in_fixed_point_as_in_double) {
    using fixed = sinew::fixed<31, 32>;
    constexpr unsigned seed = 7;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    auto const between = [&](std::int64_t least, std::int64_t most) { return fixed::from_raw(least + (static_cast<std::int64_t>(random()) << 6) % (most - least)); };
    constexpr std::int64_t one = std::int64_t(1) << 32;
    auto const in_double = [](sinew::vec3<fixed> const& v) { return sinew::vec3<double>{static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])}; };
    double worst = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        sinew::vec3<fixed> const size{between(one / 20, one), between(one / 20, one), between(one / 20, one)}, spin{between(-8 * one, 8 * one), between(-8 * one, 8 * one), between(-8 * one, 8 * one)};
        auto const one_step = [&]<class S>(sinew::vec3<S> const& extents, sinew::vec3<S> const& angular) {
            sinew::world<config<S, sinew::quaternion>> w;
            w.gravity = {};
            auto body = sinew::rigid_body_of(sinew::solid_box(S(1), extents), sinew::pose<S>{});
            body.twist.angular = angular;
            auto const b = w.add(body);
            EXPECT_TRUE(w.step(S(1) / S(64)));
            return w.twist(b).angular;
        };
        auto const a = in_double(one_step(size, spin)), b = one_step(in_double(size), in_double(spin));
        worst = std::max(worst, norm(a - b));
    }
    EXPECT_LT(worst, 1e-5) << "rad/s";  // a moment of inertia of 0.0004 kg m^2 is rounded by 3e-7 of itself
}
// A spin whose square has no room in Q15.16 turns and precesses all the same; one that leaves the range by itself is refused.
template <class S>
struct in_substeps : sinew::default_config {
    using scalar = S;
};
TEST(free_body, turns_fast_in_fixed_point_as_in_double) {
    auto const after = []<class S>(S spin) {
        sinew::world<in_substeps<S>> w;
        w.gravity = {};
        auto body = sinew::rigid_body_of(sinew::solid_box(S(2), sinew::vec3<S>{S(0.3), S(0.6), S(1)}), sinew::pose<S>{});
        body.twist.angular = {spin, spin, S(0)};
        auto const b = w.add(body);
        for (int i = 0; i < 8; ++i)
            if (!w.step(S(1) / S(64))) return sinew::quaternion<double>{0, 0, 0, 0};
        auto const& q = w.pose(b).rotation;
        return sinew::quaternion<double>{static_cast<double>(q.w), static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z)};
    };
    for (int const spin : {20, 100, 200}) {  // as many parts of a step in all of them
        auto const known = after(static_cast<double>(spin)), narrow = after(sinew::fixed<15, 16>(spin)), wide = after(sinew::fixed<31, 32>(spin));
        auto const off = [&](auto const& q) { return 1 - std::abs(q.w * known.w + q.x * known.x + q.y * known.y + q.z * known.z); };
        EXPECT_LT(off(narrow), 1e-5) << spin;  // 4 mrad, of up to 25 rad
        EXPECT_LT(off(wide), 1e-9) << spin;
    }
    EXPECT_EQ(after(sinew::fixed<15, 16>(20000)), (sinew::quaternion<double>{0, 0, 0, 0}));
}

}  // namespace
