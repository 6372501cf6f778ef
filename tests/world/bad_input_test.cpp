// Bad input: each is refused with one sentence that names the offending value, and the world stays as it was. Run under
// every error policy, scalar and representation of rotations.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using sinew::errc;
using sinew::vec3;

// ---- what a world may hold here

template <class S>
using soft_ball = sinew::soft_joint<S, sinew::ball_joint>;

// A user's constraint and forces that check nothing themselves.
template <class S>
struct own_rod {
    static constexpr std::size_t rows = 1;
    S length{1};
    S give{0};
    S loss{0};
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.position - b.position) - length; }
    constexpr S compliance() const { return give; }
    constexpr S damping() const { return loss; }
    friend constexpr bool operator==(own_rod const&, own_rod const&) = default;
};
// A push that grows without bound toward a moment.
template <class S>
struct own_wind {
    vec3<S> push{S(0), S(0), S(0)};
    S moment{10};  // s
    constexpr sinew::wrench<S> wrench_on(auto const&, S const& t) const { return {push / (moment - t), {S(0), S(0), S(0)}}; }
    friend constexpr bool operator==(own_wind const&, own_wind const&) = default;
};

// ---- error policies

std::vector<std::string> calls;  // sentences that the handler has been called with
struct note_call {
    void operator()(sinew::error const& e) const { calls.emplace_back(sinew::error_text(e).c_str()); }
};
using call_errors = sinew::call_errors<note_call>;

template <class S, template <class> class R, class Errors, class Solver = sinew::nonlinear_gauss_seidel, class Integrator = sinew::symplectic_euler>
struct config_of : sinew::default_config {
    using scalar = S;
    template <class T>
    using rotation = R<T>;
    using errors = Errors;
    using solver = Solver;
    using integrator = Integrator;
};

// What a bad parameter is refused for: its value, or that it has none.
errc code_of(std::string const& sentence) {
    return sentence.ends_with("NaN") || sentence.ends_with("infinity") || sentence.ends_with("not finite here") ? errc::not_finite : errc::invalid_parameter;
}

// Calls f, which is to be refused with this sentence: by an exception, or with nothing, or with nothing after a call.
// `same` says how much of the sentence is given.
enum class same { all, beginning };
template <class Errors, class F>
void expect_refusal(F&& f, std::string const& sentence, same how = same::all) {
    auto const matches = [&](std::string const& got) { return how == same::all ? got == sentence : got.substr(0, sentence.size()) == sentence; };
    calls.clear();
    if constexpr (std::is_same_v<Errors, sinew::throw_errors>) {
        try {
            (void)f();
            ADD_FAILURE() << "accepted, instead of: " << sentence;
        } catch (std::invalid_argument const& e) {
            EXPECT_TRUE(matches(e.what())) << e.what() << "\ninstead of\n" << sentence;
        }
        EXPECT_TRUE(calls.empty());
    } else {
        auto const result = f();
        EXPECT_FALSE(static_cast<bool>(result)) << sentence;
        if constexpr (std::is_same_v<Errors, call_errors>) {
            ASSERT_EQ(calls.size(), 1u) << sentence;
            EXPECT_TRUE(matches(calls[0])) << calls[0] << "\ninstead of\n" << sentence;
        } else {
            EXPECT_TRUE(calls.empty());
        }
    }
}

std::string number_text(long double x) {
    return std::string(sinew::error_text({errc::none, "", "", static_cast<double>(x), true}).c_str()).substr(sizeof("sinew:   , but is ") - 2);
}

// A small world with something of everything in it, and a copy to compare it with.
template <class Config>
struct scene {
    using S = typename Config::scalar;
    using R = typename Config::template rotation<S>;
    using errors = typename Config::errors;
    using world_type = sinew::world<Config, sinew::ball_joint, sinew::hinge_joint, sinew::distance, sinew::particle_distance, sinew::particle_pin, sinew::gear,
                                    soft_ball, own_rod, sinew::spring, sinew::particle_spring, sinew::point_gravity, own_wind>;
    using body_handle = typename world_type::body_handle;
    using particle_handle = typename world_type::particle_handle;

    static constexpr S nan = std::numeric_limits<S>::quiet_NaN();
    static constexpr S inf = std::numeric_limits<S>::infinity();
    static constexpr S not_finite[] = {nan, inf, -inf};
    static constexpr vec3<S> zero{S(0), S(0), S(0)};

    scene() {
        a = w.add(body_at(0));
        b = w.add(body_at(1));
        p = w.add(sinew::particle<S>{});
        q = w.add(sinew::particle<S>{S(1), {S(0), S(1), S(0)}, {}});
        joint = w.add(sinew::ball_joint<S>{{S(0.5), S(0), S(0)}, {S(-0.5), S(0), S(0)}}, a, b);
        pull = w.add(sinew::spring<S>{}, a, b);
        field = w.add(sinew::point_gravity<S>{});
        w.set_twist(b, {{S(0), S(0), S(1)}, {S(0), S(1), S(0)}});
        EXPECT_TRUE(w.step(S(1) / S(64)));
        w.apply_force(a, {S(1), S(2), S(3)}, zero);  // forces that wait for the next step are part of the world too
        w.apply_force(p, {S(1), S(2), S(3)});
        before.emplace(w);
    }

    static sinew::rigid_body<S, R> body_at(double x) {
        sinew::rigid_body<S, R> r;
        r.inertia = sinew::diagonal(S(0.25), S(0.5), S(0.5));
        r.pose.position = {S(x), S(0), S(0)};
        return r;
    }
    // A vector with x in place k.
    static vec3<S> with(std::size_t k, S x) {
        vec3<S> v{S(1), S(2), S(3)};
        v[k] = x;
        return v;
    }

    // f() is a call that changes the world: refused, told by last_error(), and the world as before.
    template <class F>
    void refuses(F&& f, errc code, std::string const& sentence, same how = same::all) {
        expect_refusal<errors>(f, sentence, how);
        EXPECT_EQ(w.last_error().code, code) << sentence;
        std::string const last = sinew::error_text(w.last_error()).c_str();
        EXPECT_TRUE(how == same::all ? last == sentence : last.substr(0, sentence.size()) == sentence) << last << "\ninstead of\n" << sentence;
        EXPECT_TRUE(w == *before) << sentence;
    }
    // f() is a call that reads: refused, or a default value.
    template <class F, class T>
    void reads_nothing(F&& f, T const& nothing, std::string const& sentence) {
        expect_refusal<errors>(
            [&] {
                EXPECT_EQ(f(), nothing) << sentence;
                return false;
            },
            sentence);
        EXPECT_TRUE(w == *before) << sentence;
    }
    // Neither adding nor setting takes these parameters.
    template <class C, class... H>
    void refuses_parameters(C const& good, C const& bad, std::string const& sentence, H const&... bodies) {
        errc const code = code_of(sentence);
        auto const h = w.add(good, bodies...);
        before.emplace(w);
        refuses([&] { return w.add(bad, bodies...); }, code, sentence);
        refuses([&] { return w.set(h, bad); }, code, sentence);
        EXPECT_EQ(w.get(h), good);
        w.remove(h);
        before.emplace(w);
    }

