#pragma once
// The configuration of a world: policies chosen at compile time. Derive from default_config and override what differs.

#include <sinew/constraint/contact.hpp>
#include <sinew/core/errors.hpp>
#include <sinew/core/storage.hpp>
#include <sinew/ode/symplectic_euler.hpp>
#include <sinew/rotation/quaternion.hpp>
#include <sinew/solver/sequential_impulses.hpp>
#include <sinew/world/sleep.hpp>

namespace sinew::inline v0 {

/// State variables of the equations of motion: momenta (Vondrak 2005, eq. 5.18) or velocities (eq. 5.22).
enum class motion_form : unsigned char { momentum, velocity };

/// How omega x I omega is integrated in the free motion of a symplectic Euler step (Waterson 2026, 4.1); of generalized bodies, all
/// velocity-dependent forces: conserving is the mid-point rule of generalized_motion.hpp, anything else explicit.
enum class gyroscopic_term : unsigned char {
    conserving,         ///< implicit midpoint: keeps energy and angular momentum of a free body, at any step
    explicit_euler,     ///< eq. 4.4: gains energy
    none,               ///< omega is constant: what many games do
};

struct bounding_volume_tree;
struct all_pairs;
struct plain_contacts;

namespace detail {
template <bool HasExceptions>
struct basic_default_config {
    using scalar = float;                                        ///< what everything is computed in
    template <class S>
    using rotation = quaternion<S>;                              ///< quaternion, rotation_matrix, rotation_vector
    using integrator = symplectic_euler;                         ///< free motion, or all motion under an acceleration-level solver
    using solver = sequential_impulses;                          ///< the strategy for constraints
    using storage = dynamic_storage;                             ///< or static_storage<...>: no heap
    using errors = typename default_errors<HasExceptions>::type; ///< what a refused input does
    static constexpr motion_form form = motion_form::momentum;   ///< of integrators other than symplectic Euler
    static constexpr bool breakable = true;                      ///< whether constraints may be given a threshold at which they break
    using sleep = never_sleep;                                   ///< or island_sleep: what is at rest is not simulated
    // Of worlds that list shapes:
    using broad_phase = bounding_volume_tree;                    ///< sweep_and_prune, brute_force, no_broad_phase
    template <class S>
    using contact = sinew::contact<S>;                           ///< friction as a cone; pyramid_contact, lagged_contact
    using combination = default_combination;                     ///< what two materials make of each other
    using pair_filter = all_pairs;                               ///< a user's own say in who collides with whom: see collider.hpp
    using contact_rule = plain_contacts;                         ///< and in what becomes of a manifold
    static constexpr bool resists_rolling = false;               ///< whether materials may have rolling and spinning friction
};
}  // namespace detail

/// A game's choices: float, quaternions, symplectic Euler, sequential impulses in substeps, heap storage, exceptions if the compiler
/// has them.
using default_config = detail::basic_default_config<detail::has_exceptions>;

}  // namespace sinew::inline v0
