#pragma once
// Four numbers side by side, computed with at once: a vector of three with its spare fourth lane, or four sums.
//
// For float and double where compiler (g++ 12, clang 14 and later) and processor have vectors of their own, and as a plain array for every other
// scalar, every other machine and in constant expressions. A compiler that has to do without such registers makes four times the code. Both forms add in the same order, so they give the same bits.
//
//   q.yzx(), q.zxy()      (y, z, x, w), (z, x, y, w)
//   q.all<I>()            lane I, four times
//   sums(a, b, c, d)      the sum of the lanes of each,  (a0 + a2) + (a1 + a3)
//   choose(x, a, b)       a where x > 0, else b; lane by lane, as larger and smaller are
//   any_below(a, b)       whether a lane of a is below that of b
//
// Loads and stores are whole: a vector that is read back after its parts were written one by one would wait for the store buffer.

#include <sinew/config/inlining.hpp>
#include <sinew/math/unrolled.hpp>
#include <sinew/math/vec.hpp>

#include <type_traits>
#include <utility>

namespace sinew::inline v0::detail {

/// As a plain array.
template <class S>
struct array_quad {
    S e[4];

    array_quad() = default;
    // Of S with lanes: an array that is copied as one stays in memory.
    SINEW_ALWAYS_INLINE constexpr array_quad(S const (&x)[4]) noexcept : e{x[0], x[1], x[2], x[3]} {}
    SINEW_ALWAYS_INLINE constexpr array_quad(array_quad const& q) noexcept : e{q.e[0], q.e[1], q.e[2], q.e[3]} {}
    SINEW_ALWAYS_INLINE constexpr array_quad& operator=(array_quad const& q) noexcept {
        e[0] = q.e[0];
        e[1] = q.e[1];
        e[2] = q.e[2];
        e[3] = q.e[3];
        return *this;
    }

    [[nodiscard]] static constexpr array_quad load(S const* p) noexcept { return {{p[0], p[1], p[2], p[3]}}; }
    [[nodiscard]] static constexpr array_quad of(S const& a, S const& b, S const& c, S const& d) noexcept { return {{a, b, c, d}}; }
    [[nodiscard]] static constexpr array_quad splat(S const& a) noexcept { return {{a, a, a, a}}; }
    // Written out, here and below: a loop would keep the quad in memory.
    constexpr void store(S* p) const noexcept {
        p[0] = e[0];
        p[1] = e[1];
        p[2] = e[2];
        p[3] = e[3];
    }
    template <int I>
    [[nodiscard]] constexpr array_quad all() const noexcept {
        return splat(e[I]);
    }
    [[nodiscard]] constexpr array_quad yzx() const noexcept { return {{e[1], e[2], e[0], e[3]}}; }
    [[nodiscard]] constexpr array_quad zxy() const noexcept { return {{e[2], e[0], e[1], e[3]}}; }
    [[nodiscard]] constexpr S first() const noexcept { return e[0]; }

