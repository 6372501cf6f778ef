// expect: does not return as many values as its `rows` says
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct rod {
#if defined(SINEW_CONTROL)
    static constexpr std::size_t rows = 1;
#else
    static constexpr std::size_t rows = 2;
#endif
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.position - b.position) - S(1); }
};

int main() { sinew::world<sinew::default_config, rod> w; }
