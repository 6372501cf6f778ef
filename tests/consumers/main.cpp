// What a user of sinew writes, for each of the ways to adopt it: a constraint of their own, and a pendulum that keeps to it.

#if defined(CONSUMER_HAS_ONE_FILE)
#include "sinew.hpp"
#else
#include <sinew/sinew.hpp>
#endif

#include <cstdio>

template <sinew::scalar S>
struct my_rod {
    static constexpr std::size_t rows = 1;
    sinew::vec3<S> anchor_a, anchor_b;  // body frames, metres
    S length;                           // metres
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.point(anchor_a) - b.point(anchor_b)) - length; }
};

int main() {
    sinew::world<sinew::default_config, my_rod> world;
    sinew::rigid_body<float> bob;
    bob.pose.position = {2, 0, 0};
    auto const handle = world.add(bob);
    world.add(my_rod<float>{{0, 0, 0}, {0, 0, 0}, 2}, world.ground(), handle);
    for (int i = 0; i < 60; ++i) world.step(1.0f / 60);

    float const length = norm(world.position(handle));
    bool const good = length > 1.99f && length < 2.01f && world.position(handle).y() < -1 && sinew::arithmetic_is_as_written();
    std::printf("sinew %d.%d.%d: after a second the rod of 2 m is %g m long: %s\n", SINEW_VERSION_MAJOR, SINEW_VERSION_MINOR,
                SINEW_VERSION_PATCH, static_cast<double>(length), good ? "good" : "wrong");
    return good ? 0 : 1;
}
