#pragma once
// The gradient of a loss after many steps by any number of parameters: reverse accumulation over the steps (the adjoint method).
//
//   x_0 = build(p)      x_(k+1) = step(x_k, u_k, p)      L = sum of l_k(x_(k+1), u_k, p)
//
//   p    parameters of the whole: masses, lengths, gains, the initial state
//   u_k  controls of step k: torques, forces, targets
//   a_k  = dL/dx_k, the adjoint:   a_k = dl_k/dx_k + a_(k+1) dx_(k+1)/dx_k,   likewise dL/du_k, and what each step adds to dL/dp
//
// Derivatives of one step are those of dual numbers, N at a time, so a step is differentiated (x + u) / N times, however many steps there are, and however
// many controls all of them have together. x is everything that a step takes over from the one before: poses, twists, multipliers from which a solver
// starts again, contacts with their friction. So the gradient is that of what the program computes, to rounding.
//
// The way back needs the states of the way there. One of every `stride` is kept, and those between are computed again as they are needed: with about the square root
// of n steps as stride, 2 sqrt(n) states are held at any time, for one more simulation (Griewank 1992, "Achieving logarithmic growth...", in its simplest form).
//
// A scene is one class template over the scalar, as everything else:
//
//   template <class S>
//   struct my_scene {
//       sinew::world<my_config<S>, ...> world;                          // empty at first; and handles, as it needs them
//       void build(std::span<S const> parameters);                      // what the world holds, and where it begins
//       bool step(std::size_t k, std::span<S const> controls);          // controls, then world.step(h): whether the step was taken
//       S loss(std::size_t k, std::span<S const> controls) const;       // l_k, of the state after step k
//   };
//
// What step() sets beside the state (a motor's target) it must set in every step. Nothing may break, be added or removed on the way, nor sleep.
//
// A loss has a derivative where no contact begins or ends and no friction sticks or slips: there it is that of the branch which was taken. The time
// of a hit moves by whole steps; its derivative is that of the steps as they fell.

#include <sinew/math/dual.hpp>
#include <sinew/world/state_numbers.hpp>
#include <sinew/world/world.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>

namespace sinew::inline v0 {

template <class T, class S>
concept can_build = requires(T scene, std::span<S const> parameters) { scene.build(parameters); };
template <class T, class S>
concept can_step = requires(T scene, std::size_t k, std::span<S const> controls) {
    { scene.step(k, controls) } -> std::convertible_to<bool>;
};
template <class T, class S>
concept has_loss = requires(T const scene, std::size_t k, std::span<S const> controls) {
    { scene.loss(k, controls) } -> std::convertible_to<S>;
};
/// What is simulated and judged, over the scalar S.
template <class T, class S>
concept scene_over = std::default_initializable<T> && can_build<T, S> && can_step<T, S> && has_loss<T, S>;

/// What came of a simulation.
template <class S>
struct sweep_report {
    S loss{};
    bool complete = true;        ///< every step was taken; if not, the gradient is none
    std::size_t steps_done = 0;  ///< simulated, of any number of lanes
    std::size_t states_kept = 0; ///< at most, at any time
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return complete; }
};

/// The loss alone, over any scalar: over dual numbers with a few parameters as variables, that is forward accumulation. Controls: as many for each step.
template <template <class> class Scene, class S>
    requires scene_over<Scene<S>, S>
[[nodiscard]] constexpr sweep_report<S> simulate(std::span<S const> parameters, std::span<S const> controls, std::size_t steps) {
    sweep_report<S> report;
    Scene<S> scene;
    scene.build(parameters);
    std::size_t const per_step = steps > 0 ? controls.size() / steps : 0;
    for (; report.complete && report.steps_done < steps; ++report.steps_done) {
        std::span<S const> const u = controls.subspan(report.steps_done * per_step, per_step);
        report.complete = static_cast<bool>(scene.step(report.steps_done, u));
        report.loss = report.loss + scene.loss(report.steps_done, u);
    }
    return report;
}

