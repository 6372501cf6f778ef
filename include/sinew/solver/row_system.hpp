#pragma once
// The constraints of a problem as one system of rows, for strategies that solve all of them together.
//
//   J W J^T lambda + S lambda = b,   lower <= lambda <= upper
//
//   J    m x dof numbers for each body that a constraint binds: a block, see jacobian_block.hpp. They lie in the order of the constraints
//   W    inverse masses, which the problem has              S   softness, a diagonal
//   lambda, b   forces and accelerations, impulses and velocities, or kg m and m: J and W are the same for all three
//
// What is built once and kept while the world's contents stay: which rows, blocks and bodies there are. What is written anew
// at every pose: J, S, b, the bounds, and which rows take part. A row that takes no part is idle: J = 0, S = 1, b = 0, so that
// its lambda is 0 whether or not a solver looks.
//
// Loops over constraints go type by type, with the sizes of blocks known to the compiler.

#include <sinew/core/storage.hpp>
#include <sinew/solver/jacobian_block.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::inline v0 {

namespace detail {

template <class C, class S, class A>
inline constexpr bool has_limits_of_lambda_with_v = false;
template <class C, class S, class... K>
inline constexpr bool has_limits_of_lambda_with_v<C, S, binds<K...>> =
    requires(C const& c, vec<S, rows_v<C>> const& l, typename archetype<K, S>::pose_type const&... p) { constraint_traits<C>::limits(c, l, p...); };
/// The bounds of some rows depend on the multipliers of others, as those of friction do.
template <class C, class S>
inline constexpr bool has_limits_of_lambda_v = has_limits_of_lambda_with_v<C, S, attachments_t<C>>;

// Of a list of constraint types.
template <class Cs, class S>
struct of_types;
template <class... Cs, class S>
struct of_types<std::tuple<Cs...>, S> {
    static constexpr bool any_bounds = (is_bounded_v<Cs, S> || ...);
    static constexpr bool any_limits_of_lambda = (has_limits_of_lambda_v<Cs, S> || ...);
    static constexpr bool any_compliance = (has_compliance<Cs> || ...);
    static constexpr std::size_t most_rows = [] {
        std::size_t m = 1;
        ((m = rows_v<Cs> > m ? rows_v<Cs> : m), ...);
        return m;
    }();
};

// The first K::dof numbers of a longer vector, and back.
template <class K, class S, std::size_t N>
[[nodiscard]] constexpr vec<S, K::dof> head(vec<S, N> const& v) noexcept {
    vec<S, K::dof> r;
    each_below<S>(count_v<K::dof>, [&](auto k) { r.e[k] = v.e[k]; });
    return r;
}
template <class S, std::size_t D, std::size_t N>
constexpr void set_head(vec<S, N>& v, vec<S, D> const& a) noexcept {
    each_below<S>(count_v<D>, [&](auto k) { v.e[k] = a.e[k]; });
}

}  // namespace detail

/// What a row is at present.
enum class row_use : unsigned char {
    idle,      ///< takes no part
    equality,  ///< no bounds
    bounded,   ///< has bounds; an inequality or a friction row too
};

/// Env: the world's environment.
template <class Env>
class row_system {
public:
    using S = typename Env::scalar;
    using facts = detail::of_types<typename Env::constraint_types, S>;
    /// Velocities, forces or displacements of all bodies; of each the first numbers, as many as it has degrees of freedom.
    using node_vectors = typename Env::template array<vec<S, Env::max_dof>, Env::max_nodes>;
    static constexpr std::uint32_t none = 0xffffffffu;
    static constexpr std::size_t max_constraints = detail::room_for<Env>([]<class C>(std::type_identity<C>) { return std::size_t(1); });
    static constexpr std::size_t max_blocks = detail::room_for<Env>([]<class C>(std::type_identity<C>) { return attachments_t<C>::size; });
    static constexpr std::size_t max_numbers = detail::room_for<Env>([]<class C>(std::type_identity<C>) { return detail::all_block_numbers_v<C>; });
    static constexpr std::size_t max_written = detail::room_for<Env>([]<class C>(std::type_identity<C>) { return rows_v<C> * attachments_t<C>::dof; });  // of J in full

