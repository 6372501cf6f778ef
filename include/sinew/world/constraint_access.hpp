#pragma once
// Reading and changing the constraints and forces of a world, and with what they act.

#include <sinew/core/call_with.hpp>
#include <sinew/world/container.hpp>

namespace sinew::inline v0 {

template <class Config, template <class> class... Items>
template <class C>
constexpr C world<Config, Items...>::get(handle<C> const& h) const {
    if (!valid(h)) return C{};
    if constexpr (is_collider<C>)
        return this->store_.template get<C>(h.index);
    else if constexpr (is_force<C>())
        return pool_of<C>().at_slot(h.index).force;
    else
        return pool_of<C>().at_slot(h.index).constraint;
}

template <class Config, template <class> class... Items>
template <class C>
constexpr bool world<Config, Items...>::set(handle<C> const& h, C const& c) {
    if (error_type e = check(h)) return refuse<bool>(e);
    if (error_type e = input::fault(c)) return refuse<bool>(e);
    static_assert(!is_collider<C>, "sinew: a collider keeps its shape: remove it and add another.");
    if constexpr (is_collider<C>) {
        return false;  // said all that there is to say
    } else if constexpr (is_force<C>()) {
        auto probe = pool_of<C>().at_slot(h.index);
        probe.force = c;
        if (error_type e = check_action(probe)) return refuse<bool>(e);
        this->wake_bound(probe);
        pool_of<C>().at_slot(h.index).force = c;
    } else {
        auto probe = pool_of<C>().at_slot(h.index);
        probe.constraint = c;
        if (error_type e = check_evaluation(probe)) return refuse<bool>(e);
        this->wake_bound(probe);
        pool_of<C>().at_slot(h.index).constraint = c;
    }
    return true;
}

template <class Config, template <class> class... Items>
template <class C>
constexpr wrench<typename Config::scalar> world<Config, Items...>::wrench_on(handle<C> const& h, std::size_t i) const {
    if (!valid(h)) return {};
    if (i < attachments_t<C>::size) return wrench_of(pool_of<C>().at_slot(h.index), i);
    Config::errors::fail({errc::invalid_parameter, "index of an attachment", "must be below their number", static_cast<error_number>(i), true});
    return {};
}

template <class Config, template <class> class... Items>
template <class C>
constexpr bool world<Config, Items...>::set_break_threshold(handle<C> const& h, S const& force, S const& torque) {
    static_assert(breaks, "sinew: in this config nothing breaks (`breakable = false`).");
    static_assert(!is_force<C>(), "sinew: a force does not break; only constraints have a threshold.");
    static_assert(!has_lanes_v<S>, "sinew: a constraint of a world whose scalar has lanes does not break: it would be gone in some lanes and not in others.");
    if (error_type e = check(h)) return refuse<bool>(e);
    if (!all(force > S(0))) return refuse<bool>({errc::not_positive, "break force", "must be positive", detail::shown_number(force, force > S(0)), true});
    if (!all(torque > S(0))) return refuse<bool>({errc::not_positive, "break torque", "must be positive", detail::shown_number(torque, torque > S(0)), true});
    pool_of<C>().side(pool_of<C>().slots()[h.index].at) = {force, torque, false};
    has_breakables_ = true;
    return true;
}

template <class Config, template <class> class... Items>
template <class E>
constexpr wrench<typename Config::scalar> world<Config, Items...>::wrench_of(E const& entry, std::size_t attachment) const {
    auto const p = const_problem();
    if constexpr (requires { E::constraint_type::on_links; })
        return detail::call_with([&](auto const&... q) { return entry.constraint.link_wrenches(entry.lambda, q...); }, poses_of(p, entry))[attachment];
    if constexpr (moving_normal_v<typename E::constraint_type>) return entry.pushed.wrenches[attachment];
    auto const J = entry_jacobian(p, entry);
    auto const Q = transpose_times(J, entry.lambda);
    wrench<S> w;
    std::size_t k = 0;
    for_each_attachment(entry, [&](auto kind, auto at, std::uint32_t) {
        if (k++ != attachment) return;
        if constexpr (!is_generalized_v<decltype(kind)>)
            for (std::size_t i = 0; i < 3; ++i) w.force[i] = Q[at + i];
        if constexpr (std::same_as<decltype(kind), rigid>)
            for (std::size_t i = 0; i < 3; ++i) w.torque[i] = Q[at + 3 + i];
    });
    return w;
}

template <class Config, template <class> class... Items>
template <class F>
constexpr auto world<Config, Items...>::wrenches_by(detail::force_entry<F> const& entry, S const& t) const {
    using A = typename F::attachments;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return entry.force.wrenches(seen(typename A::template kind<I>{}, entry.bodies[I])..., t);
    }(std::make_index_sequence<A::size>{});
}

template <class Config, template <class> class... Items>
template <class E, class P, class Poses>
constexpr vec<typename Config::scalar, rows_v<typename E::constraint_type>> world<Config, Items...>::residual(E const& entry, [[maybe_unused]] P const& p, Poses const& poses) {
    if constexpr (is_holonomic_v<typename E::constraint_type, S>)
        return detail::call_with([&](auto const&... q) { return sinew::error_of(entry.constraint, q...); }, poses);
    else
        return rate_of(entry.constraint, poses, twists_of(p, entry));
}
template <class Config, template <class> class... Items>
template <class E>
constexpr vec<typename Config::scalar, rows_v<typename E::constraint_type>> world<Config, Items...>::residual(E const& entry) const {
    auto const p = const_problem();
    return residual(entry, p, poses_of(p, entry));
}

}  // namespace sinew::inline v0
