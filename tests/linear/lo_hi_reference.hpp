#pragma once
// For the tests of the complementarity solvers: random problems, what is left of their conditions in long double, and a solver that
// tries every set of rows.

#include <sinew/linear/lo_hi_problem.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace lo_hi_reference {

using real = long double;

inline double number(std::mt19937& random) { return static_cast<double>(random()) / 2147483648.0 - 1; }  // [-1, 1]
inline std::size_t up_to(std::size_t n, std::mt19937& random) { return 1 + random() % n; }               // 1 .. n

// A problem that owns its data.
template <class S>
struct owned_problem {
    std::size_t n = 0;
    std::vector<S> a, b, lower, upper, mu;
    std::vector<std::uint32_t> normal;

    explicit owned_problem(std::size_t size = 0) : n(size), a(n * n), b(n), lower(n, -sinew::infinity_v<S>), upper(n, sinew::infinity_v<S>) {}
    sinew::lo_hi_problem<S> view() const {
        sinew::lo_hi_problem<S> p{a, b, lower, upper};
        p.normal = normal;
        p.friction = mu;
        return p;
    }
    S& at(std::size_t i, std::size_t k) { return a[i * n + k]; }
    bool is_friction(std::size_t i) const { return !normal.empty() && normal[i] != sinew::no_normal; }
};

enum class kind {
    definite,
    semidefinite,  // of random rank, b in its range
    duplicates,    // small whole numbers: rows that are equal or opposite, ties
    resting,       // semidefinite, b = 0
    masses,        // rows that differ by 1e-3 to 1e3 in mass
};
inline constexpr kind kinds[] = {kind::definite, kind::semidefinite, kind::duplicates, kind::resting, kind::masses};

// A = G M G^T and b = G M v: every such problem has a solution, as b.d = 0 where A d = 0.
template <class S>
owned_problem<S> gram(std::size_t n, std::size_t m, kind k, std::mt19937& random) {
    owned_problem<S> p(n);
    std::vector<double> g(n * m), mass(m, 1.0), v(m);
    bool const whole = k == kind::duplicates;
    for (auto& x : g) x = whole ? static_cast<double>(random() % 3) - 1 : static_cast<float>(number(random));
    if (k == kind::masses)
        for (auto& x : mass) x = std::pow(10.0, 3 * number(random));
    if (k != kind::resting)
        for (auto& x : v) x = whole ? static_cast<double>(random() % 3) - 1 : number(random);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            real s = 0;
            for (std::size_t q = 0; q < m; ++q) s += static_cast<real>(g[i * m + q]) * g[j * m + q] * mass[q];
            p.at(i, j) = static_cast<S>(s);
        }
        real s = 0;
        for (std::size_t q = 0; q < m; ++q) s += static_cast<real>(g[i * m + q]) * v[q] * mass[q];
        p.b[i] = static_cast<S>(s);
    }
    return p;
}
// Equalities, contacts, one upper bound, motors, any two bounds, given forces.
template <class S>
void set_bounds(owned_problem<S>& p, std::mt19937& random) {
    for (std::size_t i = 0; i < p.n; ++i) {
        S const s = static_cast<S>(number(random)), t = static_cast<S>(number(random));
        S& lower = p.lower[i] = -sinew::infinity_v<S>;
        S& upper = p.upper[i] = sinew::infinity_v<S>;
        switch (random() % 7) {
            case 0: break;
            case 1:
            case 2: lower = 0; break;
            case 3: upper = s; break;
            case 4: lower = -std::fabs(s), upper = std::fabs(s); break;
            case 5: lower = std::min(s, t), upper = std::max(s, t); break;
            default: lower = upper = s;
        }
    }
}
// Every third row that follows is bounded by an earlier one.
template <class S>
void set_friction(owned_problem<S>& p, std::mt19937& random) {
    p.normal.assign(p.n, sinew::no_normal);
    p.mu.assign(p.n, S(0));
    for (std::size_t i = 1; i < p.n; ++i) {
        auto const k = static_cast<std::uint32_t>(random() % i);
        if (random() % 3 != 0 || p.is_friction(k)) continue;
        p.normal[i] = k;
        p.mu[i] = static_cast<S>(std::fabs(number(random)));
        p.lower[i] = p.upper[i] = S(0);  // not to be read
    }
}
template <class S>
owned_problem<S> any_problem(kind k, std::size_t n, std::mt19937& random) {
    std::size_t const m = k == kind::definite || k == kind::masses ? n + 2 + random() % 4 : up_to(n, random);
    auto p = gram<S>(n, m, k, random);
    set_bounds(p, random);
    if (random() % 3 == 0) set_friction(p, random);
    return p;
}

