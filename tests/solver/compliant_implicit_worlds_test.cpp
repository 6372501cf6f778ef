// Worlds under compliant_implicit: copies and restored states step to the same bits, in every rotation and storage.

#include <sinew/sinew.hpp>
#include <sinew/solver/compliant_implicit.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace {

using sinew::vec3;

template <class Scalar, template <class> class R>
struct config : sinew::default_config {
    using scalar = Scalar;
    using solver = sinew::compliant_implicit;
    template <class S>
    using rotation = R<S>;
};
template <class S>
using soft_ball = sinew::soft_joint<S, sinew::ball_joint>;

template <class C>
class housekeeping : public testing::Test {};
using three_rotations = testing::Types<config<float, sinew::quaternion>, config<float, sinew::rotation_matrix>, config<float, sinew::rotation_vector>,
                                       config<double, sinew::quaternion>, config<double, sinew::rotation_matrix>, config<double, sinew::rotation_vector>>;
TYPED_TEST_SUITE(housekeeping, three_rotations);

template <class Config>
auto mixed_scene() {
    using S = typename Config::scalar;
    using V = vec3<S>;
    sinew::world<Config, sinew::ball_joint, sinew::hinge_joint, sinew::angle_limit, sinew::particle_pin, sinew::particle_rope, soft_ball> w;
    w.gravity = {S(0), S(-9.81), S(0)};
    auto const add = [&](S x) {
        typename decltype(w)::body_type b;
        b.inertia = sinew::solid_box(S(1), V{S(1), S(0.1), S(0.1)}).inertia;
        b.pose.position = {x, S(0), S(0)};
        return w.add(b);
    };
    auto const a = add(S(0.5)), b = add(S(1.5)), c = add(S(2.5));
    w.add(sinew::ball_joint<S>{{}, {S(-0.5), S(0), S(0)}}, w.ground(), a);
    w.add(sinew::hinge_joint<S>::at(w.pose(a), w.pose(b), V{S(1), S(0), S(0)}, V{S(0), S(0), S(1)}), a, b);
    w.add(sinew::angle_limit<S>::at(w.pose(a), w.pose(b), V{S(0), S(0), S(1)}, S(-0.2), S(0.2)), a, b);
    w.add(soft_ball<S>::with({{S(0.5), S(0), S(0)}, {S(-0.5), S(0), S(0)}}, S(1e-4), S(1)), b, c);
    auto const p = w.add(sinew::particle<S>{S(0.5), {S(3), S(0), S(0)}, {}}), q = w.add(sinew::particle<S>{S(0.5), {S(3.5), S(0), S(0)}, {}});
    w.add(sinew::particle_pin<S>{{}, {S(0.5), S(0), S(0)}}, p, c);
    w.add(sinew::particle_rope<S>{.length = S(0.7)}, p, q);
    w.set_twist(a, {V{}, V{S(0.3), S(1), S(0)}});
    return w;
}
TYPED_TEST(housekeeping, copies_and_restored_worlds_step_to_the_same_bits) {
    using S = typename TypeParam::scalar;
    auto w = mixed_scene<TypeParam>();
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(w.step(S(1) / 60));
    auto const state = w.save();
    auto copy = w;
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(S(1) / 60));
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(copy.step(S(1) / 60));
    EXPECT_TRUE(w == copy);
    auto const end = w.save();
    EXPECT_TRUE(w.restore(state));
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(S(1) / 60));
    auto const again = w.save();
    EXPECT_TRUE(again.bodies == end.bodies);
    EXPECT_TRUE(again.particles == end.particles);
    EXPECT_TRUE(again.multipliers == end.multipliers);
    EXPECT_LT(w.constraint_error(), S(300) * std::numeric_limits<S>::epsilon() + S(1e-9));
}
template <class Config>
struct in_place : Config {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 4, .constraints = 2, .particles = 2}>;
};
TEST(housekeeping_in_place, static_storage_steps_to_the_same_bits) {
    using S = double;
    auto w = mixed_scene<config<double, sinew::quaternion>>();
    auto v = mixed_scene<in_place<config<double, sinew::quaternion>>>();
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(w.step(S(1) / 60));
        ASSERT_TRUE(v.step(S(1) / 60));
    }
    auto const a = w.save();
    auto const b = v.save();
    for (std::size_t i = 0; i < a.bodies.size(); ++i) EXPECT_TRUE(a.bodies[i] == b.bodies[i]);
}

}  // namespace
