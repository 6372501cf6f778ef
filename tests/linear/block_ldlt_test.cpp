// L D L^T over any graph of blocks: against a dense solve, no pivot lost that need not be, redundant rows set aside, linear time on
// chains and trees.

#include <sinew/linear/block_ldlt.hpp>
#include <sinew/math/dual.hpp>
#include <sinew/math/elementary.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace {

using namespace sinew;

constexpr unsigned seed = 2015;

template <class S>
class block_factors : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(block_factors, scalars);

double number(std::mt19937& random) {  // [-1, 1]
    return static_cast<double>(random()) / 2147483648.0 - 1;
}
std::size_t pick(std::mt19937& random, std::size_t lo, std::size_t hi) {  // [lo, hi]
    return lo + random() % (hi - lo + 1);
}

using matrix = std::vector<std::vector<long double>>;

// x with A x = b, by Gaussian elimination with row pivoting.
std::vector<long double> dense_solve(matrix a, std::vector<long double> b, long double& smallest_pivot) {
    std::size_t const n = b.size();
    smallest_pivot = 1e9L;
    for (std::size_t j = 0; j < n; ++j) {
        std::size_t best = j;
        for (std::size_t i = j; i < n; ++i)
            if (abs(a[i][j]) > abs(a[best][j])) best = i;
        std::swap(a[j], a[best]);
        std::swap(b[j], b[best]);
        smallest_pivot = std::min(smallest_pivot, abs(a[j][j]));
        for (std::size_t i = j + 1; i < n; ++i) {
            long double const l = a[i][j] / a[j][j];
            for (std::size_t k = j; k < n; ++k) a[i][k] -= l * a[j][k];
            b[i] -= l * b[j];
        }
    }
    for (std::size_t j = n; j-- > 0;) {
        for (std::size_t k = j + 1; k < n; ++k) b[j] -= a[j][k] * b[k];
        b[j] /= a[j][j];
    }
    return b;
}

// A saddle-point system as nodes and edges, and as a dense matrix with its rows node by node as they were added.
template <class S>
struct saddle {
    block_ldlt<S> sparse;
    std::vector<std::size_t> first, size;
    std::size_t n = 0;
    struct entry {
        std::uint32_t edge;
        std::size_t a, b;
    };
    std::vector<entry> edges;
    std::vector<std::uint32_t> positives, negatives;
    long double smallest_pivot = 0;  // of the last dense solution

    std::uint32_t keep(std::uint32_t node, std::size_t rows) {
        EXPECT_EQ(node, first.size());
        first.push_back(n);
        size.push_back(rows);
        n += rows;
        return node;
    }
    std::uint32_t positive(std::size_t rows, bool free = true) {
        positives.push_back(keep(sparse.add_positive(rows, free), rows));
        return positives.back();
    }
    std::uint32_t negative(std::size_t rows, std::vector<std::uint32_t> const& neighbours, bool held, bool couple) {
        auto const k = keep(sparse.add_negative(rows, held), rows);
        negatives.push_back(k);
        for (auto b : neighbours) edges.push_back({sparse.join(k, b), k, b});
        if (couple)
            for (std::size_t i = 0; i < neighbours.size(); ++i)
                for (std::size_t j = i + 1; j < neighbours.size(); ++j)
                    if (neighbours[i] != neighbours[j]) edges.push_back({sparse.join(neighbours[j], neighbours[i]), neighbours[j], neighbours[i]});
        return k;
    }
    bool is_positive(std::size_t node) const { return std::find(positives.begin(), positives.end(), node) != positives.end(); }

    // Random blocks: positive ones diagonally dominant, constraints with -softness on their diagonals.
    matrix fill(std::mt19937& random, double softness) {
        matrix a(n, std::vector<long double>(n, 0));
        sparse.set_zero();
        auto const put = [&](std::size_t i, std::size_t j, std::size_t r, std::size_t c, S x) {
            a[first[i] + r][first[j] + c] += x;
            if (i != j) a[first[j] + c][first[i] + r] += x;
        };
        for (auto const& e : edges) {
            auto const block = sparse.block(e.edge);
            double const scale = is_positive(e.a) ? 0.1 : 1;
            for (std::size_t r = 0; r < size[e.a]; ++r)
                for (std::size_t c = 0; c < size[e.b]; ++c) {
                    S const x = static_cast<S>(number(random) * scale);
                    block(r, c) += x;
                    put(e.a, e.b, r, c, x);
                }
        }
        for (std::uint32_t p : positives) {
            auto const d = sparse.diagonal(p);
            for (std::size_t r = 0; r < size[p]; ++r)
                for (std::size_t c = 0; c <= r; ++c) {
                    S const x = static_cast<S>(r == c ? 4 + number(random) + 0.6 * static_cast<double>(edges.size()) * 0.1 : 0.3 * number(random));
                    d(r, c) += x;
                    a[first[p] + r][first[p] + c] += x;
                    if (r != c) a[first[p] + c][first[p] + r] += x;
                }
        }
        for (std::uint32_t k : negatives)
            for (std::size_t r = 0; r < size[k]; ++r) {
                S const x = static_cast<S>(-softness);
                sparse.diagonal(k)(r, r) += x;
                a[first[k] + r][first[k] + r] += x;
            }
        return a;
    }
    // Largest difference to the dense solution, relative to the largest unknown.
    long double error(matrix const& a, std::mt19937& random, std::size_t& rank) {
        std::vector<long double> b(n);
        std::vector<S> x(n);
        for (std::size_t i = 0; i < size.size(); ++i)
            for (std::size_t r = 0; r < size[i]; ++r) {
                S const v = static_cast<S>(number(random));
                b[first[i] + r] = v;
                x[sparse.row(static_cast<std::uint32_t>(i)) + r] = v;
            }
        auto const report = sparse.factor(S(64) * std::numeric_limits<S>::epsilon());
        EXPECT_EQ(report.size, n);
        EXPECT_EQ(report.wrong_signs, 0u);
        rank = report.rank;
        sparse.solve(std::span<S>(x));
        auto const exact = dense_solve(a, b, smallest_pivot);
        long double worst = 0, largest = 0;
        for (std::size_t i = 0; i < size.size(); ++i)
            for (std::size_t r = 0; r < size[i]; ++r) {
                worst = std::max(worst, abs(static_cast<long double>(x[sparse.row(static_cast<std::uint32_t>(i)) + r]) - exact[first[i] + r]));
                largest = std::max(largest, abs(exact[first[i] + r]));
            }
        return worst / largest;
    }
};

