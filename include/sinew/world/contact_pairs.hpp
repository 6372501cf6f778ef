#pragma once
// The contacts of a world: which colliders are near each other, at which points, and what the solver has learnt of each point.
//
// A set of pairs, ascending in (a, b), each with the contacts that belong to it: constraint entries as a solver sees them, and beside each the
// features that met there. It is made anew in every step; what is found again takes over the multipliers, and the memory of friction, of the entry it had
// before. So nothing in it depends on how it came about, and a copy of it is all that a snapshot needs.

#include <sinew/collision/manifold.hpp>
#include <sinew/constraint/contact.hpp>
#include <sinew/constraint/rolling_friction.hpp>
#include <sinew/math/quad.hpp>
#include <sinew/solver/problem.hpp>
#include <sinew/world/collider.hpp>
#include <sinew/world/environment.hpp>

namespace sinew::inline v0 {

namespace detail {

template <class Config, class Maps, class Contact, class... Cs>
struct colliding_environment_of {
    struct with_contacts : colliding_environment<Config, Maps, Contact, false, Cs...> {
        using constraint_types = std::tuple<Cs..., Contact>;
    };
    struct with_rolling : colliding_environment<Config, Maps, Contact, true, Cs...> {
        using constraint_types = std::tuple<Cs..., Contact, rolling_friction<typename Config::scalar>>;
    };
};

/// Two colliders that are near each other, a below b.
struct near_pair {
    std::uint32_t a = 0, b = 0;
    std::uint32_t first = 0;            // of its contacts
    std::uint32_t first_rolling = 0;    // of its rolling frictions
    std::uint16_t count = 0;            // of its contacts; it may have none, and touch: a sensor
    std::uint16_t rolling_count = 0;
    bool sensor = false;
    bool touches = false;       // at the end of the step
    bool lingers = false;       // is so near that what touched before goes on touching
    bool was_touching = false;  // at its beginning

    [[nodiscard]] constexpr std::uint64_t key() const noexcept { return std::uint64_t{a} << 32 | b; }
    /// The same without its contacts, when nothing moves it.
    [[nodiscard]] constexpr near_pair at_rest() const noexcept {
        near_pair p = *this;
        p.count = p.rolling_count = 0;
        p.was_touching = touches;
        return p;
    }
    [[nodiscard]] friend constexpr bool operator==(near_pair const&, near_pair const&) = default;
};
/// By what a contact is found again: the features that meet, and the parts of composed shapes that they are on.
struct point_key {
    std::uint32_t feature = 0, part_a = 0, part_b = 0;
    [[nodiscard]] friend constexpr bool operator==(point_key const&, point_key const&) = default;
};

/// Where two colliders were against each other when their contacts were looked for, in the frame of a; and how long their contacts have acted since they were last seen.
template <class S>
struct pair_origin {
    frame<S> of_b{};
    vec3<S> normal{};  // of the contacts
    S margin{-1};      // how far apart points were looked for, m; below 0: they are not to be used again
    S step{};          // that the contacts were made for, s. Groups differ in it, and what sleeps has had none since
    [[nodiscard]] friend constexpr bool operator==(pair_origin const&, pair_origin const&) = default;

    /// Whether b is where it was against a, but for a shift and a turn that move no point within `radius` of its origin by more than `most` (m).
    [[nodiscard]] constexpr bool is_at(frame<S> const& a, frame<S> const& b, S const& radius, S const& most) const noexcept {
        S const shift = squared_norm(a.local_point(b.position) - of_b.position);
        if (!all(shift * S(4) <= most * most)) return false;
        return with_quads<S>([&](auto quad) {
            using Q = typename decltype(quad)::type;
            auto const row = [](frame<S> const& f, std::size_t i) { return Q::of(f.rotation.m(i, 0), f.rotation.m(i, 1), f.rotation.m(i, 2), S(0)); };
            mat3<S> const& A = a.rotation.m;
            Q const x = row(b, 0), y = row(b, 1), z = row(b, 2);
            alignas(quad_alignment_v<S>) S squares[3][4];
            for (std::size_t i = 0; i < 3; ++i) {
                Q const now = Q::splat(A(0, i)) * x + Q::splat(A(1, i)) * y + Q::splat(A(2, i)) * z, d = now - row(of_b, i);
                (d * d).store(squares[i]);
            }
            S turn(0);
            for (auto const& of_row : squares)
                for (std::size_t i = 0; i < 3; ++i) turn = turn + of_row[i];
            return all(turn * (radius * radius) * S(2) <= most * most);  // turn: twice the angle squared
        });
    }
};

/// Of the core of a fast body.
inline constexpr std::uint32_t core_feature = 0xffffffffu;

/// Env: the world's environment, which names its types of contact.
template <class Env>
struct contact_set {
    using S = typename Env::scalar;
    using contact_type = typename Env::contact_type;
    using entry = constraint_entry<contact_type, S, Env::memory_per_row>;
    using rolling_entry = constraint_entry<rolling_friction<S>, S, Env::memory_per_row>;
    template <class T, std::size_t N>
    using array = typename Env::template array<T, N>;
    static constexpr std::size_t max_contacts = Env::limits.contacts;
    static constexpr std::size_t max_pairs = Env::limits.pairs > 0 ? Env::limits.pairs : max_contacts;
    static constexpr std::size_t max_rolling = Env::resists_rolling ? max_pairs : 0;

