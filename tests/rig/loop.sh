#!/bin/sh
# Rounds of the whole run (`loop`): what a round says, which round differs, ESC, a stick without room, and memory that does
# not grow. TAP on standard output.
#   loop.sh BUILD
# With TREE=all a stick of just enough room is tried without a serial line, too.
set -u
. tests/boot.sh

# run NAME CPU ARGUMENTS OPTION...: one core and one kernel unless $cores and $kernels say more.
run() {
    name=$1 cpu=$2 arguments=$3
    shift 3
    boot "$name" --cpu "$cpu" --cores "${cores:-1}" --args "kernels=${kernels:-ret.nop} levels=1 repeats=1 $arguments" "$@"
    in_order "$name"
}
rounds() { records "$1" "select(.type == \"round\") | $2" | paste -sd' '; }
says() { [ "$(rounds "$1" "$2")" = "$3" ] || { rounds "$1" "$2"; false; }; }
windows() { wc -l <"$work/$1.truth"; }

# --- a sound run, once and three times ---
# Windows are ten times as long as else: how a short one begins moves its shares by up to 0.01, and then they are said
# again. How it begins depends on the layout of the image.
run once skylakex 'loop=1 scale=10'
claim "once: there is no round record" has_no once '.type == "round"'
run sound skylakex 'loop=3 scale=10'
no_failure sound
claim "sound: a record for each round" says sound '"\(.round)/\(.rounds)"' "1/3 2/3 3/3"
# A verdict comes before the kernels: that the core's counters agree.
single=$(records once 'select(.type == "end") | .pass + .skip - 1')
claim "sound: each round judges as much as a single run" says sound '.pass + .skip' "$single $single $single"
claim "sound: round 1 is said, and nothing of the others" says sound 'if .round == 1 then .unsaid else .results - .unsaid end' "0 0 0"
claim "sound: a verdict says so of each later round" \
    [ "$(grep -cE "^ok [0-9]+ - core 0 round [23]: $(rounds sound '.results' | cut -d' ' -f1) results as in round 1" "$work/sound.log")" -eq 2 ]
claim "sound: the end record says how many rounds came to their end" has sound '.type == "end" and .rounds == 3'
claim "sound: the log of two more rounds is less than a tenth of the first one's" \
    [ "$(wc -c <"$work/sound.log")" -lt $(($(wc -c <"$work/once.log") * 11 / 10)) ]

"$build/slotlog" show "$work/sound.log" >"$work/show.out" 2>"$work/show.err"
claim "sound: slotlog says of which round its numbers are" grep 'a log of 3 rounds: numbers are those of round 1$' "$work/show.err"
"$build/slotlog" show "$work/once.log" >"$work/show.out" 2>"$work/show.err"
claim "once: and nothing of rounds where there is one" absent rounds "$work/show.err"

# --- one round that differs ---
# Half of what retires is not counted in the second round: its windows are counted, before it come those that compare
# the counters. A node's share that rests on that event alone is half of what it was.
each=$((($(windows sound) - $(windows once)) / 2)) before=$(($(windows once) - ($(windows sound) - $(windows once)) / 2))
run second skylakex 'loop=3 scale=10' --fault count:UOPS_RETIRED.RETIRE_SLOTS:-50 \
    --fault "lies:$((before + each + 1))-$((before + 2 * each))"
retiring() { records "$1" "select(.type == \"topdown\" and .kernel == \"ret.nop\" and $2) | .nodes.tma_retiring"; }
slots() { records second "select(.type == \"kernel\" and .kernel == \"ret.nop\" and $1) | .per_iterations[\"UOPS_RETIRED.RETIRE_SLOTS\"].median"; }
claim "second: round 2 counts half of what retires: $(slots '.round == 2') of $(slots '.round == null'), a count of each window being rounded" \
    [ $((2 * $(slots '.round == 2') - $(slots '.round == null'))) -ge -2 -a $((2 * $(slots '.round == 2') - $(slots '.round == null'))) -le 2 ]
share() { retiring second '.round == 2' | awk -v first="$(retiring second '.round == null')" '{ exit !($1 * 2 > 0.98 * first && $1 * 2 < 1.02 * first) }'; }
claim "second: and has half the share of tma_retiring, as far as its windows take as long" share
claim "second: and no round else" [ "$(retiring second '.round != 2')" = "$(retiring sound true)" ]
claim "second: verdicts fail in round 2 alone" says second '.fail > 0' "false true false"
claim "second: what failed in it is said, and round 3 is as round 1" says second 'if .round == 2 then .unsaid < .results else .results - .unsaid end' \
    "$(rounds once .results)$(rounds sound 'if .round == 1 then .results else empty end') true 0"
