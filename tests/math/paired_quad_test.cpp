// Quads of lanes two and two in registers of twice the width: the bits of quads as plain arrays, whatever the processor's registers are.

#include <sinew/math/paired_quad.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <utility>

namespace {

using namespace sinew;
using detail::array_quad;
using detail::paired_quad;

template <class S>
class paired_quads : public testing::Test {};
using scalars = testing::Types<batch<float, 4>, batch<float, 8>, batch<double, 2>, batch<double, 4>>;
TYPED_TEST_SUITE(paired_quads, scalars);

template <class S>
struct alignas(64) four {
    S e[4];
};
template <class S>
four<S> numbers(std::mt19937& random) {
    using T = typename S::lane_type;
    std::uniform_real_distribution<T> any(T(-2), T(2));
    std::uniform_int_distribution<int> odd(0, 9);
    T const special[] = {T(0), T(-0.0), T(1), T(-1), std::numeric_limits<T>::infinity(), std::numeric_limits<T>::denorm_min()};
    four<S> r;
    for (S& x : r.e)
        for (T& lane : x.e) {
            int const k = odd(random);
            lane = k < 6 ? special[k] : any(random);
        }
    return r;
}
template <class Q, class S>
four<S> stored(Q const& q) {
    four<S> r;
    q.store(r.e);
    return r;
}
template <class S>
bool same_bits(S const& a, S const& b) {
    for (std::size_t i = 0; i < S::lanes; ++i)  // two that are no numbers count as the same
        if (!(std::isnan(a.e[i]) && std::isnan(b.e[i])) && std::memcmp(&a.e[i], &b.e[i], sizeof a.e[i]) != 0) return false;
    return true;
}
template <class S>
bool same_bits(four<S> const& a, four<S> const& b) {
    return same_bits(a.e[0], b.e[0]) && same_bits(a.e[1], b.e[1]) && same_bits(a.e[2], b.e[2]) && same_bits(a.e[3], b.e[3]);
}

TYPED_TEST(paired_quads, have_the_bits_of_array_quads) {
    using S = TypeParam;
    using P = paired_quad<S>;
    using A = array_quad<S>;
    unsigned const seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int run = 0; run < 200; ++run) {
        auto const x = numbers<S>(random), y = numbers<S>(random), z = numbers<S>(random);
        auto const both = [&](auto const& f) { return same_bits(stored<P, S>(f(P::load(x.e), P::load(y.e), P::load(z.e))), stored<A, S>(f(A::load(x.e), A::load(y.e), A::load(z.e)))); };
        ASSERT_TRUE(both([](auto const& a, auto const&, auto const&) { return a; }));
        ASSERT_TRUE(both([](auto const& a, auto const& b, auto const&) { return a + b; }));
        ASSERT_TRUE(both([](auto const& a, auto const& b, auto const&) { return a - b; }));
        ASSERT_TRUE(both([](auto const& a, auto const& b, auto const&) { return a * b; }));
        ASSERT_TRUE(both([](auto const& a, auto const&, auto const&) { return a.total(); }));
        ASSERT_TRUE(both([](auto const& a, auto const& b, auto const&) { return larger(a, b); }));
        ASSERT_TRUE(both([](auto const& a, auto const& b, auto const&) { return smaller(a, b); }));
        ASSERT_TRUE(both([]<class Q>(Q const& a, Q const& b, Q const& c) { return Q::choose(a, b, c); }));
        ASSERT_TRUE(both([&]<class Q>(Q const& a, Q const& b, Q const&) { return Q::select_where(x.e[0] < y.e[1], a, b); }));
        ASSERT_TRUE(both([]<class Q>(Q const& a, Q const& b, Q const&) { return Q::splat(a.first() + b.first()); }));
        ASSERT_TRUE(both([&]<class Q>(Q const&, Q const&, Q const&) { return Q::of(z.e[3], x.e[1], y.e[0], x.e[2]); }));
        ASSERT_TRUE(both([](auto const& a, auto const&, auto const&) { return a.template all<0>(); }));
        ASSERT_TRUE(both([](auto const& a, auto const&, auto const&) { return a.template all<1>(); }));
        ASSERT_TRUE(both([](auto const& a, auto const&, auto const&) { return a.template all<2>(); }));
        ASSERT_TRUE(both([](auto const& a, auto const&, auto const&) { return a.template all<3>(); }));
    }
}

template <class Q>
constexpr double in_a_constant_expression() {
    using S = batch<double, 2>;
    S const x[4] = {S(1), S(2), S(3), S(-4)};
    Q const q = Q::load(x), larger_ones = larger(q, Q::splat(S(0)));
    S to[4];
    (q * larger_ones + Q::of(x[3], x[2], x[1], x[0])).store(to);
    return (to[0] + to[1] * S(10) + to[2] * S(100) + to[3] * S(1000) + q.total().first() + q.template all<3>().first())[1];
}
TEST(paired_quads, compute_in_constant_expressions) {
    static_assert(in_a_constant_expression<paired_quad<batch<double, 2>>>() == in_a_constant_expression<array_quad<batch<double, 2>>>());
    static_assert(in_a_constant_expression<paired_quad<batch<double, 2>>>() == -3.0 + 70.0 + 1100.0 + 1000.0 + 2.0 - 4.0);
}

TEST(paired_quads, are_used_where_a_register_holds_two) {
    constexpr std::size_t floats = detail::register_bytes / sizeof(float);
    if constexpr (detail::has_lane_vectors) {
        EXPECT_EQ((detail::has_paired_quad_v<batch<float, 8>>), floats == 16);
        EXPECT_EQ((detail::has_paired_quad_v<batch<float, 4>>), floats >= 8);
        EXPECT_EQ((detail::has_paired_quad_v<batch<double, 4>>), floats == 16);
    }
    EXPECT_FALSE((detail::has_paired_quad_v<batch<float, 16>>));  // fills one itself
    EXPECT_FALSE((detail::has_paired_quad_v<batch<float, 2>>));
    EXPECT_FALSE(detail::has_paired_quad_v<float>);
}

}  // namespace
