#pragma once
// What happens when input is refused. Nothing is changed by a refused call; the policy says how the caller learns of it.
//
//   throw_errors   std::invalid_argument with one sentence that names the offending value (the default with exceptions)
//   null_errors    a null handle or false is returned; world.last_error() tells why (the default without exceptions).
//                  A member that only reads returns a default value, and leaves last_error() as it was
//   call_errors<F> as null_errors, and F{}(error) is called first
//   error_codes    as null_errors, but an error is its code alone, without a sentence or a value: for firmware, where these take 2 KB. A build
//                  with another policy, given the same, tells the rest; meaning_of(code) tells what codes mean. All that a constraint, a solver or
//                  a shape has against its own fields is invalid_parameter
//   trusted_input  nothing is checked but whether there is room: for a program whose input a build with another policy has accepted, where each
//                  KB counts. What would have been refused is then undefined behaviour

#include <sinew/config/double_unit.hpp>
#include <sinew/core/float_bits.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

#if defined(__cpp_exceptions)
#include <stdexcept>
#endif

namespace sinew::inline v0 {

enum class errc : unsigned char {
    none,
    not_finite,
    not_positive,
    invalid_inertia,
    not_a_rotation,
    dead_handle,
    foreign_handle,
    self_binding,
    invalid_parameter,
    full,
    mismatch,
};

namespace detail {
/// A number that comes from and goes to double, in half the room and without arithmetic on doubles or floats.
class number_as_float {
public:
    constexpr number_as_float() noexcept = default;
    template <class T>
        requires requires(T const& x) { static_cast<float>(x); }
    constexpr explicit(!std::is_arithmetic_v<T>) number_as_float(T const& x) noexcept : value_(as_float(x)) {}
    [[nodiscard]] constexpr operator double() const noexcept { return static_cast<double>(value_); }
    [[nodiscard]] constexpr bool is_finite() const noexcept { return has_finite_bits(value_); }

private:
    template <class T>
    [[nodiscard]] static constexpr float as_float(T const& x) noexcept {
        if constexpr (std::is_integral_v<T> && !has_float_unit)
            return float_of(static_cast<std::uint64_t>(x < T{} ? -std::int64_t{x} : std::int64_t{x}), 0, x < T{});
        else
            return static_cast<float>(x);
    }

    float value_ = 0;
};
}  // namespace detail

/// The value that an error names: a double, or what stands for one where the processor has none.
using error_number = std::conditional_t<detail::has_double_unit, double, detail::number_as_float>;

/// Why a constraint, force, solver or integrator refuses its own parameters; no name means that all is well. A
/// requirement that ends in "; what the value is of" is followed by " is 3", any other by ", but is 3".
struct input_fault {
    char const* name = nullptr;         ///< the field
    char const* requirement = nullptr;  ///< "must not be the zero vector"
    error_number value = 0;
};

/// A refused input: which, why, and its value.
struct error {
    errc code = errc::none;
    char const* name = "";         ///< "mass"
    char const* requirement = "";  ///< "must be positive and finite"
    error_number value = 0;
    bool has_value = false;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return code != errc::none; }
};

/// What a code means, where there is nothing else to tell.
[[nodiscard]] constexpr char const* meaning_of(errc code) noexcept {
    switch (code) {
        case errc::none: return "all is well";
        case errc::not_finite: return "a number must be finite, but is infinite or NaN";
        case errc::not_positive: return "a mass, a step or another number must be positive, but is not";
        case errc::invalid_inertia: return "an inertia must be positive definite, and none of its principal moments above the sum of the others";
        case errc::not_a_rotation: return "a rotation must be a unit quaternion or an orthonormal matrix";
        case errc::dead_handle: return "a handle is null, or what it named has been removed";
        case errc::foreign_handle: return "a handle belongs to another world";
        case errc::self_binding: return "a constraint or force must bind different bodies, not the same one twice";
        case errc::invalid_parameter: return "a parameter is out of its range";
        case errc::full: return "the static storage is full";
        case errc::mismatch: return "two things do not belong together";
    }
    return "this is no code of an error";
}

/// A refused input by its code alone.
struct coded_error {
    errc code = errc::none;

    constexpr coded_error() noexcept = default;
    constexpr coded_error(errc c, char const*, char const*, error_number const&, bool) noexcept : code(c) {}  // as an error is made
    constexpr coded_error(error const& e) noexcept : code(e.code) {}
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return code != errc::none; }
};

