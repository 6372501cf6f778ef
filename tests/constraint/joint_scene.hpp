#pragma once
// What the tests of joints that leave an axis free share: two bodies and what may move one of them.

#include <constraint/conformance_case.hpp>

namespace joint_scene {

using namespace sinew;
using namespace sinew_test;

using V = vec3<double>;
using body = pose<double>;

/// Two bodies anywhere, and a joint between them: where, and along which axis (world).
struct scene {
    body a, b;
    V anchor, axis;
    explicit scene(std::uint64_t seed) {
        splitmix64 random{seed};
        a = random_pose<rigid, quaternion<double>>(random, 1.0);
        b = random_pose<rigid, quaternion<double>>(random, 1.0);
        anchor = random_vector(random, 1.0);
        axis = random_direction<double>(random);
    }
    // Body b in motion about a world axis through the anchor, and along a direction.
    twist<double> turning(V const& about) const { return {cross(about, b.position - anchor), about}; }
    body turned_b(V const& theta) const {
        auto const turn = quaternion_exp(theta);
        return {anchor + rotate(turn, b.position - anchor), turn * b.rotation};
    }
    body moved_b(V const& by) const { return {b.position + by, b.rotation}; }
};

}  // namespace joint_scene
