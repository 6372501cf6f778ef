#pragma once
// Maps of generalized bodies that several tests use.

#include <sinew/sinew.hpp>

#include <array>
#include <tuple>

namespace maps {

using sinew::cos;
using sinew::sin;
using sinew::vec3;

template <class U>
using scalar_of = typename std::remove_cvref_t<U>::scalar_type;

template <class T>
[[nodiscard]] constexpr sinew::quaternion<T> about_z(T const& angle) {
    T const half = angle / T(2);
    return {cos(half), T(0), T(0), sin(half)};
}
template <class T>
[[nodiscard]] constexpr sinew::quaternion<T> about_x(T const& angle) {
    T const half = angle / T(2);
    return {cos(half), sin(half), T(0), T(0)};
}

// N bars in the plane z = 0, hinged at their ends, from the origin on. Coordinates: the angle of each from x, rad.
template <class S, std::size_t N>
struct bars {
    using scalar_type = S;
    static constexpr std::size_t coordinates = N;
    vec3<S> root{S(0), S(0), S(0)};  // m
    S length{1};                     // m
    constexpr auto links(auto const& u) const {
        using T = scalar_of<decltype(u)>;
        std::array<sinew::pose<T>, N> q;
        vec3<T> end{T(root.x()), T(root.y()), T(root.z())};
        for (std::size_t i = 0; i < N; ++i) {
            auto const half = vec3<T>{cos(u[i]), sin(u[i]), T(0)} * (length / S(2));
            q[i] = {end + half, about_z(u[i])};
            end = end + half + half;
        }
        return q;
    }
    friend constexpr bool operator==(bars const&, bars const&) = default;
};
template <class S>
using one_bar = bars<S, 1>;
template <class S>
using two_bars = bars<S, 2>;
template <class S>
using three_bars = bars<S, 3>;

// The same joints with the angle of each bar from the one before.
template <sinew::scalar S>
struct arm {
    static constexpr std::size_t coordinates = 3;
    S length{1};  // m
    constexpr auto links(auto const& u) const {
        using T = scalar_of<decltype(u)>;
        return three_bars<S>{.length = length}.links(sinew::vec<T, 3>{u[0], u[0] + u[1], u[0] + u[1] + u[2]});
    }
    friend constexpr bool operator==(arm const&, arm const&) = default;
};

// Out of the plane: a shoulder that turns about z and then x, an elbow about x, and a point at the tip of the forearm.
template <sinew::scalar S>
struct spatial_arm {
    static constexpr std::size_t coordinates = 3;
    S upper{1}, lower{S(0.8L)};  // m, along y
    constexpr auto links(auto const& u) const {
        using T = scalar_of<decltype(u)>;
        auto const shoulder = about_z(u[0]) * about_x(u[1]);
        auto const elbow = shoulder * about_x(u[2]);
        auto const along = [](auto const& r, S const& y) { return rotate(r, vec3<T>{T(0), T(y), T(0)}); };
        auto const joint = along(shoulder, upper);
        return std::tuple{sinew::pose<T>{along(shoulder, upper / S(2)), shoulder}, sinew::pose<T>{joint + along(elbow, lower / S(2)), elbow},
                          vec3<T>(joint + along(elbow, lower))};
    }
    friend constexpr bool operator==(spatial_arm const&, spatial_arm const&) = default;
};

// The same turn of a lever, stored as R.
template <class S, template <class> class R>
struct lever {
    using scalar_type = S;
    static constexpr std::size_t coordinates = 2;
    constexpr auto links(auto const& u) const {
        using T = scalar_of<decltype(u)>;
        auto const turn = sinew::rotation_cast<R<T>>(about_z(u[0]) * about_x(u[1]));
        return sinew::pose<T, R<T>>{rotate(turn, vec3<T>{T(1), T(2), T(3)}), turn};
    }
};
template <class S>
using quaternion_lever = lever<S, sinew::quaternion>;
template <class S>
using matrix_lever = lever<S, sinew::rotation_matrix>;
template <class S>
using vector_lever = lever<S, sinew::rotation_vector>;

// Two points on massless rods of 1 m, from the origin; angles from straight down.
template <sinew::scalar S>
struct two_points {
    static constexpr std::size_t coordinates = 2;
    constexpr auto links(auto const& u) const {
        using T = scalar_of<decltype(u)>;
        vec3<T> const a{sin(u[0]), -cos(u[0]), T(0)};
        return std::array<vec3<T>, 2>{a, vec3<T>(a + vec3<T>{sin(u[1]), -cos(u[1]), T(0)})};
    }
    friend constexpr bool operator==(two_points const&, two_points const&) = default;
};

// A point in polar coordinates (r, phi) of the plane z = 0, and on a sphere of 1 m by (colatitude from -y, longitude).
template <sinew::scalar S>
struct polar_point {
    static constexpr std::size_t coordinates = 2;
    constexpr auto links(auto const& u) const {
        using T = scalar_of<decltype(u)>;
        return vec3<T>{u[0] * cos(u[1]), u[0] * sin(u[1]), T(0)};
    }
    friend constexpr bool operator==(polar_point const&, polar_point const&) = default;
};
template <sinew::scalar S>
struct spherical_point {
    static constexpr std::size_t coordinates = 2;
    constexpr auto links(auto const& u) const {
        using T = scalar_of<decltype(u)>;
        return vec3<T>{sin(u[0]) * cos(u[1]), -cos(u[0]), sin(u[0]) * sin(u[1])};
    }
    friend constexpr bool operator==(spherical_point const&, spherical_point const&) = default;
};

// A bead on the ellipse x = a cos u, y = b sin u.
template <sinew::scalar S>
struct ellipse_bead {
    static constexpr std::size_t coordinates = 1;
    S a{2}, b{1};  // m
    constexpr auto links(auto const& u) const {
        using T = scalar_of<decltype(u)>;
        return vec3<T>{a * cos(u[0]), b * sin(u[0]), T(0)};
    }
    friend constexpr bool operator==(ellipse_bead const&, ellipse_bead const&) = default;
};

}  // namespace maps
