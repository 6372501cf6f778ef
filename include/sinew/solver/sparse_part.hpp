#pragma once
// Linear time: the sparse matrix of bodies and constraints, factored along their tree (Baraff 1996; Vondrak 2005, 7.3.5).
//
//   H = | M  -J^T |        the unknowns of a body are its response, those of a constraint its multipliers; in the order of a
//       |-J  -S   |        depth-first search nothing fills in
//
// Most bodies are eliminated before, so that nodes are mostly constraints: constraint_forest.hpp.
//
// What does not fit into the forest is auxiliary: constraints that close a loop, as a second joint of the same bodies does, and all that
// have bounds. With U the columns that their J would have beside H, D their own J W J^T over eliminated bodies, and z the solution
// without them,
//
//   (D + S + U^T H^-1 U) mu = b - U^T z,   lower <= mu <= upper
//
// is a complementarity problem that anticipates how all others will answer to mu (Vondrak, eq. 7.1-7.2; his A is the same). Then H is
// solved once more with U mu beside b. Without auxiliary constraints, or while no bounded one is reached, none of this runs.
//
// A pivot lost in rounding belongs to a redundant row, which gets no multiplier. Should the row not hold all the same, because its
// pivot would have come from a body that is eliminated later, it joins the auxiliary ones.
// (Vondrak's eq. 6.49 has +S where J W J^T + S asks for -S.)

#include <sinew/core/storage.hpp>
#include <sinew/solver/constraint_forest.hpp>
#include <sinew/solver/linear_part.hpp>

namespace sinew::inline v0 {

/// Linear part: linear time in the number of constraints, but for those that close loops or have bounds. LoopRows, of static
/// storage only: rows of constraints that close loops for which there is room. What binds two bodies in more rows than six closes a loop.
template <std::size_t LoopRows>
struct sparse_ldlt_with {
    template <class Env>
    class part;
};
/// With room for four hinges that close loops.
struct sparse_ldlt : sparse_ldlt_with<20> {};

template <std::size_t LoopRows>
template <class Env>
class sparse_ldlt_with<LoopRows>::part : detail::constraint_forest<Env> {
    using forest = detail::constraint_forest<Env>;
    using rows_type = row_system<Env>;
    using facts = typename rows_type::facts;
    using place = typename rows_type::place;
    using typename forest::member;
    using typename forest::pair;
    using typename forest::target;
    using forest::none;
    using forest::widest;

    using forest::body_;
    using forest::forest_;
    using forest::groups_;
    using forest::members_;
    using forest::pairs_;
    using forest::targets_;

    // Capacities of static storage.
    static constexpr std::size_t max_aux_rows = std::min(Env::max_rows, detail::room_for<Env>([]<class C>(std::type_identity<C>) { return is_bounded_v<C, typename Env::scalar> ? rows_v<C> : 0; }) + LoopRows);
    static constexpr std::size_t max_segments = 2 * Env::max_dof * max_aux_rows * Env::widest;  // a body with six rows of its own, and six that hang on it
    static constexpr std::size_t max_columns = 2 * max_aux_rows * Env::widest * widest;

public:
    using S = typename Env::scalar;
    static constexpr bool bounds = true;
    static constexpr bool lanes = false;  // pivots are chosen by numbers

