// The world as a container: handles, removal in any order, snapshots, rollback, refused input, breaking, storage.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

using sinew::vec3;

struct double_config : sinew::default_config {
    using scalar = double;
};
struct quiet_config : double_config {
    using errors = sinew::null_errors;
};
struct static_config : double_config {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 12, .constraints = 12, .particles = 4}>;
};
struct direct_config : double_config {
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};
struct static_direct_config : static_config {
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};

using test_world = sinew::world<double_config, sinew::ball_joint, sinew::distance, sinew::particle_distance, sinew::spring>;

sinew::rigid_body<double> link_at(double x) {
    sinew::rigid_body<double> b;
    b.inertia = sinew::diagonal(0.01, 0.09, 0.09);
    b.pose.position = {x, 0, 0};
    return b;
}

// A chain of n links from the ground.
template <class World>
std::vector<typename World::body_handle> add_chain(World& w, int n) {
    std::vector<typename World::body_handle> links;
    auto previous = w.ground();
    for (int i = 0; i < n; ++i) {
        auto const link = w.add(link_at(i + 0.5));
        w.add(sinew::ball_joint<double>{i == 0 ? vec3<double>{0, 0, 0} : vec3<double>{0.5, 0, 0}, {-0.5, 0, 0}}, previous, link);
        links.push_back(link);
        previous = link;
    }
    return links;
}

// ---- handles

TEST(handles, notice_removal_reuse_and_foreign_worlds) {
    sinew::world<quiet_config, sinew::ball_joint> w, other;
    auto const a = w.add(link_at(0));
    EXPECT_TRUE(w.contains(a));
    EXPECT_FALSE(other.contains(a));
    EXPECT_TRUE(w.remove(a));
    EXPECT_FALSE(w.contains(a));
    auto const b = w.add(link_at(1));
    EXPECT_EQ(a.index, b.index);  // the slot is reused
    EXPECT_FALSE(w.contains(a));
    EXPECT_TRUE(w.contains(b));
    EXPECT_FALSE(w.remove(a));
    EXPECT_EQ(w.last_error().code, sinew::errc::dead_handle);
    EXPECT_FALSE(other.set_twist(b, {}));
    EXPECT_EQ(other.last_error().code, sinew::errc::foreign_handle);
    EXPECT_FALSE(w.contains(sinew::world<quiet_config, sinew::ball_joint>::body_handle{}));
}

TEST(handles, of_a_body_work_on_a_snapshot) {
    test_world w;
    auto const a = w.add(link_at(0));
    test_world const copy = w;
    EXPECT_TRUE(copy.contains(a));
    EXPECT_EQ(copy.pose(a), w.pose(a));
}

TEST(removal, of_a_body_takes_its_constraints_and_forces_along) {
    test_world w;
    auto const links = add_chain(w, 4);
    auto const pull = w.add(sinew::spring<double>{}, links[1], links[3]);
    EXPECT_EQ(w.count<sinew::ball_joint<double>>(), 4u);
    w.remove(links[1]);
    EXPECT_EQ(w.count<sinew::ball_joint<double>>(), 2u);
    EXPECT_FALSE(w.contains(pull));
    EXPECT_EQ(w.body_count(), 3u);
    EXPECT_TRUE(w.step(1.0 / 60));
}

// Random additions and removals against a plain list of what should be there.
TEST(removal, in_any_order_at_any_time) {
    unsigned const seed = 20261121;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    test_world w;
    w.gravity = {0, 0, 0};
    std::vector<test_world::body_handle> bodies;
    std::vector<sinew::handle<sinew::ball_joint<double>>> joints;
    for (int i = 0; i < 3000; ++i) {
        auto const action = random() % 5;
        if (action <= 1 || bodies.size() < 2) {
            bodies.push_back(w.add(link_at(static_cast<double>(random() % 1000))));
        } else if (action == 2) {
            auto const a = bodies[random() % bodies.size()], b = bodies[random() % bodies.size()];
            if (a != b) joints.push_back(w.add(sinew::ball_joint<double>{}, a, b));
        } else if (action == 3) {
            auto const k = random() % bodies.size();
            w.remove(bodies[k]);
            bodies.erase(bodies.begin() + static_cast<long>(k));
        } else if (!joints.empty()) {
            auto const k = random() % joints.size();
            if (w.contains(joints[k])) w.remove(joints[k]);
            joints.erase(joints.begin() + static_cast<long>(k));
        }
        ASSERT_EQ(w.body_count(), bodies.size());
        for (auto const& b : bodies) ASSERT_TRUE(w.contains(b));
        if (i % 50 == 0) {
            ASSERT_TRUE(w.step(1.0 / 60));
        }
    }
    std::size_t alive = 0;
    for (auto const& j : joints) alive += w.contains(j) ? 1 : 0;
    EXPECT_EQ(alive, w.count<sinew::ball_joint<double>>());
}