    world_type w;
    std::optional<world_type> before;
    body_handle a, b;
    particle_handle p, q;
    sinew::handle<sinew::ball_joint<S>> joint;
    sinew::handle<sinew::spring<S>> pull;
    sinew::handle<sinew::point_gravity<S>> field;
};

using configs = testing::Types<config_of<double, sinew::quaternion, sinew::throw_errors>, config_of<float, sinew::rotation_matrix, sinew::null_errors>,
                               config_of<double, sinew::rotation_vector, call_errors>>;
template <class Config>
class bad_input : public testing::Test {};
TYPED_TEST_SUITE(bad_input, configs);

// ---- bodies

TYPED_TEST(bad_input, masses) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const refuse_mass = [&](S mass, errc code, std::string const& sentence) {
        auto body = self::body_at(3);
        body.mass = mass;
        here.refuses([&] { return w.add(body); }, code, sentence);
        here.refuses([&] { return w.add(sinew::particle<S>{mass, {}, {}}); }, code, sentence);
    };
    refuse_mass(S(0), errc::not_positive, "sinew: mass must be positive, but is 0");
    refuse_mass(S(-0.0), errc::not_positive, "sinew: mass must be positive, but is 0");
    refuse_mass(S(-2.5), errc::not_positive, "sinew: mass must be positive, but is -2.5");
    refuse_mass(self::nan, errc::not_finite, "sinew: mass must be finite, but is NaN");
    refuse_mass(self::inf, errc::not_finite, "sinew: mass must be finite, but is infinity");
    refuse_mass(-self::inf, errc::not_finite, "sinew: mass must be finite, but is -infinity");
    S const tiny = std::numeric_limits<S>::denorm_min();
    refuse_mass(tiny, errc::not_positive, "sinew: mass must not be so small that its inverse is infinite, but is " + number_text(tiny));
}

TYPED_TEST(bad_input, inertias) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const refuse_inertia = [&](sinew::sym3<S> const& inertia, errc code, std::string const& sentence, same how = same::all) {
        auto body = self::body_at(3);
        body.inertia = inertia;
        here.refuses([&] { return w.add(body); }, code, sentence, how);
    };
    for (S const x : self::not_finite)
        for (int k = 0; k < 6; ++k) {
            sinew::sym3<S> I = sinew::diagonal(S(1), S(1), S(1));
            (k == 0 ? I.xx : k == 1 ? I.yy : k == 2 ? I.zz : k == 3 ? I.xy : k == 4 ? I.xz : I.yz) = x;
            refuse_inertia(I, errc::not_finite, "sinew: inertia must be finite, but is " + number_text(x));
        }
    std::string const definite = "sinew: inertia must be positive definite; its smallest principal moment is ";
    refuse_inertia(sinew::diagonal(S(0), S(0), S(0)), errc::invalid_inertia, definite + "0");
    refuse_inertia(sinew::diagonal(S(1), S(1), S(0)), errc::invalid_inertia, definite + "0");
    refuse_inertia(sinew::diagonal(S(1), S(-1), S(1)), errc::invalid_inertia, definite + "-1");
    refuse_inertia(sinew::diagonal(S(-1), S(-1), S(1)), errc::invalid_inertia, definite + "-1");  // its determinant is positive
    refuse_inertia(sinew::diagonal(S(-1), S(-1), S(-1)), errc::invalid_inertia, definite + "-1");
    refuse_inertia({S(1), S(1), S(1), S(2), S(0), S(0)}, errc::invalid_inertia, definite + "-1");
    refuse_inertia({S(1), S(1), S(1), S(0), S(2), S(0)}, errc::invalid_inertia, definite + "-1");
    refuse_inertia({S(1), S(1), S(1), S(0), S(0), S(2)}, errc::invalid_inertia, definite + "-1");
    refuse_inertia({S(1), S(1), S(1), S(1), S(1), S(1)}, errc::invalid_inertia, definite, same::beginning);  // rank 1

    std::string const triangle = "sinew: inertia cannot be that of a body: no principal moment may exceed the sum of the other two; the excess is ";
    refuse_inertia(sinew::diagonal(S(1), S(1), S(2.5)), errc::invalid_inertia, triangle + "0.5");
    refuse_inertia(sinew::diagonal(S(5), S(1), S(2)), errc::invalid_inertia, triangle + "2");
    refuse_inertia(sinew::diagonal(S(1), S(1), S(2.001)), errc::invalid_inertia, triangle, same::beginning);
    auto const turned = sinew::rotation_exp<sinew::quaternion<S>>({S(0.3), S(-1.1), S(0.7)});
    refuse_inertia(sinew::congruence(to_matrix(turned), sinew::diagonal(S(1), S(1), S(2.5))), errc::invalid_inertia, triangle, same::beginning);

    S const tiny = std::numeric_limits<S>::denorm_min();
    refuse_inertia(sinew::diagonal(tiny, tiny, tiny), errc::invalid_inertia, "sinew: inertia must", same::beginning);
}

// What is at the edge of the possible is possible.
TYPED_TEST(bad_input, inertias_that_are_none_of_it) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const accept = [&](sinew::sym3<S> const& inertia) {
        auto body = self::body_at(3);
        body.inertia = inertia;
        EXPECT_TRUE(w.add(body)) << sinew::error_text(w.last_error()).c_str();
    };
    accept(sinew::diagonal(S(1), S(1), S(2)));       // a flat disc
    accept(sinew::diagonal(S(1e-5), S(1), S(1)));    // a thin rod
    for (double size : {1e-14, 1e-7, 1e7, 1e14}) {   // a grain of sand, an asteroid: determinants of 1e-42 and 1e42
        S const s = static_cast<S>(size);
        accept(s * sinew::diagonal(S(1), S(2), S(2.5)));
        auto const turned = sinew::rotation_exp<sinew::quaternion<S>>({S(0.3), S(-1.1), S(0.7)});
        accept(sinew::congruence(to_matrix(turned), s * sinew::diagonal(S(1), S(2), S(2.5))));
    }
    EXPECT_TRUE(w.step(S(1) / S(64)));
}

template <class S>
std::vector<sinew::quaternion<S>> no_rotations(sinew::quaternion<S>) {
    return {{S(1), S(0.1), S(0), S(0)}, {S(0), S(0), S(0), S(0)}, {S(2), S(0), S(0), S(0)}, {S(0.99), S(0), S(0), S(0)}, {S(0.5), S(0.5), S(0.5), S(0.4)}};
}
template <class S>
std::vector<sinew::rotation_matrix<S>> no_rotations(sinew::rotation_matrix<S>) {
    auto const of = [](S xx, S xy, S yx, S yy, S zz) { return sinew::rotation_matrix<S>{{xx, xy, S(0), yx, yy, S(0), S(0), S(0), zz}}; };
    return {of(S(0), S(0), S(0), S(0), S(0)),    of(S(1.01), S(0), S(0), S(1), S(1)),   // nothing; stretched
            of(S(1), S(0.1), S(0), S(1), S(1)),  of(S(1), S(0), S(0), S(1), S(-1)),     // sheared; mirrored
            of(S(-1), S(0), S(0), S(-1), S(-1)), of(S(1e30), S(0), S(0), S(1), S(1))};  // turned inside out; huge
}
template <class S>
std::vector<sinew::rotation_vector<S>> no_rotations(sinew::rotation_vector<S>) {
    return {{{S(3.2), S(0), S(0)}}, {{S(2), S(2), S(2)}}, {{S(0), S(-10), S(0)}}, {{S(0), S(0), S(1e30)}}};
}

