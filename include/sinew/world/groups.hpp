#pragma once
// Simulation groups: what cannot influence each other for a while is stepped apart, each group with steps of its own (Vondrak 2005, 7.1, 7.3.3 and 7.3.4).
//
//   sinew::simulation_groups<my_world> groups;
//   groups.advance(world, 1.0f / 60);             // instead of world.step(1.0f / 60)
//
// A group is what hangs together through constraints, forces between bodies, contacts and overlapping hulls. The hull of a collider is the box around
// all places where it may be during the advance; as long as every collider stays in its hull, nothing of one group can meet anything of another, and
// each goes its way as if it were alone: it has its own step length, which follows from its own error, and its own solver of the equations of motion.
//
// An advance is a transaction. The groups are advanced one after the other; if one leaves its hull and the wider hull meets another group, all are taken
// back to the common start, bit for bit, the two are merged, and all is done once more. Each time there is one group less, so it ends. If a group
// cannot be advanced at all (its state would not be finite), the world stays as it was. Groups are found anew in every advance: what has parted is split.
//
// A group that sleeps (config: island_sleep) is not advanced and costs nothing, until its hull meets one that is awake; it is then advanced with
// that one, and wakes when it is touched.
//
// A step is tried as a whole and in two halves; what they differ by is the error (Vondrak 2005, 2.2.3). The halves are kept. With fixed steps each is taken
// once: with one step per advance, worlds go on as by world.step, to the bit, under strategies that treat islands independently of each other.

#include <sinew/ode/step_control.hpp>
#include <sinew/world/world_part.hpp>

#include <concepts>

namespace sinew::inline v0 {

/// How long the steps of groups are.
template <class S>
struct group_settings {
    stepping mode = stepping::adaptive;
    S absolute_error{S(1e-3)};   ///< of a step, in places (m), turns (rad) and coordinates: tolerated
    S relative_error{S(1e-2)};   ///< besides, as a fraction of the way gone in the step
    S initial_step{};            ///< s, of a group that is new; 0: the whole advance. The step where it is fixed
    S min_step{S(1.0 / 1920)};   ///< s: such a step is kept whatever its error. At a hit the error falls no faster than the step
    S max_step{infinity_v<S>};   ///< s
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        auto const longest = min_step <= max_step && max_step > S(0) ? input_fault{} : input_fault{"settings.max_step", "must be positive and not below min_step", static_cast<error_number>(max_step)};
        auto const some = absolute_error + relative_error > S(0) ? input_fault{} : input_fault{"settings.absolute_error", "must be positive where relative_error is not", static_cast<error_number>(absolute_error)};
        return first_fault(nonnegative_parameter("settings.absolute_error", absolute_error), nonnegative_parameter("settings.relative_error", relative_error),
                           nonnegative_parameter("settings.initial_step", initial_step), nonnegative_parameter("settings.min_step", min_step), longest, some);
    }
    [[nodiscard]] friend constexpr bool operator==(group_settings const&, group_settings const&) = default;
};

/// Outcome of simulation_groups::advance.
template <class S>
struct group_report {
    step_status status = step_status::ok;
    std::size_t groups = 0;       ///< that were advanced; bodies that are moved without forces are in none
    std::size_t retries = 0;      ///< how often all were taken back, because groups had to be merged
    std::size_t widenings = 0;    ///< how often one group was, because it had come near something that stands still or sleeps
    std::size_t steps = 0;        ///< kept, of all groups together
    std::size_t rejections = 0;   ///< taken back, because of their error
    std::size_t at_floor = 0;     ///< kept in spite of their error, because they were as short as steps may be
    std::size_t body_steps = 0;   ///< bodies moved, summed over all steps that were tried: what the advance has cost
    std::size_t contacts = 0;     ///< points of contact in the last step of each group
    std::size_t dropped_contacts = 0;  ///< in static storage that had no room
    std::size_t islands = 0;      ///< that were awake at the end, where the config lets islands sleep
    std::size_t broken = 0;       ///< constraints that broke
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return status == step_status::ok; }
};

