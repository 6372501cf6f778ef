#pragma once
// A vector on the heap with no more than a world needs: it grows, and gives nothing back before it ends. Assigning reuses what
// is there, so a world that has run allocates nothing.
//
// std::vector would do; its machinery, instantiated for fifteen element types, took a fifth of a program's compile time.

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace sinew::inline v0 {

namespace detail {
/// n values into places that do not overlap theirs: at once where they are but bytes, which compilers otherwise copy number by number.
template <class T>
constexpr void copy_values(T const* from, std::size_t n, T* to) {
    if constexpr (std::is_trivially_copyable_v<T>) {
        if (!std::is_constant_evaluated()) {
            if (n > 0) std::memcpy(static_cast<void*>(to), static_cast<void const*>(from), n * sizeof(T));
            return;
        }
    }
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}
}  // namespace detail

/// T must be default constructible and copyable; a new element is T{}.
template <class T>
class dynamic_vector {
public:
    using value_type = T;

    constexpr dynamic_vector() noexcept = default;
    constexpr explicit dynamic_vector(std::size_t n) { resize(n); }
    constexpr dynamic_vector(dynamic_vector const& b) { *this = b; }
    constexpr dynamic_vector(dynamic_vector&& b) noexcept { swap(b); }
    constexpr dynamic_vector& operator=(dynamic_vector const& b) {
        if (this == &b) return *this;
        size_ = 0;
        reserve(b.size_);
        detail::copy_values(b.items_, b.size_, items_);
        size_ = b.size_;
        return *this;
    }
    constexpr dynamic_vector& operator=(dynamic_vector&& b) noexcept {
        swap(b);
        return *this;
    }
    constexpr ~dynamic_vector() { delete[] items_; }

    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] constexpr T* data() noexcept { return items_; }
    [[nodiscard]] constexpr T const* data() const noexcept { return items_; }
    [[nodiscard]] constexpr T& operator[](std::size_t i) noexcept { return items_[i]; }
    [[nodiscard]] constexpr T const& operator[](std::size_t i) const noexcept { return items_[i]; }
    [[nodiscard]] constexpr T* begin() noexcept { return items_; }
    [[nodiscard]] constexpr T* end() noexcept { return items_ + size_; }
    [[nodiscard]] constexpr T const* begin() const noexcept { return items_; }
    [[nodiscard]] constexpr T const* end() const noexcept { return items_ + size_; }
    [[nodiscard]] constexpr T& back() noexcept { return items_[size_ - 1]; }
    [[nodiscard]] constexpr T const& back() const noexcept { return items_[size_ - 1]; }

    constexpr void clear() noexcept { size_ = 0; }
    constexpr void push_back(T const& value) {
        if (size_ == capacity_) {
            T const copy = value;  // it may be one of our own
            next() = copy;
        } else {
            items_[size_++] = value;
        }
    }
    /// One more, of which nothing is said: it may be what was there before.
    constexpr T& next() {
        if (size_ == capacity_) reserve(capacity_ == 0 ? 8 : 2 * capacity_);
        return items_[size_++];
    }
    /// At place i: one of those that are here, or the next.
    constexpr void put(std::size_t i, T const& value) {
        if (i == size_)
            push_back(value);
        else
            items_[i] = value;
    }
    /// n values of another vector, behind the others.
    constexpr void append(T const* from, std::size_t n) {
        if (size_ + n > capacity_) reserve(size_ + n > 2 * capacity_ ? size_ + n : 2 * capacity_);
        detail::copy_values(from, n, items_ + size_);
        size_ += n;
    }
    constexpr void pop_back() noexcept { --size_; }
    constexpr void resize(std::size_t n) {
        reserve(n);
        for (; size_ < n; ++size_) items_[size_] = T{};
        size_ = n;
    }
    constexpr void assign(std::size_t n, T const& value) {
        reserve(n);
        for (std::size_t i = 0; i < n; ++i) items_[i] = value;
        size_ = n;
    }
    constexpr void reserve(std::size_t n) {
        if (n > capacity_) grow(n);
    }
    constexpr void swap(dynamic_vector& b) noexcept {
        T* const items = items_;
        std::size_t const size = size_, capacity = capacity_;
        items_ = b.items_, size_ = b.size_, capacity_ = b.capacity_;
        b.items_ = items, b.size_ = size, b.capacity_ = capacity;
    }

    [[nodiscard]] friend constexpr bool operator==(dynamic_vector const& a, dynamic_vector const& b) {
        if (a.size_ != b.size_) return false;
        for (std::size_t i = 0; i < a.size_; ++i)
            if (!(a.items_[i] == b.items_[i])) return false;
        return true;
    }

private:
    // Out of the way of those that only ask whether there is room.
    [[gnu::noinline]] constexpr void grow(std::size_t n) {
        dynamic_vector grown;
        grown.items_ = new T[n]();
        grown.capacity_ = n;
        detail::copy_values(items_, size_ < n ? size_ : n, grown.items_);  // always size_; g++ 12 else warns of what is written where n is 0
        grown.size_ = size_;
        swap(grown);
    }

    T* items_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace sinew::inline v0