claim "second: the node that is furthest moved by half of what retired" says second \
    "if .node == null then \"-\" else (.node.now - .node.first | fabs) * 2 - $(retiring once true) | fabs < 0.02 end" "- true false"
claim "second: the widest range stays that of round 2" says second '(.widest.max - .widest.min) > 0.4' "false true true"
claim "second: each of its failures stands for round 1's verdict of the same name" absent '^not ok .* round ' "$work/second.log"

# --- a core that is lost ---
# Core 1 is lost 60 windows after round 1. Windows are long, as above.
cores=2 kernels=ret.nop,be.core.chain run whole skylakex 'timeout=1 scale=10'
cores=2 kernels=ret.nop,be.core.chain run gone skylakex 'loop=3 timeout=1 scale=10' \
    --fault stuck:1:$(($(grep -c '"core":1,' "$work/whole.truth") + 60)):nmi
gone='core 1 did not come back from [a-z.]*'
claim "gone: core 1 is lost in round 2" sh -c "sed -n '/^# round 2 of 3 begins/,/^# round 3/p' '$work/gone.log' | grep '^not ok .* $gone'"
# In round 2 it has as many results as are said to be as in round 1 there; then it has none.
said=$(sed -n 's/^ok .* core 1 round 2: \([0-9]*\) results as in round 1.*/\1/p' "$work/gone.log")
each=$(($(rounds gone .results | cut -d' ' -f1) / 2))
claim "gone: its results are those before, $said of $each, and none in round 3" \
    says gone .results "$((2 * each)) $((each + said)) $each"
claim "gone: and none of these but is as in round 1" says gone '.results - .unsaid' "$((2 * each)) 0 0"
claim "gone: no number of round 1 is said of it later" absent \
    '^# core 1 .*: CPI [0-9]' "$(sed -n "/^not ok .* $gone/,\$p" "$work/gone.log" >"$work/after"; echo "$work/after")"
k10 "$work/k10.csv"
run k10 zen4 loop=2 --cpuid "$work/k10.csv"
claim "k10: a core that cannot count has no result" says k10 .results 0

# --- the end ---
run escape skylakex loop=forever --keys "$(printf '%020d\033' 0)"
claim "escape: rounds without a number of them end by ESC" says escape '.rounds' "$(rounds escape null)"
claim "escape: after whole rounds the run is complete" has escape '.type == "end" and .reason == "complete" and .rounds >= 1'
claim "escape: the kernels that were left out are said" grep '^ok .* core 0 the last [0-9]* kernels # SKIP ESC was pressed' "$work/escape.log"
run zero skylakex loop=0
nothing_measured zero
claim "zero: is refused with its place" has zero '.type == "error" and .expected == "a number of 1..1000000000, or forever"'

# --- the stick ---
# in_full_to_the_end NAME: the serial line's log is whole, and is that of a run of three rounds without a failure.
in_full_to_the_end() {
    whole "$work/$1.log" && has "$1" '.type == "end" and .reason == "complete" and .rounds == 3 and .fail == 0'
}
# cut_stick NAME: the log on the stick is a log to its end, too, as NAME-stick: that of one round.
cut_stick() {
    cp "$work/$1.esp/slotscope/slotscope.log" "$work/$1-stick.log"
    claim "$1: the stick's log is whole" whole "$work/$1-stick.log"
    claim "$1: and slotlog verify takes it" "$build/slotlog" verify "$work/$1-stick.log"
    claim "$1: its end record says that it was full, after so many rounds" \
        has "$1-stick" '.type == "end" and .reason == "full" and .rounds == 1 and .fail == 0 and .cores_lost == null'
    claim "$1: it ends in its tables, as the log of a run of one round" grep '^# ret.nop ' "$work/$1-stick.log"
}
# Room for one round and the end of the log, and not for another one.
kib=$((($(wc -c <"$work/sound.esp/slotscope/slotscope.log") + 65536) / 1024))
run room skylakex loop=3 --fault "stick:room:$kib"
claim "room: the run goes on over the serial line" says room .round "1 2 3"
claim "room: which says that the stick is full" has room '.type == "error" and (.what | test("no room for another round"))'
claim "room: and comes to its end" in_full_to_the_end room
cut_stick room
claim "room: the stick's log says why it ends before the run" \
    has room-stick '.type == "error" and (.what | test("no room for another round")) and (.expected | test("the serial line goes on alone"))'
