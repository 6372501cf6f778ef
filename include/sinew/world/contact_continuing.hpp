#pragma once
// Contacts that were there in the last step go on: with their multipliers, the place where they stick, and how they have gone since.
//
// One by one by contact_with::continue_from; or, where a scalar has lanes, as many as there are lanes at once, with the same bits (constraint/contact_lanes.hpp). Those that are
// found again are then put beside each other until there are enough of them.

#include <sinew/constraint/contact_lanes.hpp>
#include <sinew/constraint/in_lanes.hpp>
#include <sinew/math/batch.hpp>
#include <sinew/world/contact_pairs.hpp>

namespace sinew::inline v0 {

namespace detail {

/// One by one.
template <class Set>
struct contacts_continued_singly {
    using S = typename Set::S;
    using entry = typename Set::entry;

    /// The contact at a place of the set is `old`, h seconds later, between bodies at a and b.
    static constexpr void add(Set& set, std::size_t place, entry const& old, frame<S> const& a, frame<S> const& b, S const& h) {
        auto& e = set.entries[place];
        e.lambda = e.constraint.continue_from(old.constraint, old.lambda, a, b, h);
    }
    static constexpr void finish(Set&) noexcept {}
};

/// In lanes.
template <class Set>
class contacts_continued_in_lanes {
public:
    using S = typename Set::S;
    using entry = typename Set::entry;
    static constexpr std::size_t lanes = sizeof(S) > 4 ? 4 : 8;  // 32 bytes: of more without AVX-512 most would lie on the stack

    constexpr void add(Set& set, std::size_t place, entry const& old, frame<S> const& a, frame<S> const& b, S const& h) {
        std::size_t const i = count_++;
        places_[i] = place;
        auto const &c = set.entries[place].constraint, &was = old.constraint;
        set_lane<B>(now_.anchor_a, i, c.anchor_a);
        set_lane<B>(now_.anchor_b, i, c.anchor_b);
        set_lane<B>(now_.core_a, i, c.core_a);
        set_lane<B>(now_.core_b, i, c.core_b);
        now_.rounding.e[i] = c.rounding;
        set_lane<B>(now_.normal, i, c.normal);
        set_lane<B>(now_.tangent, i, c.tangent);
        now_.static_friction.e[i] = c.static_friction;
        now_.dynamic_friction.e[i] = c.dynamic_friction;
        set_lane<B>(now_.arm, i, c.arm);
        set_lane<B>(last_.anchor_a, i, was.anchor_a);
        set_lane<B>(last_.anchor_b, i, was.anchor_b);
        set_lane<B>(last_.core_a, i, was.core_a);
        set_lane<B>(last_.core_b, i, was.core_b);
        last_.rounding.e[i] = was.rounding;
        set_lane<B>(last_.normal, i, was.normal);
        set_lane<B>(last_.tangent, i, was.tangent);
        set_lane<B>(last_.slip, i, was.slip);
        last_.static_friction.e[i] = was.static_friction;
        last_.dynamic_friction.e[i] = was.dynamic_friction;
        set_lane<B>(last_.surface_velocity, i, was.surface_velocity);
        last_.pressing.e[i] = was.pressing;
        last_.slides.e[i] = was.slides ? -1 : 0;
        set_lane<B>(last_.turning, i, was.turning);
        set_lane<B>(last_.arm, i, was.arm);
        set_lane<B>(last_.travel, i, was.travel);
        set_lane<B>(lambda_, i, old.lambda);
        set_lane<B>(a_, i, a);
        set_lane<B>(b_, i, b);
        h_.e[i] = h;
        if (count_ == lanes) finish(set);
    }
    /// Those that have not been enough for all lanes.
    constexpr void finish(Set& set) {
        if (count_ == 0) return;
        mask_t<B> found = false;
        for (std::size_t i = 0; i < count_; ++i) found.e[i] = -1;
        now_.slip = {};
        now_.pressing = B(S(0));
        now_.slides = false;
        now_.turning = now_.arm_rate = now_.travel = {};
        now_.steadiness = B(S(0));
        vec<B, 3> const lambda = go_on(now_, found, mask_t<B>(false), last_, lambda_, now_.normal, a_, b_, h_, false);
        for (std::size_t i = 0; i < count_; ++i) {
            auto& e = set.entries[places_[i]];
            auto& c = e.constraint;
            c.anchor_a = lane(now_.anchor_a, i);
            c.anchor_b = lane(now_.anchor_b, i);
            c.core_a = lane(now_.core_a, i);
            c.core_b = lane(now_.core_b, i);
            c.tangent = lane(now_.tangent, i);
            c.slip = lane(now_.slip, i);
            c.pressing = now_.pressing.e[i];
            c.slides = now_.slides.e[i] != 0;
            c.turning = lane(now_.turning, i);
            c.arm_rate = lane(now_.arm_rate, i);
            c.travel = lane(now_.travel, i);
            c.steadiness = now_.steadiness.e[i];
            e.lambda = lane(lambda, i);
        }
        count_ = 0;
    }

private:
    using B = batch<S, lanes>;
    using wide_contact = in_lanes_t<typename Set::contact_type, B>;
    [[nodiscard]] static constexpr vec3<S> lane(vec3<B> const& v, std::size_t i) noexcept { return {v[0].e[i], v[1].e[i], v[2].e[i]}; }

    wide_contact now_{}, last_{};
    frame<B> a_{}, b_{};
    vec<B, 3> lambda_{};
    B h_{};
    std::size_t places_[lanes]{};
    std::size_t count_ = 0;
};

/// Lanes are worth it for the numbers that processors have vectors of, where there is no lack of memory.
template <class Set, bool IsStatic>
using continued_contacts = std::conditional_t<std::floating_point<typename Set::S> && !IsStatic, contacts_continued_in_lanes<Set>, contacts_continued_singly<Set>>;

}  // namespace detail

}  // namespace sinew::inline v0
