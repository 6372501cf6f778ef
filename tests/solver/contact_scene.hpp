#pragma once
// Bodies on a plane, with contacts placed by hand: what lies on it, slides, rolls and bounces, without any collision detection.

#include <solver/strategy_list.hpp>

#include <sinew/constraint/contact.hpp>
#include <sinew/constraint/rolling_friction.hpp>

#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

namespace sinew_test {

template <class S, class Solver, class Integrator = symplectic_euler>
struct contact_config : default_config {
    using scalar = S;
    using solver = Solver;
    using integrator = Integrator;
};

/// One body that touches a plane through the origin by points fixed in it (corners), or as a ball.
template <class Config, template <class> class Contact = contact>
struct on_plane {
    using world_type = world<Config, Contact, rolling_friction>;
    using S = typename world_type::scalar_type;
    using V = vec3<S>;

    world_type w;
    typename world_type::body_handle body{};
    V normal{S(0), S(1), S(0)}, downhill{S(1), S(0), S(0)};
    std::vector<V> corners;  // frame of the body
    S radius{0};             // of a ball
    material<S> surface;

    /// Inclined by `slope` rad about z, so that x leads downhill.
    explicit on_plane(double slope = 0) : normal{S(std::sin(slope)), S(std::cos(slope)), S(0)}, downhill{S(std::cos(slope)), S(-std::sin(slope)), S(0)} {}

    void add_box(V const& half, double heading, double height = 0) {
        auto const upright = quaternion_exp(V{S(0), S(0), S(-std::atan2(double(normal[0]), double(normal[1])))});
        auto const turned = quaternion_exp(V{S(0), S(heading), S(0)});
        body = w.add(rigid_body_of(solid_box(S(1), half * S(2)), typename world_type::pose_type{normal * (half[1] + S(height)), upright * turned}));
        for (int i = 0; i < 4; ++i) corners.push_back({(i & 1) != 0 ? half[0] : -half[0], -half[1], (i & 2) != 0 ? half[2] : -half[2]});
        touch();
    }
    void add_ball(double r, double height = 0) {
        radius = S(r);
        body = w.add(rigid_body_of(solid_sphere(S(1), radius), typename world_type::pose_type{normal * (radius + S(height))}));
        touch();
    }
    /// Contacts where the body is now.
    void touch() {
        auto const a = w.pose(w.ground()), b = w.pose(body);
        for (std::size_t i = 0; i < points(); ++i) w.add(at(a, b, i), w.ground(), body);
    }
    void step(double h) {
        auto const problem = w.make_problem();
        auto const entries = std::get<0>(problem.constraints);
        auto const a = w.pose(w.ground()), b = w.pose(body);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            auto c = at(a, b, i);
            entries[i].lambda = c.continue_from(entries[i].constraint, entries[i].lambda, a, b, S(h));
            entries[i].constraint = c;
        }
        ok = bool(w.step(S(h))) && ok;
    }
    void run(double seconds, double h) {
        for (int i = 0, n = int(seconds / h + 0.5); i < n; ++i) step(h);
    }
    [[nodiscard]] double speed() const { return double(dot(w.twist(body).linear, downhill)); }
    [[nodiscard]] V place() const { return w.position(body); }
    /// Sum of the contacts' pushes, N.
    [[nodiscard]] double push() {
        double sum = 0;
        auto const problem = w.make_problem();
        for (auto const& e : std::get<0>(problem.constraints)) sum += double(e.lambda[0]);
        return sum;
    }
    bool ok = true;

private:
    [[nodiscard]] std::size_t points() const { return radius > S(0) ? 1 : corners.size(); }
    template <class A, class B>
    [[nodiscard]] Contact<S> at(A const& a, B const& b, std::size_t i) const {
        V const p = radius > S(0) ? V(b.position - normal * radius) : b.point(corners[i]);
        return Contact<S>::at(a, b, V(p - normal * dot(normal, p)), p, normal, surface, S(0), radius);
    }
};

}  // namespace sinew_test
