#pragma once
// Runs that the others are compared with: of one strategy over double or float. They are compiled once for each representation, with its own part of
// the matrix.

#include <solver/strategy_matrix_run.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace sinew_test {

/// What a stage is begun with.
template <class S>
struct begun_with {
    S mass_share{1}, load_share{1}, step = entered<S>(matrix_step);
};
template <class S>
struct exhibit_numbers {
    char const* name;
    std::vector<S> x;
};

/// With the default numbers of the strategy.
template <class T, class R, class S = typename R::scalar_type>
std::vector<exhibit_numbers<S>> after_steps(std::array<bool, all_cases::size> const& shown, begun_with<S> const& with, int steps) {
    auto const memory = std::make_unique<T>();  // too large for the stack; and an assignment would be compiled for every strategy
    T& solver = *memory;
    stage<R, all_cases> s(shown, with.mass_share, with.load_share);
    for (int i = 0; i < steps; ++i) s.step(solver, with.step);
    std::vector<exhibit_numbers<S>> all;
    s.each([&](char const* name, std::vector<S> const& x) { all.push_back({name, x}); });
    return all;
}

template <class Solver, class R>
using strategy_over = typename Solver::template strategy<stage_environment<R>>;
template <class Solver>
inline constexpr std::size_t number_of_strategy = []<class... Solvers>(strategy_list<Solvers...>) {
    std::size_t number = 0;
    (void)((std::is_same_v<Solver, Solvers> || (++number, false)) || ...);
    return number;
}(all_strategies{});

template <class R>
struct plain_runs {
    using S = typename R::scalar_type;
    using shown_type = std::array<bool, all_cases::size>;

    /// After so many steps, with the default numbers of the strategy.
    static std::vector<exhibit_numbers<S>> after(std::size_t strategy, shown_type const& shown, begun_with<S> const& with, int steps);
    /// Of steps of that length: what can be judged.
    static std::vector<outcome> judged(std::size_t strategy, shown_type const& shown, double step);

private:
    template <class F>
    static void run(std::size_t strategy, F const& f) {
        [&]<class... Solvers>(strategy_list<Solvers...>) {
            (void)((number_of_strategy<Solvers> == strategy && (f(std::type_identity<strategy_over<Solvers, R>>{}), true)) || ...);
        }(all_strategies{});
    }
};
// Outside the struct, where they are not inline: what is inline would be compiled wherever it is called, declared extern or not.
template <class R>
std::vector<exhibit_numbers<typename R::scalar_type>> plain_runs<R>::after(std::size_t strategy, shown_type const& shown, begun_with<S> const& with, int steps) {
    std::vector<exhibit_numbers<S>> result;
    run(strategy, [&]<class T>(std::type_identity<T>) { result = after_steps<T, R>(shown, with, steps); });
    return result;
}
template <class R>
std::vector<outcome> plain_runs<R>::judged(std::size_t strategy, shown_type const& shown, double step) {
    std::vector<outcome> result;
    run(strategy, [&]<class T>(std::type_identity<T>) { result = run_strategy<T, R>(shown, false, step); });
    return result;
}
extern template struct plain_runs<quaternion<float>>;
extern template struct plain_runs<quaternion<double>>;
extern template struct plain_runs<rotation_matrix<float>>;
extern template struct plain_runs<rotation_vector<double>>;

}  // namespace sinew_test
