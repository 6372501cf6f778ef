#pragma once
// One block of J, the rows of a constraint on one of its bodies, as it lies in memory: M x dof numbers, row by row; but of a point
//
//   s [1 | -[r]x] on a rigid body: s, s r        s 1 on a particle: s        s = +-1
//
// since then products are a cross product, and J W J^T is s s' / m + [a]x I^-1 [b]x^T with the arms a = s r and b = s' r'.

#include <sinew/constraint/point_to_point.hpp>
#include <sinew/solver/problem.hpp>

#include <cstddef>

namespace sinew::inline v0::detail {

/// Whether all blocks of a constraint type are those of a point.
template <class C>
inline constexpr bool has_point_blocks_v = false;
template <class S, class KindA, class KindB>
inline constexpr bool has_point_blocks_v<point_to_point_between<S, KindA, KindB>> = (std::same_as<KindA, rigid> || std::same_as<KindA, point_mass>) &&
                                                                                     (std::same_as<KindB, rigid> || std::same_as<KindB, point_mass>);

/// How many numbers a block takes.
template <class C, class K>
inline constexpr std::size_t block_numbers_v = has_point_blocks_v<C> ? (K::dof == 6 ? 4 : 1) : rows_v<C> * K::dof;
/// Where the block of attachment I begins, and where the last one ends.
template <class C, std::size_t I>
inline constexpr std::size_t block_offset_v = block_offset_v<C, I - 1> + block_numbers_v<C, typename attachments_t<C>::template kind<I - 1>>;
template <class C>
inline constexpr std::size_t block_offset_v<C, 0> = 0;
template <class C>
inline constexpr std::size_t all_block_numbers_v = block_offset_v<C, attachments_t<C>::size>;

/// The dot product of N numbers in memory with a vector.
template <class S, std::size_t N>
[[nodiscard]] constexpr S product_with(S const* a, vec<S, N> const& b) noexcept {
    S s = a[0] * b.e[0];
    for (std::size_t k = 1; k < N; ++k) s = s + a[k] * b.e[k];
    return s;
}

/// Point: it is the block of a point. K: the kind of the body.
template <bool Point, std::size_t M, class K, class S>
struct jacobian_block {
    static constexpr std::size_t dof = K::dof;
    static constexpr bool is_arm = Point && dof == 6;
    S const* J;

