// Heaps of thin bodies: rods, plates and needles that tumble, with an inertia that differs by hundreds from axis to axis. Their contacts must take energy
// away, however far they turn in a step.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

template <class S>
struct config : sinew::default_config {
    using scalar = S;
};

template <class S>
class thin_bodies : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(thin_bodies, scalars);

TYPED_TEST(thin_bodies, a_heap_comes_to_rest_and_wins_no_energy) {
    using S = TypeParam;
    using vec = sinew::vec3<S>;
    for (unsigned const seed : {4u, 14u}) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> within(-1, 1);
        auto const any = [&] { return S(within(random)); };
        sinew::world<config<S>, sinew::box, sinew::capsule, sinew::cylinder, sinew::half_space> w;
        w.add(sinew::half_space<S>{}, w.ground());
        std::vector<typename decltype(w)::body_handle> bodies;
        for (int i = 0; i < 36; ++i) {
            sinew::pose<S> const at{vec{any() / 2, S(0.4) + S(0.05) * S(i), any() / 2}, sinew::quaternion_exp(vec{any(), any(), any()} * S(3))};
            sinew::twist<S> const moves{{any(), any(), any()}, {S(5) * any(), S(5) * any(), S(5) * any()}};
            if (i % 3 == 0) bodies.push_back(w.add_solid(sinew::box<S>{{S(0.3), S(0.005), S(0.2)}}, S(1000), at, {}, moves));
            if (i % 3 == 1) bodies.push_back(w.add_solid(sinew::capsule<S>{S(0.01), S(0.4)}, S(1000), at, {}, moves));
            if (i % 3 == 2) bodies.push_back(w.add_solid(sinew::cylinder<S>{S(0.25), S(0.01)}, S(1000), at, {}, moves));
        }
        auto const energy = [&] { return double(w.kinetic_energy() + w.potential_energy()); };
        double const first = energy();
        double last = first;
        for (int i = 0; i < 240; ++i) {
            ASSERT_TRUE(w.step(S(1) / S(60))) << "step " << i;
            double const now = energy();
            // What overlaps in the beginning is pushed apart, which lifts it.
            ASSERT_LT(now, i < 30 ? 1.5 * first : last + 0.02 * first) << "step " << i;
            last = now;
        }
        EXPECT_LT(double(w.kinetic_energy()), 0.05 * first);  // rods roll on
        for (auto const b : bodies) EXPECT_GT(double(w.position(b)[1]), -0.01);
    }
}

}  // namespace
