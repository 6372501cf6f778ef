// expect: no `wrenches\(bodies..., t\)` const that can be called with one body per attachment
#include <sinew/body/force.hpp>

template <sinew::scalar S>
struct slide {
    static constexpr std::size_t coordinates = 2;
    constexpr auto links(auto const& u) const { return sinew::vec3<std::remove_cvref_t<decltype(u[0])>>{u[0], u[1], 0}; }
};
struct push {
    using attachments = sinew::binds<sinew::generalized<slide<double>>>;
#if defined(SINEW_CONTROL)
    constexpr auto wrenches(auto const&, double) const { return std::array{sinew::vec<double, 2>{1, 2}}; }
#else
    constexpr auto wrenches(auto const&, double) const { return std::array{sinew::wrench<double>{}}; }
#endif
};

int main() { sinew::check_force<push, double>(); }
