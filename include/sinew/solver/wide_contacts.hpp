#pragma once
// Contacts N manifolds at a time: those of one colour share no body that moves, so N of them become lanes of one, which contact_sweep.hpp sweeps.
//
//   stage       once a step, one by one: what a manifold begins with
//   arrange     colours, and packs of one colour; the manifolds into their lanes
//   sweep       colour by colour; of each pack: velocities into lanes, one sweep, velocities back
//
// Who touches whom changes in every step, and so do the colours: greedy ones, by one word for each body. In a colour, manifolds of one point and of more are packed
// apart, so that a pack has one arithmetic; those that have not pushed come last, as a pack of bodies that do not touch is soon left.
// What is in a crowd has a colour of its own: one by one, in their order, pushes go through it in fewer sweeps.
//
// Neither N nor who runs the packs of a colour changes a bit: what a lane does not do it puts back. A pack that is not full repeats its first manifold in the
// lanes left over, and forgets what they find. What would fill a quarter of a pack or less is swept one by one, as each of a hub's many contacts, which all have
// colours of their own.

#include <sinew/config/inlining.hpp>
#include <sinew/solver/constraint_colours.hpp>
#include <sinew/solver/contact_gathering.hpp>
#include <sinew/solver/contact_sweep.hpp>
#include <sinew/solver/lane_problem.hpp>

namespace sinew::inline v0::detail {

/// N manifolds of up to so many points, none of which shares a body that moves with another.
template <class S, std::size_t N, std::size_t Points = 4>
struct manifold_pack {
    static constexpr std::size_t lanes = N, room = Points;
    using B = typename lanes_of_scalar<S, N>::type;

    contact_manifold<B, Points> m{};
    using mass_type = std::conditional_t<N == 1, packed_mass<B>, slim_mass<B>>;
    mass_type mass[2]{};
    std::array<std::uint32_t, N> node[2]{};
    std::array<bool, N> moves[2]{};  // lanes left over do not
    std::array<std::uint32_t, N> from{};   // among those that are staged
    std::array<std::uint32_t, N> first{};  // entry
    std::uint32_t count = 0;
    bool all_move = true, inertia_turns = false;
};

/// Where a pack finds what it needs of its bodies. Q: four of the lanes; its bodies' velocities are read and written whole.
template <class Pack, class Packed>
struct bodies_of_pack {
    using B = typename Pack::B;
    static constexpr std::size_t N = Pack::lanes;
    Pack const& pack;
    Packed* velocities;
    Packed const* moves;

    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE static constexpr twist_pair<Q> gather(Pack const& k, Packed const* from) noexcept {
        if constexpr (N == 1) {
            return twist_pair<Q>::load(from[k.node[0][0]], from[k.node[1][0]]);
        } else {
            B x[2][8];
            for (std::size_t body = 0; body < 2; ++body) {
                std::array<typename B::lane_type const*, N> rows;
                for (std::size_t i = 0; i < N; ++i) rows[i] = from[k.node[body][i]].e;
                load_columns<8>(rows, x[body]);
            }
            return {Q::load(x[0]), Q::load(x[0] + 4), Q::load(x[1]), Q::load(x[1] + 4)};
        }
    }
    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr twist_pair<Q> velocity(auto const&) const noexcept {
        return gather<Q>(pack, velocities);
    }
    template <class Q>
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr twist_pair<Q> moved(auto const&) const noexcept {
        return gather<Q>(pack, moves);
    }
    [[nodiscard]] SINEW_ALWAYS_INLINE constexpr auto const& mass(auto const&, std::size_t body) const noexcept { return pack.mass[body]; }
    // What does not move is left alone, and may be shared by many.
    template <class Q>
    SINEW_ALWAYS_INLINE constexpr void store(auto const&, twist_pair<Q> const& v) const noexcept {
        put(0, v.va, v.wa);
        put(1, v.vb, v.wb);
    }

private:
    template <class Q>
    SINEW_ALWAYS_INLINE constexpr void put(std::size_t body, Q const& v, Q const& w) const noexcept {
        if constexpr (N == 1) {
            if (!pack.moves[body][0]) return;
            v.store(velocities[pack.node[body][0]].e);
            w.store(velocities[pack.node[body][0]].e + 4);
        } else {
            B const zero(0), linear[4] = {v.e[0], v.e[1], v.e[2], zero}, angular[4] = {w.e[0], w.e[1], w.e[2], zero};
            auto const put_at = [&](auto const& place) SINEW_ALWAYS_INLINE {
                std::array<typename B::lane_type*, N> to;
                for (std::size_t i = 0; i < N; ++i) to[i] = place(i);
                store_columns(linear, to);
                store_columns(angular, to, 4);
            };
            if (pack.all_move) {
                put_at([&](std::size_t i) { return velocities[pack.node[body][i]].e; });
            } else {
                Packed unused;
                put_at([&](std::size_t i) { return pack.moves[body][i] ? velocities[pack.node[body][i]].e : unused.e; });
            }
        }
    }
};

/// The manifolds of contacts of type C. Env gives arrays and their sizes.
template <class Env, class C, std::size_t N>
class wide_contacts {
    static constexpr std::size_t most = Env::template most_of<C>;

public:
    using S = typename Env::scalar;
    using pack = manifold_pack<S, N>;
    /// Of manifolds of one point, which then take a quarter of the memory.
    using point_pack = manifold_pack<S, N, N == 1 ? 4 : 1>;
    using single = manifold_pack<S, 1>;
    template <class T>
    using array = typename Env::template array<T, most>;
    /// Four of the lanes of a pack, where Q is four of S.
    template <class Q, class Pack>
    using lane_quad = std::conditional_t<Pack::lanes == 1, Q, array_quad<typename Pack::B>>;

