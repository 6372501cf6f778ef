// The rows of a problem as one system: products with J and J^T, W, rows that take no part, and what is kept between steps.

#include <solver/linear_parts.hpp>

#include <gtest/gtest.h>

#include <concepts>

namespace {

using namespace sinew_test;

// A strategy that only looks.
struct looking {
    template <class Env>
    class strategy {
    public:
        using S = typename Env::scalar;
        static constexpr solver_level level = solver_level::velocity;
        template <class P>
        constexpr solve_report<S> solve(P const& p, S const&) {
            p.update_inverse_masses();
            rows.update(p);
            check(p);
            return {};
        }
        row_system<Env> rows{};
        double worst = 0;

    private:
        // Every product against one written out with the full J.
        template <class P>
        void check(P const& p) {
            std::size_t const n = rows.rows();
            typename row_system<Env>::node_vectors v{}, f{};
            rows.clear(p, v);
            rows.clear(p, f);
            p.for_each_movable([&](auto kind, std::uint32_t i) {
                detail::set_head(v[p.node(kind, i)], detail::attachment_access<decltype(kind)>::velocity(p, i));
            });
            std::vector<S> x(n), y(n);
            for (std::size_t r = 0; r < n; ++r) x[r] = S(static_cast<double>(r % 7)) - S(3);
            rows.for_each(p, [&](auto const& e, auto const& at) { rows.set_jacobian(p, e, at); });
            rows.multiply(p, v, y);
            rows.add_transposed(p, x, f);
            auto expected = v;
            for (auto& e : expected) e = {};
            rows.for_each(p, [&](auto const& e, auto const& at) {
                using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
                auto const J = entry_jacobian(p, e);
                vec<S, rows_v<C>> sum{};
                for_each_attachment(e, [&](auto kind, auto first, std::uint32_t i) {
                    for (std::size_t r = 0; r < rows_v<C>; ++r)
                        for (std::size_t k = 0; k < decltype(kind)::dof; ++k) {
                            sum[r] = sum[r] + J(r, first + k) * v[p.node(kind, i)][k];
                            expected[p.node(kind, i)][k] = expected[p.node(kind, i)][k] + J(r, first + k) * x[at.row + r];
                        }
                });
                for (std::size_t r = 0; r < rows_v<C>; ++r) note(y[at.row + r] - sum[r]);
            });
            for (std::size_t i = 0; i < f.size(); ++i)
                for (std::size_t k = 0; k < Env::max_dof; ++k) note(f[i][k] - expected[i][k]);
            rows.weigh(p, f);
            note(norm(f[0]));  // the ground does not move
            p.for_each_movable([&](auto kind, std::uint32_t i) {
                using K = decltype(kind);
                auto const w = detail::attachment_access<K>::weigh(p, i, detail::head<K>(expected[p.node(kind, i)]));
                for (std::size_t k = 0; k < K::dof; ++k) note(w[k] - f[p.node(kind, i)][k]);
            });
        }
        void note(S const& x) { worst = std::max(worst, std::abs(static_cast<double>(x))); }
    };
};

template <class S>
struct row_systems : testing::Test {};
using scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(row_systems, scalars);

TYPED_TEST(row_systems, multiply_as_the_jacobians_do) {
    using S = TypeParam;
    world<direct_config<looking, S>, ball_joint, hinge_joint, particle_pin, particle_distance, knife_edge> w;
    auto const bodies = add_random_tree(w, 5, 12, 3);
    auto const fixed = w.add_fixed({});
    w.add(knife_edge<S>::at(w.pose(fixed), w.pose(bodies[0]), vec3<S>{S(1), S(0), S(0)}, vec3<S>{S(0), S(1), S(0)}), fixed, bodies[0]);
    auto const p = w.add(particle<S>{S(2), {S(3), S(1), S(1)}, {S(1), S(2), S(3)}}), q = w.add(particle<S>{S(1), {S(2), S(1), S(1)}, {}});
    w.add(particle_pin<S>{{}, w.pose(bodies[1]).local_point(w.position(p))}, p, bodies[1]);
    w.add(particle_distance<S>{.length = S(1)}, p, q);
    stir(w, 3);
    ASSERT_TRUE(w.step(S(1) / 100));
    EXPECT_GT(w.solver.rows.rows(), 40u);
    EXPECT_LT(w.solver.worst, (std::same_as<S, float> ? 1e-3 : 1e-11));

    // Nothing is built again until bodies or constraints come or go; a copy goes on with what it has.
    auto const version = w.solver.rows.version();
    ASSERT_TRUE(w.step(S(1) / 100));
    EXPECT_EQ(w.solver.rows.version(), version);
    auto copy = w;
    ASSERT_TRUE(copy.step(S(1) / 100));
    EXPECT_EQ(copy.solver.rows.version(), version);
    w.add(particle_distance<S>{.length = S(1)}, q, w.add_fixed_particle({S(0), S(0), S(0)}));
    ASSERT_TRUE(w.step(S(1) / 100));
    EXPECT_NE(w.solver.rows.version(), version);
    EXPECT_LT(w.solver.worst, (std::same_as<S, float> ? 1e-3 : 1e-11));
}

}  // namespace
