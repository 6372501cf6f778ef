// Dantzig's pivoting: against a solver that tries every set of rows, by the complementarity conditions, what cannot be solved, rows
// that are equal, opposite, far apart in scale, friction, warm starts, no allocation, in a constant expression.

#include <sinew/linear/lo_hi_lcp.hpp>
#include <sinew/math/dual.hpp>

#include "lo_hi_reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace sinew;
using namespace lo_hi_reference;

constexpr unsigned seed = 1963;

template <class S>
class lo_hi : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(lo_hi, scalars);

// The residual that is asked for.
template <class S>
constexpr real goal = std::is_same_v<S, float> ? 1e-4L : 1e-9L;

std::string figure(real x) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2Le", x);
    return text.data();
}

template <class S>
struct answer {
    lcp_report<S> report;
    std::vector<S> x, lower, upper;
    std::vector<real> of_row;
    real residual;
};
template <class S, class Solver>
answer<S> solved_by(Solver& solver, owned_problem<S> const& p, std::vector<S> x, lcp_start start = lcp_start::cold) {
    answer<S> r;
    r.report = solver.solve(p.view(), x, start);
    r.x = x;
    for (std::size_t i = 0; i < p.n; ++i) {
        r.lower.push_back(p.is_friction(i) ? solver.lower(i) : p.lower[i]);
        r.upper.push_back(p.is_friction(i) ? solver.upper(i) : p.upper[i]);
    }
    r.residual = residual(p, r.x, r.lower, r.upper, &r.of_row);
    return r;
}
template <class S, class Solver>
answer<S> solved_by(Solver& solver, owned_problem<S> const& p) {
    return solved_by(solver, p, std::vector<S>(p.n));
}
template <class S>
std::size_t most_pivots(lo_hi_lcp<S> const& solver, std::size_t n) {
    return solver.pivots_per_row * (n + 4);
}
// The reference of a problem as the solver's second pass sees it, for as many rows as can be enumerated.
template <class S>
void expect_as_enumerated(owned_problem<S> const& p, answer<S> const& r, bool unique) {
    auto const reference = enumerate(p, r.lower, r.upper, goal<S> / 10);
    ASSERT_EQ(reference.found, r.report.status == lcp_status::solved);
    if (!reference.found || !unique) return;
    real largest = 0, size = 0;
    for (std::size_t i = 0; i < p.n; ++i) {
        real const d = std::sqrt(static_cast<real>(p.a[i * p.n + i]));
        largest = std::max(largest, std::fabs(reference.x[i] - r.x[i]) * d);
        size = std::max({size, std::fabs(reference.x[i]) * d, std::fabs(p.b[i] / d)});
    }
    // How far x is off for a given residual is a matter of the condition of A, not of the solver.
    ASSERT_LE(largest, (std::is_same_v<S, float> ? 1e-2L : 1e-7L) * size);
}

// 5 kinds x 20,000 problems of 1 to 24 rows; those of up to 6 against the reference too.
TYPED_TEST(lo_hi, solves_random_problems) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    lo_hi_lcp<S> solver;
    for (kind const k : kinds) {
        std::mt19937 random(seed + static_cast<unsigned>(k));
        real worst = 0;
        for (int trial = 0; trial < 20000; ++trial) {
            auto const p = any_problem<S>(k, up_to(24, random), random);
            auto const r = solved_by(solver, p);
            ASSERT_EQ(r.report.status, lcp_status::solved) << "kind " << static_cast<int>(k) << " trial " << trial << " n " << p.n << " residual " << r.residual;
            ASSERT_LE(r.residual, goal<S>) << "kind " << static_cast<int>(k) << " trial " << trial;
            ASSERT_EQ(r.report.unsatisfied, 0u);
            ASSERT_FALSE(r.report.indefinite);
            ASSERT_LT(r.report.pivots, most_pivots(solver, p.n));
            worst = std::max(worst, r.residual);
            if (p.n <= 6) {
                ASSERT_NO_FATAL_FAILURE(expect_as_enumerated(p, r, k == kind::definite)) << "kind " << static_cast<int>(k) << " trial " << trial;
            }
        }
        this->RecordProperty("residual_of_kind_" + std::to_string(static_cast<int>(k)), figure(worst));
    }
}

