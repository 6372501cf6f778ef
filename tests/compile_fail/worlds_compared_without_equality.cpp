// expect: worlds can be compared only if every constraint, force and map in the list can
#include <sinew/sinew.hpp>

template <class S>
struct rod {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;
    S length{};
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.position - b.position) - length; }
};
bool same(sinew::world<sinew::default_config, rod> const& a, sinew::world<sinew::default_config, rod> const& b) { return a == b; }
