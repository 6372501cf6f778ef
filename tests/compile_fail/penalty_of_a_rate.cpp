// expect: a penalty force is made from a constraint's error
#include <sinew/constraint/knife_edge.hpp>
#include <sinew/constraint/penalty_force.hpp>
#include <sinew/constraint/point_to_point.hpp>

#if defined(SINEW_CONTROL)
using force = sinew::penalty_force<double, sinew::ball_joint>;
#else
using force = sinew::penalty_force<double, sinew::knife_edge>;
#endif

int main() { return static_cast<int>(force{}.stiffness[0]); }
