#pragma once
// Sequential impulses: projected Gauss-Seidel on velocities (Catto 2005), and its substepped form with a relaxing pass, "soft step"
// (Catto 2024, "Solver2D"). Any constraint, one after the other, each as a block of all its rows.
//
//   once a substep    velocities by the forces
//                     solve:  the last impulses act again; `iterations` sweeps that also take back errors of position
//                     positions by the velocities
//                     relax:  `relaxing_iterations` sweeps on the velocities alone, at the new poses
//   once a step       begin: contacts are made ready (contact_gathering.hpp);  finish: their multipliers
//
// The feedback that takes back errors leaves some of its speed in the bodies; the relaxing sweeps take it out again. Few sweeps in many
// substeps beat many sweeps in one step: what a substep leaves falls with h^2, what a sweep leaves by a factor near 1.
// Plain sequential impulses: substeps = 1, iterations = 10, contact_stride = 1, relaxing_iterations = 0.
//
// An inequality c >= 0 may be used up within the substep and no more: its rate is held above -c / h. Rows at velocity level ask for their
// rate in every sweep. Rows with compliance are springs, implicit in the substep: see impulse_block.hpp.
//
// J is evaluated once for every pose; where the normals turn, in every sweep and at the poses that the bodies will reach. Linear momentum
// is kept always, angular momentum as far as a constraint's forces meet: a ball joint whose points are apart by d leaves a couple d x f.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/core/call_with.hpp>
#include <sinew/solver/contact_gathering.hpp>
#include <sinew/solver/contact_sweep.hpp>
#include <sinew/solver/ground_contacts.hpp>
#include <sinew/solver/impulse_preparation.hpp>

namespace sinew::inline v0 {

namespace detail {
// What sweeps over the joints instead of the strategy itself, if the environment names it: wide_sweeps.hpp.
struct no_sweeps {
    template <class>
    static constexpr bool takes = false;
    static constexpr bool takes_contacts = false;
    static constexpr std::size_t lanes = 1;
    template <class>
    struct contacts {};
    template <class F>
    constexpr void run(std::size_t, std::size_t, F const&) noexcept {}
    template <class F>
    constexpr void in_parts(std::size_t count, F const& f) {
        f(std::size_t{0}, count);
    }
};
template <class Env>
struct sweeps_of {
    using type = no_sweeps;
};
template <class Env>
    requires requires { typename Env::sweeps; }
struct sweeps_of<Env> {
    using type = typename Env::sweeps;
};
}  // namespace detail

/// The strategy: velocity level, iterative, any constraint.
struct sequential_impulses {
    template <class Env>
    class strategy;
};

template <class Env>
class sequential_impulses::strategy {
public:
    using S = typename Env::scalar;
    static constexpr solver_level level = solver_level::velocity;
    static constexpr solver_abilities abilities{.contacts_in_lanes = true};

    int substeps = 5;             ///< forces, sweeps and motion in one step
    int iterations = 3;           ///< sweeps with feedback, before the bodies move; over contacts as contact_stride says
    int relaxing_iterations = 1;  ///< sweeps without feedback, after they have moved
    int contact_stride = 2;       ///< contacts take part in every so manieth sweep with feedback, the last one always: four points are solved at once, and need fewer
    position_feedback feedback = position_feedback::soft;  ///< baumgarte drives heavy ends apart where sweeps are few; soft does not
    S joint_hertz{infinity_v<S>};  ///< frequency at which hard rows take back errors, Hz
    S joint_hertz_share{value_type_t<S>(0.375)};  ///< of the rate of substeps: joint_hertz is no higher; nor than the sweeps bear, bearable_hertz_share
    S joint_damping_ratio{1};      ///< of the same
    S baumgarte{value_type_t<S>(0.2)};  ///< share of an error taken back in one substep, under position_feedback::baumgarte
    S max_push_speed{infinity_v<S>};    ///< at which inequalities are pushed apart, m/s, rad/s
    S contact_hertz{infinity_v<S>};     ///< frequency at which contacts take back errors, Hz, under position_feedback::soft
    S contact_hertz_share{value_type_t<S>(0.36)};  ///< of the rate of substeps: contact_hertz is no higher; nor than the sweeps bear, bearable_hertz_share
    S contact_damping_ratio{16};        ///< of the same
    S contact_push_speed{3};            ///< at which bodies that have sunk into each other are pushed apart, m/s
    S warm_start{1};              ///< fraction of the last multipliers to start from
    int hit_sweeps = 16;          ///< further sweeps over the contacts of two bodies whose push has doubled since the last substep: a hit has no other time to rub; and of such as were laid there and begin to weigh
    bool measure_rates = false;   ///< report the largest rate that the sweeps leave (m/s, rad/s), at the price of about one more, instead of the largest error before them (m, rad)
    using sweeps_type = typename detail::sweeps_of<Env>::type;
    [[no_unique_address]] sweeps_type sweeps{};

