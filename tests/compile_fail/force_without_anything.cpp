// expect: has neither `wrench_on.body, t.`
#include <sinew/body/force.hpp>

struct lift {
#if defined(SINEW_CONTROL)
    sinew::wrench<double> wrench_on(auto const&, double) const { return {}; }
#endif
};

int main() { sinew::check_force<lift, double>(); }
