#pragma once
// Decisions of code that runs in lanes: how often to iterate, whether factors are good for another time.
//
// One lane decides, and those that decide alike all along keep what comes of it. The others are put back to where they were and follow one of
// themselves, until none is left: so every lane goes the way that it would have gone alone, and where all agree, as they mostly do, it is gone
// once. Of scalars without lanes nothing is kept and nothing is done twice.
//
//   run_guided(saved, p, [&](auto& guide) { while (guide(error > tolerance)) ...; return report; })
//
// What is put back is all that a solver may change of its problem: states of bodies, multipliers, what constraints remember.

#include <sinew/solver/solver.hpp>

namespace sinew::inline v0::detail {

template <class S, bool = has_lanes_v<S>>
struct lane_guide {
    [[nodiscard]] constexpr bool operator()(bool decision) const noexcept { return decision; }
};
template <class S>
struct lane_guide<S, true> {
    std::size_t leader = 0;
    mask_t<S> alike = true;
    [[nodiscard]] constexpr bool operator()(mask_t<S> const& decision) noexcept {
        bool const decided = decision[leader];
        alike &= decided ? decision : !decision;
        return decided;
    }
    [[nodiscard]] constexpr bool operator()(bool decision) const noexcept { return decision; }
};

// x = f(x) for every number that a solver may change.
template <class P, class F>
constexpr void each_solved_number(P const& p, F&& f) {
    using S = typename P::scalar_type;
    auto const vector = [&](auto& v) {
        for (S& x : v.e) x = f(x);
    };
    for (auto& b : p.bodies) {
        vector(b.pose.position);
        for (std::size_t k = 0; k < P::rotation_type::dimension; ++k) b.pose.rotation.set_coordinate(k, f(b.pose.rotation.coordinate(k)));
        vector(b.twist.linear);
        vector(b.twist.angular);
    }
    for (auto& b : p.particles) {
        vector(b.position);
        vector(b.velocity);
    }
    p.for_each_map([&](auto const& g) {
        for (auto& b : g.states) {
            vector(b.u);
            vector(b.rates);
        }
    });
    p.for_each_type([&](auto entries, auto) {
        using E = typename decltype(entries)::value_type;
        for (auto& e : entries) {
            vector(e.lambda);
            if constexpr (E::memory_size > 0) vector(e.memory);
            if constexpr (requires { e.pushed.wrenches; })
                for (auto& w : e.pushed.wrenches) {
                    vector(w.force);
                    vector(w.torque);
                }
        }
    });
}

// States with those of the ground, multipliers, and what constraints of up to four bodies remember.
template <class Env>
inline constexpr std::size_t most_solved_numbers = Env::max_state + 9 + Env::rotation::dimension + Env::max_rows * (1 + Env::memory_per_row + 24);

/// How the lanes were before, and what has come of those that are done.
template <class Env, bool = has_lanes_v<typename Env::scalar>>
class saved_lanes {};
template <class Env>
class saved_lanes<Env, true> {
public:
    using S = typename Env::scalar;

    template <class P>
    constexpr void save(P const& p) {
        before_.clear();
        each_solved_number(p, [&](S const& x) {
            before_.push_back(x);
            return x;
        });
        after_.resize(before_.size());
    }
    template <class P>
    constexpr void put_back(P const& p) const {
        std::size_t n = 0;
        each_solved_number(p, [&](S const&) { return before_[n++]; });
    }
    template <class P>
    constexpr void keep(P const& p, mask_t<S> const& done) {
        std::size_t n = 0;
        each_solved_number(p, [&](S const& x) {
            after_[n] = select(done, x, after_[n]);
            ++n;
            return x;
        });
    }
    template <class P>
    constexpr void give(P const& p) const {
        std::size_t n = 0;
        each_solved_number(p, [&](S const&) { return after_[n++]; });
    }

private:
    typename Env::template array<S, most_solved_numbers<Env>> before_{}, after_{};
};

/// f(guide) -> solve_report, as often as the lanes decide in different ways.
template <class Env, class P, class F>
constexpr auto run_guided([[maybe_unused]] saved_lanes<Env>& saved, [[maybe_unused]] P const& p, F&& f) {
    using S = typename Env::scalar;
    lane_guide<S> guide;
    if constexpr (!has_lanes_v<S>) {
        return f(guide);
    } else {
        saved.save(p);
        auto report = f(guide);
        mask_t<S> done = guide.alike;
        if (all(done)) return report;
        saved.keep(p, done);
        while (!all(done)) {
            saved.put_back(p);
            guide = {};
            while (done[guide.leader]) ++guide.leader;
            auto const next = f(guide);
            auto const more = guide.alike && !done;
            saved.keep(p, more);
            report.iterations = report.iterations < next.iterations ? next.iterations : report.iterations;
            report.residual = select(more, next.residual, report.residual);
            report.full_rank = report.full_rank && next.full_rank;
            done |= more;
        }
        saved.give(p);
        return report;
    }
}

}  // namespace sinew::inline v0::detail
