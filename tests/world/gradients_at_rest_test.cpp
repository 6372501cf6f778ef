// Gradients where an iteration has nothing to do for the values: constraints that hold when a step begins, systems whose right side is 0, equations of an implicit
// integrator that are solved by their first guess. It must go on for the derivatives.

#include "gradients_scene.hpp"

namespace {

using namespace gradients_scene;

/// Three links hang straight down at rest, laid out so that all joints hold: {length of the first, place of an anchor, sideways force, a speed along the links,
/// gravity, sideways speed of the last}. A rod carries them.
template <class S, class Solver, drift_control Drift, class Integrator = symplectic_euler>
struct hanging_links {
    sinew::world<config<S, Solver, Integrator>, distance, ball_joint, hinge_joint, weld_joint> world;
    handle<rigid> links[3]{};
    S force{}, h{S(1) / S(60)};

    void build(std::span<S const> p) {
        world.solver.drift = Drift;
        world.gravity = {S(0), -p[4], S(0)};
        for (std::size_t i = 0; i < 3; ++i) {
            S const y(-static_cast<int>(i));
            links[i] = world.add(rigid_body_of(solid_box(S(1), vec3<S>{number<S>(0.2), number<S>(0.8), number<S>(0.3)}), pose<S>{{S(0), y - S(1) / S(2), S(0)}, {}}));
        }
        auto const at = [&](int y) { return vec3<S>{S(0), S(y), S(0)}; };
        world.add(distance<S>{{S(0), S(1), S(0)}, {S(0), S(1) / S(2), S(0)}, p[0]}, world.ground(), links[0]);
        auto joint = ball_joint<S>::at(world.pose(links[0]), world.pose(links[1]), at(-1));
        joint.anchor_b[1] = joint.anchor_b[1] + p[1];
        world.add(joint, links[0], links[1]);
        world.add(hinge_joint<S>::at(world.pose(links[1]), world.pose(links[2]), at(-2), {S(0), S(0), S(1)}), links[1], links[2]);
        world.set_twist(links[2], {{p[5], p[3], S(0)}, {}});
        force = p[2];
        if (p.size() > 6) h = p[6];
    }
    bool step(std::size_t, std::span<S const>) {
        world.apply_wrench(links[1], {{force, S(0), force}, {}});
        return static_cast<bool>(world.step(h));
    }
    S loss(std::size_t k, std::span<S const>) const { return k % 10 == 9 ? mark_of(world.pose(links[2])) + number<S>(0.2) * world.twist(links[1]).linear[1] : S(0); }
};

// Scene<S> for each strategy.
template <class Solver, drift_control Drift, class Integrator = symplectic_euler>
struct by {
    template <class S>
    using links = hanging_links<S, Solver, Drift, Integrator>;
};
template <class By>
struct gradients_of_links_at_rest : testing::Test {};
using strategies = testing::Types<by<lagrange_impulses<cholesky>, drift_control::projection>, by<lagrange_impulses<sparse_ldlt>, drift_control::projection>,
                                  by<lagrange_multipliers<sparse_ldlt>, drift_control::projection>, by<lagrange_multipliers<dantzig>, drift_control::projection>, by<lagrange_multipliers<warm_dantzig>, drift_control::projection>,
                                  by<lagrange_multipliers<conjugate_gradient>, drift_control::feedback>, by<lagrange_impulses<conjugate_gradient>, drift_control::projection>>;
TYPED_TEST_SUITE(gradients_of_links_at_rest, strategies);

TYPED_TEST(gradients_of_links_at_rest, are_those_of_differences) {
    expect_gradient<TypeParam::template links, 6>({1, 0, 0, 0, 9.81, 0}, 20, 1e-6);
    expect_gradient<TypeParam::template links, 6>({1, 0, 0, 0, 0, 0}, 20, 1e-6);  // no multiplier at all
}

/// A ball hangs on a taut rope: {length, mass}. Longer or shorter, it moves by as much.
template <class S, class Solver>
struct taut_rope {
    sinew::world<config<S, Solver>, rope> world;
    handle<rigid> ball{};

