// Every constraint of the library over every scalar: its error, its Jacobian, the rate of both. Lanes and the values of dual numbers have the bits of the
// number they are made of; fixed point and long double are near double.

#include <constraint/numbers_of_scalars.hpp>

#include <constraint/cases/all.hpp>

#include <sinew/core/type_name.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace {

using namespace sinew;
using namespace sinew_test;

constexpr std::uint64_t seed = 400;

// Error, rate of the error, Jacobian and its rate times the velocity. Of a Jacobian that has no direction where the constraint holds only what lanes and
// derivatives do to it.
template <template <class> class Case, class S>
std::vector<S> numbers(std::uint64_t from, bool with_moving_normals) {
    splitmix64 random{from};
    auto const m = Case<quaternion<S>>::make(random);
    using C = std::remove_cvref_t<decltype(m.constraint)>;
    std::vector<S> all;
    auto const take = [&](auto const& x) {
        for (S const& e : x.e) all.push_back(e);
    };
    auto const twists = [&]<class... K>(binds<K...>) { return std::tuple{random_twist<K>(random, S(1))...}; }(attachments_t<C>{});
    if constexpr (is_holonomic_v<C, S>) take(std::apply([&](auto const&... p) { return error_of(m.constraint, p...); }, m.poses));
    if (with_moving_normals || !moving_normal_v<C>) {
        take(rate_of(m.constraint, m.poses, twists));
        take(std::apply([&](auto const&... p) { return jacobian_of(m.constraint, p...); }, m.poses));
        take(jacobian_rate_of(m.constraint, m.poses, twists));
    }
    return all;
}

template <class S, template <class> class Case>
void check(double tolerance) {
    using source = std::conditional_t<std::is_same_v<S, long double>, double, source_of<S>>;
    using constraint = decltype(Case<quaternion<S>>::make(std::declval<splitmix64&>()).constraint);
    for (std::uint64_t k = 0; k < 8; ++k) {
        SCOPED_TRACE(testing::Message() << type_name<constraint>() << ", seed " << seed + k);
        auto const found = numbers<Case, S>(seed + k, tolerance == 0);
        auto const expected = numbers<Case, source>(seed + k, tolerance == 0);
        splitmix64 random{seed + k};
        auto const m = Case<quaternion<source>>::make(random);
        double const margin = static_cast<double>(std::apply([&](auto const&... p) { return Case<quaternion<source>>::margin(m.constraint, p...); }, m.poses));
        if (tolerance > 0 && margin < 0.25) continue;  // near where there are no derivatives
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (tolerance > 0) {
                EXPECT_NEAR(static_cast<double>(plain_of(found[i])), static_cast<double>(expected[i]), tolerance * (1 + std::abs(static_cast<double>(expected[i])))) << i;
            } else {
                auto const x = plain_of(found[i]);
                EXPECT_TRUE(std::memcmp(&x, &expected[i], sizeof x) == 0 || (x == 0 && expected[i] == 0)) << i << ": " << x << " and " << expected[i];
            }
        }
    }
}
template <class S, template <class> class... Cases>
void check_all(double tolerance, case_list<Cases...>) {
    (check<S, Cases>(tolerance), ...);
}
template <class S>
void check_all(double tolerance = 0) {
    check_all<S>(tolerance, all_cases{});
}

TEST(every_constraint, in_lanes) {
    check_all<batch<float, 8>>();
    check_all<batch<double, 4>>();
}
TEST(every_constraint, over_dual_numbers) { check_all<dual<double, 4>>(); }
// Some forty roundings, which second derivatives enlarge by 1 / 0.25^2.
TEST(every_constraint, in_long_double) { check_all<long double>(640 * std::ldexp(1.0, -53)); }
TEST(every_constraint, in_fixed_point) {
    check_all<fixed<15, 16>>(640 * std::ldexp(1.0, -17));
    check_all<fixed<31, 32>>(640 * std::ldexp(1.0, -33));
}

}  // namespace
