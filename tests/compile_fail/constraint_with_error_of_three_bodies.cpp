// expect: one pose .and twist. per attachment
// Two bodies by default, but the error function takes three.
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct rod {
    static constexpr std::size_t rows = 1;
#if defined(SINEW_CONTROL)
    using attachments = sinew::binds<sinew::rigid, sinew::rigid, sinew::rigid>;
#endif
    constexpr auto error(auto const& a, auto const& b, auto const& c) const { return norm(a.position + b.position - c.position) - S(1); }
};

int main() { sinew::world<sinew::default_config, rod> w; }
