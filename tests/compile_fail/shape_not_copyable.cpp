// expect: a shape must be a copyable value
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct pebble {
    S radius;
    pebble(S r) : radius(r) {}
#if !defined(SINEW_CONTROL)
    pebble(pebble const&) = delete;
#endif
    constexpr sinew::vec3<S> support(sinew::vec3<S> const& d) const { return normalize(d) * radius; }
};

int main() { sinew::check_shape<pebble<double>, double>(); }