// Friction has the bounds mu |x| of a first pass in which no friction acts. That pass is unique where A is definite.
TYPED_TEST(lo_hi, friction_is_bounded_by_the_pass_without_it) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S> solver;
    std::size_t rows = 0, at_bound = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        auto p = gram<S>(up_to(6, random), 9, kind::definite, random);
        set_bounds(p, random);
        set_friction(p, random);
        auto const r = solved_by(solver, p);
        ASSERT_EQ(r.report.status, lcp_status::solved);
        auto const first = enumerate(p, p.lower, p.upper, goal<S> / 10);  // friction rows are [0, 0] there
        ASSERT_TRUE(first.found);
        for (std::size_t i = 0; i < p.n; ++i) {
            if (!p.is_friction(i)) continue;
            real const bound = p.mu[i] * std::fabs(first.x[p.normal[i]]);
            ASSERT_NEAR(static_cast<double>(r.upper[i]), static_cast<double>(bound), (std::is_same_v<S, float> ? 1e-3 : 1e-9) * (1 + static_cast<double>(bound)));
            ASSERT_EQ(r.lower[i], -r.upper[i]);
            ++rows;
            at_bound += std::fabs(r.x[i]) == r.upper[i] ? 1 : 0;
        }
    }
    EXPECT_GT(rows, 1000u);
    EXPECT_GT(at_bound, 200u);
    EXPECT_LT(at_bound, rows - 200u);
}

// A brick of 2 kg on a table, g = 9.81: x = normal force, x = friction along the slope. Slides when pushed harder than mu m g.
TYPED_TEST(lo_hi, a_pushed_brick_sticks_and_slides) {
    using S = TypeParam;
    for (S const push : {S(0), S(5), S(-9), S(12), S(-30)}) {
        owned_problem<S> p(2);
        p.at(0, 0) = p.at(1, 1) = S(0.5);  // 1 / m
        p.b = {S(-9.81), push / S(2)};
        p.lower = {S(0), S(0)};
        p.upper = {infinity_v<S>, S(0)};
        p.normal = {no_normal, 0};
        p.mu = {S(0), S(0.5)};
        lo_hi_lcp<S> solver;
        auto const r = solved_by(solver, p);
        ASSERT_EQ(r.report.status, lcp_status::solved);
        EXPECT_NEAR(r.x[0], S(19.62), S(1e-5));
        EXPECT_NEAR(r.x[1], std::clamp(-push, S(-9.81), S(9.81)), S(1e-5));
        EXPECT_EQ(solver.row(1), std::fabs(push) < S(9.81) ? lcp_row::free : push > S(0) ? lcp_row::lower : lcp_row::upper);
        EXPECT_NEAR(solver.response(1), (push + r.x[1]) / S(2), S(1e-5));
    }
}
// With more passes the friction's bounds follow the normal force that it changes: a pushed rod that jams, normal and friction coupled.
TYPED_TEST(lo_hi, more_passes_couple_friction_and_normal) {
    using S = TypeParam;
    owned_problem<S> p(2);
    p.a = {S(2), S(0.6), S(0.6), S(1)};
    p.b = {S(-4), S(-9)};
    p.lower = {S(0), S(0)};
    p.upper = {infinity_v<S>, S(0)};
    p.normal = {no_normal, 0};
    p.mu = {S(0), S(0.5)};
    lo_hi_lcp<S> solver;
    auto r = solved_by(solver, p);
    EXPECT_NEAR(r.x[1], S(1), S(1e-5));    // mu 2: without friction the normal force is 2
    EXPECT_NEAR(r.x[0], S(1.7), S(1e-5));  // with it (4 - 0.6) / 2
    solver.friction_passes = 40;
    r = solved_by(solver, p);
    EXPECT_NEAR(r.x[1], S(0.5) * r.x[0], S(1e-5));  // 2 x = 4 - 0.3 x
    EXPECT_NEAR(r.x[0], S(4 / 2.3), S(1e-5));
    EXPECT_EQ(r.report.status, lcp_status::solved);
}

