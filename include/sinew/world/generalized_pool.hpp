#pragma once
// The generalized bodies of one map in a world: their arrays, how they are checked, and what is read of their links.

#include <sinew/body/generalized_body.hpp>
#include <sinew/core/call_with.hpp>
#include <sinew/solver/generalized_state.hpp>
#include <sinew/world/pool.hpp>
#include <sinew/world/validate.hpp>

namespace sinew::inline v0 {

namespace detail {

/// What the user applies to one body for the coming step.
template <class Map>
struct applied_to_generalized {
    using S = map_scalar_t<Map>;
    std::array<wrench<S>, link_count_v<Map>> links{};  // about their centres
    vec<S, Map::coordinates> coordinates{};
    [[nodiscard]] friend constexpr bool operator==(applied_to_generalized const&, applied_to_generalized const&) = default;
};

/// Values stay where they are, so that constraints may refer to them by index; handles lead through the slots.
template <class Map, class Env>
struct generalized_pool {
    using map_type = Map;
    template <class T>
    using array = typename Env::template array<T, Env::limits.generalized>;

    array<generalized_state<Map>> states{};
    array<generalized_mass<Map>> masses{};
    array<generalized_work<Map>> work{};
    array<applied_to_generalized<Map>> applied{};
    slot_list<array<slot>> slots{};

