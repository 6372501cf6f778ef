#pragma once
// Sequential impulses whose sweeps solve N joints, or the contacts of N pairs of bodies, at a time, and on several threads where an executor has them.
//
//   struct game : sinew::default_config { using solver = sinew::wide_sequential_impulses<8>; };
//
// Same strategy, same tuning numbers; joints are met colour by colour instead of in the order in which they were added (wide_sweeps.hpp), which for
// Gauss-Seidel is as good an order as another. Bodies in reduced coordinates and what does not go in lanes (in_lanes.hpp) follow one by one; contacts come
// last, colour by colour (wide_contacts.hpp).
//
// Eight lanes suit AVX, four SSE and NEON; each lane count, and each executor, gives the same bits.

#include <sinew/solver/sequential_impulses.hpp>
#include <sinew/solver/wide_sweeps.hpp>

namespace sinew::inline v0 {

/// N lanes, a power of two, or 1. Of the executor, `solver.sweeps.executor` is a value: give a pool there.
template <std::size_t N = 8, class Executor = serial>
struct wide_sequential_impulses {
    static_assert(N > 0 && (N & (N - 1)) == 0, "sinew: wide_sequential_impulses<N> solves N constraints at a time: N must be 1, 2, 4, 8 or another power of two.");
    static_assert(executor_like<Executor>, "sinew: an executor has for_each(count, f), which calls f(i) for every i below `count`, on whatever threads, and returns when all are done.");
    template <class Env>
    using strategy = sequential_impulses::strategy<detail::wide_environment<Env, N, Executor>>;
};

}  // namespace sinew::inline v0
