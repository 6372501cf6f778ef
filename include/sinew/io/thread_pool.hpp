#pragma once
// A small pool of threads, and the executor that runs wide sweeps on it.
//
//   sinew::thread_pool pool(3);                                   three threads beside the calling one
//   struct game : sinew::default_config { using solver = sinew::wide_sequential_impulses<8, sinew::on_threads>; };
//   world.solver.sweeps.executor.pool = &pool;                    without one: on the calling thread
//
// Pieces of a sweep take microseconds, so threads look for the next for a while before they sleep. One caller at a time, and f must not throw. A copy of a world
// names the same pool, which must outlive both.
//
// Who takes piece i is one compare-and-swap of a ticket: number of the task in the upper half, next piece in the lower. A thread that comes late holds a ticket
// of a task that is over, and gets nothing.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace sinew::inline v0 {

/// Threads that help whoever calls for_each.
class thread_pool {
public:
    /// `helpers` threads, by default one less than the machine has processors.
    explicit thread_pool(std::size_t helpers = default_helpers()) {
        threads_.reserve(helpers);
        for (std::size_t i = 0; i < helpers; ++i) threads_.emplace_back([this](std::stop_token const& stop) { help(stop); });
    }
    thread_pool(thread_pool const&) = delete;
    thread_pool& operator=(thread_pool const&) = delete;
    ~thread_pool() {
        for (auto& t : threads_) t.request_stop();
        ticket_.fetch_add(one_task);
        ticket_.notify_all();
    }
    [[nodiscard]] std::size_t helpers() const noexcept { return threads_.size(); }

    /// f(0) ... f(count - 1), each once, on the threads of the pool and this one. Returns when all are done.
    template <class F>
    void for_each(std::size_t count, F&& f) {
        if (threads_.empty() || count < 2) {
            for (std::size_t i = 0; i < count; ++i) f(i);
            return;
        }
        using function = std::remove_reference_t<F>;
        std::uint64_t const task = (ticket_.load(std::memory_order_relaxed) & ~none) + one_task;
        ticket_.store(task | none);  // closed, while the task is written
        done_.store(0);
        count_.store(static_cast<std::uint32_t>(count));
        context_.store(const_cast<void*>(static_cast<void const*>(&f)));
        run_.store([](void* context, std::uint32_t i) { (*static_cast<function*>(context))(static_cast<std::size_t>(i)); });
        ticket_.store(task);
        ticket_.notify_all();
        take_pieces();
        for (int look = 0; done_.load() != count; ++look)
            if (look >= looks_at_once) std::this_thread::yield();
    }

private:
    static constexpr std::uint64_t one_task = std::uint64_t(1) << 32, none = one_task - 1;
    using function_type = void (*)(void*, std::uint32_t);

    [[nodiscard]] static std::size_t default_helpers() noexcept {
        std::size_t const n = std::thread::hardware_concurrency();
        return n > 1 ? n - 1 : 0;
    }
    // Takes pieces while there are any. They are counted as done together: a task is not over before.
    void take_pieces() {
        std::uint32_t taken = 0;
        std::uint64_t ticket = ticket_.load();
        for (;;) {
            auto const i = static_cast<std::uint32_t>(ticket & none);
            if (i >= count_.load()) break;
            function_type const run = run_.load();
            void* const context = context_.load();
            if (!ticket_.compare_exchange_weak(ticket, ticket + 1)) continue;
            run(context, i);
            ++taken;
            ticket = ticket_.load();
        }
        if (taken > 0) done_.fetch_add(taken);
    }
    void help(std::stop_token const& stop) {
        while (!stop.stop_requested()) {
            std::uint64_t const before = ticket_.load();
            take_pieces();
            for (int look = 0; look < looks_at_once + 200 && ticket_.load() >> 32 == before >> 32; ++look)
                if (look >= looks_at_once) std::this_thread::yield();
            std::uint64_t const now = ticket_.load();
            if (now >> 32 == before >> 32 && !stop.stop_requested() && static_cast<std::uint32_t>(now & none) >= count_.load()) ticket_.wait(now);
        }
    }

    static constexpr int looks_at_once = 2000;  // some microseconds: to yield costs as much as a small task
    // What threads write while others read it has cache lines of its own.
    static constexpr std::size_t apart = 64;
    alignas(apart) std::atomic<std::uint64_t> ticket_{none};
    alignas(apart) std::atomic<std::uint32_t> done_{0};
    alignas(apart) std::atomic<std::uint32_t> count_{0};
    std::atomic<void*> context_{nullptr};
    std::atomic<function_type> run_{nullptr};
    std::vector<std::jthread> threads_;
};

/// The executor that runs on a pool, if it is given one.
struct on_threads {
    thread_pool* pool = nullptr;

    template <class F>
    void for_each(std::size_t count, F&& f) const {
        if (pool != nullptr)
            pool->for_each(count, f);
        else
            for (std::size_t i = 0; i < count; ++i) f(i);
    }
};

}  // namespace sinew::inline v0
