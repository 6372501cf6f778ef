// Penalty forces: minus the gradient of their energy, momentum, dampers that take energy, one-sided rows that let go, and what
// oscillates in a world at sqrt(k / m).

#include <sinew/constraint/penalty_force.hpp>

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>

namespace {

using namespace sinew;

template <class S>
using soft_pin = penalty_force<S, ball_joint>;
template <class S>
using soft_hinge = penalty_force<S, hinge_joint>;
template <class S>
using elastic_rope = penalty_force<S, particle_rope>;
template <class S>
using bumper = penalty_force<S, linear_limit>;

// A user's own, of three bodies and two kinds, without a Jacobian: the particle is as far from one body as from the other,
// and as high as both together.
template <scalar S>
struct between {
    static constexpr std::size_t rows = 2;
    using attachments = binds<rigid, point_mass, rigid>;
    vec3<S> anchor{S(0), S(0), S(0)};  // of both bodies
    constexpr auto error(auto const& a, auto const& p, auto const& b) const {
        auto const pa = a.point(anchor), pb = b.point(anchor);
        return stack_rows(squared_norm(pa - p.position) - squared_norm(pb - p.position), p.position[1] - pa[1] - pb[1]);
    }
};
// One that halves its own multipliers.
template <scalar S>
struct half_hearted {
    static constexpr std::size_t rows = 1;
    using attachments = binds<point_mass>;
    constexpr auto error(auto const& p) const { return p.position[0]; }
    constexpr vec<S, 1> update(vec<S, 1> const&, vec<S, 1> const& proposed, auto const&) const { return {proposed[0] / S(2)}; }
};
// One whose target moves with 3 m/s.
template <scalar S>
struct moving_target {
    static constexpr std::size_t rows = 1;
    using attachments = binds<point_mass>;
    constexpr auto error(auto const& p) const { return p.position[0]; }
    constexpr auto rate(auto const&, auto const& t) const { return t.linear[0] - S(3); }
};
// One that knows its bounds from the others' multipliers: row 1 within half of row 0.
template <scalar S>
struct cone {
    static constexpr std::size_t rows = 2;
    using attachments = binds<point_mass>;
    constexpr auto error(auto const& p) const { return stack_rows(p.position[0], p.position[1]); }
    constexpr bounds<S, 2> limits(vec<S, 2> const& lambda, auto const&) const {
        return {{S(0), -lambda[0] / S(2)}, {infinity_v<S>, lambda[0] / S(2)}};
    }
};

static_assert(force_for<soft_pin<double>, double> && bound_force_for<soft_hinge<float>, float> && force_for<elastic_rope<long double>, long double> &&
              force_for<penalty_force<double, between>, double> && !constraint_for<soft_pin<double>, double>);

template <class R>
class penalty : public testing::Test {};
using rotations = testing::Types<quaternion<double>, rotation_matrix<double>, rotation_vector<double>, quaternion<float>, rotation_matrix<float>,
                                 rotation_vector<float>>;
TYPED_TEST_SUITE(penalty, rotations);

constexpr std::uint64_t seed = 20053;

template <class K, class R>
auto random_body(splitmix64& random) {
    using S = typename R::scalar_type;
    if constexpr (std::same_as<K, rigid>) {
        rigid_body<S, R> b;
        b.mass = random_number(random, S(0.5), S(2));
        b.pose = random_pose<rigid, R>(random, S(1));
        b.twist = random_twist<rigid, S>(random, S(1));
        return b;
    } else {
        return particle<S>{random_number(random, S(0.5), S(2)), random_vector<S>(random, S(1)), random_vector<S>(random, S(1))};
    }
}
template <class S, class R>
auto moved(rigid_body<S, R> b, std::size_t k, S h) {
    S xi[6] = {};
    xi[k] = h;
    b.pose = detail::displaced(b.pose, xi);
    return b;
}
template <class S>
auto moved(particle<S> b, std::size_t k, S h) {
    b.position[k] += h;
    return b;
}
template <class B>
constexpr std::size_t dof_of = B::kind::dof;
template <class B>
auto power(wrench<typename B::scalar_type> const& w, B const& b) {
    return dot(w.force, velocity_of(b)) + dot(w.torque, angular_velocity_of(b));
}

// The laws, for a force that is at a place where its energy has derivatives.
template <class F, class... B>
void expect_laws(F f, bool internal, std::tuple<B...> const& bodies) {
    using S = typename std::tuple_element_t<0, std::tuple<B...>>::scalar_type;
    S const epsilon = std::numeric_limits<S>::epsilon();
    S const h = std::is_same_v<S, float> ? S(1) / S(32) : S(1) / S(1024);
    auto const wrenches = [](F const& force, auto const& b) { return std::apply([&](auto const&... x) { return force.wrenches(x..., S(0)); }, b); };
    auto const energy = [&](auto const& b) { return std::apply([&](auto const&... x) { return f.energy(x...); }, b); };
    auto const damping = f.damping;

    // Without its dampers, minus the gradient. Central differences of two steps, extrapolated to fourth order.
    f.damping = {};
    auto const w = wrenches(f, bodies);
    S size = S(1) + energy(bodies);
    for (auto const& one : w) size = max(size, norm(one.force) + norm(one.torque));
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        auto const check = [&](auto index) {
            constexpr std::size_t i = index();
            using body = std::tuple_element_t<i, std::tuple<B...>>;
            auto const at = [&](std::size_t k, S step) {
                auto other = bodies;
                std::get<i>(other) = moved(std::get<i>(bodies), k, step);
                return energy(other);
            };
            for (std::size_t k = 0; k < dof_of<body>; ++k) {
                S const narrow = (at(k, h) - at(k, -h)) / (2 * h), wide = (at(k, 2 * h) - at(k, -2 * h)) / (4 * h);
                S const gradient = (4 * narrow - wide) / 3;
                // Truncation is 4 h^4 / 120 of the fifth derivative, which is 45 / d^4 of a distance d > 1/2 at most; rounding is epsilon / h.
                EXPECT_NEAR(k < 3 ? w[i].force[k] : w[i].torque[k - 3], -gradient, size * (512 * h * h * h * h + 8 * epsilon / h)) << "body " << i << ", " << k;
            }
            if (dof_of<body> == 3) {
                EXPECT_EQ(w[i].torque, (vec3<S>{}));
            }
        };
        (check(std::integral_constant<std::size_t, I>{}), ...);

        // Action and reaction.
        if (internal) {
            vec3<S> force{}, torque{};
            ((force += w[I].force, torque += cross(center_of(std::get<I>(bodies)), w[I].force) + w[I].torque), ...);
            EXPECT_LE(norm(force), 64 * epsilon * size);
            EXPECT_LE(norm(torque), 64 * epsilon * size);
        }

        // The dampers add no power.
        f.damping = damping;
        auto const damped = wrenches(f, bodies);
        S p{};
        ((p += power(damped[I], std::get<I>(bodies)) - power(w[I], std::get<I>(bodies))), ...);
        EXPECT_LE(p, 64 * epsilon * size);
    }(std::index_sequence_for<B...>{});
}

