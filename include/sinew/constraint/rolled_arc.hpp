#pragma once
// By how much the arc that a round surface has rolled off is longer than its chord.
//
//   rho     radius of length r, world, m; it pointed along o, out of the surface, and has turned by theta
//   x       = rho - o c,  c = o . rho = r cos(theta):  the chord, across o;  |x| = r sin(theta)
//
//   hidden = x (theta / sin(theta) - 1) = x f(k),   k = tan^2(theta / 2) = (r - c) / (r + c),   f(k) = (1 + k) atan(sqrt(k)) / sqrt(k) - 1
//
// f = 2 k / 3 - 2 k^2 / 15 + 2 k^3 / 35 - ... (-1)^(n+1) 2 k^n / (4 n^2 - 1), to n = 6: of half a radian 1e-10 is left out, of one 1e-5. Beyond a right angle there is none:
// what turns so far in a step rolls as its chord says.
//
// With the turn w, rho_dot = w x rho:
//
//   hidden_dot = x_dot f + x f' k_dot,   x_dot = w x rho - o c_dot,   c_dot = o . (w x rho),   k_dot = -2 r c_dot / (r + c)^2

#include <sinew/constraint/anchor.hpp>

namespace sinew::inline v0::detail {

/// T: scalar of the pose. `out`: o.
template <class T, class V>
struct rolled_arc {
    vec3<T> radius{};  // rho
    V out{};
    T size{}, along{};  // r, c
    T k{}, f{}, slope{}, bend{};  // tan^2(theta / 2); f, f', f''

    /// m, across o.
    [[nodiscard]] constexpr vec3<T> hidden() const noexcept { return (radius - out * along) * f; }
    /// How it changes along d, which is across o, with a small turn, m.
    [[nodiscard]] constexpr vec3<T> hidden_turn(vec3<T> const& d) const noexcept { return cross(radius, d) * f + cross(radius, out) * (dot(d, radius) * slope * k_of_along()); }
    /// m/s, where the body turns by w; its part along o has no meaning.
    [[nodiscard]] constexpr vec3<T> hidden_rate(vec3<T> const& w) const noexcept {
        vec3<T> const radius_dot = cross(w, radius);
        T const along_dot = dot(out, radius_dot);
        return radius_dot * f + (radius - out * along) * (slope * k_of_along() * along_dot);
    }
    /// m/s^2, at a constant w.
    [[nodiscard]] constexpr vec3<T> hidden_acceleration(vec3<T> const& w) const noexcept {
        vec3<T> const radius_dot = cross(w, radius), radius_ddot = cross(w, radius_dot);
        T const along_dot = dot(out, radius_dot), along_ddot = dot(out, radius_ddot);
        T const k_dot = k_of_along() * along_dot, k_ddot = k_of_along() * (along_ddot - along_dot * along_dot * T(2) / sum());
        return radius_ddot * f + radius_dot * (T(2) * slope * k_dot) + (radius - out * along) * (bend * k_dot * k_dot + slope * k_ddot);
    }

private:
    [[nodiscard]] constexpr T sum() const noexcept { return select(along > T(0), size + along, T(1)); }
    [[nodiscard]] constexpr T k_of_along() const noexcept { return T(-2) * size / (sum() * sum()); }
};

/// radius: rho; `local`: the same in the frame of its body, for its length.
template <class S, class W>
[[nodiscard]] constexpr auto rolled_arc_of(W const& radius, vec3<S> const& local, vec3<S> const& out) noexcept {
    using T = std::remove_cvref_t<decltype(radius[0] * S(1))>;
    rolled_arc<T, vec3<S>> a;
    a.radius = radius;
    a.out = out;
    a.along = dot(out, radius);
    S const size2 = squared_norm(local);
    a.size = T(select(size2 > S(0), sqrt(select(size2 > S(0), size2, S(1))), S(0)));  // the root of 0 has no derivative
    auto const is_arc = a.along > T(0);
    a.k = select(is_arc, (a.size - a.along) / select(is_arc, a.size + a.along, T(1)), T(0));
    T power = select(is_arc, T(1), T(0));  // k^(n - 1)
    T below(0);                            // k^(n - 2)
    for (int n = 1; n <= 6; ++n) {
        using N = value_type_t<S>;
        T const factor(N(n % 2 == 1 ? 2 : -2) / N(4 * n * n - 1));
        a.bend = a.bend + factor * below * T(N(n * (n - 1)));
        a.slope = a.slope + factor * power * T(N(n));
        below = power;
        power = power * a.k;
        a.f = a.f + factor * power;
    }
    return a;
}

}  // namespace sinew::inline v0::detail
