#include <sinew/collision/bounding_volume_tree.hpp>
#include <sinew/collision/brute_force.hpp>
#include <sinew/collision/no_broad_phase.hpp>
#include <sinew/collision/sweep_and_prune.hpp>

#include <counting_new.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sinew;

using id_pair = std::pair<std::uint32_t, std::uint32_t>;

template <class P, class S>
using dynamic_index = typename P::template index<S, dynamic_storage, 0>;
template <class P, class S, std::size_t N>
using static_index = typename P::template index<S, static_storage<>, N>;

static_assert(broad_phase_for<brute_force, float> && broad_phase_for<brute_force, double>);
static_assert(broad_phase_for<bounding_volume_tree, float> && broad_phase_for<bounding_volume_tree, double>);
static_assert(broad_phase_for<sweep_and_prune, float> && broad_phase_for<sweep_and_prune, double>);
static_assert(broad_phase_for<no_broad_phase, float> && broad_phase_for<no_broad_phase, double>);
static_assert(!broad_phase_for<int, float>);

template <class Index>
std::vector<id_pair> pairs_of(Index& index) {
    std::vector<id_pair> r;
    index.for_each_pair([&](std::uint32_t a, std::uint32_t b) { r.push_back({a, b}); });
    return r;
}
template <class Index, class S>
std::vector<std::uint32_t> found_by(Index const& index, aabb<S> const& box) {
    std::vector<std::uint32_t> r;
    index.query(box, [&](std::uint32_t id) { r.push_back(id); });
    std::sort(r.begin(), r.end());
    return r;
}
template <class Index, class S>
std::vector<std::uint32_t> found_by(Index const& index, ray<S> const& r) {
    std::vector<std::uint32_t> ids;
    index.cast(r, [&](std::uint32_t id) {
        ids.push_back(id);
        return r.length;
    });
    std::sort(ids.begin(), ids.end());
    return ids;
}

// Worlds of boxes, written down as what was done to them, so that any index can be put through it.
template <class S>
struct random_world {
    std::mt19937_64 random;
    double size, extent, wide;  // of the world, of a box, share of boxes that are much wider

    explicit random_world(std::uint64_t seed) : random(seed) {
        size = std::uniform_real_distribution<>(3, 30)(random);
        extent = std::pow(10., std::uniform_real_distribution<>(-1, 0.5)(random));
        wide = random() % 3 == 0 ? 0.3 : 0.02;
    }
    double uniform(double a, double b) { return std::uniform_real_distribution<>(a, b)(random); }
    vec3<S> point(double range) { return {S(uniform(-range, range)), S(uniform(-range, range)), S(uniform(-range, range))}; }
    aabb<S> box() {
        auto const kind = random() % 64;
        vec3<S> const p = point(size);
        if (kind == 0) return {p, p};
        if (kind == 1) return unbounded_aabb<S>();
        if (kind == 2) return {{-infinity_v<S>, -infinity_v<S>, -infinity_v<S>}, {infinity_v<S>, p[1], infinity_v<S>}};
        // On a lattice, so that faces touch exactly.
        if (kind < 20) return {{std::floor(p[0]), std::floor(p[1]), std::floor(p[2])}, {std::floor(p[0]) + 1, std::floor(p[1]) + 1, std::floor(p[2]) + 2}};
        double const e = uniform(0, 1) < wide ? size : extent;
        return {p, p + vec3<S>{S(uniform(0, e)), S(uniform(0, e)), S(uniform(0, e))}};
    }
    aabb<S> near(aabb<S> const& b) {
        vec3<S> const d = point(uniform(0, 1) < 0.1 ? 0.5 * size : 0.05 * extent);
        return {b.lower + d, b.upper + d};
    }
};

template <class P>
class broad_phase : public testing::Test {};
using policies = testing::Types<sweep_and_prune, bounding_volume_tree>;
TYPED_TEST_SUITE(broad_phase, policies);

