#pragma once
// What holds for every convex shape, whatever it is: written once, instantiated per shape. Each law takes the shape, a length of its size
// (m), and whether a point is inside, by a formula of the shape's own.

#include <sinew/geometry/shape.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <string>

namespace shape_laws {

using sinew::aabb;
using sinew::frame;
using sinew::vec3;

/// Rounding of a few operations on numbers of this size.
template <class S>
S rounding(S size, S ulps = S(32)) {
    return size * ulps * sinew::epsilon_v<S>;
}

template <class S>
class dice {
public:
    explicit dice(unsigned seed) : random_(seed) {}
    S real(S lo, S hi) { return static_cast<S>(std::uniform_real_distribution<double>(static_cast<double>(lo), static_cast<double>(hi))(random_)); }
    vec3<S> direction() {
        std::normal_distribution<double> normal;
        return normalize(sinew::cast<S>(vec3<double>{normal(random_), normal(random_), normal(random_)}));
    }
    vec3<S> point(S size) { return {real(-size, size), real(-size, size), real(-size, size)}; }
    frame<S> place(S size) {
        // In double, so that the matrix is a rotation to the last digit of S.
        std::normal_distribution<double> normal;
        sinew::quaternion<double> const q = normalize(sinew::quaternion<double>{normal(random_), normal(random_), normal(random_), normal(random_)});
        auto const m = to_matrix(q);
        frame<S> f;
        f.position = point(size);
        for (std::size_t i = 0; i < 9; ++i) f.rotation.m.e[i] = static_cast<S>(m.e[i]);
        return f;
    }
    /// Random, an axis, or near an axis: where branches change over.
    vec3<S> telling_direction() {
        int const kind = std::uniform_int_distribution<int>(0, 9)(random_);
        if (kind < 5) return direction();
        vec3<S> d{S(0), S(0), S(0)};
        d[static_cast<std::size_t>(kind % 3)] = kind < 8 ? S(1) : S(-1);
        return kind % 2 == 0 ? d : normalize(d + direction() * static_cast<S>(std::pow(10.0, static_cast<double>(real(S(-8), S(0))))));
    }

private:
    std::mt19937 random_;
};

/// How far the whole shape reaches along a unit vector.
template <class S, class T>
S reach(T const& shape, vec3<S> const& d) {
    return dot(shape.support(d), d) + sinew::margin_of<S>(shape);
}

/// No point of the shape lies farther along d than the support; its length does not matter; the zero vector gives some point.
template <class S, class T, class Inside>
void support_is_extreme(T const& shape, S size, Inside const& inside, unsigned seed = 1) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    dice<S> random(seed);
    S const tolerance = rounding(size);
    for (int i = 0; i < 300; ++i) {
        vec3<S> const d = random.telling_direction();
        S const highest = dot(shape.support(d), d);
        for (int k = 0; k < 20; ++k) ASSERT_LE(dot(shape.support(random.telling_direction()), d), highest + tolerance);
        for (S const length : {S(1e-6), S(1e6)}) ASSERT_NEAR(dot(shape.support(d * length), d), highest, tolerance);
        // The point is of the shape, and what is a little farther out is not.
        vec3<S> const p = shape.support(d) + d * sinew::margin_of<S>(shape);
        ASSERT_FALSE(inside(p + d * (size * S(1e-3))));
        vec3<S> const q = random.point(size * S(1.5));
        if (inside(q)) {
            ASSERT_LE(dot(q, d), highest + sinew::margin_of<S>(shape) + tolerance);
        }
    }
    ASSERT_TRUE(isfinite(shape.support(vec3<S>{S(0), S(0), S(0)})));
}

/// The box touches the shape on all six sides, wherever the shape is.
template <class S, class T>
void bounds_are_tight(T const& shape, S size, unsigned seed = 2) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    dice<S> random(seed);
    for (int i = 0; i < 200; ++i) {
        frame<S> f = random.place(size * S(3));
        if (i == 0) f = frame<S>{};
        aabb<S> const b = shape.bounds(f);
        for (std::size_t k = 0; k < 3; ++k) {
            vec3<S> const axis = f.rotation.m.row(k);
            ASSERT_NEAR(b.upper[k], f.position[k] + reach(shape, axis), rounding(size * 4));
            ASSERT_NEAR(b.lower[k], f.position[k] - reach(shape, -axis), rounding(size * 4));
        }
    }
}