    /// Why the tuning numbers cannot be.
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        auto const count = [](int number, int least, char const* name, char const* requirement) {
            return number >= least ? input_fault{} : input_fault{name, requirement, static_cast<error_number>(number)};
        };
        return first_fault(count(substeps, 1, "solver.substeps", "must be at least 1"), count(iterations, 0, "solver.iterations", "must not be negative"),
                           count(relaxing_iterations, 0, "solver.relaxing_iterations", "must not be negative"), count(hit_sweeps, 0, "solver.hit_sweeps", "must not be negative"),
                           count(contact_stride, 1, "solver.contact_stride", "must be at least 1"),
                           detail::parameter_within(joint_hertz > S(0), "solver.joint_hertz", "must be above 0", joint_hertz),
                           detail::parameter_within(joint_hertz_share > S(0) && isfinite(joint_hertz_share), "solver.joint_hertz_share", "must be finite and above 0", joint_hertz_share),
                           nonnegative_parameter("solver.joint_damping_ratio", joint_damping_ratio),
                           detail::parameter_within(baumgarte >= S(0) && baumgarte <= S(1), "solver.baumgarte", "must be between 0 and 1", baumgarte),
                           magnitude_parameter("solver.max_push_speed", max_push_speed),
                           detail::parameter_within(contact_hertz > S(0), "solver.contact_hertz", "must be above 0", contact_hertz),
                           detail::parameter_within(contact_hertz_share > S(0) && isfinite(contact_hertz_share), "solver.contact_hertz_share", "must be finite and above 0", contact_hertz_share),
                           nonnegative_parameter("solver.contact_damping_ratio", contact_damping_ratio), magnitude_parameter("solver.contact_push_speed", contact_push_speed),
                           detail::parameter_within(warm_start >= S(0) && warm_start <= S(1), "solver.warm_start", "must be between 0 and 1", warm_start));
    }
    /// The tuning numbers are the same.
    [[nodiscard]] friend constexpr bool operator==(strategy const& a, strategy const& b) {
        return detail::all_same(a.substeps, b.substeps, a.iterations, b.iterations, a.relaxing_iterations, b.relaxing_iterations,
                                a.contact_stride, b.contact_stride, a.feedback, b.feedback, a.joint_hertz, b.joint_hertz,
                                a.joint_hertz_share, b.joint_hertz_share, a.joint_damping_ratio, b.joint_damping_ratio, a.baumgarte, b.baumgarte,
                                a.max_push_speed, b.max_push_speed, a.contact_hertz, b.contact_hertz, a.contact_hertz_share, b.contact_hertz_share,
                                a.contact_damping_ratio, b.contact_damping_ratio, a.contact_push_speed, b.contact_push_speed,
                                a.warm_start, b.warm_start, a.hit_sweeps, b.hit_sweeps, a.measure_rates, b.measure_rates);
    }