    array<near_pair, max_pairs> pairs{};
    array<pair_origin<S>, max_pairs> origins{};  // of pairs
    array<entry, max_contacts> entries{};
    array<point_key, max_contacts> keys{};
    array<rolling_entry, max_rolling> rolling{};
    array<point_key, max_rolling> rolling_keys{};

    constexpr void clear() noexcept {
        pairs.clear();
        origins.clear();
        entries.clear();
        keys.clear();
        rolling.clear();
        rolling_keys.clear();
    }
    /// A pair of another set, with all that belongs to it, behind the others.
    constexpr void append(contact_set const& from, near_pair const& p) { append(from, static_cast<std::size_t>(&p - from.pairs.data()), p); }
    /// The same of the pair at a place there, as it is to be here.
    constexpr void append(contact_set const& from, std::size_t place, near_pair const& p) {
        near_pair mine = p;
        mine.first = static_cast<std::uint32_t>(entries.size());
        mine.first_rolling = static_cast<std::uint32_t>(rolling.size());
        append_contacts(from, p);
        rolling.append(from.rolling.data() + p.first_rolling, p.rolling_count);
        rolling_keys.append(from.rolling_keys.data() + p.first_rolling, p.rolling_count);
        pairs.push_back(mine);
        origins.push_back(p.count == 0 ? pair_origin<S>{} : from.origins[place]);
    }
    /// Its contacts alone.
    constexpr void append_contacts(contact_set const& from, near_pair const& p) {
        entries.append(from.entries.data() + p.first, p.count);
        keys.append(from.keys.data() + p.first, p.count);
    }
    /// Of a pair in this set.
    [[nodiscard]] constexpr pair_origin<S> const& origin_of(near_pair const& p) const noexcept { return origins[static_cast<std::size_t>(&p - pairs.data())]; }
    /// Whether a copy of this pair still fits behind the others.
    [[nodiscard]] constexpr bool has_room(near_pair const& p) const noexcept {
        return !is_full(pairs) && has_room_for(entries, p.count) && has_room_for(rolling, p.rolling_count);
    }
    template <class F>
    constexpr void for_each_number(F&& f) const {
        auto const of = [&](auto const& e) {
            for (auto const& x : e.lambda.e) f(x);
            if constexpr (std::remove_cvref_t<decltype(e)>::memory_size > 0)
                for (auto const& x : e.memory.e) f(x);
        };
        for (auto const& e : entries) of(e);
        for (auto const& e : rolling) of(e);
    }
    [[nodiscard]] friend constexpr bool operator==(contact_set const&, contact_set const&) = default;

private:
    template <class A>
    [[nodiscard]] static constexpr bool has_room_for(A const& array, std::size_t n) noexcept {
        if constexpr (requires { array.full(); })
            return array.size() + n <= A::capacity();
        else
            return true;
    }
};

/// Walks a set by ascending keys: where each pair asked for stood in the last step.
template <class Set>
class pair_cursor {
public:
    constexpr explicit pair_cursor(Set const& set) noexcept : set_(&set) {}
    /// The pair, or nothing. f(pair) for each one passed over. Keys must ascend.
    template <class F>
    [[nodiscard]] constexpr near_pair const* seek(std::uint64_t key, F&& f) {
        while (at_ < set_->pairs.size() && set_->pairs[at_].key() < key) f(set_->pairs[at_++]);
        if (at_ < set_->pairs.size() && set_->pairs[at_].key() == key) return &set_->pairs[at_++];
        return nullptr;
    }

private:
    Set const* set_;
    std::size_t at_ = 0;
};

}  // namespace detail

}  // namespace sinew::inline v0
