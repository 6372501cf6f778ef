// The laws of rotations, written once, for every representation over every scalar: at the identity, near it, at random,
// near pi, at pi, and with w < 0; in value and in derivative.

#include "rotation_cases.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace {

using namespace sinew;
using namespace rotation_cases;

template <class R>
class rotation_laws : public testing::Test {};
using representations =
    testing::Types<quaternion<float>, quaternion<double>, quaternion<long double>, rotation_matrix<float>, rotation_matrix<double>,
                   rotation_matrix<long double>, rotation_vector<float>, rotation_vector<double>, rotation_vector<long double>>;
TYPED_TEST_SUITE(rotation_laws, representations);

constexpr unsigned seed = 7;

template <class R>
struct spot {
    std::string name;
    vec3<typename R::scalar_type> theta;
    R rotation;
};

// Every place in representation R, and again from the other sign of the quaternion.
template <class R>
std::vector<spot<R>> spots() {
    using S = typename R::scalar_type;
    std::vector<spot<R>> all;
    for (auto const& at : places<S>(seed)) {
        quaternion<S> const q = quaternion_exp(at.theta);
        all.push_back({at.name, at.theta, rotation_exp<R>(at.theta)});
        all.push_back({at.name + ", other sign", at.theta, rotation_cast<R>(quaternion<S>{-q.w, -q.x, -q.y, -q.z})});
    }
    return all;
}

// Rotation vectors meet at pi with both signs: there, rotations are compared rather than vectors.
template <class S>
bool at_pi(vec3<S> const& theta) {
    return length(widened(theta)) > 3.14159265358979323846L - 100 * static_cast<real>(epsilon_v<S>);
}

TYPED_TEST(rotation_laws, exp_is_the_exponential) {
    using S = typename TypeParam::scalar_type;
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        EXPECT_LE(difference(to_matrix(at.rotation), reference_exp(widened(at.theta))), rounding<S>(8));
    }
}

TYPED_TEST(rotation_laws, log_undoes_exp) {
    using S = typename TypeParam::scalar_type;
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        vec3<S> const back = log(at.rotation);
        real const size = length(widened(at.theta));
        if (!at_pi(at.theta)) {
            EXPECT_LE(difference(back, at.theta), rounding<S>(8));
        }
        EXPECT_LE(length(widened(back)), 3.14159265358979323846L + rounding<S>(4));
        // Relative where small, unless the representation (a matrix) rounds to near 1.
        if constexpr (!std::is_same_v<TypeParam, rotation_matrix<S>>) {
            if (!at_pi(at.theta)) {
                EXPECT_LE(difference(back, at.theta), rounding<S>(8) * size);
            }
        }
    }
}

TYPED_TEST(rotation_laws, exp_undoes_log) {
    using S = typename TypeParam::scalar_type;
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        EXPECT_LE(difference(to_matrix(rotation_exp<TypeParam>(log(at.rotation))), to_matrix(at.rotation)), rounding<S>(8));
    }
}

TYPED_TEST(rotation_laws, group_laws) {
    using S = typename TypeParam::scalar_type;
    auto const all = spots<TypeParam>();
    TypeParam const one = TypeParam::identity();
    EXPECT_EQ(to_matrix(one), (identity<S, 3>()));
    for (std::size_t i = 0; i < all.size(); ++i) {
        TypeParam const &a = all[i].rotation, &b = all[(i * 5 + 3) % all.size()].rotation, &c = all[(i * 11 + 7) % all.size()].rotation;
        SCOPED_TRACE(all[i].name);
        EXPECT_LE(difference(to_matrix((a * b) * c), to_matrix(a * (b * c))), rounding<S>(16));
        EXPECT_LE(difference(to_matrix(a * b), to_matrix(a) * to_matrix(b)), rounding<S>(16));
        EXPECT_LE(difference(to_matrix(a * one), to_matrix(a)), rounding<S>(4));
        EXPECT_LE(difference(to_matrix(one * a), to_matrix(a)), rounding<S>(4));
        EXPECT_LE(difference(to_matrix(a * inverse(a)), identity<S, 3>()), rounding<S>(16));
        EXPECT_LE(difference(to_matrix(inverse(a) * a), identity<S, 3>()), rounding<S>(16));
        EXPECT_LE(difference(to_matrix(inverse(a)), transpose(to_matrix(a))), rounding<S>(4));
        EXPECT_LE(difference(to_matrix(inverse(a * b)), to_matrix(inverse(b) * inverse(a))), rounding<S>(16));
    }
}