    [[nodiscard]] friend constexpr array_quad operator+(array_quad const& a, array_quad const& b) noexcept {
        return {{a.e[0] + b.e[0], a.e[1] + b.e[1], a.e[2] + b.e[2], a.e[3] + b.e[3]}};
    }
    [[nodiscard]] friend constexpr array_quad operator-(array_quad const& a, array_quad const& b) noexcept {
        return {{a.e[0] - b.e[0], a.e[1] - b.e[1], a.e[2] - b.e[2], a.e[3] - b.e[3]}};
    }
    [[nodiscard]] friend constexpr array_quad operator*(array_quad const& a, array_quad const& b) noexcept {
        return {{a.e[0] * b.e[0], a.e[1] * b.e[1], a.e[2] * b.e[2], a.e[3] * b.e[3]}};
    }
    [[nodiscard]] static constexpr array_quad sums(array_quad const& a, array_quad const& b, array_quad const& c, array_quad const& d) noexcept {
        return {{a.sum(), b.sum(), c.sum(), d.sum()}};
    }
    /// The sum of the lanes, four times.
    [[nodiscard]] constexpr array_quad total() const noexcept { return splat(sum()); }
    [[nodiscard]] static constexpr array_quad choose(array_quad const& x, array_quad const& a, array_quad const& b) noexcept {
        S const zero(0);
        return {{select(x.e[0] > zero, a.e[0], b.e[0]), select(x.e[1] > zero, a.e[1], b.e[1]), select(x.e[2] > zero, a.e[2], b.e[2]), select(x.e[3] > zero, a.e[3], b.e[3])}};
    }
    /// a where the mask is set, else b.
    [[nodiscard]] SINEW_ALWAYS_INLINE static constexpr array_quad select_where(mask_t<S> const& on, array_quad const& a, array_quad const& b) noexcept {
        return {{select(on, a.e[0], b.e[0]), select(on, a.e[1], b.e[1]), select(on, a.e[2], b.e[2]), select(on, a.e[3], b.e[3])}};
    }
    [[nodiscard]] friend constexpr array_quad larger(array_quad const& a, array_quad const& b) noexcept {
        return {{max(b.e[0], a.e[0]), max(b.e[1], a.e[1]), max(b.e[2], a.e[2]), max(b.e[3], a.e[3])}};
    }
    [[nodiscard]] friend constexpr array_quad smaller(array_quad const& a, array_quad const& b) noexcept {
        return {{min(b.e[0], a.e[0]), min(b.e[1], a.e[1]), min(b.e[2], a.e[2]), min(b.e[3], a.e[3])}};
    }
    [[nodiscard]] friend constexpr mask_t<S> any_below(array_quad const& a, array_quad const& b) noexcept {
        return (a.e[0] < b.e[0] || a.e[2] < b.e[2]) || (a.e[1] < b.e[1] || a.e[3] < b.e[3]);
    }

private:
    [[nodiscard]] constexpr S sum() const noexcept { return (e[0] + e[2]) + (e[1] + e[3]); }
};

/// As a plain array without the spare fourth lane, where this is +0 all along: a quarter less to do. Sums end as they do with it.
template <class S>
struct array_three {
    S e[3];

    array_three() = default;
    SINEW_ALWAYS_INLINE constexpr array_three(S const& x, S const& y, S const& z) noexcept : e{x, y, z} {}
    SINEW_ALWAYS_INLINE constexpr array_three(array_three const& q) noexcept : e{q.e[0], q.e[1], q.e[2]} {}
    SINEW_ALWAYS_INLINE constexpr array_three& operator=(array_three const& q) noexcept {
        e[0] = q.e[0];
        e[1] = q.e[1];
        e[2] = q.e[2];
        return *this;
    }
    [[nodiscard]] static constexpr array_three load(S const* p) noexcept { return {p[0], p[1], p[2]}; }
    [[nodiscard]] static constexpr array_three of(S const& x, S const& y, S const& z, S const&) noexcept { return {x, y, z}; }
    [[nodiscard]] static constexpr array_three splat(S const& a) noexcept { return {a, a, a}; }
    constexpr void store(S* p) const noexcept {
        p[0] = e[0];
        p[1] = e[1];
        p[2] = e[2];
    }
    template <int I>
    [[nodiscard]] constexpr array_three all() const noexcept {
        return splat(e[I]);
    }
    [[nodiscard]] constexpr array_three yzx() const noexcept { return {e[1], e[2], e[0]}; }
    [[nodiscard]] constexpr array_three zxy() const noexcept { return {e[2], e[0], e[1]}; }
    [[nodiscard]] constexpr S first() const noexcept { return e[0]; }
    [[nodiscard]] friend constexpr array_three operator+(array_three const& a, array_three const& b) noexcept { return {a.e[0] + b.e[0], a.e[1] + b.e[1], a.e[2] + b.e[2]}; }
    [[nodiscard]] friend constexpr array_three operator-(array_three const& a, array_three const& b) noexcept { return {a.e[0] - b.e[0], a.e[1] - b.e[1], a.e[2] - b.e[2]}; }
    [[nodiscard]] friend constexpr array_three operator*(array_three const& a, array_three const& b) noexcept { return {a.e[0] * b.e[0], a.e[1] * b.e[1], a.e[2] * b.e[2]}; }
    [[nodiscard]] static constexpr array_three sums(array_three const& a, array_three const& b, array_three const& c, array_three const&) noexcept { return {a.sum(), b.sum(), c.sum()}; }