    [[nodiscard]] constexpr vec3<S> arm() const noexcept {
        return {J[1], J[2], J[3]};
    }
    /// J v; v has at least dof numbers.
    template <std::size_t N>
    [[nodiscard]] constexpr vec<S, M> times(vec<S, N> const& v) const noexcept {
        if constexpr (is_arm) {
            S const s = J[0];
            vec3<S> const t = cross(vec3<S>{v[3], v[4], v[5]}, arm());
            return {s * v[0] + t[0], s * v[1] + t[1], s * v[2] + t[2]};
        } else if constexpr (Point) {
            return {J[0] * v[0], J[0] * v[1], J[0] * v[2]};
        } else {
            vec<S, M> y;
            for (std::size_t r = 0; r < M; ++r) {
                S s = J[r * dof] * v.e[0];
                for (std::size_t k = 1; k < dof; ++k) s = s + J[r * dof + k] * v.e[k];
                y.e[r] = s;
            }
            return y;
        }
    }
    /// J^T x, of M numbers.
    [[nodiscard]] constexpr vec<S, dof> transpose_times(S const* x) const noexcept {
        if constexpr (is_arm) {
            S const s = J[0];
            vec3<S> const t = cross(arm(), vec3<S>{x[0], x[1], x[2]});
            return {s * x[0], s * x[1], s * x[2], t[0], t[1], t[2]};
        } else if constexpr (Point) {
            return {J[0] * x[0], J[0] * x[1], J[0] * x[2]};
        } else {
            vec<S, dof> f;
            for (std::size_t k = 0; k < dof; ++k) {
                S s = J[k] * x[0];
                for (std::size_t r = 1; r < M; ++r) s = s + J[r * dof + k] * x[r];
                f.e[k] = s;
            }
            return f;
        }
    }
    /// Row r of J.
    [[nodiscard]] constexpr vec<S, dof> row(std::size_t r) const noexcept {
        if constexpr (Point) {
            vec<S, dof> f{};
            f[r] = J[0];
            if constexpr (is_arm) {
                std::size_t const a = (r + 1) % 3, b = (r + 2) % 3;
                f[3 + a] = J[1 + b];
                f[3 + b] = -J[1 + a];
            }
            return f;
        } else {
            vec<S, dof> f;
            for (std::size_t k = 0; k < dof; ++k) f.e[k] = J[r * dof + k];
            return f;
        }
    }
    /// Row r of J times v.
    [[nodiscard]] constexpr S row_times(std::size_t r, vec<S, dof> const& v) const noexcept {
        if constexpr (Point)
            return dot(row(r), v);
        else
            return product_with(J + r * dof, v);
    }
    /// All rows, times `scale`, row by row.
    constexpr void write(S* to, S const& scale) const noexcept {
        if constexpr (is_arm) {
            S const z(0), s = J[0] * scale, x = J[1] * scale, y = J[2] * scale, w = J[3] * scale;
            S const rows[18] = {s, z, z, z, w, -y, z, s, z, -w, z, x, z, z, s, y, -x, z};
            for (std::size_t k = 0; k < 18; ++k) to[k] = rows[k];
        } else if constexpr (Point) {
            for (std::size_t k = 0; k < 9; ++k) to[k] = k % 4 == 0 ? J[0] * scale : S(0);
        } else {
            for (std::size_t k = 0; k < M * dof; ++k) to[k] = J[k] * scale;
        }
    }
    /// J W, on body i.
    template <class P>
    [[nodiscard]] constexpr std::array<vec<S, dof>, M> weighed(P const& p, std::uint32_t i) const noexcept {
        std::array<vec<S, dof>, M> B;
        for (std::size_t r = 0; r < M; ++r) B[r] = attachment_access<K>::weigh(p, i, row(r));
        return B;
    }
};

/// The rows of a block of K::dof columns whose type is not known: as they lie in memory, or, of a point, written out.
template <class K, class S>
class written_out {
public:
    constexpr written_out(S const* J, bool point) noexcept : J_(J) {
        if constexpr (K::dof == 6 || K::dof == 3) {
            if (!point) return;
            jacobian_block<true, 3, K, S>{J}.write(rows_.data(), S(1));
            J_ = rows_.data();
        }
    }
    written_out(written_out const&) = delete;
    written_out& operator=(written_out const&) = delete;
    [[nodiscard]] constexpr S const* row(std::size_t r) const noexcept { return J_ + r * K::dof; }

private:
    S const* J_;
    std::array<S, 18> rows_{};
};

/// J_i W J_j^T of two blocks of points on one rigid body.
template <class S>
[[nodiscard]] constexpr mat3<S> between_points(inverse_mass<S> const& w, S const* Ji, S const* Jj) noexcept {
    vec3<S> const a{Ji[1], Ji[2], Ji[3]}, b{Jj[1], Jj[2], Jj[3]};
    auto const& I = w.angular;
    vec3<S> const x = cross(a, vec3<S>{I.xx, I.xy, I.xz}), y = cross(a, vec3<S>{I.xy, I.yy, I.yz}), z = cross(a, vec3<S>{I.xz, I.yz, I.zz});
    S const m = Ji[0] * Jj[0] * w.linear;
    vec3<S> const r0 = cross(b, vec3<S>{x[0], y[0], z[0]}), r1 = cross(b, vec3<S>{x[1], y[1], z[1]}), r2 = cross(b, vec3<S>{x[2], y[2], z[2]});
    return {m + r0[0], r0[1], r0[2], r1[0], m + r1[1], r1[2], r2[0], r2[1], m + r2[2]};
}

}  // namespace sinew::inline v0::detail
