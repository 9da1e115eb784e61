#!/bin/sh
# Sampling: a counter's overflow interrupts a kernel, on personalities with PMUs of each generation; what goes wrong
# with interrupts is counted and reported, and everything is put back.
#   [SMI=all] sampling.sh BUILD
set -u
. tests/boot.sh
. tests/rig/pmi/skid.sh

# sampled NAME CPU ARGUMENT...: cpi.loops, few windows, unless the arguments say otherwise.
sampled() {
    run=$1 cpu=$2
    shift 2
    boot "$run" --cpu "$cpu" --cores 1 --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none $*"
    in_order "$run"
}
# series NAME CONDITION: all sampling records satisfy it, and there is at least one.
series() {
    has "$1" '.type == "sampling"' >"$work/some" && has_no "$1" ".type == \"sampling\" and (($2) | not)"
}
put_back() {
    grep -E '^# core 0: [0-9]+ registers put back, 0 of them differ' "$work/$1.log" &&
        has_no "$1" '.type == "error"'
}
four() { [ "$(records "$1" 'select(.type == "sampling") | .series' | sort -u | wc -l)" -eq 4 ]; }

for cpu in skylakex sapphirerapids; do
    boot "$cpu" --cpu "$cpu" --cores 1 --profile "$work/$cpu.profile" \
        --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=100"
    in_order "$cpu"
    claim "$cpu: four series, each with at least 100 samples" four "$cpu"
    claim "$cpu: no sample is lost, none is spurious, none lacks room" series "$cpu" \
        '.kept >= 100 and .lost == 0 and .spurious == 0 and .no_room == 0 and .thrown_away == 0'
    claim "$cpu: samples outside of the kernel are fewer than 1 %" series "$cpu" '.outside <= .kept / 100'
    claim "$cpu: the skid of cycles is known, and no longer than 40 cycles" series "$cpu" \
        'if .event == "CPU_CLK_UNHALTED.THREAD" then .skid.min > 0 and .skid.max < 40 else .skid == null end'
    claim "$cpu: an interrupt costs at least what its INT costs" series "$cpu" '.cycles_per_sample >= .handler.min'
    claim "$cpu: every profile has an entry for each instruction" has "$cpu" \
        '.type == "cpi" and .method == "classic" and .level == "instruction"'
    skid_and_refill "$cpu"
    no_failure "$cpu"
    claim "$cpu: the registers hold their old values" put_back "$cpu"
done
# The counter of all cycles lies by a quarter in the windows of one series alone, or in the probes before them: no other
# counter counts the same there, but the clocks go on. What a sample takes, or the handler, is then not known.
boot latency --cpu skylakex --cores 1 --args "kernels=cpi.latency samples=60 levels=1 repeats=3"
in_order latency
classic='.type == "sampling" and .series == "classic cycles"'
before=$(records latency 'select(.type == "sampling" and .series == "cycles") | .last_window')
first=$(records latency "select($classic) | .first_window")
# In the first of these runs the sampled counter of another series counts twice: twice the samples, each from another
# place.
instructions='.type == "sampling" and .series == "classic instructions"'
window=$(records latency "select($instructions) | .first_window")
off() { # NAME PERCENT WINDOWS LOST KEPT OPTION...
    name=$1 percent=$2 windows=$3 lost=$4 kept=$5
    shift 5
    boot "$name" --cpu skylakex --cores 1 --args "kernels=cpi.latency samples=60 levels=1 repeats=3" \
        --fault "counter:0:$percent" --fault "lies:$windows" "$@"
    claim "$name: counter 0 off by $percent % in windows $windows: $lost is null, and the record says why" has "$name" \
        "$classic and .$lost == null and .reasons.$lost == \"the counter of all cycles and the clocks differ\""
    claim "$name: $kept is as without, within 16 cycles" has "$name" \
        "$classic and ([(.handler.median // .cycles_per_sample), $(records latency "select($classic) | .$kept | .median? // .")]
            | .[0] - .[1] | fabs <= 16)"
}
off twice 25 "$first-$first" cycles_per_sample handler --fault "fixed:0:double:$window-$window"
claim "twice: twice the samples that are due is no profile" grep -E \
    '^not ok .* is sampled by classic instructions: [0-9]+ samples came where at most [0-9]+ are due' "$work/twice.log"
