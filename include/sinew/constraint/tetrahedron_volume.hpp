#pragma once
// The volume of a tetrahedron of four particles stays what it was (Waterson 2026, 6.5.2).
//
//   c = V - V_0,   V = (p_1 - p_0) . ((p_2 - p_0) x (p_3 - p_0)) / 6, signed
//
// Each gradient is a third of the face opposite the particle, as a vector pointing at the particle. Sign: lambda > 0
// (a pressure, Pa) inflates. Compliance is in m^3/Pa: that of a material with bulk modulus K is V_0 / K. The volume is
// signed, so a tetrahedron that was turned inside out is pushed back through.

#include <sinew/body/parameter_fault.hpp>
#include <sinew/constraint/anchor.hpp>

namespace sinew::inline v0 {

/// (1 row, m^3) Keeps a volume; compliance 0 keeps it exactly.
template <scalar S>
struct tetrahedron_volume {
    static constexpr std::size_t rows = 1;
    using attachments = binds<point_mass, point_mass, point_mass, point_mass>;

    S volume{};          ///< signed, m^3
    S row_compliance{};  ///< m^3/Pa

    /// As it is now.
    [[nodiscard]] static constexpr tetrahedron_volume at(auto const& p0, auto const& p1, auto const& p2, auto const& p3,
                                                         S const& compliance = S(0)) noexcept {
        return {S(signed_volume(p0, p1, p2, p3)), compliance};
    }

    [[nodiscard]] constexpr auto error(auto const& p0, auto const& p1, auto const& p2, auto const& p3) const noexcept {
        return signed_volume(p0, p1, p2, p3) - volume;
    }
    [[nodiscard]] constexpr S compliance() const noexcept { return row_compliance; }

    [[nodiscard]] constexpr mat<S, 1, 12> jacobian(auto const& p0, auto const& p1, auto const& p2, auto const& p3) const noexcept {
        auto const a = p1.position - p0.position, b = p2.position - p0.position, c = p3.position - p0.position;
        vec3<S> const g1 = cross(b, c) / S(6), g2 = cross(c, a) / S(6), g3 = cross(a, b) / S(6);
        mat<S, 1, 12> J;
        place(J, 0, 0, -(g1 + g2 + g3));
        place(J, 0, 3, g1);
        place(J, 0, 6, g2);
        place(J, 0, 9, g3);
        return J;
    }
    /// J_dot v: each pair of edges differentiated twice; the edges' own second derivatives are the particles' accelerations, not ours.
    [[nodiscard]] constexpr S jacobian_rate(auto const& p0, auto const& p1, auto const& p2, auto const& p3, auto const& t0, auto const& t1,
                                            auto const& t2, auto const& t3) const noexcept {
        auto const a = p1.position - p0.position, b = p2.position - p0.position, c = p3.position - p0.position;
        auto const u = t1.linear - t0.linear, v = t2.linear - t0.linear, w = t3.linear - t0.linear;
        return (dot(u, cross(v, c)) + dot(u, cross(b, w)) + dot(a, cross(v, w))) / S(3);
    }
    [[nodiscard]] constexpr input_fault fault() const noexcept {
        return first_fault(finite_parameter("volume", volume), nonnegative_parameter("compliance", row_compliance));
    }
    [[nodiscard]] friend constexpr bool operator==(tetrahedron_volume const&, tetrahedron_volume const&) = default;

private:
    [[nodiscard]] static constexpr auto signed_volume(auto const& p0, auto const& p1, auto const& p2, auto const& p3) noexcept {
        auto const x0 = p0.position;
        return dot(p1.position - x0, cross(p2.position - x0, p3.position - x0)) / S(6);
    }
};

}  // namespace sinew::inline v0
