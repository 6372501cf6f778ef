#pragma once
// Who runs what can be run at once. A strategy that has `count` pieces of work which do not touch each other asks
//
//   executor.for_each(count, f)      f(0), f(1), ... f(count - 1), each once, in any order, on any threads; returns when all are done
//
// A thread pool, a game's job system or TBB is one with this function. The bits do not depend on it. One that throws leaves the world in the middle of its step:
// restore a state that was saved before.
//
// Islands need no executor of their own. Wide sweeps colour the constraints of all islands together: what shares no body runs at once, whether it is in one
// island or in many, and many small islands have as few colours as one of them. So they run beside each other, in fuller packs than each would make alone.
// An island of its own would wait for the largest; a colour waits for its last piece. What remains one after the other is what a colour has to
// wait for: the colour before it.

#include <concepts>
#include <cstddef>

namespace sinew::inline v0 {

/// One after the other, on the calling thread.
struct serial {
    template <class F>
    constexpr void for_each(std::size_t count, F&& f) const {
        for (std::size_t i = 0; i < count; ++i) f(i);
    }
};

namespace detail {
struct any_work {
    constexpr void operator()(std::size_t) const noexcept {}
};
}  // namespace detail

/// A value with for_each(count, f).
template <class E>
concept executor_like = std::copyable<E> && std::default_initializable<E> && requires(E& e, detail::any_work const& f) { e.for_each(std::size_t{}, f); };

static_assert(executor_like<serial>);

}  // namespace sinew::inline v0
