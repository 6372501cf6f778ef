#pragma once
// Slots behind handles. A dense pool keeps its values side by side for the loops and moves the last one into a gap; a
// stable pool leaves values where they are, so that others may refer to them by index.

#include <sinew/core/call_with.hpp>
#include <sinew/core/handle.hpp>
#include <sinew/core/storage.hpp>


namespace sinew::inline v0 {

/// Where a handle leads, how often the slot has been reused, and, when free, the next free slot.
struct slot {
    std::uint32_t at = 0;
    std::uint32_t generation = 0;
    bool alive = false;
    [[nodiscard]] friend constexpr bool operator==(slot const&, slot const&) = default;
};

/// The free list over an array of slots.
template <class Array>
class slot_list {
public:
    [[nodiscard]] constexpr bool full() const noexcept { return free_ == none && is_full(slots_); }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return slots_.size(); }
    [[nodiscard]] constexpr std::size_t alive() const noexcept { return alive_; }
    [[nodiscard]] constexpr slot const& operator[](std::size_t i) const noexcept { return slots_[i]; }
    [[nodiscard]] constexpr slot& operator[](std::size_t i) noexcept { return slots_[i]; }

    /// Index of a slot now in use, leading to `at`.
    constexpr std::uint32_t take(std::uint32_t at) {
        ++alive_;
        if (free_ != none) {
            std::uint32_t const i = free_;
            free_ = slots_[i].at;
            slots_[i].at = at;
            slots_[i].alive = true;
            return i;
        }
        slots_.push_back({at, 0, true});
        return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    /// The slot that the next take() will use, were it to grow the array: its size.
    [[nodiscard]] constexpr std::uint32_t next() const noexcept { return free_ != none ? free_ : static_cast<std::uint32_t>(slots_.size()); }
    constexpr void release(std::uint32_t i) noexcept {
        --alive_;
        slots_[i].alive = false;
        ++slots_[i].generation;
        slots_[i].at = free_;
        free_ = i;
    }
    /// One more, at the end, as it is.
    constexpr void put(slot const& s) {
        slots_.push_back(s);
        ++alive_;
    }
    constexpr void clear() noexcept {
        slots_.clear();
        free_ = none;
        alive_ = 0;
    }
    [[nodiscard]] friend constexpr bool operator==(slot_list const&, slot_list const&) = default;

private:
    static constexpr std::uint32_t none = 0xffffffffu;
    Array slots_{};
    std::uint32_t free_ = none;
    std::uint32_t alive_ = 0;
};

/// Values of T side by side, named by handles; a second array Side of the same length holds what loops do not need.
template <class T, class Side, class Storage, std::size_t N>
class dense_pool {
public:
    [[nodiscard]] constexpr bool full() const noexcept { return is_full(values_); }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return values_.size(); }
    [[nodiscard]] constexpr auto& values() noexcept { return values_; }
    [[nodiscard]] constexpr auto const& values() const noexcept { return values_; }
    [[nodiscard]] constexpr Side& side(std::size_t dense) noexcept { return sides_[dense]; }
    [[nodiscard]] constexpr Side const& side(std::size_t dense) const noexcept { return sides_[dense]; }
    [[nodiscard]] constexpr slot_list<typename Storage::template array<slot, N>> const& slots() const noexcept { return slots_; }
    [[nodiscard]] constexpr T& at_slot(std::uint32_t i) noexcept { return values_[slots_[i].at]; }
    [[nodiscard]] constexpr T const& at_slot(std::uint32_t i) const noexcept { return values_[slots_[i].at]; }
    [[nodiscard]] constexpr std::uint32_t slot_at(std::size_t dense) const noexcept { return slot_of_[dense]; }

    /// Slot of the new value.
    constexpr std::uint32_t add(T const& value, Side const& side) {
        std::uint32_t const s = slots_.take(static_cast<std::uint32_t>(values_.size()));
        values_.push_back(value);
        sides_.push_back(side);
        slot_of_.push_back(s);
        return s;
    }
    constexpr void clear() noexcept {
        values_.clear();
        sides_.clear();
        slot_of_.clear();
        slots_.clear();
    }
    constexpr void remove_slot(std::uint32_t s) { remove_at(slots_[s].at); }
    constexpr void remove_at(std::size_t dense) {
        std::uint32_t const s = slot_of_[dense];
        std::size_t const last = values_.size() - 1;
        if (dense != last) {
            values_[dense] = values_[last];
            sides_[dense] = sides_[last];
            slot_of_[dense] = slot_of_[last];
            slots_[slot_of_[dense]].at = static_cast<std::uint32_t>(dense);
        }
        values_.pop_back();
        sides_.pop_back();
        slot_of_.pop_back();
        slots_.release(s);
    }
    /// Puts the values in the order of their slots, those with front(value) before the others; yields how many these are.
    template <class F>
    constexpr std::size_t arrange(F&& front) {
        std::size_t at = 0, first = 0;
        for (int round = 0; round < 2; ++round) {
            bool const wanted = round == 0;
            for (std::uint32_t s = 0; s < slots_.size(); ++s)
                if (slots_[s].alive && front(values_[slots_[s].at]) == wanted) exchange(slots_[s].at, at++);
            if (wanted) first = at;
        }
        return first;
    }
    /// The same values behind the same handles, whatever their order.
    [[nodiscard]] static constexpr bool same_by_slots(dense_pool const& a, dense_pool const& b) {
        if (a.slots_.size() != b.slots_.size() || a.slots_.alive() != b.slots_.alive()) return false;
        for (std::uint32_t s = 0; s < a.slots_.size(); ++s) {
            slot const &p = a.slots_[s], &q = b.slots_[s];
            if (p.alive != q.alive || p.generation != q.generation) return false;
            if (p.alive ? !(a.values_[p.at] == b.values_[q.at] && a.sides_[p.at] == b.sides_[q.at]) : p.at != q.at) return false;
        }
        return true;
    }
    [[nodiscard]] friend constexpr bool operator==(dense_pool const&, dense_pool const&) = default;

private:
    constexpr void exchange(std::size_t i, std::size_t j) {
        if (i == j) return;
        T const value = values_[i];
        Side const side = sides_[i];
        std::uint32_t const of = slot_of_[i];
        values_[i] = values_[j];
        sides_[i] = sides_[j];
        slot_of_[i] = slot_of_[j];
        values_[j] = value;
        sides_[j] = side;
        slot_of_[j] = of;
        slots_[slot_of_[i]].at = static_cast<std::uint32_t>(i);
        slots_[of].at = static_cast<std::uint32_t>(j);
    }

    typename Storage::template array<T, N> values_{};
    typename Storage::template array<Side, N> sides_{};
    typename Storage::template array<std::uint32_t, N> slot_of_{};
    slot_list<typename Storage::template array<slot, N>> slots_{};
};

namespace detail {

/// f(element) for each element of a tuple.
template <class Tuple, class F>
constexpr void for_each_in(Tuple& tuple, [[maybe_unused]] F&& f) {
    detail::call_with([&](auto&... element) { (f(element), ...); }, tuple);
}

}  // namespace detail

}  // namespace sinew::inline v0