claim "twice: and what one costs is null, with the reason" has twice \
    "$instructions and .cycles_per_sample == null and .reasons.cycles_per_sample == \"fewer samples came than are due, or more\""
claim "twice: the other series are sampled" [ "$(grep -cE '^ok .* is sampled by' "$work/twice.log")" = 3 ]
off probes -25 "$((before + 1))-$((first - 1))" handler cycles_per_sample
# It stands still in six windows, and overflows in the seventh.
boot still --cpu skylakex --cores 1 --args "kernels=cpi.latency samples=60 levels=1 repeats=3" \
    --fault "fixed:0:stuck:$window-$((window + 5))"
claim "still: a seventh of the samples that are due is no profile" grep -E \
    '^not ok .* is sampled by classic instructions: [0-9]+ samples came where at least [0-9]+ are due' "$work/still.log"
claim "still: and no entry is of that profile" has_no still '.type == "cpi" and .method == "classic" and (.entries | length) > 0'
# Four instructions a cycle make four samples of instructions by the period that makes one of cycles.
boot kinds --cpu skylakex --cores 1 \
    --args "kernels=cpi.diamonds,prog.search,be.core.chain repeats=1 warmup=1 levels=1 log=none samples=100"
in_order kinds
claim "kinds: four series, each with 100 samples, all of which have room" series kinds \
    '.kept >= 100 and .no_room == 0 and .thrown_away == 0'
claim "kinds: all four" four kinds
no_failure kinds
# Chance decides how often the blocks run that follow a comparison. The profile is there, and is not judged.
not_judged="$(grep -c '^ok .* prog\.search executions .* # SKIP how often some blocks run is not known$' "$work/kinds.log")"
claim "kinds: executions that the kernel's file does not say are not judged, with the reason" [ "$not_judged" -eq 2 ]
claim "kinds: these blocks have a CPI, and no share of the executed instructions" has kinds '.type == "cpi" and
    .method == "cfg" and .level == "block" and
    ([.entries[] | select(.executed_share == null) | .label] | sort) == [".mirror_upper", ".place_upper"] and
    (.entries[] | select(.label == ".place_upper") | .cpi | length) == 3'
claim "kinds: a kernel that is named and cannot be sampled says so" grep -E \
    '^ok .* be\.core\.chain is sampled # SKIP the kernel has no map' "$work/kinds.log"
# NetBurst: the rig's interrupt comes with the event after the overflow, and no later, so S is 1. Nothing counts cycles
# beside the sampled counter, so nobody knows what the handler costs. Two threads have counters of their own.
boot prescott --cpu prescott --cores 1 --smt --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=100"
in_order prescott
claim "prescott: four series on each logical processor" \
    [ "$(records prescott 'select(.type == "sampling") | "\(.core) \(.series)"' | sort -u | wc -l)" -eq 8 ]
claim "prescott: no sample is lost, none is spurious, none lacks room" series prescott \
    '.kept >= 100 and .lost == 0 and .spurious == 0 and .no_room == 0 and .thrown_away == 0'
claim "prescott: the skid is one cycle" series prescott \
    'if .event == "CPU_CLK_UNHALTED.THREAD" then .skid == {"min": 1, "median": 1, "max": 1} else .skid == null end'
claim "prescott: what the handler costs is not known, and not 0" series prescott \
    '.handler == null and .cycles_per_sample == null'
no_failure prescott
claim "prescott: the registers of both hold their old values" \
    [ "$(grep -cE '^# core [01]: [0-9]+ registers put back, 0 of them differ' "$work/prescott.log")" -eq 2 ]
for cpu in skylakex sapphirerapids prescott; do
    claim "$cpu: executions of blocks by the flow are judged" grep -E \
        '^ok .* executions of blocks by cfg are 0\.0' "$work/$cpu.log"
done

