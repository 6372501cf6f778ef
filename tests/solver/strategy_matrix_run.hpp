#pragma once
// Runs every strategy under every constraint that it honours, over one scalar and one representation of rotations.
//
// What is compiled for each pair is the strategy's own code and nothing else: a stage stands in for the world. It steps a problem as
// world::step does with symplectic Euler, and every strategy sees the same problem, over the same environment. In worlds the strategies
// run in strategy_world_test.cpp, under fewer constraints.

#include <constraint/numbers_of_scalars.hpp>

#include <constraint/cases/all.hpp>
#include <solver/strategy_list.hpp>

#include <gtest/gtest.h>

#include <sinew/core/type_name.hpp>

#include <cmath>
#include <memory>
#include <span>
#include <vector>

namespace sinew_test {

// ---- the environment

template <class Solvers>
struct most_memory;
template <class... Solvers>
struct most_memory<strategy_list<Solvers...>> {
    static constexpr std::size_t memory_per_row = [] {
        std::size_t most = 0;
        auto const take = [&]<class T>(std::type_identity<T>) {
            if constexpr (requires { T::memory_per_row; }) most = T::memory_per_row > most ? T::memory_per_row : most;
        };
        (take(std::type_identity<Solvers>{}), ...);
        return most;
    }();
};

template <class R>
struct stage_config;
template <class T, template <class> class Rotation>
struct stage_config<Rotation<T>> : default_config {
    using scalar = T;
    template <class S>
    using rotation = Rotation<S>;
    using solver = most_memory<all_strategies>;
};

template <template <class> class Case, class S>
using constraint_of = typename item_of<Case>::template type<S>;

// Named anew, lest every symbol spell the whole list.
template <class R, class Cases>
struct stage_types;
template <class R, template <class> class... Cases>
struct stage_types<R, case_list<Cases...>> {
    using S = typename R::scalar_type;
    using environment_type = environment<stage_config<R>, map_list<>, constraint_of<Cases, S>...>;
    using problem_type = problem<S, R, environment_type::memory_per_row, map_list<>, constraint_of<Cases, S>...>;
};
template <class R>
struct stage_environment : stage_types<R, all_cases>::environment_type {};
template <class R>
struct stage_problem : stage_types<R, all_cases>::problem_type {};

// ---- the stage

/// Attachment of an exhibit: kind, masses, and load.
struct attachment_plan {
    bool rigid, fixed;
    double mass, inertia;
    std::array<double, 6> load{};
};
/// J M^-1 J^T of one row over the attachments in their order.
inline double mobility_of(std::span<attachment_plan const> parts, double const* J) {
    double k = 0;
    std::size_t at = 0;
    for (auto const& p : parts)
        for (std::size_t i = 0; i < (p.rigid ? 6u : 3u); ++i, ++at)
            if (!p.fixed) k += J[at] * J[at] / (i < 3 ? p.mass : p.inertia);
    return k;
}
/// Row 0 of J; bounds of its multiplier. Returns how far the row would fall in one step.
inline double plan_loads(std::span<attachment_plan> parts, double const* J, double k, double lower, double upper, bool second, splitmix64& random) {
    std::size_t at = 0;
    // Against the row: 4 N, half of what a bounded row can bear, or (the second) a quarter more; an inequality is pulled open gently.
    double along = -4, aside = 1;
    bool const below = std::isfinite(lower), above = std::isfinite(upper);
    if (below && above) {
        along = -upper * (second ? 1.25 : 0.5);
    } else if (below || above) {
        double const gentle = k > 1 ? 4 / k : 4;
        along = (below ? 1 : -1) * (second ? gentle : -4);
        if (second) aside = gentle / 8;
    }
    at = 0;
    for (auto& p : parts)
        for (std::size_t i = 0; i < (p.rigid ? 6u : 3u); ++i, ++at) p.load[i] = along * J[at] + aside * random_number(random, -1.0, 1.0) * (i < 3 ? 1.0 : 0.2);
    return std::abs(along) * k * matrix_step * matrix_step;
}

template <class S>
[[nodiscard]] S entered(double x) {
    return number_of<S>(static_cast<source_of<S>>(x));
}
template <class S>
[[nodiscard]] double shown_of(S const& x, std::size_t lane = lanes_v<S> - 1) {
    return static_cast<double>(plain_of(x, lane));
}

/// Bodies under constant loads. Body 0 is the ground, as in a world.
template <class R>
struct stage_bodies {
    using S = typename R::scalar_type;
    std::vector<rigid_state<S, R>> bodies = std::vector<rigid_state<S, R>>(1);
    std::vector<rigid_mass<S>> masses = std::vector<rigid_mass<S>>(1);
    std::vector<inverse_mass<S>> inverse_masses = std::vector<inverse_mass<S>>(1);
    std::vector<wrench<S>> loads = std::vector<wrench<S>>(1), total{};
    std::vector<particle_state<S>> particles{};
    std::vector<particle_mass<S>> particle_masses{};
    std::vector<vec3<S>> particle_loads{}, particle_total{};
    S mass_share{1}, load_share{1};