// Any history of inserts, erases, moves and stops: pairs, queries and casts are those of brute force, in the same order.
template <class S, class Tested>
void agrees_with_brute_force(std::uint64_t seed, std::size_t most, std::size_t steps, std::size_t& total) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_world<S> world(seed);
    auto& random = world.random;
    dynamic_index<brute_force, S> truth;
    Tested tested;
    Tested snapshot;
    dynamic_index<brute_force, S> truth_snapshot;
    std::vector<aabb<S>> boxes(most);
    std::vector<char> there(most, 0);
    std::vector<char> there_snapshot = there;
    std::vector<aabb<S>> boxes_snapshot = boxes;
    for (std::size_t step = 0; step < steps; ++step) {
        double const busy = world.uniform(0, 1) < 0.2 ? 1 : 0.1;
        for (std::uint32_t id = 0; id < most; ++id) {
            if (world.uniform(0, 1) > busy) continue;
            auto const what = random() % 10;
            if (!there[id]) {
                boxes[id] = world.box();
                bool const moves = random() % 3 != 0;
                truth.insert(id, boxes[id], moves);
                tested.insert(id, boxes[id], moves);
                there[id] = 1;
            } else if (what == 0) {
                truth.erase(id);
                tested.erase(id);
                there[id] = 0;
            } else if (what == 1) {
                bool const moves = random() % 2 != 0;
                truth.set_moves(id, moves);
                tested.set_moves(id, moves);
            } else {
                boxes[id] = what == 2 ? world.box() : world.near(boxes[id]);
                truth.move(id, boxes[id]);
                tested.move(id, boxes[id]);
            }
        }
        if (random() % 4 == 0) continue;  // several rounds between two updates
        auto const expected = pairs_of(truth);
        total += expected.size();
        ASSERT_EQ(pairs_of(tested), expected) << "step " << step;
        for (int i = 0; i < 3; ++i) {
            aabb<S> const near = world.box();
            ASSERT_EQ(found_by(tested, near), found_by(truth, near));
            ray<S> r = ray_along<S>(world.point(world.size), world.point(1), S(world.uniform(0, 2 * world.size)));
            if (random() % 3 == 0) r.direction = {S(0), S(0), S(random() % 2 == 0 ? 1 : -1)};
            ASSERT_EQ(found_by(tested, r), found_by(truth, r));
        }
        // A copy is a snapshot: it goes on as the original does, and the original goes back to it.
        if (step == steps / 3) {
            snapshot = tested, truth_snapshot = truth, boxes_snapshot = boxes, there_snapshot = there;
            ASSERT_TRUE(snapshot == tested);
        }
        if (step == 2 * steps / 3) tested = snapshot, truth = truth_snapshot, boxes = boxes_snapshot, there = there_snapshot;
    }
}

TYPED_TEST(broad_phase, pairs_queries_and_casts_are_those_of_brute_force) {
    std::size_t pairs = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) agrees_with_brute_force<float, dynamic_index<TypeParam, float>>(seed, 5 + seed * 4, 25, pairs);
    for (std::uint64_t seed = 101; seed <= 120; ++seed) agrees_with_brute_force<double, dynamic_index<TypeParam, double>>(seed, 2 + seed, 40, pairs);
    EXPECT_GT(pairs, 100000u);
}

// With static storage there is room for 16 pairs a box; the dense worlds among these have more.
TYPED_TEST(broad_phase, static_storage_finds_the_same_pairs_even_when_there_are_too_many) {
    std::size_t pairs = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) agrees_with_brute_force<float, static_index<TypeParam, float, 100>>(seed, 100, 12, pairs);
    EXPECT_GT(pairs, 50000u);
}

TYPED_TEST(broad_phase, all_boxes_at_one_place_are_all_pairs) {
    for (std::size_t n : {0u, 1u, 2u, 3u, 200u}) {
        dynamic_index<TypeParam, float> index;
        for (std::uint32_t id = 0; id < n; ++id) index.insert(id, {{0, 0, 0}, {1, 1, 1}}, id % 2 == 0);
        std::size_t const still = n / 2;
        EXPECT_EQ(pairs_of(index).size(), n * (n - (n > 0 ? 1 : 0)) / 2 - still * (still - (still > 0 ? 1 : 0)) / 2);
    }
}

