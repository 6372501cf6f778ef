#!/usr/bin/env bash
# The same bits everywhere: builds tests/determinism with several compilers for several processors, runs it (under qemu-user where the
# processor is another), and compares what it prints with tests/determinism/hashes.txt.
#
#   check_determinism.sh            every scene by four compilers and processors without much optimisation, some with much: a few CPU minutes
#   check_determinism.sh all        every scene by all, from -O0 to -O3: ten times as long
#   check_determinism.sh write      writes hashes.txt anew, by clang++ -O0. Do that only where bits were meant to change
#   check_determinism.sh ... FILE   only those of one file: joints_float, ...
#
# A compiler or emulator that is not installed is skipped, and said so, as is what this processor cannot run. With CI=true they are installed first,
# and none may be missing but AVX-512, which not every processor has, and those for WebAssembly, which not every Debian has: clang-19, lld-19,
# wasi-libc, libc++-19-dev-wasm32, libc++abi-19-dev-wasm32, libclang-rt-19-dev-wasm32 and nodejs. Its stack of 64 KiB is too small for eight lanes
# without optimization.
set -euo pipefail
cd "$(dirname "$0")/../.."

mode=${1:-some}
case $mode in some | all | write) shift || true ;; *) mode=some ;; esac
sources=tests/determinism
hashes=$sources/hashes.txt
each="joints_float joints_double direct_float direct_double contacts_float contacts_double other_motions fixed_point fixed_chain wide_float wide_contacts"
only=${1:-}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export out sources

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
if [ "${CI:-}" = true ]; then
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends g++ clang g++-aarch64-linux-gnu g++-riscv64-linux-gnu qemu-user \
        > "$out/apt.log" || { cat "$out/apt.log" >&2; exit 1; }
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends clang-19 lld-19 wasi-libc libc++-19-dev-wasm32 \
        libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 $(command -v node > /dev/null || echo nodejs) > "$out/apt.log" 2>&1 || tail -3 "$out/apt.log"
fi

# name | how to run it | compiler and flags | files
wasm="node tests/scripts/run_wasm.mjs|clang++-19 --target=wasm32-wasi -fno-exceptions -Wl,-z,stack-size=4194304"
if [ "$mode" = write ]; then
    rows="x86-64 clang -O0||clang++ -O0|all"
elif [ "$mode" = all ]; then
    rows="x86-64 clang -O0||clang++ -O0|all
x86-64 clang -O3||clang++ -O3|$each
x86-64 g++ -O0||g++ -O0|all
x86-64 g++ -O3||g++ -O3|$each
x86-64 g++ -O2 -march=haswell||g++ -O2 -march=haswell|$each
x86-64 g++ -O2 -march=x86-64-v4||g++ -O2 -march=x86-64-v4|$each
x86-64 clang -O1 -march=x86-64-v4||clang++ -O1 -march=x86-64-v4|$each
aarch64 clang -O0|qemu-aarch64|clang++ --target=aarch64-linux-gnu -O0|all
aarch64 g++ -O3|qemu-aarch64|aarch64-linux-gnu-g++ -O3|$each
riscv64 clang -O1|qemu-riscv64|clang++ --target=riscv64-linux-gnu -O1|$each
riscv64 g++ -O2|qemu-riscv64|riscv64-linux-gnu-g++ -O2|$each
wasm32 clang-19 -O0|$wasm -O0|all
wasm32 clang-19 -O2|$wasm -O2|$each"
else
    rows="x86-64 clang -O0||clang++ -O0|all
aarch64 clang -O0|qemu-aarch64|clang++ --target=aarch64-linux-gnu -O0|all
wasm32 clang-19 -O0|$wasm -O0|all
x86-64 g++ -O0||g++ -O0|all
x86-64 g++ -O2 -march=haswell, in lanes||g++ -O2 -march=haswell|wide_contacts
riscv64 clang -O0|qemu-riscv64|clang++ --target=riscv64-linux-gnu -O0|contacts_float fixed_point
x86-64 clang -O3||clang++ -O3|joints_float
x86-64 g++ -O3||g++ -O3|fixed_chain
x86-64 g++ -O2 -march=haswell||g++ -O2 -march=haswell|other_motions
aarch64 g++ -O2|qemu-aarch64|aarch64-linux-gnu-g++ -O2|contacts_double
riscv64 g++ -O2|qemu-riscv64|riscv64-linux-gnu-g++ -O2|direct_float
x86-64 g++ -O2 -march=x86-64-v4||g++ -O2 -march=x86-64-v4|wide_float
x86-64 clang -O1 -march=x86-64-v4||clang++ -O1 -march=x86-64-v4|wide_contacts"
fi

