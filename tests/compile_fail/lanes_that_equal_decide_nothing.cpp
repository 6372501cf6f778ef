// expect: lanes_that_equal_decide_nothing.cpp:16:[0-9]+: error: (use of|attempt to use a) deleted function
#include <sinew/sinew.hpp>

// A pull towards the origin; without a length the height of it alone.
template <sinew::scalar S>
struct pull {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::rigid>;
    S length;

    constexpr auto error(auto const& b) const {
        auto const along = norm(b.position) - length;
#if defined(SINEW_CONTROL)
        return select(length == S(0), decltype(along)(b.position.y()), along);
#else
        if (length == S(0)) return decltype(along)(b.position.y());
        return along;
#endif
    }
};
struct config : sinew::default_config {
    using scalar = sinew::batch<float, 4>;
};

int main() {
    using S = config::scalar;
    sinew::world<config, pull> world;
    auto const ball = world.add(rigid_body_of(sinew::solid_sphere(S(1), S(1)), sinew::pose<S>{{S(1), S(0), S(0)}, {}}));
    world.add(pull<S>{sinew::with_lane(S(1), 2, 0)}, ball);
}
