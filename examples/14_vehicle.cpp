// A car with a trailer on rough ground (after the TestVehicle of Vondrak 2005). Writes 14_vehicle.html: the camera drives along.
//
// A wheel is bound to the chassis by joints of the library alone:
//
//   hub     a small body that slides up and down in the chassis (slider), between two stops (linear limit), on a spring with a damper
//   steer   of the front wheels the hub is in two parts: the carrier turns against the slider about the vertical (hinge), held at an
//           angle by a servo
//   wheel   turns on the hub about the axle (hinge); a motor with a bounded torque drives the two at the back (powered axis)
//
// The trailer hangs on a ball joint. Wheels are cylinders, and what carries and drives the car is their friction on a height field.
// In the end the car must have come as far as its wheels have rolled, less their slip, with the trailer behind it, the joints together and nobody upside down.

#include <sinew/io/recorder.hpp>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using vec = sinew::vec3<float>;
using world_type = sinew::world<sinew::default_config, sinew::box, sinew::cylinder, sinew::height_field, sinew::slider_joint, sinew::hinge_joint, sinew::ball_joint,
                                sinew::linear_limit, sinew::spring_damper, sinew::angular_servo, sinew::powered_axis>;
using body_id = world_type::body_handle;
constexpr vec upward{0, 1, 0}, axle{0, 0, 1};

// Hills, and bumps on them that grow along the way.
sinew::height_field<float> ground() {
    std::vector<float> heights;
    for (int j = 0; j < 60; ++j)
        for (int i = 0; i < 200; ++i) {
            float const x = 0.5f * float(i), z = 0.5f * float(j - 30), rough = std::min(1.0f, std::max(0.0f, (x - 10) / 30));
            heights.push_back(rough * (0.5f * std::sin(0.17f * x) + 0.3f * std::sin(0.21f * z + 0.1f * x) + 0.06f * std::sin(1.9f * x) * std::cos(1.3f * z)));
        }
    return height_field_of(heights, 200, sinew::vec{0.5f, 0.5f});
}

struct wheel {
    body_id hub, disc;
    sinew::handle<sinew::angular_servo<float>> steer{};
    sinew::handle<sinew::powered_axis<float>> motor{};
};

// A wheel below a point of a chassis.
wheel add_wheel(world_type& world, body_id const& chassis, vec const& at, bool steers, bool drives) {
    wheel w;
    auto const small = sinew::pose<float>{at};
    auto const knuckle = rigid_body_of(sinew::solid_box(12.0f, vec{0.3f, 0.3f, 0.3f}), small);
    body_id const slide = world.add(knuckle);
    world.add(sinew::slider_joint<float>::at(world.pose(chassis), world.pose(slide), at, upward), chassis, slide);
    world.add(sinew::linear_limit<float>::at(world.pose(chassis), world.pose(slide), at, upward, -0.18f, 0.2f), chassis, slide);
    vec const mount = at + vec{0, 0.6f, 0};
    auto spring = sinew::spring_damper<float>::at(world.pose(chassis), world.pose(slide), mount, at, 22000, 1800);
    spring.rest_length += 0.12f;  // pressed together by the weight
    world.add(spring, chassis, slide);
    w.hub = slide;
    if (steers) {
        w.hub = world.add(knuckle);
        world.add(sinew::hinge_joint<float>::at(world.pose(slide), world.pose(w.hub), at, upward), slide, w.hub);
        w.steer = world.add(sinew::angular_servo<float>::at(world.pose(slide), world.pose(w.hub), upward, 0, 2000), slide, w.hub);
    }
    w.disc = world.add_solid(sinew::cylinder<float>{0.36f, 0.12f}, 200.0f, {at, sinew::quaternion_exp(vec{sinew::pi_v<float> / 2, 0, 0})},
                             {.material = sinew::material<float>::of(0.9f)});
    world.add(sinew::hinge_joint<float>::at(world.pose(w.hub), world.pose(w.disc), at, axle), w.hub, w.disc);
    if (drives) w.motor = world.add(sinew::powered_axis<float>::at(world.pose(w.hub), world.pose(w.disc), axle, 0, 450), w.hub, w.disc);
    return w;
}

// The same with another number.
template <class C>
C with(C c, float C::*member, float value) {
    c.*member = value;
    return c;
}

