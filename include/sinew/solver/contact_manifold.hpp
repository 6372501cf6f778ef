#pragma once
// The contacts between two bodies as sequential_impulses iterates on them: up to four points with one normal, side by side in quads.
//
//   n, t, u    normal from a to b, and two directions across it       r_a, r_b   arms of the points
//   p, q       impulses along n; along t and u                        N s, at each point
//   A          4 x 4, what an impulse along n at one point changes of the approach at the others
//   D          what a body has moved since the step began: (dx, dtheta)
//
// Arms of several points, and all that follows of them, stand along n, t and u.
//
// All is made once a step. Within it the points keep their arms and directions, and only the gaps change, linearly in D: a ball that rolls
// does not lift its point of contact, as it would if the point were fixed in it.
//
//   c = c_0 + J D
//
//   contact_gathering.hpp      what a step begins with, and its multipliers when it is over
//   contact_preparation.hpp    A and what else follows of arms and directions, when it is first asked for
//   contact_sweep.hpp          the iteration

#include <sinew/config/inlining.hpp>
#include <sinew/constraint/contact.hpp>
#include <sinew/math/quad.hpp>
#include <sinew/solver/impulse_block.hpp>

namespace sinew::inline v0::detail {

template <class C>
inline constexpr bool is_contact_v = false;
template <class S, class Friction>
inline constexpr bool is_contact_v<contact_with<S, Friction>> = true;

// What vectors of three are kept in: of lanes, without the spare fourth.
template <class Q, class S>
using vectors_of = std::conditional_t<has_lanes_v<S>, array_three<S>, Q>;

/// W of one body: rows of I^-1, and 1/m in three lanes. All 0 of what does not move.
template <class S>
struct alignas(2 * quad_alignment_v<S>) packed_mass {
    S angular[3][4]{};
    S linear[4]{};
    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q row(std::size_t i) const noexcept {
        return Q::load(angular[i]);
    }
    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q pushed() const noexcept {
        return Q::load(linear);
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr S inverse_mass() const noexcept { return linear[0]; }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr S trace() const noexcept { return angular[0][0] + angular[1][1] + angular[2][2]; }
};
/// The same without what stands there twice: of lanes, which are read number by number.
template <class S>
struct slim_mass {
    S xx{}, xy{}, xz{}, yy{}, yz{}, zz{}, linear{};
    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q row(std::size_t i) const noexcept {
        return i == 0 ? Q::of(xx, xy, xz, S(0)) : i == 1 ? Q::of(xy, yy, yz, S(0)) : Q::of(xz, yz, zz, S(0));
    }
    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q pushed() const noexcept {
        return Q::of(linear, linear, linear, S(0));
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr S inverse_mass() const noexcept { return linear; }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr S trace() const noexcept { return xx + yy + zz; }
};
/// The axes of one body where a step begins.
template <class S>
struct alignas(2 * quad_alignment_v<S>) packed_axes {
    S column[3][4]{};
    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q direction(vec3<S> const& d) const noexcept {
        return Q::load(column[0]) * Q::splat(d[0]) + (Q::load(column[1]) * Q::splat(d[1]) + Q::load(column[2]) * Q::splat(d[2]));
    }
};

/// Numbers of a contact's feedback, see soft_step.hpp, and of its limits.
template <class S>
struct contact_feedback {
    row_feedback<S> hard{};
    S inverse_h{};
    S push_speed{};  // at which bodies that have sunk in are pushed apart, m/s
};

/// The share of the last change of a contact's impulses that they begin a substep with, besides.
inline constexpr double impulse_trend = 0.6;
/// Of what a contact pushes, how much its impulses may change by in a substep, all together, and still go on so.
inline constexpr double steady_share = 0.2;

/// What points of one manifold may have of their own: they belong together by their values, and derivatives may differ.
template <class S, std::size_t Points, bool = (derivative_order_v<S> > 0)>
struct own_derivatives {};
template <class S, std::size_t Points>
struct own_derivatives<S, Points, true> {
    S soft_rate[Points]{};  // with the value of all
    S drive[2][Points]{};   // besides that of all: of value 0

    /// All points are of one softness, and of one drive.
    [[nodiscard]] static constexpr own_derivatives of_one(S const& soft_rate) noexcept {
        own_derivatives r;
        for (S& x : r.soft_rate) x = soft_rate;
        return r;
    }
};
/// What a manifold begins a step with, in numbers of S alone. Points: room for so many, 4 or, where there is never more than one and S has lanes, 1.
template <class S, std::size_t Points = 4>
struct manifold_numbers {
    static constexpr std::size_t room = Points;

