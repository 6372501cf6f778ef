#pragma once
// Random poses and twists for tests of constraints: the same sequence on every machine for the same seed.

#include <sinew/constraint/constraint.hpp>

#include <cstdint>

namespace sinew::inline v0 {

/// Steele, Lea and Flood 2014: 64 random bits a call.
struct splitmix64 {
    std::uint64_t state = 0;
    constexpr std::uint64_t operator()() noexcept {
        state += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
};

/// Uniform in [lo, hi).
template <std::floating_point S>
[[nodiscard]] constexpr S random_number(splitmix64& random, S lo, std::type_identity_t<S> hi) noexcept {
    constexpr int bits = std::numeric_limits<S>::digits < 53 ? std::numeric_limits<S>::digits : 53;
    S const unit = static_cast<S>(random() >> (64 - bits)) / static_cast<S>(std::uint64_t{1} << bits);
    return lo + (hi - lo) * unit;
}
/// Each entry uniform in [-size, size).
template <std::floating_point S, std::size_t N = 3>
[[nodiscard]] constexpr vec<S, N> random_vector(splitmix64& random, S size) noexcept {
    vec<S, N> v{};
    for (std::size_t i = 0; i < N; ++i) v[i] = random_number(random, -size, size);
    return v;
}
/// Uniform on the unit sphere of N dimensions.
template <std::floating_point S, std::size_t N = 3>
[[nodiscard]] constexpr vec<S, N> random_direction(splitmix64& random) noexcept {
    for (;;) {
        vec<S, N> const v = random_vector<S, N>(random, S(1));
        S const n2 = squared_norm(v);
        if (n2 <= S(1) && n2 > S(1) / S(64)) return normalize(v);
    }
}
/// Uniform over all rotations; of a quaternion, both signs.
template <class R>
[[nodiscard]] constexpr R random_rotation(splitmix64& random) noexcept {
    using S = typename R::scalar_type;
    vec<S, 4> const q = random_direction<S, 4>(random);
    return rotation_cast<R>(quaternion<S>{q[0], q[1], q[2], q[3]});
}

/// A pose or particle pose within [-size, size)^3, for an attachment of kind K.
template <class K, class R>
[[nodiscard]] constexpr auto random_pose(splitmix64& random, typename R::scalar_type size) noexcept {
    using S = typename R::scalar_type;
    vec3<S> const x = random_vector<S>(random, size);
    if constexpr (std::same_as<K, rigid>)
        return pose<S, R>{x, random_rotation<R>(random)};
    else
        return particle_pose<S>{x};
}
/// A twist for an attachment of kind K, its entries within [-speed, speed).
template <class K, class S>
[[nodiscard]] constexpr auto random_twist(splitmix64& random, S speed) noexcept {
    vec3<S> const v = random_vector<S>(random, speed);
    if constexpr (std::same_as<K, rigid>)
        return twist<S>{v, random_vector<S>(random, speed)};
    else
        return particle_twist<S>{v};
}
/// The inverse mass of a body of 0.5 to 2 kg and as much inertia (kg m^2), for an attachment of kind K.
template <class K, class R>
[[nodiscard]] constexpr auto random_inverse_mass(splitmix64& random) noexcept {
    using S = typename R::scalar_type;
    auto const number = [&] { return random_number(random, S(1) / S(2), S(2)); };
    S const linear = number();
    if constexpr (std::same_as<K, rigid>) {
        S const xx = number(), yy = number(), zz = number();
        return inverse_mass<S>{linear, world_inertia(diagonal(xx, yy, zz), random_rotation<R>(random))};
    } else {
        return particle_inverse_mass<S>{linear};
    }
}

}  // namespace sinew::inline v0
