// expect: a constraint must be a copyable value
#include <sinew/sinew.hpp>

template <sinew::scalar S>
struct rod {
    static constexpr std::size_t rows = 1;
    constexpr rod() = default;
#if defined(SINEW_CONTROL)
    constexpr rod(rod const&) = default;
    constexpr rod& operator=(rod const&) = default;
#else
    rod(rod const&) = delete;
    rod& operator=(rod const&) = delete;
#endif
    constexpr auto error(auto const& a, auto const& b) const { return norm(a.position - b.position) - S(1); }
};

int main() { sinew::world<sinew::default_config, rod> w; }
