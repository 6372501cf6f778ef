#pragma once
// The constraints of each body, for strategies that go body by body.
//
// Compressed rows over the nodes of a problem: constraints_of(node) are (type, entry, attachment), in the order of the types, then of the
// entries. Built once, and again when bodies or constraints have been added or removed. A type is an index into the problem's list; visit()
// leads back from it to the entry as what it is, through a chain of comparisons that the compiler turns into a jump.

#include <sinew/core/storage.hpp>
#include <sinew/solver/problem.hpp>

#include <cstdint>
#include <span>

namespace sinew::inline v0 {

/// One constraint of a body: which of the problem's types, which entry of that type, and which attachment of the entry the body is.
struct incidence {
    std::uint32_t entry = 0;
    std::uint16_t type = 0;
    std::uint16_t attachment = 0;
    [[nodiscard]] friend constexpr bool operator==(incidence const&, incidence const&) = default;
};

/// Env: the world's environment, for its storage.
template <class Env>
class body_adjacency {
public:
    /// Reads the constraints of a problem, if they are not those that were read last.
    template <class P>
    constexpr void update(P const& p) {
        if (!is_current(p)) build(p);
    }
    template <class P>
    [[nodiscard]] constexpr bool is_current(P const& p) const noexcept {
        return built_ && contents_ == p.contents && first_.size() == p.node_count() + 1 && ends_of(p) == incidences_.size();
    }
    [[nodiscard]] constexpr std::span<incidence const> constraints_of(std::uint32_t node) const noexcept {
        return {incidences_.data() + first_[node], first_[node + 1] - first_[node]};
    }

    /// f(entry, type, attachment) with the entry as it is, both others as integral constants.
    template <class P, class F>
    static constexpr void visit(P const& p, incidence const& i, F&& f) {
        visit_type<0>(p, i, f);
    }

private:
    template <class P>
    [[nodiscard]] static constexpr std::size_t ends_of(P const& p) noexcept {
        std::size_t n = 0;
        p.for_each_type([&](auto entries, auto) {
            using C = typename decltype(entries)::value_type::constraint_type;
            n += entries.size() * attachments_t<C>::size;
        });
        return n;
    }

    template <class P>
    constexpr void build(P const& p) {
        std::size_t const nodes = p.node_count();
        first_.assign(nodes + 1, 0);
        for_each_end(p, [&](std::uint32_t node, incidence const&) { ++first_[node + 1]; });
        for (std::size_t i = 0; i < nodes; ++i) first_[i + 1] += first_[i];
        incidences_.resize(first_[nodes]);
        for_each_end(p, [&](std::uint32_t node, incidence const& i) { incidences_[first_[node]++] = i; });
        // Every start has moved to the next one's place.
        for (std::size_t i = nodes; i > 0; --i) first_[i] = first_[i - 1];
        first_[0] = 0;
        contents_ = p.contents;
        built_ = true;
    }
    // f(node, incidence) in the order of types and entries.
    template <class P, class F>
    static constexpr void for_each_end(P const& p, F&& f) {
        p.for_each_type([&](auto entries, auto t) {
            for (std::uint32_t e = 0; e < entries.size(); ++e) {
                std::uint16_t attachment = 0;
                for_each_attachment(entries[e],
                                    [&](auto kind, auto, std::uint32_t i) { f(p.node(kind, i), incidence{e, static_cast<std::uint16_t>(t), attachment++}); });
            }
        });
    }

    template <std::size_t T, class P, class F>
    static constexpr void visit_type(P const& p, incidence const& i, F& f) {
        constexpr std::size_t types = std::tuple_size_v<typename P::constraint_types>;
        if constexpr (T < types) {
            if (T + 1 == types || i.type == T) {
                auto& entry = std::get<T>(p.constraints)[i.entry];
                visit_attachment<T, 0>(entry, i, f);
            } else {
                visit_type<T + 1>(p, i, f);
            }
        }
    }
    template <std::size_t T, std::size_t A, class E, class F>
    static constexpr void visit_attachment(E& entry, incidence const& i, F& f) {
        constexpr std::size_t attachments = attachments_t<typename E::constraint_type>::size;
        if (A + 1 == attachments || i.attachment == A)
            f(entry, std::integral_constant<std::size_t, T>{}, std::integral_constant<std::size_t, A>{});
        else if constexpr (A + 1 < attachments)
            visit_attachment<T, A + 1>(entry, i, f);
    }

    static constexpr std::size_t max_ends = detail::room_for<Env>([]<class C>(std::type_identity<C>) { return attachments_t<C>::size; });

    typename Env::template array<std::uint32_t, Env::max_nodes + 1> first_;  // of each node, and the end
    typename Env::template array<incidence, max_ends> incidences_;
    std::uint32_t contents_ = 0;
    bool built_ = false;
};

}  // namespace sinew::inline v0
