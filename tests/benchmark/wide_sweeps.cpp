// 1024 joints, 32 chains of 32 boxes, under sequential impulses one joint at a time and under wide sweeps of 1 and 8 lanes: the cost of one more iteration, a joint, and
// of a whole step, in time of the processor. All are measured in turn, and the best of each counts. Compile it with -O3 -march=native: lanes are as wide as the
// processor is told to be.

#include <sinew/sinew.hpp>

#include <cstdio>
#include <ctime>
#include <memory>
#include <type_traits>

namespace {

constexpr int chains = 32, links = 32, joints = chains * links, steps = 3, runs = 25, more = 20;

template <class Solver>
struct config : sinew::default_config {
    using solver = Solver;
};
using vector = sinew::vec3<float>;

template <class Joint>
Joint joint_at(auto const& a, auto const& b, vector const& p) {
    vector const x{1, 0, 0}, z{0, 0, 1};
    if constexpr (std::is_same_v<Joint, sinew::slider_joint<float>>)
        return Joint::at(a, b, p, x);
    else if constexpr (std::is_same_v<Joint, sinew::powered_axis<float>>)
        return Joint::at(a, b, z, 1, 0.5f);
    else if constexpr (requires { Joint::at(a, b, p, z); })
        return Joint::at(a, b, p, z);
    else
        return Joint::at(a, b, p);
}

template <class Solver, template <class> class Joint>
struct subject {
    using world = sinew::world<config<Solver>, Joint>;
    std::unique_ptr<world> few = std::make_unique<world>(), many{};
    double of_few = 1e9, of_many = 1e9;

    subject() {
        for (int c = 0; c < chains; ++c) {
            auto previous = few->ground();
            for (int i = 0; i < links; ++i) {
                float const x = static_cast<float>(i) / 2, z = static_cast<float>(c);
                auto const link = few->add(rigid_body_of(sinew::solid_box(1.0f, vector{0.5f, 0.1f, 0.1f}), sinew::pose<float>{{x + 0.25f, 0, z}, {}}));
                few->add(joint_at<Joint<float>>(few->pose(previous), few->pose(link), {x, 0, z}), previous, link);
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
};

template <template <class> class Joint>
void measure(char const* name) {
    subject<sinew::sequential_impulses, Joint> plain;
    subject<sinew::wide_sequential_impulses<1>, Joint> one;
    subject<sinew::wide_sequential_impulses<8>, Joint> eight;
    for (int run = 0; run < runs; ++run) {
        plain.measure();
        one.measure();
        eight.measure();
    }
    double const a = plain.of_iteration(), b = one.of_iteration(), c = eight.of_iteration();
    std::printf("%-14s a joint and iteration: sequential_impulses %5.2f ns, one lane %5.2f ns, eight lanes %5.2f ns, %.1f and %.1f times as fast; a step: %5.0f, %5.0f, %5.0f us\n",
                name, a, b, c, a / c, b / c, plain.of_few * 1e6, one.of_few * 1e6, eight.of_few * 1e6);
}

}  // namespace

int main() {
    measure<sinew::ball_joint>("ball_joint");
    measure<sinew::hinge_joint>("hinge_joint");
    measure<sinew::weld_joint>("weld_joint");
    measure<sinew::slider_joint>("slider_joint");
    measure<sinew::powered_axis>("powered_axis");
}
