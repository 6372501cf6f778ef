// L D L^T over a forest: against a dense solve, without fill, in linear time, redundant rows set aside, few allocations.

#include <sinew/linear/forest_ldlt.hpp>
#include <sinew/math/batch.hpp>
#include <sinew/math/dual.hpp>
#include <sinew/math/elementary.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sinew;

constexpr unsigned seed = 1996;

template <class S>
class forest : public testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(forest, scalars);

double number(std::mt19937& random) {  // [-1, 1]
    return static_cast<double>(random()) / 2147483648.0 - 1;
}
std::size_t pick(std::mt19937& random, std::size_t lo, std::size_t hi) {  // [lo, hi]
    return lo + random() % (hi - lo + 1);
}

// x with A x = b, by Gaussian elimination with row pivoting.
std::vector<long double> dense_solve(std::vector<std::vector<long double>> a, std::vector<long double> b) {
    std::size_t const n = b.size();
    for (std::size_t j = 0; j < n; ++j) {
        std::size_t best = j;
        for (std::size_t i = j; i < n; ++i)
            if (abs(a[i][j]) > abs(a[best][j])) best = i;
        std::swap(a[j], a[best]);
        std::swap(b[j], b[best]);
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

// A KKT system in two shapes: nodes and edges, and a dense matrix whose rows are numbered node by node as they were added.
template <class S>
struct kkt {
    struct block {
        std::uint32_t node;
        std::size_t k;
        std::uint32_t other;
        std::vector<S> e;
    };
    forest_ldlt<S> h;
    std::vector<std::uint32_t> bodies, constraints;
    std::vector<std::vector<S>> diagonals;
    std::vector<block> blocks;
    std::vector<std::size_t> first;
    std::vector<S> right;
    std::size_t refused = 0;

    std::uint32_t keep(std::uint32_t v, std::size_t n) {
        diagonals.emplace_back(n * n);
        first.push_back(right.size());
        right.resize(right.size() + n);
        return v;
    }
    // M = 1 + G G^T / n.
    void add_body(std::size_t n, std::mt19937& random) {
        bodies.push_back(keep(h.add(n), n));
        std::vector<double> g(n * n);
        for (double& x : g) x = number(random);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < n; ++k) {
                double s = i == k ? 1 : 0;
                for (std::size_t j = 0; j < n; ++j) s += g[i * n + j] * g[k * n + j] / static_cast<double>(n);
                diagonals.back()[i * n + k] = S(s);
            }
    }
    bool add_constraint(std::size_t rows, std::vector<std::uint32_t> const& to, double compliance, std::mt19937& random) {
        auto const v = h.add(rows, to, compliance > 0 ? pivots::own : pivots::from_children);
        if (v == h.none) {
            ++refused;
            return false;
        }
        constraints.push_back(keep(v, rows));
        for (std::size_t i = 0; i < rows; ++i) diagonals.back()[i * (rows + 1)] = S(-compliance);
        for (std::size_t k = 0; k < to.size(); ++k) {
            std::size_t const n = h.size(to[k]);
            block b{v, k, to[k], std::vector<S>(rows * n)};
            // Rows that differ: random numbers and twice the identity.
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t j = 0; j < n; ++j) b.e[i * n + j] = S(number(random) + (i % n == j ? 2 : 0));
            blocks.push_back(std::move(b));
        }
        return true;
    }
    void write() {
        for (std::uint32_t v = 0; v < h.size(); ++v) {
            std::size_t const n = h.size(v);
            // Above the diagonal nothing may be read.
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t k = 0; k < n; ++k) h.diagonal(v)[i * n + k] = k <= i ? diagonals[v][i * n + k] : std::numeric_limits<S>::quiet_NaN();
        }
        for (auto const& b : blocks) std::copy(b.e.begin(), b.e.end(), h.coupling(b.node, b.k));
    }
    [[nodiscard]] std::vector<std::vector<long double>> matrix() const {
        std::vector<std::vector<long double>> a(right.size(), std::vector<long double>(right.size()));
        for (std::size_t v = 0; v < h.size(); ++v) {
            std::size_t const n = h.size(static_cast<std::uint32_t>(v));
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t k = 0; k < n; ++k) a[first[v] + i][first[v] + k] = diagonals[v][i * n + k];
        }
        for (auto const& b : blocks) {
            std::size_t const m = h.size(b.node), n = h.size(b.other);
            for (std::size_t i = 0; i < m; ++i)
                for (std::size_t k = 0; k < n; ++k) a[first[b.node] + i][first[b.other] + k] = a[first[b.other] + k][first[b.node] + i] = b.e[i * n + k];
        }
        return a;
    }
    [[nodiscard]] std::vector<S> to_order(std::vector<S> const& x) const {
        std::vector<S> r(x.size());
        for (std::uint32_t v = 0; v < h.size(); ++v)
            for (std::size_t i = 0; i < h.size(v); ++i) r[h.row(v) + i] = x[first[v] + i];
        return r;
    }
    [[nodiscard]] std::vector<long double> dense() const { return dense_solve(matrix(), {right.begin(), right.end()}); }
    // Largest difference of x, in the order of elimination, from `expected`, in the order of adding; relative to the largest.
    [[nodiscard]] long double difference(std::vector<S> const& x, std::vector<long double> const& expected) const {
        long double worst = 0, scale = 0;
        for (std::uint32_t v = 0; v < h.size(); ++v)
            for (std::size_t i = 0; i < h.size(v); ++i) {
                scale = std::max(scale, abs(expected[first[v] + i]));
                worst = std::max(worst, abs(static_cast<long double>(x[h.row(v) + i]) - expected[first[v] + i]));
            }
        return worst / scale;
    }
};

