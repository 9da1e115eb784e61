#!/bin/sh
# The two examples of doc/adding.md, as they stand there, give the output that the page shows: TAP on standard output.
#   adding.sh BUILD
set -u
. tests/boot.sh
page=doc/adding.md

# block N: the N-th fenced block of the page.
block() { awk -v wanted="$1" '/^```/ { inside = !inside; if (inside) n++; next } inside && n == wanted' "$page"; }
# run CPU ARGUMENTS: on the stick with the changed image and description
run() { boot adding --cpu "$1" --cores 1 --args "$2"; }
with_image() { build_image source && cp "$work/source.overlay/EFI/BOOT/BOOTX64.EFI" "$work/adding.esp/EFI/BOOT/"; }
# A number is compared as a number: 0.60 is 0.600.
numbers() { sed 's/\(\.[0-9]*[1-9]\)0\{1,\}\b/\1/g; s/\([0-9]\)\.0\{1,\}\b/\1/g'; }
# Cycles within their bounds may be eight off the page's, and shares 0.004, as the edges of two windows are
# (doc/measuring.md): they move with the layout of the image's code.
near() {
    awk '{ key = $0; value = ""; most = 0 }
        /^ok .* CPU_CLK_UNHALTED\.THREAD [0-9.]+ in / { most = 8 }
        /^ok .* tma_[a-z0-9_]+ [0-9.]+ (in|is) / { most = 0.004 }
        most > 0 { value = $8; sub(/ [0-9.]+ in /, " N in ", key); sub(/ [0-9.]+ is /, " N is ", key) }
        FNR == NR { if (value != "") { page[key] = $0; of_page[key] = value }; next }
        value != "" && key in page && value - of_page[key] <= most && of_page[key] - value <= most { print page[key]; next }
        { print }' "$work/block" -
}
# shows N: the lines of block N are lines of the log, one after the other.
shows() {
    block "$1" | numbers >"$work/block"
    numbers <"$work/adding.log" | near >"$work/lines"
    [ -s "$work/block" ] && grep -Fxf "$work/block" "$work/lines" | diff "$work/block" -
}

stick adding
copy_sources source
block 1 >"$work/source/kernels/be.core.fpadd.asm"
claim "the kernel builds" with_image
run skylakex kernels=be.core.fpadd
claim "its verdicts on Skylake-SP" shows 3
run haswell kernels=be.core.fpadd
claim "its verdict on Haswell" shows 4
sed -i 's/n \* 24 \* 1.05/n * 32 * 1.05/' "$work/source/kernels/be.core.fpadd.asm"
claim "the kernel with the wider range builds" with_image
run skylakex kernels=be.core.fpadd
claim "its verdict on Skylake-SP" shows 5

# says FILE BLOCK: the build fails, and its message is a line of the page's block.
says() { ! build_image source >"$1" 2>&1 && block "$2" | grep -Fxf - "$1"; }
block 10 >"$work/source/kernels/cpi.thirds.asm"
claim "the kernel with a map builds" with_image
run skylakex kernels=cpi.thirds
claim "its three counts on Skylake-SP are exact" [ "$(grep -c '^ok .*cpi.thirds .*RETIRED' "$work/adding.log")" -eq 3 ]
sed -i '/^BLOCK .multiply/d' "$work/source/kernels/cpi.thirds.asm"
claim "without a BLOCK line it is refused, with the message of the page" says "$work/refused" 11
rm "$work/source/kernels/cpi.thirds.asm"

mkdir -p "$work/adding.esp/slotscope/cpu"
: >"$work/adding.esp/slotscope/cpu/mine.def"
run skylakex 'kernels=ret.nop cpu=mine'
block 6 | sed -n 's/^ *jq -r .\(.*\)./\1/p' >"$work/filter"
records adding "$(cat "$work/filter")" >"$work/places"
mv "$work/places" "$work/adding.log"
claim "an empty description is refused, with its place" shows 7
block 8 >"$work/adding.esp/slotscope/cpu/mine.def"
run skylakex 'kernels=ret.nop cpu=mine'
claim "four events and a node give these verdicts" shows 9
finish
