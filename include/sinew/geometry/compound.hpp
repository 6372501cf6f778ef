#pragma once
// Several shapes that are one: a list of types known when it is compiled.
//
//   template <class S> using hammer = sinew::compound<sinew::box<S>, sinew::cylinder<S>>;      // for a world's list of shapes
//   hammer<float> const h{{head, {{0, 0.3f, 0}}}, {handle}};                                   // each with its frame, if not at the origin
//
// The parts may be composed themselves: a part's parts are numbered on. Where parts overlap, their mass counts twice. For many shapes of one type
// see shape_group.hpp.

#include <sinew/core/call_with.hpp>
#include <sinew/geometry/composed_shape.hpp>

#include <tuple>

namespace sinew::inline v0 {

template <class First, class... More>
    requires shape_like<First, typename First::scalar_type> && (shape_like<More, typename First::scalar_type> && ...)
class compound {
public:
    using scalar_type = typename First::scalar_type;
    using S = scalar_type;
    static constexpr std::size_t shapes = 1 + sizeof...(More);

    constexpr compound() = default;
    constexpr compound(placed<First> const& first, placed<More> const&... more) : parts_(first, more...) {}

    /// Shape I with its frame.
    template <std::size_t I>
    [[nodiscard]] constexpr auto const& get() const noexcept {
        return std::get<I>(parts_);
    }
    template <std::size_t I>
    [[nodiscard]] constexpr auto& get() noexcept {
        return std::get<I>(parts_);
    }

    [[nodiscard]] constexpr std::size_t part_count() const noexcept {
        std::size_t n = 0;
        each([&](auto const& p) { n += detail::part_count_of<S>(p.shape); });
        return n;
    }
    /// f(number, part, its frame) for the parts whose boxes overlap the box, given in the frame of the whole.
    template <class F>
    constexpr void for_each_part(aabb<S> const& box, F&& f) const {
        std::uint32_t first = 0;
        each([&](auto const& p) {
            detail::for_each_part_of<S>(p, first, box, f);
            first += static_cast<std::uint32_t>(detail::part_count_of<S>(p.shape));
        });
    }
    [[nodiscard]] constexpr aabb<S> bounds(frame<S> const& f) const noexcept {
        aabb<S> b = empty_aabb<S>();
        each([&](auto const& p) { b = merged(b, bounds_of<S>(p.shape, f * p.frame)); });
        return b;
    }
    [[nodiscard]] constexpr sinew::mass_properties<S> mass_properties(S const& density) const noexcept {
        sinew::mass_properties<S> sum{};
        each([&](auto const& p) { sum = sum + detail::mass_properties_of_part<S>(p, density); });
        return sum;
    }
    [[nodiscard]] constexpr ray_hit<S> cast(ray<S> const& r) const noexcept
        requires has_cast<First, S> && (has_cast<More, S> && ...)
    {
        ray_hit<S> best;
        ray<S> rest = r;
        each([&](auto const& p) {
            best = detail::nearer(best, detail::cast_part<S>(p, rest));
            if (best.hit) rest.length = best.distance;
        });
        return best;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        input_fault first;
        each([&](auto const& p) { first = first.name == nullptr ? detail::fault_of_part<S>(p) : first; });
        return first;
    }
    [[nodiscard]] friend constexpr bool operator==(compound const&, compound const&) = default;

private:
    template <class F>
    constexpr void each(F&& f) const {
        detail::call_with([&](auto const&... p) { (f(p), ...); }, parts_);
    }

    std::tuple<placed<First>, placed<More>...> parts_{};
};

}  // namespace sinew::inline v0