// Problems whose rows contradict each other: one row of them is reported, x is finite and within its bounds, all other rows are met.
template <class S>
void expect_one_unsatisfied(owned_problem<S> const& p, lo_hi_lcp<S>& solver, std::size_t i, std::size_t k, int trial) {
    auto const r = solved_by(solver, p);
    ASSERT_EQ(r.report.status, lcp_status::unsatisfied) << trial;
    ASSERT_EQ(r.report.unsatisfied, 1u) << trial;
    ASSERT_TRUE(solver.is_satisfied(i) != solver.is_satisfied(k) || i == k) << trial;
    ASSERT_LT(r.report.pivots, most_pivots(solver, p.n));
    ASSERT_TRUE(std::isfinite(r.residual)) << trial;  // within the bounds
    for (std::size_t q = 0; q < p.n; ++q) {
        ASSERT_TRUE(std::isfinite(r.x[q]));
        ASSERT_EQ(r.of_row[q] <= goal<S>, solver.is_satisfied(q)) << trial << " row " << q << " " << r.of_row[q];
    }
    ASSERT_GT(r.residual, 100 * goal<S>) << trial;
    if (p.n <= 5) {
        ASSERT_FALSE(enumerate(p, r.lower, r.upper, goal<S>).found) << trial;
    }
}
TYPED_TEST(lo_hi, reports_rows_that_nothing_moves) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S> solver;
    for (int trial = 0; trial < 2000; ++trial) {
        std::size_t const n = up_to(24, random), i = random() % n;
        auto p = gram<S>(n, n + 3, kind::definite, random);
        set_bounds(p, random);
        for (std::size_t k = 0; k < n; ++k) p.at(i, k) = p.at(k, i) = S(0);
        bool const up = random() % 2 == 0;
        p.b[i] = up ? S(-4) : S(4);
        p.lower[i] = up ? S(0) : -infinity_v<S>;
        p.upper[i] = up || random() % 2 == 0 ? infinity_v<S> : S(1);
        ASSERT_NO_FATAL_FAILURE(expect_one_unsatisfied(p, solver, i, i, trial));
        // With the bound that it asks for it goes there.
        (up ? p.upper : p.lower)[i] = up ? S(3) : S(-3);
        auto const r = solved_by(solver, p);
        ASSERT_EQ(r.report.status, lcp_status::solved);
        ASSERT_EQ(r.x[i], up ? S(3) : S(-3));
    }
}
TYPED_TEST(lo_hi, reports_rows_that_contradict_each_other) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S> solver;
    for (int trial = 0; trial < 4000; ++trial) {
        std::size_t const n = 1 + up_to(23, random), i = random() % n, k = (i + 1 + random() % (n - 1)) % n;
        auto p = gram<S>(n, n + 3, kind::definite, random);
        set_bounds(p, random);
        // Row k is row i, or its opposite; then b_i and b_k ask for what cannot be.
        bool const opposite = trial % 2 == 0;
        S const sign = opposite ? S(-1) : S(1);
        for (std::size_t q = 0; q < n; ++q) p.at(k, q) = sign * p.at(i, q);
        for (std::size_t q = 0; q < n; ++q) p.at(q, k) = p.at(k, q);
        p.at(k, k) = p.at(i, i);
        p.at(i, k) = p.at(k, i) = sign * p.at(i, i);
        p.b[k] = sign * p.b[i] - S(6);
        p.upper[i] = p.upper[k] = infinity_v<S>;
        p.lower[i] = p.lower[k] = opposite ? S(0) : -infinity_v<S>;  // squeezed contacts, or equalities
        ASSERT_NO_FATAL_FAILURE(expect_one_unsatisfied(p, solver, i, k, trial));
    }
}
// A of low rank and any b: sometimes there is a solution, and the reference says when.
TYPED_TEST(lo_hi, knows_whether_there_is_a_solution) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S> solver;
    std::size_t with = 0, without = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        std::size_t const n = up_to(6, random);
        auto p = gram<S>(n, up_to(n, random), kind::duplicates, random);
        set_bounds(p, random);
        for (auto& x : p.b) x = static_cast<S>(number(random));
        auto const r = solved_by(solver, p);
        ASSERT_TRUE(std::isfinite(r.residual));
        ASSERT_NO_FATAL_FAILURE(expect_as_enumerated(p, r, false)) << trial;
        (r.report.status == lcp_status::solved ? with : without) += 1;
    }
    EXPECT_GT(with, 1000u);
    EXPECT_GT(without, 1000u);
}

