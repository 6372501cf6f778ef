// Many bodies in one and the same place: they come apart, and no faster than bodies are pushed apart.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

template <class S>
struct config : sinew::default_config {
    using scalar = S;
};

template <class S>
class crowds : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(crowds, scalars);

TYPED_TEST(crowds, come_apart_at_the_speed_of_a_pair) {
    using S = TypeParam;
    for (int const count : {3, 10, 20})
        for (bool const on_ground : {false, true}) {
            SCOPED_TRACE(testing::Message() << count << " boxes" << (on_ground ? " on the ground" : ""));
            sinew::world<config<S>, sinew::box, sinew::half_space> w;
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

}  // namespace
