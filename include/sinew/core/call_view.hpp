#pragma once
// A function seen behind one type: what takes it so is compiled once, not once for each that is given. What it costs is a call by address.

#include <type_traits>

namespace sinew::inline v0::detail {

/// Of a function object that outlives the view: call_view<R(A, B)> is called with A and B and yields R.
template <class Signature>
class call_view;
template <class R, class... Args>
class call_view<R(Args...)> {
public:
    template <class F>
    explicit call_view(F const& f) noexcept
        : f_(&f), call_(&call<F>) {}

    R operator()(Args... args) const { return call_(f_, static_cast<Args>(args)...); }

private:
    template <class F>
    static R call(void const* f, Args... args) {
        return (*static_cast<F const*>(f))(static_cast<Args>(args)...);
    }

    void const* f_;
    R (*call_)(void const*, Args...);
};

/// use(f), by a view where the program runs. Constant expressions know no way back from an address to what stands there, and see f itself.
template <class Signature, class F, class Use>
constexpr decltype(auto) seen_as(F const& f, Use const& use) {
    // Not that of the library: g++ would compile what it would never call.
    if (__builtin_is_constant_evaluated()) return use(f);
    return use(call_view<Signature>(f));
}

}  // namespace sinew::inline v0::detail
