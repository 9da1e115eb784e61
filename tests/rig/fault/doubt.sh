#!/bin/sh
# Counters that go bad after the self-check: a window, a pass, or from some window on. No number is published as good that
# is not that of a sound run, and what speaks against it is named. TAP on standard output.
#   doubt.sh BUILD
set -u
. tests/boot.sh

arguments='kernels=prog.search levels=2 repeats=5'
run() {
    name=$1
    shift
    boot "$name" --cpu skylakex --cores 1 --args "$arguments" "$@"
    in_order "$name"
}
event=IDQ_UOPS_NOT_DELIVERED.CORE
# windows NAME KERNEL: of the pass that counts the event, of n and of 2n, in the order in which they ran.
windows() {
    records "$1" "select(.type == \"counts\" and .kernel == \"$2\" and (.events | has(\"$event\"))) | .windows[]" | sort -n
}
nodes() {
    records "$1" 'select(.type == "topdown" and .kernel == "prog.search") | .nodes | to_entries[] | "\(.key) \(.value)"' | sort
}
# sound NAME: the run's nodes of prog.search are those of the sound run, but for a hundredth: where a run measures once
# more, branches are predicted a little otherwise.
sound() {
    nodes "$1" >"$work/$1.nodes"
    join "$work/sound.nodes" "$work/$1.nodes" | awk '$2 - $3 > 0.01 || $3 - $2 > 0.01 || $3 == "null" { bad = 1; print }
        END { exit bad || NR < 12 }'
}

run sound
nodes sound >"$work/sound.nodes"
claim "sound: the counters still agree at the end" grep -E '^ok [0-9]+ - core 0 counters still agree$' "$work/sound.log"
claim "sound: nothing is doubted, and what lies apart is measured again as it was" has_no sound \
    '.type == "doubt" or .type == "outliers" and .disagree != {}'
set -- $(windows sound prog.search)
claim "sound: five windows of n and five of 2n" [ $# = 10 ]
first=$1 third=$3 last=${10}

run window --fault "count:$event:200" --fault "lies:$third-$third"
claim "window: one bad window of ten leaves the nodes as they are" sound window
slots=$(jq "select(.core == 0 and .window == $third).nodes.tma_frontend_bound" "$work/window.truth")
claim "window: it is named, with its event, and three times the slots that it lost: $slots" has window ".type == \"outliers\" and
    .kernel == \"prog.search\" and .disagree == {} and (.windows[] | .event == \"$event\" and .window == $third and
    .counted == 3 * $slots and .counted > 2 * .middle)"
claim "window: no verdict fails" absent '^not ok' "$work/window.log"

# The event is false in all windows of its pass: an identity fails, and the second measurement disagrees.
run pass --fault "count:$event:200" --fault "lies:$first-$last"
claim "pass: an event that two measurements disagree on has no number" has pass ".type == \"kernel\" and
    .kernel == \"prog.search\" and (.missing[\"$event\"] // \"\" | test(\"counted otherwise\"))"

run counter --fault counter:3:double:"$first"-999999
claim "counter: one that goes bad has its verdict" \
    grep -E '^not ok [0-9]+ - core 0 general counter 3 counts [0-9]+ instructions in .*: it is not used$' "$work/counter.log"
claim "counter: what was counted since is doubted, and nothing was logged of it" has counter ".type == \"doubt\" and
    .verdicts == null and .records == null and .windows[0] <= $first and .windows[1] >= $last"
claim "counter: the kernel's numbers are measured again without it" sound counter
claim "counter: all but it still agree at the end" grep -E '^ok [0-9]+ - core 0 counters still agree$' "$work/counter.log"

run while --fault counter:3:double:"$first"-"$last"
claim "while: a counter that is bad for one pass alone spoils another event in each repeat, and is outvoted" sound while
claim "while: its windows are named" has while '.type == "outliers" and .kernel == "prog.search" and .apart > 0'

run cycles --fault fixed:1:double:"$third"-"$third"
claim "cycles: a window with more cycles than the core's clock is thrown away" \
    has cycles '.type == "guard" and .kernel == "prog.search" and .discarded.cycles == 1'
claim "cycles: and the numbers are as if it had not been" sound cycles

run still --fault fixed:2:stuck:"$first"-999999
claim "still: reference cycles that stand still are found" \
    grep -E '^not ok [0-9]+ - core 0 fixed counter 2 counts 0 reference cycles in .*: it is not used$' "$work/still.log"
claim "still: and are no count" has_no still '.type == "cpi" and .kernel == "prog.search" and .reference_cycles_per_iteration != null'

for counter in counter:5:low16 fixed:0:low32; do
    run ${counter##*:} --fault $counter:1-999999
    claim "$counter: a counter without upper bits does not agree with the others" \
        grep -E "^not ok 1 - core 0 [a-z]+ counter [05] counts -[0-9]+ instructions in \[6400, 6400\]" "$work/${counter##*:}.log"
done

# A counter that goes bad while a kernel is sampled, after it was counted.
arguments='kernels=cpi.loops levels=1 samples=100'
run profile
set -- $(windows profile cpi.loops)
eval "counted=\${$#}"
# The windows that compare the counters, eleven at most, and the first of the samples.
run sampled --fault counter:2:double:$((counted + 40))-999999
claim "sampled: what the samples gave is doubted, by number" has sampled '.type == "doubt" and .records != null'
doubted() {
    records sampled '.type as $type | select($type == "doubt") | "\(.records[0]) \(.records[1])"' >"$work/doubted"
    read -r from to <"$work/doubted"
    records sampled "select(.seq >= $from and .seq <= $to) | .type" | sort -u >"$work/types"
    records sampled "select(.seq < $from and (.type == \"sampling\"))" >"$work/earlier"
    grep -qx sampling "$work/types" && ! grep -qx kernel "$work/types" && [ ! -s "$work/earlier" ]
}
claim "sampled: the records of all samples, and not those of what was counted before" doubted

finish