// Numbers that a world would have refused: no hang, no crash, and no pair.
TYPED_TEST(broad_phase, nan_is_survived) {
    float const nan = std::numeric_limits<float>::quiet_NaN();
    dynamic_index<TypeParam, float> index;
    for (std::uint32_t id = 0; id < 100; ++id) {
        float const x = static_cast<float>(id);
        index.insert(id, id % 7 == 0 ? aabb<float>{{nan, nan, nan}, {nan, nan, nan}} : aabb<float>{{x, 0, 0}, {x + 0.5f, 1, 1}}, true);
    }
    for (int step = 0; step < 5; ++step) {
        EXPECT_TRUE(pairs_of(index).empty());
        for (std::uint32_t id = 0; id < 100; id += 5) index.move(id, {{nan, nan, nan}, {nan, nan, nan}});
    }
    for (std::uint32_t id = 0; id < 100; ++id) index.erase(id);
    EXPECT_TRUE(pairs_of(index).empty());
}

// Two worlds that came to the same boxes by different ways are equal, and report the same.
TYPED_TEST(broad_phase, equality_is_of_the_boxes) {
    dynamic_index<TypeParam, float> a, b;
    EXPECT_TRUE(a == b);
    for (std::uint32_t id = 0; id < 50; ++id) {
        float const x = static_cast<float>(id * 7 % 50);
        a.insert(id, {{x, 0, 0}, {x + 1.5f, 1, 1}}, true);
    }
    for (std::uint32_t id = 60; id-- > 0;) b.insert(id, {{0, 0, 0}, {1, 1, 1}}, false);
    pairs_of(b);
    EXPECT_FALSE(a == b);
    for (std::uint32_t id = 0; id < 60; ++id) {
        float const x = static_cast<float>(id * 7 % 50);
        b.set_moves(id, true);
        b.move(id, {{x, 0, 0}, {x + 1.5f, 1, 1}});
        if (id >= 50) b.erase(id);
    }
    EXPECT_TRUE(a == b);
    EXPECT_EQ(pairs_of(a), pairs_of(b));
    auto c = a;
    EXPECT_TRUE(c == a);
    c.move(3, {{0, 0, 0}, {1, 1, 1}});
    EXPECT_FALSE(c == a);
}

// A cast that shortens the ray sees no box behind its end, and finds the nearest.
TYPED_TEST(broad_phase, a_shortened_ray_finds_the_nearest) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        random_world<double> world(seed);
        dynamic_index<TypeParam, double> index;
        std::vector<aabb<double>> boxes;
        for (std::uint32_t id = 0; id < 300; ++id) {
            vec3<double> const p = world.point(world.size);
            boxes.push_back({p, p + vec3<double>{0.3, 0.4, 0.5}});
            index.insert(id, boxes[id], id % 2 == 0);
        }
        ray<double> const r = ray_along(world.point(world.size), world.point(1));
        double nearest = infinity_v<double>, found = infinity_v<double>;
        for (auto const& b : boxes)
            if (auto const s = span_inside(r, b); !s.empty()) nearest = std::min(nearest, s.enters);
        index.cast(r, [&](std::uint32_t id) {
            if (auto const s = span_inside(r, boxes[id]); !s.empty()) found = std::min(found, s.enters);
            return found;
        });
        EXPECT_EQ(found, nearest);
    }
}

// Boxes that move about in a room: after the first rounds nothing is allocated any more.
TYPED_TEST(broad_phase, no_allocation_after_warm_up) {
    dynamic_index<TypeParam, float> index;
    auto const box = [](std::uint32_t id, int step) {
        float const t = 0.05f * static_cast<float>(step % 500), i = static_cast<float>(id);
        vec3<float> const p{5 * std::sin(i + t), 5 * std::sin(1.7f * i + 1.3f * t), 5 * std::sin(2.9f * i + 0.7f * t)};
        return aabb<float>{p, p + vec3<float>{0.7f, 0.7f, 0.7f}};
    };
    for (std::uint32_t id = 0; id < 400; ++id) index.insert(id, box(id, 0), id % 8 != 0);
    std::size_t pairs = 0;
    auto const run = [&](int from, int to) {
        for (int step = from; step < to; ++step) {
            for (std::uint32_t id = 0; id < 400; ++id) {
                if (id % 8 != 0) index.move(id, box(id, step));
                if (id % 50 == 1) index.set_moves(id, step % 2 == 0);
            }
            index.erase(7);
            index.insert(7, box(7, step), true);
            index.for_each_pair([&](std::uint32_t, std::uint32_t) { ++pairs; });
        }
    };
    run(0, 500);
    std::size_t const before = sinew_test::allocations;
    run(500, 1000);
    EXPECT_EQ(sinew_test::allocations, before);
    EXPECT_GT(pairs, 0u);
}