/// What a body's group knows of its steps.
template <class S>
struct group_pace {
    S next_step{};  ///< s, proposed by step control; 0 before it knows
    S last_step{};  ///< s
    detail::growth_control<S> control{};
    [[nodiscard]] friend constexpr bool operator==(group_pace const&, group_pace const&) = default;
};

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

    /// Groups that were advanced in the last advance.
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
        bool open = true;
        constexpr transaction(simulation_groups& g, World& w) : groups(g), world(w) {
            world.save_motion(world.backup_);
            groups.lend_shapes(world);
        }
        transaction(transaction const&) = delete;
        transaction& operator=(transaction const&) = delete;
        constexpr ~transaction() {
            if (open) abort();
        }
        constexpr void commit() {
            open = false;
            groups.part_.release();
            groups.lend_shapes(world);
        }
        constexpr void abort() {
            commit();
            world.put_back(world.backup_);
            world.arrange();
            if constexpr (env::has_shapes) world.note_all_motion();
        }
        // Back at the start, with the hulls as wide as they have become.
        constexpr void start_again() {
            groups.lend_shapes(world);
            world.put_back(world.backup_);
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
    constexpr void show_hulls(World& w);
    [[nodiscard]] constexpr S unhurried(S const& step);
    constexpr outcome hold(World& w, S const& step, S const& left);
    [[nodiscard]] constexpr bool may_meet(World const& w, std::uint32_t a, std::uint32_t b) const;

    // Groups.

    constexpr void join_all(World& w);
    template <class... K, std::size_t N>
    constexpr void join_bound(World& w, std::array<std::uint32_t, N> const& bodies, binds<K...>);
    constexpr void gather(World& w);
    template <class... K, std::size_t N>
    [[nodiscard]] constexpr std::uint32_t member_of(World& w, std::array<std::uint32_t, N> const& bodies, binds<K...>) const;
    [[nodiscard]] constexpr std::uint32_t group_of_pair(World const& w, detail::near_pair const& p) const noexcept;
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
    std::size_t groups_ = 0;  // of them, those that forces move
    state_type from_{}, coarse_{};
    step_report<S> last_{};
    [[no_unique_address]] typename staged_of<env::has_shapes, env>::type staged_{};
};

