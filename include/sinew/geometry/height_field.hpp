#pragma once
// Ground given by its heights over a grid.
//
//   auto const hills = height_field_of(heights, columns, sinew::vec{0.5, 0.5});     // any contiguous range of numbers, row after row
//
// Sample (i, j) lies at (i * spacing x, height, j * spacing z), so the field reaches from the origin along +x and +z; y is up. Each cell is cut
// into two triangles by its diagonal from (i + 1, j) to (i, j + 1). What is below the surface is ground: bodies are pushed up out of it.
//
//   q --- s     Triangle 2 n of cell n is p q r, triangle 2 n + 1 is r q s; cells are counted row after row, too.
//   | \   |
//   p --- r     p is sample (i, j), r is (i + 1, j), q is (i, j + 1)

#include <sinew/core/storage.hpp>
#include <sinew/geometry/box_tests.hpp>
#include <sinew/geometry/surface_part.hpp>

#include <cstdint>
#include <span>

namespace sinew::inline v0 {

namespace detail {
template <class Field>
struct height_field_builder;
}

/// Of up to N samples with static storage. Default constructed it is empty, which fault() refuses.
template <scalar S, class Storage = dynamic_storage, std::size_t N = 0>
class basic_height_field {
public:
    using scalar_type = S;

    [[nodiscard]] constexpr std::size_t columns() const noexcept { return columns_; }  ///< samples along x
    [[nodiscard]] constexpr std::size_t rows() const noexcept { return rows_; }        ///< samples along z
    [[nodiscard]] constexpr vec<S, 2> const& spacing() const noexcept { return spacing_; }  ///< m, along x and z
    [[nodiscard]] constexpr std::span<S const> heights() const noexcept { return {heights_.data(), heights_.size()}; }  ///< m, row after row
    [[nodiscard]] constexpr vec3<S> sample(std::size_t i, std::size_t j) const noexcept {
        return {number(i) * spacing_[0], heights_[j * columns_ + i], number(j) * spacing_[1]};
    }

    // Of the surface that surface_part looks at.
    [[nodiscard]] constexpr surface_sides sides() const noexcept { return surface_sides::ground; }
    [[nodiscard]] constexpr triangle<S> triangle_at(std::uint32_t t) const noexcept {
        cell const c = cell_of(t);
        vec3<S> const q = sample(c.i, c.j + 1), r = sample(c.i + 1, c.j);
        return c.upper ? triangle<S>{r, q, sample(c.i + 1, c.j + 1)} : triangle<S>{sample(c.i, c.j), q, r};
    }
    [[nodiscard]] constexpr vec3<S> normal(std::uint32_t t) const noexcept { return triangle_at(t).normal(); }
    [[nodiscard]] constexpr surface_neighbour across(std::uint32_t t, std::size_t side) const noexcept {
        cell const c = cell_of(t);
        if (side == (c.upper ? 0u : 1u)) return joined(t, c.upper ? t - 1 : t + 1, c.upper ? 1 : 0);
        auto const row = static_cast<std::uint32_t>(2 * (columns_ - 1));
        if (!c.upper && side == 0) return c.i == 0 ? surface_neighbour{} : joined(t, t - 1, 2);
        if (!c.upper) return c.j == 0 ? surface_neighbour{} : joined(t, t + 1 - row, 1);
        if (side == 1) return c.j + 2 == rows_ ? surface_neighbour{} : joined(t, t + row - 1, 2);
        return c.i + 2 == columns_ ? surface_neighbour{} : joined(t, t + 1, 0);
    }

    [[nodiscard]] constexpr std::size_t part_count() const noexcept { return heights_.empty() ? 0 : 2 * (columns_ - 1) * (rows_ - 1); }
    /// A triangle that knows its neighbours, for as long as the field lives.
    [[nodiscard]] constexpr surface_part<basic_height_field> part(std::size_t t) const noexcept {
        return {triangle_at(static_cast<std::uint32_t>(t)), this, static_cast<std::uint32_t>(t)};
    }
    /// f(number, surface_part, its frame) for the triangles whose boxes overlap the box, given in the field's frame.
    template <class F>
    constexpr void for_each_part(aabb<S> const& box, F&& f) const {
        if (heights_.empty() || !detail::meet(box, bounds_)) return;
        cells const near = cells_at(box);
        for (std::size_t j = near.j; j <= near.j_end; ++j)
            for (std::size_t i = near.i; i <= near.i_end; ++i)
                for (std::uint32_t half = 0; half < 2; ++half) {
                    surface_part<basic_height_field> const part = part_at(number_of(i, j) + half);
                    if (meets(box, part)) f(part.number, part, frame<S>{});
                }
    }
    [[nodiscard]] constexpr aabb<S> bounds(frame<S> const& f) const noexcept { return transformed(bounds_, f); }
    /// Ground has no mass and does not move.
    [[nodiscard]] constexpr sinew::mass_properties<S> mass_properties(S const&) const noexcept { return {}; }