TYPED_TEST(bad_input, rotations) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    using R = typename scene<TypeParam>::R;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const a = here.a;
    auto const refuse_rotation = [&](R const& r, errc code, std::string const& sentence, same how = same::all) {
        auto body = self::body_at(3);
        body.pose.rotation = r;
        here.refuses([&] { return w.add(body); }, code, sentence, how);
        here.refuses([&] { return w.add_fixed(body.pose); }, code, sentence, how);
        here.refuses([&] { return w.set_pose(a, body.pose); }, code, sentence, how);
    };
    for (R const& r : no_rotations(R{}))
        refuse_rotation(r, errc::not_a_rotation, "sinew: rotation must be a rotation (unit quaternion, orthonormal matrix, |vector| <= pi); its deviation is ",
                        same::beginning);
    for (std::size_t k = 0; k < R::dimension; ++k)
        for (S const x : self::not_finite) {
            R r = R::identity();
            r.set_coordinate(k, x);
            refuse_rotation(r, errc::not_finite, "sinew: rotation must be finite, but is " + number_text(x));
        }
}

TYPED_TEST(bad_input, positions) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const a = here.a;
    auto const p = here.p;
    for (std::size_t k = 0; k < 3; ++k)
        for (S const x : self::not_finite) {
            vec3<S> const v = self::with(k, x);
            auto body = self::body_at(0);
            body.pose.position = v;
            std::string const sentence = "sinew: position must be finite, but is " + number_text(x);
            here.refuses([&] { return w.add(body); }, errc::not_finite, sentence);
            here.refuses([&] { return w.add_fixed(body.pose); }, errc::not_finite, sentence);
            here.refuses([&] { return w.add(sinew::particle<S>{S(1), v, {}}); }, errc::not_finite, sentence);
            here.refuses([&] { return w.add_fixed_particle(v); }, errc::not_finite, sentence);
            here.refuses([&] { return w.set_pose(a, body.pose); }, errc::not_finite, sentence);
            here.refuses([&] { return w.set_position(p, v); }, errc::not_finite, sentence);
        }
}

TYPED_TEST(bad_input, velocities) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const a = here.a;
    auto const p = here.p;
    for (std::size_t k = 0; k < 3; ++k)
        for (S const x : self::not_finite) {
            vec3<S> const v = self::with(k, x);
            for (bool angular : {false, true}) {
                auto body = self::body_at(3);
                (angular ? body.twist.angular : body.twist.linear) = v;
                std::string const sentence = std::string("sinew: ") + (angular ? "angular" : "linear") + " velocity must be finite, but is " + number_text(x);
                here.refuses([&] { return w.add(body); }, errc::not_finite, sentence);
                here.refuses([&] { return w.add_fixed(body.pose, body.twist); }, errc::not_finite, sentence);
                here.refuses([&] { return w.set_twist(a, body.twist); }, errc::not_finite, sentence);
            }
            std::string const sentence = "sinew: velocity must be finite, but is " + number_text(x);
            here.refuses([&] { return w.add(sinew::particle<S>{S(1), {}, v}); }, errc::not_finite, sentence);
            here.refuses([&] { return w.set_velocity(p, v); }, errc::not_finite, sentence);
        }
}

TYPED_TEST(bad_input, applied_forces) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const a = here.a;
    auto const p = here.p;
    for (std::size_t k = 0; k < 3; ++k)
        for (S const x : self::not_finite) {
            vec3<S> const v = self::with(k, x);
            here.refuses([&] { return w.apply_force(a, v, self::zero); }, errc::not_finite, "sinew: force must be finite, but is " + number_text(x));
            here.refuses([&] { return w.apply_force(a, self::zero, v); }, errc::not_finite, "sinew: point must be finite, but is " + number_text(x));
            here.refuses([&] { return w.apply_wrench(a, {v, self::zero}); }, errc::not_finite, "sinew: force must be finite, but is " + number_text(x));
            here.refuses([&] { return w.apply_wrench(a, {self::zero, v}); }, errc::not_finite, "sinew: torque must be finite, but is " + number_text(x));
            here.refuses([&] { return w.apply_force(p, v); }, errc::not_finite, "sinew: force must be finite, but is " + number_text(x));
        }
    // Finite one by one, but not their sum: this world could never step again.
    S const most = std::numeric_limits<S>::max();
    vec3<S> const huge{most, S(0), S(0)};
    here.refuses([&] { return w.apply_force(a, huge, {S(0), S(2), S(0)}); }, errc::not_finite, "sinew: sum of the applied torques must be finite, but is -infinity");
    w.apply_wrench(a, {huge, huge});
    w.apply_force(p, huge);
    here.before.emplace(w);
    here.refuses([&] { return w.apply_wrench(a, {huge, self::zero}); }, errc::not_finite, "sinew: sum of the applied forces must be finite, but is infinity");
    here.refuses([&] { return w.apply_wrench(a, {self::zero, huge}); }, errc::not_finite, "sinew: sum of the applied torques must be finite, but is infinity");
    here.refuses([&] { return w.apply_force(p, huge); }, errc::not_finite, "sinew: sum of the applied forces must be finite, but is infinity");
}

// ---- the ground

TYPED_TEST(bad_input, the_ground) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    here.refuses([&] { return w.remove(w.ground()); }, errc::invalid_parameter, "sinew: ground cannot be removed");
    here.refuses([&] { return w.set_pose(w.ground(), {}); }, errc::invalid_parameter, "sinew: ground cannot be changed");
    here.refuses([&] { return w.set_twist(w.ground(), {}); }, errc::invalid_parameter, "sinew: ground cannot be changed");
    // A force on the ground moves nothing, in a world without bodies too.
    typename self::world_type empty;
    EXPECT_TRUE(empty.apply_force(empty.ground(), {S(1), S(2), S(3)}, self::zero));
    EXPECT_TRUE(empty.step(S(1) / S(64)));
    EXPECT_EQ(empty.position(empty.ground()), self::zero);
}

// ---- handles