    /// How many bodies of a world move at a time.
    static constexpr std::size_t body_lanes = sweeps_type::lanes;
    /// f(first, last) of parts of what is numbered 0 ... count - 1: bodies that f moves one by one, on the threads of the sweeps.
    template <class F>
    constexpr void in_parts(std::size_t count, F const& f) {
        sweeps.in_parts(count, f);
    }
    /// Before the first substep: nothing is known of the rows but of those of contacts.
    template <class P>
    constexpr void begin([[maybe_unused]] P const& p, [[maybe_unused]] S const& h) {
        is_prepared_ = false;
        S const substep = h / S(value_type_t<S>(substeps > 1 ? substeps : 1));
        feedback_ = feedback_of(substep);
        if constexpr (is_wide) sweeps.arrange(p);
        if constexpr (any_contacts)
            detail::with_quads<S>([&](auto quad) { this->template begin_contacts<typename decltype(quad)::type>(p, substep, h); });
    }
    /// Velocities after the forces: impulses on them.
    template <class P>
    constexpr solve_report<S> solve(P const& p, S const& h) {
        return detail::with_quads<S>([&](auto quad) { return this->template solve_with<typename decltype(quad)::type>(p, h); });
    }
    /// Velocities after the motion: without the speed that only took back errors.
    template <class P>
    constexpr solve_report<S> relax(P const& p, S const& h) {
        if constexpr (any_contacts) detail::with_quads<S>([&](auto quad) { this->template note_motion<typename decltype(quad)::type>(p, h); });
        if (relaxing_iterations == 0) {
            is_prepared_ = false;
            return {0, residual_, true};
        }
        return detail::with_quads<S>([&](auto quad) { return this->template relax_with<typename decltype(quad)::type>(p, h); });
    }
    /// The multipliers of contacts.
    template <class P>
    constexpr solve_report<S> finish(P const& p, S const& h)
        requires(detail::any_contacts_v<typename Env::constraint_types>)
    {
        give_multipliers(p, h / S(value_type_t<S>(substeps)));
        return {0, residual_, true};
    }
    /// After a step that has come to nothing: the next begins as if it had not been.
    constexpr void forget() noexcept {
        auto const clear = [](auto& w) {
            if constexpr (requires { w.forget(); })
                w.forget();
            else if constexpr (requires { w.clear(); })
                w.clear();
        };
        detail::call_with([&](auto&... w) { (clear(w), ...); }, works_);
        velocities_.clear();  // of particles not all of a register is written anew
        if constexpr (is_wide) sweeps.forget();
    }

private:
    static constexpr std::size_t quads_of_body = Env::max_dof <= 8 ? 2 : (Env::max_dof + 3) / 4;
    using packed = detail::packed_velocity<S, quads_of_body>;
    // Constraints that are swept one by one, here.
    template <class C>
    static constexpr bool is_own = !detail::is_contact_v<C> && !sweeps_type::template takes<C>;
    struct nothing {};
    // Contacts of the same two bodies are one work; all others one each.
    template <class C>
    using work = std::conditional_t<sweeps_type::template takes<C>, nothing, typename detail::work_on<C, S>::type>;
    static constexpr bool is_wide = !std::same_as<sweeps_type, detail::no_sweeps>, packs_contacts = has_lanes_v<S> || sweeps_type::takes_contacts;
    static constexpr bool any_contacts = detail::any_contacts_v<typename Env::constraint_types>;
    static constexpr int crowd_sweeps = 8;  // relaxing, besides, over what has sunk deep into many

