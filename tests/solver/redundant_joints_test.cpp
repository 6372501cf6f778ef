// Joints that repeat rows of each other. What rounding leaves of the pivot of such a row is a few last places, and more where a small pivot came before it: taken for a
// pivot it has multipliers fight each other, and in fixed point leave the range, where the step is refused.
#include <sinew/constraint/angle_limit.hpp>
#include <sinew/constraint/powered_axis.hpp>
#include <sinew/constraint/slider.hpp>
#include <sinew/math/fixed.hpp>
#include <sinew/ode/implicit_euler.hpp>
#include <sinew/ode/implicit_midpoint.hpp>
#include <sinew/ode/rk4.hpp>
#include <sinew/solver/lagrange_impulses.hpp>
#include <sinew/solver/lagrange_multipliers.hpp>
#include <sinew/world/world.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace {

using sinew::vec3;

template <class S, class Solver>
struct config : sinew::default_config {
    using scalar = S;
    using solver = Solver;
};

template <class Config>
class redundant_joints : public testing::Test {};
using q16 = sinew::fixed<15, 16>;
using q32 = sinew::fixed<31, 32>;
using configs = testing::Types<config<q16, sinew::lagrange_multipliers<sinew::sparse_ldlt>>, config<q32, sinew::lagrange_multipliers<sinew::sparse_ldlt>>,
                               config<q16, sinew::lagrange_impulses<sinew::sparse_ldlt>>, config<q32, sinew::lagrange_impulses<sinew::sparse_ldlt>>,
                               config<float, sinew::lagrange_multipliers<sinew::sparse_ldlt>>, config<double, sinew::lagrange_multipliers<sinew::sparse_ldlt>>,
                               config<double, sinew::lagrange_multipliers<sinew::dantzig>>>;
TYPED_TEST_SUITE(redundant_joints, configs);

// A box hangs on a hinge and on a ball joint, which leave it one way to move or none, and its angle has a limit.
TYPED_TEST(redundant_joints, steps_are_taken) {
    using S = typename TypeParam::scalar;
    int refused = 0, lost = 0, fights = 0;
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        std::mt19937 random(seed);
        auto const between = [&](double a, double b) {
            double const x = a + (b - a) * (static_cast<double>(random() & 0xffffffffu) / 4294967296.0);
            if constexpr (sinew::floating_scalar<S>)
                return static_cast<S>(x);
            else
                return S::from(x);
        };
        auto const anywhere = [&](double reach) {
            S const x = between(-reach, reach), y = between(-reach, reach), z = between(-reach, reach);
            return vec3<S>{x, y, z};
        };
        sinew::world<TypeParam, sinew::ball_joint, sinew::hinge_joint, sinew::angle_limit> w;
        auto const ground = w.ground();
        S const m = between(0.5, 8);
        vec3<S> const edges = vec3<S>{S(1), S(1), S(1)} + anywhere(0.4);
        vec3<S> axis = anywhere(1), turned = anywhere(1);
        axis[seed % 3] = S(1);
        auto at = sinew::pose<S>{anywhere(1)};
        at.rotation = sinew::quaternion_exp(turned);
        auto body = rigid_body_of(sinew::solid_box(m, edges), at);
        body.twist.angular = anywhere(2);
        auto const box = w.add(body);
        auto const hinge = w.add(sinew::hinge_joint<S>::at(w.pose(ground), w.pose(box), anywhere(1), axis), ground, box);
        w.add(sinew::angle_limit<S>::at(w.pose(ground), w.pose(box), axis, S(-0.5), S(0.5)), ground, box);
        w.add(sinew::ball_joint<S>::at(w.pose(ground), w.pose(box), anywhere(1)), ground, box);
        auto const begun = w.position(box);
        bool taken = true;
        double most = 0;  // N, N m
        for (int i = 0; i < 64 && taken; ++i) {
            taken = w.step(S(1.0 / 64)).status == sinew::step_status::ok;
            for (S const& x : w.multipliers(hinge).e) most = std::max(most, std::abs(static_cast<double>(x)));
        }
        fights += most > 5e5;
        refused += !taken;
        auto const gone = w.position(box) - begun;
        lost += taken && norm(gone) > S(0.5);  // it would fall 5 m
    }
    EXPECT_LE(refused, 8);  // two in a hundred; half of them were, by a floor that knows nothing of what a small pivot magnifies
    EXPECT_LE(lost, 8);
    if constexpr (sinew::floating_scalar<S>) {
        EXPECT_EQ(refused, 0);
        EXPECT_LE(lost, 1);  // a ball joint within a hundredth beside the hinge's axis, which the first spin strays too far from to tell it from one on it
        EXPECT_EQ(fights, 0);  // over double 55, by rows that were judged without what the others' inverse is known to
    }
}

