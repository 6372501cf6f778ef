// Worlds under wide sweeps: as good as joints taken one by one, whatever is added, removed, disabled or put back.

#include "counting_new.hpp"
#include "wide_sweeps_scene.hpp"

#include <algorithm>

namespace {

using namespace wide_sweeps_scene;

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

// In place, without a heap; and contacts behind the joints.
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
