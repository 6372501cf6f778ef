#pragma once
// Back onto the constraints: what drift a step has left in positions and velocities is taken out after it, mass-weighted.
//
//   x += W J^T dlambda,   J W J^T dlambda = -c        Newton, until |c| is small: the nearest legal positions in the metric of M
//   v += W J^T p,         J W J^T p = -c_dot          once, at the new positions: the nearest legal velocities
//
// Hard rows take part: those of positions; those of velocities with c = 0, so that a displacement does not slide where motion may not;
// and inequalities that are violated or reached, which only push. A row of bounded force, a motor or a friction, has no
// impulse to give; a soft row has its force.
//
// J and its factors are kept from one iteration to the next as long as each leaves no more than a small share of the error (modified
// Newton): the error after a step drift d is of the order d^2, so the second iteration with old factors gains what the first did.
// The velocities are corrected by the last factors as well, from rates at the new poses. Without that correction the velocities of a
// step keep a part h J_dot v that the next step must take out again, and positions are pulled by twice as much.
//
// The displacement does no work to first order (it is along the constraints' forces), and the second correction can only
// take kinetic energy: v' M v' <= v M v, as v' is the projection of v in the metric of M.

#include <sinew/core/call_with.hpp>
#include <sinew/solver/kept_values.hpp>
#include <sinew/solver/lane_guide.hpp>
#include <sinew/solver/linear_part.hpp>

namespace sinew::inline v0 {

/// What an acceleration- or velocity-level strategy does about errors of position.
enum class drift_control : unsigned char {
    feedback,    ///< forces or velocities that let them decay (Baumgarte)
    projection,  ///< after each step the bodies are put back onto the constraints
};

namespace detail {

/// What bounds say of a row: nothing; that lambda has no bounds; that it only pushes (c >= 0), only pulls (c <= 0); or that it is limited.
enum class row_bounds : unsigned char { none, free, pushes, pulls, limited };
template <class S>
[[nodiscard]] constexpr row_bounds bounds_kind(S const& lower, S const& upper) noexcept {
    if constexpr (derivative_order_v<S> > 0)
        if (all(lower == upper) && any(differs(lower, upper))) return row_bounds::limited;  // to nothing yet
    if (all(lower == -infinity_v<S>) && all(upper == infinity_v<S>)) return row_bounds::free;
    if (all(lower >= S(0))) return all(upper > S(0)) ? row_bounds::pushes : row_bounds::none;
    if (all(upper <= S(0))) return row_bounds::pulls;
    return row_bounds::limited;
}

template <class P, class E>
[[nodiscard]] constexpr auto entry_error(P const& p, E const& e) {
    using S = typename P::scalar_type;
    using C = typename E::constraint_type;
    if constexpr (is_holonomic_v<C, S>)
        return detail::call_with([&](auto const&... q) { return error_of(e.constraint, q...); }, poses_of(p, e));
    else
        return vec<S, rows_v<C>>{};
}
template <class P, class E>
[[nodiscard]] constexpr auto entry_rate(P const& p, E const& e) {
    return rate_of(e.constraint, poses_of(p, e), twists_of(p, e));
}
template <class P, class E, class L>
[[nodiscard]] constexpr auto entry_limits(P const& p, E const& e, L const& lambda) {
    return detail::call_with([&](auto const&... q) { return limits_of(e.constraint, lambda, q...); }, poses_of(p, e));
}

// Types whose bounds depend on other multipliers.
template <class S>
struct limited_by_others {
    template <class C>
    struct of : std::bool_constant<has_limits_of_lambda_v<C, S>> {};
};
// f(the bounds that follow from the multipliers found, those without any) are the bounds of the next solve. found(constraint's entry, its place, i): of its row i,
// `scale` times a force.
template <class P, class Rows, class S, class Found, class F>
constexpr void renew_limits(P const& p, Rows& rows, S const& scale, Found&& found, F&& f) {
    Rows::template for_each_of<limited_by_others<S>::template of>(p, [&](auto const& e, auto const& at) {
        constexpr std::size_t M = rows_v<typename std::remove_cvref_t<decltype(e)>::constraint_type>;
        vec<S, M> lambda;
        for (std::size_t r = 0; r < M; ++r) lambda[r] = found(e, at, r) / scale;
        auto const limits = f(entry_limits(p, e, lambda), entry_limits(p, e, vec<S, M>{}));
        for (std::size_t r = 0; r < M; ++r) {
            if (rows.use[at.row + r] == row_use::idle) continue;
            rows.lower[at.row + r] = detail::scaled_bound(limits.lower[r], [&](S const& bound) { return bound * scale; });
            rows.upper[at.row + r] = detail::scaled_bound(limits.upper[r], [&](S const& bound) { return bound * scale; });
        }
    });
}
// v += W J^T lambda. `work` is used up.
template <class P, class Rows>
constexpr void push_bodies(P const& p, Rows& rows, typename Rows::node_vectors& work) {
    using S = typename P::scalar_type;
    rows.clear(p, work);
    rows.add_transposed(p, std::span<S const>(rows.lambda.data(), rows.rows()), work);
    p.for_each_movable([&](auto kind, std::uint32_t i) {
        using K = decltype(kind);
        attachment_access<K>::push(p, i, head<K>(work[p.node(kind, i)]));
    });
}

// A nanometre, or what rounding leaves of positions some tens of metres from the origin.
template <class S>
[[nodiscard]] constexpr S projection_tolerance() noexcept {
    return max(S(value_type_t<S>(1e-9)), epsilon_v<S> * S(32));
}

/// Newton's tuning numbers.
template <class S>
struct projection_limits {
    S tolerance{};       // m, rad
    int iterations = 0;
};

/// Env: the world's environment. part, of its functions: the linear part that the strategy solves with.
template <class Env>
class constraint_projection {
public:
    using S = typename Env::scalar;
    using rows_type = row_system<Env>;
    using place = typename rows_type::place;