TYPED_TEST(bad_input, handles_of_bodies) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    using R = typename scene<TypeParam>::R;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const a = here.a, b = here.b;
    auto const p = here.p;
    using handle = typename self::body_handle;
    typename self::world_type other;
    for (int i = 0; i < 3; ++i) other.add(self::body_at(i));
    auto const foreign = other.add(self::body_at(9));
    auto const dead = w.add(self::body_at(2));
    auto const reused = w.add(self::body_at(3));
    w.remove(dead);
    w.remove(reused);
    auto const heir = w.add(self::body_at(4));
    ASSERT_EQ(heir.index, reused.index);
    auto beyond = a;
    beyond.index = 1000;
    here.before.emplace(w);

    struct bad {
        handle h;
        errc code;
        char const* says;
    };
    for (auto const& [h, code, says] : {bad{handle{}, errc::dead_handle, "is null: it names nothing"}, bad{foreign, errc::foreign_handle, "belongs to another world"},
                                        bad{dead, errc::dead_handle, "is dead: what it named has been removed"},
                                        bad{reused, errc::dead_handle, "is dead: what it named has been removed"},
                                        bad{beyond, errc::dead_handle, "is dead: what it named has been removed"}}) {
        auto const& bad_handle = h;
        std::string const sentence = std::string("sinew: body handle ") + says;
        EXPECT_FALSE(w.contains(bad_handle)) << sentence;
        here.refuses([&] { return w.remove(bad_handle); }, code, sentence);
        here.refuses([&] { return w.set_pose(bad_handle, {}); }, code, sentence);
        here.refuses([&] { return w.set_twist(bad_handle, {}); }, code, sentence);
        here.refuses([&] { return w.apply_force(bad_handle, self::zero, self::zero); }, code, sentence);
        here.refuses([&] { return w.apply_wrench(bad_handle, {}); }, code, sentence);
        here.refuses([&] { return w.add(sinew::ball_joint<S>{}, bad_handle, a); }, code, sentence);
        here.refuses([&] { return w.add(sinew::ball_joint<S>{}, a, bad_handle); }, code, sentence);
        here.refuses([&] { return w.add(sinew::ball_joint<S>{}, bad_handle, bad_handle); }, code, sentence);
        here.refuses([&] { return w.add(sinew::particle_pin<S>{}, p, bad_handle); }, code, sentence);
        here.refuses([&] { return w.add(sinew::gear<S>{}, a, b, bad_handle); }, code, sentence);
        here.refuses([&] { return w.add(sinew::spring<S>{}, a, bad_handle); }, code, sentence);
        here.reads_nothing([&] { return w.pose(bad_handle); }, typename self::world_type::pose_type{}, sentence);
        here.reads_nothing([&] { return w.twist(bad_handle); }, sinew::twist<S>{}, sentence);
        here.reads_nothing([&] { return w.position(bad_handle); }, self::zero, sentence);
        here.reads_nothing([&] { return w.body(bad_handle); }, sinew::rigid_body<S, R>{}, sentence);
        here.reads_nothing([&] { return w.is_movable(bad_handle); }, false, sentence);
    }
    EXPECT_TRUE(w.contains(heir));
}

TYPED_TEST(bad_input, handles_of_particles) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const a = here.a;
    auto const p = here.p;
    using handle = typename self::particle_handle;
    typename self::world_type other;
    auto const foreign = other.add(sinew::particle<S>{});
    auto const dead = w.add(sinew::particle<S>{});
    auto const reused = w.add(sinew::particle<S>{});
    w.remove(dead);
    w.remove(reused);
    auto const heir = w.add_fixed_particle(self::zero);
    ASSERT_EQ(heir.index, reused.index);
    auto beyond = p;
    beyond.index = 1000;
    here.before.emplace(w);

    struct bad {
        handle h;
        errc code;
        char const* says;
    };
    for (auto const& [h, code, says] : {bad{handle{}, errc::dead_handle, "is null: it names nothing"}, bad{foreign, errc::foreign_handle, "belongs to another world"},
                                        bad{dead, errc::dead_handle, "is dead: what it named has been removed"},
                                        bad{reused, errc::dead_handle, "is dead: what it named has been removed"},
                                        bad{beyond, errc::dead_handle, "is dead: what it named has been removed"}}) {
        auto const& bad_handle = h;
        std::string const sentence = std::string("sinew: particle handle ") + says;
        EXPECT_FALSE(w.contains(bad_handle)) << sentence;
        here.refuses([&] { return w.remove(bad_handle); }, code, sentence);
        here.refuses([&] { return w.set_position(bad_handle, self::zero); }, code, sentence);
        here.refuses([&] { return w.set_velocity(bad_handle, self::zero); }, code, sentence);
        here.refuses([&] { return w.apply_force(bad_handle, self::zero); }, code, sentence);
        here.refuses([&] { return w.add(sinew::particle_distance<S>{}, bad_handle, p); }, code, sentence);
        here.refuses([&] { return w.add(sinew::particle_distance<S>{}, p, bad_handle); }, code, sentence);
        here.refuses([&] { return w.add(sinew::particle_pin<S>{}, bad_handle, a); }, code, sentence);
        here.refuses([&] { return w.add(sinew::particle_spring<S>{}, p, bad_handle); }, code, sentence);
        here.reads_nothing([&] { return w.position(bad_handle); }, self::zero, sentence);
        here.reads_nothing([&] { return w.velocity(bad_handle); }, self::zero, sentence);
        here.reads_nothing([&] { return w.body(bad_handle); }, sinew::particle<S>{}, sentence);
    }
    EXPECT_TRUE(w.contains(heir));
}

TYPED_TEST(bad_input, handles_of_constraints_and_forces) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const a = here.a, b = here.b;
    // Null, foreign, dead, reused and beyond the last, of one type of thing, which `make` adds to a world.
    auto const each_bad = [&](auto const& make, auto const& use) {
        typename self::world_type other = w;  // a copy has the same tag: its own world is needed
        typename self::world_type stranger;
        auto const sa = stranger.add(self::body_at(0)), sb = stranger.add(self::body_at(1));
        auto const foreign = make(stranger, sa, sb);
        auto const dead = make(w, a, b), reused = make(w, a, b);
        w.remove(dead);
        w.remove(reused);
        auto const heir = make(w, a, b);
        EXPECT_EQ(heir.index, reused.index);
        auto beyond = heir;
        beyond.index = 1000;
        here.before.emplace(w);
        std::string const name = "sinew: constraint or force handle ";
        use(std::remove_const_t<decltype(dead)>{}, errc::dead_handle, name + "is null: it names nothing");
        use(foreign, errc::foreign_handle, name + "belongs to another world");
        for (auto const& h : {dead, reused, beyond}) use(h, errc::dead_handle, name + "is dead: what it named has been removed");
        EXPECT_TRUE(w.contains(heir));
    };
    each_bad([](auto& world, auto const& x, auto const& y) { return world.add(sinew::ball_joint<S>{}, x, y); },
             [&](auto const& h, errc code, std::string const& sentence) {
                 using C = sinew::ball_joint<S>;
                 EXPECT_FALSE(w.contains(h)) << sentence;
                 here.refuses([&] { return w.remove(h); }, code, sentence);
                 here.refuses([&] { return w.set(h, C{}); }, code, sentence);
                 here.refuses([&] { return w.set_break_threshold(h, S(1)); }, code, sentence);
                 here.reads_nothing([&] { return w.get(h); }, C{}, sentence);
                 here.reads_nothing([&] { return w.multipliers(h); }, self::zero, sentence);
                 here.reads_nothing([&] { return w.error_of(h); }, self::zero, sentence);
                 here.reads_nothing([&] { return w.wrench_on(h, 0); }, sinew::wrench<S>{}, sentence);
             });
    each_bad([](auto& world, auto const& x, auto const& y) { return world.add(sinew::spring<S>{}, x, y); },
             [&](auto const& h, errc code, std::string const& sentence) {
                 EXPECT_FALSE(w.contains(h)) << sentence;
                 here.refuses([&] { return w.remove(h); }, code, sentence);
                 here.refuses([&] { return w.set(h, sinew::spring<S>{}); }, code, sentence);
                 here.reads_nothing([&] { return w.get(h); }, sinew::spring<S>{}, sentence);
             });
    each_bad([](auto& world, auto const&, auto const&) { return world.add(sinew::point_gravity<S>{}); },
             [&](auto const& h, errc code, std::string const& sentence) {
                 EXPECT_FALSE(w.contains(h)) << sentence;
                 here.refuses([&] { return w.remove(h); }, code, sentence);
                 here.refuses([&] { return w.set(h, sinew::point_gravity<S>{}); }, code, sentence);
                 here.reads_nothing([&] { return w.get(h); }, sinew::point_gravity<S>{}, sentence);
             });
}