TYPED_TEST(rotation_laws, rotate_is_an_isometry_and_equals_the_matrix) {
    using S = typename TypeParam::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        vec3<S> const u = random_direction<S>(random), v = random_direction<S>(random);
        vec3<S> const ru = rotate(at.rotation, u), rv = rotate(at.rotation, v);
        EXPECT_LE(difference(ru, to_matrix(at.rotation) * u), rounding<S>(8));
        EXPECT_LE(difference(ru, reference_exp(widened(at.theta)) * widened(u)), rounding<S>(10));
        EXPECT_LE(std::abs(static_cast<real>(dot(ru, rv) - dot(u, v))), rounding<S>(12));
        EXPECT_LE(difference(cross(ru, rv), rotate(at.rotation, cross(u, v))), rounding<S>(12));
        EXPECT_LE(difference(inverse_rotate(at.rotation, ru), u), rounding<S>(12));
        EXPECT_LE(difference(inverse_rotate(at.rotation, u), rotate(inverse(at.rotation), u)), rounding<S>(8));
    }
}

TYPED_TEST(rotation_laws, rotate_composes) {
    using S = typename TypeParam::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    auto const all = spots<TypeParam>();
    for (std::size_t i = 0; i < all.size(); ++i) {
        TypeParam const &a = all[i].rotation, &b = all[(i * 5 + 3) % all.size()].rotation;
        vec3<S> const v = random_direction<S>(random);
        EXPECT_LE(difference(rotate(a * b, v), rotate(a, rotate(b, v))), rounding<S>(20)) << all[i].name;
    }
}

TYPED_TEST(rotation_laws, it_is_a_rotation) {
    using S = typename TypeParam::scalar_type;
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        EXPECT_LE(static_cast<real>(deviation(at.rotation)), rounding<S>(8));
        mat3<S> const m = to_matrix(at.rotation);
        EXPECT_LE(difference(transpose(m) * m, identity<S, 3>()), rounding<S>(10));
        EXPECT_LE(std::abs(static_cast<real>(determinant(m) - S(1))), rounding<S>(10));
        // Projecting what is a rotation changes nothing but rounding.
        EXPECT_LE(difference(to_matrix(projected(at.rotation)), m), rounding<S>(8));
        EXPECT_LE(static_cast<real>(deviation(projected(at.rotation))), rounding<S>(6));
    }
}

TYPED_TEST(rotation_laws, conversions_keep_the_rotation) {
    using S = typename TypeParam::scalar_type;
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        mat3<S> const m = to_matrix(at.rotation);
        auto const q = rotation_cast<quaternion<S>>(at.rotation);
        auto const r = rotation_cast<rotation_matrix<S>>(at.rotation);
        auto const v = rotation_cast<rotation_vector<S>>(at.rotation);
        EXPECT_LE(difference(to_matrix(q), m), rounding<S>(8));
        EXPECT_LE(difference(to_matrix(r), m), rounding<S>(8));
        EXPECT_LE(difference(to_matrix(v), m), rounding<S>(8));
        EXPECT_LE(std::abs(static_cast<real>(squared_norm(to_quaternion(at.rotation)) - S(1))), rounding<S>(8));
        EXPECT_LE(difference(to_matrix(to_quaternion(at.rotation)), m), rounding<S>(8));
        // There and back.
        EXPECT_LE(difference(to_matrix(rotation_cast<TypeParam>(q)), m), rounding<S>(16));
        EXPECT_LE(difference(to_matrix(rotation_cast<TypeParam>(r)), m), rounding<S>(16));
        EXPECT_LE(difference(to_matrix(rotation_cast<TypeParam>(v)), m), rounding<S>(16));
    }
}

TYPED_TEST(rotation_laws, axis_and_angle) {
    using S = typename TypeParam::scalar_type;
    auto const none = to_axis_angle(TypeParam::identity());
    EXPECT_EQ(none.angle, S(0));
    EXPECT_EQ(none.axis, (vec3<S>{S(1), S(0), S(0)}));
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        auto const a = to_axis_angle(at.rotation);
        EXPECT_LE(std::abs(length(widened(a.axis)) - 1), rounding<S>(2));
        EXPECT_GE(a.angle, S(0));
        EXPECT_LE(static_cast<real>(a.angle), 3.14159265358979323846L + rounding<S>(4));
        EXPECT_LE(difference(to_matrix(rotation_about<TypeParam>(a.axis, a.angle)), to_matrix(at.rotation)), rounding<S>(10));
    }
    // The axis need not be a unit vector.
    vec3<S> const axis{S(0), S(3), S(4)};
    EXPECT_LE(difference(rotate(rotation_about<TypeParam>(axis, pi_v<S> / 2), vec3<S>{S(1), S(0), S(0)}), vec3<real>{0, 0.8L, -0.6L}), rounding<S>(4));
}

