#!/bin/sh
# The two examples of doc/adding.md, as they stand there, give the output that the page shows: TAP on standard output.
#   adding.sh BUILD
set -u
page=doc/adding.md
. tests/tap.sh
mkdir -p "$work/source/tests/qemu" "$work/source/build" "$work/stick"

# block N: the N-th fenced block of the page.
block() { awk -v wanted="$1" '/^```/ { inside = !inside; if (inside) n++; next } inside && n == wanted' "$page"; }
build_image() { make -s -C "$work/source" BUILD=build build/BOOTX64.EFI && cp "$work/source/build/BOOTX64.EFI" "$work/stick/EFI/BOOT/"; }
# boot CPU ARGUMENTS
boot() { "$build/rig" --cpu "$1" --cores 1 --esp "$work/stick" --args "$2" 2>/dev/null | tr -d '\r' >"$work/log"; }
# A number is compared as a number: 0.60 is 0.600.
numbers() { sed 's/\(\.[0-9]*[1-9]\)0\{1,\}\b/\1/g; s/\([0-9]\)\.0\{1,\}\b/\1/g'; }
# shows N: the lines of block N are lines of the log, one after the other.
shows() {
    block "$1" | numbers >"$work/block"
    numbers <"$work/log" >"$work/lines"
    [ -s "$work/block" ] && grep -Fxf "$work/block" "$work/lines" | diff "$work/block" -
}

cp -r "$build/esp/." "$work/stick/"
cp -a Makefile linker.ld boot pmu kernels harness "$work/source/"
cp -a "$build/image" "$build/asm" "$work/source/build/"
cp tests/setup.sh tests/step.sh "$work/source/tests/"
touch "$work/source/build/.packages" "$work/source/tests/qemu/image.sh"

block 1 >"$work/source/kernels/be.core.fpadd.asm"
claim "the kernel builds" build_image
boot skylakex kernels=be.core.fpadd
claim "its verdicts on Skylake-SP" shows 3
boot haswell kernels=be.core.fpadd
claim "its verdict on Haswell" shows 4
sed -i 's/n \* 24 \* 1.05/n * 32 * 1.05/' "$work/source/kernels/be.core.fpadd.asm"
claim "the kernel with the wider range builds" build_image
boot skylakex kernels=be.core.fpadd
claim "its verdict on Skylake-SP" shows 5

mkdir -p "$work/stick/slotscope/cpu"
: >"$work/stick/slotscope/cpu/mine.def"
boot skylakex 'kernels=ret.nop cpu=mine'
block 6 | sed -n 's/^ *jq -r .\(.*\)./\1/p' >"$work/filter"
grep '^{' "$work/log" | jq -r -f "$work/filter" >"$work/places"
mv "$work/places" "$work/log"
claim "an empty description is refused, with its place" shows 7
block 8 >"$work/stick/slotscope/cpu/mine.def"
boot skylakex 'kernels=ret.nop cpu=mine'
claim "four events and a node give these verdicts" shows 9
finish
