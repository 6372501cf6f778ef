#pragma once
// A rag doll from a skeleton: bodies of capsules with masses, joined by ball joints and hinges with limits.
//
//   sinew::ragdoll const doll = sinew::make_ragdoll(sinew::load_bvh("clip.bvh"));
//   sinew::ragdoll_bodies<world_type> const parts = add_ragdoll(world, doll);
//
// A file of motion capture says only where the joints are, in a unit of its own. The rest is taken from what people are
// like: the largest extent of the rest pose becomes `size`, capsules as thick as long limbs allow, the density the
// same everywhere so that the mass adds up, and a range for each joint by the name of it. Joints that lie on their parent, and
// small ones such as fingers, become part of the body before them.

#include <sinew/body/mass_properties.hpp>
#include <sinew/constraint/angle_limit.hpp>
#include <sinew/constraint/hinge.hpp>
#include <sinew/constraint/joint_friction.hpp>
#include <sinew/constraint/point_to_point.hpp>
#include <sinew/constraint/twist_limit.hpp>
#include <sinew/io/bvh.hpp>
#include <sinew/io/shape_drawing.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew::inline v0 {

/// What a file of motion capture does not say.
struct ragdoll_options {
    double size = 1.75;             ///< m, largest extent of the rest pose
    double mass = 75;               ///< kg, all together
    std::size_t frame = 0;          ///< the pose to begin in; the rest pose if the file has no such frame
    double smallest_part = 0.04;    ///< of `size`: a joint below which all is shorter belongs to its parent
    double joint_friction = 0.4;    ///< N m, of an average joint; each has its share by the mass that it carries
};

/// A capsule fixed in a part, along the y axis of `local`.
struct ragdoll_capsule {
    pose<double> local;  ///< frame of the part
    double half_length;  ///< m, of the cylindrical part
    double radius;       ///< m
};

enum class ragdoll_joint : std::uint8_t { none, ball, hinge };

/// One body of the doll. At rest its axes are those of the world.
struct ragdoll_part {
    std::string name;                       ///< of the joint of the skeleton
    int parent = -1;                        ///< index of the part before it, -1 of a root
    std::size_t joint = 0;                  ///< index of the joint of the skeleton
    mass_properties<double> mass;           ///< about its centre of mass, which is the origin of its frame
    std::vector<ragdoll_capsule> capsules;
    vec3<double> rest{0, 0, 0};             ///< m, centre of mass in the rest pose
    vec3<double> pivot{0, 0, 0};            ///< m, where it hangs on its parent in the rest pose
    vec3<double> axis{0, 1, 0};             ///< unit, in the rest pose: of the limb (ball), or about which it bends (hinge)
    ragdoll_joint kind = ragdoll_joint::none;
    double lower = 0, upper = 0;            ///< rad, of the bend (hinge) or the twist (ball)
    double swing = 0;                       ///< rad (ball)
    double friction = 0;                    ///< N m
    pose<double> start;                     ///< in the pose to begin in
};

/// Parts come parents first.
struct ragdoll {
    std::vector<ragdoll_part> parts;
    std::vector<std::size_t> part_of_joint;  ///< for each joint of the skeleton, ends included
    double scale = 1;                        ///< metres per unit of the file
};

namespace detail {

[[nodiscard]] inline std::string in_lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}
[[nodiscard]] inline bool name_has(std::string_view name, std::initializer_list<std::string_view> words) {
    std::string const lower = in_lower_case(name);
    for (auto const word : words)
        if (lower.find(in_lower_case(word)) != std::string::npos) return true;
    return false;
}
[[nodiscard]] inline bool is_elbow(std::string_view name) { return name_has(name, {"forearm", "lowerarm", "lowarm", "elbow"}); }
[[nodiscard]] inline bool is_knee(std::string_view name) {
    return name_has(name, {"knee", "shin", "calf", "lowerleg", "lowleg"}) || (name_has(name, {"leg"}) && !name_has(name, {"up", "thigh"}));
}
[[nodiscard]] inline bool is_trunk(std::string_view name) { return name_has(name, {"spine", "chest", "back", "abdomen", "torso", "hips", "pelvis"}); }

