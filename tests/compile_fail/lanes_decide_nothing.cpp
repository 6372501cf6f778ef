// expect: lanes do not all go one way
#include <sinew/sinew.hpp>

int main() {
    sinew::batch<float, 8> const x(1), y(2);
#if defined(SINEW_CONTROL)
    if (any(x < y)) return 1;
#else
    if (x < y) return 1;
#endif
}
