// expect: this body map has no `links\(u\)` const that can be called
#include <sinew/world/world.hpp>

template <sinew::scalar S>
struct slide {
    static constexpr std::size_t coordinates = 1;
#if defined(SINEW_CONTROL)
    constexpr auto links(auto const& u) const { return sinew::vec3<std::remove_cvref_t<decltype(u[0])>>{u[0], 0, 0}; }
#else
    constexpr auto links(auto const& u) const { return u[0]; }
#endif
};

int main() { sinew::world<sinew::default_config, slide> const w; }
