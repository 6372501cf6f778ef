// expect: this constraint's `compliance` cannot be called as
#include <sinew/sinew.hpp>

template <class S>
struct springy {
    static constexpr std::size_t rows = 1;
    using attachments = sinew::binds<sinew::rigid, sinew::rigid>;
    S compliance{};
    constexpr auto error(auto const& a, auto const& b) const { return (a.position - b.position).y(); }
};
sinew::world<sinew::default_config, springy> world;
