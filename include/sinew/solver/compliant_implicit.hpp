#pragma once
// Implicit integration of constraints from infinitely stiff to soft, with geometric stiffness: Tournier's saddle-point system, whose
// general form with geometric stiffness is, for one step of length h,
//
//   [ alpha M - gamma h^2 G   -J^T ] [ v  ]   [ delta M v*                            ]
//   [ -J                      -W   ] [ mu ] = [ eta h (beta h C D + gamma h^2)^-1 f   ]     W = (beta h C D + gamma h^2)^-1 C
//
//   M, v*  masses; velocities that the other forces predict      v    velocity that moves the bodies: q1 = q0 + h v
//   f, J   errors and their Jacobian at q0                       mu   impulses eta h lambda (N s)
//   C, D   compliance (1/(N/m)), damping (N s/m) of the rows     G    sum of lambda_i D^2 f_i, its symmetric part (N/m)
//
//                   alpha  beta  gamma    delta  eta   end        q_f = q0 + (gamma / eta) h v
//   implicit Euler    1     1     1         1     1     1         q1
//   trapezoid         1    1/2   1/4        1    1/2    2         the middle: v is the mean of v* and the end velocity
//   theta             1   theta  theta^2    1   theta  1/theta
//
// In words: alpha M v - delta M v* = J(q_f)^T mu, and lambda = -C^-1 f(q_f) - D J v, linearised about the start. The end velocity is
// v* + end (v - v*). A spring is A-stable for theta >= 1/2; implicit Euler also damps what it does not resolve. alpha > delta = 1 damps
// by mass. A row with compliance 0 is no limit of soft ones for theta < 1, where f(q_f) = 0 would let the errors ring with
// f1 = -f0: it asks for f(q1) = 0, and for J v = 0 of the end velocity (as RATTLE does), whatever the constants.
// A velocity-level row asks for its rate to vanish, W taken as above; its normal does not turn (no G: it has no Hessian).
//
// One solve is the linearised step. Then the bodies have moved, and Newton's iterations go on from there: f, J and G are those of the
// true new poses, corrections move velocities by dv and poses by h dv. What the equation of motion leaves is compared with momenta
// (M v after the motion less what the constraints gave), so that gyroscopic motion is not undone. Matrices are those above; so
// the joints close to rounding, and the force has the direction that J has at q_f.
//
// geometric_stiffness = false leaves G out and lets each impulse keep the direction of the linearisation that found it. That is exact in
// momentum, and explicit across the constraint: it diverges where sqrt(tension / (mass x length)) h > 2.
//
// Under compression G takes from M (a column buckles); if what is left is not positive definite a factorisation shows it by the sign
// of a pivot. Then -G of each constraint is replaced by the diagonal matrix of its absolute row sums, which is no smaller.
// Bounds: an active set around the linear solve, by block principal pivoting with Murty's rule behind it (finite for a positive
// definite Schur complement J H^-1 J^T + W): a row is free, or its multiplier is one of its bounds.
//
// Departures from the printed text. alpha M v + J^T (beta D + gamma K) J v = delta p + eta J^T K f has the wrong sign of eta, or else f is
// minus the error: the rows there read J v + W lambda = +eta (...)^-1 f, against -J v - C mu / h^2 = f / h above them. The last Lagrangian
// lacks a half: |f|_K^2 / 2. G = d/dq (J^T lambda): not d/dq of dJ^T lambda. W has mu for lambda. G stands in the general form as gamma h^2 G.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/linear/block_ldlt.hpp>
#include <sinew/solver/problem.hpp>

namespace sinew::inline v0 {

/// How a step weighs its ends, as multiples of powers of h: alpha, delta 1; beta, eta h; gamma h^2. `end`: what the end velocity is.
template <class S>
struct implicit_constants {
    S alpha{1};  ///< of M v
    S beta{1};   ///< of the damping
    S gamma{1};  ///< of the stiffness, and of G
    S delta{1};  ///< of M v*
    S eta{1};    ///< of the error
    S end{1};    ///< end velocity v* + end (v - v*)
    [[nodiscard]] friend constexpr bool operator==(implicit_constants const&, implicit_constants const&) = default;
};
/// Forces of the end of the step: first order, L-stable.
template <class S>
[[nodiscard]] constexpr implicit_constants<S> implicit_euler_constants() noexcept {
    return {};
}
/// Forces at a share theta of the step, 1/2 to 1.
template <class S>
[[nodiscard]] constexpr implicit_constants<S> theta_constants(S const& theta) noexcept {
    return {S(1), theta, theta * theta, S(1), theta, S(1) / theta};
}
/// Second order, keeps the energy of a linear spring.
template <class S>
[[nodiscard]] constexpr implicit_constants<S> trapezoid_constants() noexcept {
    return theta_constants(S(1) / S(2));
}

/// The strategy: velocity level, direct, implicit.
struct compliant_implicit {
    template <class Env>
    class strategy;
};

template <class Env>
class compliant_implicit::strategy {
public:
    using S = typename Env::scalar;
    static constexpr solver_level level = solver_level::velocity;
    static constexpr solver_abilities abilities{.update_rules = false};

