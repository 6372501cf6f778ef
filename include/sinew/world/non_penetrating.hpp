#pragma once
// Motion in which nothing ever penetrates anything, and no position is ever edited (Vondrak 2005, 6.3-6.5 and 7.3.3).
//
//   sinew::non_penetrating motion(world);         // beside the world, which it refers to
//   auto const report = motion.advance(1.0);      // s
//
// A driver above a world and not one of its policies: it steps as long as accuracy and hits ask, not for a fixed h; it keeps a solver of its
// own, so that any world can be advanced so, and a world that never is carries nothing of it. world.step and advance may take turns.
//
//   1. contacts of now      what rests, |c_dot| small: a push and friction at acceleration level, all in one complementarity problem
//   2. a step               of an adaptive integrator; J, normals and sliding directions follow the bodies through its stages
//   3. is it valid?         if bodies overlap, or a sliding has turned round, the step is taken again, shorter, until it ends where they touch:
//                           bisection and the secant, in a bracket. So what is kept is one whole step from a good state
//   4. hits                 all contacts within the shell at once (6.44-6.46): impulses p >= 0, c_dot >= e |c_dot before|, one of them equal,
//                           with friction. No order of contacts matters; and of a row of balls at rest all part from a hit together
//   5. critical contacts    what would come back before it has left the shell is stopped: c_dot = 0. If impulses cannot stop an approach, the bodies
//                           are: their twists are set to zero, also those of kinematic bodies (6.4.3)
//
// What leaves is in no set, and so is released. A hit never adds energy: restitutions that would (Newton's law can, of several hits with friction) are lessened.
// Bodies that begin with an overlap get surrogate contacts: see touch_finder.hpp.
//
// Not here: contact events, sleep, rolling friction, soft contacts (they are taken for hard). Joints' drift is fed back, not projected.

#include <sinew/core/call_with.hpp>
#include <sinew/ode/dormand_prince_54.hpp>
#include <sinew/ode/step_control.hpp>
#include <sinew/solver/lagrange_multipliers.hpp>
#include <sinew/world/hit_resolution.hpp>

#include <initializer_list>

namespace sinew::inline v0 {

template <class World, class Integrator = dormand_prince_54>
class non_penetrating {
    using S = typename World::S;
    using R = typename World::R;
    using world_env = typename World::env;
    static_assert(world_env::has_shapes, "sinew: a motion that never penetrates needs shapes in the world's list.");
    static_assert(!world_env::sleeps, "sinew: in a motion that never penetrates nothing sleeps; give the config `using sleep = sinew::never_sleep;`.");
    static_assert(std::floating_point<S>, "sinew: a motion that never penetrates needs a built-in floating-point scalar.");
    template <class Tuple>
    struct solved_types;
    template <class... Cs>
    struct solved_types<std::tuple<Cs...>> {
        using env = typename detail::colliding_environment_of<typename World::config, typename world_env::map_types, resting_contact<S>, Cs...>::with_contacts;
        using problem_type = problem<S, R, world_env::memory_per_row, typename world_env::map_types, Cs..., resting_contact<S>>;
    };
    using solved = solved_types<typename World::pools::plain>;
    using env = typename solved::env;
    using problem_type = typename solved::problem_type;
    using entry = constraint_entry<resting_contact<S>, S, world_env::memory_per_row>;
    template <class T, std::size_t N>
    using array = typename world_env::template array<T, N>;

public:
    using report_type = advance_report<S>;

    Integrator integrator{};
    step_parameters<S> parameters = first_parameters();  ///< absolute_error is in m, rad and s, whatever the mass; min_step and event_tolerance are not asked for
    typename lagrange_multipliers<warm_dantzig>::template strategy<env> solver{};  ///< its drift must be that of feedback
    S contact_shell{S(1e-4)};       ///< within which bodies touch, as a share of half the smallest edge of the smaller
    S separation_rate{S(5)};        ///< share of an overlap that is taken back in a second, 1/s
    S resting_speed = max(S(1e-4), sqrt(epsilon_v<S>));  ///< of parting, below which a contact rests and does not leave, m/s
    S sticking_speed = max(S(1e-6), sqrt(epsilon_v<S>) / S(4));  ///< below which a contact sticks, m/s
    S slipping_speed = max(S(1e-4), sqrt(epsilon_v<S>));  ///< above which one that has stuck slides again; slower than that a sliding that turns has stuck, m/s

