// expect: `stiffness` does not return a mat<S, dof, dof>
// A stiffness of one body of a constraint on two.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct level {
    static constexpr std::size_t rows = 1;
    constexpr auto error(auto const& a, auto const& b) const { return a.position.y() - b.position.y(); }
#if defined(SINEW_CONTROL)
    constexpr auto stiffness(auto const&, auto const&, sinew::vec<S, 1> const&) const { return sinew::mat<S, 12, 12>{}; }
#else
    constexpr auto stiffness(auto const&, auto const&, sinew::vec<S, 1> const&) const { return sinew::mat<S, 6, 6>{}; }
#endif
};

int main() { sinew::world<sinew::default_config, level> w; }
