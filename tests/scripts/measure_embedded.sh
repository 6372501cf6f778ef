#!/usr/bin/env bash
# The firmware of examples/embedded: builds it for Cortex-M0, M4F and M7 and for RISC-V of 32 bits, in float and in fixed point, runs it in QEMU,
# compares the state in which each ends with the host's, bit for bit, and prints what it costs.
#
#   measure_embedded.sh [example ...]      all of examples/embedded by default: the arm of three links everywhere, the ball with collision
#                                  detection on a Cortex-M4F and M0, the others on three processors
#
# It fails if a state differs; if a firmware contains a heap, exceptions, arithmetic on doubles or, in fixed point, on floats, or searches by
# GJK and EPA, which no pair of shapes here needs; if a stack is not bounded (recursion); if the three-link arm on a Cortex-M4F, with every
# input checked and errors told by their codes, needs 16 KiB of flash or 4 KiB of RAM or more, or a program in fixed point on a Cortex-M0
# 24 KiB of flash; with CI=true also if README's table says other than what was measured.
# Without the cross compiler or QEMU it says so and ends; with CI=true they are installed first. RISC-V borrows the headers of libstdc++ from
# arm-none-eabi, since Debian has none for it.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
if [ "${CI:-}" = true ]; then
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends g++ python3 gcc-arm-none-eabi libnewlib-arm-none-eabi \
        libstdc++-arm-none-eabi-newlib qemu-system-arm gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf qemu-system-misc > "$out/apt.log" || { cat "$out/apt.log" >&2; exit 1; }
fi
for tool in g++ arm-none-eabi-g++ qemu-system-arm; do
    command -v "$tool" > /dev/null || { echo "SKIPPED: needs $tool"; exit 0; }
done

sources=examples/embedded
examples=${*:-three_link_arm two_link_arm cart_pole sliding_crate bouncing_ball}
flags="-std=c++20 -Os -ffp-contract=off -fno-math-errno -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-use-cxa-atexit
    -ffunction-sections -fdata-sections -fstack-usage -fcallgraph-info=su -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Werror
    -nostartfiles -Wl,--gc-sections -Iinclude"
