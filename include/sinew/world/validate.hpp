#pragma once
// Checks of input where it enters a world. Each returns an error, or one without a code if all is well: an E, which is `error` or `coded_error`.

#include <sinew/body/principal_axes.hpp>
#include <sinew/core/errors.hpp>
#include <sinew/math/shown_number.hpp>
#include <sinew/solver/problem.hpp>

#include <bit>
#include <concepts>
#include <cstdint>

namespace sinew::inline v0 {

namespace detail {

template <class E = error, class S>
[[nodiscard]] constexpr E check_finite(char const* name, S const& x) noexcept {
    auto const fine = isfinite(x);
    if (all(fine)) return {};
    return {errc::not_finite, name, "must be finite", shown_number(x, fine), true};
}
template <class E = error, class S, std::size_t N>
[[nodiscard]] constexpr E check_finite(char const* name, vec<S, N> const& v) noexcept {
    for (std::size_t i = 0; i < N; ++i)
        if (E e = check_finite<E>(name, v[i])) return e;
    return {};
}
template <class E = error, class S>
[[nodiscard]] constexpr E check_finite(char const* name, sym3<S> const& m) noexcept {
    for (S const& x : {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz})
        if (E e = check_finite<E>(name, x)) return e;
    return {};
}
template <class E = error, class S>
[[nodiscard]] constexpr E check_positive(char const* name, S const& x) noexcept {
    if (E e = check_finite<E>(name, x)) return e;
    auto const fine = x > S(0);
    if (all(fine)) return {};
    return {errc::not_positive, name, "must be positive", shown_number(x, fine), true};
}

// In fixed point: what takes errors back, or makes velocities of displacements, does so by the rate of substeps (1/s), which must have room.
template <class E, class S>
[[nodiscard]] constexpr E check_rate(char const* name, S const& h, int parts) noexcept {
    if (S(1) / (h / S(parts)) < infinity_v<S>) return {};
    return {errc::invalid_parameter, name, "is too short for so many substeps: these numbers cannot count those of a second", shown_number(h), true};
}

// Positive semi-definite up to a tolerance: Sylvester's criterion for all principal minors.
template <class S>
[[nodiscard]] constexpr bool is_semidefinite(sym3<S> const& m, S const& scale) noexcept {
    S const t = scale * epsilon_v<S> * S(64);
    S const t2 = t * scale;
    S const t3 = t2 * scale;
    return all(m.xx >= -t) && all(m.yy >= -t) && all(m.zz >= -t) && all(m.xx * m.yy - m.xy * m.xy >= -t2) &&
           all(m.xx * m.zz - m.xz * m.xz >= -t2) && all(m.yy * m.zz - m.yz * m.yz >= -t2) && all(determinant(m) >= -t3);
}

template <class E = error, class S>
[[nodiscard]] constexpr E check_mass(S const& mass) noexcept {
    if (E e = check_positive<E>("mass", mass)) return e;
    auto const fine = isfinite(S(1) / mass);
    if (all(fine)) return {};
    return {errc::not_positive, "mass", "must not be so small that its inverse is infinite", shown_number(mass, fine), true};
}

template <class E = error, class S>
[[nodiscard]] constexpr E inertia_error([[maybe_unused]] char const* requirement, char const* without_value, [[maybe_unused]] sym3<S> const& I, [[maybe_unused]] bool excess) noexcept {
    if constexpr (has_plain_value<S> && has_double_unit && std::same_as<E, error>) {  // else the principal axes would be carried along for a sentence
        auto const moments = principal_moments(I);
        return {errc::invalid_inertia, "inertia", requirement, static_cast<double>(excess ? moments[2] - moments[1] - moments[0] : moments[0]), true};
    } else {
        return {errc::invalid_inertia, "inertia", without_value, {}, false};
    }
}

// An inertia that a body can have: positive definite, and no principal moment above the sum of the other two. The
// latter says that the second moment of mass, tr(I)/2 1 - I, is semi-definite.
template <class E = error, class S>
[[nodiscard]] constexpr E check_inertia(sym3<S> const& I) noexcept {
    if (E e = check_finite<E>("inertia", I)) return e;
    // Scaled, for the determinant of a small body's inertia is too small a number.
    sym3<S> const m = (S(1) / max(max(abs(I.xx), abs(I.yy)), abs(I.zz))) * I;
    bool const positive = all(m.xx > S(0)) && all(m.xx * m.yy - m.xy * m.xy > S(0)) && all(determinant(m) > S(0));
    if (!positive) return inertia_error<E>("must be positive definite; its smallest principal moment", "must be positive definite", I, false);
    S const trace = m.xx + m.yy + m.zz;
    S const half = trace / S(2);
    if (!is_semidefinite(sym3<S>{half - m.xx, half - m.yy, half - m.zz, -m.xy, -m.xz, -m.yz}, trace))
        return inertia_error<E>("cannot be that of a body: no principal moment may exceed the sum of the other two; the excess",
                                "cannot be that of a body: no principal moment may exceed the sum of the other two", I, true);
    sym3<S> const i = inverse(I);
    if (!(all(isfinite(i.xx)) && all(isfinite(i.yy)) && all(isfinite(i.zz))))
        return inertia_error<E>("must not be so small that its inverse is infinite; its smallest principal moment", "must not be so small that its inverse is infinite", I, false);
    return {};
}

template <class E = error, class R>
[[nodiscard]] constexpr E check_rotation(R const& r) noexcept {
    using S = typename R::scalar_type;
    for (std::size_t i = 0; i < R::dimension; ++i)
        if (E e = check_finite<E>("rotation", r.coordinate(i))) return e;
    S const off = deviation(r);
    auto const fine = off <= sqrt(epsilon_v<S>);
    if (all(fine)) return {};
    return {errc::not_a_rotation, "rotation", "must be a rotation (unit quaternion, orthonormal matrix, |vector| <= pi); its deviation", shown_number(off, fine), true};
}

template <class E = error, class S, class R>
[[nodiscard]] constexpr E check_pose(pose<S, R> const& p) noexcept {
    if (E e = check_finite<E>("position", p.position)) return e;
    return check_rotation<E>(p.rotation);
}
template <class E = error, class S>
[[nodiscard]] constexpr E check_twist(twist<S> const& t) noexcept {
    if (E e = check_finite<E>("linear velocity", t.linear)) return e;
    return check_finite<E>("angular velocity", t.angular);
}

template <class T>
[[nodiscard]] constexpr bool is_finite_number(T const& x) noexcept {
    if constexpr (std::floating_point<T>)
        return isfinite(x);
    else
        return x.is_finite();
}
template <class E = error>
[[nodiscard]] constexpr E as_error(input_fault const& f) noexcept {
    if (f.name == nullptr) return {};
    return {is_finite_number(f.value) ? errc::invalid_parameter : errc::not_finite, f.name, f.requirement, f.value, true};
}
// All of fault() in one place: where nothing but whether there is one is asked for, names and sentences then vanish.
template <class T>
[[gnu::flatten]] [[nodiscard]] constexpr bool has_fault(T const& t) noexcept {
    return t.fault().name != nullptr;
}
template <class E = error, class T>
[[nodiscard]] constexpr E check_fault([[maybe_unused]] T const& t) noexcept {
    if constexpr (!requires { t.fault(); })
        return {};
    else if constexpr (std::same_as<E, coded_error>)
        // Arithmetic by software would be copied too, and is longer than the sentences.
        return {(has_float_unit ? has_fault(t) : t.fault().name != nullptr) ? errc::invalid_parameter : errc::none, "", "", 0, false};
    else
        return as_error<E>(t.fault());
}

}  // namespace detail

}  // namespace sinew::inline v0
