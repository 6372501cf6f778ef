#pragma once
// A shape of three sizes, whatever it is.

#include <sinew/sinew.hpp>

#include <geometry/ellipsoid.hpp>

#include <type_traits>

namespace sinew_test {

template <class Shape, class S>
Shape shape_of(S const& a, S const& b, S const& c) {
    using namespace sinew;
    if constexpr (std::is_same_v<Shape, box<S>> || std::is_same_v<Shape, ellipsoid<S>>)
        return {{a, b, c}};
    else if constexpr (std::is_same_v<Shape, rounded_cylinder<S>>)
        return {{a, b}, c * (S(1) / S(5))};
    else if constexpr (std::is_same_v<Shape, sphere<S>>)
        return {a};
    else
        return {a, b};
}

}  // namespace sinew_test