    /// guide: see lane_guide.hpp. weigh_further(the multipliers so far, kg m): may change W where factors are renewed.
    template <class P, class Part, class Guide, class F>
    constexpr solve_report<S> positions(P const& p, rows_type& rows, Part& part, projection_limits<S> const& limits, Guide& guide, F&& weigh_further) {
        solve_report<S> report;
        has_factors_ = false;
        rows.update(p);
        sum_.assign(rows.rows(), S(0));
        S worst = gather(p, rows, limits.tolerance), before = worst;
        bool renew = true, is_new = false;
        int idle = 0;  // Newton steps with new factors in a row that were of no use
        while (report.iterations < limits.iterations && guide(worst > limits.tolerance)) {
            if (renew) {
                weigh(p, rows);
                if (report.iterations > 0) weigh_further(std::span<S const>(sum_.data(), sum_.size()));
            }
            linear_report const r = part.solve(p, rows, renew);
            report.full_rank = report.full_rank && r.full_rank;
            ++report.iterations;
            has_factors_ = true;
            for (std::size_t i = 0; i < rows.rows(); ++i) sum_[i] = sum_[i] + rows.lambda[i];
            displace(p, rows);
            before = worst;
            worst = errors(p, rows, limits.tolerance, is_new);
            // Contradictory rows, or all that rounding allows.
            idle = renew && guide(!(worst < before * S(value_type_t<S>(0.75)))) ? idle + 1 : 0;
            if (idle > 1) break;
            renew = is_new || guide(worst > before * S(value_type_t<S>(0.05)));
            if (renew && report.iterations < limits.iterations && guide(worst > limits.tolerance)) worst = gather(p, rows, limits.tolerance);
        }
        report.residual = worst;
        return report;
    }