// Draws until the configuration is clear of where the constraint bends.
template <class Draw, class Clear>
auto drawn(splitmix64& random, Draw&& draw, Clear&& clear) {
    for (;;) {
        auto const b = draw(random);
        if (std::apply(clear, b)) return b;
    }
}
constexpr auto anywhere = [](auto const&...) { return true; };

TYPED_TEST(penalty, is_minus_the_gradient_of_its_energy) {
    using R = TypeParam;
    using S = typename R::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    splitmix64 random{seed};
    auto const two = [](splitmix64& r) { return std::tuple{random_body<rigid, R>(r), random_body<rigid, R>(r)}; };
    auto const particles = [](splitmix64& r) { return std::tuple{random_body<point_mass, R>(r), random_body<point_mass, R>(r)}; };
    S const near = S(1) / S(4);  // four times the reach of the differences in float, so that both sides of a bend are one
    auto const stiffness = [&] { return random_number(random, S(0.5), S(5)); };
    auto const damping = [&] { return random_number(random, S(0), S(2)); };
    auto const with = [&](auto force) {
        for (S& k : force.stiffness.e) k = stiffness();
        for (S& d : force.damping.e) d = damping();
        return force;
    };
    for (int i = 0; i < 20; ++i) {
        auto const a = random_pose<rigid, R>(random, S(1)), b = random_pose<rigid, R>(random, S(1));
        auto const point = random_vector<S>(random, S(1)), axis = random_direction<S>(random);
        {
            SCOPED_TRACE("ball");
            auto const joint = ball_joint<S>::at(a, b, point);
            expect_laws(soft_pin<S>::with(joint, stiffness(), damping()), true, drawn(random, two, anywhere));
        }
        {
            SCOPED_TRACE("distance");
            penalty_force<S, distance> const f{distance<S>::at(a, b, point, random_vector<S>(random, S(1))), {stiffness()}, {damping()}};
            expect_laws(f, true, drawn(random, two, [&](auto const& x, auto const& y) {
                            return norm(x.pose.point(f.constraint.anchor_a) - y.pose.point(f.constraint.anchor_b)) > 2 * near;
                        }));
        }
        {
            SCOPED_TRACE("hinge");
            auto f = with(soft_hinge<S>{hinge_joint<S>::at(a, b, point, axis), {}, {}});
            // Alike in all directions, or the point's torque is none of a central force.
            f.stiffness[1] = f.stiffness[2] = f.stiffness[0];
            expect_laws(f, true, drawn(random, two, anywhere));
        }
        {
            SCOPED_TRACE("axis alignment");
            auto const f = with(penalty_force<S, axis_alignment>{axis_alignment<S>::at(a, b, axis), {}, {}});
            expect_laws(f, true, drawn(random, two, [&](auto const& x, auto const& y) {
                            S const c = f.constraint.error(x.pose, y.pose);
                            return c > near && c < pi_v<S> / 2 - near;
                        }));
        }
        {
            SCOPED_TRACE("rope");
            auto const f = with(elastic_rope<S>{particle_rope<S>{{}, {}, S(1)}, {}, {}});
            expect_laws(f, true, drawn(random, particles, [&](auto const& x, auto const& y) {
                            S const d = norm(x.position - y.position);
                            return d > 2 * near && abs(d - S(1)) > near;
                        }));
        }
        {
            SCOPED_TRACE("limits");
            auto const f = with(bumper<S>{linear_limit<S>{point, {}, axis, S(-0.25), S(0.5)}, {}, {}});
            expect_laws(f, true, drawn(random, two, [&](auto const& x, auto const& y) {
                            S const s = dot(x.pose.direction(axis), y.pose.position - x.pose.point(point));
                            return abs(s + S(0.25)) > near && abs(s - S(0.5)) > near;
                        }));
        }
        {
            SCOPED_TRACE("servo, bounded");
            auto const f = with(penalty_force<S, angular_servo>{angular_servo<S>::at(a, b, axis, S(0.5), S(3)), {}, {}});
            expect_laws(f, true, drawn(random, two, [&](auto const& x, auto const& y) {
                            S const c = f.constraint.error(x.pose, y.pose);
                            // Angles between opposite axes are not defined.
                            bool const axes = dot(x.pose.direction(f.constraint.angle.axis_a), y.pose.direction(f.constraint.angle.axis_b)) > S(-0.5);
                            return axes && abs(c) < pi_v<S> - near && abs(abs(c) - 3 / f.stiffness[0]) > near;
                        }));
        }
        {
            SCOPED_TRACE("tetrahedron");
            auto const four = [](splitmix64& r) {
                return std::tuple{random_body<point_mass, R>(r), random_body<point_mass, R>(r), random_body<point_mass, R>(r), random_body<point_mass, R>(r)};
            };
            expect_laws(with(penalty_force<S, tetrahedron_volume>{tetrahedron_volume<S>{S(0.2), S(0)}, {}, {}}), true, drawn(random, four, anywhere));
        }
        {
            SCOPED_TRACE("a user's own");
            auto const three = [](splitmix64& r) { return std::tuple{random_body<rigid, R>(r), random_body<point_mass, R>(r), random_body<rigid, R>(r)}; };
            expect_laws(with(penalty_force<S, between>{between<S>{point}, {}, {}}), false, drawn(random, three, anywhere));
        }
    }
}

