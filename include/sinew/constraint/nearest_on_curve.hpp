#pragma once
// The place on a parametric curve p(u) that is nearest to a point q, and how far q is from there: what path.hpp holds at 0.
//
//   g(u, q) = p' . (p - q) = 0       the foot u(q)        h = g_u = |p'|^2 + p'' . (p - q)
//   c = (e_1 . (q - p), e_2 . (q - p))                     e_1, e_2 across the tangent t = p' / |p'|
//
// The foot is found anew each time: the nearest of evenly spaced samples, then Newton's method from there. Nothing is
// remembered, so the same poses always give the same numbers.
//
// Derivatives of the foot by the implicit function theorem: once g(u, q) = 0, every step u <- u - g(u, q) / h with h held
// makes the derivatives of u right to one order more; second derivatives take two steps.
//
// The frame: (e_1, e_2, t) is (x, y, up) turned the short way. It is smooth unless the curve runs against `up`.

#include <sinew/constraint/stack.hpp>

namespace sinew::inline v0 {

/// The foot of a point on a curve, and a frame there.
template <class T>
struct curve_foot {
    T u;          ///< parameter
    vec3<T> p;    ///< place, m
    vec3<T> e_1;  ///< unit, across the tangent
    vec3<T> e_2;  ///< unit, across both
    vec3<T> t;    ///< unit tangent, the way of growing u
};

namespace detail {

// The plain scalar under the lanes of dual numbers, and how many layers of lanes there are.
template <class S, class T>
[[nodiscard]] constexpr S without_lanes(T const& x) noexcept {
    if constexpr (std::same_as<S, T>)
        return x;
    else
        return without_lanes<S>(x.v);
}
template <class S, class T>
[[nodiscard]] constexpr int layers_of_lanes() noexcept {
    if constexpr (std::same_as<S, T>)
        return 0;
    else
        return 1 + layers_of_lanes<S, typename T::scalar_type>();
}

/// p(u) and p'(u).
template <class T>
struct curve_place {
    vec3<T> p, p_u;
};
template <class Curve, class T>
[[nodiscard]] constexpr curve_place<T> curve_place_at(Curve const& curve, T const& u) noexcept {
    auto const lanes = curve(dual<T, 1>::variable(u, 0));
    curve_place<T> r{};
    for (std::size_t i = 0; i < 3; ++i) {
        r.p[i] = lanes[i].v;
        r.p_u[i] = lanes[i].d[0];
    }
    return r;
}

/// The parameter of the foot, and h there.
template <class S>
struct newton_foot {
    S u, h;
};
// Each step stays within one spacing of the samples, so that Newton's method cannot leave for another branch.
template <class S, class Curve>
[[nodiscard]] constexpr newton_foot<S> nearest_parameter(Curve const& curve, S const& begin, S const& end, int samples, vec3<S> const& q) noexcept {
    S const spacing = (end - begin) / S(samples);
    S u = begin, nearest = infinity_v<S>;
    for (int i = 0; i <= samples; ++i) {
        S const sample = begin + spacing * S(i);
        S const distance = squared_norm(vec3<S>(curve(sample) - q));
        auto const nearer = distance < nearest;
        u = select(nearer, sample, u);
        nearest = select(nearer, distance, nearest);
    }
    S h{1};
    // From half a spacing, the digits double each time: eight steps are more than any scalar here needs.
    for (int i = 0; i < 8; ++i) {
        auto const d = curve_place_at(curve, dual<S, 1>::variable(u, 0));
        S g{0}, size{0};
        h = S(0);
        for (std::size_t k = 0; k < 3; ++k) {
            S const off = d.p[k].v - q[k], p_u = d.p_u[k].v, p_uu = d.p_u[k].d[0];
            g = g + p_u * off;
            size = size + p_u * p_u;
            h = h + p_uu * off;
        }
        h = h + size;
        // Near the centre of curvature h vanishes and the foot is anywhere; without speed there is no foot at all.
        h = select(h > size / S(1024), h, size);
        h = select(h > S(0), h, S(1));
        u = u + clamp(S(-g / h), S(-spacing), spacing);
    }
    return {u, h};
}

}  // namespace detail

/// The place of a curve nearest to q. T is S, or S with lanes; `up` is a unit vector.
template <class S, class Curve, class T>
[[nodiscard]] constexpr curve_foot<T> foot_on(Curve const& curve, S const& begin, S const& end, int samples, vec3<S> const& up, vec3<T> const& q) noexcept {
    vec3<S> plain;
    for (std::size_t i = 0; i < 3; ++i) plain[i] = detail::without_lanes<S>(q[i]);
    auto const foot = detail::nearest_parameter(curve, begin, end, samples, plain);
    T u(foot.u);
    auto place = detail::curve_place_at(curve, u);
    for (int i = 0; i < detail::layers_of_lanes<S, T>(); ++i) {
        u = u - dot(place.p_u, place.p - q) / foot.h;
        place = detail::curve_place_at(curve, u);
    }
    vec3<T> const t = normalize(place.p_u);
    auto const across = orthonormal_basis(up);
    T const sum = dot(t, up) + S(1);
    auto const against = sum <= S(0);
    vec3<T> const halfway = (t + up) / select(against, T(S(1)), sum);
    return {u, place.p, across.u - halfway * dot(t, across.u), across.v - halfway * dot(t, across.v), t};
}

}  // namespace sinew::inline v0