// A world at the place of an earlier one is another world.
TYPED_TEST(bad_input, handles_of_a_world_that_has_ended) {
    using self = scene<TypeParam>;
    using world = typename self::world_type;
    std::optional<world> w(std::in_place);
    auto const a = w->add(self::body_at(0));
    w.emplace();
    auto const b = w->add(self::body_at(0));
    ASSERT_EQ(a.index, b.index);
    EXPECT_FALSE(w->contains(a));
    EXPECT_TRUE(w->contains(b));
    expect_refusal<typename self::errors>([&] { return w->remove(a); }, "sinew: body handle belongs to another world");
}

// The handle of a joint outlives its bodies, and a body's handle the joint.
TYPED_TEST(bad_input, handle_of_a_joint_whose_body_has_been_removed) {
    scene<TypeParam> here;
    auto& w = here.w;
    auto const b = here.b;
    w.remove(b);
    here.before.emplace(w);
    here.refuses([&] { return w.remove(here.joint); }, errc::dead_handle, "sinew: constraint or force handle is dead: what it named has been removed");
    here.refuses([&] { return w.remove(here.pull); }, errc::dead_handle, "sinew: constraint or force handle is dead: what it named has been removed");
    EXPECT_TRUE(w.contains(here.field));
}

TYPED_TEST(bad_input, attachment_that_a_constraint_has_not) {
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    here.reads_nothing([&] { return w.wrench_on(here.joint, 2); }, sinew::wrench<S>{}, "sinew: index of an attachment must be below their number, but is 2");
}

TYPED_TEST(bad_input, body_bound_to_itself) {
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const a = here.a, b = here.b;
    auto const p = here.p, q = here.q;
    char const* const sentence = "sinew: bodies of a constraint or force must be different bodies, not the same one twice";
    here.refuses([&] { return w.add(sinew::ball_joint<S>{}, a, a); }, errc::self_binding, sentence);
    here.refuses([&] { return w.add(sinew::ball_joint<S>{}, w.ground(), w.ground()); }, errc::self_binding, sentence);
    here.refuses([&] { return w.add(sinew::particle_distance<S>{}, p, p); }, errc::self_binding, sentence);
    here.refuses([&] { return w.add(sinew::gear<S>{}, a, b, a); }, errc::self_binding, sentence);
    here.refuses([&] { return w.add(sinew::gear<S>{}, a, b, b); }, errc::self_binding, sentence);
    here.refuses([&] { return w.add(sinew::spring<S>{}, b, b); }, errc::self_binding, sentence);
    here.refuses([&] { return w.add(sinew::particle_spring<S>{}, q, q); }, errc::self_binding, sentence);
    // A body and a particle in slots of the same number are two things.
    ASSERT_EQ(q.index, a.index);
    EXPECT_TRUE(w.add(sinew::particle_pin<S>{}, q, a));
}

// ---- parameters, when added and when set later

TYPED_TEST(bad_input, anchors) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto const a = here.a, b = here.b;
    auto const p = here.p;
    for (std::size_t k = 0; k < 3; ++k)
        for (S const x : self::not_finite) {
            vec3<S> const v = self::with(k, x);
            std::string const value = number_text(x);
            here.refuses_parameters(sinew::ball_joint<S>{}, {v, {}}, "sinew: anchor_a must be finite, but is " + value, a, b);
            here.refuses_parameters(sinew::ball_joint<S>{}, {{}, v}, "sinew: anchor_b must be finite, but is " + value, a, b);
            here.refuses_parameters(sinew::particle_pin<S>{}, {{}, v}, "sinew: anchor_b must be finite, but is " + value, p, b);
            sinew::hinge_joint<S> hinge{};
            hinge.point.anchor_b = v;
            here.refuses_parameters({}, hinge, "sinew: anchor_b must be finite, but is " + value, a, b);
            soft_ball<S> soft{};
            soft.joint.anchor_a = v;
            here.refuses_parameters({}, soft, "sinew: anchor_a must be finite, but is " + value, a, b);
            sinew::spring<S> spring{};
            spring.anchor_a = v;
            here.refuses_parameters({}, spring, "sinew: anchor_a must be finite, but is " + value, a, b);
        }
}

TYPED_TEST(bad_input, axes) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const a = here.a, b = here.b;
    std::string const sentence = " must have length 1 (its maker `at` normalises); its length is ";
    auto const refuse_axis = [&](vec3<S> const& axis, std::string const& length) {
        sinew::hinge_joint<S> hinge{};
        hinge.axes.axis_a = axis;
        here.refuses_parameters({}, hinge, "sinew: axis_a" + sentence + length, a, b);
        hinge = {};
        hinge.axes.axis_b = axis;
        here.refuses_parameters({}, hinge, "sinew: axis_b" + sentence + length, a, b);
    };
    refuse_axis({S(0), S(0), S(0)}, "0");
    refuse_axis({S(0), S(2), S(0)}, "2");
    refuse_axis({S(0), S(0.5), S(0)}, "0.5");
    refuse_axis({self::nan, S(0), S(1)}, "NaN");
    refuse_axis({S(0), self::inf, S(0)}, "infinity");
    refuse_axis({S(0), S(0), -self::inf}, "infinity");
    // Made from a zero axis, the joint has one: `at` cannot normalise it.
    here.refuses([&] { return w.add(sinew::hinge_joint<S>::at(w.pose(a), w.pose(b), self::zero, self::zero), a, b); }, errc::invalid_parameter,
                  "sinew: axis_a" + sentence + "0");
}