// Where each collider may be during the advance, by its twist and gravity; contacts are looked for no farther.
template <class World>
constexpr void simulation_groups<World>::place_hulls([[maybe_unused]] World& w, [[maybe_unused]] S const& duration) {
    if constexpr (env::has_shapes) {
        staged_.hulls.resize(w.store_.size());
        for (std::uint32_t i = 1; i < w.states_.size(); ++i) {
            if (!w.body_slots_[i].alive) continue;
            if (!w.moves(i) && is_member(w, i)) {
                w.store_.for_each_of(i, [&](std::uint32_t id) { staged_.hulls[id] = w.box_of(id); });
            } else if (w.moves(i)) {
                vec3<S> const way = w.states_[i].twist.linear * duration;
                vec3<S> const fall = w.masses_[i].movable ? way + w.gravity * (duration * duration) : way;
                w.store_.move_with(i, w.states_[i].pose, [&](std::uint32_t id) {
                    aabb<S> const b = w.store_.bounds(id);
                    staged_.hulls[id] = grown(merged(swept(b, way), swept(b, fall)), w.margin_of(id) + w.arc_of(id, duration));
                    w.store_.index().set_moves(id, true);
                    w.store_.index().move(id, staged_.hulls[id]);
                });
            }
        }
    }
}
// To the broad phase, where what has fallen asleep or woken stands in other boxes.
template <class World>
constexpr void simulation_groups<World>::show_hulls([[maybe_unused]] World& w) {
    if constexpr (env::has_shapes)
        for (std::uint32_t i = 1; i < w.states_.size(); ++i)
            if (w.body_slots_[i].alive && (is_member(w, i) || w.moves(i))) w.store_.for_each_of(i, [&](std::uint32_t id) { w.store_.index().move(id, staged_.hulls[id]); });
}
// The step, or as much of it as lets nothing pass through what it may meet, which contacts are looked for where it begins: with the speed of now and by
// gravity it goes no farther than the smaller of the two is wide. What is `continuous` finds its contacts by itself.
template <class World>
constexpr typename World::S simulation_groups<World>::unhurried(S const& step) {
    S longest = step;
    if constexpr (env::has_shapes) {
        World& w = part_.stepped();
        S const g = norm(w.gravity);
        S thinnest = infinity_v<S>;
        for (std::uint32_t id = 0; id < w.store_.size(); ++id) thinnest = min(thinnest, w.store_[id].extent);
        for (std::uint32_t id = 0; id < w.store_.size(); ++id) {
            auto const& mine = w.store_[id];
            if (!w.masses_[mine.body].movable || mine.continuous || w.collision.continuous) continue;
            vec3<S> const& velocity = w.states_[mine.body].twist.linear;
            S const speed = norm(velocity);
            S const way = speed * longest + g * longest * longest;
            if (!(way > thinnest)) continue;
            aabb<S> const box = swept(w.store_.bounds(id), velocity * longest);
            w.store_.index().query(merged(box, swept(box, w.gravity * (longest * longest))), [&](std::uint32_t other) {
                auto const& its = w.store_[other];
                S const extent = min(mine.extent, its.extent);
                if (its.body == mine.body || its.sensor || !(way > extent) || !may_collide(mine.filter, its.filter)) return;
                longest = min(longest, S(2) * extent / (speed + sqrt(speed * speed + S(4) * g * extent)));
            });
        }
    }
    return longest;
}
template <class World>
constexpr bool simulation_groups<World>::may_meet([[maybe_unused]] World const& w, [[maybe_unused]] std::uint32_t a, [[maybe_unused]] std::uint32_t b) const {
    auto const &p = w.store_[a], &q = w.store_[b];
    if (p.body == q.body || !may_collide(p.filter, q.filter)) return false;
    return w.pair_filter(collider_pair{w.handle_of(a), w.handle_of(b), w.handle_of_body(p.body), w.handle_of_body(q.body), p.filter, q.filter});
}
// Before a step of the part: whether its colliders stay in their hulls, or what comes within the wider ones.
template <class World>
constexpr typename simulation_groups<World>::outcome simulation_groups<World>::hold([[maybe_unused]] World& w, [[maybe_unused]] S const& step, [[maybe_unused]] S const& left) {
    outcome result = outcome::reached;
    if constexpr (env::has_shapes) {
        part_.for_each_moving_collider(step, [&](std::uint32_t id, aabb<S> const& bounds, twist<S> const& t, S const& around) {
            if (contains(staged_.hulls[id], grown(swept(bounds, t.linear * step), around))) return;
            staged_.hulls[id] = merged(staged_.hulls[id], grown(swept(bounds, t.linear * left), around));
            w.store_.index().move(id, staged_.hulls[id]);
            std::uint32_t const mine = w.store_[id].body;
            w.store_.index().query(staged_.hulls[id], [&](std::uint32_t other) {
                std::uint32_t const its = w.store_[other].body;
                if (part_.holds_collider(other) || !may_meet(w, id, other)) return;
                if (!is_member(w, its)) {
                    if (result == outcome::reached) result = outcome::wider;
                } else if (!part_.holds_node(its)) {
                    unions_.join(mine, its);
                    result = outcome::merged;
                }
            });
        });
    }
    return result;
}

template <class World>
template <class... K, std::size_t N>
constexpr void simulation_groups<World>::join_bound(World& w, std::array<std::uint32_t, N> const& bodies, binds<K...>) {
    auto const p = w.make_problem();
    std::uint32_t first = none;
    std::size_t k = 0;
    auto const one = [&](std::uint32_t node) {
        if (members_[node] == 0) return;
        if (first == none)
            first = node;
        else
            unions_.join(first, node);
    };
    (one(p.node(K{}, bodies[k++])), ...);
}
// Everything that belongs together as far as is known before anything has moved.
template <class World>
constexpr void simulation_groups<World>::join_all(World& w) {
    auto const p = w.make_problem();
    std::size_t const nodes = p.node_count();
    unions_.reset(nodes);
    members_.assign(nodes, 0);
    live_.assign(nodes, 0);
    p.for_each_movable([&](auto kind, std::uint32_t i) { members_[p.node(kind, i)] = live_[p.node(kind, i)] = 1; });
    if constexpr (env::sleeps)
        for (std::uint32_t i = 0; i < w.rest_.size(); ++i) {
            if (w.rest_[i].asleep) {
                members_[i] = 1;
                unions_.join(i, w.rest_[i].next);
            } else if (w.rises_by_touch(i)) {
                members_[i] = 1;
                live_[i] = is_carried(w, i) ? 1 : 0;
            }
        }
    detail::for_each_constant<types>([&](auto t) {
        auto const& pool = std::get<t>(w.constraints_);
        using C = typename std::remove_cvref_t<decltype(pool.values()[0])>::constraint_type;
        for (auto const& e : pool.values()) join_bound(w, e.bodies, attachments_t<C>{});
    });
    detail::for_each_constant<force_types>([&](auto t) {
        auto const& pool = std::get<t>(w.forces_);
        using F = std::remove_cvref_t<decltype(pool.values()[0].force)>;
        if constexpr (requires { typename F::attachments; })
            for (auto const& e : pool.values()) join_bound(w, e.bodies, typename F::attachments{});
    });
    if constexpr (env::has_shapes) {
        auto const of_pairs = [&](auto const& set) {
            for (auto const& q : set.pairs) {
                std::uint32_t const i = w.store_[q.a].body, j = w.store_[q.b].body;
                if (members_[i] != 0 && members_[j] != 0) unions_.join(i, j);
            }
        };
        of_pairs(w.active_);
        if constexpr (env::sleeps) of_pairs(w.asleep_);
        // What moves without being moved may be about to touch a sleeper.
        auto const note_carried = [&](std::uint32_t member, std::uint32_t other) {
            if (is_carried(w, other)) live_[member] = 1;
        };
        w.store_.index().for_each_pair([&](std::uint32_t a, std::uint32_t b) {
            std::uint32_t const i = w.store_[a].body, j = w.store_[b].body;
            if ((members_[i] == 0 && members_[j] == 0) || !may_meet(w, a, b)) return;
            if (members_[i] != 0 && members_[j] != 0)
                unions_.join(i, j);
            else
                note_carried(members_[i] != 0 ? i : j, members_[i] != 0 ? j : i);
        });
    }
}

