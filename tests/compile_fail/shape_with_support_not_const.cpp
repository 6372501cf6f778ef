// expect: this shape's `support` cannot be called as support.direction. const
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct pebble {
    S radius;
    constexpr sinew::vec3<S> support(sinew::vec3<S> const& d)
#if defined(SINEW_CONTROL)
        const
#endif
    {
        return normalize(d) * radius;
    }
};

int main() { sinew::check_shape<pebble<double>, double>(); }
