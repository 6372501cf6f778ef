// Nanoseconds per pair of the narrow phase, in float: pairs that touch as bodies at rest do, and hulls that lie anyhow.

#include <sinew/collision/cast.hpp>
#include <sinew/collision/time_of_impact.hpp>
#include <sinew/constraint/random_state.hpp>
#include <sinew/geometry/cylinder.hpp>
#include <sinew/geometry/hull.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

using namespace sinew;
using S = float;

// The compiler must take the result as read.
#if defined(__GNUC__)
template <class T>
inline void read(T const& x) {
    asm volatile("" : : "r"(&x) : "memory");
}
#else
void const* volatile sink;
template <class T>
inline void read(T const& x) {
    sink = &x;
}
#endif

constexpr int pairs = 512, rounds = 2, runs = 100;

struct placed {
    frame<S> a, b;
};

// Shortest of the runs: what disturbs a measurement only makes it longer.
template <class F>
void measure(char const* name, double aim, std::vector<placed> const& at, F&& f) {
    double best = 1e9;
    for (int run = 0; run < runs; ++run) {
        auto const begin = std::chrono::steady_clock::now();
        for (int i = 0; i < rounds; ++i)
            for (placed const& p : at) f(p);
        auto const time = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
        best = std::min(best, time / (rounds * static_cast<double>(at.size())));
    }
    std::printf("%-44s %8.1f ns", name, best);
    if (aim > 0) std::printf("   (aim %.0f)", aim);
    std::printf("\n");
}

struct placing {
    splitmix64 random{11};
    S uniform(S lo, S hi) { return lo + (hi - lo) * static_cast<S>(static_cast<double>(random() >> 11) / 9007199254740992.0); }
    vec3<S> vector(S r) { return {uniform(-r, r), uniform(-r, r), uniform(-r, r)}; }
    frame<S> turned(vec3<S> const& at, vec3<S> const& by) { return {at, {so3_exp(by)}}; }
};

}  // namespace

int main() {
    placing p;
    std::vector<placed> stacked, tilted, deep, apart, near;
    for (int i = 0; i < pairs; ++i) {
        frame<S> const a = p.turned(p.vector(5), p.vector(2));
        auto const over = [&](S height, S sideways, vec3<S> const& turn) {
            frame<S> const local = p.turned({p.uniform(-sideways, sideways), height, p.uniform(-sideways, sideways)}, turn);
            return a * local;
        };
        stacked.push_back({a, over(S(0.998), S(0.4), {S(1e-4) * p.uniform(-1, 1), p.uniform(-3, 3), S(1e-4) * p.uniform(-1, 1)})});
        tilted.push_back({a, over(S(1.2), S(0.4), p.vector(2))});
        deep.push_back({a, over(S(0.6), S(0.4), p.vector(2))});
        near.push_back({a, over(S(1.02), S(0.4), {S(0), p.uniform(-3, 3), S(0)})});
        apart.push_back({a, over(S(1.8), S(0.4), p.vector(2))});
    }
    S const margin = S(0.02);
    sphere<S> const ball{S(0.5)};
    box<S> const cube{{S(0.5), S(0.5), S(0.5)}};
    capsule<S> const pill{S(0.5), S(0.5)};
    cylinder<S> const can{S(0.5), S(0.5)};
    half_space<S> const ground;
    std::vector<vec3<S>> points;
    // The twenty faces of an icosahedron of about the size of the boxes.
    S const g = S(1.618034) * S(0.35), u = S(0.35);
    for (S s : {-u, u})
        for (S t : {-g, g}) {
            points.push_back({S(0), s, t});
            points.push_back({s, t, S(0)});
            points.push_back({t, S(0), s});
        }
    convex_polytope<S> const rock = convex_hull(points);
    std::printf("hull of %d corners, %d faces\n", static_cast<int>(rock.vertices().size()), static_cast<int>(rock.faces().size()));

    auto const collide_all = [&](char const* name, double aim, std::vector<placed> const& at, auto const& a, auto const& b) {
        measure(name, aim, at, [&](placed const& q) { read(collide(a, q.a, b, q.b, margin)); });
    };
    collide_all("sphere - sphere", 15, stacked, ball, ball);
    collide_all("sphere - box", 30, stacked, ball, cube);
    collide_all("capsule - capsule", 0, tilted, pill, pill);
    collide_all("capsule - box", 0, tilted, pill, cube);
    collide_all("half space - box", 0, stacked, ground, cube);
    collide_all("box - box, stacked, turned", 150, stacked, cube, cube);
    collide_all("box - box, stacked with a gap", 150, near, cube, cube);
    collide_all("box - box, tilted", 0, tilted, cube, cube);
    collide_all("box - box, deep", 0, deep, cube, cube);
    collide_all("box - box, apart", 0, apart, cube, cube);
    collide_all("box - cylinder, stacked", 0, stacked, cube, can);
    collide_all("cylinder - cylinder, tilted", 0, tilted, can, can);
    collide_all("hull - hull, tilted", 1000, tilted, rock, rock);
    collide_all("hull - hull, deep", 0, deep, rock, rock);
    collide_all("hull - hull, apart", 0, apart, rock, rock);
    collide_all("hull - box, stacked", 0, stacked, rock, cube);
    measure("distance of hulls apart", 0, apart, [&](placed const& q) { read(closest_points(rock, q.a, rock, q.b)); });
    measure("distance of hulls deep", 0, deep, [&](placed const& q) { read(closest_points(rock, q.a, rock, q.b)); });
    measure("overlap of hulls, tilted", 0, tilted, [&](placed const& q) { read(overlaps(rock, q.a, rock, q.b)); });
    measure("shape cast of a box", 0, apart, [&](placed const& q) { read(shape_cast(cube, q.a, q.b.position - q.a.position, cube, q.b)); });
    measure("time of impact of a turning box", 0, apart, [&](placed const& q) {
        motion<S> m{q.a, q.a.position, q.b.position - q.a.position, {S(1), S(2), S(-1)}};
        read(time_of_impact(cube, m, cube, at_rest(q.b), S(0.01), S(0.001)));
    });
}
