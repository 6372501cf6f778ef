#pragma once
// Every strategy under every constraint: what a run of one pair is judged by. No templates, so that the judging is compiled once.
//
// An exhibit is a constraint in its own group of bodies, at rest where the constraint holds, under constant loads of which one lies
// against its first row. Each constraint has two: in the first, the load is held; in the second, it pulls an inequality open, or is
// more than a bounded row can hold.

#include <array>
#include <string>
#include <vector>

namespace sinew_test {

/// What is known of one row after the last step.
struct row_outcome {
    double value;   ///< error (m, rad), or rate of a velocity-level row
    double lambda;  ///< N, N m
    double lower, upper;
    bool hard;
    double mobility = 0;  ///< J M^-1 J^T, 1/kg
};
/// What is known of one exhibit after the last step.
struct outcome {
    char const* name = "";
    bool holonomic = true, moving_normal = false;
    bool soft_rates = false;  ///< soft at velocity level: a friction that depends on the length of the step
    bool loaded = true;  ///< the constraint has to bear the load
    double borne = 0;    ///< largest |lambda| in the last steps, N, N m
    double fall = 0;     ///< how far row 0 would give way in one step if nothing held it, a h^2 (m, rad)
    double asked = 0;    ///< largest |rate| of velocity-level rows at the start: what is asked of them, m/s, rad/s
    std::vector<row_outcome> rows{};
    std::vector<std::array<double, 3>> marks{};  ///< where a point of each body is, m
};
/// How good a strategy has to be.
struct expectation {
    char const* name;
    double position;   ///< |c| of hard rows, m, rad
    double rate;       ///< |c_dot| of hard velocity-level rows, m/s, rad/s
    double agreement;  ///< of the bodies' places with those under the reference, m
    double falls = 0;  ///< of inequalities beside: how many steps of free fall may pass before a row that has opened is closed again
    double lag = 0;    ///< of velocity-level rows beside: k_d, 1/s, if a wanted speed comes as 1 - exp(-k_d t), or as a clutch that slips; 0: at once
    bool substeps = false;  ///< more than one by default
    double penalty = 0;     ///< of hard rows: by how much their stiffness exceeds what the step resolves. A sweep by sweep descent leaves roundings that much larger in
                            ///< the motion along stiff rows, in every step: after n steps n^2 / 2 of them
};

inline constexpr int matrix_steps = 40;
inline constexpr double matrix_step = 1.0 / 240, matrix_time = matrix_steps * matrix_step;

/// Why an outcome is wrong; empty if it is right. `rounding`: of the scalar, in m of a scene of about 1 m.
std::string judge(outcome const& got, outcome const& reference, expectation const& expected, double rounding);

}  // namespace sinew_test
