#!/bin/sh
# A serial line that takes nothing for a while: what is lost, what is waited for, and how the run ends. TAP on standard output.
#   stalls.sh BUILD
# Two seeds of stalls by chance beside a stick, and two where the line is all there is; STALLS=100 takes so many.
set -u
. tests/boot.sh
slotlog=$build/slotlog

# run NAME ARGUMENTS OPTION...: the full log is some 35 KB, the brief one a quarter of that.
run() {
    name=$1 arguments=$2
    shift 2
    boot "$name" --cpu skylakex --cores 1 --args "kernels=cal.branches levels=1 repeats=1 warmup=1 $arguments" "$@"
}
run sound detail=brief
run sound-exclusive exclusive=yes
# kept NAME: what the records of its serial line are of.
kept() { grep '^{' "$work/$1.log" | jq -c '[.type, .core, .kernel, .window]'; }
# nothing_lost NAME BASE: its line has each record of the sound run BASE.
nothing_lost() {
    [ "$(cat "$work/$1.status")" = 0 ] || { cat "$work/$1.err" "$work/$1.status"; return 1; }
    "$slotlog" verify "$work/$1.log" || return 1
    kept "$2" >"$work/kept.sound"
    kept "$1" | diff "$work/kept.sound" -
}
seeds() { seq "${STALLS:-2}"; }
# all_of BASE ARGUMENTS BYTES: stalls of 20 ms to 9 s, so many bytes apart.
all_of() {
    for seed in $(seeds); do
        run stalled "$2" --fault "uart:stall:20-9000:$3:$seed"
        nothing_lost stalled "$1" || { echo "seed $seed"; return 1; }
    done
}
claim "beside a stick: no record is lost on the line, and the run ends" all_of sound detail=brief 600
claim "the log says that the line paused" \
    grep -E '^# the serial line paused [0-9]+ times, up to [0-9]+ ms; what it did not take was sent afterwards$' "$work/stalled.log"
claim "there is no error record" has_no stalled '.type == "error"'
claim "exclusive: likewise" all_of sound-exclusive exclusive=yes 6000

# A pause of 30 s is longer than the line is waited for: what it did not take waits in memory.
most=$(($(wc -c <"$work/sound-exclusive.serial") * 2 / 3)) # so it pauses once
run long exclusive=yes --fault uart:stall:30000:$most
but_errors() { grep '^{' "$work/$1.log" | jq -c 'select(.type != "error") | [.type, .core, .kernel, .window]'; }
all_but_errors() { but_errors sound-exclusive >"$work/kept.sound" && but_errors long | diff "$work/kept.sound" -; }
claim "a pause of 30 s: nothing is lost" all_but_errors
claim "it is an error, which says that the line is tried again" has long '.type == "error"
    and .what == "the serial line takes no more characters" and (.expected | test("tried again"))'
claim "the log is whole" "$slotlog" verify "$work/long.log"
claim "and the run ends as else" grep -x 0 "$work/long.status"

# A line that never comes back. Nobody waits for it for more than some 40 s in all; where it is alone, the machine stays on.
run dead exclusive=yes --fault uart:never:9000
claim "a line that dies where it is alone: the run ends all the same" grep -x 0 "$work/dead.status"
run beside '' --fault uart:never:9000
claim "beside a stick it ends as else" grep -x 0 "$work/beside.status"
claim "the stick has all of the log" "$slotlog" verify "$work/beside.esp/slotscope/slotscope.log"
claim "and says that the line does not" grep '^{"type":"error".*the serial line takes no more characters' \
    "$work/beside.esp/slotscope/slotscope.log"
finish
