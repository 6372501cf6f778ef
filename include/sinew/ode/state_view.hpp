#pragma once
// Arithmetic on flat states without temporaries, so that an integrator reads like its textbook: y1 = y + h * k1.
//
// A sum or multiple of states is an expression: it is evaluated element by element where it is assigned. An element
// is a number, or any value of a vector space. An expression refers to its states; it must not outlive the statement.

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

namespace sinew::inline v0 {

/// Anything with elements that sums of states are made of.
template <class X>
concept state_expression = requires { typename std::remove_cvref_t<X>::is_state_expression; };

/// n elements somewhere. Assigning writes the elements.
template <class E>
class state_view {
public:
    using is_state_expression = void;

    constexpr state_view(E* first, std::size_t n) noexcept : first_(first), n_(n) {}
    constexpr state_view(state_view const&) noexcept = default;

    [[nodiscard]] constexpr E& operator[](std::size_t i) const noexcept { return first_[i]; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return n_; }
    [[nodiscard]] constexpr std::span<E> span() const noexcept { return {first_, n_}; }
    /// The first m elements: positions.
    [[nodiscard]] constexpr state_view first(std::size_t m) const noexcept { return {first_, m}; }
    /// Those from m on: velocities.
    [[nodiscard]] constexpr state_view from(std::size_t m) const noexcept { return {first_ + m, n_ - m}; }

    // Const: what is assigned are the elements, not the view.
    constexpr state_view const& operator=(state_view const& x) const noexcept {
        assign(x);
        return *this;
    }
    template <state_expression X>
    constexpr state_view const& operator=(X const& x) const {
        assign(x);
        return *this;
    }

private:
    template <class X>
    constexpr void assign(X const& x) const {
        for (std::size_t i = 0; i < n_; ++i) first_[i] = static_cast<E>(x[i]);
    }

    E* first_;
    std::size_t n_;
};

namespace detail {

template <class A, class B>
struct state_sum {
    using is_state_expression = void;
    A a;
    B b;
    [[nodiscard]] constexpr auto operator[](std::size_t i) const { return a[i] + b[i]; }
};
template <class A, class B>
struct state_difference {
    using is_state_expression = void;
    A a;
    B b;
    [[nodiscard]] constexpr auto operator[](std::size_t i) const { return a[i] - b[i]; }
};
template <class K, class A>
struct state_multiple {
    using is_state_expression = void;
    K k;
    A a;
    [[nodiscard]] constexpr auto operator[](std::size_t i) const {
        if constexpr (requires { k * a[i]; })
            return k * a[i];
        else
            return a[i] * k;
    }
};

}  // namespace detail

template <state_expression A, state_expression B>
[[nodiscard]] constexpr auto operator+(A const& a, B const& b) {
    return detail::state_sum<A, B>{a, b};
}
template <state_expression A, state_expression B>
[[nodiscard]] constexpr auto operator-(A const& a, B const& b) {
    return detail::state_difference<A, B>{a, b};
}
template <class K, state_expression A>
    requires(!state_expression<K>)
[[nodiscard]] constexpr auto operator*(K const& k, A const& a) {
    return detail::state_multiple<K, A>{k, a};
}

}  // namespace sinew::inline v0
