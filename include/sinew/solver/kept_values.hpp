#pragma once
// Values that stay while the derivatives that numbers carry go on: where nothing, or no more than a tolerance, is left of an error, that says nothing of its
// derivatives. What is next to it takes another step.

#include <sinew/solver/lane_guide.hpp>

namespace sinew::inline v0::detail {

/// Of all numbers that a solver may change.
template <class Env>
class kept_values {
public:
    using S = typename Env::scalar;

    constexpr void begin() noexcept { where_ = false; }
    /// Those of now, in these lanes, unless they are kept already.
    template <class P>
    constexpr void keep(P const& p, mask_t<S> const& lanes = true) {
        mask_t<S> const now = lanes && !where_;
        if (!any(now)) return;
        if (!any(where_)) values_.clear();
        std::size_t n = 0;
        each_solved_number(p, [&](S const& x) {
            if (n == values_.size()) values_.push_back(x);
            values_[n] = select(now, x, values_[n]);
            ++n;
            return x;
        });
        where_ = where_ || now;
    }
    template <class P>
    constexpr void put_back(P const& p) {
        if (!any(where_)) return;
        std::size_t n = 0;
        each_solved_number(p, [&](S const& x) { return select(where_, with_value_of(x, values_[n++]), x); });
    }

private:
    mask_t<S> where_ = false;
    typename Env::template array<S, most_solved_numbers<Env>> values_{};
};

/// When sweeps end: no more than a tolerance is left.
template <class Env, bool = (derivative_order_v<typename Env::scalar> > 0)>
class last_sweep {
public:
    using S = typename Env::scalar;
    static constexpr void begin() noexcept {}
    template <class P>
    [[nodiscard]] static constexpr mask_t<S> is_over(P const&, S const& left, S const& tolerance) noexcept {
        return left <= tolerance;
    }
    template <class P>
    static constexpr void finish(P const&) noexcept {}
};
/// With derivatives all sweeps are taken, unless the user's tolerance ends them; from the first that leaves nothing the values stay.
template <class Env>
class last_sweep<Env, true> {
public:
    using S = typename Env::scalar;
    constexpr void begin() noexcept { values_.begin(); }
    template <class P>
    [[nodiscard]] constexpr mask_t<S> is_over(P const& p, S const& left, S const& tolerance) {
        values_.keep(p, left <= tolerance && !(tolerance > S(0)));
        return left <= tolerance && tolerance > S(0);
    }
    template <class P>
    constexpr void finish(P const& p) {
        values_.put_back(p);
    }

private:
    kept_values<Env> values_{};
};

}  // namespace sinew::inline v0::detail
