#pragma once
// Whether a constraint says the truth: what it gives by hand against what is derived from its error, and that against
// differences of the error; the momentum it keeps; that it stays finite. A user runs it on a type of their own:
//
//   sinew::splitmix64 random{1};
//   auto const report = sinew::check_conformance<sinew::quaternion<double>>(my_rod<double>{...}, random, 1000);
//   assert(report.conforms() && report.is_internal());
//
// Every deviation is the largest met, relative to the size of what is compared, so that it does not depend on units:
//   J, effective mass   the largest entry of the matrix
//   J_dot v             the same, or the largest of J times the largest velocity squared, if that is more
//   stiffness           the same, or the largest of J times the largest multiplier, if that is more
//   net force, torque   the largest force or torque of any one body (torques about the origin)
//   invariance          the largest of J times the size of the configuration, or the error itself
//
// Differences are central, of two steps h and 2h, extrapolated to fourth order: (4 D(h) - D(2h)) / 3. Where D(h) and
// D(2h) are far apart, or the second differences do not shrink as they should, something jumps, bends or grows without
// bound between the points (an angle wraps, a limit begins, axes are opposite): such a difference says nothing; it is
// not compared, but counted.

#include <sinew/constraint/check_members.hpp>
#include <sinew/constraint/random_state.hpp>

namespace sinew::inline v0 {

namespace detail {
template <class S>
[[nodiscard]] constexpr S power_of_half(int n) noexcept {
    S t{1};
    for (int i = 0; i < n; ++i) t = t / S(2);
    return t;
}
}  // namespace detail

/// How configurations are drawn, and how differences are taken: rounding and truncation balance near epsilon^(1/5).
template <class S>
struct conformance_options {
    S size{1};   ///< positions lie within [-size, size)^3, m
    S speed{1};  ///< velocities within [-speed, speed), m/s and rad/s
    S step = detail::power_of_half<S>(std::numeric_limits<S>::digits / 5 + 1);    ///< h of the differences, rad, and times size m
    S spread = detail::power_of_half<S>(std::numeric_limits<S>::digits / 5 + 1);  ///< how far D(h) and D(2h) may be apart
};

/// What deviation is let pass; the margins are those of 1000 random configurations, some of them nearly singular.
template <class S>
struct conformance_tolerances {
    S by_hand = S(4096) * std::numeric_limits<S>::epsilon();          ///< of J: 9e-13 in double, 5e-4 in float
    S second_by_hand = S(32768) * std::numeric_limits<S>::epsilon();  ///< of J_dot v and stiffness: 7e-12, 4e-3
    S by_difference = S(32) * sqrt(std::numeric_limits<S>::epsilon());  ///< 4.8e-7 in double, 1.1e-2 in float
    S unresolved = S(1) / S(20);                                      ///< share of differences that may be left out
};

/// The worst of everything that was met. 0 also where there is nothing to compare.
template <class S>
struct conformance_report {
    static_assert(std::floating_point<S>, "sinew: a constraint is checked against differences, over float, double or long double; over other numbers its code is the same.");
    int configurations = 0;
    bool finite = true;            ///< all values, also with all bodies in one place and half turns between them
    S jacobian{};                  ///< by hand against derived
    S jacobian_rate{};             ///< by hand against derived
    S stiffness{};                 ///< by hand against derived
    S effective_mass{};            ///< by hand against derived
    S jacobian_difference{};       ///< derived against differences
    S jacobian_rate_difference{};  ///< derived against differences
    S stiffness_difference{};      ///< derived against differences
    S net_force{};                 ///< of J^T lambda over all bodies: 0 if the constraint is internal
    S net_torque{};                ///< about the origin: 0 if the constraint is internal
    S invariance{};                ///< change of the error under a common rigid motion
    int differences = 0;           ///< how many differences were taken,
    int unresolved = 0;            ///< and how many of them said nothing