    [[nodiscard]] friend constexpr bool operator==(generalized_pool const& a, generalized_pool const& b) {
        return a.states == b.states && a.masses == b.masses && a.applied == b.applied && a.slots == b.slots;
    }
    [[nodiscard]] constexpr generalized_body<Map> body(std::uint32_t i) const { return whole_body(masses[i], states[i]); }
    [[nodiscard]] constexpr generalized_bodies<Map> view() {
        return {std::span(states.data(), states.size()), std::span<generalized_mass<Map> const>(masses.data(), masses.size()), std::span(work.data(), work.size())};
    }
    /// Slot of the new body.
    constexpr std::uint32_t add(generalized_body<Map> const& b) {
        std::uint32_t const i = slots.take(0);
        if (i == states.size()) {
            states.push_back({});
            masses.push_back({});
            work.push_back({});
            applied.push_back({});
        }
        put(i, {b.u, b.rates}, {b.map, b.masses, b.armature, true});
        return i;
    }
    /// Of another pool.
    constexpr void take(generalized_pool const& from, std::uint32_t i) {
        states.push_back(from.states[i]);
        masses.push_back(from.masses[i]);
        work.push_back({});
        applied.push_back(from.applied[i]);
        slots.put(from.slots[i]);
    }
    constexpr void clear() noexcept {
        states.clear();
        masses.clear();
        work.clear();
        applied.clear();
        slots.clear();
    }
    constexpr void remove(std::uint32_t i) {
        put(i, {}, {});
        slots.release(i);
    }
    constexpr void clear_applied() {
        for (auto& a : applied) a = {};
    }

private:
    constexpr void put(std::uint32_t i, generalized_state<Map> const& state, generalized_mass<Map> const& m) {
        states[i] = state;
        masses[i] = m;
        work[i] = {};
        applied[i] = {};
    }
};

template <class Env, class Maps>
struct generalized_pools_over;
template <class Env, class... Maps>
struct generalized_pools_over<Env, map_list<Maps...>> {
    using type = std::tuple<generalized_pool<Maps, Env>...>;
    static constexpr bool all_comparable = (std::equality_comparable<Maps> && ...);
};
template <class Env>
using generalized_pools_t = typename generalized_pools_over<Env, typename Env::map_types>::type;

/// f(element, element of the others...) for each map: tuples of equal size, nothing for none.
template <class F>
constexpr void for_each_of_maps(F&&, std::tuple<> const&, auto&...) {}
template <class F, class First, class... More, class... Others>
constexpr void for_each_of_maps(F&& f, std::tuple<First, More...>& pools, Others&... others) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        auto const one = [&](auto index) { f(std::get<index>(pools), std::get<index>(others)...); };
        (one(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<1 + sizeof...(More)>{});
}
template <class F, class First, class... More, class... Others>
constexpr void for_each_of_maps(F&& f, std::tuple<First, More...> const& pools, Others&... others) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        auto const one = [&](auto index) { f(std::get<index>(pools), std::get<index>(others)...); };
        (one(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<1 + sizeof...(More)>{});
}

// A link may be thin, or without mass; it must not be what nothing can be.
template <class S>
[[nodiscard]] constexpr error check_link_mass(link_mass<S> const& m, bool turns) noexcept {
    if (error e = as_error(nonnegative_parameter("mass of a link", m.mass))) return e;
    if (!turns) return {};
    if (error e = check_finite("inertia of a link", m.inertia)) return e;
    S const scale = max(max(abs(m.inertia.xx), abs(m.inertia.yy)), abs(m.inertia.zz));
    if (!all(scale > S(0))) {
        bool const none = m.inertia == sym3<S>{};
        return none ? error{} : error{errc::invalid_inertia, "inertia of a link", "must be positive semi-definite", 0, false};
    }
    sym3<S> const I = (S(1) / scale) * m.inertia;
    S const trace = I.xx + I.yy + I.zz, half = trace / S(2);
    if (!is_semidefinite(I, trace)) return {errc::invalid_inertia, "inertia of a link", "must be positive semi-definite", 0, false};
    if (!is_semidefinite(sym3<S>{half - I.xx, half - I.yy, half - I.zz, -I.xy, -I.xz, -I.yz}, trace))
        return {errc::invalid_inertia, "inertia of a link", "cannot be that of a body: no principal moment may exceed the sum of the other two", 0, false};
    return {};
}

template <class Map>
[[nodiscard]] constexpr error check_coordinates(generalized_body<Map> const& b) noexcept {
    if (error e = check_finite("coordinates", b.u)) return e;
    error found{};
    auto const check_link = [&](auto const& link) {
        if (found) return;
        if (!all(isfinite(link.position)))
            found = {errc::not_finite, "coordinates", "must be in the domain of the map: a link is not at a finite place", 0, false};
        if constexpr (requires { link.rotation; })
            if (!found) {
                auto const off = deviation(link.rotation);
                if (!all(off <= sqrt(epsilon_v<std::remove_cvref_t<decltype(off)>>)))
                    found = {errc::not_a_rotation, "rotation of a link", "must be a rotation; its deviation", shown_number(off), true};
            }
    };
    detail::call_with([&](auto const&... link) { (check_link(link), ...); }, b.pose().links());
    return found;
}

/// Of a body that is to be added.
template <class Map>
[[nodiscard]] constexpr error check_generalized(generalized_body<Map> const& b) {
    using S = map_scalar_t<Map>;
    error found = check_fault(b.map);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((found = found ? found : check_link_mass(b.masses[I], std::same_as<link_kind_t<Map, I>, rigid>)), ...);
    }(std::make_index_sequence<link_count_v<Map>>{});
    for (S const& a : b.armature.e) found = found ? found : as_error(nonnegative_parameter("armature", a));
    if (found) return found;
    if (error e = check_finite("rates", b.rates)) return e;
    if (error e = check_coordinates(b)) return e;
    auto const M = mass_matrix_of(b);
    for (S const& x : M.e)
        if (!all(isfinite(x))) return {errc::not_finite, "map", "must have finite derivatives at the coordinates", 0, false};
    small_ldlt<S, Map::coordinates> const factors(M);
    for (std::size_t k = 0; k < Map::coordinates; ++k)
        if (!all(factors.l(k, k) > S(0)))
            return {errc::not_positive, "mass matrix", "must be positive definite: a coordinate moves no mass here, or only as others do (armature helps); its index",
                    static_cast<error_number>(k), true};
    return {};
}

}  // namespace detail

}  // namespace sinew::inline v0
