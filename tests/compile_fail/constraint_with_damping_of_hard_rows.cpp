// expect: has `damping` without `compliance`
// A damping of a hard constraint.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct level {
    static constexpr std::size_t rows = 1;
    constexpr auto error(auto const& a, auto const& b) const { return a.position.y() - b.position.y(); }
#if defined(SINEW_CONTROL)
    constexpr S compliance() const { return S(1); }
    constexpr S damping() const { return S(1); }
#else
    constexpr S damping() const { return S(1); }
#endif
};

int main() { sinew::world<sinew::default_config, level> w; }
