// A run of dominoes, then giants that grow by a third each, then a house of cards. Writes 20_dominoes_and_card_house.html.
//
// A domino that falls gives more than it got, its own height. So a wave runs along the row at a speed that is soon its own, whatever pushed
// the first; and where the dominoes grow, a touch of the first is enough to fell what a man could not. The house stands by friction alone until
// the last giant comes down on it.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using vec = sinew::vec3<float>;
using box = sinew::box<float>;
using world_type = sinew::world<sinew::default_config, sinew::box, sinew::half_space>;

int main() {
    world_type world;
    world.solver.substeps = 8;
    auto const stone = sinew::material<float>::of(0.6f), paper = sinew::material<float>::of(0.8f);
    world.add(sinew::half_space<float>{}, world.ground(), {.material = paper});

    // Half a turn of dominoes, and on along x. A domino of height 1 is 0.12 thick and half as wide as high.
    std::vector<world_type::body_handle> row, cards;
    auto const domino = [&](vec const& at, float height, float heading) {
        row.push_back(world.add_solid(box{{0.06f * height, 0.5f * height, 0.25f * height}}, 700.0f, {at + vec{0, 0.5f * height, 0}, sinew::quaternion_exp(vec{0, -heading, 0})},
                                      {.material = stone}));
    };
    constexpr int small = 45, giants = 6;
    constexpr float radius = 1.6f, first_height = 0.24f;
    for (int i = 0; i < small; ++i) {
        float const a = sinew::pi_v<float> * (float(i) / (small - 1) - 1);
        domino({radius * std::sin(a), 0, radius - radius * std::cos(a)}, first_height, a);
    }
    float height = first_height, x = 0;
    for (int i = 0; i < giants; ++i) {
        x += 0.5f * height;
        height *= 1.35f;
        domino({x, 0, 0}, height, 0);
    }

    // Three storeys of leaning pairs, with cards across.
    constexpr float half = 0.3f, thick = 0.008f, lean = 0.35f;
    auto const card = [&](float length, float at, float y, float turn) {
        cards.push_back(world.add_solid(box{{thick, length / 2, 0.2f}}, 400.0f, {{x + 0.75f + at, y, 0}, sinew::quaternion_exp(vec{0, 0, turn})}, {.material = paper}));
    };
    float const upright = half * std::cos(lean) + thick * std::sin(lean), reach = half * std::sin(lean) + thick * std::cos(lean), pitch = 4 * reach + 0.06f;
    float floor = 0;
    for (int storey = 0; storey < 3; ++storey) {
        for (int k = 0; k < 3 - storey; ++k) {
            float const middle = pitch * (float(k) + 0.5f * float(storey));
            card(2 * half, middle - reach, floor + upright, -lean);
            card(2 * half, middle + reach, floor + upright, lean);
            if (k > 0) card(pitch - 0.004f, middle - pitch / 2, floor + 2 * upright + thick, sinew::pi_v<float> / 2);
        }
        floor += 2 * (upright + thick);
    }
    std::vector<vec> places;
    for (auto const& c : cards) places.push_back(world.position(c));

    sinew::recorder page("Dominoes, giants, and a house of cards");
    page.camera(0.5, 0.42);
    auto const shown = page.add_colliders(world, [&](auto const& b) { return std::string(std::find(cards.begin(), cards.end(), b) != cards.end() ? "#e6e1d3" : ""); });
    std::vector<float> fell(row.size());  // when each has leaned by 20 degrees, s
    float moved = 0, pushed = 0, freed = 0;
    std::size_t fallen = 0;
    for (int step = 0; step < 600; ++step) {
        if (step == 60) {  // the first is tipped
            float const still = world.energy();
            world.set_twist(row.front(), {{-0.2f, 0, 0}, {0, 0, 0.2f / (0.5f * first_height)}});
            pushed = world.energy() - still;
            freed = world.energy();
        }
        if (step % 2 == 0) {
            page.frame(static_cast<double>(world.time()));
            page.show(world, shown);
            page.plot("dominoes fallen", "of " + std::to_string(row.size()), static_cast<double>(fallen));
            page.plot("kinetic energy [J]", "of all", static_cast<double>(world.kinetic_energy()));
        }
        if (!world.step(1.0f / 60)) return 1;
        while (fallen < row.size() && world.pose(row[fallen]).direction(vec{0, 1, 0}).y() < 0.94f) fell[fallen++] = world.time();
        if (fallen < row.size())
            for (std::size_t i = 0; i < cards.size(); ++i) moved = std::max(moved, norm(world.position(cards[i]) - places[i]));
    }
    page.write("20_dominoes_and_card_house.html");

    auto const down = std::count_if(cards.begin(), cards.end(), [&](auto const& c) { return world.position(c).y() < 0.3f; });
    float const gap = sinew::pi_v<float> * radius / (small - 1), early = 12 * gap / (fell[22] - fell[10]), late = 12 * gap / (fell[42] - fell[30]);
    std::printf("%zu of %zu dominoes have fallen; the wave runs at %.2f m/s, and later at %.2f m/s\n", fallen, row.size(), static_cast<double>(early), static_cast<double>(late));
    std::printf("a push of %.4f J has set free %.0f J; the cards stood to %.2f mm until the last giant fell, then %d of %zu came down\n", static_cast<double>(pushed),
                static_cast<double>(freed - world.energy()), 1000.0 * static_cast<double>(moved), int(down), cards.size());
    return fallen == row.size() && std::abs(late / early - 1) < 0.1f && moved < 0.005f && down > int(cards.size()) / 2 ? 0 : 1;
}
