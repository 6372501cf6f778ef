#pragma once
// What a displacement turns of the forces of a constraint, against the masses of its bodies: G = sum of p_i D^2 c_i of impulses p, and M - G (Waterson 2026, eq. 7.21).
// Under tension G is negative; under a push it is positive, and where M - G is not definite a body tips over the point that bears it faster than a step can tell.

#include <sinew/linear/small_ldlt.hpp>
#include <sinew/solver/problem.hpp>

#include <array>

namespace sinew::inline v0::detail {

/// The masses of the bodies of a constraint of type C, one below the other; 1 where nothing moves.
template <class C, class S>
struct stacked_mass {
    static constexpr std::size_t size = dof_v<C>;
    mat<S, size, size> M = identity<S, size>();
    std::array<bool, size> moves{};

    /// The symmetric part of G, between what moves.
    [[nodiscard]] constexpr mat<S, size, size> turning(mat<S, size, size> const& G) const noexcept {
        mat<S, size, size> r;
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < size; ++j) r(i, j) = moves[i] && moves[j] ? (G(i, j) + G(j, i)) / S(2) : S(0);
        return r;
    }
    /// Whether M - G is positive definite; G is symmetric.
    [[nodiscard]] constexpr auto outweighs(mat<S, size, size> const& G) const noexcept {
        auto const less = small_ldlt<S, size>(M - G);
        auto r = less.l(0, 0) > S(0);
        for (std::size_t i = 1; i < size; ++i) r = r && less.l(i, i) > S(0);
        return r;
    }
};
template <class P, class E>
[[nodiscard]] constexpr auto stacked_mass_of(P const& p, E const& e) {
    stacked_mass<typename E::constraint_type, typename P::scalar_type> r;
    for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
        using A = attachment_access<decltype(kind)>;
        if (!A::movable(p, i)) return;
        auto const m = A::mass_matrix(p, i);
        for (std::size_t j = 0; j < decltype(kind)::dof; ++j) {
            r.moves[at + j] = true;
            for (std::size_t k = 0; k < decltype(kind)::dof; ++k) r.M(at + j, at + k) = m(j, k);
        }
    });
    return r;
}

}  // namespace sinew::inline v0::detail
