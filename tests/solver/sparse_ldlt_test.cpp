// The linear-time part: it agrees with the dense one on trees, loops and redundant rows, and its cost per body is flat.

#include <solver/linear_parts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

namespace {

using namespace sinew_test;
using V = vec3<double>;

template <class Linear, class S = double>
using world_of = world<direct_config<lagrange_multipliers<Linear>, S>, ball_joint, hinge_joint>;

// How far the accelerations of one scene by two linear parts are apart, relative to their size.
template <class A, class B, class Scene>
double disagreement(Scene const& build) {
    A a;
    B b;
    build(a);
    build(b);
    std::vector<double> const before = velocities(a);
    for (auto* w : {&a}) w->gyroscopic = gyroscopic_term::none;
    for (auto* w : {&b}) w->gyroscopic = gyroscopic_term::none;
    EXPECT_TRUE(a.step(static_cast<typename A::scalar_type>(1) / 1024));
    EXPECT_TRUE(b.step(static_cast<typename B::scalar_type>(1) / 1024));
    std::vector<double> const va = velocities(a);
    return largest_difference(va, velocities(b)) / std::max(1e-3, largest_difference(va, before));
}

TEST(sparse_ldlt, agrees_with_cholesky_on_random_trees) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        auto const build = [&](auto& w) {
            add_random_tree(w, seed, 3 + static_cast<int>(seed % 20), 0);
            stir(w, seed);
        };
        EXPECT_LT((disagreement<world_of<cholesky>, world_of<sparse_ldlt>>(build)), 1e-10);
    }
}
// Trees of ball joints in which no body has more than three; held by nothing, at one end or at several, and here and there with a loop;
// under static storage too. In every other one the joints are added in another order than from the ground.
struct ball_storage : direct_config<lagrange_multipliers<sparse_ldlt>> {
    using storage = static_storage<capacities{.bodies = 30, .constraints = 36}>;
};
TEST(sparse_ldlt, agrees_with_cholesky_on_trees_of_balls) {
    for (unsigned seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        auto const build = [&](auto& w) {
            std::mt19937 random(seed);
            std::uniform_real_distribution<double> u(-1, 1);
            auto const place = [&] { return V{3 * u(random), 3 * u(random), 3 * u(random)}; };
            struct link {
                int a, b;  // -1: the ground
                V at;
            };
            int const n = 3 + static_cast<int>(seed % 28);
            std::vector<std::remove_cvref_t<decltype(add_box(w, V{}))>> bodies;
            std::vector<link> links;
            std::vector<int> joints(static_cast<std::size_t>(n), 0);
            for (int i = 0; i < n; ++i) {
                bodies.push_back(add_box(w, place(), 1.5 + u(random), {1, 0.5, 0.3}));
                if (i == 0) continue;
                int a;
                do {
                    a = static_cast<int>(random() % static_cast<unsigned>(i));
                } while (joints[static_cast<std::size_t>(a)] > 2);
                links.push_back({a, i, place()});
                ++joints[static_cast<std::size_t>(a)];
                ++joints[static_cast<std::size_t>(i)];
            }
            for (unsigned k = 0; k < seed % 3; ++k) links.push_back({-1, static_cast<int>(seed / 3 + k) % n, place()});
            if (seed % 7 == 6) links.push_back({0, n - 1, place()});
            if (seed % 2 == 1) std::shuffle(links.begin(), links.end(), random);
            for (auto const& l : links) join(w, l.a < 0 ? w.ground() : bodies[static_cast<std::size_t>(l.a)], bodies[static_cast<std::size_t>(l.b)], l.at);
            stir(w, seed);
        };
        using balls = world<ball_storage, ball_joint>;
        using dense = world<direct_config<lagrange_multipliers<cholesky>>, ball_joint>;
        EXPECT_LT((disagreement<dense, world<direct_config<lagrange_multipliers<sparse_ldlt>>, ball_joint>>(build)), 1e-10);
        EXPECT_LT((disagreement<dense, balls>(build)), 1e-10);
    }
}
TEST(sparse_ldlt, agrees_with_cholesky_on_loops) {
    // From rest, since loops of hinges may be redundant: what velocities ask of such rows is contradictory.
    for (unsigned seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        auto const build = [&](auto& w) { add_random_tree(w, seed, 8 + static_cast<int>(seed % 10), 1 + static_cast<int>(seed % 3)); };
        // Some of these are badly conditioned: then it is as near to the truth as the dense one.
        double const dense = disagreement<world_of<cholesky, long double>, world_of<cholesky>>(build);
        EXPECT_LT((disagreement<world_of<cholesky, long double>, world_of<sparse_ldlt>>(build)), std::max(1e-10, 4 * dense));
    }
}
// Also in impulses, and where chains hang between two fixed points.
TEST(sparse_ldlt, agrees_with_cholesky_on_chains_held_at_both_ends) {
    auto const build = [](auto& w) {
        // An arch: a straight one could not shorten, so that one of its rows would be redundant.
        auto previous = w.ground();
        auto const knee = [](int i) { return V{std::cos(0.25 * i), std::sin(0.25 * i), 0.1 * i}; };
        for (int i = 0; i < 12; ++i) {
            auto const link = add_box(w, (knee(i) + knee(i + 1)) / 2.0);
            join(w, previous, link, knee(i));
            previous = link;
        }
        join(w, w.ground(), previous, knee(12));
        stir(w, 7);
    };
    EXPECT_LT((disagreement<world_of<cholesky>, world_of<sparse_ldlt>>(build)), 1e-10);
    using dense = world<direct_config<lagrange_impulses<cholesky>>, ball_joint, hinge_joint>;
    using sparse = world<direct_config<lagrange_impulses<sparse_ldlt>>, ball_joint, hinge_joint>;
    EXPECT_LT((disagreement<dense, sparse>(build)), 1e-10);
}