// Random nets, with and without cycles: constraints of 1 to 3 rows on 1 to 4 bodies, hard and soft.
TYPED_TEST(block_factors, solve_what_a_dense_solver_solves) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    int solved = 0, singular = 0;
    for (int trial = 0; trial < 300; ++trial) {
        saddle<TypeParam> s;
        std::size_t const bodies = pick(random, 1, 12);
        for (std::size_t i = 0; i < bodies; ++i) s.positive(pick(random, 0, 1) ? 6 : 3);
        std::size_t room = 0;
        for (auto p : s.positives) room += s.size[p];
        bool const couple = pick(random, 0, 1) == 1;
        double const softness = pick(random, 0, 1) ? 0.0 : 0.5;
        for (std::size_t k = 0; k < 2 * bodies; ++k) {
            std::vector<std::uint32_t> on;
            std::size_t const arity = std::min(bodies, pick(random, 1, 4));
            std::size_t freedom = 0;
            while (on.size() < arity) {
                auto const b = s.positives[pick(random, 0, bodies - 1)];
                if (std::find(on.begin(), on.end(), b) == on.end()) on.push_back(b);
            }
            for (auto b : on) freedom += s.size[b];
            std::size_t const rows = pick(random, 1, 3);
            if (4 * rows > room || freedom < rows) break;  // far from as many rows as unknowns: random rows are then independent
            room -= 2 * rows;
            s.negative(rows, on, arity == 1, couple);
        }
        s.sparse.order();
        auto const a = s.fill(random, softness);
        std::size_t rank = 0;
        auto const error = s.error(a, random, rank);
        // Some of the hard ones ask more of a body than it has: singular, not only nearly so.
        if (s.smallest_pivot < 1e-3L) {
            singular += s.smallest_pivot < 1e-6L ? 1 : 0;
            continue;
        }
        ++solved;
        EXPECT_EQ(rank, s.n) << "trial " << trial;
        EXPECT_LT(error, 1e5L * std::numeric_limits<TypeParam>::epsilon()) << "trial " << trial;
        if (this->HasFailure()) break;
    }
    EXPECT_GT(solved, 270);
    EXPECT_LT(singular, 15);
}

// Chains of bodies held at one end, at both, closed to a ring, hanging free; with and without blocks between the bodies.
TYPED_TEST(block_factors, of_chains_and_rings_lose_no_pivot) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (std::size_t links : {1u, 2u, 3u, 10u, 40u})
        for (int shape = 0; shape < 4; ++shape)
            for (bool couple : {false, true}) {
                saddle<TypeParam> s;
                std::vector<std::uint32_t> body;
                for (std::size_t i = 0; i < links; ++i) body.push_back(s.positive(6));
                if (shape == 1 || shape == 2) s.negative(3, {body[0]}, true, couple);
                for (std::size_t i = 0; i + 1 < links; ++i) s.negative(i % 2 ? 3 : 5, {body[i], body[i + 1]}, false, couple);
                if (shape == 2) s.negative(1, {body[links - 1]}, true, couple);
                if (shape == 3 && links > 6) s.negative(3, {body[links - 1], body[0]}, false, couple);
                s.sparse.order();
                auto const a = s.fill(random, 0);
                std::size_t rank = 0;
                auto const error = s.error(a, random, rank);
                EXPECT_EQ(rank, s.n) << links << " links, shape " << shape << ", couple " << couple;
                EXPECT_LT(error, 1e6L * std::numeric_limits<TypeParam>::epsilon()) << links << " links, shape " << shape << ", couple " << couple;
            }
}