    /// Velocities along the constraints, unless what they lack is below the tolerance within a second, or a longer h: what is left of them is taken from the
    /// energy by the positions, the more often the shorter h. Whether they were changed: then the multipliers of the rows are the impulses.
    template <class P, class Part, class Guide>
    constexpr bool velocities(P const& p, rows_type& rows, Part& part, S const& tolerance, S const& h, Guide& guide) {
        if (!has_factors_) (void)gather(p, rows, tolerance);
        S const worst = rates(p, rows);
        if (!guide(worst * max(h, S(1)) > tolerance)) return false;
        if (!has_factors_) weigh(p, rows);
        (void)part.solve(p, rows, !has_factors_);
        push_bodies(p, rows, v_);
        return true;
    }

    /// What is missing in derivatives that numbers carry, after both: where no step of Newton was taken (moved), and no impulse (with_velocities: they lack theirs), since
    /// c and c_dot are small, that says nothing of their derivatives. Where one was, they are those of what it has come to. Values stay. The multipliers of the rows
    /// become those of the velocities, without values.
    template <class P, class Part>
    constexpr void derivatives(P const& p, rows_type& rows, Part& part, S const& tolerance, bool moved, bool with_velocities)
        requires(derivative_order_v<S> > 0)
    {
        sum_.assign(rows.rows(), S(0));
        auto const remember = [&](bool yes) {  // what the next step starts from is what it would be without derivatives
            if constexpr (requires { part.remember(yes); }) part.remember(yes);
        };
        remember(false);
        // A step of Newton doubles the order that is right; an impulse along rows that are known is right in all.
        std::size_t const most = !moved ? derivative_order_v<S> : with_velocities ? 1 : 0;
        for (std::size_t order = 1; order <= most; order *= 2) {
            before_.begin();
            before_.keep(p);
            if (!moved) {
                (void)gather(p, rows, tolerance);
                weigh(p, rows);
                (void)part.solve(p, rows, true);
                displace(p, rows);
            }
            if (with_velocities) {  // along the rows, and with the factors, that the impulse would have had
                (void)rates(p, rows);
                (void)part.solve(p, rows, false);
                push_bodies(p, rows, v_);
            }
            before_.put_back(p);
            for (std::size_t i = 0; i < rows.rows(); ++i) sum_[i] = sum_[i] + with_value_of(rows.lambda[i], S(0));
        }
        remember(true);
        for (std::size_t i = 0; i < rows.rows(); ++i) rows.lambda[i] = sum_[i];
    }

private:
    // Whether a row of velocities holds the bodies in place: hard, and of any strength.
    template <class C>
    static constexpr bool holds_in_place_v = !is_holonomic_v<C, S> && !is_bounded_v<C, S>;

    // W at the poses of now, of the inertias that the step has had.
    template <class P>
    static constexpr void weigh(P const& p, rows_type const& rows) noexcept {
        p.update_inverse_masses();
        rows.weigh_added(p);
    }

    template <class P>
    constexpr S gather(P const& p, rows_type& rows, S const& tolerance) {
        S worst(0);
        rows_type::for_each(p, [&](auto const& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            rows.set_jacobian(p, e, at);
            vec<S, M> const c = entry_error(p, e);
            [[maybe_unused]] vec<S, M> const alpha = compliance_of<S>(e.constraint);
            for (std::size_t r = 0; r < M; ++r) {
                rows.b[at.row + r] = -c[r];
                if constexpr (!has_compliance<C> && !is_bounded_v<C, S>) rows.softness[at.row + r] = S(0);  // of what repeats others where they have strayed
                if constexpr (has_compliance<C>) {
                    if (all(alpha[r] > S(0))) {
                        rows.set_idle(e, at, r);
                        continue;
                    }
                    rows.set_active(at.row + r, S(0), -infinity_v<S>, infinity_v<S>);
                }
                if constexpr (!is_bounded_v<C, S>) worst = max(worst, abs(c[r]));
            }
            if constexpr (is_bounded_v<C, S>) {
                auto const limits = entry_limits(p, e, vec<S, M>{});
                for (std::size_t r = 0; r < M; ++r) {
                    if (rows.use[at.row + r] == row_use::idle && any(alpha[r] > S(0))) continue;
                    row_bounds const kind = bounds_kind(limits.lower[r], limits.upper[r]);
                    S const v = is_holonomic_v<C, S> ? violation(kind, c[r]) : -infinity_v<S>;
                    if (any(v > -tolerance))
                        rows.set_active(at.row + r, S(0), kind == row_bounds::pushes ? S(0) : -infinity_v<S>, kind == row_bounds::pulls ? S(0) : infinity_v<S>);
                    else
                        rows.set_idle(e, at, r);
                    worst = max(worst, v);
                }
            }
        });
        return worst;
    }
    // How far beyond its limit; below 0: how far from it. A row of bounded force is never beyond.
    [[nodiscard]] static constexpr S violation(row_bounds kind, S const& c) noexcept {
        switch (kind) {
            case row_bounds::free: return abs(c);
            case row_bounds::pushes: return -c;
            case row_bounds::pulls: return c;
            default: return -infinity_v<S>;
        }
    }