TYPED_TEST(rotation_laws, turned_multiplies_by_exp_on_the_left) {
    using S = typename TypeParam::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> angle(0, 3);
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        vec3<S> const theta = random_direction<S>(random) * static_cast<S>(angle(random));
        mat3<real> const expected = reference_exp(widened(theta)) * reference_exp(widened(at.theta));
        EXPECT_LE(difference(to_matrix(turned(at.rotation, theta)), expected), rounding<S>(14));
        EXPECT_LE(static_cast<real>(deviation(turned(at.rotation, theta))), rounding<S>(6));
        EXPECT_LE(difference(to_matrix(turned(at.rotation, vec3<S>{S(0), S(0), S(0)})), to_matrix(at.rotation)), rounding<S>(8));
    }
}

// nudged turns by 2 atan(t / 2) = t - t^3/12 + ...: third order, with that constant.
TYPED_TEST(rotation_laws, nudged_agrees_with_turned_to_third_order) {
    using S = typename TypeParam::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        vec3<S> const n = random_direction<S>(random);
        // The angle between the two, from the norm of the difference of their matrices.
        auto const angle_between = [&](S const& t) {
            mat3<real> const a = widened(to_matrix(nudged(at.rotation, vec3<S>(n * t)))), b = widened(to_matrix(turned(at.rotation, vec3<S>(n * t))));
            mat3<real> const d = a - b;
            real sum = 0;
            for (real const x : d.e) sum += x * x;
            return 2 * std::asin(std::sqrt(sum / 8));  // |exp([x]x) - 1|_F = sqrt(8) sin(|x| / 2)
        };
        for (S const t : {S(0.5), S(0.25)}) {
            real const h = static_cast<real>(t);
            EXPECT_NEAR(static_cast<double>(angle_between(t)), static_cast<double>(h - 2 * std::atan(h / 2)), static_cast<double>(rounding<S>(20)));
        }
        real const order = std::log2(angle_between(S(0.125)) / angle_between(S(0.0625)));
        EXPECT_NEAR(static_cast<double>(order), 3, 0.02 + static_cast<double>(rounding<S>(1)) * 2e6);
        EXPECT_LE(static_cast<real>(deviation(nudged(at.rotation, n))), rounding<S>(6));
    }
}

// d/dt of the coordinates of exp([omega t]x) R at t = 0.
TYPED_TEST(rotation_laws, coordinate_rate_is_the_derivative_of_turning) {
    using S = typename TypeParam::scalar_type;
    using D = dual<S, 1>;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        vec3<S> const omega = random_direction<S>(random) * S(3);
        auto const q = turning(at.rotation, omega);
        EXPECT_LE(difference(derivatives(to_matrix(q)), skew(omega) * to_matrix(at.rotation)), rounding<S>(40));
        // Where the coordinates are not made unique by wrapping, those of `turned` have the same rate.
        if (at_pi(at.theta) && std::is_same_v<TypeParam, rotation_vector<S>>) continue;
        typename TypeParam::template rebind<D> still;
        for (std::size_t i = 0; i < TypeParam::dimension; ++i) still.set_coordinate(i, D(at.rotation.coordinate(i)));
        auto const moved = turned(still, moving(vec3<S>{S(0), S(0), S(0)}, omega));
        for (std::size_t i = 0; i < TypeParam::dimension; ++i)
            EXPECT_LE(std::abs(static_cast<real>(moved.coordinate(i).d[0] - q.coordinate(i).d[0])), rounding<S>(100)) << i;
    }
}