    std::uint32_t add(attachment_plan const& part, pose<S, R> const& at) {
        S const m = entered<S>(part.mass) * mass_share, i = entered<S>(part.inertia);
        auto const inertia = diagonal(i, i * S(1.125), i * S(0.875));
        bodies.push_back({{at.position, projected(at.rotation)}, {}});
        masses.push_back(part.fixed ? rigid_mass<S>{} : rigid_mass<S>{m, S(1) / m, inertia, inverse(inertia), true});
        inverse_masses.push_back({});
        loads.push_back({load(part, 0), load(part, 3)});
        return static_cast<std::uint32_t>(bodies.size() - 1);
    }
    std::uint32_t add(attachment_plan const& part, particle_pose<S> const& at) {
        S const m = entered<S>(part.mass) * mass_share;
        particles.push_back({at.position, {}});
        particle_masses.push_back(part.fixed ? particle_mass<S>{} : particle_mass<S>{m, S(1) / m, true});
        particle_loads.push_back(load(part, 0));
        return static_cast<std::uint32_t>(particles.size() - 1);
    }
    void kick_all(S const& h) {
        for (std::size_t i = 1; i < bodies.size(); ++i)
            if (masses[i].movable) kick(bodies[i], masses[i], total[i], h);
        for (std::size_t i = 0; i < particles.size(); ++i) particles[i].velocity += particle_total[i] * (particle_masses[i].inverse_mass * h);
    }
    void drift_all(S const& h) {
        for (std::size_t i = 1; i < bodies.size(); ++i) drift(bodies[i], masses[i], h, gyroscopic_term::conserving);
        for (auto& b : particles) b.position += b.velocity * h;
    }
    vec3<S> mark(bool rigid, std::uint32_t i) const { return rigid ? bodies[i].pose.point(vec3<S>{S(0.25), S(0.125), S(0.0625)}) : particles[i].position; }

private:
    vec3<S> load(attachment_plan const& part, std::size_t from) const {
        return vec3<S>{entered<S>(part.load[from]), entered<S>(part.load[from + 1]), entered<S>(part.load[from + 2])} * load_share;
    }
};

/// The two exhibits of one constraint.
template <template <class> class Case, class R, std::size_t Memory>
struct exhibits {
    using S = typename R::scalar_type;
    using C = constraint_of<Case, S>;
    using A = attachments_t<C>;
    static constexpr std::size_t rows = rows_v<C>;
    using indices = std::make_index_sequence<A::size>;
    static_assert(rows <= 6);

    std::array<constraint_entry<C, S, Memory>, 2> entries{};
    std::array<bool, 2> loaded{true, true};
    std::array<std::array<double, rows>, 2> mobility{};
    std::array<double, 2> fall{}, asked{}, borne{};