// ---- by hand

using body = rigid_body<double>;

// Vondrak's example at the end of 3.4: C = r_1 - r_2, f_1 = -k_s (r_1 - r_2) - k_d (v_1 - v_2) = -f_2.
TEST(penalty_forces, zero_length_spring) {
    body a, b;
    a.pose.position = {1, 2, 3};
    a.twist.linear = {0.5, 0, -1};
    b.pose.position = {0, 4, 3};
    b.twist.linear = {0, 1, 1};
    auto const w = soft_pin<double>::with({}, 10, 2).wrenches(a, b, 0.0);
    EXPECT_EQ(w[0].force, (vec3<double>{-10 - 1, 20 + 2, 4}));
    EXPECT_EQ(w[1].force, -w[0].force);
    EXPECT_DOUBLE_EQ(soft_pin<double>::with({}, 10, 2).energy(a, b), 10 * 5 / 2.0);
}

// The same force as a spring's, whose law was written by itself.
TEST(penalty_forces, a_rod_is_a_spring) {
    splitmix64 random{seed};
    for (int i = 0; i < 20; ++i) {
        auto const a = random_body<rigid, quaternion<double>>(random), b = random_body<rigid, quaternion<double>>(random);
        vec3<double> const p = random_vector(random, 1.0), q = random_vector(random, 1.0);
        auto const w = penalty_force<double, distance>{{p, q, 0.5}, {30}, {4}}.wrenches(a, b, 0.0);
        spring<double> const s{p, q, 0.5, 30, 4};
        auto const v = s.wrenches(a, b, 0.0);
        for (std::size_t k = 0; k < 2; ++k) {
            EXPECT_LE(norm(w[k].force - v[k].force), 1e-13);
            EXPECT_LE(norm(w[k].torque - v[k].torque), 1e-13);
        }
        EXPECT_NEAR((penalty_force<double, distance>{{p, q, 0.5}, {30}, {4}}.energy(a, b)), s.energy(a, b), 1e-13);
    }
}

