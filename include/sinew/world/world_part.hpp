#pragma once
// A part of a world as a world of its own: what a simulation group is stepped in.
//
// The bodies of a group, what they are bound to and may touch, and the constraints, forces and contacts between them are copied into a small
// world of the same type; it is stepped like any other, and what has become of the group is copied back. The cost is that of the group, whatever the size of
// the whole, and every strategy and integrator works. Things keep their order, so that a group alone steps to the bits to which it steps among
// the others; and the handles in events, filters and contact rules are those of the whole.
//
// What does not move is there too, but it is not of the part: only members are copied back.

#include <sinew/core/call_with.hpp>
#include <sinew/core/sort.hpp>
#include <sinew/world/contact_phase.hpp>
#include <sinew/world/group_lists.hpp>
#include <sinew/world/world.hpp>

#include <algorithm>

namespace sinew::inline v0 {

namespace detail {

template <class World>
class world_part {
public:
    using S = typename World::S;
    using env = typename World::env;
    using state_type = typename World::state_type;
    template <class T, std::size_t N>
    using array = typename env::template array<T, N>;
    static constexpr std::uint32_t none = 0xffffffffu;
    static constexpr std::size_t types = std::tuple_size_v<decltype(World::constraints_)>;
    static constexpr std::size_t force_types = std::tuple_size_v<decltype(World::forces_)>;
    using lists = group_lists<env, types, force_types>;

    /// A constraint of the whole that broke in the part.
    struct broken_constraint {
        std::uint32_t type = 0, slot = 0;
        [[nodiscard]] friend constexpr bool operator==(broken_constraint const&, broken_constraint const&) = default;
    };

    /// Takes over how the whole is to be stepped.
    constexpr void prepare(World& w) {
        part_.gravity = w.gravity;
        part_.gyroscopic = w.gyroscopic;
        if (!is_comparable<decltype(w.solver)> || !equal_as_far_as_shown(part_.solver, w.solver)) part_.solver = w.solver;  // with it comes its workspace
        part_.integrator = w.integrator;
        if constexpr (env::has_shapes) {
            part_.collision = w.collision;
            part_.pair_filter = w.pair_filter;
            part_.contact_rule = w.contact_rule;
        }
        if constexpr (env::sleeps) part_.sleep = w.sleep;
        at_.assign(w.make_problem().node_count(), none);
        if constexpr (env::has_shapes) collider_at_.assign(w.store_.size(), none);
    }

    /// The group's members, and what is around them within their hulls. step: that it is to take, s.
    template <class Hulls>
    constexpr void fill(World& w, lists const& of, std::uint32_t group, S const& step, Hulls const& hulls) {
        clear();
        whole_ = &w;
        part_.time_ = w.time_;
        part_.time_carry_ = w.time_carry_;
        part_.tag_ = w.tag_;
        part_.has_breakables_ = w.has_breakables_;
        mix(w.contents_ | 1u);
        for (std::uint32_t const node : of.nodes.of(group)) with_node(node, [&](auto kind, std::uint32_t i) { (void)local(kind, i); });
        members_ = static_cast<std::uint32_t>(part_.states_.size());
        member_particles_ = static_cast<std::uint32_t>(particles_.size());
        detail::call_with([&](auto const&... numbers) { ((member_generalized_[index_in(numbers)] = numbers.size()), ...); }, generalized_);
        if constexpr (env::sleeps)
            for (std::uint32_t k = 1; k < members_; ++k)
                if (part_.rest_[k].asleep) part_.rest_[k].next = at_[part_.rest_[k].next];
        take_constraints(of, group);
        take_forces(of, group);
        if constexpr (env::has_shapes) take_colliders(of, group, step, hulls);
        part_.accept_gravity();
        part_.note_layout();
        part_.arrange();
        if constexpr (env::has_shapes && env::sleeps) part_.slept_layout_ = ~part_.layout_;  // who sleeps is to be looked at
        if constexpr (env::has_shapes) {
            part_.joined_of_ = 0;
            part_.begun_.clear();
            part_.ended_.clear();
            part_.told_ = 0;
        }
    }
    /// Lets go of the whole.
    constexpr void release() {
        clear();
        whole_ = nullptr;
        constraints_of_ = {};
    }
    /// Forces that the user has applied, which act all the time.
    constexpr void push() {
        part_.applied_.resize(part_.states_.size());
        for (std::uint32_t k = 1; k < members_; ++k) part_.applied_[k] = whole_->applied_[bodies_[k]];
        for (std::uint32_t k = 0; k < member_particles_; ++k) part_.particle_applied_[k] = whole_->particle_applied_[particles_[k]];
        for_each_map([&](auto const& from, auto& to, auto const& numbers, std::size_t members) {
            for (std::size_t k = 0; k < members; ++k) to.applied[k] = from.applied[numbers[k]];
        });
    }

