// expect: `damping` does not return vec<S, rows>
// A damping that is no number.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct level {
    static constexpr std::size_t rows = 1;
    constexpr auto error(auto const& a, auto const& b) const { return a.position.y() - b.position.y(); }
    constexpr S compliance() const { return S(1); }
#if defined(SINEW_CONTROL)
    constexpr S damping() const { return S(1); }
#else
    constexpr auto damping() const { return "much"; }
#endif
};

int main() { sinew::world<sinew::default_config, level> w; }
