#pragma once
// A product that must be rounded before it is added to something, against a compiler that fuses it all the same.
//
// g++ 12 with -O2 and -mfma (so -march=haswell, native, x86-64-v3) turns a b - c beside a' b' + c' into one vfmaddsub, also under
// -ffp-contract=off; no macro or flag but -fno-tree-slp-vectorize prevents it. Where such neighbours stand, their products are hidden from it.

#include <type_traits>

namespace sinew::inline v0::detail {

template <class S>
[[nodiscard]] constexpr S rounded(S x) noexcept {
#if defined(__GNUC__) && !defined(__clang__) && defined(__FMA__)
    if constexpr (std::is_same_v<S, float> || std::is_same_v<S, double>)
        if (!std::is_constant_evaluated()) __asm__("" : "+x"(x));
#endif
    return x;
}

}  // namespace sinew::inline v0::detail