// A constant angular velocity, integrated by the classical Runge-Kutta method, ends at the exponential; at fourth order.
TYPED_TEST(rotation_laws, coordinate_rate_integrates_to_the_exponential) {
    using S = typename TypeParam::scalar_type;
    constexpr std::size_t n = TypeParam::dimension;
    vec3<S> const omega{S(0.7L), S(-1.1L), S(0.4L)};
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        auto const error_with = [&](int steps) {
            S const h = S(1) / static_cast<S>(steps);
            vec<S, n> y{};
            for (std::size_t i = 0; i < n; ++i) y[i] = at.rotation.coordinate(i);
            auto const f = [&](vec<S, n> const& c) {
                TypeParam r;
                for (std::size_t i = 0; i < n; ++i) r.set_coordinate(i, c[i]);
                return coordinate_rate(r, omega);
            };
            for (int k = 0; k < steps; ++k) {
                auto const k1 = f(y), k2 = f(y + k1 * (h / 2)), k3 = f(y + k2 * (h / 2)), k4 = f(y + k3 * h);
                y += (k1 + 2 * k2 + 2 * k3 + k4) * (h / 6);
            }
            TypeParam r;
            for (std::size_t i = 0; i < n; ++i) r.set_coordinate(i, y[i]);
            return difference(to_matrix(projected(r)), reference_exp(widened(omega)) * reference_exp(widened(at.theta)));
        };
        real const coarse = error_with(32), fine = error_with(64);
        EXPECT_LE(fine, 3e-7L + rounding<S>(60));
        if (fine > rounding<S>(400)) {
            EXPECT_NEAR(static_cast<double>(std::log2(coarse / fine)), 4, 0.3);
        }
    }
}

TYPED_TEST(rotation_laws, projected_repairs_drift) {
    using S = typename TypeParam::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> noise(-1, 1);
    S const size = S(1e-3L);
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        TypeParam drifted = at.rotation;
        for (std::size_t i = 0; i < TypeParam::dimension; ++i)
            drifted.set_coordinate(i, drifted.coordinate(i) + size * static_cast<S>(noise(random)));
        TypeParam const repaired = projected(drifted);
        // Gram-Schmidt leaves a remainder of second order in the rows, none in the orthonormality.
        EXPECT_LE(static_cast<real>(deviation(repaired)), rounding<S>(8));
        EXPECT_LE(difference(to_matrix(repaired), to_matrix(at.rotation)), 5 * static_cast<real>(size));
    }
}

// A rotation vector may have grown past pi in an integrator's stage.
TYPED_TEST(rotation_laws, a_long_rotation_vector_is_wrapped) {
    using S = typename TypeParam::scalar_type;
    vec3<S> const n{S(0.36L), S(-0.48L), S(0.8L)};
    for (S const t : {S(3.2L), S(4), S(6), S(6.5L), S(9)}) {
        vec3<S> const theta = n * t;
        TypeParam const r = rotation_exp<TypeParam>(theta);
        EXPECT_LE(length(widened(log(r))), 3.14159265358979323846L + rounding<S>(4));
        EXPECT_LE(difference(to_matrix(r), reference_exp(widened(theta))), rounding<S>(16));
        EXPECT_LE(difference(to_matrix(rotation_exp<TypeParam>(log(rotation_vector<S>{theta}))), reference_exp(widened(theta))), rounding<S>(16));
    }
}

TYPED_TEST(rotation_laws, coordinates_can_be_read_and_set) {
    for (auto const& at : spots<TypeParam>()) {
        TypeParam copy = TypeParam::identity();
        for (std::size_t i = 0; i < TypeParam::dimension; ++i) copy.set_coordinate(i, at.rotation.coordinate(i));
        EXPECT_EQ(copy, at.rotation) << at.name;
    }
}

// ---- Derivatives, exact through dual numbers

TYPED_TEST(rotation_laws, derivative_of_exp) {
    using S = typename TypeParam::scalar_type;
    using D = dual<S, 1>;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (auto const& at : places<S>(seed)) {
        SCOPED_TRACE(at.name);
        vec3<S> const rate = random_direction<S>(random);
        auto const r = rotation_exp<typename TypeParam::template rebind<D>>(moving(at.theta, rate));
        vec3<real> const omega = reference_left_jacobian(widened(at.theta)) * widened(rate);
        mat3<D> const m = to_matrix(r);
        EXPECT_LE(difference(values(m), reference_exp(widened(at.theta))), rounding<S>(8));
        EXPECT_LE(difference(derivatives(m), skew(omega) * reference_exp(widened(at.theta))), rounding<S>(40));
    }
}

// d log = J_L^-1 omega at the rotation vector that log yields.
TYPED_TEST(rotation_laws, derivative_of_log) {
    using S = typename TypeParam::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        vec3<S> const omega = random_direction<S>(random);
        auto const theta = log(turning(at.rotation, omega));
        EXPECT_EQ(values(theta), log(at.rotation));
        mat3<real> const J = reference_left_jacobian(widened(log(at.rotation)));
        EXPECT_LE(difference(derivatives(theta), inverse(J) * widened(omega)), rounding<S>(40));
    }
}