// The rotation that takes y to d, a unit vector.
[[nodiscard]] inline quaternion<double> from_y_axis(vec3<double> const& d) {
    if (d.y() < -0.999999) return {0, 1, 0, 0};
    return normalize(quaternion<double>{1 + d.y(), d.z(), 0, -d.x()});
}

// Where the figure looks in the rest pose: the way its toes point. Zero if there are none.
[[nodiscard]] inline vec3<double> forward_of(bvh_motion const& motion) {
    vec3<double> sum{0, 0, 0};
    for (auto const& j : motion.joints)
        if (j.parent >= 0 && name_has(motion.joints[static_cast<std::size_t>(j.parent)].name, {"foot", "ankle", "toe"}))
            sum += vec3<double>{j.offset.x(), 0, j.offset.z()};
    return normalize(sum);
}

// A joint's range, from what its name says and the direction of its limb.
inline void set_range(ragdoll_part& part, vec3<double> const& limb, vec3<double> const& forward) {
    constexpr double degree = pi_v<double> / 180;
    part.kind = ragdoll_joint::ball;
    part.axis = limb;
    part.swing = 70 * degree;
    part.upper = 40 * degree;
    bool const elbow = is_elbow(part.name), knee = is_knee(part.name);
    vec3<double> const bend = cross(limb, forward) * (knee ? -1.0 : 1.0);  // elbows bend forward, knees backward
    if ((elbow || knee) && norm(bend) > 0.5) {
        part.kind = ragdoll_joint::hinge;
        part.axis = normalize(bend);
        part.lower = -5 * degree;
        part.upper = 140 * degree;
        return;
    }
    if (is_trunk(part.name) || name_has(part.name, {"neck"})) {
        part.swing = 25 * degree;
        part.upper = 20 * degree;
    } else if (name_has(part.name, {"head", "foot", "ankle", "hand", "wrist", "toe"})) {
        part.swing = 40 * degree;
        part.upper = 30 * degree;
    } else if (name_has(part.name, {"arm", "shoulder"})) {
        part.swing = 100 * degree;
        part.upper = 70 * degree;
    }
    part.lower = -part.upper;
}

// Which joint of the skeleton each joint's body hangs on: itself, if it begins a body of its own.
[[nodiscard]] inline std::vector<std::size_t> heads_of(bvh_motion const& motion, double extent, double smallest_part) {
    std::size_t const n = motion.joints.size();
    std::vector<double> reach(n, 0);  // along the longest chain of bones below
    for (std::size_t i = n; i-- > 0;)
        if (motion.joints[i].parent >= 0) {
            auto const p = static_cast<std::size_t>(motion.joints[i].parent);
            reach[p] = std::max(reach[p], reach[i] + norm(motion.joints[i].offset));
        }
    std::vector<std::size_t> head(n);
    for (std::size_t i = 0; i < n; ++i) {
        auto const& j = motion.joints[i];
        bool const coincident = norm(j.offset) < 0.01 * extent;
        // A joint without anything below it is drawn on in the direction of its bone, so it counts as half of that.
        bool const leaf = reach[i] == 0;
        bool const small = (leaf ? norm(j.offset) / 2 : reach[i]) < smallest_part * extent;
        head[i] = j.parent >= 0 && (j.end_site || coincident || small) ? head[static_cast<std::size_t>(j.parent)] : i;
    }
    return head;
}

}  // namespace detail

