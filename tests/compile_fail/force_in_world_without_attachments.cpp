// expect: has `wrenches` but does not say which bodies it acts between
// Seen as a force by what it has, so it is told what a force lacks, not what a constraint does.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct pull {
#if defined(SINEW_CONTROL)
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;
#endif
    constexpr std::array<sinew::wrench<S>, 2> wrenches(auto const&, auto const&, S const&) const { return {}; }
};

int main() { sinew::world<sinew::default_config, pull> w; }