template <class S>
constexpr S floor_of = S(64) * std::numeric_limits<S>::epsilon();

// Several trees: bodies of 1 to 12 unknowns, constraints on 1 to 4 of them with rows enough to be hard for their children.
template <class S>
kkt<S> random_forest(std::mt19937& random) {
    static constexpr std::size_t sizes[] = {6, 6, 6, 3, 3, 1, 2, 4, 5, 7, 12};
    kkt<S> s;
    std::size_t const bodies = pick(random, 1, 14);
    for (std::size_t i = 0; i < bodies; ++i) s.add_body(sizes[random() % std::size(sizes)], random);
    std::size_t const tries = pick(random, 0, 2 * bodies);
    for (std::size_t t = 0; t < tries; ++t) {
        std::vector<std::uint32_t> to;
        for (std::size_t k = pick(random, 1, 4); k-- > 0;) {
            auto const b = static_cast<std::uint32_t>(random() % bodies);
            if (std::find(to.begin(), to.end(), b) == to.end()) to.push_back(b);
        }
        std::size_t sum = 0, largest = 0;
        for (auto const b : to) {
            sum += s.h.size(b);
            largest = std::max(largest, s.h.size(b));
        }
        double const compliance = random() % 4 == 0 ? 0.3 : 0;
        std::size_t const most = to.size() == 1 || compliance > 0 ? largest : sum - largest;
        s.add_constraint(pick(random, 1, std::min<std::size_t>(most, 8)), to, compliance, random);
    }
    s.h.order();
    for (S& x : s.right) x = S(number(random));
    return s;
}

