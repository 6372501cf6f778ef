// expect: this shape is not in the world's list
#include <sinew/sinew.hpp>

int main() {
#ifdef SINEW_CONTROL
    sinew::world<sinew::default_config, sinew::sphere, sinew::box> w;
#else
    sinew::world<sinew::default_config, sinew::sphere> w;
#endif
    w.add_solid(sinew::box<float>{{1, 1, 1}}, 1000.0f);
}