// Joined rods in one line between two walls: each rod has lost a direction when its neighbours are held, but the row is not redundant
// until all are held. One unknown each here: x_i = x_{i+1} all along, x_0 = 0, and x_N = 0 is redundant; without it nothing is.
TEST(block_factors, tell_redundant_rows_from_those_that_come_early) {
    for (bool both : {false, true})
        for (std::size_t n : {1u, 2u, 5u, 17u, 64u}) {
            block_ldlt<double> f;
            std::vector<std::uint32_t> x, c;
            std::vector<std::vector<std::pair<std::uint32_t, double>>> terms;
            auto const constrain = [&](std::vector<std::pair<std::size_t, double>> const& on, bool held) {
                c.push_back(f.add_negative(1, held));
                terms.emplace_back();
                for (auto const& [i, k] : on) terms.back().push_back({f.join(c.back(), x[i]), k});
            };
            for (std::size_t i = 0; i < n; ++i) x.push_back(f.add_positive(1));
            constrain({{0, 1}}, true);
            for (std::size_t i = 0; i + 1 < n; ++i) constrain({{i, 1}, {i + 1, -1}}, false);
            if (both) constrain({{n - 1, 1}}, true);
            f.order();
            f.set_zero();
            for (auto i : x) f.diagonal(i)(0, 0) = 1;
            for (auto const& t : terms)
                for (auto const& [edge, k] : t) f.block(edge)(0, 0) = k;
            auto const report = f.factor(1e-12);
            EXPECT_EQ(report.size - report.rank, both ? 1u : 0u) << n;
            EXPECT_EQ(report.wrong_signs, 0u);
            std::vector<double> b(f.rows(), 0.0);
            for (auto i : x) b[f.row(i)] = 1;
            f.solve(std::span<double>(b));
            for (auto i : x) EXPECT_NEAR(b[f.row(i)], 0, 1e-12);
            std::size_t lost = 0;
            for (auto k : c) lost += f.set_aside(k, 0) ? 1 : 0;
            EXPECT_EQ(lost, both ? 1u : 0u);
        }
}

// Wrong signs are seen: a positive node that is not.
TEST(block_factors, count_pivots_of_the_wrong_sign) {
    block_ldlt<double> f;
    auto const a = f.add_positive(2), b = f.add_positive(1);
    auto const e = f.join(a, b);
    f.order();
    f.set_zero();
    f.diagonal(a)(0, 0) = 2;
    f.diagonal(a)(1, 1) = -1;
    f.diagonal(b)(0, 0) = 3;
    f.block(e)(0, 0) = 0.5;
    EXPECT_EQ(f.factor(1e-12).wrong_signs, 1u);
}

// The same two joined twice, the other way round, and a node with itself.
TEST(block_factors, add_up_edges_that_join_the_same) {
    block_ldlt<double> f;
    auto const a = f.add_positive(2), b = f.add_positive(3);
    auto const e = f.join(a, b), g = f.join(b, a), own = f.join(a, a);
    f.order();
    f.set_zero();
    f.block(e)(1, 2) += 0.25;
    f.block(g)(2, 1) += 0.5;
    EXPECT_EQ(f.block(e)(1, 2), 0.75);
    f.block(own)(1, 0) += 2;
    EXPECT_EQ(f.diagonal(a)(1, 0), 2);
}

// Numbers kept per link do not grow with the chain, nor with the tree: there is no fill.
TEST(block_factors, of_chains_and_trees_have_no_fill) {
    auto const numbers = [](std::size_t links, bool tree, bool couple) {
        saddle<double> s;
        std::vector<std::uint32_t> body;
        for (std::size_t i = 0; i < links; ++i) {
            body.push_back(s.positive(6));
            if (i == 0)
                s.negative(3, {body[0]}, true, couple);
            else
                s.negative(3, {body[tree ? (i - 1) / 2 : i - 1], body[i]}, false, couple);
        }
        s.sparse.order();
        return s.sparse.number_count();
    };
    for (bool tree : {false, true})
        for (bool couple : {false, true}) {
            // A link and its joint: squares of 6 and 3, the joint below the link, the other link below both.
            std::size_t const least = 36 + 9 + 18 + 18 + (couple ? 36 : 0);
            EXPECT_EQ(numbers(1024, tree, couple) - numbers(512, tree, couple), 512 * least) << tree << couple;
        }
}

constexpr bool factors_at_compile_time() {
    block_ldlt<double, static_storage<>, block_ldlt_limits{.nodes = 2, .edges = 1, .rows = 3}> f;
    auto const a = f.add_positive(2), k = f.add_negative(1, true);
    auto const e = f.join(k, a);
    f.order();
    f.set_zero();
    f.diagonal(a)(0, 0) = f.diagonal(a)(1, 1) = 2;
    f.block(e)(0, 1) = -1;
    auto const report = f.factor(1e-12);
    double b[3] = {};
    b[f.row(a)] = 4;
    b[f.row(a) + 1] = 6;
    f.solve(std::span<double>(b, 3));
    // The second unknown is held at 0 by a multiplier of -6.
    return report.full_rank() && b[f.row(a)] == 2 && b[f.row(a) + 1] == 0 && b[f.row(k)] == -6;
}
static_assert(factors_at_compile_time());

}  // namespace
