// expect: this config's `solver` has a strategy without `level`, or whose `solve`
#include <sinew/sinew.hpp>

struct half_solver {
    template <class Env>
    struct strategy {
        template <class C>
        static constexpr bool supports = true;
        static constexpr sinew::solver_level level = sinew::solver_level::position;
#if defined(SINEW_CONTROL)
        template <class P>
        constexpr sinew::solve_report<float> solve(P const&, float const&) {
            return {};
        }
#endif
    };
};
struct config : sinew::default_config {
    using solver = half_solver;
};

sinew::world<config, sinew::ball_joint> w;
