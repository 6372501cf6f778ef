#pragma once
// The contacts of a motion that never penetrates, as its equations see them: those that neither come nor go, or those of a hit. With what is known of them from
// the step before: whether they slid, and how hard they were pushed.

#include <sinew/world/touch_finder.hpp>

namespace sinew::inline v0::detail {

/// What of a contact counts as still: see non_penetrating.hpp.
template <class S>
struct contact_speeds {
    S resting{}, sticking{}, slipping{};  // m/s
    S separation_rate{};                  // 1/s
};

/// Entry: of the problem that a solver is given.
template <class World, class Entry>
class touching_contacts {
public:
    using S = typename World::S;
    using R = typename World::R;
    using finder_type = touch_finder<World>;
    using near_colliders = typename finder_type::near_colliders;
    template <class T, std::size_t N>
    using array = typename World::env::template array<T, N>;
    struct rest {
        std::uint32_t pair = 0;
        vec3<S> direction{};       // of its sliding where the step began
        std::uint32_t number = 0;  // of the point, among those of its pair
        S aim{};                   // m/s, of a hit that keeps all its restitution
        vec3<S> since{};           // how it slid when it was last faster than slipping_speed, or began
    };

    [[nodiscard]] constexpr auto& entries() noexcept { return entries_; }
    [[nodiscard]] constexpr auto const& entries() const noexcept { return entries_; }
    [[nodiscard]] constexpr rest const& operator[](std::size_t k) const noexcept { return rests_[k]; }
    /// Changes with the constraints of the problem.
    [[nodiscard]] constexpr std::uint32_t contents() const noexcept { return contents_; }
    [[nodiscard]] constexpr rigid_state<S, R> const& state_of(World const& w, std::size_t k, std::size_t side) const noexcept { return w.states_[entries_[k].bodies[side]]; }

