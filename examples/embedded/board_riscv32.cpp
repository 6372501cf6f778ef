// A RISC-V of 32 bits without anything else, in machine mode: start-up, output and end by semihosting, and its own count of instructions, which
// repeats exactly under qemu-system-riscv32 -icount shift=0.

#include "board.hpp"

extern "C" {
extern std::uint32_t bss_begin, bss_end, stack_end, stack_begin;
int application() __asm__("main");  // C++ does not let main be called by its name
[[noreturn]] void begin();
}

namespace {

constexpr std::uint32_t paint = 0xc0ffee11u;
typedef std::uint32_t __attribute__((may_alias)) word;

// RISC-V's semihosting: the debugger knows these three instructions, none of them in the short form.
std::uint32_t semihost(std::uint32_t operation, void const* argument) {
    register std::uint32_t a0 __asm__("a0") = operation;
    register void const* a1 __asm__("a1") = argument;
    __asm__ volatile(
        ".balign 16\n .option push\n .option norvc\n"
        "slli x0, x0, 0x1f\n ebreak\n srai x0, x0, 7\n"
        ".option pop"
        : "+r"(a0) : "r"(a1) : "memory");
    return a0;
}

}  // namespace

__asm__(
    ".option arch, +zicsr\n"
    ".section .text.start_up\n"
    ".globl start_up\n"
    "start_up:\n"
    "  la sp, stack_end\n"
    "  li t0, 0x2000\n"
    "  csrs mstatus, t0\n"  // the floating-point unit on, where there is one
    "  j begin\n"
    ".text\n");

extern "C" void begin() {
    for (std::uint32_t volatile* to = &bss_begin; to != &bss_end;) *to++ = 0;
    std::uint32_t here;
    __asm__ volatile("mv %0, sp" : "=r"(here));
    for (std::uint32_t volatile* to = &stack_begin; reinterpret_cast<std::uintptr_t>(to) + 16 < here;) *to++ = paint;
    board::exit(application());
}

// picolibc's go byte by byte, which would be half of all instructions.
#define AS_WRITTEN __attribute__((optimize("no-tree-loop-distribute-patterns")))  // not turned into a call of itself
extern "C" AS_WRITTEN void* memcpy(void* to, void const* from, std::size_t bytes) {
    auto* p = static_cast<unsigned char*>(to);
    auto const* q = static_cast<unsigned char const*>(from);
    if (((reinterpret_cast<std::uintptr_t>(p) | reinterpret_cast<std::uintptr_t>(q)) & 3) == 0)
        for (; bytes >= 4; bytes -= 4, p += 4, q += 4) *reinterpret_cast<word*>(p) = *reinterpret_cast<word const*>(q);
    for (; bytes != 0; --bytes) *p++ = *q++;
    return to;
}
extern "C" AS_WRITTEN void* memset(void* to, int value, std::size_t bytes) {
    auto* p = static_cast<unsigned char*>(to);
    auto const byte = static_cast<unsigned char>(value);
    if ((reinterpret_cast<std::uintptr_t>(p) & 3) == 0)
        for (; bytes >= 4; bytes -= 4, p += 4) *reinterpret_cast<word*>(p) = byte * 0x01010101u;
    for (; bytes != 0; --bytes) *p++ = byte;
    return to;
}

namespace board {

void print(char const* text) { semihost(0x04, text); }  // SYS_WRITE0
void exit(int code) {
    std::uint32_t const reason[2] = {0x20026, static_cast<std::uint32_t>(code)};  // ADP_Stopped_ApplicationExit
    for (;;) semihost(0x20, reason);                                              // SYS_EXIT_EXTENDED
}
std::uint64_t instructions() {
    std::uint32_t high, low, again;
    do __asm__ volatile(".option push\n .option arch, +zicsr\n csrr %0, minstreth\n csrr %1, minstret\n csrr %2, minstreth\n .option pop" : "=r"(high), "=r"(low), "=r"(again));
    while (high != again);
    return std::uint64_t{high} << 32 | low;
}
std::uint32_t stack_used() {
    std::uint32_t const volatile* lowest = &stack_begin;
    while (*lowest == paint) ++lowest;
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(&stack_end) - reinterpret_cast<std::uintptr_t>(lowest));
}

}  // namespace board