// What the header promises: the largest |x - clamp(x - w)| of the rows, each scaled to a_ii = 1, over the largest scaled |b| and |x|; infinite
// if some x is not between its bounds. Bounds are those given here, as friction has its own.
template <class S>
real residual(owned_problem<S> const& p, std::vector<S> const& x, std::vector<S> const& lower, std::vector<S> const& upper, std::vector<real>* of_row = nullptr) {
    real worst = 0, size = 0;
    std::vector<real> d(p.n), v(p.n);
    for (std::size_t i = 0; i < p.n; ++i) {
        real const a = std::fabs(static_cast<real>(p.a[i * p.n + i]));
        d[i] = a > 0 ? 1 / std::sqrt(a) : 1;
        size = std::max({size, std::fabs(p.b[i] * d[i]), std::fabs(x[i] / d[i])});
    }
    for (std::size_t i = 0; i < p.n; ++i) {
        if (!(x[i] >= lower[i] && x[i] <= upper[i])) return sinew::infinity_v<real>;
        real w = p.b[i];
        for (std::size_t k = 0; k < p.n; ++k) w += static_cast<real>(p.a[i * p.n + k]) * x[k];
        real const y = x[i] / d[i];
        v[i] = std::fabs(y - std::min(std::max(y - w * d[i], lower[i] / d[i]), upper[i] / d[i]));
        worst = std::max(worst, v[i]);
    }
    if (size > 0)
        for (auto& r : v) r /= size;
    if (of_row != nullptr) *of_row = v;
    return size > 0 ? worst / size : worst;
}

// Every assignment of the rows to lower, upper, free, in the order of the number that it is, base 3; a row without bounds may be 0
// instead of lower. The solutions of a semi-definite problem are a polyhedron. So cut it has no lines in it; if it is not empty it has a
// corner, and there A_FF is regular.
struct enumerated {
    bool found = false;
    std::vector<real> x, w;
};
template <class S>
enumerated enumerate(owned_problem<S> const& p, std::vector<S> const& lower, std::vector<S> const& upper, real tolerance) {
    enumerated r;
    std::size_t const n = p.n;
    std::size_t sets = 1;
    for (std::size_t i = 0; i < n; ++i) sets *= 3;
    std::vector<real> a(n * n), b(n), m(n * (n + 1)), d(n);
    for (std::size_t i = 0; i < n; ++i) d[i] = p.a[i * n + i] > 0 ? 1 / std::sqrt(static_cast<real>(p.a[i * n + i])) : 1;
    real size = 0;
    for (std::size_t i = 0; i < n; ++i) {
        b[i] = p.b[i] * d[i];
        size = std::max(size, std::fabs(b[i]));
        for (std::size_t k = 0; k < n; ++k) a[i * n + k] = p.a[i * n + k] * d[i] * d[k];
    }
    std::vector<real> x(n), w(n);
    std::vector<std::size_t> free;
    for (std::size_t set = 0; set < sets; ++set) {
        free.clear();
        bool possible = true;
        for (std::size_t i = 0, digits = set; i < n && possible; ++i, digits /= 3) {
            x[i] = 0;
            if (digits % 3 == 2) {
                free.push_back(i);
                possible = lower[i] < upper[i];
            } else {
                bool const unbounded = lower[i] == -sinew::infinity_v<S> && upper[i] == sinew::infinity_v<S>;
                real const bound = digits % 3 == 1 ? upper[i] : unbounded ? S(0) : lower[i];
                possible = std::isfinite(bound) && !(digits % 3 == 1 && lower[i] == upper[i]);
                if (possible) x[i] = bound / d[i];
            }
        }
        if (!possible) continue;
        // A_FF x_F = -b_F - A_FN x_N by elimination with the largest diagonal first.
        std::size_t const f = free.size();
        for (std::size_t i = 0; i < f; ++i) {
            real s = -b[free[i]];
            for (std::size_t k = 0; k < n; ++k) s -= a[free[i] * n + k] * x[k];
            for (std::size_t k = 0; k < f; ++k) m[i * (f + 1) + k] = a[free[i] * n + free[k]];
            m[i * (f + 1) + f] = s;
        }
        bool regular = true;
        for (std::size_t i = 0; i < f && regular; ++i) {
            std::size_t at = i;
            for (std::size_t k = i; k < f; ++k)
                if (std::fabs(m[k * (f + 1) + i]) > std::fabs(m[at * (f + 1) + i])) at = k;
            regular = std::fabs(m[at * (f + 1) + i]) > 64 * static_cast<real>(sinew::epsilon_v<S>);
            if (!regular) break;
            for (std::size_t k = 0; k <= f; ++k) std::swap(m[i * (f + 1) + k], m[at * (f + 1) + k]);
            for (std::size_t q = i + 1; q < f; ++q) {
                real const s = m[q * (f + 1) + i] / m[i * (f + 1) + i];
                for (std::size_t k = i; k <= f; ++k) m[q * (f + 1) + k] -= s * m[i * (f + 1) + k];
            }
        }
        if (!regular) continue;
        for (std::size_t i = f; i-- > 0;) {
            real s = m[i * (f + 1) + f];
            for (std::size_t k = i + 1; k < f; ++k) s -= m[i * (f + 1) + k] * x[free[k]];
            x[free[i]] = s / m[i * (f + 1) + i];
        }
        real worst = 0, largest = size;
        for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(x[i]));
        for (std::size_t i = 0; i < n; ++i) {
            w[i] = b[i];
            for (std::size_t k = 0; k < n; ++k) w[i] += a[i * n + k] * x[k];
            worst = std::max(worst, std::fabs(x[i] - std::min(std::max(x[i] - w[i], lower[i] / d[i]), upper[i] / d[i])));
        }
        if (worst <= tolerance * largest) {
            r.found = true;
            r.x = x;
            r.w = w;
            for (std::size_t i = 0; i < n; ++i) {
                r.x[i] *= d[i];
                r.w[i] /= d[i];
            }
            return r;
        }
    }
    return r;
}

}  // namespace lo_hi_reference
