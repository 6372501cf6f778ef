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

#include <sinew/world/group_commit.hpp>
#include <sinew/world/group_finding.hpp>
#include <sinew/world/group_hulls.hpp>
#include <sinew/world/group_settings.hpp>
#include <sinew/world/group_steps.hpp>
#include <sinew/world/simulation_groups.hpp>

#include <algorithm>

namespace sinew::inline v0 {

// What stands behind the rigid bodies is another's when others come.
template <class World>
constexpr group_pace<typename World::S> simulation_groups<World>::pace_at(std::uint32_t node) const noexcept {
    return node < known_ ? paces_.of_nodes[node] : group_pace<S>{};
}

// The most careful of its members': two groups that merge go on with the shorter step.
template <class World>
constexpr group_pace<typename World::S> simulation_groups<World>::pace_of(std::uint32_t group) const noexcept {
    group_pace<S> pace{};
    for (std::uint32_t const node : lists_.nodes.of(group)) {
        group_pace<S> const its = pace_at(node);
        if (its.next_step > S(0) && (!(pace.next_step > S(0)) || pace.next_step > its.next_step)) {
            pace.next_step = its.next_step;
            pace.control = its.control;
        }
    }
    return pace;
}

template <class World>
constexpr typename simulation_groups<World>::outcome simulation_groups<World>::advance_group(World& w, std::uint32_t group, S const& duration, report_type& report) {
    run& r = runs_[group];
    r = {};
    r.pace = pace_of(group);
    S step = settings.mode != stepping::fixed && r.pace.next_step > S(0) ? r.pace.next_step : settings.initial_step;
    if (!(step > S(0))) step = duration;
    std::size_t begun = 0, ended = 0;
    if constexpr (env::has_shapes) {
        begun = staged_.begun.size();
        ended = staged_.ended.size();
        part_.fill(w, lists_, group, min(step, duration), staged_.hulls);
    } else {
        part_.fill(w, lists_, group, step, nothing{});
    }
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
    auto const refuse = [&](typename World::error_type const& e, step_status status) {
        (void)w.template refuse<bool>(e);
        report.status = status;
        return report;
    };
    if (error e = detail::check_positive("duration", duration)) return refuse(e, step_status::invalid_step);
    auto e = w.check_settings();
    if (!e) e = detail::check_fault(settings);
    if (e) return refuse(e, step_status::invalid_parameter);

    std::size_t const bodies = w.states_.size();
    known_ = paces_.bodies == bodies ? paces_.of_nodes.size() : std::min({paces_.bodies, bodies, paces_.of_nodes.size()});
    transaction chain(*this, w);
    w.wake_for_gravity();
    w.arrange();
    part_.prepare(w);
    place_hulls(w, duration);
    join_all(w);
    chain.lend();
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

}  // namespace sinew::inline v0
