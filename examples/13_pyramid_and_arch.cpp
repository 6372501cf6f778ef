// What stands because nothing slips: a pyramid, an arch of wedges without mortar, a house of cards, and a run of dominoes that does fall, one after the
// other. Writes 13_pyramid_and_arch.html.
//
// Each contact is a constraint of three rows: a push that never pulls, and friction within a cone (Waterson 2026, 5.4 and 5.6). Friction
// holds a place and not only a speed, so that what stands does not creep; multipliers are kept from step to step, so that it need not be found
// out again in each of them how a tower is held up.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using vec = sinew::vec3<float>;
using box = sinew::box<float>;
using world_type = sinew::world<sinew::default_config, sinew::box, sinew::convex_polytope, sinew::half_space>;

int main() {
    world_type world;
    world.solver.substeps = 8;
    auto const stone = sinew::material<float>::of(0.8f);
    world.add(sinew::half_space<float>{}, world.ground(), {.material = stone});
    std::vector<world_type::body_handle> standing, dominoes;

    // A pyramid of ten rows, one box deep.
    for (int row = 0; row < 10; ++row)
        for (int k = 0; k < 10 - row; ++k)
            standing.push_back(world.add_solid(box{{0.2f, 0.2f, 0.2f}}, 1000.0f, {{-4.6f + 0.4f * (float(k) + 0.5f * float(row)), 0.2f + 0.4f * float(row), 0}}, {.material = stone}));

    // Half a circle of eleven wedges, each the hull of eight points in the frame of the arch. The first and the last stand on the floor.
    constexpr int wedges = 11;
    vec const foot{1.6f, 0, 0};
    for (int i = 0; i < wedges; ++i) {
        std::vector<vec> corners;
        for (int k : {i, i + 1})
            for (float const r : {1.3f, 1.75f})
                for (float const z : {-0.3f, 0.3f}) {
                    float const angle = sinew::pi_v<float> * float(k) / float(wedges);
                    corners.push_back({r * std::cos(angle), r * std::sin(angle), z});
                }
        standing.push_back(world.add_solid(convex_hull(corners), 1000.0f, {foot}, {.material = stone}));
    }

    // Cards: two storeys of leaning pairs, with cards across. A card leans by 22 degrees; its lower edge is on the floor.
    float const half = 0.45f, thick = 0.012f, lean = 0.38f;
    auto const card = [&](float x, float y, float turn) {
        standing.push_back(world.add_solid(box{{thick, half, 0.3f}}, 400.0f, {{x, y, 2.4f}, sinew::quaternion_exp(vec{0, 0, turn})}, {.material = stone}));
    };
    float const height = half * std::cos(lean) + thick * std::sin(lean), reach = half * std::sin(lean) + thick * std::cos(lean), pitch = 4 * reach;
    float floor = 0;
    for (int storey = 0; storey < 2; ++storey) {
        for (int k = 0; k < 2 - storey; ++k) {
            float const middle = -2.6f + pitch * (float(k) + 0.5f * float(storey));
            card(middle - reach, floor + height, -lean);
            card(middle + reach, floor + height, lean);
        }
        floor += 2 * height;
        if (storey == 0) {
            card(-2.6f + 0.5f * pitch, floor + thick, sinew::pi_v<float> / 2);
            floor += 2 * thick;
        }
    }

    // Dominoes in an S; the first is pushed.
    for (int i = 0; i < 30; ++i) {
        float const s = float(i) / 29, x = 0.2f + 4.4f * s, z = 2.4f + 0.5f * std::sin(2 * sinew::pi_v<float> * s), slope = 0.5f * 2 * sinew::pi_v<float> / 4.4f * std::cos(2 * sinew::pi_v<float> * s);
        dominoes.push_back(world.add_solid(box{{0.025f, 0.24f, 0.1f}}, 700.0f, {{x, 0.24f, z}, sinew::quaternion_exp(vec{0, -std::atan(slope), 0})}, {.material = sinew::material<float>::of(0.4f)}));
    }

    std::vector<vec> begin;
    for (auto const& body : standing) begin.push_back(world.position(body));
    auto const drift = [&] {  // m
        float worst = 0;
        for (std::size_t i = 0; i < standing.size(); ++i) worst = std::max(worst, norm(world.position(standing[i]) - begin[i]));
        return worst;
    };
    auto const fallen = [&] {
        return std::count_if(dominoes.begin(), dominoes.end(), [&](auto const& body) { return world.pose(body).direction(vec{0, 1, 0}).y() < 0.8f; });
    };

    sinew::recorder page("A pyramid, an arch, a house of cards, and dominoes");
    page.camera(0.35, 0.32);
    auto const shown = page.add_colliders(world, [&](auto const& body) {
        auto const at = std::find(standing.begin(), standing.end(), body) - standing.begin();
        static char const* const tones[] = {"#c9a66b", "#b98f5c", "#d4b483", "#a88154"};
        return std::string(at < 66 ? tones[at % 4 ^ (at / 5) % 2] : at < 66 + 7 ? "#e6e1d3" : "");
    });
    for (int step = 0; step < 600; ++step) {
        if (step == 60) world.set_twist(dominoes.front(), {{0.6f, 0, 0}, {0, 0, -2.5f}});
        if (step % 2 == 0) {
            page.frame(static_cast<double>(world.time()));
            page.show(world, shown);
            page.plot("furthest from its place, of what stands [mm]", "drift", 1000.0 * static_cast<double>(drift()));
            page.plot("dominoes fallen", "of 30", static_cast<double>(fallen()));
        }
        if (!world.step(1.0f / 60)) return 1;
    }
    page.write("13_pyramid_and_arch.html");
    std::printf("after 10 s nothing that stands is further from its place than %.2f mm; %d of 30 dominoes have fallen\n", 1000.0 * static_cast<double>(drift()), int(fallen()));
    return drift() < 0.02f && fallen() == 30 ? 0 : 1;
}
