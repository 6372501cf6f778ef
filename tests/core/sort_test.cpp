#include <sinew/core/sort.hpp>
#include <sinew/core/storage.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace {

// Worlds in place and on the heap go on alike: what sorts without recursion leaves the same order.
TEST(sort, gives_the_same_order_for_every_storage) {
    std::mt19937 random(7);
    for (std::size_t n = 0; n < 200; ++n) {
        std::vector<std::uint32_t> a(n);
        for (auto& x : a) x = static_cast<std::uint32_t>(random() % (n / 2 + 1));
        auto b = a;
        sinew::detail::sort<sinew::dynamic_storage>(a.begin(), a.end());
        sinew::detail::sort<sinew::static_storage<sinew::capacities{}>>(b.begin(), b.end());
        EXPECT_EQ(a, b) << n;
        auto const falls = [](std::uint32_t x, std::uint32_t y) { return x > y; };
        sinew::detail::sort<sinew::static_storage<sinew::capacities{}>>(b.begin(), b.end(), falls);
        EXPECT_TRUE(std::is_sorted(b.begin(), b.end(), falls)) << n;
    }
}
constexpr bool sorts() {
    int a[] = {3, 1, 2};
    sinew::detail::sort<sinew::static_storage<sinew::capacities{}>>(a, a + 3);
    return a[0] == 1 && a[1] == 2 && a[2] == 3;
}
static_assert(sorts());

}  // namespace