    [[nodiscard]] constexpr S worst_by_difference() const noexcept {
        return max(jacobian_difference, max(jacobian_rate_difference, stiffness_difference));
    }
    /// Finite, and every derivative is right.
    [[nodiscard]] constexpr bool conforms(conformance_tolerances<S> const& t = {}) const noexcept {
        return configurations > 0 && finite && max(jacobian, effective_mass) <= t.by_hand && max(jacobian_rate, stiffness) <= t.second_by_hand &&
               worst_by_difference() <= t.by_difference &&
               S(unresolved) <= t.unresolved * S(differences);
    }
    /// Keeps momentum: no net force or torque, and only the bodies' places among themselves matter.
    [[nodiscard]] constexpr bool is_internal(conformance_tolerances<S> const& t = {}) const noexcept {
        return net_force <= t.by_hand && net_torque <= t.by_hand && invariance <= t.by_hand;
    }
    /// The worse of two reports.
    constexpr conformance_report& operator+=(conformance_report const& o) noexcept {
        configurations += o.configurations;
        finite = finite && o.finite;
        jacobian = max(jacobian, o.jacobian);
        jacobian_rate = max(jacobian_rate, o.jacobian_rate);
        stiffness = max(stiffness, o.stiffness);
        effective_mass = max(effective_mass, o.effective_mass);
        jacobian_difference = max(jacobian_difference, o.jacobian_difference);
        jacobian_rate_difference = max(jacobian_rate_difference, o.jacobian_rate_difference);
        stiffness_difference = max(stiffness_difference, o.stiffness_difference);
        net_force = max(net_force, o.net_force);
        net_torque = max(net_torque, o.net_torque);
        invariance = max(invariance, o.invariance);
        differences += o.differences;
        unresolved += o.unresolved;
        return *this;
    }
};

namespace detail {

// Works on vec and mat alike: both hold their numbers in e.
template <class M>
[[nodiscard]] constexpr auto largest(M const& m) noexcept {
    using S = typename M::scalar_type;
    S r{};
    for (S const& x : m.e) r = max(r, abs(x));
    return r;
}
// Largest |a - b| relative to the larger of both, or to `size` if that is more. NaN counts as infinite.
template <class M, class S>
[[nodiscard]] constexpr S deviation_of(M const& a, M const& b, S const& size) noexcept {
    S const scale = max(size, max(largest(a), largest(b)));
    S worst{};
    for (std::size_t i = 0; i < sizeof(a.e) / sizeof(a.e[0]); ++i) {
        S const d = abs(a.e[i] - b.e[i]);
        worst = d <= worst ? worst : d;
        if (!(d <= infinity_v<S>)) return infinity_v<S>;
    }
    return scale > S(0) ? worst / scale : worst;
}
template <class M>
[[nodiscard]] constexpr bool all_finite(M const& m) noexcept {
    bool r = true;
    for (auto const& x : m.e) r = r && all(isfinite(x));
    return r;
}

template <class S, class R>
[[nodiscard]] constexpr pose<S, R> displaced(pose<S, R> const& p, S const* xi) noexcept {
    return {p.position + vec3<S>{xi[0], xi[1], xi[2]}, turned(p.rotation, vec3<S>{xi[3], xi[4], xi[5]})};
}
template <class S>
[[nodiscard]] constexpr particle_pose<S> displaced(particle_pose<S> const& p, S const* xi) noexcept {
    return {p.position + vec3<S>{xi[0], xi[1], xi[2]}};
}
// All bodies moved together: turned by Q about the origin, then shifted.
template <class S, class R>
[[nodiscard]] constexpr pose<S, R> carried(pose<S, R> const& p, pose<S, R> const& by) noexcept {
    return by * p;
}
template <class S, class R>
[[nodiscard]] constexpr particle_pose<S> carried(particle_pose<S> const& p, pose<S, R> const& by) noexcept {
    return {by.point(p.position)};
}

// One constraint, and everything that is asked of it at one configuration.
template <class R, class C, class Seq = attachment_indices<C>>
struct conformance;
template <class R, class C, std::size_t... I>
struct conformance<R, C, std::index_sequence<I...>> {
    using S = typename R::scalar_type;
    using A = attachments_t<C>;
    static constexpr std::size_t M = rows_v<C>, N = A::dof;
    static constexpr bool holonomic = is_holonomic_v<C, S>;
    using J_type = mat<S, M, N>;

    C const& c;
    conformance_options<S> const& options;
    conformance_report<S>& report;

