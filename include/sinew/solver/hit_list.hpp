#pragma once
// Hits in the order of the bodies that they are between, as their constraints name them: those of the same bodies follow each other, whatever is hit besides,
// far away or in another lane.
//
// They mostly come in this order. Where there may be thousands not they but their places are moved; a few are moved themselves, which is less code.

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sinew::inline v0::detail {

/// Hits: an array of hits, which have `bodies`. Places: an array of numbers, used with one that grows.
template <class Hits, class Places>
class hit_list {
    static constexpr bool grows = requires(Hits& hits) { hits.reserve(std::size_t{}); };

public:
    constexpr void clear() noexcept {
        hits_.clear();
        if constexpr (grows) places_.clear();
    }
    constexpr void reserve(std::size_t n)
        requires(grows)
    {
        hits_.reserve(n);
        places_.reserve(n);
    }
    /// One more, behind those between the same bodies; the rest of it is what it was in another life.
    template <class Bodies>
    constexpr auto& add(Bodies const& bodies) {
        std::size_t const last = size();
        std::size_t k = last;
        if constexpr (grows) {
            auto& one = hits_.next();
            one.bodies = bodies;
            places_.push_back(static_cast<std::uint32_t>(last));
            if (last > 0 && comes_before(bodies, hits_[place(last - 1)].bodies)) {
                std::size_t first = 0;
                while (first < k) {
                    std::size_t const middle = first + (k - first) / 2;
                    if (comes_before(bodies, hits_[place(middle)].bodies))
                        k = middle;
                    else
                        first = middle + 1;
                }
                for (std::size_t i = last; i > k; --i) places_[i] = places_[i - 1];
                places_[k] = static_cast<std::uint32_t>(last);
            }
            return one;
        } else {
            (void)hits_.next();
            for (; k > 0 && comes_before(bodies, hits_[k - 1].bodies); --k) hits_[k] = hits_[k - 1];
            hits_[k].bodies = bodies;
            return hits_[k];
        }
    }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return hits_.size(); }
    /// f(hit) for each; for those from first to last.
    template <class F>
    constexpr void for_each(F const& f) {
        for_each(f, 0, size());
    }
    template <class F>
    constexpr void for_each(F const& f, std::size_t first, std::size_t last) {
        for (; first < last; ++first) f(hits_[place(first)]);
    }
    /// The end of those between the same bodies as that at `first`.
    [[nodiscard]] constexpr std::size_t end_of_same(std::size_t first) const noexcept {
        auto const& bodies = hits_[place(first)].bodies;
        do ++first;
        while (first < size() && hits_[place(first)].bodies == bodies);
        return first;
    }

private:
    struct none {};

    [[nodiscard]] constexpr std::size_t place(std::size_t i) const noexcept {
        if constexpr (grows)
            return places_[i];
        else
            return i;
    }
    template <class Bodies>
    [[nodiscard]] static constexpr bool comes_before(Bodies const& a, Bodies const& b) noexcept {
        std::size_t i = 0;
        while (i + 1 < a.size() && a[i] == b[i]) ++i;
        return a[i] < b[i];
    }

    Hits hits_{};
    [[no_unique_address]] std::conditional_t<grows, Places, none> places_{};
};

}  // namespace sinew::inline v0::detail