TYPED_TEST(forest, equals_a_dense_solve) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    long double worst = 0;
    std::size_t refused = 0, accepted = 0;
    for (int round = 0; round < 600; ++round) {
        auto s = random_forest<S>(random);
        refused += s.refused;
        accepted += s.constraints.size();
        auto const expected = s.dense();
        s.write();
        auto const report = s.h.factor(floor_of<S>);
        ASSERT_EQ(report.size, s.right.size());
        ASSERT_TRUE(report.full_rank());
        auto x = s.to_order(s.right);
        s.h.solve(x);
        long double const error = s.difference(x, expected);
        worst = std::max(worst, error);
        ASSERT_LE(error, 4500 * std::numeric_limits<S>::epsilon()) << "round " << round;  // 1e-12 in double

        auto both = s.to_order(s.right);
        s.write();
        EXPECT_EQ(s.h.factor_and_solve(both, floor_of<S>).rank, report.rank);
        ASSERT_EQ(both, x);
    }
    this->RecordProperty("worst_in_eps", std::to_string(worst / std::numeric_limits<S>::epsilon()));
    EXPECT_GT(refused, 300u);
    EXPECT_GT(accepted, 1000u);
}

// Every pair of sizes, either being the parent.
TYPED_TEST(forest, every_size) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (std::size_t n = 1; n <= 8; ++n)
        for (std::size_t rows = 1; rows <= n; ++rows)
            for (std::size_t bodies : {1u, 2u, 3u}) {
                kkt<S> s;
                for (std::size_t i = 0; i < bodies; ++i) s.add_body(n, random);
                for (std::uint32_t i = 0; i < bodies; ++i)
                    ASSERT_TRUE(s.add_constraint(rows, i == 0 ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>{i - 1, i}, 0, random));
                s.h.order();
                for (S& x : s.right) x = S(number(random));
                auto x = s.to_order(s.right);
                s.write();
                EXPECT_TRUE(s.h.factor_and_solve(x, floor_of<S>).full_rank());
                EXPECT_LE(s.difference(x, s.dense()), 20000 * std::numeric_limits<S>::epsilon()) << n << " " << rows << " " << bodies;
            }
}

// Children come before parents, subtrees lie together, and the factors take the room of the matrix: nothing is filled in.
TYPED_TEST(forest, order_without_fill) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 200; ++round) {
        auto const s = random_forest<S>(random);
        std::size_t numbers = 0;
        for (auto const& d : s.diagonals) numbers += d.size();
        for (auto const& b : s.blocks) numbers += b.e.size();
        EXPECT_EQ(s.h.numbers(), numbers);
        std::size_t edges = 0;
        for (std::uint32_t v = 0; v < s.h.size(); ++v) {
            auto const p = s.h.parent(v);
            if (p == s.h.none) continue;
            ++edges;
            EXPECT_LT(s.h.row(v), s.h.row(p));
            auto const joins = [&](auto const& b) { return (b.node == v && b.other == p) || (b.node == p && b.other == v); };
            EXPECT_TRUE(std::any_of(s.blocks.begin(), s.blocks.end(), joins));
        }
        EXPECT_EQ(edges, s.blocks.size());
        // A hard constraint on one body is a root.
        for (auto const c : s.constraints) {
            auto const touched = std::count_if(s.blocks.begin(), s.blocks.end(), [&](auto const& b) { return b.node == c; });
            if (touched == 1 && s.diagonals[c][0] == S(0)) {
                EXPECT_EQ(s.h.parent(c), s.h.none);
            }
        }
    }
}

TEST(forest_graph, refuses_what_cannot_be_in_a_forest) {
    forest_ldlt<double> h;
    auto const none = h.none;
    auto const join = [&](std::size_t rows, std::vector<std::uint32_t> const& to, pivots from = pivots::from_children) { return h.add(rows, to, from); };
    std::uint32_t body[5];
    for (auto& b : body) b = h.add(6);
    EXPECT_NE(join(3, {body[0], body[1]}), none);
    EXPECT_NE(join(3, {body[1], body[2]}), none);
    EXPECT_EQ(join(3, {body[2], body[0]}), none);           // a triangle
    EXPECT_EQ(join(1, {body[0], body[1]}), none);           // a second constraint on a pair
    EXPECT_EQ(join(1, {body[3], body[3]}), none);           // a body twice
    EXPECT_EQ(join(1, {body[0], body[3], body[2]}), none);  // a cycle through three
    std::size_t const nodes = h.size();
    EXPECT_NE(join(3, {body[0]}), none);                       // held at one end
    EXPECT_EQ(join(3, {body[2]}), none);                       // and at the other
    EXPECT_NE(join(3, {body[2]}, pivots::own), none);          // which a spring may do
    EXPECT_NE(join(3, {body[3]}), none);                       // another tree
    EXPECT_EQ(join(3, {body[2], body[3]}), none);              // both are held
    EXPECT_NE(join(3, {body[2], body[4]}), none);
    EXPECT_EQ(h.size(), nodes + 4);
    auto const particle = h.add(3);
    EXPECT_EQ(join(4, {body[4], particle}), none);  // no child could answer for four rows, and the tree is held
    EXPECT_NE(join(3, {body[4], particle}), none);
}

