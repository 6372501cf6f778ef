// expect: a constraint is checked against differences, over float, double or long double
#include <sinew/sinew.hpp>

#if defined(SINEW_CONTROL)
using number = double;
#else
using number = sinew::fixed<31, 32>;
#endif

int main() {
    sinew::splitmix64 random{1};
    (void)sinew::check_conformance<sinew::quaternion<number>>(sinew::point_to_point<number>{}, random, 10);
}
