// expect: `jacobian_rate` does not return vec<S, rows>
// Three numbers for a constraint that has one row.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct level {
    static constexpr std::size_t rows = 1;
    constexpr auto error(auto const& a, auto const& b) const { return a.position.y() - b.position.y(); }
#if defined(SINEW_CONTROL)
    constexpr S jacobian_rate(auto const&, auto const&, auto const&, auto const&) const { return S(0); }
#else
    constexpr auto jacobian_rate(auto const&, auto const&, auto const&, auto const&) const { return sinew::vec3<S>{}; }
#endif
};

int main() { sinew::world<sinew::default_config, level> w; }
