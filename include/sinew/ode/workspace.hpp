#pragma once
// The buffers of an integrator, apart from the integrator, so that tuning numbers and storage stay separate.

#include <sinew/core/static_vector.hpp>
#include <sinew/core/storage.hpp>
#include <sinew/math/scalar.hpp>
#include <sinew/ode/state_view.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace sinew::inline v0 {

namespace detail {

// In place up to N items, or on the heap if N is 0.
template <class T, std::size_t N>
struct state_storage {
    using type = static_vector<T, N>;
};
template <class T>
struct state_storage<T, 0> {
    using type = typename dynamic_storage::template array<T, 0>;
};
template <class T, std::size_t N>
using state_storage_t = typename state_storage<T, N>::type;

// Several states of one dimension, one after the other.
template <class E, std::size_t Rows, std::size_t MaxDimension>
class state_rows {
public:
    /// Allocates at most when the dimension grows.
    constexpr void prepare(std::size_t n) {
        n_ = n;
        if (items_.size() < n * Rows) items_.resize(n * Rows);
    }
    [[nodiscard]] constexpr std::size_t dimension() const noexcept { return n_; }
    [[nodiscard]] constexpr state_view<E> row(std::size_t i) noexcept { return {items_.data() + i * n_, n_}; }

private:
    state_storage_t<E, Rows * MaxDimension> items_{};
    std::size_t n_ = 0;
};

// The built-in type of a number; itself for anything else.
template <class E>
struct built_in {
    using type = E;
};
template <has_scalar_traits E>
struct built_in<E> {
    using type = value_type_t<E>;
};
template <class E>
using built_in_t = typename built_in<E>::type;

// The largest system that the integrator solves by Newton's method.
template <class I>
[[nodiscard]] constexpr std::size_t newton_limit_of() noexcept {
    if constexpr (requires { I::newton_limit; })
        return I::newton_limit;
    else
        return 0;
}

struct no_matrix {
    static constexpr std::size_t limit = 0;
    static constexpr void prepare(std::size_t) noexcept {}
};
template <class V, std::size_t Limit, std::size_t MaxDimension>
class newton_matrix {
    static constexpr std::size_t side = MaxDimension < Limit ? MaxDimension : Limit;

public:
    static constexpr std::size_t limit = Limit;
    constexpr void prepare(std::size_t n) {
        if (n > Limit) return;
        if (entries_.size() < n * n) entries_.resize(n * n);
        if (pivots_.size() < n) pivots_.resize(n);
    }
    [[nodiscard]] constexpr std::span<V> entries(std::size_t n) noexcept { return {entries_.data(), n * n}; }
    [[nodiscard]] constexpr std::span<std::uint32_t> pivots(std::size_t n) noexcept { return {pivots_.data(), n}; }

private:
    state_storage_t<V, side * side> entries_{};
    state_storage_t<std::uint32_t, side> pivots_{};
};

template <class Buffer>
[[nodiscard]] constexpr std::size_t capacity_of() noexcept {
    if constexpr (requires { std::integral_constant<std::size_t, Buffer::capacity()>{}; })
        return Buffer::capacity();
    else
        return 0;
}

}  // namespace detail

/// Buffers for one integrator and states of elements E. In place for up to MaxDimension elements, on the heap if that
/// is 0. A workspace carries nothing from one step to the next: it may be shared, and takes no part in a comparison.
template <class Integrator, class E, std::size_t MaxDimension = 0>
class ode_workspace {
    static constexpr std::size_t common = 5;
    static constexpr std::size_t newton = detail::newton_limit_of<Integrator>();

public:
    using element_type = E;

    constexpr void prepare(std::size_t n) {
        rows_.prepare(n);
        matrix_.prepare(n);
    }
    [[nodiscard]] constexpr std::size_t dimension() const noexcept { return rows_.dimension(); }
    [[nodiscard]] constexpr state_view<E> y() noexcept { return rows_.row(0); }        ///< where a step begins
    [[nodiscard]] constexpr state_view<E> k1() noexcept { return rows_.row(1); }       ///< the derivative there
    [[nodiscard]] constexpr state_view<E> y1() noexcept { return rows_.row(2); }       ///< where it ends
    [[nodiscard]] constexpr state_view<E> scratch() noexcept { return rows_.row(3); }  ///< the state being evaluated
    [[nodiscard]] constexpr state_view<E> before() noexcept { return rows_.row(4); }   ///< what a failed step gives back
    /// The integrator's own, i < Integrator::buffers.
    [[nodiscard]] constexpr state_view<E> stage(std::size_t i) noexcept { return rows_.row(common + i); }
    [[nodiscard]] constexpr auto& matrix() noexcept { return matrix_; }

private:
    detail::state_rows<E, common + Integrator::buffers, MaxDimension> rows_{};
    [[no_unique_address]] std::conditional_t<(newton > 0), detail::newton_matrix<detail::built_in_t<E>, newton, MaxDimension>, detail::no_matrix> matrix_{};
};

/// The workspace for states that are kept in a Buffer: in place if that has a fixed capacity, else on the heap.
template <class Integrator, class Buffer>
using ode_workspace_like = ode_workspace<Integrator, typename Buffer::value_type, detail::capacity_of<Buffer>()>;

}  // namespace sinew::inline v0