// ---- snapshots and rollback

TEST(snapshot, a_copy_steps_to_the_same_bits) {
    test_world a;
    add_chain(a, 10);
    for (int i = 0; i < 30; ++i) a.step(1.0 / 60);
    test_world b = a;
    EXPECT_TRUE(a == b);
    for (int i = 0; i < 100; ++i) {
        a.step(1.0 / 60);
        b.step(1.0 / 60);
    }
    EXPECT_TRUE(a == b);
    b.step(1.0 / 60);
    EXPECT_FALSE(a == b);
}

template <class Config>
void rollback_continues_bit_for_bit() {
    sinew::world<Config, sinew::ball_joint> w;
    add_chain(w, 8);
    for (int i = 0; i < 30; ++i) w.step(1.0 / 60);
    auto const saved = w.save();
    for (int i = 0; i < 50; ++i) w.step(1.0 / 60);
    auto const reference = w;
    EXPECT_TRUE(w.restore(saved));
    EXPECT_EQ(w.save(), saved);
    for (int i = 0; i < 50; ++i) w.step(1.0 / 60);
    EXPECT_TRUE(w == reference);
}
TEST(snapshot, rollback_continues_bit_for_bit) {
    rollback_continues_bit_for_bit<double_config>();
    rollback_continues_bit_for_bit<direct_config>();
    rollback_continues_bit_for_bit<static_config>();
}
TEST(snapshot, the_dynamic_part_of_a_body_is_under_100_bytes) {
    static_assert(sizeof(sinew::rigid_state<float, sinew::quaternion<float>>) <= 52);
    static_assert(sizeof(sinew::rigid_state<double, sinew::rotation_vector<double>>) <= 96);
    static_assert(sizeof(sinew::particle_state<double>) <= 48);
}
TEST(snapshot, a_state_of_other_contents_is_refused) {
    sinew::world<quiet_config, sinew::ball_joint> w;
    add_chain(w, 3);
    auto const saved = w.save();
    add_chain(w, 1);
    auto const before = w;
    EXPECT_FALSE(w.restore(saved));
    EXPECT_EQ(w.last_error().code, sinew::errc::mismatch);
    EXPECT_TRUE(w == before);
}

// ---- refused input: a clear error, and nothing changed

using quiet_world = sinew::world<quiet_config, sinew::ball_joint, sinew::hinge_joint, sinew::particle_distance, sinew::spring>;

class refused : public testing::Test {
public:
    refused() {
        a = w.add(link_at(0));
        b = w.add(link_at(1));
        p = w.add(sinew::particle<double>{});
        before = w;
    }
    void expect(bool accepted, sinew::errc code, char const* text) {
        EXPECT_FALSE(accepted);
        EXPECT_EQ(w.last_error().code, code) << sinew::error_text(w.last_error()).c_str();
        EXPECT_NE(std::string(sinew::error_text(w.last_error()).c_str()).find(text), std::string::npos) << sinew::error_text(w.last_error()).c_str();
        EXPECT_TRUE(w == before);
    }
    quiet_world w, before;
    quiet_world::body_handle a, b;
    quiet_world::particle_handle p;
    static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    static constexpr double inf = std::numeric_limits<double>::infinity();
};

