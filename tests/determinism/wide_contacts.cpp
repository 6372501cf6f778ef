// Contacts, with joints among them, taken several at a time: the same bits with one, four and eight lanes.

#include <determinism/scene.hpp>

#include <sinew/solver/wide_sequential_impulses.hpp>

namespace determinism {
namespace {

// From the last piece of work to the first.
struct backwards {
    template <class F>
    void for_each(std::size_t count, F&& f) const {
        while (count-- > 0) f(count);
    }
};

// A pyramid that a ball hits, whose lowest row is joined in pairs; and a door of two leaves that a capsule falls on.
template <class World>
void build_pyramid(World& w) {
    using S = typename World::scalar_type;
    using V = vec3<S>;
    using P = typename World::pose_type;
    auto const at = [](double x, double y, double z) { return V{S(x), S(y), S(z)}; };
    w.solver.sweeps.grain = 1;
    w.add(half_space<S>{}, w.ground());
    handle<rigid> previous{};
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3 - y; ++x) {
            V const middle = at(0.62 * x + 0.31 * y, 0.2 + 0.4 * y, 0.01 * x);
            auto const brick = w.add_solid(box<S>{at(0.3, 0.2, 0.25)}, S(600), P{middle}, {.material = material<S>::of(S(0.6), S(0.1 * x))});
            if (y == 0 && x % 2 == 1) w.add(ball_joint<S>::at(w.pose(previous), w.pose(brick), middle - at(0.31, 0, 0)), previous, brick);
            previous = brick;
        }
    w.add_solid(sphere<S>{S(0.2)}, S(2000), P{at(-2, 1, 0.05)}, {.material = material<S>::of(S(0.4), S(0.5))}, twist<S>{at(5, 1, 0), at(0, 1, 0)});
    auto last = w.ground();
    for (int i = 0; i < 2; ++i) {
        V const middle = at(4 + 0.8 * i, 0.5, 0);
        auto const leaf = w.add_solid(box<S>{at(0.38, 0.3, 0.05)}, S(400), P{middle});
        w.add(hinge_joint<S>::at(w.pose(last), w.pose(leaf), middle - at(0.4, 0, 0), at(0, 1, 0)), last, leaf);
        last = leaf;
    }
    w.add_solid(capsule<S>{S(0.1), S(0.3)}, S(700), P{at(4.7, 1.2, 0.03), quaternion_exp(at(0.9, 0.2, 0.3))});
}

template <class Solver, class S>
[[nodiscard]] hashes pyramid_after(int steps) {
    world<config<Solver, S>, ball_joint, hinge_joint, box, sphere, capsule, half_space> w;
    build_pyramid(w);
    return hashes_of("pyramid", w, steps, [&] { return bool(w.step(S(1) / S(60))); });
}
// What the lanes find is compared here, so that one line stands for all.
template <class S, std::size_t... Lanes>
void pyramid(char const* name) {
    auto const one = pyramid_after<wide_sequential_impulses<1>, S>(100);
    for (auto const& other : {pyramid_after<wide_sequential_impulses<Lanes, backwards>, S>(100)...}) expect_same(name, one, other);
    print(name, one);
}

void wide_contacts() {
    pyramid<float, 4, 8>("wide_sequential_impulses<1|4|8>,float,pyramid");
    pyramid<double, 4>("wide_sequential_impulses<1|4>,double,pyramid");
}

scene_file const file_of_wide_contacts("wide_contacts", wide_contacts);

}  // namespace
}  // namespace determinism