TYPED_TEST(rotation_laws, derivative_of_rotate) {
    using S = typename TypeParam::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        vec3<S> const omega = random_direction<S>(random), v = random_direction<S>(random), dv = random_direction<S>(random);
        auto const q = turning(at.rotation, omega);
        mat3<real> const R = reference_exp(widened(at.theta));
        vec3<real> const Rv = R * widened(v);
        EXPECT_LE(difference(derivatives(rotate(q, v)), cross(widened(omega), Rv)), rounding<S>(40));
        EXPECT_LE(difference(derivatives(rotate(q, moving(v, dv))), cross(widened(omega), Rv) + R * widened(dv)), rounding<S>(40));
        // R^T v: the derivative is -R^T (omega x v).
        EXPECT_LE(difference(derivatives(inverse_rotate(q, v)), transpose(R) * cross(widened(v), widened(omega))), rounding<S>(40));
    }
}

TYPED_TEST(rotation_laws, derivative_of_composition) {
    using S = typename TypeParam::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    auto const all = spots<TypeParam>();
    for (std::size_t i = 0; i < all.size(); ++i) {
        SCOPED_TRACE(all[i].name);
        auto const &a = all[i], &b = all[(i * 5 + 3) % all.size()];
        vec3<S> const wa = random_direction<S>(random), wb = random_direction<S>(random);
        auto const m = to_matrix(turning(a.rotation, wa) * turning(b.rotation, wb));
        mat3<real> const A = reference_exp(widened(a.theta)), B = reference_exp(widened(b.theta));
        // The product turns with w_a + A w_b.
        EXPECT_LE(difference(derivatives(m), skew(vec3<real>(widened(wa) + A * widened(wb))) * A * B), rounding<S>(80));
    }
}

TYPED_TEST(rotation_laws, derivative_of_nudged_at_zero_is_that_of_turned) {
    using S = typename TypeParam::scalar_type;
    using D = dual<S, 1>;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        vec3<S> const omega = random_direction<S>(random);
        typename TypeParam::template rebind<D> still;
        for (std::size_t i = 0; i < TypeParam::dimension; ++i) still.set_coordinate(i, D(at.rotation.coordinate(i)));
        auto const m = to_matrix(nudged(still, moving(vec3<S>{S(0), S(0), S(0)}, omega)));
        EXPECT_LE(difference(derivatives(m), skew(omega) * to_matrix(at.rotation)), rounding<S>(60));
    }
}

// Second derivatives: log(exp(s a) exp(t b)) = s a + t b + s t [a, b] / 2 + ... (Baker, Campbell, Hausdorff).
TYPED_TEST(rotation_laws, second_derivative_of_log_is_half_the_commutator) {
    using S = typename TypeParam::scalar_type;
    using D = dual<dual<S, 1>, 1>;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int k = 0; k < 10; ++k) {
        vec3<S> const a = random_direction<S>(random), b = random_direction<S>(random);
        D s(S(0)), t(S(0));
        s.v.d[0] = S(1);
        t.d[0] = dual<S, 1>(S(1));
        using RD = typename TypeParam::template rebind<D>;
        vec3<D> const theta = log(rotation_exp<RD>(vec3<D>(cast<D>(a) * s)) * rotation_exp<RD>(vec3<D>(cast<D>(b) * t)));
        vec3<S> const half = cross(a, b) * (S(1) / S(2));
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(theta[i].v.v, S(0));
            EXPECT_LE(std::abs(static_cast<real>(theta[i].v.d[0] - a[i])), rounding<S>(4));
            EXPECT_LE(std::abs(static_cast<real>(theta[i].d[0].v - b[i])), rounding<S>(4));
            EXPECT_LE(std::abs(static_cast<real>(theta[i].d[0].d[0] - half[i])), rounding<S>(8));
        }
    }
}

// ---- Euler angles Z-X-Y

TYPED_TEST(rotation_laws, euler_angles_round_trip) {
    using S = typename TypeParam::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-3.1, 3.1), middle(-1.5, 1.5);
    for (int k = 0; k < 100; ++k) {
        euler_zxy<S> const a{static_cast<S>(any(random)), static_cast<S>(middle(random)), static_cast<S>(any(random))};
        TypeParam const r = from_euler_zxy<TypeParam>(a);
        euler_zxy<S> const b = to_euler_zxy(r);
        // The angles are as well known as cos(x) is far from zero.
        real const near_lock = 1 / std::cos(static_cast<real>(a.x));
        EXPECT_LE(std::abs(static_cast<real>(a.z - b.z)), rounding<S>(16) * near_lock);
        EXPECT_LE(std::abs(static_cast<real>(a.x - b.x)), rounding<S>(16) * near_lock);
        EXPECT_LE(std::abs(static_cast<real>(a.y - b.y)), rounding<S>(16) * near_lock);
    }
}

