// Gradients by parameters that are equal but separate: the softness, the belts and the tilts of plates that one body stands on. Its points of contact are solved
// together where they are alike, by values: so derivatives by each change nothing, and their sum is the derivative by one parameter for all.

#include "gradients_scene.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace {

using namespace gradients_scene;
using D = sinew::dual<double, 4>;

enum class kind { compliance, damping, belt, tilt };

// A body on three feet, each on a plate of its own.
template <class S>
std::array<vec3<S>, 2> after(kind what, std::array<S, 3> const& x, int steps) {
    sinew::world<config<S, sequential_impulses>, sphere, box> w;
    auto body = sinew::rigid_body_of(sinew::solid_box(S(5), vec3<S>{S(1), number<S>(0.2), number<S>(0.8)}), pose<S>{{S(0), number<S>(0.2995), S(0)}, {}});
    body.twist.linear = {number<S>(0.3), S(0), number<S>(0.1)};
    auto const b = w.add(body);
    constexpr double feet[3][2] = {{-0.6, 0.3}, {0.6, 0.2}, {0.1, -0.4}}, plates[3][2] = {{-1.0, 1.1}, {1.0, 1.1}, {0, -1}};
    for (std::size_t k = 0; k < 3; ++k) {
        auto foot = surface_of(number<S>(0.5)), plate = surface_of(number<S>(0.5));
        foot.frame = {{number<S>(feet[k][0]), number<S>(-0.2), number<S>(feet[k][1])}, {}};
        w.add(sphere<S>{number<S>(0.1)}, b, foot);
        plate.frame = {{number<S>(plates[k][0]), number<S>(-0.5), number<S>(plates[k][1])}, {}};
        if (what == kind::compliance || what == kind::damping) {
            plate.material.compliance = what == kind::compliance ? x[k] : number<S>(1e-4);
            plate.material.damping = what == kind::damping ? x[k] : S(300);
        }
        if (what == kind::belt) plate.material.surface_velocity = {x[k], S(0), x[k] / S(2)};
        if (what == kind::tilt) plate.frame.rotation = sinew::quaternion_exp(vec3<S>{S(0), S(0), x[k]});
        w.add(box<S>{{S(1), number<S>(0.5), S(1)}}, w.ground(), plate);
    }
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(S(1) / S(120)));
    return {w.position(b), w.twist(b).angular};
}

void expect_the_sum_of_all(kind what, double x, int steps) {
    auto const alone = after<double>(what, {x, x, x}, steps);
    auto const each = after<D>(what, {D::variable(x, 0), D::variable(x, 1), D::variable(x, 2)}, steps);
    auto const all = after<D>(what, {D::variable(x, 3), D::variable(x, 3), D::variable(x, 3)}, steps);
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            SCOPED_TRACE(testing::Message() << i << ", " << k);
            EXPECT_EQ(all[i][k].v, alone[i][k]);
            if (what != kind::tilt) {  // those that tilt otherwise are not together
                EXPECT_EQ(each[i][k].v, alone[i][k]);
                double const most = std::abs(each[i][k].d[0]) + std::abs(each[i][k].d[1]) + std::abs(each[i][k].d[2]);
                EXPECT_NEAR(each[i][k].d[0] + each[i][k].d[1] + each[i][k].d[2], all[i][k].d[3], 1e-9 * most);
            }
        }
    for (std::size_t k = 0; k < 3 && what != kind::tilt; ++k) EXPECT_NE(each[1][2].d[k], 0) << "each has a part in it";
}
TEST(gradients_by_equal_parameters, are_parts_of_that_by_all) {
    for (int const steps : {1, 10, 30}) {
        SCOPED_TRACE(steps);
        expect_the_sum_of_all(kind::compliance, 1e-4, steps);
        expect_the_sum_of_all(kind::damping, 300, steps);
        expect_the_sum_of_all(kind::belt, 0, steps);
        expect_the_sum_of_all(kind::belt, 0.5, steps);
        expect_the_sum_of_all(kind::tilt, 0, steps);
    }
}

