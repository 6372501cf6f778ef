#pragma once
// Hits in the order of the bodies that they are between: those of the same bodies follow each other, whatever is hit besides, far away or in another lane.

#include <cstddef>

namespace sinew::inline v0::detail {

/// Hits: an array of hits, which have `bodies`.
template <class Hits>
class hit_list {
public:
    constexpr void clear() noexcept { hits_.clear(); }
    constexpr void reserve(std::size_t n)
        requires requires(Hits& hits) { hits.reserve(n); }
    {
        hits_.reserve(n);
    }
    /// One more, behind those between the same bodies; the rest of it is what it was in another life. They mostly come in their order.
    template <class Bodies>
    constexpr auto& add(Bodies const& bodies) {
        std::size_t k = hits_.size();
        (void)hits_.next();
        for (; k > 0 && comes_before(bodies, hits_[k - 1].bodies); --k) hits_[k] = hits_[k - 1];
        hits_[k].bodies = bodies;
        return hits_[k];
    }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return hits_.size(); }
    /// f(hit) for each; for those from first to last.
    template <class F>
    constexpr void for_each(F const& f) {
        for_each(f, 0, size());
    }
    template <class F>
    constexpr void for_each(F const& f, std::size_t first, std::size_t last) {
        for (; first < last; ++first) f(hits_[first]);
    }
    /// The end of those between the same bodies as that at `first`.
    [[nodiscard]] constexpr std::size_t end_of_same(std::size_t first) const noexcept {
        auto const& bodies = hits_[first].bodies;
        do ++first;
        while (first < size() && hits_[first].bodies == bodies);
        return first;
    }

private:
    template <class Bodies>
    [[nodiscard]] static constexpr bool comes_before(Bodies const& a, Bodies const& b) noexcept {
        std::size_t i = 0;
        while (i + 1 < a.size() && a[i] == b[i]) ++i;
        return a[i] < b[i];
    }

    Hits hits_{};
};

}  // namespace sinew::inline v0::detail
