// expect: cannot be called on a const force with a sinew::rigid_body
#include <sinew/body/force.hpp>

struct lift {
#if defined(SINEW_CONTROL)
    sinew::wrench<double> wrench_on(auto const&, double) const { return {}; }
#else
    sinew::wrench<double> wrench_on(auto const&, double) { return {}; }
#endif
};

int main() { sinew::check_force<lift, double>(); }
