// expect: lists body maps, but its static_storage has room for none
#include <sinew/world/world.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using storage = sinew::static_storage<sinew::capacities{.bodies = 2, .generalized = 1}>;
#else
    using storage = sinew::static_storage<sinew::capacities{.bodies = 2}>;
#endif
};
template <sinew::scalar S>
struct slide {
    static constexpr std::size_t coordinates = 1;
    constexpr auto links(auto const& u) const { return sinew::vec3<std::remove_cvref_t<decltype(u[0])>>{u[0], 0, 0}; }
};

int main() { sinew::world<config, slide> const w; }