TEST(penalty_forces, a_rope_pulls_only_while_it_is_too_long) {
    auto const rope = elastic_rope<double>::with({{}, {}, 1}, 100, 20);
    auto const pull = [&](double x, double v) { return rope.wrenches(particle<double>{}, particle<double>{1, {x, 0, 0}, {v, 0, 0}}, 0.0)[0].force[0]; };
    EXPECT_DOUBLE_EQ(pull(1.5, 0), 50);
    EXPECT_DOUBLE_EQ(pull(1.5, 1), 70);
    EXPECT_DOUBLE_EQ(pull(1.5, -1), 30);
    EXPECT_EQ(pull(1.5, -10), 0) << "its damper does not push";
    EXPECT_EQ(pull(0.5, 10), 0) << "slack, it does nothing, however fast it becomes taut";
    EXPECT_EQ(pull(1.0, 10), 0);
    EXPECT_EQ(rope.energy(particle<double>{}, particle<double>{1, {0.5, 0, 0}, {}}), 0);
    EXPECT_DOUBLE_EQ(rope.energy(particle<double>{}, particle<double>{1, {1.5, 0, 0}, {}}), 12.5);
}
TEST(penalty_forces, limits_act_beyond_either_end) {
    auto const f = bumper<double>::with({{}, {}, {1, 0, 0}, -1, 2}, 100, 10);
    auto const push = [&](double x, double v) {
        body b;
        b.pose.position = {x, 0, 0};
        b.twist.linear = {v, 0, 0};
        return f.wrenches(body{}, b, 0.0)[1].force[0];
    };
    EXPECT_DOUBLE_EQ(push(-1.5, 0), 50);
    EXPECT_DOUBLE_EQ(push(2.5, 0), -50);
    EXPECT_DOUBLE_EQ(push(-1.5, -1), 60);
    EXPECT_DOUBLE_EQ(push(2.5, 1), -60);
    EXPECT_EQ(push(-1.5, 20), 0) << "on its way back it is let go";
    EXPECT_EQ(push(2.5, -20), 0);
    for (double x : {-0.9, 0.5, 1.9})
        for (double v : {-30.0, 30.0}) EXPECT_EQ(push(x, v), 0) << x;
}
TEST(penalty_forces, a_servo_keeps_within_its_strength) {
    penalty_force<double, linear_servo> const f{{{}, {}, {1, 0, 0}, 0, 5}, {10}, {1}};
    auto const at = [](double x, double v = 0) {
        body b;
        b.pose.position = {x, 0, 0};
        b.twist.linear = {v, 0, 0};
        return b;
    };
    EXPECT_DOUBLE_EQ(f.wrenches(body{}, at(0.25), 0.0)[1].force[0], -2.5);
    EXPECT_DOUBLE_EQ(f.wrenches(body{}, at(3), 0.0)[1].force[0], -5);
    EXPECT_DOUBLE_EQ(f.wrenches(body{}, at(-3, -100), 0.0)[1].force[0], 5);
    EXPECT_DOUBLE_EQ(f.wrenches(body{}, at(0, 2), 0.0)[1].force[0], -2) << "at its target the damper acts";
    // k c^2 / 2 up to c = 0.5, then 5 N times the way.
    EXPECT_DOUBLE_EQ(f.energy(body{}, at(0.5)), 1.25);
    EXPECT_DOUBLE_EQ(f.energy(body{}, at(3)), 1.25 + 5 * 2.5);
    EXPECT_DOUBLE_EQ(f.energy(body{}, at(-3)), 1.25 + 5 * 2.5);
}
TEST(penalty_forces, rows_differ) {
    body a, b;
    a.pose.position = {1, 1, 1};
    soft_pin<double> f{{}, {1, 0, 3}, {0, 2, 0}};
    a.twist.linear = {1, 1, 1};
    EXPECT_EQ(f.wrenches(a, b, 0.0)[0].force, (vec3<double>{-1, -2, -3}));
    EXPECT_EQ(f.energy(a, b), 2);
}
template <class F>
concept has_energy = requires(F const& f) { f.energy(particle<double>{}); };
TEST(penalty_forces, whatever_else_a_constraint_says_is_honoured) {
    particle<double> const p{1, {1, 4, 0}, {5, 0, 0}};
    // Its own rule for its multipliers; the energy of that nobody knows.
    EXPECT_EQ((penalty_force<double, half_hearted>{{}, {10}, {}}.wrenches(p, 0.0)[0].force), (vec3<double>{-5, 0, 0}));
    static_assert(!has_energy<penalty_force<double, half_hearted>> && has_energy<penalty_force<double, cone>>);
    // Its own rate, relative to a target that moves.
    EXPECT_EQ((penalty_force<double, moving_target>{{}, {10}, {1}}.wrenches(p, 0.0)[0].force), (vec3<double>{-12, 0, 0}));
    // Bounds that depend on another row: pressed to 10 N, row 1 holds 5 N.
    particle<double> const pressed{1, {-1, 4, 0}, {}};
    EXPECT_EQ((penalty_force<double, cone>{{}, {10, 10}, {}}.wrenches(pressed, 0.0)[0].force), (vec3<double>{10, -5, 0}));
}
TEST(penalty_forces, stay_finite_where_directions_end) {
    body const a, b;
    particle<double> const p, q;
    auto const finite = [](auto const& w) {
        bool r = true;
        for (auto const& x : w) r = r && isfinite(x.force) && isfinite(x.torque);
        return r;
    };
    EXPECT_TRUE(finite(penalty_force<double, distance>{{{}, {}, 1}, {10}, {1}}.wrenches(a, b, 0.0)));
    EXPECT_TRUE(finite(penalty_force<double, axis_alignment>{{}, {10}, {1}}.wrenches(a, b, 0.0)));
    EXPECT_TRUE(finite(elastic_rope<double>::with({{}, {}, 1}, 10, 1).wrenches(p, q, 0.0)));
    EXPECT_TRUE(finite(penalty_force<double, scalar_point_to_point>{{}, {10}, {1}}.wrenches(a, b, 0.0)));
}
TEST(penalty_forces, faults_are_named) {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(soft_pin<double>::with({}, 1, 1).fault().name, nullptr);
    EXPECT_STREQ(soft_pin<double>::with({}, -1).fault().name, "stiffness");
    EXPECT_STREQ(soft_pin<double>::with({}, nan).fault().name, "stiffness");
    EXPECT_STREQ(soft_pin<double>::with({}, 1, -1).fault().name, "damping");
    EXPECT_STREQ(elastic_rope<double>::with({{}, {}, -1}, 1).fault().name, "length");
    EXPECT_NE(soft_pin<double>::with({}, 1), soft_pin<double>::with({}, 2));
}
static_assert(elastic_rope<double>::with({{}, {}, 1}, 10).wrenches(particle<double>{}, particle<double>{1, {3, 0, 0}, {}}, 0.0)[0].force ==
              vec3<double>{20, 0, 0});