    constexpr explicit non_penetrating(World& w) : world_(&w), motion_(w, from_) {
        solver.linear.softness = max(S(1e-11), S(16) * epsilon_v<S>);
    }
    // It refers to itself.
    non_penetrating(non_penetrating const&) = delete;
    non_penetrating& operator=(non_penetrating const&) = delete;

    /// Advances by a time (s), or to the last valid state before something ends it. Forces applied by the user hold throughout.
    constexpr report_type advance(S const& duration) {
        report_ = {};
        World& w = *world_;
        if (!(duration > S(0)) || !isfinite(duration)) return refuse(advance_status::invalid_duration, detail::check_positive("duration", duration));
        if (error e = check()) return refuse(advance_status::invalid_parameter, e);
        S const begin = w.time_, carry = w.time_carry_;
        S const exact = duration - carry, end = begin + exact;
        finder_.contact_shell = contact_shell;
        solver.linear.forget();
        contacts_.forget();
        bool anew = true;
        stalls_ = crowd_ = 0;
        located_ = false;
        S left = exact;
        while (report_ && left > S(0)) {
            if (parameters.max_steps != 0 && report_.steps >= parameters.max_steps) {
                report_.status = advance_status::too_many_steps;
                break;
            }
            S const h = take_step(left, anew);
            anew = false;
            if (!report_) break;
            left = h >= left ? S(0) : end - (w.time_ + h);
            w.time_ = left > S(0) ? w.time_ + h : end;
            if constexpr (World::breaks)
                if (w.has_breakables_) w.note_overloads();
        }
        report_.advanced = w.time_ - begin;
        report_.dropped_contacts = finder_.dropped();
        if (report_) {
            w.time_carry_ = (end - begin) - exact;
            for (auto& f : w.applied_) f = {};
            for (auto& f : w.particle_applied_) f = {};
            w.for_each_map([](auto& g) { g.clear_applied(); });
            if constexpr (World::breaks)
                if (w.has_breakables_) (void)w.break_overloaded();
        }
        w.note_all_motion();
        return report_;
    }

    /// Contacts of the last step that rested, with their multipliers (N).
    [[nodiscard]] constexpr std::span<entry const> contacts() const noexcept { return {contacts_.entries().data(), contacts_.entries().size()}; }

private:
    [[nodiscard]] static constexpr step_parameters<S> first_parameters() noexcept {
        step_parameters<S> p = adaptive_steps(max(S(1e-9), S(64) * epsilon_v<S>), max(S(1e-9), S(64) * epsilon_v<S>));
        p.max_step = S(0.05);
        p.max_steps = 20000;
        if (!has_embedded_error<Integrator>) {
            p.mode = stepping::fixed;
            p.initial_step = S(1) / S(240);
        }
        return p;
    }
    [[nodiscard]] constexpr error check() {
        World& w = *world_;
        if (error e = detail::check_finite("gravity", w.gravity)) return e;
        if (error e = detail::check_fault(solver)) return e;
        if (error e = detail::check_fault(w.collision)) return e;
        if (error e = detail::check_positive("contact_shell", contact_shell)) return e;
        if (error e = detail::as_error(nonnegative_parameter("separation_rate", separation_rate))) return e;
        if (error e = detail::check_positive("resting_speed", resting_speed)) return e;
        if (error e = detail::check_positive("sticking_speed", sticking_speed)) return e;
        if (error e = detail::check_positive("slipping_speed", slipping_speed)) return e;
        bool const fixed = parameters.mode == stepping::fixed;
        if (!is_valid(parameters) || (fixed ? !(parameters.initial_step > S(0)) : !has_embedded_error<Integrator>))
            return {errc::invalid_parameter, "parameters", "must be in their ranges; an integrator that estimates no error needs fixed steps", 0, false};
        return {};
    }
    constexpr report_type refuse(advance_status s, error const& e) {
        (void)world_->template refuse<bool>(e);
        report_.status = s;
        return report_;
    }

