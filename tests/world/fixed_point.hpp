#pragma once
// What the tests of worlds in fixed point share: the two formats, and numbers that come from doubles at run time.

#include <sinew/math/fixed.hpp>
#include <sinew/sinew.hpp>

#include <concepts>

namespace fixed_point {

using q16 = sinew::fixed<15, 16>;
using q32 = sinew::fixed<31, 32>;

template <class S>
[[nodiscard]] constexpr S number(double x) {
    if constexpr (std::floating_point<S>)
        return static_cast<S>(x);
    else
        return S::from(x);
}
template <class S>
[[nodiscard]] constexpr sinew::vec3<S> numbers(double x, double y, double z) {
    return {number<S>(x), number<S>(y), number<S>(z)};
}
template <class S>
[[nodiscard]] constexpr double real(S const& x) {
    return static_cast<double>(x);
}

template <class S, class Solver = sinew::sequential_impulses, class Integrator = sinew::symplectic_euler>
struct config : sinew::default_config {
    using scalar = S;
    using solver = Solver;
    using integrator = Integrator;
};

/// A metre's rod of 1 kg and a tenth of a metre's width, along x from `from`.
template <class S>
[[nodiscard]] constexpr sinew::rigid_body<S> rod(double from) {
    return rigid_body_of(solid_box(S(1), numbers<S>(1, 0.1, 0.1)), sinew::pose<S>{numbers<S>(from + 0.5, 0, 0), {}});
}

}  // namespace fixed_point
