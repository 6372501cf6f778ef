// expect: does not return as many values as its `rows` says
// A vector of three values for one row.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct rod {
#if defined(SINEW_CONTROL)
    static constexpr std::size_t rows = 3;
#else
    static constexpr std::size_t rows = 1;
#endif
    constexpr auto error(auto const& a, auto const& b) const { return a.position - b.position; }
};

int main() { sinew::world<sinew::default_config, rod> w; }