// A row that repeats another gets no multiplier; the others carry the load of both.
TYPED_TEST(forest, redundant_rows) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 50; ++round) {
        kkt<S> s;
        s.add_body(6, random);
        s.add_body(6, random);
        ASSERT_TRUE(s.add_constraint(3, {0, 1}, 0, random));
        for (auto& b : s.blocks)
            for (std::size_t j = 0; j < 6; ++j) b.e[12 + j] = b.e[j] - S(2) * b.e[6 + j];
        s.h.order();
        for (std::size_t i = 0; i < 12; ++i) s.right[i] = S(number(random));
        s.right[12] = S(number(random));
        s.right[13] = S(number(random));
        s.right[14] = s.right[12] - S(2) * s.right[13];
        s.write();
        auto x = s.to_order(s.right);
        auto const report = s.h.factor_and_solve(x, floor_of<S>);
        EXPECT_EQ(report.rank, 14u);
        EXPECT_EQ(report.size, 15u);
        EXPECT_TRUE(s.h.set_aside(2, 2));
        EXPECT_FALSE(s.h.set_aside(2, 1));
        EXPECT_EQ(x[s.h.row(2) + 2], S(0));
        // All equations hold, the one set aside too.
        auto const a = s.matrix();
        for (std::size_t i = 0; i < 15; ++i) {
            long double sum = -static_cast<long double>(s.right[i]), scale = 1;
            for (std::uint32_t v = 0; v < 3; ++v)
                for (std::size_t k = 0; k < s.h.size(v); ++k) {
                    sum += a[i][s.first[v] + k] * static_cast<long double>(x[s.h.row(v) + k]);
                    scale = std::max(scale, abs(static_cast<long double>(x[s.h.row(v) + k])));
                }
            EXPECT_LE(abs(sum), 1000 * std::numeric_limits<S>::epsilon() * scale);
        }
    }
}

// J J^T of two nodes: rows 3 to 5 differ by little from 0 to 2, so that small pivots magnify rounding; row 6 is made of them all, and its pivot is rounding alone.
struct repeating_rows_of_a_forest {
    static constexpr std::size_t n = 7, freedoms = 8;
    long double j[n][freedoms];