    /// One constraint.
    struct constraint_info {
        std::uint32_t row = 0, rows = 0;
        std::uint32_t block = 0, blocks = 0;
        bool bounded = false;  ///< its type has limits
        bool soft = false;     ///< its type has compliance
        bool points = false;   ///< its blocks are those of points
        bool holds = false;    ///< its rows are equalities of positions, whatever happens
        std::uint32_t beside = none;  ///< the last constraint before it that holds the same bodies, if it holds any
    };
    /// A constraint's rows on one of its bodies.
    struct block_info {
        std::uint32_t node = 0;        ///< of the problem
        std::uint32_t constraint = 0;
        std::uint32_t number = 0;      ///< where its numbers begin, see jacobian_block.hpp
        std::uint32_t rows = 0, dof = 0;
        std::uint32_t written = 0;     ///< where its rows x dof numbers are in a J written out in full
        std::uint32_t next = none;     ///< the next block on the same body
        bool moves = false;            ///< the body can be moved
    };
    /// Where a constraint stands, in a loop over all of them.
    struct place {
        std::uint32_t constraint = 0, row = 0, block = 0, number = 0;
    };

    /// Finds the rows and blocks, if the world's contents have changed since.
    template <class P>
    constexpr void update(P const& p) {
        std::size_t count = 0;
        p.for_each_type([&](auto entries, auto) { count += entries.size(); });
        if (built_ && contents_ == p.contents && constraints_.size() == count && first_.size() == p.node_count()) return;
        build(p);
        contents_ = p.contents;
        built_ = true;
        ++version_;
    }
    /// Changes with what update() finds.
    [[nodiscard]] constexpr std::uint32_t version() const noexcept { return version_; }

    [[nodiscard]] constexpr std::size_t rows() const noexcept { return b.size(); }
    [[nodiscard]] constexpr auto const& constraints() const noexcept { return constraints_; }
    [[nodiscard]] constexpr auto const& blocks() const noexcept { return blocks_; }
    /// The first block on a body that can be moved, or none; and how many there are.
    [[nodiscard]] constexpr std::uint32_t first_on(std::uint32_t node) const noexcept { return first_[node]; }
    [[nodiscard]] constexpr std::uint32_t blocks_on(std::uint32_t node) const noexcept { return count_[node]; }
    [[nodiscard]] constexpr std::size_t node_count() const noexcept { return first_.size(); }
    /// f(block) for each body of a constraint that can be moved.
    template <class F>
    constexpr void for_each_body(std::uint32_t constraint, F&& f) const {
        auto const& c = constraints_[constraint];
        for (std::uint32_t k = c.block; k < c.block + c.blocks; ++k)
            if (blocks_[k].moves) f(blocks_[k]);
    }
    /// Of the bodies that a constraint can move, that with the fewest blocks; or none.
    [[nodiscard]] constexpr std::uint32_t least_bound(std::uint32_t constraint) const noexcept {
        std::uint32_t on = none, least = none;
        for_each_body(constraint, [&](block_info const& x) {
            if (count_[x.node] < least) {
                least = count_[x.node];
                on = x.node;
            }
        });
        return on;
    }
    /// Whether two constraints can move the same bodies.
    [[nodiscard]] constexpr bool binds_same(std::uint32_t one, std::uint32_t other) const noexcept {
        std::size_t bodies = 0, others = 0;
        bool same = true;
        for_each_body(other, [&](block_info const&) { ++others; });
        for_each_body(one, [&](block_info const& x) {
            bool found = false;
            for_each_body(other, [&](block_info const& y) { found = found || x.node == y.node; });
            same = same && found;
            ++bodies;
        });
        return same && bodies == others;
    }