    // The equations of motion as an integrator sees them, with the contacts that rest.
    struct equations {
        using scalar_type = S;
        static constexpr std::size_t max_dimension = motion_problem<World>::max_dimension;
        non_penetrating* owner;
        [[nodiscard]] constexpr std::size_t dimension() const { return owner->motion_.dimension(); }
        [[nodiscard]] constexpr std::size_t split() const { return owner->motion_.split(); }
        constexpr void get_state(std::span<S> y) const { owner->motion_.get_state(y); }
        constexpr void set_state(std::span<S const> y) { owner->motion_.set_state(y); }
        constexpr derivative_status derivative(S const& t, std::span<S> dy, state_kind kind) {
            owner->evaluate(t, kind);
            owner->motion_.put_rates(dy);
            return derivative_status::regular;
        }
    };
    constexpr void evaluate(S const& t, state_kind kind) {
        World& w = *world_;
        ++report_.evaluations;
        w.place_kinematic(from_, t - from_.time);
        w.gather_forces(t);
        contacts_.follow(w, finder_, speeds());
        (void)solver.solve(make_problem(), std::span<wrench<S>>(w.total_.data(), w.total_.size()), std::span<vec3<S>>(w.particle_total_.data(), w.particle_total_.size()), kind);
    }
    [[nodiscard]] constexpr problem_type make_problem() {
        World& w = *world_;
        auto own = detail::call_with([](auto&... pool) { return std::make_tuple(std::span(pool.values().data(), pool.size())...); }, w.constraints_);
        return {std::span(w.states_.data(), w.states_.size()),
                std::span<rigid_mass<S> const>(w.masses_.data(), w.masses_.size()),
                std::span(w.inverse_masses_.data(), w.inverse_masses_.size()),
                std::span(w.particle_states_.data(), w.particle_states_.size()),
                std::span<particle_mass<S> const>(w.particle_masses_.data(), w.particle_masses_.size()),
                std::tuple_cat(own, std::make_tuple(std::span(contacts_.entries().data(), contacts_.entries().size()))),
                contacts_.contents(),
                detail::call_with([](auto&... g) { return std::make_tuple(g.view()...); }, w.generalized_),
                S(0)};
    }
    [[nodiscard]] constexpr detail::contact_speeds<S> speeds() const noexcept { return {resting_speed, sticking_speed, slipping_speed, separation_rate}; }
    // Friction of a hit is what a point's own push allows, and not that of a hit without friction, which may be several times as hard.
    [[nodiscard]] constexpr auto hits_now() {
        auto give = [this] { (void)solver.impulses(make_problem(), solver.friction_passes > 32 ? solver.friction_passes : 32); };
        return detail::hit_resolution<World, detail::touching_contacts<World, entry>, decltype(give)>{*world_, finder_, contacts_, from_, speeds(), report_, give};
    }