// Nothing is promised of an indefinite A but an end, x finite and within its bounds, and a report that is true.
TYPED_TEST(lo_hi, is_honest_about_indefinite_problems) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S> solver;
    std::size_t possible = 0, found = 0;
    for (int trial = 0; trial < 10000; ++trial) {
        owned_problem<S> p(up_to(trial % 4 == 0 ? 24 : 5, random));
        for (std::size_t i = 0; i < p.n; ++i) {
            for (std::size_t k = 0; k <= i; ++k) {
                bool const whole = trial % 3 == 0;
                p.at(i, k) = p.at(k, i) = whole ? static_cast<S>(static_cast<int>(random() % 3) - 1) : static_cast<S>(number(random));
            }
            p.b[i] = static_cast<S>(number(random));
        }
        set_bounds(p, random);
        if (random() % 3 == 0) set_friction(p, random);
        auto const r = solved_by(solver, p);
        ASSERT_TRUE(std::isfinite(r.residual)) << trial;
        ASSERT_LE(r.report.pivots, most_pivots(solver, p.n));
        // Of a semi-definite A no scaled entry is above 1; here they may be, and the rounding of w with them.
        real spread = 1;
        for (std::size_t i = 0; i < p.n; ++i)
            for (std::size_t k = 0; k < p.n; ++k) {
                real const d = std::sqrt(std::fabs(static_cast<real>(p.a[i * p.n + i]) * p.a[k * p.n + k]));
                if (d > 0) spread = std::max(spread, std::fabs(p.a[i * p.n + k]) / d);
            }
        std::size_t unsatisfied = 0;
        for (std::size_t i = 0; i < p.n; ++i) {
            ASSERT_TRUE(std::isfinite(r.x[i]));
            unsatisfied += solver.is_satisfied(i) ? 0 : 1;
            if (solver.is_satisfied(i)) {
                ASSERT_LE(r.of_row[i], goal<S> * spread) << trial;
            }
        }
        ASSERT_EQ(unsatisfied, r.report.unsatisfied);
        ASSERT_EQ(unsatisfied == 0, r.report.status == lcp_status::solved);
        if (p.n <= 5 && p.normal.empty() && enumerate(p, r.lower, r.upper, goal<S> / 10).found) {
            ++possible;
            found += unsatisfied == 0 ? 1 : 0;
        }
    }
    this->RecordProperty("solvable", std::to_string(possible));
    this->RecordProperty("solved", std::to_string(found));
    EXPECT_GT(found, possible / 2);
}
// Definite of the other sign, and a saddle point [A B^T; B -C]: with equalities only they are linear systems like others.
TYPED_TEST(lo_hi, solves_indefinite_equalities) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S> solver;
    for (int trial = 0; trial < 500; ++trial) {
        std::size_t const n = up_to(20, random), split = random() % (n + 1);
        auto p = gram<S>(n, n + 4, kind::definite, random);
        for (std::size_t i = split; i < n; ++i)
            for (std::size_t k = split; k < n; ++k) p.at(i, k) = -p.at(i, k);
        auto const r = solved_by(solver, p);
        ASSERT_EQ(r.report.status, lcp_status::solved) << trial;
        ASSERT_LE(r.residual, goal<S>);
        ASSERT_EQ(r.report.indefinite, split < n);
    }
}
// Square random matrices: some are singular but for the last digits. No answer is called one that is none.
TYPED_TEST(lo_hi, is_honest_about_nearly_singular_problems) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S> solver;
    int unsolved = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        std::size_t const n = up_to(12, random);
        auto p = gram<S>(n, n, kind::definite, random);
        set_bounds(p, random);
        auto const r = solved_by(solver, p);
        ASSERT_TRUE(std::isfinite(r.residual));
        if (r.report.status == lcp_status::solved) {
            ASSERT_LE(r.residual, goal<S>) << trial;
        }
        unsolved += r.report.status == lcp_status::solved ? 0 : 1;
    }
    EXPECT_LE(unsolved, sizeof(S) == sizeof(float) ? 20 : 0);
}

// Hundreds of contacts that repeat each other: a box resting on n points, 3 degrees of freedom.
TYPED_TEST(lo_hi, a_box_rests_on_many_points) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S> solver;
    for (std::size_t const n : {std::size_t(4), std::size_t(16), std::size_t(64), std::size_t(200)}) {
        owned_problem<S> p(n);
        std::vector<std::array<double, 3>> row(n);  // 1, x, y over unit mass and inertia
        for (std::size_t i = 0; i < n; ++i) row[i] = {1.0, i < 4 ? (i % 2 == 0 ? 1.0 : -1.0) : number(random), i < 4 ? (i < 2 ? 1.0 : -1.0) : number(random)};
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < n; ++k) p.at(i, k) = static_cast<S>(row[i][0] * row[k][0] + row[i][1] * row[k][1] + row[i][2] * row[k][2]);
            p.b[i] = S(-9.81);
            p.lower[i] = S(0);
        }
        auto const r = solved_by(solver, p);
        ASSERT_EQ(r.report.status, lcp_status::solved) << n;
        EXPECT_LE(r.residual, goal<S>);
        S sum(0);
        for (S const x : r.x) sum += x;
        EXPECT_NEAR(sum, S(9.81), S(1e-4));
        EXPECT_LT(r.report.pivots, 4 * n);
    }
}

TYPED_TEST(lo_hi, starts_from_an_answer) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S> solver;
    std::size_t cold = 0, warm = 0, near = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        auto p = any_problem<S>(kind::definite, up_to(24, random), random);
        auto const first = solved_by(solver, p);
        auto const again = solved_by(solver, p, first.x, lcp_start::warm);
        ASSERT_EQ(again.report.status, lcp_status::solved);
        ASSERT_LE(again.residual, goal<S>);
        cold += first.report.pivots;
        warm += again.report.pivots;
        for (auto& b : p.b) b *= S(1.001);
        auto const moved = solved_by(solver, p, first.x, lcp_start::warm);
        ASSERT_EQ(moved.report.status, lcp_status::solved);
        near += moved.report.pivots;
        // Any start will do.
        std::vector<S> wild(p.n);
        for (auto& x : wild) x = static_cast<S>(100 * number(random));
        auto const from = solved_by(solver, p, wild, lcp_start::warm);
        ASSERT_EQ(from.report.status, lcp_status::solved);
        ASSERT_LE(from.residual, goal<S>);
    }
    // Without friction nothing is left to do; its second pass does what the first could not.
    EXPECT_LT(warm, cold / 4);
    EXPECT_LT(near, cold / 3);
}

