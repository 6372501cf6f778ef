// Wide sweeps: whatever the number of lanes and whoever runs the packs, the same bits.

#include "wide_sweeps_scene.hpp"

#include <world/my_rod.hpp>

namespace {

using namespace wide_sweeps_scene;

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
// Two rows of friction under a third that pushes: bounds that depend on the multipliers.
template <sinew::scalar S>
struct skid {
    static constexpr std::size_t rows = 3;
    using attachments = sinew::binds<sinew::rigid>;
    S friction;

    constexpr auto error(auto const& a) const { return a.position; }
    constexpr auto limits(vec<S, 3> const& lambda, auto const&) const {
        S const most = friction * max(lambda[1], S(0));
        return bounds<S, 3>{{-most, S(0), -most}, {most, infinity_v<S>, most}};
    }
};
// A brake with a rule of its own for its multipliers: no longer than `most` (N), in any direction.
template <sinew::scalar S>
struct brake {
    static constexpr std::size_t rows = 2;
    using attachments = sinew::binds<sinew::rigid>;
    S most;

    constexpr auto rate(auto const&, auto const& t) const { return vec{t.linear[0], t.linear[2]}; }
    constexpr auto update(vec<S, 2> const&, vec<S, 2> const& proposed, auto const&) const {
        S const length = norm(proposed);
        auto const is_long = length > most;
        return proposed * select(is_long, most / select(is_long, length, S(1)), S(1));
    }
};

static_assert(goes_in_lanes_v<my_rod<float>, batch<float, 8>> && goes_in_lanes_v<soft_ball<double>, batch<double, 4>> && goes_in_lanes_v<gear<float>, batch<float, 4>>);
static_assert(std::same_as<in_lanes_t<soft_ball<float>, batch<float, 8>>, soft_ball<batch<float, 8>>>);
static_assert(!goes_in_lanes_v<branching_rope<float>, batch<float, 8>>);

// Eleven machines of every kind of row side by side: equalities, bounds, friction, rules of their own, springs, gears with other teeth, particles, what is carried, normals that turn.
template <class S, class Solver>
using fair = world<config<S, Solver>, ball_joint, my_rod, rope, soft_ball, particle_body_distance, gear, scalar_point_to_point, skid, brake, branching_rope>;

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
        for (std::size_t i = 0; i < 2; ++i) w.add(ball_joint<S>::at(w.pose(b[i]), w.pose(b[i + 1]), {of<S>(i + 1) * x, S(0), z}), b[i], b[i + 1]);
        w.add(my_rod<S>{{x / 2, S(0), S(0)}, {-x / 2, S(0), S(0)}, of<S>(0)}, b[2], b[3]);
        w.add(ball_joint<S>::at(w.pose(b[3]), w.pose(b[4]), {4 * x, S(0), z}), b[3], b[4]);
        w.add(soft_ball<S>::with(ball_joint<S>::at(w.pose(b[4]), w.pose(b[5]), {5 * x, S(0), z}), of<S>(1e-4 * k), of<S>(2)), b[4], b[5]);
        w.add(rope<S>{{}, {}, of<S>(1.4 + 0.05 * m)}, b[0], b[5]);
        w.add(gear<S>::at(w.pose(b[1]), w.pose(b[4]), w.pose(b[2]), {S(0), S(0), S(1)}, {S(1), S(0), S(0)}, m % 3 == 0 ? 2 : 3, 5), b[1], b[4], b[2]);
        auto const hung = add_box(w, {S(0), S(2), z}, k);
        w.add(scalar_point_to_point<S>::at(w.pose(carried), w.pose(hung), {S(0), of<S>(2.1), z}), carried, hung);
        w.add(branching_rope<S>{of<S>(0.8)}, b[2], b[5]);
        w.add(skid<S>{of<S>(0.3 * k)}, b[4]);
        w.add(brake<S>{of<S>(0.1 * k)}, b[2]);
        auto const mote = w.add(particle<S>{of<S>(0.3), w.position(b[3]) - vec3<S>{S(0), S(1), S(0)}, {}});
        w.add(particle_body_distance<S>{{}, {}, S(1)}, mote, b[3]);
    }
}

template <class S, class Solver>
std::vector<unsigned char> fair_after(int steps, bool with_other_settings) {
    auto const w = std::make_unique<fair<S, Solver>>();
    build_fair(*w);
    tune(*w, with_other_settings);
    if (with_other_settings) {
        w->solver.substeps = 2;
        w->solver.iterations = 4;
    }
    return bits_after(*w, steps);
}
// Eight lanes against one, and from the last pack to the first against in order.
TEST(wide_sweeps, have_the_bits_of_one_lane_and_one_thread) {
    using one_lane = wide_sequential_impulses<1>;
    using eight_lanes = wide_sequential_impulses<8, backwards>;
    EXPECT_TRUE((fair_after<float, one_lane>(60, false)) == (fair_after<float, eight_lanes>(60, false)));
    EXPECT_TRUE((fair_after<float, one_lane>(20, true)) == (fair_after<float, eight_lanes>(20, true)));
}

