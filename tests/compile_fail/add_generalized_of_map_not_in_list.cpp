// expect: this body's map is not in the world's list
#include <sinew/world/world.hpp>

template <sinew::scalar S>
struct slide {
    static constexpr std::size_t coordinates = 1;
    constexpr auto links(auto const& u) const { return sinew::vec3<std::remove_cvref_t<decltype(u[0])>>{u[0], 0, 0}; }
};

int main() {
#if defined(SINEW_CONTROL)
    sinew::world<sinew::default_config, slide> w;
#else
    sinew::world<sinew::default_config> w;
#endif
    w.add(sinew::generalized_body<slide<float>>{});
}
