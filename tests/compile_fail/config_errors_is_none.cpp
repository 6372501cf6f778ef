// expect: this config's `errors` is no error policy; say `using errors = sinew::throw_errors;`
#include <sinew/sinew.hpp>

struct config : sinew::default_config {
#if defined(SINEW_CONTROL)
    using errors = sinew::null_errors;
#else
    using errors = int;
#endif
};

sinew::world<config> w;
