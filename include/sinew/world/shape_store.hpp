#pragma once
// The colliders of a world: a pool of shapes for each type, what all colliders have in common, where each is now, and the broad phase's
// index of their boxes.
//
// A collider's number is its id in the broad phase and the index in its handle. Frames and boxes are those of the bodies' poses of now
// whenever no step is under way, so that queries may read them.

#include <sinew/collision/broad_phase.hpp>
#include <sinew/geometry/surface_part.hpp>
#include <sinew/world/collider.hpp>
#include <sinew/world/pool.hpp>

namespace sinew::inline v0 {

namespace detail {

template <class Env, class BroadPhase, class Shapes>
class shape_store;

template <class Env, class BroadPhase, class... Shapes>
class shape_store<Env, BroadPhase, shape_list<Shapes...>> {
public:
    using S = typename Env::scalar;
    using R = typename Env::rotation;
    using record = collider_record<S>;
    static constexpr std::uint32_t none = record::none;
    static constexpr std::size_t capacity = Env::limits.colliders;
    template <class T, std::size_t N>
    using array = typename Env::template array<T, N>;

    [[nodiscard]] constexpr bool full() const noexcept { return slots_.full() || (slots_.next() == records_.size() && is_full(records_)); }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return slots_.size(); }
    [[nodiscard]] constexpr std::size_t alive() const noexcept { return slots_.alive(); }
    [[nodiscard]] constexpr auto const& slots() const noexcept { return slots_; }
    [[nodiscard]] constexpr record const& operator[](std::size_t id) const noexcept { return records_[id]; }
    [[nodiscard]] constexpr record& operator[](std::size_t id) noexcept { return records_[id]; }
    [[nodiscard]] constexpr material<S> const& surface(std::size_t id) const noexcept { return materials_[id]; }
    [[nodiscard]] constexpr material<S>& surface(std::size_t id) noexcept { return materials_[id]; }
    [[nodiscard]] constexpr frame<S> const& frame_at(std::size_t id) const noexcept { return frames_[id]; }
    [[nodiscard]] constexpr auto& index() noexcept { return index_; }
    [[nodiscard]] constexpr auto const& index() const noexcept { return index_; }
    template <class Shape>
    [[nodiscard]] static constexpr std::uint16_t type_of() noexcept {
        return static_cast<std::uint16_t>(place_of<Shape>());
    }

    /// The colliders of a body: the first, then along record::next.
    /// Whether any of its shapes is a surface.
    [[nodiscard]] constexpr bool has_surfaces() const noexcept {
        return ((is_surface<Shapes> && std::get<shape_pool<Shapes>>(shapes_).values.size() > std::get<shape_pool<Shapes>>(shapes_).free.size()) || ...);
    }
    [[nodiscard]] constexpr std::uint32_t first_of(std::uint32_t body) const noexcept { return body < first_.size() ? first_[body] : none; }
    template <class F>
    constexpr void for_each_of(std::uint32_t body, F&& f) const {
        for (std::uint32_t id = first_of(body); id != none;) {
            std::uint32_t const next = records_[id].next;  // f may remove it
            f(id);
            id = next;
        }
    }

    /// Id of a new collider, which is not in the index yet.
    template <class Shape>
    constexpr std::uint32_t add(Shape const& shape, record const& r, material<S> const& m) {
        record mine = r;
        mine.type = type_of<Shape>();
        mine.at = std::get<place_of<Shape>()>(shapes_).add(shape);
        return enter(mine, m);
    }
    /// One of another store, on a body that has another number here; behind the others, and not in the index yet. Its shape stays there.
    constexpr std::uint32_t take(shape_store const& from, std::uint32_t its_id, std::uint32_t body) {
        auto const id = static_cast<std::uint32_t>(records_.size());
        slots_.put(from.slots_[its_id]);
        records_.push_back(from.records_[its_id]);
        records_[id].body = body;
        materials_.push_back(from.materials_[its_id]);
        frames_.push_back(from.frames_[its_id]);
        tie(id);
        return id;
    }
    constexpr void swap_shapes(shape_store& other) noexcept { std::swap(shapes_, other.shapes_); }
    /// Of what was taken: there are no holes, and no shapes.
    constexpr void give_back() {
        for (std::uint32_t id = 0; id < records_.size(); ++id) index_.erase(id);
        records_.clear();
        materials_.clear();
        frames_.clear();
        first_.clear();
        slots_.clear();
    }
    constexpr void remove(std::uint32_t id) {
        record const& r = records_[id];
        std::uint32_t* link = &first_[r.body];
        while (*link != id) link = &records_[*link].next;
        *link = r.next;
        with_type(r.type, [&](auto t) { std::get<t>(shapes_).remove(r.at); });
        index_.erase(id);
        records_[id] = {};
        materials_[id] = {};
        frames_[id] = {};
        slots_.release(id);
    }