// ---- redundant loops

// A parallelogram of three bars on four hinges: three of its twenty rows are redundant.
template <class World>
void add_four_bar(World& w) {
    V const z{0, 0, 1};
    auto const a = add_box(w, {0, 0.5, 0}, 1, {0.1, 1, 0.1}), b = add_box(w, {1, 1, 0}, 1, {2, 0.1, 0.1}), c = add_box(w, {2, 0.5, 0}, 1, {0.1, 1, 0.1});
    auto const hinge = [&](auto p, auto q, V const& at) { w.add(hinge_joint<double>::at(w.pose(p), w.pose(q), at, z), p, q); };
    hinge(w.ground(), a, {0, 0, 0});
    hinge(a, b, {0, 1, 0});
    hinge(b, c, {2, 1, 0});
    hinge(c, w.ground(), {2, 0, 0});
    w.set_twist(a, {{0.5, 0, 0}, {0, 0, -1}});
    w.set_twist(b, {{1, 0, 0}, {}});
    w.set_twist(c, {{0.5, 0, 0}, {0, 0, -1}});
}
// A box of hinges: eight bars along the edges of two squares, and four posts; every corner hinged, many times over-constrained.
template <class World>
void add_box_of_hinges(World& w) {
    auto const corner = [](int i) { return V{i % 2 == 0 ? 0.0 : 1.0, i / 4 == 0 ? 0.0 : 1.0, (i / 2) % 2 == 0 ? 0.0 : 1.0}; };
    struct bar {
        int from, to;
    };
    bar const bars[] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    std::vector<typename World::body_handle> id;
    for (auto const& b : bars) id.push_back(add_box(w, (corner(b.from) + corner(b.to)) / 2.0, 1, {0.3, 0.3, 0.3}));
    V const axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int c = 0; c < 8; ++c) {
        std::size_t last = 99;
        for (std::size_t k = 0; k < 12; ++k) {
            if (bars[k].from != c && bars[k].to != c) continue;
            if (last != 99) w.add(hinge_joint<double>::at(w.pose(id[last]), w.pose(id[k]), corner(c), axes[k % 3]), id[last], id[k]);
            last = k;
        }
    }
    w.add(ball_joint<double>::at(pose<double>{}, w.pose(id[0]), corner(0)), w.ground(), id[0]);
}