TEST_F(refused, masses) {
    for (double m : {0.0, -1.0}) {
        auto body = link_at(0);
        body.mass = m;
        expect(static_cast<bool>(w.add(body)), sinew::errc::not_positive, "mass must be positive");
        expect(static_cast<bool>(w.add(sinew::particle<double>{m, {}, {}})), sinew::errc::not_positive, "mass must be positive");
    }
    for (double m : {nan, inf}) {
        auto body = link_at(0);
        body.mass = m;
        expect(static_cast<bool>(w.add(body)), sinew::errc::not_finite, "mass must be finite");
    }
}
TEST_F(refused, inertias) {
    auto body = link_at(0);
    body.inertia = sinew::diagonal(1.0, 1.0, 2.1);  // no body: 1 + 1 < 2.1
    expect(static_cast<bool>(w.add(body)), sinew::errc::invalid_inertia, "principal moment");
    body.inertia = sinew::diagonal(1.0, 1.0, 0.0);
    expect(static_cast<bool>(w.add(body)), sinew::errc::invalid_inertia, "positive definite");
    body.inertia = sinew::diagonal(1.0, -1.0, 1.0);
    expect(static_cast<bool>(w.add(body)), sinew::errc::invalid_inertia, "positive definite");
    body.inertia = {1, 1, 1, 2, 0, 0};
    expect(static_cast<bool>(w.add(body)), sinew::errc::invalid_inertia, "positive definite");
    body.inertia = sinew::diagonal(1.0, nan, 1.0);
    expect(static_cast<bool>(w.add(body)), sinew::errc::not_finite, "inertia must be finite");
    body.inertia = sinew::diagonal(1.0, 1.0, 2.0);  // a flat disc is the limit, and allowed
    EXPECT_TRUE(w.add(body));
}
TEST_F(refused, rotations_positions_and_velocities) {
    auto body = link_at(0);
    body.pose.rotation = {1, 0.1, 0, 0};
    expect(static_cast<bool>(w.add(body)), sinew::errc::not_a_rotation, "rotation must be a rotation");
    body.pose.rotation = {0, 0, 0, 0};
    expect(static_cast<bool>(w.add(body)), sinew::errc::not_a_rotation, "rotation");
    body.pose.rotation = {nan, 0, 0, 0};
    expect(static_cast<bool>(w.add(body)), sinew::errc::not_finite, "rotation must be finite");
    body = link_at(inf);
    expect(static_cast<bool>(w.add(body)), sinew::errc::not_finite, "position must be finite, but is infinity");
    body = link_at(0);
    body.twist.angular = {0, nan, 0};
    expect(static_cast<bool>(w.add(body)), sinew::errc::not_finite, "angular velocity must be finite, but is NaN");
    expect(w.set_pose(a, {{nan, 0, 0}, {}}), sinew::errc::not_finite, "position");
    expect(w.set_twist(a, {{nan, 0, 0}, {}}), sinew::errc::not_finite, "linear velocity");
    expect(w.apply_force(a, {inf, 0, 0}, {0, 0, 0}), sinew::errc::not_finite, "force");
    expect(w.set_position(p, {0, nan, 0}), sinew::errc::not_finite, "position");
}
TEST_F(refused, handles_of_others_and_of_the_dead) {
    quiet_world other;
    auto const foreign = other.add(link_at(0));
    expect(static_cast<bool>(w.add(sinew::ball_joint<double>{}, a, foreign)), sinew::errc::foreign_handle, "another world");
    expect(static_cast<bool>(w.add(sinew::ball_joint<double>{}, a, quiet_world::body_handle{})), sinew::errc::dead_handle, "null");
    expect(static_cast<bool>(w.add(sinew::spring<double>{}, a, foreign)), sinew::errc::foreign_handle, "another world");
    expect(w.remove(foreign), sinew::errc::foreign_handle, "another world");
    expect(w.remove(w.ground()), sinew::errc::invalid_parameter, "ground cannot be removed");
    w.remove(b);
    before = w;
    expect(static_cast<bool>(w.add(sinew::ball_joint<double>{}, a, b)), sinew::errc::dead_handle, "dead");
    expect(w.remove(b), sinew::errc::dead_handle, "dead");
}
TEST_F(refused, a_body_bound_to_itself) {
    expect(static_cast<bool>(w.add(sinew::ball_joint<double>{}, a, a)), sinew::errc::self_binding, "different bodies");
    expect(static_cast<bool>(w.add(sinew::particle_distance<double>{}, p, p)), sinew::errc::self_binding, "different bodies");
}
TEST_F(refused, bad_parameters_of_constraints) {
    expect(static_cast<bool>(w.add(sinew::ball_joint<double>{{nan, 0, 0}, {}}, a, b)), sinew::errc::not_finite, "anchor_a must be finite, but is NaN");
    sinew::hinge_joint<double> hinge{};
    hinge.axes.axis_a = {0, 0, 0};
    expect(static_cast<bool>(w.add(hinge, a, b)), sinew::errc::invalid_parameter, "axis");
}
TEST_F(refused, steps_that_are_none) {
    for (double h : {0.0, -0.1, nan, inf}) {
        auto const report = w.step(h);
        EXPECT_EQ(report.status, sinew::step_status::invalid_step);
        EXPECT_TRUE(w == before);
    }
}
TEST(refused_by_throwing, names_the_value) {
    test_world w;
    auto body = link_at(0);
    body.mass = -1;
    try {
        w.add(body);
        FAIL();
    } catch (std::invalid_argument const& e) {
        EXPECT_STREQ(e.what(), "sinew: mass must be positive, but is -1");
    }
}
TEST(refused_by_calling, calls_the_handler) {
    static int calls;
    struct count_calls {
        void operator()(sinew::error const&) const { ++calls; }
    };
    struct config : double_config {
        using errors = sinew::call_errors<count_calls>;
    };
    calls = 0;
    sinew::world<config> w;
    EXPECT_FALSE(w.add(sinew::particle<double>{-1, {}, {}}));
    EXPECT_EQ(calls, 1);
}
TEST(refused_by_static_storage, when_it_is_full) {
    struct config : quiet_config {
        using storage = sinew::static_storage<sinew::capacities{.bodies = 2, .constraints = 1, .particles = 1, .forces = 1}>;
    };
    sinew::world<config, sinew::ball_joint, sinew::spring> w;
    auto const a = w.add(link_at(0)), b = w.add(link_at(1));
    ASSERT_TRUE(a && b);
    EXPECT_TRUE(w.add(sinew::ball_joint<double>{{0.5, 0, 0}, {-0.5, 0, 0}}, a, b));
    EXPECT_TRUE(w.add(sinew::spring<double>{}, a, b));
    EXPECT_TRUE(w.add(sinew::particle<double>{}));
    auto const before = w;
    EXPECT_FALSE(w.add(link_at(2)));
    EXPECT_EQ(w.last_error().code, sinew::errc::full);
    EXPECT_FALSE(w.add(sinew::ball_joint<double>{}, w.ground(), b));
    EXPECT_EQ(w.last_error().code, sinew::errc::full);
    EXPECT_FALSE(w.add(sinew::particle<double>{}));
    EXPECT_EQ(w.last_error().code, sinew::errc::full);
    EXPECT_FALSE(w.add(sinew::spring<double>{}, a, b));
    EXPECT_EQ(w.last_error().code, sinew::errc::full);
    EXPECT_TRUE(w == before);
    w.remove(a);
    EXPECT_TRUE(w.add(link_at(2)));
}