    explicit repeating_rows_of_a_forest(std::mt19937& random) {
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < freedoms; ++k) {
                j[i][k] = static_cast<float>(number(random));
                j[3 + i][k] = static_cast<float>(j[i][k] + static_cast<float>(number(random) / 16));
            }
        for (std::size_t k = 0; k < freedoms; ++k) {
            j[6][k] = 0;
            for (std::size_t i = 0; i < 3; ++i) j[6][k] += 16 * (j[3 + i][k] - j[i][k]);
        }
    }
    // of(p, q): their product.
    template <class S>
    static forest_ldlt<S> forest_of(auto const& of) {
        forest_ldlt<S> h;
        auto const first = h.add(3);
        auto const second = h.add(4, std::vector<std::uint32_t>{first}, pivots::own);
        h.order();
        for (std::size_t p = 0; p < 3; ++p)
            for (std::size_t q = 0; q < 3; ++q) h.diagonal(first)[p * 3 + q] = of(p, q);
        for (std::size_t p = 0; p < 4; ++p) {
            for (std::size_t q = 0; q < 4; ++q) h.diagonal(second)[p * 4 + q] = of(3 + p, 3 + q);
            for (std::size_t q = 0; q < 3; ++q) h.coupling(second, 0)[p * 3 + q] = of(3 + p, q);
        }
        return h;
    }
    template <class S>
    S product(std::size_t p, std::size_t q) const {
        S sum(0);
        for (std::size_t k = 0; k < freedoms; ++k) sum += static_cast<S>(j[p][k]) * static_cast<S>(j[q][k]);
        return sum;
    }
};
TYPED_TEST(forest, rows_that_repeat_others_by_way_of_small_pivots) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 200; ++round) {
        repeating_rows_of_a_forest const rows(random);
        auto h = rows.forest_of<S>([&](std::size_t p, std::size_t q) { return rows.product<S>(p, q); });
        EXPECT_EQ(h.factor(floor_of<S>).rank, 6u) << "round " << round;
    }
}
// With derivatives, and in lanes, what is rounding is what it is of a number alone.
TEST(forest_of_others, rows_that_repeat_others_by_way_of_small_pivots) {
    using D = dual<float, 1>;
    using B = batch<float, 4>;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 500; ++round) {
        std::vector<repeating_rows_of_a_forest> rows;
        std::vector<std::vector<float>> numbers;  // of each lane, factored
        for (int i = 0; i < 4; ++i) {
            rows.emplace_back(random);
            if (i % 2 == 1)  // of full rank, and well so
                for (std::size_t p = 3; p < rows[1].n; ++p)
                    for (auto& x : rows.back().j[p]) x = static_cast<float>(number(random));
            auto const of = [&](std::size_t p, std::size_t q) { return rows.back().template product<float>(p, q); };
            auto plain = repeating_rows_of_a_forest::forest_of<float>(of);
            auto derived = repeating_rows_of_a_forest::forest_of<D>([&](std::size_t p, std::size_t q) { return D::variable(of(p, q), 0); });
            auto const rank = plain.factor(floor_of<float>).rank;
            EXPECT_EQ(derived.factor(D(floor_of<float>)).rank, rank) << "round " << round;
            auto& to = numbers.emplace_back();
            for (std::uint32_t node : {0u, 1u})
                for (std::size_t k = 0; k < (node == 0 ? 9u : 16u); ++k) {
                    to.push_back(plain.diagonal(node)[k]);
                    EXPECT_EQ(derived.diagonal(node)[k].v, to.back()) << "round " << round << ", node " << node << ", number " << k;
                }
        }
        auto lanes = repeating_rows_of_a_forest::forest_of<B>([&](std::size_t p, std::size_t q) {
            B x;
            for (std::size_t i = 0; i < 4; ++i) x[i] = rows[i].product<float>(p, q);
            return x;
        });
        lanes.factor(B(floor_of<float>));
        std::size_t at = 0;
        for (std::uint32_t node : {0u, 1u})
            for (std::size_t k = 0; k < (node == 0 ? 9u : 16u); ++k, ++at) {
                if (k / (node == 0 ? 3 : 4) < k % (node == 0 ? 3 : 4)) continue;  // above the diagonal a look back leaves numbers of its own
                for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(lanes.diagonal(node)[k][i], numbers[i][at]) << "round " << round << ", lane " << i << ", node " << node << ", number " << k;
            }
    }
}