headers=$(echo /usr/include/newlib/c++/*)
cortex="arm-none-eabi-g++ -mthumb --specs=nano.specs --specs=nosys.specs -T $sources/cortex_m.ld $sources/board_cortex_m.cpp"
risc="riscv64-unknown-elf-g++ -nodefaultlibs -nostdinc++ -isystem $headers -isystem $headers/arm-none-eabi --specs=picolibc.specs -Wl,--no-relax -T $sources/riscv32.ld $sources/board_riscv32.cpp"
# name | compiler | processor | board of QEMU | its clock, Hz | numbers
m0="M0|$cortex|-mcpu=cortex-m0 -mfloat-abi=soft|microbit|16000000"
targets="M4F|$cortex|-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16|mps2-an386|25000000|float
M7|$cortex|-mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16|mps2-an500|25000000|float
$m0|float
$m0|Q15.16"
if command -v riscv64-unknown-elf-g++ qemu-system-riscv32 > /dev/null && [ -d "$headers" ]; then
    targets="$targets
RV32F|$risc|-march=rv32imafc -mabi=ilp32f|virt|1000000|float
RV32|$risc|-march=rv32imac -mabi=ilp32|virt|1000000|Q15.16"
else
    echo "SKIPPED RISC-V of 32 bits: needs riscv64-unknown-elf-g++ with picolibc, and qemu-system-riscv32"
    [ "${CI:-}" != true ] || exit 1
fi

emulate() {
    local system="qemu-system-arm"
    [ "$1" != virt ] || system="qemu-system-riscv32 -bios none"
    timeout 300 $system -M "$1" -nographic -monitor none -serial none -icount shift=0,sleep=off -semihosting-config enable=on,target=native \
        -kernel "$2" 2>&1 < /dev/null
}
declare -A define=([float]="" [Q15.16]=-DFIXED_POINT)
fail() { echo "FAILED: $*"; }

printf '%-16s %-6s %-7s %-14s %9s %9s %9s %9s %13s  %s\n' firmware target numbers input "flash, B" "RAM, B" "stack, B" "bound, B" "instr./step" "final state"
# One firmware everywhere; each by its own process.
measure() {
    local example=$1
    local out=$out/$1
    mkdir "$out"
    local -A expected=()
    for numbers in float Q15.16; do
        g++ -std=c++20 -O1 -ffp-contract=off ${define[$numbers]} -Iinclude $sources/$example.cpp $sources/board_hosted.cpp -o "$out/host"
        said=$("$out/host") || fail "$example in $numbers on the host: $said"
        expected[$numbers]=$(awk '{ print $2 }' <<< "$said")
    done
    while IFS='|' read -r name compiler processor machine clock numbers; do
        case $example in
            three_link_arm) ;;
            bouncing_ball) [[ " M4F:float M0:float " = *" $name:$numbers "* ]] || continue ;;
            *) [[ " M4F:float M0:Q15.16 RV32:Q15.16 " = *" $name:$numbers "* ]] || continue ;;
        esac
        for policy in trusted_input error_codes null_errors; do
            [ $policy = trusted_input ] || [ $example = three_link_arm ] || continue
            of="$example in $numbers on $name"
            elf=$out/$example.$name.elf
            rm -f "$out"/*.ci "$out"/*.o
            # Only the linker may warn, of nosys.specs.
            $compiler $processor $flags ${define[$numbers]} -DCLOCK_HZ=$clock -DINPUT_POLICY=$policy -DEXPECTED_STATE=0x${expected[$numbers]}ull $sources/$example.cpp -lc -lgcc -save-temps=obj -dumpdir "$out/" -o "$elf" 2> "$out/log" || { cat "$out/log"; exit 1; }
            said=$(emulate $machine "$elf") || fail "$of: $said"
            [ $name = M0 ] || [ "$(emulate $machine "$elf")" = "$said" ] || fail "$of: another run said otherwise"
            read -r _ state _ instructions _ stack _ <<< "$said"
            tools=${compiler%%g++*}
            read -r flash ram <<< "$(${tools}size -A "$elf" | awk '
                $1 == ".text" || $1 == ".ARM.exidx" { flash += $2 }
                $1 == ".data"                       { flash += $2; ram += $2 }
                $1 == ".bss"                        { ram += $2 }
                END                                 { print flash, ram }')"
            bound=$(python3 tests/scripts/stack_bound.py "$out"/*.ci "$out"/*.o) || fail "$of: the stack has no bound: $bound"
            [ "$stack" -le "${bound%%[!0-9]*}" ] || fail "$of used $stack bytes of stack, more than $bound"
            ram=$((ram + stack))
            verdict="as on the host"
            [ "$state" = "${expected[$numbers]}" ] || verdict="$state, not the host's ${expected[$numbers]}"
            printf '%-16s %-6s %-7s %-14s %9d %9d %9d %9s %13s  %s\n' $example $name $numbers $policy $flash $ram "$stack" "$bound" "$instructions" "$verdict"

            heap=$(${tools}nm -C "$elf" | grep -E ' (malloc|_malloc_r|_sbrk|operator new(\[\])?\()' || true)
            [ -z "$heap" ] || fail "$of has a heap: $heap"
            thrown=$(${tools}nm -C "$elf" | grep -E '__cxa_throw|__gxx_personality|typeinfo for|__printf|_printf_float' || true)
            [ -z "$thrown" ] || fail "$of has what was switched off: $thrown"
            unwanted='__aeabi_(d|f2d|i2d|l2d|ui2d|ul2d)|__[a-z]+df[23]?$|__(extendsf|float[a-z]+)df|__truncdfsf2| (sinf?|cosf?|sqrtf?|atan2f?|expf?)$'
            [ $numbers = float ] || unwanted="$unwanted|__aeabi_(f|i2f|l2f|ui2f|ul2f)|__[a-z]+sf[23]?\$"
            floats=$(${tools}nm "$elf" | grep -E "$unwanted" || true)
            [ -z "$floats" ] || fail "$of computes with doubles or floats, or calls libm: $floats"
            search=$(${tools}nm -C "$elf" | grep -E 'sinew::.*(gjk|epa)[_<(]' || true)
            [ -z "$search" ] || fail "$of searches for nearest points: $search"
            if [ $example = three_link_arm ] && [ $name = M4F ]; then
                [ $flash -lt 16384 ] || [ $policy = null_errors ] || fail "$of takes $flash bytes of flash"
                [ $ram -lt 4096 ] || fail "$of takes $ram bytes of RAM"
            fi
            if [ $name = M0 ] && [ $numbers = Q15.16 ]; then
                [ $flash -lt 24576 ] || fail "$of takes $flash bytes of flash"
            fi
        done
    done <<< "$targets"
}
running=0 failed=0
for example in $examples; do
    [ $running -lt "$(nproc)" ] || { wait -n || failed=1; running=$((running - 1)); }
    measure $example > "$out/$example.txt" 2>&1 &
    running=$((running + 1))
done
while [ $running -gt 0 ]; do
    wait -n || failed=1
    running=$((running - 1))
done
for example in $examples; do cat "$out/$example.txt"; done
! cat "$out"/*.txt | grep -q "^FAILED" || failed=1
if [ "${CI:-}" = true ] && [ $# = 0 ]; then
    # A row of README is known by its processor and its five numbers.
    stale=$(awk '
        FILENAME != "README.md" { sub(/[^0-9].*/, "", $8); measured[$2 " " $5 " " $6 " " $7 " " $8 " " $9]; next }
        /^\| .* \| [0-9]+ of [0-9]+ B \| [0-9]+ \|$/ {
            ++rows
            split($0, cell, / *\| */)
            name = cell[3]
            sub(/^Cortex-/, "", name)
            sub(/^RV32IMAFC$/, "RV32F", name)
            sub(/^RV32IMAC$/, "RV32", name)
            numbers = cell[5] " " cell[6] " " cell[7] " " cell[8]
            gsub(/ (B|of)/, "", numbers)
            if (!((name " " numbers) in measured)) print
        }
        END { if (rows == 0) print "no row at all" }' "$out"/*.txt README.md)
    [ -z "$stale" ] || { failed=1; printf 'FAILED: README says what was not measured:\n%s\n' "$stale"; }
fi
echo "flash: code and constants. RAM: data and the most stack that was in use. bound: the most stack that any path of calls can take."
echo "instructions a step: counted by QEMU, control included; they repeat exactly"
[ $failed = 0 ]