// A change of units: x_i in other units by u_i, w_i by 1 / u_i. Powers of four change no rounding and so no bit.
TYPED_TEST(lo_hi, does_not_depend_on_units) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S> solver;
    for (int trial = 0; trial < 500; ++trial) {
        auto p = any_problem<S>(kinds[trial % 5], up_to(12, random), random);
        if (!p.normal.empty()) continue;
        auto q = p;
        std::vector<S> unit(p.n);
        for (auto& u : unit) u = static_cast<S>(std::ldexp(1.0, static_cast<int>(random() % 13) - 6));
        for (std::size_t i = 0; i < p.n; ++i) {
            for (std::size_t k = 0; k < p.n; ++k) q.at(i, k) *= unit[i] * unit[k];
            q.b[i] *= unit[i];
            q.lower[i] /= unit[i];
            q.upper[i] /= unit[i];
            if (p.a[i * p.n + i] == S(0)) unit[i] = S(1);
        }
        bool zero = false;
        for (std::size_t i = 0; i < p.n; ++i) zero = zero || p.a[i * p.n + i] == S(0);
        if (zero) continue;
        auto const a = solved_by(solver, p), b = solved_by(solver, q);
        ASSERT_EQ(a.report.pivots, b.report.pivots);
        for (std::size_t i = 0; i < p.n; ++i) ASSERT_EQ(a.x[i], b.x[i] * unit[i]);
    }
}

// What solving the other constraints first leaves of a row that they imply is rounding: its own scale would make it look like a row.
TYPED_TEST(lo_hi, diagonal_scale_tells_rounding_from_rows) {
    using S = TypeParam;
    owned_problem<S> p(2);
    S const noise = epsilon_v<S>;
    p.a = {S(2), S(0), S(0), noise};
    p.b = {S(-2), noise};
    lo_hi_lcp<S> solver;
    std::vector<S> x(2), scale{S(2), S(3)};
    auto view = p.view();
    view.diagonal_scale = scale;
    auto const report = solver.solve(view, x);
    EXPECT_EQ(report.status, lcp_status::solved);
    EXPECT_EQ(solver.row(1), lcp_row::idle);
    EXPECT_EQ(x[0], S(1));
    EXPECT_EQ(x[1], S(0));
}

// A motor, and a row that the primary constraints imply and contradict: through what rounding leaves between the two no effort of the motor helps.
TYPED_TEST(lo_hi, no_rounding_drags_a_bounded_row_to_its_bound) {
    using S = TypeParam;
    owned_problem<S> p(2);
    S const noise = epsilon_v<S>;
    p.a = {S(0.0625), S(0), S(8) * noise, noise};
    p.b = {S(0.5), S(-1)};
    p.lower[0] = S(-20);
    p.upper[0] = S(20);
    p.lower[1] = -infinity_v<S>;
    p.upper[1] = infinity_v<S>;
    lo_hi_lcp<S> solver;
    std::vector<S> x(2), scale{S(1), S(1)};
    auto view = p.view();
    view.diagonal_scale = scale;
    auto const report = solver.solve(view, x);
    EXPECT_EQ(report.status, lcp_status::unsatisfied);
    EXPECT_EQ(report.unsatisfied, 1u);
    EXPECT_EQ(solver.row(0), lcp_row::free);
    EXPECT_EQ(x[0], S(-8));
    EXPECT_EQ(x[1], S(0));
}