int main() {
    world_type world;
    world.solver.substeps = 8;
    world.add(ground(), world.ground(), {.frame = {{0, 0, -15}}, .material = sinew::material<float>::of(0.9f)});

    // x ahead. The body of the car stands on four wheels, that of the trailer on two.
    vec const start{6, 0.95f, 0};
    body_id const car = world.add_solid(sinew::box<float>{{1.3f, 0.25f, 0.5f}}, 700.0f, {start});
    world.add(sinew::box<float>{{0.55f, 0.22f, 0.45f}}, car, {.frame = {{-0.25f, 0.47f, 0}}});
    vec const behind = start + vec{-3.1f, 0, 0};
    body_id const trailer = world.add_solid(sinew::box<float>{{0.9f, 0.25f, 0.5f}}, 350.0f, {behind});
    vec const coupling = start + vec{-1.7f, -0.1f, 0};
    auto const hook = world.add(sinew::ball_joint<float>::at(world.pose(car), world.pose(trailer), coupling), car, trailer);

    std::vector<wheel> wheels;
    for (float const side : {-0.72f, 0.72f}) {
        wheels.push_back(add_wheel(world, car, start + vec{0.85f, -0.55f, side}, true, false));
        wheels.push_back(add_wheel(world, car, start + vec{-0.85f, -0.55f, side}, false, true));
        wheels.push_back(add_wheel(world, trailer, behind + vec{-0.2f, -0.55f, side}, false, false));
    }

    sinew::recorder page("A car with a trailer on rough ground");
    page.camera(0.9, 0.3);
    auto const shown = page.add_colliders(world, [&](auto const& b) { return std::string(b == world.ground() ? "#a9b39a" : b == car ? "#3b7cb8" : b == trailer ? "#d9822b" : "#4a515b"); });
    page.follow(shown.front().second, 3.2);

    float rolled = 0, way = 0, worst = 0, lowest_up = 1;
    for (int step = 0; step < 900; ++step) {
        // The driver looks six metres ahead, at a winding way; the car stands at first, and brakes in the end.
        float const t = world.time(), x = world.position(car).x() + 6;
        vec const aim = world.pose(car).local_point(vec{x, world.position(car).y(), 3 * std::sin(0.2f * x)});
        float const turn = std::clamp(std::atan2(-aim.z(), aim.x()), -0.5f, 0.5f), speed = t < 1 || t > 13 ? 0.0f : 5.0f;
        for (auto const& w : wheels) {
            if (w.steer) world.set(w.steer, with(world.get(w.steer), &sinew::angular_servo<float>::target, turn));
            if (w.motor) world.set(w.motor, with(world.get(w.motor), &sinew::powered_axis<float>::speed, -speed / 0.36f));
        }
        vec const v = world.twist(car).linear;
        if (step % 2 == 0) {
            page.frame(static_cast<double>(t));
            page.show(world, shown);
            page.plot("speed [m/s]", "car", static_cast<double>(norm(v)));
            page.plot("height [m]", "car", static_cast<double>(world.position(car).y()));
            page.plot("height [m]", "trailer", static_cast<double>(world.position(trailer).y()));
            page.plot("coupling of the trailer, apart by [mm]", "error", 1000.0 * static_cast<double>(norm(world.error_of(hook))));
        }
        if (!world.step(1.0f / 60)) return 1;
        way += norm(v) / 60;
        for (auto const& w : wheels)
            if (w.motor) rolled += 0.5f * 0.36f * std::abs(dot(world.twist(w.disc).angular, world.pose(w.hub).direction(axle))) / 60;
        worst = std::max(worst, norm(world.error_of(hook)));
        lowest_up = std::min(lowest_up, world.pose(car).direction(upward).y());
    }
    page.write("14_vehicle.html");
    std::printf("the car has come %.1f m, its wheels have rolled %.1f m;\nthe trailer was never off its hook by more than %.1f mm, the car never leaned by more than %.0f degrees\n", double(way),
                double(rolled), 1000 * double(worst), double(std::acos(lowest_up)) * 57.3);
    return way > 40 && std::abs(rolled - way) < 0.05f * way && worst < 0.02f && lowest_up > 0.8f ? 0 : 1;
}
