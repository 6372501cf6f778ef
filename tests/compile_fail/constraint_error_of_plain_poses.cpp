// expect: `error` takes poses of its own scalar alone
// The error function takes poses of one scalar, so that no derivatives come through.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct rod {
    static constexpr std::size_t rows = 1;
#if defined(SINEW_CONTROL)
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.position - b.position) - S(1); }
#else
    constexpr auto error(sinew::pose<S> const& a, sinew::pose<S> const& b) const { return norm(a.position - b.position) - S(1); }
#endif
};

int main() { sinew::world<sinew::default_config, rod> w; }
