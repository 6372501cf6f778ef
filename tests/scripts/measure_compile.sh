#!/usr/bin/env bash
# Compile time, peak memory and stripped size of the README's first program and of every example against the single headers, as a
# Markdown table.
#
#   tests/scripts/measure_compile.sh [<compiler> [<runs>]]      g++ and 5, from any folder
#
# Time and memory are medians of the runs; the README's program, whose figures have a target, always has 5, and with 0 runs is all that is
# measured. Needs /usr/bin/time.
set -euo pipefail
cd "$(dirname "$0")/../.."
compiler=${1:-g++}
runs=${2:-5}
flags=(-std=c++20 -O2 -ffp-contract=off)

[ -x /usr/bin/time ] || { echo "measure_compile.sh needs /usr/bin/time: apt-get install time" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One stub per header that forwards to the single file, so that the sources stay as they are.
(cd include && find sinew -name '*.hpp') | while read -r header; do
    mkdir -p "$work/include/$(dirname "$header")"
    case $header in sinew/io/*) single=sinew_io.hpp ;; *) single=sinew.hpp ;; esac
    printf '#pragma once\n#include <%s>\n' "$single" > "$work/include/$header"
done

# measure <source> <times>: sets seconds, megabytes and kilobytes.
measure() {
    local i
    for ((i = 0; i < $2; ++i)); do
        /usr/bin/time -a -o "$work/log" -f '%e %M' "$compiler" "${flags[@]}" -I"$work/include" -Isingle_include "$1" -o "$work/program"
    done
    local middle=$((($2 + 1) / 2))
    seconds=$(cut -d' ' -f1 "$work/log" | sort -n | sed -n "${middle}p")
    megabytes=$(($(cut -d' ' -f2 "$work/log" | sort -n | sed -n "${middle}p") / 1024))
    rm "$work/log"
    strip "$work/program"
    kilobytes=$((($(wc -c < "$work/program") + 512) / 1024))
}

echo "$("$compiler" --version | sed -n 1p), ${flags[*]}"
echo
echo "| example | compile time | peak memory | binary, stripped |"
echo "|---|---:|---:|---:|"
awk '/^```cpp/ { inside = 1; next } /^```/ { if (inside) exit } inside' README.md > "$work/readme.cpp"
measure "$work/readme.cpp" 5
echo "| the ten lines above | $seconds s | $megabytes MB | $kilobytes KB |"
[ "$runs" -gt 0 ] || exit 0
for source in examples/*.cpp; do
    name=$(basename "$source" .cpp)
    measure "$source" "$runs"
    echo "| $name | $seconds s | $megabytes MB | $kilobytes KB |"
done
