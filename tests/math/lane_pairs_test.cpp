// Two batches side by side in one, and back.

#include <sinew/math/lane_pairs.hpp>
#include <sinew/math/quad.hpp>

#include <gtest/gtest.h>

#include <array>

namespace {

using namespace sinew;

template <class T>
struct lane_pairs : testing::Test {};
using scalars = testing::Types<batch<float, 4>, batch<float, 8>, batch<double, 2>, batch<double, 4>, batch<float, 3>>;
TYPED_TEST_SUITE(lane_pairs, scalars);

template <class S>
constexpr S counted(int first) {
    using T = typename S::lane_type;
    S r;
    for (std::size_t i = 0; i < S::lanes; ++i) r[i] = static_cast<T>(first + static_cast<int>(i));
    return r;
}
template <class S>
constexpr bool go_there_and_back() {
    using W = batch<typename S::lane_type, 2 * S::lanes>;
    S const a = counted<S>(1), b = counted<S>(-50);
    W const both = detail::side_by_side<W>(a, b);
    bool good = true;
    for (std::size_t i = 0; i < S::lanes; ++i) good = good && both[i] == a[i] && both[S::lanes + i] == b[i];
    S const lower = detail::half_of<S, false>(both), upper = detail::half_of<S, true>(both);
    for (std::size_t i = 0; i < S::lanes; ++i) good = good && lower[i] == a[i] && upper[i] == b[i];
    auto const mask = detail::side_by_side<mask_t<W>>(a > S(2), b > S(-49));
    for (std::size_t i = 0; i < W::lanes; ++i) good = good && mask[i] == (i % S::lanes > 1);
    auto const half = detail::half_of<mask_t<S>, true>(mask);
    for (std::size_t i = 0; i < S::lanes; ++i) good = good && half[i] == (i > 1);
    return good;
}
TYPED_TEST(lane_pairs, go_there_and_back) {
    static_assert(go_there_and_back<TypeParam>());
    EXPECT_TRUE(go_there_and_back<TypeParam>());
}
TYPED_TEST(lane_pairs, take_many_numbers) {
    using S = TypeParam;
    using W = detail::lane_pair_t<S>;
    std::array<S, 5> a, b, lower, upper;
    std::array<W, 5> both;
    for (std::size_t i = 0; i < 5; ++i) {
        a[i] = counted<S>(static_cast<int>(10 * i));
        b[i] = counted<S>(-static_cast<int>(100 * i));
    }
    detail::pair_numbers<5>(a.data(), b.data(), both.data());
    detail::part_numbers<5>(both.data(), lower.data(), upper.data());
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_TRUE(static_cast<bool>(lower[i] == a[i]));
        EXPECT_TRUE(static_cast<bool>(upper[i] == b[i]));
    }
}

// any_below of all quads: in each lane apart.
template <class Q, class S>
constexpr bool tells_what_is_below() {
    bool good = true;
    for (int at = 0; at < 5; ++at) {  // which of the four is below; none
        S const ones[4] = {S(1), S(1), S(1), S(1)};
        S x[4] = {S(1), S(2), S(1), S(3)};
        if (at < 4) x[at] = S(-1);
        auto const found = any_below(Q::of(x[0], x[1], x[2], x[3]), Q::of(ones[0], ones[1], ones[2], ones[3]));
        good = good && all(found) == (at < 4) && any(found) == (at < 4);
    }
    if constexpr (has_lanes_v<S>) {
        S x(1);
        x[1] = 0;
        auto const found = any_below(Q::of(S(1), S(1), x, S(1)), Q::splat(S(1)));
        good = good && !found[0] && found[1];
    }
    return good;
}
TYPED_TEST(lane_pairs, quads_tell_in_which_lane_a_number_is_below) {
    static_assert(tells_what_is_below<detail::array_quad<TypeParam>, TypeParam>());
    EXPECT_TRUE((tells_what_is_below<detail::array_quad<TypeParam>, TypeParam>()));
}
TEST(quads, tell_whether_a_number_is_below) {
    static_assert(tells_what_is_below<detail::array_quad<float>, float>());
    auto const holds = []<class S>(S) { return detail::with_quads<S>([](auto quad) { return tells_what_is_below<typename decltype(quad)::type, S>(); }); };
    EXPECT_TRUE(holds(1.0f));
    EXPECT_TRUE(holds(1.0));
    EXPECT_TRUE(holds(1.0L));
}

}  // namespace
