#pragma once
// Scenes for tests of the strategies that solve all constraints together: chains, trees, loops.

#include <sinew/sinew.hpp>
#include <sinew/solver/lagrange_impulses.hpp>
#include <sinew/solver/lagrange_multipliers.hpp>

#include <random>
#include <vector>

namespace sinew_test {

using namespace sinew;

template <class Solver, class S = double, class Integrator = symplectic_euler, template <class> class R = quaternion>
struct direct_config : default_config {
    using scalar = S;
    using integrator = Integrator;
    using solver = Solver;
    template <class T>
    using rotation = R<T>;
};

template <class World>
auto add_box(World& w, vec3<double> const& at, double mass = 1, vec3<double> const& size = {0.5, 0.1, 0.1}) {
    using S = typename World::scalar_type;
    auto const v = [](vec3<double> const& x) { return vec3<S>{S(x[0]), S(x[1]), S(x[2])}; };
    auto const shape = solid_box(S(mass), v(size));
    typename World::body_type b;
    b.mass = shape.mass;
    b.inertia = shape.inertia;
    b.pose.position = v(at);
    return w.add(b);
}
template <class World>
void join(World& w, typename World::body_handle const& a, typename World::body_handle const& b, vec3<double> const& at) {
    using S = typename World::scalar_type;
    w.add(ball_joint<S>::at(w.pose(a), w.pose(b), vec3<S>{S(at[0]), S(at[1]), S(at[2])}), a, b);
}

// n boxes of 0.5 m in a row along x from the ground, by ball joints.
template <class World>
auto add_chain(World& w, int n, double last_mass = 1) {
    std::vector<typename World::body_handle> links;
    for (int i = 0; i < n; ++i) {
        links.push_back(add_box(w, {0.25 + 0.5 * i, 0, 0}, i + 1 < n ? 1 : last_mass));
        join(w, i == 0 ? w.ground() : links[static_cast<std::size_t>(i) - 1], links.back(), {0.5 * i, 0, 0});
    }
    return links;
}
// A binary tree of n boxes by ball joints: the children of i are 2 i + 1 and 2 i + 2.
template <class World>
auto add_tree(World& w, int n) {
    std::vector<typename World::body_handle> links;
    std::vector<vec3<double>> ends;
    for (int i = 0; i < n; ++i) {
        auto const parent = static_cast<std::size_t>((i - 1) / 2);
        vec3<double> const from = i == 0 ? vec3<double>{0, 0, 0} : ends[parent];
        links.push_back(add_box(w, from + vec3<double>{0.25, 0, i == 0 ? 0.0 : i % 2 == 1 ? 0.1 : -0.1}));
        join(w, i == 0 ? w.ground() : links[parent], links.back(), from);
        ends.push_back(from + vec3<double>{0.5, 0, i == 0 ? 0.0 : i % 2 == 1 ? 0.2 : -0.2});
    }
    return links;
}
// A random tree by ball joints and hinges, and `loops` ball joints more between any two of its bodies.
template <class World>
auto add_random_tree(World& w, unsigned seed, int n, int loops) {
    using S = typename World::scalar_type;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> u(-1, 1);
    auto const place = [&] { return vec3<S>{S(u(random)), S(u(random)), S(u(random))}; };
    auto const one_of = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
    std::vector<typename World::body_handle> bodies;
    for (int i = 0; i < n; ++i) {
        bodies.push_back(add_box(w, {3 * u(random), 3 * u(random), 3 * u(random)}, 1.5 + u(random), {1, 0.5, 0.3}));
        auto const a = i == 0 ? w.ground() : bodies[one_of(bodies.size() - 1)], b = bodies.back();
        if (random() % 2 == 0)
            w.add(ball_joint<S>::at(w.pose(a), w.pose(b), place()), a, b);
        else
            w.add(hinge_joint<S>::at(w.pose(a), w.pose(b), place(), place() + vec3<S>{S(0), S(0), S(2)}), a, b);
    }
    for (int i = 0; i < loops; ++i) {
        auto const a = bodies[one_of(bodies.size())], b = bodies[one_of(bodies.size())];
        if (!(a == b)) w.add(ball_joint<S>::at(w.pose(a), w.pose(b), place()), a, b);
    }
    return bodies;
}
// Any legal or illegal velocities, so that J_dot v and feedback take part.
template <class World>
void stir(World& w, unsigned seed) {
    using S = typename World::scalar_type;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> u(-1, 1);
    w.for_each_body([&](auto h) {
        w.set_twist(h, {{S(u(random)), S(u(random)), S(u(random))}, {S(u(random)), S(u(random)), S(u(random))}});
    });
}

// Velocities of all bodies one after the other.
template <class World>
std::vector<double> velocities(World const& w) {
    std::vector<double> v;
    w.for_each_body([&](auto h) {
        auto const t = w.twist(h);
        for (std::size_t k = 0; k < 3; ++k) v.push_back(static_cast<double>(t.linear[k]));
        for (std::size_t k = 0; k < 3; ++k) v.push_back(static_cast<double>(t.angular[k]));
    });
    return v;
}
inline double largest(std::vector<double> const& a) {
    double worst = 0;
    for (double x : a) worst = std::max(worst, std::abs(x));
    return worst;
}
inline double largest_difference(std::vector<double> const& a, std::vector<double> const& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
}

}  // namespace sinew_test
