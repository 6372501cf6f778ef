#pragma once
// A case: how tests make a constraint of one type, and poses that satisfy it. Those of the library's constraints stand in cases/,
// one file for each header of sinew/constraint.

#include <sinew/constraint/random_state.hpp>

#include <tuple>

namespace sinew_test {

using namespace sinew;

enum class keeps_momentum : unsigned char { always, when_satisfied, never };

/// A constraint and poses that satisfy it.
template <class C, class... P>
struct made {
    C constraint;
    std::tuple<P...> poses;
    made(C const& c, P const&... p) : constraint(c), poses(p...) {}
};

template <class R>
struct conformance_case {
    using rotation = R;
    using S = typename R::scalar_type;
    using V = vec3<S>;
    static constexpr keeps_momentum momentum = keeps_momentum::always;
    /// How far the configuration is from where the constraint has no derivatives (1: far).
    static S margin(auto const&, auto const&...) { return S(1); }

    static auto body(splitmix64& random) { return random_pose<rigid, R>(random, S(1)); }
    static auto particle(splitmix64& random) { return random_pose<point_mass, R>(random, S(1)); }
    static V point(splitmix64& random) { return random_vector<S>(random, S(1)); }
    static V axis(splitmix64& random) { return random_direction<S>(random); }
};

}  // namespace sinew_test
