#pragma once
// Numbers of a scalar that is made of others, from plain ones and back; and random ones: theirs, of fixed point those of double. Include it before
// the cases, which call them.

#include <sinew/constraint/random_state.hpp>
#include <sinew/sinew.hpp>

namespace sinew::inline v0 {

template <class S>
using source_of = std::conditional_t<std::floating_point<value_type_t<S>>, value_type_t<S>, double>;
template <class S>
[[nodiscard]] S number_of(source_of<S> x) {
    if constexpr (requires { S::from(x); })
        return S::from(x);
    else
        return S(x);
}
/// The value, of lanes that of one.
template <class S>
[[nodiscard]] source_of<S> plain_of(S const& x, [[maybe_unused]] std::size_t lane = lanes_v<S> - 1) {
    if constexpr (is_dual_v<S>)
        return x.v;
    else if constexpr (has_lanes_v<S>)
        return x[lane];
    else
        return static_cast<source_of<S>>(x);
}
template <class S>
    requires(!std::floating_point<S>)
[[nodiscard]] S random_number(splitmix64& random, S lo, std::type_identity_t<S> hi) {
    return number_of<S>(random_number(random, plain_of(lo), plain_of(hi)));
}
template <class S, std::size_t N>
[[nodiscard]] vec<S, N> vector_of(vec<source_of<S>, N> const& x) {
    vec<S, N> v{};
    for (std::size_t i = 0; i < N; ++i) v[i] = number_of<S>(x[i]);
    return v;
}
template <class S, std::size_t N = 3>
    requires(!std::floating_point<S>)
[[nodiscard]] vec<S, N> random_vector(splitmix64& random, S size) {
    return vector_of<S, N>(random_vector<source_of<S>, N>(random, plain_of(size)));
}
template <class S, std::size_t N = 3>
    requires(!std::floating_point<S>)
[[nodiscard]] vec<S, N> random_direction(splitmix64& random) {
    return vector_of<S, N>(random_direction<source_of<S>, N>(random));
}

}  // namespace sinew::inline v0
