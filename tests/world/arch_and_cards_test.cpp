// What stands by friction alone goes on standing: an arch of wedges without mortar and a house of cards, for a minute, asleep and awake.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using vec = sinew::vec3<float>;
using box = sinew::box<float>;
using material = sinew::material<float>;

struct awake : sinew::default_config {};
struct asleep : sinew::default_config {
    using sleep = sinew::island_sleep;
};

template <class Config>
class standing_by_friction : public testing::Test {
public:
    using world_type = sinew::world<Config, sinew::box, sinew::convex_polytope, sinew::half_space>;
    world_type w;
    std::vector<typename world_type::body_handle> parts;
    std::vector<vec> places;

    void add(auto const& shape, sinew::pose<float> const& at) {
        parts.push_back(w.add_solid(shape, 1000.0f, at, {.material = material::of(0.8f)}));
        places.push_back(w.position(parts.back()));
    }
    /// How far a part is from its place, at most (m).
    [[nodiscard]] float drift() const {
        float worst = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) worst = std::max(worst, norm(w.position(parts[i]) - places[i]));
        return worst;
    }
    void stand_for_a_minute(char const* what, float size) {
        float settled = 0;
        for (int second = 0; second < 60; ++second) {
            for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step(1.0f / 60));
            if (second == 0) settled = drift();
        }
        std::printf("%s: %.3f %% of a part from its place after 1 s, %.3f %% after 60 s, %zu of %zu asleep\n", what, 100.0 * double(settled / size), 100.0 * double(drift() / size),
                    [&] {
                        if constexpr (requires { w.asleep_count(); })
                            return std::size_t(w.asleep_count());
                        else
                            return std::size_t(0);
                    }(),
                    parts.size());
        EXPECT_LT(drift(), 0.01f * size);
    }
};
using configs = testing::Types<awake, asleep>;
TYPED_TEST_SUITE(standing_by_friction, configs);

TYPED_TEST(standing_by_friction, an_arch_of_wedges) {
    this->w.add(sinew::half_space<float>{}, this->w.ground(), {.material = material::of(0.8f)});
    constexpr int wedges = 11;
    constexpr float inner = 1.3f, outer = 1.75f;
    for (int i = 0; i < wedges; ++i) {
        std::vector<vec> corners;
        for (int const k : {i, i + 1})
            for (float const r : {inner, outer})
                for (float const z : {-0.3f, 0.3f}) {
                    float const angle = sinew::pi_v<float> * float(k) / float(wedges);
                    corners.push_back({r * std::cos(angle), r * std::sin(angle), z});
                }
        this->add(convex_hull(corners), {});
    }
    this->stand_for_a_minute("arch", outer - inner);
}

// Pairs of cards that lean against each other, by 20 degrees; with cards across between the storeys.
TYPED_TEST(standing_by_friction, a_house_of_cards) {
    this->w.add(sinew::half_space<float>{}, this->w.ground(), {.material = material::of(0.8f)});
    constexpr float half = 0.45f, thick = 0.012f, lean = 0.35f;
    auto const card = [&](float length, float x, float y, float turn) { this->add(box{{thick, length / 2, 0.3f}}, {{x, y, 0}, sinew::quaternion_exp(vec{0, 0, turn})}); };
    float const height = half * std::cos(lean) + thick * std::sin(lean), reach = half * std::sin(lean) + thick * std::cos(lean), pitch = 4 * reach + 0.08f;
    float floor = 0;
    constexpr int storeys = 3;
    for (int storey = 0; storey < storeys; ++storey) {
        int const pairs = storeys - storey;
        for (int k = 0; k < pairs; ++k) {
            float const middle = pitch * (float(k) + 0.5f * float(storey));
            card(2 * half, middle - reach, floor + height, -lean);
            card(2 * half, middle + reach, floor + height, lean);
        }
        floor += 2 * height;
        for (int k = 0; k + 1 < pairs; ++k) card(pitch - 0.004f, pitch * (float(k) + 0.5f * float(storey) + 0.5f), floor + thick, sinew::pi_v<float> / 2);
        floor += 2 * thick;
    }
    this->stand_for_a_minute("house of cards", 2 * half);
}

}  // namespace
