// expect: the constraint is soft at velocity level
// A strategy of the user's that knows no soft rows of velocity level says so.
#include <sinew/sinew.hpp>

struct gives_up {
    template <class Env>
    struct strategy {
        using S = typename Env::scalar;
        static constexpr sinew::solver_level level = sinew::solver_level::position;
#if defined(SINEW_CONTROL)
        static constexpr sinew::solver_abilities abilities{};
#else
        static constexpr sinew::solver_abilities abilities{.soft_rates = false};
#endif
        constexpr sinew::solve_report<S> solve(auto const&, S const&) { return {}; }
    };
};
struct config : sinew::default_config {
    using solver = gives_up;
};

template <class S>
using soft_blade = sinew::soft_joint<S, sinew::knife_edge>;
sinew::world<config, soft_blade> w;
