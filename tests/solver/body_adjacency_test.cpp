// Which constraints each body has, found through every change of the world.

#include <sinew/sinew.hpp>
#include <sinew/solver/body_adjacency.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

namespace {

using sinew::vec3;

// A strategy that looks at the problem, and changes nothing.
struct observer {
    template <class Env>
    struct strategy {
        using S = typename Env::scalar;
        static constexpr sinew::solver_level level = sinew::solver_level::position;
        sinew::body_adjacency<Env> adjacency;
        int wrong = 0, visited = 0;
        bool rebuilt = false;
        template <class P>
        sinew::solve_report<S> solve(P const& p, S const&) {
            rebuilt = !adjacency.is_current(p);
            adjacency.update(p);
            // By looking through all constraints.
            std::multiset<std::tuple<std::uint32_t, std::size_t, std::uint32_t, std::size_t>> expected, found;
            p.for_each_type([&](auto entries, auto t) {
                for (std::uint32_t e = 0; e < entries.size(); ++e) {
                    std::size_t a = 0;
                    sinew::for_each_attachment(entries[e], [&](auto kind, auto, std::uint32_t i) { expected.insert({p.node(kind, i), t, e, a++}); });
                }
            });
            for (std::uint32_t node = 0; node < p.node_count(); ++node) {
                auto const list = adjacency.constraints_of(node);
                wrong += std::is_sorted(list.begin(), list.end(), [](auto const& x, auto const& y) { return std::tie(x.type, x.entry) < std::tie(y.type, y.entry); }) ? 0 : 1;
                for (auto const& i : list) {
                    found.insert({node, i.type, i.entry, i.attachment});
                    sinew::body_adjacency<Env>::visit(p, i, [&](auto& entry, auto t, auto a) {
                        ++visited;
                        using A = sinew::attachments_t<typename std::remove_cvref_t<decltype(entry)>::constraint_type>;
                        bool const right = t == i.type && a == i.attachment && &entry == &std::get<t>(p.constraints)[i.entry] &&
                                           p.node(typename A::template kind<a>{}, entry.bodies[a]) == node;
                        wrong += right ? 0 : 1;
                    });
                }
            }
            wrong += expected == found ? 0 : 1;
            return {};
        }
    };
};
struct config : sinew::default_config {
    using scalar = double;
    using solver = observer;
};
struct static_config : config {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 24, .constraints = 40, .particles = 24}>;
};

template <class Config>
void change_at_random(unsigned seed) {
    SCOPED_TRACE(seed);
    sinew::world<Config, sinew::ball_joint, sinew::particle_distance, sinew::particle_body_distance> w;
    using world_type = decltype(w);
    std::mt19937 random(seed);
    std::vector<typename world_type::body_handle> bodies{w.ground()};
    std::vector<typename world_type::particle_handle> particles;
    auto const pick = [&](auto const& v) { return v[random() % v.size()]; };
    for (int i = 0; i < 400; ++i) {
        double const x = i * 3.0;
        bool const full = bodies.size() > 20 || particles.size() > 20;
        switch (random() % 8) {
            case 0:
                if (!full) {
                    sinew::rigid_body<double> b;
                    b.inertia = sinew::diagonal(0.1, 0.1, 0.1);
                    b.pose.position = {x, 0, 0};
                    bodies.push_back(w.add(b));
                }
                break;
            case 1:
                if (!full) particles.push_back(w.add(sinew::particle<double>{1, {x, 1, 0}, {}}));
                break;
            case 2:
            case 3:
                if (bodies.size() > 2) {
                    auto const a = pick(bodies), b = pick(bodies);
                    if (!(a == b) && w.template count<sinew::ball_joint<double>>() < 40) w.add(sinew::ball_joint<double>{}, a, b);
                }
                break;
            case 4:
                if (particles.size() > 2) {
                    auto const a = pick(particles), b = pick(particles);
                    if (!(a == b) && w.template count<sinew::particle_distance<double>>() < 40) w.add(sinew::particle_distance<double>{.length = 1}, a, b);
                }
                break;
            case 5:
                if (!particles.empty() && w.template count<sinew::particle_body_distance<double>>() < 40)
                    w.add(sinew::particle_body_distance<double>{.length = 1}, pick(particles), pick(bodies));
                break;
            case 6:
                if (bodies.size() > 3) {
                    std::size_t const k = 1 + random() % (bodies.size() - 1);
                    EXPECT_TRUE(w.remove(bodies[k]));
                    bodies.erase(bodies.begin() + static_cast<std::ptrdiff_t>(k));
                }
                break;
            default: break;
        }
        ASSERT_TRUE(w.step(1e-3));
        ASSERT_EQ(w.solver.wrong, 0) << i;
        ASSERT_TRUE(w.step(1e-3));
        ASSERT_FALSE(w.solver.rebuilt);
    }
    EXPECT_GT(w.solver.visited, 1000);
}

TEST(body_adjacency, is_what_a_search_finds_through_every_change) {
    for (unsigned seed : {1u, 2u, 3u}) {
        change_at_random<config>(seed);
        change_at_random<static_config>(seed);
    }
}
TEST(body_adjacency, of_a_copied_world_is_the_copys) {
    sinew::world<config, sinew::ball_joint> w;
    sinew::rigid_body<double> b;
    b.inertia = sinew::diagonal(0.1, 0.1, 0.1);
    auto const a = w.add(b);
    w.add(sinew::ball_joint<double>{}, w.ground(), a);
    ASSERT_TRUE(w.step(1e-3));
    auto copy = w;
    copy.add(sinew::ball_joint<double>{}, copy.ground(), copy.add(b));
    ASSERT_TRUE(copy.step(1e-3));
    ASSERT_TRUE(w.step(1e-3));
    copy = w;
    ASSERT_TRUE(copy.step(1e-3));
    EXPECT_EQ(copy.solver.wrong, 0);
    EXPECT_EQ(w.solver.wrong, 0);
}
TEST(body_adjacency, of_nothing_is_empty) {
    sinew::world<config> w;
    w.add(sinew::particle<double>{1, {0, 0, 0}, {}});
    ASSERT_TRUE(w.step(1e-3));
    EXPECT_EQ(w.solver.visited, 0);
}

}  // namespace