// Hinges, universal joints, welds, sliders and cylindrical joints have a form of their own in wide sweeps, and limits and motors another: chains of six.
template <class S, class Solver>
using mechanisms = world<config<S, Solver>, hinge_joint, universal_joint, weld_joint, slider_joint, cylindrical_joint, angle_limit, powered_axis, distance>;
template <class W>
void build_mechanisms(W& w, bool as_chains) {
    using S = typename W::scalar_type;
    vec3<S> const y{S(0), S(1), S(0)}, z{S(0), S(0), S(1)};
    for (int m = 0; m < 11; ++m) {
        vec3<S> const at{S(0), S(0), of<S>(2 * m)}, x{of<S>(0.5), S(0), S(0)}, down{S(0), of<S>(-0.1), S(0)};
        std::vector<handle<rigid>> b{w.ground()};
        for (int i = 0; i < 6; ++i) b.push_back(add_box(w, at + x * (of<S>(i) + S(1) / S(2)), 1 + 0.1 * m * (i % 2)));
        // Where they are no chains, every second joint is left out.
        auto const joined = [&](std::size_t i, auto const& f) {
            if (as_chains || i % 2 == 0) f(b[i], b[i + 1], w.pose(b[i]), w.pose(b[i + 1]), at + x * of<S>(i));
        };
        auto const one_of = [&](std::size_t kind, auto const& a, auto const& c, auto const& pa, auto const& pc, vec3<S> const& p) {
            switch (kind) {
                case 0: w.add(hinge_joint<S>::at(pa, pc, p, y + z * of<S>(0.1 * m)), a, c); break;
                case 1: w.add(universal_joint<S>::at(pa, pc, p, y, z), a, c); break;
                case 2: w.add(weld_joint<S>::at(pa, pc, p + down), a, c); break;
                case 3: w.add(slider_joint<S>::at(pa, pc, p + down, x + y), a, c); break;
                case 4: w.add(cylindrical_joint<S>::at(pa, pc, p, x + z), a, c); break;
                default: w.add(distance<S>::at(pa, pc, p + down, p + x), a, c);
            }
        };
        for (std::size_t i = 0; i < 6; ++i)
            joined(i, [&](auto const& a, auto const& c, auto const& pa, auto const& pc, vec3<S> const& p) {
                one_of((i + static_cast<std::size_t>(m)) % 6, a, c, pa, pc, p);
                if (as_chains && i % 3 == 1) w.add(angle_limit<S>::at(pa, pc, z, of<S>(-0.2), of<S>(0.1 * m)), a, c);
                if (as_chains && i % 3 == 2) w.add(powered_axis<S>::at(pa, pc, y, of<S>(m), of<S>(0.5)), a, c);
            });
    }
}
template <class S, class Solver>
auto mechanisms_after(int steps, bool as_chains, bool with_other_settings = false) {
    auto const w = std::make_unique<mechanisms<S, Solver>>();
    build_mechanisms(*w, as_chains);
    if constexpr (requires { w->solver.sweeps.grain; }) tune(*w, with_other_settings);
    (void)bits_after(*w, steps);
    return *w;
}
TEST(wide_sweeps, have_the_bits_of_one_lane_for_joints_of_every_kind) {
    using one_lane = wide_sequential_impulses<1>;
    EXPECT_TRUE(bits(mechanisms_after<float, one_lane>(60, true)) == (bits(mechanisms_after<float, wide_sequential_impulses<8, backwards>>(60, true))));
    EXPECT_TRUE(bits(mechanisms_after<float, one_lane>(20, true, true)) == (bits(mechanisms_after<float, wide_sequential_impulses<8>>(20, true, true))));
}
// Where no body has two joints the order of joints does not matter: the motion is that of ordinary sweeps, but for rounding.
TEST(wide_sweeps, move_joints_of_every_kind_as_ordinary_ones_do) {
    auto const wide = mechanisms_after<double, wide_sequential_impulses<4>>(40, false);
    auto const plain = mechanisms_after<double, sequential_impulses>(40, false);
    auto const numbers_of = [](auto const& w) {
        std::vector<double> r;
        w.for_each_body([&](auto h) {
            for (double const x : w.position(h).e) r.push_back(x);
            for (double const x : w.twist(h).angular.e) r.push_back(x);
        });
        return r;
    };
    auto const a = numbers_of(wide), b = numbers_of(plain);
    ASSERT_EQ(a.size(), b.size());
    double farthest = 0, off = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        farthest = max(farthest, abs(a[i]));
        off = max(off, abs(a[i] - b[i]));
    }
    EXPECT_GT(farthest, 20);
    EXPECT_LT(off, 1e-10);
    EXPECT_LT(wide.constraint_error(), 1e-2);
}

