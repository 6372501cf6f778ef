#pragma once
// Broad phase by sorting: boxes in the order of their lower ends along one axis overlap only with those that begin before they end.
//
// The order is kept from step to step and mended by insertion, which is linear when little has changed (Baraff 1992). One axis alone
// leaves each box of a volume with n^(2/3) others to be tried, so the other two axes are cut into strips about twice as wide as a box, and
// the sweep goes along each strip that has boxes in it: at a fixed density the cost is linear. A box wider than a strip (a wall, the ground)
// is swept against all. What it costs: O(n + pairs) a step, whether anything moved or not; queries and casts try every box.

#include <sinew/collision/box_table.hpp>
#include <sinew/collision/broad_phase.hpp>
#include <sinew/core/sort.hpp>
#include <sinew/geometry/box_tests.hpp>

#include <algorithm>
#include <bit>

namespace sinew::inline v0 {

struct sweep_and_prune {
    template <class S, class Storage, std::size_t N>
    class index {
    public:
        constexpr void insert(std::uint32_t id, aabb<S> const& box, bool moves) {
            boxes_.insert(id, box, moves);
            bool& listed = detail::grow_to(listed_, id);
            if (!listed) order_.push_back({S(0), id});
            listed = true;
        }
        constexpr void erase(std::uint32_t id) noexcept { boxes_.erase(id); }
        constexpr void move(std::uint32_t id, aabb<S> const& box) noexcept { boxes_.move(id, box); }
        constexpr void set_moves(std::uint32_t id, bool moves) noexcept { boxes_.set_moves(id, moves); }

        template <class F>
        constexpr void for_each_pair(F&& f) {
            forget_erased();
            choose_axes();
            sort();
            choose_strips();
            fill_strips();
            pairs_.clear();
            complete_ = true;
            for (std::size_t b = 0; b + 1 < starts_.size(); ++b) sweep_strip(b);
            sweep_wide();
            if (!complete_) return for_each_pair_without_list(f);
            sort_pairs();
            for (pair const& p : pairs_) f(p.low, p.high);
        }
        template <class F>
        constexpr void query(aabb<S> const& box, F&& f) const {
            for (std::uint32_t id = 0; id < boxes_.end(); ++id)
                if (boxes_.holds(id) && overlaps(box, boxes_[id])) f(id);
        }
        template <class F>
        constexpr void cast(ray<S> const& r, F&& f) const {
            detail::ray_slabs<S> slabs(r);
            for (std::uint32_t id = 0; id < boxes_.end(); ++id)
                if (boxes_.holds(id) && slabs.hits(boxes_[id])) slabs.shorten(f(id));
        }
        /// The same boxes under the same ids; the order they were left in does not matter.
        [[nodiscard]] friend constexpr bool operator==(index const& a, index const& b) noexcept { return a.boxes_ == b.boxes_; }

    private:
        struct entry {
            S begin;  // lower end along the axis
            std::uint32_t id;
        };
        struct pair {
            std::uint32_t low, high;
        };
        // The strips that a box reaches into on the two other axes, one or two on each, or too many.
        struct reach {
            std::int32_t first[2];
            bool two[2];
            bool wide;
        };
        // A box in a strip. Two that share a mark are no pair there: neither moves, or both came into the strip from the one before it, where
        // they met already.
        struct swept {
            aabb<S> box;
            std::uint32_t id;
            std::uint32_t marks;
        };
        static constexpr std::uint32_t is_still = 1, from_before = 2;  // from_before << k on axis k
        static constexpr std::size_t room = 16 * N;  // pairs, with static storage
        static constexpr std::size_t max_strips = std::bit_ceil(N < 4 ? std::size_t{4} : N);
        // Comes before: two that begin together are ordered by id, so that the order is that of the boxes alone.
        [[nodiscard]] static constexpr bool before(entry const& a, entry const& b) noexcept {
            return a.begin < b.begin || (a.begin == b.begin && a.id < b.id);
        }

        constexpr void forget_erased() noexcept {
            std::size_t kept = 0;
            for (entry const& e : order_) {
                listed_[e.id] = boxes_.holds(e.id);
                if (listed_[e.id]) order_[kept++] = e;
            }
            while (order_.size() > kept) order_.pop_back();
        }

        // The sweep goes where the boxes are spread most, measured in boxes. Another axis must be better by half: a new one is a new sorting.
        constexpr void choose_axes() noexcept {
            vec3<S> sum{}, squares{}, extents{};
            S n{0};
            for (entry const& e : order_) {
                aabb<S> const& b = boxes_[e.id];
                if (!boxes_.moves(e.id) || !is_bounded(b)) continue;
                n = n + S(1);
                for (std::size_t i = 0; i < 3; ++i) {
                    S const c = (b.lower[i] + b.upper[i]) / S(2);
                    sum[i] = sum[i] + c;
                    squares[i] = squares[i] + c * c;
                    extents[i] = extents[i] + (b.upper[i] - b.lower[i]);
                }
            }
            if (n == S(0)) return;
            vec3<S> spread{};
            for (std::size_t i = 0; i < 3; ++i) spread[i] = (squares[i] - sum[i] * sum[i] / n) / n;
            for (std::size_t i = 0; i < 3; ++i)
                if (spread[i] > spread[axis_] * (S(3) / S(2))) axis_ = i;
            for (std::size_t k = 0; k < 2; ++k) width_[k] = S(2) * extents[other(k)] / n;
        }
        [[nodiscard]] constexpr std::size_t other(std::size_t k) const noexcept { return (axis_ + 1 + k) % 3; }