/// Makes the doll. Throws std::invalid_argument if the skeleton is empty, its offsets are not finite, or an option makes no sense.
[[nodiscard]] inline ragdoll make_ragdoll(bvh_motion const& motion, ragdoll_options const& options = {}) {
    using V = vec3<double>;
    if (motion.joints.empty()) throw std::invalid_argument("sinew: a rag doll needs a skeleton with at least one joint");
    if (!(options.size > 0) || !isfinite(options.size)) throw std::invalid_argument("sinew: ragdoll_options::size must be positive, got " + std::to_string(options.size));
    if (!(options.mass > 0) || !isfinite(options.mass)) throw std::invalid_argument("sinew: ragdoll_options::mass must be positive, got " + std::to_string(options.mass));
    if (!(options.joint_friction >= 0)) throw std::invalid_argument("sinew: ragdoll_options::joint_friction must not be negative, got " + std::to_string(options.joint_friction));

    std::size_t const n = motion.joints.size();
    auto const rest = pose_of_frame(motion, motion.frames).position;  // no such frame: the rest pose
    V low = rest[0], high = rest[0];
    for (auto const& p : rest)
        for (std::size_t k = 0; k < 3; ++k) {
            if (!isfinite(p[k])) throw std::invalid_argument("sinew: the offsets of the skeleton are not finite");
            low[k] = std::min(low[k], p[k]);
            high[k] = std::max(high[k], p[k]);
        }
    double const extent = std::max({high.x() - low.x(), high.y() - low.y(), high.z() - low.z()});
    if (!isfinite(extent)) throw std::invalid_argument("sinew: the skeleton is too large");
    ragdoll doll;
    doll.scale = extent > 0 ? options.size / extent : 1;
    double const size = options.size;
    auto const head = detail::heads_of(motion, extent, options.smallest_part);
    auto const at = [&](std::size_t i) { return rest[i] * doll.scale; };

    std::vector<std::size_t> child_count(n, 0);
    std::vector<std::size_t>& part_of = doll.part_of_joint;
    part_of.resize(n);
    for (auto const& j : motion.joints)
        if (j.parent >= 0) ++child_count[static_cast<std::size_t>(j.parent)];
    for (std::size_t i = 0; i < n; ++i) {
        if (head[i] != i) {
            part_of[i] = part_of[head[i]];
            continue;
        }
        ragdoll_part part;
        part.name = motion.joints[i].name;
        part.joint = i;
        part.pivot = at(i);
        if (motion.joints[i].parent >= 0) part.parent = static_cast<int>(part_of[static_cast<std::size_t>(motion.joints[i].parent)]);
        part_of[i] = doll.parts.size();
        doll.parts.push_back(std::move(part));
    }

    // Capsules about the bones, from each joint to what hangs on it; first in the world, at rest. A bone that ends nowhere
    // goes on as the one before it did, and a part without any is a ball.
    std::vector<V> limb(doll.parts.size(), V{0, 0, 0});  // the longest bone of each part
    double volume = 0;
    auto const add_capsule = [&](std::size_t i, V const& from, V const& to, double radius) {
        auto& part = doll.parts[i];
        double const length = norm(to - from), half = std::max(0.0, length / 2 - radius);
        pose<double> const where{(from + to) * 0.5, detail::from_y_axis(length > 0 ? (to - from) / length : V{0, 1, 0})};
        double const capsule_volume = pi_v<double> * radius * radius * (2 * half + 4.0 / 3.0 * radius);
        auto const solid = moved(solid_capsule(capsule_volume, 2 * half, radius), where);
        part.mass = part.capsules.empty() ? solid : part.mass + solid;
        part.capsules.push_back({where, half, radius});
        volume += capsule_volume;
        if (length > norm(limb[i])) limb[i] = to - from;
    };
    std::vector<int> branches(doll.parts.size(), 0);
    for (auto const& part : doll.parts)
        if (part.parent >= 0) ++branches[static_cast<std::size_t>(part.parent)];
    auto const add_bone = [&](std::size_t i, V const& from, V const& to) {
        bool const trunk = branches[i] > 1 || detail::is_trunk(doll.parts[i].name), head_bone = detail::name_has(doll.parts[i].name, {"head"});
        double const length = norm(to - from);
        double const radius = head_bone ? std::clamp(0.5 * length, 0.045 * size, 0.06 * size)
                              : trunk   ? std::clamp(0.7 * length, 0.03 * size, 0.055 * size)
                                        : std::clamp(0.15 * length, 0.02 * size, 0.045 * size);
        add_capsule(i, from, to, radius);
    };
    for (std::size_t i = 0; i < n; ++i) {
        if (motion.joints[i].parent < 0) continue;
        V const from = at(static_cast<std::size_t>(motion.joints[i].parent)), to = at(i);
        if (norm(to - from) > 0.01 * size) add_bone(part_of[static_cast<std::size_t>(motion.joints[i].parent)], from, to);
        if (head[i] == i && child_count[i] == 0) add_bone(part_of[i], to, to + (to - from) * 0.5);
    }
    for (std::size_t i = 0; i < doll.parts.size(); ++i)
        if (doll.parts[i].capsules.empty()) add_capsule(i, doll.parts[i].pivot, doll.parts[i].pivot, 0.05 * size);

    V const forward = detail::forward_of(motion);
    for (std::size_t i = 0; i < doll.parts.size(); ++i) {
        auto& part = doll.parts[i];
        part.rest = part.mass.center;
        part.mass = scaled_to_mass(moved(part.mass, -part.rest), part.mass.mass * (options.mass / volume));
        part.mass.center = V{0, 0, 0};  // rounding aside, it is
        for (auto& c : part.capsules) c.local.position -= part.rest;
        if (part.parent >= 0) detail::set_range(part, norm(limb[i]) > 0 ? normalize(limb[i]) : V{0, 1, 0}, forward);
        part.friction = options.joint_friction * part.mass.mass * static_cast<double>(doll.parts.size()) / options.mass;
    }

    // The pose to begin in: each part turned as its own joint is, and hung on its parent where it hangs at rest.
    auto const frame = pose_of_frame(motion, options.frame);
    for (auto& part : doll.parts) {
        part.start.rotation = frame.rotation[part.joint];
        V pivot = frame.position[part.joint] * doll.scale;
        if (part.parent >= 0) {
            auto const& p = doll.parts[static_cast<std::size_t>(part.parent)];
            pivot = p.start.point(part.pivot - p.rest);
        }
        part.start.position = pivot + rotate(part.start.rotation, part.rest - part.pivot);
    }
    return doll;
}

