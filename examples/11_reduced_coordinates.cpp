// A hybrid: a whip. Its handle is an arm of three bars in reduced coordinates, which nothing can pull apart, since their angles are all
// there is; its lash is a rope of particles held by constraints. Writes 11_reduced_coordinates.html.
//
// The arm is a map from three angles to the poses of three bars (Witkin 1997, 5). From that one function the library derives the mass matrix
// J^T M J and the forces J^T Q; the rope's end is bound to the last bar by the same constraint that binds it to any body.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

template <sinew::scalar S>
struct arm {
    static constexpr std::size_t coordinates = 3;  // the angle of each bar from the one before, rad; the first from x
    S length{0.6};                                 // of a bar, m

    constexpr auto links(auto const& u) const {
        using T = typename std::remove_cvref_t<decltype(u)>::scalar_type;
        using sinew::cos, sinew::sin;
        std::array<sinew::pose<T>, 3> bars;
        sinew::vec3<T> end{T(0), T(0), T(0)};
        T angle(0);
        for (std::size_t i = 0; i < 3; ++i) {
            angle = angle + u[i];
            sinew::vec3<T> const half{cos(angle) * (length / S(2)), sin(angle) * (length / S(2)), T(0)};
            bars[i] = {end + half, sinew::rotation_about<sinew::quaternion<T>>({T(0), T(0), T(1)}, angle)};
            end = end + half + half;
        }
        return bars;
    }
};
template <class S>
using held_end = sinew::on_link<S, sinew::particle_pin, sinew::as_bound, sinew::link_of<arm, 2>>;

struct config : sinew::default_config {
    using scalar = double;
    using integrator = sinew::rk4;
    using solver = sinew::lagrange_multipliers<sinew::sparse_ldlt>;
};
using vec = sinew::vec3<double>;

int main() {
    sinew::world<config, arm, held_end, sinew::particle_distance> world;
    auto const bar = sinew::link_mass<double>::of(sinew::solid_box(0.4, vec{0.6, 0.05, 0.05}));
    auto const handle = world.add(sinew::generalized_body<arm<double>>{{}, {bar, bar, bar}, {2.0, 0.4, 0.3}, {-9, -3, -1}});

    constexpr int points = 20;
    constexpr double spacing = 0.08;
    vec const tip = world.pose(handle, 2).point(vec{0.3, 0, 0}), along = world.pose(handle, 2).direction(vec{1, 0, 0});
    std::vector<sinew::handle<sinew::point_mass>> lash;
    for (int i = 0; i < points; ++i) {
        vec const x = tip + along * (spacing * i);
        // It turns with the last bar at first, so that it neither pulls nor slackens; and it grows thinner.
        vec const v = world.velocity(handle, 2) + cross(world.twist(handle, 2).angular, x - world.position(handle, 2));
        lash.push_back(world.add(sinew::particle<double>{0.02 * std::pow(0.9, i), x, v}));
        if (i > 0) world.add(sinew::particle_distance<double>{.length = spacing}, lash[lash.size() - 2], lash.back());
    }
    world.add(held_end<double>::at(sinew::particle_pose<double>{tip}, world.pose(handle), tip), lash[0], handle);

    sinew::recorder page("A whip: an arm in reduced coordinates, a lash of constraints");
    std::vector<sinew::shape_id> bars, beads;
    for (int i = 0; i < 3; ++i) bars.push_back(page.add_box({0.3, 0.025, 0.025}));
    for (int i = 0; i < points; ++i) beads.push_back(page.add_point(0.012 * std::pow(0.95, i), "#7a4a12"));
    page.add_line(beads, "#7a4a12");
    page.camera(0.3, 0.2);

    double const energy = world.energy();
    double fastest = 0;
    for (int i = 0; i < 480; ++i) {
        page.frame(world.time());
        for (std::size_t k = 0; k < 3; ++k) page.pose(bars[k], world.pose(handle, k));
        for (std::size_t k = 0; k < beads.size(); ++k) page.position(beads[k], world.position(lash[k]));
        double const speed = norm(world.velocity(lash.back()));
        fastest = std::max(fastest, speed);
        page.plot("speed [m/s]", "end of the arm", norm(world.velocity(lash.front())));
        page.plot("speed [m/s]", "end of the lash", speed);
        page.plot("energy, change [J]", "energy", world.energy() - energy);
        page.plot("error of the rope [m]", "rope", world.constraint_error());
        for (int k = 0; k < 40; ++k)
            if (!world.step(1.0 / 4800)) return 1;
    }
    std::printf("the end of the lash reached %.1f m/s; energy off by %.1e of %.0f J after 4 s; the rope by %.1e m\n", fastest, std::abs(world.energy() - energy),
                energy, world.constraint_error());
    page.write("11_reduced_coordinates.html");
}