    [[nodiscard]] static constexpr auto displaced_poses(auto const& poses, vec<S, N> const& xi) {
        return std::make_tuple(displaced(std::get<I>(poses), xi.e + A::offset(I))...);
    }
    [[nodiscard]] static constexpr vec<S, N> along(std::size_t k, S const& h) noexcept {
        vec<S, N> xi{};
        xi[k] = h;
        return xi;
    }
    [[nodiscard]] constexpr vec<S, M> error(auto const& poses) const { return error_of(c, std::get<I>(poses)...); }
    [[nodiscard]] constexpr vec<S, M> rate(auto const& poses, auto const& twists) const { return rate_of(c, poses, twists); }
    [[nodiscard]] static constexpr auto at_rest(auto const& poses) { return std::make_tuple(zero_twist_for(std::get<I>(poses))...); }
    [[nodiscard]] static constexpr auto twists_of(vec<S, N> const& v) { return std::make_tuple(twist_at<typename A::template kind<I>>(v.e + A::offset(I))...); }
    template <class K>
    [[nodiscard]] static constexpr auto twist_at(S const* v) {
        if constexpr (std::same_as<K, rigid>)
            return twist<S>{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
        else
            return particle_twist<S>{{v[0], v[1], v[2]}};
    }

    [[nodiscard]] constexpr J_type derived(auto const& poses) const {
        if constexpr (holonomic)
            return derived_jacobian(c, std::get<I>(poses)...);
        else
            return derived_rate_jacobian(c, poses, at_rest(poses));
    }
    // Compares d with the difference of f. `size` is that of what d is a part of.
    template <class V, class F>
    constexpr void compare(S& worst, V const& d, S const& h, S const& size, F&& f) const {
        V const middle = f(S(0)), p1 = f(h), m1 = f(-h), p2 = f(S(2) * h), m2 = f(S(-2) * h);
        V const narrow = (p1 - m1) * (S(1) / (S(2) * h)), wide = (p2 - m2) * (S(1) / (S(4) * h));
        // Both are h times the second derivative; where the function bends in the middle, one is twice the other.
        V const narrow_bend = (p1 - middle + (m1 - middle)) * (S(1) / h), wide_bend = (p2 - middle + (m2 - middle)) * (S(1) / (S(4) * h));
        ++report.differences;
        // The extrapolated value errs by about the square of the first.
        if (!(deviation_of(narrow, wide, size) <= options.spread && deviation_of(narrow_bend, wide_bend, size) <= options.spread))
            ++report.unresolved;
        else
            worst = max(worst, deviation_of(d, V((S(4) * narrow - wide) * (S(1) / S(3))), size));
    }
    [[nodiscard]] constexpr S step_of(std::size_t column) const noexcept {
        std::size_t const in_body[] = {(column - A::offset(I))...};
        for (std::size_t i = 0; i < A::size; ++i)
            if (column >= A::offset(i) && in_body[i] < 3) return options.step * options.size;
        return options.step;
    }

    constexpr void jacobians(auto const& poses, vec<S, N> const& v, J_type const& J) const {
        if constexpr (requires { constraint_traits<C>::jacobian(c, std::get<I>(poses)...); })
            report.jacobian = max(report.jacobian, deviation_of(J_type(constraint_traits<C>::jacobian(c, std::get<I>(poses)...)), J, S(0)));
        if constexpr (holonomic) {
            for (std::size_t k = 0; k < N; ++k)
                compare(report.jacobian_difference, J.col(k), step_of(k), largest(J),
                        [&](S const& h) { return error(displaced_poses(poses, along(k, h))); });
        } else {
            // The rate is affine in the twists, so J says all of it.
            vec<S, M> const by_J = J * v + rate(poses, at_rest(poses));
            report.jacobian_difference = max(report.jacobian_difference, deviation_of(by_J, rate(poses, twists_of(v)), largest(J) * largest(v)));
        }
    }
    constexpr void jacobian_rates(auto const& poses, vec<S, N> const& v, J_type const& J) const {
        auto const twists = twists_of(v);
        S const size = largest(J) * largest(v) * largest(v);
        vec<S, M> const d = derived_jacobian_rate(c, poses, twists);
        report.finite = report.finite && all_finite(d);
        if constexpr (requires { constraint_traits<C>::jacobian_rate(c, std::get<I>(poses)..., std::get<I>(twists)...); })
            report.jacobian_rate = max(report.jacobian_rate, deviation_of(vec<S, M>(jacobian_rate_of(c, poses, twists)), d, size));
        compare(report.jacobian_rate_difference, d, options.step, size, [&](S const& t) -> vec<S, M> {
            auto const moved = displaced_poses(poses, v * t);
            if constexpr (holonomic)
                return derived(moved) * v;
            else
                return rate(moved, twists);
        });
    }
    constexpr void stiffnesses(auto const& poses, vec<S, M> const& lambda, J_type const& J) const {
        S const size = largest(J) * largest(lambda);
        mat<S, N, N> const d = derived_stiffness(c, poses, lambda);
        report.finite = report.finite && all_finite(d);
        if constexpr (requires { constraint_traits<C>::stiffness(c, std::get<I>(poses)..., lambda); })
            report.stiffness = max(report.stiffness, deviation_of(mat<S, N, N>(stiffness_of(c, poses, lambda)), d, size));
        S const whole = max(size, largest(d));
        for (std::size_t k = 0; k < N; ++k)
            compare(report.stiffness_difference, d.col(k), step_of(k), whole,
                    [&](S const& h) { return transpose_times(derived(displaced_poses(poses, along(k, h))), lambda); });
    }
    constexpr void effective_masses([[maybe_unused]] auto const& poses, [[maybe_unused]] J_type const& J, splitmix64& random) const {
        auto const w = std::make_tuple(random_inverse_mass<typename A::template kind<I>, R>(random)...);
        if constexpr (requires { constraint_traits<C>::effective_mass(c, std::get<I>(poses)..., std::get<I>(w)...); }) {
            auto const by_hand = constraint_traits<C>::effective_mass(c, std::get<I>(poses)..., std::get<I>(w)...);
            auto const d = derived_effective_mass<C>(J, compliance_of<S>(c), std::get<I>(w)...);
            mat<S, M, M> E{};
            if constexpr (requires { by_hand.e; })
                E = by_hand;
            else
                E(0, 0) = by_hand;
            report.effective_mass = max(report.effective_mass, deviation_of(E, d, S(0)));
        }
    }
    // The constraint's wrenches add up to none, and a common motion changes nothing.
    constexpr void momentum(auto const& poses, vec<S, M> const& lambda, J_type const& J, splitmix64& random) const {
        vec<S, N> const w = transpose_times(J, lambda);
        vec3<S> force{}, torque{};
        S force_size{}, torque_size{};
        auto const add = [&](auto const& p, S const* at) {
            vec3<S> const f{at[0], at[1], at[2]};
            vec3<S> t = cross(p.position, f);
            torque_size = max(torque_size, largest(t));
            if constexpr (pose_with_rotation<std::remove_cvref_t<decltype(p)>>) {
                vec3<S> const own{at[3], at[4], at[5]};
                torque_size = max(torque_size, largest(own));
                t += own;
            }
            force += f;
            torque += t;
            force_size = max(force_size, largest(f));
        };
        (add(std::get<I>(poses), w.e + A::offset(I)), ...);
        report.net_force = max(report.net_force, deviation_of(force, vec3<S>{}, force_size));
        report.net_torque = max(report.net_torque, deviation_of(torque, vec3<S>{}, torque_size));

        auto const by = random_pose<rigid, R>(random, options.size);
        auto const moved = std::make_tuple(carried(std::get<I>(poses), by)...);
        S const size = largest(J) * options.size;
        if constexpr (holonomic) {
            report.invariance = max(report.invariance, deviation_of(error(moved), error(poses), size));
        } else {
            auto const rest = at_rest(poses);
            report.invariance = max(report.invariance, deviation_of(rate(moved, rest), rate(poses, rest), size));
        }
    }

    /// All of it at one configuration.
    constexpr void at(auto const& poses, splitmix64& random) const {
        vec<S, N> const v = random_vector<S, N>(random, options.speed);
        vec<S, M> const lambda = random_vector<S, M>(random, S(1));
        J_type const J = derived(poses);
        report.finite = report.finite && all_finite(J);
        ++report.configurations;
        jacobians(poses, v, J);
        jacobian_rates(poses, v, J);
        stiffnesses(poses, lambda, J);
        effective_masses(poses, J, random);
        momentum(poses, lambda, J, random);
    }
    /// Whether every quantity is finite there, by hand and derived.
    [[nodiscard]] constexpr bool finite_at(auto const& poses, splitmix64& random) const {
        vec<S, N> const v = random_vector<S, N>(random, options.speed);
        vec<S, M> const lambda = random_vector<S, M>(random, S(1));
        auto const twists = twists_of(v);
        bool r = all_finite(derived(poses)) && all_finite(J_type(jacobian_of(c, std::get<I>(poses)...)));
        if constexpr (holonomic)
            r = r && all_finite(error(poses));
        else
            r = r && all_finite(rate(poses, twists));
        r = r && all_finite(vec<S, M>(derived_jacobian_rate(c, poses, twists))) && all_finite(vec<S, M>(jacobian_rate_of(c, poses, twists)));
        return r && all_finite(mat<S, N, N>(derived_stiffness(c, poses, lambda))) && all_finite(mat<S, N, N>(stiffness_of(c, poses, lambda)));
    }
    [[nodiscard]] static constexpr auto draw(splitmix64& random, S const& size) {
        return std::tuple{random_pose<typename A::template kind<I>, R>(random, size)...};
    }
    template <class K>
    [[nodiscard]] static constexpr auto place_of(vec3<S> const& x, R const& rotation) {
        if constexpr (std::same_as<K, rigid>)
            return pose<S, R>{x, rotation};
        else
            return particle_pose<S>{x};
    }
    // All bodies in one place; the first turned, the others not.
    [[nodiscard]] static constexpr auto coincident(vec3<S> const& x, R const& first) {
        return std::make_tuple(place_of<typename A::template kind<I>>(x, I == 0 ? first : R::identity())...);
    }
};

}  // namespace detail

/// Whether error, Jacobians, J_dot v and stiffness are finite at given poses, which may be degenerate.
template <class R = quaternion<double>, class C, class... P>
[[nodiscard]] constexpr bool is_finite_at(C const& c, splitmix64& random, P const&... poses) {
    conformance_options<typename R::scalar_type> const options{};
    conformance_report<typename R::scalar_type> report{};
    return detail::conformance<R, C>{c, options, report}.finite_at(std::make_tuple(poses...), random);
}

/// Checks the constraint at n configurations drawn by `sample(random)`, which returns a tuple of poses.
template <class R, class C, class Sample>
    requires std::invocable<Sample&, splitmix64&>
[[nodiscard]] constexpr conformance_report<typename R::scalar_type> check_conformance(C const& c, splitmix64& random, int n, Sample&& sample,
                                                                                      conformance_options<typename R::scalar_type> const& options = {}) {
    using S = typename R::scalar_type;
    check_constraint<C, S>();
    check_members<C, S>();
    conformance_report<S> report{};
    detail::conformance<R, C> const check{c, options, report};
    for (int i = 0; i < n; ++i) check.at(sample(random), random);
    return report;
}

/// Checks the constraint at n random configurations, and that it stays finite where bodies coincide.
template <class R = quaternion<double>, class C>
[[nodiscard]] constexpr conformance_report<typename R::scalar_type> check_conformance(C const& c, splitmix64& random, int n = 1000,
                                                                                      conformance_options<typename R::scalar_type> const& options = {}) {
    using S = typename R::scalar_type;
    using check = detail::conformance<R, C>;
    auto report = check_conformance<R>(
        c, random, n, [&](splitmix64& r) { return check::draw(r, options.size); }, options);
    auto const finite_at = [&](auto const& poses) { report.finite = report.finite && check{c, options, report}.finite_at(poses, random); };
    finite_at(check::coincident({S(0), S(0), S(0)}, R::identity()));
    for (std::size_t k = 0; k < 3; ++k) {
        // Half a turn and a quarter turn about each axis.
        vec3<S> axis{};
        axis[k] = S(1);
        finite_at(check::coincident(axis, rotation_exp<R>(axis * pi_v<S>)));
        finite_at(check::coincident(axis, rotation_exp<R>(axis * (pi_v<S> / S(2)))));
    }
    return report;
}

}  // namespace sinew::inline v0
