// However many substeps: what falls and comes to rest never wins energy.
#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

using vec = sinew::vec3<float>;
using sinew::material;

template <class World>
float largest_rise(World& w, int steps) {
    float least = w.energy(), rise = 0;
    for (int i = 0; i < steps; ++i) {
        EXPECT_TRUE(w.step(1.0f / 60));
        rise = std::max(rise, w.energy() - least);
        least = std::min(least, w.energy());
    }
    return rise;
}

class substeps : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(of, substeps, testing::Values(5, 16, 64));

// In a pit, so that they hit each other; what they may win is what contacts that have sunk in give back, and rounding.
template <class Shape>
void expect_heap_loses(Shape const& shape, int count) {
    sinew::world<sinew::default_config, Shape::template of, sinew::half_space> w;
    w.solver.substeps = count;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> part(-1, 1);
    w.add(sinew::half_space<float>{}, w.ground());
    for (float const side : {-1.0f, 1.0f}) {
        w.add(sinew::half_space<float>::at(vec{side, 0, 0}, vec{-side, 0, 0}), w.ground());
        w.add(sinew::half_space<float>::at(vec{0, 0, side}, vec{0, 0, -side}), w.ground());
    }
    for (int i = 0; i < 20; ++i) {
        float const x = 0.7f * part(random), z = 0.7f * part(random);
        w.add_solid(shape.value, 1000.0f, {{x, 0.4f + 0.25f * static_cast<float>(i), z}, sinew::quaternion_exp(vec{2 * part(random), 2 * part(random), 2 * part(random)})});
    }
    float const first = w.energy();
    EXPECT_LT(largest_rise(w, 180), 2e-3f * first);
}
struct balls {
    template <class S>
    using of = sinew::sphere<S>;
    sinew::sphere<float> value{0.15f};
};
struct boxes {
    template <class S>
    using of = sinew::box<S>;
    sinew::box<float> value{{0.2f, 0.1f, 0.15f}};
};
TEST_P(substeps, a_heap_of_balls_wins_no_energy) { expect_heap_loses(balls{}, GetParam()); }
TEST_P(substeps, a_heap_of_boxes_wins_no_energy) { expect_heap_loses(boxes{}, GetParam()); }

// Contacts pull on joints, and joints on contacts.
TEST_P(substeps, a_chain_that_falls_on_the_floor_wins_no_energy) {
    sinew::world<sinew::default_config, sinew::ball_joint, sinew::capsule, sinew::half_space> w;
    w.solver.substeps = GetParam();
    w.add(sinew::half_space<float>{}, w.ground());
    auto const turned = sinew::quaternion_exp(vec{0, 0, 1.87f});
    vec const along = rotate(turned, vec{0, 1, 0});
    auto last = w.ground();
    for (int i = 0; i < 5; ++i) {
        vec const at = vec{0, 2, 0} - along * (0.4f * static_cast<float>(i));
        auto const b = w.add_solid(sinew::capsule<float>{0.05f, 0.15f}, 1000.0f, {at, turned}, {}, {{0.1f, 0, 0.2f}, {0.3f, 0.2f, 0}});
        if (i > 0) w.add(sinew::ball_joint<float>::at(w.pose(last), w.pose(b), at + along * 0.2f), last, b);
        last = b;
    }
    float const first = w.energy();
    EXPECT_LT(largest_rise(w, 240), 2e-3f * first);
}

}  // namespace
