#pragma once
// Rows that repeat those of other constraints between the same bodies: of a door's second hinge, of a third point that holds what two hold.
//
// Where the constraints hold, such rows say again what others say, and the linear part sets them aside. Once the integrator has strayed by an angle phi
// they differ by phi, about a motion that nobody means to hold: their pivots, some phi^2 of J W J^T, are no rounding any more, and what answers
// them stops the door, or blows it up. So a row of which no more than that is its own is made soft, and bears next to nothing:
//
//   sigma = A_rr where |r|_W^2 <= floor A_rr, else 0        floor = min(30 phi^2, 1e-4), 16 eps at least
//
//   A_rr    (J W J^T)_rr                      |r|_W    of what is left of the row when those before it are taken out (Gram and Schmidt, x.y = x W y^T)
//   phi^2   sum of c_r^2 / A_rr times the largest trace of I^-1: of an angle c itself, of a length c over its lever arm
//
// 1e-4 is two points of a body held within a hundredth of its size; they are two again where joints hold. Fixed point has its own floors, for what its numbers cannot tell apart.

#include <sinew/solver/row_block.hpp>
#include <sinew/solver/row_system.hpp>

namespace sinew::inline v0::detail {

/// The equalities of an entry that repeat those of constraints before it are made soft, the others hard; J and use of all are set. Whether there are any. (What has bounds
/// may let go, and then others have to hold what it repeats.)
template <class P, class Rows, class E>
constexpr bool soften_repeating_rows(P const& p, Rows& rows, E const& e, typename Rows::place const& at) {
    using C = typename E::constraint_type;
    using S = typename P::scalar_type;
    constexpr std::size_t M = rows_v<C>, N = dof_v<C>;
    using wide_row = vec<S, N>;
    if constexpr (!floating_scalar<S> || !is_holonomic_v<C, S>) return false;
    bool takes_part = false;
    for (std::size_t r = 0; r < M; ++r) takes_part = takes_part || rows.use[at.row + r] == row_use::equality;
    if (!takes_part) return false;

    auto const weighed = [&](wide_row const& u) {
        wide_row w{};
        for_each_attachment(e, [&](auto kind, auto first, std::uint32_t i) {
            using K = decltype(kind);
            vec<S, K::dof> part;
            for (std::size_t k = 0; k < K::dof; ++k) part[k] = u[first + k];
            part = attachment_access<K>::weigh(p, i, part);
            for (std::size_t k = 0; k < K::dof; ++k) w[first + k] = part[k];
        });
        return w;
    };
    // Row r of a constraint between the same bodies.
    auto const row_of = [&](std::uint32_t constraint, std::uint32_t r) {
        auto const& c = rows.constraints()[constraint];
        wide_row u{};
        std::uint32_t own = at.block;
        for_each_attachment(e, [&](auto kind, auto first, std::uint32_t) {
            auto const& mine = rows.blocks()[own++];
            for (std::uint32_t o = c.block; o < c.block + c.blocks; ++o) {
                auto const& other = rows.blocks()[o];
                if (!mine.moves || !other.moves || other.node != mine.node) continue;
                written_out<decltype(kind), S> const J(rows.numbers(other.number), c.points);
                for (std::size_t k = 0; k < decltype(kind)::dof; ++k) u[first + k] = J.row(r)[k];
            }
        });
        return u;
    };

    // How far it has strayed.
    vec<S, M> mobility{};
    std::array<wide_row, M> own;
    for (std::uint32_t r = 0; r < M; ++r) {
        own[r] = row_of(at.constraint, r);
        mobility[r] = dot(own[r], weighed(own[r]));
    }
    S turns(0), strayed(0);
    for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
        if constexpr (std::same_as<decltype(kind), rigid>) {
            auto const& w = p.inverse_masses[i].angular;
            turns = max(turns, w.xx + w.yy + w.zz);
        }
    });
    auto const c = entry_error(p, e);
    for (std::size_t r = 0; r < M; ++r) {
        auto const some = mobility[r] > S(0);
        strayed = strayed + select(some, c[r] * c[r] / select(some, mobility[r], S(1)), S(0));
    }
    S const floor = max(min(S(30) * strayed * turns, S(value_type_t<S>(1e-4))), S(16) * epsilon_v<S>);

    // An orthonormal basis of what the rows so far hold, and the same weighed; what came last. In lanes each has its own: others may repeat there.
    std::array<wide_row, N> basis, dual_basis;
    if constexpr (has_lanes_v<S>) basis = dual_basis = {};
    wide_row newest{}, dual_newest{};
    std::size_t size = 0;  // of the lane that has most
    S filled(0);
    auto const add = [&](wide_row const& u, wide_row const& w, S const& left, mask_t<S> is_new) {
        is_new = is_new && filled < S(static_cast<value_type_t<S>>(N));
        S const scale = select(is_new, S(1) / sqrt(select(is_new, left, S(1))), S(0));
        newest = u * scale;
        dual_newest = w * scale;
        if (!any(is_new)) return;
        if constexpr (has_lanes_v<S>) {
            for (std::size_t k = 0; k < N && k <= size; ++k) {
                auto const here = is_new && filled == S(static_cast<value_type_t<S>>(k));
                basis[k] = select(here, newest, basis[k]);
                dual_basis[k] = select(here, dual_newest, dual_basis[k]);
            }
        } else {
            basis[size] = newest;
            dual_basis[size] = dual_newest;
        }
        filled = filled + select(is_new, S(1), S(0));
        if (any(filled > S(static_cast<value_type_t<S>>(size)))) ++size;
    };
    for (std::uint32_t before = rows.constraints()[at.constraint].beside; before != Rows::none; before = rows.constraints()[before].beside)
        for (std::uint32_t r = 0; r < rows.constraints()[before].rows; ++r) {
            if (rows.use[rows.constraints()[before].row + r] != row_use::equality) continue;
            wide_row u = row_of(before, r);
            S const whole = dot(u, weighed(u));
            for (std::size_t k = 0; k < size; ++k) u -= dot(u, dual_basis[k]) * basis[k];
            wide_row const w = weighed(u);
            S const left = dot(u, w);
            add(u, w, left, left > floor * whole);
        }
    for (auto& u : own)
        for (std::size_t k = 0; k < size; ++k) u -= dot(u, dual_basis[k]) * basis[k];

    // Of the entry's own rows that of which most is left comes first: of three rows about one way to go the best holds it, and the others repeat it.
    std::array<mask_t<S>, M> holds;
    for (auto& x : holds) x = false;
    for (std::size_t round = 0; round < M; ++round) {
        S most = floor, which(-1), left(0);
        wide_row u{}, w{};
        for (std::size_t r = 0; r < M; ++r) {
            if (rows.use[at.row + r] != row_use::equality) continue;
            wide_row const weighed_row = weighed(own[r]);
            S const own_left = dot(own[r], weighed_row);
            auto const better = !holds[r] && own_left > most * mobility[r];
            if (!any(better)) continue;
            most = select(better, own_left / select(better, mobility[r], S(1)), most);
            which = select(better, S(static_cast<value_type_t<S>>(r)), which);
            left = select(better, own_left, left);
            u = select(better, own[r], u);
            w = select(better, weighed_row, w);
        }
        auto const found = which >= S(0);
        if (!any(found)) break;
        add(u, w, left, found);
        for (std::size_t r = 0; r < M; ++r) {
            holds[r] = holds[r] || which == S(static_cast<value_type_t<S>>(r));
            own[r] -= dot(own[r], dual_newest) * newest;
        }
    }
    bool any_repeats = false;
    for (std::size_t r = 0; r < M; ++r) {
        if (rows.use[at.row + r] != row_use::equality) continue;
        auto const repeats = !holds[r] && mobility[r] > S(0);
        rows.softness[at.row + r] = select(repeats, mobility[r], S(0));
        any_repeats = any_repeats || any(repeats);
    }
    return any_repeats;
}

}  // namespace sinew::inline v0::detail