TYPED_TEST(bad_input, lengths_and_other_numbers) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const a = here.a, b = here.b;
    auto const p = here.p, q = here.q;
    auto const rod = [](S length) { return sinew::distance<S>{{}, {}, length}; };
    std::string const nonnegative = " must be finite and not negative, but is ";
    for (S const x : {self::nan, self::inf, -self::inf, S(-1)}) {
        std::string const value = number_text(x);
        here.refuses_parameters(rod(S(1)), rod(x), "sinew: length" + nonnegative + value, a, b);
        here.refuses_parameters(sinew::particle_distance<S>{}, {{}, {}, x}, "sinew: length" + nonnegative + value, p, q);
        for (int k = 0; k < 3; ++k) {
            sinew::spring<S> spring{};
            (k == 0 ? spring.rest_length : k == 1 ? spring.stiffness : spring.damping) = x;
            char const* const names[] = {"rest_length", "stiffness", "damping"};
            here.refuses_parameters({}, spring, "sinew: " + std::string(names[k]) + nonnegative + value, a, b);
            soft_ball<S> soft{};
            soft.row_compliance[static_cast<std::size_t>(k)] = x;
            here.refuses_parameters({}, soft, "sinew: compliance" + nonnegative + value, a, b);
            soft = {};
            soft.row_damping[static_cast<std::size_t>(k)] = x;
            here.refuses_parameters({}, soft, "sinew: damping" + nonnegative + value, a, b);
        }
        here.refuses_parameters(sinew::point_gravity<S>{}, {{}, S(1), x}, "sinew: softening" + nonnegative + value);
        // A constraint without a check of its own: what it says of itself is checked.
        here.refuses_parameters(own_rod<S>{}, {S(1), x, S(0)}, "sinew: compliance" + nonnegative + value, a, b);
        here.refuses_parameters(own_rod<S>{}, {S(1), S(0), x}, "sinew: damping" + nonnegative + value, a, b);
    }
    // ... and what it yields.
    for (S const x : self::not_finite)
        here.refuses_parameters(own_rod<S>{}, {x, S(0), S(0)}, "sinew: constraint must have finite parameters: its error or Jacobian is not finite here", a, b);
    for (int teeth : {0, -3}) {
        sinew::gear<S> gear{};
        gear.teeth_a = teeth;
        auto const c = w.add_fixed({});
        here.before.emplace(w);
        here.refuses_parameters({}, gear, "sinew: teeth_a must be a positive number of teeth, but is " + std::to_string(teeth), a, b, c);
    }
}

TYPED_TEST(bad_input, thresholds) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    for (S const x : {S(0), S(-1), self::nan, -self::inf}) {
        here.refuses([&] { return w.set_break_threshold(here.joint, x); }, errc::not_positive, "sinew: break force must be positive, but is " + number_text(x));
        here.refuses([&] { return w.set_break_threshold(here.joint, S(1), x); }, errc::not_positive,
                      "sinew: break torque must be positive, but is " + number_text(x));
    }
}

// A force that checks nothing itself: what it yields is checked when it is added or set, and in every step.
TYPED_TEST(bad_input, forces_that_yield_no_number) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    for (S const x : self::not_finite)
        here.refuses_parameters(own_wind<S>{}, {{x, S(0), S(0)}, S(10)}, "sinew: force must have finite parameters: its wrench is not finite here");
    S const h = S(1) / S(64);
    w.add(own_wind<S>{{S(1), S(0), S(0)}, w.time() + h});
    EXPECT_TRUE(w.step(h));
    here.before.emplace(w);
    EXPECT_EQ(w.step(h).status, sinew::step_status::not_finite);
    EXPECT_TRUE(w == *here.before);
}

// ---- steps

// A step that is refused, by its report too.
template <class Fixture>
void refuses_step(Fixture& f, typename Fixture::S h, sinew::step_status status, errc code, std::string const& sentence) {
    auto const state = f.w.save();
    std::optional<sinew::step_status> got;
    expect_refusal<typename Fixture::errors>(
        [&] {
            auto const report = f.w.step(h);
            got = report.status;
            EXPECT_EQ(report.iterations, 0);
            return static_cast<bool>(report);
        },
        sentence);
    EXPECT_EQ(got.value_or(status), status) << sentence;
    EXPECT_EQ(f.w.last_error().code, code);
    EXPECT_STREQ(sinew::error_text(f.w.last_error()).c_str(), sentence.c_str());
    EXPECT_EQ(f.w.save(), state) << sentence;
}

TYPED_TEST(bad_input, steps) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const refuse_step = [&](S h, errc code, std::string const& sentence) {
        refuses_step(here, h, sinew::step_status::invalid_step, code, sentence);
        EXPECT_TRUE(w == *here.before);
    };
    refuse_step(S(0), errc::not_positive, "sinew: step length must be positive, but is 0");
    refuse_step(S(-0.5), errc::not_positive, "sinew: step length must be positive, but is -0.5");
    for (S const x : self::not_finite) refuse_step(x, errc::not_finite, "sinew: step length must be finite, but is " + number_text(x));
    EXPECT_TRUE(w.step(S(1) / S(64)));
}

TYPED_TEST(bad_input, gravity) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const g = w.gravity;
    for (std::size_t k = 0; k < 3; ++k)
        for (S const x : self::not_finite) {
            w.gravity = self::with(k, x);
            refuses_step(here, S(1) / S(64), sinew::step_status::invalid_parameter, errc::not_finite, "sinew: gravity must be finite, but is " + number_text(x));
            w.gravity = g;
            EXPECT_TRUE(w == *here.before);
        }
    // In a world where nothing falls too.
    typename self::world_type empty;
    empty.gravity[1] = self::nan;
    expect_refusal<typename self::errors>([&] { return empty.step(S(1) / S(64)); }, "sinew: gravity must be finite, but is NaN");
    EXPECT_TRUE(w.step(S(1) / S(64)));
}

// Sets a tuning number to each of some values, and expects the step to be refused; then puts it back.
template <class Fixture, class T>
void refuses_tuning(Fixture& f, T& number, std::vector<T> const& values, std::string const& sentence) {
    T const good = number;
    for (T const& x : values) {
        number = x;
        std::string const whole = "sinew: " + sentence + ", but is " + number_text(static_cast<long double>(x));
        refuses_step(f, typename Fixture::S(1) / typename Fixture::S(64), sinew::step_status::invalid_parameter, code_of(whole), whole);
        number = good;
        EXPECT_TRUE(f.w == *f.before);
    }
}

TYPED_TEST(bad_input, tuning_of_gauss_seidel) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto& s = w.solver;
    refuses_tuning(here, s.iterations, {-1, -1000}, "solver.iterations must not be negative");
    refuses_tuning(here, s.substeps, {0, -1, std::numeric_limits<int>::min()}, "solver.substeps must be at least 1");
    refuses_tuning(here, s.velocity_iterations, {-1}, "solver.velocity_iterations must not be negative");
    refuses_tuning(here, s.relaxation, {self::nan, self::inf, S(0), S(-1), S(2)}, "solver.relaxation must be above 0 and below 2");
    refuses_tuning(here, s.warm_start, {self::nan, self::inf, S(-0.5), S(1.5)}, "solver.warm_start must be between 0 and 1");
    refuses_tuning(here, s.regularization, {self::nan, self::inf, S(-1)}, "solver.regularization must be finite and not negative");
    refuses_tuning(here, s.tolerance, {self::nan}, "solver.tolerance must be a number");
    refuses_tuning(here, s.tolerance, {S(-1), -self::inf}, "solver.tolerance must not be negative");
    EXPECT_TRUE(w.step(S(1) / S(64)));
    s.iterations = 0;  // free fall of everything, which is a choice
    EXPECT_TRUE(w.step(S(1) / S(64)));
}

