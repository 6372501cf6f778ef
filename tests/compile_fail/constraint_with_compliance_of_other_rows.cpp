// expect: `compliance` does not return vec<S, rows>
// A compliance of two rows of a constraint that has one.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct level {
    static constexpr std::size_t rows = 1;
    constexpr auto error(auto const& a, auto const& b) const { return a.position.y() - b.position.y(); }
#if defined(SINEW_CONTROL)
    constexpr auto compliance() const { return sinew::vec<S, 1>{S(1)}; }
#else
    constexpr auto compliance() const { return sinew::vec<S, 2>{S(1), S(1)}; }
#endif
};

int main() { sinew::world<sinew::default_config, level> w; }
