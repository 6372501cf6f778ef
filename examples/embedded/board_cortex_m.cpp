// A Cortex-M without anything else: vectors, start-up, output and end by semihosting, and a clock.
//
// The clock is SysTick, which counts down from 2^24. Under qemu-system-arm -icount shift=0 an instruction takes a nanosecond, so that the
// ticks, each of 1e9 / CLOCK_HZ ns, tell the instructions, and repeat exactly. On silicon they tell cycles.

#include "board.hpp"

#ifndef CLOCK_HZ
#define CLOCK_HZ 25000000
#endif

extern "C" {
extern std::uint32_t data_from_begin, data_begin, data_end, bss_begin, bss_end, stack_end, stack_begin;
int application() __asm__("main");  // C++ does not let main be called by its name
void start_up();
void stop();
}

namespace {

constexpr std::uint32_t paint = 0xc0ffee11u;
using word [[gnu::may_alias]] = std::uint32_t;
struct [[gnu::may_alias]] words {
    std::uint32_t e[4];
};

constexpr std::uintptr_t systick_control = 0xe000e010, systick_reload = 0xe000e014, systick_now = 0xe000e018, coprocessor_access = 0xe000ed88;
std::uint32_t volatile& at(std::uintptr_t address) { return *reinterpret_cast<std::uint32_t volatile*>(address); }

// ARM's semihosting: the debugger does it.
std::uint32_t semihost(std::uint32_t operation, void const* argument) {
    register std::uint32_t r0 __asm__("r0") = operation;
    register void const* r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

}  // namespace

extern "C" {

__attribute__((section(".vectors"), used)) void const* const vectors[16] = {
    &stack_end, reinterpret_cast<void const*>(start_up), reinterpret_cast<void const*>(stop), reinterpret_cast<void const*>(stop),
    reinterpret_cast<void const*>(stop), reinterpret_cast<void const*>(stop), reinterpret_cast<void const*>(stop)};

void start_up() {
#if defined(__ARM_FP)
    at(coprocessor_access) = at(coprocessor_access) | (0xfu << 20);  // the floating-point unit on, before any float
    __asm__ volatile("dsb\n isb" ::: "memory");
#endif
    for (std::uint32_t volatile *to = &data_begin, *from = &data_from_begin; to != &data_end;) *to++ = *from++;
    for (std::uint32_t volatile* to = &bss_begin; to != &bss_end;) *to++ = 0;
    std::uint32_t here;
    __asm__ volatile("mov %0, sp" : "=r"(here));
    for (std::uint32_t volatile* to = &stack_begin; reinterpret_cast<std::uintptr_t>(to) + 16 < here;) *to++ = paint;
    at(systick_reload) = 0xffffff;
    at(systick_now) = 0;
    at(systick_control) = 5;  // on, by the processor's clock
    board::exit(application());
}

// Those of the C library are made for speed, and take 470 bytes.
__attribute__((used, optimize("no-tree-loop-distribute-patterns"))) void* memcpy(void* to, void const* from, std::size_t size) {
    auto* t = static_cast<unsigned char*>(to);
    auto const* f = static_cast<unsigned char const*>(from);
    if (((reinterpret_cast<std::uintptr_t>(t) | reinterpret_cast<std::uintptr_t>(f)) & 3u) == 0) {
        for (; size >= 16; size -= 16, t += 16, f += 16) *reinterpret_cast<words*>(t) = *reinterpret_cast<words const*>(f);
        for (; size >= 4; size -= 4, t += 4, f += 4) *reinterpret_cast<word*>(t) = *reinterpret_cast<word const*>(f);
    }
    for (; size > 0; --size) *t++ = *f++;
    return to;
}
__attribute__((used, optimize("no-tree-loop-distribute-patterns"))) void* memset(void* to, int value, std::size_t size) {
    auto* t = static_cast<unsigned char*>(to);
    auto const byte = static_cast<unsigned char>(value);
    if ((reinterpret_cast<std::uintptr_t>(t) & 3u) == 0) {
        std::uint32_t const four = byte * 0x01010101u;
        for (; size >= 16; size -= 16, t += 16) *reinterpret_cast<words*>(t) = {{four, four, four, four}};
        for (; size >= 4; size -= 4, t += 4) *reinterpret_cast<word*>(t) = four;
    }
    for (; size > 0; --size) *t++ = byte;
    return to;
}

void stop() {
    board::print("fault\n");
    board::exit(3);
}

}  // extern "C"

namespace board {

void print(char const* text) { semihost(0x04, text); }  // SYS_WRITE0
void exit(int code) {
    std::uint32_t const reason[2] = {0x20026, static_cast<std::uint32_t>(code)};  // ADP_Stopped_ApplicationExit
    for (;;) semihost(0x20, reason);                                              // SYS_EXIT_EXTENDED
}
std::uint64_t instructions() {
    // Must be asked again before 2^24 ticks are over.
    static std::uint32_t last = 0xffffff;
    static std::uint32_t sum = 0;
    std::uint32_t const now = at(systick_now);
    sum += (last - now) & 0xffffff;
    last = now;
    return std::uint64_t{sum} * (2000 / (CLOCK_HZ / 1000000)) / 2;  // a division by another number would be a call
}
std::uint32_t stack_used() {
    std::uint32_t const volatile* lowest = &stack_begin;
    while (*lowest == paint) ++lowest;
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(&stack_end) - reinterpret_cast<std::uintptr_t>(lowest));
}

}  // namespace board
