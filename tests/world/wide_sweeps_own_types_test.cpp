// Users' types under wide sweeps: what can be taken apart goes in lanes, the rest follows one by one, and both have the bits that they have without lanes.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <functional>
#include <vector>

namespace {

using sinew::vec3;

// Members that are arrays of C.
template <sinew::scalar S>
struct rod_of_two {
    static constexpr std::size_t rows = 1;
    vec3<S> ends[2];
    S length;
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.point(ends[0]) - b.point(ends[1])) - length; }
};
template <sinew::scalar S>
struct two_ends {
    vec3<S> on_a, on_b;
};
// A base that has members, too.
template <sinew::scalar S>
struct rod_with_base : two_ends<S> {
    static constexpr std::size_t rows = 1;
    S length;
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.point(this->on_a) - b.point(this->on_b)) - length; }
};
// More members than are counted.
template <sinew::scalar S>
struct rod_of_numbers {
    static constexpr std::size_t rows = 1;
    S ax, ay, az, bx, by, bz, length, unused[6];
    S last;
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.point(vec3<S>{ax, ay, az}) - b.point(vec3<S>{bx, by, bz})) - length; }
};
template <sinew::scalar S>
struct rod_of_many {
    static constexpr std::size_t rows = 1;
    S ax, ay, az, bx, by, bz, length, c0, c1, c2, c3, c4, c5;
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.point(vec3<S>{ax, ay, az}) - b.point(vec3<S>{bx, by, bz})) - length; }
};

// An array that is called as a vector's is, and a member besides.
template <sinew::scalar S>
struct rod_of_e {
    static constexpr std::size_t rows = 1;
    vec3<S> e[2];
    S length;
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.point(e[0]) - b.point(e[1])) - length; }
};
// What braces alone do not make.
inline constexpr int a_table = 3;
template <sinew::scalar S>
struct rod_with_reference {
    static constexpr std::size_t rows = 1;
    S length;
    std::reference_wrapper<int const> table = a_table;
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.point({}) - b.point({})) - length; }
};

// Of numbers that the language has alone.
template <std::floating_point S>
struct rod_of_floats {
    static constexpr std::size_t rows = 1;
    vec3<S> from, to;
    S length;
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.point(from) - b.point(to)) - length; }
};

using lanes = sinew::batch<float, 8>;
static_assert(!sinew::goes_in_lanes_v<rod_of_floats<float>, lanes>);
static_assert(sinew::goes_in_lanes_v<rod_of_e<float>, lanes>);
static_assert(!sinew::goes_in_lanes_v<rod_with_reference<float>, lanes>);
static_assert(sinew::goes_in_lanes_v<rod_of_two<float>, lanes>);
static_assert(!sinew::goes_in_lanes_v<rod_with_base<float>, lanes>);
static_assert(sinew::goes_in_lanes_v<rod_of_numbers<float>, lanes>);
static_assert(!sinew::goes_in_lanes_v<rod_of_many<float>, lanes>);

template <class Solver>
struct config : sinew::default_config {
    using scalar = float;
    using solver = Solver;
};

// Chains of rods from the ground, of each type in turn.
template <class Solver>
auto after_a_second() {
    sinew::world<config<Solver>, rod_of_two, rod_with_base, rod_of_numbers, rod_of_many, rod_of_floats> w;
    vec3<float> const up{0, 0.5f, 0}, down{0, -0.5f, 0};
    std::vector<sinew::handle<sinew::rigid>> bodies;
    for (int k = 0; k < 20; ++k) {
        auto before = w.ground();
        for (int i = 0; i < 5; ++i) {
            float const x = 2.0f * static_cast<float>(k), away = static_cast<float>(i + 1);
            auto const next = w.add(sinew::rigid_body_of(sinew::solid_box(1.0f, vec3<float>{0.5f, 1, 0.25f}), sinew::pose<float>{{x + 1.5f * away, 0.5f, 0}, {}}));
            vec3<float> const from = i == 0 ? vec3<float>{x, 0, 0} : up;
            float const length = norm(w.pose(before).point(from) - w.pose(next).point(down));
            if (i == 0) w.add(rod_of_two<float>{{from, down}, length}, before, next);
            if (i == 1) w.add(rod_with_base<float>{{from, down}, length}, before, next);
            if (i == 2) w.add(rod_of_numbers<float>{from[0], from[1], from[2], down[0], down[1], down[2], length, {}, 0}, before, next);
            if (i == 3) w.add(rod_of_many<float>{from[0], from[1], from[2], down[0], down[1], down[2], length, 0, 0, 0, 0, 0, 0}, before, next);
            if (i == 4) w.add(rod_of_floats<float>{from, down, length}, before, next);
            bodies.push_back(next);
            before = next;
        }
    }
    for (int i = 0; i < 60; ++i) EXPECT_TRUE(w.step(1.0f / 60));
    std::vector<sinew::pose<float>> poses;
    for (auto const b : bodies) poses.push_back(w.pose(b));
    return poses;
}
TEST(wide_sweeps, take_types_that_cannot_be_taken_apart) {
    auto const of_lanes = after_a_second<sinew::wide_sequential_impulses<8>>(), one_by_one = after_a_second<sinew::wide_sequential_impulses<1>>();
    EXPECT_TRUE(of_lanes == one_by_one);
    EXPECT_LT(of_lanes.back().position[1], -1.0f);
}

// Rods that hang keep their length.
TEST(wide_sweeps_over_an_array_called_e, leave_out_no_other_member) {
    sinew::world<config<sinew::wide_sequential_impulses<8>>, rod_of_e> w;
    std::vector<decltype(w)::body_handle> bodies;
    for (int i = 0; i < 10; ++i) {
        float const x = static_cast<float>(i), length = 1 + 0.1f * x;
        bodies.push_back(w.add(rigid_body_of(sinew::solid_sphere(1.0f, 0.1f), sinew::pose<float>{{x, -length, 0}, {}})));
        w.add(rod_of_e<float>{{{x, 0, 0}, {}}, length}, w.ground(), bodies.back());
    }
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(1.0f / 60));
    for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_NEAR(w.position(bodies[i])[1], -1 - 0.1 * static_cast<double>(i), 1e-3);
}

}  // namespace
