// expect: this constraint's `compliance` cannot be called as compliance.. const
// A hook that takes what the library does not give.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct rod {
    static constexpr std::size_t rows = 1;
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.position - b.position) - S(1); }
#if defined(SINEW_CONTROL)
    constexpr S compliance() const { return S(1); }
#else
    constexpr S compliance(S const& more) const { return more; }
#endif
};

int main() { sinew::world<sinew::default_config, rod> w; }