    // One step of at most `left` seconds: how long it was.
    constexpr S take_step(S const& left, bool anew) {
        World& w = *world_;
        bool const fixed = parameters.mode == stepping::fixed;
        if (anew || !(h_ > S(0))) control_.restart();
        S h = fixed || !(h_ > S(0)) ? (parameters.initial_step > S(0) ? parameters.initial_step : S(1e-3)) : h_;
        h = min(min(h, parameters.max_step), left);
        if (!fixed && h < left && h > left / S(2)) h = left / S(2);
        finder_.prepare(w, h, anew);
        finder_.find(w);
        int const level = stalls_ > 3 ? 2 : stalls_ > 1 || crowd_ > 40 ? 1 : 0;
        if (crowd_ > 40) crowd_ = 20;
        auto hits = hits_now();
        if (level == 2) hits.stop(blocked_[0], blocked_[1]);
        if (hits.any_hit(level, located_)) hits.resolve(level);
        contacts_.take_rests(w, finder_, speeds());
        w.save_motion(from_);

        equations problem{this};
        work_.prepare(problem.dimension());
        kept_.prepare(problem.dimension());
        units_.resize(problem.dimension());
        motion_.get_units(std::span<S>(units_.data(), units_.size()));
        problem.get_state(work_.y().span());
        stage_evaluator<equations, S, S> f(problem, work_.scratch());
        f.evaluate_installed(work_.k1(), w.time_, state_kind::regular);
        if (!contacts_.entries().empty() && contacts_.entries()[0].constraint.held_push < S(0) && !f.failed()) {
            contacts_.hold_pushes();
            f.evaluate_installed(work_.k1(), w.time_, state_kind::regular);
        }
        if (f.failed()) return fail(advance_status::not_finite);
        S const safe = finder_.safe_time(w);
        bool free = h < left && safe >= h;
        h = min(h, safe);
        lo_.clear();
        guards(lo_);

        S const tick = S(4) * epsilon_v<S> * max(abs(w.time_), left);
        S error{};
        for (;;) {
            bool const good = attempt(f, h, error);
            bool const strays = good && finder_.strays(w, from_.bodies, h);
            if (good && !strays && (fixed || error <= S(1))) break;
            ++report_.rejections;
            free = true;
            if (h <= tick) return fail(good ? advance_status::step_too_small : advance_status::not_finite);
            h = max(strays || !good ? h / S(4) : h * control_.reject(parameters, error, error_order(), true), tick);
        }
        hi_.clear();
        guards(hi_);
        std::size_t const worst = least(hi_);
        bool const blocked = worst < hi_.size() && hi_[worst] < S(-1);
        located_ = blocked;
        if (blocked) {
            h = locate(f, h, tick);
            ++report_.steps;
            stalls_ = h > tick ? 0 : stalls_ + 1;
            crowd_ = h < S(1e-5) ? crowd_ + 1 : 0;
            if (stalls_ > 6) return fail(advance_status::stuck);
        } else {
            kept_.row(0) = work_.y1();
            stalls_ = 0;
            ++report_.steps;
            S const grown = h * control_.accept(parameters, error, error_order(), true);
            if (free || !(h_ > S(0))) h_ = grown;
            if (!free && grown < h_) h_ = grown;
        }
        if (blocked && !(h > S(0))) {
            put_back();
            return S(0);
        }
        contacts_.note_rests(finder_);
        (void)install(kept_.row(0), h);
        finder_.place(w);
        finder_.measure(w);
        for (auto const& p : finder_.pairs()) report_.nearest = min(report_.nearest, p.distance);
        return h;
    }
    [[nodiscard]] static constexpr int error_order() noexcept {
        if constexpr (has_embedded_error<Integrator>)
            return Integrator::error_order;
        else
            return Integrator::order;
    }
    constexpr S fail(advance_status s) {
        put_back();
        report_.status = s;
        return S(0);
    }
    constexpr void put_back() {
        (void)install(work_.y(), S(0));
        finder_.place(*world_);
    }
    // A state of the integrator, h seconds after the step began; false if it is none.
    constexpr bool install(state_view<S> y, S const& h) {
        World& w = *world_;
        motion_.set_state(std::span<S const>(y.span()));
        bool const is_whole = all(w.project_rotations());
        w.place_kinematic(from_, h);
        return is_whole;
    }
    // A step of h seconds, its end installed; false if it is not finite.
    template <class F>
    constexpr bool attempt(F& f, S const& h, S& error) {
        f.forgive();
        step_attempt<S, S, decltype(work_)> const s{world_->time_, h, work_.y(), work_.k1(), work_.y1(), work_};
        integrator.attempt(f, s);
        if (f.failed() || !detail::is_finite(work_.y1())) return false;
        if constexpr (has_embedded_error<Integrator>)
            if (parameters.mode == stepping::adaptive) error = detail::scaled_error(parameters, work_.stage(Integrator::error_buffer), work_.y(), work_.y1(), [this](std::size_t i) { return units_[i]; });
        if (!install(work_.y1(), h)) return false;
        finder_.place(*world_);
        finder_.measure(*world_);
        return true;
    }

