#include <sinew/config/determinism.hpp>

#include <gtest/gtest.h>

#include <cfenv>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace {

// The option SINEW_DETERMINISTIC is on by default and reaches this file through the target alone.
TEST(determinism, products_are_rounded_before_they_are_added) { EXPECT_TRUE(sinew::arithmetic_is_as_written()); }

TEST(determinism, other_rounding_is_seen) {
    for (int const mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        ASSERT_EQ(std::fesetround(mode), 0);
        bool const as_written = sinew::arithmetic_is_as_written();
        std::fesetround(FE_TONEAREST);
        EXPECT_FALSE(as_written) << mode;
    }
    EXPECT_TRUE(sinew::arithmetic_is_as_written());
}

#if defined(__SSE2__)
TEST(determinism, flush_to_zero_is_seen) {
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    bool const as_written = sinew::arithmetic_is_as_written();
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_OFF);
    EXPECT_FALSE(as_written);
    EXPECT_TRUE(sinew::arithmetic_is_as_written());
}
#endif

}  // namespace
