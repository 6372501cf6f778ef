#pragma once
// A block-sparse matrix: J, of a few small dense blocks per constraint (Witkin 1997, 4.2). It can be multiplied, and so can its
// transpose; with a block-diagonal W in between that is all that J W J^T x takes.

#include <sinew/core/storage.hpp>
#include <sinew/math/scalar.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::inline v0 {

/// Capacities of a block_sparse with static storage.
struct block_limits {
    std::size_t blocks = 0;
    std::size_t numbers = 0;  ///< of all blocks together
};

/// Blocks of any sizes at any places; those that overlap add up. Storage has `array<T, N>`.
template <class S, class Storage = dynamic_storage, block_limits Limits = block_limits{}>
class block_sparse {
public:
    constexpr void clear() noexcept {
        blocks_.clear();
        numbers_.clear();
    }
    /// A block of rows x cols zeros with its upper left corner at (row, col). Its number.
    constexpr std::uint32_t add(std::size_t row, std::size_t col, std::size_t rows, std::size_t cols) {
        std::size_t const first = numbers_.size();
        blocks_.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col), static_cast<std::uint32_t>(rows),
                           static_cast<std::uint32_t>(cols), static_cast<std::uint32_t>(first)});
        for (std::size_t i = 0; i < rows * cols; ++i) numbers_.push_back(S(0));
        return static_cast<std::uint32_t>(blocks_.size() - 1);
    }
    /// The numbers of a block, row by row. A later add() may move them.
    [[nodiscard]] constexpr S* block(std::uint32_t i) noexcept { return numbers_.data() + blocks_[i].first; }
    [[nodiscard]] constexpr S const* block(std::uint32_t i) const noexcept { return numbers_.data() + blocks_[i].first; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return blocks_.size(); }

    /// y = J x.
    constexpr void multiply(std::span<S const> x, std::span<S> y) const noexcept {
        for (S& e : y) e = S(0);
        for (auto const& b : blocks_) {
            S const* a = numbers_.data() + b.first;
            for (std::size_t i = 0; i < b.rows; ++i, a += b.cols) {
                S s = y[b.row + i];
                for (std::size_t k = 0; k < b.cols; ++k) s = s + a[k] * x[b.col + k];
                y[b.row + i] = s;
            }
        }
    }
    /// y = J^T x.
    constexpr void multiply_transposed(std::span<S const> x, std::span<S> y) const noexcept {
        for (S& e : y) e = S(0);
        for (auto const& b : blocks_) {
            S const* a = numbers_.data() + b.first;
            for (std::size_t i = 0; i < b.rows; ++i, a += b.cols) {
                S const s = x[b.row + i];
                for (std::size_t k = 0; k < b.cols; ++k) y[b.col + k] = y[b.col + k] + a[k] * s;
            }
        }
    }

private:
    struct place {
        std::uint32_t row = 0, col = 0, rows = 0, cols = 0, first = 0;
    };
    typename Storage::template array<place, Limits.blocks> blocks_;
    typename Storage::template array<S, Limits.numbers> numbers_;
};

}  // namespace sinew::inline v0
