#pragma once
// A half space against any convex shape: the normal is known, and the points are those of the shape that look down. `pushed`: along which line they push each other (world), if that
// is known.

#include <sinew/collision/clipping.hpp>
#include <sinew/geometry/half_space.hpp>

namespace sinew::inline v0 {

namespace detail {

template <class S, convex_shape<S> B>
[[nodiscard]] constexpr manifold<S> half_space_convex(vec3<S> const& local_normal, S const& offset, frame<S> const& fa, B const& b, frame<S> const& fb,
                                                      S const& margin, push_line<S> const* pushed = nullptr) noexcept {
    manifold<S> m;
    S const rb = margin_of<S>(b);
    vec3<S> const n = fa.direction(local_normal);
    vec3<S> const down = -fb.local_direction(n);
    // Heights of b's points over the plane: from one origin, so that large coordinates cancel once.
    S const origin = dot(n, fb.position - fa.position) - offset;
    vec3<S> const lowest = b.support(down);
    S const least = origin - dot(down, lowest) - rb;
    if (least > margin) return m;
    m.normal = n;
    constexpr std::uint32_t plane = feature_code(feature_kind::face, 0);
    push_line<S> in_b;
    if (pushed != nullptr) in_b = pushed->seen_from(fb);
    polygon<S> const face = face_pushed_at(b, down, pushed == nullptr ? nullptr : &in_b);
    contact_point<S> points[max_face_points + 1];
    std::size_t count = 0;
    S nearest = margin;
    auto const put = [&](vec3<S> const& local, S const& d, std::uint32_t code) {
        vec3<S> const on_b = fb.point(local) - rb * n;
        points[count++] = {on_b - d * n, on_b, d, feature_pair(plane, code)};
    };
    S extent2 = S(0);
    for (std::size_t i = 0; i < face.size(); ++i) {
        extent2 = max(extent2, squared_norm(face[i].position - face[0].position));
        S const d = origin - dot(down, face[i].position) - rb;
        if (d > margin) continue;
        nearest = min(nearest, d);
        put(face[i].position, d, vertex_code(face[i]));
    }
    // A round rim touches between the corners of its polygon.
    if (count == 0 || nearest > least + S(value_type_t<S>(1e-3)) * sqrt(extent2)) put(lowest, least, feature_code(feature_kind::surface, 0));
    keep_four(points, count, m, pushed);
    return m;
}

}  // namespace detail

}  // namespace sinew::inline v0