# ---- one job is one file for one target: builds, runs, and leaves its lines
job() {
    local n=$1 runner=$2 compiler=$3 file=$4
    base=$out/$n.$file
    local flags="-std=c++20 -ffp-contract=off -static -Iinclude -Itests"
    local main=
    [ "$file" = all ] || main=$sources/main.cpp
    build $compiler $flags "$sources/$file.cpp" $main > "$base.log" 2>&1 || { echo "does not build" >> "$base.log"; exit 0; }
    if $runner "$base.x" > "$base.said" 2>> "$base.log"; then mv "$base.said" "$base.txt"; else echo "does not run" >> "$base.log"; fi
    rm -f "$base.x"
}
# clang for another processor takes the headers of that g++, and leaves linking to it: left to itself it may find those for bare metal.
build() {
    local line="$*" triple=
    case $line in *wasm*) ;;
    *--target=*) triple=${line#*--target=} triple=${triple%% *} ;; esac
    if [ -z "$triple" ]; then
        "$@" -o "$base.x"
        return
    fi
    local root=/usr/$triple/include unit
    local libstdcxx=$(echo "$root"/c++/*)
    local units=()
    for unit in "${@: -2}"; do [ "${unit%.cpp}" = "$unit" ] || units+=("$unit"); done
    for unit in "${units[@]}"; do
        "${@:1:$#-${#units[@]}}" -nostdinc++ -isystem "$libstdcxx" -isystem "$libstdcxx/$triple" -isystem "$root" -c "$unit" -o "$base.$(basename "$unit").o" || return
    done
    "$triple-g++" -static "$base".*.cpp.o -o "$base.x" && rm -f "$base".*.cpp.o
}
export -f job build

n=0 jobs=() skipped=0
names=() lists=()
while IFS='|' read -r name runner compiler files; do
    missing=
    for tool in ${runner%% *} ${compiler%% *}; do command -v "$tool" > /dev/null || missing=$tool; done
    case $compiler in
    *--target=aarch64*) command -v aarch64-linux-gnu-g++ > /dev/null || missing=g++-aarch64-linux-gnu ;;
    *--target=riscv64*) command -v riscv64-linux-gnu-g++ > /dev/null || missing=g++-riscv64-linux-gnu ;;
    *wasm*) [ -f /usr/lib/wasm32-wasi/libc++.a ] || missing="libc++-19-dev-wasm32 and what it stands on" ;;
    *haswell*) grep -qw avx2 /proc/cpuinfo || missing="a processor with AVX2" ;;
    *x86-64-v4*) for part in f bw cd dq vl; do grep -qw "avx512$part" /proc/cpuinfo || missing="a processor with AVX-512"; done ;;
    esac
    if [ -n "$missing" ]; then
        echo "SKIPPED  $name: needs $missing"
        case $compiler in *wasm* | *x86-64-v4*) ;; *) skipped=$((skipped + 1)) ;; esac
        continue
    fi
    if [ -n "$only" ]; then
        case " $files " in " all " | *" $only "*) files=$only ;; *) continue ;; esac
    fi
    names+=("$name") lists+=("$files")
    for file in $files; do jobs+=("$n" "$runner" "$compiler" "$file"); done
    n=$((n + 1))
done <<< "$rows"
printf '%s\0' "${jobs[@]}" | xargs -0 -n 4 -P "$(nproc)" bash -c 'job "$@"' job

if [ "$mode" = write ]; then
    [ -f "$out/0.all.txt" ] || { grep -E "error|does not" "$out/0.all.log" | head -8 >&2; exit 1; }
    cat "$out/0.all.txt" > "$hashes"
    echo "wrote $(wc -l < "$hashes") lines"
    exit 0
fi

good=0 bad=0
for ((i = 0; i < n; ++i)); do
    scenes=0 differ=0
    for file in ${lists[i]}; do
        base=$out/$i.$file
        if [ ! -f "$base.txt" ]; then
            grep -E "error|does not|failed|stands|differs|build with" "$base.log" | cut -c 1-300 | head -8 | sed "s/^/    /" || true
            differ=$((differ + 1))
            continue
        fi
        if [ "$file" = all ]; then cp "$hashes" "$base.wanted"; else grep "^$file " "$hashes" > "$base.wanted" || true; fi
        if ! diff "$base.wanted" "$base.txt" > "$base.diff"; then
            sed "s/^/    /" "$base.diff"
            differ=$((differ + 1))
        fi
        scenes=$((scenes + $(wc -l < "$base.txt")))
    done
    if [ $differ = 0 ]; then
        echo "same     ${names[i]}: $scenes scenes"
        good=$((good + 1))
    else
        echo "DIFFERS  ${names[i]}"
        bad=$((bad + 1))
    fi
done
echo "$good compilers and processors agree, $bad differ, $skipped skipped"
[ $bad = 0 ] && { [ "${CI:-}" != true ] || [ $skipped = 0 ]; }
