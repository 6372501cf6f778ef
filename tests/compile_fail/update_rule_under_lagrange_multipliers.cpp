// expect: the constraint has an update rule of its own for its multipliers
// The two rows share one bound, a disc: its multipliers follow a rule, which a linear solve cannot.
#include <sinew/sinew.hpp>

template <class S>
struct sliding {
    static constexpr std::size_t rows = 2;
    using attachments = sinew::binds<sinew::point_mass>;
    constexpr auto rate(auto const&, auto const& v) const { return sinew::vec{v.linear.x(), v.linear.z()}; }
#if !defined(SINEW_CONTROL)
    constexpr auto update(sinew::vec<S, 2> const&, sinew::vec<S, 2> const& proposed, auto const&) const {
        return proposed * (S(3) / sinew::max(sinew::norm(proposed), S(3)));
    }
#endif
};

struct config : sinew::default_config {
    using solver = sinew::lagrange_multipliers<sinew::cholesky>;
};
sinew::world<config, sliding> w;