TEST(sparse_ldlt, moves_redundant_linkages_as_the_dense_one_does) {
    auto const run = [](auto const& build, double tolerance) {
        world_of<cholesky> a;
        world_of<sparse_ldlt> b;
        build(a);
        build(b);
        for (int i = 0; i < 100; ++i) {
            ASSERT_TRUE(a.step(1e-3));
            auto const r = b.step(1e-3);
            ASSERT_TRUE(r);
            EXPECT_FALSE(r.full_rank);
        }
        EXPECT_LT(largest_difference(velocities(a), velocities(b)), tolerance);
        EXPECT_LT(b.constraint_error(), 1e-3);
    };
    run([](auto& w) { add_four_bar(w); }, 1e-8);
    // Drift of 1e-6 contradicts itself in redundant rows, and the two set aside different ones.
    run([](auto& w) { add_box_of_hinges(w); }, 1e-5);
}
// Vondrak's joint-cycles test: loops, and more constraints than their effect needs, with every joint doubled.
TEST(sparse_ldlt, keeps_cycles_with_every_joint_doubled) {
    for (drift_control drift : {drift_control::feedback, drift_control::projection}) {
        world_of<sparse_ldlt> w;
        w.solver.drift = drift;
        // A ring of six links that hangs by one of them.
        std::vector<world_of<sparse_ldlt>::body_handle> ring;
        double const turn = pi_v<double> / 3;
        auto const corner = [&](int i) { return V{std::sin(turn * i), -std::cos(turn * i), 0}; };
        for (int i = 0; i < 6; ++i) ring.push_back(add_box(w, (corner(i) + corner(i + 1)) / 2.0, 1, {0.2, 0.2, 0.2}));
        for (std::size_t i = 0; i < 6; ++i)
            for (int twice = 0; twice < 2; ++twice) join(w, ring[i], ring[(i + 1) % 6], corner(static_cast<int>(i) + 1));
        join(w, w.ground(), ring[2], corner(3));
        double const h = drift == drift_control::feedback ? 1.0 / 240 : 1.0 / 60;
        double worst = 0;
        for (int i = 0; i < 5 / h; ++i) {
            auto const r = w.step(h);
            ASSERT_TRUE(r);
            EXPECT_FALSE(r.full_rank);
            worst = std::max(worst, w.constraint_error());
        }
        EXPECT_LT(worst, drift == drift_control::feedback ? 2e-2 : 1e-8);
    }
}

// A row that only one of the two bodies can satisfy: where the other is eliminated first it meets no pivot, and is not lost for that.
template <class S>
struct half_a_lock {
    static constexpr std::size_t rows = 2;
    vec3<S> anchor_a{}, anchor_b{};
    constexpr auto error(auto const& a, auto const& b) const {
        auto const d = a.point(anchor_a) - b.point(anchor_b);
        return vec{d.x(), a.position.z()};
    }
};
TEST(sparse_ldlt, strands_no_row) {
    auto const build = [](auto& w) {
        auto const links = add_tree(w, 7);
        auto const tip = add_box(w, {2.3, 0, 0.3});
        using T = half_a_lock<double>;
        w.add(T{w.pose(links[6]).local_point(V{2, 0, 0}), w.pose(tip).local_point(V{2, 0, 0})}, links[6], tip);
        w.set_twist(tip, {{1, 2, 3}, {3, 2, 1}});
    };
    using dense = world<direct_config<lagrange_multipliers<cholesky>>, ball_joint, half_a_lock>;
    using sparse = world<direct_config<lagrange_multipliers<sparse_ldlt>>, ball_joint, half_a_lock>;
    EXPECT_LT((disagreement<dense, sparse>(build)), 1e-10);
    for (drift_control drift : {drift_control::feedback, drift_control::projection}) {
        dense a;
        sparse b;
        build(a);
        build(b);
        a.solver.drift = b.solver.drift = drift;
        for (int i = 0; i < 20; ++i) {
            ASSERT_TRUE(a.step(1e-3));
            ASSERT_TRUE(b.step(1e-3));
        }
        EXPECT_LT(largest_difference(velocities(a), velocities(b)), 1e-8);
    }
}