TYPED_TEST(broad_phase, static_storage_allocates_nothing) {
    static static_index<TypeParam, float, 64> index;
    std::size_t const before = sinew_test::allocations;
    for (std::uint32_t id = 0; id < 64; ++id) {
        float const x = static_cast<float>(id);
        index.insert(id, {{x, 0, 0}, {x + 1.5f, 1, 1}}, true);
    }
    std::size_t pairs = 0;
    index.for_each_pair([&](std::uint32_t, std::uint32_t) { ++pairs; });
    EXPECT_EQ(pairs, 63u);
    EXPECT_EQ(sinew_test::allocations, before);
}

// Boxes in a row, inserted from one end, would make a list of a tree that never turned.
TEST(bounding_volume_tree, stays_shallow) {
    std::mt19937_64 random(7);
    auto const depth = [](auto const& box_of) {
        dynamic_index<bounding_volume_tree, float> index;
        for (std::uint32_t id = 0; id < 4096; ++id) index.insert(id, box_of(static_cast<float>(id)), true);
        return index.depth();
    };
    EXPECT_LE(depth([](float i) { return aabb<float>{{i, 0, 0}, {i + 0.9f, 1, 1}}; }), 30u);
    EXPECT_LE(depth([&](float) {
                  float const x = static_cast<float>(random() % 1000), y = static_cast<float>(random() % 1000);
                  return aabb<float>{{x, y, 0}, {x + 1, y + 1, 1}};
              }),
              30u);
}

// An infinite box among finite ones must not attract them: a query beside all of them enters few nodes, which the depth of the tree shows.
TEST(bounding_volume_tree, half_spaces_do_not_spoil_the_tree) {
    dynamic_index<bounding_volume_tree, float> index;
    for (std::uint32_t id = 0; id < 8; ++id) index.insert(id, unbounded_aabb<float>(), false);
    for (std::uint32_t id = 8; id < 2056; ++id) {
        float const x = static_cast<float>(id % 64), y = static_cast<float>(id / 64);
        index.insert(id, {{x, y, 0}, {x + 0.9f, y + 0.9f, 1}}, false);
    }
    EXPECT_LE(index.depth(), 32u);
}

TEST(no_broad_phase, every_pair_of_which_one_moves) {
    dynamic_index<no_broad_phase, float> index;
    for (std::uint32_t id = 0; id < 4; ++id) index.insert(id, {}, id < 2);
    EXPECT_EQ(pairs_of(index), (std::vector<id_pair>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}));
    index.set_moves(0, false);
    index.erase(3);
    EXPECT_EQ(pairs_of(index), (std::vector<id_pair>{{0, 1}, {1, 2}}));
    EXPECT_EQ(found_by(index, aabb<float>{}), (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(found_by(index, ray<float>{}), (std::vector<std::uint32_t>{0, 1, 2}));
}

// At compile time too.
template <class P>
constexpr std::size_t pairs_of_a_row() {
    dynamic_index<P, double> index;
    for (std::uint32_t id = 0; id < 10; ++id) index.insert(id, {{1. * id, 0, 0}, {1. * id + 1, 1, 1}}, true);
    std::size_t n = 0;
    index.for_each_pair([&](std::uint32_t, std::uint32_t) { ++n; });
    return n;
}
static_assert(pairs_of_a_row<brute_force>() == 9);
static_assert(pairs_of_a_row<sweep_and_prune>() == 9);
static_assert(pairs_of_a_row<bounding_volume_tree>() == 9);

}  // namespace
