#include <sinew/config/opaque.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace {

using sinew::detail::opaque;

struct four {
    double e[4];
};
void leave(four&) {}
// Called through this, the compiler does not know that it does nothing.
void (*volatile touch)(four&) = leave;

TEST(opaque, a_number_stays_what_it_is) {
    static_assert(opaque(0.4) == 0.4 && opaque(0.4F) == 0.4F && opaque(3) == 3);
    EXPECT_EQ(opaque(0.4), 0.4);
    EXPECT_EQ(opaque(0.4F), 0.4F);
    EXPECT_EQ(opaque(0.4L), 0.4L);
    EXPECT_EQ(opaque(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
}

// Optimised for AVX-512, g++ 12 fails these where nothing is hidden.
TEST(opaque, equal_numbers_before_zeros_are_copied) {
    four three{}, copy_of_three{}, two{}, copy_of_two{};
    for (four* x : {&three, &copy_of_three, &two, &copy_of_two}) touch(*x);
    three = {0.4, 0.4, opaque(0.4), 0};
    copy_of_three = three;
    touch(copy_of_three);
    two = {0.3, opaque(0.3), 0, 0};
    copy_of_two = two;
    touch(copy_of_two);
    EXPECT_EQ(copy_of_three.e[2], 0.4);
    EXPECT_EQ(copy_of_three.e[3], 0.0);
    EXPECT_EQ(copy_of_two.e[1], 0.3);
    EXPECT_EQ(copy_of_two.e[2], 0.0);
    EXPECT_EQ(copy_of_two.e[3], 0.0);
}

}  // namespace
