#!/usr/bin/env bash
# Makes examples/pictures/ again: builds the examples, runs them in a temporary folder, and takes from each page a picture at a
# well chosen instant; plots in SVG are copied. Run it after a change that shows.
#
#   tests/scripts/make_pictures.sh [<example>...]     as 09_rag_doll; all of them without; needs g++, chromium and netpbm
set -euo pipefail
cd "$(dirname "$0")/../.."
for tool in g++ chromium pngtopnm pnmquant pnmtopng; do
    command -v "$tool" > /dev/null || { echo "make_pictures.sh needs $tool: apt-get install g++ chromium netpbm" >&2; exit 1; }
done
root=$PWD
pictures=$root/examples/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$pictures"

# The instant that each page shows in its picture (s), and how near.
declare -A instant=([01_quickstart]="t=0.9" [02_own_constraint]="t=5.2&zoom=1.2" [04_bead_on_wire]="t=10" [06_tennis_racket]="t=2.5"
    [07_carousel]="t=3.2&zoom=1.3" [08_soft_tetrahedra]="t=0.3" [09_rag_doll]="t=8.6&zoom=1.3" [11_reduced_coordinates]="t=0.6&zoom=1.3"
    [12_falling_shapes]="t=1.3&zoom=1.15" [13_pyramid_and_arch]="t=2.6&zoom=1.2" [14_vehicle]="t=9.5&zoom=1.2"
    [15_newtons_cradle_and_impacts]="t=0.86&zoom=1.2"
    [17_rag_doll_stairs]="t=1.0" [18_friction_desk]="t=1.5&zoom=1.1" [19_own_shape_and_terrain]="t=1.2&zoom=1.2"
    [20_dominoes_and_card_house]="t=6.6&zoom=1.1" [21_fitted_pendulum]="t=2.6" [22_swing_up]="t=2.4&zoom=1.3" [23_eight_robots]="t=2.9&zoom=0.75")

# picture <page> <instant> <png>: the view and the first row of plots, 1120 x 760.
picture() {
    # The page at a size of its own, so that both fit.
    sed 's|</head>|<style>#view{height:408px;min-height:0}figure canvas{height:152px}</style></head>|' "$1" > "$work/still.html"
    rm -f "$work/still.png"
    timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars --user-data-dir="$work/profile" \
        --window-size=1120,760 --virtual-time-budget=4000 --screenshot="$work/still.png" "file://$work/still.html#$2" \
        > "$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
    [ -s "$work/still.png" ] || { echo "make_pictures.sh: no picture of $1" >&2; return 1; }
    pngtopnm "$work/still.png" | pnmquant -quiet -floyd 256 | pnmtopng -quiet -compression 9 > "$3"
    local bytes
    bytes=$(wc -c < "$3")
    [ "$bytes" -lt 200000 ] || { echo "make_pictures.sh: $3 has $bytes bytes" >&2; return 1; }
}

[ $# -gt 0 ] || set -- $(cd examples && ls [0-9]*.cpp | sed 's/\.cpp$//')
for name in "$@"; do
    g++ -std=c++20 -O2 -ffp-contract=off -Iinclude "examples/$name.cpp" -o "$work/$name"
    (cd "$work" && "./$name" > "$name.log") || { cat "$work/$name.log" >&2; exit 1; }
    made=
    if [ -f "$work/$name.html" ] && grep -q 'id="view"' "$work/$name.html"; then
        picture "$work/$name.html" "${instant[$name]:-t=3}" "$pictures/$name.png"
        made+=" $name.png"
    fi
    if [ -f "$work/$name.svg" ]; then
        cp "$work/$name.svg" "$pictures/"
        made+=" $name.svg"
    fi
    [ -n "$made" ] || { echo "make_pictures.sh: $name shows nothing" >&2; exit 1; }
    echo "$name:$made"
done
