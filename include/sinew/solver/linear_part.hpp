#pragma once
// The linear part of a strategy that solves all constraints together: J W J^T lambda + S lambda = b, within bounds where it can.
//
//   cholesky, ldlt       A = J W J^T + S as a dense matrix, factored                     equalities
//   dantzig              the same matrix, Dantzig's pivoting                             equalities, inequalities, bounds, friction
//   warm_dantzig         the same, from the answer to the last solve                     the same
//   conjugate_gradient   no matrix: A x is J (W (J^T x)), body by body                   equalities
//   sparse_ldlt          linear time, see sparse_part.hpp                                all
//
// Where rows repeat each other the factors set the later ones aside; conjugate_gradient finds the least-squares multipliers, the
// smallest of them, with every row measured in units of its own A_ii.
//
// A linear part is a policy: a member template part<Env> with its tuning numbers and
//
//   bounds                        whether it keeps bounds
//   lanes                         optional: whether it solves each lane of a scalar that has some as it would be solved alone
//   shares                        optional: whether rows that repeat each other each bear their part, so that none of them is made soft
//   solve(p, rows, renew)         rows.b -> rows.lambda; renew: J, W, S or the rows that take part have changed since the last solve

#include <sinew/body/parameter_fault.hpp>
#include <sinew/linear/conjugate_gradient.hpp>
#include <sinew/linear/dense.hpp>
#include <sinew/linear/lo_hi_lcp.hpp>
#include <sinew/solver/lane_guide.hpp>
#include <sinew/solver/row_system.hpp>

#include <limits>

namespace sinew::inline v0 {

/// How a linear part fared.
struct linear_report {
    int iterations = 1;
    bool full_rank = true;  ///< false when rows were redundant
    bool solved = true;     ///< false when no lambda satisfies all rows within their bounds, or none was found
};

namespace detail {

// Whether a type names a linear part.
template <class Linear, class Env>
concept names_part = requires { typename Linear::template part<Env>; };

/// Of a pivot of a redundant row rounding leaves some eps of its diagonal; sums of n roundings grow as sqrt(n).
template <class S>
[[nodiscard]] constexpr S pivot_floor(std::size_t n) noexcept {
    return epsilon_v<S> * (S(4) * sqrt(S(static_cast<value_type_t<S>>(n + 1))));
}

/// A = J W J^T + S of the rows that take part, dense; below the diagonal and on it.
template <class Env>
class dense_matrix {
public:
    using S = typename Env::scalar;

    template <class P>
    constexpr void assemble(P const& p, row_system<Env>& rows) {
        index_.resize(rows.rows());
        active_.clear();
        for (std::uint32_t r = 0; r < rows.rows(); ++r) {
            index_[r] = static_cast<std::uint32_t>(active_.size());
            if (rows.use[r] != row_use::idle) active_.push_back(r);
        }
        std::size_t const n = active_.size();
        make_room(a_, rows.rows() * rows.rows());  // for those that do not take part yet
        make_room(active_, rows.rows());
        a_.assign(n * n, S(0));
        weigh(p, rows);
        auto const& blocks = rows.blocks();
        row_use const* const use = rows.use.data();
        std::uint32_t const* const index = index_.data();
        for (auto const& b : blocks) {
            if (!b.moves) continue;
            std::uint32_t const row = rows.constraints()[b.constraint].row;
            for (std::uint32_t o = rows.first_on(b.node); o != row_system<Env>::none; o = blocks[o].next) {
                auto const& other = blocks[o];
                if (other.constraint > b.constraint) continue;
                std::uint32_t const column = rows.constraints()[other.constraint].row;
                for (std::uint32_t r = 0; r < b.rows; ++r) {
                    if (use[row + r] == row_use::idle) continue;
                    S const* const J = written_.data() + b.written + r * b.dof;
                    S* const to = a_.data() + index[row + r] * n;
                    for (std::uint32_t q = 0; q < other.rows && column + q <= row + r; ++q) {
                        if (use[column + q] == row_use::idle) continue;
                        S const* const B = weighed_.data() + other.written + q * b.dof;
                        S s = to[index[column + q]];
                        for (std::uint32_t k = 0; k < b.dof; ++k) s = s + J[k] * B[k];
                        to[index[column + q]] = s;
                    }
                }
            }
        }
        for (std::size_t i = 0; i < n; ++i) a_[i * n + i] = a_[i * n + i] + rows.softness[active_[i]];
    }

