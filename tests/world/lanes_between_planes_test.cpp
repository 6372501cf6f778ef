// Bodies between planes that lean otherwise in every lane, some of them with their middle behind one from the beginning: what a lane does hangs neither on what is hit or
// hidden in others, nor on what else is hit in its own.

#include "lanes_drops.hpp"

namespace {

using namespace lanes_drops;

// Floor, two walls and a fourth plane, which stand in the list before, among and behind what falls.
template <class S, class W>
void build_gorge(W& w, std::size_t lane, unsigned seed, double bounce, double compliance, bool begins_behind) {
    numbers of_lane{std::mt19937(seed)};
    material<S> surface = material<S>::of(of<S>(0.5));
    surface.compliance = max(of_lane.in<S>(lane, -compliance, compliance), S(0));
    auto const plane = [&](vec3<S> const& at, vec3<S> const& normal) { w.add(half_space<S>::at(at, normal), w.ground(), {.material = surface}); };
    plane({S(0), begins_behind ? of_lane.in<S>(lane, 1, 2.5) : of_lane.in<S>(lane, -0.2, 0.2), S(0)}, {of_lane.in<S>(lane, -0.4, 0.4), S(1), of_lane.in<S>(lane, -0.4, 0.4)});
    for (int k = 0; k < 9; ++k) {
        drop(w, lane, of_lane, of<S>(1.2 * (k % 3) - 1.2), k % 3, surface, bounce, false);
        S const lean = of_lane.in<S>(lane, -0.5, 0.5);
        if (k == 2) plane({of_lane.in<S>(lane, begins_behind ? -1 : 2.5, 3), S(0), S(0)}, {S(-1), lean, of_lane.in<S>(lane, -0.5, 0.5)});
        if (k == 5) plane({S(0), S(0), of_lane.in<S>(lane, -3, -2)}, {S(0), of_lane.in<S>(lane, -0.2, 0.2), S(1)});
    }
    plane({of_lane.in<S>(lane, -3, -2.5), S(0), S(0)}, {S(1), of_lane.in<S>(lane, -0.2, 0.2), S(0)});
}
template <class B>
void expect_lanes_in_a_gorge(unsigned seed, double bounce, double compliance, bool begins_behind, int steps, auto const& tune) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_lanes_of_worlds<ground, B>(
        [&](auto& w, auto scalar, std::size_t lane) { build_gorge<typename decltype(scalar)::type>(w, lane, seed, bounce, compliance, begins_behind); }, tune, steps, 60);
}

TEST(lanes_between_planes, bounce_as_worlds_that_are_alone) {
    for (unsigned seed = 1; seed <= 8; ++seed) expect_lanes_in_a_gorge<batch<float, 8>>(seed, 0.9, 0, false, 150, as_it_is);
    for (unsigned seed = 1; seed <= 4; ++seed)
        expect_lanes_in_a_gorge<batch<double, 4>>(seed, 0.9, 0, false, 150, [](auto& w) {
            w.solver.substeps = 1;
            w.solver.iterations = 10;
            w.solver.relaxing_iterations = 0;
        });
}
TEST(lanes_between_planes, sink_in_and_are_put_back_as_worlds_that_are_alone) {
    for (unsigned seed = 1; seed <= 4; ++seed) expect_lanes_in_a_gorge<batch<float, 8>>(seed, 0, 3e-3, false, 150, as_it_is);
}
TEST(lanes_between_planes, come_out_of_them_as_worlds_that_are_alone) {
    for (unsigned seed = 1; seed <= 4; ++seed) expect_lanes_in_a_gorge<batch<float, 8>>(seed, 0, 0, true, 30, as_it_is);
}

}  // namespace
