// expect: this body map does not show its scalar; add `using scalar_type = S;`
#include <sinew/world/world.hpp>

template <class S, int N>
struct slides {
#if defined(SINEW_CONTROL)
    using scalar_type = S;
#endif
    static constexpr std::size_t coordinates = N;
    constexpr auto links(auto const& u) const { return sinew::vec3<std::remove_cvref_t<decltype(u[0])>>{u[0], 0, 0}; }
};
template <class S>
using slide = slides<S, 1>;

int main() { sinew::world<sinew::default_config, slide> const w; }
