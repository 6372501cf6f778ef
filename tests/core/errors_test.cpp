// Errors as sentences, and the hash of numbers that is the same everywhere.

#include <sinew/core/errors.hpp>
#include <sinew/core/handle.hpp>
#include <sinew/core/hash.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace {

using namespace sinew;

std::string said(double value, char const* requirement = "must be positive") { return error_text(error{errc::not_positive, "mass", requirement, value, true}).c_str(); }

TEST(error_text, is_one_sentence_with_the_value) {
    EXPECT_EQ(said(-1), "sinew: mass must be positive, but is -1");
    EXPECT_EQ(said(0), "sinew: mass must be positive, but is 0");
    EXPECT_EQ(said(0.001), "sinew: mass must be positive, but is 0.001");
    EXPECT_EQ(said(1234.5), "sinew: mass must be positive, but is 1234.5");
    EXPECT_EQ(said(-1e-9), "sinew: mass must be positive, but is -1e-9");
    EXPECT_EQ(said(6.02214e23), "sinew: mass must be positive, but is 6.02214e23");
    EXPECT_EQ(said(999999.9), "sinew: mass must be positive, but is 1e6");
    EXPECT_EQ(said(std::numeric_limits<double>::quiet_NaN()), "sinew: mass must be positive, but is NaN");
    EXPECT_EQ(said(-std::numeric_limits<double>::infinity()), "sinew: mass must be positive, but is -infinity");
    EXPECT_EQ(said(3, "must be fewer; their number"), "sinew: mass must be fewer; their number is 3");
    EXPECT_EQ(std::string(error_text(error{errc::dead_handle, "handle", "is dead", 0, false}).c_str()), "sinew: handle is dead");
}
TEST(error_text, of_any_length_ends) {
    std::string const name(500, 'x');
    std::string const text = error_text(error{errc::full, name.c_str(), "must", 1, true}).c_str();
    EXPECT_LT(text.size(), 224u);
    EXPECT_EQ(text.substr(0, 8), "sinew: x");
}
static_assert(!error{} && error{errc::full, "", "", 0, false});

std::string heard;
struct listener {
    void operator()(error const& e) const { heard = error_text(e).c_str(); }
};
TEST(error_policies, throw_call_or_say_nothing) {
    error const e{errc::not_positive, "mass", "must be positive", -2, true};
    EXPECT_THROW(throw_errors::fail(e), std::invalid_argument);
    EXPECT_NO_THROW(throw_errors::fail(error{}));
    EXPECT_NO_THROW(null_errors::fail(e));
    call_errors<listener>::fail(e);
    EXPECT_EQ(heard, "sinew: mass must be positive, but is -2");
}

TEST(world_tags, are_never_the_same) {
    auto a = next_world_tag(), b = next_world_tag();  // const, they would be constant expressions, and 0
    EXPECT_NE(a, b);
    static_assert(next_world_tag() == 0);
}
TEST(handles, name_nothing_by_default) {
    handle<int> const h;
    EXPECT_FALSE(h);
    EXPECT_TRUE(h == handle<int>{});
    EXPECT_TRUE((handle<int>{0, 0, 1}));
}

template <class... T>
constexpr std::uint64_t hash_of(T... x) {
    bit_hash h;
    (h.add(x), ...);
    return h.value();
}
// FNV-1a of nothing is its offset basis; of eight zero bytes it is the basis times the prime, eight times.
static_assert(hash_of() == 0xcbf29ce484222325ull);
static_assert([] {
    std::uint64_t h = 0xcbf29ce484222325ull;
    for (int i = 0; i < 8; ++i) h *= 0x100000001b3ull;
    return h == hash_of(std::uint64_t{0});
}());
TEST(bit_hash, sees_every_bit_but_not_the_sign_of_zero_or_the_kind_of_nan) {
    EXPECT_NE(hash_of(1.0), hash_of(1.0 + std::numeric_limits<double>::epsilon()));
    EXPECT_NE(hash_of(1.0, 2.0), hash_of(2.0, 1.0));
    EXPECT_EQ(hash_of(0.0), hash_of(-0.0));
    EXPECT_EQ(hash_of(0.0f), hash_of(-0.0f));
    double const nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(hash_of(nan), hash_of(-nan));
}

}  // namespace
