#pragma once
// The part of a world that sleeps: which bodies, and how islands fall asleep and wake. Nothing, where the config has never_sleep.
//
// A body that sleeps has no inverse mass, like one that does not move; its mass says that it will again. The entries of each pool of constraints are
// kept in the order of their slots, those of sleeping islands behind the others: solvers are shown the others.

#include <sinew/world/enabling.hpp>
#include <sinew/world/islands.hpp>
#include <sinew/world/pool.hpp>
#include <sinew/world/sleep.hpp>
#include <sinew/world/validate.hpp>

#include <array>

namespace sinew::inline v0 {

namespace detail {

template <class World, class Env, bool Sleeps = Env::sleeps>
class sleeping_world {
protected:
    static constexpr void add_rest(std::uint32_t) noexcept {}
    static constexpr void note_layout() noexcept {}
    static constexpr void wake_one(std::uint32_t) noexcept {}
    static constexpr void wake_bound(auto const&) noexcept {}
    static constexpr void wake_bound_to(std::uint32_t) noexcept {}
    static constexpr void wake_for_gravity() noexcept {}
    static constexpr void accept_gravity() noexcept {}
    static constexpr void put_rest(auto const&) noexcept {}
    static constexpr void save_rest(auto&) noexcept {}
    static constexpr void arrange() noexcept {}
    [[nodiscard]] static constexpr bool sleeps(std::uint32_t) noexcept { return false; }
    [[nodiscard]] static constexpr bool rises_by_touch(std::uint32_t) noexcept { return false; }
    static constexpr void fall_asleep(typename Env::scalar const&, std::size_t&) noexcept {}
    [[nodiscard]] static constexpr bool equal_rest(sleeping_world const&, sleeping_world const&) noexcept { return true; }
};

template <class World, class Env>
class sleeping_world<World, Env, true> {
    using S = typename Env::scalar;
    using config = typename Env::config_type;
    using error_type = error_told_to<typename config::errors>;

public:
    /// When islands fall asleep.
    typename config::sleep::template settings<S> sleep{};

    [[nodiscard]] constexpr bool is_asleep(handle<rigid> const& h) const { return self().valid(h) && rest_[h.index].asleep; }
    /// Wakes the island of a body.
    constexpr bool wake(handle<rigid> const& h) {
        if (error_type e = self().check(h)) return self().template refuse<bool>(e);
        wake_one(h.index);
        rest_[h.index].still = S(0);
        return true;
    }
    /// Puts the island of a body to sleep, whatever its speed. False if it cannot sleep: it holds particles or generalized bodies, or hangs on what
    /// moves and is not moved.
    constexpr bool put_to_sleep(handle<rigid> const& h) {
        if (error_type e = self().check(h)) return self().template refuse<bool>(e);
        if (rest_[h.index].asleep) return true;
        if (!self().masses_[h.index].movable) return false;
        arrange();
        find_islands();
        std::uint32_t const island = islands_.root(h.index);
        if (busy_[island] != 0) return false;
        lay_down(island);
        arrange();
        return true;
    }
    /// Bodies that sleep.
    [[nodiscard]] constexpr std::size_t asleep_count() const noexcept {
        std::size_t n = 0;
        for (auto const& r : rest_) n += r.asleep ? 1u : 0u;
        return n;
    }

protected:
    template <class T, std::size_t N>
    using array = typename Env::template array<T, N>;
    static constexpr std::size_t types = Env::user_types;

    [[nodiscard]] constexpr World& self() noexcept { return static_cast<World&>(*this); }
    [[nodiscard]] constexpr World const& self() const noexcept { return static_cast<World const&>(*this); }
    [[nodiscard]] constexpr bool sleeps(std::uint32_t body) const noexcept { return rest_[body].asleep; }
    // Disabled, and to be enabled by it.
    [[nodiscard]] constexpr bool rises_by_touch(std::uint32_t body) const noexcept { return rises_by(body, enabled_by::touch); }
    [[nodiscard]] constexpr bool rises_by_force(std::uint32_t body) const noexcept { return rises_by(body, enabled_by::force); }
    [[nodiscard]] constexpr bool rises_by(std::uint32_t body, enabled_by what) const noexcept {
        return rest_[body].disabled && (static_cast<unsigned>(rest_[body].enabled_by) & static_cast<unsigned>(what)) != 0;
    }

    constexpr void add_rest(std::uint32_t body) {
        while (rest_.size() <= body) rest_.push_back({});
        rest_[body] = {};
    }
    constexpr void note_layout() noexcept { is_arranged_ = false; }

