// What hardly moves rolls on as it does: nothing on level ground gives it speed, however long it takes for the point that touches to become another.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace {

template <class S, class Solver>
struct run_with {
    using scalar = S;
    using solver = Solver;
};
template <class Case>
struct config : sinew::default_config {
    using scalar = typename Case::scalar;
    using solver = typename Case::solver;
};
constexpr double radius = 0.5;

// A user's ball, which tells of its support alone.
template <class S>
struct own_ball {
    constexpr sinew::vec3<S> support(sinew::vec3<S> const& d) const { return normalize(d) * S(radius); }
};
template <class Case>
struct slow_rolling : testing::Test {
    using S = typename Case::scalar;
    using world = sinew::world<config<Case>, sinew::half_space, sinew::box, sinew::sphere, sinew::capsule, sinew::cylinder, own_ball>;

    // The greatest speed along its way within some seconds, m/s, of what begins to roll at `speed` over the top of a box or a half space, its axis along z.
    template <class Shape>
    static double fastest(Shape const& shape, double rate, double speed, bool on_box, double seconds = 5) {
        world w;
        if (on_box)
            w.add(sinew::box<S>{{S(2), S(1), S(2)}}, w.ground(), {.frame = {{S(0), S(-1), S(0)}, {}}});
        else
            w.add(sinew::half_space<S>{}, w.ground());
        auto const lies = sinew::quaternion_exp(sinew::vec3<S>{S(std::numbers::pi / 2), S(0), S(0)});
        auto const b = w.add_solid(shape, S(1000), {{S(0), S(radius), S(0)}, lies}, {}, {{S(speed), S(0), S(0)}, {S(0), S(0), S(-speed / radius)}});
        double most = 0;
        for (int i = 0; i < static_cast<int>(seconds * rate); ++i) {
            EXPECT_TRUE(w.step(S(1 / rate)));
            most = std::max(most, std::abs(static_cast<double>(w.twist(b).linear.x())));
        }
        EXPECT_GT(w.twist(b).linear.x(), S(0)) << "and nothing holds it";
        return most;
    }
    template <class Shape>
    static void keeps_its_speed(Shape const& shape, bool on_boxes = true) {
        for (double const rate : {60.0, 240.0})
            for (double const speed : {1e-5, 2e-4})
                for (bool const on_box : {false, true}) {
                    if (on_box && !on_boxes) continue;
                    // Points are known to a rounding: by that much a push may act behind the one that touches.
                    double const rounding = 64 * static_cast<double>(sinew::epsilon_v<S>) * radius * rate;
                    EXPECT_LT(fastest(shape, rate, speed, on_box), 1.05 * speed + rounding) << rate << " Hz, " << speed << " m/s" << (on_box ? ", on a box" : "");
                }
    }
};
using runs = testing::Types<run_with<double, sinew::sequential_impulses>, run_with<float, sinew::sequential_impulses>, run_with<double, sinew::nonlinear_gauss_seidel>,
                            run_with<double, sinew::lagrange_impulses<sinew::dantzig>>>;
TYPED_TEST_SUITE(slow_rolling, runs, );

TYPED_TEST(slow_rolling, of_a_ball) { this->keeps_its_speed(sinew::sphere<typename TestFixture::S>{typename TestFixture::S(radius)}); }
TYPED_TEST(slow_rolling, of_a_capsule) { this->keeps_its_speed(sinew::capsule<typename TestFixture::S>{typename TestFixture::S(radius), typename TestFixture::S(0.3)}); }
TYPED_TEST(slow_rolling, of_a_cylinder) { this->keeps_its_speed(sinew::cylinder<typename TestFixture::S>{typename TestFixture::S(radius), typename TestFixture::S(0.3)}); }

// Strategies of positions lift by what turns on, where nothing tells them of a radius; on a box the points of touch are known by an iteration alone.
TYPED_TEST(slow_rolling, of_a_shape_without_faces) {
    if constexpr (TestFixture::world::strategy_type::level == sinew::solver_level::velocity) this->keeps_its_speed(own_ball<typename TestFixture::S>{}, false);
}

// Two discs on an axle lie on their rims, and roll about the point where the cone through them ends.
TYPED_TEST(slow_rolling, of_two_wheels_on_their_rims) {
    using S = typename TestFixture::S;
    using sinew::vec3;
    if constexpr (TestFixture::world::strategy_type::level == sinew::solver_level::velocity)
        for (S const rate : {S(60), S(240)}) {
            S const speed = S(1e-5), lean = std::atan(S(0.3)), half = S(0.02);  // radii of 0.5 and 0.2 m, 1 m apart
            typename TestFixture::world w;
            w.add(sinew::half_space<S>{}, w.ground());
            vec3<S> const axle{S(0), -std::sin(lean), std::cos(lean)}, large{S(0), half * std::sin(lean) + S(radius) * std::cos(lean), S(0)}, middle = large + axle * S(0.35);
            sinew::rigid_body<S> body{.mass = S(100), .inertia = sinew::diagonal(S(10), S(10), S(10)), .pose = {middle, {}}};
            body.twist = {{speed, S(0), S(0)}, {S(0), S(0), -speed / middle.y()}};
            auto const b = w.add(body);
            auto const along = sinew::quaternion_exp(vec3<S>{S(std::numbers::pi / 2) + lean, S(0), S(0)});
            w.add(sinew::cylinder<S>{S(radius), half}, b, {.frame = {large - middle, along}});
            w.add(sinew::cylinder<S>{S(0.2), half}, b, {.frame = {large + axle - middle, along}});
            S most(0);
            for (int i = 0; i < static_cast<int>(5 * rate); ++i) {
                ASSERT_TRUE(w.step(1 / rate));
                vec3<S> const v = w.twist(b).linear;
                most = std::max(most, std::hypot(v.x(), v.z()));
            }
            // They sink in by some 0.01 mm, one more than the other, and move by that.
            EXPECT_LT(most, S(5) * speed + S(64) * sinew::epsilon_v<S> * S(radius) * rate) << rate << " Hz";
        }
}

}  // namespace
