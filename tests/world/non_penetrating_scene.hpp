#pragma once
// What tests of motion that never penetrates have in common: the world, its shapes and its surfaces.
#include <sinew/sinew.hpp>

namespace sinew_test {

struct config : sinew::default_config {
    using scalar = double;
};
using vec = sinew::vec3<double>;
using ball = sinew::sphere<double>;
using box = sinew::box<double>;
using material = sinew::material<double>;
template <template <class> class... Shapes>
using moving_world = sinew::world<config, sinew::half_space, sinew::box, Shapes...>;

constexpr double g = 9.81, quarter = 1.5707963267948966;  // m/s^2, rad

/// A surface that gives back e of the speed of every hit, however slow.
inline material bouncy(double e, double friction = 0) {
    material m = material::of(friction, e);
    m.restitution_threshold = 0;
    return m;
}

}  // namespace sinew_test
