#pragma once
// The bodies of a problem while some are struck: the velocities that they had before; marks on those that something is said of, lane by lane; and the sweep in which
// each was last changed by more than rounding. Who asks only his own bodies does the same, to the last bit, whatever is done to others far away.
//
// Bodies that do not move are never marked, nor changed.

#include <sinew/solver/problem.hpp>

namespace sinew::inline v0::detail {

/// Env: the world's environment.
template <class Env>
class struck_bodies {
public:
    using S = typename Env::scalar;
    using mask = mask_t<S>;

    /// Remembers all velocities of rigid bodies and particles, and nothing is marked.
    template <class P>
    constexpr void begin(P const& p) {
        before_.clear();
        each_velocity(p, [&](std::size_t, vec3<S>& v) { before_.push_back(v); });
        nodes_.resize(p.node_count());
        for (auto& n : nodes_) n = {};
    }
    constexpr void clear_marks() noexcept {
        for (auto& n : nodes_) n.mark = false;
    }
    /// What is not marked has its velocity back.
    template <class P>
    constexpr void put_back_others(P const& p) const {
        std::size_t k = 0;
        each_velocity(p, [&](std::size_t at, vec3<S>& v) {
            v = select(nodes_[at].mark, v, before_[k]);
            ++k;
        });
    }
    /// Marks the bodies of an entry; whether any was not marked there.
    template <class P, class E>
    constexpr bool mark(P const& p, E const& e, mask const& on) {
        bool is_new = false;
        each_node(p, e, [&](node_notes& n) {
            is_new = is_new || any(on && !n.mark);
            n.mark = n.mark || on;
        });
        return is_new;
    }
    /// Where any of its bodies is marked.
    template <class P, class E>
    [[nodiscard]] constexpr mask marked(P const& p, E const& e) {
        mask r = false;
        each_node(p, e, [&](node_notes const& n) { r = r || n.mark; });
        return r;
    }
    /// All have been changed just before sweep 0.
    constexpr void begin_sweeps() noexcept {
        for (auto& n : nodes_) n.changed = S(0);
    }
    /// The bodies of an entry have been changed in a sweep.
    template <class P, class E>
    constexpr void change(P const& p, E const& e, mask const& on, int sweep) {
        each_node(p, e, [&](node_notes& n) { n.changed = select(on, S(sweep + 1), n.changed); });
    }
    /// Where any of its bodies has been changed in this sweep or the last one.
    template <class P, class E>
    [[nodiscard]] constexpr mask changed(P const& p, E const& e, int sweep) {
        mask r = false;
        each_node(p, e, [&](node_notes const& n) { r = r || n.changed >= S(sweep); });
        return r;
    }

private:
    struct node_notes {
        mask mark = false;
        S changed{};  // in which sweep, counted from 1
    };
    // f(its node) of each body that moves.
    template <class P, class E, class F>
    constexpr void each_node(P const& p, E const& e, F&& f) {
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            if (attachment_access<decltype(kind)>::movable(p, i)) f(nodes_[p.node(kind, i)]);
        });
    }
    // f(node, velocity)
    template <class P, class F>
    static constexpr void each_velocity(P const& p, F&& f) {
        for (std::size_t i = 0; i < p.bodies.size(); ++i) {
            f(i, p.bodies[i].twist.linear);
            f(i, p.bodies[i].twist.angular);
        }
        for (std::size_t i = 0; i < p.particles.size(); ++i) f(p.bodies.size() + i, p.particles[i].velocity);
    }

    typename Env::template array<vec3<S>, 2 * (Env::limits.bodies + 1) + Env::limits.particles> before_{};  // linear and angular of each body, then of particles
    typename Env::template array<node_notes, Env::max_nodes> nodes_{};
};

}  // namespace sinew::inline v0::detail
