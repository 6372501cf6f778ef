#pragma once
// The README's own constraint, as it stands there.

#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct my_rod {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;

    sinew::vec3<S> anchor_a, anchor_b;  // in the bodies' frames, m
    S length;                           // m

    constexpr auto error(auto const& a, auto const& b) const { return norm(a.point(anchor_a) - b.point(anchor_b)) - length; }
};