    [[nodiscard]] constexpr array_three total() const noexcept { return splat(sum()); }
    [[nodiscard]] SINEW_ALWAYS_INLINE static constexpr array_three select_where(mask_t<S> const& on, array_three const& a, array_three const& b) noexcept {
        return {select(on, a.e[0], b.e[0]), select(on, a.e[1], b.e[1]), select(on, a.e[2], b.e[2])};
    }

private:
    [[nodiscard]] constexpr S sum() const noexcept { return (e[0] + e[2]) + (e[1] + S(0)); }
};

/// As the compiler's own vectors, for the scalars that have them.
template <class S>
struct vector_quad;
template <class S>
inline constexpr bool has_vector_quad_v = false;

#if (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)) && \
    (defined(__SSE2__) || defined(__ARM_NEON) || defined(__wasm_simd128__) || defined(__riscv_vector) || defined(__VEC__) || defined(__mips_msa))

// Whether a comparison has held for any number.
template <class M>
[[nodiscard]] SINEW_ALWAYS_INLINE inline bool any_bit_of(M const& mask) noexcept {
    static_assert(sizeof(M) == 16);
#if defined(__SSE2__)
    typedef float floats __attribute__((vector_size(16)));
    return __builtin_ia32_movmskps((floats)mask) != 0;
#else
    typedef long long halves __attribute__((vector_size(16)));
    return (((halves)mask)[0] | ((halves)mask)[1]) != 0;
#endif
}

template <>
struct vector_quad<float> {
    using S = float;
    typedef S lanes __attribute__((vector_size(16), may_alias));
    lanes v;

    [[nodiscard]] SINEW_ALWAYS_INLINE static inline vector_quad load(S const* p) noexcept {
        return {*static_cast<lanes const*>(static_cast<void const*>(p))};
    }
    [[nodiscard]] static inline vector_quad of(S a, S b, S c, S d) noexcept { return {lanes{a, b, c, d}}; }
    [[nodiscard]] static inline vector_quad splat(S a) noexcept { return {lanes{a, a, a, a}}; }
    SINEW_ALWAYS_INLINE inline void store(S* p) const noexcept { *static_cast<lanes*>(static_cast<void*>(p)) = v; }
    /// Two vectors of three that stand side by side anywhere, each with a zero behind it; and back.
    SINEW_ALWAYS_INLINE static inline void load_threes(void const* six, vector_quad& a, vector_quad& b) noexcept {
        lanes first, last;
        __builtin_memcpy(&first, six, sizeof first);
        __builtin_memcpy(&last, static_cast<char const*>(six) + 2 * sizeof(S), sizeof last);
        a.v = __builtin_shufflevector(first, lanes{}, 0, 1, 2, 4);
        b.v = __builtin_shufflevector(last, lanes{}, 1, 2, 3, 4);
    }
    SINEW_ALWAYS_INLINE static inline void store_threes(void* six, vector_quad a, vector_quad b) noexcept {
        lanes const last = __builtin_shufflevector(a.v, b.v, 2, 4, 5, 6);
        __builtin_memcpy(six, &a.v, sizeof a.v);
        __builtin_memcpy(static_cast<char*>(six) + 2 * sizeof(S), &last, sizeof last);
    }
    template <int I>
    [[nodiscard]] inline vector_quad all() const noexcept {
        return {__builtin_shufflevector(v, v, I, I, I, I)};
    }
    [[nodiscard]] inline vector_quad yzx() const noexcept { return {__builtin_shufflevector(v, v, 1, 2, 0, 3)}; }
    [[nodiscard]] inline vector_quad zxy() const noexcept { return {__builtin_shufflevector(v, v, 2, 0, 1, 3)}; }
    [[nodiscard]] inline S first() const noexcept { return v[0]; }