// ---- in a world

template <template <class> class R, class Integrator = rk4>
struct config : default_config {
    using scalar = double;
    using integrator = Integrator;
    using solver = lagrange_multipliers<cholesky>;
    template <class S>
    using rotation = R<S>;
};
template <template <class> class R>
using pinned = world<config<R>, soft_pin>;

// x'' = -(k / m) x - (d / m) x'. With k / m = 100, x(0) = 1, v(0) = 0, h = 0.01: the discrete RK4 solution at t = 1 is
// -0.839075464413065; with small steps, the closed form for d / m = 0, 2, 20, 50.
template <template <class> class R>
double pulled(double mass, double damping, int steps) {
    pinned<R> w;
    w.gravity = {0, 0, 0};
    typename pinned<R>::body_type b;
    b.mass = mass;
    b.pose.position = {1, 0, 0};
    auto const h = w.add(b);
    w.add(soft_pin<double>::with({}, 100 * mass, damping * mass), w.ground(), h);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(1.0 / steps));
    return w.position(h).x();
}
template <template <class> class R>
void expect_oscillation() {
    EXPECT_NEAR(pulled<R>(1, 0, 100), -0.839075464413065, 4e-15);
    EXPECT_NEAR(pulled<R>(3, 0, 100), -0.839075464413065, 4e-15);
    struct {
        double damping, x;
    } const exact[] = {{0, -0.839071529076452}, {2, -0.336851680590413}, {20, 4.99399227387e-4}, {50, 0.129693214344801}};
    // The error of RK4 is at most (h w)^4 w t / 120 times the speed: 1e-10 at h w = 0.005, and less where it is damped.
    for (auto const& row : exact) EXPECT_NEAR(pulled<R>(2, row.damping, 2000), row.x, 1e-10) << row.damping;
}
TEST(penalty_in_a_world, oscillates_at_sqrt_k_over_m) {
    expect_oscillation<quaternion>();
    expect_oscillation<rotation_matrix>();
    expect_oscillation<rotation_vector>();
}