    [[nodiscard]] constexpr std::size_t size() const noexcept { return active_.size(); }
    [[nodiscard]] constexpr std::span<S> numbers() noexcept { return {a_.data(), size() * size()}; }
    /// The row of the system that is row i of A.
    [[nodiscard]] constexpr std::uint32_t row(std::size_t i) const noexcept { return active_[i]; }

private:
    // J in full, and B = J W.
    template <class P>
    constexpr void weigh(P const& p, row_system<Env>& rows) {
        written_.resize(rows.written_count());
        weighed_.resize(rows.written_count());
        row_system<Env>::for_each(p, [&](auto const& e, auto const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            rows.for_each_block(e, at, [&](auto kind, std::uint32_t i, S const* J, std::uint32_t block) {
                using K = decltype(kind);
                typename row_system<Env>::template block_of<C, K> const b{J};
                auto const B = b.weighed(p, i);
                std::size_t const n = rows.blocks()[block].written;
                S *J_to = written_.data() + n, *B_to = weighed_.data() + n;
                for (std::size_t r = 0; r < rows_v<C>; ++r) {
                    auto const row = b.row(r);
                    auto const& weighed = B[r];
                    for (std::size_t k = 0; k < K::dof; ++k) {
                        *J_to++ = row.e[k];
                        *B_to++ = weighed.e[k];
                    }
                }
            });
        });
    }

    typename Env::template array<std::uint32_t, Env::max_rows> active_{}, index_{};
    typename Env::template array<S, row_system<Env>::max_written> written_{}, weighed_{};
    typename Env::template array<S, Env::max_rows * Env::max_rows> a_{};
};

// Whether a linear part solves each lane as it would be solved alone: if it says so.
template <class Part>
inline constexpr bool solves_lanes_v = requires { requires Part::lanes; };

// Whether rows that repeat each other each bear their part: if it says so.
template <class Part>
inline constexpr bool shares_v = requires { requires Part::shares; };

// The part of a policy that factors the dense matrix. Factors: factor(a, n, floor), solve(l, n, b).
template <class Env, class Factors>
class dense_part {
public:
    using S = typename Env::scalar;
    static constexpr bool bounds = false;
    static constexpr bool lanes = true;  ///< no decision depends on a number

    template <class P>
    constexpr linear_report solve(P const& p, row_system<Env>& rows, bool renew) {
        if (renew) {
            matrix_.assemble(p, rows);
            report_.full_rank = Factors::template factor<S>(matrix_.numbers(), matrix_.size(), pivot_floor<S>(matrix_.size())).full_rank();
        }
        std::size_t const n = matrix_.size();
        x_.resize(n);
        for (std::size_t i = 0; i < n; ++i) x_[i] = rows.b[matrix_.row(i)];
        Factors::template solve<S>(std::span<S const>(matrix_.numbers()), n, std::span<S>(x_.data(), n));
        for (S& l : rows.lambda) l = S(0);
        for (std::size_t i = 0; i < n; ++i) rows.lambda[matrix_.row(i)] = x_[i];
        return report_;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return {}; }
    /// It has no tuning numbers.
    [[nodiscard]] friend constexpr bool operator==(dense_part const&, dense_part const&) { return true; }

private:
    dense_matrix<Env> matrix_{};
    typename Env::template array<S, Env::max_rows> x_{};
    linear_report report_{};
};

}  // namespace detail

/// Linear part: dense Cholesky factors of J W J^T.
struct cholesky {
    template <class Env>
    using part = detail::dense_part<Env, cholesky>;

    template <class S>
    static constexpr factor_report factor(std::span<S> a, std::size_t n, S const& floor) noexcept {
        return cholesky_factor<S>(a, n, floor);
    }
    template <class S>
    static constexpr void solve(std::span<S const> a, std::size_t n, std::span<S> b) noexcept {
        cholesky_solve<S>(a, n, b);
    }
};

/// Linear part: dense L D L^T factors of J W J^T, without square roots.
struct ldlt {
    template <class Env>
    using part = detail::dense_part<Env, ldlt>;