    /// Height of the surface (m) over a point; over the nearest point of the field's rim where there is none. Of a field that was refused it is 0.
    [[nodiscard]] constexpr S height(S const& x, S const& z) const noexcept {
        if (heights_.empty()) return S(0);
        std::size_t const i = index(x, 0), j = index(z, 1);
        S const u = clamp(x / spacing_[0] - number(i), S(0), S(1)), v = clamp(z / spacing_[1] - number(j), S(0), S(1));
        S const q = sample(i, j + 1).y(), r = sample(i + 1, j).y();
        if (u + v <= S(1)) {
            S const p = sample(i, j).y();
            return p + (r - p) * u + (q - p) * v;
        }
        S const s = sample(i + 1, j + 1).y();
        return s + (q - s) * (S(1) - u) + (r - s) * (S(1) - v);
    }

    /// A ray that begins in the ground hits at once. Walks the grid slab by slab along the axis on which it crosses more cells, and looks at
    /// the cells that it comes near in each, so that no rounding makes it pass between two.
    [[nodiscard]] constexpr ray_hit<S> cast(ray<S> const& r) const noexcept {
        if (heights_.empty()) return {};
        if (contains(bounds_, r.origin) && r.origin.y() <= height(r.origin.x(), r.origin.z())) return detail::hit_from_inside(r);
        S const near = S(1) / S(256);  // of a cell
        vec3<S> const around{spacing_[0] * near, spacing_[0] * near, spacing_[1] * near};
        ray_span<S> const within = span_inside(r, aabb<S>{bounds_.lower - around, bounds_.upper + around});
        if (within.empty()) return {};
        // In cells: where it starts, and how fast it goes.
        S const start[2] = {r.origin.x() / spacing_[0], r.origin.z() / spacing_[1]}, speed[2] = {r.direction.x() / spacing_[0], r.direction.z() / spacing_[1]};
        std::size_t const u = abs(speed[0]) < abs(speed[1]) ? 1 : 0, v = 1 - u;
        S const first = start[u] + speed[u] * within.enters, last = start[u] + speed[u] * within.leaves;
        bool const forward = !(last < first);
        std::size_t const low = cell_index(min(first, last) - near, u), high = cell_index(max(first, last) + near, u);
        ray_hit<S> best;
        for (std::size_t k = 0; k <= high - low && !best.hit; ++k) {
            std::size_t const slab = forward ? low + k : high - k;
            S from = within.enters, to = within.leaves;
            if (speed[u] != S(0)) {
                S const a = (number(slab) - near - start[u]) / speed[u], b = (number(slab + 1) + near - start[u]) / speed[u];
                from = max(from, min(a, b));
                to = min(to, max(a, b));
            }
            if (!(from <= to)) continue;
            S const p = start[v] + speed[v] * from, q = start[v] + speed[v] * to;
            S const y = r.origin.y() + r.direction.y() * from, z = r.origin.y() + r.direction.y() * to;
            std::size_t const end = cell_index(max(p, q) + near, v);
            for (std::size_t other = cell_index(min(p, q) - near, v); other <= end; ++other)
                best = detail::nearer(best, cast_cell(r, u == 0 ? slab : other, u == 0 ? other : slab, min(y, z) - around.y(), max(y, z) + around.y()));
        }
        return best;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return fault_; }
    [[nodiscard]] friend constexpr bool operator==(basic_height_field const& a, basic_height_field const& b) noexcept {
        return a.columns_ == b.columns_ && a.spacing_ == b.spacing_ && a.heights_ == b.heights_;
    }

private:
    friend struct detail::height_field_builder<basic_height_field>;

