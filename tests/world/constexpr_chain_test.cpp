// Simulations in constant expressions: a chain under nonlinear Gauss-Seidel, in place and on the heap, over four kinds of numbers.

#include <world/constexpr_run.hpp>

namespace {

using namespace sinew;

template <class S, class Storage>
struct config : default_config {
    using scalar = S;
    using solver = nonlinear_gauss_seidel;
    using storage = Storage;
    using errors = null_errors;
};
using in_place = static_storage<capacities{.bodies = 3, .constraints = 3}>;

template <class S>
struct outcome {
    S energy, fallen, apart;  // J, of 0 where it begins; J, given by gravity; m, of the joints at most
    bool stepped;
};

// Three boxes on ball joints, let go from the horizontal.
template <class S, class Storage>
constexpr outcome<S> swing(int steps) {
    world<config<S, Storage>, ball_joint> w;
    S const zero(0), one(1), half = one / S(2), thin = one / S(4);
    auto previous = w.ground();
    bool stepped = true;
    S x = zero;
    for (int i = 0; i < 3; ++i) {
        auto const link = w.add(rigid_body_of(solid_box(one, vec3<S>{one, thin, thin}), pose<S>{{x + half, zero, zero}, {}}));
        stepped = w.add(ball_joint<S>::at(w.pose(previous), w.pose(link), {x, zero, zero}), previous, link) && stepped;
        previous = link;
        x = x + one;
    }
    for (int i = 0; i < steps; ++i) stepped = w.step(one / S(64)) && stepped;
    S fallen = zero, apart = zero;
    w.for_each_body([&](auto h) { fallen = fallen + dot(w.gravity, w.position(h)); });
    w.template for_each<ball_joint<S>>([&](auto h) { apart = max(apart, norm(w.error_of(h))); });
    return {w.energy(), fallen, apart, stepped};
}

constexpr auto in_double = swing<double, in_place>(20);
static_assert(in_double.stepped && in_double.fallen > 5);
static_assert(in_double.apart < 1e-3);
static_assert(in_double.energy < 0 && in_double.energy > -0.1 * in_double.fallen);  // implicit: it gains nothing, and loses little

// The same source on the heap, and over other numbers.
constexpr auto on_heap = swing<double, dynamic_storage>(2);
constexpr auto in_float = swing<float, in_place>(2);
constexpr auto in_lanes = swing<batch<float, 4>, in_place>(2);
constexpr auto in_fixed = swing<fixed<31, 32>, in_place>(2);
constexpr auto in_dual = swing<dual<double, 1>, in_place>(2);
static_assert(on_heap.stepped && abs(on_heap.energy - double(in_float.energy)) < 1e-5);
static_assert(in_lanes.stepped && in_lanes.energy[3] == in_float.energy && in_lanes.apart[3] == in_float.apart);
static_assert(in_fixed.stepped && abs(on_heap.energy - double(in_fixed.energy)) < 1e-6);
static_assert(in_dual.stepped && in_dual.energy.v == on_heap.energy && in_dual.apart.v == on_heap.apart);

// A constraint that has numbers of its own, and not only vectors of them.
template <class S>
constexpr bool hangs_on_a_rod() {
    world<config<S, in_place>, distance> w;
    auto const bob = w.add(rigid_body_of(solid_sphere(S(1), S(1) / S(2)), pose<S>{{S(1), S(0), S(0)}, {}}));
    auto const rod = w.add(distance<S>{{}, {}, S(1)}, w.ground(), bob);
    bool stepped = true;
    for (int i = 0; i < 2; ++i) stepped = stepped && w.step(S(1) / S(64));
    return stepped && all(abs(w.error_of(rod)[0]) < S(value_type_t<S>(1e-3))) && all(w.position(bob).y() < S(0));
}
static_assert(hangs_on_a_rod<float>() && hangs_on_a_rod<batch<float, 4>>() && hangs_on_a_rod<fixed<31, 32>>() && hangs_on_a_rod<dual<double, 1>>());

TEST(constant_expression, has_the_bits_of_the_same_call_at_run_time_for_a_chain) {
    sinew_test::expect_same_bits(in_double, swing<double, in_place>, 20);
    sinew_test::expect_same_bits(on_heap, swing<double, dynamic_storage>, 2);
    sinew_test::expect_same_bits(in_float, swing<float, in_place>, 2);
    sinew_test::expect_same_bits(in_fixed, swing<fixed<31, 32>, in_place>, 2);
}

}  // namespace
