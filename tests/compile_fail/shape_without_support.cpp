// expect: this type is not a shape; write `sinew::vec3<S> support
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct pebble {
    S radius;
#if defined(SINEW_CONTROL)
    constexpr sinew::vec3<S> support(sinew::vec3<S> const& d) const { return normalize(d) * radius; }
#endif
};

int main() { sinew::check_shape<pebble<double>, double>(); }
