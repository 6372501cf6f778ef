// What rolls and rocks on round ground: a swing keeps its energy, and has the period of the exact solution.
//
//   A plank of half thickness t and moment of inertia I about its middle lies across a fixed cylinder of radius R. Rolled over by an angle a
//
//     V = m g ((R + t) cos a + R a sin a),    omega^2 = m g (R - t) / (I + m t^2)     for small a
//
//   (V is a minimum where R > t: a plank on a log.)

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

template <class S>
struct config_in : sinew::default_config {
    using scalar = S;
};
template <class S>
using world_of = sinew::world<config_in<S>, sinew::capsule, sinew::box, sinew::cylinder, sinew::height_field, sinew::half_space>;

template <class S>
class rocking : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(rocking, scalars);

template <class S>
constexpr S radius = S(0.4);
template <class S>
constexpr S thickness = S(0.02);
template <class S>
constexpr S along = S(0.5);
template <class S>
constexpr S g = S(9.81);
template <class S>
sinew::collider_options<S> rough() {
    return {.material = sinew::material<S>::of(S(1))};
}
template <class S>
sinew::quaternion<S> turned(S x, S y, S z) {
    return sinew::quaternion_exp(sinew::vec3<S>{x, y, z});
}

// A plank that has rolled over by a.
template <class S>
auto add_plank(world_of<S>& w, S a) {
    auto log = rough<S>();
    log.frame = {{}, turned(sinew::pi_v<S> / 2, S(0), S(0))};
    w.add(sinew::cylinder<S>{radius<S>, S(0.3)}, w.ground(), log);
    sinew::vec3<S> const normal{std::sin(a), std::cos(a), 0}, along_it{std::cos(a), -std::sin(a), 0};
    return w.add_solid(sinew::box<S>{{along<S>, thickness<S>, S(0.1)}}, S(500), {normal * (radius<S> + thickness<S>)-along_it * (radius<S> * a), turned(S(0), S(0), -a)}, rough<S>());
}
// Above that of rest, J. The plank's own sum, in double: the world's would be rounded by more than what is looked for.
template <class S>
double energy_of(world_of<S> const& w, auto const& plank) {
    auto const b = w.body(plank);
    auto const v = b.twist.linear, spin = b.pose.local_direction(b.twist.angular), L = b.inertia * spin;
    double twice = 0;
    for (std::size_t k = 0; k < 3; ++k) twice += double(b.mass) * double(v[k]) * double(v[k]) + double(spin[k]) * double(L[k]);
    return twice / 2 + double(b.mass) * 9.81 * (double(b.pose.position.y()) - double(radius<S> + thickness<S>));
}

TYPED_TEST(rocking, a_plank_on_a_log_swings_as_far_as_before) {
    using S = TypeParam;
    for (int const substeps : {1, 2, 5, 12})
        for (S const rate : {S(60), S(120)})
            for (S const a : {S(0.05), S(0.1)}) {
                world_of<S> w;
                w.solver.substeps = substeps;
                w.solver.iterations = substeps == 1 ? 10 : 2;
                auto const plank = add_plank<S>(w, a);
                // A second is more than a period.
                std::vector<S> farthest;
                for (int second = 0; second < 10; ++second) {
                    farthest.push_back(0);
                    for (int i = 0; i < static_cast<int>(rate); ++i) {
                        ASSERT_TRUE(w.step(1 / rate));
                        farthest.back() = std::max(farthest.back(), std::abs(w.pose(plank).direction(sinew::vec3<S>{1, 0, 0}).y()));
                    }
                }
                // A swing has omega = 6.7 / s. A push that lags by half a step would win a share omega^2 / 120 of its energy, 0.37, in each second.
                EXPECT_NEAR(farthest.back(), farthest[1], farthest[1] / 20) << substeps << " substeps at " << rate << " Hz from " << a;
            }
}