/// See above. Lanes: derivatives at a time; more are faster as long as they fit into the processor's vectors and caches. It may be used again and again, and then
/// allocates little.
template <template <class> class Scene, class S = double, std::size_t Lanes = 4>
    requires scene_over<Scene<dual<S, Lanes>>, dual<S, Lanes>>
class reverse_sweep {
public:
    using number = dual<S, Lanes>;
    using scene_type = Scene<number>;
    using state_type = typename decltype(scene_type::world)::state_type;
    static_assert(!decltype(scene_type::world)::env::sleeps, "sinew: a world whose bodies may sleep has no reverse sweep; use never_sleep, the default.");

    std::size_t stride = 0;  ///< one state of so many is kept; 0: the square root of the number of steps

    /// The loss, and its gradient by the parameters and by the controls of all steps (those of step k behind those of k - 1).
    constexpr sweep_report<S> operator()(std::span<S const> parameters, std::span<S const> controls, std::size_t steps, std::span<S> by_parameters, std::span<S> by_controls) {
        for (S& g : by_parameters) g = S(0);
        for (S& g : by_controls) g = S(0);
        report_ = {};
        per_step_ = steps > 0 ? controls.size() / steps : 0;
        std::size_t const every = stride > 0 ? std::min(stride, std::max<std::size_t>(steps, 1)) : square_root(steps);
        forth(parameters, controls, steps, every);
        // Parameters are in what the world holds: a world of its own for each block of them.
        std::size_t const blocks = (parameters.size() + Lanes - 1) / Lanes;
        blocks_.resize(blocks);
        for (std::size_t b = 0; b < blocks; ++b) build(blocks_[b], parameters, b * Lanes);
        adjoint_.assign(after_size_, S(0));
        for (std::size_t end = steps; end > 0 && report_.complete;) {
            std::size_t const first = (end - 1) / every * every;
            between_.resize(every);
            between_[0] = kept_[first / every];
            if (end - first > 1) (void)scene_.world.restore(between_[0]);
            for (std::size_t k = first; k + 1 < end; ++k) {
                report_.complete = go_on(scene_, k, controls) && report_.complete;
                scene_.world.save(between_[k + 1 - first]);
            }
            for (std::size_t k = end; k-- > first && report_.complete;) back(between_[k - first], k, parameters, controls, by_parameters, by_controls);
            end = first;
        }
        // And in where it begins.
        for (std::size_t b = 0; b < blocks && report_.complete; ++b) {
            build(blocks_[b], parameters, b * Lanes);
            blocks_[b].world.save(after_);
            for (std::size_t lane = 0; lane < Lanes && b * Lanes + lane < parameters.size(); ++lane) by_parameters[b * Lanes + lane] += pulled(lane);
        }
        return report_;
    }

private:
    // A scene at its beginning. Parameters from `first` on are the variables; the others are constants.
    constexpr void build(scene_type& scene, std::span<S const> parameters, std::size_t first) {
        load(numbers_, parameters, first);
        scene = scene_type{};
        scene.build(std::span<number const>(numbers_.data(), numbers_.size()));
    }
    // Values with one variable a lane, of those from `first` on; none if that is behind them.
    static constexpr void load(dynamic_vector<number>& to, std::span<S const> from, std::size_t first) {
        to.resize(from.size());
        for (std::size_t i = 0; i < from.size(); ++i) to[i] = i >= first && i - first < Lanes ? number::variable(from[i], i - first) : number(from[i]);
    }
    // One step without variables.
    constexpr bool go_on(scene_type& scene, std::size_t k, std::span<S const> controls) {
        load(controls_, controls.subspan(k * per_step_, per_step_), per_step_);
        ++report_.steps_done;
        return static_cast<bool>(scene.step(k, controls_of()));
    }
    [[nodiscard]] constexpr std::span<number const> controls_of() const noexcept { return {controls_.data(), controls_.size()}; }