    [[nodiscard]] constexpr World& stepped() noexcept { return part_; }
    /// Bodies that are moved now.
    [[nodiscard]] constexpr std::size_t moved_count() const noexcept {
        std::size_t n = 0;
        for (auto const& m : part_.masses_) n += m.movable ? 1u : 0u;
        for (auto const& m : part_.particle_masses_) n += m.movable ? 1u : 0u;
        part_.for_each_map([&](auto const& g) {
            for (auto const& m : g.masses) n += m.movable ? 1u : 0u;
        });
        return n;
    }
    constexpr void set_breaking(bool breaks) noexcept { part_.has_breakables_ = breaks && whole_->has_breakables_; }
    constexpr void save(state_type& s) const { part_.save(s); }
    constexpr void save_motion(state_type& s) const { part_.save_motion(s); }
    constexpr void restore(state_type const& s) {
        (void)part_.restore(s);
        if constexpr (env::has_shapes && env::sleeps) part_.slept_layout_ = ~part_.layout_;
    }
    [[nodiscard]] constexpr bool holds_node(std::uint32_t node) const noexcept { return at_[node] != none; }
    [[nodiscard]] constexpr bool holds_collider(std::uint32_t id) const noexcept { return collider_at_[id] != none; }
    /// f(number in the whole, how far its contacts are looked for in a step of h seconds, the same and where its twist takes it in `left` seconds) for each collider of a
    /// member that forces move, or will if it is touched.
    template <class F>
    constexpr void for_each_reach(S const& h, S const& left, F&& f) {
        push();
        part_.expect_forces();
        for (std::uint32_t id = 0; id < part_.store_.size(); ++id) {
            std::uint32_t const body = part_.store_[id].body;
            if (!(body < members_) || !(part_.may_move(body) || part_.rises_by_touch(body))) continue;
            aabb<S> const reach = part_.reach_awake(id, h);
            f(colliders_[id], reach, swept(reach, part_.states_[body].twist.linear * left));
        }
    }
    /// f(number in the whole, box around its way in the last step, of h seconds) for each collider of a member that has gone so far that it is seen whether it stops at what stands.
    template <class F>
    constexpr void for_each_fast_way(S const& h, F&& f) const {
        for (std::uint32_t id = 0; id < part_.store_.size(); ++id) {
            auto const& r = part_.store_[id];
            bool const continuous = r.continuous || part_.collision.continuous;
            if (!(r.body < members_) || r.sensor || (r.hollow && !continuous) || !part_.may_move(r.body)) continue;
            vec3<S> const back = part_.backup_.bodies[r.body].pose.position - part_.states_[r.body].pose.position;
            if (!(squared_norm(back) * S(continuous ? 4 : 1) > r.extent * r.extent)) continue;
            f(colliders_[id], grown(swept(part_.store_.bounds(id), back), part_.arc_of(id, h) + part_.margin_of(id)));
        }
    }
    /// The events of the last step, of members, behind others.
    template <class Events>
    constexpr void give_events(Events& begun, Events& ended) const {
        auto const is_member = [&](std::uint32_t body) { return body != 0 && at_[body] < members_; };
        auto const give = [&](auto const& events, Events& to) {
            for (auto const& e : events)
                if ((is_member(e.body_a.index) || is_member(e.body_b.index)) && !is_full(to)) to.push_back(e);
        };
        give(part_.touch_begins(), begun);
        give(part_.touch_ends(), ended);
    }