// Whatever a world has been through: one into which its state is restored goes on as it does, to the last bit. Boxes at random places, joined by what comes: hinges
// side by side, of which rows are redundant, ropes and limits, which are reached in one history and not in the other.
template <class S>
struct short_rope {
    static constexpr std::size_t rows = 1;
    S length{1};
    constexpr auto error(auto const& a, auto const& b) const { return length - norm(a.position - b.position); }
    static constexpr bounds<S, 1> limits() { return pushing<S, 1>(); }
};
template <class W>
void add_tangle(W& w, unsigned seed) {
    std::mt19937 random(seed);
    auto const below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    auto const coordinate = [&] { return std::uniform_real_distribution<double>(-1, 1)(random); };
    auto const place = [&] {
        double const x = coordinate(), y = coordinate(), z = coordinate();
        return V{x, y, z};
    };
    V const axis{0, 0, 1};
    std::vector<typename W::body_handle> links;
    for (std::size_t n = 3 + below(6), i = 0; i < n; ++i) links.push_back(add_box(w, place(), 1 + 0.1 * static_cast<double>(i), {0.5, 0.4, 0.3}));
    for (std::size_t n = links.size() + below(links.size()); n > 0; --n) {
        auto const x = links[below(links.size())], y = below(4) > 0 ? links[below(links.size())] : w.ground();
        if (x == y) continue;
        V const at = y == w.ground() ? w.position(x) : (w.position(x) + w.position(y)) / 2.0;
        auto const kind = below(5);
        if (kind == 0) w.add(ball_joint<double>::at(w.pose(x), w.pose(y), at), x, y);
        if (kind == 1 || kind == 2) w.add(hinge_joint<double>::at(w.pose(x), w.pose(y), at, axis), x, y);
        if (kind == 2) w.add(hinge_joint<double>::at(w.pose(x), w.pose(y), at + axis / 2.0, axis), x, y);
        if (kind == 3) w.add(short_rope<double>{norm(w.position(x) - w.position(y)) + 0.1}, x, y);
        if (kind == 4) w.add(angle_limit<double>::at(w.pose(x), w.pose(y), axis, -0.2, 0.2), x, y);
    }
}
TEST(sparse_ldlt, goes_on_alike_whatever_it_has_been_through) {
    using W = world<direct_config<lagrange_multipliers<sparse_ldlt>>, ball_joint, hinge_joint, short_rope, angle_limit>;
    for (unsigned seed : {189u, 1264u, 1u, 2u, 3u}) {  // the first two were told apart by rows that had been bounded
        W a, b;
        add_tangle(a, seed);
        add_tangle(b, seed);
        for (unsigned i = 0; i < seed % 40; ++i) (void)a.step(1.0 / 60);
        for (unsigned i = 0; i < 3 + seed % 50; ++i) (void)b.step(1.0 / 60);
        ASSERT_TRUE(b.restore(a.save()));
        for (int i = 0; i < 10; ++i) {
            EXPECT_EQ(static_cast<bool>(a.step(1.0 / 60)), static_cast<bool>(b.step(1.0 / 60)));
            ASSERT_EQ(velocities(a), velocities(b)) << "seed " << seed << ", step " << i;
        }
    }
}

// ---- Vondrak 9.1.3: 127 segments, all degrees of freedom constrained; in linear time, with no auxiliary constraint

template <class S>
using soft_lock = soft_joint<S, orientation_lock>;

