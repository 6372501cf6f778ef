// What stands on a table that turns is carried around: friction gives the centripetal force, omega^2 r, as long as that is less than mu g.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace sinew;

template <class T>
struct settings : default_config {
    using scalar = T;
};
template <class T>
using table_world = world<settings<T>, box>;

template <class T>
handle<rigid> add_table(table_world<T>& w, T spin, T mu) {
    auto const table = w.add_fixed({{T(0), T(-0.1), T(0)}}, {{}, {T(0), spin, T(0)}});
    w.add(box<T>{{T(5), T(0.1), T(5)}}, table, {.material = material<T>::of(mu)});
    return table;
}
// Of half extent 0.1 m, which turns with the table.
template <class T>
handle<rigid> put_box(table_world<T>& w, T spin, T mu, T radius, T height) {
    return w.add_solid(box<T>{{T(0.1), T(0.1), T(0.1)}}, T(500), {{radius, height, T(0)}}, {.material = material<T>::of(mu)},
                       {{T(0), T(0), -spin * radius}, {T(0), spin, T(0)}});
}

template <class T>
struct turntable : testing::Test {};
using precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(turntable, precisions);

TYPED_TEST(turntable, carries_a_box_around_without_creep) {
    using T = TypeParam;
    for (T const mu : {T(0.5), T(1)})
        for (T const share : {T(0.05), T(0.5), T(0.8)})
            for (int const substeps : {5, 20}) {
                T const spin = std::sqrt(share * mu * T(9.81));
                table_world<T> w;
                w.solver.substeps = substeps;
                auto const table = add_table(w, spin, mu);
                auto const b = put_box(w, spin, mu, T(1), T(0.1));
                T from_settled(0);
                vec3<T> settled{};
                for (int i = 0; i < 1200; ++i) {
                    w.step(T(1) / 60);
                    auto const place = w.pose(table).local_point(w.position(b));
                    if (i == 60) settled = place;
                    if (i > 60) from_settled = std::max(from_settled, norm(place - settled));
                }
                EXPECT_LT(norm(settled - vec3<T>{T(1), T(0.2), T(0)}), T(2e-3)) << "mu " << mu << ", " << share << " of the friction, " << substeps << " substeps";
                EXPECT_LT(from_settled, T(2e-4)) << "mu " << mu << ", " << share << " of the friction, " << substeps << " substeps";
            }
}

TYPED_TEST(turntable, carries_a_stack) {
    using T = TypeParam;
    T const spin = T(1.2), mu = T(0.6);
    table_world<T> w;
    auto const table = add_table(w, spin, mu);
    handle<rigid> boxes[3];
    for (int k = 0; k < 3; ++k) boxes[k] = put_box(w, spin, mu, T(1), T(0.1) + T(0.2) * T(k));
    for (int i = 0; i < 1200; ++i) w.step(T(1) / 60);
    for (int k = 0; k < 3; ++k)
        EXPECT_LT(norm(w.pose(table).local_point(w.position(boxes[k])) - vec3<T>{T(1), T(0.2) + T(0.2) * T(k), T(0)}), T(2e-3)) << k;
}

TYPED_TEST(turntable, lets_go_what_its_friction_cannot_hold) {
    using T = TypeParam;
    T const mu(0.5), spin = std::sqrt(T(1.05) * mu * T(9.81));
    table_world<T> w;
    auto const table = add_table(w, spin, mu);
    auto const b = put_box(w, spin, mu, T(1), T(0.1));
    for (int i = 0; i < 120; ++i) w.step(T(1) / 60);
    EXPECT_GT(norm(w.pose(table).local_point(w.position(b)) - vec3<T>{T(1), T(0.2), T(0)}), T(0.05));
}

TYPED_TEST(turntable, carries_a_box_along_its_belt) {
    using T = TypeParam;
    T const spin = T(1), mu = T(0.9), speed = T(0.2);
    table_world<T> w;
    auto const table = w.add_fixed({{T(0), T(-0.1), T(0)}}, {{}, {T(0), spin, T(0)}});
    material<T> belt = material<T>::of(mu);
    belt.surface_velocity = {speed, T(0), T(0)};
    w.add(box<T>{{T(5), T(0.1), T(5)}}, table, {.material = belt});
    auto const b = put_box(w, spin, mu, T(-1), T(0.1));
    w.set_twist(b, {{speed, T(0), spin}, {T(0), spin, T(0)}});
    for (int i = 0; i < 600; ++i) w.step(T(1) / 60);
    EXPECT_LT(norm(w.pose(table).local_point(w.position(b)) - vec3<T>{T(1), T(0.2), T(0)}), T(1e-3));
}

}  // namespace