    struct cell {
        std::size_t i, j;
        bool upper;
    };
    [[nodiscard]] static constexpr S number(std::size_t i) noexcept { return S(static_cast<value_type_t<S>>(i)); }
    [[nodiscard]] constexpr cell cell_of(std::uint32_t t) const noexcept {
        std::size_t const n = t / 2, across = columns_ - 1;
        return {n % across, n / across, t % 2 != 0};
    }
    [[nodiscard]] constexpr std::uint32_t number_of(std::size_t i, std::size_t j) const noexcept {
        return static_cast<std::uint32_t>(2 * (j * (columns_ - 1) + i));
    }
    // The cell at x cells from the first sample, or the nearest one.
    [[nodiscard]] constexpr std::size_t cell_index(S const& x, std::size_t axis) const noexcept {
        std::size_t const last = (axis == 0 ? columns_ : rows_) - 2;
        if (!(x > S(0))) return 0;
        if (!(x < number(last))) return last;
        return static_cast<std::size_t>(value(x));
    }
    [[nodiscard]] constexpr std::size_t index(S const& x, std::size_t axis) const noexcept { return cell_index(x / spacing_[axis], axis); }
    [[nodiscard]] constexpr std::size_t index_before(S const& x, std::size_t axis) const noexcept {
        std::size_t const i = index(x, axis);
        return i > 0 && !(number(i) * spacing_[axis] < x) ? i - 1 : i;
    }
    // From the first to the last.
    struct cells {
        std::size_t i, i_end, j, j_end;
    };
    // A box along a grid line touches the cells on both sides of it.
    [[nodiscard]] constexpr cells cells_at(aabb<S> const& box) const noexcept {
        return {index_before(box.lower[0], 0), index(box.upper[0], 0), index_before(box.lower[2], 1), index(box.upper[2], 1)};
    }
    [[nodiscard]] constexpr surface_part<basic_height_field> part_at(std::uint32_t t) const noexcept { return {triangle_at(t), this, t}; }
    [[nodiscard]] static constexpr bool meets(aabb<S> const& box, triangle<S> const& t) noexcept { return detail::meet(box, t.bounds(frame<S>{})); }
    [[nodiscard]] constexpr surface_neighbour joined(std::uint32_t t, std::uint32_t other, int side) const noexcept {
        triangle<S> const mine = triangle_at(t), its = triangle_at(other);
        vec3<S> const corners[3] = {its.a, its.b, its.c};
        // From an end of the common edge to the corner beyond it.
        vec3<S> const rise = corners[(side + 2) % 3] - corners[side];
        return {other, static_cast<std::uint8_t>(side), detail::edge_between(mine.normal(), its.normal(), rise)};
    }
    [[nodiscard]] constexpr ray_hit<S> cast_cell(ray<S> const& r, std::size_t i, std::size_t j, S const& lowest, S const& highest) const noexcept {
        std::size_t const at = j * columns_ + i;
        S const p = heights_[at], q = heights_[at + columns_], s = heights_[at + 1], t = heights_[at + columns_ + 1];
        if (max(max(p, q), max(s, t)) < lowest || min(min(p, q), min(s, t)) > highest) return {};
        return detail::nearer(triangle_at(number_of(i, j)).cast(r), triangle_at(number_of(i, j) + 1).cast(r));
    }

    typename Storage::template array<S, N> heights_{};
    std::size_t columns_ = 0, rows_ = 0;
    vec<S, 2> spacing_{};
    aabb<S> bounds_ = empty_aabb<S>();
    input_fault fault_{"heights", "must not be empty; their number", 0};
};

/// Of as many samples as it needs.
template <class S>
using height_field = basic_height_field<S>;

namespace detail {

template <class S, class Storage, std::size_t N>
struct height_field_builder<basic_height_field<S, Storage, N>> {
    using field = basic_height_field<S, Storage, N>;

    [[nodiscard]] static constexpr field refused(char const* name, char const* requirement, error_number value) {
        field f;
        f.fault_ = {name, requirement, value};
        return f;
    }
    [[nodiscard]] static constexpr field build(std::span<S const> heights, std::size_t columns, vec<S, 2> const& spacing) {
        auto const count = static_cast<error_number>(heights.size());
        if (heights.empty()) return field{};
        if (columns < 2) return refused("columns", "must be at least two", static_cast<error_number>(columns));
        if (heights.size() % columns != 0) return refused("heights", "must fill their rows; their number", count);
        if (heights.size() / columns < 2) return refused("heights", "must fill two rows at least; their number", count);
        if (Storage::is_static && heights.size() > N) return refused("heights", "must not be more than there is room for; their number", count);
        // Triangles are numbered by 32 bits.
        if (heights.size() > 0x7fffffffu) return refused("heights", "must not be more than can be numbered; their number", count);
        if (input_fault const f = first_fault(extent_parameter("spacing[0]", spacing[0]), extent_parameter("spacing[1]", spacing[1])); f.name != nullptr)
            return refused(f.name, f.requirement, f.value);
        field made;
        made.columns_ = columns;
        made.rows_ = heights.size() / columns;
        made.spacing_ = spacing;
        for (std::size_t i = 0; i < heights.size(); ++i) {
            if (!all(isfinite(heights[i]))) return refused("heights", "must be finite, but one is not; its index", static_cast<error_number>(i));
            made.heights_.push_back(heights[i]);
            made.bounds_ = merged(made.bounds_, made.sample(i % columns, i / columns));
        }
        made.fault_ = {};
        return made;
    }
};

}  // namespace detail

/// Heights (m) over a grid of so many columns (samples along x) and a spacing (m, along x and z).
template <class Heights>
    requires requires(Heights const& h) { std::span(h); } && scalar<detail::element_t<Heights>>
[[nodiscard]] constexpr auto height_field_of(Heights const& heights, std::size_t columns, vec<detail::element_t<Heights>, 2> const& spacing) {
    using S = detail::element_t<Heights>;
    return detail::height_field_builder<height_field<S>>::build(std::span<S const>(heights), columns, spacing);
}

/// The same without a heap, for up to N samples: height_field_in_place<256>(heights, 16, spacing).
template <std::size_t N, class Heights>
    requires requires(Heights const& h) { std::span(h); } && scalar<detail::element_t<Heights>>
[[nodiscard]] constexpr auto height_field_in_place(Heights const& heights, std::size_t columns, vec<detail::element_t<Heights>, 2> const& spacing) {
    using S = detail::element_t<Heights>;
    return detail::height_field_builder<basic_height_field<S, static_storage<>, N>>::build(std::span<S const>(heights), columns, spacing);
}

}  // namespace sinew::inline v0
