// expect: this config's `broad_phase` finds no pairs
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#ifdef SINEW_CONTROL
    using broad_phase = sinew::sweep_and_prune;
#else
    using broad_phase = sinew::euler;
#endif
};

int main() {
    sinew::world<config, sinew::sphere> w;
    w.step(0.1f);
}
