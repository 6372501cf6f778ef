// The force concept: what is a force, what is not, and a user's own.

#include "force_cases.hpp"

#include <sinew/body/drag.hpp>
#include <sinew/body/gravity.hpp>
#include <sinew/body/parameter_fault.hpp>
#include <sinew/body/spring.hpp>

#include <array>
#include <limits>
#include <memory>

namespace {

using namespace force_cases;

// A user's force on every body: a tide that comes and goes.
template <scalar S>
struct tide {
    vec3<S> strength;  // N/kg
    constexpr wrench<S> wrench_on(auto const& body, S const& t) const { return {body.mass * sin(t) * strength, {S(0), S(0), S(0)}}; }
};
static_assert(unary_force_for<tide<double>, double> && !bound_force_for<tide<double>, double> && force_for<tide<float>, float>);

// A user's force between three bodies of two kinds.
template <scalar S>
struct triangle_pull {
    using attachments = binds<rigid, point_mass, rigid>;
    S strength;
    constexpr std::array<wrench<S>, 3> wrenches(auto const& a, auto const& b, auto const& c, S const&) const {
        vec3<S> const middle = (center_of(a) + center_of(b) + center_of(c)) / S(3);
        return {wrench<S>{(middle - center_of(a)) * strength}, wrench<S>{(middle - center_of(b)) * strength}, wrench<S>{(middle - center_of(c)) * strength}};
    }
};
static_assert(bound_force_for<triangle_pull<double>, double> && !unary_force_for<triangle_pull<double>, double>);

TEST(force_concept, a_users_own) {
    tide<double> const t{{1, 0, 0}};
    EXPECT_DOUBLE_EQ(t.wrench_on(particle<double>{2, {0, 0, 0}, {0, 0, 0}}, 0.5).force[0], 2 * std::sin(0.5));
    rigid_body<double> a, c;
    a.pose.position = {3, 0, 0};
    c.pose.position = {0, 3, 0};
    particle<double> const b{1, {0, 0, 3}, {0, 0, 0}};
    auto const w = triangle_pull<double>{2}.wrenches(a, b, c, 0.0);
    EXPECT_EQ(w[0].force, (vec3<double>{-4, 2, 2}));
    EXPECT_EQ(w[0].force + w[1].force + w[2].force, (vec3<double>{0, 0, 0}));
    check_force<tide<double>, double>();
    check_force<triangle_pull<double>, double>();
    check_force<spring<double>, double>();
}

// What misses the concept, each in one way.
struct nothing {};
struct not_const {
    wrench<double> wrench_on(auto const&, double) { return {}; }
};
struct for_rigid_bodies_only {
    wrench<double> wrench_on(rigid_body<double> const&, double) const { return {}; }
};
struct without_time {
    wrench<double> wrench_on(auto const&) const { return {}; }
};
struct returns_a_vector {
    vec3<double> wrench_on(auto const&, double) const { return {}; }
};
struct without_attachments {
    std::array<wrench<double>, 2> wrenches(auto const&, auto const&, double) const { return {}; }
};
struct too_few {
    using attachments = binds<rigid, rigid>;
    std::array<wrench<double>, 1> wrenches(auto const&, auto const&, double) const { return {}; }
};
struct wrong_kinds {
    using attachments = binds<rigid, point_mass>;
    std::array<wrench<double>, 2> wrenches(rigid_body<double> const&, rigid_body<double> const&, double) const { return {}; }
};
struct empty_list {
    using attachments = binds<>;
    std::array<wrench<double>, 0> wrenches(double) const { return {}; }
};
struct not_a_list {
    using attachments = int;
    std::array<wrench<double>, 1> wrenches(auto const&, double) const { return {}; }
};
struct not_copyable {
    std::unique_ptr<int> p;
    wrench<double> wrench_on(auto const&, double) const { return {}; }
};
template <class F>
inline constexpr bool is_force = force_for<F, double>;
static_assert(!is_force<nothing> && !is_force<not_const> && !is_force<for_rigid_bodies_only> && !is_force<without_time> && !is_force<returns_a_vector>);
static_assert(!is_force<without_attachments> && !is_force<too_few> && !is_force<wrong_kinds> && !is_force<empty_list> && !is_force<not_a_list>);
static_assert(!is_force<not_copyable> && !is_force<int>);
static_assert(has_wrench_on_rigid<for_rigid_bodies_only, double> && !has_wrench_on_particle<for_rigid_bodies_only, double>);

// A type is told to be meant as a force even where it is written wrongly, so that the message is about forces.
static_assert(meant_as_force<not_const> && meant_as_force<for_rigid_bodies_only> && meant_as_force<without_time> && meant_as_force<without_attachments>);
static_assert(meant_as_force<too_few> && meant_as_force<linear_drag<double>> && meant_as_force<spring<double>>);
static_assert(!meant_as_force<nothing> && !meant_as_force<int>);

TEST(force_concept, body_points) {
    rigid_body<double> b;
    b.pose = {{1, 0, 0}, {0, 0, 0, 1}};  // half a turn about z
    b.twist = {{0, 1, 0}, {0, 0, 2}};
    EXPECT_EQ(center_of(b), (vec3<double>{1, 0, 0}));
    EXPECT_EQ(velocity_of(b), (vec3<double>{0, 1, 0}));
    EXPECT_EQ(angular_velocity_of(b), (vec3<double>{0, 0, 2}));
    EXPECT_EQ(anchor_of(b, vec3<double>{0.5, 0, 0}), (vec3<double>{0.5, 0, 0}));
    EXPECT_EQ(velocity_at(b, vec3<double>{0.5, 0, 0}), (vec3<double>{0, 0, 0}));
    EXPECT_EQ(wrench_at(b, vec3<double>{0, 3, 0}, vec3<double>{0.5, 0, 0}), (wrench<double>{{0, 3, 0}, {0, 0, -1.5}}));
    particle<double> const p{1, {1, 2, 3}, {4, 5, 6}};
    EXPECT_EQ(anchor_of(p, vec3<double>{9, 9, 9}), p.position);
    EXPECT_EQ(velocity_at(p, vec3<double>{9, 9, 9}), p.velocity);
    EXPECT_EQ(angular_velocity_of(p), (vec3<double>{0, 0, 0}));
    EXPECT_EQ(wrench_at(p, vec3<double>{0, 3, 0}, vec3<double>{9, 9, 9}), (wrench<double>{{0, 3, 0}, {0, 0, 0}}));
}

TEST(force_concept, parameter_faults) {
    double const nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(finite_parameter("x", 1.0).name, nullptr);
    EXPECT_STREQ(finite_parameter("x", infinity).name, "x");
    EXPECT_STREQ(finite_parameter("x", nan).requirement, "must be finite");
    EXPECT_EQ(finite_parameter("x", vec3<double>{1, -infinity, 0}).value, -infinity);
    EXPECT_EQ(nonnegative_parameter("x", 0.0).name, nullptr);
    EXPECT_EQ(nonnegative_parameter("x", -0.5).value, -0.5);
    EXPECT_STREQ(nonnegative_parameter("x", nan).name, "x");
    EXPECT_STREQ(nonnegative_parameter("x", infinity).name, "x");
    EXPECT_STREQ(direction_parameter("axis", vec3<double>{0, 0, 0}).requirement, "must not be the zero vector");
    EXPECT_STREQ(direction_parameter("axis", vec3<double>{0, nan, 0}).requirement, "must be finite");
    EXPECT_EQ(direction_parameter("axis", vec3<double>{0, 2, 0}).name, nullptr);
    EXPECT_STREQ(first_fault(input_fault{}, input_fault{"b", "", 0}, input_fault{"c", "", 0}).name, "b");
    EXPECT_EQ(first_fault().name, nullptr);
}

}  // namespace