// ---- steps

TEST(step, that_would_be_infinite_is_not_taken) {
    sinew::world<quiet_config> w;
    auto body = link_at(0);
    body.twist.linear = {1e308, 0, 0};
    w.add(body);
    w.gravity = {1e308, 0, 0};
    auto const before = w;
    EXPECT_EQ(w.step(10.0).status, sinew::step_status::not_finite);
    EXPECT_TRUE(w == before);
}
TEST(step, forces_last_one_step) {
    test_world w;
    w.gravity = {0, 0, 0};
    auto const a = w.add(link_at(0));
    w.apply_force(a, {2, 0, 0}, {0, 0.5, 0});
    w.step(0.5);
    EXPECT_NEAR(w.twist(a).linear.x(), 1.0, 1e-12);
    w.step(0.5);
    EXPECT_NEAR(w.twist(a).linear.x(), 1.0, 1e-12);
    EXPECT_LT(w.twist(a).angular.z(), 0);
}
TEST(step, moves_kinematic_bodies_by_their_twist) {
    test_world w;
    auto const a = w.add_fixed({}, {{1, 0, 0}, {0, 0, 2}});
    for (int i = 0; i < 60; ++i) w.step(1.0 / 60);
    EXPECT_NEAR(w.position(a).x(), 1.0, 1e-12);
    EXPECT_NEAR(log(w.pose(a).rotation).z(), 2.0, 1e-9);
}

// ---- wrenches and breaking

// A mass of 2 kg hangs on a ball joint: the joint holds it with m g, and tears above its threshold.
TEST(constraint_wrench, of_a_hanging_mass_is_its_weight) {
    test_world w;
    auto body = link_at(0);
    body.mass = 2;
    auto const a = w.add(body);
    auto const joint = w.add(sinew::ball_joint<double>{}, w.ground(), a);
    for (int i = 0; i < 10; ++i) w.step(1.0 / 60);
    EXPECT_NEAR(w.wrench_on(joint, 1).force.y(), 2 * 9.81, 1e-9);
    EXPECT_NEAR(w.wrench_on(joint, 0).force.y(), -2 * 9.81, 1e-9);
    EXPECT_NEAR(norm(w.multipliers(joint)), 2 * 9.81, 1e-9);
}
TEST(breaking, happens_above_the_threshold_and_not_below) {
    test_world w;
    auto const a = w.add(link_at(0));
    auto const joint = w.add(sinew::ball_joint<double>{}, w.ground(), a);
    w.set_break_threshold(joint, 15.0);
    EXPECT_EQ(w.step(1.0 / 60).broken, 0u);
    EXPECT_TRUE(w.contains(joint));
    w.apply_force(a, {0, -10, 0}, {0, 0, 0});
    EXPECT_EQ(w.step(1.0 / 60).broken, 1u);
    EXPECT_FALSE(w.contains(joint));
}

// ---- storage

TEST(storage, static_and_dynamic_give_the_same_bits) {
    sinew::world<double_config, sinew::ball_joint> d;
    sinew::world<static_config, sinew::ball_joint> s;
    auto const in_d = add_chain(d, 10);
    auto const in_s = add_chain(s, 10);
    for (int i = 0; i < 60; ++i) {
        d.step(1.0 / 60);
        s.step(1.0 / 60);
    }
    for (std::size_t i = 0; i < in_d.size(); ++i) EXPECT_EQ(d.pose(in_d[i]), s.pose(in_s[i]));
}

}  // namespace
