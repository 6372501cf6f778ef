#pragma once
// The laws that every constraint obeys, written once: a test file describes its constraints as cases and instantiates this.
//
//   template <class R>
//   struct hinge_case : sinew_test::conformance_case<R> {
//       static constexpr auto momentum = sinew_test::keeps_momentum::when_satisfied;
//       static auto make(splitmix64& random) {
//           auto const a = ..., b = ...;                                    // poses at which its error is 0
//           return sinew_test::made{hinge_joint<S>::at(a, b, ...), a, b};
//       }
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(hinge, Conformance, sinew_test::on_all_rotations<hinge_case>);

#include <sinew/constraint/conformance.hpp>

#include <constraint/conformance_case.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

namespace sinew_test {

using namespace sinew;

template <template <class> class Case>
using on_all_rotations = testing::Types<Case<quaternion<double>>, Case<rotation_matrix<double>>, Case<rotation_vector<double>>, Case<quaternion<float>>,
                                        Case<rotation_matrix<float>>, Case<rotation_vector<float>>>;

template <class S>
std::string describe(conformance_report<S> const& r) {
    std::ostringstream out;
    out << r.configurations << " configurations" << (r.finite ? "" : ", NOT FINITE") << "; by hand: J " << r.jacobian << ", J_dot v " << r.jacobian_rate
        << ", stiffness " << r.stiffness << ", effective mass " << r.effective_mass << "; differences: J " << r.jacobian_difference << ", J_dot v "
        << r.jacobian_rate_difference << ", stiffness " << r.stiffness_difference << ", unresolved " << r.unresolved << " of " << r.differences
        << "; net force " << r.net_force << ", net torque " << r.net_torque << ", invariance " << r.invariance;
    return out.str();
}

inline constexpr std::uint64_t suite_seed = 20051;
inline constexpr int suite_constraints = 100;
template <class S>
inline constexpr int suite_configurations = std::same_as<S, float> ? 2 : 10;  ///< of each; what float adds is rounding alone

/// Draws configurations clear of singular places by twice the reach of the differences.
template <class Case, class C>
auto clear_sampler(C const& c) {
    using R = typename Case::rotation;
    using S = typename R::scalar_type;
    return [&c](splitmix64& random) {
        for (;;) {
            auto const poses = detail::conformance<R, C>::draw(random, S(1));
            S const margin = std::apply([&](auto const&... p) { return Case::margin(c, p...); }, poses);
            if (margin > S(4) * conformance_options<S>{}.step) return poses;
        }
    };
}

template <class Case>
struct Conformance : testing::Test {};

TYPED_TEST_SUITE_P(Conformance);

// J, J_dot v and the geometric stiffness: by hand, derived and by differences, at 1000 random configurations, in float at 200.
TYPED_TEST_P(Conformance, derivatives_agree) {
    using R = typename TypeParam::rotation;
    SCOPED_TRACE(testing::Message() << "seed " << suite_seed);
    splitmix64 random{suite_seed};
    using S = typename R::scalar_type;
    conformance_report<S> worst;
    for (int i = 0; i < suite_constraints; ++i) {
        auto const m = TypeParam::make(random);
        worst += check_conformance<R>(m.constraint, random, suite_configurations<S>, clear_sampler<TypeParam>(m.constraint));
    }
    EXPECT_EQ(worst.configurations, suite_constraints * suite_configurations<S>);
    EXPECT_TRUE(worst.conforms()) << describe(worst);
    if (testing::Test::HasFailure() || std::getenv("SINEW_PRINT_CONFORMANCE") != nullptr) std::cout << describe(worst) << std::endl;
}

// Internal constraints have no net wrench and do not feel a common motion: everywhere, or where they are satisfied.
TYPED_TEST_P(Conformance, momentum_is_kept) {
    using R = typename TypeParam::rotation;
    using S = typename R::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << suite_seed);
    splitmix64 random{suite_seed};
    conformance_report<S> anywhere, satisfied;
    for (int i = 0; i < suite_constraints; ++i) {
        auto const m = TypeParam::make(random);
        anywhere += check_conformance<R>(m.constraint, random, 1, clear_sampler<TypeParam>(m.constraint));
        auto const by = random_pose<rigid, R>(random, S(1));
        satisfied += check_conformance<R>(m.constraint, random, 1, [&](splitmix64&) {
            return std::apply([&](auto const&... p) { return std::make_tuple(detail::carried(p, by)...); }, m.poses);
        });
    }
    if (TypeParam::momentum == keeps_momentum::always)
        EXPECT_TRUE(anywhere.is_internal()) << describe(anywhere);
    else
        EXPECT_FALSE(anywhere.is_internal()) << "it keeps more than it says: " << describe(anywhere);
    if (TypeParam::momentum == keeps_momentum::when_satisfied) {
        EXPECT_TRUE(satisfied.is_internal()) << describe(satisfied);
    }
}

