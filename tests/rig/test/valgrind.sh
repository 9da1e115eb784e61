#!/bin/sh
# Exactness against an independent tool: the same kernels under Linux, counted by valgrind's lackey, and on the rig. What n
# iterations add must agree to the instruction. TAP on standard output.
#   valgrind.sh BUILD
set -u
build=$1
work=$build/valgrind
kernels="cal.instructions cal.branches cal.loads cal.stores cal.mixed be.core.chain be.core.port be.core.div be.mem.l1
ret.alu ret.nop bs.return bs.indirect"
fields="instructions branches taken loads stores"
number=0 failures=0

if ! command -v valgrind >/dev/null 2>&1; then
    echo "ok 1 - exactness against lackey # SKIP valgrind is not installed"
    echo "1..1"
    exit 0
fi
rm -rf "$work"
mkdir -p "$work"
cp -r "$build/esp" "$work/esp"
# shellcheck disable=SC2086
set -- $kernels
objects=
for source in kernels/*.asm; do
    objects="$objects $build/asm/${source%.asm}.o"
done
# shellcheck disable=SC2086
gcc -std=c11 -O1 -Wall -Wextra -D_GNU_SOURCE -I. -static -no-pie -Wl,-z,noexecstack -o "$work/hosted" \
    tests/rig/test/valgrind/hosted.c $objects || exit 1
"$build/rig" --cpu skylakex --cores 1 --seconds 120 --esp "$work/esp" --truth "$work/truth" \
    --args "kernels=$(echo "$@" | tr ' ' ',') repeats=1" >"$work/serial" 2>"$work/err" || cat "$work/err"
perl tests/rig/test/valgrind/expect.pl "$work/serial" "$work/truth" "$@" >"$work/expected"

# lackey NAME N: its counts on standard output
lackey() {
    valgrind --tool=lackey --trace-mem=yes --basic-counts=no --log-file="$work/lackey" "$work/hosted" "$1" \
        "$(printf %08d "$2")" >/dev/null 2>&1 || echo "the hosted $1 failed" >&2
    perl tests/rig/test/valgrind/count.pl "$work/hosted" "$work/lackey"
}
for kernel in "$@"; do
    number=$((number + 1))
    line=$(grep "^$kernel " "$work/expected")
    n=$(echo "$line" | cut -d' ' -f2)
    if [ -z "$n" ]; then
        echo "not ok $number - $kernel: the rig has no windows of n and 2n"
        failures=$((failures + 1))
        continue
    fi
    found=$(echo "$(lackey "$kernel" "$n") $(lackey "$kernel" $((2 * n)))" |
        awk '{ for (i = 1; i <= 5; i++) printf "%s%d", (i > 1 ? " " : ""), $(i + 5) - $i }')
    if [ "$found" = "$(echo "$line" | cut -d' ' -f3-)" ]; then
        echo "ok $number - $kernel, $n iterations: $fields $found"
    else
        echo "not ok $number - $kernel, $n iterations"
        echo "# $fields: lackey $found, rig $(echo "$line" | cut -d' ' -f3-)"
        failures=$((failures + 1))
    fi
done
echo "1..$number"
[ "$failures" -eq 0 ]