// A hinged body that is tilted off its axis turns back at sqrt(k / I).
TEST(penalty_in_a_world, angular_rows_oscillate_at_sqrt_k_over_inertia) {
    world<config<quaternion>, soft_hinge> w;
    w.gravity = {0, 0, 0};
    body b;
    b.inertia = diagonal(2.0, 2.0, 2.0);
    auto const h = w.add(b);
    w.add(soft_hinge<double>::with(hinge_joint<double>::at(pose<double>{}, pose<double>{}, {}, {0, 0, 1}), 200), w.ground(), h);
    // E = k sin^2(theta) / 2, so I theta'' = -k sin(2 theta) / 2: a pendulum in 2 theta of w0^2 = k / I.
    double const amplitude = 0.3;
    w.set_pose(h, {{}, quaternion_exp(vec3<double>{amplitude, 0, 0})});
    double const w0 = std::sqrt(200.0 / 2);
    // Its period: 4 K(sin(amplitude)) / w0 = 2 pi / (w0 M), M the arithmetic-geometric mean of 1 and cos(amplitude).
    double x = 1, y = std::cos(amplitude);
    for (int i = 0; i < 6; ++i) {
        double const m = (x + y) / 2;
        y = std::sqrt(x * y);
        x = m;
    }
    double const period = 2 * pi_v<double> / w0 / x;
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(w.step(period / 1000));
    EXPECT_NEAR(log(w.pose(h).rotation).x(), amplitude, 1e-9);
    EXPECT_NEAR(w.twist(h).angular.x(), 0, 1e-7);
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(w.step(period / 1000));
    EXPECT_NEAR(log(w.pose(h).rotation).x(), -amplitude, 1e-9);
}

