// expect: `limits` does not return bounds<S, rows>
// Limits of two rows of a constraint that has one.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct level {
    static constexpr std::size_t rows = 1;
    constexpr auto error(auto const& a, auto const& b) const { return a.position.y() - b.position.y(); }
#if defined(SINEW_CONTROL)
    constexpr sinew::bounds<S, 1> limits() const { return sinew::pushing<S, 1>(); }
#else
    constexpr sinew::bounds<S, 2> limits() const { return sinew::pushing<S, 2>(); }
#endif
};

int main() { sinew::world<sinew::default_config, level> w; }
