// expect: with a sinew::vec3 of the world's scalar, or does not return one
#include <sinew/sinew.hpp>

#if defined(SINEW_CONTROL)
using number = double;
#else
using number = float;
#endif

int main() { sinew::check_shape<sinew::box<number>, double>(); }
