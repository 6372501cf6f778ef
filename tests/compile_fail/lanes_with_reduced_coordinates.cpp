// expect: a world whose scalar has lanes holds no bodies in reduced coordinates
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct pendulum {
    static constexpr std::size_t coordinates = 1;
    S length{1};
    constexpr auto links(auto const& u) const {
        using T = typename std::remove_cvref_t<decltype(u)>::scalar_type;
        auto const turn = sinew::rotation_about<sinew::quaternion<T>>({T(0), T(0), T(1)}, u[0]);
        return sinew::pose<T>{rotate(turn, sinew::vec3<T>{T(0), T(-length / 2), T(0)}), turn};
    }
};

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using scalar = float;
#else
    using scalar = sinew::batch<float, 8>;
#endif
};

int main() {
    sinew::world<config, pendulum> w;
    (void)w.step(1.0f);
}
