// Joints that repeat rows of each other. What rounding leaves of the pivot of such a row is a few last places, and more where a small pivot came before it: taken for a
// pivot it has multipliers fight each other, and in fixed point leave the range, where the step is refused.
#include <sinew/constraint/angle_limit.hpp>
#include <sinew/math/fixed.hpp>
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

}  // namespace
