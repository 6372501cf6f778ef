// expect: more places are given than there are attachments
#include <sinew/constraint/on_link.hpp>
#include <sinew/constraint/point_to_point.hpp>

#if defined(SINEW_CONTROL)
sinew::on_link<double, sinew::ball_joint, sinew::as_bound, sinew::as_bound> const c{};
#else
sinew::on_link<double, sinew::ball_joint, sinew::as_bound, sinew::as_bound, sinew::as_bound> const c{};
#endif

int main() {}
