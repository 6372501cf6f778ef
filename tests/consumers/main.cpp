// A program that uses sinew, for each of the ways to adopt it.

#if defined(CONSUMER_HAS_ONE_FILE)
#include "sinew.hpp"
#else
#include <sinew/sinew.hpp>
#endif

#include <cstdio>

int main() {
    constexpr sinew::vec3<double> v{2, 3, 6};
    static_assert(norm(v) == 7);
    std::printf("sinew %d.%d.%d: |(2, 3, 6)| = %g\n", SINEW_VERSION_MAJOR, SINEW_VERSION_MINOR, SINEW_VERSION_PATCH, norm(v));
    return sinew::arithmetic_is_as_written() ? 0 : 1;
}
