#!/bin/sh
# One fault at a time, for places all over a run: no number is silently wrong, and every run ends. TAP on standard output.
#   sweep.sh BUILD
# One fault of each kind, in the shortest of three base runs that can play it. FAULTS= says how many instead, each class
# by its share; SEEDS= and BASES= which (make sweep tries the same and prints a table).
set -u
. tests/tap.sh

refuses() {
    "$build/sweep" "$build" --work "$work/refused" "$@" >"$work/refused.out" 2>"$work/refused.err"
    [ $? -eq 2 ] && [ "$(wc -l <"$work/refused.err")" -eq 1 ]
}
says() { refuses "$@" && grep -E "$pattern" "$work/refused.err"; }
stops() {
    sh tests/sweep/make.sh "$build" "$1" '' '' '' '' 2>"$work/refused.err"
    [ $? -eq 2 ]
}

# The same faults in every run of the tests.
set -- --kinds
[ -z "${FAULTS-}" ] || set -- --faults "$FAULTS"
least=${FAULTS:-30}
"$build/sweep" "$build" --work "$work/runs" --bases "${BASES:-stick-only,two-cores,sampling}" "$@" --seeds "${SEEDS:-38}" \
    >"$work/out" 2>"$work/err"
status=$?
grep -E '^(silent and wrong|no end|refused)' "$work/out" | head -40 | sed 's/^/# /'
sed -n 's/^| \([^|]*\) | \([0-9]*\) | [0-9]* | [0-9]* | [0-9]* | \([0-9]*\) | \([0-9]*\) | [0-9]* |$/\2 \3 \4 \1/p' "$work/out" |
    grep -v ' all$' >"$work/rows"
while read -r tried wrong endless name; do
    claim "$name: of $tried faults none leaves a wrong number as good" [ "$wrong" -eq 0 ]
    claim "$name: of $tried runs none is without its end" [ "$endless" -eq 0 ]
done <"$work/rows"
claim "the sweep is whole: its exit status is 0" [ $status -eq 0 ]
claim "at least $least faults were tried" [ "$(awk '{ s += $1 } END { print s + 0 }' "$work/rows")" -ge "$least" ]
head -5 "$work/err" | sed 's/^/# /'

# What it is asked for and cannot do.
pattern='^sweep: skylakex: no base run; there are: .*skylakex-l1' claim "an unknown base run is refused, and the known ones are named" says --one 'skylakex msr:3'
pattern="no class of faults in stick-only; there are: 'msr:" claim "so is an unknown class" says --one 'stick-only nosuch:3'
pattern='seeds 1,x: expected' claim "seeds that are no numbers" says --seeds 1,x
pattern='faults 0: expected' claim "no faults at all" says --faults 0
pattern="'nosuch': no class of faults; there are: " claim "a row that is none" says --classes nosuch
claim "SWEEP=some" stops some
finish
