// What a world leaves out where memory is dear, and that what is left is the same.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace sinew;
using vec = vec3<float>;

template <class Solver>
struct config : default_config {
    using solver = Solver;
    using storage = static_storage<capacities{.bodies = 4, .constraints = 4}>;
    using errors = null_errors;
};
struct trusting : config<plain_gauss_seidel> {
    using errors = trusted_input;
    static constexpr bool breakable = false;
};
struct told_by_codes : config<plain_gauss_seidel> {
    using errors = error_codes;
    static constexpr bool breakable = false;
};
template <class Config>
using world_of = world<Config, hinge_joint, knife_edge>;

// A chain from the ground, whose last link cannot move sideways.
template <class World>
void build(World& w) {
    auto previous = w.ground();
    for (float x = 0; x < 1.2f; x += 0.5f) {
        auto const link = w.add(rigid_body_of(solid_box(1.0f, vec{0.5f, 0.05f, 0.1f}), pose<float>{{x + 0.25f, 0, 0}}));
        EXPECT_TRUE(w.add(hinge_joint<float>::at(w.pose(previous), w.pose(link), vec{x, 0, 0}, vec{0, x, 1}), previous, link));
        previous = link;
    }
    EXPECT_TRUE(w.add(knife_edge<float>::at(w.pose(w.ground()), w.pose(previous), w.position(previous), vec{0, 0, 1}), w.ground(), previous));
}
template <class World, class Tune>
auto moved(Tune&& tune) {
    World w;
    build(w);
    tune(w.solver);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(w.step(0.01f));
    return w.save();
}

template <class Tune>
void expect_same_bits(Tune&& tune) {
    auto const whole = moved<world_of<config<nonlinear_gauss_seidel>>>([&](auto& s) {
        s.conserve_angular_momentum = s.carried_spins = false;
        tune(s);
    });
    auto const plain = moved<world_of<config<plain_gauss_seidel>>>(tune);
    auto const trusted = moved<world_of<trusting>>(tune);
    auto const coded = moved<world_of<told_by_codes>>(tune);
    ASSERT_EQ(whole.bodies.size(), plain.bodies.size());
    for (std::size_t i = 0; i < whole.bodies.size(); ++i) {
        EXPECT_EQ(whole.bodies[i], plain.bodies[i]) << i;
        EXPECT_EQ(whole.bodies[i], trusted.bodies[i]) << i;
        EXPECT_EQ(whole.bodies[i], coded.bodies[i]) << i;
    }
}

TEST(small_world, plain_sweeps_have_the_bits_of_the_whole_strategy) {
    expect_same_bits([](auto&) {});
    expect_same_bits([](auto& s) { s.warm_start = 0.8f; });
    expect_same_bits([](auto& s) { s.velocity = velocity_rows::after; });
}

TEST(small_world, what_is_left_out_takes_no_room) {
    EXPECT_LT(sizeof(world_of<config<plain_gauss_seidel>>), sizeof(world_of<config<nonlinear_gauss_seidel>>) * 2 / 3);
    auto const can_be_stiff = []<class W>(W const&) { return requires(W w) { w.solver.geometric_stiffness = true; }; };
    EXPECT_FALSE(can_be_stiff(world_of<config<plain_gauss_seidel>>{}));
    EXPECT_TRUE(can_be_stiff(world_of<config<nonlinear_gauss_seidel>>{}));
}

TEST(small_world, trusted_input_still_refuses_what_has_no_room) {
    world_of<trusting> w;
    auto const body = rigid_body_of(solid_box(1.0f, vec{1, 1, 1}), pose<float>{});
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(w.add(body));
    EXPECT_FALSE(w.add(body));
    EXPECT_EQ(w.last_error().code, errc::full);
}

