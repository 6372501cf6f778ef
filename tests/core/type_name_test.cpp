#include <sinew/core/type_name.hpp>

#include <sinew/constraint/hinge.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

template <class S>
struct my_rod {};

TEST(TypeName, is_what_one_writes) {
    EXPECT_STREQ(sinew::type_name<double>(), "double");
    EXPECT_STREQ(sinew::type_name<my_rod<float>>(), "my_rod<float>");
    // An alias shows what it stands for, without the library's namespaces.
    EXPECT_EQ(std::string(sinew::type_name<sinew::point_to_point<double>>()).find("sinew"), std::string::npos);
    EXPECT_EQ(std::string(sinew::type_name<sinew::point_to_point<double>>()).rfind("point_to_point_between<double", 0), 0u);
}

constexpr char const* at_compile_time = sinew::type_name<int>();
static_assert(at_compile_time[0] == 'i' && at_compile_time[3] == 0);

}  // namespace
