#pragma once
// A function called with the elements of a tuple.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sinew::inline v0::detail {

template <class F, class Tuple, std::size_t... I>
constexpr decltype(auto) call_with(F&& f, Tuple&& elements, std::index_sequence<I...>) {
    return f(std::get<I>(static_cast<Tuple&&>(elements))...);
}
/// f(a, b, ...) with the elements of a tuple or an array, as std::apply. That asks besides whether the call can throw and whether f is a pointer to a member, which
/// for worlds is a tenth of all that a compiler instantiates.
template <class F, class Tuple>
constexpr decltype(auto) call_with(F&& f, Tuple&& elements) {
    return detail::call_with(static_cast<F&&>(f), static_cast<Tuple&&>(elements), std::make_index_sequence<std::tuple_size_v<std::remove_reference_t<Tuple>>>{});
}

}  // namespace sinew::inline v0::detail