    implicit_constants<S> constants{};  ///< how the step weighs its ends: implicit_euler_constants, trapezoid_constants, theta_constants
    int iterations = 3;                 ///< linear systems: the linearised step, then Newton's iterations
    bool geometric_stiffness = true;    ///< force directions are those of the end; false: of the start
    S tolerance{0};                     ///< no further iteration when the last has moved no body by more (m, rad)

    /// Why the tuning numbers cannot be.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        auto const within = [](bool holds, char const* name, char const* requirement, S const& number) {
            return holds ? input_fault{} : input_fault{name, requirement, detail::fault_value(number)};
        };
        return first_fault(iterations >= 1 ? input_fault{} : input_fault{"solver.iterations", "must be at least 1", static_cast<double>(iterations)},
                           finite_parameter("solver.constants.alpha", constants.alpha),
                           within(all(constants.alpha > S(0)), "solver.constants.alpha", "must be positive", constants.alpha),
                           nonnegative_parameter("solver.constants.beta", constants.beta), finite_parameter("solver.constants.gamma", constants.gamma),
                           within(all(constants.gamma > S(0)), "solver.constants.gamma", "must be positive", constants.gamma),
                           nonnegative_parameter("solver.constants.delta", constants.delta), finite_parameter("solver.constants.eta", constants.eta),
                           within(all(constants.eta >= constants.gamma), "solver.constants.eta", "must not be below gamma: the force is that of a time within the step",
                                  constants.eta),
                           nonnegative_parameter("solver.constants.end", constants.end), magnitude_parameter("solver.tolerance", tolerance));
    }
    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(strategy const& a, strategy const& b) {
        return a.constants == b.constants && a.iterations == b.iterations && a.geometric_stiffness == b.geometric_stiffness && a.tolerance == b.tolerance;
    }

    /// The linearised step: velocities that move the bodies, and the multipliers.
    template <class P>
    constexpr solve_report<S> solve(P const& p, S const& h) {
        if (is_stale(p)) build(p);
        p.update_inverse_masses();
        report_ = {};
        linearise(p, h, stage::start);
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using A = detail::attachment_access<decltype(kind)>;
            auto const place = p.node(kind, i);
            auto const momentum = A::mass_matrix(p, i) * A::velocity(p, i);
            put(rhs_[place], momentum * (constants.delta - constants.alpha));
            put(predicted_[place], A::velocity(p, i));
        });
        add_predicted_turning(p);
        solve_linear(p, h, stage::start);
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using A = detail::attachment_access<decltype(kind)>;
            auto const place = p.node(kind, i);
            auto const v = A::velocity(p, i), before = take<decltype(kind)::dof>(predicted_[place]);
            auto const M = A::mass_matrix(p, i);
            put(found_[place], v);
            put(gained_[place], M * (v - before));
            put(target_[place], M * (before * constants.delta - v * constants.alpha));
        });
        absorb(p);
        return report_;
    }

    /// Newton's iterations at the poses that were reached; then the end velocities.
    template <class P>
    constexpr solve_report<S> relax(P const& p, S const& h) {
        report_.iterations = 0;
        int const further = any_moving_normal && iterations < 2 ? 1 : iterations - 1;
        begin_at_reached(p);
        for (int k = 0; k < further; ++k) {
            if (k > 0 && all(correction_ <= tolerance)) break;
            p.update_inverse_masses();
            linearise(p, h, stage::reached);
            balance(p);
            solve_linear(p, h, stage::reached);
            absorb(p);
        }
        report_.residual = residual_;
        if (any(constants.end != S(1))) end_velocities(p, h);
        return report_;
    }