// Of lanes with derivatives each lane has the softness of its one plane.
template <class S>
S height_on_a_soft_plane(S const& compliance) {
    sinew::world<config<S, sequential_impulses>, box, half_space> w;
    auto plane = surface_of(number<S>(0.5));
    plane.material.compliance = compliance;
    plane.material.damping = S(300);
    w.add(half_space<S>{}, w.ground(), plane);
    auto const b = w.add_solid(box<S>{{number<S>(0.3), number<S>(0.2), number<S>(0.25)}}, S(500), pose<S>{{S(0), number<S>(0.199), S(0)}, {}}, surface_of(number<S>(0.5)));
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(w.step(S(1) / S(120)));
    return w.position(b).y();
}
TEST(gradients_in_lanes_by_softness, are_those_of_each_lane) {
    using L = sinew::batch<double, 4>;
    using DL = sinew::dual<L, 1>;
    using D1 = sinew::dual<double, 1>;
    double const compliances[4] = {1e-6, 1e-5, 1e-4, 0};
    L x;
    for (std::size_t i = 0; i < 4; ++i) x[i] = compliances[i];
    auto const all = height_on_a_soft_plane<DL>(DL::variable(x, 0));
    for (std::size_t i = 0; i < 4; ++i) {
        auto const alone = height_on_a_soft_plane<D1>(D1::variable(compliances[i], 0));
        EXPECT_EQ(all.v[i], alone.v) << i;
        EXPECT_EQ(all.d[0][i], alone.d[0]) << i;
    }
}

// A capsule and a box that bounce, apart from each other: in each lane derivatives of hits are swept as often as alone.
template <class S>
struct bouncing {
    sinew::world<config<S, sequential_impulses>, sinew::capsule, box, half_space> world;
    sinew::handle<sinew::rigid> bodies[2]{};

    explicit bouncing(S const& speed) {
        world.add(half_space<S>{}, world.ground(), surface_of(number<S>(0.3)));
        sinew::collider_options<S> const bounces{.material = sinew::material<S>::of(number<S>(0.3), number<S>(0.5)), .filter = {.category = 2, .mask = 1}};
        auto const turned = sinew::quaternion_exp(vec3<S>{number<S>(1.4), number<S>(0.3), S(0)});
        bodies[0] = world.add_solid(sinew::capsule<S>{number<S>(0.1), number<S>(0.2)}, S(900), pose<S>{{S(0), number<S>(0.16), S(0)}, turned}, bounces,
                                    {{speed, number<S>(-0.5), number<S>(0.2)}, {S(0), number<S>(0.1), speed / S(2)}});
        bodies[1] = world.add_solid(box<S>{{number<S>(0.15), number<S>(0.1), number<S>(0.2)}}, S(900), pose<S>{{S(4), number<S>(0.25), S(0)}, turned}, bounces,
                                    {{speed, number<S>(-0.5), number<S>(0.2)}, {S(0), number<S>(0.1), S(0)}});
    }
};
TEST(gradients_in_lanes_by_hits, are_those_of_each_lane) {
    using L = sinew::batch<double, 4>;
    using DL = sinew::dual<L, 1>;
    using D1 = sinew::dual<double, 1>;
    L speeds;
    for (std::size_t i = 0; i < 4; ++i) speeds[i] = 1.26 - 0.0625 * static_cast<double>(i);
    bouncing<DL> all(DL::variable(speeds, 0));
    std::vector<bouncing<D1>> alone;
    for (std::size_t i = 0; i < 4; ++i) alone.emplace_back(D1::variable(speeds[i], 0));
    for (int step = 0; step < 60; ++step) {
        ASSERT_TRUE(all.world.step(DL(1) / DL(100)));
        for (std::size_t i = 0; i < 4; ++i) {
            ASSERT_TRUE(alone[i].world.step(D1(1) / D1(100)));
            for (std::size_t b = 0; b < 2; ++b) {
                auto const& lanes = all.world.twist(all.bodies[b]);
                auto const& one = alone[i].world.twist(alone[i].bodies[b]);
                for (std::size_t k = 0; k < 6; ++k) {
                    auto const& x = k < 3 ? lanes.linear[k] : lanes.angular[k - 3];
                    auto const& y = k < 3 ? one.linear[k] : one.angular[k - 3];
                    ASSERT_EQ(x.v[i], y.v) << "step " << step << ", lane " << i << ", body " << b << ", rate " << k;
                    ASSERT_EQ(x.d[0][i], y.d[0]) << "step " << step << ", lane " << i << ", body " << b << ", rate " << k;
                }
            }
        }
    }
}

}  // namespace