// The first that is one, of the bodies that something binds.
template <class World>
template <class... K, std::size_t N>
constexpr std::uint32_t simulation_groups<World>::member_of(World& w, std::array<std::uint32_t, N> const& bodies, binds<K...>) const {
    auto const p = w.make_problem();
    std::uint32_t found = none;
    std::size_t k = 0;
    auto const one = [&](std::uint32_t node) {
        if (found == none && members_[node] != 0) found = node;
    };
    (one(p.node(K{}, bodies[k++])), ...);
    return found;
}
template <class World>
constexpr std::uint32_t simulation_groups<World>::group_of_pair(World const& w, detail::near_pair const& p) const noexcept {
    std::uint32_t const i = w.store_[p.a].body, j = w.store_[p.b].body;
    if (members_[i] != 0) return group_of_[i];
    if (members_[j] != 0) return group_of_[j];
    return group_of_[i] != none ? group_of_[i] : group_of_[j];
}
// Numbers the groups that are awake, by their least nodes, and lists what belongs to each.
template <class World>
constexpr void simulation_groups<World>::gather(World& w) {
    auto const p = w.make_problem();
    auto const nodes = static_cast<std::uint32_t>(p.node_count());
    number_.assign(nodes, none);
    group_of_.assign(nodes, none);
    for (std::uint32_t i = 0; i < nodes; ++i)
        if (live_[i] != 0) live_[unions_.root(i)] = 1;
    std::uint32_t groups = 0;
    for (std::uint32_t i = 0; i < nodes; ++i) {
        if (members_[i] == 0 || live_[unions_.root(i)] == 0) continue;
        std::uint32_t& number = number_[unions_.root(i)];
        if (number == none) number = groups++;
        group_of_[i] = number;
    }
    // Behind them: what moves without being moved, and constraints that hold nothing which could be.
    groups_ = groups;
    bool any_left = false;
    for (std::uint32_t i = 1; i < w.states_.size(); ++i)
        if (w.body_slots_[i].alive && members_[i] == 0 && is_carried(w, i)) {
            group_of_[i] = groups;
            any_left = true;
        }
    for (std::uint32_t i = 0; i < w.particle_states_.size(); ++i)
        if (!w.particle_masses_[i].movable && w.particle_states_[i].velocity != vec3<S>{}) {
            group_of_[p.node(point_mass{}, i)] = groups;
            any_left = true;
        }
    detail::for_each_constant<types>([&](auto t) {
        auto const& pool = std::get<t>(w.constraints_);
        using C = typename std::remove_cvref_t<decltype(pool.values()[0])>::constraint_type;
        for (auto const& e : pool.values()) any_left = any_left || member_of(w, e.bodies, attachments_t<C>{}) == none;
    });
    std::size_t const all = groups + (any_left ? 1u : 0u);
    runs_.assign(all, {});

    detail::fill_grouped(lists_.nodes, all, [&](auto&& visit) {
        for (std::uint32_t i = 0; i < nodes; ++i) visit(group_of_[i], i);
    });
    // f(slot, entry) in the order in which the world's own step sees them.
    [[maybe_unused]] auto const for_each_in_order = [](auto const& pool, auto&& f) {
        if constexpr (env::sleeps) {
            for (std::uint32_t s = 0; s < pool.slots().size(); ++s)
                if (pool.slots()[s].alive) f(s, pool.at_slot(s));
        } else {
            for (std::size_t k = 0; k < pool.size(); ++k) f(pool.slot_at(k), pool.values()[k]);
        }
    };
    detail::for_each_constant<types>([&](auto t) {
        auto const& pool = std::get<t>(w.constraints_);
        using C = typename std::remove_cvref_t<decltype(pool.values()[0])>::constraint_type;
        detail::fill_grouped(lists_.constraints[t], all, [&](auto&& visit) {
            for_each_in_order(pool, [&](std::uint32_t s, auto const& e) {
                std::uint32_t const node = member_of(w, e.bodies, attachments_t<C>{});
                visit(node == none ? groups : group_of_[node], s);
            });
        });
    });
    detail::for_each_constant<force_types>([&](auto t) {
        auto const& pool = std::get<t>(w.forces_);
        using F = std::remove_cvref_t<decltype(pool.values()[0].force)>;
        if constexpr (requires { typename F::attachments; })
            detail::fill_grouped(lists_.forces[t], all, [&](auto&& visit) {
                for (std::size_t k = 0; k < pool.size(); ++k) {
                    std::uint32_t const node = member_of(w, pool.values()[k].bodies, typename F::attachments{});
                    visit(node == none ? none : group_of_[node], pool.slot_at(k));
                }
            });
    });
    if constexpr (env::has_shapes) {
        auto const of_set = [&](auto& list, auto const& set) {
            detail::fill_grouped(list, all, [&](auto&& visit) {
                for (std::uint32_t k = 0; k < set.pairs.size(); ++k) visit(group_of_pair(w, set.pairs[k]), k);
            });
        };
        of_set(lists_.pairs, w.active_);
        if constexpr (env::sleeps) of_set(lists_.slept, w.asleep_);
    }
}
// The most careful of its members': two groups that merge go on with the shorter step.
template <class World>
constexpr group_pace<typename World::S> simulation_groups<World>::pace_of(std::uint32_t group) const noexcept {
    group_pace<S> pace{};
    bool first = true;
    for (std::uint32_t const node : lists_.nodes.of(group)) {
        group_pace<S> const& its = paces_.of_nodes[node];
        if (first) pace.last_step = its.last_step;
        first = false;
        if (its.next_step > S(0) && (!(pace.next_step > S(0)) || pace.next_step > its.next_step)) {
            pace.next_step = its.next_step;
            pace.control = its.control;
        }
    }
    return pace;
}