/// The joint whose name holds one of some words (any case), the one nearest to its root if several; -1 if there is none.
[[nodiscard]] inline int find_joint(bvh_motion const& motion, std::initializer_list<std::string_view> words) {
    int found = -1, least = 0;
    std::vector<int> depth;
    for (auto const& j : motion.joints) {
        depth.push_back(j.parent < 0 ? 0 : depth[static_cast<std::size_t>(j.parent)] + 1);
        if (!j.end_site && detail::name_has(j.name, words) && (found < 0 || depth.back() < least)) {
            least = depth.back();
            found = static_cast<int>(depth.size()) - 1;
        }
    }
    return found;
}

/// The end of a part that is farthest from where it hangs on its parent: where a hand is held (m, in the pose to begin in).
[[nodiscard]] inline vec3<double> far_end(ragdoll_part const& part) {
    vec3<double> best = part.pivot - part.rest;
    double farthest = -1;
    for (auto const& c : part.capsules)
        for (double const side : {-1.0, 1.0}) {
            auto const end = c.local.point(vec3<double>{0, side * (c.half_length + c.radius), 0});
            double const away = norm(end - (part.pivot - part.rest));
            if (away > farthest) {
                farthest = away;
                best = end;
            }
        }
    return part.start.point(best);
}

/// The bodies of a doll in a world, one per part.
template <class World>
using ragdoll_bodies = std::vector<typename World::body_handle>;