    // b anew, J as it is. is_new: a row that took no part is violated now.
    template <class P>
    constexpr S errors(P const& p, rows_type& rows, S const& tolerance, bool& is_new) {
        S worst(0);
        is_new = false;
        rows_type::for_each(p, [&](auto const& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            if constexpr (is_holonomic_v<C, S>) {
                vec<S, M> const c = entry_error(p, e);
                if constexpr (!is_bounded_v<C, S> && !has_compliance<C>) {
                    for (std::size_t r = 0; r < M; ++r) {
                        rows.b[at.row + r] = -c[r];
                        worst = max(worst, abs(c[r]));
                    }
                } else {
                    auto const limits = entry_limits(p, e, vec<S, M>{});
                    [[maybe_unused]] vec<S, M> const alpha = compliance_of<S>(e.constraint);
                    for (std::size_t r = 0; r < M; ++r) {
                        if (all(alpha[r] > S(0))) continue;
                        S const v = violation(bounds_kind(limits.lower[r], limits.upper[r]), c[r]);
                        worst = max(worst, v);
                        if (rows.use[at.row + r] == row_use::idle)
                            is_new = is_new || any(v > tolerance);
                        else
                            rows.b[at.row + r] = -c[r];
                    }
                }
            }
        });
        return worst;
    }

    // b = -c_dot of the rows that take part.
    template <class P>
    constexpr S rates(P const& p, rows_type& rows) {
        S worst(0);
        rows_type::for_each(p, [&](auto const& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            vec<S, M> const c_dot = entry_rate(p, e);
            for (std::size_t r = 0; r < M; ++r) {
                if constexpr (is_bounded_v<C, S> || has_compliance<C>) {
                    if (rows.use[at.row + r] == row_use::idle) continue;
                    S const side = select(rows.lower[at.row + r] >= S(0), S(-1), S(1));
                    worst = max(worst, rows.use[at.row + r] == row_use::equality ? abs(c_dot[r]) : side * c_dot[r]);
                } else {
                    worst = max(worst, abs(c_dot[r]));
                }
                rows.b[at.row + r] = -c_dot[r];
            }
        });
        return worst;
    }

    template <class P>
    constexpr void displace(P const& p, rows_type& rows) {
        rows.clear(p, v_);
        rows.add_transposed(p, std::span<S const>(rows.lambda.data(), rows.rows()), v_);
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            attachment_access<K>::displace(p, i, attachment_access<K>::weigh(p, i, head<K>(v_[p.node(kind, i)])));
        });
    }

    struct none {};
    [[no_unique_address]] std::conditional_t<(derivative_order_v<S> > 0), kept_values<Env>, none> before_{};
    typename rows_type::node_vectors v_{};
    typename Env::template array<S, Env::max_rows> sum_{};  // of the multipliers of all iterations
    bool has_factors_ = false;
};

}  // namespace detail

}  // namespace sinew::inline v0