template <class World>
constexpr step_report<typename World::S> simulation_groups<World>::step_part(S const& h, report_type& report) {
    part_.push();
    report.body_steps += part_.moved_count();
    return part_.stepped().step(h);
}
// How far the part is from another outcome of the same step, in units of what is tolerated.
template <class World>
constexpr typename World::S simulation_groups<World>::difference(state_type const& from, state_type const& other) {
    World& w = part_.stepped();
    S worst{};
    auto const note = [&](S const& off, S const& way) {
        S const tolerated = settings.absolute_error + settings.relative_error * way;
        worst = max(worst, off > S(0) ? (tolerated > S(0) ? off / tolerated : infinity_v<S>) : S(0));
    };
    for (std::size_t i = 1; i < w.states_.size(); ++i) {
        if (!w.masses_[i].movable) continue;
        auto const &a = from.bodies[i].pose, &b = other.bodies[i].pose, &c = w.states_[i].pose;
        note(norm(c.position - b.position), norm(c.position - a.position));
        S turn{}, turned{};  // of that axis of the body which differs most
        for (std::size_t k = 0; k < 3; ++k) {
            vec3<S> const axis{S(k == 0), S(k == 1), S(k == 2)};
            vec3<S> const now = c.direction(axis);
            turn = max(turn, norm(now - b.direction(axis)));
            turned = max(turned, norm(now - a.direction(axis)));
        }
        note(turn, turned);
    }
    for (std::size_t i = 0; i < w.particle_states_.size(); ++i)
        note(norm(w.particle_states_[i].position - other.particles[i].position), norm(w.particle_states_[i].position - from.particles[i].position));
    w.for_each_of_maps(
        [&](auto const& g, auto const& before, auto const& instead) {
            for (std::size_t i = 0; i < g.states.size(); ++i)
                for (std::size_t k = 0; k < g.states[i].u.size(); ++k) note(abs(g.states[i].u[k] - instead[i].u[k]), abs(g.states[i].u[k] - before[i].u[k]));
        },
        from.generalized, other.generalized);
    return worst;
}
template <class World>
constexpr void simulation_groups<World>::forget_events([[maybe_unused]] std::size_t begun, [[maybe_unused]] std::size_t ended) {
    if constexpr (env::has_shapes) {
        while (staged_.begun.size() > begun) staged_.begun.pop_back();
        while (staged_.ended.size() > ended) staged_.ended.pop_back();
    }
}