// A constraint made from poses holds at those poses, and stays finite there and where all bodies coincide.
TYPED_TEST_P(Conformance, is_made_satisfied_and_stays_finite) {
    using R = typename TypeParam::rotation;
    using S = typename R::scalar_type;
    SCOPED_TRACE(testing::Message() << "seed " << suite_seed);
    splitmix64 random{suite_seed};
    for (int i = 0; i < suite_constraints; ++i) {
        auto const m = TypeParam::make(random);
        using C = std::remove_const_t<decltype(m.constraint)>;
        static_assert(constraint_for<C, S>);
        if constexpr (requires { m.constraint.fault(); }) {
            EXPECT_EQ(m.constraint.fault().name, nullptr) << m.constraint.fault().name;
        }
        if constexpr (is_holonomic_v<C, S>) {
            auto const c = std::apply([&](auto const&... p) { return error_of(m.constraint, p...); }, m.poses);
            for (S const& x : c.e) EXPECT_LE(abs(x), S(64) * epsilon_v<S>);
        }
        EXPECT_TRUE(std::apply([&](auto const&... p) { return is_finite_at<R>(m.constraint, random, p...); }, m.poses));
        EXPECT_TRUE(check_conformance<R>(m.constraint, random, 0).finite);
        EXPECT_TRUE(m.constraint == m.constraint);
    }
}

REGISTER_TYPED_TEST_SUITE_P(Conformance, derivatives_agree, momentum_is_kept, is_made_satisfied_and_stays_finite);

/// Rank of a matrix, by elimination with complete pivoting.
template <class S, std::size_t M, std::size_t N>
int rank_of(mat<S, M, N> a) {
    int rank = 0;
    for (std::size_t k = 0; k < (M < N ? M : N); ++k) {
        std::size_t pi = k, pj = k;
        for (std::size_t i = k; i < M; ++i)
            for (std::size_t j = k; j < N; ++j)
                if (abs(a(i, j)) > abs(a(pi, pj))) pi = i, pj = j;
        if (abs(a(pi, pj)) < S(1e-5)) break;
        for (std::size_t j = 0; j < N; ++j) std::swap(a(k, j), a(pi, j));
        for (std::size_t i = 0; i < M; ++i) std::swap(a(i, k), a(i, pj));
        for (std::size_t i = k + 1; i < M; ++i) {
            S const f = a(i, k) / a(k, k);
            for (std::size_t j = k; j < N; ++j) a(i, j) = a(i, j) - f * a(k, j);
        }
        ++rank;
    }
    return rank;
}

/// Twists one below the other, as a column of J.
template <class S>
vec<S, 12> stacked(twist<S> const& a, twist<S> const& b) {
    vec<S, 12> v{};
    for (std::size_t k = 0; k < 3; ++k) {
        v[k] = a.linear[k];
        v[3 + k] = a.angular[k];
        v[6 + k] = b.linear[k];
        v[9 + k] = b.angular[k];
    }
    return v;
}

}  // namespace sinew_test
