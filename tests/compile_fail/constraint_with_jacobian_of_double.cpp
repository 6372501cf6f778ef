// expect: and S the world.s scalar
// A Jacobian of doubles in a world of floats.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct level {
    static constexpr std::size_t rows = 1;
    constexpr auto error(auto const& a, auto const& b) const { return a.position.y() - b.position.y(); }
#if defined(SINEW_CONTROL)
    constexpr auto jacobian(auto const&, auto const&) const { return sinew::mat<S, 1, 12>{}; }
#else
    constexpr auto jacobian(auto const&, auto const&) const { return sinew::mat<double, 1, 12>{}; }
#endif
};

int main() { sinew::world<sinew::default_config, level> w; }
