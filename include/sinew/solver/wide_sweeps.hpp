#pragma once
// Sweeps over N constraints at a time: those of one colour share no body, so N of one type become lanes of one constraint, and its own code, over a
// scalar of N lanes, prepares and solves them all at once.
//
//   arrange     once a step: colours and packs, if constraints or bodies are others than before; the constraints' numbers into their lanes
//   prepare     per pose: poses and inverse masses of the bodies into lanes, then what impulse_preparation.hpp does with any constraint
//   sweep       colour by colour; of each pack: velocities into lanes, one iteration, velocities back
//
// Packs of one colour are given to an executor, some at a time. Neither it nor N changes a bit: whatever the lanes, each constraint meets the same
// velocities and does the same operations. A pack that is not full repeats its first constraint in the lanes left over, and forgets what they find.

#include <sinew/core/storage.hpp>
#include <sinew/solver/constraint_colours.hpp>
#include <sinew/solver/executor.hpp>
#include <sinew/solver/lane_bodies.hpp>
#include <sinew/solver/wide_contacts.hpp>

namespace sinew::inline v0::detail {

template <class Env, std::size_t N, class Executor>
class wide_sweeps {
public:
    using S = typename Env::scalar;
    using B = typename lanes_of_scalar<S, N>::type;
    using R = typename Env::rotation::template rebind<B>;
    static constexpr std::size_t lanes = N;
    /// Four lanes of B, where Q is four of S.
    template <class Q>
    using lane_quad = std::conditional_t<N == 1, Q, array_quad<B>>;

    Executor executor{};     ///< runs packs of one colour
    std::size_t grain = 16;  ///< packs that are one piece of work for it
    std::size_t body_grain = 128;  ///< bodies that are one piece of work for it

    /// Whether constraints of type C are swept here; by their type alone, whatever N is.
    template <class C>
    static constexpr bool takes = [] {
        if constexpr (is_contact_v<C>)
            return false;
        else if constexpr (std::floating_point<S>)
            return goes_in_lanes_v<C, batch<S, 4>>;
        else
            return binds_bodies_v<attachments_t<C>>;
    }();

    /// Contacts are swept N manifolds at a time (wide_contacts.hpp), if their numbers have no lanes already.
    static constexpr bool takes_contacts = !has_lanes_v<S>;

