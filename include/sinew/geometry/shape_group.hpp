#pragma once
// Many shapes of one type that are one: a wall of boxes, a body of convex pieces. (The Space of Vondrak 2005, 7.3.)
//
//   sinew::shape_group<sinew::box<float>> wall;
//   for (...) wall.add(brick, frame);
//
// Shapes can be added and looked at. They are found through a tree of boxes, which is built anew whenever as many have come as it holds. Where
// shapes overlap, their mass counts twice.

#include <sinew/core/storage.hpp>
#include <sinew/geometry/box_hierarchy.hpp>
#include <sinew/geometry/composed_shape.hpp>

#include <span>

namespace sinew::inline v0 {

/// Of convex shapes or half spaces, up to N with static storage.
template <class Shape, class Storage = dynamic_storage, std::size_t N = 0>
    requires shape_like<Shape, typename Shape::scalar_type> && (!is_composed<Shape, typename Shape::scalar_type>)
class shape_group {
public:
    using scalar_type = typename Shape::scalar_type;
    using S = scalar_type;

    /// Returns its number among the parts. With static storage there must be room for it: ask full().
    constexpr std::size_t add(Shape const& shape, frame<S> const& at = {}) {
        parts_.push_back({shape, at});
        boxes_.push_back(bounds_of<S>(shape, at));
        whole_ = merged(whole_, boxes_.back());
        std::size_t const n = parts_.size();
        if (n > 8 && n >= 2 * tree_.size()) tree_.build(n, [&](std::size_t i) { return boxes_[i]; });
        return n - 1;
    }
    [[nodiscard]] constexpr bool full() const noexcept { return is_full(parts_); }
    [[nodiscard]] constexpr std::span<placed<Shape> const> parts() const noexcept { return {parts_.data(), parts_.size()}; }
    [[nodiscard]] constexpr std::size_t part_count() const noexcept { return parts_.size(); }

    /// f(number, shape, its frame) for the shapes whose boxes overlap the box, given in the frame of the whole.
    template <class F>
    constexpr void for_each_part(aabb<S> const& box, F&& f) const {
        auto const visit = [&](std::size_t i) {
            if (detail::meet(box, boxes_[i])) f(static_cast<std::uint32_t>(i), parts_[i].shape, parts_[i].frame);
        };
        tree_.query(box, visit);
        for (std::size_t i = tree_.size(); i < parts_.size(); ++i) visit(i);
    }
    [[nodiscard]] constexpr aabb<S> bounds(frame<S> const& f) const noexcept { return transformed(whole_, f); }
    [[nodiscard]] constexpr sinew::mass_properties<S> mass_properties(S const& density) const noexcept {
        sinew::mass_properties<S> sum{};
        for (auto const& p : parts_) sum = sum + detail::mass_properties_of_part<S>(p, density);
        return sum;
    }
    [[nodiscard]] constexpr ray_hit<S> cast(ray<S> const& r) const noexcept
        requires has_cast<Shape, S>
    {
        ray_hit<S> best;
        std::size_t which = 0;
        ray<S> rest = r;
        detail::ray_slabs<S> slabs(r);
        auto const visit = [&](std::size_t i) {
            if (!slabs.hits(boxes_[i])) return;
            ray_hit<S> const h = detail::cast_part<S>(parts_[i], rest);
            if (!h.hit || (best.hit && !(best.distance > h.distance || (best.distance == h.distance && i < which)))) return;
            best = h;
            which = i;
            rest.length = h.distance;
            slabs.shorten(h.distance);
        };
        tree_.cast(slabs, visit);
        for (std::size_t i = tree_.size(); i < parts_.size(); ++i) visit(i);
        return best;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        if (parts_.empty()) return {"shapes", "must not be empty; their number", 0};
        for (auto const& p : parts_)
            if (input_fault const f = detail::fault_of_part<S>(p); f.name != nullptr) return f;
        return {};
    }
    [[nodiscard]] friend constexpr bool operator==(shape_group const& a, shape_group const& b) { return a.parts_ == b.parts_; }

private:
    typename Storage::template array<placed<Shape>, N> parts_{};
    typename Storage::template array<aabb<S>, N> boxes_{};
    detail::box_hierarchy<S, Storage, N> tree_{};
    aabb<S> whole_ = empty_aabb<S>();
};

}  // namespace sinew::inline v0
