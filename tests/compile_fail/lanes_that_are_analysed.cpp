// expect: a world whose scalar has lanes is not analysed
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using scalar = float;
#else
    using scalar = sinew::batch<float, 8>;
#endif
};

int main() {
    sinew::world<config, sinew::ball_joint> const w;
    (void)sinew::analyse(w);
}