    /// f(i), first <= i < last, in any order.
    template <class F>
    constexpr void run(std::size_t first, std::size_t last, F const& f) {
        for_range(first, last, f);
    }
    /// f(first, last) of parts of 0 ... count - 1: bodies.
    template <class F>
    constexpr void in_parts(std::size_t count, F const& f) {
        for_parts(0, count, body_grain, f);
    }
    /// After a step that has come to nothing: what is infinite would stay in places that others leave alone.
    constexpr void forget() noexcept {
        auto const clear = [](auto& packs) {
            if constexpr (requires { packs.clear(); }) packs.clear();
        };
        detail::call_with([&](auto&... packs) { (clear(packs), ...); }, packs_);
        first_.clear();
        for (auto& packs : with_fixed_) packs.clear();
    }
    /// Where a step begins.
    template <class P>
    constexpr void arrange(P const& p) {
        if (!fill(p)) {
            colour(p);
            (void)fill(p);
        }
    }
    /// What constraints whose normals turn have pushed so far, forgotten.
    constexpr void forget_turning() {
        each_type([&](auto& packs, auto t) {
            if constexpr (moving_normal_v<type<t>>)
                for (auto& k : packs) {
                    k.entry.pushed.clear();
                    for (B& impulse : k.work.block.impulse) impulse = B(S(0));
                }
        });
    }
    /// Impulses to begin with: those of the last step, or of the last sweep, times a factor.
    constexpr void start_from_multipliers(S const& factor) {
        B const by(factor);
        each_pack([&](auto& k) {
            for (std::size_t i = 0; i < k.work.block.rows; ++i) k.work.block.impulse[i] = k.entry.lambda[i] * by;
        });
    }
    constexpr void start_from_impulses(S const& factor) {
        B const by(factor);
        each_pack([&](auto& k) {
            for (std::size_t i = 0; i < k.work.block.rows; ++i) k.work.block.impulse[i] = k.work.block.impulse[i] * by;
        });
    }
    /// R I^-1 R^T of every body that moves, N at a time.
    template <class P>
    constexpr void update_inverse_masses(P const& p) {
        if constexpr (N > 1 && std::same_as<typename P::map_types, map_list<>>) {
            if (!std::is_constant_evaluated()) {
                for_range(0, (p.bodies.size() + N - 1) / N, [&](std::size_t i) { weigh_bodies<N>(p, i * N); });
                return;
            }
        }
        p.update_inverse_masses();
    }
    /// At the poses of now. The largest error.
    template <class Q, class P, class Packed>
    constexpr S prepare(P const& p, Packed* velocities, row_feedback<S> const& feedback, S const& max_push_speed, S const& h) {
        row_feedback<B> const hard{B(feedback.bias_rate), B(feedback.mass_scale), B(feedback.impulse_scale)};
        B const push(max_push_speed), step(h);
        S worst(0);
        each_type([&](auto& packs, auto t) {
            for (std::uint32_t const i : with_fixed_[t]) detail::place_fixed<Q>(p, packs[i], velocities);
            auto const prepared = [&](std::size_t begin, std::size_t end) {
                S of_part(0);
                for (std::size_t i = begin; i < end; ++i) of_part = max(of_part, prepare_pack<Q>(p, packs[i], hard, push, step));
                return of_part;
            };
            for_measured_parts(packs.size(), prepared, worst_, [&](S const& w) { worst = max(worst, w); });
        });
        return worst;
    }
    template <class Q, class Packed>
    constexpr void warm_start(Packed* velocities) {
        each_colour([&](auto& k) { start_pack<Q>(k, velocities); });
    }
    /// f(problem, entry, work, velocities, feedback, h): one iteration of any constraint.
    template <class Q, bool Soft, class P, class Packed, class F>
    constexpr void sweep(P const& p, Packed* velocities, row_feedback<S> const& feedback, S const& h, F const& f) {
        row_feedback<B> const wide{B(feedback.bias_rate), B(feedback.mass_scale), B(feedback.impulse_scale)};
        B const step(h);
        each_colour([&](auto& k) {
            using pack = std::remove_cvref_t<decltype(k)>;
            using C = typename pack::wide;
            if constexpr (pack::solves_at_once) {
                sweep_hard<Q, Soft>(k, velocities, wide);
            } else if constexpr (moving_normal_v<C> || (is_bounded_v<C, B> && has_coupled_limits_v<C, B>) || has_update_v<C, B>) {
                // These make rows, bounds or multipliers anew in a sweep: their bodies' poses matter.
                lane_velocities<pack> v;
                problem_of<pack> near;
                detail::gather_bodies(p, k, near);
                detail::gather<Q>(k, velocities, v);
                f(near, k.entry, k.work, v.data(), wide, step);
                detail::scatter<Q>(k, v, velocities);
            } else {
                sweep_rows<Q>(k, velocities, wide, step, f);
            }
        });
    }
    /// Impulses into the multipliers of the constraints.
    template <class P>
    constexpr void give(P const& p, S const& inverse_h) {
        B const by(inverse_h);
        each_type([&](auto& packs, auto t) {
            auto const entries = std::get<t>(p.constraints);
            for_range(0, packs.size(), [&](std::size_t i) { detail::give(entries, packs[i], by); });
        });
    }
    /// How many colours there are.
    [[nodiscard]] constexpr std::size_t colours() const noexcept { return first_.size() == 0 ? 0 : first_.size() - 1; }