// Auxiliary constraints beside primary ones that are solved already (Vondrak 2005, 7.3.5): A = J_a P J_a^T, b = J_a P v, P = 1 - J^T (J J^T)^-1 J.
// P projects, so A is semi-definite, not indefinite as is said there; but rows that the primary ones imply leave rounding of either sign.
TYPED_TEST(lo_hi, solves_what_primary_constraints_leave) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S> solver;
    solver.pivot_floor = epsilon_v<S> * S(64);  // A is made of sums of some hundred products
    std::size_t implied = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        std::size_t const dof = 4 + up_to(20, random), primary = up_to(dof / 2, random), n = up_to(12, random);
        auto const row = [&] {
            std::vector<S> r(dof);
            for (auto& x : r) x = static_cast<S>(number(random));
            return r;
        };
        auto const product = [](std::vector<S> const& u, std::vector<S> const& v) {
            S s(0);
            for (std::size_t i = 0; i < u.size(); ++i) s += u[i] * v[i];
            return s;
        };
        std::vector<std::vector<S>> q, j;  // orthonormal rows instead of J, in working precision; J_a
        while (q.size() < primary) {
            auto r = row();
            for (int twice = 0; twice < 2; ++twice)
                for (auto const& u : q) {
                    S const s = product(u, r);
                    for (std::size_t i = 0; i < dof; ++i) r[i] -= s * u[i];
                }
            S const length = std::sqrt(product(r, r));
            for (auto& x : r) x /= length;
            q.push_back(r);
        }
        auto const v = row();
        std::vector<bool> is_implied(n);
        for (std::size_t k = 0; k < n; ++k) {
            auto r = row();
            is_implied[k] = random() % 3 == 0;
            if (is_implied[k]) {
                std::fill(r.begin(), r.end(), S(0));
                for (auto const& u : q) {
                    S const s = static_cast<S>(number(random));
                    for (std::size_t i = 0; i < dof; ++i) r[i] += s * u[i];
                }
            }
            j.push_back(r);
        }
        owned_problem<S> p(n);
        std::vector<S> scale(n), b_scale(n), x(n);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < n; ++k) {
                p.at(i, k) = product(j[i], j[k]);
                if (i == k) scale[i] = p.at(i, i);
                for (auto const& u : q) p.at(i, k) -= product(j[i], u) * product(u, j[k]);
            }
            p.b[i] = product(j[i], v);
            b_scale[i] = std::sqrt(scale[i] * product(v, v));
            for (auto const& u : q) p.b[i] -= product(j[i], u) * product(u, v);
        }
        set_bounds(p, random);
        auto view = p.view();
        view.diagonal_scale = scale;
        view.b_scale = b_scale;
        auto const report = solver.solve(view, x);
        ASSERT_EQ(report.status, lcp_status::solved) << trial << " " << report.residual;
        ASSERT_FALSE(report.indefinite) << trial;
        for (std::size_t i = 0; i < n; ++i) {
            if (!is_implied[i]) continue;
            ++implied;
            ASSERT_NE(solver.row(i), lcp_row::free);  // no force out of nothing
        }
        // Without being told: an end, and something finite.
        auto const r = solved_by(solver, p);
        ASSERT_TRUE(std::isfinite(r.residual));
    }
    EXPECT_GT(implied, 1000u);
}

TYPED_TEST(lo_hi, refuses_what_is_no_problem) {
    using S = TypeParam;
    S const nan = std::numeric_limits<S>::quiet_NaN(), inf = infinity_v<S>;
    lo_hi_lcp<S> solver;
    auto const status = [&](auto change) {
        owned_problem<S> p(2);
        p.at(0, 0) = p.at(1, 1) = S(1);
        p.lower = {S(1), S(0)};
        p.normal = {no_normal, no_normal};
        p.mu = {S(0), S(0)};
        change(p);
        std::vector<S> x(2, nan);
        auto const report = solver.solve(p.view(), x, lcp_start::warm);
        EXPECT_TRUE(std::isfinite(x[0]) && std::isfinite(x[1]));
        EXPECT_EQ(report.status == lcp_status::solved, solver.is_satisfied(0) && solver.is_satisfied(1));
        return report.status;
    };
    EXPECT_EQ(status([](auto&) {}), lcp_status::solved);
    EXPECT_EQ(status([&](auto& p) { p.at(1, 0) = nan; }), lcp_status::invalid);
    EXPECT_EQ(status([&](auto& p) { p.at(0, 1) = nan; }), lcp_status::solved);  // not read
    EXPECT_EQ(status([&](auto& p) { p.b[1] = inf; }), lcp_status::invalid);
    EXPECT_EQ(status([&](auto& p) { p.upper[0] = S(0.5); }), lcp_status::invalid);
    EXPECT_EQ(status([&](auto& p) { p.lower[1] = nan; }), lcp_status::invalid);
    EXPECT_EQ(status([&](auto& p) { p.lower[1] = inf; }), lcp_status::invalid);
    EXPECT_EQ(status([&](auto& p) { p.normal[1] = 2; }), lcp_status::invalid);
    EXPECT_EQ(status([&](auto& p) { p.normal[1] = 1; }), lcp_status::invalid);
    EXPECT_EQ(status([&](auto& p) { p.normal[1] = 0, p.mu[1] = S(-1); }), lcp_status::invalid);
    EXPECT_EQ(status([&](auto& p) { p.normal[1] = 0, p.mu[1] = inf; }), lcp_status::solved);
    // Scales that overflow.
    EXPECT_NE(status([&](auto& p) { p.at(0, 0) = p.at(1, 1) = std::numeric_limits<S>::min(), p.at(1, 0) = std::numeric_limits<S>::max(); }), lcp_status::solved);
    owned_problem<S> const none;
    std::vector<S> x;
    EXPECT_EQ(solver.solve(none.view(), x).status, lcp_status::solved);
}

