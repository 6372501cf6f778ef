// expect: this solver cannot honour the world's body maps
#include <sinew/world/world.hpp>

struct rigid_only {
    template <class Env>
    struct strategy {
        static constexpr sinew::solver_level level = sinew::solver_level::velocity;
        static constexpr sinew::solver_abilities abilities{.generalized_bodies = false};
        constexpr sinew::solve_report<typename Env::scalar> solve(auto const&, typename Env::scalar) { return {}; }
    };
};
struct config : sinew::default_config {
#if !defined(SINEW_CONTROL)
    using solver = rigid_only;
#endif
};
template <sinew::scalar S>
struct slide {
    static constexpr std::size_t coordinates = 1;
    constexpr auto links(auto const& u) const { return sinew::vec3<std::remove_cvref_t<decltype(u[0])>>{u[0], 0, 0}; }
};

int main() { sinew::world<config, slide> const w; }