    // What must not fall below -1: room between pairs, and how fast what slides still slides; around 0 it has arrived.
    template <class V>
    constexpr void guards(V& into) const {
        into.clear();
        for (auto const& p : finder_.pairs()) into.push_back(p.room());
        for (std::size_t k = 0; k < contacts_.entries().size(); ++k) {
            auto const& c = contacts_.entries()[k].constraint;
            if (!c.slides || !(c.dynamic_friction > S(0))) continue;
            auto const &a = contacts_.state_of(*world_, k, 0), &b = contacts_.state_of(*world_, k, 1);
            into.push_back(dot(c.sliding(a.pose, b.pose, a.twist, b.twist), contacts_[k].direction) / sticking_speed);
        }
    }
    template <class V>
    [[nodiscard]] static constexpr std::size_t least(V const& v) noexcept {
        std::size_t best = 0;
        for (std::size_t i = 1; i < v.size(); ++i)
            if (v[i] < v[best]) best = i;
        return best;
    }
    // The longest step up to `hi`, which is too long, at whose end something has arrived and nothing is refused. lo_, hi_: the guards at both ends.
    // A pair that touches already tells of what else of it arrives only by being refused: its guards fall from where they have been.
    template <class F>
    constexpr S locate(F& f, S hi, S const& tick) {
        S lo(0), error{}, farther(0), beyond(0);  // the last `hi` before this one, and the guard there
        std::size_t of = hi_.size();              // whose it is
        kept_.row(0) = work_.y();
        start_ = lo_;
        for (int k = 0; k < 200 && hi - lo > tick; ++k) {
            std::size_t const g = least(hi_);
            if (g < finder_.pairs().size()) {
                blocked_[0] = finder_.pairs()[g].i;
                blocked_[1] = finder_.pairs()[g].j;
            }
            S part = S(0.5);
            if (k % 3 != 2) {
                if (!touches_already(g) && lo_[g] > hi_[g])
                    part = lo_[g] / (lo_[g] - hi_[g]);
                else if (touches_already(g) && of == g && farther > hi && hi_[g] > beyond)
                    part = S(1) + (hi_[g] - (k % 2 == 0 ? S(0.5) : S(-2.5))) * (farther - hi) / ((hi_[g] - beyond) * (hi - lo));
                part = part > S(0) && part < S(1) ? clamp(part, S(1e-4), S(0.9999)) : S(0.5);
            }
            S const h = lo + (hi - lo) * part;
            if (!(h > lo) || !(h < hi)) break;
            ++report_.trials;
            now_.clear();
            bool const good = attempt(f, h, error);
            if (good) guards(now_);
            if (!good || now_[least(now_)] < S(-1)) {
                farther = hi;
                beyond = hi_[g];
                of = good ? g : hi_.size();
                hi = h;
                if (good) hi_ = now_;
            } else {
                lo = h;
                lo_ = now_;
                kept_.row(0) = work_.y1();
            }
            if (!(lo > S(0))) continue;
            bool arrived = false;
            for (std::size_t i = 0; i < hi_.size(); ++i) arrived = arrived || (hi_[i] < S(-1) && (touches_already(i) ? hi_[i] > S(-4) : lo_[i] <= S(1)));
            if (arrived) break;
        }
        return lo;
    }
    [[nodiscard]] constexpr bool touches_already(std::size_t guard) const noexcept { return guard < finder_.pairs().size() && start_[guard] < S(20); }

    World* world_;
    typename World::state_type from_{};
    motion_problem<World> motion_;
    detail::touch_finder<World> finder_{};
    detail::touching_contacts<World, entry> contacts_{};
    array<S, detail::touch_finder<World>::max_pairs + world_env::limits.contacts> lo_{}, hi_{}, now_{}, start_{};
    ode_workspace<Integrator, S, equations::max_dimension> work_{};
    detail::state_rows<S, 1, equations::max_dimension> kept_{};
    array<S, equations::max_dimension> units_{};
    detail::growth_control<S> control_{};
    report_type report_{};
    S h_{};  // s, proposed for the next step
    std::uint32_t blocked_[2] = {0, 0};
    int stalls_ = 0, crowd_ = 0;
    bool located_ = false;  // the last step ended where something was found to touch
};
template <class World>
non_penetrating(World&) -> non_penetrating<World>;

}  // namespace sinew::inline v0
