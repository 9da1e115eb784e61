#!/bin/sh
# Exactness against an independent tool: the same kernels under Linux, counted by valgrind's lackey, and on the
# rig. What n iterations add must agree to the instruction. TAP on standard output.
#   valgrind.sh BUILD
# With TREE=all more kernels of each kind.
set -u
. tests/boot.sh
here=tests/rig/valgrind
kernels="cal.instructions cal.branches cal.loads cal.stores cal.mixed be.core.div be.mem.l1
bs.return bs.indirect cpi.calls cpi.dispatch cpi.loops cpi.forwards cpi.wide
prog.copy prog.hash prog.recursion prog.sort"
[ "${TREE-}" != all ] || kernels="$kernels be.core.chain be.core.port ret.alu ret.nop cpi.diamonds cpi.interpreter
cpi.returns cpi.switch prog.divide prog.dot prog.interpreter prog.search"
fields="instructions branches taken loads stores"

command -v valgrind >/dev/null 2>&1 || skip_all "exactness against lackey" "valgrind is not installed"
claim "the kernels build as a Linux program" sh $here/host.sh "$build" "$work/hosted"
prefixed_branch='((bnd|notrack|repz|ds|cs) +)*(j|call|ret|loop)[a-z]*'
objdump -D -j .text --no-show-raw-insn "$work/hosted" |
    sed -nE "s/^ *([0-9a-f]+):[[:space:]]+$prefixed_branch\\b.*/\\1/p" >"$work/branches"
claim "it has branches" [ -s "$work/branches" ]
# shellcheck disable=SC2086
set -- $kernels
boot rig --cpu skylakex --cores 1 --args "kernels=$(echo "$@" | tr ' ' ',') repeats=1 levels=1"

# What was counted of each kernel with n and then with 2n iterations: the kernel, the iterations, the last window.
records rig 'select(.type == "counts" and .core == 0 and .pass == 0) | "\(.kernel) \(.iterations) \(.windows[-1])"' |
    sort -k1,1 -k2,2n >"$work/counted"
# The rig's truth: a window, and its fields.
jq -r 'select(.core == 0) | "\(.window) \(.instructions) \(.branches) \(.taken) \(.loads) \(.stores)"' "$work/rig.truth" >"$work/windows"
# of_window KERNEL FACTOR: the fields in the rig's truth, in the last window of FACTOR times n: by then everything
# that the kernel prepares has been done. Predictors do not matter to these fields.
of_window() {
    awk -v kernel="$1" -v factor="$2" 'NR == FNR { if ($1 == kernel && ++n == factor) window = $3; next }
        window != "" && $1 == window { print $2, $3, $4, $5, $6 }' "$work/counted" "$work/windows"
}
iterations_of() { awk -v kernel="$1" '$1 == kernel { print $2; exit }' "$work/counted"; }
# lackey KERNEL N: the fields. Where valgrind translates on beyond a branch, lackey reports the instructions there
# although another way was gone.
lackey() {
    valgrind --tool=lackey --vex-guest-chase=no --trace-mem=yes --basic-counts=no --log-file="$work/lackey" \
        "$work/hosted" "$1" "$(printf %08d "$2")" >/dev/null 2>&1 || echo "the hosted $1 failed" >&2
    perl $here/count.pl "$work/branches" "$work/lackey"
}
# less MORE LESS: the differences
less() { echo "$1 $2" | awk '{ for (i = 1; i <= NF / 2; i++) printf "%s%d", (i > 1 ? " " : ""), $i - $(i + NF / 2) }'; }
agree() { echo "$fields: lackey $1, rig $2"; [ -n "$1" ] && [ "$1" = "$2" ]; }

for kernel in "$@"; do
    n=$(iterations_of "$kernel")
    on_rig=$(less "$(of_window "$kernel" 2)" "$(of_window "$kernel" 1)")
    on_host=$(less "$(lackey "$kernel" $((2 * ${n:-0})))" "$(lackey "$kernel" "${n:-0}")")
    claim "$kernel, $n iterations: $fields $on_host" agree "$on_host" "$on_rig"
done
finish