    /// The manifolds of one type of contact.
    template <class C>
    using contacts = wide_contacts<Env, C, N>;

private:
    template <class Pack>
    using problem_of = lane_problem<B, R, Pack::bodies>;
    using constraint_types = typename Env::constraint_types;
    static constexpr std::size_t types = std::tuple_size_v<constraint_types>;
    template <std::size_t T>
    using type = std::tuple_element_t<T, constraint_types>;
    template <class T, std::size_t M>
    using array = typename Env::template array<T, M>;
    static constexpr std::size_t most_of_type = []<class... Cs>(std::tuple<Cs...>*) {
        std::size_t most = 0;
        ((most = takes<Cs> && Env::template most_of<Cs> > most ? Env::template most_of<Cs> : most), ...);
        return most;
    }(static_cast<constraint_types*>(nullptr));
    static constexpr std::size_t most_constraints = detail::room_for<Env>([]<class C>(std::type_identity<C>) { return std::size_t(takes<C>); });
    struct nothing {};
    template <class C>
    struct packs_of {
        using type = array<constraint_pack<C, S, N>, Env::template most_of<C>>;
    };
    template <class C>
        requires(!takes<C>)
    struct packs_of<C> {
        using type = nothing;
    };
    template <class>
    struct all_packs;
    template <class... Cs>
    struct all_packs<std::tuple<Cs...>> {
        using type = std::tuple<typename packs_of<Cs>::type...>;
    };

