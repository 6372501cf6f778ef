// expect: this constraint's `limits` cannot be called as
#include <sinew/sinew.hpp>

template <class S>
struct one_sided {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;
    constexpr auto error(auto const& a, auto const& b) const { return (a.position - b.position).y(); }
    constexpr sinew::bounds<S, 1> limits(auto const&) const { return sinew::pushing<S, 1>(); }
};
sinew::world<sinew::default_config, one_sided> world;
