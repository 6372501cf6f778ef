// A robot on two wheels is to stand where it is, though it is shoved. With what gains? Eight robots try, each with its own, as one world whose scalar has
// eight lanes: a step of it is a step of all. Where one has fallen, or stood to the end, its lane begins again with the next gains while the others go on.
// Writes 23_eight_robots.html.
//
// The gains are found by the cross-entropy method (Rubinstein 1999): try many around a guess; the best of them tell the mean and the spread of the next guess.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

template <class S>
struct config : sinew::default_config {
    using scalar = S;
};
template <class S>
using gains = std::array<S, 4>;  // N m by lean, 1/s, m and m/s

constexpr float rate = 1.0f / 60, trial = 6;  // s

// The robot, over one number or over many at once: what depends on numbers is chosen by select, min and max.
template <class S>
struct robot {
    sinew::world<config<S>, sinew::half_space, sinew::sphere, sinew::hinge_joint> world;
    sinew::handle<sinew::rigid> body{}, wheels[2]{};

    robot() {
        S const zero(0), radius(0.1f);
        world.add(sinew::half_space<S>{}, world.ground());
        body = world.add(rigid_body_of(sinew::solid_box(S(2), sinew::vec3<S>{S(0.1f), S(0.6f), S(0.2f)}), sinew::pose<S>{{zero, S(0.35f), zero}, {}}));
        for (int i = 0; i < 2; ++i) {
            sinew::vec3<S> const at{zero, radius, S(i == 0 ? 0.2f : -0.2f)};
            // In lanes bodies meet half spaces alone; the filter says so of a single world too.
            wheels[i] = world.add_solid(sinew::sphere<S>{radius}, S(200), {at, {}}, {.material = sinew::material<S>::of(S(0.9f)), .filter = {.category = 2, .mask = 1}});
            world.add(sinew::hinge_joint<S>::at(world.pose(body), world.pose(wheels[i]), at, {zero, zero, S(1)}), body, wheels[i]);
        }
    }
    S lean() const { return world.pose(body).direction(sinew::vec3<S>{S(0), S(1), S(0)}).x(); }
    S place() const { return world.position(body).x(); }
    // Of both motors, within their limit (N m).
    S torque(gains<S> const& k) const {
        using sinew::max, sinew::min;
        auto const& t = world.twist(body);
        return min(max(k[0] * lean() - k[1] * t.angular.z() + k[2] * place() + k[3] * t.linear.x(), S(-8)), S(8));
    }
    // On the top of the body, for a tenth of a second each (N).
    S shove() const {
        using sinew::select;
        S const t = world.time();
        auto const from = [&](float start) { return t >= S(start) && t < S(start + 0.1f); };
        return select(from(1), S(9), select(from(2.5f), S(-12), select(from(4), S(15), S(0))));
    }
    bool step(gains<S> const& k) {
        S const zero(0), t = torque(k);
        world.apply_force(body, {shove(), zero, zero}, world.pose(body).point(sinew::vec3<S>{zero, S(0.3f), zero}));
        world.apply_wrench(body, {{}, {zero, zero, t}});
        for (auto const& w : wheels) world.apply_wrench(w, {{}, {zero, zero, t * S(-0.5f)}});
        return static_cast<bool>(world.step(S(rate)));
    }
    auto has_fallen() const {
        using sinew::abs;
        return abs(lean()) > S(0.7f);
    }
    // Of a second that it leans, and is elsewhere.
    S cost() const { return lean() * lean() + place() * place(); }
};

// Gains, and what they cost: 10 for a second that the robot does not stand.
struct attempt {
    gains<float> k{};
    float cost = 0;
};
float whole_cost(float cost, float time) { return cost + 10 * (trial - time); }

