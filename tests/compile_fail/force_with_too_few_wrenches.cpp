// expect: one wrench per attachment
#include <sinew/body/force.hpp>

#if defined(SINEW_CONTROL)
constexpr std::size_t count = 2;
#else
constexpr std::size_t count = 1;
#endif

struct pull {
    using attachments = sinew::binds<sinew::rigid, sinew::point_mass>;
    std::array<sinew::wrench<double>, count> wrenches(auto const&, auto const&, double) const { return {}; }
};

int main() { sinew::check_force<pull, double>(); }