    /// Nothing is known of a step before.
    constexpr void forget() noexcept {
        pushes_.clear();
        marks_.clear();
    }
    /// None, of a world as it is.
    constexpr void begin(World const& w) noexcept {
        entries_.clear();
        rests_.clear();
        contents_ = w.contents_;
    }
    /// One between two colliders, the direction in which it rubs its tangent.
    constexpr void add(resting_contact<S> const& c, std::uint32_t pair, near_colliders const& p) {
        Entry e{};
        e.constraint = c;
        e.bodies = {p.i, p.j};
        entries_.push_back(e);
        rests_.push_back({pair, c.tangent, 0, c.aim, vec3<S>{}});
        for (std::uint32_t const word : {p.i, p.j}) contents_ = (contents_ ^ word) * 0x9e3779b1u + 0x7f4a7c15u;
    }
    /// The contacts that take part in the equations of motion: those that neither come nor go.
    constexpr void take_rests(World& w, finder_type& finder, contact_speeds<S> const& speeds) {
        begin(w);
        w.gather_forces(w.time_);
        std::uint32_t pair = ~std::uint32_t{0}, number = 0;
        for (auto const& t : finder.touches()) {
            auto const& p = finder.pairs()[t.pair];
            auto const &a = w.states_[p.i], &b = w.states_[p.j];
            S const rate = t.contact.parting(a.pose, b.pose, a.twist, b.twist);
            // What is led by aim goes twice as fast in the end: c_ddot = -20 (c_dot - 5 (hold - c)) has the double root -10.
            S const leaves = speeds.resting + S(2) * led(p, speeds, t.distance);
            if (rate < S(-10) * speeds.sticking || rate > leaves) continue;
            resting_contact<S> c = t.contact;
            vec3<S> const v = c.sliding(a.pose, b.pose, a.twist, b.twist);
            S const speed = norm(v);
            number = t.pair == pair ? number + 1 : 0;
            pair = t.pair;
            mark const* const known = find_mark(p, number);
            vec3<S> const since = known && known->slides && speed < speeds.slipping ? known->since : v;
            c.slides = speed > speeds.sticking && (speed > speeds.slipping || !known || (known->slides && dot(since, v) > S(value_type_t<S>(0.9)) * norm(since) * speed));
            if (c.slides) {
                c.tangent = v * (S(1) / speed);
            } else {
                // A pyramid is exact along its axes: one of them where forces pull.
                vec3<S> pull = pulled(w, p.j) - pulled(w, p.i);
                pull = pull - c.normal * dot(c.normal, pull);
                S const size = norm(pull);
                if (size > sqrt(epsilon_v<S>)) c.tangent = pull * (S(1) / size);
            }
            add(c, t.pair, p);
            rests_[rests_.size() - 1].number = number;
            rests_[rests_.size() - 1].since = since;
        }
        // As long as the contacts stay, what pressed them at the end of the last step bounds friction for all of the next: pushes that repeat each other share a
        // load as they like, and no two stages need do so alike.
        if (pushes_.size() == entries_.size() && pushed_ == contents_)
            for (std::size_t k = 0; k < entries_.size(); ++k) entries_[k].constraint.held_push = pushes_[k];
    }
    /// What a step that is kept leaves for the next.
    constexpr void note_rests(finder_type const& finder) {
        pushes_.clear();
        marks_.clear();
        for (std::size_t k = 0; k < entries_.size(); ++k) {
            pushes_.push_back(max(entries_[k].lambda[0], S(0)));
            marks_.push_back({finder.pairs()[rests_[k].pair].key(), rests_[k].number, entries_[k].constraint.slides, rests_[k].since});
        }
        pushed_ = contents_;
    }
    /// What presses now bounds friction from here on.
    constexpr void hold_pushes() noexcept {
        for (auto& e : entries_) e.constraint.held_push = max(e.lambda[0], S(0));
    }
    /// Normals and directions of sliding as the bodies are now.
    constexpr void follow(World const& w, finder_type const& finder, contact_speeds<S> const& speeds) {
        for (std::size_t k = 0; k < entries_.size(); ++k) {
            auto& c = entries_[k].constraint;
            auto const &a = state_of(w, k, 0), &b = state_of(w, k, 1);
            c.follow(a.pose, b.pose);
            if (c.is_smooth) finder.roll(w, finder.pairs()[rests_[k].pair], c, a.pose, b.pose);
            if (c.slides) {
                vec3<S> const v = c.sliding(a.pose, b.pose, a.twist, b.twist);
                S const speed = norm(v);
                if (speed > speeds.sticking && dot(v, rests_[k].direction) > speed / S(2)) c.tangent = v * (S(1) / speed);
            }
            auto const& p = finder.pairs()[rests_[k].pair];
            c.aim = led(p, speeds, c.separation(a.pose, b.pose));
        }
    }

private:
    // What is known of a contact of the last step.
    struct mark {
        std::uint64_t pair = 0;
        std::uint32_t number = 0;
        bool slides = false;
        vec3<S> since{};
    };
    [[nodiscard]] constexpr mark const* find_mark(near_colliders const& p, std::uint32_t number) const noexcept {
        for (auto const& m : marks_)
            if (m.pair == p.key() && m.number == number) return &m;
        return nullptr;
    }
    [[nodiscard]] static constexpr S separation_speed(near_colliders const& p) noexcept { return p.size * S(1); }  // its size in a second
    // How fast what rests is led to where it is held, m/s.
    [[nodiscard]] static constexpr S led(near_colliders const& p, contact_speeds<S> const& speeds, S const& distance) noexcept { return clamp(speeds.separation_rate * (p.hold() - distance), S(0), separation_speed(p)); }
    [[nodiscard]] static constexpr vec3<S> pulled(World const& w, std::uint32_t i) noexcept { return w.total_[i].force * w.masses_[i].inverse_mass; }

    array<Entry, World::env::limits.contacts> entries_{};
    array<rest, World::env::limits.contacts> rests_{};
    array<mark, World::env::limits.contacts> marks_{};
    array<S, World::env::limits.contacts> pushes_{};  // N, at the end of the last step
    std::uint32_t contents_ = 0, pushed_ = 0;
};

}  // namespace sinew::inline v0::detail