# the same seed gives the same samples, another one others
differ() { ! cmp -s "$1" "$2"; }
strip() { grep '"type":"\(sampling\|cpi\)"' "$work/$1.log" | sed 's/"seq":[0-9]*,//; s/,"crc.*//'; }
sampled vector haswell samples=50 delivery=vector
sampled again haswell samples=50 delivery=vector
sampled other haswell samples=50 delivery=vector seed=2
claim "vector: samples come by a fixed vector, too" series vector \
    '.kept >= 50 and .delivery == "vector" and .lost == 0 and .spurious == 0'
claim "vector: the registers hold their old values" put_back vector
no_failure vector
strip vector >"$work/first" && strip again >"$work/second" && strip other >"$work/third"
claim "seed: the same seed gives the same samples" same "$work/first" "$work/second"
claim "seed: another seed gives other samples" differ "$work/first" "$work/third"

# The handler of the classic series stops nothing else than counting: its whole cost is the limit. Handlers that read
# branches are slower, but the kernel goes on by the period and less the refill.
sampled small haswell samples=50 period=200 jitter=0
claim "small: a period below the handler's cost is an error that names the limit" has small \
    '.type == "error" and (.expected // "" | test("^a period above [0-9]+ cycles$"))'
claim "small: the classic way is refused then" has_no small '.type == "sampling" and (.series | test("classic"))'

# short NAME CPU DELIVERY PERIOD: with so short a period the counter overflows while its registers are tried, and again
# before the handler's end.
short() {
    boot "$1" --cpu "$2" --cores 1 --seconds 120 \
        --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=50 jitter=0 delivery=$3 period=$4"
    in_order "$1"
}
# The limits that NAME's errors give for the series, in cycles, a line each.
limits() {
    records "$1" "select(.type == \"error\" and (.where | test(\"sampled by ($2), period = \"))) | .expected" |
        sed -n 's/^a period above \([0-9]*\) cycles$/\1/p'
}
all_refused() {
    [ "$(limits "$1" 'cycles|classic cycles|classic instructions' | wc -l)" -eq 3 ] &&
        has_no "$1" '.type == "error" and (.expected // "" | test("^a period above [0-9]+ cycles$") | not)'
}
while read -r cpu delivery period series; do
    short "$cpu-short" "$cpu" "$delivery" "$period"
    claim "$cpu: a period of $period is an error of three series that names the limit, and of nothing else" \
        all_refused "$cpu-short"
    [ -n "$series" ] || continue
    limit=$(limits "$cpu-short" "$series")
    short "$cpu-above" "$cpu" "$delivery" $((${limit:-0} + 1))
    claim "$cpu: a period of ${limit:-no limit} and one cycle is sampled by $series" has "$cpu-above" \
        ".type == \"sampling\" and .series == \"$series\" and .kept >= 50"
done <<EOF
skylakex nmi 1
nehalem vector 40 cycles
core2 nmi 1 classic cycles
EOF

boot zero --cpu skylakex --cores 1 --args "kernels=cpi.loops samples=100 period=0"
in_order zero
claim "zero: a period of 0 is refused with its place" has zero \
    '.type == "error" and .column == 38 and .what == "out of range: 0"'
nothing_measured zero

boot memory --cpu skylakex --cores 1 --memory 40 \
    --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=65536"
in_order memory
claim "memory: samples that do not fit are an error that names the memory" has memory \
    '.type == "error" and (.expected // "" | test("^[0-9]+ bytes of free memory: 65536 samples"))'
boot memory-auto --cpu skylakex --cores 1 --memory 40 \
    --args "kernels=cpi.aliased repeats=1 warmup=1 levels=1 log=none samples=auto"
