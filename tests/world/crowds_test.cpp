// Many bodies in one and the same place: they come apart, and no faster than bodies are pushed apart.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

template <class S, class Solver>
struct config : sinew::default_config {
    using scalar = S;
    using solver = Solver;
};

template <class Config>
class crowds : public testing::Test {};
using configs = testing::Types<config<float, sinew::sequential_impulses>, config<double, sinew::sequential_impulses>, config<float, sinew::wide_sequential_impulses<8>>>;
TYPED_TEST_SUITE(crowds, configs);

TYPED_TEST(crowds, come_apart_at_the_speed_of_a_pair) {
    using S = typename TypeParam::scalar;
    for (int const count : {3, 10, 20})
        for (bool const on_ground : {false, true}) {
            SCOPED_TRACE(testing::Message() << count << " boxes" << (on_ground ? " on the ground" : ""));
            sinew::world<TypeParam, sinew::box, sinew::half_space> w;
            if (!on_ground) w.gravity = {};
            w.add(sinew::half_space<S>{}, w.ground(), {.frame = {{0, on_ground ? S(0) : S(-100), 0}}});
            std::vector<typename decltype(w)::body_handle> bodies;
            for (int i = 0; i < count; ++i) bodies.push_back(w.add_solid(sinew::box<S>{{S(0.5), S(0.5), S(0.5)}}, S(1000), sinew::pose<S>{{0, S(0.5), 0}}));
            S const g = norm(w.gravity), h = S(1) / 60;
            S highest{};
            for (int i = 0; i < 1200; ++i) {
                ASSERT_TRUE(w.step(h));
                for (auto const b : bodies) {
                    highest = std::max(highest, w.position(b)[1]);
                    // What has been lifted falls.
                    S const falling = std::sqrt(S(2) * g * std::max(highest - w.position(b)[1], S(0)));
                    ASSERT_LE(norm(w.twist(b).linear), w.solver.contact_push_speed + falling + g * h) << "at step " << i;
                }
            }
            S deepest{};
            for (auto const& e : w.contacts()) {
                auto const& c = e.constraint;
                auto const at = [&](std::uint32_t body) { return body == 0 ? sinew::pose<S>{} : w.pose(bodies[body - 1]); };
                deepest = std::max(deepest, -dot(c.normal, at(e.bodies[1]).point(c.anchor_b) - at(e.bodies[0]).point(c.anchor_a)));
            }
            EXPECT_LT(deepest, 0.02) << "they are apart, or lie on one another";
        }
}

// In each step three more where many are: some contacts are of crowds, some are not, and lanes that are left over forget what they find.
TEST(crowds_in_wide_sweeps, have_the_same_bits_however_many_lanes) {
    auto const run = [](auto solver) {
        sinew::world<config<float, decltype(solver)>, sinew::box, sinew::half_space> w;
        w.add(sinew::half_space<float>{}, w.ground());
        std::vector<typename decltype(w)::body_handle> bodies;
        std::vector<float> numbers;
        for (int step = 0; step < 90; ++step) {
            if (step % 10 == 0)
                for (int i = 0; i < 3; ++i) {
                    float const x = 0.7f * static_cast<float>(i);
                    bodies.push_back(w.add_solid(sinew::box<float>{{0.5f, 0.5f, 0.5f}}, 1000.0f, sinew::pose<float>{{x, 0.5f, 0.1f * static_cast<float>(step)}, {}}));
                }
            EXPECT_TRUE(w.step(1 / 60.0f));
        }
        for (auto const b : bodies)
            for (int k = 0; k < 3; ++k) {
                numbers.push_back(w.position(b)[static_cast<std::size_t>(k)]);
                numbers.push_back(w.twist(b).angular[static_cast<std::size_t>(k)]);
            }
        return numbers;
    };
    auto const one = run(sinew::wide_sequential_impulses<1>{});
    EXPECT_EQ(run(sinew::wide_sequential_impulses<4>{}), one);
    EXPECT_EQ(run(sinew::wide_sequential_impulses<8>{}), one);
}

}  // namespace
