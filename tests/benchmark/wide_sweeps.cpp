// 1024 ball joints, 32 chains of 32 boxes, under sequential impulses one joint at a time and under wide sweeps of 1, 4 and 8 lanes: the cost of one
// more iteration, a joint, and of a whole step, in time of the processor. All are measured in turn, and the best of each counts. Compile it with -O3 -march=native: lanes are as wide as the
// processor is told to be.

#include <sinew/sinew.hpp>

#include <cstdio>
#include <ctime>
#include <memory>

namespace {

constexpr int chains = 32, links = 32, joints = chains * links, steps = 3, runs = 40, more = 20;

template <class Solver>
struct config : sinew::default_config {
    using solver = Solver;
};

template <class Solver>
struct subject {
    using world = sinew::world<config<Solver>, sinew::ball_joint>;
    char const* name;
    std::unique_ptr<world> few = std::make_unique<world>(), many{};
    double of_few = 1e9, of_many = 1e9;

    explicit subject(char const* n) : name(n) {
        for (int c = 0; c < chains; ++c) {
            auto previous = few->ground();
            for (int i = 0; i < links; ++i) {
                float const x = static_cast<float>(i) / 2, z = static_cast<float>(c);
                auto const link = few->add(rigid_body_of(sinew::solid_box(1.0f, sinew::vec3<float>{0.5f, 0.1f, 0.1f}), sinew::pose<float>{{x + 0.25f, 0, z}, {}}));
                few->add(sinew::ball_joint<float>::at(few->pose(previous), few->pose(link), {x, 0, z}), previous, link);
                previous = link;
            }
        }
        few->solver.substeps = 4;
        many = std::make_unique<world>(*few);
        many->solver.iterations += more;
    }
    static double seconds(world& w) {
        std::clock_t const start = std::clock();
        for (int i = 0; i < steps; ++i) (void)w.step(1.0f / 60);
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / steps;
    }
    void measure() {
        world a(*few), b(*many);
        double const x = seconds(a), y = seconds(b);
        of_few = x < of_few ? x : of_few;
        of_many = y < of_many ? y : of_many;
    }
    [[nodiscard]] double of_iteration() const { return (of_many - of_few) / (more * 4 * joints) * 1e9; }
    void print(double than) const {
        std::printf("%-32s %5.2f ns a joint and iteration (%.2f of one lane), %6.0f us a step\n", name, of_iteration(), of_iteration() / than, of_few * 1e6);
    }
};

}  // namespace

int main() {
    subject<sinew::sequential_impulses> plain("sequential_impulses");
    subject<sinew::wide_sequential_impulses<1>> one("wide_sequential_impulses<1>");
    subject<sinew::wide_sequential_impulses<4>> four("wide_sequential_impulses<4>");
    subject<sinew::wide_sequential_impulses<8>> eight("wide_sequential_impulses<8>");
    for (int run = 0; run < runs; ++run) {
        plain.measure();
        one.measure();
        four.measure();
        eight.measure();
    }
    double const than = one.of_iteration();
    plain.print(than);
    one.print(than);
    four.print(than);
    eight.print(than);
}