// One step of the part, as long as all others; the last one may be shorter.
template <class World>
constexpr typename simulation_groups<World>::outcome simulation_groups<World>::take_fixed_step(World& w, run& r, S const& duration, S& done, report_type& report) {
    S const step = settings.initial_step > S(0) ? settings.initial_step : duration;
    auto const grid = detail::count_steps(S(0), duration, step);
    bool const last = r.steps + 1 >= grid.steps;
    S const length = last && !grid.whole ? duration - done : step;
    if (outcome const o = hold(w, length, duration - done); o != outcome::reached) return o;
    last_ = step_part(length, report);
    if (!last_) return outcome::failed;
    if constexpr (env::has_shapes) part_.give_events(staged_.begun, staged_.ended);
    ++r.steps;
    r.pace.last_step = length;
    done = last ? duration : static_cast<S>(r.steps) * step;
    return outcome::reached;
}
// One step in two halves, or none if its error was too large; `step` becomes what to try next.
template <class World>
constexpr typename simulation_groups<World>::outcome simulation_groups<World>::take_step(World& w, run& r, S& step, S const& left, S const& floor, S& done,
                                                                                        report_type& report) {
    S length = max(unhurried(min(step, settings.max_step)), floor);
    bool const free = length <= left / S(2);
    if (length >= left)
        length = left;
    else if (!free)
        length = left / S(2);  // two alike instead of a long one and a short one
    bool const last = length == left;
    S const end = done + length;
    if (outcome const o = hold(w, length, left); o != outcome::reached) return o;
    auto const keep_events = [&] {
        if constexpr (env::has_shapes) part_.give_events(staged_.begun, staged_.ended);
    };
    auto const keep = [&](S const& taken, S const& at) {
        keep_events();
        ++r.steps;
        r.pace.last_step = taken;
        done = at;
        return outcome::reached;
    };

    part_.save(from_);
    part_.set_breaking(false);
    bool const whole = static_cast<bool>(step_part(length, report));
    part_.set_breaking(true);
    part_.save_motion(coarse_);
    part_.restore(from_);
    S const half = length / S(2);
    auto const shorten = [&](S const& factor) {
        ++report.rejections;
        step = max(length * factor, floor);
        return outcome::reached;
    };
    std::size_t begun = 0, ended = 0;
    if constexpr (env::has_shapes) {
        begun = staged_.begun.size();
        ended = staged_.ended.size();
    }
    last_ = step_part(half, report);
    if (!last_) return length > floor ? shorten(S(1) / S(4)) : outcome::failed;
    // What has broken cannot be taken back: the first half is kept as it is.
    if (last_.broken > 0) return keep(half, done + half);
    keep_events();
    if (outcome const o = hold(w, half, left - half); o != outcome::reached) return o;
    last_ = step_part(half, report);
    if (!last_) {
        forget_events(begun, ended);
        part_.restore(from_);
        return length > floor ? shorten(S(1) / S(4)) : outcome::failed;
    }
    using control_type = step_parameters<S>;
    control_type const control{};
    constexpr int order = World::strategy_type::level == solver_level::acceleration ? World::config::integrator::order : 1;
    S const error = whole ? difference(from_, coarse_) : infinity_v<S>;
    if (!(error <= S(1))) {
        if (length > floor && last_.broken == 0) {
            forget_events(begun, ended);
            part_.restore(from_);
            return shorten(r.pace.control.reject(control, error, order, false));
        }
        ++report.at_floor;
    }
    S const grown = length * r.pace.control.accept(control, min(error, scalar_traits<S>::max), order, false);
    step = max(free || grown > step ? grown : step, floor);
    ++r.steps;  // two halves are two
    return keep(half, last ? done + left : end);
}