TEST(sparse_ldlt, drives_all_freedoms_of_a_tree_of_127) {
    world<direct_config<lagrange_impulses<sparse_ldlt>>, ball_joint, soft_lock> w;
    auto const links = add_tree(w, 127);
    for (std::size_t i = 0; i < links.size(); ++i) {
        auto const parent = i == 0 ? w.ground() : links[(i - 1) / 2];
        w.add(soft_lock<double>::with(orientation_lock<double>::at(w.pose(parent), w.pose(links[i])), 1.0 / 3e5, 3e4), parent, links[i]);
    }
    std::vector<V> start;
    for (auto const& l : links) start.push_back(w.position(l));
    for (int i = 0; i < 600; ++i) {
        auto const r = w.step(1.0 / 60);
        ASSERT_TRUE(r);
        EXPECT_TRUE(r.full_rank);
    }
    EXPECT_EQ(w.solver.linear.auxiliary_count(), 0u);
    EXPECT_LT(w.constraint_error(), 1e-8);
    // Springs of 3e5 N m/rad under some 1000 N m: the tree has come to rest near where it began.
    EXPECT_LT(largest(velocities(w)), 1e-2);
    double moved = 0;
    for (std::size_t i = 0; i < links.size(); ++i) moved = std::max(moved, norm(w.position(links[i]) - start[i]));
    EXPECT_GT(moved, 1e-3);
    EXPECT_LT(moved, 0.3);
    std::printf("tree of 127, all freedoms driven: sagged by %.3f m\n", moved);
}

// ---- cost

// A double that counts the operations made with it.
struct counted {
    double x = 0;
    static inline long operations = 0;
    static constexpr void count() {
        if (!std::is_constant_evaluated()) ++operations;
    }
    constexpr counted() = default;
    constexpr counted(double v) : x(v) {}
    constexpr counted(long double v) : x(static_cast<double>(v)) {}
    constexpr counted(float v) : x(static_cast<double>(v)) {}
    constexpr counted(int v) : x(v) {}
    constexpr explicit counted(std::size_t v) : x(static_cast<double>(v)) {}
    constexpr explicit operator double() const { return x; }
    friend constexpr counted operator+(counted a, counted b) { return count(), counted(a.x + b.x); }
    friend constexpr counted operator-(counted a, counted b) { return count(), counted(a.x - b.x); }
    friend constexpr counted operator*(counted a, counted b) { return count(), counted(a.x * b.x); }
    friend constexpr counted operator/(counted a, counted b) { return count(), counted(a.x / b.x); }
    friend constexpr counted operator-(counted a) { return counted(-a.x); }
    friend constexpr bool operator==(counted a, counted b) { return a.x == b.x; }
    friend constexpr auto operator<=>(counted a, counted b) { return a.x <=> b.x; }
};
constexpr counted select(bool m, counted a, counted b) { return m ? a : b; }
constexpr counted min(counted a, counted b) { return b < a ? b : a; }
constexpr counted max(counted a, counted b) { return a < b ? b : a; }
constexpr counted abs(counted a) { return counted(a.x < 0 ? -a.x : a.x); }
constexpr counted sqrt(counted a) { return counted::count(), counted(sinew::sqrt(a.x)); }
constexpr counted sin(counted a) { return counted::count(), counted(sinew::sin(a.x)); }
constexpr counted cos(counted a) { return counted::count(), counted(sinew::cos(a.x)); }
constexpr bool isfinite(counted a) { return sinew::isfinite(a.x); }
constexpr double value(counted a) { return a.x; }

}  // namespace

template <>
struct sinew::scalar_traits<counted> {
    using value_type = double;
    static constexpr counted epsilon{std::numeric_limits<double>::epsilon()};
    [[maybe_unused]] static constexpr counted max{std::numeric_limits<double>::max()};
    static constexpr counted infinity{std::numeric_limits<double>::infinity()};
};