    template <class Q, class P>
    constexpr solve_report<S> solve_with(P const& p, S const& h) {
        solve_report<S> report;
        if (!is_prepared_) {
            prepare<Q>(p, h);
            for_each_work(p, [&](auto& e, auto& w) {
                for (std::size_t i = 0; i < w.block.rows; ++i) w.block.impulse[i] = e.lambda[i] * (h * warm_start);
            });
            if constexpr (is_wide) sweeps.start_from_multipliers(h * warm_start);
        } else if (any(differs(warm_start, S(1)))) {
            for_each_work(p, [&](auto&, auto& w) {
                for (std::size_t i = 0; i < w.block.rows; ++i) w.block.impulse[i] = w.block.impulse[i] * warm_start;
            });
            if constexpr (is_wide) sweeps.start_from_impulses(warm_start);
        }
        if constexpr (is_wide) sweeps.forget_turning();
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            if constexpr (moving_normal_v<C> && is_own<C>)  // the last impulses had other directions
                for (std::size_t i = 0; i < entries.size(); ++i) {
                    entries[i].pushed.clear();
                    for (S& impulse : std::get<t>(works_)[i].block.impulse) impulse = S(0);
                }
        });
        load<Q>(p);
        if constexpr (is_wide) sweeps.template warm_start<Q>(velocities_.data());
        for_each_work(p, [&](auto&, auto& w) { detail::warm_start<Q>(w.block, velocities_.data()); });
        in_range_ = true;
        if constexpr (any_contacts) {
            for_each_manifold(
                p,
                [&](auto& m) {
                    m.template go_on<Q>(contact_.is_first);
                    detail::push_again<Q>(m, bodies_of(contact_));
                },
                [&](auto& packs) { packs.template start<Q>(bodies_of(contact_), contact_.is_first, in_any_order()); });
            contact_.is_first = false;
            for (int left = iterations; left-- > 0;) sweep<Q, true>(p, h, left % contact_stride == 0);
        } else {
            for (int k = 0; k < iterations; ++k) sweep<Q, true>(p, h, false);
        }
        report.iterations = iterations;
        report.in_range = in_range_;
        unload<Q>(p, h);
        if (measure_rates) residual_ = largest_rate(p, h);
        report.residual = residual_;
        return report;
    }
    template <class Q, class P>
    constexpr solve_report<S> relax_with(P const& p, S const& h) {
        solve_report<S> report;
        prepare<Q>(p, h);
        load<Q>(p);
        for (int k = 0; k < relaxing_iterations; ++k) sweep<Q, false>(p, h, true);
        if constexpr (any_contacts && !has_lanes_v<S>) relax_crowds<Q>(p);
        report.iterations = relaxing_iterations;
        report.in_range = in_range_;
        unload<Q>(p, h);
        if (measure_rates) residual_ = largest_rate(p, h);
        report.residual = residual_;
        return report;
    }

    template <class P, class F>
    constexpr void for_each_work(P const& p, F const& f) {
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            if constexpr (is_own<C>) {
                auto& works = std::get<t>(works_);
                for (std::size_t i = 0; i < entries.size(); ++i) f(entries[i], works[i]);
            }
        });
    }
    // one(manifold) for each, or many(all in packs)
    template <class P, class One, class Many>
    constexpr void for_each_manifold(P const& p, [[maybe_unused]] One const& one, [[maybe_unused]] Many const& many) {
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            if constexpr (detail::is_contact_v<C>) {
                if constexpr (packs_contacts) {
                    many(std::get<t>(works_));
                } else {
                    for (auto& m : std::get<t>(works_)) one(m);
                }
            }
        });
    }
    // f(i) of some pieces of work, by who runs them.
    [[nodiscard]] constexpr auto in_any_order() noexcept {
        return [this](std::size_t first, std::size_t last, auto const& f) { sweeps.run(first, last, f); };
    }
    // Manifolds as they begin.
    template <class W>
    [[nodiscard]] static constexpr auto& staged_in(W& works) noexcept {
        if constexpr (packs_contacts)
            return works.staged();
        else
            return works;
    }

    // The manifolds at the start of a step; h of a substep.
    template <class Q, class P>
    constexpr void begin_contacts(P const& p, S const& h, S const& step) {
        if constexpr (is_wide)
            sweeps.update_inverse_masses(p);
        else
            p.update_inverse_masses();
        velocities_.resize(p.node_count());
        contact_.moved.resize(p.node_count());
        contact_.masses.resize(p.node_count());
        contact_.axes.resize(p.node_count());
        contact_.turned.resize(p.node_count());
        for (auto& m : contact_.moved) m = packed{};
        each_body(p, [&](std::uint32_t i) {
            detail::load_velocity<Q>(p, rigid{}, i, velocities_[i]);
            mat3<S> const m = to_matrix(p.bodies[i].pose.rotation);
            for (std::size_t k = 0; k < 3; ++k) Q::of(m(0, k), m(1, k), m(2, k), S(0)).store(contact_.axes[i].column[k]);
            pack_mass<Q>(p, i, true);
        });
        contact_.sunk = S(0);
        contact_.is_first = true;
        contact_.any_driven = false;
        contact_.is_crowd = false;
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            if constexpr (detail::is_contact_v<C>) {
                auto& manifolds = staged_in(std::get<t>(works_));
                std::size_t used = 0;
                for (std::size_t i = 0; i < entries.size();) {
                    if (used == manifolds.size()) manifolds.push_back({});
                    auto& m = manifolds[used++];
                    std::size_t const n = detail::gather<Q>(p, entries, i, h, step, warm_start, contact_.axes.data(), velocities_.data(), m);
                    m.first = static_cast<std::uint32_t>(i);
                    if constexpr (!packs_contacts) m.begin();
                    i += n;
                    contact_.any_driven = contact_.any_driven || m.is_driven;
                    for (std::size_t k = 0; k < n; ++k) contact_.sunk = max(contact_.sunk, -m.gap[k]);
                }
                manifolds.resize(used);
                if constexpr (!has_lanes_v<S>) share_push(manifolds, p.node_count(), h);
                if constexpr (packs_contacts) std::get<t>(works_).arrange(p, contact_.masses.data(), in_any_order());
            }
        });
    }
    // Of bodies that have sunk into many at once, each pair is pushed apart at a share of the speed: those of pairs in a row add up. And what one sweep
    // takes out of two bodies, it does not out of a crowd.
    template <class M>
    constexpr void share_push(M& manifolds, std::size_t nodes, S const& h) {
        auto const contact_feedback = contact_feedback_of(h);
        S const speed = contact_feedback.push_speed, rate = contact_feedback.hard.bias_rate;
        if (!all(contact_.sunk * rate * S(8) > speed)) return;
        contact_.crowd.resize(nodes);
        for (auto& n : contact_.crowd) n = 0;
        auto const each_deep = [&](auto const& f) {
            for (auto& m : manifolds) {
                S deepest(0);
                for (std::size_t k = 0; k < m.count; ++k) deepest = max(deepest, -m.gap[k]);
                if (m.moves[0] && m.moves[1] && !any(m.soft_rate != S(0)) && all(deepest * rate * S(8) > speed)) f(m, contact_.crowd[m.node[0]], contact_.crowd[m.node[1]]);
            }
        };
        each_deep([](auto&, std::uint32_t& a, std::uint32_t& b) {
            ++a;
            ++b;
        });
        each_deep([&](auto& m, std::uint32_t a, std::uint32_t b) {
            std::uint32_t const n = a > b ? a : b;
            if (n < 2) return;
            m.is_crowded = contact_.is_crowd = true;
            S const most = speed / (rate * S(static_cast<value_type_t<S>>(n)));
            for (std::size_t k = 0; k < m.count; ++k) m.gap[k] = max(m.gap[k], -most);
        });
    }
    // Of these alone: how others move is not to depend on them.
    template <class Q, class P>
    constexpr void relax_crowds(P const& p) {
        if (!contact_.is_crowd) return;
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            if constexpr (detail::is_contact_v<C>) {
                auto const bodies = bodies_of(contact_);
                for (int k = 0; k < crowd_sweeps; ++k) {
                    if constexpr (packs_contacts) {
                        std::get<t>(works_).template sweep<Q, false, typename C::friction_type, true>(bodies, contact_.feedback, hit_sweeps, in_any_order());
                    } else {
                        for (auto& m : std::get<t>(works_))
                            if (m.is_crowded) detail::sweep<Q, false, typename C::friction_type>(m, bodies, contact_.feedback, hit_sweeps);
                    }
                }
            }
        });
    }
    template <class Own>
    [[nodiscard]] constexpr auto bodies_of(Own& own) noexcept {
        return detail::bodies_in_rows<S, packed>{velocities_.data(), own.moved.data(), own.masses.data()};
    }
    template <class Q, class P>
    constexpr void pack_mass(P const& p, std::size_t i, [[maybe_unused]] mask_t<S> const& where) {
        auto const& w = p.inverse_masses[i];
        auto const& I = w.angular;
        auto& to = contact_.masses[i];
        auto const put = [&](Q const& row, S* at) {
            if constexpr (has_lanes_v<S>)
                detail::select_quad<S>(where, row, Q::load(at)).store(at);
            else
                row.store(at);
        };
        put(Q::of(I.xx, I.xy, I.xz, S(0)), to.angular[0]);
        put(Q::of(I.xy, I.yy, I.yz, S(0)), to.angular[1]);
        put(Q::of(I.xz, I.yz, I.zz, S(0)), to.angular[2]);
        put(Q::of(w.linear, w.linear, w.linear, S(0)), to.linear);
    }
    // Bodies have moved by the velocities that the sweeps have left.
    template <class Q, class P>
    constexpr void note_motion(P const& p, S const& h) {
        Q const t = Q::splat(h);
        each_body(p, [&](std::uint32_t i) {
            for (std::size_t k = 0; k < 8; k += 4) (Q::load(contact_.moved[i].e + k) + Q::load(velocities_[i].e + k) * t).store(contact_.moved[i].e + k);
        });
        if (contact_.any_driven)
            for_each_manifold(
                p,
                [&](auto& m) {
                    if (m.is_driven) detail::drive(m, h);
                },
                [&](auto& packs) { packs.drive(h); });
    }
    template <class P>
    constexpr void give_multipliers(P const& p, S const& h) {
        S const inverse_h = S(1) / h;
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            if constexpr (detail::is_contact_v<C>) {
                // Of a hit only what goes on. With one substep nothing is known of the one before: what is begun with is all there is to compare with.
                if constexpr (packs_contacts) {
                    std::get<t>(works_).give(entries, inverse_h, substeps > 1);
                } else {
                    for (auto const& m : std::get<t>(works_)) detail::give(m, entries, substeps > 1 ? inverse_h * m.lasting_share() : inverse_h);
                }
            }
        });
    }
    [[nodiscard]] constexpr detail::contact_feedback<S> contact_feedback_of(S const& h) const noexcept {
        row_feedback<S> hard{S(0), S(1), S(0)};
        if (feedback == position_feedback::soft) {
            // In the first substep of a step nothing is known of how the impulses have changed.
            using T = value_type_t<S>;
            S const trend = S(T(detail::impulse_trend)) * (S(1) - S(1) / S(T(substeps))), most = bearable_hertz_share(iterations / contact_stride + (iterations % contact_stride != 0 ? 1 : 0) + relaxing_iterations, trend, S(T(1.2)));
            hard = soft_feedback(min(contact_hertz, min(contact_hertz_share, most) / h), contact_damping_ratio, h);
        }
        if (feedback == position_feedback::baumgarte) hard = {baumgarte / h, S(1), S(0)};
        return {hard, S(1) / h, min(contact_push_speed, max_push_speed)};
    }

    // J, K and all that follows from them, at the poses of now.
    template <class Q, class P>
    constexpr void prepare(P const& p, S const& h) {
        if constexpr (is_wide)
            sweeps.update_inverse_masses(p);
        else if constexpr (any_contacts)
            p.update_generalized_masses();  // the others below: begin_contacts has made all
        else
            p.update_inverse_masses();
        velocities_.resize(p.node_count());
        residual_ = S(0);
        if constexpr (any_contacts) {
            // Where the inertia turns with the body, and with it what a push does. What would turn by less than a milliradian in all substeps together is left as it was when
            // the step began: joints alone see it turn.
            [[maybe_unused]] bool any_turned = false, any_joined = false;
            p.for_each_type([&](auto entries, auto) { any_joined = any_joined || (!detail::is_contact_v<typename decltype(entries)::value_type::constraint_type> && entries.size() > 0); });
            S const whole = h * S(value_type_t<S>(substeps));
            if (!is_wide && any_joined) p.update_rigid_inverse_masses();
            each_body(p, [&](std::uint32_t i) {
                contact_.turned[i] = mask_t<S>(false);
                if (!p.masses[i].movable || is_isotropic(p.masses[i].inverse_inertia)) return;
                auto const leaves = squared_norm(p.bodies[i].twist.angular * whole) > S(value_type_t<S>(detail::least_turn_of_inertia));
                if (!is_wide && !any_joined && any(leaves)) p.update_inverse_mass(i);
                if (!any(leaves)) return;
                auto const turns = detail::turns_inertia(p.masses[i].inverse_inertia, p.bodies[i].pose.rotation, p.bodies[i].twist.angular * h);
                contact_.turned[i] = turns;
                pack_mass<Q>(p, i, leaves);
                if constexpr (!is_wide) any_turned = any_turned || any(turns);  // wide ones are asked one by one, on several threads
            });
            if (any_turned || is_wide)
                for_each_manifold(
                    p, [&](auto& m) { m.make_anew(contact_.turned[m.node[0]] || contact_.turned[m.node[1]]); },
                    [&](auto& packs) { packs.turn(contact_.masses.data(), contact_.turned, in_any_order()); });
            contact_.feedback = contact_feedback_of(h);
            residual_ = contact_.sunk;
        }
        if constexpr (is_wide) residual_ = max(residual_, sweeps.template prepare<Q>(p, velocities_.data(), feedback_, max_push_speed, h));
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            if constexpr (is_own<C>) {
                auto& works = std::get<t>(works_);
                works.resize(entries.size());
                std::size_t i = 0;
                if constexpr (detail::joins_points_v<C> && detail::has_pose_pairs_v<S, typename P::rotation_type>)
                    if (!std::is_constant_evaluated())
                        for (; i + 1 < entries.size(); i += 2)
                            residual_ = detail::prepare_two<Q>(p, entries[i], entries[i + 1], works[i].block, works[i + 1].block, velocities_.data(), feedback_, residual_);
                for (; i < entries.size(); ++i)
                    residual_ = max(residual_, detail::prepare<Q>(p, entries[i], works[i].block, velocities_.data(), feedback_, max_push_speed, h));
            }
        });
        is_prepared_ = true;
    }
    [[nodiscard]] constexpr row_feedback<S> feedback_of(S const& h) const noexcept {
        if (feedback == position_feedback::soft) return soft_feedback(min(joint_hertz, min(joint_hertz_share, bearable_hertz_share<S>(iterations + relaxing_iterations)) / h), joint_damping_ratio, h);
        if (feedback == position_feedback::baumgarte) return {baumgarte / h, S(1), S(0)};
        return {S(0), S(1), S(0)};
    }

    template <class Q, bool Soft, class P>
    constexpr void sweep(P const& p, S const& h, [[maybe_unused]] bool with_contacts) {
        note_range(p);
        if constexpr (is_wide)
            sweeps.template sweep<Q, Soft>(p, velocities_.data(), feedback_, h, [](auto const& near, auto& e, auto& w, auto* velocities, auto const& hard, auto const& step) {
                iterate<typename sweeps_type::template lane_quad<Q>, Soft>(near, e, w, step, velocities, hard);
            });
        p.for_each_type([&](auto entries, auto t) {
            using C = typename decltype(entries)::value_type::constraint_type;
            [[maybe_unused]] auto& works = std::get<t>(works_);
            if constexpr (detail::is_contact_v<C>) {
                if (!with_contacts) return;
                using friction = typename C::friction_type;
                auto& own = dependent_on<C>(contact_);
                auto const bodies = bodies_of(own);
                if constexpr (packs_contacts) {
                    works.template sweep<Q, Soft, friction>(bodies, own.feedback, hit_sweeps, in_any_order());
                } else {
                    for (auto& m : works) detail::sweep<Q, Soft, friction>(m, bodies, own.feedback, hit_sweeps);
                }
            } else if constexpr (is_own<C>) {
                for (std::size_t i = 0; i < entries.size(); ++i) iterate<Q, Soft>(p, entries[i], works[i], h, velocities_.data(), feedback_);
            }
        });
    }
    // What is infinite in fixed point may be 0 after the next impulse, and would be seen no more.
    template <class P>
    constexpr void note_range([[maybe_unused]] P const& p) noexcept {
        if constexpr (!floating_scalar<S>) {
            auto const note = [&](auto const& numbers) {
                for (S const& x : numbers) in_range_ = in_range_ && isfinite(x);
            };
            p.for_each_movable([&](auto kind, std::uint32_t i) { note(velocities_[p.node(kind, i)].e); });
            for_each_work(p, [&](auto const&, auto const& w) { note(w.block.impulse); });
            for_each_manifold(p, [&](auto const& m) { note(m.push), note(m.rub[0]), note(m.rub[1]); }, [](auto const&) {});
        }
    }
    // T: the scalar, or lanes of it.
    template <class Q, bool Soft, class P, class E, class W, class T, class Packed>
    static constexpr void iterate([[maybe_unused]] P const& p, [[maybe_unused]] E& e, W& w, [[maybe_unused]] T const& h, Packed* velocities, [[maybe_unused]] row_feedback<T> const& hard) {
        using C = typename E::constraint_type;
        constexpr std::size_t M = rows_v<C>;
        if (moving_normal_v<C> && !Soft) return;  // held where they will be, not as they go
        if constexpr (detail::is_hard_block_v<C, T>) {
            detail::iterate<Q, Soft>(w.block, velocities, hard);
        } else {
            auto const limits = [&](vec<T, M> const& impulse) {
                if constexpr (detail::has_coupled_limits_v<C, T>) {
                    bounds<T, M> const b = detail::call_with([&](auto const&... q) { return limits_of(e.constraint, impulse / h, q...); }, poses_of(p, e));
                    return detail::scaled_bounds(b, [&](T const& bound) { return bound * h; });
                } else {
                    return w.block.limits;
                }
            };
            auto const update = [&](vec<T, M> const& before, vec<T, M> const& proposed) {
                return detail::call_with([&](auto const&... q) { return updated_multipliers(e.constraint, before / h, proposed / h, q...); }, poses_of(p, e)) * h;
            };
            auto const rubs = [&](vec<T, M> const& from, T const& e1, T const& e2, auto const& step) {
                if constexpr (presses_and_rubs<C, T>)
                    return detail::rub(e.constraint, from, e1, e2, step, h);
                else
                    return from;
            };
            if constexpr (moving_normal_v<C>) {
                auto const J = detail::prepare_ahead<Q>(p, e, w.block, velocities, h);
                vec<T, M> impulse;
                for (std::size_t i = 0; i < M; ++i) impulse[i] = w.block.impulse[i];
                detail::iterate<Q, Soft>(w.block, velocities, limits, update, rubs);
                for (std::size_t i = 0; i < M; ++i) impulse[i] = w.block.impulse[i] - impulse[i];
                auto const f = wrenches_of(e, J, impulse);
                for (std::size_t k = 0; k < f.size(); ++k) e.pushed.add(k, f[k], T(1) / h);
            } else {
                detail::iterate<Q, Soft>(w.block, velocities, limits, update, rubs);
            }
        }
    }

    // Velocities of what moves; prepare has put those of kinematic bodies beside them.
    template <class Q, class P>
    constexpr void load(P const& p) {
        each_movable(p, [](P const& of, auto kind, std::uint32_t i, packed& velocity) { detail::load_velocity<Q>(of, kind, i, velocity); });
    }
    // f(i) of the rigid bodies, parts of them on the threads of the sweeps.
    template <class P, class F>
    constexpr void each_body(P const& p, F const& f) {
        sweeps.in_parts(p.bodies.size(), [&](std::size_t first_body, std::size_t end_body) {
            for (std::size_t i = first_body; i < end_body; ++i) f(static_cast<std::uint32_t>(i));
        });
    }
    // f(problem, kind, body, its velocity) of what moves, parts of the bodies on the threads of the sweeps. To a copy of the problem, whose places no store
    // could have changed.
    template <class P, class F>
    constexpr void each_movable(P const& p, F const& f) {
        packed* const velocities = velocities_.data();
        sweeps.in_parts(p.bodies.size(), [&p, velocities, &f](std::size_t first_body, std::size_t end_body) {
            P const of = p;
            packed* const to = velocities;
            of.for_each_movable(first_body, end_body, [&](auto kind, std::uint32_t i) { f(of, kind, i, to[of.node(kind, i)]); });
        });
        p.for_each_other_movable([&](auto kind, std::uint32_t i) { f(p, kind, i, velocities[p.node(kind, i)]); });
    }
    // Velocities back into the bodies, impulses into the multipliers.
    template <class Q, class P>
    constexpr void unload(P const& p, S const& h) {
        each_movable(p, [](P const& of, auto kind, std::uint32_t i, packed const& velocity) { detail::store_velocity<Q>(of, kind, i, velocity); });
        S const inverse_h = S(1) / h;
        if constexpr (is_wide) sweeps.give(p, inverse_h);
        for_each_work(p, [&](auto& e, auto& w) {
            for (std::size_t i = 0; i < w.block.rows; ++i) e.lambda[i] = w.block.impulse[i] * inverse_h;
        });
        if constexpr (any_contacts) {
            if (measure_rates) give_multipliers(p, h);
        }
    }

    // What is left of the rates of hard rows; a row with bounds counts as far as it could still push against its rate.
    template <class P>
    [[nodiscard]] constexpr S largest_rate(P const& p, S const& h) const {
        S worst(0);
        p.for_each_type([&](auto entries, auto) {
            using C = typename decltype(entries)::value_type::constraint_type;
            for (auto const& e : entries) {
                auto const poses = poses_of(p, e);
                vec<S, rows_v<C>> r = rate_of(e.constraint, poses, twists_of(p, e));
                vec<S, rows_v<C>> c{};
                if constexpr (is_holonomic_v<C, S>) c = detail::call_with([&](auto const&... q) { return error_of(e.constraint, q...); }, poses);
                auto const limits = detail::call_with([&](auto const&... q) { return limits_of(e.constraint, e.lambda, q...); }, poses);
                auto const alpha = compliance_of<S>(e.constraint);
                for (std::size_t i = 0; i < rows_v<C>; ++i) {
                    r[i] = r[i] + select(limits.lower[i] >= S(0), max(c[i], S(0)), select(limits.upper[i] <= S(0), min(c[i], S(0)), S(0))) / h;
                    S const up = select(e.lambda[i] < limits.upper[i], -r[i], S(0)), down = select(limits.lower[i] < e.lambda[i], r[i], S(0));
                    auto spared = alpha[i] > S(0);
                    if constexpr (requires { e.constraint.presence.here; }) spared = spared || !e.constraint.presence.here;  // a lane that has no such contact
                    worst = max(worst, select(spared, S(0), max(up, down)));
                }
            }
        });
        return worst;
    }

    // Where contacts are packed; a template, as only one of both can be made.
    template <class E, class C>
    struct contact_packs {
        using type = typename sweeps_type::template contacts<C>;
    };
    template <class E, class C>
        requires has_lanes_v<typename E::scalar>
    struct contact_packs<E, C> {
        using type = detail::ground_contacts<E, C>;
    };
    template <class Tuple>
    struct works_of;
    template <class... Cs>
    struct works_of<std::tuple<Cs...>> {
        using type = std::tuple<std::conditional_t<detail::is_contact_v<Cs> && packs_contacts, typename contact_packs<Env, Cs>::type, typename Env::template array<work<Cs>, Env::template most_of<Cs>>>...>;
    };

    // What contacts need besides; a template, so that a world without them makes none of it.
    template <class E>
    struct of_contacts {
        typename E::template array<packed, E::max_nodes> moved;  // since the step began
        typename E::template array<detail::packed_mass<S>, E::max_nodes> masses;
        typename E::template array<detail::packed_axes<S>, E::max_nodes> axes;
        typename E::template array<mask_t<S>, E::max_nodes> turned;  // in the last substep, so that what follows of the inertia is to be made anew
        typename E::template array<std::uint32_t, E::max_nodes> crowd;  // how many others a body has sunk deep into
        detail::contact_feedback<S> feedback{};
        S sunk{};
        bool is_first = true;     // of the substeps
        bool any_driven = false;  // by surfaces that move by themselves
        bool is_crowd = false;    // bodies have sunk deep into more than one
    };
    // Of a type that is known when C is, so that what is not there is not looked for in it.
    template <class, class T>
    [[nodiscard]] static constexpr T& dependent_on(T& x) noexcept {
        return x;
    }

    typename Env::template array<packed, Env::max_nodes> velocities_;
    typename works_of<typename Env::constraint_types>::type works_;
    row_feedback<S> feedback_{};
    [[no_unique_address]] std::conditional_t<any_contacts, of_contacts<Env>, nothing> contact_{};
    S residual_{};
    bool is_prepared_ = false;  // for the poses of now, within one step
    bool in_range_ = true;
};

}  // namespace sinew::inline v0
