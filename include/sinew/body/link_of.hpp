#pragma once
// Places to bind things to: link I of a generalized body, or what the thing binds anyway. What on_link and force_on_link are told.

#include <sinew/body/generalized_body.hpp>

namespace sinew::inline v0 {

/// Link I of a body over map template Map.
template <template <class> class Map, std::size_t I = 0>
struct link_of {
    static constexpr bool is_link = true;
    static constexpr std::size_t index = I;
    template <class S, class Kind>
    using kind = generalized<Map<S>>;

    /// Whether the link is what an attachment of kind Kind wants: a pose for a rigid body, a point for a particle.
    template <class S, class Kind>
    [[nodiscard]] static constexpr bool suits() noexcept {
        if constexpr (I < detail::link_count_v<Map<S>>)
            return std::same_as<detail::link_kind_t<Map<S>, I>, Kind>;
        else
            return false;
    }
    // Of the generalized one to that of its link. A pose or body of any other kind (the maker `at` may be given one) stays.
    template <class P>
    [[nodiscard]] static constexpr auto pose(P const& p) noexcept {
        if constexpr (is_generalized_pose_v<P>)
            return p.template link<I>();
        else
            return p;
    }
    template <class B>
    [[nodiscard]] static constexpr auto body(B const& b) noexcept {
        return b.template link<I>();
    }
    template <class B, class S>
    [[nodiscard]] static constexpr auto push(B const& b, wrench<S> const& w) noexcept {
        return b.template pulled<I>(w);
    }
};

/// Whatever the constraint or force binds by itself.
struct as_bound {
    static constexpr bool is_link = false;
    template <class S, class Kind>
    using kind = Kind;
    template <class S, class Kind>
    [[nodiscard]] static constexpr bool suits() noexcept {
        return true;
    }
    [[nodiscard]] static constexpr auto pose(auto const& p) noexcept { return p; }
    [[nodiscard]] static constexpr auto body(auto const& b) noexcept { return b; }
    [[nodiscard]] static constexpr auto push(auto const&, auto const& w) noexcept { return w; }
};

namespace detail {

// The place of attachment I: those that are not given are as bound.
template <std::size_t I, class... Places>
struct place_at {
    using type = as_bound;
};
template <std::size_t I, class... Places>
    requires(I < sizeof...(Places))
struct place_at<I, Places...> {
    using type = std::tuple_element_t<I, std::tuple<Places...>>;
};

// The attachments of a joint whose attachments are A, some of them links.
template <class S, class A, class... Places>
struct on_places;
template <class S, class... K, class... Places>
struct on_places<S, binds<K...>, Places...> {
    static_assert(sizeof...(Places) <= sizeof...(K), "sinew: more places are given than there are attachments; give at most one for each, in their order.");
    template <std::size_t I>
    using place = typename place_at<I, Places...>::type;
    template <class Seq>
    struct made;
    template <std::size_t... I>
    struct made<std::index_sequence<I...>> {
        static_assert((place<I>::template suits<S, K>() && ...),
                      "sinew: a link does not suit the attachment that it stands for: the map has no link of that number, or a point stands for a rigid body "
                      "(which wants a pose), or a pose for a particle (which wants a point).");
        using type = binds<typename place<I>::template kind<S, K>...>;
    };
    using indices = std::index_sequence_for<K...>;
    using attachments = typename made<indices>::type;
};

}  // namespace detail

}  // namespace sinew::inline v0
