// Wide sweeps: whatever the number of lanes and whoever runs the packs, the same bits; and as good as joints taken one by one.

#include "counting_new.hpp"

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace {

using namespace sinew;

// The README's own constraint, as it stands there.
template <sinew::scalar S>
struct my_rod {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;

    sinew::vec3<S> anchor_a, anchor_b;  // in the bodies' frames, m
    S length;                           // m

    constexpr auto error(auto const& a, auto const& b) const { return norm(a.point(anchor_a) - b.point(anchor_b)) - length; }
};
template <class S>
using soft_ball = soft_joint<S, ball_joint>;
// What branches by its numbers says so, and is left to one lane.
template <sinew::scalar S>
struct branching_rope {
    static constexpr std::size_t rows = 1;
    static constexpr bool in_lanes = false;
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;
    S length;

    constexpr auto error(auto const& a, auto const& b) const {
        auto const apart = norm(a.position - b.position);
        if (value(apart) < S(0.1f)) return apart * S(0) + length;
        return length - apart;
    }
    constexpr auto limits() const { return pushing<S, 1>(); }
};

static_assert(goes_in_lanes_v<my_rod<float>, batch<float, 8>> && goes_in_lanes_v<soft_ball<double>, batch<double, 4>> && goes_in_lanes_v<gear<float>, batch<float, 4>>);
static_assert(std::same_as<in_lanes_t<soft_ball<float>, batch<float, 8>>, soft_ball<batch<float, 8>>>);
static_assert(!goes_in_lanes_v<branching_rope<float>, batch<float, 8>>);

template <class S, class Solver>
struct config : default_config {
    using scalar = S;
    using solver = Solver;
};

// Packs from the last to the first.
struct backwards {
    template <class F>
    void for_each(std::size_t count, F&& f) const {
        while (count-- > 0) f(count);
    }
};
// The bits of all bodies, particles and multipliers.
template <class W>
std::vector<unsigned char> bits(W const& w) {
    std::vector<unsigned char> r;
    auto const put = [&](auto const& x) {
        unsigned char bytes[sizeof(x)];
        std::memcpy(bytes, &x, sizeof(x));
        r.insert(r.end(), bytes, bytes + sizeof(x));
    };
    w.for_each_body([&](auto h) {
        put(w.pose(h));
        put(w.twist(h));
    });
    w.for_each_particle([&](auto h) {
        put(w.position(h));
        put(w.velocity(h));
    });
    return r;
}

template <class S>
S of(auto x) {
    return static_cast<S>(x);
}
template <class W>
auto add_box(W& w, vec3<typename W::scalar_type> const& at, double mass = 1) {
    using S = typename W::scalar_type;
    auto b = rigid_body_of(solid_box(of<S>(mass), vec3<S>{of<S>(0.5), of<S>(0.2), of<S>(0.3)}), typename W::pose_type{at, {}});
    b.twist.angular = {of<S>(0.1), of<S>(0.3) * at[2], of<S>(-0.2)};
    return w.add(b);
}

// Eleven machines of every kind of row side by side: equalities, bounds, springs, gears with other teeth, particles, what is carried, normals that turn.
template <class S, class Solver>
using fair = world<config<S, Solver>, ball_joint, my_rod, rope, soft_ball, particle_body_distance, gear, scalar_point_to_point, branching_rope>;

template <class W>
void build_fair(W& w) {
    using S = typename W::scalar_type;
    auto const carried = w.add_fixed(typename W::pose_type{{S(0), S(2), S(0)}, {}}, twist<S>{{S(0), S(0), of<S>(0.5)}, {S(0), S(1), S(0)}});
    for (int m = 0; m < 11; ++m) {
        S const z = of<S>(2 * m), x = of<S>(0.5);
        double const k = 1 + 0.2 * m;
        std::vector<handle<rigid>> b;
        for (int i = 0; i < 6; ++i) b.push_back(add_box(w, {of<S>(i) * x + x / 2, S(0), z}, i % 2 == 1 ? k : 1));
        w.add(ball_joint<S>::at(w.pose(w.ground()), w.pose(b[0]), {S(0), S(0), z}), w.ground(), b[0]);
        for (std::size_t i = 0; i < 2; ++i) w.add(ball_joint<S>::at(w.pose(b[i]), w.pose(b[i + 1]), {of<S>(i + 1) * x, S(0), z}), b[i], b[i + 1]);
        w.add(my_rod<S>{{x / 2, S(0), S(0)}, {-x / 2, S(0), S(0)}, of<S>(0)}, b[2], b[3]);
        w.add(ball_joint<S>::at(w.pose(b[3]), w.pose(b[4]), {4 * x, S(0), z}), b[3], b[4]);
        w.add(soft_ball<S>::with(ball_joint<S>::at(w.pose(b[4]), w.pose(b[5]), {5 * x, S(0), z}), of<S>(1e-4 * k), of<S>(2)), b[4], b[5]);
        w.add(rope<S>{{}, {}, of<S>(1.4 + 0.05 * m)}, b[0], b[5]);
        w.add(gear<S>::at(w.pose(b[1]), w.pose(b[4]), w.pose(b[2]), {S(0), S(0), S(1)}, {S(1), S(0), S(0)}, m % 3 == 0 ? 2 : 3, 5), b[1], b[4], b[2]);
        auto const hung = add_box(w, {S(0), S(2), z}, k);
        w.add(scalar_point_to_point<S>::at(w.pose(carried), w.pose(hung), {S(0), of<S>(2.1), z}), carried, hung);
        w.add(branching_rope<S>{of<S>(0.8)}, b[2], b[5]);
        auto const mote = w.add(particle<S>{of<S>(0.3), w.position(b[3]) - vec3<S>{S(0), S(1), S(0)}, {}});
        w.add(particle_body_distance<S>{{}, {}, S(1)}, mote, b[3]);
    }
}

template <class S, class Solver>
std::vector<unsigned char> fair_after(int steps, bool with_other_settings) {
    auto const w = std::make_unique<fair<S, Solver>>();
    build_fair(*w);
    w->solver.sweeps.grain = 1;
    if (with_other_settings) {
        w->solver.substeps = 2;
        w->solver.iterations = 4;
        w->solver.relaxing_iterations = 0;
        w->solver.warm_start = 0.8f;
        w->solver.feedback = position_feedback::baumgarte;
    }
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w->step(of<S>(1.0 / 60))) << i;
    return bits(*w);
}
// Eight lanes against one, and from the last pack to the first against in order.
TEST(wide_sweeps, have_the_bits_of_one_lane_and_one_thread) {
    using one_lane = wide_sequential_impulses<1>;
    using eight_lanes = wide_sequential_impulses<8, backwards>;
    EXPECT_TRUE((fair_after<float, one_lane>(60, false)) == (fair_after<float, eight_lanes>(60, false)));
    EXPECT_TRUE((fair_after<float, one_lane>(20, true)) == (fair_after<float, eight_lanes>(20, true)));
}