# The stick has the full form here, and the serial line the brief one.
stick brief
printf '\ndetail = brief\n' >>"$work/brief.esp/slotscope/slotscope.cfg"
run brief skylakex loop=3 --fault "stick:room:$kib"
claim "brief: the serial line's form goes on as if nothing had been" in_full_to_the_end brief
cut_stick brief
# alone NAME ARGUMENTS OPTION...: no serial line; the log is that of the stick.
alone() {
    name=$1 arguments=$2
    shift 2
    boot "$name" --cpu skylakex --cores 1 --args "kernels=ret.nop levels=1 repeats=1 serial=none $arguments" "$@"
    cp "$work/$name.esp/slotscope/slotscope.log" "$work/$name.log"
}
alone only 'loop=3' --fault "stick:room:$kib"
claim "only: without a serial line the run ends after the last round that fits" has only '.type == "end" and .reason == "full" and .rounds == 1'
claim "only: and its log is whole" whole "$work/only.log"
# A core that is lost in round 1 is lost in the end of both logs, once.
gone_kib=$((($(wc -c <"$work/gone.esp/slotscope/slotscope.log") + 65536 + 6000) / 1024))
cores=2 kernels=ret.nop,be.core.chain run early skylakex 'loop=3 timeout=1' --fault stuck:1:40:nmi --fault "stick:room:$gone_kib"
cp "$work/early.esp/slotscope/slotscope.log" "$work/early-stick.log"
claim "early: the stick's log is whole" whole "$work/early-stick.log"
claim "early: and says that a core was lost" has early-stick '.type == "end" and .reason == "lost" and .cores_lost == 1 and .rounds == 1'
claim "early: so does the other, once" has early '.type == "end" and .reason == "lost" and .cores_lost == 1 and .rounds == 3'
claim "early: each names it in a verdict" sh -c "
    for log in early early-stick; do [ \"\$(grep -c '^not ok .* core 1 works until the run is over' '$work'/\$log.log)\" -eq 1 ] || exit 1; done"
# Room for two rounds, and not for a third one, which nobody wants. All of the second is said, so it is as long as the
# first; what the end of the log may take is 65536 bytes, and 640 of a kernel.
first=$(sed -n '/^# round 1 of/,/^# round 1 of .*:/p' "$work/sound.esp/slotscope/slotscope.log" | wc -c)
start=$(sed '/^# round 1 of/,$d' "$work/sound.esp/slotscope/slotscope.log" | wc -c)
kib=$(((start + first * 5 / 2 + 65536 + 7 * 640) / 1024))
half="--fault count:UOPS_RETIRED.RETIRE_SLOTS:-50 --fault lies:$((before + each + 1))-$((before + 2 * each))"
# shellcheck disable=SC2086
run enough skylakex loop=2 --fault "stick:room:$kib" $half
claim "enough: after the last round nobody asks for room" has_no enough '.type == "error"'
cp "$work/enough.esp/slotscope/slotscope.log" "$work/enough-stick.log"
claim "enough: the stick's log is that of the whole run" has enough-stick '.type == "end" and .reason == "complete" and .rounds == 2'
if [ "${TREE-}" = all ]; then
    # shellcheck disable=SC2086
    alone both 'loop=2' --fault "stick:room:$kib" $half
    claim "both: without a serial line, too" has both '.type == "end" and .reason == "complete" and .rounds == 2'
fi
# A stick that says nothing of its room, and takes nothing more: nobody keeps the log, and the run ends.
alone lost 'loop=forever' --fault stick:full --screen "$work/lost.txt"
claim "lost: the run ends when nothing keeps the log, and the machine stays on and says so" \
    sh -c "grep -q 'the run is over: full' '$work/lost.txt' && grep -q 'The log: kept nowhere' '$work/lost.txt'"

# --- memory ---
# Plans are made anew where the kind of the core changes: hybrid cores, threads of NetBurst, a timeline's.
cores=2 kernels=cpi.loops run hybrid alderlake 'loop=2 timeline=ret.nop timeline_cycles=9 samples=20 warmup=0'
run threads prescott 'loop=2 warmup=0' --smt
for name in sound hybrid threads; do
    claim "$name: memory is the same after each round" [ "$(rounds "$name" .memory_bytes | tr ' ' '\n' | sort -u | wc -l)" -eq 1 ]
done
finish
