#!/usr/bin/env bash
# The firmware of examples/embedded: builds it for Cortex-M0, M4F and M7 and for RISC-V of 32 bits, runs it in QEMU, compares the state in which
# each ends with the host's, bit for bit, and prints what it costs.
#
#   measure_embedded.sh [example ...]      all of examples/embedded by default
#
# It fails if a state differs, if a firmware contains a heap, exceptions, or arithmetic on doubles, if the three-link arm on a Cortex-M4F needs
# 16 KiB of flash or 4 KiB of RAM or more, or if its stack is not bounded (recursion).
# Without the cross compiler or QEMU it says so and ends; with CI=true those for Cortex-M are installed first. RISC-V needs gcc-riscv64-unknown-elf,
# picolibc-riscv64-unknown-elf and qemu-user, and borrows the headers of libstdc++ from arm-none-eabi, since Debian has none for it.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
if [ "${CI:-}" = true ]; then
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends g++ python3 gcc-arm-none-eabi libnewlib-arm-none-eabi \
        libstdc++-arm-none-eabi-newlib qemu-system-arm > "$out/apt.log" || { cat "$out/apt.log" >&2; exit 1; }
fi
for tool in g++ arm-none-eabi-g++ qemu-system-arm; do
    command -v "$tool" > /dev/null || { echo "SKIPPED: needs $tool"; exit 0; }
done

sources=examples/embedded
examples=${*:-three_link_arm two_link_arm cart_pole}
flags="-std=c++20 -Os -ffp-contract=off -fno-math-errno -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-use-cxa-atexit
    -ffunction-sections -fdata-sections -fstack-usage -fcallgraph-info=su -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Werror
    -nostartfiles -Wl,--gc-sections -Iinclude"
headers=$(echo /usr/include/newlib/c++/*)
cortex="arm-none-eabi-g++ -mthumb --specs=nano.specs --specs=nosys.specs -T $sources/cortex_m.ld $sources/board_cortex_m.cpp"
risc="riscv64-unknown-elf-g++ -nodefaultlibs -nostdinc++ -isystem $headers -isystem $headers/arm-none-eabi --specs=picolibc.specs -Wl,--no-relax -T $sources/riscv32.ld $sources/board_riscv32.cpp"
# name | compiler | processor | board of QEMU | its clock, Hz
targets="M0|$cortex|-mcpu=cortex-m0 -mfloat-abi=soft|microbit|16000000
M4F|$cortex|-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16|mps2-an386|25000000
M7|$cortex|-mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16|mps2-an500|25000000"
if command -v riscv64-unknown-elf-g++ qemu-riscv32 > /dev/null && [ -d "$headers" ]; then
    targets="$targets
RV32F|$risc|-march=rv32imafc -mabi=ilp32f|user|1000000
RV32|$risc|-march=rv32imac -mabi=ilp32|user|1000000"
else
    echo "SKIPPED RISC-V of 32 bits: needs riscv64-unknown-elf-g++ with picolibc, and qemu-riscv32"
fi

emulate() {
    if [ "$1" = user ]; then
        timeout 300 qemu-riscv32 "$2" 2>&1 < /dev/null
        return
    fi
    timeout 300 qemu-system-arm -M "$1" -nographic -monitor none -serial none -icount shift=0,sleep=off -semihosting-config enable=on,target=native \
        -kernel "$2" 2>&1 < /dev/null
}
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

printf '%-16s %-6s %-14s %9s %9s %9s %9s %13s  %s\n' firmware target input "flash, B" "RAM, B" "stack, B" "bound, B" "instr./step" "final state"
for example in $examples; do
    g++ -std=c++20 -O1 -ffp-contract=off -Iinclude $sources/$example.cpp $sources/board_hosted.cpp -o "$out/host"
    said=$("$out/host") || fail "$example on the host: $said"
    expected=$(awk '{ print $2 }' <<< "$said")
    while IFS='|' read -r name compiler processor machine clock; do
        for policy in trusted_input null_errors; do
            [ $policy = trusted_input ] || [ $example = three_link_arm ] || continue
            elf=$out/$example.$name.elf
            rm -f "$out"/*.ci
            # Only the linker may warn, of nosys.specs.
            $compiler $processor $flags -DCLOCK_HZ=$clock -DINPUT_POLICY=$policy -DEXPECTED_STATE=0x${expected}ull $sources/$example.cpp -lc -lgcc -dumpdir "$out/" -o "$elf" 2> "$out/log" || { cat "$out/log"; exit 1; }
            said=$(emulate $machine "$elf") || fail "$example on $name: $said"
            [ $name = M0 ] || [ "$(emulate $machine "$elf")" = "$said" ] || fail "$example on $name: another run said otherwise"
            read -r _ state _ instructions _ stack _ <<< "$said"
            tools=${compiler%%g++*}
            read -r text data bss _ <<< "$(${tools}size "$elf" | tail -1)"
            [ $machine != user ] || bss=$((0x$(${tools}nm "$elf" | awk '$3 == "bss_end" { print $1 }') - 0x20000000 - data))
            bound=$(python3 tests/scripts/stack_bound.py "$out"/*.ci) || fail "$example on $name: the stack has no bound: $bound"
            flash=$((text + data)) ram=$((data + bss + stack))
            verdict="as on the host"
            [ "$state" = "$expected" ] || verdict="$state, not the host's $expected"
            [ $instructions != 0 ] || instructions=-
            printf '%-16s %-6s %-14s %9d %9d %9d %9s %13s  %s\n' $example $name $policy $flash $ram "$stack" "$bound" "$instructions" "$verdict"

            heap=$(${tools}nm -C "$elf" | grep -E ' (malloc|_malloc_r|_sbrk|operator new(\[\])?\()' || true)
            [ -z "$heap" ] || fail "$example on $name has a heap: $heap"
            thrown=$(${tools}nm -C "$elf" | grep -E '__cxa_throw|__gxx_personality|typeinfo for|__printf|_printf_float' || true)
            [ -z "$thrown" ] || fail "$example on $name has what was switched off: $thrown"
            doubles=$(${tools}nm "$elf" | grep -E '__aeabi_(d|f2d|i2d|l2d|ui2d|ul2d)|__[a-z]+df[23]?$|__(extendsf|float[a-z]+)df|__truncdfsf2| (sinf?|cosf?|sqrtf?|atan2f?|expf?)$' || true)
            [ -z "$doubles" ] || fail "$example on $name computes with doubles, or calls libm: $doubles"
            if [ $example = three_link_arm ] && [ $name = M4F ] && [ $policy = trusted_input ]; then
                [ $flash -lt 16384 ] || fail "the three-link arm takes $flash bytes of flash"
                [ $ram -lt 4096 ] || fail "the three-link arm takes $ram bytes of RAM"
            fi
        done
    done <<< "$targets"
done
echo "flash: code and constants. RAM: data and the most stack that was in use. bound: the most stack that any path of calls can take."
echo "instructions a step: counted by QEMU, control included; they repeat exactly"
[ $failures = 0 ]
