#pragma once
// A user's own shape, by its support alone: as in the head of shape.hpp.

#include <sinew/math/vec.hpp>

namespace sinew_test {

template <class S>
struct ellipsoid {
    using scalar_type = S;
    sinew::vec3<S> semi_axes{};  // m
    [[nodiscard]] constexpr sinew::vec3<S> support(sinew::vec3<S> const& d) const {
        sinew::vec3<S> const u = normalize(sinew::vec3<S>{semi_axes[0] * d[0], semi_axes[1] * d[1], semi_axes[2] * d[2]});
        return {semi_axes[0] * u[0], semi_axes[1] * u[1], semi_axes[2] * u[2]};
    }
};

}  // namespace sinew_test
