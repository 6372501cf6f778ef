#pragma once
// SIMD lanes as a scalar: N numbers that are computed with at once, each as if it were alone.
//
//   batch<float, 8> x(2), y = load<batch<float, 8>>(p);     x is 2 in every lane
//   select(x < y, x, y)                                     a comparison yields a batch_mask: lane by lane
//   any(x < y), all(x < y)                                  of a mask
//   x[3], with_lane(x, 3, 1.5f)                             one lane
//   gather(p, at), scatter(p, at, x)                        lane i is p[at[i]]
//
// Every lane has the bits that T itself would have (of what is not a number, all but its sign): the same operations in the same order, no approximations. So a world
// over batch<float, 8> is eight worlds over float. What is decided by `if` over T must be decided by select over lanes; a mask is therefore no bool, and the compiler finds the places.
// Only == and != of two that have names convert to bool: whether all lanes are equal, as whoever compares whole values means it, and as `= default` does.
//
// As vectors of the compiler where it has them (g++ 12, clang 14 and later), in parts of the width that the processor was told to have; as plain
// arrays everywhere else and in constant expressions. Both give the same bits.

#include <sinew/config/inlining.hpp>
#include <sinew/math/batch_lanes.hpp>
#include <sinew/math/by_name.hpp>
#include <sinew/math/elementary.hpp>
#include <sinew/math/scalar.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace sinew::inline v0 {

/// One truth value a lane.
template <std::floating_point T, std::size_t N>
struct alignas(detail::lanes_alignment_v<T, N>) batch_mask {
    using word = detail::mask_word<T>;
    static constexpr std::size_t lanes = N;
    word e[N];  // 0, or all bits

    batch_mask() = default;
    SINEW_ALWAYS_INLINE constexpr batch_mask(batch_mask const& b) noexcept { detail::copy_lanes<T, false>(*this, b); }
    SINEW_ALWAYS_INLINE constexpr batch_mask& operator=(batch_mask const& b) noexcept {
        detail::copy_lanes<T, true>(*this, b);
        return *this;
    }
    /// The same in every lane.
    constexpr batch_mask(bool b) noexcept {
        for (word& x : e) x = b ? word(-1) : word(0);
    }
    [[nodiscard]] constexpr bool operator[](std::size_t lane) const noexcept { return e[lane] != 0; }
    /// In one lane.
    constexpr void set(std::size_t lane, bool b) noexcept { e[lane] = b ? word(-1) : word(0); }
    // What asks for one truth of all is shown this line.
    explicit operator bool() const = delete;  // lanes do not all go one way, as `if` and `?:` ask them to: write select(mask, a, b), or ask any(mask) or all(mask)

    [[nodiscard]] friend constexpr batch_mask operator&(batch_mask const& a, batch_mask const& b) noexcept {
        return detail::lane_wise<batch_mask, T>([](auto const& x, auto const& y) { return x & y; }, a, b);
    }
    [[nodiscard]] friend constexpr batch_mask operator|(batch_mask const& a, batch_mask const& b) noexcept {
        return detail::lane_wise<batch_mask, T>([](auto const& x, auto const& y) { return x | y; }, a, b);
    }
    [[nodiscard]] friend constexpr batch_mask operator^(batch_mask const& a, batch_mask const& b) noexcept {
        return detail::lane_wise<batch_mask, T>([](auto const& x, auto const& y) { return x ^ y; }, a, b);
    }
    [[nodiscard]] friend constexpr batch_mask operator!(batch_mask const& a) noexcept {
        return detail::lane_wise<batch_mask, T>([](auto const& x) { return ~x; }, a);
    }
    /// Both sides are evaluated: there is no way around one of them that suits all lanes.
    [[nodiscard]] friend constexpr batch_mask operator&&(batch_mask const& a, batch_mask const& b) noexcept { return a & b; }
    [[nodiscard]] friend constexpr batch_mask operator||(batch_mask const& a, batch_mask const& b) noexcept { return a | b; }
    [[nodiscard]] friend constexpr batch_mask operator&&(bool a, batch_mask const& b) noexcept { return batch_mask(a) & b; }
    [[nodiscard]] friend constexpr batch_mask operator&&(batch_mask const& a, bool b) noexcept { return a & batch_mask(b); }
    [[nodiscard]] friend constexpr batch_mask operator||(bool a, batch_mask const& b) noexcept { return batch_mask(a) | b; }
    [[nodiscard]] friend constexpr batch_mask operator||(batch_mask const& a, bool b) noexcept { return a | batch_mask(b); }
    /// Whether all lanes say the same.
    [[nodiscard]] friend constexpr bool operator==(batch_mask const& a, batch_mask const& b) noexcept { return !any(a ^ b); }
    constexpr batch_mask& operator&=(batch_mask const& b) noexcept { return *this = *this & b; }
    constexpr batch_mask& operator|=(batch_mask const& b) noexcept { return *this = *this | b; }

