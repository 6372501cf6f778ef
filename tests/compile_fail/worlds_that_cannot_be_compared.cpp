// expect: worlds can be compared only if every constraint and force in the list can
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct rod {
    static constexpr std::size_t rows = 1;
    S length{1};
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.position - b.position) - length; }
#if defined(SINEW_CONTROL)
    friend constexpr bool operator==(rod const&, rod const&) = default;
#endif
};

int main() {
    sinew::world<sinew::default_config, rod> w;
    return w == w ? 0 : 1;
}
