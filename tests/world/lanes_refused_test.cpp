// What is refused because of some lanes: the sentence shows the number of the first lane that is not fine, and nothing changes in any.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {

using sinew::vec3;

template <class S>
struct refused_lanes : testing::Test {};
using scalars = testing::Types<sinew::batch<float, 4>, sinew::batch<double, 8>, sinew::dual<sinew::batch<double, 4>, 1>>;
TYPED_TEST_SUITE(refused_lanes, scalars, );

template <class S>
struct config : sinew::default_config {
    using scalar = S;
};
// x, but `odd` in one lane.
template <class S>
S but_in_lane(std::size_t lane, double x, double odd) {
    using T = sinew::value_type_t<S>;
    auto r = sinew::value(S(static_cast<T>(x)));
    r[lane] = static_cast<T>(odd);
    return S(r);
}
template <class F>
std::string sentence_of(F const& f) {
    try {
        (void)f();
    } catch (std::exception const& e) {
        return e.what();
    }
    return "";
}

TYPED_TEST(refused_lanes, show_the_number_of_the_lane) {
    using S = TypeParam;
    sinew::world<config<S>, sinew::angle_limit> w;
    auto const ball = w.add(rigid_body_of(sinew::solid_sphere(S(1), S(1)), sinew::pose<S>{}));
    auto const before = w.save();

    EXPECT_EQ(sentence_of([&] { return w.add(rigid_body_of(sinew::solid_sphere(but_in_lane<S>(2, 1, -3), S(1)), sinew::pose<S>{})); }), "sinew: mass must be positive, but is -3");
    auto pose = w.pose(ball);
    pose.position.x() = but_in_lane<S>(3, 1, sinew::infinity_v<double>);
    EXPECT_EQ(sentence_of([&] { return w.set_pose(ball, pose); }), "sinew: position must be finite, but is infinity");
    pose = w.pose(ball);
    pose.rotation.x = but_in_lane<S>(1, 0, 2);
    EXPECT_EQ(sentence_of([&] { return w.set_pose(ball, pose); }).substr(0, 31), "sinew: rotation must be a rotat");
    EXPECT_EQ(sentence_of([&] { return w.step(but_in_lane<S>(1, 0.01, -0.5)); }), "sinew: step length must be positive, but is -0.5");
    EXPECT_EQ(sentence_of([&] { return w.step(but_in_lane<S>(3, 0.01, 0)); }), "sinew: step length must be positive, but is 0");

    auto limit = sinew::angle_limit<S>{};
    limit.lower = but_in_lane<S>(2, -1, 7);
    limit.upper = S(1);
    EXPECT_EQ(sentence_of([&] { return w.add(limit, w.ground(), ball); }), "sinew: lower must not be above `upper`, but is 7");
    EXPECT_EQ(sinew::material<S>::of(but_in_lane<S>(1, 0.5, -2)).fault().value, -2);
    EXPECT_EQ(sinew::material<S>::of(S(0.5f), but_in_lane<S>(3, 0.5, 1.25)).fault().value, 1.25);

    EXPECT_EQ((sinew::half_space<S>{{S(0), but_in_lane<S>(2, 1, 3), S(0)}, S(0)}.fault().value), 3);

    w.solver.warm_start = but_in_lane<S>(1, 1, 1.5);
    EXPECT_EQ(sentence_of([&] { return w.step(S(0.01f)); }), "sinew: solver.warm_start must be between 0 and 1, but is 1.5");

    EXPECT_TRUE(w.save() == before);
}
TYPED_TEST(refused_lanes, leave_no_body_without_its_shape) {
    using S = TypeParam;
    sinew::world<config<S>, sinew::sphere, sinew::half_space> w;
    auto const before = w.save();
    using options = sinew::collider_options<S>;
    auto const add = [&](options const& o) { return sentence_of([&] { return w.add_solid(sinew::sphere<S>{S(0.5f)}, S(1000), sinew::pose<S>{}, o); }); };
    EXPECT_EQ(add({.sensor = true}), "sinew: collider.sensor must be false where the scalar has lanes");
    EXPECT_EQ(add({.continuous = true}), "sinew: collider.continuous must be false where the scalar has lanes");
    EXPECT_TRUE(w.save() == before);
    EXPECT_EQ(w.body_count(), 0u);
    EXPECT_EQ(add({}), "");
    EXPECT_EQ(w.body_count(), 1u);
}
TEST(refused_numbers, are_shown_without_derivatives) {
    using S = sinew::dual<double, 2>;
    EXPECT_EQ(sinew::material<S>::of(S::variable(-2.0, 0)).fault().value, -2);
}

}  // namespace