private:
    static constexpr std::uint32_t none = 0xffffffffu;
    enum class stage : unsigned char { start, reached, end };

    // Whether a type's multipliers change direction in a way that its Hessian tells.
    template <class C>
    static constexpr bool turns_v = is_holonomic_v<C, S> && !moving_normal_v<C>;

    template <class C, bool = turns_v<C>>
    struct turning {
        mat<S, dof_v<C>, dof_v<C>> G{};  // gamma h^2 G
    };
    template <class C>
    struct turning<C, false> {};

    template <class C>
    struct work : turning<C> {
        jacobian_t<C, S> J{};
        rows_vec<C, S> W{}, r{};       // J dv + W mu = r
        rows_vec<C, S> lower{}, upper{};  // of mu
        rows_vec<C, S> mu{};           // so far
        rows_vec<C, S> change{};       // of mu, by the linear solve
        std::array<signed char, rows_v<C>> at_bound{}, wanted{};  // free_row, at_lower, ...
        bool active = false;
        std::uint32_t node = none, edge = none;  // in the factors; the first of its edges
    };
    template <class C>
    using work_array = typename Env::template array<work<C>, Env::limits.constraints>;
    template <class Tuple>
    struct works_of;
    template <class... Cs>
    struct works_of<std::tuple<Cs...>> {
        using type = std::tuple<work_array<Cs>...>;
        static constexpr bool any_moving_normal = (moving_normal_v<Cs> || ...);
        static constexpr bool any_bounds = (is_bounded_v<Cs, S> || ...);
        static constexpr std::size_t types = sizeof...(Cs);
        static constexpr std::size_t edges = ((attachments_t<Cs>::size * (attachments_t<Cs>::size + 1) / 2) + ... + 0);
    };
    using works = works_of<typename Env::constraint_types>;
    static constexpr bool any_moving_normal = works::any_moving_normal;
    static constexpr bool any_bounds = works::any_bounds;

    using numbers = vec<S, Env::max_dof>;
    template <std::size_t N>
    static constexpr void put(numbers& to, vec<S, N> const& v) noexcept {
        for (std::size_t k = 0; k < N; ++k) to[k] = v[k];
    }
    template <std::size_t N>
    [[nodiscard]] static constexpr vec<S, N> take(numbers const& from) noexcept {
        vec<S, N> v;
        for (std::size_t k = 0; k < N; ++k) v[k] = from[k];
        return v;
    }

    // An attachment: its node in the problem and in the factors, and its columns.
    struct part {
        std::uint32_t place, node;
        std::size_t at, dof;
    };
    template <class P, class E>
    [[nodiscard]] constexpr auto parts_of(P const& p, E const& e) const {
        std::array<part, attachments_t<typename E::constraint_type>::size> r{};
        std::size_t k = 0;
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            std::uint32_t const place = p.node(kind, i);
            r[k++] = part{place, nodes_[place], at, decltype(kind)::dof};
        });
        return r;
    }
    template <class P, class E>
    [[nodiscard]] static constexpr auto velocities_of(P const& p, E const& e) {
        vec<S, dof_v<typename E::constraint_type>> v{};
        for_each_attachment(e, [&](auto kind, auto at, std::uint32_t i) {
            auto const one = detail::attachment_access<decltype(kind)>::velocity(p, i);
            for (std::size_t k = 0; k < decltype(kind)::dof; ++k) v[at + k] = one[k];
        });
        return v;
    }
    // f(entry, its work) for all.
    template <class P, class F>
    constexpr void for_each_entry(P const& p, F&& f) {
        p.for_each_type([&](auto entries, auto t) {
            auto& ws = std::get<t>(work_);
            for (std::size_t i = 0; i < entries.size(); ++i) f(entries[i], ws[i]);
        });
    }

    // ---- the graph

    template <class P>
    [[nodiscard]] constexpr bool is_stale(P const& p) const {
        bool stale = !built_ || contents_ != p.contents || nodes_.size() != p.node_count() || with_turning_ != geometric_stiffness;
        p.for_each_type([&](auto entries, auto t) { stale = stale || std::get<t>(work_).size() != entries.size(); });
        return stale;
    }
    template <class P>
    constexpr void build(P const& p) {
        built_ = true;
        contents_ = p.contents;
        with_turning_ = geometric_stiffness;
        factors_.clear();
        nodes_.assign(p.node_count(), none);
        target_.assign(p.node_count(), numbers{});
        predicted_.assign(p.node_count(), numbers{});
        found_.assign(p.node_count(), numbers{});
        gained_.assign(p.node_count(), numbers{});
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            nodes_[p.node(kind, i)] = factors_.add_positive(K::dof, std::same_as<K, rigid> || std::same_as<K, point_mass>);
        });
        p.for_each_type([&](auto entries, auto t) { std::get<t>(work_).assign(entries.size(), {}); });
        for_each_entry(p, [&](auto& e, auto& w) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            auto const parts = parts_of(p, e);
            bool held = false;
            for (auto const& a : parts) held = held || a.node == none;
            w.node = factors_.add_negative(rows_v<C>, held);
            w.edge = join(parts, w.node, couples<C>());
        });
        factors_.order();
        x_.assign(factors_.rows(), S(0));
        rhs_.assign(p.node_count(), numbers{});
    }
    template <class C>
    [[nodiscard]] constexpr bool couples() const noexcept {
        return turns_v<C> && !additive_error_v<C> && geometric_stiffness;
    }
    // In the order in which assemble() asks for the blocks. The first of the edges.
    template <class Parts>
    constexpr std::uint32_t join(Parts const& parts, std::uint32_t node, bool coupled) {
        std::uint32_t first = none;
        auto const next = [&](std::uint32_t a, std::uint32_t b) {
            std::uint32_t const e = factors_.join(a, b);
            if (first == none) first = e;
        };
        for (auto const& a : parts)
            if (a.node != none) next(node, a.node);
        if (coupled)
            for (std::size_t i = 0; i < parts.size(); ++i)
                for (std::size_t j = i + 1; j < parts.size(); ++j)
                    if (parts[i].node != none && parts[j].node != none) next(parts[i].node, parts[j].node);
        return first;
    }

    // ---- linearisation

    // Errors of hard rows at the poses reached; everything else at q_f, which for theta < 1 the bodies have passed.
    template <class P>
    constexpr void linearise(P const& p, S const& h, stage at) {
        residual_ = S(0);
        S const back = S(1) - constants.gamma / constants.eta;
        bool const apart = at == stage::reached && any(back != S(0));
        if (apart) {
            for_each_entry(p, [&](auto& e, auto& w) { linearise_errors(p, e, w, h); });
            save_poses(p);
            p.for_each_movable([&](auto kind, std::uint32_t i) {
                using A = detail::attachment_access<decltype(kind)>;
                A::displace(p, i, A::velocity(p, i) * (-back * h));
            });
        }
        for_each_entry(p, [&](auto& e, auto& w) {
            if (!apart) linearise_errors(p, e, w, h);
            linearise(p, e, w, h, at);
        });
        if (apart) restore_poses(p, back * h);
    }
    // r of hard rows: -f / h; of soft ones: f. Bounds of mu.
    template <class P, class E, class W>
    constexpr void linearise_errors(P const& p, E const& e, W& w, S const& h) {
        using C = typename E::constraint_type;
        w.r = {};
        auto const poses = poses_of(p, e);
        if constexpr (is_holonomic_v<C, S>) {
            auto const c = std::apply([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
            auto const compliance = compliance_of<S>(e.constraint);
            for (std::size_t i = 0; i < rows_v<C>; ++i) {
                bool const hard = !any(compliance[i] > S(0));
                if (hard) w.r[i] = -c[i] / h;
                if constexpr (!is_bounded_v<C, S>)
                    if (hard) residual_ = max(residual_, abs(c[i]));
            }
        }
        if constexpr (is_bounded_v<C, S>) {
            auto const limits = std::apply([&](auto const&... q) { return limits_of(e.constraint, e.lambda, q...); }, poses);
            for (std::size_t i = 0; i < rows_v<C>; ++i) {
                w.lower[i] = limits.lower[i] * (constants.eta * h);
                w.upper[i] = limits.upper[i] * (constants.eta * h);
            }
        }
    }
    template <class P, class E, class W>
    constexpr void linearise(P const& p, E const& e, W& w, S const& h, stage at) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        S const beta = constants.beta * h, gamma = constants.gamma * (h * h), eta = constants.eta * h;
        // At the start a moving normal has no direction yet.
        w.active = !(moving_normal_v<C> && at == stage::start);
        if (at == stage::start) start_multipliers(e, w, eta);
        if (!w.active) return;
        auto const poses = poses_of(p, e);
        auto const v = velocities_of(p, e);
        w.J = std::apply([&](auto const&... q) { return jacobian_of(e.constraint, q...); }, poses);
        vec<S, M> const Jv = w.J * v;
        vec<S, M> rate = Jv;
        if constexpr (has_rate<C, S>) rate = rate_of(e.constraint, poses, twists_of(p, e));
        vec<S, M> const compliance = compliance_of<S>(e.constraint);
        vec<S, M> const damping = damping_of<S>(e.constraint);
        vec<S, M> c{};
        if constexpr (is_holonomic_v<C, S> && has_compliance<C>) c = std::apply([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
        for (std::size_t i = 0; i < M; ++i) {
            bool const soft = any(compliance[i] > S(0));
            S const s = soft ? S(1) / (gamma + beta * compliance[i] * damping[i]) : S(0);
            w.W[i] = compliance[i] * s;
            if constexpr (is_holonomic_v<C, S>) {
                // At the start v is still to move the bodies.
                if (soft) w.r[i] = -s * (eta * c[i] + beta * compliance[i] * damping[i] * rate[i]) - (at == stage::start ? s * gamma * Jv[i] : S(0));
                if (!soft && at == stage::start) w.r[i] = w.r[i] - Jv[i];
            } else {
                w.r[i] = -rate[i];
            }
            w.r[i] = w.r[i] - w.W[i] * w.mu[i];
        }
        if constexpr (turns_v<C>) {
            if (geometric_stiffness) {
                auto const G = stiffness_of(e.constraint, poses, e.lambda);
                S const half = gamma * (S(1) / S(2));
                for (std::size_t i = 0; i < dof_v<C>; ++i)
                    for (std::size_t j = 0; j <= i; ++j) w.G(i, j) = w.G(j, i) = half * (G(i, j) + G(j, i));
            }
        }
    }
    // mu begins at nothing; lambda, of the last step, shows which bounds are likely to be reached.
    template <class E, class W>
    constexpr void start_multipliers(E const& e, W& w, [[maybe_unused]] S const& scale) const {
        w.mu = {};
        if constexpr (is_bounded_v<typename E::constraint_type, S>)
            for (std::size_t i = 0; i < w.mu.size(); ++i)
                w.at_bound[i] = any(e.lambda[i] * scale <= w.lower[i]) ? at_lower : any(e.lambda[i] * scale >= w.upper[i]) ? at_upper : free_row;
    }

    // Poses of rigid bodies and particles are put back as they were; of other kinds, whose coordinates add, by the way back.
    template <class P>
    constexpr void save_poses(P const& p) {
        saved_bodies_.resize(p.bodies.size());
        saved_particles_.resize(p.particles.size());
        for (std::size_t i = 0; i < p.bodies.size(); ++i) saved_bodies_[i] = p.bodies[i].pose;
        for (std::size_t i = 0; i < p.particles.size(); ++i) saved_particles_[i] = p.particles[i].position;
    }
    template <class P>
    constexpr void restore_poses(P const& p, S const& time) const {
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            using A = detail::attachment_access<K>;
            if constexpr (std::same_as<K, rigid>)
                p.bodies[i].pose = saved_bodies_[i];
            else if constexpr (std::same_as<K, point_mass>)
                p.particles[i].position = saved_particles_[i];
            else
                A::displace(p, i, A::velocity(p, i) * time);
        });
    }

    // ---- the equation of motion

    // Whether impulses keep the direction in which they were found.
    template <class C>
    [[nodiscard]] constexpr bool keeps_direction() const noexcept {
        return moving_normal_v<C> || !geometric_stiffness;
    }
    template <class Parts, class V>
    constexpr void add(typename Env::template array<numbers, Env::max_nodes>& to, Parts const& parts, V const& q) const {
        for (auto const& a : parts)
            if (a.node != none)
                for (std::size_t k = 0; k < a.dof; ++k) to[a.place][k] = to[a.place][k] + q[a.at + k];
    }
    // The force turns with v*, before any dv.
    template <class P>
    constexpr void add_predicted_turning(P const& p) {
        if (!geometric_stiffness) return;
        for_each_entry(p, [&](auto& e, auto& w) {
            if constexpr (turns_v<typename std::remove_cvref_t<decltype(e)>::constraint_type>) add(rhs_, parts_of(p, e), w.G * velocities_of(p, e));
        });
    }
    // What the momenta alpha M v would be without the constraints, now that the bodies have moved. The motion kept momenta, and
    // turned velocities with the inertia; or it kept the velocities, and their differences are still those that were found.
    template <class P>
    constexpr void begin_at_reached(P const& p) {
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using A = detail::attachment_access<decltype(kind)>;
            auto const place = p.node(kind, i);
            auto const v = A::velocity(p, i), found = take<decltype(kind)::dof>(found_[place]), before = take<decltype(kind)::dof>(predicted_[place]);
            auto const M = A::mass_matrix(p, i);
            if (v == found) {
                auto const M_v = M * v, M_before = M * before;
                auto const other = take<decltype(kind)::dof>(gained_[place]);  // the same at the start, for what keeps its direction
                put(target_[place], take<decltype(kind)::dof>(target_[place]) + M_v * constants.alpha + (other - (M_v - M_before)));
                put(gained_[place], M_v - M_before);
            } else {
                put(target_[place], take<decltype(kind)::dof>(target_[place]) + M * v * constants.alpha);
            }
        });
    }
    // What the impulses so far leave of the equation of motion, at the poses reached.
    template <class P>
    constexpr void balance(P const& p) {
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using A = detail::attachment_access<decltype(kind)>;
            auto const at = p.node(kind, i);
            put(rhs_[at], take<decltype(kind)::dof>(target_[at]) - A::mass_matrix(p, i) * A::velocity(p, i) * constants.alpha);
        });
        for_each_entry(p, [&](auto& e, auto& w) {
            if (!keeps_direction<typename std::remove_cvref_t<decltype(e)>::constraint_type>()) add(rhs_, parts_of(p, e), transpose_times(w.J, w.mu));
        });
    }

    // ---- the linear system

    static constexpr signed char free_row = 0, at_lower = -1, at_upper = 1, left_out = 2;

    template <class P, class E, class W>
    constexpr void assemble(P const& p, E const& e, W const& w, bool turn, bool majorise) {
        using C = typename E::constraint_type;
        auto const parts = parts_of(p, e);
        auto const square = factors_.diagonal(w.node);
        for (std::size_t r = 0; r < rows_v<C>; ++r) square(r, r) = w.active && w.at_bound[r] == free_row ? -w.W[r] : S(-1);
        std::uint32_t edge = w.edge;
        for (auto const& a : parts) {
            if (a.node == none) continue;
            auto const block = factors_.block(edge++);
            for (std::size_t r = 0; r < rows_v<C>; ++r)
                if (w.active && w.at_bound[r] == free_row)
                    for (std::size_t c = 0; c < a.dof; ++c) block(r, c) = block(r, c) - w.J(r, a.at + c);
        }
        if constexpr (turns_v<C>) {
            if (!turn) return;
            for (std::size_t i = 0; i < parts.size(); ++i) {
                auto const& a = parts[i];
                if (a.node == none) continue;
                auto const own = factors_.diagonal(a.node);
                for (std::size_t r = 0; r < a.dof; ++r) {
                    if (majorise) {
                        for (std::size_t c = 0; c < dof_v<C>; ++c) own(r, r) = own(r, r) + abs(w.G(a.at + r, c));
                    } else {
                        for (std::size_t c = 0; c <= r; ++c) own(r, c) = own(r, c) - w.G(a.at + r, a.at + c);
                    }
                }
                if (majorise || additive_error_v<C>) continue;
                for (std::size_t j = i + 1; j < parts.size(); ++j) {
                    auto const& b = parts[j];
                    if (b.node == none) continue;
                    auto const block = factors_.block(edge++);
                    for (std::size_t r = 0; r < a.dof; ++r)
                        for (std::size_t c = 0; c < b.dof; ++c) {
                            block(r, c) = block(r, c) - w.G(a.at + r, b.at + c);
                            if (a.node == b.node) block(c, r) = block(c, r) - w.G(b.at + c, a.at + r);
                        }
                }
            }
        }
    }

    template <class P>
    constexpr void solve_linear(P const& p, S const& h, stage at) {
        S const floor = epsilon_v<S> * (S(16) * sqrt(S(value_type_t<S>(x_.size() + 1))));
        S const alpha = at == stage::end ? S(1) : constants.alpha;
        bool const turn = geometric_stiffness && at != stage::end;
        bool majorise = false;
        begin_active_set(p, at);
        for (;;) {
            factors_.set_zero();
            p.for_each_movable([&](auto kind, std::uint32_t i) {
                using K = decltype(kind);
                auto const M = detail::attachment_access<K>::mass_matrix(p, i);
                auto const square = factors_.diagonal(nodes_[p.node(kind, i)]);
                for (std::size_t r = 0; r < K::dof; ++r)
                    for (std::size_t c = 0; c <= r; ++c) square(r, c) = M(r, c) * alpha;
            });
            for_each_entry(p, [&](auto& e, auto& w) { assemble(p, e, w, turn, majorise); });
            auto const factored = factors_.factor(floor);
            if (turn && !majorise && factored.wrong_signs > 0) {
                majorise = true;
                continue;
            }
            ++report_.iterations;
            report_.full_rank = factored.full_rank();
            fill(p);
            factors_.solve(std::span<S>(x_.data(), x_.size()));
            for_each_entry(p, [&](auto&, auto& w) {
                std::size_t const row = factors_.row(w.node);
                for (std::size_t r = 0; r < w.change.size(); ++r) w.change[r] = x_[row + r];
            });
            if (at == stage::end || !revise_active_set(p)) break;
        }
        report_.residual = residual_;
        take_over(p, h, at);
    }
    // Right-hand sides: of the bodies, with what rows at a bound give; of the rows.
    template <class P>
    constexpr void fill(P const& p) {
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            auto const place = p.node(kind, i);
            std::size_t const row = factors_.row(nodes_[place]);
            for (std::size_t k = 0; k < decltype(kind)::dof; ++k) x_[row + k] = rhs_[place][k];
        });
        for_each_entry(p, [&](auto& e, auto& w) {
            constexpr std::size_t M = rows_v<typename std::remove_cvref_t<decltype(e)>::constraint_type>;
            std::size_t const row = factors_.row(w.node);
            vec<S, M> fixed{};
            bool any_fixed = false;
            for (std::size_t r = 0; r < M; ++r) {
                if (w.active && w.at_bound[r] == free_row) {
                    x_[row + r] = -w.r[r];
                    continue;
                }
                if (w.active && w.at_bound[r] != left_out) {
                    fixed[r] = (w.at_bound[r] == at_lower ? w.lower[r] : w.upper[r]) - w.mu[r];
                    any_fixed = true;
                }
                x_[row + r] = -fixed[r];
            }
            if (!any_fixed) return;
            auto const q = transpose_times(w.J, fixed);
            for (auto const& a : parts_of(p, e))
                if (a.node != none)
                    for (std::size_t k = 0; k < a.dof; ++k) x_[factors_.row(a.node) + k] = x_[factors_.row(a.node) + k] + q[a.at + k];
        });
    }
    // dv to the bodies, and of the multipliers what has changed.
    template <class P>
    constexpr void take_over(P const& p, S const& h, stage at) {
        S const newtons = S(1) / (constants.eta * h);
        correction_ = S(0);
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            using A = detail::attachment_access<K>;
            auto const place = p.node(kind, i);
            std::size_t const row = factors_.row(nodes_[place]);
            vec<S, K::dof> dv;
            for (std::size_t k = 0; k < K::dof; ++k) dv[k] = x_[row + k];
            A::accelerate(p, i, dv);
            if (at != stage::reached) return;
            for (S const& x : dv.e) correction_ = max(correction_, abs(x) * h);
            put(gained_[place], take<K::dof>(gained_[place]) + A::mass_matrix(p, i) * dv);
            A::displace(p, i, dv * h);
        });
        if (at == stage::end) return;
        for_each_entry(p, [&](auto& e, auto& w) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            w.mu = w.mu + w.change;
            if constexpr (is_bounded_v<C, S>)
                for (std::size_t r = 0; r < rows_v<C>; ++r) w.mu[r] = clamp(w.mu[r], w.lower[r], w.upper[r]);
            e.lambda = w.mu * newtons;
            if constexpr (moving_normal_v<C>) {
                if (at == stage::start) e.pushed.clear();
                if (w.active) {
                    auto const q = transpose_times(w.J, w.change * newtons);
                    std::size_t k = 0;
                    for_each_attachment(e, [&](auto kind, auto column, std::uint32_t) { e.pushed.add(k++, wrench_in<decltype(kind)>(q, column), S(1)); });
                }
            }
        });
    }
    // Of a generalized body there is none.
    template <class Kind, std::size_t N>
    [[nodiscard]] static constexpr wrench<S> wrench_in([[maybe_unused]] vec<S, N> const& q, [[maybe_unused]] std::size_t at) noexcept {
        wrench<S> w;
        for (std::size_t k = 0; k < 3; ++k) {
            if constexpr (std::same_as<Kind, rigid> || std::same_as<Kind, point_mass>) w.force[k] = q[at + k];
            if constexpr (std::same_as<Kind, rigid>) w.torque[k] = q[at + 3 + k];
        }
        return w;
    }
    // Impulses that keep their direction are no longer the equation's to find.
    template <class P>
    constexpr void absorb(P const& p) {
        for_each_entry(p, [&](auto& e, auto& w) {
            if (w.active && keeps_direction<typename std::remove_cvref_t<decltype(e)>::constraint_type>()) add(target_, parts_of(p, e), transpose_times(w.J, w.change));
        });
    }

    // ---- bounds

    template <class P>
    constexpr void begin_active_set([[maybe_unused]] P const& p, [[maybe_unused]] stage at) {
        if constexpr (any_bounds) {
            bounded_rows_ = 0;
            passes_ = 0;
            for_each_entry(p, [&](auto& e, auto& w) {
                using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
                if constexpr (is_bounded_v<C, S>) {
                    if (at == stage::end) return;
                    for (std::size_t r = 0; r < rows_v<C>; ++r) {
                        ++bounded_rows_;
                        // Bounds may have changed since: to none, or to one value.
                        bool const is_lower = w.at_bound[r] == at_lower && any(w.lower[r] > -infinity_v<S>);
                        bool const is_upper = w.at_bound[r] == at_upper && any(w.upper[r] < infinity_v<S>);
                        w.at_bound[r] = is_upper ? at_upper : is_lower || !any(w.lower[r] < w.upper[r]) ? at_lower : free_row;
                    }
                }
            });
            fewest_ = bounded_rows_ + 1;
            tries_ = 3;
        }
    }
    // Block principal pivoting: all rows that are wrong change sides, as long as that makes their number less; if not for a while, only
    // the last of them does (Murty's rule, which comes to an end). After so many passes rows are only put to their bounds, which
    // also ends: bounds hold in any case. True if the system must be solved again.
    template <class P>
    [[nodiscard]] constexpr bool revise_active_set([[maybe_unused]] P const& p) {
        if constexpr (!any_bounds) {
            return false;
        } else {
            bool const only_clamp = passes_++ > 16 + 2 * bounded_rows_;
            std::size_t wrong = 0;
            for_each_entry(p, [&](auto& e, auto& w) { wrong += judge(p, e, w, only_clamp); });
            if (wrong == 0) return false;
            bool all_change = only_clamp;
            if (wrong < fewest_) {
                fewest_ = wrong;
                tries_ = 3;
                all_change = true;
            } else if (tries_ > 0) {
                --tries_;
                all_change = true;
            }
            std::size_t left = wrong;
            for_each_entry(p, [&](auto&, auto& w) {
                for (std::size_t r = 0; r < w.change.size(); ++r)
                    if (w.wanted[r] != w.at_bound[r] && (--left == 0 || all_change)) w.at_bound[r] = w.wanted[r];
            });
            return true;
        }
    }
    // On which side each bounded row belongs, by the solution of now; how many are wrong.
    template <class P, class E, class W>
    [[nodiscard]] constexpr std::size_t judge(P const& p, E const& e, W& w, bool only_clamp) const {
        using C = typename E::constraint_type;
        w.wanted = w.at_bound;
        std::size_t wrong = 0;
        if constexpr (is_bounded_v<C, S>) {
            if (!w.active) return 0;
            vec<S, dof_v<C>> dv{};
            for (auto const& a : parts_of(p, e))
                if (a.node != none)
                    for (std::size_t k = 0; k < a.dof; ++k) dv[a.at + k] = x_[factors_.row(a.node) + k];
            for (std::size_t r = 0; r < rows_v<C>; ++r) {
                S const rounding = S(64) * epsilon_v<S>;
                if (w.at_bound[r] == free_row) {
                    S const mu = w.mu[r] + w.change[r], slack = rounding * (abs(w.mu[r]) + abs(w.change[r]));
                    if (any(mu < w.lower[r] - slack)) w.wanted[r] = at_lower;
                    if (any(mu > w.upper[r] + slack)) w.wanted[r] = at_upper;
                } else if (any(w.lower[r] < w.upper[r]) && !only_clamp) {
                    S rest = w.W[r] * w.change[r] - w.r[r], size = abs(w.W[r] * w.change[r]) + abs(w.r[r]);
                    for (std::size_t k = 0; k < dof_v<C>; ++k) {
                        rest = rest + w.J(r, k) * dv[k];
                        size = size + abs(w.J(r, k) * dv[k]);
                    }
                    if (w.at_bound[r] == at_lower && any(rest < -rounding * size)) w.wanted[r] = free_row;
                    if (w.at_bound[r] == at_upper && any(rest > rounding * size)) w.wanted[r] = free_row;
                }
                wrong += w.wanted[r] != w.at_bound[r] ? 1 : 0;
            }
        }
        return wrong;
    }

    // ---- end velocities

    // v* + end (v - v*), on the hard rows.
    template <class P>
    constexpr void end_velocities(P const& p, S const& h) {
        p.update_inverse_masses();
        p.for_each_movable([&](auto kind, std::uint32_t i) {
            using K = decltype(kind);
            auto const place = p.node(kind, i);
            detail::attachment_access<K>::push(p, i, take<K::dof>(gained_[place]) * (constants.end - S(1)));
            rhs_[place] = {};
        });
        for_each_entry(p, [&](auto& e, auto& w) {
            using C = typename std::remove_cvref_t<decltype(e)>::constraint_type;
            auto const compliance = compliance_of<S>(e.constraint);
            bool any_row = false;
            for (std::size_t r = 0; r < rows_v<C>; ++r) {
                bool const takes_part = !any(compliance[r] > S(0)) && w.at_bound[r] == free_row;
                w.at_bound[r] = takes_part ? free_row : left_out;
                any_row = any_row || takes_part;
            }
            w.active = any_row && !moving_normal_v<C>;
            if (!w.active) return;
            auto const poses = poses_of(p, e);
            w.J = std::apply([&](auto const&... q) { return jacobian_of(e.constraint, q...); }, poses);
            w.W = {};
            w.r = -rate_of(e.constraint, poses, twists_of(p, e));
        });
        solve_linear(p, h, stage::end);
        for_each_entry(p, [&](auto&, auto& w) { w.at_bound = {}; });
    }

    // Degrees of freedom of all bodies that fit, and rows.
    static constexpr std::size_t unknowns = []<class... Maps>(map_list<Maps...>) {
        return Env::limits.bodies * 6 + Env::limits.particles * 3 + Env::limits.generalized * (Maps::coordinates + ... + 0) + Env::max_rows;
    }(typename Env::map_types{});

    block_ldlt<S, Env, block_ldlt_limits{.nodes = Env::max_nodes + works::types * Env::limits.constraints,
                                         .edges = works::edges * Env::limits.constraints,
                                         .rows = unknowns}>
        factors_;
    typename Env::template array<std::uint32_t, Env::max_nodes> nodes_;  // in the factors
    typename Env::template array<numbers, Env::max_nodes> predicted_, found_;  // v*; v of the linearised step
    typename Env::template array<numbers, Env::max_nodes> target_;             // momenta alpha M v without the constraints'
    typename Env::template array<numbers, Env::max_nodes> gained_;      // M (v - v*)
    typename Env::template array<numbers, Env::max_nodes> rhs_;
    typename Env::template array<S, unknowns> x_;
    typename Env::template array<pose<S, typename Env::rotation>, Env::limits.bodies + 1> saved_bodies_;
    typename Env::template array<vec3<S>, Env::limits.particles> saved_particles_;
    typename works::type work_;
    solve_report<S> report_{};
    S residual_{}, correction_{};
    std::uint32_t contents_ = 0;
    std::size_t bounded_rows_ = 0, fewest_ = 0, passes_ = 0;
    int tries_ = 0;
    bool built_ = false, with_turning_ = false;
};

}  // namespace sinew::inline v0