    template <class S>
    static constexpr factor_report factor(std::span<S> a, std::size_t n, S const& floor) noexcept {
        return ldlt_factor<S>(a, n, floor);
    }
    template <class S>
    static constexpr void solve(std::span<S const> a, std::size_t n, std::span<S> b) noexcept {
        ldlt_solve<S>(a, n, b);
    }
};

namespace detail {

// Answers to the last solves. Of a matrix there are two: without the bounds that depend on multipliers, and with them.
template <class Env>
class last_answers {
public:
    using S = typename Env::scalar;
    /// Puts the answer to the last such solve into x, as long as the rows are the same. Whether there is one.
    template <class X>
    constexpr bool recall(row_system<Env> const& rows, bool first, X& x) const noexcept {
        auto const& last = last_[first ? 0 : 1];
        if (last.version != rows.version() || last.x.size() != x.size() || x.size() == 0) return false;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = last.x[i];
        return true;
    }
    template <class X>
    constexpr void note(row_system<Env> const& rows, bool first, X const& x) {
        auto& last = last_[first ? 0 : 1];
        make_room(last.x, rows.rows());
        last.x.resize(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) last.x[i] = x[i];
        last.version = rows.version();
    }
    constexpr void forget() noexcept {
        for (auto& l : last_) l.x.clear();
    }

private:
    struct answer {
        typename Env::template array<S, Env::max_rows> x{};
        std::uint32_t version = 0;  // of the rows
    };
    answer last_[2]{};
};
struct no_answers {};

template <class Env, bool Remembers>
class pivoting_part {
public:
    using S = typename Env::scalar;
    static constexpr bool bounds = true;
    static constexpr bool lanes = false;

    S softness{0};  ///< share by which A_ii of rows with bounds is enlarged: of contacts that repeat each other each then carries its part (Vondrak 2005, 6.6)

    template <class P>
    constexpr linear_report solve(P const& p, row_system<Env>& rows, bool renew) {
        if (renew) matrix_.assemble(p, rows);
        std::size_t const n = matrix_.size();
        if (renew && softness > S(0))
            for (std::size_t i = 0; i < n; ++i)
                if (rows.use[matrix_.row(i)] == row_use::bounded) matrix_.numbers()[i * n + i] = matrix_.numbers()[i * n + i] * (S(1) + softness);
        for (auto* v : {&b_, &lower_, &upper_, &x_}) {
            make_room(*v, rows.rows());
            v->resize(n);
        }
        lcp_.reserve(rows.rows());
        bool same = !renew;
        for (std::size_t i = 0; i < n; ++i) {
            std::uint32_t const r = matrix_.row(i);
            same = same && !differs(b_[i], S(-rows.b[r])) && !differs(lower_[i], rows.lower[r]) && !differs(upper_[i], rows.upper[r]);
            b_[i] = -rows.b[r];
            lower_[i] = rows.lower[r];
            upper_[i] = rows.upper[r];
        }
        if (same) return report_;  // it has been solved
        auto const view = [n](auto& v) { return std::span<S const>(v.data(), n); };
        bool again = false;
        if constexpr (Remembers) again = remembers_ && last_.recall(rows, renew, x_);
        auto const r = lcp_.solve({matrix_.numbers(), view(b_), view(lower_), view(upper_)}, std::span<S>(x_.data(), n), again ? lcp_start::warm : lcp_start::cold);
        if constexpr (Remembers)
            if (remembers_) last_.note(rows, renew, x_);
        for (S& l : rows.lambda) l = S(0);
        report_ = {};
        for (std::size_t i = 0; i < n; ++i) {
            rows.lambda[matrix_.row(i)] = x_[i];
            report_.full_rank = report_.full_rank && lcp_.row(i) != lcp_row::idle;
        }
        report_.solved = r.status == lcp_status::solved;
        report_.full_rank = report_.full_rank && report_.solved;
        return report_;
    }
    /// Whether solves start from answers, and leave theirs.
    constexpr void remember(bool yes) noexcept
        requires(Remembers)
    {
        remembers_ = yes;
    }
    /// The next solve starts cold.
    constexpr void forget() noexcept
        requires(Remembers)
    {
        last_.forget();
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return nonnegative_parameter("solver.linear.softness", softness); }
    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(pivoting_part const& a, pivoting_part const& b) { return detail::all_same(a.softness, b.softness); }

private:
    detail::dense_matrix<Env> matrix_{};
    typename Env::template array<S, Env::max_rows> b_{}, lower_{}, upper_{}, x_{};
    [[no_unique_address]] std::conditional_t<Remembers, last_answers<Env>, no_answers> last_{};
    linear_report report_{};
    bool remembers_ = true;
    lo_hi_lcp<S, Env, Env::max_rows> lcp_{};
};

}  // namespace detail

/// Linear part: Dantzig's pivoting on the dense J W J^T. Rows may have bounds, which may depend on the multipliers of other rows.
struct dantzig {
    template <class Env>
    using part = detail::pivoting_part<Env, false>;
};
/// The same, which starts from the answer to the last solve, as long as the rows are the same: quicker, and of answers as good as each other the same again.
struct warm_dantzig {
    template <class Env>
    using part = detail::pivoting_part<Env, true>;
};

namespace detail {
/// Whether numbers of type S tell the squares of small residuals from 0.
template <class S>
inline constexpr bool holds_squares_v = std::numeric_limits<value_type_t<S>>::min_exponent <= -23;
}  // namespace detail

/// Linear part: conjugate residuals with Jacobi's preconditioner, matrix-free (Witkin 1997, 4.2-4.4).
struct conjugate_gradient {
    template <class Env>
    class part;
};

template <class Env>
class conjugate_gradient::part {
public:
    using S = typename Env::scalar;
    static_assert(detail::holds_squares_v<S>,
                  "sinew: conjugate_gradient goes by squares of residuals, which vanish in this fixed-point scalar; take one with 24 bits behind the point or more, "
                  "such as sinew::fixed<31, 32>, or a direct linear part, such as cholesky.");
    static constexpr bool bounds = false;
    static constexpr bool lanes = true;
    static constexpr bool shares = true;