TYPED_TEST(forest, sparse_right_hand_sides) {
    using S = TypeParam;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    S const eps = std::numeric_limits<S>::epsilon();
    for (int round = 0; round < 200; ++round) {
        auto s = random_forest<S>(random);
        s.write();
        s.h.factor(floor_of<S>);
        std::vector<S> b[2], u[2], x[2];
        std::vector<std::uint32_t> touched[2];
        for (int q = 0; q < 2; ++q) {
            b[q].assign(s.h.rows(), S(0));
            for (std::size_t k = pick(random, 1, 3); k-- > 0;) {
                auto const v = static_cast<std::uint32_t>(random() % s.h.size());
                touched[q].push_back(v);  // twice the same is allowed
                for (std::size_t i = 0; i < s.h.size(v); ++i) b[q][s.h.row(v) + i] = S(number(random));
            }
            x[q] = u[q] = b[q];
            s.h.solve(x[q]);
            auto sparse = b[q];
            auto path = touched[q];
            s.h.solve_sparse(sparse, path);
            for (std::size_t i = 0; i < sparse.size(); ++i) EXPECT_EQ(sparse[i], x[q][i]);  // the same operations
            path = touched[q];
            s.h.forward_sparse(u[q], path);
        }
        S response = 0, scale = 0;
        for (std::size_t i = 0; i < s.h.rows(); ++i) {
            response += b[0][i] * x[1][i];
            scale = std::max(scale, abs(x[1][i]));
        }
        for (int q = 0; q < 2; ++q) {
            auto path = touched[q];
            EXPECT_NEAR(static_cast<double>(s.h.product(u[q], u[1 - q], path)), static_cast<double>(response), static_cast<double>(4500 * eps * (scale + 1)));
        }
    }
}

// A number that counts what is done with it.
struct counted {
    double v = 0;
    static inline std::size_t operations = 0;
    counted() = default;
    constexpr explicit counted(double x) : v(x) {}
    constexpr explicit counted(int x) : v(x) {}
    static counted made(double x) {
        ++operations;
        return counted(x);
    }

    friend counted operator+(counted a, counted b) { return made(a.v + b.v); }
    friend counted operator-(counted a, counted b) { return made(a.v - b.v); }
    friend counted operator*(counted a, counted b) { return made(a.v * b.v); }
    friend counted operator/(counted a, counted b) { return made(a.v / b.v); }
    friend bool operator<=(counted a, counted b) { return a.v <= b.v; }
    friend counted abs(counted a) { return counted(a.v < 0 ? -a.v : a.v); }
    friend counted select(bool m, counted a, counted b) { return m ? a : b; }
};

}  // namespace

template <>
struct sinew::scalar_traits<counted> : sinew::scalar_traits<double> {};

