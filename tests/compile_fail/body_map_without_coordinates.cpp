// expect: does not say how many coordinates it has
#include <sinew/world/world.hpp>

template <sinew::scalar S>
struct slide {
#if defined(SINEW_CONTROL)
    static constexpr std::size_t coordinates = 1;
#endif
    constexpr auto links(auto const& u) const { return sinew::vec3<std::remove_cvref_t<decltype(u[0])>>{u[0], 0, 0}; }
};

int main() { sinew::world<sinew::default_config, slide> const w; }
