// expect: does not return dual numbers for dual numbers
#include <sinew/world/world.hpp>

template <sinew::scalar S>
struct slide {
    static constexpr std::size_t coordinates = 1;
#if defined(SINEW_CONTROL)
    constexpr auto links(auto const& u) const { return sinew::vec3<std::remove_cvref_t<decltype(u[0])>>{u[0], 0, 0}; }
#else
    constexpr auto links(auto const& u) const { return sinew::vec3<S>{value(u[0]), 0, 0}; }
    static constexpr S value(S const& x) { return x; }
    static constexpr S value(auto const& x) { return x.v; }
#endif
};

int main() { sinew::world<sinew::default_config, slide> const w; }