    /// f(entry, place) for every constraint.
    template <class P, class F>
    static constexpr void for_each(P const& p, F&& f) {
        place at;
        p.for_each_type([&](auto entries, auto) {
            using C = typename decltype(entries)::value_type::constraint_type;
            for (auto& e : entries) {
                f(e, at);
                ++at.constraint;
                at.row += static_cast<std::uint32_t>(rows_v<C>);
                at.block += static_cast<std::uint32_t>(attachments_t<C>::size);
                at.number += static_cast<std::uint32_t>(detail::all_block_numbers_v<C>);
            }
        });
    }
    /// f(entry, place) for every constraint of the types for which Keep<C>::value.
    template <template <class> class Keep, class P, class F>
    static constexpr void for_each_of(P const& p, F&& f) {
        place at;
        p.for_each_type([&](auto entries, auto) {
            using C = typename decltype(entries)::value_type::constraint_type;
            auto const n = static_cast<std::uint32_t>(entries.size());
            if constexpr (Keep<C>::value) {
                place here = at;
                for (auto& e : entries) {
                    f(e, here);
                    ++here.constraint;
                    here.row += static_cast<std::uint32_t>(rows_v<C>);
                    here.block += static_cast<std::uint32_t>(attachments_t<C>::size);
                    here.number += static_cast<std::uint32_t>(detail::all_block_numbers_v<C>);
                }
            }
            at.constraint += n;
            at.row += n * static_cast<std::uint32_t>(rows_v<C>);
            at.block += n * static_cast<std::uint32_t>(attachments_t<C>::size);
            at.number += n * static_cast<std::uint32_t>(detail::all_block_numbers_v<C>);
        });
    }
    /// f(kind, index of the body, its numbers, block) for each attachment of an entry.
    template <class E, class F>
    constexpr void for_each_block(E const& e, place const& at, F&& f) {
        using C = typename E::constraint_type;
        using A = attachments_t<C>;
        S* const numbers = numbers_.data() + at.number;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (f(typename A::template kind<I>{}, e.bodies[I], numbers + detail::block_offset_v<C, I>, at.block + static_cast<std::uint32_t>(I)), ...);
        }(std::make_index_sequence<A::size>{});
    }
    /// A block of constraint type C on a body of kind K.
    template <class C, class K>
    using block_of = detail::jacobian_block<detail::has_point_blocks_v<C>, rows_v<C>, K, S>;

    /// J of an entry at the poses of now.
    template <class P, class E>
    constexpr void set_jacobian(P const& p, E const& e, place const& at) {
        using C = typename E::constraint_type;
        if constexpr (detail::has_point_blocks_v<C>) {
            for_each_block(e, at, [&](auto kind, std::uint32_t i, S* J, std::uint32_t block) {
                using K = decltype(kind);
                auto const pose = detail::attachment_access<K>::pose(p, i);
                bool const first = block == at.block;
                S const s = first ? S(1) : S(-1);
                if constexpr (K::dof == 6) {
                    vec3<S> r;
                    if constexpr (std::same_as<typename attachments_t<C>::template kind<0>, typename attachments_t<C>::template kind<1>>)
                        r = pose.direction(first ? e.constraint.anchor_a : e.constraint.anchor_b);
                    else if constexpr (std::same_as<typename attachments_t<C>::template kind<0>, K>)
                        r = pose.direction(e.constraint.anchor_a);
                    else
                        r = pose.direction(e.constraint.anchor_b);
                    J[0] = s;
                    for (std::size_t k = 0; k < 3; ++k) J[1 + k] = s * r[k];
                } else {
                    J[0] = s;
                }
            });
        } else {
            jacobian_t<C, S> const J = entry_jacobian(p, e);
            S* to = numbers_.data() + at.number;
            for_each_attachment(e, [&](auto kind, auto first, std::uint32_t) {
                constexpr std::size_t dof = decltype(kind)::dof;
                S* const rows = to;  // `to` itself would be read and written with every number
                for (std::size_t r = 0; r < rows_v<C>; ++r)
                    for (std::size_t k = 0; k < dof; ++k) rows[r * dof + k] = J(r, first + k);
                to += rows_v<C> * dof;
            });
        }
    }
    /// Row r of an entry, whose J has been set, takes no part.
    template <class E>
    constexpr void set_idle(E const& e, place const& at, std::size_t r) noexcept {
        using C = typename E::constraint_type;
        static_assert(!detail::has_point_blocks_v<C>);  // joints of points are always hard
        S* to = numbers_.data() + at.number;
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t) {
            constexpr std::size_t dof = decltype(kind)::dof;
            for (std::size_t k = 0; k < dof; ++k) to[r * dof + k] = S(0);
            to += rows_v<C> * dof;
        });
        use[at.row + r] = row_use::idle;
        softness[at.row + r] = S(1);
        b[at.row + r] = S(0);
        lower[at.row + r] = S(0);
        upper[at.row + r] = S(0);
    }
    /// Row r takes part, within these bounds.
    constexpr void set_active(std::size_t row, S const& soft, S const& low, S const& high) noexcept {
        use[row] = all(low == -infinity_v<S>) && all(high == infinity_v<S>) ? row_use::equality : row_use::bounded;
        softness[row] = soft;
        lower[row] = low;
        upper[row] = high;
    }

    /// The numbers of J from one place on; and how many there are.
    [[nodiscard]] constexpr S const* numbers(std::uint32_t at) const noexcept { return numbers_.data() + at; }
    [[nodiscard]] constexpr std::size_t number_count() const noexcept { return numbers_.size(); }
    [[nodiscard]] constexpr std::size_t written_count() const noexcept { return written_; }

    /// y = J v. v of what does not move must be 0.
    template <class P>
    constexpr void multiply(P const& p, node_vectors const& v, std::span<S> y) {
        for_each(p, [&](auto const& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            vec<S, rows_v<C>> sum{};
            for_each_block(e, at, [&](auto kind, std::uint32_t i, S const* J, std::uint32_t) { sum += block_of<C, decltype(kind)>{J}.times(v[p.node(kind, i)]); });
            detail::each_below<S>(detail::count_v<rows_v<C>>, [&](auto r) { y[at.row + r] = sum.e[r]; });
        });
    }
    /// f += J^T x. What falls on bodies that do not move is of no use.
    template <class P>
    constexpr void add_transposed(P const& p, std::span<S const> x, node_vectors& f) {
        for_each(p, [&](auto const& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            for_each_block(e, at, [&](auto kind, std::uint32_t i, S const* J, std::uint32_t) {
                auto const add = block_of<C, decltype(kind)>{J}.transpose_times(x.data() + at.row);
                auto& fi = f[p.node(kind, i)];
                detail::each_below<S>(detail::count_v<decltype(kind)::dof>, [&](auto k) { fi.e[k] = fi.e[k] + add.e[k]; });
            });
        });
    }
    /// Zero for every body.
    template <class P>
    static constexpr void clear(P const& p, node_vectors& v) {
        v.resize(p.node_count());
        for (auto& x : v) x = {};
    }
    /// v = W f, in place; 0 of what does not move.
    template <class P>
    static constexpr void weigh(P const& p, node_vectors& f) {
        // Whatever is not visited does not move.
        for_each_node(p, [&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            auto& x = f[p.node(kind, i)];
            detail::set_head(x, detail::attachment_access<K>::weigh(p, i, detail::head<K>(x)));
        });
    }

    /// Into the inverse masses, which are those of the poses of now, what is added to inertias.
    template <class P>
    constexpr void weigh_added(P const& p) const noexcept {
        for (std::size_t i = 0; i < added_inertia.size(); ++i)
            if (auto const adds = adds_to(i); any(adds)) {
                sym3<S> const w = inverse(inverse(p.inverse_masses[i].angular) + added_inertia[i]);
                if constexpr (has_lanes_v<S>)
                    p.inverse_masses[i].angular = select(adds, w, p.inverse_masses[i].angular);
                else
                    p.inverse_masses[i].angular = w;
            }
    }
    /// M of a body with what is added to it.
    template <class K, class P>
    [[nodiscard]] constexpr auto mass_matrix(P const& p, std::uint32_t i) const noexcept {
        auto m = detail::attachment_access<K>::mass_matrix(p, i);
        if constexpr (std::same_as<K, rigid>) {
            if (auto const adds = adds_to(i); any(adds))
                for (std::size_t r = 0; r < 3; ++r)
                    for (std::size_t c = 0; c < 3; ++c) m(3 + r, 3 + c) = select(adds, m(3 + r, 3 + c) + added_inertia[i](r, c), m(3 + r, 3 + c));
        }
        return m;
    }
    /// Whether something is added to the inertia of rigid body i.
    [[nodiscard]] constexpr mask_t<S> adds_to(std::size_t i) const noexcept {
        if (i >= added_inertia.size()) return false;
        return added_inertia[i].xx + added_inertia[i].yy + added_inertia[i].zz > S(0);
    }
    /// Inertia that a strategy adds to rigid bodies for a step, world frame, kg m^2; of all of them or, as ever, of none. W is then
    /// that of both.
    typename Env::template array<sym3<S>, Env::limits.bodies + 1> added_inertia{};

    // Row by row.

    typename Env::template array<S, Env::max_rows> b{}, lambda{};
    typename Env::template array<S, Env::max_rows> softness{};
    typename Env::template array<S, Env::max_rows> lower{}, upper{};
    typename Env::template array<row_use, Env::max_rows> use{};