// A hinge that is known by its rows alone.
template <scalar S>
struct plain_hinge {
    static constexpr std::size_t rows = 5;
    using attachments = binds<rigid, rigid>;
    ball_joint<S> point{};
    parallel_axes<S> axes{};

    constexpr auto error(auto const& a, auto const& b) const { return stack_rows(point.error(a, b), axes.error(a, b)); }
};
// Joints that share no body are one colour, and are met in the order in which they were added: then wide sweeps are the ordinary ones, to the bit.
template <class S, class Solver>
using pairs = world<config<S, Solver>, plain_hinge, rope, powered_axis, distance>;
template <class S, class Solver>
std::vector<unsigned char> pairs_after(int steps) {
    auto const w = std::make_unique<pairs<S, Solver>>();
    for (int m = 0; m < 13; ++m) {
        S const z = of<S>(m);
        auto const a = add_box(*w, {S(0), S(0), z}, 1 + 0.1 * m), b = add_box(*w, {of<S>(0.5), S(0), z}), c = add_box(*w, {S(2), S(0), z}), d = add_box(*w, {S(3), S(0), z});
        w->add(plain_hinge<S>{ball_joint<S>::at(w->pose(a), w->pose(b), {of<S>(0.25), S(0), z}), parallel_axes<S>::at(w->pose(a), w->pose(b), {S(0), S(1), S(1)})}, a, b);
        w->add(rope<S>{{of<S>(0.1), S(0), S(0)}, {}, of<S>(0.9 + 0.01 * m)}, c, d);
        auto const e = add_box(*w, {S(5), S(0), z});
        w->add(powered_axis<S>::at(w->pose(w->ground()), w->pose(e), {S(0), S(0), S(1)}, of<S>(m), of<S>(0.5)), w->ground(), e);
    }
    auto const r = bits_after(*w, steps);
    if constexpr (requires { w->solver.sweeps.colours(); }) {
        EXPECT_EQ(w->solver.sweeps.colours(), 1u);
    }
    return r;
}
TEST(wide_sweeps, of_what_shares_no_body_are_the_ordinary_ones) {
    EXPECT_TRUE((pairs_after<double, wide_sequential_impulses<4>>(40)) == (pairs_after<double, sequential_impulses>(40)));
}

// What is removed acts no longer, also where it was alone in its pack and nothing else has changed: all boxes but the held ones fall freely.
template <class Solver>
void expect_that_what_is_let_go_falls(int joints) {
    world<config<double, Solver>, ball_joint> w;
    std::vector<decltype(add_box(w, vec3<double>{}))> boxes;
    std::vector<decltype(w.add(ball_joint<double>{}, w.ground(), boxes[0]))> held;
    for (int k = 0; k < joints; ++k) {
        boxes.push_back(add_box(w, vec3<double>{0, 0, 2.0 * k}));
        held.push_back(w.add(ball_joint<double>::at(w.pose(w.ground()), w.pose(boxes.back()), {0, 0, 2.0 * k}), w.ground(), boxes.back()));
    }
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(w.step(1.0 / 60));
    for (std::size_t k = held.size(); k-- > 0;) {
        double const before = w.twist(boxes[k]).linear.y();
        ASSERT_TRUE(w.remove(held[k]));
        ASSERT_TRUE(w.step(1.0 / 60));
        EXPECT_NEAR(w.twist(boxes[k]).linear.y() - before, -9.81 / 60, 1e-9) << joints << ' ' << k;
        if (k > 0) {
            EXPECT_NEAR(w.twist(boxes[k - 1]).linear.y(), 0, 1e-9) << joints << ' ' << k;
        }
    }
}
TEST(wide_sweeps, of_what_has_been_removed_keep_nothing) {
    for (int const joints : {1, 5, 9}) {
        expect_that_what_is_let_go_falls<wide_sequential_impulses<1>>(joints);
        expect_that_what_is_let_go_falls<wide_sequential_impulses<4>>(joints);
        expect_that_what_is_let_go_falls<wide_sequential_impulses<8>>(joints);
    }
}

}  // namespace
