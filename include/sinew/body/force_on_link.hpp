#pragma once
// Any force between bodies, on links of generalized bodies where it would act on rigid bodies or particles.
//
//   template <class S> using muscle = sinew::force_on_link<S, sinew::spring, sinew::link_of<arm, 0>>;    // arm, rigid
//
// One place for each attachment, in their order, as in on_link. The force on the coordinates is J^T w, which
// gives them the power that w gives the link (Witkin 1997, 5).

#include <sinew/body/force.hpp>
#include <sinew/body/link_of.hpp>
#include <sinew/body/parameter_fault.hpp>
#include <sinew/core/errors.hpp>

namespace sinew::inline v0 {

/// Places: link_of<Map, I> or as_bound.
template <scalar S, template <class> class Force, class... Places>
struct force_on_link {
    using force_type = Force<S>;
    using places = detail::on_places<S, typename force_type::attachments, Places...>;
    using attachments = typename places::attachments;
    template <class... K>
    [[nodiscard]] static constexpr bool knows_energy(binds<K...>) noexcept {
        return requires(force_type const& f, typename detail::body_archetype<K, S>::type const&... bodies) { f.energy(bodies...); };
    }

    force_type force{};

    template <class... Bodies>
    [[nodiscard]] constexpr auto wrenches(Bodies const&... bodies_and_time) const
        requires(sizeof...(Bodies) == attachments::size + 1)
    {
        auto const all = std::tie(bodies_and_time...);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            auto const w = force.wrenches(places::template place<I>::body(std::get<I>(all))..., std::get<sizeof...(I)>(all));
            return std::make_tuple(places::template place<I>::push(std::get<I>(all), std::get<I>(w))...);
        }(typename places::indices{});
    }
    /// J
    template <class... Bodies>
    [[nodiscard]] constexpr S energy(Bodies const&... bodies) const
        requires(sizeof...(Bodies) == attachments::size && knows_energy(typename force_type::attachments{}))
    {
        auto const all = std::tie(bodies...);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return force.energy(places::template place<I>::body(std::get<I>(all))...);
        }(typename places::indices{});
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return part_fault(force);
    }
    [[nodiscard]] friend constexpr bool operator==(force_on_link const& a, force_on_link const& b)
        requires std::equality_comparable<force_type>
    {
        return a.force == b.force;
    }
};

}  // namespace sinew::inline v0
