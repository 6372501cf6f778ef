// Bodies between planes that lean otherwise in every lane, some of them with their middle behind one from the beginning: what a lane does hangs neither on what is hit or
// hidden in others, nor on what else is hit in its own.

#include "lanes_drops.hpp"

namespace {

using namespace lanes_drops;

// Floor, two walls and a fourth plane, which stand in the list before, among and behind what falls.
template <class S, class W>
void build_gorge(W& w, std::size_t lane, unsigned seed, double bounce, double compliance, bool begins_behind, double fastest) {
    numbers of_lane{std::mt19937(seed)};
    material<S> surface = material<S>::of(of<S>(0.5));
    surface.compliance = max(of_lane.in<S>(lane, -compliance, compliance), S(0));
    auto const plane = [&](vec3<S> const& at, vec3<S> const& normal) { w.add(half_space<S>::at(at, normal), w.ground(), {.material = surface}); };
    plane({S(0), begins_behind ? of_lane.in<S>(lane, 1, 2.5) : of_lane.in<S>(lane, -0.2, 0.2), S(0)}, {of_lane.in<S>(lane, -0.4, 0.4), S(1), of_lane.in<S>(lane, -0.4, 0.4)});
    for (int k = 0; k < 9; ++k) {
        drop(w, lane, of_lane, of<S>(1.2 * (k % 3) - 1.2), k % 3, surface, bounce, false, fastest);
        S const lean = of_lane.in<S>(lane, -0.5, 0.5);
        if (k == 2) plane({of_lane.in<S>(lane, begins_behind ? -1 : 2.5, 3), S(0), S(0)}, {S(-1), lean, of_lane.in<S>(lane, -0.5, 0.5)});
        if (k == 5) plane({S(0), S(0), of_lane.in<S>(lane, -3, -2)}, {S(0), of_lane.in<S>(lane, -0.2, 0.2), S(1)});
    }
    plane({of_lane.in<S>(lane, -3, -2.5), S(0), S(0)}, {S(1), of_lane.in<S>(lane, -0.2, 0.2), S(0)});
}
template <class B>
void expect_lanes_in_a_gorge(unsigned seed, double bounce, double compliance, bool begins_behind, int steps, auto const& tune, double fastest = 3) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_lanes_of_worlds<ground, B>(
        [&](auto& w, auto scalar, std::size_t lane) { build_gorge<typename decltype(scalar)::type>(w, lane, seed, bounce, compliance, begins_behind, fastest); }, tune, steps, 60);
}

TEST(lanes_between_planes, bounce_as_worlds_that_are_alone) {
    for (unsigned seed = 1; seed <= 3; ++seed) expect_lanes_in_a_gorge<batch<float, 8>>(seed, 0.9, 0, false, 150, as_it_is);
    for (unsigned seed = 1; seed <= 2; ++seed)
        expect_lanes_in_a_gorge<batch<double, 4>>(seed, 0.9, 0, false, 150, [](auto& w) {
            w.solver.substeps = 1;
            w.solver.iterations = 10;
            w.solver.relaxing_iterations = 0;
        });
}
TEST(lanes_between_planes, sink_in_as_worlds_that_are_alone) {
    for (unsigned seed = 1; seed <= 2; ++seed) expect_lanes_in_a_gorge<batch<float, 8>>(seed, 0, 3e-3, false, 150, as_it_is);
}
// A metre a step, into planes that some lanes' are too soft to stop at.
TEST(lanes_between_planes, are_put_back_as_worlds_that_are_alone) {
    for (unsigned seed = 1; seed <= 2; ++seed) expect_lanes_in_a_gorge<batch<float, 8>>(seed, seed % 2 == 0 ? 0.8 : 0, 1e-2, false, 60, as_it_is, 60);
}
TEST(lanes_between_planes, come_out_of_them_as_worlds_that_are_alone) {
    for (unsigned seed = 1; seed <= 2; ++seed) expect_lanes_in_a_gorge<batch<float, 8>>(seed, 0, 0, true, 30, as_it_is);
}

// Along the diagonal into a corner too soft to stop it, so that both planes are entered at the same share of its way: it is put back before the one that was there
// first, and is not beyond the other then. By the way, whatever finds them, and in lanes as alone.
template <class S, class BroadPhase>
struct config_by : config<S, sequential_impulses> {
    using broad_phase = BroadPhase;
};
template <class S, class BroadPhase = bounding_volume_tree>
void expect_put_back_before_the_first(std::size_t coordinate) {
    world<config_by<S, BroadPhase>, sphere, half_space> w;
    w.gravity = {};
    material<S> soft;
    soft.compliance = of<S>(1000);
    for (std::size_t const k : {coordinate, 1 - coordinate}) w.add(half_space<S>{k == 0 ? vec3<S>{S(1), S(0), S(0)} : vec3<S>{S(0), S(1), S(0)}, S(0)}, w.ground(), {.material = soft});
    S const radius = of<S>(0.125);
    auto const ball = w.add_solid(sphere<S>{radius}, S(1000), {{S(1), S(1), S(0)}, {}}, {.material = soft}, {{S(-128), S(-128), S(0)}, {}});
    ASSERT_TRUE(w.step(S(1) / S(64)));
    EXPECT_TRUE(all(abs(w.position(ball)[coordinate] - radius) < of<S>(1e-6)));
    EXPECT_TRUE(all(abs(w.position(ball)[1 - coordinate]) < of<S>(1e-6)));
}
TEST(lanes_between_planes, are_put_back_before_the_first_of_two_that_they_enter_at_once) {
    for (std::size_t const coordinate : {0u, 1u}) {
        SCOPED_TRACE(coordinate);
        expect_put_back_before_the_first<float, bounding_volume_tree>(coordinate);
        expect_put_back_before_the_first<float, sweep_and_prune>(coordinate);
        expect_put_back_before_the_first<float, brute_force>(coordinate);
        expect_put_back_before_the_first<batch<float, 8>>(coordinate);
        expect_put_back_before_the_first<batch<double, 4>>(coordinate);
    }
}

}  // namespace
