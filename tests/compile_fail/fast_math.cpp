// expect: fast-math is on
// flags: -ffast-math -Werror
// Fast-math breaks the promise of the same bits everywhere: said as a warning, here made an error.
#include <sinew/config/determinism.hpp>