    void put(stage_bodies<R>& stage, splitmix64& random) {
        for (std::size_t n = 0; n < 2; ++n) put(stage, n, random, indices{});
    }
    /// What is borne now.
    void look() {
        for (std::size_t n = 0; n < 2; ++n)
            for (S const& x : entries[n].lambda.e) borne[n] = std::max(borne[n], std::abs(shown_of(x)));
    }
    void collect(stage_problem<R> const& p, stage_bodies<R> const& stage, std::vector<outcome>& results) const {
        for (std::size_t n = 0; n < 2; ++n) collect(p, stage, n, results, indices{});
    }
    // f(name, numbers): places of its bodies, and its multipliers.
    template <class F>
    void each(stage_bodies<R> const& stage, F const& f) const {
        for (std::size_t n = 0; n < 2; ++n) f(type_name<C>(), state(stage, n, indices{}));
    }

private:
    // The carrier of a mechanism, else the first of several; in the second exhibit of two bodies, none.
    static constexpr bool is_fixed(std::size_t i, bool second) {
        if (A::size == 1) return false;
        if (A::size == 2) return i == 0 && !second;
        return A::size == 3 ? i == 2 : i == 0;
    }
    template <std::size_t... I>
    void put(stage_bodies<R>& stage, std::size_t n, splitmix64& random, std::index_sequence<I...>) {
        auto const m = Case<R>::make(random);
        auto const J = jacobian_of(m.constraint, std::get<I>(m.poses)...);
        auto const limits = limits_of(m.constraint, vec<S, rows>{}, std::get<I>(m.poses)...);
        std::array<double, rows * A::dof> numbers;
        for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = shown_of(J.e[k]);
        attachment_plan parts[] = {{std::same_as<typename A::template kind<I>, rigid>, is_fixed(I, n == 1), 1 + 0.25 * static_cast<double>(I), 0.5 + 0.125 * static_cast<double>(I), {}}...};
        double const lower = shown_of(limits.lower[0]), upper = shown_of(limits.upper[0]);
        for (std::size_t r = 0; r < rows; ++r) mobility[n][r] = mobility_of(parts, numbers.data() + r * A::dof);
        fall[n] = plan_loads(parts, numbers.data(), mobility[n][0], lower, upper, n == 1, random);
        loaded[n] = n == 0 || std::isfinite(lower) == std::isfinite(upper);
        if constexpr (!is_holonomic_v<C, S>) {
            auto const rate = rate_of(m.constraint, m.poses, std::tuple(detail::zero_twist_for(std::get<I>(m.poses))...));
            for (S const& x : rate.e) asked[n] = std::max(asked[n], std::abs(shown_of(x)));
        }
        entries[n].constraint = m.constraint;
        ((entries[n].bodies[I] = stage.add(parts[I], std::get<I>(m.poses))), ...);
    }
    template <std::size_t... I>
    std::vector<S> state(stage_bodies<R> const& stage, std::size_t n, std::index_sequence<I...>) const {
        auto const& e = entries[n];
        std::vector<S> all;
        auto const take = [&](auto const& v) {
            for (S const& x : v.e) all.push_back(x);
        };
        (take(stage.mark(std::same_as<typename A::template kind<I>, rigid>, e.bodies[I])), ...);
        take(e.lambda);
        return all;
    }
    template <std::size_t... I>
    void collect(stage_problem<R> const& p, stage_bodies<R> const& stage, std::size_t n, std::vector<outcome>& results, std::index_sequence<I...>) const {
        auto const& e = entries[n];
        auto const poses = poses_of(p, e);
        outcome o{type_name<C>(), is_holonomic_v<C, S>, moving_normal_v<C>, !is_holonomic_v<C, S> && has_compliance<C>, loaded[n], borne[n], fall[n], asked[n], {}, {}};
        vec<S, rows> value;
        if constexpr (is_holonomic_v<C, S>)
            value = error_of(e.constraint, std::get<I>(poses)...);
        else
            value = rate_of(e.constraint, poses, twists_of(p, e));
        auto const limits = limits_of(e.constraint, e.lambda, std::get<I>(poses)...);
        auto const softness = compliance_of<S>(e.constraint);
        for (std::size_t r = 0; r < rows; ++r)
            o.rows.push_back({shown_of(value[r]), shown_of(e.lambda[r]), shown_of(limits.lower[r]), shown_of(limits.upper[r]), shown_of(softness[r]) <= 0, mobility[n][r]});
        auto const mark = [&](bool is_rigid, std::uint32_t body) {
            vec3<S> const x = stage.mark(is_rigid, body);
            o.marks.push_back({shown_of(x[0]), shown_of(x[1]), shown_of(x[2])});
        };
        (mark(std::same_as<typename A::template kind<I>, rigid>, e.bodies[I]), ...);
        results.push_back(o);
    }
};

template <class R, class Cases>
struct stage;
template <class R, template <class> class... Cases>
struct stage<R, case_list<Cases...>> : exhibits<Cases, R, stage_environment<R>::memory_per_row>... {
    using S = typename R::scalar_type;
    template <template <class> class Case>
    using on_show = exhibits<Case, R, stage_environment<R>::memory_per_row>;

    stage_bodies<R> all{};
    std::array<bool, sizeof...(Cases)> shown{};

