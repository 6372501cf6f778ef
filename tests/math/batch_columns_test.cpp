// Columns of numbers into lanes and back: as element by element, for every width that is transposed and those that are not.

#include <sinew/math/batch_columns.hpp>

#include <gtest/gtest.h>

namespace {

using namespace sinew;

// K numbers each, from places of any alignment; then four of them elsewhere. Whether all arrived, and nothing else was written.
template <class T, std::size_t N, std::size_t K>
constexpr bool arrive() {
    T a[N][K + 1] = {}, to[N][6] = {};
    std::array<T const*, N> from{};
    std::array<T*, N> places{};
    for (std::size_t i = 0; i < N; ++i) {
        for (std::size_t k = 0; k <= K; ++k) a[i][k] = static_cast<T>(100 * i + k + 1);
        from[i] = a[i] + 1;
        places[i] = to[i] + 1;
    }
    batch<T, N> x[K < 4 ? 4 : K] = {};
    load_columns<K>(from, x);
    bool good = true;
    for (std::size_t k = 0; k < K; ++k)
        for (std::size_t i = 0; i < N; ++i) good = good && x[k][i] == a[i][k + 1];
    store_columns(x, places);
    for (std::size_t i = 0; i < N; ++i) {
        for (std::size_t k = 0; k < 4; ++k) good = good && to[i][k + 1] == x[k][i];
        good = good && to[i][0] == T(0) && to[i][5] == T(0);
    }
    return good;
}
template <class T, std::size_t N>
constexpr bool all_arrive() {
    return arrive<T, N, 3>() && arrive<T, N, 4>() && arrive<T, N, 6>() && arrive<T, N, 7>() && arrive<T, N, 13>();
}
static_assert(arrive<float, 4, 7>() && arrive<double, 2, 6>());

TEST(batch_columns, arrive_in_their_lanes_and_back) {
    EXPECT_TRUE((all_arrive<float, 2>()));
    EXPECT_TRUE((all_arrive<float, 4>()));
    EXPECT_TRUE((all_arrive<float, 8>()));
    EXPECT_TRUE((all_arrive<float, 16>()));
    EXPECT_TRUE((all_arrive<double, 4>()));
    EXPECT_TRUE((all_arrive<double, 8>()));
}

}  // namespace
