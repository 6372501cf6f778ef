// expect: does not say which bodies it acts between
#include <sinew/body/force.hpp>

struct pull {
#if defined(SINEW_CONTROL)
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;
#endif
    std::array<sinew::wrench<double>, 2> wrenches(auto const&, auto const&, double) const { return {}; }
};

int main() { sinew::check_force<pull, double>(); }