    // Wakes the island of a body that sleeps.
    constexpr void wake_one(std::uint32_t body) {
        rest_[body].still = S(0);
        if (!rest_[body].asleep) return;
        std::uint32_t i = body;
        do {
            std::uint32_t const next = rest_[i].next;
            set_asleep(i, false);
            rest_[i] = {};
            i = next;
        } while (i != body);
        is_arranged_ = false;
    }
    constexpr void wake_all() {
        for (std::uint32_t i = 0; i < rest_.size(); ++i) wake_one(i);
    }
    // The bodies of a constraint or force that comes, goes or changes.
    template <class E>
    constexpr void wake_bound(E const& entry) {
        note_layout();
        if constexpr (requires { entry.constraint; }) {
            wake_rigid(entry.bodies, attachments_t<typename E::constraint_type>{});
        } else if constexpr (requires { typename std::remove_cvref_t<decltype(entry.force)>::attachments; }) {
            wake_rigid(entry.bodies, typename std::remove_cvref_t<decltype(entry.force)>::attachments{});
        } else {
            wake_all();
        }
    }
    // Those that constraints and forces bind to a body.
    constexpr void wake_bound_to(std::uint32_t body) {
        [[maybe_unused]] auto const in = [&](auto& pool) {
            if constexpr (requires { pool.values()[0].bodies; })
                for (auto const& e : pool.values())
                    for (std::uint32_t const i : e.bodies)
                        if (i == body) wake_bound(e);
        };
        for_each_in(self().constraints_, in);
        for_each_in(self().forces_, in);
    }
    constexpr void wake_for_gravity() {
        if (gravity_ == self().gravity) return;
        if (has_stepped_) wake_all();
        gravity_ = self().gravity;
        has_stepped_ = true;
    }
    // What is in a solver's way, or not.
    constexpr void set_asleep(std::uint32_t i, bool asleep) {
        rest_[i].asleep = asleep;
        if (asleep) self().states_[i].twist = {};
        self().set_movable(i, !asleep);
    }
    constexpr void accept_gravity() { gravity_ = self().gravity; }
    // As saved.
    constexpr void put_rest(auto const& saved) {
        for (std::uint32_t i = 0; i < rest_.size(); ++i) {
            auto const &now = rest_[i], &then = saved.bodies[i];
            bool const stood = now.asleep || now.disabled, stands = then.asleep || then.disabled;
            if (stood != stands) self().set_movable(i, !stands);
            if (stood != stands || now.asleep != then.asleep) is_arranged_ = false;
            rest_[i] = then;
        }
        gravity_ = saved.gravity;
        has_stepped_ = saved.has_stepped;
    }

    // Sleeping entries behind the others, each part in the order of the slots.
    constexpr void arrange() {
        if (is_arranged_) return;
        std::size_t t = 0;
        for_each_in(self().constraints_, [&](auto& pool) {
            awake_[t++] = pool.arrange([&](auto const& entry) { return !is_idle_entry(entry); });
        });
        layout_ = 0x2545f491u;
        for (std::uint32_t i = 0; i < rest_.size(); ++i)
            if (rest_[i].asleep || rest_[i].disabled) layout_ = (layout_ ^ (2 * i + (rest_[i].asleep ? 0 : 1))) * 0x9e3779b1u + 0x7f4a7c15u;
        is_arranged_ = true;
    }
    [[nodiscard]] constexpr std::size_t awake_entries(std::size_t type, std::size_t all) const noexcept { return is_arranged_ ? awake_[type] : all; }

    // After a step of h seconds: who has been slow, and whose island may sleep. Counts the islands that do not.
    constexpr void fall_asleep(S const& h, std::size_t& awake_islands) {
        auto& w = self();
        bool any_ready = false;
        // To the nearest step: of a time that is a whole number of them the rounding of their sum would decide.
        auto const has_rested = [&](std::uint32_t i) { return all(rest_[i].still > S(0)) && all(rest_[i].still + h / S(2) >= sleep.time); };
        for (std::uint32_t i = 0; i < rest_.size(); ++i) {
            if (!w.masses_[i].movable) continue;
            auto const& v = w.states_[i].twist;
            bool const slow = all(squared_norm(v.linear) <= sleep.speed * sleep.speed) && all(squared_norm(v.angular) <= sleep.spin * sleep.spin);
            rest_[i].still = slow ? rest_[i].still + h : S(0);
            any_ready = any_ready || has_rested(i);
        }
        arrange();
        find_islands();
        std::size_t const bodies = rest_.size();
        for (std::uint32_t i = 0; i < bodies; ++i)
            if (w.masses_[i].movable && !has_rested(i)) busy_[islands_.root(i)] = 1;
        awake_islands = 0;
        bool any_sleeps = false;
        for (std::uint32_t i = 0; i < busy_.size(); ++i) {
            if (!is_free_root(i)) continue;
            if (any_ready && i < bodies && busy_[i] == 0) {
                lay_down(i);
                any_sleeps = true;
            } else {
                ++awake_islands;
            }
        }
        if (any_sleeps) arrange();
    }