    S tolerance = epsilon_v<S> * S(64);  ///< |b - A lambda| over |b| at which it stops, each row in units of the root of its A_ii
    int iterations = 1000;               ///< products by A at most, in one solve

    template <class P>
    constexpr linear_report solve(P const& p, row_system<Env>& rows, bool renew) {
        if (renew) find_diagonal(p, rows);
        linear_report report = solve_values(p, rows);
        if constexpr (derivative_order_v<S> > 0) report.solved = solve_derivatives(p, rows) && report.solved;
        return report;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        if (iterations < 1) return {"solver.linear.iterations", "must be at least 1", static_cast<error_number>(iterations)};
        return nonnegative_parameter("solver.linear.tolerance", tolerance);
    }
    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(part const& a, part const& b) { return detail::all_same(a.tolerance, b.tolerance, a.iterations, b.iterations); }

private:
    // The iteration, which ends when the values of rows.lambda are there.
    template <class P>
    constexpr linear_report solve_values(P const& p, row_system<Env>& rows) {
        std::size_t const n = rows.rows();
        auto const apply = [&](std::span<S const> x, std::span<S> y) { multiply(p, rows, x, y); };
        if constexpr (!floating_scalar<S>) return solve_in_turns(apply, rows);
        auto const solved = [&](auto& decide) -> linear_report {
            for (S& l : rows.lambda) l = S(0);
            auto const r = conjugate_residual_solve<S>(apply, std::span<S const>(rows.b.data(), n), std::span<S>(rows.lambda.data(), n),
                                                       std::span<S const>(inverse_diagonal_.data(), n), work_, {tolerance, static_cast<std::size_t>(iterations)}, decide);
            return {static_cast<int>(r.iterations), r.consistent || !r.converged, r.converged};
        };
        detail::lane_guide<S> guide;
        linear_report report = solved(guide);
        if constexpr (has_lanes_v<S>) {
            // Those that end after another number of iterations, once more.
            auto done = guide.alike;
            kept_.resize(n);
            for (std::size_t i = 0; i < n; ++i) kept_[i] = rows.lambda[i];
            while (!all(done)) {
                guide = {};
                while (done[guide.leader]) ++guide.leader;
                linear_report const next = solved(guide);
                auto const more = guide.alike && !done;
                for (std::size_t i = 0; i < n; ++i) kept_[i] = select(more, rows.lambda[i], kept_[i]);
                report = {report.iterations < next.iterations ? next.iterations : report.iterations, report.full_rank && next.full_rank, report.solved && next.solved};
                done |= more;
            }
            for (std::size_t i = 0; i < n; ++i) rows.lambda[i] = kept_[i];
        }
        return report;
    }
    // A dx = db - dA x, for each derivative by itself: where the iteration ends for the values, nothing is known of them. Those of higher order need those of the lower.
    template <class P>
    constexpr bool solve_derivatives(P const& p, row_system<Env>& rows)
        requires(derivative_order_v<S> > 0)
    {
        std::size_t const n = rows.rows();
        bool solved = true;
        for (auto* v : {&b_, &x_, &residual_}) v->resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            b_[i] = rows.b[i];
            x_[i] = S(value(rows.lambda[i]));
        }
        for (std::size_t order = 1; order <= derivative_order_v<S>; ++order) {
            multiply(p, rows, std::span<S const>(x_.data(), n), std::span<S>(residual_.data(), n));
            for (std::size_t i = 0; i < n; ++i) residual_[i] = b_[i] - residual_[i];
            for (std::size_t k = 1; k < detail::parts_of<S>(); ++k) {
                for (std::size_t i = 0; i < n; ++i) rows.b[i] = S(detail::part_of(residual_[i], k));
                solved = solve_values(p, rows).solved && solved;
                for (std::size_t i = 0; i < n; ++i) {
                    auto& derivative = detail::part_of(x_[i], k);
                    derivative = derivative + value(rows.lambda[i]);
                }
            }
        }
        for (std::size_t i = 0; i < n; ++i) {
            rows.b[i] = b_[i];
            rows.lambda[i] = x_[i];
        }
        return solved;
    }
    // y = A x
    template <class P>
    constexpr void multiply(P const& p, row_system<Env>& rows, std::span<S const> x, std::span<S> y) {
        rows.clear(p, v_);
        rows.add_transposed(p, x, v_);
        rows.weigh(p, v_);
        rows.multiply(p, v_, y);
        for (std::size_t i = 0; i < rows.rows(); ++i) y[i] = y[i] + rows.softness[i] * x[i];
    }

