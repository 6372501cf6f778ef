// expect: cannot be called on a const force with a sinew::particle
#include <sinew/body/force.hpp>

#if defined(SINEW_CONTROL)
struct lift {
    sinew::wrench<double> wrench_on(auto const&, double) const { return {}; }
};
#else
struct lift {
    sinew::wrench<double> wrench_on(sinew::rigid_body<double> const&, double) const { return {}; }
};
#endif

int main() { sinew::check_force<lift, double>(); }
