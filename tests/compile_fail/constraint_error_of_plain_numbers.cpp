// expect: returns the same type for poses of dual numbers
// The error function gives plain numbers back for dual ones.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct rod {
    static constexpr std::size_t rows = 1;
#if defined(SINEW_CONTROL)
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.position - b.position) - S(1); }
#else
    constexpr sinew::vec<S, 1> error(auto const&, auto const&) const { return {S(1)}; }
#endif
};

int main() { sinew::world<sinew::default_config, rod> w; }
