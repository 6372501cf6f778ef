#pragma once
// What the examples here need of the machine they run on: a clock, a line of output, and an end. board_cortex_m.cpp is a small Cortex-M with a
// debugger (or QEMU) attached; board_hosted.cpp is any machine with an operating system.

#include <sinew/core/hash.hpp>
#include <sinew/world/world.hpp>

#include <cstdint>

namespace board {

void print(char const* text);
[[noreturn]] void exit(int code);
/// Instructions since some time.
std::uint64_t instructions();
/// The most stack that has been in use, bytes; 0 where that is not known.
std::uint32_t stack_used();

inline void print_hex(std::uint64_t x) {
    char text[17];
    for (int i = 16; i-- > 0; x >>= 4) text[i] = "0123456789abcdef"[x & 15];
    text[16] = '\0';
    print(text);
}
inline void print_number(std::uint32_t x) {
    char text[11];
    int at = 10;
    text[at] = '\0';
    do text[--at] = static_cast<char>('0' + x % 10);
    while ((x /= 10) != 0);
    print(text + at);
}

/// A hash of where the bodies are and how they move.
template <class World>
std::uint64_t state_of(World const& world) {
    sinew::bit_hash h;
    world.for_each_body([&](auto body) {
        auto const pose = world.pose(body);
        auto const twist = world.twist(body);
        for (auto const& x : pose.position.e) h.add(x);
        for (std::size_t k = 0; k < 4; ++k) h.add(pose.rotation.coordinate(k));
        for (auto const& x : twist.linear.e) h.add(x);
        for (auto const& x : twist.angular.e) h.add(x);
    });
    return h.value();
}

/// Says how it went and ends the program: with 0 if all is well, and the state is the one that was found on another machine.
[[noreturn]] inline void finish(bool well, std::uint64_t state, std::uint32_t instructions_per_step) {
    print("state ");
    print_hex(state);
    print(" instructions ");
    print_number(instructions_per_step);
    print(" stack ");
    print_number(stack_used());
    print(well ? " well\n" : " NOT WELL\n");
#ifdef EXPECTED_STATE
    if (state != EXPECTED_STATE) {
        print("the state is not the expected one\n");
        exit(2);
    }
#endif
    exit(well ? 0 : 1);
}

}  // namespace board