    // f(packs, index of the type)
    template <class F>
    constexpr void each_type(F const& f) {
        [&]<std::size_t... T>(std::index_sequence<T...>) {
            (
                [&] {
                    if constexpr (takes<type<T>>) f(std::get<T>(packs_), std::integral_constant<std::size_t, T>{});
                }(),
                ...);
        }(std::make_index_sequence<types>{});
    }
    template <class F>
    constexpr void for_range(std::size_t begin, std::size_t end, F const& f) {
        for_parts(begin, end, grain, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) f(i);
        });
    }
    // f(first, last) of parts of 0 ... count - 1, what it finds to sum(found) afterwards, in their order; `found` is the room for that.
    template <class F, class Found, class Sum>
    constexpr void for_measured_parts(std::size_t count, F const& f, Found& found, Sum const& sum) {
        std::size_t const size = grain > 0 ? grain : 1;
        found.resize((count + size - 1) / size);
        for_parts(0, count, size, [&](std::size_t begin, std::size_t end) {
            if (begin < end) found[begin / size] = f(begin, end);
        });
        for (auto const& x : found) sum(x);
    }
    template <class F>
    constexpr void for_parts(std::size_t begin, std::size_t end, std::size_t wanted, F const& f) {
        std::size_t const size = wanted > 0 ? wanted : 1, pieces = (end - begin + size - 1) / size;
        if (pieces <= 1) {
            f(begin, end);
            return;
        }
        executor.for_each(pieces, [&](std::size_t piece) {
            std::size_t const from = begin + piece * size;
            f(from, from + size < end ? from + size : end);
        });
    }
    // f(pack), in any order.
    template <class F>
    constexpr void each_pack(F const& f) {
        each_type([&](auto& packs, auto) { for_range(0, packs.size(), [&](std::size_t i) { f(packs[i]); }); });
    }
    // f(pack), those of one colour in any order.
    template <class F>
    constexpr void each_colour(F const& f) {
        for (std::size_t c = 0; c + 1 < first_.size(); ++c)
            each_type([&](auto& packs, auto t) { for_range(first_[c][t], first_[c + 1][t], [&](std::size_t i) { f(packs[i]); }); });
    }

    template <class P, class E, class F>
    static constexpr void each_moving_node(P const& p, E const& e, F const& f) {
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            if (attachment_access<decltype(kind)>::movable(p, i)) f(p.node(kind, i));
        });
    }
    // Colours for all constraints, and packs of those of one type and colour, in their order.
    template <class P>
    constexpr void colour(P const& p) {
        std::size_t count = 0;
        p.for_each_type([&](auto entries, auto t) {
            if constexpr (takes<type<t>>) count += entries.size();
        });
        colour_.resize(count);
        for (auto& c : colour_) c = constraint_colours<array<std::uint64_t, Env::max_nodes>>::none;
        std::uint32_t highest = 0;
        std::size_t left = count;
        std::uint32_t base = 0;
        while (left > 0) {
            colouring_.begin(p.node_count());
            std::size_t at = 0;
            p.for_each_type([&](auto entries, auto t) {
                if constexpr (takes<type<t>>) {
                    for (auto const& e : entries) {
                        auto& c = colour_[at++];
                        if (c != colouring_.none) continue;
                        auto const found = colouring_.take([&](auto const& f) { each_moving_node(p, e, f); });
                        if (found == colouring_.none) continue;
                        c = base + found;
                        highest = c > highest ? c : highest;
                        left = left - 1;
                    }
                }
            });
            base += 64;
        }
        first_.resize(count == 0 ? 0 : highest + 2);
        std::size_t before = 0;
        p.for_each_type([&](auto entries, auto t) {
            if constexpr (takes<type<t>>) {
                pack_up(p, entries, std::get<t>(packs_), before, t);
                before += entries.size();
            }
        });
    }
    // Of the constraints of type t, whose colours begin at `before`.
    template <class P, class Entries, class Packs>
    constexpr void pack_up(P const& p, Entries const& entries, Packs& packs, std::size_t before, std::size_t t) {
        auto const colour_of = [&](std::uint32_t i) { return colour_[before + i]; };
        // Sorted by colour, by counting: those of colour c begin at first_[c].
        for (auto& f : first_) f[t] = 0;
        order_.resize(entries.size());
        for (std::uint32_t i = 0; i < entries.size(); ++i) ++first_[colour_of(i) + 1][t];
        for (std::size_t c = 1; c < first_.size(); ++c) first_[c][t] += first_[c - 1][t];
        for (std::uint32_t i = 0; i < entries.size(); ++i) order_[first_[colour_of(i)][t]++] = i;

        packs.resize(0);
        for (std::uint32_t const i : order_) {
            auto const& e = entries[i];
            bool fits = packs.size() > 0;
            if (fits) {
                auto const& last = packs[packs.size() - 1];
                fits = last.count < N && colour_of(last.from[0]) == colour_of(i);
                if constexpr (N > 1) fits = fits && same_in_all_lanes<B>(last.entry.constraint, e.constraint);
            }
            if (!fits) {
                packs.push_back({});
                if constexpr (N > 1) set_lane<B>(packs[packs.size() - 1].entry.constraint, 0, e.constraint);
            }
            auto& last = packs[packs.size() - 1];
            last.from[last.count++] = i;
        }
        with_fixed_[t].resize(0);
        for (std::uint32_t i = 0; i < packs.size(); ++i) {
            detail::bind(p, entries, packs[i]);
            if (packs[i].has_fixed) with_fixed_[t].push_back(i);
        }
        std::uint32_t at = 0;
        for (std::uint32_t c = 0; c < first_.size(); ++c) {
            while (at < packs.size() && colour_of(packs[at].from[0]) < c) ++at;
            first_[c][t] = at;
        }
    }
    // The constraints' numbers into the lanes. Whether the packs still fit the constraints that there are.
    template <class P>
    [[nodiscard]] constexpr bool fill(P const& p) {
        bool fits = true;
        each_type([&](auto& packs, auto t) {
            auto const entries = std::get<t>(p.constraints);
            std::size_t count = 0;
            auto const filled_of = [&](std::size_t begin, std::size_t end) {
                std::size_t filled = 0;
                for (std::size_t i = begin; i < end; ++i) {
                    auto& k = packs[i];
                    bool fit = true;
                    for (std::size_t lane = 0; lane < N && fit; ++lane) fit = k.from[lane] < entries.size() && detail::fill_lane(p, k, lane, entries[k.from[lane]]);
                    filled += fit ? k.count : entries.size() + 1;  // one that fits nobody any more is too many, also where all that are left fit others
                }
                return filled;
            };
            for_measured_parts(packs.size(), filled_of, filled_, [&](std::size_t filled) { count += filled; });
            fits = fits && count == entries.size();
        });
        return fits;
    }
    template <class Q, class P, class Pack>
    [[nodiscard]] static constexpr S prepare_pack(P const& p, Pack& k, row_feedback<B> const& hard, B const& max_push_speed, B const& h) {
        problem_of<Pack> near;
        detail::gather_bodies(p, k, near);
        lane_velocities<Pack> v;  // all bodies are movable here, and none of their velocities is read
        B const worst = detail::prepare<lane_quad<Q>>(near, k.entry, k.work.block, v.data(), hard, max_push_speed, h);
        S largest = lane_of<N>(worst, 0);
        for (std::size_t lane = 1; lane < k.count; ++lane) largest = max(largest, lane_of<N>(worst, lane));
        return largest;
    }

    // Written out whole: velocities stay in registers on their way.
    template <class Q, class Pack, class Packed>
    [[gnu::flatten]] static constexpr void start_pack(Pack const& k, Packed* velocities) {
        lane_velocities<Pack> v;
        detail::gather<Q>(k, velocities, v);
        detail::warm_start<lane_quad<Q>>(k.work.block, v.data());
        detail::scatter<Q>(k, v, velocities);
    }
    template <class Q, bool Soft, class Pack, class Packed>
    [[gnu::flatten]] static constexpr void sweep_hard(Pack& k, Packed* velocities, row_feedback<B> const& feedback) {
        lane_velocities<Pack> v;
        detail::gather<Q>(k, velocities, v);
        detail::iterate<lane_quad<Q>, Soft>(k.work.block, v.data(), feedback);
        detail::scatter<Q>(k, v, velocities);
    }
    template <class Q, class Pack, class Packed, class F>
    [[gnu::flatten]] static constexpr void sweep_rows(Pack& k, Packed* velocities, row_feedback<B> const& feedback, B const& h, F const& f) {
        lane_velocities<Pack> v;
        problem_of<Pack> near;
        detail::gather<Q>(k, velocities, v);
        f(near, k.entry, k.work, v.data(), feedback, h);
        detail::scatter<Q>(k, v, velocities);
    }
    typename all_packs<constraint_types>::type packs_;
    array<std::array<std::uint32_t, types>, most_constraints + 1> first_;  // of each type, pack at which a colour begins
    array<std::uint32_t, most_constraints> colour_, order_;
    std::array<array<std::uint32_t, most_of_type>, types> with_fixed_;  // packs of each type of which some bodies do not move
    array<S, most_of_type> worst_;                                      // errors of parts
    array<std::size_t, most_of_type> filled_;                           // constraints of parts
    constraint_colours<array<std::uint64_t, Env::max_nodes>> colouring_;
};

// In a function, and with one lane where it fails: else clang goes on to say that the class is no strategy, and what such lanes lack.
template <class S, std::size_t N>
[[nodiscard]] constexpr bool check_lanes() noexcept {
    static_assert(N == 1 || std::floating_point<S>,
                  "sinew: wide sweeps take joints of one world as lanes of one joint, which are float, double or long double; over any other scalar, such as fixed point, duals "
                  "or one that has lanes itself, say wide_sequential_impulses<1>.");
    return true;
}

/// What a world's environment says besides, so that a strategy sweeps wide.
template <class Env, std::size_t N, class Executor>
struct wide_environment : Env {
    static_assert(check_lanes<typename Env::scalar, N>());
    using sweeps = wide_sweeps<Env, std::floating_point<typename Env::scalar> ? N : 1, Executor>;
};

}  // namespace sinew::inline v0::detail
