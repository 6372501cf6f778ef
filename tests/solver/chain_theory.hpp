#pragma once
// Straight chains of particles and rods (Waterson 2026, section 8): their matrices, and how fast an iteration shrinks an error.

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace chain_theory {

using matrix = std::vector<std::vector<double>>;

inline matrix zeros(std::size_t n) { return matrix(n, std::vector<double>(n, 0.0)); }

// A = J W J^T of N rods in a row between masses m_0 .. m_N.
inline matrix rods(std::vector<double> const& mass) {
    std::size_t const n = mass.size() - 1;
    matrix a = zeros(n);
    for (std::size_t i = 0; i < n; ++i) {
        a[i][i] = 1 / mass[i] + 1 / mass[i + 1];
        if (i + 1 < n) a[i][i + 1] = a[i + 1][i] = -1 / mass[i + 1];
    }
    return a;
}
// H = M + J^T k h^2 J of the same chain, along it (eq. 8.31).
inline matrix masses(std::vector<double> const& mass, std::vector<double> const& k, double h) {
    std::size_t const n = mass.size();
    matrix a = zeros(n);
    for (std::size_t i = 0; i < n; ++i) a[i][i] = mass[i];
    for (std::size_t i = 0; i + 1 < n; ++i) {
        double const s = k[i] * h * h;
        a[i][i] += s;
        a[i + 1][i + 1] += s;
        a[i][i + 1] -= s;
        a[i + 1][i] -= s;
    }
    return a;
}

// 1 - xi D^-1 A, with the diagonal of A or one's own.
inline matrix jacobi_matrix(matrix const& a, std::vector<double> const& diagonal, double xi = 1) {
    matrix g = a;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a.size(); ++j) g[i][j] = (i == j ? 1.0 : 0.0) - xi * a[i][j] / diagonal[i];
    return g;
}
// G = (D + xi L)^-1 ((1 - xi) D - xi L^T), column by column (eq. 4.76).
inline matrix gauss_seidel_matrix(matrix const& a, double xi = 1) {
    std::size_t const n = a.size();
    matrix g = zeros(n);
    for (std::size_t c = 0; c < n; ++c) {
        std::vector<double> x(n, 0.0);
        x[c] = 1;
        for (std::size_t i = 0; i < n; ++i) {
            double s = 0;
            for (std::size_t j = 0; j < n; ++j)
                if (j != i) s += a[i][j] * x[j];
            x[i] = (1 - xi) * x[i] - xi * s / a[i][i];
        }
        for (std::size_t i = 0; i < n; ++i) g[i][c] = x[i];
    }
    return g;
}
inline matrix product(matrix const& a, matrix const& b) {
    std::size_t const n = a.size();
    matrix c(n, std::vector<double>(b[0].size(), 0.0));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < b.size(); ++k)
            for (std::size_t j = 0; j < b[0].size(); ++j) c[i][j] += a[i][k] * b[k][j];
    return c;
}

// Growth of |G^k x| per application between k and 2k, renormalised on the way.
inline double spectral_radius(matrix const& g, int k = 4000) {
    std::size_t const n = g.size();
    std::vector<double> x(n), y(n);
    std::mt19937 random(5);
    for (double& v : x) v = std::uniform_real_distribution<>(-1, 1)(random);
    double log_growth = 0;
    for (int it = 0; it < 2 * k; ++it) {
        double norm = 0;
        for (std::size_t i = 0; i < n; ++i) {
            y[i] = 0;
            for (std::size_t j = 0; j < n; ++j) y[i] += g[i][j] * x[j];
            norm += y[i] * y[i];
        }
        norm = std::sqrt(norm);
        if (norm == 0) return 0;
        for (std::size_t i = 0; i < n; ++i) x[i] = y[i] / norm;
        if (it >= k) log_growth += std::log(norm);
    }
    return std::exp(log_growth / k);
}

// Both ends of another mass than the links between.
inline std::vector<double> ends(std::size_t rods, double end) {
    std::vector<double> mass(rods + 1, 1.0);
    mass.front() = mass.back() = end;
    return mass;
}

}  // namespace chain_theory
