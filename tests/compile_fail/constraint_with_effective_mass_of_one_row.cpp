// expect: `effective_mass` does not return mat<S, rows, rows>
// One number for a constraint that has two rows.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct level {
    static constexpr std::size_t rows = 2;
    constexpr auto error(auto const& a, auto const& b) const { return sinew::vec{a.position.y() - b.position.y(), a.position.x() - b.position.x()}; }
#if defined(SINEW_CONTROL)
    constexpr auto effective_mass(auto const&, auto const&, auto const&, auto const&) const { return sinew::mat<S, 2, 2>{}; }
#else
    constexpr S effective_mass(auto const&, auto const&, auto const&, auto const&) const { return S(1); }
#endif
};

int main() { sinew::world<sinew::default_config, level> w; }