// Bodies and particles in free flight, tied by everything: energy to the order of the method, momentum to rounding.
template <class S>
using strut = penalty_force<S, particle_body_distance>;
template <class S>
using jelly = penalty_force<S, tetrahedron_volume>;
struct drift {
    double energy, linear, angular;
};
drift tied_together(int steps, bool ropes) {
    world<config<quaternion>, soft_pin, soft_hinge, elastic_rope, strut, jelly> w;
    w.gravity = {0, 0, 0};
    decltype(w)::body_handle b[3];
    for (int i = 0; i < 3; ++i) {
        body one;
        one.mass = 1 + i;
        one.inertia = diagonal(0.3, 0.4, 0.5);
        one.pose.position = {static_cast<double>(i), 0, 0};
        one.twist = {{0.5, 0.1 * i, -0.2}, {0.3, -0.5, 0.2 * i}};
        b[i] = w.add(one);
    }
    vec3<double> const corners[] = {{0, 1, 0}, {1, 1, 0}, {0, 2, 0}, {0, 1, 1}};
    decltype(w)::particle_handle p[4];
    for (int i = 0; i < 4; ++i) p[i] = w.add(particle<double>{0.5, corners[i], {0.1 * i, 0, 0.3}});
    w.add(soft_pin<double>::with({{0.5, 0, 0}, {-0.5, 0, 0}}, 40), b[0], b[1]);
    w.add(soft_hinge<double>::with(hinge_joint<double>::at(w.pose(b[1]), w.pose(b[2]), {1.5, 0, 0}, {0, 1, 0}), 30), b[1], b[2]);
    for (int i = 1; ropes && i < 4; ++i) w.add(elastic_rope<double>::with({{}, {}, 0.9}, 20), p[0], p[i]);
    w.add(strut<double>::with({{}, {0, 0.5, 0}, 0.5}, 50), p[0], b[0]);
    w.add(jelly<double>::with({0.2}, 100), p[0], p[1], p[2], p[3]);
    double const e = w.energy();
    auto const linear = w.linear_momentum(), angular = w.angular_momentum();
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(1.0 / steps));
    return {w.energy() / e - 1, norm(w.linear_momentum() - linear) / norm(linear), norm(w.angular_momentum() - angular) / norm(angular)};
}
TEST(penalty_in_a_world, keeps_energy_and_momentum) {
    auto const coarse = tied_together(125, false), fine = tied_together(500, false);
    EXPECT_LT(std::abs(coarse.energy), 1e-6);
    EXPECT_LT(std::abs(fine.energy), std::abs(coarse.energy) / 256);
    EXPECT_LT(fine.angular, coarse.angular / 128);
    EXPECT_LT(coarse.linear, 1e-13);
    EXPECT_LT(fine.linear, 1e-13);
    // A rope's force bends where it becomes taut: what a step across that loses is of the third order.
    auto const roped = tied_together(1000, true);
    EXPECT_LT(std::abs(roped.energy), 1e-6);
    EXPECT_LT(roped.linear, 1e-13);
    EXPECT_LT(roped.angular, 1e-11);
}

TEST(penalty_in_a_world, wrong_numbers_are_refused) {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    pinned<quaternion> w;
    body b;
    b.pose.position = {1, 0, 0};
    auto const h = w.add(b);
    auto const before = w;
    EXPECT_THROW(w.add(soft_pin<double>::with({}, -1), w.ground(), h), std::invalid_argument);
    EXPECT_THROW(w.add(soft_pin<double>::with({{nan, 0, 0}, {}}, 1), w.ground(), h), std::invalid_argument);
    EXPECT_THROW(w.add(soft_pin<double>::with({}, 1), h, h), std::invalid_argument);
    EXPECT_EQ(w, before);
    auto const f = w.add(soft_pin<double>::with({}, 1), w.ground(), h);
    auto const with = w;
    EXPECT_THROW(w.set(f, soft_pin<double>::with({{nan, 0, 0}, {}}, 1)), std::invalid_argument);
    EXPECT_EQ(w, with);
    EXPECT_TRUE(w.set(f, soft_pin<double>::with({}, 2)));
    EXPECT_EQ(w.get(f).stiffness[0], 2);
}

}  // namespace
