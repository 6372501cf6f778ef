// Contacts that go on in lanes come to the bits of those that go on one by one, whatever the others in their lanes do.

#include <sinew/world/contact_continuing.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using namespace sinew;

template <class T, class Friction>
struct some_contacts {
    using S = T;
    using contact_type = contact_with<S, Friction>;
    struct entry {
        contact_type constraint{};
        vec<S, 3> lambda{};
    };
    std::vector<entry> entries;
};

template <class S>
struct numbers {
    std::uint32_t state = 1;
    S within(double most) {
        state = state * 1664525u + 1013904223u;
        return S((double(state >> 8) / 8388608.0 - 1.0) * most);
    }
    vec3<S> vector(double most) { return {within(most), within(most), within(most)}; }
    bool once_in(std::uint32_t n) {
        state = state * 1664525u + 1013904223u;
        return (state >> 16) % n == 0;
    }
};

template <class Set>
class contacts_in_lanes : public testing::Test {};
using sets = testing::Types<some_contacts<float, friction_cone>, some_contacts<float, friction_pyramid>, some_contacts<double, friction_cone>, some_contacts<double, friction_lagged>>;
TYPED_TEST_SUITE(contacts_in_lanes, sets);

// Contacts that stick, creep, slide, roll or have let go, side by side in every mixture.
TYPED_TEST(contacts_in_lanes, go_on_as_one_by_one) {
    using S = typename TypeParam::S;
    using contact = typename TypeParam::contact_type;
    numbers<S> random;
    TypeParam old, now;
    std::vector<frame<S>> a, b;
    std::vector<S> h;
    for (int k = 0; k < 1003; ++k) {
        auto const frame_near = [&](vec3<S> const& at) { return frame_of(pose<S>{at + random.vector(1e-3), quaternion_exp(random.vector(1.0))}); };
        a.push_back(frame_near({}));
        b.push_back(frame_near({S(0), S(1), S(0)}));
        h.push_back(random.once_in(5) ? S(1) / S(30) : S(1) / S(60));
        material<S> m;
        m.static_friction = S(0.6);
        m.dynamic_friction = S(0.5);
        if (random.once_in(6)) m.surface_velocity = {S(0.5), S(0), S(0)};
        S const round = random.once_in(3) ? S(0) : S(0.4);
        auto const made = [&](vec3<S> const& normal, vec3<S> const& shift) {
            vec3<S> const middle = vec3<S>{S(0), S(0.5), S(0)} + shift;
            return contact::at(a.back(), b.back(), middle, middle, normal, m, round, round);
        };
        bool const rolls = random.once_in(4), rests = random.once_in(3);
        vec3<S> const normal = normalize(vec3<S>{S(0), S(1), S(0)} + random.vector(0.05));
        auto was = made(normal, {});
        auto is = made(rests ? normal : normalize(normal + random.vector(0.02)), rests ? vec3<S>{} : random.vector(rolls ? 0.1 : 1e-4));
        was.slip = random.vector(random.once_in(2) ? 1e-5 : 1e-3);
        was.slides = random.once_in(3);
        was.pressing = random.within(10) + S(10);
        was.turning = random.vector(1);
        was.travel = random.vector(1);
        was.arm = was.arm + random.vector(0.01);
        S const push = random.once_in(5) ? S(random.once_in(2) ? 0 : -1e-6) : random.within(5) + S(6), share = random.once_in(2) ? S(0.3) : S(1.2);
        old.entries.push_back({was, {push, random.within(1) * push * share, random.within(1) * push * share}});
        now.entries.push_back({is, {}});
    }
    TypeParam singly = now, in_lanes = now;
    detail::contacts_continued_in_lanes<TypeParam> continued{};
    for (std::size_t k = 0; k < now.entries.size(); ++k) {
        detail::contacts_continued_singly<TypeParam>::add(singly, k, old.entries[k], a[k], b[k], h[k]);
        continued.add(in_lanes, k, old.entries[k], a[k], b[k], h[k]);
    }
    continued.finish(in_lanes);
    int slide = 0, stick = 0, apart = 0;
    for (std::size_t k = 0; k < now.entries.size(); ++k) {
        EXPECT_EQ(singly.entries[k].lambda, in_lanes.entries[k].lambda) << k;
        EXPECT_TRUE(singly.entries[k].constraint == in_lanes.entries[k].constraint) << k;
        auto const& c = singly.entries[k].constraint;
        (!(singly.entries[k].lambda[0] > S(0)) ? apart : c.slides ? slide : stick) += 1;
    }
    // All three have been tried.
    EXPECT_GT(slide, 50);
    EXPECT_GT(stick, 50);
    EXPECT_GT(apart, 50);
}

}  // namespace