/// The error as one sentence, without allocation: "sinew: mass must be positive and finite, but is -1".
class error_text {
public:
    constexpr explicit error_text(error const& e) noexcept {
        put("sinew: ");
        put(e.name);
        put(" ");
        put(e.requirement);
        if (e.has_value) {
            put(names_its_value(e.requirement) ? " is " : ", but is ");
            put_number(e.value);
        }
    }
    template <std::same_as<coded_error> E>
    constexpr explicit error_text(E const& e) noexcept {
        put("sinew: ");
        put(meaning_of(e.code));
    }
    [[nodiscard]] constexpr char const* c_str() const noexcept { return text_; }

private:
    [[nodiscard]] static constexpr bool names_its_value(char const* requirement) noexcept {
        while (*requirement != '\0' && *requirement != ';') ++requirement;
        return *requirement == ';';
    }
    constexpr void put(char const* s) noexcept {
        while (*s != '\0' && at_ + 1 < sizeof text_) text_[at_++] = *s++;
    }
    constexpr void put_digit(int d) noexcept {
        if (at_ + 1 < sizeof text_) text_[at_++] = static_cast<char>('0' + d);
    }
    // Six significant digits, in scientific form when very large or small.
    constexpr void put_number(double x) noexcept {
        if (x != x) return put("NaN");
        if (x < 0) {
            put("-");
            x = -x;
        }
        if (x > 1.7976931348623157e308) return put("infinity");
        if (x == 0) return put("0");
        int exponent = 0;
        while (x >= 10) {
            x /= 10;
            ++exponent;
        }
        while (x < 1) {
            x *= 10;
            --exponent;
        }
        auto digits = static_cast<long>(x * 100000 + 0.5);
        if (digits >= 1000000) {
            digits /= 10;
            ++exponent;
        }
        int d[6] = {};
        for (int i = 6; i-- > 0;) {
            d[i] = static_cast<int>(digits % 10);
            digits /= 10;
        }
        int last = 5;
        while (last > 0 && d[last] == 0) --last;
        bool const scientific = exponent < -4 || exponent > 5;
        int const point = scientific ? 0 : exponent;
        if (point < 0) {
            put("0.");
            for (int i = -1; i > point; --i) put_digit(0);
            for (int i = 0; i <= last; ++i) put_digit(d[i]);
        } else {
            for (int i = 0; i <= (last > point ? last : point); ++i) {
                if (i == point + 1) put(".");
                put_digit(i < 6 ? d[i] : 0);
            }
        }
        if (scientific) {
            put(exponent < 0 ? "e-" : "e");
            int const e = exponent < 0 ? -exponent : exponent;
            if (e >= 100) put_digit(e / 100);
            if (e >= 10) put_digit(e / 10 % 10);
            put_digit(e % 10);
        }
    }

    char text_[224] = {};
    std::size_t at_ = 0;
};

#if defined(__cpp_exceptions)
/// Throws std::invalid_argument.
struct throw_errors {
    static constexpr void fail(error const& e) {
        if (e) throw std::invalid_argument(error_text(e).c_str());
    }
};
#endif

/// Says nothing: the call returns a null handle or false.
struct null_errors {
    static constexpr void fail(error const&) noexcept {}
};

/// As null_errors, but world.last_error() is a code alone.
struct error_codes {
    using error_type = coded_error;
    static constexpr void fail(coded_error const&) noexcept {}
};

/// Checks nothing but whether there is room; what there is no room for is refused as error_codes do.
struct trusted_input {
    using error_type = coded_error;
    static constexpr bool trusts_input = true;
    static constexpr void fail(coded_error const&) noexcept {}
};

/// Calls F{}(error).
template <class F>
struct call_errors {
    static_assert(std::is_default_constructible_v<F> && std::is_invocable_v<F, error const&>,
                  "sinew: call_errors<F> calls F{}(error): F needs a default constructor and `operator()(sinew::error const&)`.");
    static constexpr void fail(error const& e) { F{}(e); }
};

namespace detail {
template <class Errors>
concept trusts_input = requires { requires Errors::trusts_input; };

// What a policy is told.
template <class Errors>
struct told {
    using type = error;
};
template <class Errors>
    requires requires { typename Errors::error_type; }
struct told<Errors> {
    using type = typename Errors::error_type;
};
template <class Errors>
using error_told_to = typename told<Errors>::type;

template <bool HasExceptions>
struct default_errors {
    using type = null_errors;
};
#if defined(__cpp_exceptions)
template <>
struct default_errors<true> {
    using type = throw_errors;
};
inline constexpr bool has_exceptions = true;
#else
inline constexpr bool has_exceptions = false;
#endif
}  // namespace detail

}  // namespace sinew::inline v0