    constexpr void save_rest(auto& saved) const {
        saved.bodies = rest_;
        saved.gravity = gravity_;
        saved.has_stepped = has_stepped_;
    }
    [[nodiscard]] static constexpr bool equal_rest(sleeping_world const& a, sleeping_world const& b) { return a.rest_ == b.rest_ && a.sleep == b.sleep; }
    using rest_array = array<rest_state<S>, Env::limits.bodies + 1>;

private:
    template <std::size_t N, class... K>
    constexpr void wake_rigid(std::array<std::uint32_t, N> const& bodies, binds<K...>) {
        std::size_t k = 0;
        ((std::same_as<K, rigid> ? wake_one(bodies[k++]) : void(++k)), ...);
    }
    // All that could move sleeps, of which there is some.
    template <class E>
    [[nodiscard]] constexpr bool is_idle_entry(E const& entry) const {
        bool any_asleep = false, any_moves = false;
        for_each_attachment(entry, [&](auto kind, auto, std::uint32_t i) {
            if constexpr (std::same_as<decltype(kind), rigid>) {
                any_asleep = any_asleep || rest_[i].asleep;
                any_moves = any_moves || self().masses_[i].movable;
            } else {
                any_moves = true;
            }
        });
        return any_asleep || !any_moves;  // between those that stand there is nothing to do, and its force stays what it was
    }

    // Joins what does not sleep; notes what keeps its island awake.
    constexpr void find_islands() {
        auto const p = self().make_problem();
        islands_.reset(p.node_count());
        busy_.assign(p.node_count(), 0);
        moves_.assign(p.node_count(), 0);
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            moves_[p.node(kind, i)] = 1;
            if constexpr (!std::same_as<decltype(kind), rigid>) busy_[p.node(kind, i)] = 1;
        });
        p.for_each_type([&](auto entries, auto t) {
            if constexpr (t < types)
                for (auto const& e : entries) join_bodies(p, e.bodies, attachments_t<typename decltype(entries)::value_type::constraint_type>{});
        });
        if constexpr (Env::has_shapes) self().for_each_near_pair([&](std::uint32_t a, std::uint32_t b) { join_two(a, b, is_carried(a) || is_carried(b)); });
        for_each_in(self().forces_, [&](auto const& pool) {
            using F = std::remove_cvref_t<decltype(pool.values()[0].force)>;
            if constexpr (requires { typename F::attachments; })
                for (auto const& e : pool.values()) join_bodies(p, e.bodies, typename F::attachments{});
        });
        // What was found out about a body holds for its island.
        for (std::uint32_t i = 0; i < busy_.size(); ++i)
            if (busy_[i] != 0) busy_[islands_.root(i)] = 1;
    }
    // Does not move by forces, and moves.
    [[nodiscard]] constexpr bool is_carried(std::uint32_t body) const noexcept {
        auto const& t = self().states_[body].twist;
        return !self().masses_[body].movable && (t.linear != vec3<S>{} || t.angular != vec3<S>{});
    }
    template <class P, std::size_t N, class... K>
    constexpr void join_bodies(P const& p, std::array<std::uint32_t, N> const& bodies, binds<K...>) {
        std::size_t k = 0;
        std::uint32_t first = none;
        bool carried = false;
        auto const one = [&](auto kind) {
            std::uint32_t const i = bodies[k++], node = p.node(kind, i);
            if constexpr (std::same_as<decltype(kind), rigid>) carried = carried || is_carried(i);
            if (moves_[node] == 0) return;
            if (first == none)
                first = node;
            else
                islands_.join(first, node);
        };
        (one(K{}), ...);
        if (carried && first != none) busy_[first] = 1;
    }
    constexpr void join_two(std::uint32_t a, std::uint32_t b, bool carried) {
        if (moves_[a] != 0 && moves_[b] != 0) islands_.join(a, b);
        if (carried) busy_[moves_[a] != 0 ? a : b] = 1;
    }
    [[nodiscard]] constexpr bool is_free_root(std::uint32_t node) noexcept { return moves_[node] != 0 && islands_.root(node) == node; }
    // The island of a root, as found: its bodies in a ring, ascending.
    constexpr void lay_down(std::uint32_t island) {
        std::uint32_t last = island;
        for (std::uint32_t i = island; i < rest_.size(); ++i) {
            if (moves_[i] == 0 || islands_.root(i) != island) continue;
            set_asleep(i, true);
            rest_[last].next = i;
            last = i;
        }
        rest_[last].next = island;
        is_arranged_ = false;
    }

    static constexpr std::uint32_t none = 0xffffffffu;

protected:
    rest_array rest_{};
    std::uint32_t layout_ = 0;  // a number that tells which bodies sleep

private:
    island_forest<Env> islands_{};
    array<unsigned char, Env::max_nodes> busy_{}, moves_{};  // of islands, by their roots; of nodes
    std::array<std::size_t, (types > 0 ? types : 1)> awake_{};
    vec3<S> gravity_{};
    bool has_stepped_ = false;
    bool is_arranged_ = true;
};

}  // namespace detail

}  // namespace sinew::inline v0