namespace {

static_assert(sinew::scalar<counted>);

using counting_world = world<direct_config<lagrange_multipliers<sparse_ldlt>, counted>, ball_joint>;

// Operations per body of a step that starts from rest, so that projection has the same to do whatever the size.
template <class Build>
double operations_per_body(int n, Build const& build) {
    auto const w = std::make_unique<counting_world>();
    build(*w, n);
    EXPECT_TRUE(w->step(counted(1e-3)));
    long const before = counted::operations;
    EXPECT_TRUE(w->step(counted(1e-3)));
    return static_cast<double>(counted::operations - before) / n;
}
TEST(sparse_ldlt, costs_the_same_for_every_body) {
    auto const chain = [](counting_world& w, int n) { add_chain(w, n); };
    auto const tree = [](counting_world& w, int n) { add_tree(w, n - 1); };
    double const c = operations_per_body(64, chain), t = operations_per_body(64, tree);
    for (int n : {512, 8192}) {
        double const cn = operations_per_body(n, chain), tn = operations_per_body(n, tree);
        std::printf("operations per body: chain of %d %.0f (64: %.0f), tree of %d %.0f (64: %.0f)\n", n, cn, c, n, tn, t);
        EXPECT_NEAR(cn / c, 1, 0.3);
        EXPECT_NEAR(tn / t, 1, 0.3);
    }
}

// ---- the heavy end

// Ten links of 1 kg that hang with a weight below; h = 1/60, 5 s.
template <class World>
double separation_of_heavy_end(double mass, double swing) {
    using S = typename World::scalar_type;
    World w;
    w.solver.drift = drift_control::projection;
    auto previous = w.ground();
    for (int i = 0; i < 11; ++i) {
        auto const link = add_box(w, {0, -0.25 - 0.5 * i, 0}, i < 10 ? 1 : mass, {0.1, 0.5, 0.1});
        join(w, previous, link, {0, -0.5 * i, 0});
        w.set_twist(link, {{S(swing * (0.5 * i + 0.25)), S(0), S(0)}, {S(0), S(0), S(swing)}});
        previous = link;
    }
    double worst = 0;
    for (int i = 0; i < 300; ++i) {
        if (!w.step(S(1) / S(60))) return INFINITY;
        worst = std::max(worst, static_cast<double>(w.constraint_error()));
    }
    return worst;
}
TEST(sparse_ldlt, holds_a_thousand_times_the_weight_of_its_links) {
    using forces = world<direct_config<lagrange_multipliers<sparse_ldlt>>, ball_joint>;
    using impulses = world<direct_config<lagrange_impulses<sparse_ldlt>>, ball_joint>;
    using single_forces = world<direct_config<lagrange_multipliers<sparse_ldlt>, float>, ball_joint>;
    using single_impulses = world<direct_config<lagrange_impulses<sparse_ldlt>, float>, ball_joint>;
    for (double mass : {100.0, 1000.0, 1e6}) {
        SCOPED_TRACE(mass);
        EXPECT_LT(separation_of_heavy_end<forces>(mass, 0), 1e-8);
        EXPECT_LT(separation_of_heavy_end<impulses>(mass, 0), 1e-8);
    }
    // Beyond a few thousand J W J^T has not enough digits in float, and bodies stay in H.
    for (double mass : {1000.0, 2000.0, 5000.0, 1e4, 1e5, 1e6}) {
        SCOPED_TRACE(mass);
        EXPECT_LT(separation_of_heavy_end<single_forces>(mass, 0), 1e-5);
        EXPECT_LT(separation_of_heavy_end<single_impulses>(mass, 0), 1e-5);
    }
    // Swinging, as long as the links under the tension turn back in more than pi steps: see lagrange_impulses.hpp.
    EXPECT_LT(separation_of_heavy_end<forces>(10, 0.3), 1e-8);
    EXPECT_LT(separation_of_heavy_end<impulses>(10, 0.3), 1e-8);
}

}  // namespace
