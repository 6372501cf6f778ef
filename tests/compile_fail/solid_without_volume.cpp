// expect: this shape has no volume, so that it cannot be a solid body
#include <sinew/sinew.hpp>

int main() {
    sinew::world<sinew::default_config, sinew::half_space, sinew::box> w;
#if defined(SINEW_CONTROL)
    (void)w.add_solid(sinew::box<float>{{1, 1, 1}}, 1.0f);
#else
    (void)w.add_solid(sinew::half_space<float>{}, 1.0f);
#endif
}
