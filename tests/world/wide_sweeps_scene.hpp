#pragma once
// What the tests of wide sweeps share: boxes, an executor, other settings, and the bits of a world.

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

// Packs from the last to the first.
struct backwards {
    template <class F>
    void for_each(std::size_t count, F&& f) const {
        while (count-- > 0) f(count);
    }
};
// One pack is one piece of work, so that an executor has something to choose; and, if that is wanted, settings that are not those at the start.
template <class W>
void tune(W& w, bool with_other_settings) {
    w.solver.sweeps.grain = 1;
    if (!with_other_settings) return;
    w.solver.relaxing_iterations = 0;
    w.solver.warm_start = 0.8f;
    w.solver.feedback = position_feedback::baumgarte;
}

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

template <class W>
std::vector<unsigned char> bits_after(W& w, int steps) {
    using S = typename W::scalar_type;
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w.step(static_cast<S>(1.0 / 60))) << i;
    return bits(w);
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