        constexpr void sort() noexcept {
            for (entry& e : order_) e.begin = boxes_[e.id].lower[axis_];
            std::size_t moved = 0;
            for (std::size_t i = 1; i < order_.size(); ++i) {
                entry const e = order_[i];
                std::size_t j = i;
                for (; j > 0 && before(e, order_[j - 1]); --j) order_[j] = order_[j - 1];
                order_[j] = e;
                moved += i - j;
                // Much has changed: inserting would become quadratic.
                if (moved > 32 * order_.size()) {
                    detail::sort<Storage>(order_.begin(), order_.end(), before);
                    return;
                }
            }
        }

        // A coordinate's strip; far outside all is one strip, and two strips differ by less than an int holds.
        [[nodiscard]] constexpr std::int32_t strip_of(S const& x, std::size_t k) const noexcept {
            constexpr S far = S(1 << 29);
            S const at = x * per_width_[k];
            S const within = at > -far ? (at < far ? at : far) : -far;  // also of NaN
            auto const toward_zero = static_cast<std::int32_t>(value(within));
            return toward_zero - (S(value_type_t<S>(toward_zero)) > within ? 1 : 0);
        }
        [[nodiscard]] constexpr reach reach_of(aabb<S> const& b) const noexcept {
            reach r{};
            for (std::size_t k = 0; k < 2; ++k) {
                r.first[k] = strip_of(b.lower[other(k)], k);
                std::int32_t const more = strip_of(b.upper[other(k)], k) - r.first[k];
                r.two[k] = more > 0;
                r.wide = r.wide || more > 1;
            }
            return r;
        }
        // Twice the mean extent, and wider until few boxes are wider.
        constexpr void choose_strips() {
            for (int doubled = 0; doubled < 24; ++doubled) {
                for (std::size_t k = 0; k < 2; ++k) {
                    if (doubled > 0) width_[k] = width_[k] * S(2);
                    per_width_[k] = width_[k] > S(0) ? S(1) / width_[k] : S(1);
                }
                wide_.clear();
                reaches_.clear();
                for (std::uint32_t at = 0; at < order_.size(); ++at) {
                    reaches_.push_back(reach_of(boxes_[order_[at].id]));
                    if (reaches_.back().wide) wide_.push_back(at);
                }
                if (wide_.size() <= 16 + order_.size() / 32) return;
            }
        }

        // Strips are counted modulo a power of two, at least two on each axis: the two strips that a box reaches into stay apart.
        [[nodiscard]] constexpr std::size_t bucket(std::int32_t a, std::int32_t b) const noexcept {
            return (static_cast<std::size_t>(static_cast<std::uint32_t>(a)) & (strips_[0] - 1)) +
                   strips_[0] * (static_cast<std::size_t>(static_cast<std::uint32_t>(b)) & (strips_[1] - 1));
        }
        // f(order, strip, marks) for each strip of each box that is not wide, in order.
        template <class F>
        constexpr void for_each_place(F&& f) const {
            for (std::size_t at = 0; at < reaches_.size(); ++at) {
                reach const& r = reaches_[at];
                if (r.wide) continue;
                for (std::int32_t i = 0; i <= (r.two[0] ? 1 : 0); ++i)
                    for (std::int32_t j = 0; j <= (r.two[1] ? 1 : 0); ++j)
                        f(at, bucket(r.first[0] + i, r.first[1] + j), (i != 0 ? from_before : 0) | (j != 0 ? from_before << 1 : 0));
            }
        }
        constexpr void fill_strips() {
            std::int64_t least[2] = {0, 0}, most[2] = {0, 0};
            bool any = false;
            for (reach const& r : reaches_) {
                if (r.wide) continue;
                for (std::size_t k = 0; k < 2; ++k) {
                    least[k] = any ? std::min(least[k], std::int64_t{r.first[k]}) : r.first[k];
                    most[k] = any ? std::max(most[k], std::int64_t{r.first[k]}) : r.first[k];
                }
                any = true;
            }
            std::size_t const most_strips = std::bit_ceil(order_.size() < 4 ? std::size_t{4} : order_.size());
            for (std::size_t k = 0; k < 2; ++k) strips_[k] = std::bit_ceil(static_cast<std::size_t>(most[k] - least[k] + 2));
            while (strips_[0] * strips_[1] > most_strips) strips_[strips_[0] > strips_[1] ? 0 : 1] /= 2;

            // Counted, summed up, and put in their places; each strip comes out in the order of the sweep.
            starts_.assign(strips_[0] * strips_[1] + 1, 0);
            for_each_place([&](std::size_t, std::size_t b, std::uint32_t) { ++starts_[b + 1]; });
            for (std::size_t b = 1; b < starts_.size(); ++b) starts_[b] += starts_[b - 1];
            entries_.resize(starts_.back());
            for_each_place([&](std::size_t at, std::size_t b, std::uint32_t marks) {
                std::uint32_t const id = order_[at].id;
                entries_[starts_[b]++] = {boxes_[id], id, marks | (boxes_.moves(id) ? 0 : is_still)};
            });
            for (std::size_t b = starts_.size() - 1; b > 0; --b) starts_[b] = starts_[b - 1];
            starts_[0] = 0;
        }

