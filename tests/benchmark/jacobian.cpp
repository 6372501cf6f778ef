// Jacobians by hand and derived by dual numbers: nanoseconds each, and their ratio, for every constraint that has one by hand.
// Double, quaternions, random poses. Aim: derived within 4 times the time of the hand-written one.

#include <sinew/sinew.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <tuple>
#include <vector>

namespace {

using namespace sinew;
using S = double;
using R = quaternion<S>;

// The compiler must take the result as read.
#if defined(__GNUC__)
template <class T>
inline void read(T const& x) {
    asm volatile("" : : "r"(&x) : "memory");
}
#else
void const* volatile sink;
template <class T>
inline void read(T const& x) {
    sink = &x;
}
#endif

// As in a program with a few constraints: here so many are compiled at once that g++ would stop to inline.
#if defined(__GNUC__) && !defined(__clang__)
#define SINEW_TEST_FLATTEN __attribute__((flatten))
#else
#define SINEW_TEST_FLATTEN
#endif

constexpr int poses_per_run = 256, rounds = 40, runs = 15;
constexpr double aim = 4;
int measured = 0;
std::vector<char const*> beyond;

// Shortest of the runs: what disturbs a measurement only makes it longer.
template <class Poses, class F>
double nanoseconds(Poses const& poses, F&& jacobian) {
    double best = 1e9;
    for (int run = 0; run < runs; ++run) {
        auto const begin = std::chrono::steady_clock::now();
        for (int i = 0; i < rounds; ++i)
            for (auto const& p : poses) read(std::apply(jacobian, p));
        best = std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / (rounds * poses_per_run));
    }
    return best;
}

template <class C>
void compare(char const* name, C const& c) {
    splitmix64 random{7};
    using sampler = detail::conformance<R, C>;
    std::vector<decltype(sampler::draw(random, S(1)))> poses;
    for (int i = 0; i < poses_per_run; ++i) poses.push_back(sampler::draw(random, S(1)));
    read(c);
    double const by_hand = nanoseconds(poses, [&c](auto const&... p) SINEW_TEST_FLATTEN { return constraint_traits<C>::jacobian(c, p...); });
    double const derived = nanoseconds(poses, [&c](auto const&... p) SINEW_TEST_FLATTEN {
        if constexpr (is_holonomic_v<C, S>)
            return derived_jacobian(c, p...);
        else
            return derived_rate_jacobian(c, detail::pack(p...), detail::pack(detail::zero_twist_for(p)...));
    });
    bool const within = derived <= aim * by_hand;
    std::printf("%-28s %2d x %2d  %8.1f %8.1f %8.2f%s\n", name, static_cast<int>(rows_v<C>), static_cast<int>(dof_v<C>), by_hand, derived, derived / by_hand,
                within ? "" : "  *");
    ++measured;
    if (!within) beyond.push_back(name);
}

struct parabola {
    constexpr auto operator()(auto const& x, auto const& y) const { return y - x * x * 0.25; }
    constexpr bool operator==(parabola const&) const = default;
};
struct waves {
    constexpr auto operator()(auto const& p) const { return p.z() - sin(p.x()) * cos(p.y()) * 0.25; }
    constexpr bool operator==(waves const&) const = default;
};
struct cubic {
    template <class T>
    constexpr vec3<T> operator()(T const& u) const {
        return {u, u * u * 0.0625, u * u * u * 0.015625};
    }
    constexpr bool operator==(cubic const&) const = default;
};

}  // namespace

