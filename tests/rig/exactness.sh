#!/bin/sh
# Kernels whose counts are known find out whether events count truly: on an honest core all that they pin is
# exact, and a counter that lies is named, with the size of its lie, wherever a formula rests on it. TAP on
# standard output.
#   exactness.sh BUILD
# Skylake and the two cores of Alder Lake; with TREE=all on three parts more.
set -u
. tests/boot.sh

# pinned NAME CORE: "EVENT exact|exact-at-0|under|over RATIO" of each event that some kernel pins there; the ratio has three
# digits, since a lying counter is cut to whole counts at every reading.
pinned() {
    records "$1" "select(.type == \"exactness\" and .core == $2).events | to_entries[] |
        select(.value.is != \"not provable\") | \"\(.key) \(.value.is | gsub(\" \"; \"-\")) \(.value.ratio // 1)\"" |
        awk '{ printf "%s %s %.3f\n", $1, $2, $3 }' | sort -u
}
# all_exact NAME CORE AT-LEAST
all_exact() {
    pinned "$1" "$2" >"$work/events"
    cat "$work/events"
    [ "$(wc -l <"$work/events")" -ge "$3" ] && absent ' (over|under) ' "$work/events"
}

# honest CPU CORES: an honest part. honest_core CPU CORE AT-LEAST: how many events are pinned differs, as each CPU
# has others.
honest() { boot "$1" --cpu "$1" --cores "$2" --args "kernels=exact.* levels=1"; }
honest_core() {
    claim "$1: no verdict fails on core $2" absent "^not ok .* core $2 " "$work/$1.log"
    claim "$1: all events that are pinned on core $2, $3 at least, are exact" all_exact "$1" "$2" "$3"
}
parts=skylakex:30
[ "${TREE-}" != all ] || parts="$parts haswell:15 sapphirerapids:30"
for part in $parts; do
    honest "${part%:*}" 1
    honest_core "${part%:*}" 0 "${part#*:}"
done
honest alderlake 2
honest_core alderlake 0 30
honest_core alderlake 1 8

# Of an event that no kernel pins the record says why: by the description, by its counter mask, or since the kernel that
# would pin it needs another core. IDQ.MS_UOPS is pinned by a kernel without microcode.
boot ivybridge --cpu ivybridge --cores 1 --args "kernels=exact.none,exact.uops levels=6"
claim "ivybridge: no verdict fails" absent '^not ok ' "$work/ivybridge.log"
is() {
    has ivybridge ".type == \"exactness\" and (.events[\"$1\"] | type == \"object\" and .is == \"$2\" and .why == $3)"
}
claim "ivybridge: IDQ.MS_UOPS is exact at 0" is IDQ.MS_UOPS 'exact at 0' null
claim "ivybridge: UOPS_ISSUED.ANY is exact" is UOPS_ISSUED.ANY exact null
claim "ivybridge: which port a load takes has a reason of its own" is UOPS_DISPATCHED_PORT.PORT_2 'not provable' \
    '"which of several ports a uop takes is not published"'
claim "ivybridge: what has a counter mask counts cycles" is CYCLE_ACTIVITY.STALLS_LDM_PENDING 'not provable' \
    '"it counts cycles of a state that timing decides"'
claim "ivybridge: a line that another core wrote needs another core" is MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_HITM \
    'not provable' '"no kernel of this run pinned it"'

# An event that is selected wrongly, here by the code of IDQ.DSB_UOPS, counts where there is nothing to count.
stick wrong
mkdir -p "$work/wrong.esp/slotscope/cpu"
printf '%s\n' 'cpu wrong' 'like ivybridge' 'event IDQ.MS_UOPS 0x79 umask 0x08' >"$work/wrong.esp/slotscope/cpu/wrong.def"
boot wrong --cpu ivybridge --cores 1 --args "kernels=exact.none levels=3 cpu=wrong"
claim "ivybridge: IDQ.MS_UOPS with another event's code fails" grep '^not ok .* core 0 exact\.none IDQ\.MS_UOPS ' "$work/wrong.log"
claim "ivybridge: the record says so" has wrong '.type == "exactness" and .events["IDQ.MS_UOPS"].is == "over"'

# lie CPU EVENT PERCENT KIND RATIO NODE NODE-THAT-DOES-NOT-REST-ON-IT
others_exact() { ! pinned "$1" 0 | grep -v "^$2 " | grep -E ' (over|under) '; }
lie() {
    name=lie-$1-$2
    log=$work/$name.log
    boot "$name" --cpu "$1" --cores 1 --args "kernels=exact.uops,be.core.chain,ret.nop,fe.mite levels=1" --fault "count:$2:$3"
    pinned "$name" 0 >"$work/events"
    claim "$1, $2 $3 %: the record says $4 by $5" grep -x "$2 $4 $5" "$work/events"
    claim "$1, $2 $3 %: all other pinned events are exact" others_exact "lie-$1-$2" "$2"
    claim "$1, $2 $3 %: a comment names it" grep "^# core 0: $2 counts $4: " "$log"
    claim "$1, $2 $3 %: the kernel that pins it fails" grep -E "^not ok .* core 0 exact\.uops $2 " "$log"
    claim "$1, $2 $3 %: verdicts on $6 say so" \
        grep -E "^(not )?ok .* core 0 [a-z.]* $6 .*, but $2 counts $5[0-9]* of what it should" "$log"
    claim "$1, $2 $3 %: verdicts on $7 do not" absent "^(not )?ok .* core 0 [a-z.]* $7 .*, but " "$log"
}
lie skylakex UOPS_ISSUED.ANY -20 under 0.800 tma_backend_bound tma_retiring
lie skylakex UOPS_RETIRED.RETIRE_SLOTS 10 over 1.100 tma_retiring tma_frontend_bound
# BR_INST_RETIRED is off on Skylake by erratum SKL091, which the vendor's event list names.
boot erratum --cpu skylakex --cores 1 --args "kernels=exact.* levels=1" --fault count:BR_INST_RETIRED.NEAR_TAKEN:10
claim "skylakex: a count that is off names its erratum" \
    grep -E '^not ok .* BR_INST_RETIRED\.NEAR_TAKEN [0-9.]+ in .*, see erratum SKL091($|, wrong: )' "$work/erratum.log"
claim "skylakex: so does the record, for this event and not for others" has erratum '.type == "exactness" and
    .events["BR_INST_RETIRED.NEAR_TAKEN"].errata == "SKL091" and .events["INST_RETIRED.ANY"].errata == null'
claim "skylakex: the log with it is whole: records, CRCs, sequence, plan" whole "$work/erratum.log"
# A wrong path's uops begin, too, and events of uops that may never retire count them. Of ret.x87's loop of 80 turns the
# end is mispredicted, so of its additions other ones are executed than the n * 7 that retire.
wrong=skylakex
[ "${TREE-}" != all ] || wrong="skylakex icelakex"
for part in $wrong; do
    boot "wrong-$part" --cpu "$part" --cores 1 --fault wrongpath:1 --args "levels=4 kernels=exact.*,ret.x87 repeats=1"
    claim "$part: uops of wrong paths make no verdict fail" absent '^not ok ' "$work/wrong-$part.log"
done
claim "skylakex: they are executed" grep -E '^ok .* core 0 ret\.x87 UOPS_EXECUTED\.X87 ' "$work/wrong-skylakex.log"
claim "skylakex: they are counted" has wrong-skylakex '.type == "counts" and .kernel == "ret.x87" and
    (.events["UOPS_EXECUTED.X87"] | .median != 560 or .min != 560 or .max != 560)'
[ "${TREE-}" != all ] || lie haswell UOPS_ISSUED.ANY 15 over 1.150 tma_backend_bound tma_retiring
finish
