#pragma once
// A vector in place: a fixed capacity, no heap. Pass it on as std::span, which does not know the capacity.

#include <array>
#include <cstddef>

namespace sinew::inline v0 {

/// Up to N values of T, which must be default-constructible. Growing past N is the caller's error: ask full() first.
template <class T, std::size_t N>
class static_vector {
public:
    using value_type = T;

    [[nodiscard]] static constexpr std::size_t capacity() noexcept { return N; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] constexpr bool full() const noexcept { return size_ == N; }

    [[nodiscard]] constexpr T* data() noexcept { return items_.data(); }
    [[nodiscard]] constexpr T const* data() const noexcept { return items_.data(); }
    [[nodiscard]] constexpr T& operator[](std::size_t i) noexcept { return items_[i]; }
    [[nodiscard]] constexpr T const& operator[](std::size_t i) const noexcept { return items_[i]; }
    [[nodiscard]] constexpr T* begin() noexcept { return data(); }
    [[nodiscard]] constexpr T* end() noexcept { return data() + size_; }
    [[nodiscard]] constexpr T const* begin() const noexcept { return data(); }
    [[nodiscard]] constexpr T const* end() const noexcept { return data() + size_; }
    [[nodiscard]] constexpr T& back() noexcept { return items_[size_ - 1]; }
    [[nodiscard]] constexpr T const& back() const noexcept { return items_[size_ - 1]; }

    constexpr void clear() noexcept { size_ = 0; }
    constexpr void push_back(T const& value) noexcept { items_[size_++] = value; }
    /// One more, of which nothing is said: it may be what was there before.
    constexpr T& next() noexcept { return items_[size_++]; }
    /// At place i: one of those that are here, or the next.
    constexpr void put(std::size_t i, T const& value) noexcept {
        items_[i] = value;
        if (size_ <= i) size_ = i + 1;
    }
    /// n values of another vector, behind the others.
    constexpr void append(T const* from, std::size_t n) noexcept {
        for (std::size_t i = 0; i < n; ++i) items_[size_ + i] = from[i];
        size_ += n;
    }
    constexpr void pop_back() noexcept { --size_; }
    constexpr void resize(std::size_t n, T const& fill = T{}) noexcept {
        for (std::size_t i = size_; i < n; ++i) items_[i] = fill;
        size_ = n;
    }
    constexpr void assign(std::size_t n, T const& value) noexcept {
        for (std::size_t i = 0; i < n; ++i) items_[i] = value;
        size_ = n;
    }

    [[nodiscard]] friend constexpr bool operator==(static_vector const& a, static_vector const& b) {
        if (a.size_ != b.size_) return false;
        for (std::size_t i = 0; i < a.size_; ++i)
            if (!(a.items_[i] == b.items_[i])) return false;
        return true;
    }

private:
    std::array<T, N> items_{};
    std::size_t size_ = 0;
};

/// Room for nothing.
template <class T>
class static_vector<T, 0> {
public:
    using value_type = T;

    [[nodiscard]] static constexpr std::size_t capacity() noexcept { return 0; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return 0; }
    [[nodiscard]] constexpr bool empty() const noexcept { return true; }
    [[nodiscard]] constexpr bool full() const noexcept { return true; }
    [[nodiscard]] constexpr T* data() noexcept { return nullptr; }
    [[nodiscard]] constexpr T const* data() const noexcept { return nullptr; }
    [[nodiscard]] constexpr T& operator[](std::size_t i) noexcept { return data()[i]; }
    [[nodiscard]] constexpr T const& operator[](std::size_t i) const noexcept { return data()[i]; }
    [[nodiscard]] constexpr T* begin() noexcept { return nullptr; }
    [[nodiscard]] constexpr T* end() noexcept { return nullptr; }
    [[nodiscard]] constexpr T const* begin() const noexcept { return nullptr; }
    [[nodiscard]] constexpr T const* end() const noexcept { return nullptr; }
    [[nodiscard]] constexpr T& back() noexcept { return *data(); }
    [[nodiscard]] constexpr T const& back() const noexcept { return *data(); }

    constexpr void clear() noexcept {}
    constexpr void push_back(T const&) noexcept {}
    constexpr T& next() noexcept { return *data(); }
    constexpr void put(std::size_t, T const&) noexcept {}
    constexpr void append(T const*, std::size_t) noexcept {}
    constexpr void pop_back() noexcept {}
    constexpr void resize(std::size_t, T const& = T{}) noexcept {}
    constexpr void assign(std::size_t, T const&) noexcept {}

    [[nodiscard]] friend constexpr bool operator==(static_vector const&, static_vector const&) noexcept { return true; }
};

}  // namespace sinew::inline v0
