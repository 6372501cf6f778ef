#pragma once
// Sorting whose stack has a bound. std::sort calls itself; where storage is in place, as on microcontrollers, a heap is sorted instead, which does not. Orders
// must be total: both then give the same.

#include <algorithm>

namespace sinew::inline v0::detail {

struct ascending {
    template <class T>
    [[nodiscard]] constexpr bool operator()(T const& a, T const& b) const noexcept {
        return a < b;
    }
};

template <class Storage, class Iterator, class Before = ascending>
constexpr void sort(Iterator first, Iterator last, Before before = {}) {
    if constexpr (Storage::is_static) {
        std::make_heap(first, last, before);
        std::sort_heap(first, last, before);
    } else {
        std::sort(first, last, before);
    }
}

}  // namespace sinew::inline v0::detail
