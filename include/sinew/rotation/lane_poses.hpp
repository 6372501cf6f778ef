#pragma once
// Poses of two bodies side by side in one, see lane_pairs.hpp.

#include <sinew/math/lane_pairs.hpp>
#include <sinew/rotation/pose.hpp>

namespace sinew::inline v0::detail {

/// Whether a register takes the numbers of two poses whose scalar is S. One's own rotation may have no form over another scalar, or be more than its numbers.
template <class S, class R>
inline constexpr bool has_pose_pairs_v = false;
template <class S, class R>
    requires(has_lane_pairs_v<S> && requires { typename R::template rebind<lane_pair_t<S>>; })
inline constexpr bool has_pose_pairs_v<S, R> =
    sizeof(pose<S, R>) % sizeof(S) == 0 && sizeof(pose<lane_pair_t<S>, typename R::template rebind<lane_pair_t<S>>>) == sizeof(pose<S, R>) / sizeof(S) * sizeof(lane_pair_t<S>) &&
    sizeof(pose<S, R>) == (3 + R::dimension) * sizeof(S);

}  // namespace sinew::inline v0::detail