    template <class P>
    constexpr linear_report solve(P const& p, rows_type& rows, bool renew) {
        if (version_ != rows.version()) {
            build(p, rows);
            version_ = rows.version();
        }
        linear_report report;
        fill(rows);
        if (renew) {
            assemble(p, rows);
            auto const f = forest_.factor_and_solve(std::span<S>(x_.data(), x_.size()), detail::pivot_floor<S>(x_.size()));
            is_full_rank_ = f.full_rank() && !is_crowded_;
            auxiliary_.resize(permanent_);
            active_.clear();  // those of the last time, of rows that may be gone
            if (!f.full_rank()) find_stranded(p, rows);
            find_auxiliary(rows);
            if (!active_.empty()) couple(p, rows);
        } else {
            forest_.solve(std::span<S>(x_.data(), x_.size()));
        }
        report.full_rank = is_full_rank_;
        if (!active_.empty()) solve_auxiliary(rows, report);
        read(rows);
        return report;
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept { return {}; }
    /// It has no tuning numbers.
    [[nodiscard]] friend constexpr bool operator==(part const&, part const&) { return true; }

    /// Constraints outside of the forest, of all: those that close loops, and those with bounds.
    [[nodiscard]] constexpr std::size_t auxiliary_count() const noexcept { return permanent_; }

private:
    // Columns of U of one auxiliary constraint: where they are not 0.
    struct segment {
        std::uint32_t x = 0, count = 0;
    };
    struct auxiliary {
        std::uint32_t constraint = 0;
        std::uint32_t segment = 0, segments = 0;
        std::uint32_t width = 0;       // numbers of one column
        std::uint32_t number = 0;      // where the columns begin, row after row of J
    };

    // ---- structure

    template <class P>
    constexpr void build(P const& p, rows_type const& rows) {
        forest::build(p, rows);
        x_.assign(forest_.rows(), S(0));
        auxiliary_.clear();
        for (std::uint32_t c = 0; c < members_.size(); ++c)
            if (members_[c].x == none && rows.least_bound(c) != none) auxiliary_.push_back({c, 0, 0, 0, 0});  // what nothing can move takes no part
        find_segments(rows);
        reserve_auxiliary(rows);
    }
    // Inequalities come and go: room for all that may act together, or for as many as a matrix of moderate size has. Beyond that it grows
    // when they do.
    constexpr void reserve_auxiliary(rows_type const& rows) {
        std::size_t n = 0;
        for (auto const& a : auxiliary_) n += rows.constraints()[a.constraint].rows;
        n = n < 128 ? n : 128;
        make_room(active_, n);
        make_room(a_, n * n);
        for (auto* v : {&b_, &lower_, &upper_, &mu_, &scale_}) make_room(*v, n);
        lcp_.reserve(n);
    }
    // Where the columns of U are not 0. Static storage may lack room for a loop: such a constraint is left out, and every report says so.
    constexpr void find_segments(rows_type const& rows) {
        segments_.clear();
        columns_.clear();
        is_crowded_ = false;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < auxiliary_.size(); ++i) {
            if (add_segments(rows, auxiliary_[i]))
                auxiliary_[kept++] = auxiliary_[i];
            else
                is_crowded_ = true;
        }
        auxiliary_.resize(kept);
        permanent_ = kept;
    }
    constexpr bool add_segments(rows_type const& rows, auxiliary& a) {
        a.segment = static_cast<std::uint32_t>(segments_.size());
        a.width = 0;
        a.number = static_cast<std::uint32_t>(columns_.size());
        bool fits = true;
        auto const add = [&](std::uint32_t x, std::uint32_t count) {
            if (fits = fits && !is_full(segments_); !fits) return;
            segments_.push_back({x, count});
            a.width += count;
        };
        rows.for_each_body(a.constraint, [&](auto const& b) {
            if (body_[b.node] != none) return add(forest_.row(body_[b.node]), b.dof);
            for (std::uint32_t o = rows.first_on(b.node); o != none; o = rows.blocks()[o].next)
                if (member const& m = members_[rows.blocks()[o].constraint]; m.x != none) add(m.x, rows.blocks()[o].rows);
        });
        a.segments = static_cast<std::uint32_t>(segments_.size()) - a.segment;
        std::size_t const numbers = a.width * rows.constraints()[a.constraint].rows;
        if (fits && has_room(columns_, numbers)) {
            columns_.resize(columns_.size() + numbers);
            return true;
        }
        segments_.resize(a.segment);
        return false;
    }
    template <class A>
    [[nodiscard]] static constexpr bool has_room(A const& array, std::size_t more) noexcept {
        if constexpr (requires { array.full(); })
            return array.size() + more <= array.capacity();
        else
            return true;
    }

    // ---- numbers

