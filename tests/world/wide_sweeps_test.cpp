// Wide sweeps: whatever the number of lanes and whoever runs the packs, the same bits; and as good as joints taken one by one.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace sinew;

// The README's own constraint, as it stands there.
template <sinew::scalar S>
struct my_rod {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;

    sinew::vec3<S> anchor_a, anchor_b;  // in the bodies' frames, m
    S length;                           // m

    constexpr auto error(auto const& a, auto const& b) const { return norm(a.point(anchor_a) - b.point(anchor_b)) - length; }
};
template <class S>
using soft_ball = soft_joint<S, ball_joint>;
// What branches by its numbers says so, and is left to one lane.
template <sinew::scalar S>
struct branching_rope {
    static constexpr std::size_t rows = 1;
    static constexpr bool in_lanes = false;
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;
    S length;

    constexpr auto error(auto const& a, auto const& b) const {
        auto const apart = norm(a.position - b.position);
        if (value(apart) < S(0.1f)) return apart * S(0) + length;
        return length - apart;
    }
    constexpr auto limits() const { return pushing<S, 1>(); }
};

static_assert(goes_in_lanes_v<my_rod<float>, batch<float, 8>> && goes_in_lanes_v<soft_ball<double>, batch<double, 4>> && goes_in_lanes_v<gear<float>, batch<float, 4>>);
static_assert(std::same_as<in_lanes_t<soft_ball<float>, batch<float, 8>>, soft_ball<batch<float, 8>>>);
static_assert(!goes_in_lanes_v<branching_rope<float>, batch<float, 8>>);

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
// A thread for each piece.
struct thread_each {
    template <class F>
    void for_each(std::size_t count, F&& f) const {
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&f, i] { f(i); });
        for (auto& t : threads) t.join();
    }
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
S of(double x) {
    return static_cast<S>(x);
}
template <class W>
auto add_box(W& w, vec3<typename W::scalar_type> const& at, double mass = 1) {
    using S = typename W::scalar_type;
    auto b = rigid_body_of(solid_box(of<S>(mass), vec3<S>{of<S>(0.5), of<S>(0.2), of<S>(0.3)}), typename W::pose_type{at, {}});
    b.twist.angular = {of<S>(0.1), of<S>(0.3) * at[2], of<S>(-0.2)};
    return w.add(b);
}

// Eleven machines of every kind of row side by side: equalities, bounds, springs, motors, gears with other teeth, particles, what is carried, normals that turn.
template <class S, class Solver>
using fair = world<config<S, Solver>, ball_joint, hinge_joint, my_rod, powered_axis, rope, soft_ball, particle_body_distance, gear, scalar_point_to_point, angle_limit, branching_rope>;

template <class W>
void build_fair(W& w) {
    using S = typename W::scalar_type;
    auto const carried = w.add_fixed(typename W::pose_type{{S(0), S(2), S(0)}, {}}, twist<S>{{S(0), S(0), of<S>(0.5)}, {S(0), S(1), S(0)}});
    for (int m = 0; m < 11; ++m) {
        S const z = of<S>(2 * m), x = of<S>(0.5);
        double const k = 1 + 0.2 * m;
        std::vector<handle<rigid>> b;
        for (int i = 0; i < 6; ++i) b.push_back(add_box(w, {of<S>(i) * x + x / 2, S(0), z}, i % 2 == 1 ? k : 1));
        w.add(ball_joint<S>::at(w.pose(w.ground()), w.pose(b[0]), {S(0), S(0), z}), w.ground(), b[0]);
        w.add(hinge_joint<S>::at(w.pose(b[0]), w.pose(b[1]), {x, S(0), z}, {S(0), S(0), S(1)}), b[0], b[1]);
        w.add(angle_limit<S>::at(w.pose(b[0]), w.pose(b[1]), {S(0), S(0), S(1)}, of<S>(-0.1 * k), of<S>(0.2 * k)), b[0], b[1]);
        w.add(ball_joint<S>::at(w.pose(b[1]), w.pose(b[2]), {2 * x, S(0), z}), b[1], b[2]);
        w.add(my_rod<S>{{x / 2, S(0), S(0)}, {-x / 2, S(0), S(0)}, of<S>(0)}, b[2], b[3]);
        w.add(hinge_joint<S>::at(w.pose(b[3]), w.pose(b[4]), {4 * x, S(0), z}, {S(1), S(0), S(0)}), b[3], b[4]);
        w.add(powered_axis<S>::at(w.pose(b[3]), w.pose(b[4]), {S(1), S(0), S(0)}, of<S>(m - 3), of<S>(0.4)), b[3], b[4]);
        w.add(soft_ball<S>::with(ball_joint<S>::at(w.pose(b[4]), w.pose(b[5]), {5 * x, S(0), z}), of<S>(1e-4 * k), of<S>(2)), b[4], b[5]);
        w.add(rope<S>{{}, {}, of<S>(1.4 + 0.05 * m)}, b[0], b[5]);
        w.add(gear<S>::at(w.pose(b[1]), w.pose(b[4]), w.pose(b[2]), {S(0), S(0), S(1)}, {S(1), S(0), S(0)}, m % 3 == 0 ? 2 : 3, 5), b[1], b[4], b[2]);
        auto const hung = add_box(w, {S(0), S(2), z}, k);
        w.add(scalar_point_to_point<S>::at(w.pose(carried), w.pose(hung), {S(0), of<S>(2.1), z}), carried, hung);
        w.add(branching_rope<S>{of<S>(0.8)}, b[2], b[5]);
        auto const mote = w.add(particle<S>{of<S>(0.3), w.position(b[3]) - vec3<S>{S(0), S(1), S(0)}, {}});
        w.add(particle_body_distance<S>{{}, {}, S(1)}, mote, b[3]);
    }
}

template <class S, class Solver, class Tune>
std::vector<unsigned char> fair_after(int steps, Tune const& tune) {
    auto const w = std::make_unique<fair<S, Solver>>();
    build_fair(*w);
    tune(*w);
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(w->step(of<S>(1.0 / 60))) << i;
    return bits(*w);
}
inline constexpr auto as_it_is = [](auto&) {};

TEST(wide_sweeps, have_the_bits_of_one_lane) {
    auto const one = fair_after<float, wide_sequential_impulses<1>>(60, as_it_is);
    EXPECT_TRUE((fair_after<float, wide_sequential_impulses<8>>(60, as_it_is)) == one);
    auto const other = [](auto& w) {
        w.solver.substeps = 2;
        w.solver.iterations = 4;
        w.solver.relaxing_iterations = 0;
        w.solver.warm_start = 0.8f;
        w.solver.feedback = position_feedback::baumgarte;
        w.solver.measure_rates = true;
    };
    EXPECT_TRUE((fair_after<float, wide_sequential_impulses<1>>(20, other)) == (fair_after<float, wide_sequential_impulses<8>>(20, other)));
}

TEST(wide_sweeps, have_the_bits_of_one_thread) {
    auto const few = [](auto& w) { w.solver.sweeps.grain = 1; };
    auto const one = fair_after<float, wide_sequential_impulses<4>>(8, as_it_is);
    EXPECT_TRUE((fair_after<float, wide_sequential_impulses<4, backwards>>(8, few)) == one);
}

}  // namespace