template <class S, class Linear, class Integrator>
struct staged_config : config<S, sinew::lagrange_multipliers<Linear>> {
    using integrator = Integrator;
};
// A slider-crank on three hinges and a slider, of whose twenty rows three are redundant, turned by a motor that is too weak at times. The states between that an implicit
// integrator looks at are a little out of its plane, where these rows contradict the others: no effort of the motor helps.
template <class S, class Linear, class Integrator>
vec3<double> crank_after_two_seconds(int hertz, double strength, sinew::quaternion<double> const& tilt = {}) {
    auto const number = [](double x) {
        if constexpr (sinew::floating_scalar<S>)
            return static_cast<S>(x);
        else
            return S::from(x);
    };
    auto const tilted = [&](double x, double y, double z) {
        auto const v = rotate(tilt, vec3<double>{x, y, z});
        return vec3<S>{number(v[0]), number(v[1]), number(v[2])};
    };
    auto const at = [&](double x, double y) { return tilted(x, y, 0); };
    sinew::world<staged_config<S, Linear, Integrator>, sinew::hinge_joint, sinew::slider_joint, sinew::powered_axis> w;
    auto const ground = w.ground();
    w.gravity = tilted(0, -9.8125, 0);
    vec3<S> const z = tilted(0, 0, 1);
    auto const box = [&](double m, double length, vec3<S> const& middle, double angle) {
        auto const q = tilt * sinew::quaternion<double>{std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
        sinew::quaternion<S> const turn{number(q.w), number(q.x), number(q.y), number(q.z)};
        return w.add(rigid_body_of(sinew::solid_box(number(m), vec3<S>{number(length), number(0.5), number(0.5)}), sinew::pose<S>{middle, turn}));
    };
    auto const crank = box(1, 0.5, at(0, 0.25), 0), rod = box(1, 1.3, at(0.6, 0.25), std::atan2(-0.5, 1.2)), piston = box(2, 0.6, at(1.2, 0), 0);
    auto const hinge = [&](auto a, auto b, vec3<S> const& where) { w.add(sinew::hinge_joint<S>::at(w.pose(a), w.pose(b), where, z), a, b); };
    hinge(ground, crank, at(0, 0));
    hinge(crank, rod, at(0, 0.5));
    hinge(rod, piston, at(1.2, 0));
    w.add(sinew::slider_joint<S>::at(w.pose(ground), w.pose(piston), at(1.2, 0), tilted(1, 0, 0)), ground, piston);
    w.add(sinew::powered_axis<S>::at(w.pose(ground), w.pose(crank), z, S(4), number(strength)), ground, crank);
    for (int i = 0; i < 2 * hertz; ++i) {
        auto const r = w.step(S(1) / S(hertz));
        EXPECT_EQ(r.status, sinew::step_status::ok) << "step " << i;
        if (!r) break;
    }
    auto const p = w.position(crank);
    return inverse_rotate(tilt, vec3<double>{static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])});
}
template <class Integrator>
void expect_cranks_turn_alike() {
    for (int hertz : {32, 64})
        for (double strength : {5.0, 20.0}) {
            SCOPED_TRACE(testing::Message() << hertz << " Hz, " << strength << " N m");
            auto const expected = crank_after_two_seconds<double, sinew::dantzig, Integrator>(hertz, strength);
            EXPECT_LT(norm(crank_after_two_seconds<double, sinew::sparse_ldlt, Integrator>(hertz, strength) - expected), 1e-6);
            EXPECT_LT(norm(crank_after_two_seconds<q32, sinew::sparse_ldlt, Integrator>(hertz, strength) - expected), 1e-5);
            EXPECT_LT(norm(crank_after_two_seconds<q16, sinew::sparse_ldlt, Integrator>(hertz, strength) - expected), 5e-3);
            EXPECT_LT(norm(crank_after_two_seconds<q16, sinew::dantzig, Integrator>(hertz, strength) - expected), 5e-3);
        }
}
TEST(redundant_linkages, are_turned_by_weak_motors_under_implicit_euler) { expect_cranks_turn_alike<sinew::implicit_euler>(); }
TEST(redundant_linkages, are_turned_by_weak_motors_under_implicit_midpoint) { expect_cranks_turn_alike<sinew::implicit_midpoint>(); }
// In a plane askew no coordinate of what is redundant is 0, and whatever shears a body parts its joints.
template <class Integrator>
void expect_turned_alike_askew() {
    for (sinew::quaternion<double> const& tilt : {sinew::quaternion<double>{0.5, 0.5, -0.5, 0.5}, sinew::quaternion_exp(vec3<double>{0.3, 0.7, -0.4}), sinew::quaternion_exp(vec3<double>{-1.1, 0.2, 0.9})}) {
        auto const expected = crank_after_two_seconds<double, sinew::dantzig, Integrator>(64, 5);
        EXPECT_LT(norm(crank_after_two_seconds<double, sinew::dantzig, Integrator>(64, 5, tilt) - expected), 1e-6);
        EXPECT_LT(norm(crank_after_two_seconds<double, sinew::sparse_ldlt, Integrator>(64, 5, tilt) - expected), 1e-6);
        EXPECT_LT(norm(crank_after_two_seconds<float, sinew::sparse_ldlt, Integrator>(64, 5, tilt) - expected), 1e-3);
    }
}
TEST(redundant_linkages, are_turned_askew_under_implicit_euler) { expect_turned_alike_askew<sinew::implicit_euler>(); }
TEST(redundant_linkages, are_turned_askew_under_implicit_midpoint) { expect_turned_alike_askew<sinew::implicit_midpoint>(); }
TEST(redundant_linkages, are_turned_askew_under_rk4) { expect_turned_alike_askew<sinew::rk4>(); }

}  // namespace