// One body under another solver and integrator.
template <class Config>
struct pendulum {
    using S = typename Config::scalar;
    using errors = typename Config::errors;
    pendulum() {
        w.add(sinew::ball_joint<S>{}, w.ground(), w.add(sinew::rigid_body<S>{}));
        before.emplace(w);
    }
    sinew::world<Config, sinew::ball_joint> w;
    std::optional<sinew::world<Config, sinew::ball_joint>> before;
};
using direct_configs =
    testing::Types<config_of<double, sinew::quaternion, sinew::throw_errors, sinew::lagrange_multipliers<sinew::cholesky>, sinew::implicit_midpoint>,
                   config_of<float, sinew::quaternion, sinew::null_errors, sinew::lagrange_multipliers<sinew::ldlt>, sinew::implicit_euler>,
                   config_of<double, sinew::quaternion, call_errors, sinew::lagrange_multipliers<sinew::cholesky>, sinew::implicit_midpoint>>;
template <class Config>
class bad_tuning : public testing::Test {};
TYPED_TEST_SUITE(bad_tuning, direct_configs);

TYPED_TEST(bad_tuning, of_feedback_and_implicit_integrators) {
    using S = typename TypeParam::scalar;
    pendulum<TypeParam> here;
    S const nan = std::numeric_limits<S>::quiet_NaN(), inf = std::numeric_limits<S>::infinity();
    auto& w = here.w;
    refuses_tuning(here, w.solver.feedback_stiffness, {nan, inf, S(-1)}, "solver.feedback_stiffness must be finite and not negative");
    refuses_tuning(here, w.solver.feedback_damping, {nan, inf, S(-1)}, "solver.feedback_damping must be finite and not negative");
    refuses_tuning(here, w.integrator.max_iterations, {0, -1}, "integrator.max_iterations must be positive");
    EXPECT_TRUE(w.step(S(1) / S(64)));
}

// ---- rollback

TYPED_TEST(bad_input, states_to_restore) {
    using self = scene<TypeParam>;
    using S = typename scene<TypeParam>::S;
    scene<TypeParam> here;
    auto& w = here.w;
    auto const saved = w.save();
    for (S const x : self::not_finite) {
        auto s = saved;
        s.bodies[1].pose.position[0] = x;
        here.refuses([&] { return w.restore(s); }, errc::not_finite, "sinew: world state must be finite");
        s = saved;
        s.bodies[1].pose.rotation.set_coordinate(0, x);
        here.refuses([&] { return w.restore(s); }, errc::not_finite, "sinew: world state must be finite");
        s = saved;
        s.bodies[2].twist.angular[2] = x;
        here.refuses([&] { return w.restore(s); }, errc::not_finite, "sinew: world state must be finite");
        s = saved;
        s.particles[0].velocity[2] = x;
        here.refuses([&] { return w.restore(s); }, errc::not_finite, "sinew: world state must be finite");
        s = saved;
        s.multipliers[0] = x;
        here.refuses([&] { return w.restore(s); }, errc::not_finite, "sinew: world state must be finite");
        s = saved;
        s.time = x;
        here.refuses([&] { return w.restore(s); }, errc::not_finite, "sinew: world state must be finite");
    }
    char const* const sentence = "sinew: world state does not fit this world: bodies or constraints were added, removed, enabled or disabled since it was saved";
    auto short_of_a_row = saved;
    short_of_a_row.multipliers.pop_back();
    here.refuses([&] { return w.restore(short_of_a_row); }, errc::mismatch, sentence);
    here.refuses([&] { return w.restore({}); }, errc::mismatch, sentence);
    w.remove(here.joint);
    here.before.emplace(w);
    here.refuses([&] { return w.restore(saved); }, errc::mismatch, sentence);
}

// ---- full static storage

template <class Base>
struct small_storage : Base {
    using storage = sinew::static_storage<sinew::capacities{.bodies = 2, .constraints = 1, .particles = 2, .forces = 1}>;
};
template <class Config>
class full_storage : public testing::Test {};
using small_configs =
    testing::Types<small_storage<config_of<double, sinew::quaternion, sinew::throw_errors>>, small_storage<config_of<float, sinew::rotation_matrix, sinew::null_errors>>,
                   small_storage<config_of<double, sinew::rotation_vector, call_errors>>,
                   small_storage<config_of<double, sinew::quaternion, sinew::throw_errors, sinew::lagrange_multipliers<sinew::cholesky>, sinew::rk4>>>;
TYPED_TEST_SUITE(full_storage, small_configs);

