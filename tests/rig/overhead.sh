#!/bin/sh
# The overhead table: what sampling takes by the image's clock against the cycles that the rig's PMIs took, counting
# that takes nothing, rows that cannot be. --full: the image times windows in which nothing counts. TAP on standard
# output.
#   overhead.sh BUILD
set -u
. tests/boot.sh
one='kernels=cpi.loops warmup=0 levels=1'

# row NAME FILTER: of the one row that satisfies the condition, a member.
row() { records "$1" "select(.type == \"overhead\" and .core == 0 and $2) | $3"; }

# truth NAME WITHOUT INDEX: the rig's own table row, of the windows that the image sampled as number INDEX to INDEX + 2
# of the run and the same window undisturbed: the longest without interrupts that is no longer than the WITHOUT cycles
# of the image. Cycles of that one; least, median and greatest slowdown in %; and the cycles by which interrupts cost
# more than they took, each from the interrupted instruction's retirement to that of the next one, less a cycle in which
# the next would have retired anyhow: of the three windows the least, of all interrupts, and the greatest, of one. An
# interrupt that comes as the counters stop is behind the window, and in the image's time: its cycles are added.
truth() {
    jq -s -r --argjson without "$2" --argjson at "$3" '
        (map(select(.pmi.resumed)) | group_by(.window) |
            map({key: (.[0].window | tostring), value: map(.pmi.resumed - .pmi.taken - 1)}) | from_entries) as $taken |
        def costs: $taken[.window | tostring] // [];
        (map(select(.at) | .cycles += (.handlers as $inside | costs[$inside:] | add // 0)) | sort_by(.window)) as $windows |
        ($windows | map(select(.handlers == 0 and .cycles <= $without).cycles) | max) as $alone |
        ($windows | map(select(.handlers > 10)) | .[$at:$at + 3]) as $sampled |
        ($sampled | map(100 * (.cycles - $alone) / $alone) | sort) as $slowdowns |
        ($sampled | map(.cycles - $alone - (costs | add)) | min) as $least |
        ($sampled | map((.cycles - $alone - (costs | add)) / (costs | length)) | max) as $most |
        [$alone, $slowdowns[], $least, $most] | @tsv' "$work/$1.profile"
}
# agrees NAME METHOD PERIOD INDEX: the image's row is the rig's. The image's clock has 7 ticks in 9 cycles; a time is
# off by up to two ticks, and has the cycles from one reading of the clock to the counters start, and from their stop
# to the other: up to 180, of which MFENCE takes 36, with and without samples alike. A slowdown is against the undisturbed window of its repeat;
# those differ by at most 31 cycles, where the end of the kernel's loop is mispredicted in one of them.
#   An interrupt costs what it took, and more: up to a lap of a loop (5 cycles), since the instructions that were in
# flight are begun anew, and up to a misprediction (20 cycles on the rig's skylakex) where the handler's branches lie so
# in the predictor that the loop's next one is mispredicted behind it. That depends on the layout of the image, and
# so does which window ends with a misprediction: in all they may cost up to 31 cycles less than they took.
agrees() {
    row "$1" ".method == \"$2\" and .period == $3" \
        '[.without.median, .slowdown.min, .slowdown.median, .slowdown.max, .without.max - .without.min] | @tsv' >"$work/image"
    truth "$1" "$(awk '{ print $1 * 9 / 7 }' "$work/image")" "$4" >"$work/rig"
    echo "image, in ticks and %: $(cat "$work/image"); rig, in cycles, % and cycles: $(cat "$work/rig")"
    awk 'NR == FNR { for (i = 1; i <= 5; i++) image[i] = $i; next }
        { bracket = image[1] * 9 / 7 - $1
          wrong += bracket < 0 || bracket > 180 || $5 < -31 || $6 > 25 || $3 <= 1 || image[5] * 9 / 7 > 31
          for (i = 2; i <= 4; i++) {
              off = image[i] - $i
              if (off < 0) off = -off
              wrong += off > $i * 180 / $1 + (100 + $i) * 4 * 9 / 7 / $1 + (100 + $i) * image[5] * 9 / 7 / $1 } }
        END { exit wrong > 0 || FNR != 1 }' "$work/image" "$work/rig"
}
# free NAME EVENTS TICKS: counting takes nothing. Two times that are the same differ by up to four ticks of the clock, a
# tick for each reading; two threads meet in another phase each time, which is a hundred cycles (on Skylake, where they
# also contend for the ports that their uops are bound to, three hundred).
free() {
    row "$1" ".method == \"counting\" and .events == $2" '"\(.without) \(.with) \(.slowdown)"'
    has "$1" ".type == \"overhead\" and .events == $2 and
        (.with.median - .without.median | . >= -$3 and . <= $3) and
        .slowdown.min <= .slowdown.median and .slowdown.median <= .slowdown.max and
        (.slowdown.median * .without.median / 100 - .with.median + .without.median | . > -1 and . < 1)"
}
null_row() { # NAME CONDITION REASON
    has "$1" ".type == \"overhead\" and ($2) and .slowdown == null and .samples == null and .with == null and
        .windows == 0 and .why == \"$3\""
}

# The periods are such that no interrupt comes as a window ends: 104.07 and 73.87 of them are in one.
boot one --full --cpu skylakex --cores 1 --profile "$work/one.profile" --args "$one overhead=1000,7000"
in_order one
no_failure one
no_error one
claim "one: each method has a row at each period, and three rows count" \
    [ "$(records one 'select(.type == "overhead") | "\(.method) \(.events) \(.period)"' | sort | uniq | wc -l)" = 9 ]
for events in 1 4 8; do
    claim "one: counting $events events takes nothing" free one $events 4
done
claim "one: interrupts every 1000 cycles take what the rig's took" agrees one cycles 1000 0
claim "one: with branch records, too" agrees one branches 1000 3
claim "one: interrupts every 7000 cycles take what the rig's took" agrees one cycles 7000 6
claim "one: with branch records, too" agrees one branches 7000 9
claim "one: a sample costs the same at both periods" has one '.type == "overhead" and .period == 7000 and
    .method == "cycles" and .counted_per_sample > 400 and .counted_per_sample < 430'
claim "one: PEBS has a record for each period" has one '.type == "overhead" and .period == 1000 and
    .method == "pebs" and .event == "BR_INST_RETIRED.NEAR_TAKEN" and .samples > 80 and .samples < 110'

# The counter of all cycles stands still from when all counters were compared once more, which takes fewer than 10
# windows, until the end: there is no handler of 0 cycles, nor a window.
boot whole --full --cpu skylakex --cores 1 --args "$one repeats=1 overhead=7000"
last=$(records whole 'select(.type == "counts" and .kernel == "cpi.loops") | .windows | max' | sort -n | tail -1)
boot stuck --full --cpu skylakex --cores 1 --args "$one repeats=1 overhead=7000" --fault counter:0:stuck:$((last + 10))-999999
in_order stuck
for method in cycles branches; do
    claim "stuck: what an INT and a sample cost is null ($method)" has stuck \
        ".type == \"overhead\" and .method == \"$method\" and .handler == null and .counted_per_sample == null"
    for what in 'an INT to the handler: its counter' 'its windows: their counter'; do
        claim "stuck: and a verdict says so ($method, $what)" grep -E \
            "^not ok .* overhead of $method at 7000: $what and the clocks agree on" "$work/stuck.log"
    done
done

# What the rig estimates while nothing counts is no baseline: there is no table, and a SKIP says why.
boot estimated --cpu skylakex --cores 1 --args "$one repeats=1 overhead=5000"
in_order estimated
no_failure estimated
claim "estimated: a SKIP stands for the table" grep -q \
    '^ok .* core 0 cpi\.loops has an overhead table # SKIP the virtual rig estimates the time .* --full$' "$work/estimated.log"
claim "estimated: no number is given" has_no estimated '.type == "overhead"'

boot threads --full --smt --cpu haswell --cores 1 --args "$one repeats=1 overhead=5000 parallel=yes"
in_order threads
claim "threads: 8 events do not fit on a thread" null_row threads '.events == 8 and .sibling_works and .cores == 2' \
    "this core has general counters for 4 events"
claim "threads: 4 events take nothing" free threads 4 78
claim "threads: nothing is sampled beside the other thread, and no number is given" null_row threads \
    '.core == 1 and .method == "cycles"' "nothing is sampled while the sibling thread is loaded"

boot unmapped --cpu skylakex --cores 1 --args "kernels=ret.nop warmup=0 repeats=1 levels=1 overhead=yes"
claim "unmapped: a kernel without a map has no table" has_no unmapped '.type == "overhead"'
boot bad --cpu skylakex --cores 1 --args "kernels=ret.nop overhead=1000,0"
nothing_measured bad
claim "bad: the period 0 is refused with its place" has bad '.type == "error" and
    (.what | startswith("out of range")) and (.where | test("1:[0-9]+"))'
finish
