// The two containers of a world's storage do the same, one on the heap, one in place.

#include <sinew/core/storage.hpp>

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace {

using namespace sinew;

template <class V>
class vectors : public testing::Test {};
using types = testing::Types<dynamic_vector<int>, static_vector<int, 64>>;
TYPED_TEST_SUITE(vectors, types);

template <class V>
constexpr V counting(int n) {
    V v;
    for (int i = 0; i < n; ++i) v.push_back(i);
    return v;
}

TYPED_TEST(vectors, grow_and_shrink) {
    TypeParam v;
    EXPECT_EQ(v.size(), 0u);
    EXPECT_TRUE(v.empty());
    for (int i = 0; i < 50; ++i) {
        v.push_back(i);
        EXPECT_EQ(v.size(), static_cast<std::size_t>(i) + 1);
        EXPECT_EQ(v.back(), i);
    }
    int sum = 0;
    for (int x : v) sum += x;
    EXPECT_EQ(sum, 49 * 50 / 2);
    v.pop_back();
    EXPECT_EQ(v.back(), 48);
    v.resize(10);
    EXPECT_EQ(v.size(), 10u);
    v.resize(12);
    EXPECT_EQ(v[9], 9);
    EXPECT_EQ(v[10], 0);  // new elements are fresh ones, not what was there
    EXPECT_EQ(v[11], 0);
    v.assign(3, 7);
    EXPECT_EQ(v.size(), 3u);
    EXPECT_EQ(v[2], 7);
    v.clear();
    EXPECT_TRUE(v.empty());
}

TYPED_TEST(vectors, give_one_more_place_and_keep_the_others) {
    TypeParam v;
    for (int i = 0; i < 50; ++i) {
        v.next() = i;
        EXPECT_EQ(v.size(), static_cast<std::size_t>(i) + 1);
    }
    for (int i = 0; i < 50; ++i) EXPECT_EQ(v[static_cast<std::size_t>(i)], i);
}

TYPED_TEST(vectors, are_values) {
    auto const a = counting<TypeParam>(20);
    auto b = a;
    EXPECT_TRUE(a == b);
    b[19] = 0;
    EXPECT_FALSE(a == b);
    b = counting<TypeParam>(5);
    EXPECT_EQ(b.size(), 5u);
    EXPECT_FALSE(a == b);
    b = a;
    EXPECT_TRUE(a == b);
    auto& self = b;
    b = self;
    EXPECT_TRUE(a == b);
    auto c = std::move(b);
    EXPECT_TRUE(a == c);
    TypeParam d;
    d = std::move(c);
    EXPECT_TRUE(a == d);
}

TYPED_TEST(vectors, work_in_constant_expressions) {
    constexpr bool right = [] {
        auto v = counting<TypeParam>(30);
        auto w = v;
        w.pop_back();
        w.push_back(29);
        auto x = w;
        x = v;
        return w == v && x.size() == 30 && x[29] == 29;
    }();
    static_assert(right);
}

TEST(dynamic_vector, may_be_given_one_of_its_own) {
    dynamic_vector<std::array<int, 4>> v;
    v.push_back({1, 2, 3, 4});
    for (int i = 0; i < 40; ++i) v.push_back(v[0]);
    EXPECT_EQ(v.back(), (std::array<int, 4>{1, 2, 3, 4}));
}
TEST(dynamic_vector, assigning_reuses_what_is_there) {
    auto a = counting<dynamic_vector<int>>(40);
    auto const* const place = a.data();
    auto const small = counting<dynamic_vector<int>>(10);
    a = small;
    EXPECT_EQ(a.data(), place);
    EXPECT_EQ(a.size(), 10u);
    EXPECT_GE(a.capacity(), 40u);
}
TEST(static_vector, says_when_it_is_full) {
    static_vector<int, 2> v;
    EXPECT_FALSE(is_full(v));
    v.push_back(1);
    v.push_back(2);
    EXPECT_TRUE(is_full(v));
    EXPECT_EQ(v.capacity(), 2u);
    EXPECT_FALSE(is_full(counting<dynamic_vector<int>>(100)));
    static_vector<int, 0> const none;
    EXPECT_TRUE(none.empty());
    EXPECT_TRUE(is_full(none));
}

}  // namespace