    S arm_a[3][Points]{}, arm_b[3][Points]{};  // component by component: of several points along n, t and u, of a single one along the axes of the world
    S normal[4]{}, tangent[4]{}, bitangent[4]{};
    S push[Points]{}, rub[2][Points]{};
    S gap[Points]{}, slip[2][Points]{};
    S friction[Points]{};  // mu, or, lagged, the bound itself
    S softness[Points]{};  // gamma, 1/kg
    S drive[2]{};     // of the surfaces against each other along t and u, m/s
    S drive_rate[2]{};  // what that gains, m/s^2: arms that stand through a step do not know that bodies go around each other
    S soft_rate{};    // of a soft push: 1 / (h + alpha d); 0: hard
    S last{};         // what all points pushed together when the last substep was over
    [[no_unique_address]] own_derivatives<S, Points> own{};

    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q soft_rates() const noexcept {
        if constexpr (derivative_order_v<S> > 0)
            return Q::load(own.soft_rate);
        else
            return Q::splat(soft_rate);
    }
    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q drives(std::size_t i) const noexcept {
        if constexpr (derivative_order_v<S> > 0)
            return Q::splat(drive[i]) + Q::load(own.drive[i]);
        else
            return Q::splat(drive[i]);
    }
    [[nodiscard]] constexpr S pushing() const noexcept {
        if constexpr (Points == 1)
            return push[0];
        else
            return (push[0] + push[1]) + (push[2] + push[3]);
    }
    [[nodiscard]] constexpr S rubbing() const noexcept {
        S sum(0);
        for (std::size_t i = 0; i < Points; ++i) sum = sum + abs(rub[0][i]) + abs(rub[1][i]);
        return sum;
    }
};
/// The same, and whose it is.
template <class S, std::size_t Points = 4>
struct alignas(2 * quad_alignment_v<S>) started_manifold : manifold_numbers<S, Points> {
    using scalar_type = S;
    using mask = mask_t<S>;
    std::array<std::uint32_t, 2> node{};
    std::uint32_t first = 0;  // entry
    std::uint8_t count = 0;
    std::array<bool, 2> moves{};
    bool is_driven = false;
    bool is_crowded = false;  // deep in each other, and in others
    mask is_laid{};  // has not pushed yet, and does not come with a hit: bodies that were laid there, and begin to weigh
};
template <class S, std::size_t Points = 4>
struct contact_manifold : started_manifold<S, Points> {
    using mask = mask_t<S>;
    alignas(quad_alignment_v<S>) S inverse[Points][Points]{};  // -(A + e)^-1
    S response[Points][Points]{};     // A
    S coupling[2][Points][Points]{};  // what an impulse along n at one point changes of the slips along t and u
    S torque_turn[2][Points == 1 ? 1 : 3][Points]{};  // what torques about n, t and u turn of each body, in the world
    S push_step[Points]{};            // of one point alone, -kg
    S rub_step[Points]{};             // kg
    S before[3][Points]{};            // push and rub as the last substep left them
    S gap_now[Points]{};              // c
    S bias[Points]{};                 // the rate at which a hard push takes it back
    S creep[2][Points]{};             // the same of what has crept along t and u
    S rub_give{};         // share of the feedback's impulse_scale that holds for friction here
    S points{};           // how many
    mask live[Points]{};  // which
    mask single{}, several{};
    mask both_move{};
    mask is_ready{};  // A, its inverse and the steps are made: only of what pushes, once it does
    bool gaps_known = false;   // and what follows of them, at the poses of now