    template <class P>
    constexpr void assemble(P const& p, rows_type& rows) {
        std::span<S> const h = forest_.values();
        for (S& x : h) x = S(0);
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            std::uint32_t const node = body_[p.node(kind, i)];
            if (node == none) return;
            auto const m = rows.template mass_matrix<K>(p, i);
            S* const to = forest_.diagonal(node);
            for (std::size_t k = 0; k < K::dof * K::dof; ++k) to[k] = m.e[k];
        });
        rows_type::template for_each_of<is_primary>(p, [&](auto const& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            member const& m = members_[at.constraint];
            if (m.x == none) return;
            S* const own = h.data() + m.diagonal;
            for (std::size_t r = 0; r < M; ++r) own[r * (m.stride + 1)] = own[r * (m.stride + 1)] - rows.softness[at.row + r];
            rows.for_each_block(e, at, [&](auto kind, std::uint32_t i, S const* J, std::uint32_t block) {
                using K = decltype(kind);
                target const& t = targets_[block];
                typename rows_type::template block_of<C, K> const b{J};
                if (t.coupling != none) {
                    b.write(h.data() + t.coupling, S(-1));
                    return;
                }
                if (!rows.blocks()[block].moves) return;
                if constexpr (rows_type::template block_of<C, K>::is_arm) {
                    if (t.only_points) return meet_points(p.inverse_masses[i], rows, t, J, own, m.stride);
                }
                auto const B = b.weighed(p, i);
                for (std::size_t r = 0; r < M; ++r)
                    for (std::size_t q = 0; q <= r; ++q) own[r * m.stride + q] = own[r * m.stride + q] - b.row_times(q, B[r]);
                for (std::uint32_t n = t.first; n < t.first + t.count; ++n) {
                    pair const& other = pairs_[n];
                    detail::written_out<K, S> const Jo(rows.numbers(other.number), other.point);
                    S* const to = h.data() + other.to;
                    for (std::size_t r = 0; r < M; ++r)
                        for (std::uint32_t q = 0; q < other.rows; ++q)
                            to[r * other.stride + q] = to[r * other.stride + q] - detail::product_with(Jo.row(q), B[r]);
                }
            });
        });
    }
    // The same for blocks of points on a rigid body.
    constexpr void meet_points(inverse_mass<S> const& w, rows_type const& rows, target const& t, S const* J, S* own, std::size_t stride) noexcept {
        auto const k = detail::point_response(w, detail::jacobian_block<true, 3, rigid, S>{J}.arm());
        own[0] = own[0] - k.xx;
        own[stride] = own[stride] - k.xy;
        own[stride + 1] = own[stride + 1] - k.yy;
        own[2 * stride] = own[2 * stride] - k.xz;
        own[2 * stride + 1] = own[2 * stride + 1] - k.yz;
        own[2 * stride + 2] = own[2 * stride + 2] - k.zz;
        for (std::uint32_t n = t.first; n < t.first + t.count; ++n) {
            pair const& other = pairs_[n];
            mat3<S> const c = detail::between_points(w, J, rows.numbers(other.number));
            S* const to = forest_.values().data() + other.to;
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t q = 0; q < 3; ++q) to[r * other.stride + q] = to[r * other.stride + q] - c(r, q);
        }
    }
    constexpr void fill(rows_type const& rows) {
        for (S& x : x_) x = S(0);
        for (std::uint32_t c = 0; c < members_.size(); ++c) {
            if (members_[c].x == none) continue;
            auto const& info = rows.constraints()[c];
            for (std::uint32_t r = 0; r < info.rows; ++r) x_[members_[c].x + r] = -rows.b[info.row + r];
        }
    }
    constexpr void read(rows_type& rows) const {
        for (std::uint32_t c = 0; c < members_.size(); ++c) {
            auto const& info = rows.constraints()[c];
            for (std::uint32_t r = 0; r < info.rows; ++r) rows.lambda[info.row + r] = members_[c].x == none ? S(0) : x_[members_[c].x + r];
        }
        for (std::size_t i = 0; i < active_.size(); ++i) rows.lambda[active_[i].row] = mu_[i];
    }

    // ---- auxiliary rows

    struct active_row {
        std::uint32_t row = 0;     // of the system
        std::uint32_t of = 0;      // in auxiliary_
        std::uint32_t r = 0;       // within its constraint
    };

    // Rows whose pivots are lost, and which the others do not make hold: they join the auxiliary ones until the next factors. (The
    // solution of the others is in x.)
    template <class P>
    constexpr void find_stranded(P const& p, rows_type& rows) {
        if (permanent_ == 0) {
            segments_.clear();
            columns_.clear();
        } else {
            auxiliary const& last = auxiliary_[permanent_ - 1];
            segments_.resize(last.segment + last.segments);
            columns_.resize(last.number + last.width * rows.constraints()[last.constraint].rows);
        }
        stranded_.assign(rows.rows(), 0);
        read(rows);
        rows.clear(p, v_);
        rows.add_transposed(p, std::span<S const>(rows.lambda.data(), rows.rows()), v_);
        rows.weigh(p, v_);
        left_.resize(rows.rows());
        rows.multiply(p, v_, std::span<S>(left_.data(), left_.size()));
        S size(0);
        for (std::size_t r = 0; r < rows.rows(); ++r) {
            left_[r] = rows.b[r] - left_[r] - rows.softness[r] * rows.lambda[r];
            size = max(size, max(abs(rows.b[r]), abs(left_[r])));
        }
        S const tolerance = size * sqrt(epsilon_v<S>);
        for (std::uint32_t c = 0; c < members_.size(); ++c) {
            member const& m = members_[c];
            if (m.x == none) continue;
            auto const& info = rows.constraints()[c];
            bool any_row = false;
            for (std::uint32_t r = 0; r < info.rows; ++r) {
                bool const is_stranded = forest_.set_aside(groups_[m.group].node, m.offset + r) && abs(left_[info.row + r]) > tolerance;
                stranded_[info.row + r] = is_stranded ? 1 : 0;
                any_row = any_row || is_stranded;
            }
            auxiliary a{c, 0, 0, 0, 0};
            if (any_row && !is_full(auxiliary_) && add_segments(rows, a)) auxiliary_.push_back(a);
        }
    }
    constexpr void find_auxiliary(rows_type const& rows) {
        for (std::uint32_t a = 0; a < auxiliary_.size(); ++a) {
            auto const& info = rows.constraints()[auxiliary_[a].constraint];
            for (std::uint32_t r = 0; r < info.rows; ++r) {
                if (rows.use[info.row + r] == row_use::idle || (a >= permanent_ && stranded_[info.row + r] == 0)) continue;
                if (is_full(active_))
                    is_full_rank_ = false;
                else
                    active_.push_back({info.row + r, a, r});
            }
        }
    }
    [[nodiscard]] constexpr S const* column(active_row const& a) const noexcept {
        auto const& x = auxiliary_[a.of];
        return columns_.data() + x.number + a.r * x.width;
    }
    // Dot product of a column of U with x.
    [[nodiscard]] constexpr S seen_by(active_row const& a) const noexcept {
        auto const& x = auxiliary_[a.of];
        S const* u = column(a);
        S s(0);
        for (std::uint32_t i = x.segment; i < x.segment + x.segments; ++i)
            for (std::uint32_t k = 0; k < segments_[i].count; ++k) s = s + *u++ * x_[segments_[i].x + k];
        return s;
    }
    constexpr void scatter(active_row const& a, S const& scale) noexcept {
        auto const& x = auxiliary_[a.of];
        S const* u = column(a);
        for (std::uint32_t i = x.segment; i < x.segment + x.segments; ++i)
            for (std::uint32_t k = 0; k < segments_[i].count; ++k) x_[segments_[i].x + k] = x_[segments_[i].x + k] + *u++ * scale;
    }

    // U, and A = D + S + U^T H^-1 U. x is kept.
    template <class P>
    constexpr void couple(P const& p, rows_type& rows) {
        std::size_t const n = active_.size();
        a_.assign(n * n, S(0));
        scale_.assign(n, S(0));
        weigh_auxiliary(p, rows);
        for (std::size_t i = 0; i < n; ++i) {
            a_[i * n + i] = a_[i * n + i] + rows.softness[active_[i].row];
            scale_[i] = scale_[i] + rows.softness[active_[i].row];
        }
        kept_.resize(x_.size());
        for (std::size_t i = 0; i < x_.size(); ++i) kept_[i] = x_[i];
        for (std::size_t i = 0; i < n; ++i) {
            for (S& x : x_) x = S(0);
            scatter(active_[i], S(1));
            forest_.solve(std::span<S>(x_.data(), x_.size()));
            scale_[i] = scale_[i] + forest_.sensitivity(std::span<S const>(x_.data(), x_.size()));
            for (std::size_t j = i; j < n; ++j) a_[j * n + i] = a_[j * n + i] + seen_by(active_[j]);
        }
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = kept_[i];
    }
    // Columns of U; D between auxiliary rows that meet on an eliminated body; the diagonal that J W J^T has over all bodies.
    template <class P>
    constexpr void weigh_auxiliary(P const& p, rows_type& rows) {
        std::size_t const n = active_.size();
        first_active_.assign(rows.constraints().size(), none);
        for (std::uint32_t i = 0; i < n; ++i) {
            std::uint32_t const c = auxiliary_[active_[i].of].constraint;
            if (first_active_[c] == none) first_active_[c] = i;
        }
        rows_type::for_each(p, [&](auto const& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            constexpr std::size_t M = rows_v<C>;
            if (first_active_[at.constraint] == none) return;
            std::uint32_t const first = first_active_[at.constraint];
            auxiliary const& aux = auxiliary_[active_[first].of];
            S* u = columns_.data() + aux.number;
            rows.for_each_block(e, at, [&](auto kind, std::uint32_t i, S const* J, std::uint32_t block) {
                using K = decltype(kind);
                auto const& info = rows.blocks()[block];
                if (!info.moves) return;
                typename rows_type::template block_of<C, K> const b{J};
                auto const B = b.weighed(p, i);
                for (std::uint32_t k = first; k < n && active_[k].of == active_[first].of; ++k)
                    scale_[k] = scale_[k] + dot(b.row(active_[k].r), B[active_[k].r]);
                if (body_[info.node] != none) {
                    for (std::size_t r = 0; r < M; ++r) {
                        auto const row = b.row(r);
                        for (std::size_t k = 0; k < K::dof; ++k) u[r * aux.width + k] = row[k];
                    }
                    u += K::dof;
                    return;
                }
                for (std::uint32_t o = rows.first_on(info.node); o != none; o = rows.blocks()[o].next) {
                    auto const& other = rows.blocks()[o];
                    detail::written_out<K, S> const Jo(rows.numbers(other.number), rows.constraints()[other.constraint].points);
                    if (members_[other.constraint].x != none) {
                        for (std::size_t r = 0; r < M; ++r)
                            for (std::uint32_t q = 0; q < other.rows; ++q) u[r * aux.width + q] = detail::product_with(Jo.row(q), B[r]);
                        u += other.rows;
                    }
                    if (std::uint32_t const f = first_active_[other.constraint]; f <= first) {
                        for (std::uint32_t k = first; k < n && active_[k].of == active_[first].of; ++k)
                            for (std::uint32_t q = f; q < n && active_[q].of == active_[f].of && q <= k; ++q)
                                a_[k * n + q] = a_[k * n + q] + detail::product_with(Jo.row(active_[q].r), B[active_[k].r]);
                    }
                }
            });
        });
    }
    constexpr void solve_auxiliary(rows_type& rows, linear_report& report) {
        std::size_t const n = active_.size();
        for (auto* v : {&b_, &lower_, &upper_, &mu_}) v->resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            b_[i] = seen_by(active_[i]) - rows.b[active_[i].row];
            lower_[i] = rows.lower[active_[i].row];
            upper_[i] = rows.upper[active_[i].row];
        }
        lo_hi_problem<S> problem{std::span<S const>(a_.data(), n * n), view(b_, n), view(lower_, n), view(upper_, n)};
        problem.diagonal_scale = view(scale_, n);
        auto const r = lcp_.solve(problem, std::span<S>(mu_.data(), n));
        for (std::size_t i = 0; i < n; ++i) report.full_rank = report.full_rank && lcp_.row(i) != lcp_row::idle;
        report.solved = r.status == lcp_status::solved;
        report.full_rank = report.full_rank && report.solved;
        fill(rows);
        for (std::size_t i = 0; i < n; ++i) scatter(active_[i], mu_[i]);
        forest_.solve(std::span<S>(x_.data(), x_.size()));
    }
    template <class A>
    [[nodiscard]] static constexpr std::span<S const> view(A const& a, std::size_t n) noexcept {
        return {a.data(), n};
    }

    template <class C>
    struct is_primary : std::bool_constant<!is_bounded_v<C, S>> {};

    typename Env::template array<S, Env::max_rows + Env::max_nodes * Env::max_dof> x_{}, kept_{};

    typename Env::template array<auxiliary, rows_type::max_constraints> auxiliary_{};
    typename Env::template array<segment, max_segments> segments_{};
    typename Env::template array<S, max_columns> columns_{};
    std::size_t permanent_ = 0;  // of auxiliary_; the others are stranded
    typename Env::template array<unsigned char, Env::max_rows> stranded_{};
    typename Env::template array<S, Env::max_rows> left_{};
    typename rows_type::node_vectors v_{};
    typename Env::template array<active_row, max_aux_rows> active_{};
    typename Env::template array<std::uint32_t, rows_type::max_constraints> first_active_{};
    typename Env::template array<S, max_aux_rows * max_aux_rows> a_{};
    typename Env::template array<S, max_aux_rows> b_{}, lower_{}, upper_{}, mu_{}, scale_{};
    lo_hi_lcp<S, Env, max_aux_rows> lcp_{};
    std::uint32_t version_ = 0;
    bool is_full_rank_ = true, is_crowded_ = false;
};

}  // namespace sinew::inline v0
