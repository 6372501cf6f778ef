#pragma once
// A number that the compiler shall not know, against one that copies known ones wrongly.
//
// g++ 12 for AVX-512, where it knows doubles to be {c, c, c, 0} or {c, c, 0, 0} and copies the struct that they are in, writes {c, c, c, c}: at -O2 and
// above, unless told -fno-tree-slp-vectorize. An inertia that is the same about every axis is made of just these. One of them hidden is enough.

#include <type_traits>

namespace sinew::inline v0::detail {

template <class S>
[[nodiscard]] constexpr S opaque(S x) noexcept {
#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512F__)
    if constexpr (std::is_same_v<S, double>)
        if (!std::is_constant_evaluated()) __asm__("" : "+x"(x));
#endif
    return x;
}

}  // namespace sinew::inline v0::detail
