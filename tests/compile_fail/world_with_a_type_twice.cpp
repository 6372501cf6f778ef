// expect: the world lists one type twice
#include <sinew/sinew.hpp>

sinew::world<sinew::default_config, sinew::ball_joint, sinew::point_to_point> world;
