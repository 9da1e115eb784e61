#!/bin/sh
# Kernels of the user's own on the stick: the example of doc/own_kernels.md, and files that are refused. TAP on standard
# output.
#   own.sh BUILD
set -u
. tests/boot.sh
page=doc/own_kernels.md

# block N: the N-th fenced block of the page.
block() { awk -v wanted="$1" '/^```/ { inside = !inside; if (inside) n++; next } inside && n == wanted' "$page"; }
# kernel NAME: an empty place for an own kernel on NAME's stick, in $kernels.
kernels_of() {
    stick "$1"
    kernels=$work/$1.esp/slotscope/kernels
    mkdir "$kernels"
}
# Cycles move with the layout of the image's code, by a few.
shows() {
    block "$1" | sed 's/ 12[0-9]* in / CYCLES in /' >"$work/block"
    sed 's/ 12[0-9]* in / CYCLES in /' "$work/example.log" | grep -Fxf "$work/block" | diff "$work/block" -
}

kernels_of example
block 1 >"$work/memory_add.asm"
block 2 >"$kernels/memory_add.exp"
claim "the page's kernel assembles" nasm -f bin -o "$kernels/memory_add.bin" "$work/memory_add.asm"
boot example --cpu skylakex --cores 1 --args "kernels=own.memory_add"
in_order example
no_error example
claim "its verdicts are those that the page shows" shows 4

# refuse NAME WHERE: with the files of its stick there is an error with place and expectation, and nothing is measured.
refuse() {
    boot "$1" --cpu skylakex --cores 1 --args "kernels=own.a"
    claim "$1: an error record names $2 and what was expected" has "$1" \
        ".type == \"error\" and (\"\(.where): \(.what)\" | test(\"$2\")) and .expected != null"
    nothing_measured "$1"
}
kernels_of malformed
printf '\303' >"$kernels/a.bin"
printf 'name own.a\nn 5\nexpect A, 1\n' >"$kernels/a.exp"
refuse malformed '^kernels.*a.exp:3:12: part missing'
kernels_of codeless
printf 'name own.a\nn 5\n' >"$kernels/a.exp"
refuse codeless '^kernels.*a.bin:.*no such file'
kernels_of unstated
printf '\303' >"$kernels/a.bin"
refuse unstated '^kernels.*a.bin:.*no .exp file'
kernels_of taken
printf '\303' >"$kernels/a.bin"
printf 'name ret.nop\nn 5\n' >"$kernels/a.exp"
refuse taken '^kernels.*a.exp:.*another kernel has this name'
finish
