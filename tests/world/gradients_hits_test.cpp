// Gradients through hits with restitution in which several contacts are struck at once: their impulses are found by sweeps, and those end when values no longer
// change, which they may do long before derivatives are right.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using sinew::vec3;

template <class S>
struct config : sinew::default_config {
    using scalar = S;
};
template <class S>
using scene = sinew::world<config<S>, sinew::box, sinew::half_space>;
template <class S>
S number(double x) {
    return S(static_cast<sinew::value_type_t<S>>(x));
}
// The spin about z with which a box has left a floor that it fell upon flat; its bodies' spin and speed of before.
template <class S>
S spin_after(S const& spin, S const& speed, double restitution, double friction) {
    scene<S> w;
    w.gravity = {};
    sinew::collider_options<S> const surface{.material = sinew::material<S>::of(number<S>(friction), number<S>(restitution))};
    w.add(sinew::half_space<S>{}, w.ground(), surface);
    auto const b = w.add_solid(sinew::box<S>{{number<S>(0.5), number<S>(0.25), number<S>(0.375)}}, S(4), sinew::pose<S>{{S(0), number<S>(0.27), S(0)}, {}}, surface,
                               sinew::twist<S>{{S(0), -speed, S(0)}, {S(0), S(0), spin}});
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(w.step(number<S>(1.0 / 64)));
    EXPECT_GT(sinew::value(w.twist(b).linear[1]), 0) << "it has been struck";
    return w.twist(b).angular[2];
}

// Each corner leaves with a share e of what it came with, so the whole motion turns around: the spin is -e of what it was, whatever the speed.
TEST(gradients_of_a_box_that_falls_flat, are_those_of_newtons_law) {
    using D = sinew::dual<double, 2>;
    for (double const e : {0.25, 0.5, 0.9})
        for (double const spin : {0.0, 1e-9, -1e-4, 1e-3}) {
            SCOPED_TRACE(testing::Message() << "restitution " << e << ", spin " << spin);
            auto const after = spin_after<D>(D::variable(spin, 0), D::variable(1, 1), e, 0);
            EXPECT_NEAR(after.v, -e * spin, 1e-9);
            EXPECT_NEAR(after.d[0], -e, 1e-6);
            EXPECT_NEAR(after.d[1], 0, 1e-6);
            EXPECT_EQ(after.v, spin_after<double>(spin, 1, e, 0)) << "derivatives change no value";
        }
}
// Second ones too: the spin is in proportion to that of before, also where it is none and friction that is none holds no corner.
TEST(gradients_of_a_box_that_falls_flat, are_those_of_newtons_law_twice) {
    using D = sinew::dual<sinew::dual<double, 1>, 1>;
    for (double const spin : {0.0, 1e-9, 1e-3}) {
        D x(sinew::dual<double, 1>::variable(spin, 0));
        x.d[0] = sinew::dual<double, 1>(1);
        auto const after = spin_after<D>(x, D(1), 0.5, 0);
        EXPECT_NEAR(after.d[0].v, -0.5, 1e-6) << spin;
        EXPECT_NEAR(after.d[0].d[0], 0, 1e-6) << spin;
    }
}
// With friction the box that spins also slips at its corners, and what holds them turns it too.
TEST(gradients_of_a_box_that_falls_flat, are_those_of_differences_with_friction) {
    using D = sinew::dual<double, 2>;
    for (double const spin : {0.0, 0.02}) {
        SCOPED_TRACE(spin);
        auto const after = spin_after<D>(D::variable(spin, 0), D::variable(1, 1), 0.5, 0.6);
        long double const h = 1e-7L, by_spin = (spin_after<long double>(spin + h, 1, 0.5, 0.6) - spin_after<long double>(spin - h, 1, 0.5, 0.6)) / (2 * h);
        EXPECT_NEAR(after.d[0], static_cast<double>(by_spin), 1e-5);
        EXPECT_EQ(after.v, spin_after<double>(spin, 1, 0.5, 0.6));
    }
}

// A box and a capsule meet askew, at three points, and the sweeps end before they have found all: derivatives are of what they have found.
template <class S>
S spin_after_a_meeting(S const& offset, S const& turn) {
    sinew::world<config<S>, sinew::box, sinew::capsule> w;
    w.gravity = {};
    sinew::collider_options<S> const o{.material = sinew::material<S>::of(number<S>(0.3), number<S>(0.4))};
    auto const vector = [](double x, double y, double z) { return vec3<S>{number<S>(x), number<S>(y), number<S>(z)}; };
    auto const a = w.add_solid(sinew::box<S>{vector(0.12, 0.084, 0.156)}, S(500), sinew::pose<S>{{}, sinew::quaternion_exp(vector(1.52, 0.2, -1.12))}, o,
                               sinew::twist<S>{vector(0, 0, 0.1), vector(0.2, 0, 0.3)});
    auto const b = w.add_solid(sinew::capsule<S>{number<S>(0.12), number<S>(0.12)}, S(600),
                               sinew::pose<S>{{number<S>(0.05) + offset, number<S>(0.32), number<S>(0.04)}, sinew::quaternion_exp(vec3<S>{number<S>(-0.52), number<S>(0.4) + turn, number<S>(0.566)})}, o,
                               sinew::twist<S>{vector(0, -1.5, 0), vector(0.5, 0.3, 1)});
    EXPECT_TRUE(w.step(number<S>(1.0 / 120)));
    return w.twist(b).angular.x() + w.twist(a).linear.y();
}
TEST(gradients_of_a_box_and_a_capsule, are_those_of_the_sweeps_that_were_taken) {
    using D = sinew::dual<double, 2>;
    auto const after = spin_after_a_meeting<D>(D::variable(0, 0), D::variable(0, 1));
    long double const h = 1e-7L;
    EXPECT_NEAR(after.d[0], static_cast<double>((spin_after_a_meeting<long double>(h, 0) - spin_after_a_meeting<long double>(-h, 0)) / (2 * h)), 1e-6);
    EXPECT_NEAR(after.d[1], static_cast<double>((spin_after_a_meeting<long double>(0, h) - spin_after_a_meeting<long double>(0, -h)) / (2 * h)), 1e-6);
    EXPECT_EQ(after.v, spin_after_a_meeting<double>(0, 0)) << "derivatives change no value";
}

}  // namespace
