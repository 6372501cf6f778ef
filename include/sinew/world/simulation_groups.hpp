#pragma once
// The class behind groups.hpp: what is kept of simulation groups, and what they offer.

#include <sinew/world/group_settings.hpp>
#include <sinew/world/world_part.hpp>

#include <concepts>

namespace sinew::inline v0 {

/// Advances a world by groups. It is a regular value and belongs to one world: copied together with it, both go on to the same bits.
template <class World>
class simulation_groups {
    using S = typename World::S;
    using env = typename World::env;
    static_assert(std::floating_point<S>, "sinew: simulation groups compare errors with tolerances; their world's scalar must be float, double or long double.");

public:
    using report_type = group_report<S>;
    using body_handle = typename World::body_handle;
    /// The paces of all bodies: beside a world's save(), all that the groups need to go on to the same bits.
    struct paces_type {
        typename env::template array<group_pace<S>, env::max_nodes> of_nodes{};  // the rigid bodies, then all others
        std::size_t bodies = 0;                                                  // the rigid ones, with the ground
        [[nodiscard]] friend constexpr bool operator==(paces_type const&, paces_type const&) = default;
    };

    group_settings<S> settings{};

    /// Advances by that many seconds, or not at all.
    constexpr report_type advance(World& world, S const& duration);

    /// Groups that were advanced in the last advance; of one that failed too, like all that follows: a report, not a part of the state.
    [[nodiscard]] constexpr std::size_t count() const noexcept { return groups_; }
    /// Whether two bodies were in the same of these.
    [[nodiscard]] constexpr bool are_together(body_handle const& a, body_handle const& b) const noexcept {
        return group_of(a) < groups_ && group_of(a) == group_of(b);
    }
    /// Steps that the body's group took in the last advance; 0 if it was not advanced.
    [[nodiscard]] constexpr std::size_t steps(body_handle const& b) const noexcept { return group_of(b) == none ? 0 : runs_[group_of(b)].steps; }
    /// Which its group would take next, s.
    [[nodiscard]] constexpr S next_step(body_handle const& b) const noexcept { return b.index < paces_.bodies ? paces_.of_nodes[b.index].next_step : S(0); }

    [[nodiscard]] constexpr paces_type const& paces() const noexcept { return paces_; }
    constexpr void set_paces(paces_type const& p) { paces_ = p; }

private:
    using part_type = detail::world_part<World>;
    using lists = typename part_type::lists;
    using state_type = typename World::state_type;
    template <class T, std::size_t N>
    using array = typename env::template array<T, N>;
    static constexpr std::uint32_t none = 0xffffffffu;
    static constexpr std::size_t types = part_type::types, force_types = part_type::force_types;

    enum class outcome : unsigned char {
        reached,
        wider,   // what stands still or sleeps came within its hull: it is to be done again with that
        merged,  // so did another group: all are to be done again
        failed,
    };
    // A group in one advance.
    struct run {
        group_pace<S> pace{};
        std::size_t steps = 0;
    };
    // A pair of contacts in one of several sets.
    struct pair_place {
        std::uint64_t key = 0;
        std::uint32_t set = 0, at = 0;
    };
    struct nothing {};
    // Contacts and events of the groups that have been advanced.
    template <class Env>
    struct staged_contacts {
        detail::contact_set<Env> awake{}, asleep{};  // of the groups, one after the other
        detail::contact_set<Env> next{}, next_asleep{};  // of the world
        array<touch_event<S>, detail::contact_set<Env>::max_pairs> begun{}, ended{};
        array<pair_place, 3 * detail::contact_set<Env>::max_pairs> order{};
        array<aabb<S>, Env::limits.colliders> hulls{};
    };
    template <bool HasShapes, class Env>
    struct staged_of {
        using type = nothing;
    };
    template <class Env>
    struct staged_of<true, Env> {
        using type = staged_contacts<Env>;
    };

