// expect: lanes do not all go one way
#include <sinew/sinew.hpp>

int main() {
    sinew::batch<float, 8> const x(1);
#if defined(SINEW_CONTROL)
    if (any(value(x) < 2)) return 1;
#else
    if (value(x) < 2) return 1;
#endif
}
