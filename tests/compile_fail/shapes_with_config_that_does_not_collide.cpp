// expect: its config does not say how they collide
#include <sinew/sinew.hpp>

#ifdef SINEW_CONTROL
struct config : sinew::default_config {};
#else
struct config {
    using scalar = float;
    template <class S>
    using rotation = sinew::quaternion<S>;
    using integrator = sinew::symplectic_euler;
    using solver = sinew::sequential_impulses;
    using storage = sinew::dynamic_storage;
    using errors = sinew::null_errors;
    static constexpr sinew::motion_form form = sinew::motion_form::momentum;
};
#endif

int main() {
    sinew::world<config, sinew::sphere> w;
    w.step(0.1f);
}