/// A face is planar, convex, counter-clockwise seen from outside, belongs to the core, and holds the support point.
template <class S, class T>
void supporting_face_is_one(T const& shape, S size, unsigned seed = 3) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    dice<S> random(seed);
    S const tolerance = rounding(size, S(64));
    for (int i = 0; i < 500; ++i) {
        vec3<S> const d = random.telling_direction();
        auto const face = shape.supporting_face(d);
        ASSERT_GE(face.size(), 1u);
        std::set<int> features;
        S highest = -size * S(100);
        for (auto const& p : face.points) {
            features.insert(p.feature);
            highest = std::max(highest, dot(p.position, d));
            for (int k = 0; k < 10; ++k) {
                vec3<S> const e = random.direction();
                ASSERT_LE(dot(p.position, e), dot(shape.support(e), e) + tolerance);
            }
        }
        ASSERT_EQ(features.size(), face.size()) << "two corners of one name";
        // A direction less than a milliradian off an axis may be taken for it.
        ASSERT_NEAR(highest, dot(shape.support(d), d), tolerance + size * S(1.1e-3));
        if (std::abs(d[0]) > S(0.002) && std::abs(d[1]) > S(0.002) && std::abs(d[2]) > S(0.002)) {
            ASSERT_NEAR(highest, dot(shape.support(d), d), tolerance);
        }
        if (!face.is_face()) {
            ASSERT_EQ(face.normal, (vec3<S>{S(0), S(0), S(0)}));
            continue;
        }
        ASSERT_NEAR(norm(face.normal), S(1), rounding(S(1)));
        ASSERT_GT(dot(face.normal, d), S(0));
        std::size_t const n = face.size();
        for (std::size_t k = 0; k < n; ++k) {
            vec3<S> const a = face[k].position, b = face[(k + 1) % n].position, c = face[(k + 2) % n].position;
            ASSERT_NEAR(dot(a, face.normal), dot(shape.support(face.normal), face.normal), tolerance) << "corner out of the plane";
            ASSERT_GE(dot(cross(b - a, c - b), face.normal), -tolerance * size) << "not counter-clockwise";
        }
        // It goes round once: the area it encloses is positive.
        vec3<S> twice{S(0), S(0), S(0)};
        for (std::size_t k = 1; k + 1 < n; ++k) twice += cross(face[k].position - face[0].position, face[k + 1].position - face[0].position);
        ASSERT_GT(dot(twice, face.normal), S(0));
    }
}

