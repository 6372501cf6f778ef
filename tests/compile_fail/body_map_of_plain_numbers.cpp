// expect: this body map's `links\(u\)` can be called with plain numbers only
#include <sinew/world/world.hpp>

template <sinew::scalar S>
struct slide {
    static constexpr std::size_t coordinates = 1;
#if defined(SINEW_CONTROL)
    constexpr auto links(auto const& u) const { return sinew::vec3<std::remove_cvref_t<decltype(u[0])>>{u[0], 0, 0}; }
#else
    constexpr auto links(sinew::vec<S, 1> const& u) const { return sinew::vec3<S>{u[0], 0, 0}; }
#endif
};

int main() { sinew::world<sinew::default_config, slide> const w; }