TYPED_TEST(full_storage, of_each_kind) {
    using S = typename TypeParam::scalar;
    using R = typename TypeParam::template rotation<S>;
    using errors = typename TypeParam::errors;
    sinew::world<TypeParam, sinew::ball_joint, sinew::distance, sinew::particle_distance, sinew::spring, sinew::particle_spring, sinew::point_gravity> w;
    w.gravity = {S(0), S(0), S(0)};
    auto const refuse = [&](auto&& f, std::string const& sentence) {
        auto const before = w;
        expect_refusal<errors>(f, sentence);
        EXPECT_EQ(w.last_error().code, errc::full);
        EXPECT_STREQ(sinew::error_text(w.last_error()).c_str(), sentence.c_str());
        EXPECT_TRUE(w == before) << sentence;
    };
    sinew::rigid_body<S, R> body;
    auto const a = w.add(body);
    body.pose.position[0] = S(1);
    auto const b = w.add(body);
    auto const p = w.add(sinew::particle<S>{}), q = w.add_fixed_particle({S(0), S(1), S(0)});
    std::string const bodies = "sinew: bodies are all in use: the static storage is full; its capacity is 2";
    refuse([&] { return w.add(body); }, bodies);
    refuse([&] { return w.add_fixed({}); }, bodies);
    std::string const particles = "sinew: particles are all in use: the static storage is full; its capacity is 2";
    refuse([&] { return w.add(sinew::particle<S>{}); }, particles);
    refuse([&] { return w.add_fixed_particle({}); }, particles);

    // Each type of constraint and force has a pool of its own.
    sinew::ball_joint<S> const ball{{S(0.5), S(0), S(0)}, {S(-0.5), S(0), S(0)}};
    auto const joint = w.add(ball, a, b);
    std::string const constraints = "sinew: constraints of this type are all in use: the static storage is full; its capacity is 1";
    refuse([&] { return w.add(ball, w.ground(), b); }, constraints);
    auto const rod = w.add(sinew::distance<S>{{}, {}, S(1)}, a, b);
    EXPECT_TRUE(rod);
    refuse([&] { return w.add(sinew::distance<S>{}, w.ground(), b); }, constraints);
    EXPECT_TRUE(w.add(sinew::particle_distance<S>{{}, {}, S(1)}, p, q));
    refuse([&] { return w.add(sinew::particle_distance<S>{}, p, q); }, constraints);
    std::string const forces = "sinew: forces of this type are all in use: the static storage is full; its capacity is 1";
    auto const spring = w.add(sinew::spring<S>{}, a, b);
    refuse([&] { return w.add(sinew::spring<S>{}, a, b); }, forces);
    EXPECT_TRUE(w.add(sinew::particle_spring<S>{}, p, q));
    refuse([&] { return w.add(sinew::particle_spring<S>{}, p, q); }, forces);
    EXPECT_TRUE(w.add(sinew::point_gravity<S>{}));
    refuse([&] { return w.add(sinew::point_gravity<S>{}); }, forces);

    EXPECT_TRUE(w.step(S(1) / S(64)));
    refuse([&] { return w.add(body); }, bodies);

    // What is removed makes room for one, and for one only.
    EXPECT_TRUE(w.remove(joint));
    EXPECT_TRUE(w.add(ball, a, b));
    refuse([&] { return w.add(ball, a, b); }, constraints);
    EXPECT_TRUE(w.remove(spring));
    EXPECT_TRUE(w.add(sinew::spring<S>{}, a, b));
    refuse([&] { return w.add(sinew::spring<S>{}, a, b); }, forces);
    EXPECT_TRUE(w.remove(p));
    EXPECT_TRUE(w.add(sinew::particle<S>{}));
    refuse([&] { return w.add(sinew::particle<S>{}); }, particles);
    EXPECT_TRUE(w.remove(a));
    auto const c = w.add_fixed({});
    EXPECT_TRUE(c);
    refuse([&] { return w.add(body); }, bodies);
    EXPECT_FALSE(w.contains(rod));  // it went with its body
    EXPECT_TRUE(w.add(ball, c, b));
    EXPECT_TRUE(w.step(S(1) / S(64)));
}

// ---- handlers that throw themselves

TEST(refused_by_a_handler, that_throws_something_else) {
    struct rethrow {
        void operator()(sinew::error const& e) const { throw std::runtime_error(sinew::error_text(e).c_str()); }
    };
    sinew::world<config_of<double, sinew::quaternion, sinew::call_errors<rethrow>>, sinew::ball_joint> w;
    auto const a = w.add(sinew::rigid_body<double>{});
    auto const before = w;
    EXPECT_THROW(w.add(sinew::ball_joint<double>{}, a, a), std::runtime_error);
    EXPECT_THROW(w.add(sinew::particle<double>{-1, {}, {}}), std::runtime_error);
    EXPECT_THROW((void)w.pose({}), std::runtime_error);
    EXPECT_THROW(w.step(-1), std::runtime_error);
    EXPECT_TRUE(w == before);
}

// ---- every constraint of the library names its own bad numbers

template <class C>
class field_names : public testing::Test {};
using anchored_constraints =
    testing::Types<sinew::ball_joint<double>, sinew::scalar_point_to_point<double>, sinew::distance<double>, sinew::rope<double>, sinew::point_on_line<double>,
                   sinew::point_on_plane<double>, sinew::linear_limit<double>, sinew::linear_servo<double>, sinew::linear_motor<double>,
                   sinew::spring_damper<double>, sinew::pulley<double>, sinew::pulley_rod<double>, sinew::spring<double>>;
TYPED_TEST_SUITE(field_names, anchored_constraints);

TYPED_TEST(field_names, of_anchors_that_are_not_finite) {
    for (double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (std::size_t k = 0; k < 3; ++k) {
            TypeParam c{};
            c.anchor_a[k] = x;
            EXPECT_STREQ(c.fault().name, "anchor_a");
            c = {};
            c.anchor_b[k] = x;
            EXPECT_STREQ(c.fault().name, "anchor_b");
        }
}

template <class C>
class direction_names : public testing::Test {};
using directed_constraints =
    testing::Types<sinew::axis_alignment<double>, sinew::parallel_axes<double>, sinew::perpendicular_axes<double>, sinew::relative_angle<double>, sinew::cone_limit<double>>;
TYPED_TEST_SUITE(direction_names, directed_constraints);

TYPED_TEST(direction_names, of_axes_that_are_none) {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    for (vec3<double> const& axis : {vec3<double>{0, 0, 0}, vec3<double>{0, 0, 2}, vec3<double>{nan, 0, 0}}) {
        TypeParam c{};
        c.axis_a = axis;
        ASSERT_NE(c.fault().name, nullptr);
        EXPECT_STREQ(c.fault().name, "axis_a");
        c = {};
        c.axis_b = axis;
        ASSERT_NE(c.fault().name, nullptr);
        EXPECT_STREQ(c.fault().name, "axis_b");
    }
}

// ---- the sentence

TEST(error_text, writes_numbers_so_that_they_are_recognised) {
    EXPECT_EQ(number_text(0), "0");
    EXPECT_EQ(number_text(-0.0L), "0");
    EXPECT_EQ(number_text(0.1f), "0.1");
    EXPECT_EQ(number_text(-12.5), "-12.5");
    EXPECT_EQ(number_text(100), "100");
    EXPECT_EQ(number_text(123456), "123456");
    EXPECT_EQ(number_text(1234567), "1.23457e6");
    EXPECT_EQ(number_text(999999.7), "1e6");
    EXPECT_EQ(number_text(0.0001), "0.0001");
    EXPECT_EQ(number_text(0.00001), "1e-5");
    EXPECT_EQ(number_text(1e300), "1e300");
    EXPECT_EQ(number_text(-1.7976931348623157e308), "-1.79769e308");
    EXPECT_EQ(number_text(5e-324), "4.94066e-324");
    EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "NaN");
    EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "infinity");
    EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-infinity");
}
TEST(error_text, leads_from_the_requirement_to_the_value) {
    EXPECT_STREQ(sinew::error_text({errc::not_positive, "mass", "must be positive", -1, true}).c_str(), "sinew: mass must be positive, but is -1");
    EXPECT_STREQ(sinew::error_text({errc::full, "bodies", "are all in use; their capacity", 2, true}).c_str(), "sinew: bodies are all in use; their capacity is 2");
    EXPECT_STREQ(sinew::error_text({errc::dead_handle, "handle", "is dead", 0, false}).c_str(), "sinew: handle is dead");
}
TEST(error_text, is_cut_rather_than_overrun) {
    std::string const long_name(1000, 'x');
    std::string const text = sinew::error_text({errc::not_positive, long_name.c_str(), "must be positive", 1, true}).c_str();
    EXPECT_LT(text.size(), 300u);
    EXPECT_EQ(text.substr(0, 10), "sinew: xxx");
}
static_assert(sinew::error_text({errc::not_positive, "mass", "must be positive", -1, true}).c_str()[7] == 'm');

}  // namespace
