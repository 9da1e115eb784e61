#!/bin/sh
# Periods that the core model skips change no number: the same runs with and without --at-length. TAP on standard output.
#   periods.sh BUILD
# Windows are four times as long as in an ordinary run, so that most of their instructions are skipped. What is said,
# what is on the stick and the truth of every window must be the same byte for byte. With TREE=all two cores of Ice Lake,
# too.
set -u
. tests/boot.sh

# skipped NAME: million instructions, in tenths.
skipped() { sed -n 's/rig: \([0-9]*\)\.\([0-9]\) million of them in periods.*/\1\2/p' "$work/$1.err" | sed 's/^0*//;s/^$/0/'; }
skips() { [ "$(skipped "$1")" -ge "$2" ]; }
skips_none() { [ "$(skipped "$1")" -eq 0 ]; }
same_stick() { diff -r "$work/$1.esp" "$work/$1-at-length.esp"; }

# both NAME TENTHS RIG-OPTION...: at least so many tenths of a million instructions are skipped.
both() {
    run=$1
    least=$2
    shift 2
    kernels=be.core.chain,be.mem.l1,be.mem.store_forward,bs.return,fe.lcp,prog.sort
    windows="levels=1 repeats=1 scale=4 kernels=$kernels"
    boot "$run" --stats "$@" --args "$windows"
    boot "$run-at-length" --stats --at-length "$@" --args "$windows"
    claim "$run: $(skipped "$run") tenths of a million instructions are in periods that are skipped, $least at least" \
        skips "$run" "$least"
    claim "$run: with --at-length none is" skips_none "$run-at-length"
    claim "$run: the log is the same" same "$work/$run.serial" "$work/$run-at-length.serial"
    claim "$run: the truth is the same" same "$work/$run.truth" "$work/$run-at-length.truth"
    claim "$run: the stick is the same" same_stick "$run"
}
both skylakex 10 --cpu skylakex --cores 1
[ "${TREE-}" != all ] || both icelakex 10 --cpu icelakex --cores 2
both haswell 10 --cpu haswell --cores 1 --fault smi:20
both icelakex-clock 10 --cpu icelakex --cores 1 --fault clock:3
both alderlake 10 --cpu alderlake --cores 2
finish