    // The whole simulation, with the states that are kept.
    constexpr void forth(std::span<S const> parameters, std::span<S const> controls, std::size_t steps, std::size_t every) {
        build(scene_, parameters, parameters.size());
        kept_.resize((steps + every - 1) / every);
        report_.states_kept = kept_.size() + every;
        for (std::size_t k = 0; k < steps && report_.complete; ++k) {
            if (k % every == 0) scene_.world.save(kept_[k / every]);
            report_.complete = go_on(scene_, k, controls);
            report_.loss += scene_.loss(k, controls_of()).v;
        }
        scene_.world.save(after_);
        after_size_ = size_of(after_);
    }
    [[nodiscard]] static constexpr std::size_t size_of(state_type const& s) {
        std::size_t n = 0;
        for_each_number(s, [&](number const&) { ++n; });
        return n;
    }

    // From the adjoint of the state after step k to that of the state before.
    constexpr void back(state_type const& before, std::size_t k, std::span<S const> parameters, std::span<S const> controls, std::span<S> by_parameters, std::span<S> by_controls) {
        std::size_t const n = size_of(before);
        std::span<S const> const u = controls.subspan(k * per_step_, per_step_);
        next_.assign(n, S(0));
        for (std::size_t first = 0; first < n + per_step_; first += Lanes) {
            seeded_ = before;
            std::size_t i = 0;
            for_each_number(seeded_, [&](number& x) {
                if (i >= first && i - first < Lanes) x.d[i - first] = S(1);
                ++i;
            });
            load(controls_, u, per_step_);
            for (std::size_t j = 0; j < per_step_; ++j)
                if (n + j >= first && n + j - first < Lanes) controls_[j].d[n + j - first] = S(1);
            number const loss = take(scene_, seeded_, k);
            for (std::size_t lane = 0; lane < Lanes && first + lane < n + per_step_; ++lane) {
                S const g = pulled(lane) + loss.d[lane];
                if (first + lane < n)
                    next_[first + lane] = g;
                else
                    by_controls[k * per_step_ + (first + lane - n)] += g;
            }
        }
        load(controls_, u, per_step_);
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            number const loss = take(blocks_[b], before, k);
            for (std::size_t lane = 0; lane < Lanes && b * Lanes + lane < parameters.size(); ++lane) by_parameters[b * Lanes + lane] += pulled(lane) + loss.d[lane];
        }
        adjoint_.swap(next_);
    }
    // One step from a state, with what variables there are.
    constexpr number take(scene_type& scene, state_type const& from, std::size_t k) {
        ++report_.steps_done;
        bool taken = static_cast<bool>(scene.world.restore(from));
        taken = taken && static_cast<bool>(scene.step(k, controls_of()));
        scene.world.save(after_);
        report_.complete = report_.complete && taken;
        return scene.loss(k, controls_of());
    }
    // The adjoint times the derivatives in a lane of what `take` has come to.
    [[nodiscard]] constexpr S pulled(std::size_t lane) {
        S sum(0);
        std::size_t j = 0;
        for_each_number(std::as_const(after_), [&](number const& x) {
            if (j < adjoint_.size()) sum += adjoint_[j] * x.d[lane];
            ++j;
        });
        report_.complete = report_.complete && j == adjoint_.size();
        return sum;
    }
    [[nodiscard]] static constexpr std::size_t square_root(std::size_t n) noexcept {
        std::size_t r = 1;
        while (r * r < n) ++r;
        return r;
    }

    scene_type scene_{};                    // without variables among its parameters
    dynamic_vector<scene_type> blocks_{};   // with
    dynamic_vector<state_type> kept_{}, between_{};
    state_type seeded_{}, after_{};
    dynamic_vector<number> numbers_{}, controls_{};
    dynamic_vector<S> adjoint_{}, next_{};
    sweep_report<S> report_{};
    std::size_t per_step_ = 0, after_size_ = 0;
};

}  // namespace sinew::inline v0
