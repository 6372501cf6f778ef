// expect: the `jacobian` of this composed constraint's outer function cannot be called as jacobian.y. const
// An outer function whose Jacobian by hand forgets its const.
#include <sinew/constraint/composed.hpp>
#include <sinew/constraint/distance.hpp>
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct half {
    static constexpr std::size_t rows = 1;
    constexpr auto value(auto const& y) const { return y * S(0.5f); }
#if defined(SINEW_CONTROL)
    constexpr sinew::mat<S, 1, 1> jacobian(sinew::vec<S, 1> const&) const { return {S(0.5f)}; }
#else
    constexpr sinew::mat<S, 1, 1> jacobian(sinew::vec<S, 1> const&) { return {S(0.5f)}; }
#endif
    constexpr bool operator==(half const&) const = default;
};
template <class S>
using half_distance = sinew::composed<S, half, sinew::distance>;

int main() { sinew::world<sinew::default_config, half_distance> w; }