    [[nodiscard]] friend constexpr bool any(batch_mask const& a) noexcept { return detail::any_bit<T>(a); }
    [[nodiscard]] friend constexpr bool all(batch_mask const& a) noexcept { return !detail::any_bit<T>(!a); }
    [[nodiscard]] friend constexpr batch_mask select(batch_mask const& mask, batch_mask const& a, batch_mask const& b) noexcept { return (mask & a) | ((!mask) & b); }
};

/// What == of two batches yields: a mask that can say whether it holds for all lanes. And its negation, != : whether it does for any.
template <std::floating_point T, std::size_t N>
struct equal_lanes;
template <std::floating_point T, std::size_t N>
struct unequal_lanes : batch_mask<T, N> {
    constexpr unequal_lanes(batch_mask<T, N> const& mask) noexcept : batch_mask<T, N>(mask) {}
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return any(static_cast<batch_mask<T, N> const&>(*this)); }
    [[nodiscard]] friend constexpr equal_lanes<T, N> operator!(unequal_lanes const& a) noexcept { return !static_cast<batch_mask<T, N> const&>(a); }
};
template <std::floating_point T, std::size_t N>
struct equal_lanes : batch_mask<T, N> {
    constexpr equal_lanes(batch_mask<T, N> const& mask) noexcept : batch_mask<T, N>(mask) {}
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return all(static_cast<batch_mask<T, N> const&>(*this)); }
    [[nodiscard]] friend constexpr unequal_lanes<T, N> operator!(equal_lanes const& a) noexcept { return !static_cast<batch_mask<T, N> const&>(a); }
};

/// N numbers of type T.
template <std::floating_point T, std::size_t N>
struct alignas(detail::lanes_alignment_v<T, N>) batch {
    using lane_type = T;
    using mask_type = batch_mask<T, N>;
    static constexpr std::size_t lanes = N;
    T e[N];

    batch() = default;
    // Part by part. What compilers copy as bytes they copy in pieces wider than what has just been stored, and wait for the store.
    SINEW_ALWAYS_INLINE constexpr batch(batch const& b) noexcept { detail::copy_lanes<T, false>(*this, b); }
    SINEW_ALWAYS_INLINE constexpr batch& operator=(batch const& b) noexcept {
        detail::copy_lanes<T, true>(*this, b);
        return *this;
    }
    /// The same number in every lane.
    template <class K>
        requires(std::is_arithmetic_v<K>)
    constexpr batch(K k) noexcept {
        detail::fill<T>(*this, static_cast<T>(k));
    }
    [[nodiscard]] constexpr T operator[](std::size_t lane) const noexcept { return e[lane]; }
    [[nodiscard]] constexpr T& operator[](std::size_t lane) noexcept { return e[lane]; }

    constexpr batch& operator+=(batch const& b) noexcept { return *this = *this + b; }
    constexpr batch& operator-=(batch const& b) noexcept { return *this = *this - b; }
    constexpr batch& operator*=(batch const& b) noexcept { return *this = *this * b; }
    constexpr batch& operator/=(batch const& b) noexcept { return *this = *this / b; }

