// Static storage has room by type: as many joints as it says, as many contacts as it says, whatever there is more of.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>

namespace {

using namespace sinew;
using vec = vec3<double>;

constexpr std::size_t contacts = 24;

template <class Solver, class Storage>
struct config : default_config {
    using scalar = double;
    using solver = Solver;
    using storage = Storage;
    static constexpr bool resists_rolling = true;
};
template <class Solver, class Storage>
using boxes = world<config<Solver, Storage>, half_space, box, hinge_joint>;
template <class Solver>
using small = boxes<Solver, static_storage<capacities{.bodies = 6, .constraints = 1, .colliders = 7, .contacts = contacts, .pairs = 6}>>;

// Two boxes on a hinge and four alone fall onto the ground, roll or stick there: one joint, and 24 contacts.
template <class World>
void build(World& w) {
    w.add(half_space<double>{}, w.ground());
    handle<rigid> first{}, second{};
    for (int k = 0; k < 6; ++k) {
        auto surface = material<double>::of(0.4);
        surface.rolling_friction = 0.01;
        auto const b = w.add_solid(box<double>{{0.3, 0.1, 0.2}}, 500.0, pose<double>{{k * 0.8, 0.12, 0}, {}}, collider_options<double>{.material = surface});
        if (k == 0) first = b;
        if (k == 1) second = b;
        if (k > 1) w.set_twist(b, {{0.2 * k, 0, 0}, {}});
    }
    ASSERT_TRUE(w.add(hinge_joint<double>::at(w.pose(first), w.pose(second), vec{0.4, 0.12, 0}, vec{0, 0, 1}), first, second));
}

template <class Solver>
class static_room : public testing::Test {};
using solvers = testing::Types<sequential_impulses, wide_sequential_impulses<4>, nonlinear_gauss_seidel, plain_gauss_seidel, jacobi, vertex_block_descent, augmented_lagrangian,
                               lagrange_impulses<dantzig>, lagrange_impulses<sparse_ldlt>, compliant_implicit>;
TYPED_TEST_SUITE(static_room, solvers);

TYPED_TEST(static_room, holds_more_contacts_than_joints_with_the_bits_of_a_heap) {
    auto const in_place = std::make_unique<small<TypeParam>>();
    boxes<TypeParam, dynamic_storage> on_heap;
    build(*in_place);
    build(on_heap);
    std::size_t most = 0;
    for (int i = 0; i < 60; ++i) {
        auto const report = in_place->step(0.01);
        ASSERT_TRUE(report) << i;
        ASSERT_TRUE(on_heap.step(0.01)) << i;
        ASSERT_EQ(report.dropped_contacts, 0u);
        most = std::max(most, report.contacts);
    }
    EXPECT_EQ(most, contacts);
    auto const a = in_place->save();
    auto const b = on_heap.save();
    for (std::size_t i = 0; i < b.bodies.size(); ++i) EXPECT_EQ(a.bodies[i], b.bodies[i]) << i;
}

// What a hinge takes, beside a few contacts and beside many.
template <class Solver, std::size_t Contacts>
constexpr std::size_t room_of_a_hinge() {
    using storage = static_storage<capacities{.bodies = 6, .constraints = 1, .colliders = 7, .contacts = Contacts, .pairs = 6}>;
    return sizeof(world<config<Solver, storage>, half_space, box, hinge_joint>) - sizeof(world<config<Solver, storage>, half_space, box>);
}
// Of strategies without a matrix, in which its rows meet those of all others.
template <class Solver>
class static_room_of_sweeps : public testing::Test {};
using sweeping_solvers = testing::Types<sequential_impulses, wide_sequential_impulses<4>, nonlinear_gauss_seidel, plain_gauss_seidel, jacobi, vertex_block_descent, augmented_lagrangian>;
TYPED_TEST_SUITE(static_room_of_sweeps, sweeping_solvers);

TYPED_TEST(static_room_of_sweeps, is_no_more_for_a_joint_where_there_are_many_contacts) {
    std::size_t const beside_few = room_of_a_hinge<TypeParam, 4>(), beside_many = room_of_a_hinge<TypeParam, 64>();
    EXPECT_LE(beside_many, beside_few + 64);
    EXPECT_GE(beside_many, sizeof(hinge_joint<double>));
}

}  // namespace