    /// Copies back what has become of the members.
    template <class Broken>
    constexpr void give_back(Broken& broken) const {
        World& w = *whole_;
        for (std::uint32_t k = 1; k < members_; ++k) {
            std::uint32_t const i = bodies_[k];
            w.states_[i] = part_.states_[k];
            w.masses_[i] = part_.masses_[k];
            w.inverse_masses_[i] = part_.inverse_masses_[k];
            if constexpr (env::sleeps) {
                w.rest_[i] = part_.rest_[k];
                if (w.rest_[i].asleep) w.rest_[i].next = bodies_[w.rest_[i].next];
            }
        }
        for (std::uint32_t k = 0; k < member_particles_; ++k) w.particle_states_[particles_[k]] = part_.particle_states_[k];
        for_each_map([&](auto& to, auto const& from, auto const& numbers, std::size_t members) {
            for (std::size_t k = 0; k < members; ++k) to.states[numbers[k]] = from.states[k];
        });
        for_each_constant<types>([&](auto t) {
            auto const& from = std::get<t>(part_.constraints_);
            auto& to = std::get<t>(w.constraints_);
            auto const slots = constraints_of_[t];
            for (std::uint32_t k = 0; k < slots.size(); ++k) {
                if (!from.slots()[k].alive) {
                    broken.push_back({static_cast<std::uint32_t>(t), slots[k]});
                    continue;
                }
                auto const& e = from.at_slot(k);
                auto& mine = to.at_slot(slots[k]);
                mine.lambda = e.lambda;
                mine.memory = e.memory;
                mine.pushed = e.pushed;
            }
        });
    }
    /// Its contacts, those of its members, behind those of others. Counts what has no room.
    template <class Set>
    constexpr void give_contacts(Set& awake, Set& asleep, std::size_t& dropped) const {
        give(part_.active_, awake, dropped);
        if constexpr (env::sleeps) give(part_.asleep_, asleep, dropped);
    }

private:
    template <class T>
    static constexpr bool is_comparable = std::equality_comparable<T>;

    // Empty but for the ground, with the room it has.
    constexpr void clear() {
        if (whole_ != nullptr) {
            auto const p = whole_->make_problem();
            for (std::size_t k = 0; k < bodies_.size(); ++k) at_[p.node(rigid{}, bodies_[k])] = none;
            for (std::uint32_t const i : particles_) at_[p.node(point_mass{}, i)] = none;
            for_each_map([&](auto const& pool, auto const&, auto const& numbers, std::size_t) {
                using kind = generalized<typename std::remove_cvref_t<decltype(pool)>::map_type>;
                for (std::uint32_t const i : numbers) at_[p.node(kind{}, i)] = none;
            });
        }
        bodies_.clear();
        particles_.clear();
        detail::call_with([](auto&... numbers) { (numbers.clear(), ...); }, generalized_);
        World& w = part_;
        w.states_.clear();
        w.masses_.clear();
        w.inverse_masses_.clear();
        w.applied_.clear();
        w.body_slots_.clear();
        if constexpr (env::sleeps) w.rest_.clear();
        w.particle_states_.clear();
        w.particle_masses_.clear();
        w.particle_applied_.clear();
        w.particle_slots_.clear();
        w.for_each_map([](auto& g) { g.clear(); });
        detail::call_with([](auto&... pool) { (pool.clear(), ...); }, w.constraints_);
        detail::call_with([](auto&... pool) { (pool.clear(), ...); }, w.forces_);
        w.contents_ = 0;
        if constexpr (env::has_shapes) {
            for (std::uint32_t const id : colliders_) collider_at_[id] = none;
            colliders_.clear();
            w.store_.give_back();
            w.falls_.clear();
            w.active_.clear();
            if constexpr (env::sleeps) w.asleep_.clear();
        }
        bodies_.push_back(0);
        at_ground();
    }
    constexpr void at_ground() {
        World& w = part_;
        w.states_.push_back({});
        w.masses_.push_back({});
        w.inverse_masses_.push_back({});
        w.applied_.push_back({});
        w.body_slots_.put({0, 0, true});
        if constexpr (env::sleeps) w.rest_.push_back({});
        if (at_.size() > 0) at_[0] = 0;
    }
    // What a solver has built of another part it builds anew.
    constexpr void mix(std::uint32_t word) noexcept { part_.contents_ = (part_.contents_ ^ word) * 0x9e3779b1u + 0x7f4a7c15u; }

