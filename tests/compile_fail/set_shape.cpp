// expect: a collider keeps its shape: remove it and add another
#include <sinew/sinew.hpp>

int main() {
    sinew::world<sinew::default_config, sinew::sphere> w;
    auto const ball = w.add(sinew::sphere<float>{1}, w.ground());
#if defined(SINEW_CONTROL)
    (void)w.remove(ball);
#else
    (void)w.set(ball, sinew::sphere<float>{2});
#endif
}
