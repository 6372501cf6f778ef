#pragma once
// Every strategy under every constraint, over the scalars that are made of other numbers; which pairs of strategy and scalar have no meaning is listed in
// world/scalar_matrix_test.cpp.
//
//   lanes    other masses and loads in every lane, so that other limits act: each has the bits of a run of its own
//   dual     the values have the bits of double; the derivatives by masses, by loads and by the length of the steps are those of its motion, by central differences
//   fixed    as good as over double by the same judge, to what a number of the format can tell; of moving normals under descents see `as_over_double`

#include <solver/strategy_matrix_plain.hpp>

#include <world/scalar_list.hpp>

#include <cstring>
#include <string>

namespace sinew_test {

// f<Solver>() for every strategy that has a meaning over S.
template <class S, class F>
void each_strategy_over(F const& f) {
    auto const one = [&]<class Solver>(std::type_identity<Solver> solver) {
        if constexpr (scalar_matrix::has_meaning<Solver, S>) {
            SCOPED_TRACE(expected<Solver>.name);
            f(solver);
        }
    };
    [&]<class... Solvers>(strategy_list<Solvers...>) { (one(std::type_identity<Solvers>{}), ...); }(all_strategies{});
}
/// Masses differ from lane to lane, and loads, by which one lane holds what slips in another.
template <class T>
[[nodiscard]] begun_with<T> of_lane(std::size_t lane) {
    return {T(1) + T(static_cast<float>(lane)) / T(8), lane == 0 ? T(1) : T(static_cast<float>(lane * lane)) / T(8)};
}
template <class R>
void run_lanes() {
    using B = typename R::scalar_type;
    using T = typename B::lane_type;
    using own = typename R::template rebind<T>;
    constexpr int steps = 8;
    begun_with<B> with;
    for (std::size_t lane = 0; lane < B::lanes; ++lane) {
        with.mass_share[lane] = of_lane<T>(lane).mass_share;
        with.load_share[lane] = of_lane<T>(lane).load_share;
    }
    each_strategy_over<B>([&]<class Solver>(std::type_identity<Solver>) {
        using wide_strategy = strategy_over<Solver, R>;
        using strategy = strategy_over<Solver, own>;
        auto const shown = honoured_by<wide_strategy, B>(all_cases{});
        EXPECT_EQ(shown, (honoured_by<strategy, T>(all_cases{})));
        auto const wide = after_steps<wide_strategy, R>(shown, with, steps);
        for (std::size_t lane = 0; lane < B::lanes; ++lane) {
            auto const alone = plain_runs<own>::after(number_of_strategy<Solver>, shown, of_lane<T>(lane), steps);
            ASSERT_EQ(wide.size(), alone.size());
            for (std::size_t i = 0; i < alone.size(); ++i)
                for (std::size_t k = 0; k < alone[i].x.size(); ++k) {
                    T const a = wide[i].x[k][lane], b = alone[i].x[k];
                    EXPECT_EQ(0, std::memcmp(&a, &b, sizeof a)) << alone[i].name << ' ' << i % 2 << ", number " << k << ", lane " << lane << ": " << a << " and alone " << b;
                }
        }
    });
}

/// By masses, by loads, by the length of the steps.
template <class R>
void run_derivatives() {
    using D = typename R::scalar_type;
    using plain = typename R::template rebind<double>;
    constexpr int steps = 8;
    begun_with<D> with;
    with.mass_share = D::variable(1, 0);
    with.load_share = D::variable(1, 1);
    with.step = D::variable(matrix_step, 2);
    each_strategy_over<D>([&]<class Solver>(std::type_identity<Solver>) {
        using dual_strategy = strategy_over<Solver, R>;
        constexpr double noise = expected<Solver>.penalty > 0 ? 1e-4 : 1e-6;  // penalties enlarge roundings
        auto const shown = honoured_by<dual_strategy, D>(all_cases{});
        auto const found = after_steps<dual_strategy, R>(shown, with, steps);
        auto const values = plain_runs<plain>::after(number_of_strategy<Solver>, shown, {}, steps);
        ASSERT_EQ(found.size(), values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            for (std::size_t k = 0; k < values[i].x.size(); ++k)
                EXPECT_EQ(0, std::memcmp(&found[i].x[k].v, &values[i].x[k], sizeof(double))) << values[i].name << ' ' << i % 2 << ", number " << k << ": " << found[i].x[k].v << " and " << values[i].x[k];
        std::size_t compared = 0, all = 0;
        std::string left;
        for (std::size_t by = 0; by < 3; ++by) {
            auto const shifted = [&](double share) {
                begun_with<double> b;
                if (by == 0) b.mass_share += share;
                if (by == 1) b.load_share += share;
                if (by == 2) b.step += share * matrix_step;
                return plain_runs<plain>::after(number_of_strategy<Solver>, shown, b, steps);
            };
            double const h = 1e-4, scale = by == 2 ? matrix_step : 1;
            auto const up = shifted(h), down = shifted(-h), up2 = shifted(2 * h), down2 = shifted(-2 * h);
            for (std::size_t i = 0; i < values.size(); ++i) {
                // Of a whole exhibit: what is 0 by rounding has no derivative of its own. Where the differences of two sizes differ, a clamp is near.
                double greatest = 0, off = 0, unsure = 0;
                for (std::size_t k = 0; k < values[i].x.size(); ++k) {
                    double const difference = (up[i].x[k] - down[i].x[k]) / (2 * h), coarse = (up2[i].x[k] - down2[i].x[k]) / (4 * h);
                    greatest = std::max(greatest, std::abs(difference));
                    unsure = std::max(unsure, std::abs(difference - coarse));
                    off = std::max(off, std::abs(found[i].x[k].d[by] * scale - difference));
                }
                ++all;
                if (!(unsure < noise * (1 + greatest))) {
                    left += std::string(values[i].name) + ' ' + std::to_string(unsure) + "; ";
                    continue;
                }
                ++compared;
                EXPECT_LT(off, 10 * noise * (1 + greatest)) << values[i].name << ' ' << i % 2 << ", by parameter " << by;
            }
        }
        EXPECT_GT(compared, all * 9 / 10) << left;
    });
}

// Descents refuse moving normals in fixed point.
template <class T, bool IsDescent, template <class> class... Cases>
constexpr std::array<bool, sizeof...(Cases)> as_over_double(case_list<Cases...>) {
    return {(honours_v<T, constraint_of<Cases, double>, double> && !(IsDescent && moving_normal_v<constraint_of<Cases, double>>))...};
}
/// Judged as over double, and against it.
template <class R>
void run_against_double() {
    using S = typename R::scalar_type;
    using plain = typename R::template rebind<double>;
    constexpr double step = 1.0 / 128;  // squares of shorter ones have hardly a digit in Q15.16
    double const rounding = 1000 * shown_of(S(epsilon_v<S>));
    each_strategy_over<S>([&]<class Solver>(std::type_identity<Solver>) {
        using own_strategy = strategy_over<Solver, R>;
        using strategy = strategy_over<Solver, plain>;
        auto const shown = honoured_by<own_strategy, S>(all_cases{});
        EXPECT_EQ(shown, (as_over_double<strategy, scalar_matrix::is_descent<Solver>>(all_cases{})));
        auto got = run_strategy<own_strategy, R>(shown, false, step);
        auto const reference = plain_runs<plain>::judged(number_of_strategy<Solver>, shown, step);
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (got[i].marks.empty() || !judge(reference[i], reference[i], expected<Solver>, 1e-12).empty()) continue;  // few iterations are not enough, whatever the scalar
            if (got[i].moving_normal) got[i].marks = reference[i].marks;  // at rest the error is 0, and has no direction: they fall freely for a step
            std::string const why = judge(got[i], reference[i], expected<Solver>, rounding);
            if (!why.empty()) ADD_FAILURE() << (i % 2 == 0 ? "held: " : "overloaded: ") << why;
        }
    });
}

}  // namespace sinew_test
