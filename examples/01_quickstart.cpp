// A chain of ten links falls from the horizontal. Writes 01_quickstart.html: open it in a browser.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

int main() {
    sinew::world<sinew::default_config, sinew::ball_joint> world;
    sinew::recorder page("A chain of ten links");
    std::vector<std::pair<decltype(world)::body_handle, sinew::shape_id>> links;

    auto previous = world.ground();
    for (float x = 0; x < 10; ++x) {
        auto const link = world.add(rigid_body_of(sinew::solid_box(1.0f, sinew::vec3<float>{1, 0.1f, 0.1f}), sinew::pose<float>{{x + 0.5f, 0, 0}}));
        world.add(sinew::ball_joint<float>::at(world.pose(previous), world.pose(link), {x, 0, 0}), previous, link);
        links.emplace_back(link, page.add_box({0.5, 0.05, 0.05}));
        previous = link;
    }
    for (int step = 0; step < 600; ++step) {
        page.record(world, links);
        world.step(1.0f / 60);
    }
    page.write("01_quickstart.html");
}