    // f(kind, index) of a node.
    template <class F>
    constexpr void with_node(std::uint32_t node, F&& f) const {
        std::size_t first = 0;
        auto const try_kind = [&](auto kind, std::size_t n) {
            if (node >= first && node < first + n) f(kind, static_cast<std::uint32_t>(node - first));
            first += n;
        };
        try_kind(rigid{}, whole_->states_.size());
        try_kind(point_mass{}, whole_->particle_states_.size());
        whole_->for_each_map([&](auto const& g) { try_kind(generalized<typename std::remove_cvref_t<decltype(g)>::map_type>{}, g.states.size()); });
    }
    // The number in the part of a body of the whole, which comes in if it is not there yet.
    template <class Kind>
    constexpr std::uint32_t local(Kind kind, std::uint32_t i) {
        World& w = part_;
        World& from = *whole_;
        std::uint32_t& at = at_[from.make_problem().node(kind, i)];
        if (at != none) return at;
        if constexpr (std::same_as<Kind, rigid>) {
            at = static_cast<std::uint32_t>(bodies_.size());
            bodies_.push_back(i);
            w.states_.push_back(from.states_[i]);
            w.masses_.push_back(from.masses_[i]);
            w.inverse_masses_.push_back(from.inverse_masses_[i]);
            w.applied_.push_back({});
            w.body_slots_.put({i, from.body_slots_[i].generation, true});
            if constexpr (env::sleeps) w.rest_.push_back(from.rest_[i]);
            mix(from.masses_[i].movable ? 2 * i : 2 * i + 1);
        } else if constexpr (std::same_as<Kind, point_mass>) {
            at = static_cast<std::uint32_t>(particles_.size());
            particles_.push_back(i);
            w.particle_states_.push_back(from.particle_states_[i]);
            w.particle_masses_.push_back(from.particle_masses_[i]);
            w.particle_applied_.push_back({});
            w.particle_slots_.put(from.particle_slots_[i]);
            mix(~i);
        } else {
            using Map = typename Kind::map_type;
            auto& numbers = std::get<map_numbers<Map>>(generalized_);
            at = static_cast<std::uint32_t>(numbers.size());
            numbers.push_back(i);
            w.template generalized_of<Map>().take(from.template generalized_of<Map>(), i);
            mix(~i * 3u);
        }
        return at;
    }
    template <class... K, std::size_t N>
    constexpr void make_local(binds<K...>, std::array<std::uint32_t, N>& bodies) {
        std::size_t k = 0;
        ((bodies[k] = local(K{}, bodies[k]), ++k), ...);
    }
    constexpr void take_constraints(lists const& of, std::uint32_t group) {
        for_each_constant<types>([&](auto t) {
            auto const& from = std::get<t>(whole_->constraints_);
            auto& to = std::get<t>(part_.constraints_);
            constraints_of_[t] = of.constraints[t].of(group);
            for (std::uint32_t const slot : constraints_of_[t]) {
                auto entry = from.at_slot(slot);
                using C = typename decltype(entry)::constraint_type;
                make_local(attachments_t<C>{}, entry.bodies);
                (void)to.add(entry, from.side(from.slots()[slot].at));
                mix(slot);
            }
            mix(0x51ed270bu);
        });
    }
    constexpr void take_forces(lists const& of, std::uint32_t group) {
        for_each_constant<force_types>([&](auto t) {
            auto const& from = std::get<t>(whole_->forces_);
            auto& to = std::get<t>(part_.forces_);
            using F = std::remove_cvref_t<decltype(from.values()[0].force)>;
            if constexpr (force_arity<F>::value == 0) {
                for (auto const& entry : from.values()) (void)to.add(entry, {});
            } else {
                for (std::uint32_t const slot : of.forces[t].of(group)) {
                    auto entry = from.at_slot(slot);
                    make_local(typename F::attachments{}, entry.bodies);
                    (void)to.add(entry, {});
                }
            }
        });
    }

