// expect: `update` does not return vec<S, rows>
// A rule that says whether, not what.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct level {
    static constexpr std::size_t rows = 1;
    constexpr auto error(auto const& a, auto const& b) const { return a.position.y() - b.position.y(); }
#if defined(SINEW_CONTROL)
    constexpr auto update(sinew::vec<S, 1> const&, sinew::vec<S, 1> const& proposed, auto const&, auto const&) const { return proposed; }
#else
    constexpr bool update(sinew::vec<S, 1> const&, sinew::vec<S, 1> const&, auto const&, auto const&) const { return true; }
#endif
};

int main() { sinew::world<sinew::default_config, level> w; }
