// Conjugate residuals as a linear part: the same answer as the dense factors where there is one, and the least-squares multipliers where
// constraints are too many or contradict each other (Witkin 1997, 4.4).

#include <solver/linear_parts.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace sinew_test;
using V = vec3<double>;

template <class Linear>
using world_of = world<direct_config<lagrange_multipliers<Linear>>, ball_joint, hinge_joint>;

TEST(conjugate_gradient, agrees_with_cholesky) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        world_of<cholesky> a;
        world_of<conjugate_gradient> b;
        auto const build = [&](auto& w) {
            add_random_tree(w, seed, 6, 0);
            stir(w, seed);
        };
        build(a);
        build(b);
        std::vector<double> const before = velocities(a);
        ASSERT_TRUE(a.step(1e-3));
        ASSERT_TRUE(b.step(1e-3));
        EXPECT_LT(largest_difference(velocities(a), velocities(b)), 1e-9 * largest_difference(velocities(a), before));
    }
}

// ---- the pseudo-inverse, by Jacobi's rotations

using matrix = std::vector<std::vector<double>>;
// A = V diag(values) V^T.
void diagonalise(matrix& a, matrix& v) {
    std::size_t const n = a.size();
    v.assign(n, std::vector<double>(n, 0.0));
    for (std::size_t i = 0; i < n; ++i) v[i][i] = 1;
    for (int sweep = 0; sweep < 60; ++sweep)
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) {
                if (a[p][q] == 0) continue;
                double const theta = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]), c = std::cos(theta), s = std::sin(theta);
                for (std::size_t k = 0; k < n; ++k) {
                    double const x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
                }
                for (std::size_t k = 0; k < n; ++k) {
                    double const x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
                }
                for (std::size_t k = 0; k < n; ++k) {
                    double const x = v[k][p], y = v[k][q];
                    v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
                }
            }
}
std::vector<double> pseudo_inverse_times(matrix a, std::vector<double> const& b) {
    std::size_t const n = b.size();
    matrix v;
    diagonalise(a, v);
    std::vector<double> x(n, 0.0);
    for (std::size_t k = 0; k < n; ++k) {
        if (a[k][k] < 1e-9) continue;
        double s = 0;
        for (std::size_t i = 0; i < n; ++i) s += v[i][k] * b[i];
        for (std::size_t i = 0; i < n; ++i) x[i] += v[i][k] * s / a[k][k];
    }
    return x;
}

// A body pinned to the ground at four points, twelve rows for six freedoms, which do not even agree on where it is.
TEST(conjugate_gradient, finds_the_least_squares_multipliers_of_too_many_constraints) {
    for (double contradiction : {0.0, 1e-3}) {
        SCOPED_TRACE(contradiction);
        world<direct_config<lagrange_multipliers<conjugate_gradient>>, ball_joint> w;
        auto const body = add_box(w, {0, 0, 0}, 2, {1, 0.7, 0.3});
        V const corners[] = {{0.5, 0.35, 0.15}, {-0.5, 0.35, -0.15}, {0.5, -0.35, -0.15}, {-0.5, -0.35, 0.15}};
        std::vector<handle<ball_joint<double>>> pins;
        for (std::size_t i = 0; i < 4; ++i)
            pins.push_back(w.add(ball_joint<double>{corners[i] + V{1, -2, 3} * (contradiction * static_cast<double>(i * i)), corners[i]}, w.ground(), body));

        // A = J W J^T and b = -J W Q - k_s c, written out.
        matrix J;
        std::vector<double> c;
        auto const p = w.make_problem();
        p.update_inverse_masses();
        for (auto const& e : std::get<0>(p.constraints)) {
            auto const block = entry_jacobian(p, e);
            auto const error = error_of(e.constraint, w.pose(w.ground()), w.pose(body));
            for (std::size_t r = 0; r < 3; ++r) {
                std::vector<double> row;
                for (std::size_t k = 6; k < 12; ++k) row.push_back(block(r, k));
                J.push_back(row);
                c.push_back(error[r]);
            }
        }
        std::size_t const n = J.size();
        auto const weighed = [&](std::vector<double> const& f) {
            using access = detail::attachment_access<rigid>;
            return access::weigh(p, body.index, vec<double, 6>{f[0], f[1], f[2], f[3], f[4], f[5]});
        };
        matrix A(n, std::vector<double>(n));
        std::vector<double> b(n), scale(n);
        auto const free = weighed({0, -2 * 9.81, 0, 0, 0, 0});
        for (std::size_t i = 0; i < n; ++i) {
            auto const B = weighed(J[i]);
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t k = 0; k < 6; ++k) A[i][j] += J[j][k] * B[k];
            b[i] = -100 * c[i];
            for (std::size_t k = 0; k < 6; ++k) b[i] -= J[i][k] * free[k];
            scale[i] = 1 / std::sqrt(A[i][i]);
        }
        // In units of A_ii, as the preconditioner measures.
        for (std::size_t i = 0; i < n; ++i) {
            b[i] *= scale[i];
            for (std::size_t j = 0; j < n; ++j) A[i][j] *= scale[i] * scale[j];
        }
        std::vector<double> const expected = pseudo_inverse_times(A, b);

        auto const report = w.step(1e-3);
        ASSERT_TRUE(report);
        EXPECT_EQ(report.full_rank, contradiction == 0);
        double largest_of_all = 0;
        for (double x : expected) largest_of_all = std::max(largest_of_all, std::abs(x));
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t r = 0; r < 3; ++r)
                EXPECT_NEAR(w.multipliers(pins[i])[r], expected[3 * i + r] * scale[3 * i + r], 1e-8 * largest_of_all) << i << " " << r;
    }
}
// What is doubled shares the load.
TEST(conjugate_gradient, shares_the_load_of_redundant_joints_evenly) {
    world<direct_config<lagrange_multipliers<conjugate_gradient>>, ball_joint> w;
    auto const a = add_box(w, {0.25, 0, 0});
    std::vector<handle<ball_joint<double>>> joints;
    for (int i = 0; i < 3; ++i) joints.push_back(w.add(ball_joint<double>::at(pose<double>{}, w.pose(a), V{0, 0, 0}), w.ground(), a));
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(w.step(1e-2));
    for (std::size_t r = 0; r < 3; ++r) {
        EXPECT_NEAR(w.multipliers(joints[0])[r], w.multipliers(joints[1])[r], 1e-9);
        EXPECT_NEAR(w.multipliers(joints[0])[r], w.multipliers(joints[2])[r], 1e-9);
    }
}
TEST(conjugate_gradient, refuses_tuning_numbers_that_cannot_be) {
    struct quiet : direct_config<lagrange_multipliers<conjugate_gradient>> {
        using errors = null_errors;
    };
    world<quiet, ball_joint> w;
    w.solver.linear.iterations = 0;
    EXPECT_EQ(w.step(1e-3).status, step_status::invalid_parameter);
    w.solver.linear.iterations = 10;
    w.solver.linear.tolerance = -1;
    EXPECT_EQ(w.step(1e-3).status, step_status::invalid_parameter);
}

}  // namespace
