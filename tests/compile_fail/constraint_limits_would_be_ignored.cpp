// expect: this constraint's `limits` cannot be called as limits.., limits.poses.... or limits.lambda, poses....
// One pose too few: passed over in silence, the rope would become a rod.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct rod {
    static constexpr std::size_t rows = 1;
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.position - b.position) - S(1); }
#if defined(SINEW_CONTROL)
    static constexpr sinew::bounds<S, 1> limits(auto const&, auto const&) { return sinew::pushing<S, 1>(); }
#else
    static constexpr sinew::bounds<S, 1> limits(auto const&) { return sinew::pushing<S, 1>(); }
#endif
};

int main() { sinew::world<sinew::default_config, rod> w; }