in_order memory-auto
claim "memory-auto: so are samples that a map needs" has memory-auto '.type == "error" and .where == "samples = auto" and
    (.expected // "" | test("^[0-9]+ bytes of free memory: 65536 samples"))'
claim "memory: everything else is measured" has memory '.type == "cpi" and .kernel == "cpi.loops"'

boot lost --cpu haswell --cores 1 --fault pmi:lost \
    --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=100"
in_order lost
claim "lost: an overflow without an interrupt is counted, and its window is thrown away" has lost \
    '.type == "sampling" and .lost > 0 and .ended_early == .lost and .thrown_away > 0'

boot spurious --cpu haswell --cores 1 --fault pmi:spurious \
    --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=100"
in_order spurious
claim "spurious: an interrupt without an overflow is counted, and the samples go on" has spurious \
    '.type == "sampling" and .spurious > 0 and .kept >= 100'
no_failure spurious

boot stuck --cpu haswell --cores 1 --fault pmi:stuck \
    --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=2000"
in_order stuck
claim "stuck: a counter that interrupts without end is cut off and reported" has stuck \
    '.type == "error" and (.what | test("cut off$"))'
claim "stuck: an overflow bit that cannot be cleared is reported" has stuck \
    '.type == "error" and (.what | test("overflow bit cannot be cleared"))'
claim "stuck: the series is not ok" grep -E '^not ok .* is sampled by branches' "$work/stuck.log"

claim "stuck: where no window was kept, none is named" has stuck \
    '.type == "sampling" and .windows == 0 and .first_window == null and .last_window == null'

# 1024 records are the least that there is room for. Only the classic series of instructions, with four of them a cycle,
# expects so many that the room ends before the interrupts are cut off.
boot room --cpu haswell --cores 1 --fault pmi:stuck \
    --args "kernels=cpi.diamonds repeats=1 warmup=1 levels=1 log=none samples=200"
in_order room
claim "room: a full buffer ends the sampling of its window, and nothing is written over" has room \
    '.type == "sampling" and .ended_early > 0 and .no_room >= .ended_early and .thrown_away == 1024 * .ended_early
        and .kept == 0'

boot smi --cpu haswell --cores 1 --fault smi:2 \
    --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=100 pebs=yes"
in_order smi
claim "smi: so are PEBS records, of which nobody knows whether an interrupt was lost" has smi '.type == "sampling" and
    .delivery == "pebs" and .discarded.smi > 0 and .thrown_away > 0 and .lost == null and .spurious == null'
# Those of the comparison of all counters at the core's end are in no record of their own.
all_discarded() {
    grep '^{' "$work/$1.log" | jq -se '[.[] | select(.type == "guard" or .type == "sampling") | .discarded // {} |
        add // 0] as $each | (map(select(.type == "end")) | .[0].discarded) as $last | [$last, ($each | add)] |
        if .[0] >= .[1] and .[0] <= .[1] + 4 and .[0] > 0 then . else error("\(.)") end'
}
claim "smi: the last record counts these windows too" all_discarded smi
claim "smi: the samples of a disturbed window are thrown away and counted" has smi \
    '.type == "sampling" and .discarded.smi > 0 and .thrown_away > 0 and .kept >= 100'

# One SMI among the nine windows that show the skid, behind the first series, and one among the four that show the gain,
# before the first window of the second.
behind() { records vector "select(.type == \"sampling\" and .series == \"$1\").$2"; }
boot few-windows --cpu haswell --cores 1 \
    --args 'kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=50 delivery=vector' \
    --fault smi-at:$(($(behind branches last_window) + 8)) --fault smi-at:$(($(behind cycles first_window) - 3))
in_order few-windows
windows_of_skid() { # NAME THE-FIRST-SERIES-WITH-A-SKID THE-SECOND
    [ "$(records "$1" 'select(.type == "sampling" and .skid) | "\(.skid_windows) \(.gain_windows)"' | paste -sd,)" = "$2,$3" ]
}
claim "vector: a skid and a gain of all windows do not say of how many" windows_of_skid vector 'null null' 'null null'
claim "few-windows: those of fewer windows do" windows_of_skid few-windows '8 3' 'null null'

# SMIs in nearly every window and in what is measured before: an SMI behind the handler's enabling write makes the
# counter overflow there. SMI=all tries more rates. With one repeat, all windows that count may be disturbed, and
# nothing is sampled.
rates=76
was_sampled=0
[ "${SMI:-}" = all ] && rates='3 9 10 11 12 13 20 30 40 46 52 58 64 70 76'
# unless NAME CONDITION: no sampling record denies it.
unless() { has_no "$1" ".type == \"sampling\" and (($2) | not)"; }
for rate in $rates; do
    boot "smi$rate" --cpu core2 --cores 1 --seconds 120 --fault "smi:$rate" \
        --args "kernels=cpi.loops repeats=5 warmup=1 levels=1 log=none samples=1"
    in_order "smi$rate"
    claim "smi$rate: series end for disturbed windows if at all, never for want of interrupts" has_no "smi$rate" \
        '.type == "error" and .what != "too many windows were disturbed"'
    claim "smi$rate: the disturbed windows of every series are counted" unless "smi$rate" '.discarded.smi > 0 or .kept > 0'
    claim "smi$rate: no interrupt is lost behind an SMI" unless "smi$rate" '.lost == 0'
    claim "smi$rate: no SMI is in the cost of the handler" unless "smi$rate" \
        '.handler == null or (.handler.min > 0 and .handler.max < 1000)'
    has "smi$rate" '.type == "sampling"' >"$work/some" && was_sampled=1
done
claim "smi: with one of these rates the kernel was counted and sampled" [ "$was_sampled" = 1 ]

# With skid=yes the skid.* kernels run though `kernels` names none of them. Those that it names run alone.
ran() { sed -n 's/^# core 0 \(skid\.[a-z]*\): .*/\1/p' "$work/$1.log"; }
boot amd --cpu zen4 --cores 1 --args "kernels=cpi.loops samples=100 skid=yes log=none"
in_order amd
unmeasured amd 1 "not an Intel processor"
claim "amd: all kernels that are there for the skid ran" [ "$(ran amd | wc -l)" = "$(ls kernels/skid.*.asm | wc -l)" ]
boot named --cpu zen4 --cores 1 --args "kernels=cpi.loops,skid.load skid=yes log=none"
in_order named
claim "named: skid.* kernels that are named run without the others" [ "$(ran named)" = skid.load ]

boot cold --cpu skylakex --cores 1 --args "kernels=cpi.loops repeats=1 warmup=0 levels=1 log=none samples=100"
in_order cold
claim "cold: a kernel that was counted once and cold is not sampled, with the reason" grep -E \
    '^ok .* cpi\.loops is sampled # SKIP its cycles were counted once, without a warm-up' "$work/cold.log"

# 2000 samples at 10^9 cycles are 2 10^12 cycles a series: at the rig's 2 or 3 GHz more than ten minutes; timeout is 60 s.
boot long --cpu skylakex --cores 1 \
    --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=2000 period=1000000000"
in_order long
claim "long: what takes longer than the deadline is not begun, with the reason" grep -E \
    '^ok .* cpi\.loops is sampled # SKIP 2000 samples at a period of 1000000000 take about [0-9]+ s' "$work/long.log"

# Half of a second has 10^9 ticks of the rig's 2 GHz, room for not quite one sample at 10^9 cycles; one it is at least.
# 16 instructions and a sample: 0.8 root(2 x 16 / 1) is 4.525.
boot auto --cpu icelakex --cores 1 \
    --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=auto period=1000000000 timeout=1"
in_order auto
claim "auto: fewer samples than the map needs are said, with what chance leaves" grep -E \
    '^# core 0 cpi\.loops: samples = auto takes 1, .* chance leaves 452\.5 % of the CPI of instructions' "$work/auto.log"
claim "auto: what takes longer than the deadline is not begun, with the reason" grep -E \
    '^ok .* cpi\.loops is sampled # SKIP 1 samples at a period of 1000000000 take about 1 s' "$work/auto.log"

# One window of 2 samples takes 4 10^4 cycles; one of 128 took 256 10^4.
boot few --cpu skylakex --cores 1 \
    --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=2 period=20000"
in_order few
claim "few: a window is as long as the samples that are asked for" has few \
    '.type == "sampling" and .series == "cycles" and .kept >= 2 and .kept + .outside < 10'

# The last series, by PEBS, is not begun on it.
boot oldest --cpu core2 --cores 1 --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=100 pebs=yes"
in_order oldest
claim "oldest: profiles name the iterations of their windows" has_no oldest \
    '.type == "cpi" and .level != null and .iterations == 0'

boot none --cpu skylakex --cores 1 --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none"
in_order none
claim "none: without samples nothing is sampled" has_no none '.type == "sampling" or .level != null'
finish
