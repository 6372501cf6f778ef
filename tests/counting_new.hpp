#pragma once
// Counts what a test program allocates. Replaces the global operator new; weak, so that several sources of one program may include it.

#include <cstddef>
#include <cstdlib>
#include <new>

namespace sinew_test {
inline std::size_t allocations = 0;
}  // namespace sinew_test

__attribute__((weak)) void* operator new(std::size_t n) {
    ++sinew_test::allocations;
    if (void* p = std::malloc(n)) return p;
    throw std::bad_alloc{};
}
__attribute__((weak)) void* operator new(std::size_t n, std::align_val_t alignment) {
    ++sinew_test::allocations;
    std::size_t const a = static_cast<std::size_t>(alignment);
    if (void* p = std::aligned_alloc(a, (n + a - 1) / a * a)) return p;
    throw std::bad_alloc{};
}
// Both hand out malloc's memory, which g++ cannot see through inlined deletes.
__attribute__((weak, noinline)) void operator delete(void* p) noexcept { std::free(p); }
__attribute__((weak, noinline)) void operator delete(void* p, std::size_t) noexcept { std::free(p); }
__attribute__((weak, noinline)) void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
__attribute__((weak, noinline)) void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
