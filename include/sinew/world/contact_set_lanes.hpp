#pragma once
// The contacts of a world whose scalar has lanes: one is in the list as soon as any lane has it, and says in which (contact_presence).

#include <sinew/constraint/contact_lanes.hpp>
#include <sinew/world/contact_pairs.hpp>

#include <algorithm>

namespace sinew::inline v0::detail {

/// Contacts of the pairs that have one in any lane.
template <class Env>
    requires has_lanes_v<typename Env::scalar>
struct contact_set<Env> {
    using S = typename Env::scalar;
    using contact_type = typename Env::contact_type;
    using entry = constraint_entry<contact_type, S, Env::memory_per_row>;
    template <class T, std::size_t N>
    using array = typename Env::template array<T, N>;
    static constexpr std::size_t max_contacts = Env::limits.contacts;
    static constexpr std::size_t max_pairs = Env::limits.pairs > 0 ? Env::limits.pairs : max_contacts;

    struct pair {
        std::uint32_t a = 0, b = 0, first = 0, count = 0;  // colliders, a below b; contacts
        frame<S> of_b{};                                   // where b was in the frame of a when they were looked for
        vec3<S> normal{};                                  // in that frame
        S margin{};                                        // how far apart they were looked for, m; below 0: not to be used again
        S live{};                                          // contacts of each lane
        [[nodiscard]] friend constexpr bool operator==(pair const&, pair const&) = default;

        /// In these lanes contacts were looked for as those of another.
        constexpr void is_of(pair const& other, mask_t<S> const& lanes) noexcept {
            of_b.position = select(lanes, other.of_b.position, of_b.position);
            of_b.rotation = select(lanes, other.of_b.rotation, of_b.rotation);
            normal = select(lanes, other.normal, normal);
            margin = select(lanes, other.margin, margin);
        }
    };
    array<pair, max_pairs> pairs{};
    array<entry, max_contacts> entries{};
    array<S, max_contacts> features{};

    constexpr void clear() noexcept {
        pairs.clear();
        entries.clear();
        features.clear();
    }
    [[nodiscard]] constexpr bool has_room(std::size_t contacts) const noexcept {
        if constexpr (requires { entries.full(); })
            return !is_full(pairs) && entries.size() + contacts <= decltype(entries)::capacity();
        else
            return true;
    }
    /// Contacts come from somewhere else: none is known to be the same as another.
    constexpr void forget_writings() noexcept {
        for (entry& e : entries) e.constraint.presence.written = 0;
    }
    template <class F>
    constexpr void for_each_number(F&& f) const {
        for (auto const& e : entries) {
            for (auto const& x : e.lambda.e) f(x);
            if constexpr (entry::memory_size > 0)
                for (auto const& x : e.memory.e) f(x);
        }
    }
    [[nodiscard]] friend constexpr bool operator==(contact_set const&, contact_set const&) = default;
};

/// What `from` has in the lanes `on` and `rest` has in the others, as if they had been found together. False if there is no room for it.
/// A contact keeps its place within its pair, which is that in the list of a world alone; where it is not, nothing presses.
template <class Env>
[[nodiscard]] constexpr bool merge_lanes(mask_t<typename Env::scalar> const& on, contact_set<Env> const& from, contact_set<Env> const& rest, contact_set<Env>& merged) {
    using S = typename Env::scalar;
    using set = contact_set<Env>;
    using pair = typename set::pair;
    auto const stay = !on;
    auto const is_before = [](pair const& p, pair const& q) { return p.a < q.a || (p.a == q.a && p.b < q.b); };
    merged.clear();
    for (std::size_t i = 0, j = 0; i < from.pairs.size() || j < rest.pairs.size();) {
        bool const of_from = j == rest.pairs.size() || (i < from.pairs.size() && !is_before(rest.pairs[j], from.pairs[i]));
        bool const of_rest = i == from.pairs.size() || (j < rest.pairs.size() && !is_before(from.pairs[i], rest.pairs[j]));
        pair const p = of_from ? from.pairs[i++] : pair{}, q = of_rest ? rest.pairs[j++] : pair{};

        pair both = of_from ? p : q;
        both.live = select(on, p.live, q.live);
        if (!any(both.live > S(0))) continue;
        if (of_from && of_rest) both.is_of(q, stay);
        both.first = static_cast<std::uint32_t>(merged.entries.size());
        both.count = 0;
        for (std::uint32_t k = 0; k < p.count; ++k)
            if (any(on && from.entries[p.first + k].constraint.presence.here)) both.count = k + 1;
        for (std::uint32_t k = both.count; k < q.count; ++k)
            if (any(stay && rest.entries[q.first + k].constraint.presence.here)) both.count = k + 1;
        if (!merged.has_room(both.count)) return false;
        for (std::uint32_t k = 0; k < both.count; ++k) {
            bool const in_p = k < p.count, in_q = k < q.count;
            auto e = in_p ? from.entries[p.first + k] : rest.entries[q.first + k];
            S feature = in_p ? from.features[p.first + k] : rest.features[q.first + k];
            if (in_p && in_q) {
                auto const& other = rest.entries[q.first + k];
                e.constraint = select_contact(on, e.constraint, other.constraint);
                e.lambda = select(on, e.lambda, other.lambda);
                if constexpr (set::entry::memory_size > 0) e.memory = select(on, e.memory, other.memory);
                feature = select(on, feature, rest.features[q.first + k]);
            } else {
                auto const here = in_p ? on : stay;
                e.constraint.presence.here = e.constraint.presence.here && here;
                e.lambda = select(here, e.lambda, {});
                if constexpr (set::entry::memory_size > 0) e.memory = select(here, e.memory, {});
            }
            merged.entries.push_back(e);
            merged.features.push_back(feature);
        }
        merged.pairs.push_back(both);
    }
    merged.forget_writings();
    return true;
}

}  // namespace sinew::inline v0::detail