        [[nodiscard]] constexpr bool is_pair(std::uint32_t a, std::uint32_t b) const noexcept {
            return (boxes_.moves(a) || boxes_.moves(b)) && detail::meet(boxes_[a], boxes_[b]);
        }
        constexpr void add(std::uint32_t a, std::uint32_t b) {
            if (is_full(pairs_))
                complete_ = false;
            else
                pairs_.push_back(a < b ? pair{a, b} : pair{b, a});
        }
        constexpr void sweep_strip(std::size_t strip) {
            std::uint32_t const end = starts_[strip + 1];
            std::uint32_t met[16];
            for (std::uint32_t i = starts_[strip]; i + 1 < end; ++i) {
                swept const& a = entries_[i];
                S const ends = a.box.upper[axis_];
                // Sieved without a branch, some at a time.
                for (std::uint32_t j = i + 1; j < end && !(entries_[j].box.lower[axis_] > ends);) {
                    std::uint32_t const to = j + 16 < end ? j + 16 : end;
                    std::size_t n = 0;
                    for (; j < to && !(entries_[j].box.lower[axis_] > ends); ++j) {
                        swept const& b = entries_[j];
                        met[n] = b.id;
                        n += unsigned{(a.marks & b.marks) == 0} & unsigned{detail::meet(a.box, b.box)};
                    }
                    for (std::size_t k = 0; k < n; ++k) add(a.id, met[k]);
                }
            }
        }
        // Each wide box against all that begin after it, and each narrow one against the wide ones that begin after it.
        constexpr void sweep_wide() {
            std::size_t next = 0;
            for (std::uint32_t at = 0; at < order_.size() && !wide_.empty(); ++at) {
                std::uint32_t const a = order_[at].id;
                S const ends = boxes_[a].upper[axis_];
                if (next < wide_.size() && wide_[next] == at) {
                    ++next;
                    for (std::uint32_t j = at + 1; j < order_.size() && order_[j].begin <= ends; ++j)
                        if (is_pair(a, order_[j].id)) add(a, order_[j].id);
                } else {
                    for (std::size_t j = next; j < wide_.size() && order_[wide_[j]].begin <= ends; ++j)
                        if (is_pair(a, order_[wide_[j]].id)) add(a, order_[wide_[j]].id);
                }
            }
        }

        // By the high id and then, without disturbing that, by the low one.
        constexpr void sort_pairs() {
            sorted_.resize(pairs_.size());
            distribute(pairs_, sorted_, [](pair const& p) { return p.high; });
            distribute(sorted_, pairs_, [](pair const& p) { return p.low; });
        }
        template <class From, class To, class Key>
        constexpr void distribute(From const& from, To& to, Key const& key) {
            counts_.assign(boxes_.end() + std::size_t{1}, 0);
            for (pair const& p : from) ++counts_[key(p) + std::size_t{1}];
            for (std::size_t i = 1; i < counts_.size(); ++i) counts_[i] += counts_[i - 1];
            for (pair const& p : from) to[counts_[key(p)]++] = p;
        }

        // With static storage, when there are more pairs than room for them.
        template <class F>
        constexpr void for_each_pair_without_list(F&& f) const {
            for (std::uint32_t low = 0; low < boxes_.end(); ++low)
                for (std::uint32_t high = low + 1; boxes_.holds(low) && high < boxes_.end(); ++high)
                    if (boxes_.holds(high) && is_pair(low, high)) f(low, high);
        }

        template <class T, std::size_t M>
        using array = typename Storage::template array<T, M>;

        detail::box_table<S, Storage, N> boxes_;
        array<bool, N> listed_;              // is the id in order_?
        array<entry, N> order_;              // by lower ends along axis_
        std::size_t axis_ = 0;
        vec<S, 2> width_{}, per_width_{};    // of a strip on the other axes, m, and its inverse
        std::size_t strips_[2] = {2, 2};
        array<reach, N> reaches_;            // as order_
        array<std::uint32_t, N> wide_;       // places in order_
        array<std::uint32_t, max_strips + 1> starts_;
        array<swept, 4 * N> entries_;        // strip by strip
        array<pair, room> pairs_, sorted_;
        array<std::uint32_t, N + 1> counts_;
        bool complete_ = true;
    };
};

}  // namespace sinew::inline v0
