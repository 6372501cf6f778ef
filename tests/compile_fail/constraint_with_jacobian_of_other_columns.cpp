// expect: `jacobian` does not return a mat<S, rows, columns> with six columns for each rigid body
// A Jacobian of one of two bodies.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct level {
    static constexpr std::size_t rows = 1;
    constexpr auto error(auto const& a, auto const& b) const { return a.position.y() - b.position.y(); }
#if defined(SINEW_CONTROL)
    constexpr sinew::mat<S, 1, 12> jacobian(auto const&, auto const&) const { return {}; }
#else
    constexpr sinew::mat<S, 1, 6> jacobian(auto const&, auto const&) const { return {}; }
#endif
};

int main() { sinew::world<sinew::default_config, level> w; }
