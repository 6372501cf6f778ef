// The judge of the strategy matrix, and the list of the pairs of strategy and constraint that are refused at compile time.

#include <constraint/cases/all.hpp>
#include <solver/strategy_list.hpp>

#include <sinew/core/type_name.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <set>
#include <sstream>

namespace sinew_test {

std::string judge(outcome const& got, outcome const& reference, expectation const& expected, double rounding) {
    std::ostringstream why;
    // What is missing of the speeds asked for, and of the way.
    double const missing = expected.lag > 0 ? got.asked * std::exp(-expected.lag * matrix_time) : 0, behind = expected.lag > 0 ? got.asked / expected.lag : 0;
    double const at_rest = expected.position + rounding, slow = expected.rate + missing + 100 * rounding, small_force = 0.02;
    for (std::size_t r = 0; r < got.rows.size(); ++r) {
        auto const& row = got.rows[r];
        auto const fails = [&](char const* what) {
            why << "; row " << r << ' ' << what << " (value " << row.value << ", lambda " << row.lambda << " in [" << row.lower << ", " << row.upper << "])";
        };
        if (!std::isfinite(row.value) || !std::isfinite(row.lambda)) {
            fails("is not finite");
            continue;
        }
        bool const bounded_below = std::isfinite(row.lower), bounded_above = std::isfinite(row.upper);
        double const slack = 1e-4 * (1 + std::abs(row.lambda)) + rounding / 16;  // of impulses of half a last place over 1/128 s
        if (row.lambda < row.lower - slack || row.lambda > row.upper + slack) fails("has its multiplier out of its bounds");
        if (!row.hard) continue;
        double const tolerance = got.holonomic ? at_rest + (bounded_below != bounded_above ? expected.falls * got.fall : 0) : slow + (expected.lag > 0 && bounded_above ? row.upper * row.mobility / expected.lag : 0);
        if (!bounded_below && !bounded_above) {
            if (std::abs(row.value) > tolerance) fails("does not hold");
        } else if (bounded_below && bounded_above && row.lower < row.upper) {
            // Held, or as strong as it may be and still not enough.
            bool const at_lower = row.lambda <= row.lower + 0.02 * (row.upper - row.lower), at_upper = row.lambda >= row.upper - 0.02 * (row.upper - row.lower);
            if (row.value > tolerance && !at_lower) fails("gives way below its bound");
            if (row.value < -tolerance && !at_upper) fails("gives way below its bound");
        } else if (bounded_below && !bounded_above) {
            if (row.value < -tolerance) fails("is violated");
            if (row.value > tolerance && row.lambda > row.lower + small_force) fails("pushes although it is open");
        } else if (bounded_above && !bounded_below) {
            if (row.value > tolerance) fails("is violated");
            if (row.value < -tolerance && row.lambda < row.upper - small_force) fails("pushes although it is open");
        }
    }
    if (got.loaded && !got.moving_normal && got.borne < small_force) why << "; bears nothing of its load";
    double apart = 0;
    for (std::size_t i = 0; i < got.marks.size() && !(got.soft_rates && expected.substeps); ++i) {
        double d2 = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            double const d = got.marks[i][k] - reference.marks[i][k];
            d2 += d * d;
        }
        apart = d2 >= 0 ? std::max(apart, std::sqrt(d2)) : std::numeric_limits<double>::infinity();
    }
    double const roundings = expected.penalty * matrix_steps * matrix_steps / 2 * rounding * 3e-3;  // of one in a scene of 3 m
    if (apart > expected.agreement + behind + 10 * rounding + roundings) why << "; is " << apart << " m from where the reference is";
    return why.str().empty() ? std::string() : std::string(got.name) + why.str();
}

}  // namespace sinew_test