    // Takes the world back unless it is told not to: also if a force or a contact rule of the user throws.
    struct transaction {
        simulation_groups& groups;
        World& world;
        bool open = true, lent = false;
        constexpr transaction(simulation_groups& g, World& w) : groups(g), world(w) { world.save_motion(world.backup_); }
        constexpr void lend() {
            groups.lend_shapes(world);
            lent = true;
        }
        transaction(transaction const&) = delete;
        transaction& operator=(transaction const&) = delete;
        constexpr ~transaction() {
            if (open) abort();
        }
        constexpr void commit() {
            open = false;
            groups.part_.release();
            if (lent) groups.lend_shapes(world);
        }
        constexpr void abort() {
            commit();
            world.put_back(world.backup_);
            world.arrange();
            if constexpr (env::has_shapes) {
                world.note_all_motion();
                world.forget_events();
            }
        }
        // Back at the start, with the hulls as wide as they have become.
        constexpr void start_again() {
            groups.lend_shapes(world);
            world.put_back(world.backup_);
            world.wake_for_gravity();
            groups.show_hulls(world);
            groups.lend_shapes(world);
        }
    };

    [[nodiscard]] constexpr std::uint32_t group_of(body_handle const& b) const noexcept { return b.index < group_of_.size() ? group_of_[b.index] : none; }
    constexpr void lend_shapes([[maybe_unused]] World& w) noexcept {
        if constexpr (env::has_shapes) w.store_.swap_shapes(part_.stepped().store_);
    }
    [[nodiscard]] constexpr bool is_member(World const& w, std::uint32_t body) const noexcept { return w.may_move(body) || w.rises_by_touch(body); }
    [[nodiscard]] static constexpr bool is_carried(World const& w, std::uint32_t body) noexcept {
        auto const& t = w.states_[body].twist;
        return t.linear != vec3<S>{} || t.angular != vec3<S>{};
    }

    // Hulls.

    constexpr void place_hulls(World& w, S const& duration);
    [[nodiscard]] constexpr S first_step(std::uint32_t body, S const& duration) const;
    constexpr void show_hulls(World& w);
    [[nodiscard]] constexpr S unhurried(S const& step);
    constexpr outcome hold(World& w, S const& step, S const& left);
    constexpr outcome look_back(World& w, S const& step);
    constexpr void widen(World& w, std::uint32_t id, aabb<S> const& by, outcome& result);
    [[nodiscard]] constexpr bool may_meet(World const& w, std::uint32_t a, std::uint32_t b) const;

    // Groups.

    constexpr void join_all(World& w);
    template <class... K, std::size_t N>
    constexpr void join_bound(World& w, std::array<std::uint32_t, N> const& bodies, binds<K...>);
    constexpr void gather(World& w);
    template <class... K, std::size_t N>
    [[nodiscard]] constexpr std::uint32_t member_of(World& w, std::array<std::uint32_t, N> const& bodies, binds<K...>) const;
    [[nodiscard]] constexpr std::uint32_t group_of_pair(World const& w, detail::near_pair const& p) const noexcept;
    [[nodiscard]] constexpr group_pace<S> pace_at(std::uint32_t node) const noexcept;
    [[nodiscard]] constexpr group_pace<S> pace_of(std::uint32_t group) const noexcept;

    // Advancing.

    constexpr outcome advance_all(World& w, S const& duration, report_type& report);
    constexpr outcome advance_group(World& w, std::uint32_t group, S const& duration, report_type& report);
    constexpr outcome take_fixed_step(World& w, run& r, S const& duration, S& done, report_type& report);
    constexpr outcome take_step(World& w, run& r, S& step, S const& left, S const& floor, S& done, report_type& report);
    constexpr step_report<S> step_part(S const& h, report_type& report);
    [[nodiscard]] constexpr S difference(state_type const& from, state_type const& other);
    constexpr void forget_events([[maybe_unused]] std::size_t begun, [[maybe_unused]] std::size_t ended);
    constexpr void commit(World& w, S const& duration, report_type& report);
    constexpr void commit_contacts(World& w, S const& duration);

    part_type part_{};
    lists lists_{};
    detail::island_forest<env> unions_{};
    array<std::uint32_t, env::max_nodes> group_of_{}, number_{};    // by nodes; by roots
    array<unsigned char, env::max_nodes> members_{}, live_{};  // by nodes: moves by forces or sleeps; is awake, or about to be touched
    array<run, env::max_nodes + 1> runs_{};
    array<typename part_type::broken_constraint, env::limits.constraints * (types > 0 ? types : 1)> broken_{};
    paces_type paces_{};
    std::size_t known_ = 0;     // of these, those whose nodes are as they were
    std::size_t groups_ = 0;  // of them, those that forces move
    state_type from_{}, coarse_{};
    step_report<S> last_{};
    [[no_unique_address]] typename staged_of<env::has_shapes, env>::type staged_{};
};

}  // namespace sinew::inline v0
