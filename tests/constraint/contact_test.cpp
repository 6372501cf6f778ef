// Contacts: derivatives; what friction allows; what is remembered from step to step; materials and what they refuse.

#include <sinew/sinew.hpp>

#include <constraint/cases/contact.hpp>
#include <constraint/conformance_suite.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace sinew;
using namespace sinew_test;

INSTANTIATE_TYPED_TEST_SUITE_P(contact, Conformance, on_all_rotations<contact_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(lagged_contact, Conformance, on_all_rotations<lagged_contact_case>);
INSTANTIATE_TYPED_TEST_SUITE_P(rolling_friction, Conformance, on_all_rotations<rolling_friction_case>);

using V = vec3<double>;
using L = vec<double, 3>;
using body = pose<double>;

contact<double> floor_contact(double friction) { return contact<double>::at(body{}, body{{0, 1, 0}}, V{0, 0, 0}, V{0, 0, 0}, V{0, 1, 0}, material<double>::of(friction)); }

TEST(contact, measures_room_along_the_normal_from_a_to_b) {
    auto const c = floor_contact(0.5);
    EXPECT_EQ(c.error(body{}, body{{0, 1.25, 0}}), (L{0.25, 0, 0}));
    EXPECT_EQ(c.error(body{{0, 0.25, 0}}, body{{0, 1, 0}}), (L{-0.25, 0, 0}));
    // b that goes along t has slipped along t.
    EXPECT_NEAR(c.error(body{}, body{c.tangent * 0.5 + V{0, 1, 0}})[1], 0.5, 1e-15);
    EXPECT_NEAR(c.error(body{}, body{c.bitangent() * 0.5 + V{0, 1, 0}})[2], 0.5, 1e-15);
    EXPECT_NEAR(dot(cross(c.normal, c.tangent), c.bitangent()), 1, 1e-15);
}

// Of a ball of radius r that turns by theta the middle goes by r theta, in any direction across the normal, whichever of the two bodies it is.
TEST(contact, of_a_ball_that_rolls_does_not_slip) {
    double const r = 0.3;
    V const up{0, 1, 0};
    for (double const theta : {0.05, 0.2, 0.5, -0.5, 1.0})
        for (double const heading : {0.0, 1.0, 4.0}) {
            V const way{std::cos(heading), 0, std::sin(heading)};
            body const floor{}, before{{0.7, r, 0.2}}, after{before.position + way * (r * theta), quaternion_exp(cross(up, way) * theta)};
            auto const on_floor = contact<double>::at(floor, before, V{0.7, 0, 0.2}, V{0.7, 0, 0.2}, up, {}, 0.0, r);
            auto const under = contact<double>::at(before, floor, V{0.7, 0, 0.2}, V{0.7, 0, 0.2}, -up, {}, r, 0.0);
            for (L const& error : {on_floor.error(floor, after), under.error(after, floor)}) {
                EXPECT_NEAR(error[0], 0, 1e-15);
                EXPECT_NEAR(error[1], 0, 2e-5 * r * theta * theta) << theta << ' ' << heading;
                EXPECT_NEAR(error[2], 0, 2e-5 * r * theta * theta) << theta << ' ' << heading;
            }
            // Where it rolls in small turns, at this one: still r for each radian.
            twist<double> const rolls{way * r, cross(up, way)};
            L const rate = on_floor.rate(floor, after, twist<double>{}, rolls);
            EXPECT_NEAR(rate[1], 0, 2e-4 * r) << theta << ' ' << heading;
            EXPECT_NEAR(rate[2], 0, 2e-4 * r) << theta << ' ' << heading;
        }
}

TEST(contact, has_a_round_cone_a_square_pyramid_and_one_of_the_last_step) {
    auto const cone = floor_contact(0.5);
    EXPECT_EQ(cone.within_friction(L{2, 0.6, 0.8}), (L{2, 0.6, 0.8}));
    L const cut = cone.within_friction(L{2, 6, 8});
    EXPECT_NEAR(cut[1], 0.6, 1e-15);
    EXPECT_NEAR(cut[2], 0.8, 1e-15);
    EXPECT_EQ(cone.within_friction(L{-1, 6, 8}), (L{-1, 0, 0}));
    EXPECT_EQ(cone.limits(L{2, 0, 0}, body{}, body{}).upper[1], 1);

    pyramid_contact<double> pyramid;
    pyramid.static_friction = 0.5;
    EXPECT_EQ(pyramid.within_friction(L{2, 6, 0.5}), (L{2, 1, 0.5}));

    lagged_contact<double> lagged;
    lagged.static_friction = 0.5;
    lagged.pressing = 2;
    EXPECT_EQ(lagged.within_friction(L{100, 6, 8}), (L{100, cut[1], cut[2]}));
    EXPECT_EQ(lagged.limits().lower[2], -1);
}

// The static coefficient holds until friction gives way, the dynamic one until it is enough to stop the sliding.
TEST(contact, remembers_whether_it_slides) {
    material<double> m;
    m.static_friction = 0.8;
    m.dynamic_friction = 0.5;
    body const a, b{{0, 1, 0}};
    auto const first = contact<double>::at(a, b, V{0, 0, 0}, V{0, 0, 0}, V{0, 1, 0}, m);
    V const t = first.tangent;
    auto const again = [&](contact<double> const& last, L const& lambda, V const& moved) {
        body const now{b.position + moved};
        auto c = contact<double>::at(a, now, moved, moved, V{0, 1, 0}, m);
        c.continue_from(last, lambda, a, now, 0.01);
        return c;
    };
    auto const stuck = again(first, L{10, 7.9, 0}, V{0, 0, 0});
    EXPECT_FALSE(stuck.slides);
    EXPECT_EQ(stuck.friction(), 0.8);
    auto const gone = again(stuck, L{10, -8, 0}, t * 0.01);
    EXPECT_TRUE(gone.slides);
    EXPECT_EQ(gone.friction(), 0.5);
    EXPECT_TRUE(again(gone, L{10, -5, 0}, t * 0.02).slides);
    EXPECT_FALSE(again(gone, L{10, -3, 0}, t * 0.01).slides);
    // What has lost touch sticks to nothing.
    EXPECT_EQ(again(first, L{0, 0, 0}, t * 0.01).slip, V{});
}

// What sticks measures its slip from where it began to stick, however often the anchors are set anew.
TEST(contact, remembers_how_far_it_has_slipped) {
    body const a;
    auto c = floor_contact(1);
    V const along = c.tangent;
    for (int i = 1; i <= 10; ++i) {
        body const b{V{0, 1, 0} + along * (1e-6 * i)};
        auto next = contact<double>::at(a, b, b.position - V{0, 1, 0}, b.position - V{0, 1, 0}, V{0, 1, 0}, material<double>::of(1));
        L const rubbing{10, dot(along, c.tangent) * 5, dot(along, c.bitangent()) * 5};
        L const lambda = next.continue_from(c, rubbing, a, b, 0.01);
        L const error = next.error(a, b);
        EXPECT_NEAR(norm(next.tangent * error[1] + next.bitangent() * error[2] - along * (1e-6 * i)), 0, 1e-15);
        // The friction keeps its direction in the world.
        EXPECT_NEAR(norm(next.tangent * lambda[1] + next.bitangent() * lambda[2] - along * 5.0), 0, 1e-12);
        c = next;
    }
}

TEST(contact, bounces_above_a_threshold) {
    auto c = floor_contact(0);
    c.restitution = 0.5;
    c.restitution_threshold = 1;
    EXPECT_EQ(c.restitution_rate(L{-4, 1, 1}), (L{2, 0, 0}));
    EXPECT_EQ(c.restitution_rate(L{-0.9, 1, 1}), L{});
    EXPECT_EQ(c.restitution_rate(L{4, 0, 0}), L{});
}

TEST(material, is_combined_by_rule) {
    auto const ice = material<double>::of(0.04, 0.1), rubber = material<double>::of(1, 0.8);
    auto const m = combined(ice, rubber);
    EXPECT_NEAR(m.static_friction, 0.2, 1e-15);
    EXPECT_EQ(m.restitution, 0.8);
    EXPECT_EQ(combined(rubber, ice), m);
    using cautious = combination<take_smaller, take_average>;
    EXPECT_EQ(combined<cautious>(ice, rubber).dynamic_friction, 0.04);
    EXPECT_NEAR(combined<cautious>(ice, rubber).restitution, 0.45, 1e-15);
    material<double> soft;
    soft.compliance = 1e-4;
    EXPECT_EQ(combined(soft, soft).compliance, 2e-4);  // two springs in a row
}

std::string refusal(material<double> const& m) {
    world<default_config, ball_joint> w;
    (void)w;
    auto const f = m.fault();
    return f.name == nullptr ? "" : std::string(f.name) + " " + f.requirement;
}
TEST(material, refuses_what_no_surface_has) {
    EXPECT_EQ(refusal({}), "");
    EXPECT_EQ(refusal(material<double>::of(-0.1)), "material.static_friction must be finite and not negative");
    EXPECT_EQ(refusal(material<double>::of(0.5, 1.5)), "material.restitution must be between 0 and 1");
    EXPECT_EQ(refusal(material<double>::of(0.5, std::numeric_limits<double>::quiet_NaN())), "material.restitution must be between 0 and 1");
    material<double> m;
    m.dynamic_friction = 0.7;
    EXPECT_EQ(refusal(m), "material.dynamic_friction must not be above the static friction");
    m = {};
    m.compliance = -1;
    EXPECT_EQ(refusal(m), "material.compliance must be finite and not negative");
}
TEST(contact, with_a_bad_material_is_refused_and_the_world_unchanged) {
    world<default_config, contact> w;
    auto const b = w.add(rigid_body_of(solid_sphere(1.f, 0.5f), decltype(w)::pose_type{{0, 0.5f, 0}}));
    auto c = contact<float>::at(w.pose(w.ground()), w.pose(b), {0, 0, 0}, {0, 0, 0}, {0, 1, 0});
    c.static_friction = -1;
    try {
        w.add(c, w.ground(), b);
        FAIL();
    } catch (std::invalid_argument const& e) {
        EXPECT_STREQ(e.what(), "sinew: material.static_friction must be finite and not negative, but is -1");
    }
    EXPECT_EQ((w.count<contact<float>>()), 0u);
}

}  // namespace
