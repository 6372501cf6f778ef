#pragma once
// Hits in the order of the bodies that they are between: those of the same bodies follow each other, whatever is hit besides, far away or in another lane.

#include <sinew/core/storage.hpp>

#include <cstddef>
#include <cstdint>

namespace sinew::inline v0::detail {

/// Hits: an array of hits, which have `bodies`; Numbers: one of as many numbers.
template <class Hits, class Numbers>
class hit_list {
public:
    constexpr void clear() noexcept {
        hits_.clear();
        order_.clear();
    }
    constexpr void make_room_for(std::size_t n) {
        make_room(hits_, n);
        make_room(order_, n);
    }
    /// One more, behind those between the same bodies; the rest of it is what it was in another life. (They mostly come in their order.)
    template <class Bodies>
    constexpr auto& add(Bodies const& bodies) {
        auto const mine = static_cast<std::uint32_t>(hits_.size());
        auto& h = hits_.next();
        h.bodies = bodies;
        order_.push_back(mine);
        std::size_t k = mine;
        for (; k > 0 && bodies < hits_[order_[k - 1]].bodies; --k) order_[k] = order_[k - 1];
        if (k < mine) order_[k] = mine;
        return h;
    }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return hits_.size(); }
    [[nodiscard]] constexpr auto& operator[](std::size_t k) noexcept { return hits_[order_[k]]; }
    /// The end of those between the same bodies as that at `first`.
    [[nodiscard]] constexpr std::size_t end_of_same(std::size_t first) noexcept {
        std::size_t last = first + 1;
        while (last < size() && (*this)[last].bodies == (*this)[first].bodies) ++last;
        return last;
    }

private:
    Hits hits_{};
    Numbers order_{};
};

}  // namespace sinew::inline v0::detail