// Joints that share no body are one colour, and are met in the order in which they were added: then wide sweeps are the ordinary ones, to the bit.
template <class S, class Solver>
using pairs = world<config<S, Solver>, hinge_joint, rope, powered_axis>;
template <class S, class Solver>
std::vector<unsigned char> pairs_after(int steps) {
    auto const w = std::make_unique<pairs<S, Solver>>();
    for (int m = 0; m < 13; ++m) {
        S const z = of<S>(m);
        auto const a = add_box(*w, {S(0), S(0), z}, 1 + 0.1 * m), b = add_box(*w, {of<S>(0.5), S(0), z}), c = add_box(*w, {S(2), S(0), z}), d = add_box(*w, {S(3), S(0), z});
        w->add(hinge_joint<S>::at(w->pose(a), w->pose(b), {of<S>(0.25), S(0), z}, {S(0), S(1), S(1)}), a, b);
        w->add(rope<S>{{of<S>(0.1), S(0), S(0)}, {}, of<S>(0.9 + 0.01 * m)}, c, d);
        auto const e = add_box(*w, {S(5), S(0), z});
        w->add(powered_axis<S>::at(w->pose(w->ground()), w->pose(e), {S(0), S(0), S(1)}, of<S>(m), of<S>(0.5)), w->ground(), e);
    }
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w->step(of<S>(1.0 / 60)));
    if constexpr (requires { w->solver.sweeps.colours(); }) {
        EXPECT_EQ(w->solver.sweeps.colours(), 1u);
    }
    return bits(*w);
}
TEST(wide_sweeps, of_what_shares_no_body_are_the_ordinary_ones) {
    EXPECT_TRUE((pairs_after<double, wide_sequential_impulses<4>>(40)) == (pairs_after<double, sequential_impulses>(40)));
}

// Chains and trees of ball joints.
template <class Solver>
using jointed = world<config<float, Solver>, ball_joint>;
// Link i hangs on link parent(i), or on the ground where that is negative.
template <class W, class Parent>
void build_tree(W& w, int links, Parent const& parent) {
    std::vector<handle<rigid>> b;
    std::vector<vec3<float>> ends;
    for (int i = 0; i < links; ++i) {
        int const on = parent(i);
        vec3<float> const from = on < 0 ? vec3<float>{} : ends[static_cast<std::size_t>(on)];
        vec3<float> const along = on < 0 || i % 2 == 1 ? vec3<float>{0.5f, 0, 0} : vec3<float>{0.3f, 0, 0.4f};
        b.push_back(add_box(w, from + along / 2.0f));
        auto const holder = on < 0 ? w.ground() : b[static_cast<std::size_t>(on)];
        w.add(ball_joint<float>::at(w.pose(holder), w.pose(b.back()), from), holder, b.back());
        ends.push_back(from + along);
    }
}
// The largest error of the joints in two seconds, and the energy at their end, beside those of joints taken one by one.
template <class Wide, class Parent>
void expect_as_good(int links, Parent const& parent) {
    auto const wide = std::make_unique<jointed<Wide>>();
    auto const plain = std::make_unique<jointed<sequential_impulses>>();
    build_tree(*wide, links, parent);
    build_tree(*plain, links, parent);
    float of_wide = 0, of_plain = 0;
    for (int i = 0; i < 120; ++i) {
        ASSERT_TRUE(wide->step(1.0f / 60));
        ASSERT_TRUE(plain->step(1.0f / 60));
        of_wide = std::max(of_wide, wide->constraint_error());
        of_plain = std::max(of_plain, plain->constraint_error());
    }
    EXPECT_LT(of_wide, 1.25f * of_plain);
}
TEST(wide_sweeps, hold_chains_and_trees_as_well) {
    expect_as_good<wide_sequential_impulses<4>>(24, [](int i) { return i - 1; });
    expect_as_good<wide_sequential_impulses<4>>(31, [](int i) { return (i + 1) / 2 - 1; });
}