    /// Only what `shows` says, number by number in the order of the list; an exhibit is the same whatever else is shown.
    explicit stage(std::array<bool, sizeof...(Cases)> const& shows, S const& mass_share = S(1), S const& load_share = S(1)) : shown(shows) {
        all.mass_share = mass_share;
        all.load_share = load_share;
        std::size_t number = 0;
        auto const put = [&](auto& e) {
            splitmix64 random{1000 + number};
            if (shown[number++]) e.put(all, random);
        };
        (put(static_cast<on_show<Cases>&>(*this)), ...);
    }
    stage_problem<R> make_problem() {
        std::size_t number = 0;
        auto const span = [&](auto& entries) { return std::span(entries.data(), shown[number++] ? entries.size() : 0); };
        return {{all.bodies, all.masses, all.inverse_masses, all.particles, all.particle_masses, {span(on_show<Cases>::entries)...}, 1, {}}};
    }
    /// As world::step does it.
    template <class T>
    void step(T& solver, S const& h) {
        auto const p = make_problem();
        int parts = 1;
        if constexpr (requires { solver.substeps; }) parts = solver.substeps;
        S const dt = h / S(static_cast<value_type_t<S>>(parts));
        if constexpr (requires { solver.begin(p, h); }) solver.begin(p, h);
        for (int part = 0; part < parts; ++part) {
            if constexpr (requires { solver.impulses(p); }) solver.impulses(p);
            all.total = all.loads;
            all.particle_total = all.particle_loads;
            if constexpr (T::level == solver_level::acceleration) {
                std::span const forces(all.total);
                std::span const particle_forces(all.particle_total);
                if constexpr (requires { solver.solve_step(p, forces, particle_forces, dt); })
                    (void)solver.solve_step(p, forces, particle_forces, dt);
                else
                    (void)solver.solve(p, forces, particle_forces);
            }
            all.kick_all(dt);
            if constexpr (T::level == solver_level::velocity) (void)solver.solve(p, dt);
            all.drift_all(dt);
            if constexpr (T::level == solver_level::position) (void)solver.solve(p, dt);
            if constexpr (T::level == solver_level::velocity && requires { solver.relax(p, dt); }) (void)solver.relax(p, dt);
            if constexpr (requires { solver.project(p, dt); }) (void)solver.project(p, dt);
        }
        if constexpr (requires { solver.finish(p, h); }) (void)solver.finish(p, h);
    }
    void look() { (on_show<Cases>::look(), ...); }
    // f(name, numbers) of each exhibit that is shown.
    template <class F>
    void each(F const& f) const {
        std::size_t number = 0;
        auto const one = [&](auto const& e) {
            if (shown[number++]) e.each(all, f);
        };
        (one(static_cast<on_show<Cases> const&>(*this)), ...);
    }
    /// Two outcomes for each constraint; empty ones of what is not shown.
    std::vector<outcome> outcomes() {
        auto const p = make_problem();
        std::vector<outcome> results;
        std::size_t number = 0;
        auto const collect = [&](auto const& e) {
            if (shown[number++])
                e.collect(p, all, results);
            else
                results.resize(results.size() + 2);
        };
        (collect(static_cast<on_show<Cases> const&>(*this)), ...);
        return results;
    }
};

// ---- the matrix

template <class T, class S, template <class> class... Cases>
constexpr std::array<bool, sizeof...(Cases)> honoured_by(case_list<Cases...>) {
    return {honours_v<T, constraint_of<Cases, S>, S>...};
}

template <class T, class R>
std::vector<outcome> run_strategy(std::array<bool, all_cases::size> const& shown, bool to_convergence = true, double step = matrix_step) {
    using S = typename R::scalar_type;
    auto const memory = std::make_unique<T>();  // too large for the stack; and an assignment would be compiled for every strategy
    T& solver = *memory;
    if (to_convergence) tuned(solver);
    stage<R, all_cases> s(shown);
    for (int i = 0; i < matrix_steps; ++i) {
        s.step(solver, entered<S>(step));
        if (i >= matrix_steps - 10) s.look();
    }
    return s.outcomes();
}

/// Not a strategy: does nothing, which every check must notice.
struct ignores_all {
    template <class Env>
    struct strategy {
        using S = typename Env::scalar;
        static constexpr solver_level level = solver_level::position;
        constexpr solve_report<S> solve(auto const&, S const&) { return {}; }
    };
};

/// The matrix over one scalar and rotation.
template <class R>
void run_matrix() {
    using S = typename R::scalar_type;
    double const rounding = 1000 * shown_of(S(epsilon_v<S>));
    std::vector<outcome> reference;
    auto const one = [&]<class Solver>(std::type_identity<Solver>) {
        using T = typename Solver::template strategy<stage_environment<R>>;
        static_assert(solver_for<T, stage_problem<R>, S>);
        constexpr expectation const& e = expected<Solver>;
        SCOPED_TRACE(e.name);
        auto const got = run_strategy<T, R>(honoured_by<T, S>(all_cases{}));
        if (reference.empty()) reference = got;
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (got[i].marks.empty()) continue;
            std::string const why = judge(got[i], reference[i], e, rounding);
            if (!why.empty()) ADD_FAILURE() << (i % 2 == 0 ? "held: " : "overloaded: ") << why;
        }
    };
    [&]<class... Solvers>(strategy_list<Solvers...>) { (one(std::type_identity<Solvers>{}), ...); }(all_strategies{});

    // The checks bite: a load that nothing holds is noticed under every constraint.
    expectation const lax{"any", 2e-3, 2e-2, 1e-2};
    std::array<bool, all_cases::size> every;
    every.fill(true);
    auto const ignored = run_strategy<ignores_all::strategy<stage_environment<R>>, R>(every);
    for (std::size_t i = 0; i < ignored.size(); ++i)
        if (ignored[i].loaded && judge(ignored[i], reference[i], lax, rounding).empty()) ADD_FAILURE() << "a strategy that ignores it passes: " << ignored[i].name << ' ' << i % 2;
}

}  // namespace sinew_test