namespace {

// Bodies of 6 by 3-row constraints, the first one held: a chain, or a tree where each body carries `fan` more.
template <class S>
std::vector<S> build(forest_ldlt<S>& h, std::uint32_t links, std::uint32_t fan, std::uint32_t loose = 0) {
    h.clear();
    for (std::uint32_t i = 0; i < links; ++i) h.add(6);
    for (std::uint32_t i = loose; i < links; ++i) {
        std::uint32_t const to[] = {i, i == 0 ? 0 : (i - 1) / fan};
        EXPECT_NE(h.add(3, std::span<std::uint32_t const>(to, i == 0 ? 1 : 2)), h.none);
    }
    h.order();
    for (std::uint32_t i = 0; i < links; ++i)
        for (std::size_t k = 0; k < 6; ++k) h.diagonal(i)[k * 7] = S(k < 3 ? 1.0 : 0.1);
    for (std::uint32_t c = links; c < h.size(); ++c)
        for (std::size_t k = 0; k < (c == links && loose == 0 ? 1 : 2); ++k) {
            // +-[1 | r x], r = (0, 0, +-1/4)
            S* const e = h.coupling(c, k);
            double const sign = k == 0 ? -1 : 1;
            for (std::size_t i = 0; i < 3; ++i) e[i * 7] = S(sign);
            e[4] = S(0.25);
            e[9] = S(-0.25);
        }
    return std::vector<S>(h.rows(), S(1.0));
}

// Cost per body, factor and solve, flat from 64 bodies to 8192.
TEST(forest_cost, is_linear) {
    for (std::uint32_t fan : {1u, 2u, 4u}) {
        double cost[2];
        std::size_t at = 0;
        for (std::uint32_t links : {64u, 8192u}) {
            forest_ldlt<counted> h;
            auto b = build(h, links, fan);
            counted::operations = 0;
            EXPECT_TRUE(h.factor_and_solve(b, counted(1e-13)).full_rank());
            cost[at++] = static_cast<double>(counted::operations) / links;
        }
        EXPECT_NEAR(cost[1], cost[0], 0.02 * cost[0]) << fan;
        EXPECT_LT(cost[1], 1000) << fan;
    }
}

// A hanging chain of links of equal mass: the topmost joint carries all the weight.
TEST(forest_ldlt, hanging_chain) {
    constexpr std::uint32_t links = 100;
    forest_ldlt<double> h;
    build(h, links, 1);
    std::vector<double> b(h.rows());
    for (std::uint32_t i = 0; i < links; ++i) b[h.row(i) + 2] = -9.81;
    EXPECT_TRUE(h.factor_and_solve(b, 1e-13).full_rank());
    for (std::uint32_t i = 0; i < links; ++i) {
        for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(b[h.row(i) + k], 0, 1e-11);
        EXPECT_NEAR(b[h.row(links + i) + 2], -9.81 * (links - i) * -1, 1e-9);  // M a - J^T lambda = F with -J = -1: lambda pulls up
    }
}

// Paths are short: the root of a free chain is in its middle.
TEST(forest_ldlt, root_in_the_middle) {
    forest_ldlt<double> h;
    build(h, 101, 1, 1);
    std::size_t depth = 0;
    for (std::uint32_t v = 0; h.parent(v) != h.none; v = h.parent(v)) ++depth;
    EXPECT_EQ(depth, 100u);  // of 201 nodes
}

TEST(forest_ldlt, keeps_its_memory) {
    forest_ldlt<double> h;
    build(h, 50, 2);
    double const* const before = h.diagonal(0);
    build(h, 40, 1);
    build(h, 50, 2);
    EXPECT_EQ(h.diagonal(0), before);
}

TEST(forest_ldlt, static_storage_refuses_what_has_no_room) {
    forest_ldlt<double, static_storage<>, forest_limits{.nodes = 3, .edges = 2, .numbers = 200}> h;
    auto const a = h.add(6), b = h.add(6);
    std::uint32_t const both[] = {a, b};
    EXPECT_EQ(h.add(9, both), h.none);
    EXPECT_NE(h.add(5, both), h.none);
    EXPECT_EQ(h.add(1), h.none);
    h.order();
    EXPECT_EQ(h.numbers(), 36u + 36u + 25u + 60u);
}

// Two masses and a rod between them: F = 3 on the first of 1 kg, none on the second of 2 kg; both accelerate by 1.
template <class S, class Storage>
constexpr bool two_masses() {
    forest_ldlt<S, Storage, forest_limits{.nodes = 3, .edges = 2, .numbers = 5}> h;
    std::uint32_t const m[] = {h.add(1), h.add(1)};
    std::uint32_t const rod = h.add(1, m);
    h.order();
    *h.diagonal(m[0]) = S(1);
    *h.diagonal(m[1]) = S(2);
    *h.diagonal(rod) = S(0);
    *h.coupling(rod, 0) = S(-1);
    *h.coupling(rod, 1) = S(1);
    S x[3]{};
    x[h.row(m[0])] = S(3);
    auto const report = h.factor_and_solve(x, S(1e-6));
    return report.full_rank() && all(x[h.row(m[0])] == S(1)) && all(x[h.row(m[1])] == S(1)) && all(x[h.row(rod)] == S(-2));
}
static_assert(two_masses<double, static_storage<>>());
static_assert(two_masses<float, dynamic_storage>());
static_assert(two_masses<dual<double, 2>, static_storage<>>());

TYPED_TEST(forest, at_run_time_too) {
    EXPECT_TRUE((two_masses<TypeParam, static_storage<>>()));
    EXPECT_TRUE((two_masses<TypeParam, dynamic_storage>()));
}

}  // namespace
