#pragma once
// Four numbers with N lanes each, two and two side by side in batches of 2 N lanes: where the processor has registers of that width, a quad takes two of them
// and half the instructions. The bits are those of array_quad.

#include <sinew/math/batch.hpp>
#include <sinew/math/quad.hpp>

namespace sinew::inline v0::detail {

template <class B>
struct paired_quad;
template <class S>
inline constexpr bool has_paired_quad_v = false;
template <class T, std::size_t N>
inline constexpr bool has_paired_quad_v<batch<T, N>> = parts<T, N>::are_vectors && parts<T, 2 * N>::count == 1;

/// a in the lower half of the lanes, b in the upper half.
template <class R, class B>
[[nodiscard, gnu::always_inline]] constexpr R side_by_side(B const& a, B const& b) noexcept {
    R r;
#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
    using T = std::remove_cvref_t<decltype(a.e[0])>;
    if (!std::is_constant_evaluated()) {
        typedef T half __attribute__((vector_size(sizeof(B)), may_alias));
        typedef T whole __attribute__((vector_size(sizeof(R)), may_alias));
        auto const& x = *static_cast<half const*>(static_cast<void const*>(a.e));
        auto const& y = *static_cast<half const*>(static_cast<void const*>(b.e));
        [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
            *static_cast<whole*>(static_cast<void*>(r.e)) = __builtin_shufflevector(x, y, I...);
        }(std::make_index_sequence<R::lanes>{});
        return r;
    }
#endif
    for (std::size_t i = 0; i < B::lanes; ++i) {
        r.e[i] = a.e[i];
        r.e[B::lanes + i] = b.e[i];
    }
    return r;
}
/// The lower half of the lanes, or the upper one.
template <class B, bool Upper, class R>
[[nodiscard, gnu::always_inline]] constexpr B half_of(R const& a) noexcept {
    B r;
#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
    using T = std::remove_cvref_t<decltype(a.e[0])>;
    if (!std::is_constant_evaluated()) {
        typedef T half __attribute__((vector_size(sizeof(B)), may_alias));
        typedef T whole __attribute__((vector_size(sizeof(R)), may_alias));
        auto const& x = *static_cast<whole const*>(static_cast<void const*>(a.e));
        [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
            *static_cast<half*>(static_cast<void*>(r.e)) = __builtin_shufflevector(x, x, (Upper ? B::lanes + I : I)...);
        }(std::make_index_sequence<B::lanes>{});
        return r;
    }
#endif
    for (std::size_t i = 0; i < B::lanes; ++i) r.e[i] = a.e[Upper ? B::lanes + i : i];
    return r;
}

template <class T, std::size_t N>
struct paired_quad<batch<T, N>> {
    using S = batch<T, N>;
    using pair = batch<T, 2 * N>;
    pair lo, hi;

    [[nodiscard, gnu::always_inline]] static constexpr paired_quad of(S const& a, S const& b, S const& c, S const& d) noexcept {
        return {side_by_side<pair>(a, b), side_by_side<pair>(c, d)};
    }
    [[nodiscard, gnu::always_inline]] static constexpr paired_quad splat(S const& a) noexcept {
        pair const x = side_by_side<pair>(a, a);
        return {x, x};
    }
    /// p is aligned as quad_alignment_v says.
    [[nodiscard, gnu::always_inline]] static constexpr paired_quad load(S const* p) noexcept {
        if (std::is_constant_evaluated()) return of(p[0], p[1], p[2], p[3]);
        auto const* const from = static_cast<pair const*>(static_cast<void const*>(p));
        return {from[0], from[1]};
    }
    [[gnu::always_inline]] constexpr void store(S* p) const noexcept {
        if (std::is_constant_evaluated()) {
            p[0] = half_of<S, false>(lo);
            p[1] = half_of<S, true>(lo);
            p[2] = half_of<S, false>(hi);
            p[3] = half_of<S, true>(hi);
        } else {
            auto* const to = static_cast<pair*>(static_cast<void*>(p));
            to[0] = lo;
            to[1] = hi;
        }
    }
    template <int I>
    [[nodiscard, gnu::always_inline]] constexpr paired_quad all() const noexcept {
        return splat(half_of<S, I % 2 == 1>(I < 2 ? lo : hi));
    }
    [[nodiscard, gnu::always_inline]] constexpr S first() const noexcept { return half_of<S, false>(lo); }

    [[nodiscard, gnu::always_inline]] friend constexpr paired_quad operator+(paired_quad const& a, paired_quad const& b) noexcept { return {a.lo + b.lo, a.hi + b.hi}; }
    [[nodiscard, gnu::always_inline]] friend constexpr paired_quad operator-(paired_quad const& a, paired_quad const& b) noexcept { return {a.lo - b.lo, a.hi - b.hi}; }
    [[nodiscard, gnu::always_inline]] friend constexpr paired_quad operator*(paired_quad const& a, paired_quad const& b) noexcept { return {a.lo * b.lo, a.hi * b.hi}; }
    [[nodiscard, gnu::always_inline]] constexpr paired_quad total() const noexcept {
        pair const halves = lo + hi;
        return splat(half_of<S, false>(halves) + half_of<S, true>(halves));
    }
    [[nodiscard, gnu::always_inline]] static constexpr paired_quad choose(paired_quad const& x, paired_quad const& a, paired_quad const& b) noexcept {
        pair const zero(0);
        return {select(x.lo > zero, a.lo, b.lo), select(x.hi > zero, a.hi, b.hi)};
    }
    [[nodiscard, gnu::always_inline]] friend constexpr paired_quad larger(paired_quad const& a, paired_quad const& b) noexcept { return {max(b.lo, a.lo), max(b.hi, a.hi)}; }
    [[nodiscard, gnu::always_inline]] friend constexpr paired_quad smaller(paired_quad const& a, paired_quad const& b) noexcept { return {min(b.lo, a.lo), min(b.hi, a.hi)}; }
    /// a where the mask is set, else b.
    [[nodiscard, gnu::always_inline]] static constexpr paired_quad select_where(mask_t<S> const& on, paired_quad const& a, paired_quad const& b) noexcept {
        auto const both = side_by_side<typename pair::mask_type>(on, on);
        return {select(both, a.lo, b.lo), select(both, a.hi, b.hi)};
    }
};

}  // namespace sinew::inline v0::detail
