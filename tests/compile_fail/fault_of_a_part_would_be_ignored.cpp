// expect: the `fault` of this part of a constraint or force cannot be called as fault.. const
// A curve whose fault() forgets its const.
#include <sinew/constraint/point_on_curve.hpp>
#include <sinew/sinew.hpp>

struct circle {
    float radius = 1;
    constexpr auto operator()(auto const& x, auto const& y) const { return x * x + y * y - radius * radius; }
#if defined(SINEW_CONTROL)
    constexpr sinew::input_fault fault() const { return {}; }
#else
    constexpr sinew::input_fault fault() { return {}; }
#endif
    constexpr bool operator==(circle const&) const = default;
};
template <class S>
using bead = sinew::particle_on_curve<S, sinew::planar_curve<S, circle>>;

int main() {
    sinew::world<sinew::default_config, bead> w;
    (void)bead<float>{}.fault();
}
