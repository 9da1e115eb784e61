#!/bin/sh
# Kernels of the user's own where a key takes built-in ones only: each says so, with the key and what was expected; and
# beside a loaded sibling thread. TAP on standard output.
#   own_keys.sh BUILD
set -u
. tests/boot.sh

nasm -f bin -o "$work/clobber.bin" tests/rig/own/sound_clobber.asm
# with_own NAME [LINE]: a stick with the kernels own.a and own.b, and that line of configuration.
with_own() {
    stick "$1"
    mkdir "$work/$1.esp/slotscope/kernels"
    for letter in a b; do
        cp "$work/clobber.bin" "$work/$1.esp/slotscope/kernels/$letter.bin"
        printf 'name own.%s\nn 500\nexpect BR_INST_RETIRED.ALL_BRANCHES, n, n\n' $letter >"$work/$1.esp/slotscope/kernels/$letter.exp"
    done
    printf '# of %s\n%s\n' "$1" "${2-}" >"$work/$1.esp/slotscope/slotscope.cfg"
}

# refuse NAME LINE WHAT EXPECTED: the line is refused with its place.
refuse() {
    with_own "$1" "$2"
    boot "$1" --cpu skylakex --cores 1 --smt --args 'kernels=own.a levels=1'
    claim "$1: refused with place, key and what was expected" \
        has "$1" ".type == \"error\" and .where == \"slotscope.cfg:2:12\" and .what == \"$3\" and (.expected | test(\"^$4, such as [a-z]\"))"
    nothing_measured "$1"
}
refuse sibling 'sibling  = own.a' "sibling = own.a: this key takes no kernel of the user's own" 'a built-in kernel for one core'
refuse timeline 'timeline = own.b' "timeline = own.b: this key takes no kernel of the user's own" 'a built-in kernel for one core'
refuse nobody 'sibling  = own.c' 'sibling = own.c: no kernel has this name' 'a built-in kernel for one core'
refuse pattern 'sibling  = own.*' 'not the name of a kernel: own.*' 'the name of one built-in kernel'
refuse observed 'timeline = own.*' 'not the name of a kernel: own.*' 'the name of one built-in kernel'

# passed NAME KEY: the log says once that the key passes own kernels over.
passed() {
    claim "$1: $2 passes own kernels over, and the log says so" \
        [ "$(grep -cE "^# $2: not for kernels of the user's own, such as own\.[ab]" "$work/$1.log")" -eq 1 ]
}
with_own sampled
boot sampled --cpu skylakex --cores 1 --args 'kernels=own.* levels=1 repeats=1 samples=50 pebs=yes overhead=1000'
in_order sampled
no_failure sampled
no_error sampled
for key in samples pebs overhead; do
    passed sampled $key
done
claim "sampled: a SKIP of each says why it is not sampled" [ "$(grep -cE \
    "^ok [0-9]+ - core 0 own\.[ab] is sampled # SKIP samples is not for kernels of the user's own" "$work/sampled.log")" -eq 2 ]
with_own skid
boot skid --cpu skylakex --cores 1 --args 'kernels=own.a,ret.nop levels=1 repeats=1 skid=yes samples=20'
passed skid skid
no_failure skid
with_own builtin
boot builtin --cpu skylakex --cores 1 --args 'kernels=ret.nop levels=1 repeats=1 pebs=yes'
claim "builtin: nothing is said where no own kernel is measured" absent "user's own" "$work/builtin.log"

# Beside a loaded sibling it is measured; it is no load, which would run outside of its cell: it leaves every register
# behind that C relies on.
with_own beside
boot beside --cpu skylakex --cores 1 --smt --args 'kernels=own.*,be.core.chain sibling=ret.alu levels=1 repeats=1 warmup=1'
in_order beside
no_failure beside
no_error beside
claim "beside: it is measured beside the sibling, and counts what it counts alone" [ "$(grep -cE \
    '^ok [0-9]+ - core [01] own\.[ab] BR_INST_RETIRED.ALL_BRANCHES 500 in' "$work/beside.log")" -ge 4 ]
claim "beside: the sibling is not measured beside it, for a reason" [ "$(grep -cE \
    "^ok [0-9]+ - core [01] ret.alu beside own\.[ab]: all verdicts # SKIP a kernel of the user's own loads no other thread" "$work/beside.log")" -eq 4 ]
claim "beside: both threads of the core are counted, of own kernels as of others" sh -c "
    [ \"\$(grep '^{' '$work/beside.log' | jq -r 'select(.type == \"topdown\" and .scope == \"core\") | .kernel' | sort | uniq -c |
        awk '{ print \$1 }' | sort -u | wc -l)\" -eq 1 ]"
finish
