#pragma once
// Hits of a motion that never penetrates, all that touch at once (Vondrak 2005, 6.44-6.46): impulses p >= 0, c_dot >= e |c_dot before|, one of them equal, with
// friction; critical contacts, which are stopped; and bodies that nothing else stops (6.4.3).

#include <sinew/world/advance_report.hpp>
#include <sinew/world/touching_contacts.hpp>

namespace sinew::inline v0::detail {

/// Lives for one moment. Impulses: give_impulses() solves for those of the contacts, and gives them to the bodies.
template <class World, class Contacts, class Impulses>
struct hit_resolution {
    using S = typename World::S;
    using near_colliders = typename touch_finder<World>::near_colliders;

    World& w;
    touch_finder<World>& finder;
    Contacts& contacts;
    typename World::state_type& from;  // room for the velocities before
    contact_speeds<S> speeds;
    advance_report<S>& report;
    Impulses give_impulses;

    /// Whether something that has arrived comes nearer, however slowly if it has ended the last step; at higher levels whatever is within the shell.
    [[nodiscard]] constexpr bool any_hit(int level, bool located) const {
        for (auto const& t : finder.touches()) {
            auto const& p = finder.pairs()[t.pair];
            bool const here = level > 0 || p.is_deep() || t.distance <= S(2) * p.hold();
            if (here && parting(t.contact, p) < (located ? S(0) : -speeds.sticking)) return true;
        }
        return false;
    }
    /// Gives impulses to all that touch. Levels above 0: nothing bounces.
    constexpr void resolve(int level) {
        ++report.hits;
        contacts.begin(w);
        S const g = norm(w.gravity);
        S fastest(0);
        for (auto const& t : finder.touches()) {
            auto const& p = finder.pairs()[t.pair];
            auto const &a = w.states_[p.i], &b = w.states_[p.j];
            resting_contact<S> c = t.contact;
            S const rate = parting(c, p);
            fastest = max(fastest, -rate);
            c.hits = true;
            if (rate < -speeds.sticking && !p.is_deep() && rate < -t.threshold) {
                S const bounce = -t.restitution * rate;
                // Its way back would end within the shell.
                bool const critical = level > 0 || bounce * bounce <= S(2) * g * p.shell || bounce <= speeds.resting;
                if (critical && bounce > S(0)) ++report.critical;
                c.aim = critical ? S(0) : bounce;
            } else if (rate < -speeds.sticking) {
                ++report.critical;
            }
            vec3<S> const v = c.sliding(a.pose, b.pose, a.twist, b.twist);
            S const speed = norm(v);
            if (speed > speeds.sticking) c.tangent = v * (S(1) / speed);
            contacts.add(c, t.pair, p);
        }
        w.save_motion(from);
        bool const closed = !moves_kinematic();
        S const before = closed ? w.kinetic_energy() : S(0);
        // As little less restitution as it takes; with none at all impulses only take. What is tolerated is what softness does to a hit that keeps all energy.
        S const tolerated = before * max(S(1e-9), S(64) * epsilon_v<S>);
        auto const excess = [&](S const& share) {
            w.put_back(from);
            for (std::size_t k = 0; k < contacts.entries().size(); ++k) contacts.entries()[k].constraint.aim = contacts[k].aim * share;
            give_impulses();
            return closed ? w.kinetic_energy() - before : S(-1);
        };
        if (S above = excess(S(1)); above > tolerated) {
            S low(0), high(1), below = excess(S(0));
            for (int k = 0; k < 40 && below < -tolerated; ++k) {
                // The secant, halfway now and then.
                S const between = k % 3 == 2 ? S(0.5) : clamp(below / (below - above), S(0.01), S(0.99));
                S const share = low + (high - low) * between, e = excess(share);
                (e > S(0) ? high : low) = share;
                (e > S(0) ? above : below) = e;
            }
            (void)excess(low);
        }
        S const allowed = max(speeds.sticking, fastest * S(1e-6));
        for (int turn = 0; turn < 16; ++turn) {
            bool failed = false;
            for (std::size_t k = 0; k < contacts.entries().size(); ++k) {
                auto const& p = finder.pairs()[contacts[k].pair];
                if (!(parting(contacts.entries()[k].constraint, p) < -allowed)) continue;
                failed = true;
                stop(p.i, p.j);
            }
            if (!failed) break;
            for (auto& e : contacts.entries()) e.constraint.aim = S(0);
            give_impulses();
        }
    }
    /// Takes the speed of two bodies away.
    constexpr void stop(std::uint32_t i, std::uint32_t j) {
        for (std::uint32_t const body : {i, j}) {
            auto& t = w.states_[body].twist;
            if (t == sinew::twist<S>{}) continue;
            t = {};
            ++report.stopped;
        }
    }

private:
    [[nodiscard]] constexpr S parting(resting_contact<S> const& c, near_colliders const& p) const {
        auto const &a = w.states_[p.i], &b = w.states_[p.j];
        return c.parting(a.pose, b.pose, a.twist, b.twist);
    }
    [[nodiscard]] constexpr bool moves_kinematic() const {
        for (std::uint32_t i = 1; i < w.states_.size(); ++i)
            if (!w.masses_[i].movable && w.moves(i)) return true;
        for (auto const& e : contacts.entries())
            if (e.constraint.surface_velocity != vec3<S>{}) return true;
        return false;
    }
};

}  // namespace sinew::inline v0::detail
