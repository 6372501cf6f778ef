// expect: `attachments` is not a non-empty list of body kinds, such as sinew::binds<sinew::rigid, sinew::point_mass>
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct rod {
    static constexpr std::size_t rows = 1;
#if defined(SINEW_CONTROL)
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;
#else
    using attachments = int;
#endif
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.position - b.position) - S(1); }
};

int main() { sinew::world<sinew::default_config, rod> w; }