// A hub with more joints than a word has colours.
TEST(wide_sweeps, know_more_colours_than_a_word) {
    jointed<wide_sequential_impulses<4>> w;
    auto const hub = add_box(w, {}, 1000);
    std::vector<handle<rigid>> spokes;
    for (int i = 0; i < 70; ++i) {
        float const z = 0.01f * static_cast<float>(i);
        spokes.push_back(add_box(w, {1, 0, z}));
        w.add(ball_joint<float>::at(w.pose(hub), w.pose(spokes.back()), {0.5f, 0, z}), hub, spokes.back());
        auto const far = add_box(w, {2, 0, z});
        w.add(ball_joint<float>::at(w.pose(spokes.back()), w.pose(far), {1.5f, 0, z}), spokes.back(), far);
    }
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(w.step(1.0f / 600));
    EXPECT_EQ(w.solver.sweeps.colours(), 70u);  // as many as meet at the hub
    EXPECT_LT(w.constraint_error(), 1e-3f);
    // What does not move is no one's neighbour.
    ASSERT_TRUE(w.disable(hub));
    ASSERT_TRUE(w.step(1.0f / 600));
    EXPECT_EQ(w.solver.sweeps.colours(), 2u);
}

// Colours follow what is added and taken away, and a state that is put back goes on as it did.
TEST(wide_sweeps, follow_what_is_added_and_removed) {
    jointed<wide_sequential_impulses<4>> w;
    build_tree(w, 9, [](int i) { return i - 1; });
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(w.step(1.0f / 60));
    std::vector<handle<rigid>> b;
    w.for_each_body([&](auto h) { b.push_back(h); });
    w.remove(b[4]);
    for (int i = 0; i < 40; ++i) ASSERT_TRUE(w.step(1.0f / 60));
    EXPECT_LT(w.position(b[7]).y(), w.position(b[3]).y());
    auto const last = add_box(w, w.position(b[3]) + vec3<float>{0.5f, 0, 0});
    auto const joint = w.add(ball_joint<float>::at(w.pose(b[3]), w.pose(last), w.position(b[3])), b[3], last);
    ASSERT_TRUE(w.step(1.0f / 60));
    EXPECT_GT(norm(w.multipliers(joint)), 0.0f);

    auto copy = w;
    auto const saved = w.save();
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(w.step(1.0f / 60));
        ASSERT_TRUE(copy.step(1.0f / 60));
    }
    auto const then = bits(w);
    EXPECT_TRUE(bits(copy) == then);
    ASSERT_TRUE(w.restore(saved));
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(w.step(1.0f / 60));
    EXPECT_TRUE(bits(w) == then);
}

TEST(wide_sweeps, allocate_nothing_once_they_have_run) {
    jointed<wide_sequential_impulses<4>> w;
    build_tree(w, 20, [](int i) { return (i + 1) / 2 - 1; });
    ASSERT_TRUE(w.step(1.0f / 60));
    std::size_t const before = sinew_test::allocations;
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(w.step(1.0f / 60));
    EXPECT_EQ(sinew_test::allocations, before);
}

// In place, without a heap; and contacts, one by one, behind the joints.
struct in_place : default_config {
    using solver = wide_sequential_impulses<4>;
    using storage = static_storage<capacities{.bodies = 8, .constraints = 8, .colliders = 8, .contacts = 32}>;
};
TEST(wide_sweeps, run_in_place_and_beside_contacts) {
    auto const w = std::make_unique<world<in_place, ball_joint, box, half_space>>();
    w->add(half_space<float>{}, w->ground());
    handle<rigid> previous{};
    for (int i = 0; i < 4; ++i) {
        auto const b = add_box(*w, {0.6f * static_cast<float>(i), 0.2f, 0});
        w->add(box<float>{{0.25f, 0.1f, 0.15f}}, b);
        if (i > 0) w->add(ball_joint<float>::at(w->pose(previous), w->pose(b), {0.6f * static_cast<float>(i) - 0.3f, 0.2f, 0}), previous, b);
        previous = b;
    }
    for (int i = 0; i < 90; ++i) ASSERT_TRUE(w->step(1.0f / 60));
    EXPECT_LT(w->constraint_error(), 2e-3f);
    w->for_each_body([&](auto h) { EXPECT_NEAR(w->position(h).y(), 0.1f, 0.01f); });
}

}  // namespace
