#!/usr/bin/env bash
# Opens a page in headless Chromium: it must load without a word on the console, and show something in each half.
#
#   tests/scripts/check_page.sh <page.html> <screenshot.png>     needs chromium and netpbm
set -euo pipefail
page=$(realpath "$1")
picture=$(realpath "$2")
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

rm -f "$picture"
timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --disable-dev-shm-usage --user-data-dir="$profile" --window-size=1280,900 \
    --enable-logging=stderr --virtual-time-budget=4000 --screenshot="$picture" "file://$page" > "$profile/log" 2>&1 || {
    cat "$profile/log" >&2
    echo "check_page.sh: Chromium could not open $1" >&2
    exit 1
}
if grep ':CONSOLE' "$profile/log" >&2; then
    echo "check_page.sh: $1 writes to the console" >&2
    exit 1
fi
[ -s "$picture" ] || { echo "check_page.sh: no screenshot of $1" >&2; exit 1; }

# A flat half has one colour; a figure or a plot, drawn with smooth edges, has dozens.
pngtopnm "$picture" > "$profile/picture.ppm"
for half in "upper 0" "lower 450"; do
    read -r name top <<< "$half"
    colours=$(pamcut -top "$top" -height 450 "$profile/picture.ppm" | ppmhist -noheader | wc -l)
    echo "$name half of $(basename "$page"): $colours colours"
    [ "$colours" -ge 20 ] || { echo "check_page.sh: the $name half of $1 is empty" >&2; exit 1; }
done
