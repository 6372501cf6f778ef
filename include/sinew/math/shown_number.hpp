#pragma once
// The number that a message shows of an input that is refused.

#include <sinew/core/errors.hpp>
#include <sinew/math/scalar.hpp>

#include <cstddef>

namespace sinew::inline v0::detail {

/// Without derivatives; of lanes, that of the first which is not `fine`. What holds no number of the compiler's is shown as 0.
template <class S, class M = bool>
[[nodiscard]] constexpr error_number shown_number(S const& x, [[maybe_unused]] M const& fine = false) noexcept {
    if constexpr (requires { static_cast<double>(value(x)); }) {
        return static_cast<error_number>(value(x));
    } else if constexpr (has_lanes_v<S> && requires { static_cast<double>(value(x)[0]); }) {
        auto const plain = value(x);
        std::size_t lane = 0;
        if constexpr (requires { fine[lane]; })
            while (lane + 1 < plain.lanes && fine[lane]) ++lane;
        return static_cast<error_number>(plain[lane]);
    } else {
        return 0;
    }
}

}  // namespace sinew::inline v0::detail