    [[nodiscard]] SINEW_ALWAYS_INLINE friend inline vector_quad operator+(vector_quad a, vector_quad b) noexcept { return {a.v + b.v}; }
    [[nodiscard]] SINEW_ALWAYS_INLINE friend inline vector_quad operator-(vector_quad a, vector_quad b) noexcept { return {a.v - b.v}; }
    [[nodiscard]] SINEW_ALWAYS_INLINE friend inline vector_quad operator*(vector_quad a, vector_quad b) noexcept { return {a.v * b.v}; }
    [[nodiscard]] static inline vector_quad sums(vector_quad a, vector_quad b, vector_quad c, vector_quad d) noexcept {
        lanes const ab = __builtin_shufflevector(a.v, b.v, 0, 4, 1, 5) + __builtin_shufflevector(a.v, b.v, 2, 6, 3, 7);
        lanes const cd = __builtin_shufflevector(c.v, d.v, 0, 4, 1, 5) + __builtin_shufflevector(c.v, d.v, 2, 6, 3, 7);
        return {__builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7)};
    }
    [[nodiscard]] inline vector_quad total() const noexcept {
        lanes const halves = v + __builtin_shufflevector(v, v, 2, 3, 0, 1);
        return {halves + __builtin_shufflevector(halves, halves, 1, 0, 3, 2)};
    }
    [[nodiscard]] static inline vector_quad choose(vector_quad x, vector_quad a, vector_quad b) noexcept { return {x.v > lanes{} ? a.v : b.v}; }
    [[nodiscard]] friend inline vector_quad larger(vector_quad a, vector_quad b) noexcept { return {a.v > b.v ? a.v : b.v}; }
    [[nodiscard]] friend inline vector_quad smaller(vector_quad a, vector_quad b) noexcept { return {b.v > a.v ? a.v : b.v}; }
    [[nodiscard]] friend inline bool any_below(vector_quad a, vector_quad b) noexcept { return any_bit_of(a.v < b.v); }
};
template <>
inline constexpr bool has_vector_quad_v<float> = true;

template <>
struct vector_quad<double> {
    using S = double;
    typedef S lanes __attribute__((vector_size(16), may_alias));
    lanes lo, hi;

    [[nodiscard]] SINEW_ALWAYS_INLINE static inline vector_quad load(S const* p) noexcept {
        auto const* const from = static_cast<lanes const*>(static_cast<void const*>(p));
        return {from[0], from[1]};
    }
    [[nodiscard]] static inline vector_quad of(S a, S b, S c, S d) noexcept { return {lanes{a, b}, lanes{c, d}}; }
    [[nodiscard]] static inline vector_quad splat(S a) noexcept { return {lanes{a, a}, lanes{a, a}}; }
    SINEW_ALWAYS_INLINE inline void store(S* p) const noexcept {
        auto* const to = static_cast<lanes*>(static_cast<void*>(p));
        to[0] = lo;
        to[1] = hi;
    }
    template <int I>
    [[nodiscard]] inline vector_quad all() const noexcept {
        lanes const x = __builtin_shufflevector(lo, hi, I, I);
        return {x, x};
    }
    [[nodiscard]] inline vector_quad yzx() const noexcept { return {__builtin_shufflevector(lo, hi, 1, 2), __builtin_shufflevector(lo, hi, 0, 3)}; }
    [[nodiscard]] inline vector_quad zxy() const noexcept { return {__builtin_shufflevector(lo, hi, 2, 0), __builtin_shufflevector(lo, hi, 1, 3)}; }
    [[nodiscard]] inline S first() const noexcept { return lo[0]; }