    [[nodiscard]] friend constexpr batch operator+(batch const& a) noexcept { return a; }
    [[nodiscard]] SINEW_ALWAYS_INLINE friend constexpr batch operator-(batch const& a) noexcept {
        return detail::lane_wise<batch, T>([](auto const& x) { return -x; }, a);
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE friend constexpr batch operator+(batch const& a, batch const& b) noexcept {
        return detail::lane_wise<batch, T>([](auto const& x, auto const& y) { return x + y; }, a, b);
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE friend constexpr batch operator-(batch const& a, batch const& b) noexcept {
        return detail::lane_wise<batch, T>([](auto const& x, auto const& y) { return x - y; }, a, b);
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE friend constexpr batch operator*(batch const& a, batch const& b) noexcept {
        return detail::lane_wise<batch, T>([](auto const& x, auto const& y) { return x * y; }, a, b);
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE friend constexpr batch operator/(batch const& a, batch const& b) noexcept {
        return detail::lane_wise<batch, T>([](auto const& x, auto const& y) { return x / y; }, a, b);
    }

    [[nodiscard]] friend constexpr mask_type operator<(batch const& a, batch const& b) noexcept { return detail::compared<mask_type, T, detail::is_less>(a, b); }
    [[nodiscard]] friend constexpr mask_type operator<=(batch const& a, batch const& b) noexcept { return detail::compared<mask_type, T, detail::is_at_most>(a, b); }
    [[nodiscard]] friend constexpr mask_type operator>(batch const& a, batch const& b) noexcept { return b < a; }
    [[nodiscard]] friend constexpr mask_type operator>=(batch const& a, batch const& b) noexcept { return b <= a; }
    [[nodiscard]] friend constexpr equal_lanes<T, N> operator==(batch const& a, batch const& b) noexcept { return detail::compared<mask_type, T, detail::is_equal>(a, b); }
    [[nodiscard]] friend constexpr unequal_lanes<T, N> operator!=(batch const& a, batch const& b) noexcept { return !detail::compared<mask_type, T, detail::is_equal>(a, b); }
    // With what has been computed, as in `if (x == S(0))`: a mask like any other.
    [[nodiscard]] friend constexpr mask_type operator==(batch const& a, batch&& b) noexcept { return detail::compared<mask_type, T, detail::is_equal>(a, b); }
    [[nodiscard]] friend constexpr mask_type operator==(batch&& a, batch const& b) noexcept { return detail::compared<mask_type, T, detail::is_equal>(a, b); }
    [[nodiscard]] friend constexpr mask_type operator==(batch&& a, batch&& b) noexcept { return detail::compared<mask_type, T, detail::is_equal>(a, b); }
    [[nodiscard]] friend constexpr mask_type operator!=(batch const& a, batch&& b) noexcept { return !detail::compared<mask_type, T, detail::is_equal>(a, b); }
    [[nodiscard]] friend constexpr mask_type operator!=(batch&& a, batch const& b) noexcept { return !detail::compared<mask_type, T, detail::is_equal>(a, b); }
    [[nodiscard]] friend constexpr mask_type operator!=(batch&& a, batch&& b) noexcept { return !detail::compared<mask_type, T, detail::is_equal>(a, b); }

    /// `mask ? a : b`, lane by lane.
    [[nodiscard]] friend constexpr batch select(mask_type const& mask, batch const& a, batch const& b) noexcept { return detail::chosen<batch, T>(mask, a, b); }
    [[nodiscard]] friend constexpr batch select(bool mask, batch const& a, batch const& b) noexcept { return mask ? a : b; }
    [[nodiscard]] friend constexpr batch min(batch const& a, batch const& b) noexcept { return detail::beyond<false, T>(a, b); }
    [[nodiscard]] friend constexpr batch max(batch const& a, batch const& b) noexcept { return detail::beyond<true, T>(a, b); }
    [[nodiscard]] friend constexpr batch abs(batch const& x) noexcept { return detail::without_signs<batch, T>(x); }
    /// Itself: it carries no derivatives.
    [[nodiscard]] friend constexpr batch value(batch const& x) noexcept { return x; }

    [[nodiscard]] friend constexpr mask_type isnan(batch const& x) noexcept { return x != x; }
    [[nodiscard]] friend constexpr mask_type isfinite(batch const& x) noexcept {
        return batch(std::numeric_limits<T>::lowest()) <= x && x <= batch(std::numeric_limits<T>::max());
    }
    [[nodiscard]] friend constexpr batch sqrt(batch const& x) noexcept { return detail::roots<batch, T>(x); }
    /// A number with as many digits before the point as there are has none behind it: adding it rounds to the nearest whole number.
    [[nodiscard]] friend constexpr batch floor(batch const& x) noexcept {
        batch const limit(detail::power_of_two<T>(std::numeric_limits<T>::digits - 1)), far = copysign(limit, x), nearest = (x + far) - far;
        return select(abs(x) < limit, copysign(select(nearest > x, nearest - batch(1), nearest), x), x);
    }
    [[nodiscard]] friend constexpr batch copysign(batch const& x, batch const& s) noexcept { return detail::with_signs<batch, T>(x, s); }
    [[nodiscard]] friend constexpr batch sin(batch const& x) noexcept { return each(x, [](T v) { return sinew::v0::sin(v); }); }
    [[nodiscard]] friend constexpr batch cos(batch const& x) noexcept { return each(x, [](T v) { return sinew::v0::cos(v); }); }
    [[nodiscard]] friend constexpr sine_cosine<batch> sincos(batch const& x) noexcept {
        sine_cosine<batch> r;
        for (std::size_t i = 0; i < N; ++i) {
            auto const one = sinew::v0::sincos(x.e[i]);
            r.sin.e[i] = one.sin;
            r.cos.e[i] = one.cos;
        }
        return r;
    }
    [[nodiscard]] friend constexpr batch tan(batch const& x) noexcept { return each(x, [](T v) { return sinew::v0::tan(v); }); }
    [[nodiscard]] friend constexpr batch asin(batch const& x) noexcept { return each(x, [](T v) { return sinew::v0::asin(v); }); }
    [[nodiscard]] friend constexpr batch acos(batch const& x) noexcept { return each(x, [](T v) { return sinew::v0::acos(v); }); }
    [[nodiscard]] friend constexpr batch atan(batch const& x) noexcept { return each(x, [](T v) { return sinew::v0::atan(v); }); }
    [[nodiscard]] friend constexpr batch atan2(batch const& y, batch const& x) noexcept {
        batch const ay = abs(y), ax = abs(x), greatest(detail::greatest_of_ratio<T>);
        auto const ordinary = max(ax, ay) >= batch(detail::least_of_ratio<T>) && ax <= greatest && ay <= greatest;
        if (!all(ordinary)) return each(y, x, [](T v, T w) { return sinew::v0::atan2(v, w); });
        return detail::turned_to_quadrant(detail::atan_of_ordinary_ratio(ay, batch(0), ax, batch(0)), y, x);
    }
    [[nodiscard]] friend constexpr batch exp(batch const& x) noexcept { return each(x, [](T v) { return sinew::v0::exp(v); }); }
    [[nodiscard]] friend constexpr batch log(batch const& x) noexcept { return each(x, [](T v) { return sinew::v0::log(v); }); }

private:
    // One lane after the other: what has branches and tables of its own.
    template <class F>
    [[nodiscard]] static constexpr batch each(batch const& x, F const& f) noexcept {
        batch r;
        for (std::size_t i = 0; i < N; ++i) r.e[i] = f(x.e[i]);
        return r;
    }
    template <class F>
    [[nodiscard]] static constexpr batch each(batch const& x, batch const& y, F const& f) noexcept {
        batch r;
        for (std::size_t i = 0; i < N; ++i) r.e[i] = f(x.e[i], y.e[i]);
        return r;
    }
};

template <std::floating_point T, std::size_t N>
struct scalar_traits<batch<T, N>> {
    using value_type = T;
    static constexpr T epsilon = scalar_traits<T>::epsilon;
    static constexpr T max = scalar_traits<T>::max;
    static constexpr T infinity = scalar_traits<T>::infinity;
};
template <std::floating_point T, std::size_t N>
inline constexpr std::size_t lanes_v<batch<T, N>> = N;

/// N numbers from memory, side by side.
template <class B>
[[nodiscard]] constexpr B load(typename B::lane_type const* p) noexcept {
    B r;
    for (std::size_t i = 0; i < B::lanes; ++i) r.e[i] = p[i];
    return r;
}
template <std::floating_point T, std::size_t N>
constexpr void store(T* p, batch<T, N> const& x) noexcept {
    for (std::size_t i = 0; i < N; ++i) p[i] = x.e[i];
}
/// Lane i is p[at[i]].
template <std::floating_point T, class I, std::size_t N>
[[nodiscard]] constexpr batch<T, N> gather(T const* p, std::array<I, N> const& at) noexcept {
    batch<T, N> r;
    for (std::size_t i = 0; i < N; ++i) r.e[i] = p[at[i]];
    return r;
}
/// p[at[i]] becomes lane i, in the order of the lanes: of those that name one place the last one stays.
template <std::floating_point T, class I, std::size_t N>
constexpr void scatter(T* p, std::array<I, N> const& at, batch<T, N> const& x) noexcept {
    for (std::size_t i = 0; i < N; ++i) p[at[i]] = x.e[i];
}
template <std::floating_point T, std::size_t N>
[[nodiscard]] constexpr batch<T, N> with_lane(batch<T, N> x, std::size_t lane, std::type_identity_t<T> value) noexcept {
    x.e[lane] = value;
    return x;
}

template <std::floating_point T, std::size_t N>
struct detail::tabulated_atan<batch<T, N>> {
    batch<T, N> c, hi, lo;
    [[nodiscard]] static constexpr tabulated_atan next_to(batch<T, N> const& t) noexcept {
        tabulated_atan r;
        for (std::size_t i = 0; i < N; ++i) {
            auto const one = tabulated_atan<T>::next_to(t.e[i]);
            r.c.e[i] = one.c;
            r.hi.e[i] = one.hi;
            r.lo.e[i] = one.lo;
        }
        return r;
    }
};

static_assert(scalar<batch<float, 8>> && scalar<batch<double, 4>>);

}  // namespace sinew::inline v0
