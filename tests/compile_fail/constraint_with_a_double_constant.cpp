// expect: sinew: this constraint's error .or rate. returns other numbers than the world's
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct half_way {
    static constexpr std::size_t rows = 1;
    constexpr auto error(auto const& a, auto const& b) const {
#if defined(SINEW_CONTROL)
        return S(0.5f) * b.position.x() - a.position.x();
#else
        return 0.5 * b.position.x() - a.position.x();
#endif
    }
};

int main() {
    sinew::world<sinew::default_config, half_way> world;
    auto const ball = world.add(rigid_body_of(sinew::solid_sphere(1.0f, 1.0f), sinew::pose<float>{}));
    world.add(half_way<float>{}, world.ground(), ball);
}