TYPED_TEST(rotation_laws, euler_angles_are_turns_about_z_then_x_then_y) {
    using S = typename TypeParam::scalar_type;
    S const z = S(0.3L), x = S(-0.8L), y = S(1.1L);
    mat3<real> const expected = reference_exp({0, 0, static_cast<real>(z)}) * reference_exp({static_cast<real>(x), 0, 0}) * reference_exp({0, static_cast<real>(y), 0});
    EXPECT_LE(difference(to_matrix(from_euler_zxy<TypeParam>(euler_zxy<S>{z, x, y})), expected), rounding<S>(8));
}

TYPED_TEST(rotation_laws, euler_angles_reproduce_every_rotation) {
    using S = typename TypeParam::scalar_type;
    for (auto const& at : spots<TypeParam>()) {
        SCOPED_TRACE(at.name);
        euler_zxy<S> const a = to_euler_zxy(at.rotation);
        EXPECT_LE(difference(to_matrix(from_euler_zxy<TypeParam>(a)), to_matrix(at.rotation)), rounding<S>(16));
    }
}

// In gimbal lock and on the way into it the angles are not unique, but the rotation must come back.
TYPED_TEST(rotation_laws, euler_angles_in_gimbal_lock_reproduce_the_rotation) {
    using S = typename TypeParam::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-3.1, 3.1);
    for (int k = 0; k < 20; ++k)
        for (S const sign : {S(1), S(-1)})
            for (S const off : {S(0), S(1e-18L), S(1e-15L), S(1e-12L), S(1e-9L), S(1e-7L), S(1e-6L), S(1e-5L), S(1e-4L), S(1e-3L), S(1e-2L)}) {
                euler_zxy<S> const a{static_cast<S>(any(random)), sign * (pi_v<S> / 2 - off), static_cast<S>(any(random))};
                TypeParam const r = from_euler_zxy<TypeParam>(a);
                euler_zxy<S> const b = to_euler_zxy(r);
                EXPECT_LE(difference(to_matrix(from_euler_zxy<TypeParam>(b)), to_matrix(r)), rounding<S>(16))
                    << "sign " << static_cast<double>(sign) << ", off by " << static_cast<double>(off);
                EXPECT_LE(std::abs(static_cast<real>(b.x)), 3.14159265358979323846L / 2 + rounding<S>(2));
            }
}

// ---- The same code in a constant expression, with the same bits

template <class R>
constexpr bool holds_at_compile_time() {
    using S = typename R::scalar_type;
    vec3<S> const theta{S(0.3L), S(-0.2L), S(0.5L)};
    R const r = rotation_exp<R>(theta);
    vec3<S> const back = log(r);
    S const limit = 16 * epsilon_v<S>;
    for (std::size_t i = 0; i < 3; ++i)
        if (abs(back[i] - theta[i]) > limit) return false;
    R const one = turned(r * inverse(r), vec3<S>{S(0), S(0), S(0)});
    return deviation(r) < limit && norm(log(one)) < limit && norm(rotate(r, theta) - theta) < limit && rotation_like<R>;
}
static_assert(holds_at_compile_time<quaternion<double>>() && holds_at_compile_time<quaternion<float>>());
static_assert(holds_at_compile_time<rotation_matrix<double>>() && holds_at_compile_time<rotation_matrix<float>>());
static_assert(holds_at_compile_time<rotation_vector<double>>() && holds_at_compile_time<rotation_vector<float>>());

template <class R>
constexpr R constant_rotation = turned(rotation_exp<R>(vec3<typename R::scalar_type>{1, 2, -1}), vec3<typename R::scalar_type>{-2, 1, 1});

TYPED_TEST(rotation_laws, compile_time_is_run_time) {
    using S = typename TypeParam::scalar_type;
    S volatile one = S(1);
    S const k = one;
    TypeParam const r = turned(rotation_exp<TypeParam>(vec3<S>{k, 2 * k, -k}), vec3<S>{-2 * k, k, k});
    EXPECT_EQ(r, constant_rotation<TypeParam>);
}

}  // namespace
