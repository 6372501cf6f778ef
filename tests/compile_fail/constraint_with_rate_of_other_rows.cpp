// expect: does not return as many values as its `rows` says
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct rod {
#if defined(SINEW_CONTROL)
    static constexpr std::size_t rows = 3;
#else
    static constexpr std::size_t rows = 2;
#endif
    constexpr auto rate(auto const&, auto const&, auto const& ta, auto const& tb) const { return ta.linear - tb.linear; }
};

int main() { sinew::world<sinew::default_config, rod> w; }
