// expect: this constraint's `jacobian` cannot be called as jacobian.poses.... const
// A hook that forgets its const.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct rod {
    static constexpr std::size_t rows = 1;
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.position - b.position) - S(1); }
#if defined(SINEW_CONTROL)
    constexpr sinew::mat<S, 1, 12> jacobian(auto const&, auto const&) const { return {}; }
#else
    constexpr sinew::mat<S, 1, 12> jacobian(auto const&, auto const&) { return {}; }
#endif
};

int main() { sinew::world<sinew::default_config, rod> w; }
