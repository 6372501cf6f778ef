#pragma once
// A - B of any two shapes behind one type. The searches for the nearest points and for the way out are the same for all pairs of shapes: seen through a view
// they are compiled once, not once per pair (five shapes are fifteen pairs, each with 20 KB of them). What it costs is a call by address per point.

#include <sinew/collision/gjk.hpp>

#include <type_traits>

namespace sinew::inline v0 {

namespace detail {

/// The point of A - B farthest along d (gjk.hpp), of a pair that outlives the view.
template <class S>
class support_view {
public:
    template <class Pair>
    explicit support_view(Pair const& pair) noexcept
        : pair_(&pair), at_(&of<Pair>) {}

    [[nodiscard]] difference_point<S> operator()(vec3<S> const& d) const noexcept { return at_(pair_, d); }

private:
    template <class Pair>
    static difference_point<S> of(void const* pair, vec3<S> const& d) noexcept {
        return (*static_cast<Pair const*>(pair))(d);
    }

    void const* pair_;
    difference_point<S> (*at_)(void const*, vec3<S> const&);
};

/// f(pair), by a view where the program runs. Constant expressions know no way back from an address to what stands there.
template <class S, class Pair, class F>
constexpr auto searched(Pair const& pair, F const& f) {
    if (__builtin_is_constant_evaluated()) return f(pair);
    return f(support_view<S>(pair));
}

}  // namespace detail

}  // namespace sinew::inline v0