    /// After a step that has come to nothing: what is infinite would stay in places that others leave alone.
    constexpr void forget() noexcept {
        staged_.clear();
        point_packs_.clear();
        packs_.clear();
        singles_.clear();
    }
    /// The manifolds as they are staged, in the order of their contacts.
    [[nodiscard]] constexpr auto& staged() noexcept { return staged_; }
    /// How many colours there are.
    [[nodiscard]] constexpr std::size_t colours() const noexcept { return colours_; }

    /// Colours and packs of all that has been staged. for_range(first, last, f): f(i) for each, in any order.
    template <class P, class Masses, class ForRange>
    constexpr void arrange(P const& p, Masses const* masses, ForRange const& for_range) {
        colour(p.node_count());
        // Sorted by colour, and in a colour by what they do, by counting.
        std::size_t const keys = kinds * colours_;
        begins_.resize(keys + 1);
        for (auto& f : begins_) f = 0;
        for (auto const c : key_) ++begins_[c + 1];
        for (std::size_t c = 0; c < keys; ++c) begins_[c + 1] += begins_[c];
        order_.resize(staged_.size());
        for (std::uint32_t i = 0; i < staged_.size(); ++i) order_[begins_[key_[i]]++] = i;
        first_.resize(colours_ + 1);
        beginning used{};
        std::uint32_t at = 0;
        auto const take = [&](auto& packs, std::uint32_t& count, std::uint32_t end) {
            if (count == packs.size()) packs.push_back({});
            auto& k = packs[count++];
            constexpr auto lanes = static_cast<std::uint32_t>(std::remove_cvref_t<decltype(k)>::lanes);
            k.count = end - at < lanes ? end - at : lanes;
            for (std::uint32_t i = 0; i < lanes; ++i) k.from[i] = order_[at + (i < k.count ? i : 0)];
            at += k.count;
        };
        auto const pack_up = [&](auto& packs, std::uint32_t& count, std::uint32_t end) {
            while (at < end) {
                if (end - at <= N / 4)
                    take(singles_, used.single, end);
                else
                    take(packs, count, end);
            }
        };
        for (std::size_t c = 0; c < colours_; ++c) {
            first_[c] = used;
            pack_up(point_packs_, used.point_pack, begins_[kinds * c]);
            pack_up(packs_, used.pack, begins_[kinds * c + 2]);
        }
        first_[colours_] = used;
        point_packs_.resize(used.point_pack);
        packs_.resize(used.pack);
        singles_.resize(used.single);
        each(for_range, first_[0], first_[colours_], [&](auto& k) { fill(p, k, masses); });
    }
    /// What follows of bodies whose inertia turns with them: `turned` says where it is to be made anew.
    template <class Masses, class Turned, class ForRange>
    constexpr void turn(Masses const* masses, Turned const& turned, ForRange const& for_range) {
        if (first_.size() == 0) return;
        each(for_range, first_[0], first_[colours_], [&](auto& k) {
            if (!k.inertia_turns) return;
            weigh(k, masses);
            constexpr std::size_t lanes = std::remove_cvref_t<decltype(k)>::lanes;
            mask_t<typename std::remove_cvref_t<decltype(k)>::B> anew = false;
            for (std::size_t lane = 0; lane < lanes; ++lane) set<lanes>(anew, lane, turned[k.node[0][lane]] || turned[k.node[1][lane]]);
            k.m.make_anew(anew);
        });
    }
    template <class Q, class Packed, class ForRange>
    constexpr void start(bodies_in_rows<S, Packed> const& bodies, bool first, ForRange const& for_range) {
        each_colour(for_range, [&]<class Pack>(Pack& k) {
            k.m.template go_on<lane_quad<Q, Pack>>(first);
            push_again<lane_quad<Q, Pack>>(k.m, bodies_of_pack<Pack, Packed>{k, bodies.velocities, bodies.moves});
        });
    }
    /// Of all, or of those in crowds alone.
    template <class Q, bool Soft, class Friction, bool InCrowds = false, class Packed, class ForRange>
    constexpr void sweep(bodies_in_rows<S, Packed> const& all, contact_feedback<S> const& feedback, int hit_sweeps, ForRange const& for_range) {
        using B = typename pack::B;
        contact_feedback<B> const wide{{B(feedback.hard.bias_rate), B(feedback.hard.mass_scale), B(feedback.hard.impulse_scale)}, B(feedback.inverse_h), B(feedback.push_speed)};
        each_colour(for_range, [&]<class Pack>(Pack& k) {
            if constexpr (InCrowds)
                if (!k.m.is_crowded) return;
            bodies_of_pack<Pack, Packed> const bodies{k, all.velocities, all.moves};
            if constexpr (Pack::lanes == 1)
                detail::sweep<Q, Soft, Friction>(k.m, bodies, feedback, hit_sweeps);
            else
                detail::sweep<lane_quad<Q, Pack>, Soft, Friction>(k.m, bodies, wide, hit_sweeps);
        });
    }
    /// Surfaces that move over their bodies have done so for h.
    constexpr void drive(S const& h) {
        auto const all = [&](auto& packs) {
            for (auto& k : packs)
                if (k.m.is_driven) detail::drive(k.m, typename std::remove_cvref_t<decltype(k)>::B(h));
        };
        all(point_packs_);
        all(packs_);
        all(singles_);
    }
    /// Impulses into the multipliers of the contacts, times a factor; of a hit only what goes on, if that is asked for.
    template <class Entries>
    constexpr void give(Entries const& entries, S const& factor, bool lasting) {
        auto const all = [&](auto const& packs) {
            for (auto const& k : packs) {
                using Pack = std::remove_cvref_t<decltype(k)>;
                using B = typename Pack::B;
                B const scale = lasting ? B(factor) * k.m.lasting_share() : B(factor);
                for (std::size_t lane = 0; lane < k.count; ++lane) {
                    S const by = lane_of<Pack::lanes>(scale, lane);
                    if constexpr (Pack::room == 1) {
                        entries[k.first[lane]].lambda = {k.m.push[0].e[lane] * by, k.m.rub[0][0].e[lane] * by, k.m.rub[1][0].e[lane] * by};
                    } else {
                        auto& m = staged_[k.from[lane]];
                        for (std::size_t n = 0; n < 4; ++n) {
                            m.push[n] = lane_of<Pack::lanes>(k.m.push[n], lane);
                            m.rub[0][n] = lane_of<Pack::lanes>(k.m.rub[0][n], lane);
                            m.rub[1][n] = lane_of<Pack::lanes>(k.m.rub[1][n], lane);
                        }
                        detail::give(m, entries, by);
                    }
                }
            }
        };
        all(point_packs_);
        all(packs_);
        all(singles_);
    }

private:
    static constexpr std::uint32_t kinds = 3;  // one point; more; more that have not pushed
    template <std::size_t Lanes, class Mask>
    static constexpr void set(Mask& x, [[maybe_unused]] std::size_t lane, bool to) noexcept {
        if constexpr (Lanes == 1)
            x = to;
        else
            x.e[lane] = to ? -1 : 0;
    }
    // Where a colour begins, among packs of either kind and among those that are swept one by one.
    struct beginning {
        std::uint32_t point_pack = 0, pack = 0, single = 0;
    };
    template <class ForRange, class F>
    constexpr void each(ForRange const& for_range, beginning const& from, beginning const& to, F const& f) {
        std::size_t const points = to.point_pack - from.point_pack, packs = points + (to.pack - from.pack), all = packs + (to.single - from.single);
        for_range(0, all, [&](std::size_t i) {
            if (i < points)
                f(point_packs_[from.point_pack + i]);
            else if (i < packs)
                f(packs_[from.pack + (i - points)]);
            else
                f(singles_[from.single + (i - packs)]);
        });
    }
    template <class ForRange, class F>
    constexpr void each_colour(ForRange const& for_range, F const& f) {
        for (std::size_t c = 0; c < colours_; ++c) each(for_range, first_[c], first_[c + 1], f);
    }
    constexpr void colour(std::size_t nodes) {
        key_.resize(staged_.size());
        colours_ = 0;
        for (auto& key : key_) key = colouring_.none;
        std::size_t left = 0;
        for (auto const& m : staged_) left += m.is_crowded ? 0u : 1u;
        for (std::uint32_t base = 0; left > 0; base += 64) {
            colouring_.begin(nodes);
            for (std::size_t i = 0; i < staged_.size(); ++i) {
                auto const& m = staged_[i];
                if (key_[i] != colouring_.none || m.is_crowded) continue;
                auto const found = colouring_.take([&](auto const& f) {
                    for (std::size_t k = 0; k < 2; ++k)
                        if (m.moves[k]) f(m.node[k]);
                });
                if (found == colouring_.none) continue;
                key_[i] = kinds * (base + found) + (m.count == 1 ? 0 : any(m.pushing() > S(0)) ? 1 : 2);
                colours_ = base + found < colours_ ? colours_ : base + found + 1;
                --left;
            }
        }
        for (std::size_t i = 0; i < staged_.size(); ++i)
            if (staged_[i].is_crowded) key_[i] = kinds * static_cast<std::uint32_t>(colours_++) + 1;
    }
    template <class P, std::size_t Lanes, std::size_t Points, class Masses>
    [[gnu::flatten]] constexpr void fill(P const& p, manifold_pack<S, Lanes, Points>& k, Masses const* masses) {
        using B = typename manifold_pack<S, Lanes, Points>::B;
        auto& m = k.m;
        if constexpr (Lanes == 1) {
            static_cast<started_manifold<S>&>(m) = staged_[k.from[0]];
        } else {
            auto const direction = [&](auto const& row_of) {
                std::array<S const*, Lanes> from;
                for (std::size_t i = 0; i < Lanes; ++i) from[i] = row_of(staged_[k.from[i]]);
                load_columns<4>(from, row_of(m));
            };
            auto const rows = [&](auto const& row_of) {
                if constexpr (Points == 4)
                    direction(row_of);
                else
                    for (std::size_t i = 0; i < Lanes; ++i) row_of(m)[0].e[i] = row_of(staged_[k.from[i]])[0];
            };
            for (std::size_t i = 0; i < 3; ++i) {
                rows([&](auto& x) { return x.arm_a[i]; });
                rows([&](auto& x) { return x.arm_b[i]; });
            }
            for (std::size_t i = 0; i < 2; ++i) {
                rows([&](auto& x) { return x.rub[i]; });
                rows([&](auto& x) { return x.slip[i]; });
            }
            direction([](auto& x) { return x.normal; });
            direction([](auto& x) { return x.tangent; });
            direction([](auto& x) { return x.bitangent; });
            rows([](auto& x) { return x.push; });
            rows([](auto& x) { return x.gap; });
            rows([](auto& x) { return x.friction; });
            rows([](auto& x) { return x.softness; });
        }
        m.is_ready = false;
        m.is_driven = false;
        m.is_crowded = staged_[k.from[0]].is_crowded;  // then it is alone
        k.all_move = true;
        k.inertia_turns = false;
        m.moves = {false, false};
        for (std::size_t lane = 0; lane < Lanes; ++lane) {
            auto const& x = staged_[k.from[lane]];
            k.first[lane] = x.first;
            m.is_driven = m.is_driven || x.is_driven;
            set<Lanes>(m.is_laid, lane, any(x.is_laid));
            set<Lanes>(m.both_move, lane, x.moves[0] && x.moves[1]);
            if constexpr (Lanes == 1) {
                m.points = S(static_cast<value_type_t<S>>(x.count));
            } else {
                m.points.e[lane] = S(x.count);
                m.drive[0].e[lane] = x.drive[0];
                m.drive[1].e[lane] = x.drive[1];
                m.drive_rate[0].e[lane] = x.drive_rate[0];
                m.drive_rate[1].e[lane] = x.drive_rate[1];
                m.soft_rate.e[lane] = x.soft_rate;
                m.last.e[lane] = x.last;
            }
            for (std::size_t body = 0; body < 2; ++body) {
                k.node[body][lane] = x.node[body];
                k.moves[body][lane] = lane < k.count && x.moves[body];
                m.moves[body] = m.moves[body] || x.moves[body];
                k.all_move = k.all_move && k.moves[body][lane];
                k.inertia_turns = k.inertia_turns || (x.moves[body] && !is_isotropic(p.masses[x.node[body]].inverse_inertia));
            }
        }
        for (std::size_t i = 0; i < Points; ++i) m.live[i] = m.points > B(S(static_cast<value_type_t<S>>(i)));
        m.several = m.points > B(S(1));
        m.single = !m.several;
        weigh(k, masses);
    }
    template <std::size_t Lanes, std::size_t Points, class Masses>
    static constexpr void weigh(manifold_pack<S, Lanes, Points>& k, Masses const* masses) {
        for (std::size_t body = 0; body < 2; ++body) {
            if constexpr (Lanes == 1) {
                k.mass[body] = masses[k.node[body][0]];
            } else {
                auto& to = k.mass[body];
                for (std::size_t i = 0; i < Lanes; ++i) {
                    auto const& w = masses[k.node[body][i]];
                    to.xx.e[i] = w.angular[0][0];
                    to.xy.e[i] = w.angular[0][1];
                    to.xz.e[i] = w.angular[0][2];
                    to.yy.e[i] = w.angular[1][1];
                    to.yz.e[i] = w.angular[1][2];
                    to.zz.e[i] = w.angular[2][2];
                    to.linear.e[i] = w.linear[0];
                }
            }
        }
    }

    array<started_manifold<S>> staged_;
    array<point_pack> point_packs_;
    array<pack> packs_;
    array<single> singles_;
    array<std::uint32_t> key_, order_;
    typename Env::template array<std::uint32_t, kinds * most + 1> begins_;
    typename Env::template array<beginning, most + 1> first_;
    constraint_colours<typename Env::template array<std::uint64_t, Env::max_nodes>> colouring_;
    std::size_t colours_ = 0;
};

}  // namespace sinew::inline v0::detail