// What is refused, one thing after another: the code of each.
template <class World>
std::vector<errc> codes_of_bad_input() {
    World w, other;
    std::vector<errc> codes;
    auto const note = [&](auto const& refused) {
        EXPECT_FALSE(refused) << codes.size();
        codes.push_back(w.last_error().code);
    };
    float const nan = std::numeric_limits<float>::quiet_NaN(), inf = infinity_v<float>;
    auto const good = rigid_body_of(solid_box(1.0f, vec{1, 1, 1}), pose<float>{});
    auto const with = [&](auto change) {
        auto b = good;
        change(b);
        return b;
    };
    for (float const mass : {-1.0f, 0.0f, nan, inf, 1e-42f}) note(w.add(with([&](auto& b) { b.mass = mass; })));
    note(w.add(with([&](auto& b) { b.inertia.xx = -1; })));
    note(w.add(with([&](auto& b) { b.inertia.xx = 10; })));
    note(w.add(with([&](auto& b) { b.inertia.xy = nan; })));
    note(w.add(with([&](auto& b) { b.inertia = {}; })));
    note(w.add(with([&](auto& b) { b.pose.rotation.w = 2; })));
    note(w.add(with([&](auto& b) { b.pose.position[1] = inf; })));
    note(w.add(with([&](auto& b) { b.twist.angular[2] = nan; })));
    auto const a = w.add(good), b = w.add(good), gone = w.add(good), foreign = other.add(good);
    EXPECT_TRUE(w.remove(gone));
    EXPECT_TRUE(other.add(good));
    hinge_joint<float> const hinge = hinge_joint<float>::at(w.pose(a), w.pose(b), vec{0, 0, 0}, vec{0, 0, 1});
    note(w.add(hinge, a, gone));
    note(w.add(hinge, a, foreign));
    note(w.add(hinge, a, handle<rigid>{}));
    note(w.add(hinge, a, a));
    auto tilted = hinge;
    tilted.axes.axis_a = {0, 0, 2};
    note(w.add(tilted, a, b));
    note(w.step(-0.01f));
    note(w.step(nan));
    w.solver.relaxation = 3;
    note(w.step(0.01f));
    w.solver.relaxation = 1;
    w.gravity[0] = inf;
    note(w.step(0.01f));
    w.gravity[0] = 0;
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(w.add(hinge, a, b)) << i;
    note(w.add(hinge, a, b));
    note(w.set_pose(gone, {}));
    note(w.set_twist(w.ground(), {}));
    EXPECT_TRUE(w.step(0.01f));
    return codes;
}
TEST(small_world, errors_by_code_are_those_that_sentences_tell) {
    auto const told = codes_of_bad_input<world_of<config<plain_gauss_seidel>>>(), coded = codes_of_bad_input<world_of<told_by_codes>>();
    EXPECT_EQ(told, coded);
    for (errc const code : told) EXPECT_NE(code, errc::none);
    static_assert(sizeof(coded_error) == 1);
    static_assert(sizeof(world_of<told_by_codes>) < sizeof(world_of<config<plain_gauss_seidel>>));
}
TEST(small_world, a_code_is_told_in_words) {
    world_of<told_by_codes> w;
    EXPECT_FALSE(w.step(-1));
    EXPECT_STREQ(error_text(w.last_error()).c_str(), "sinew: a mass, a step or another number must be positive, but is not");
    std::set<std::string> meanings;
    for (int code = 0; code <= static_cast<int>(errc::mismatch); ++code) meanings.insert(meaning_of(static_cast<errc>(code)));
    EXPECT_EQ(meanings.size(), static_cast<std::size_t>(errc::mismatch) + 1);
}

TEST(small_world, trusted_input_checks_nothing_else) {
    world_of<trusting> w;
    auto body = rigid_body_of(solid_box(1.0f, vec{1, 1, 1}), pose<float>{});
    body.mass = -1;
    EXPECT_TRUE(w.add(body));
    EXPECT_FALSE(world_of<config<plain_gauss_seidel>>{}.add(body));
}

// Whether something is still here is a question and no check: what broke, a program has to learn.
TEST(small_world, trusted_input_still_tells_what_is_gone) {
    world_of<trusting> w;
    auto const a = w.add(rigid_body_of(solid_box(1.0f, vec{1, 1, 1}), pose<float>{})), b = w.add(rigid_body_of(solid_box(1.0f, vec{1, 1, 1}), pose<float>{{0, -1, 0}, {}}));
    auto const joint = w.add(hinge_joint<float>::at(w.pose(a), w.pose(b), vec{0, 0, 0}, vec{0, 0, 1}), a, b);
    EXPECT_TRUE(w.contains(a) && w.contains(joint) && w.contains(w.ground()));
    EXPECT_FALSE(w.contains(handle<rigid>{}));
    EXPECT_TRUE(w.remove(a));
    EXPECT_FALSE(w.contains(a) || w.contains(joint));
    EXPECT_TRUE(w.contains(b));
}

TEST(small_world, an_error_names_its_value_also_where_it_is_kept_as_a_float) {
    static_assert(sizeof(detail::number_as_float) == sizeof(float));
    for (double const x : {0.0, -2.5, 1e30}) EXPECT_EQ(static_cast<double>(detail::number_as_float(x)), static_cast<double>(static_cast<float>(x)));
    EXPECT_TRUE(detail::number_as_float(3).is_finite());
    EXPECT_FALSE(detail::number_as_float(infinity_v<double>).is_finite());
    EXPECT_FALSE(detail::number_as_float(infinity_v<float> - infinity_v<float>).is_finite());
}

TEST(small_world, a_vector_for_nothing_is_empty_and_full) {
    static_vector<double, 0> v;
    static_assert(sizeof v == 1);
    v.resize(0);
    v.clear();
    EXPECT_TRUE(v.empty() && v.full() && v.begin() == v.end());
    EXPECT_EQ(v, (static_vector<double, 0>{}));
}

// Of four hinges of five rows, once without bounds that depend on multipliers and once with them.
TEST(small_world, pivoting_keeps_its_answers_only_where_asked) {
    using plain = world_of<config<lagrange_multipliers<dantzig>>>;
    using warm = world_of<config<lagrange_multipliers<warm_dantzig>>>;
    EXPECT_GE(sizeof(warm), sizeof(plain) + 2 * 4 * 5 * sizeof(float));
}

}  // namespace