// Too few pivots: what is not done is reported.
TYPED_TEST(lo_hi, stops_at_the_pivot_limit) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    auto p = gram<S>(24, 30, kind::definite, random);
    for (auto& l : p.lower) l = S(0);
    lo_hi_lcp<S> solver;
    solver.pivots_per_row = 0;
    auto const r = solved_by(solver, p);
    EXPECT_EQ(r.report.status, lcp_status::pivot_limit);
    EXPECT_GT(r.report.unsatisfied, 0u);
    EXPECT_TRUE(std::isfinite(r.residual));
}

std::size_t growths = 0;
template <class T>
struct counted : dynamic_vector<T> {
    constexpr void resize(std::size_t n) {
        growths += n > this->capacity() ? 1 : 0;
        dynamic_vector<T>::resize(n);
    }
    constexpr void assign(std::size_t n, T const& value) {
        growths += n > this->capacity() ? 1 : 0;
        dynamic_vector<T>::assign(n, value);
    }
    constexpr void push_back(T const& value) {
        growths += this->size() == this->capacity() ? 1 : 0;
        dynamic_vector<T>::push_back(value);
    }
};
struct counting_storage {
    template <class T, std::size_t>
    using array = counted<T>;
};
TYPED_TEST(lo_hi, allocates_nothing_once_it_has_run) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S, counting_storage> solver;
    auto first = gram<S>(24, 30, kind::definite, random);
    for (auto& l : first.lower) l = S(0);
    solved_by(solver, first);
    EXPECT_GT(growths, 0u);
    growths = 0;
    for (int trial = 0; trial < 500; ++trial) solved_by(solver, any_problem<S>(kinds[trial % 5], up_to(24, random), random));
    EXPECT_EQ(growths, 0u);
}
TYPED_TEST(lo_hi, static_storage_gives_the_same_bits) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S> a;
    lo_hi_lcp<S, static_storage<>, 24> b;
    for (int trial = 0; trial < 200; ++trial) {
        auto const p = any_problem<S>(kinds[trial % 5], up_to(24, random), random);
        ASSERT_EQ(solved_by(a, p).x, solved_by(b, p).x);
    }
}

// Two blocks in a row pushed against a wall, a motor of bounded force between them, in a constant expression.
template <class S>
constexpr bool solves_a_small_problem() {
    std::array<S, 9> const a{2, 0, 0, -1, 2, 0, 0, -1, 2};  // only the lower triangle
    std::array<S, 3> const b{-1, 3, -4};
    std::array<S, 3> const lower{0, 0, -1}, upper{infinity_v<S>, infinity_v<S>, 1};
    std::array<S, 3> x{};
    lo_hi_lcp<S, static_storage<>, 3> solver;
    auto const report = solver.solve({a, b, lower, upper}, x);
    // x_1 = 0: 2 x_0 = 1, x_2 = 1 as 2 x_2 = 4 is too much; w_1 = 3 - 0.5 - 1.
    return report.status == lcp_status::solved && x[0] == S(0.5) && x[1] == S(0) && x[2] == S(1) && solver.row(0) == lcp_row::free &&
           solver.row(1) == lcp_row::lower && solver.row(2) == lcp_row::upper && solver.response(1) == S(1.5);
}
static_assert(solves_a_small_problem<double>());
static_assert(solves_a_small_problem<float>());
TEST(lo_hi_constexpr, the_same_at_run_time) {
    EXPECT_TRUE(solves_a_small_problem<double>());
    EXPECT_TRUE(solves_a_small_problem<float>());
    EXPECT_TRUE(solves_a_small_problem<long double>());
}