    // Pushes twice as much as when the last substep was over: a hit.
    [[nodiscard]] constexpr mask is_struck() const noexcept { return this->pushing() > this->last + this->last; }
    // Of the impulses, what goes on: what a hit pushes, once, does not act again.
    [[nodiscard]] constexpr S lasting_share() const noexcept {
        auto const hit = is_struck() && !this->is_laid;
        return select(hit, this->last / select(hit, this->pushing(), S(1)), S(1));
    }
    // What follows of the inertia of its bodies, if that has turned.
    constexpr void make_anew(mask const& turned) noexcept { is_ready = is_ready && !turned; }
    // Where a substep begins. A hit is over; impulses of what lies go on as they have changed, see soft_step.hpp. Nothing is known of that in the first of a step.
    template <class Q>
    constexpr void go_on(bool is_first) noexcept {
        S* const rows[3] = {this->push, this->rub[0], this->rub[1]};
        if (is_first) {
            for (std::size_t k = 0; k < 3; ++k)
                for (std::size_t i = 0; i < Points; ++i) before[k][i] = rows[k][i];
            return;
        }
        if constexpr (Points == 1)
            go_on_alone();
        else if (has_lanes_v<S> && !any(several))
            go_on_alone();
        else
            points_go_on<Q>();
    }
    // Where a step begins, of what has been gathered.
    constexpr void begin() noexcept {
        std::size_t const n = this->count;
        points = S(static_cast<value_type_t<S>>(n));
        for (std::size_t i = 0; i < Points; ++i) live[i] = i < n;
        single = n == 1;
        several = n > 1;
        both_move = this->moves[0] && this->moves[1];
        is_ready = false;
    }

private:
    template <class Q>
    constexpr void points_go_on() noexcept {
        S* const rows[3] = {this->push, this->rub[0], this->rub[1]};
        S const now = this->pushing();
        auto const hit = is_struck() && !this->is_laid;
        if (any(hit)) {
            S const share = this->last / select(hit, now, S(1));
            for (S* row : rows)
                for (std::size_t i = 0; i < 4; ++i) row[i] = select(hit, row[i] * share, row[i]);
        }
        Q const zero = Q::splat(S(0));
        Q changes = zero;
        for (std::size_t k = 0; k < 3; ++k) {
            Q const change = Q::load(rows[k]) - Q::load(before[k]);
            changes = changes + larger(change, zero - change);
        }
        // Impulses that ring or grow from one substep to the next would be driven on.
        auto const rings = changes.total().first() > now * S(value_type_t<S>(steady_share));
        Q const trend = Q::splat(select(hit || rings || this->is_laid, S(0), S(value_type_t<S>(impulse_trend))));
        for (std::size_t k = 0; k < 3; ++k) {
            Q const left = Q::load(rows[k]), next = left + trend * (left - Q::load(before[k]));
            left.store(before[k]);
            (k == 0 ? larger(next, zero) : Q::choose(Q::load(this->push), next, zero)).store(rows[k]);  // what does not push does not rub
        }
        this->last = now;
        this->is_laid = this->is_laid && !(now > S(0));
    }
    // The same where no lane has more than one point.
    constexpr void go_on_alone() noexcept {
        S* const numbers[3] = {this->push, this->rub[0], this->rub[1]};
        S const now = this->push[0], zero(0);
        auto const hit = is_struck() && !this->is_laid;
        if (any(hit)) {
            S const share = this->last / select(hit, now, S(1));
            for (S* x : numbers) *x = select(hit, *x * share, *x);
        }
        S changes(0);
        for (std::size_t k = 0; k < 3; ++k) {
            S const change = *numbers[k] - before[k][0];
            changes = changes + max(zero - change, change);
        }
        auto const rings = changes > now * S(value_type_t<S>(steady_share));
        S const trend = select(hit || rings || this->is_laid, zero, S(value_type_t<S>(impulse_trend)));
        for (std::size_t k = 0; k < 3; ++k) {
            S const left = *numbers[k], next = left + trend * (left - before[k][0]);
            before[k][0] = left;
            *numbers[k] = k == 0 ? max(zero, next) : select(this->push[0] > zero, next, zero);
        }
        this->last = now;
        this->is_laid = this->is_laid && !(now > zero);
    }
};

// Where lanes have masks, what is not meant is put back; without them, code is left early instead, and this is only a store.
template <class Q, class S>
SINEW_ALWAYS_INLINE constexpr void put([[maybe_unused]] mask_t<S> const& on, Q const& q, S* to) noexcept {
    if constexpr (has_lanes_v<S>)
        Q::select_where(on, q, Q::load(to)).store(to);
    else
        q.store(to);
}
template <class S, class Q>
[[nodiscard]] SINEW_ALWAYS_INLINE constexpr Q select_quad(mask_t<S> const& on, Q const& a, Q const& b) noexcept {
    if constexpr (has_lanes_v<S>)
        return Q::select_where(on, a, b);
    else
        return on ? a : b;
}

}  // namespace sinew::inline v0::detail
