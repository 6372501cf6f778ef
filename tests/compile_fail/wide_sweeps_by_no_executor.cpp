// expect: sinew: an executor has for_each
#include <sinew/sinew.hpp>

struct team {
#if defined(SINEW_CONTROL)
    template <class F>
    void for_each(std::size_t count, F const& f) {
        for (std::size_t i = 0; i < count; ++i) f(i);
    }
#else
    void for_each(std::size_t) {}
#endif
};
struct config : sinew::default_config {
    using solver = sinew::wide_sequential_impulses<4, team>;
};

int main() {
    sinew::world<config, sinew::ball_joint> world;
    (void)world.step(0.01f);
}