    /// Where the body's colliders are now: their frames. f(id) for each.
    template <class F>
    constexpr void move_with(std::uint32_t body, pose<S, R> const& at, F&& f) {
        std::uint32_t id = first_of(body);
        if (id == none) return;
        frame<S> const whole = frame_of(at);
        for (; id != none; id = records_[id].next) {
            frames_[id] = records_[id].plain ? whole : whole * records_[id].local;
            f(id);
        }
    }
    /// The box around a collider where it is now.
    [[nodiscard]] constexpr aabb<S> bounds(std::uint32_t id) const {
        aabb<S> b{};
        with_shape(id, [&](auto const& shape) { b = bounds_of<S>(shape, frames_[id]); });
        return b;
    }

    template <class Shape>
    [[nodiscard]] constexpr Shape const& get(std::uint32_t id) const noexcept {
        return std::get<place_of<Shape>()>(shapes_).values[records_[id].at];
    }
    /// f(shape) with the shape as what it is.
    template <class F>
    constexpr void with_shape(std::uint32_t id, F&& f) const {
        record const& r = records_[id];
        with_type(r.type, [&](auto t) { f(std::get<t>(shapes_).values[r.at]); });
    }
    /// f(shape of a, shape of b): a's type stands before b's in the list, or is the same; which the caller sees to. So each two types are compiled once.
    template <class F>
    constexpr void with_shapes(std::uint32_t a, std::uint32_t b, F&& f) const {
        record const &p = records_[a], &q = records_[b];
        with_type(p.type, [&](auto t) {
            with_type_from<t>(q.type, [&](auto u) { f(std::get<t>(shapes_).values[p.at], std::get<u>(shapes_).values[q.at]); });
        });
    }

    /// The same colliders with the same shapes. Where they are follows from the bodies.
    [[nodiscard]] friend constexpr bool operator==(shape_store const& a, shape_store const& b) {
        return a.slots_ == b.slots_ && a.records_ == b.records_ && a.materials_ == b.materials_ && a.shapes_ == b.shapes_;
    }

private:
    // Whatever its shape is.
    constexpr std::uint32_t enter(record const& r, material<S> const& m) {
        std::uint32_t const id = slots_.take(slots_.next());
        if (id == records_.size()) {
            records_.push_back({});
            materials_.push_back({});
            frames_.push_back({});
        }
        records_[id] = r;
        materials_[id] = m;
        tie(id);
        return id;
    }
    // To the others of its body.
    constexpr void tie(std::uint32_t id) {
        record& r = records_[id];
        while (first_.size() <= r.body) first_.push_back(none);
        r.next = first_[r.body];
        first_[r.body] = id;
    }
    // Shapes stay where they are; holes are used again.
    template <class Shape>
    struct shape_pool {
        array<Shape, capacity> values{};
        array<std::uint32_t, capacity> free{};

        constexpr std::uint32_t add(Shape const& shape) {
            if (free.size() > 0) {
                std::uint32_t const i = free.back();
                free.pop_back();
                values[i] = shape;
                return i;
            }
            values.push_back(shape);
            return static_cast<std::uint32_t>(values.size() - 1);
        }
        constexpr void remove(std::uint32_t i) {
            values[i] = Shape{};
            free.push_back(i);
        }
        [[nodiscard]] friend constexpr bool operator==(shape_pool const& a, shape_pool const& b) {
            if constexpr (std::equality_comparable<Shape>)
                return a.values == b.values && a.free == b.free;
            else
                return a.values.size() == b.values.size() && a.free == b.free;
        }
    };
    template <class Shape>
    [[nodiscard]] static constexpr std::size_t place_of() noexcept {
        std::size_t i = 0, found = 0;
        ((found = std::same_as<Shape, Shapes> ? i : found, ++i), ...);
        return found;
    }
    // f(type as a constant).
    template <class F>
    static constexpr void with_type(std::uint16_t type, F&& f) {
        with_type_from<0>(type, f);
    }
    template <std::size_t T, class F>
    static constexpr void with_type_from(std::uint16_t type, F&& f) {
        if constexpr (T + 1 < sizeof...(Shapes)) {
            if (type == T)
                f(std::integral_constant<std::size_t, T>{});
            else
                with_type_from<T + 1>(type, f);
        } else if constexpr (T < sizeof...(Shapes)) {
            f(std::integral_constant<std::size_t, T>{});
        }
    }

    slot_list<array<slot, capacity>> slots_{};
    array<record, capacity> records_{};
    array<material<S>, capacity> materials_{};
    array<frame<S>, capacity> frames_{};
    array<std::uint32_t, Env::limits.bodies + 1> first_{};
    std::tuple<shape_pool<Shapes>...> shapes_{};
    typename BroadPhase::template index<S, typename Env::storage, capacity> index_{};
};

}  // namespace detail

}  // namespace sinew::inline v0
