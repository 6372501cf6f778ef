#pragma once
// N constraints of one type as one constraint over a scalar of N lanes: its own code then computes all of them at once.
//
//   in_lanes_t<hinge_joint<float>, batch<float, 8>>    hinge_joint<batch<float, 8>>
//   set_lane(wide, i, one)                             lane i of every number in it is that of `one`
//   same_in_all_lanes(a, b)                            what is no number of the scalar (teeth, flags) is equal: a and b can be lanes of one
//
// A constraint is rebuilt over the lanes by its template, and taken apart as an aggregate: numbers, arrays of them, aggregates of those. One that
// is not made that way, and one that says `static constexpr bool in_lanes = false` because it branches by its numbers, is left alone. One with bit-fields must
// say so: nothing can refer to them.

#include <sinew/constraint/constraint.hpp>

#include <array>
#include <tuple>

namespace sinew::inline v0 {

namespace detail {

// T with S replaced by B, wherever it stands among the arguments of templates; T itself where its template takes no B.
template <class T, class S, class B>
struct with_scalar {
    using type = T;
};
template <class S, class B>
struct with_scalar<S, S, B> {
    using type = B;
};
template <template <class...> class X, class... A, class S, class B>
    requires(!std::same_as<X<A...>, S>) && requires { typename X<typename with_scalar<A, S, B>::type...>; }
struct with_scalar<X<A...>, S, B> {
    using type = X<typename with_scalar<A, S, B>::type...>;
};
template <template <class, std::size_t...> class X, class A, std::size_t... N, class S, class B>
    requires(sizeof...(N) > 0 && !std::same_as<X<A, N...>, S>) && requires { typename X<typename with_scalar<A, S, B>::type, N...>; }
struct with_scalar<X<A, N...>, S, B> {
    using type = X<typename with_scalar<A, S, B>::type, N...>;
};
template <template <class, template <class> class...> class X, class A, template <class> class... Parts, class S, class B>
    requires(sizeof...(Parts) > 0) && requires { typename X<typename with_scalar<A, S, B>::type, Parts...>; }
struct with_scalar<X<A, Parts...>, S, B> {
    using type = X<typename with_scalar<A, S, B>::type, Parts...>;
};

template <class T>
struct any_base_of {
    template <class U>
        requires(std::is_base_of_v<U, T> && !std::same_as<U, T>)
    constexpr operator U() const noexcept;
};
// Members of a class with a base cannot be had by name.
template <class T>
concept has_base = requires { T{any_base_of<T>{}}; };
// Whether T has as many members as that, and those of the types Last. Braces are one member's, where numbers alone would be the elements of one that is an array.
inline constexpr std::size_t most_members = 12;
template <class T, std::size_t N, class... Last>
[[nodiscard]] constexpr bool takes_members() noexcept {
    if constexpr (N == 1) return requires { T{{}, Last{}...}; };
    else if constexpr (N == 2) return requires { T{{}, {}, Last{}...}; };
    else if constexpr (N == 3) return requires { T{{}, {}, {}, Last{}...}; };
    else if constexpr (N == 4) return requires { T{{}, {}, {}, {}, Last{}...}; };
    else if constexpr (N == 5) return requires { T{{}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (N == 6) return requires { T{{}, {}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (N == 7) return requires { T{{}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (N == 8) return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (N == 9) return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (N == 10) return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (N == 11) return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else if constexpr (N == 12) return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
    else return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, Last{}...}; };
}
struct any_member {
    template <class U>
    constexpr operator U() const noexcept;
};
// 0 of what is no aggregate that can be taken apart, or has too many. One that `{}` does not make, as a reference, ends the count too soon.
template <class T, std::size_t N = most_members + 1>
[[nodiscard]] constexpr std::size_t count_members() noexcept {
    if constexpr (N == 0)
        return 0;
    else if constexpr (takes_members<T, N>())
        return N > most_members || takes_members<T, N, any_member>() ? 0 : N;
    else
        return count_members<T, N - 1>();
}
template <class T>
inline constexpr std::size_t members_v = std::is_empty_v<T> || !std::is_aggregate_v<T> || has_base<T> ? 0 : count_members<T>();

// The members of an aggregate, as references.
template <class T>
[[nodiscard]] constexpr auto members_of(T& x) noexcept {
    constexpr std::size_t n = members_v<std::remove_const_t<T>>;
    if constexpr (n == 0) {
        return std::tuple<>{};
    } else if constexpr (n == 1) {
        auto& [a] = x;
        return std::tie(a);
    } else if constexpr (n == 2) {
        auto& [a, b] = x;
        return std::tie(a, b);
    } else if constexpr (n == 3) {
        auto& [a, b, c] = x;
        return std::tie(a, b, c);
    } else if constexpr (n == 4) {
        auto& [a, b, c, d] = x;
        return std::tie(a, b, c, d);
    } else if constexpr (n == 5) {
        auto& [a, b, c, d, e] = x;
        return std::tie(a, b, c, d, e);
    } else if constexpr (n == 6) {
        auto& [a, b, c, d, e, f] = x;
        return std::tie(a, b, c, d, e, f);
    } else if constexpr (n == 7) {
        auto& [a, b, c, d, e, f, g] = x;
        return std::tie(a, b, c, d, e, f, g);
    } else if constexpr (n == 8) {
        auto& [a, b, c, d, e, f, g, h] = x;
        return std::tie(a, b, c, d, e, f, g, h);
    } else if constexpr (n == 9) {
        auto& [a, b, c, d, e, f, g, h, i] = x;
        return std::tie(a, b, c, d, e, f, g, h, i);
    } else if constexpr (n == 10) {
        auto& [a, b, c, d, e, f, g, h, i, j] = x;
        return std::tie(a, b, c, d, e, f, g, h, i, j);
    } else if constexpr (n == 11) {
        auto& [a, b, c, d, e, f, g, h, i, j, k] = x;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k);
    } else {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l] = x;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
    }
}

// A vector or matrix: an array of numbers, and nothing besides.
template <class T>
concept has_numbers_in_array = requires(T& x) {
    x.e[0];
    requires std::is_array_v<decltype(x.e)>;
    requires sizeof(x) == sizeof(x.e);
};
template <class T>
inline constexpr bool is_std_array_v = false;
template <class T, std::size_t N>
inline constexpr bool is_std_array_v<std::array<T, N>> = true;

// Whether W is T with lanes, number by number.
template <class B, class W, class T>
[[nodiscard]] constexpr bool is_in_lanes() noexcept;
template <class B, class W, class T>
struct members_are_in_lanes : std::false_type {};
template <class B, class... W, class... T>
    requires(sizeof...(W) == sizeof...(T))
struct members_are_in_lanes<B, std::tuple<W...>, std::tuple<T...>> : std::bool_constant<(is_in_lanes<B, std::remove_reference_t<W>, std::remove_reference_t<T>>() && ...)> {};

template <class B, class W, class T>
constexpr bool is_in_lanes() noexcept {
    if constexpr (std::same_as<T, typename B::lane_type>) {
        return std::same_as<W, B>;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
        return std::same_as<W, T>;
    } else if constexpr (std::is_array_v<T> || std::is_array_v<W>) {
        return std::extent_v<T> == std::extent_v<W> && is_in_lanes<B, std::remove_extent_t<W>, std::remove_extent_t<T>>();
    } else if constexpr (std::is_empty_v<T> && std::is_empty_v<W>) {
        return true;
    } else if constexpr (has_numbers_in_array<T> && has_numbers_in_array<W>) {
        return is_in_lanes<B, std::remove_reference_t<decltype(std::declval<W&>().e[0])>, std::remove_reference_t<decltype(std::declval<T&>().e[0])>>() &&
               std::extent_v<decltype(T::e)> == std::extent_v<decltype(W::e)>;
    } else if constexpr (is_std_array_v<T> && is_std_array_v<W>) {
        return std::tuple_size_v<T> == std::tuple_size_v<W> && is_in_lanes<B, typename W::value_type, typename T::value_type>();
    } else if constexpr (std::is_aggregate_v<T> && std::is_aggregate_v<W> && members_v<T> > 0 && members_v<T> == members_v<W>) {
        return members_are_in_lanes<B, decltype(members_of(std::declval<W&>())), decltype(members_of(std::declval<T&>()))>::value;
    } else {
        return false;
    }
}

// f(number over lanes, number), and g(a, b) of what is no number of the scalar, in two values of like structure.
template <class B, class W, class T, class F, class G>
constexpr void each_pair(W& wide, T& one, F const& f, G const& g) {
    if constexpr (std::same_as<std::remove_const_t<T>, typename B::lane_type>) {
        f(wide, one);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
        g(wide, one);
    } else if constexpr (std::is_empty_v<T>) {
    } else if constexpr (std::is_array_v<T>) {
        for (std::size_t i = 0; i < std::extent_v<T>; ++i) each_pair<B>(wide[i], one[i], f, g);
    } else if constexpr (has_numbers_in_array<T>) {
        for (std::size_t i = 0; i < std::extent_v<decltype(T::e)>; ++i) each_pair<B>(wide.e[i], one.e[i], f, g);
    } else if constexpr (is_std_array_v<std::remove_const_t<T>>) {
        for (std::size_t i = 0; i < one.size(); ++i) each_pair<B>(wide[i], one[i], f, g);
    } else {
        auto const a = members_of(wide);
        auto const b = members_of(one);
        [&]<std::size_t... I>(std::index_sequence<I...>) { (each_pair<B>(std::get<I>(a), std::get<I>(b), f, g), ...); }(std::make_index_sequence<std::tuple_size_v<decltype(b)>>{});
    }
}
struct takes_nothing {
    template <class A, class B>
    constexpr void operator()(A const&, B const&) const noexcept {}
};

}  // namespace detail

/// C over the scalar B instead of its lanes' own.
template <class C, class B>
using in_lanes_t = typename detail::with_scalar<C, typename B::lane_type, B>::type;

/// Lane i of every number of `wide` becomes that of `one`; what is no number, as it is in `one`.
template <class B, class W, class T>
constexpr void set_lane(W& wide, std::size_t i, T const& one) {
    detail::each_pair<B>(
        wide, one, [&](auto& w, auto const& x) { w.e[i] = x; }, [](auto& w, auto const& x) { w = x; });
}
/// Whether what is no number of the scalar is the same in both.
template <class B, class W, class T>
[[nodiscard]] constexpr bool same_in_all_lanes(W const& wide, T const& one) {
    bool same = true;
    detail::each_pair<B>(wide, one, detail::takes_nothing{}, [&](auto const& w, auto const& x) { same = same && w == x; });
    return same;
}

namespace detail {
template <class A>
inline constexpr bool binds_bodies_v = false;
template <class... K>
inline constexpr bool binds_bodies_v<binds<K...>> = ((std::same_as<K, rigid> || std::same_as<K, point_mass>) && ...);

template <class C>
[[nodiscard]] constexpr bool wants_lanes() noexcept {
    if constexpr (requires { { C::in_lanes } -> std::convertible_to<bool>; })
        return C::in_lanes;
    else
        return true;
}
template <class C, class B>
[[nodiscard]] constexpr bool goes_in_lanes() noexcept {
    if constexpr (!binds_bodies_v<attachments_t<C>> || !wants_lanes<C>())
        return false;
    else if constexpr (std::same_as<in_lanes_t<C, B>, C>)
        return false;
    else
        return std::is_aggregate_v<C> && is_in_lanes<B, in_lanes_t<C, B>, C>();
}
}  // namespace detail

/// Whether constraints of type C can be lanes of one: bound to rigid bodies and particles, and made of numbers as said above.
template <class C, class B>
inline constexpr bool goes_in_lanes_v = detail::goes_in_lanes<C, B>();

}  // namespace sinew::inline v0
