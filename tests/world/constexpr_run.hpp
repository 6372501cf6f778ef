#pragma once
// What tests of simulations in constant expressions share.

#include <sinew/sinew.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace sinew_test {

/// run(steps), called where no compiler knows the number of steps, gives what the compiler has found, bit for bit. Outcomes begin with numbers.
template <class Outcome>
void expect_same_bits(Outcome const& by_compiler, Outcome (*run)(int), int steps) {
    int volatile n = steps;
    Outcome const now = run(n);
    using number = std::remove_cvref_t<decltype(now.energy)>;
    EXPECT_EQ(0, std::memcmp(&now, &by_compiler, (sizeof(Outcome) / sizeof(number) - 1) * sizeof(number)));
    EXPECT_EQ(now.stepped, by_compiler.stepped);
}

}  // namespace sinew_test
