#pragma once
// A counter for the whole program, atomic where the target has that for four bytes. (<atomic> would be a tenth of a program's
// compile time; a Cortex-M0 has no atomic increment, and one core.)

#include <cstdint>

namespace sinew::inline v0::detail {

/// ++counter.
inline std::uint32_t next_number(std::uint32_t& counter) noexcept {
#if defined(__GCC_ATOMIC_INT_LOCK_FREE) && __GCC_ATOMIC_INT_LOCK_FREE == 2
    return __atomic_add_fetch(&counter, 1u, __ATOMIC_RELAXED);
#else
    return ++counter;
#endif
}

}  // namespace sinew::inline v0::detail
