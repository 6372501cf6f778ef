// Bodies in reduced coordinates, and motion by hits without penetration.

#include <determinism/scene.hpp>

#include <array>

namespace determinism {
namespace {

// Two bars: angles from straight down, the second from the first.
template <scalar S>
struct double_pendulum {
    static constexpr std::size_t coordinates = 2;
    S length{1};
    constexpr auto links(auto const& u) const {
        using T = typename std::remove_cvref_t<decltype(u)>::scalar_type;
        auto const bar = [&](vec3<T> const& from, T const& angle) {
            auto const turn = rotation_about<quaternion<T>>(vec3<T>{T(0), T(0), T(1)}, angle);
            return pose<T>{from + rotate(turn, vec3<T>{T(0), T(-length / S(2)), T(0)}), turn};
        };
        auto const first = bar(vec3<T>{T(0), T(0), T(0)}, u[0]);
        return std::array<pose<T>, 2>{first, bar(first.position + first.position, u[0] + u[1])};
    }
    friend constexpr bool operator==(double_pendulum const&, double_pendulum const&) = default;
};

void other_motions() {
    {
        world<config<lagrange_multipliers<cholesky>, double, rk4>, double_pendulum> w;
        generalized_body<double_pendulum<double>> b;
        b.masses.fill(link_mass<double>::of(solid_box(1.0, vec3<double>{0.1, 1, 0.1})));
        b.u = {1.2, 0.4};
        w.add(b);
        run("reduced_coordinates,double,double_pendulum", w, 300, 1.0 / 100);
    }
    {
        using balls = world<config<sequential_impulses, double>, sphere, half_space>;
        balls w;
        w.add(half_space<double>{}, w.ground());
        for (int i = 0; i < 4; ++i)
            w.add_solid(sphere<double>{0.2}, 900.0, pose<double>{{0.05 * i, 0.5 + 0.55 * i, 0.03 * i}}, {.material = material<double>::of(0.2, 0.6)});
        non_penetrating motion(w);
        run_with("non_penetrating,double,balls", w, 100, [&] { return bool(motion.advance(0.01)); });
    }
}

scene_file const file_of_other_motions("other_motions", other_motions);

}  // namespace
}  // namespace determinism
