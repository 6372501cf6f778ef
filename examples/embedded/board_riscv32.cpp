// A RISC-V of 32 bits under qemu-riscv32, which is asked for output and an end as Linux is. It stands for a microcontroller in all but its
// clock: start-up, memory and stack are our own.

#include "board.hpp"

extern "C" {
extern std::uint32_t bss_begin, bss_end, stack_end, stack_begin;
int application() __asm__("main");  // C++ does not let main be called by its name
[[noreturn]] void begin();
}

namespace {

constexpr std::uint32_t paint = 0xc0ffee11u;

std::uint32_t system_call(std::uint32_t number, std::uint32_t x, std::uint32_t y = 0, std::uint32_t z = 0) {
    register std::uint32_t a0 __asm__("a0") = x;
    register std::uint32_t a1 __asm__("a1") = y;
    register std::uint32_t a2 __asm__("a2") = z;
    register std::uint32_t a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

}  // namespace

__asm__(
    ".section .text.start_up\n"
    ".globl start_up\n"
    "start_up:\n"
    "  la sp, stack_end\n"
    "  j begin\n"
    ".text\n");

extern "C" void begin() {
    for (std::uint32_t volatile* to = &bss_begin; to != &bss_end;) *to++ = 0;
    std::uint32_t here;
    __asm__ volatile("mv %0, sp" : "=r"(here));
    for (std::uint32_t volatile* to = &stack_begin; reinterpret_cast<std::uintptr_t>(to) + 16 < here;) *to++ = paint;
    board::exit(application());
}

namespace board {

void print(char const* text) {
    std::uint32_t length = 0;
    while (text[length] != '\0') ++length;
    system_call(64, 1, static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(text)), length);  // write
}
void exit(int code) {
    for (;;) system_call(93, static_cast<std::uint32_t>(code));
}
std::uint64_t instructions() { return 0; }  // QEMU does not count them here
std::uint32_t stack_used() {
    std::uint32_t const volatile* lowest = &stack_begin;
    while (*lowest == paint) ++lowest;
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(&stack_end) - reinterpret_cast<std::uintptr_t>(lowest));
}

}  // namespace board
