// expect: this_constant_does_not_fit_the_fixed_point_type
#include <sinew/math/fixed.hpp>

#ifdef SINEW_CONTROL
constexpr double stiffness = 2e4;
#else
constexpr double stiffness = 2e5;
#endif

int main() {
    sinew::fixed<15, 16> const k = stiffness;
    return k > 0 ? 0 : 1;
}