template <class World>
constexpr typename simulation_groups<World>::outcome simulation_groups<World>::advance_group(World& w, std::uint32_t group, S const& duration, report_type& report) {
    run& r = runs_[group];
    r = {};
    r.pace = pace_of(group);
    if constexpr (env::has_shapes)
        if (!(r.pace.last_step > S(0))) r.pace.last_step = w.last_h_;
    std::size_t begun = 0, ended = 0;
    if constexpr (env::has_shapes) {
        begun = staged_.begun.size();
        ended = staged_.ended.size();
        part_.fill(w, lists_, group, r.pace.last_step, staged_.hulls);
    } else {
        part_.fill(w, lists_, group, r.pace.last_step, nothing{});
    }
    S step = r.pace.next_step > S(0) ? r.pace.next_step : settings.initial_step;
    if (!(step > S(0))) step = duration;
    S const floor = max(settings.min_step, S(4) * epsilon_v<S> * duration);
    S done{};
    while (done != duration) {
        outcome const o = settings.mode == stepping::fixed ? take_fixed_step(w, r, duration, done, report) : take_step(w, r, step, duration - done, floor, done, report);
        if (o == outcome::failed) report.status = last_.status;
        if (o != outcome::reached) {
            forget_events(begun, ended);
            return o;
        }
    }
    r.pace.next_step = step;
    part_.give_back(broken_);
    if constexpr (env::has_shapes) part_.give_contacts(staged_.awake, staged_.asleep, report.dropped_contacts);
    report.steps += r.steps;
    report.contacts += last_.contacts;
    report.dropped_contacts += last_.dropped_contacts;
    report.islands += last_.islands;
    return outcome::reached;
}

// The chain of transactions: every group to the common time, or none.
template <class World>
constexpr typename simulation_groups<World>::outcome simulation_groups<World>::advance_all(World& w, S const& duration, report_type& report) {
    broken_.clear();
    if constexpr (env::has_shapes) {
        staged_.awake.clear();
        staged_.asleep.clear();
        staged_.begun.clear();
        staged_.ended.clear();
    }
    for (std::uint32_t group = 0; group < runs_.size(); ++group) {
        outcome o = advance_group(w, group, duration, report);
        while (o == outcome::wider) {
            ++report.widenings;
            o = advance_group(w, group, duration, report);
        }
        if (o != outcome::reached) return o;
    }
    return outcome::reached;
}

template <class World>
constexpr group_report<typename World::S> simulation_groups<World>::advance(World& w, S const& duration) {
    report_type report;
    auto const refuse = [&](error const& e, step_status status) {
        (void)w.template refuse<bool>(e);
        report.status = status;
        return report;
    };
    if (error e = detail::check_positive("duration", duration)) return refuse(e, step_status::invalid_step);
    error e = w.check_settings();
    if (!e) e = detail::check_fault(settings);
    if (e) return refuse(e, step_status::invalid_parameter);

    w.wake_for_gravity();
    w.arrange();
    part_.prepare(w);
    place_hulls(w, duration);
    join_all(w);
    auto const p = w.make_problem();
    // Those of rigid bodies stay where they are when others come; what stands behind them would be another's.
    if (paces_.bodies != p.bodies.size())
        for (std::size_t i = std::min(paces_.bodies, p.bodies.size()); i < paces_.of_nodes.size(); ++i) paces_.of_nodes[i] = {};
    paces_.bodies = p.bodies.size();
    paces_.of_nodes.resize(p.node_count());
    transaction chain(*this, w);
    outcome o = outcome::merged;
    for (;;) {
        gather(w);
        report_type tried = report;
        o = advance_all(w, duration, tried);
        if (o == outcome::merged) {
            // Only what it has cost is kept.
            report.body_steps = tried.body_steps;
            report.widenings = tried.widenings;
            report.rejections = tried.rejections;
            ++report.retries;
            chain.start_again();
            continue;
        }
        report = tried;
        break;
    }
    if (o == outcome::failed) return report;  // and the world is as it was
    chain.commit();
    commit(w, duration, report);
    return report;
}

