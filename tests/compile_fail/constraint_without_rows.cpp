// expect: does not say how many rows it has; add `static constexpr std::size_t rows
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct rod {
#if defined(SINEW_CONTROL)
    static constexpr std::size_t rows = 1;
#endif
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.position - b.position) - S(1); }
};

int main() { sinew::world<sinew::default_config, rod> w; }