/// A hit is on the surface with the normal of that place, nothing of the ray before it is inside, and a miss meets nothing.
template <class S, class T, class Inside>
void rays_hit_the_surface(T const& shape, S size, Inside const& inside, unsigned seed = 4) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    dice<S> random(seed);
    int hits = 0, misses = 0;
    for (int i = 0; i < 2000; ++i) {
        S const away = i % 4 == 0 ? S(100) : S(3);
        vec3<S> const origin = random.direction() * (size * away);
        vec3<S> const target = random.point(size * S(1.2));
        auto const r = i % 7 == 0 ? sinew::ray<S>{{origin[0], target[1], target[2]}, {origin[0] < S(0) ? S(1) : S(-1), S(0), S(0)}, size * 1000}
                                  : sinew::ray_along(origin, target - origin, size * 1000);
        // What is inside the shape, but for rounding, and what surely is.
        S const slack = rounding(size * away, S(64));
        auto const h = shape.cast(r);
        if (inside(r.origin)) {
            ASSERT_TRUE(h.hit);
            ASSERT_EQ(h.distance, S(0));
            ASSERT_EQ(h.point, r.origin);
            ASSERT_EQ(h.normal, -r.direction);
            continue;
        }
        if (h.hit) {
            ++hits;
            ASSERT_NEAR(norm(h.normal), S(1), rounding(S(1)));
            ASSERT_LE(dot(h.normal, r.direction), rounding(S(1)));
            ASSERT_NEAR(norm(h.point - r.at(h.distance)), S(0), slack);
            // At a point of the surface with this normal the shape reaches just so far.
            ASSERT_NEAR(dot(h.normal, h.point), reach(shape, h.normal), slack * S(8)) << i;
            for (int k = 0; k < 20; ++k) ASSERT_FALSE(inside(r.at((h.distance - slack * S(8)) * random.real(S(0), S(1)) - slack * S(8)))) << i;
            auto shorter = r;
            shorter.length = h.distance * S(0.99);
            ASSERT_FALSE(shape.cast(shorter).hit);
            ASSERT_FALSE(shape.cast(sinew::ray<S>{r.origin, -r.direction, r.length}).hit);
        } else {
            ++misses;
            S const nearest = -dot(r.origin, r.direction);
            for (int k = 0; k < 100; ++k) {
                vec3<S> const p = r.at(nearest + random.real(-size * 2, size * 2));
                // Drawn a little to the middle, so that grazing rays may be missed by rounding.
                ASSERT_FALSE(inside(p * (S(1) + S(32) * away * sinew::epsilon_v<S> * S(8)))) << i;
            }
        }
    }
    ASSERT_GT(hits, 200);
    ASSERT_GT(misses, 100);
    // From inside, out of a point of the shape.
    vec3<S> const middle = shape.mass_properties(S(1)).center;
    auto const h = shape.cast(sinew::ray<S>{middle, random.direction(), size});
    ASSERT_TRUE(h.hit);
    ASSERT_EQ(h.distance, S(0));
}

template <class S>
void expect_same(sinew::mass_properties<S> const& a, sinew::mass_properties<S> const& b, double relative) {
    double const size = std::sqrt(static_cast<double>(trace(to_mat(b.inertia)) / b.mass));
    EXPECT_NEAR(static_cast<double>(a.mass), static_cast<double>(b.mass), relative * static_cast<double>(b.mass));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(static_cast<double>(a.center[i]), static_cast<double>(b.center[i]), relative * size);
        for (std::size_t j = i; j < 3; ++j)
            EXPECT_NEAR(static_cast<double>(a.inertia(i, j)), static_cast<double>(b.inertia(i, j)), relative * static_cast<double>(trace(to_mat(b.inertia)))) << i << j;
    }
}

/// The volume integrals of a fine mesh of the surface, in double.
template <class S, class T>
void mass_is_that_of_a_mesh(T const& shape, double relative) {
    auto const given = shape.mass_properties(S(3));
    expect_same(given, sinew::detail::support_mass_properties<S>(shape, S(3)), relative);
    auto const twice = shape.mass_properties(S(6));
    ASSERT_EQ(twice.mass, given.mass * S(2));
    ASSERT_EQ(twice.center, given.center);
}

/// All of them, at a size of 1e-4, 1 and 10^4 m. `make(scale)` makes the shape, `inside(scale, p)` tells of a point.
template <class S, class Make, class Inside>
void hold(Make const& make, Inside const& inside, double mesh_accuracy) {
    for (S const scale : {S(1e-4), S(1), S(1e4)}) {
        SCOPED_TRACE("scale " + std::to_string(static_cast<double>(scale)));
        auto const shape = make(scale);
        static_assert(sinew::convex_shape<decltype(make(scale)), S>);
        auto const in = [&](vec3<S> const& p) { return inside(scale, p); };
        ASSERT_EQ(shape.fault().name, nullptr);
        support_is_extreme<S>(shape, scale, in);
        bounds_are_tight<S>(shape, scale);
        supporting_face_is_one<S>(shape, scale);
        if constexpr (sinew::has_cast<decltype(make(scale)), S>) rays_hit_the_surface<S>(shape, scale, in);
        mass_is_that_of_a_mesh<S>(shape, mesh_accuracy);
    }
}

}  // namespace shape_laws
