#pragma once
// Events: zeros of a function g(t, y) along the solution.
//
// A step across which g changes its sign is taken back, and the zero is located by bisection: from the last state before
// it half of what is left is stepped again, until the bracket is narrow (Vondrak 2005, 6.4.3). So the state before the
// event is one that the integrator reached, on the near side of the zero. A g that changes its sign twice within one
// step is not seen: max_step bounds what can be missed.
//
// A solution that starts with g = 0 exactly: leaving in the event's own direction is the event (a ball that lies on the
// ground must not fall through it); an event of either direction is not met by leaving.
//
// Over duals the state at an event has its derivative at that time, which has none itself. By the event's own time, t* with g = 0, it is
// dy/dp + f dt*/dp, with dt*/dp = -(dg/dp) / (dg/dt), both along the solution.

#include <sinew/core/call_with.hpp>
#include <sinew/math/scalar.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace sinew::inline v0 {

enum class crossing : unsigned char {
    either,
    rising,   ///< from negative to positive
    falling,  ///< from positive to negative
};

/// Does nothing when its event passes.
struct no_handler {
    template <class T, class Y>
    constexpr void operator()(T const&, Y const&) const noexcept {}
};

/// See stop_when and on_event.
template <class G, class Handler = no_handler>
struct ode_event {
    G function;            ///< g(t, y): y is a span, or what the plain function form integrates
    crossing direction;    ///< of the sign of g
    bool terminal;         ///< the integration ends before it
    Handler handler;       ///< called with the time and state before the event when it is passed
};

/// The integration ends at the last state before g crosses zero.
template <class G>
[[nodiscard]] constexpr ode_event<G> stop_when(G g, crossing direction = crossing::either) {
    return {std::move(g), direction, true, {}};
}
/// handler(t, y) is called with the last time and state before g crosses zero; then the integration goes on.
template <class G, class Handler = no_handler>
[[nodiscard]] constexpr ode_event<G, Handler> on_event(G g, crossing direction, Handler handler = {}) {
    return {std::move(g), direction, false, std::move(handler)};
}

namespace detail {

/// On which side of zero an event function is.
enum class side : signed char { negative = -1, on = 0, positive = 1 };

template <class V>
[[nodiscard]] constexpr side side_of(V g) noexcept {
    return g < V(0) ? side::negative : V(0) < g ? side::positive : side::on;
}

/// Whether a step from `from` to `to` meets the event. Reaching zero is meeting it.
[[nodiscard]] constexpr bool crosses(side from, side to, crossing direction) noexcept {
    if (from == side::on) return (to == side::positive && direction == crossing::rising) || (to == side::negative && direction == crossing::falling);
    bool const rising = from == side::negative && to != side::negative;
    bool const falling = from == side::positive && to != side::positive;
    return (rising && direction != crossing::falling) || (falling && direction != crossing::rising);
}

/// The side to remember after a step: one that just met zero counts as beyond it, so that it is met once.
[[nodiscard]] constexpr side side_after(side from, side to) noexcept {
    if (to != side::on) return to;
    return from == side::negative ? side::positive : from == side::positive ? side::negative : side::on;
}

/// The event functions along a solution. V is the built-in type of time.
template <class V, class... Events>
class event_watch {
    static_assert(sizeof...(Events) <= 64, "sinew: at most 64 events");

public:
    constexpr explicit event_watch(Events const&... events) noexcept : events_(events...) {}

    /// The solution starts here. False if an event function is NaN.
    template <class T, class Y>
    constexpr bool start(T const& t, Y const& y) {
        return measure(t, y, here_);
    }
    /// A step would end here.
    template <class T, class Y>
    constexpr bool look_ahead(T const& t, Y const& y) {
        crossed_ = 0;
        stops_ = false;
        if (!measure(t, y, ahead_)) return false;
        for_each([&](auto const& e, std::size_t i) {
            if (!crosses(here_[i], ahead_[i], e.direction)) return;
            crossed_ |= std::uint64_t{1} << i;
            stops_ = stops_ || e.terminal;
        });
        return true;
    }
    /// The events that this step would pass, one bit each.
    [[nodiscard]] constexpr std::uint64_t crossed() const noexcept { return crossed_; }
    /// Whether one of them ends the integration.
    [[nodiscard]] constexpr bool stops() const noexcept { return stops_; }
    /// The step is kept. It began at t, with the state that y() makes.
    template <class T, class Y>
    constexpr void pass(T const& t, Y&& y) {
        for_each([&](auto const& e, std::size_t i) {
            if ((crossed_ >> i & 1) != 0) e.handler(t, y());
            here_[i] = side_after(here_[i], ahead_[i]);
        });
    }

private:
    using sides = std::array<side, sizeof...(Events) + 1>;

    template <class F>
    constexpr void for_each(F&& f) const {
        detail::call_with(
            [&f](auto const&... e) {
                [[maybe_unused]] std::size_t i = 0;
                (f(e, i++), ...);
            },
            events_);
    }
    template <class T, class Y>
    constexpr bool measure(T const& t, Y const& y, sides& s) const {
        bool known = true;
        for_each([&](auto const& e, std::size_t i) {
            using G = std::remove_cvref_t<decltype(e.function(t, y))>;
            if constexpr (has_lanes_v<G>) {
                static_assert(!has_lanes_v<G>, "sinew: the function of an event yields one number for all lanes, which go through time together: that of a lane, or the least of them");
            } else {
                V const g = static_cast<V>(value(e.function(t, y)));
                known = known && g == g;
                s[i] = side_of(g);
            }
        });
        return known;
    }

    std::tuple<Events const&...> events_;
    sides here_{}, ahead_{};
    std::uint64_t crossed_ = 0;
    bool stops_ = false;
};

}  // namespace detail

}  // namespace sinew::inline v0