    constexpr void note_collider(std::uint32_t id) {
        if (collider_at_[id] != none) return;
        collider_at_[id] = 0;
        colliders_.push_back(id);
    }
    template <class Hulls>
    constexpr void take_colliders(lists const& of, std::uint32_t group, S const& step, Hulls const& hulls) {
        World& from = *whole_;
        World& w = part_;
        for (std::uint32_t k = 1; k < members_; ++k) from.store_.for_each_of(bodies_[k], [&](std::uint32_t id) { note_collider(id); });
        // What does not move, and is within reach. What moves is a member, or out of reach.
        for (std::size_t k = 0, n = colliders_.size(); k < n; ++k) {
            std::uint32_t const mine = colliders_[k];
            from.store_.index().query(hulls[mine], [&](std::uint32_t id) {
                if (!from.may_move(from.store_[id].body) && !from.rises_by_touch(from.store_[id].body) && may_collide(from.store_[mine].filter, from.store_[id].filter)) note_collider(id);
            });
        }
        auto const near_of = [&](auto const& list, auto const& set) {
            for (std::uint32_t const place : list.of(group)) {
                note_collider(set.pairs[place].a);
                note_collider(set.pairs[place].b);
            }
        };
        near_of(of.pairs, from.active_);
        if constexpr (env::sleeps) near_of(of.slept, from.asleep_);
        detail::sort<env>(colliders_.begin(), colliders_.end());
        w.last_h_ = step;
        for (std::uint32_t const id : colliders_) collider_at_[id] = w.store_.take(from.store_, id, local(rigid{}, from.store_[id].body));
        for (std::uint32_t id = 0; id < w.store_.size(); ++id) {
            w.store_.index().insert(id, w.box_of(id), w.moves(w.store_[id].body));
            mix(colliders_[id]);
        }
        auto const take = [&](auto const& list, auto const& set, auto& mine) {
            for (std::uint32_t const place : list.of(group)) {
                near_pair p = set.pairs[place];
                mine.append(set, place, p);
                rename(mine, mine.pairs.back(), collider_at_, w.store_);
            }
        };
        take(of.pairs, from.active_, w.active_);
        if constexpr (env::sleeps) take(of.slept, from.asleep_, w.asleep_);
    }
    // A pair and its contacts under the numbers of another world.
    template <class Set, class Numbers, class Store>
    static constexpr void rename(Set& set, near_pair& p, Numbers const& number, Store const& store) {
        p.a = number[p.a];
        p.b = number[p.b];
        std::array<std::uint32_t, 2> const bodies{store[p.a].body, store[p.b].body};
        for (std::uint32_t k = p.first; k < p.first + p.count; ++k) set.entries[k].bodies = bodies;
        for (std::uint32_t k = p.first_rolling; k < p.first_rolling + p.rolling_count; ++k) set.rolling[k].bodies = bodies;
    }
    template <class Set>
    constexpr void give(Set const& from, Set& to, std::size_t& dropped) const {
        for (near_pair const& p : from.pairs) {
            std::uint32_t const i = part_.store_[p.a].body, j = part_.store_[p.b].body;
            bool const mine = (i > 0 && i < members_) || (j > 0 && j < members_);
            if (!mine) continue;
            if (!to.has_room(p)) {
                ++dropped;
                continue;
            }
            to.append(from, p);
            rename(to, to.pairs.back(), colliders_, whole_->store_);
        }
    }

    // Numbers in the whole of the bodies over a map.
    template <class Map>
    struct map_numbers : array<std::uint32_t, env::limits.generalized> {
        using map_type = Map;
    };
    template <class Maps>
    struct numbers_over;
    template <class... Maps>
    struct numbers_over<map_list<Maps...>> {
        using type = std::tuple<map_numbers<Maps>...>;
        static constexpr std::size_t size = sizeof...(Maps);
        using plain = std::tuple<Maps...>;
    };
    using map_types = numbers_over<typename env::map_types>;
    template <class Map>
    [[nodiscard]] static constexpr std::size_t index_in(map_numbers<Map> const&) noexcept {
        return index_of<Map, typename map_types::plain>::value;
    }
    // f(pool of the whole, pool of the part, numbers, how many are members), or with the pools exchanged, as the constness of the two says.
    template <class F>
    constexpr void for_each_map(F&& f) {
        each_map(f, *whole_, part_);
    }
    template <class F>
    constexpr void for_each_map(F&& f) const {
        each_map(f, *whole_, part_);
    }
    template <class F, class Part>
    constexpr void each_map(F& f, World& w, Part& part) const {
        for_each_of_maps([&](auto& whole, auto& mine, auto const& numbers) { f(whole, mine, numbers, member_generalized_[index_in(numbers)]); }, w.generalized_,
                         part.generalized_, generalized_);
    }

    World part_{};
    World* whole_ = nullptr;
    array<std::uint32_t, env::limits.bodies + 1> bodies_{};  // their numbers in the whole; members first
    array<std::uint32_t, env::limits.particles> particles_{};
    typename map_types::type generalized_{};
    array<std::uint32_t, env::limits.colliders> colliders_{};
    array<std::uint32_t, env::max_nodes> at_{};  // numbers in the part, by nodes of the whole
    array<std::uint32_t, env::limits.colliders> collider_at_{};
    std::array<std::span<std::uint32_t const>, types> constraints_of_{};
    std::array<std::size_t, map_types::size> member_generalized_{};
    std::uint32_t members_ = 1, member_particles_ = 0;
};

}  // namespace detail

}  // namespace sinew::inline v0
