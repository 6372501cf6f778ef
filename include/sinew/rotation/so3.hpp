#pragma once
// The group SO(3) and its algebra: Rodrigues' coefficients, the left Jacobian and its inverse.
//
//   R(theta) = exp([theta]x) = 1 + a [theta]x + b [theta]x^2,   a = sin t / t, b = (1 - cos t) / t^2, t = |theta|   (Waterson 2026, eq. 2.22)
//   J_L      = 1 + b [theta]x + c [theta]x^2,                   c = (t - sin t) / t^3                             (eq. 2.27)
//   J_L^-1   = 1 - [theta]x / 2 + d [theta]x^2,                 d = (1 - (t/2) cot(t/2)) / t^2
//
// All four coefficients are even in t, so they are functions of t^2. Near 0 the quotients lose digits and their
// derivatives do not exist through sqrt; there the power series in t^2 is used, which also differentiates correctly.

#include <sinew/config/rounded.hpp>
#include <sinew/math/mat.hpp>

namespace sinew::inline v0 {

namespace detail {

// A series' constants as numbers of V, converted by the compiler.
template <class V, class Series>
struct series_constants {
    V k[Series::terms];
    std::size_t count;  // without those at the end that V cannot tell from 0
};
template <class V, class Series>
[[nodiscard]] consteval series_constants<V, Series> constants_of() {
    constexpr Series series{};
    series_constants<V, Series> r{};
    for (std::size_t i = 0; i < Series::terms; ++i) {
        r.k[i] = static_cast<V>(series.k[i]);
        if (!(r.k[i] == V(0))) r.count = i + 1;
    }
    return r;
}
// Horner's rule, for any scalar.
template <class Series, class S>
[[nodiscard]] constexpr S polynomial(S const& x) noexcept {
    constexpr auto c = constants_of<value_type_t<S>, Series>();
    S r = S(c.k[c.count - 1]);
    for (std::size_t i = c.count - 1; i-- > 0;) r = r * x + S(c.k[i]);
    return r;
}

// The series below are used up to t^2 = 1: the first term left out is then below 2^-64 of the sum.
template <class S>
[[nodiscard]] constexpr auto small_angle(S const& t2) noexcept {
    return t2 < S(1);
}

// (-1)^k / (2k + shift)!
template <std::size_t Shift>
struct factorial_series {
    static constexpr std::size_t terms = 10;
    long double k[terms];
    constexpr factorial_series() : k{} {
        long double f = 1;
        for (std::size_t i = 2; i <= Shift; ++i) f *= static_cast<long double>(i);
        for (std::size_t i = 0; i < terms; ++i) {
            k[i] = (i % 2 == 0 ? 1.0L : -1.0L) / f;
            f *= static_cast<long double>((2 * i + Shift + 1) * (2 * i + Shift + 2));
        }
    }
};

// 2 zeta(2k) / (2 pi)^2k = |B_2k| / (2k)!, k = 1..: the expansion of d, from t/2 cot(t/2) = 1 - sum 2 zeta(2k) (t / 2 pi)^2k. Written out, for
// a product of many in long double, which is of another size on each machine, would end in other bits.
struct cotangent_series {
    static constexpr std::size_t terms = 14;
    long double k[terms] = {
        8.33333333333333333333333333333333333e-2L, 1.38888888888888888888888888888888889e-3L,
        3.30687830687830687830687830687830688e-5L, 8.26719576719576719576719576719576720e-7L,
        2.08767569878680989792100903212014323e-8L, 5.28419013868749318484768220217955668e-10L,
        1.33825365306846788328269809751291233e-11L, 3.38968029632258286683019539124944250e-13L,
        8.58606205627784456413590545042562713e-15L, 2.17486869855806187304151642386591790e-16L,
        5.50900282836022951520265260890225488e-18L, 1.39544646858125233407076862640635498e-19L,
        3.53470703962946747169322997780379921e-21L, 8.95351742703754685040261131811274105e-23L};
};

}  // namespace detail

/// sin t / t as a function of t^2.
template <class S>
[[nodiscard]] constexpr S sinc_of_square(S const& t2) noexcept {
    return either(
        detail::small_angle(t2), [&] { return detail::polynomial<detail::factorial_series<1>>(t2); },
        [&] {
            S const t = sqrt(select(detail::small_angle(t2), S(1), t2));
            return sin(t) / t;
        });
}

/// (1 - cos t) / t^2 as a function of t^2.
template <class S>
[[nodiscard]] constexpr S versine_of_square(S const& t2) noexcept {
    return either(
        detail::small_angle(t2), [&] { return detail::polynomial<detail::factorial_series<2>>(t2); },
        [&] {
            S const safe = select(detail::small_angle(t2), S(1), t2);
            S const s = sin(sqrt(safe) / S(2));
            return S(2) * s * s / safe;
        });
}

/// (t - sin t) / t^3 as a function of t^2.
template <class S>
[[nodiscard]] constexpr S sine_defect_of_square(S const& t2) noexcept {
    return either(
        detail::small_angle(t2), [&] { return detail::polynomial<detail::factorial_series<3>>(t2); },
        [&] {
            S const safe = select(detail::small_angle(t2), S(1), t2);
            S const t = sqrt(safe);
            return (t - sin(t)) / (safe * t);
        });
}

/// (1 - (t/2) cot(t/2)) / t^2 as a function of t^2; finite up to t < 2 pi, and 1 / pi^2 at t = pi.
template <class S>
[[nodiscard]] constexpr S cotangent_defect_of_square(S const& t2) noexcept {
    return either(
        detail::small_angle(t2), [&] { return detail::polynomial<detail::cotangent_series>(t2); },
        [&] {
            S const safe = select(detail::small_angle(t2), S(1), t2);
            S const half = sqrt(safe) / S(2);
            return (S(1) - half * cos(half) / sin(half)) / safe;
        });
}

/// exp([theta]x): the rotation matrix of a rotation vector (rad). Rodrigues' formula.
template <class S>
[[nodiscard]] constexpr mat3<S> so3_exp(vec3<S> const& theta) noexcept {
    S const t2 = squared_norm(theta);
    S const a = sinc_of_square(t2);
    S const b = versine_of_square(t2);
    // 1 + a [theta]x + b (theta theta^T - t^2 1)
    S const x = theta.x(), y = theta.y(), z = theta.z();
    S const bxy = detail::rounded(S(b * x * y)), bxz = detail::rounded(S(b * x * z)), byz = detail::rounded(S(b * y * z));
    S const ax = detail::rounded(S(a * x)), ay = detail::rounded(S(a * y)), az = detail::rounded(S(a * z));
    return {S(1) - b * (y * y + z * z), bxy - az, bxz + ay, bxy + az, S(1) - b * (x * x + z * z), byz - ax, bxz - ay, byz + ax, S(1) - b * (x * x + y * y)};
}

/// J_L(theta): maps the rate of the rotation vector to the world angular velocity, omega = J_L theta_dot (eq. 2.34).
template <class S>
[[nodiscard]] constexpr mat3<S> left_jacobian(vec3<S> const& theta) noexcept {
    S const t2 = squared_norm(theta);
    mat3<S> const k = skew(theta);
    return identity<S, 3>() + versine_of_square(t2) * k + sine_defect_of_square(t2) * (k * k);
}

/// J_L(theta)^-1: maps the world angular velocity to the rate of the rotation vector. Singular at |theta| = 2 pi.
template <class S>
[[nodiscard]] constexpr mat3<S> left_jacobian_inverse(vec3<S> const& theta) noexcept {
    S const t2 = squared_norm(theta);
    mat3<S> const k = skew(theta);
    return identity<S, 3>() - (S(1) / S(2)) * k + cotangent_defect_of_square(t2) * (k * k);
}

}  // namespace sinew::inline v0