/// Adds the doll to a world that knows ball_joint, hinge_joint, angle_limit, swing_twist_limit and joint_friction, moved by `offset` (m).
template <class World>
ragdoll_bodies<World> add_ragdoll(World& world, ragdoll const& doll, vec3<double> const& offset = {0, 0, 0}) {
    using S = typename World::scalar_type;
    using pose_type = typename World::pose_type;
    auto const cast = [](vec3<double> const& v) { return vec3<S>{static_cast<S>(v.x()), static_cast<S>(v.y()), static_cast<S>(v.z())}; };
    ragdoll_bodies<World> bodies;
    for (auto const& part : doll.parts) {
        mass_properties<S> mass;
        mass.mass = static_cast<S>(part.mass.mass);
        auto const& I = part.mass.inertia;
        mass.inertia = {static_cast<S>(I.xx), static_cast<S>(I.yy), static_cast<S>(I.zz), static_cast<S>(I.xy), static_cast<S>(I.xz), static_cast<S>(I.yz)};
        auto const& q = part.start.rotation;
        quaternion<S> const rotation{static_cast<S>(q.w), static_cast<S>(q.x), static_cast<S>(q.y), static_cast<S>(q.z)};
        pose_type const start{cast(part.start.position + offset), rotation_cast<typename World::rotation_type>(normalize(rotation))};
        auto const body = world.add(rigid_body_of(mass, start));
        bodies.push_back(body);
        if (part.parent < 0) continue;
        // Joints and their ranges are measured in the rest pose.
        auto const parent = bodies[static_cast<std::size_t>(part.parent)];
        pose_type const a{cast(doll.parts[static_cast<std::size_t>(part.parent)].rest), World::rotation_type::identity()}, b{cast(part.rest), World::rotation_type::identity()};
        if (part.kind == ragdoll_joint::hinge) {
            world.add(hinge_joint<S>::at(a, b, cast(part.pivot), cast(part.axis)), parent, body);
            world.add(angle_limit<S>::at(a, b, cast(part.axis), static_cast<S>(part.lower), static_cast<S>(part.upper)), parent, body);
        } else {
            world.add(ball_joint<S>::at(a, b, cast(part.pivot)), parent, body);
            world.add(swing_twist_limit<S>::at(a, b, cast(part.axis), static_cast<S>(part.swing), static_cast<S>(part.lower), static_cast<S>(part.upper)), parent, body);
        }
        if (part.friction > 0) world.add(joint_friction<S>{static_cast<S>(part.friction)}, parent, body);
    }
    return bodies;
}

/// The shapes of a doll on a page: one per capsule. `Recorder` is recorder.hpp's.
template <class Recorder>
class ragdoll_view {
public:
    /// Parts take two colours in turn, from the root outward.
    ragdoll_view(Recorder& page, ragdoll const& doll, std::string const& even = "#3b7cb8", std::string const& odd = "#d9822b") : doll_(&doll) {
        std::vector<bool> is_odd;
        for (auto const& part : doll.parts) {
            is_odd.push_back(part.parent >= 0 && !is_odd[static_cast<std::size_t>(part.parent)]);
            for (auto const& c : part.capsules) shapes_.push_back(page.add_capsule(c.half_length, c.radius, is_odd.back() ? odd : even));
        }
    }
    /// Sets this frame's poses.
    template <class World>
    void show(Recorder& page, World const& world, ragdoll_bodies<World> const& bodies) const {
        std::size_t k = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            pose<double> body = detail::drawn_pose(world.pose(bodies[i]));
            body.rotation = normalize(body.rotation);
            for (auto const& c : doll_->parts[i].capsules) page.pose(shapes_[k++], body * c.local);
        }
    }

private:
    ragdoll const* doll_;
    std::vector<decltype(std::declval<Recorder&>().add_capsule(0.0, 0.0))> shapes_;
};

}  // namespace sinew::inline v0
