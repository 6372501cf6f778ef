// expect: consteval|not a constant expression
#include <sinew/math/fixed.hpp>

sinew::fixed<15, 16> read(double measured) {
#ifdef SINEW_CONTROL
    return sinew::fixed<15, 16>::from(measured);
#else
    return measured;
#endif
}

int main() { return read(1) > 0 ? 0 : 1; }
