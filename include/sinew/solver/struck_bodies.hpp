#pragma once
// The bodies of a problem while some are struck: the velocities that they had before, and marks on those that something is said of, lane by lane.
//
// Bodies that do not move are never marked. Generalized ones have no marks, and count as marked.

#include <sinew/solver/problem.hpp>

#include <concepts>

namespace sinew::inline v0::detail {

/// Env: the world's environment.
template <class Env>
class struck_bodies {
public:
    using S = typename Env::scalar;
    using mask = mask_t<S>;

    /// Remembers all velocities, and nothing is marked.
    template <class P>
    constexpr void begin(P const& p) {
        before_.clear();
        each_velocity(p, [&](vec3<S>& v) { before_.push_back({v}); });
    }
    constexpr void clear_marks() noexcept {
        for (auto& b : before_) b.mark = false;
    }
    /// What is not marked has its velocity back.
    template <class P>
    constexpr void put_back_others(P const& p) const {
        std::size_t n = 0;
        each_velocity(p, [&](vec3<S>& v) {
            v = select(before_[n].mark, v, before_[n].velocity);
            ++n;
        });
    }
    /// Marks the bodies of an entry; whether any was not marked there.
    template <class P, class E>
    constexpr bool mark(P const& p, E const& e, mask const& on) {
        bool is_new = false;
        each_mark(p, e, [&](mask& m) {
            is_new = is_new || any(on && !m);
            m = m || on;
        });
        return is_new;
    }
    /// Where any of its bodies is marked.
    template <class P, class E>
    [[nodiscard]] constexpr mask marked(P const& p, E const& e) {
        mask r = false;
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t) {
            if constexpr (!std::same_as<decltype(kind), rigid> && !std::same_as<decltype(kind), point_mass>) r = true;
        });
        each_mark(p, e, [&](mask const& m) { r = r || m; });
        return r;
    }

private:
    struct velocity_before {
        vec3<S> velocity{};
        mask mark = false;
    };
    // f(marks), of the velocities of each body that moves.
    template <class P, class E, class F>
    constexpr void each_mark(P const& p, E const& e, F&& f) {
        for_each_attachment(e, [&](auto kind, auto, std::uint32_t i) {
            using K = decltype(kind);
            if constexpr (std::same_as<K, rigid>) {
                if (!p.masses[i].movable) return;
                f(before_[2 * i].mark);
                f(before_[2 * i + 1].mark);
            } else if constexpr (std::same_as<K, point_mass>) {
                if (p.particle_masses[i].movable) f(before_[2 * p.bodies.size() + i].mark);
            }
        });
    }
    template <class P, class F>
    static constexpr void each_velocity(P const& p, F&& f) {
        for (auto& b : p.bodies) {
            f(b.twist.linear);
            f(b.twist.angular);
        }
        for (auto& b : p.particles) f(b.velocity);
    }

    typename Env::template array<velocity_before, 2 * (Env::limits.bodies + 1) + Env::limits.particles> before_{};  // linear and angular of each body, then of particles
};

}  // namespace sinew::inline v0::detail