    struct none {};
    // In fixed point the square of a residual has digits for three decimal places of it at best, and none if it is small. So it is brought to a size that has
    // them, taken down by 2^-12, and what is left is magnified anew.
    template <class Apply>
    constexpr linear_report solve_in_turns(Apply const& apply, row_system<Env>& rows) {
        std::size_t const n = rows.rows();
        std::span<S const> const diagonal(inverse_diagonal_.data(), n);
        left_.resize(n);
        change_.resize(n);
        std::span<S> const left(left_.data(), n), change(change_.data(), n);
        for (std::size_t i = 0; i < n; ++i) {
            rows.lambda[i] = S(0);
            left[i] = rows.b[i];
        }
        linear_report report{0, true, true};
        S first(0), last = infinity_v<S>, best(128);  // of 1000 rows the squares are 2^24 then
        for (int turn = 0; report.iterations < iterations; ++turn) {
            S most(0);
            for (std::size_t i = 0; i < n; ++i) most = max(most, abs(left[i]) * sqrt(diagonal[i]));
            if (turn == 0) first = most;
            if (most <= first * tolerance || !(most + most < last)) return report;
            last = most;
            S grown(1), shrunk(1);
            while (most * grown < best / S(2) && grown < S(1 << 28)) grown = grown + grown;
            while (most / shrunk > best) shrunk = shrunk + shrunk;
            for (std::size_t i = 0; i < n; ++i) {
                left[i] = left[i] / shrunk * grown;
                change[i] = S(0);
            }
            detail::plain_decision decide;
            auto const r = conjugate_residual_solve<S>(apply, std::span<S const>(left), change, diagonal, work_, {S(0x1p-12), static_cast<std::size_t>(iterations - report.iterations)}, decide);
            report.iterations += static_cast<int>(r.iterations);
            if (turn == 0) report = {report.iterations, r.consistent || !r.converged, r.converged};
            for (std::size_t i = 0; i < n; ++i) rows.lambda[i] = rows.lambda[i] + change[i] / grown * shrunk;
            apply(std::span<S const>(rows.lambda.data(), n), left);
            for (std::size_t i = 0; i < n; ++i) left[i] = rows.b[i] - left[i];
        }
        return report;
    }
    template <class P>
    constexpr void find_diagonal(P const& p, row_system<Env>& rows) {
        inverse_diagonal_.resize(rows.rows());
        for (std::size_t i = 0; i < rows.rows(); ++i) inverse_diagonal_[i] = rows.softness[i];
        row_system<Env>::for_each(p, [&](auto const& e, auto const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            rows.for_each_block(e, at, [&](auto kind, std::uint32_t i, S const* J, std::uint32_t) {
                using K = decltype(kind);
                typename row_system<Env>::template block_of<C, K> const b{J};
                for (std::size_t r = 0; r < rows_v<C>; ++r) {
                    auto const f = b.row(r);
                    inverse_diagonal_[at.row + r] = inverse_diagonal_[at.row + r] + dot(f, detail::attachment_access<K>::weigh(p, i, f));
                }
            });
        });
        // A row that nothing can move is as good as any other.
        for (S& d : inverse_diagonal_) d = S(1) / select(d > S(0), d, S(1));
    }

    iteration_vectors<S, Env, Env::max_rows> work_{};
    [[no_unique_address]] std::conditional_t<has_lanes_v<S>, typename Env::template array<S, Env::max_rows>, none> kept_{};
    [[no_unique_address]] std::conditional_t<!floating_scalar<S>, typename Env::template array<S, Env::max_rows>, none> left_{}, change_{};  // in fixed point: of b, and of lambda
    typename Env::template array<S, Env::max_rows> inverse_diagonal_{};
    [[no_unique_address]] std::conditional_t<(derivative_order_v<S> > 0), typename Env::template array<S, Env::max_rows>, none> b_{}, x_{}, residual_{};
    typename row_system<Env>::node_vectors v_{};
};

}  // namespace sinew::inline v0