// Tries all, eight at a time, and counts the steps.
int run(std::vector<attempt>& attempts) {
    using lanes = sinew::batch<float, 8>;
    robot<lanes> robots;
    auto const start = robots.world.save();
    gains<lanes> k{};
    lanes cost(0);
    std::size_t of_lane[8], begun = 0, ended = 0;
    auto const begin = [&](std::size_t lane) {
        of_lane[lane] = begun++;
        cost[lane] = 0;
        for (std::size_t i = 0; i < 4; ++i) k[i][lane] = of_lane[lane] < attempts.size() ? attempts[of_lane[lane]].k[i] : 0;
    };
    for (std::size_t lane = 0; lane < 8; ++lane) begin(lane);
    int steps = 0;
    for (; ended < attempts.size(); ++steps) {
        if (!robots.step(k)) std::abort();
        cost = cost + robots.cost() * lanes(rate);
        lanes const time = robots.world.time();
        auto const over = robots.has_fallen() || time >= lanes(trial);
        for (std::size_t lane = 0; lane < 8; ++lane) {
            if (!over[lane]) continue;
            if (of_lane[lane] < attempts.size()) {
                attempts[of_lane[lane]].cost = whole_cost(cost[lane], time[lane]);
                ++ended;
            }
            begin(lane);
        }
        if (any(over)) robots.world.restore(start, over);
    }
    return steps;
}

int main() {
    constexpr std::size_t tried = 96, best = 12;
    std::mt19937 engine(1);
    std::array<float, 4> mean{}, spread{30, 10, 10, 10};
    std::vector<attempt> attempts(tried);
    double seconds = 0;
    int steps = 0;
    for (int generation = 0; generation < 12; ++generation) {
        for (auto& a : attempts)
            for (std::size_t i = 0; i < 4; ++i) {
                // A sum of twelve numbers from 0 to 1 is nearly normal, and the same with every standard library.
                float x = -6;
                for (int n = 0; n < 12; ++n) x += static_cast<float>(engine() >> 8) / 16777216.0f;
                a.k[i] = mean[i] + spread[i] * x;
            }
        auto const start = std::chrono::steady_clock::now();
        steps += run(attempts);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        std::sort(attempts.begin(), attempts.end(), [](attempt const& a, attempt const& b) { return a.cost < b.cost; });
        for (std::size_t i = 0; i < 4; ++i) {
            float sum = 0, squares = 0;
            for (std::size_t n = 0; n < best; ++n) sum += attempts[n].k[i];
            mean[i] = sum / best;
            for (std::size_t n = 0; n < best; ++n) squares += (attempts[n].k[i] - mean[i]) * (attempts[n].k[i] - mean[i]);
            spread[i] = std::sqrt(squares / best) + 0.2f;
        }
        auto const standing = std::count_if(attempts.begin(), attempts.end(), [](attempt const& a) { return a.cost < 10; });
        std::printf("%2d: %2d of %zu stand; the best costs %.3f, by %.1f %.1f %.1f %.1f\n", generation + 1, static_cast<int>(standing), tried, static_cast<double>(attempts[0].cost),
                    static_cast<double>(attempts[0].k[0]), static_cast<double>(attempts[0].k[1]), static_cast<double>(attempts[0].k[2]), static_cast<double>(attempts[0].k[3]));
    }
    std::printf("%d steps of eight robots in %.2f s\n", steps, seconds);

    // One robot alone has the bits that it had in its lane, so what is shown is what was tried.
    attempt const& found = attempts[0];
    robot<float> shown;
    sinew::recorder page("A robot that is shoved");
    auto const shapes = page.add_colliders(shown.world);
    auto const body = page.add_box({0.05, 0.3, 0.1}, "#8fa8bf");
    page.camera(0.5, 0.15);
    float cost = 0;
    while (shown.world.time() < trial) {
        page.frame(shown.world.time());
        page.show(shown.world, shapes);
        page.pose(body, shown.world.pose(shown.body));
        page.plot("lean", "sine", shown.lean());
        page.plot("place [m]", "robot", shown.place());
        page.plot("torque [N m]", "motors", shown.torque(found.k));
        page.plot("shove [N]", "shove", shown.shove());
        if (!shown.step(found.k)) std::abort();
        cost = cost + shown.cost() * rate;
    }
    page.write("23_eight_robots.html");
    std::printf("the best, alone, costs %s\n", whole_cost(cost, shown.world.time()) == found.cost ? "the same to the last bit" : "something else");
    return whole_cost(cost, shown.world.time()) == found.cost ? 0 : 1;
}
