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

template <class Case>
struct slow_rolling : testing::Test {
    using S = typename Case::scalar;
    using world = sinew::world<config<Case>, sinew::half_space, sinew::box, sinew::sphere, sinew::capsule, sinew::cylinder>;

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
    static void keeps_its_speed(Shape const& shape) {
        for (double const rate : {60.0, 240.0})
            for (double const speed : {1e-5, 2e-4})
                for (bool const on_box : {false, true}) {
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

}  // namespace