template <class World>
constexpr void simulation_groups<World>::commit(World& w, S const& duration, report_type& report) {
    for (std::uint32_t group = 0; group < runs_.size(); ++group)
        for (std::uint32_t const node : lists_.nodes.of(group)) paces_.of_nodes[node] = runs_[group].pace;
    w.pass_time(duration);
    // Last slots first, as when a step of the world finds them.
    std::sort(broken_.begin(), broken_.end(), [](auto const& a, auto const& b) { return a.type != b.type ? b.type > a.type : a.slot > b.slot; });
    for (auto const& b : broken_)
        detail::for_each_constant<types>([&](auto t) {
            if (t != b.type) return;
            auto& pool = std::get<t>(w.constraints_);
            using C = typename std::remove_cvref_t<decltype(pool.values()[0])>::constraint_type;
            w.note(World::change::item_removed, b.slot, World::template place_in_list<C>());
            pool.remove_slot(b.slot);
        });
    report.broken = broken_.size();
    report.groups = groups_;
    w.note_layout();
    w.arrange();
    if constexpr (env::has_shapes) commit_contacts(w, duration);
}

template <class World>
constexpr void simulation_groups<World>::commit_contacts(World& w, S const& duration) {
    if constexpr (env::has_shapes) {
        using set_type = detail::contact_set<env>;
        // Pairs that no group has had: what stands and goes on as it is, and who sleeps.
        auto const stands = [&](detail::near_pair const& p) { return group_of_pair(w, p) == none && !w.sleeps(w.store_[p.a].body) && !w.sleeps(w.store_[p.b].body); };
        // The contacts of all groups, and of those that sleep on; ascending, as the world keeps them.
        auto const compose = [&](auto& next, auto const&... sets) {
            next.clear();
            std::sort(staged_.order.begin(), staged_.order.end(), [](pair_place const& a, pair_place const& b) { return b.key > a.key; });
            std::array<set_type const*, sizeof...(sets)> const from{&sets...};
            for (pair_place const& q : staged_.order) {
                auto const& found = from[q.set]->pairs[q.at];
                auto const p = stands(found) ? found.at_rest() : found;
                if (next.has_room(p)) next.append(*from[q.set], q.at, p);
            }
            staged_.order.clear();
        };
        auto const list = [&](auto const& set, std::uint32_t number, auto&& wanted) {
            for (std::uint32_t k = 0; k < set.pairs.size(); ++k)
                if (wanted(set.pairs[k])) staged_.order.push_back({set.pairs[k].key(), number, k});
        };
        auto const all = [](detail::near_pair const&) { return true; };
        auto const rests = [&](detail::near_pair const& p) {
            std::uint32_t const i = w.store_[p.a].body, j = w.store_[p.b].body;
            return group_of_pair(w, p) == none && !w.moves(i) && !w.moves(j) && (w.sleeps(i) || w.sleeps(j));
        };
        list(staged_.awake, 0, all);
        // What one of them carries past the other, neither free to move, is no pair any more.
        list(w.active_, 1, [&](detail::near_pair const& p) { return stands(p) && !w.moves(w.store_[p.a].body) && !w.moves(w.store_[p.b].body); });
        compose(staged_.next, staged_.awake, w.active_);
        if constexpr (env::sleeps) {
            list(staged_.asleep, 0, all);
            list(w.active_, 1, rests);
            list(w.asleep_, 2, rests);
            compose(staged_.next_asleep, staged_.asleep, w.active_, w.asleep_);
            w.asleep_ = staged_.next_asleep;  // not exchanged: so each has the room it needs after the first time
            // Of those that have just fallen asleep the contacts are still among the others: the next step is to look who sleeps.
            w.slept_layout_ = ~w.layout_;
        }
        w.active_ = staged_.next;
        // What was removed since the last step comes first.
        std::size_t const removed = w.ended_.size() - w.told_;
        for (std::size_t k = 0; k < removed; ++k) w.ended_[k] = w.ended_[k + w.told_];
        while (w.ended_.size() > removed) w.ended_.pop_back();
        for (auto const& e : staged_.ended)
            if (!is_full(w.ended_)) w.ended_.push_back(e);
        w.told_ = w.ended_.size();
        w.begun_ = staged_.begun;
        w.last_h_ = duration;
        for (std::uint32_t i = 1; i < w.states_.size(); ++i)
            if (w.moves(i) || group_of_[i] != none) w.note_motion(i);
    }
}

}  // namespace sinew::inline v0
