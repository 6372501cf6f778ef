// expect: this shape's `margin` cannot be called as margin.. const.*would be ignored
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct pebble {
#if defined(SINEW_CONTROL)
    S radius;
    constexpr S margin() const { return radius; }
#else
    S margin;
#endif
    constexpr sinew::vec3<S> support(sinew::vec3<S> const&) const { return {0, 0, 0}; }
};

int main() { sinew::check_shape<pebble<double>, double>(); }
