// expect: a link does not suit the attachment that it stands for
#include <sinew/constraint/on_link.hpp>
#include <sinew/constraint/point_to_point.hpp>

template <sinew::scalar S>
struct slide {
    static constexpr std::size_t coordinates = 1;
    constexpr auto links(auto const& u) const { return sinew::vec3<std::remove_cvref_t<decltype(u[0])>>{u[0], 0, 0}; }
};

#if defined(SINEW_CONTROL)
sinew::on_link<double, sinew::particle_pin, sinew::link_of<slide>> const c{};
#else
sinew::on_link<double, sinew::ball_joint, sinew::link_of<slide>> const c{};
#endif

int main() {}