int main() {
    splitmix64 random{3};
    auto const body = [&] { return random_pose<rigid, R>(random, S(1)); };
    auto const particle_at = [&] { return random_pose<point_mass, R>(random, S(1)); };
    auto const point = [&] { return random_vector<S>(random, S(1)); };
    auto const a = body(), b = body(), carrier = body();
    auto const p0 = particle_at(), p1 = particle_at(), p2 = particle_at(), p3 = particle_at();
    auto const p = point(), q = point(), u = point(), v = point();
    auto const n = random_direction<S>(random), across = normalize(cross(n, random_direction<S>(random)));

    std::printf("%-28s %7s  %8s %8s %8s\n", "constraint", "J", "by hand", "derived", "ratio");
    std::printf("%-28s %7s  %8s %8s\n", "", "", "ns", "ns");
    compare("point_to_point", point_to_point<S>::at(a, b, p));
    compare("particle_pin", particle_pin<S>::at(p0, b, p0.position));
    compare("scalar_point_to_point", scalar_point_to_point<S>::at(a, b, p));
    compare("scalar_particle_pin", scalar_particle_pin<S>::at(p0, b, p0.position));
    compare("distance", distance<S>::at(a, b, p, q));
    compare("particle_distance", particle_distance<S>::at(p0, p1, p0.position, p1.position));
    compare("particle_body_distance", particle_body_distance<S>::at(p0, b, p0.position, q));
    compare("rope", rope<S>::at(a, b, p, q));
    compare("particle_rope", particle_rope<S>::at(p0, p1, p0.position, p1.position));
    compare("particle_body_rope", particle_body_rope<S>::at(p0, b, p0.position, q));
    compare("spring_damper", spring_damper<S>::at(a, b, p, q, S(100), S(2)));
    compare("particle_spring_damper", particle_spring_damper<S>::at(p0, p1, p0.position, p1.position, S(100)));
    compare("particle_body_spring_damper", particle_body_spring_damper<S>::at(p0, b, p0.position, q, S(100)));
    compare("tetrahedron_volume", tetrahedron_volume<S>::at(p0, p1, p2, p3));
    compare("point_on_plane", point_on_plane<S>::at(a, b, p, n));
    compare("particle_on_plane", particle_on_plane<S>::at(a, p1, p1.position, n));
    compare("point_on_line", point_on_line<S>::at(a, b, p, n));
    compare("particle_on_line", particle_on_line<S>::at(a, p1, p1.position, n));
    compare("particle_on_curve", particle_on_curve<S, planar_curve<S, parabola>>{});
    compare("body_point_on_curve", body_point_on_curve<S, planar_curve<S, parabola>>::at(a, p));
    compare("particle_on_surface", particle_on_surface<S, waves>{});
    compare("body_point_on_surface", body_point_on_surface<S, waves>::at(a, p));
    compare("body_on_path", body_on_path<S, cubic>::at(a, b, {}, S(-2), S(2), S(0.5)));
    compare("particle_on_path", particle_on_path<S, cubic>::at(a, p1, {}, S(-2), S(2), S(0.5)));
    compare("guided_path", guided_path<S, cubic>::at(a, b, {}, S(-2), S(2), S(0.5)));
    compare("axis_alignment", axis_alignment<S>::at(a, b, n));
    compare("parallel_axes", parallel_axes<S>::at(a, b, n));
    compare("perpendicular_axes", perpendicular_axes<S>::at(a, b, n, across));
    compare("orientation_lock", orientation_lock<S>::at(a, b));
    compare("relative_angle", relative_angle<S>::at(a, b, n));
    compare("hinge_joint", hinge_joint<S>::at(a, b, p, n));
    compare("universal_joint", universal_joint<S>::at(a, b, p, n, across));
    compare("slider_joint", slider_joint<S>::at(a, b, p, n));
    compare("cylindrical_joint", cylindrical_joint<S>::at(a, b, p, n));
    compare("weld_joint", weld_joint<S>::at(a, b, p));
    compare("angle_limit", angle_limit<S>::at(a, b, n, S(-1), S(1)));
    compare("cone_limit", cone_limit<S>::at(a, b, n, S(0.5)));
    compare("swing_twist_limit", swing_twist_limit<S>::at(a, b, n, S(0.5), S(-1), S(1)));
    compare("linear_limit", linear_limit<S>::at(a, b, p, n, S(-1), S(1)));
    compare("particle_linear_limit", particle_linear_limit<S>::at(a, p1, p1.position, n, S(-1), S(1)));
    compare("angular_servo", angular_servo<S>::at(a, b, n));
    compare("linear_servo", linear_servo<S>::at(a, b, p, n));
    compare("particle_servo", particle_servo<S>::at(a, p1, p1.position, n));
    compare("powered_axis", powered_axis<S>::at(a, b, n, S(1), S(2)));
    compare("linear_motor", linear_motor<S>::at(a, b, p, n, S(1), S(2)));
    compare("particle_motor", particle_motor<S>::at(a, p1, p1.position, n, S(1), S(2)));
    compare("motor_joint", motor_joint<S>::at(a, b, S(4)));
    compare("joint_friction", joint_friction<S>{S(1)});
    compare("gear", gear<S>::at(a, b, carrier, n, n, 12, 30));
    compare("rack_and_pinion", rack_and_pinion<S>::at(a, b, carrier, p, n, q));
    compare("pulley", pulley<S>::at(a, b, carrier, p, u, q, v, S(2)));
    compare("particle_pulley", particle_pulley<S>::at(p0, p1, carrier, p0.position, u, p1.position, v, S(2)));
    compare("particle_body_pulley", particle_body_pulley<S>::at(p0, b, carrier, p0.position, u, q, v, S(2)));
    compare("pulley_rod", pulley_rod<S>::at(a, b, carrier, p, u, q, v));
    compare("particle_pulley_rod", particle_pulley_rod<S>::at(p0, p1, carrier, p0.position, u, p1.position, v));
    compare("rolling_sphere", rolling_sphere<S>::at(a, b, p, n, S(0.5)));
    compare("rolling_disc", rolling_disc<S>::at(a, b, p, across, n, S(0.5)));
    compare("disc_on_plane", disc_on_plane<S>::at(a, b, p, across, n, S(0.5)));
    compare("knife_edge", knife_edge<S>::at(a, b, p, across));
    std::printf("%d constraints, %d beyond %g times (*)", measured, static_cast<int>(beyond.size()), aim);
    for (auto const* name : beyond) std::printf("%s %s", name == beyond.front() ? ":" : ",", name);
    std::printf("\n");
}
