#include <sinew/config/version.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

TEST(version, the_constant_and_the_macros_agree) {
    static_assert(sinew::version == SINEW_VERSION);
    EXPECT_EQ(sinew::version, 10000 * SINEW_VERSION_MAJOR + 100 * SINEW_VERSION_MINOR + SINEW_VERSION_PATCH);
}

TEST(version, is_the_one_cmake_reads) {
    EXPECT_EQ(std::to_string(SINEW_VERSION_MAJOR) + "." + std::to_string(SINEW_VERSION_MINOR) + "." + std::to_string(SINEW_VERSION_PATCH),
              SINEW_CMAKE_VERSION);
}

}  // namespace
