#pragma once
// The name of a type as the compiler writes it, without run-time type information: for diagnostics that name a constraint.

#include <array>
#include <cstddef>

namespace sinew::inline v0 {

namespace detail {

template <class T>
constexpr auto written() noexcept {
    struct text {
        char const* begin;
        std::size_t size;
    };
#if defined(__GNUC__) || defined(__clang__)
    return text{__PRETTY_FUNCTION__, sizeof(__PRETTY_FUNCTION__) - 1};
#else
    return text{__FUNCSIG__, sizeof(__FUNCSIG__) - 1};
#endif
}

// Where T stands in that text: found with a type whose name is known.
struct name_frame {
    std::size_t before, after;
};
constexpr name_frame find_frame() noexcept {
    auto const t = written<double>();
    constexpr char const probe[] = "double";
    for (std::size_t i = 0; i + 6 <= t.size; ++i) {
        bool same = true;
        for (std::size_t k = 0; k < 6; ++k) same = same && t.begin[i + k] == probe[k];
        if (same) return {i, t.size - i - 6};
    }
    return {0, 0};
}

// The name, without sinew's own namespaces; ends with 0.
template <class T>
constexpr auto make_name() noexcept {
    constexpr name_frame frame = find_frame();
    constexpr std::size_t size = written<T>().size - frame.before - frame.after;
    std::array<char, size + 1> name{};
    char const* const from = written<T>().begin + frame.before;
    constexpr char const* dropped[] = {"sinew::v0::", "sinew::", "(anonymous namespace)::", "{anonymous}::"};
    std::size_t to = 0;
    for (std::size_t i = 0; i < size;) {
        std::size_t skip = 0;
        for (char const* d : dropped) {
            std::size_t k = 0;
            while (d[k] != 0 && i + k < size && from[i + k] == d[k]) ++k;
            if (d[k] == 0 && skip == 0) skip = k;
        }
        if (skip > 0)
            i += skip;
        else
            name[to++] = from[i++];
    }
    return name;
}

template <class T>
inline constexpr auto name_of = make_name<T>();

}  // namespace detail

/// The name of T, such as "point_to_point<float>".
template <class T>
[[nodiscard]] constexpr char const* type_name() noexcept {
    return detail::name_of<T>.data();
}

}  // namespace sinew::inline v0
