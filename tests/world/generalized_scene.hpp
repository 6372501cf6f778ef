#pragma once
// What the tests of generalized bodies in worlds share: configs, and bodies of bars.

#include <body/body_maps.hpp>

#include <cmath>

namespace generalized_scene {

using sinew::vec;
using sinew::vec3;

template <class Integrator, sinew::motion_form Form = sinew::motion_form::momentum, class S = double>
struct direct : sinew::default_config {
    using scalar = S;
    using integrator = Integrator;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
    static constexpr sinew::motion_form form = Form;
};
template <class Integrator, class S = double>
struct iterative : sinew::default_config {
    using scalar = S;
    using integrator = Integrator;
    using solver = sinew::nonlinear_gauss_seidel;
};
using symplectic = direct<sinew::symplectic_euler>;
using rk4 = direct<sinew::rk4>;

// A bar of 1 kg, 1 x 0.1 x 0.1 m.
template <class S>
sinew::link_mass<S> bar() {
    return sinew::link_mass<S>::of(sinew::solid_box(S(1), vec3<S>{S(1), S(0.1L), S(0.1L)}));
}
template <class Map>
sinew::generalized_body<Map> body_of_bars(Map const& map, vec<typename sinew::generalized_body<Map>::S, Map::coordinates> const& u,
                                          vec<typename sinew::generalized_body<Map>::S, Map::coordinates> const& rates = {}) {
    sinew::generalized_body<Map> b;
    b.map = map;
    b.masses.fill(bar<typename sinew::generalized_body<Map>::S>());
    b.u = u;
    b.rates = rates;
    return b;
}
double angle_of(auto const& pose) {
    auto const d = pose.direction(vec3<double>{1, 0, 0});
    return std::atan2(d.y(), d.x());
}

}  // namespace generalized_scene
