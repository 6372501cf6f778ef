#pragma once
// A set of pairs of ids in ascending order, kept from step to step: a few go, a few come, most stay.

#include <sinew/core/sort.hpp>
#include <sinew/core/storage.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sinew::inline v0::detail {

/// A pair as one number: the low id in the upper half. Two bytes an id where that is enough.
template <std::size_t N>
using pair_key = std::conditional_t<(N > 0 && N <= 65536), std::uint32_t, std::uint64_t>;

/// With static storage there is room for Room pairs.
template <class Storage, std::size_t N, std::size_t Room>
class pair_list {
public:
    using key = pair_key<N>;
    static constexpr unsigned half = 4 * sizeof(key);

    [[nodiscard]] static constexpr key key_of(std::uint32_t a, std::uint32_t b) noexcept {
        return a < b ? static_cast<key>((key{a} << half) | b) : static_cast<key>((key{b} << half) | a);
    }
    [[nodiscard]] static constexpr std::uint32_t low(key k) noexcept { return static_cast<std::uint32_t>(k >> half); }
    [[nodiscard]] static constexpr std::uint32_t high(key k) noexcept {
        return static_cast<std::uint32_t>(k & static_cast<key>((key{1} << half) - 1));
    }

    constexpr void clear() noexcept {
        pairs_.clear();
        found_.clear();
    }
    /// Drops the pairs of which gone(id) says so.
    template <class Gone>
    constexpr void drop(Gone const& gone) noexcept {
        std::size_t kept = 0;
        for (key const k : pairs_)
            if (!gone(low(k)) && !gone(high(k))) pairs_[kept++] = k;
        while (pairs_.size() > kept) pairs_.pop_back();
    }
    /// A pair that is not in the set; it is there after merge(). False if there is no room.
    constexpr bool add(std::uint32_t a, std::uint32_t b) {
        if (is_full(found_)) return false;
        found_.push_back(key_of(a, b));
        return true;
    }
    /// Takes in what was added. False if there is no room, and then the set is empty.
    constexpr bool merge() {
        std::size_t kept = pairs_.size(), added = found_.size();
        if (Storage::is_static && kept + added > Room) {
            clear();
            return false;
        }
        detail::sort<Storage>(found_.begin(), found_.end());
        for (std::size_t i = 0; i < added; ++i) pairs_.push_back(key{});
        // From the back, so that nothing is overwritten before it is read.
        for (std::size_t at = kept + added; added > 0;) {
            bool const old = kept > 0 && pairs_[kept - 1] > found_[added - 1];
            pairs_[--at] = old ? pairs_[--kept] : found_[--added];
        }
        found_.clear();
        return true;
    }
    [[nodiscard]] constexpr auto const& pairs() const noexcept { return pairs_; }

private:
    typename Storage::template array<key, Room> pairs_, found_;
};

}  // namespace sinew::inline v0::detail