// The step ends where a row comes to its bound, as far as rounding can tell: 1 over 3000 times 3000 need not be 1. In a constant
// expression nothing can be read past its end.
template <class S>
constexpr bool ends_where_a_bound_is_far_from_round() {
    S const inf = infinity_v<S>;
    auto const run = [](auto const& a, auto const& b, auto const& lower, auto const& upper, auto x, lcp_start start) {
        lo_hi_lcp<S> solver;
        (void)solver.solve({a, b, lower, upper}, x, start);
        bool within = true;
        for (std::size_t i = 0; i < x.size(); ++i) within = within && lower[i] <= x[i] && x[i] <= upper[i];
        return within;
    };
    return run(std::array<S, 4>{0, 3000, 3000, -20}, std::array<S, 2>{1, 3}, std::array<S, 2>{-1, -inf}, std::array<S, 2>{1, inf}, std::array<S, 2>{}, lcp_start::cold) &&
           run(std::array<S, 9>{30, -3000, -30000, -3000, -20, 3000, -30000, 3000, 0}, std::array<S, 3>{3, -2, 1}, std::array<S, 3>{-inf, -inf, 2}, std::array<S, 3>{0, 0, 2},
               std::array<S, 3>{}, lcp_start::cold) &&
           run(std::array<S, 4>{10, 1000, 1000, 0}, std::array<S, 2>{0, 1}, std::array<S, 2>{-inf, -inf}, std::array<S, 2>{0, inf}, std::array<S, 2>{-98, 39}, lcp_start::warm);
}
static_assert(ends_where_a_bound_is_far_from_round<double>());
static_assert(ends_where_a_bound_is_far_from_round<float>());
TEST(lo_hi_constexpr, ends_where_a_bound_is_far_from_round) {
    EXPECT_TRUE(ends_where_a_bound_is_far_from_round<double>());
    EXPECT_TRUE(ends_where_a_bound_is_far_from_round<float>());
}
TYPED_TEST(lo_hi, ends_within_bounds_whatever_the_scales) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    lo_hi_lcp<S> solver;
    for (int trial = 0; trial < 20000; ++trial) {
        owned_problem<S> p(up_to(12, random));
        for (std::size_t i = 0; i < p.n; ++i) {
            for (std::size_t k = 0; k <= i; ++k)
                p.at(i, k) = p.at(k, i) = static_cast<S>((static_cast<int>(random() % 7) - 3) * std::pow(10.0, static_cast<int>(random() % 5)));
            p.b[i] = static_cast<S>(static_cast<int>(random() % 9) - 4);
        }
        set_bounds(p, random);
        if (random() % 3 == 0) set_friction(p, random);
        auto const r = solved_by(solver, p);
        ASSERT_LE(r.report.pivots, most_pivots(solver, p.n)) << trial;
        for (std::size_t i = 0; i < p.n; ++i) {
            ASSERT_TRUE(std::isfinite(r.x[i])) << trial;
            ASSERT_TRUE(p.is_friction(i) || (p.lower[i] <= r.x[i] && r.x[i] <= p.upper[i])) << trial;
        }
    }
}

// A plate on its four corners, one more than it needs: some bear nothing. Derivatives by a force that turns it little by little ask all of them, so that it stays where it
// is, and no value changes by them; where it is about to rise, pushes go on being none.
TEST(dantzig_with_derivatives, has_all_corners_bear_that_might) {
    using D = dual<double, 2>;
    constexpr std::size_t n = 4;
    double const x[n] = {1, -1, 1, -1}, z[n] = {1, -1, -1, 1};  // the first two bear it all
    auto const pushes = [&]<class S>(S const& weight, S const& turning_x, S const& turning_z) {
        std::array<S, n * n> a;
        std::array<S, n> b, lower{}, upper, lambda{};
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < n; ++k) a[i * n + k] = S(1 + x[i] * x[k] + z[i] * z[k]);
            b[i] = -(weight + turning_x * S(x[i]) + turning_z * S(z[i]));
            upper[i] = infinity_v<S>;
        }
        lo_hi_lcp<S> lcp;
        EXPECT_EQ(lcp.solve({a, b, lower, upper}, lambda).status, lcp_status::solved);
        return lambda;
    };
    for (double const weight : {1.0, 0.0}) {
        auto const lambda = pushes(D(weight), D::variable(0, 0), D::variable(0, 1));
        auto const plain = pushes(weight, 0.0, 0.0);
        D push(0), about_x(0), about_z(0);
        for (std::size_t i = 0; i < n; ++i) {
            EXPECT_EQ(lambda[i].v, plain[i]);
            push += lambda[i];
            about_x += lambda[i] * D(x[i]);
            about_z += lambda[i] * D(z[i]);
        }
        EXPECT_NEAR(push.v, weight, 1e-15);
        EXPECT_NEAR(push.d[0], 0, 1e-15);
        EXPECT_NEAR(push.d[1], 0, 1e-15);
        if (weight > 0) {
            EXPECT_NEAR(about_x.d[0], 1, 1e-15);
            EXPECT_NEAR(about_x.d[1], 0, 1e-15);
            EXPECT_NEAR(about_z.d[0], 0, 1e-15);
            EXPECT_NEAR(about_z.d[1], 1, 1e-15);
        }
    }
}

}  // namespace
