#include <sinew/config/determinism.hpp>

#include <gtest/gtest.h>

namespace {

// The option SINEW_DETERMINISTIC is on by default and reaches this file through the target alone.
TEST(determinism, products_are_rounded_before_they_are_added) { EXPECT_TRUE(sinew::arithmetic_is_as_written()); }

}  // namespace