TYPED_TEST(rocking, a_plank_on_a_log_swings_with_its_period) {
    using S = TypeParam;
    world_of<S> w;
    auto const plank = add_plank<S>(w, S(0.05));
    S const m = w.body(plank).mass, I = m / 3 * (along<S> * along<S> + thickness<S> * thickness<S>);
    S const period = 2 * sinew::pi_v<S> / std::sqrt(m * g<S> * (radius<S> - thickness<S>) / (I + m * thickness<S> * thickness<S>));
    // The passages upward through level, interpolated between steps.
    std::vector<S> passages;
    S const h = S(1) / 120;
    S last = 0;
    for (int i = 0; i < 1200; ++i) {
        ASSERT_TRUE(w.step(h));
        S const tilt = w.pose(plank).direction(sinew::vec3<S>{1, 0, 0}).y();
        if (last < 0 && tilt >= 0) passages.push_back((static_cast<S>(i) + last / (last - tilt)) * h);
        last = tilt;
    }
    ASSERT_GT(passages.size(), 8u);
    EXPECT_NEAR((passages.back() - passages.front()) / static_cast<S>(passages.size() - 1), period, period / 100);
}

// Of two round ones. The upper is held from rolling away by nothing but its friction.
TYPED_TEST(rocking, a_capsule_on_a_capsule_keeps_its_energy) {
    using S = TypeParam;
    world_of<S> w;
    auto below = rough<S>();
    below.frame = {{}, turned(sinew::pi_v<S> / 2, S(0), S(0))};
    w.add(sinew::capsule<S>{S(0.3), S(1)}, w.ground(), below);
    auto const above = w.add_solid(sinew::capsule<S>{S(0.05), S(0.4)}, S(500), {{0, S(0.35), 0}, turned(S(0), S(0), sinew::pi_v<S> / 2)}, rough<S>(), {{}, {0, 0, S(0.2)}});
    double const rest = double(w.body(above).mass) * 9.81 * double(S(0.35) - radius<S> - thickness<S>);
    double least = 1e9, most = 0;
    for (int second = 0; second < 12; ++second) {
        double mean = 0;
        for (int i = 0; i < 60; ++i) {
            ASSERT_TRUE(w.step(S(1) / 60));
            mean += (energy_of<S>(w, above) - rest) / 60;
        }
        if (second < 2) continue;
        least = std::min(least, mean);
        most = std::max(most, mean);
    }
    EXPECT_LT(most, 1.1 * least);
}

// Friction is within its cone in every contact of every step, also where contacts come and go: what does not push does not rub.
TYPED_TEST(rocking, a_wheel_over_triangles_rubs_only_where_it_presses) {
    using S = TypeParam;
    world_of<S> w;
    std::vector<S> const flat(40 * 20, S(0));
    auto ground = rough<S>();
    ground.frame = {{0, 0, -5}};
    w.add(height_field_of(flat, 40, sinew::vec{S(0.5), S(0.5)}), w.ground(), ground);
    S const r = S(0.36), speed = 5;
    auto const wheel = w.add_solid(sinew::cylinder<S>{r, S(0.12)}, S(200), {{2, r, 0}, turned(sinew::pi_v<S> / 2, S(0), S(0))}, rough<S>(), {{speed, 0, 0}, {0, 0, -speed / r}});
    for (int i = 0; i < 120; ++i) {
        ASSERT_TRUE(w.step(S(1) / 60));
        w.for_each_touch([&](auto const& t) {
            for (auto const& e : t.contacts) {
                S const rub = std::hypot(e.lambda[1], e.lambda[2]), most = e.constraint.friction() * e.lambda[0];
                EXPECT_LE(rub, most * S(1.001) + S(1e-3)) << "step " << i << ", pressed by " << e.lambda[0] << " N";
            }
        });
    }
    EXPECT_NEAR(w.twist(wheel).linear.x(), speed, speed / 20);
}

}  // namespace
