#pragma once
// A case of every constraint of the library. tests/constraint/cases_test.cpp fails if one is missing.

#include <constraint/cases/angle.hpp>
#include <constraint/cases/angle_limit.hpp>
#include <constraint/cases/axis_alignment.hpp>
#include <constraint/cases/composed.hpp>
#include <constraint/cases/cone_limit.hpp>
#include <constraint/cases/contact.hpp>
#include <constraint/cases/cylindrical.hpp>
#include <constraint/cases/distance.hpp>
#include <constraint/cases/gear.hpp>
#include <constraint/cases/hinge.hpp>
#include <constraint/cases/joint_friction.hpp>
#include <constraint/cases/knife_edge.hpp>
#include <constraint/cases/linear_limit.hpp>
#include <constraint/cases/motor_joint.hpp>
#include <constraint/cases/orientation.hpp>
#include <constraint/cases/path.hpp>
#include <constraint/cases/point_on_curve.hpp>
#include <constraint/cases/point_on_line.hpp>
#include <constraint/cases/point_on_plane.hpp>
#include <constraint/cases/point_on_surface.hpp>
#include <constraint/cases/point_to_point.hpp>
#include <constraint/cases/powered_axis.hpp>
#include <constraint/cases/pulley.hpp>
#include <constraint/cases/rack_and_pinion.hpp>
#include <constraint/cases/rolling.hpp>
#include <constraint/cases/servo.hpp>
#include <constraint/cases/slider.hpp>
#include <constraint/cases/soft.hpp>
#include <constraint/cases/spring_damper.hpp>
#include <constraint/cases/tetrahedron_volume.hpp>
#include <constraint/cases/twist_limit.hpp>
#include <constraint/cases/universal.hpp>
#include <constraint/cases/weld.hpp>

namespace sinew_test {

template <template <class> class... Cases>
struct case_list {
    static constexpr std::size_t size = sizeof...(Cases);
};

using all_cases = case_list<angle_case, angle_limit_case, alignment_case, parallel_case, perpendicular_case, composed_rod_case, cone_case, contact_case, cylindrical_case, distance_case,
                            particle_distance_case, rope_case, particle_body_rope_case, particle_body_distance_case, particle_rope_case, gear_case,
                            hinge_case, joint_friction_case, knife_edge_case, linear_limit_case, particle_limit_case, motor_case, lock_case,
                            body_on_path_case, particle_on_path_case, guided_path_case, particle_on_curve_case, body_on_curve_case, line_case,
                            particle_line_case, plane_case, particle_plane_case, particle_on_surface_case, body_on_surface_case, ball_case, pin_case,
                            scalar_case, scalar_pin_case, powered_case, linear_motor_case, particle_motor_case, pulley_case, pulley_rod_case,
                            particle_pulley_case, particle_body_pulley_case, particle_pulley_rod_case, rack_and_pinion_case, rolling_friction_case, rolling_sphere_case,
                            rolling_disc_case, disc_on_plane_case, angular_servo_case, linear_servo_case, particle_servo_case, slider_case, soft_hinge_case,
                            soft_blade_case, spring_damper_case, particle_spring_damper_case, particle_body_spring_damper_case, tetrahedron_case,
                            swing_twist_case, universal_case, weld_case>;

/// The constraint that a case makes, as a template over the scalar: what a world lists.
template <template <class> class Case>
struct item_of {
    template <class S>
    using type = decltype(Case<quaternion<S>>::make(std::declval<splitmix64&>()).constraint);
};

}  // namespace sinew_test
