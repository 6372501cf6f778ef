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
// Each thread begins with the same part of the pieces in every task: neighbours in one sweep are neighbours in the next, and what a piece writes stays in the
// cache of its processor. (Half of it in the other one's cost more than the arithmetic.) Then it takes what others have not got to.
//
// Who takes piece i is one compare-and-swap of the ticket of its part: number of the task in the upper half, next piece in the lower. A thread that comes late
// holds a ticket of a task that is over, and gets nothing.

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
    explicit thread_pool(std::size_t helpers = default_helpers()) : parts_(helpers + 1) {
        threads_.reserve(helpers);
        for (std::size_t i = 1; i <= helpers; ++i) threads_.emplace_back([this, i](std::stop_token const& stop) { help(stop, i); });
    }
    thread_pool(thread_pool const&) = delete;
    thread_pool& operator=(thread_pool const&) = delete;
    [[nodiscard]] std::size_t helpers() const noexcept { return threads_.size(); }

    /// f(0) ... f(count - 1), each once, on the threads of the pool and this one. Returns when all are done.
    template <class F>
    void for_each(std::size_t count, F&& f) {
        if (threads_.empty() || count < 2) {
            for (std::size_t i = 0; i < count; ++i) f(i);
            return;
        }
        using function = std::remove_reference_t<F>;
        std::uint32_t const number = task_.load(std::memory_order_relaxed) + 1;
        std::uint64_t const task = std::uint64_t(number) << 32;
        for (auto& p : parts_) p.ticket.store(task | none);  // closed, while the task is written
        done_.store(0);
        count_.store(static_cast<std::uint32_t>(count));
        context_.store(const_cast<void*>(static_cast<void const*>(&f)));
        run_.store([](void* context, std::uint32_t i) { (*static_cast<function*>(context))(static_cast<std::size_t>(i)); });
        for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i].ticket.store(task | first_of(i, static_cast<std::uint32_t>(count)));
        task_.store(number);
        task_.notify_all();
        take_pieces(0);
        for (int look = 0; done_.load() != count;)
            if (look < looks_at_once)
                ++look;
            else
                std::this_thread::yield();
    }

private:
    static constexpr std::uint64_t none = 0xffffffffu;
    using function_type = void (*)(void*, std::uint32_t);

    [[nodiscard]] static std::size_t default_helpers() noexcept {
        std::size_t const n = std::thread::hardware_concurrency();
        return n > 1 ? n - 1 : 0;
    }
    // Where the pieces of part i begin.
    [[nodiscard]] std::uint32_t first_of(std::size_t i, std::uint32_t count) const noexcept {
        return static_cast<std::uint32_t>(std::uint64_t(count) * i / parts_.size());
    }
    // Takes pieces while there are any, of its own part before others. They are counted as done together: a task is not over before.
    void take_pieces(std::size_t own) {
        std::uint32_t taken = 0;
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            std::size_t const of = (own + k) % parts_.size();
            auto& next = parts_[of].ticket;
            std::uint64_t ticket = next.load();
            for (;;) {
                auto const i = static_cast<std::uint32_t>(ticket & none);
                if (i >= first_of(of + 1, count_.load())) break;
                function_type const run = run_.load();
                void* const context = context_.load();
                if (!next.compare_exchange_weak(ticket, ticket + 1)) continue;
                run(context, i);
                ++taken;
                ticket = next.load();
            }
        }
        if (taken > 0) done_.fetch_add(taken);
    }
    void help(std::stop_token const& stop, std::size_t own) {
        while (!stop.stop_requested()) {
            std::uint32_t const before = task_.load();
            take_pieces(own);
            for (int look = 0; look < looks_at_once + 200 && task_.load() == before; ++look)
                if (look >= looks_at_once) std::this_thread::yield();
            if (!stop.stop_requested()) task_.wait(before);
        }
    }

    static constexpr int looks_at_once = 20000;  // some ten microseconds: less than it takes to fall asleep and to be woken
    // What threads write while others read it has cache lines of its own.
    static constexpr std::size_t apart = 64;
    struct alignas(apart) part {
        std::atomic<std::uint64_t> ticket{none};
    };
    alignas(apart) std::atomic<std::uint32_t> task_{0};
    alignas(apart) std::atomic<std::uint32_t> done_{0};
    alignas(apart) std::atomic<std::uint32_t> count_{0};
    std::atomic<void*> context_{nullptr};
    std::atomic<function_type> run_{nullptr};
    std::vector<part> parts_;
    std::vector<std::jthread> threads_;
    // Goes before the threads do, which are then awake and stop; also those that a constructor began which could not begin them all.
    struct wake_up {
        thread_pool& pool;
        ~wake_up() {
            for (auto& t : pool.threads_) t.request_stop();
            pool.task_.fetch_add(1);
            pool.task_.notify_all();
        }
    } wake_up_{*this};
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
