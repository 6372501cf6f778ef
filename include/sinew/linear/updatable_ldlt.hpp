#pragma once
// L D L^T of a symmetric matrix that gains rows at its end and loses any of them, O(n^2) each.
//
// The columns of L are kept as rows, so that every inner loop runs along memory and without a sum it would have to wait for: forward
// substitution, and the update when a row is lost. Then what the lost column did to the block behind it comes back as the positive
// term D_p l l^T (Gill, Golub, Murray, Saunders 1974, method C1), which of a definite matrix loses no digits.

#include <sinew/core/storage.hpp>
#include <sinew/math/scalar.hpp>

#include <cstddef>

namespace sinew::inline v0 {

namespace detail {

// y += s x.
template <class S>
constexpr void add_multiple(S* y, S const* x, S const& s, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) y[i] = y[i] + s * x[i];
}
// Four sums, that no addition waits for the one before it.
template <class S>
[[nodiscard]] constexpr S dot_of_four(S const* a, S const* b, std::size_t n) noexcept {
    S s0(0), s1(0), s2(0), s3(0);
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 = s0 + a[i] * b[i];
        s1 = s1 + a[i + 1] * b[i + 1];
        s2 = s2 + a[i + 2] * b[i + 2];
        s3 = s3 + a[i + 3] * b[i + 3];
    }
    for (; i < n; ++i) s0 = s0 + a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

}  // namespace detail

/// Storage has `array<T, N>`; at most N rows, or, on the heap, as many as begin() is told.
template <class S, class Storage = dynamic_storage, std::size_t N = 0>
class updatable_ldlt {
public:
    /// Empty, with room for `rows`.
    constexpr void begin(std::size_t rows) {
        size_ = 0;
        stride_ = rows;
        l_.resize(rows * rows);
        pivot_.resize(rows);
        inverse_pivot_.resize(rows);
        work_.resize(rows);
    }
    /// Makes room for `rows`, so that begin() need not.
    constexpr void reserve(std::size_t rows) {
        make_room(l_, rows * rows);
        for (auto* v : {&pivot_, &inverse_pivot_, &work_}) make_room(*v, rows);
    }
    constexpr void clear() noexcept { size_ = 0; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr S const& pivot(std::size_t k) const noexcept { return pivot_[k]; }

    /// c = L^-1 c. Four columns at a time: c is read and written a quarter as often.
    constexpr void forward(S* c) const noexcept {
        std::size_t k = 0;
        for (; k + 4 < size_; k += 4) {
            S const *const p = column(k), *const q = column(k + 1), *const r = column(k + 2), *const t = column(k + 3);
            S const f = -c[k], g = -(c[k + 1] + f * p[0]), h = -((c[k + 2] + f * p[1]) + g * q[0]), l = -(((c[k + 3] + f * p[2]) + g * q[1]) + h * r[0]);
            c[k + 1] = -g;
            c[k + 2] = -h;
            c[k + 3] = -l;
            std::size_t const below = size_ - k - 4;
            S* const rest = c + k + 4;
            for (std::size_t i = 0; i < below; ++i) rest[i] = (((rest[i] + f * p[i + 3]) + g * q[i + 2]) + h * r[i + 1]) + l * t[i];
        }
        for (; k + 1 < size_; ++k) detail::add_multiple(c + k + 1, column(k), -c[k], size_ - k - 1);
    }
    /// c = L^-T D^-1 c.
    constexpr void backward(S* c) const noexcept {
        for (std::size_t k = size_; k-- > 0;) c[k] = c[k] * inverse_pivot_[k] - detail::dot_of_four(column(k), c + k + 1, size_ - k - 1);
    }
    /// y.D^-1 y: with y = L^-1 c what a row c leaves of its diagonal is c_ii minus this.
    [[nodiscard]] constexpr S eliminated(S const* y) const noexcept {
        S s(0);
        for (std::size_t k = 0; k < size_; ++k) s = s + y[k] * y[k] * inverse_pivot_[k];
        return s;
    }
    /// Adds the row c at the end, given y = L^-1 c and the pivot that is left of its diagonal.
    constexpr void append(S const* y, S const& pivot) noexcept {
        for (std::size_t k = 0; k < size_; ++k) column(k)[size_ - k - 1] = y[k] * inverse_pivot_[k];
        pivot_[size_] = pivot;
        inverse_pivot_[size_] = S(1) / pivot;
        ++size_;
    }
    /// Takes row p out; those behind move up. False if a pivot was lost on the way, which only an indefinite matrix can do: the factors
    /// must be made anew.
    [[nodiscard]] constexpr bool remove(std::size_t p) noexcept {
        for (std::size_t k = 0; k < p; ++k) {
            S* const c = column(k);
            for (std::size_t r = p - k - 1; r + 1 < size_ - k - 1; ++r) c[r] = c[r + 1];
        }
        std::size_t const tail = size_ - p - 1;
        S* const v = work_.data();
        for (std::size_t r = 0; r < tail; ++r) v[r] = column(p)[r];
        S alpha = pivot_[p];
        bool sound = true;
        for (std::size_t j = 0; j < tail; ++j) {
            S const* const from = column(p + 1 + j);
            S* const to = column(p + j);
            std::size_t const below = tail - j - 1;
            S const d = pivot_[p + 1 + j];
            S const gain = alpha * v[j] * v[j];
            S const sum = d + gain;
            if (!(abs(sum) > epsilon_v<S> * S(16) * abs(d))) sound = false;
            S const pivot = sum == S(0) ? d : sum;
            S const inverse = S(1) / pivot;
            S const beta = alpha * v[j] * inverse;
            S const vj = v[j];
            alpha = alpha * d * inverse;
            S* const rest = v + j + 1;
            for (std::size_t r = 0; r < below; ++r) {
                S const l = from[r];
                S const u = rest[r] - vj * l;
                rest[r] = u;
                to[r] = l + beta * u;
            }
            pivot_[p + j] = pivot;
            inverse_pivot_[p + j] = inverse;
        }
        --size_;
        return sound;
    }

private:
    // L below the diagonal of column k: [0] is L_(k+1)k.
    [[nodiscard]] constexpr S* column(std::size_t k) noexcept { return l_.data() + k * stride_; }
    [[nodiscard]] constexpr S const* column(std::size_t k) const noexcept { return l_.data() + k * stride_; }

    typename Storage::template array<S, N * N> l_;
    typename Storage::template array<S, N> pivot_, inverse_pivot_, work_;
    std::size_t size_ = 0, stride_ = 0;
};

}  // namespace sinew::inline v0