namespace {

using namespace sinew;
using namespace sinew_test;

// ---- refused pairs. Two sets of constraints, and which strategies refuse them.

// What acts one way only, or with a bounded force: rows with limits().
std::set<std::string> const bounded{"angle_limit", "cone_limit", "contact_with", "rolling_friction", "joint_friction", "linear_limit_of", "linear_motor_of", "linear_servo_of", "angular_servo", "motor_joint",
                                    "powered_axis", "pulley_between", "rope_between", "swing_twist_limit"};
// Whose Jacobian vanishes where they hold: the norm of an error that is to be 0.
std::set<std::string> const vanishing{"axis_alignment", "scalar_point_to_point_between"};
// Soft at velocity level.
std::set<std::string> const soft_at_velocity_level{"soft_joint<double, knife_edge>"};

struct refusal {
    char const* strategy;
    bool bounds, moving_normals, soft_rates;
};
constexpr refusal refusals[] = {
    {"lagrange_impulses<cholesky>", true, true, false},
    {"lagrange_impulses<sparse_ldlt>", false, true, false},
    {"lagrange_impulses<dantzig>", false, true, false},
    {"lagrange_multipliers<cholesky>", true, true, true},
    {"lagrange_multipliers<ldlt>", true, true, true},
    {"lagrange_multipliers<conjugate_gradient>", true, true, true},
    {"lagrange_multipliers<sparse_ldlt>", false, true, true},
    {"lagrange_multipliers<dantzig>", false, true, true},
};

bool is_expected(std::string const& strategy, std::string const& constraint) {
    std::string const family = constraint.substr(0, constraint.find('<'));
    for (auto const& r : refusals)
        if (strategy == r.strategy)
            return (r.bounds && bounded.contains(family)) || (r.moving_normals && vanishing.contains(family)) || (r.soft_rates && soft_at_velocity_level.contains(constraint));
    return false;
}

template <class Config>
using strategy_in = typename world<Config>::strategy_type;
template <class Solver>
struct plain_config : default_config {
    using scalar = double;
    using solver = Solver;
};

template <class Solver, template <class> class... Cases>
void compare(case_list<Cases...>) {
    using T = strategy_in<plain_config<Solver>>;
    char const* const names[] = {type_name<typename item_of<Cases>::template type<double>>()...};
    bool const honoured[] = {honours_v<T, typename item_of<Cases>::template type<double>, double>...};
    std::cout << "| `" << expected<Solver>.name << "` |";
    std::size_t refused = 0;
    for (std::size_t i = 0; i < sizeof...(Cases); ++i) {
        EXPECT_EQ(!honoured[i], is_expected(expected<Solver>.name, names[i])) << expected<Solver>.name << (honoured[i] ? " honours " : " refuses ") << names[i];
        if (!honoured[i]) std::cout << (refused++ == 0 ? " " : ", ") << names[i];
    }
    std::cout << (refused == 0 ? " none |" : " |") << std::endl;
}
template <class... Solvers>
void compare_all(strategy_list<Solvers...>) {
    (compare<Solvers>(all_cases{}), ...);
}

TEST(strategy_matrix, refuses_the_pairs_of_the_list_and_no_others) {
    std::cout << "| Strategy | refuses |\n| --- | --- |\n";
    compare_all(all_strategies{});
}

// Every row is judged, every way to fail is noticed: on outcomes made up.
TEST(strategy_matrix, judge_finds_what_is_wrong) {
    double const inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    expectation const e{"any", 1e-3, 1e-2, 1e-2};
    auto const with = [](row_outcome const& row) {
        outcome o;
        o.borne = 1;
        o.rows = {row};
        o.marks = {{0, 0, 0}};
        return o;
    };
    outcome const right = with({0, 1, -inf, inf, true});
    EXPECT_EQ(judge(right, right, e, 0), "");
    EXPECT_EQ(judge(with({0.1, 1, -inf, inf, false}), right, e, 0), "") << "a soft row may give way";
    EXPECT_EQ(judge(with({0.1, 0, 0, inf, true}), right, e, 0), "") << "an inequality may be open";
    EXPECT_EQ(judge(with({0.1, -2, -2, 2, true}), right, e, 0), "") << "a bounded row may be too weak";
    for (row_outcome const& wrong : {row_outcome{0.1, 1, -inf, inf, true}, {nan, 1, -inf, inf, true}, {0, nan, -inf, inf, true}, {-0.1, 1, 0, inf, true}, {0.1, -1, -inf, 0, true},
                                     {0, -0.1, 0, inf, true}, {0, 3, -2, 2, true}, {0.1, 1, 0, inf, true}, {0.1, 0, -2, 2, true}, {0.1, 2, -2, 2, true}, {0, inf, -inf, inf, false}})
        EXPECT_NE(judge(with(wrong), right, e, 0), "") << wrong.value << ' ' << wrong.lambda << ' ' << wrong.lower << ' ' << wrong.upper;
    outcome elsewhere = right, nowhere = right, idle = right;
    elsewhere.marks = {{0, 0.1, 0}};
    nowhere.marks = {{0, nan, 0}};
    idle.borne = 0;
    for (outcome const& o : {elsewhere, nowhere, idle}) EXPECT_NE(judge(o, right, e, 0), "");
}

}  // namespace
