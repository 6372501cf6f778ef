// expect: has_scalar_traits
// A vector is of scalars: text has no arithmetic.
#include <sinew/math/vec.hpp>

#include <string>

#if defined(SINEW_CONTROL)
using element = double;
#else
using element = std::string;
#endif

sinew::vec<element, 3> v;
