// expect: sinew: call_errors<F> calls F{}.error.
#include <sinew/sinew.hpp>

struct log_it {
#if defined(SINEW_CONTROL)
    void operator()(sinew::error const&) const {}
#else
    void operator()(char const*) const {}
#endif
};
struct config : sinew::default_config {
    using errors = sinew::call_errors<log_it>;
};

sinew::world<config, sinew::ball_joint> w;
