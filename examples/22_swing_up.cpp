// A pole hangs from a cart. What forces of the cart's motor, 240 of them and none beyond its limit, swing it up and hold it there? Found by
// descent along exact gradients. Writes 22_swing_up.html.
//
// The scene is written over its scalar. Simulated with dual numbers it yields derivatives; reverse_sweep goes back over the steps with a few of them
// at a time, so that the gradient costs the same however many forces there are. Forward, 240 derivatives would be carried through every step.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <deque>
#include <span>
#include <vector>

template <class S>
struct config : sinew::default_config {
    using scalar = S;
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};

constexpr std::size_t steps = 240, last = 60;  // of 1/60 s; in the last ones the pole is to stand
constexpr double limit = 12;                   // N

template <class S>
struct swing_up {
    sinew::world<config<S>, sinew::hinge_joint, sinew::slider_joint> world;
    sinew::handle<sinew::rigid> cart{}, pole{};

    void build(std::span<S const>) {
        cart = world.add(rigid_body_of(sinew::solid_box(S(1), sinew::vec3<S>{S(0.4), S(0.2), S(0.2)}), sinew::pose<S>{}));  // kg, m
        pole = world.add(rigid_body_of(sinew::solid_box(S(0.5), sinew::vec3<S>{S(0.05), S(1), S(0.05)}), sinew::pose<S>{{S(0), S(-0.5), S(0)}, {}}));
        world.add(sinew::slider_joint<S>::at(world.pose(world.ground()), world.pose(cart), {}, {S(1), S(0), S(0)}), world.ground(), cart);
        world.add(sinew::hinge_joint<S>::at(world.pose(cart), world.pose(pole), {}, {S(0), S(0), S(1)}), cart, pole);
    }
    // Any number asks for a force within the limit.
    static S force(std::span<S const> control) {
        using sinew::sin;
        return S(limit) * sin(control[0]);
    }
    bool step(std::size_t, std::span<S const> control) {
        world.apply_wrench(cart, {{force(control), S(0), S(0)}, {}});
        return static_cast<bool>(world.step(S(1) / S(60)));
    }
    // How far from standing still upright in the middle, and a little for the work of the motor.
    S loss(std::size_t k, std::span<S const> control) const {
        auto const square = [](S const& x) { return x * x; };
        S const work = S(1e-6) * square(force(control));
        if (k < steps - last) return work;
        auto const at = world.position(cart), middle = world.position(pole);
        return work + (S(4) * square(middle.y() - S(0.5)) + S(0.02) * square(world.twist(pole).angular.z()) + S(0.2) * square(at.x())) * S(1.0 / last);
    }
};

using numbers = std::vector<double>;
double dot(numbers const& a, numbers const& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// Limited-memory BFGS (Nocedal and Wright 2006, algorithm 7.4): the last changes of x and of the gradient stand for the curvature.
struct descent {
    struct change {
        numbers s, y;
    };
    std::deque<change> memory;

    numbers direction(numbers g) const {
        std::vector<double> a(memory.size());
        for (std::size_t i = memory.size(); i-- > 0;) {
            auto const& [s, y] = memory[i];
            a[i] = dot(s, g) / dot(s, y);
            for (std::size_t k = 0; k < g.size(); ++k) g[k] -= a[i] * y[k];
        }
        double const scale = memory.empty() ? 1 : dot(memory.back().s, memory.back().y) / dot(memory.back().y, memory.back().y);
        for (double& x : g) x *= scale;
        for (std::size_t i = 0; i < memory.size(); ++i) {
            auto const& [s, y] = memory[i];
            double const b = dot(y, g) / dot(s, y);
            for (std::size_t k = 0; k < g.size(); ++k) g[k] += (a[i] - b) * s[k];
        }
        for (double& x : g) x = -x;
        return g;
    }
    void learn(numbers s, numbers y) {
        if (!(dot(s, y) > 1e-12 * dot(y, y))) return;
        memory.push_back({std::move(s), std::move(y)});
        if (memory.size() > 20) memory.pop_front();
    }
};

int main() {
    sinew::reverse_sweep<swing_up> sweep;
    numbers x(steps), g(x.size());
    // To hang still is a summit between swinging left and right, with a gradient of 0: it begins with a little swing.
    for (std::size_t k = 0; k < steps; ++k) x[k] = 0.3 * std::sin(4.0 / 60 * static_cast<double>(k));
    int sweeps = 0;
    auto const gradient = [&](numbers const& at, numbers& by) {
        ++sweeps;
        auto const report = sweep({}, at, steps, {}, by);
        return report ? report.loss : HUGE_VAL;
    };
    auto const start = std::chrono::steady_clock::now();
    double loss = gradient(x, g);
    std::printf("%zu forces, loss at first %.4f\n", x.size(), loss);
    descent d;
    for (int i = 0; i < 80 && loss > 0.02; ++i) {
        numbers p = d.direction(g);
        double slope = dot(p, g);
        if (!(slope < 0)) {
            d.memory.clear();
            p = d.direction(g);
            slope = dot(p, g);
        }
        double largest = 0;
        for (double const v : p) largest = std::max(largest, std::abs(v));
        numbers next(x.size()), next_g(x.size());
        double next_loss = 0;
        double t = std::min(1.0, 1 / largest);
        for (int tries = 0; tries < 20; ++tries, t /= 3) {
            for (std::size_t k = 0; k < x.size(); ++k) next[k] = x[k] + t * p[k];
            next_loss = gradient(next, next_g);
            if (next_loss < loss + 1e-4 * t * slope) break;
        }
        if (!(next_loss < loss)) {  // what was learnt of the curvature does not hold here
            if (d.memory.empty()) break;
            d.memory.clear();
            continue;
        }
        numbers s(x.size()), y(x.size());
        for (std::size_t k = 0; k < x.size(); ++k) s[k] = next[k] - x[k], y[k] = next_g[k] - g[k];
        d.learn(s, y);
        x = next;
        g = next_g;
        loss = next_loss;
        if (i % 10 == 9) std::printf("after %3d sweeps %.4f\n", sweeps, loss);
    }
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("%d gradients by %zu forces, %.0f ms each\n", sweeps, x.size(), seconds * 1e3 / sweeps);

    sinew::recorder page("A pole is swung up");
    auto const cart = page.add_box({0.2, 0.1, 0.1}), pole = page.add_box({0.025, 0.5, 0.025});
    page.camera(0, 0);
    swing_up<double> found;
    found.build({});
    double lowest = 1;
    for (std::size_t k = 0; k < steps; ++k) {
        std::span<double const> const control(x.data() + k, 1);
        found.step(k, control);
        page.frame(found.world.time());
        page.pose(cart, found.world.pose(found.cart));
        page.pose(pole, found.world.pose(found.pole));
        double const height = found.world.pose(found.pole).point(sinew::vec3<double>{0, -0.5, 0}).y();
        page.plot("height of the pole's end [m]", "end", height);
        page.plot("force [N]", "motor", found.force(control));
        page.plot("place of the cart [m]", "cart", found.world.position(found.cart).x());
        if (k >= steps - last) lowest = std::min(lowest, height);
    }
    std::printf("in the last second the pole's end is never below %.3f m of 1\n", lowest);
    page.write("22_swing_up.html");
}
