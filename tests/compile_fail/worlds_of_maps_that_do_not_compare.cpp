// expect: only if every constraint, force and map in the list can
// Worlds with a map that has no ==.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct slide {
    static constexpr std::size_t coordinates = 1;
    S height{};
    constexpr auto links(auto const& u) const {
        using T = typename std::remove_cvref_t<decltype(u)>::scalar_type;
        return sinew::pose<T>{sinew::vec3<T>{u[0], T(height), T(0)}};
    }
#if defined(SINEW_CONTROL)
    friend constexpr bool operator==(slide const&, slide const&) = default;
#endif
};

int main() {
    sinew::world<sinew::default_config, slide> a, b;
    return a == b;
}
