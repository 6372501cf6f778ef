// expect: this shape's `support` cannot be called
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct my_shape {
#ifdef SINEW_CONTROL
    constexpr sinew::vec3<S> support(sinew::vec3<S> const& d) const { return normalize(d); }
#else
    constexpr sinew::vec3<S> support(sinew::vec3<S> const& d) { return normalize(d); }
#endif
};

int main() {
    sinew::world<sinew::default_config, my_shape> w;
    w.add(my_shape<float>{}, w.ground());
}