    [[nodiscard]] SINEW_ALWAYS_INLINE friend inline vector_quad operator+(vector_quad const& a, vector_quad const& b) noexcept { return {a.lo + b.lo, a.hi + b.hi}; }
    [[nodiscard]] SINEW_ALWAYS_INLINE friend inline vector_quad operator-(vector_quad const& a, vector_quad const& b) noexcept { return {a.lo - b.lo, a.hi - b.hi}; }
    [[nodiscard]] SINEW_ALWAYS_INLINE friend inline vector_quad operator*(vector_quad const& a, vector_quad const& b) noexcept { return {a.lo * b.lo, a.hi * b.hi}; }
    [[nodiscard]] static inline vector_quad sums(vector_quad const& a, vector_quad const& b, vector_quad const& c, vector_quad const& d) noexcept {
        lanes const x = a.lo + a.hi, y = b.lo + b.hi, z = c.lo + c.hi, w = d.lo + d.hi;
        return {__builtin_shufflevector(x, y, 0, 2) + __builtin_shufflevector(x, y, 1, 3), __builtin_shufflevector(z, w, 0, 2) + __builtin_shufflevector(z, w, 1, 3)};
    }
    [[nodiscard]] inline vector_quad total() const noexcept {
        lanes const halves = lo + hi;
        lanes const x = halves + __builtin_shufflevector(halves, halves, 1, 0);
        return {x, x};
    }
    [[nodiscard]] static inline vector_quad choose(vector_quad const& x, vector_quad const& a, vector_quad const& b) noexcept {
        return {x.lo > lanes{} ? a.lo : b.lo, x.hi > lanes{} ? a.hi : b.hi};
    }
    [[nodiscard]] friend inline vector_quad larger(vector_quad const& a, vector_quad const& b) noexcept {
        return {a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
    }
    [[nodiscard]] friend inline vector_quad smaller(vector_quad const& a, vector_quad const& b) noexcept {
        return {b.lo > a.lo ? a.lo : b.lo, b.hi > a.hi ? a.hi : b.hi};
    }
    [[nodiscard]] friend inline bool any_below(vector_quad const& a, vector_quad const& b) noexcept { return any_bit_of((a.lo < b.lo) | (a.hi < b.hi)); }
};
template <>
inline constexpr bool has_vector_quad_v<double> = true;

#endif

/// Alignment that whole loads and stores of four S ask for.
template <class S>
inline constexpr std::size_t quad_alignment_v = has_vector_quad_v<S> ? 16 : alignof(S);

/// What has been read of memory is read again where it is used next, if S has lanes. Of many numbers with lanes compilers keep all that they will need again
/// on the stack, which has to be written first.
template <class S>
SINEW_ALWAYS_INLINE constexpr void read_again() noexcept {
#if defined(__GNUC__) || defined(__clang__)
    if constexpr (lanes_v<S> > 1) {
        if (!std::is_constant_evaluated()) __asm__ volatile("" : : : "memory");
    }
#endif
}
/// f(a type of quad), with vectors where there are some and this is no constant expression.
template <class S, class F>
constexpr auto with_quads(F&& f) {
    if constexpr (has_vector_quad_v<S>) {
        if (!std::is_constant_evaluated()) return f(std::type_identity<vector_quad<S>>{});
    }
    return f(std::type_identity<array_quad<S>>{});
}

/// a x b in the first three lanes; the fourth is 0 where those of a and b are finite.
template <class Q>
[[nodiscard]] constexpr Q cross_product(Q const& a, Q const& b) noexcept {
    return a.yzx() * b.zxy() - a.zxy() * b.yzx();
}

}  // namespace sinew::inline v0::detail
