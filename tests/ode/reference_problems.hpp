#pragma once
// Problems with known solutions, for the tests of ode/.

#include <sinew/ode/problem.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace reference {

/// x'' = -100 x as (x, v).
template <class S>
struct oscillator {
    constexpr std::array<S, 2> operator()(S const&, std::array<S, 2> const& y) const { return {y[1], S(-100) * y[0]}; }
};

/// Kepler's problem as (x, y, vx, vy), from the perihelion of an ellipse with semi-axis 1 and eccentricity 1/2.
struct kepler {
    static constexpr double e = 0.5;
    constexpr std::array<double, 4> operator()(double, std::array<double, 4> const& y) const {
        double const r2 = y[0] * y[0] + y[1] * y[1];
        double const r3 = r2 * std::sqrt(r2);
        return {y[2], y[3], -y[0] / r3, -y[1] / r3};
    }
    static std::array<double, 4> start() { return {1 - e, 0, 0, std::sqrt((1 + e) / (1 - e))}; }
    /// The time and state at an eccentric anomaly: t = E - e sin E.
    static double time_at(double anomaly) { return anomaly - e * std::sin(anomaly); }
    static std::array<double, 4> at(double anomaly) {
        double const b = std::sqrt(1 - e * e), rate = 1 / (1 - e * std::cos(anomaly));
        return {std::cos(anomaly) - e, b * std::sin(anomaly), -std::sin(anomaly) * rate, b * std::cos(anomaly) * rate};
    }
};

/// A free body with inertia (1, 2, 3) as (omega, q): spin in body axes, q = (w, x, y, z) body to world.
template <class S>
struct free_body {
    using state = std::array<S, 7>;
    constexpr state operator()(S const&, state const& y) const {
        S const a = y[0], b = y[1], c = y[2], w = y[3], x = y[4], v = y[5], z = y[6];
        return {-b * c, c * a, -a * b / 3, (-x * a - v * b - z * c) / 2, (w * a + v * c - z * b) / 2, (w * b + z * a - x * c) / 2, (w * c + x * b - v * a) / 2};
    }
    static constexpr state start() { return {S(0.01L), 10, S(0.01L), 1, 0, 0, 0}; }
    static S energy(state const& y) { return (y[0] * y[0] + 2 * y[1] * y[1] + 3 * y[2] * y[2]) / 2; }
    static S momentum(state const& y) { return std::sqrt(y[0] * y[0] + 4 * y[1] * y[1] + 9 * y[2] * y[2]); }
    /// Angular momentum in the world: R (I omega).
    static std::array<S, 3> world_momentum(state const& y) {
        S const l[3] = {y[0], 2 * y[1], 3 * y[2]}, w = y[3], x = y[4], v = y[5], z = y[6];
        return {(w * w + x * x - v * v - z * z) * l[0] + 2 * (x * v - w * z) * l[1] + 2 * (x * z + w * v) * l[2],
                2 * (x * v + w * z) * l[0] + (w * w - x * x + v * v - z * z) * l[1] + 2 * (v * z - w * x) * l[2],
                2 * (x * z - w * v) * l[0] + 2 * (v * z + w * x) * l[1] + (w * w - x * x - v * v + z * z) * l[2]};
    }
};
/// Computed in 128-bit floats by extrapolation of order 16; 15 digits.
struct free_body_row {
    double t;
    std::array<double, 7> y;
};
inline constexpr free_body_row free_body_table[] = {
    {1, {-1.17326383719773, 9.93093912821562, 0.677433399352767, 0.2831520338891, 0.0137111148475206, -0.957225806168767, -0.0579282922125169}},
    {5, {0.253640862814745, 9.996787799724, 0.146667068888928, 0.380979709192104, -0.00999999210217757, -0.924489842150399, -0.00854360009521411}},
    {10, {4.46960797706577, 8.94554104184593, 2.58054228594495, -0.690809345725046, 0.0595451952292125, -0.685558209499533, -0.221916107959392}},
};

template <class A, class B, std::size_t N>
double distance(std::array<A, N> const& a, std::array<B, N> const& b) {
    double d = 0;
    for (std::size_t i = 0; i < N; ++i) d = std::fmax(d, std::fabs(static_cast<double>(a[i] - b[i])));
    return d;
}

/// Slope of the line that fits (log x, log y) best.
inline double fitted_slope(std::span<double const> x, std::span<double const> y) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        double const a = std::log(x[i]), b = std::log(y[i]);
        n += 1;
        sx += a;
        sy += b;
        sxx += a * a;
        sxy += a * b;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace reference
