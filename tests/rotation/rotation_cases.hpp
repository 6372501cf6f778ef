#pragma once
// Where the rotation laws are tried, and independent references in long double.

#include <sinew/math/dual.hpp>
#include <sinew/rotation/pose.hpp>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace rotation_cases {

using sinew::mat3;
using sinew::vec3;
using real = long double;

/// A rotation vector, and what it is called in a failure.
template <class S>
struct place {
    std::string name;
    vec3<S> theta;
};

template <class S>
vec3<S> random_direction(std::mt19937& random) {
    std::normal_distribution<double> normal;
    vec3<real> v{normal(random), normal(random), normal(random)};
    real const n = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return {static_cast<S>(v[0] / n), static_cast<S>(v[1] / n), static_cast<S>(v[2] / n)};
}

/// At the identity, near it, at random, near pi and at pi.
template <class S>
std::vector<place<S>> places(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> angle(0.01, 3.13);
    std::vector<place<S>> all;
    all.push_back({"identity", {S(0), S(0), S(0)}});
    auto const add = [&](std::string const& name, S const& t, vec3<S> const& n) { all.push_back({name + ", seed " + std::to_string(seed), n * t}); };
    vec3<S> const x{S(1), S(0), S(0)}, y{S(0), S(1), S(0)}, z{S(0), S(0), S(1)};
    // The square of the smallest must still be a normal number.
    for (S const t : {sizeof(S) == 4 ? S(1e-15L) : S(1e-20L), S(1e-8L), S(1e-4L), S(0.03L), S(0.5L), S(0.999L), S(1.001L), S(1.999L), S(2.001L)})
        for (int i = 0; i < 2; ++i) add("angle " + std::to_string(static_cast<double>(t)), t, random_direction<S>(random));
    for (int i = 0; i < 20; ++i) add("random " + std::to_string(i), static_cast<S>(angle(random)), random_direction<S>(random));
    for (S const t : {sinew::pi_v<S> - S(1e-3L), sinew::pi_v<S> - S(1e-6L), sinew::pi_v<S>}) {
        std::string const name = t == sinew::pi_v<S> ? "pi" : "near pi";
        add(name + " about x", t, x);
        add(name + " about -y", t, -y);
        add(name + " about z", t, z);
        for (int i = 0; i < 4; ++i) add(name + " " + std::to_string(i), t, random_direction<S>(random));
    }
    return all;
}

template <class S>
vec3<real> widened(vec3<S> const& v) {
    return sinew::cast<real>(v);
}
template <class S>
mat3<real> widened(mat3<S> const& m) {
    mat3<real> r{};
    for (std::size_t i = 0; i < 9; ++i) r.e[i] = static_cast<real>(m.e[i]);
    return r;
}

/// A polynomial in [theta]x: 1 + a [theta]x + b [theta]x^2.
inline mat3<real> in_skew(vec3<real> const& v, real a, real b) {
    mat3<real> const k{0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0};
    return sinew::identity<real, 3>() + a * k + b * (k * k);
}
inline real length(vec3<real> const& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/// exp([theta]x) by Rodrigues' formula.
inline mat3<real> reference_exp(vec3<real> const& theta) {
    real const t = length(theta);
    if (t == 0) return sinew::identity<real, 3>();
    real const s = std::sin(t / 2);
    return in_skew(theta, std::sin(t) / t, 2 * s * s / (t * t));
}

/// sum_k [theta]x^k / (k + 1)!, the definition of the left Jacobian.
inline mat3<real> reference_left_jacobian(vec3<real> const& theta) {
    mat3<real> const k{0, -theta[2], theta[1], theta[2], 0, -theta[0], -theta[1], theta[0], 0};
    mat3<real> term = sinew::identity<real, 3>(), sum = term;
    for (int i = 1; i < 60; ++i) {
        term = (term * k) * (1.0L / (i + 1));
        sum = sum + term;
    }
    return sum;
}

/// Largest difference of two matrices.
template <class A, class B, std::size_t R, std::size_t C>
real difference(sinew::mat<A, R, C> const& a, sinew::mat<B, R, C> const& b) {
    real d = 0;
    for (std::size_t i = 0; i < R * C; ++i) {
        real const e = std::abs(static_cast<real>(a.e[i]) - static_cast<real>(b.e[i]));
        if (!(e <= d)) d = e;  // a NaN stays
    }
    return d;
}
template <class A, class B, std::size_t N>
real difference(sinew::vec<A, N> const& a, sinew::vec<B, N> const& b) {
    real d = 0;
    for (std::size_t i = 0; i < N; ++i) {
        real const e = std::abs(static_cast<real>(a.e[i]) - static_cast<real>(b.e[i]));
        if (!(e <= d)) d = e;
    }
    return d;
}

template <class S>
real rounding(real units) {
    return units * static_cast<real>(sinew::epsilon_v<S>);
}

/// The rotation with one derivative lane: it turns with world angular velocity omega.
template <class R>
auto turning(R const& r, vec3<typename R::scalar_type> const& omega) {
    using S = typename R::scalar_type;
    using D = sinew::dual<S, 1>;
    typename R::template rebind<D> q;
    auto const rate = coordinate_rate(r, omega);
    for (std::size_t i = 0; i < R::dimension; ++i) {
        D c(r.coordinate(i));
        c.d[0] = rate[i];
        q.set_coordinate(i, c);
    }
    return q;
}
/// A vector with one derivative lane.
template <class S>
vec3<sinew::dual<S, 1>> moving(vec3<S> const& v, vec3<S> const& rate) {
    vec3<sinew::dual<S, 1>> r{};
    for (std::size_t i = 0; i < 3; ++i) {
        r[i].v = v[i];
        r[i].d[0] = rate[i];
    }
    return r;
}
template <class S, std::size_t N>
sinew::vec<S, N> values(sinew::vec<sinew::dual<S, 1>, N> const& v) {
    sinew::vec<S, N> r{};
    for (std::size_t i = 0; i < N; ++i) r[i] = v[i].v;
    return r;
}
template <class S, std::size_t N>
sinew::vec<S, N> derivatives(sinew::vec<sinew::dual<S, 1>, N> const& v) {
    sinew::vec<S, N> r{};
    for (std::size_t i = 0; i < N; ++i) r[i] = v[i].d[0];
    return r;
}
template <class S>
mat3<S> values(mat3<sinew::dual<S, 1>> const& m) {
    mat3<S> r{};
    for (std::size_t i = 0; i < 9; ++i) r.e[i] = m.e[i].v;
    return r;
}
template <class S>
mat3<S> derivatives(mat3<sinew::dual<S, 1>> const& m) {
    mat3<S> r{};
    for (std::size_t i = 0; i < 9; ++i) r.e[i] = m.e[i].d[0];
    return r;
}

}  // namespace rotation_cases
