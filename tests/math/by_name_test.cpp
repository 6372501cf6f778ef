// The functions of every scalar by their full names, as code outside of the library calls them.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>

namespace elsewhere {

// Two numbers that take every function, with its names in full; and as the library writes it, where arguments find friends.
template <class S>
constexpr S in_full(S const& x, S const& y) {
    S const low = sinew::min(x, y), high = sinew::max(x, y);
    S const turned = sinew::atan2(sinew::sin(x), sinew::cos(x)) + sinew::asin(low / S(4)) + sinew::acos(low / S(4)) + sinew::atan(y) + sinew::tan(low);
    S const grown = sinew::sqrt(sinew::abs(x) + S(1)) + sinew::exp(low) + sinew::log(high + S(2)) + sinew::floor(y) + sinew::clamp(x, S(0), S(1));
    return sinew::select(x < y, turned, grown) + sinew::min(turned, S(1));
}
using sinew::abs, sinew::min, sinew::max, sinew::atan2, sinew::sin, sinew::cos, sinew::asin, sinew::acos, sinew::atan, sinew::tan, sinew::sqrt, sinew::exp, sinew::log, sinew::floor,
    sinew::select, sinew::clamp;
template <class S>
constexpr S by_argument(S const& x, S const& y) {
    S const low = min(x, y), high = max(x, y);
    S const turned = atan2(sin(x), cos(x)) + asin(low / S(4)) + acos(low / S(4)) + atan(y) + tan(low);
    S const grown = sqrt(abs(x) + S(1)) + exp(low) + log(high + S(2)) + floor(y) + clamp(x, S(0), S(1));
    return select(x < y, turned, grown) + min(turned, S(1));
}

/// A bead on the wire y = a sin(k x), pushed up by a floor.
template <sinew::scalar S>
struct on_wave {
    static constexpr std::size_t rows = 2;
    using attachments = sinew::binds<sinew::rigid>;
    S amplitude, wave_number;  // m, 1/m

    constexpr auto error(auto const& a) const {
        auto const p = a.point(sinew::vec3<S>{});
        using T = std::remove_cvref_t<decltype(p[0])>;
        return sinew::vec<T, 2>{p[1] - T(amplitude) * sinew::sin(p[0] * T(wave_number)), sinew::min(p[2], sinew::abs(p[2]))};
    }
};

}  // namespace elsewhere

namespace {

template <class S>
struct by_name : testing::Test {};
using scalars = testing::Types<float, double, long double, sinew::dual<double, 2>, sinew::dual<sinew::dual<float, 1>, 2>, sinew::batch<float, 8>, sinew::batch<double, 3>,
                               sinew::dual<sinew::batch<float, 4>, 1>, sinew::fixed<15, 16>, sinew::fixed<31, 32>>;
TYPED_TEST_SUITE(by_name, scalars, );

TYPED_TEST(by_name, every_function_is_that_of_its_scalar) {
    using S = TypeParam;
    for (int i = -3; i <= 3; ++i) {
        S const x = S(i) / S(4) + S(1) / S(8), y = S(1) / S(4);
        EXPECT_TRUE(!sinew::any(sinew::differs(elsewhere::in_full(x, y), elsewhere::by_argument(x, y)))) << i;
        EXPECT_TRUE(sinew::all(sinew::isfinite(elsewhere::in_full(x, y)))) << i;
        auto const plain = sinew::value(sinew::value(x));
        using V = std::remove_cvref_t<decltype(plain)>;
        EXPECT_TRUE(sinew::all(plain == V(i) / V(4) + V(1) / V(8))) << i;
    }
}
TYPED_TEST(by_name, a_constraint_written_elsewhere_has_its_jacobian) {
    using S = TypeParam;
    elsewhere::on_wave<S> const wave{S(1) / S(2), S(2)};
    sinew::pose<S> const at{{S(1) / S(2), S(0), S(-1)}, {}};
    auto const J = sinew::jacobian_of(wave, at);
    using sinew::cos;
    EXPECT_TRUE(sinew::all(sinew::abs(S(J(0, 0) + cos(S(1)))) <= S(64) * sinew::epsilon_v<S>));  // -a k cos(k x)
    EXPECT_TRUE(sinew::all(J(0, 1) == S(1)) && sinew::all(J(1, 2) == S(1)));
}

}  // namespace
