#pragma once
// What the tests of wide sweeps share: boxes, and the bits of a world.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

namespace wide_sweeps_scene {

using namespace sinew;

template <class S, class Solver>
struct config : default_config {
    using scalar = S;
    using solver = Solver;
};

// The bits of all bodies, particles and multipliers.
template <class W>
std::vector<unsigned char> bits(W const& w) {
    std::vector<unsigned char> r;
    auto const put = [&](auto const& x) {
        unsigned char bytes[sizeof(x)];
        std::memcpy(bytes, &x, sizeof(x));
        r.insert(r.end(), bytes, bytes + sizeof(x));
    };
    w.for_each_body([&](auto h) {
        put(w.pose(h));
        put(w.twist(h));
    });
    w.for_each_particle([&](auto h) {
        put(w.position(h));
        put(w.velocity(h));
    });
    return r;
}

template <class S>
S of(auto x) {
    return static_cast<S>(x);
}
template <class W>
auto add_box(W& w, vec3<typename W::scalar_type> const& at, double mass = 1) {
    using S = typename W::scalar_type;
    auto b = rigid_body_of(solid_box(of<S>(mass), vec3<S>{of<S>(0.5), of<S>(0.2), of<S>(0.3)}), typename W::pose_type{at, {}});
    b.twist.angular = {of<S>(0.1), of<S>(0.3) * at[2], of<S>(-0.2)};
    return w.add(b);
}

}  // namespace wide_sweeps_scene