    void build(std::span<S const> p) {
        ball = world.add(rigid_body_of(solid_sphere(p[1], number<S>(0.1)), pose<S>{{S(0), S(-1), S(0)}, {}}));
        world.add(rope<S>{{}, {}, p[0]}, world.ground(), ball);
    }
    bool step(std::size_t, std::span<S const>) { return static_cast<bool>(world.step(S(1) / S(60))); }
    S loss(std::size_t k, std::span<S const>) const { return k == 9 ? world.position(ball).y() : S(0); }
};
template <class S>
using rope_of_sparse_factors = taut_rope<S, lagrange_impulses<sparse_ldlt>>;
template <class S>
using rope_of_pivots = taut_rope<S, lagrange_impulses<dantzig>>;
TEST(gradients_of_a_taut_rope, are_those_of_differences) {
    expect_gradient<rope_of_sparse_factors, 2>({1, 2}, 10, 1e-6);
    expect_gradient<rope_of_pivots, 2>({1, 2}, 10, 1e-6);
}

// By the length of the step too: what is 0 and stays 0 has derivatives of rounding, which no iteration can bring to an end.
template <class By>
struct gradients_of_links_at_rest_in_time : testing::Test {};
using integrators = testing::Types<by<lagrange_multipliers<cholesky>, drift_control::feedback, implicit_midpoint>, by<lagrange_multipliers<cholesky>, drift_control::feedback, implicit_euler>,
                                   by<lagrange_multipliers<cholesky>, drift_control::feedback, rk4>>;
TYPED_TEST_SUITE(gradients_of_links_at_rest_in_time, integrators);

TYPED_TEST(gradients_of_links_at_rest_in_time, are_those_of_differences) {
    expect_gradient<TypeParam::template links, 7>({1, 0, 0, 0, 9.81, 0, 1.0 / 120}, 40, 1e-6);
    expect_gradient<TypeParam::template links, 7>({1, 0, 0.5, 0, 9.81, 0.2, 1.0 / 120}, 40, 1e-6);
}

// Values are those of the same world without derivatives, bit for bit.
TYPED_TEST(gradients_of_links_at_rest_in_time, leave_the_values) {
    std::vector<double> const p{1, 0, 0.5, 0, 9.81, 0.2, 1.0 / 120};
    std::vector<dual<double, 7>> seeded;
    for (std::size_t i = 0; i < 7; ++i) seeded.push_back(dual<double, 7>::variable(p[i], i));
    auto const with = simulate<TypeParam::template links, dual<double, 7>>(seeded, {}, 40);
    auto const without = simulate<TypeParam::template links, double>(p, {}, 40);
    EXPECT_TRUE(with && without);
    EXPECT_EQ(with.loss.v, without.loss);
}
TYPED_TEST(gradients_of_links_at_rest, leave_the_values) {
    std::vector<double> const p{1, 0, 0.5, 0, 9.81, 0.2};
    std::vector<dual<double, 6>> seeded;
    for (std::size_t i = 0; i < 6; ++i) seeded.push_back(dual<double, 6>::variable(p[i], i));
    auto const with = simulate<TypeParam::template links, dual<double, 6>>(seeded, {}, 20);
    auto const without = simulate<TypeParam::template links, double>(p, {}, 20);
    EXPECT_TRUE(with && without);
    EXPECT_EQ(with.loss.v, without.loss);
}

// More bodies than Newton's method has room for, each at rest on its spring: fixed-point iteration gains a speed of g k / m times an error of the place, and loses
// it again. By its first speed a place goes as the midpoint rule has it of an oscillator.
TEST(gradients_of_springs_at_rest, are_those_of_oscillators) {
    using D = dual<double, 1>;
    for (double stiffness : {10.0, 1000.0, 20000.0}) {
        sinew::world<config<D, lagrange_multipliers<cholesky>, implicit_midpoint>, spring> w;
        w.gravity = {};
        handle<rigid> first{};
        for (int i = 0; i < 25; ++i) {
            auto const b = w.add(rigid_body_of(solid_sphere(D(1), D(0.1)), pose<D>{{D(0), D(-1), D(0)}, {}}));
            w.add(spring<D>{.rest_length = D(1), .stiffness = D(stiffness)}, w.ground(), b);
            if (i == 0) first = b;
        }
        w.set_twist(first, {{D(0), D::variable(0, 0), D(0)}, {}});
        double const h = 1.0 / 240, q = h * h * stiffness / 4;
        double x = 0, v = 1;
        for (int i = 0; i < 10; ++i) {
            ASSERT_TRUE(w.step(D(h))) << stiffness << ", step " << i;
            double const next = ((1 - q) * x + h * v) / (1 + q);
            v = ((1 - q) * v - h * stiffness * x) / (1 + q);
            x = next;
        }
        EXPECT_EQ(w.position(first).y().v, -1);
        EXPECT_NEAR(w.position(first).y().d[0], x, 1e-9 * h) << stiffness;
    }
}

// Of the second order, by the length of the rod twice: a derivative of one, and against a difference of first derivatives.
TYPED_TEST(gradients_of_links_at_rest, have_second_derivatives) {
    using one = dual<double, 1>;
    using two = dual<one, 1>;
    auto const at = [](auto const& length, auto const& force) {
        using D = std::remove_cvref_t<decltype(length)>;
        std::vector<D> const p{length, D(0), force, D(0), number<D>(9.81), D(0)};
        return simulate<TypeParam::template links, D>(p, {}, 20).loss;
    };
    auto const first = [&](double length) { return at(one(length), one::variable(0, 0)).d[0]; };
    double const h = 1e-4, expected = (first(1 + h) - first(1 - h)) / (2 * h);
    two const mixed = at(two::variable(one(1), 0), two(one::variable(0, 0)));
    EXPECT_NEAR(mixed.d[0].d[0], expected, 1e-5 * std::max(1.0, std::abs(expected)));
}

}  // namespace