private:
    // f(kind, index) for every body of every kind, moving or not.
    template <class P, class F>
    static constexpr void for_each_node(P const& p, F&& f) {
        for (std::uint32_t i = 0; i < p.bodies.size(); ++i) f(rigid{}, i);
        for (std::uint32_t i = 0; i < p.particles.size(); ++i) f(point_mass{}, i);
        p.for_each_map([&](auto const& g) {
            using kind = generalized<typename std::remove_cvref_t<decltype(g)>::map_type>;
            for (std::uint32_t i = 0; i < g.states.size(); ++i) f(kind{}, i);
        });
    }

    // The last constraint before c that holds the same bodies; or none.
    [[nodiscard]] constexpr std::uint32_t last_beside(std::uint32_t c) const noexcept {
        std::uint32_t const node = least_bound(c);
        if (node == none) return none;
        for (std::uint32_t o = first_[node]; o != none; o = blocks_[o].next)
            if (std::uint32_t const d = blocks_[o].constraint; d != c && constraints_[d].holds && binds_same(c, d)) return d;
        return none;
    }

    template <class P>
    constexpr void build(P const& p) {
        constraints_.clear();
        blocks_.clear();
        first_.assign(p.node_count(), none);
        count_.assign(p.node_count(), 0);
        std::size_t numbers = 0, rows = 0;
        written_ = 0;
        for_each(p, [&](auto const& e, place const& at) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            using A = attachments_t<C>;
            constraint_info c;
            c.row = at.row;
            c.rows = static_cast<std::uint32_t>(rows_v<C>);
            c.block = at.block;
            c.blocks = static_cast<std::uint32_t>(A::size);
            c.bounded = is_bounded_v<C, S>;
            c.soft = has_compliance<C>;
            c.points = detail::has_point_blocks_v<C>;
            c.holds = is_holonomic_v<C, S> && !is_bounded_v<C, S>;
            constraints_.push_back(c);
            std::uint32_t number = at.number;
            for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
                using K = decltype(kind);
                block_info block;
                block.node = p.node(kind, i);
                block.constraint = at.constraint;
                block.number = number;
                number += static_cast<std::uint32_t>(detail::block_numbers_v<C, K>);
                block.written = static_cast<std::uint32_t>(written_);
                written_ += rows_v<C> * K::dof;
                block.rows = c.rows;
                block.dof = static_cast<std::uint32_t>(K::dof);
                block.moves = detail::attachment_access<K>::movable(p, i);
                if (block.moves) {
                    block.next = first_[block.node];
                    first_[block.node] = static_cast<std::uint32_t>(blocks_.size());
                    ++count_[block.node];
                }
                blocks_.push_back(block);
            });
            if (floating_scalar<S> && c.holds) constraints_.back().beside = last_beside(at.constraint);
            numbers += detail::all_block_numbers_v<C>;
            rows += rows_v<C>;
        });
        numbers_.assign(numbers, S(0));
        b.assign(rows, S(0));
        lambda.assign(rows, S(0));
        softness.assign(rows, S(0));
        lower.assign(rows, -infinity_v<S>);
        upper.assign(rows, infinity_v<S>);
        use.assign(rows, row_use::equality);
    }

    typename Env::template array<constraint_info, max_constraints> constraints_{};
    typename Env::template array<block_info, max_blocks> blocks_{};
    typename Env::template array<std::uint32_t, Env::max_nodes> first_{}, count_{};
    typename Env::template array<S, max_numbers> numbers_{};
    std::size_t written_ = 0;
    std::uint32_t contents_ = 0, version_ = 0;
    bool built_ = false;
};

}  // namespace sinew::inline v0
