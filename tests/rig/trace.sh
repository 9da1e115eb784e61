#!/bin/sh
# --trace: one window as its instructions went through the core, against the truth of the same window. TAP on
# standard output.
#   trace.sh BUILD
set -u
. tests/boot.sh

follow() { # NAME CORE:WINDOW
    boot "$1" --cpu icelakex --cores 2 --args "kernels=cal.*" --trace "$work/$1.trace" --trace-window "$2"
}
# truth NAME CORE WINDOW FILTER: of the window's line.
truth() { jq "select(.core == $2 and .window == $3) | $4" "$work/$1.truth"; }
as_many_lines() { [ "$(grep -c '^ *[0-9]' "$work/$1.trace")" = "$(truth "$1" "$2" "$3" .instructions)" ]; }
# What is allocated after the window's last instruction, and cycles that end later, belong to no line: the lines
# have at most the truth's slots, and at least nine tenths of them.
most_slots() {
    slots=$(truth "$1" "$2" "$3" '[.slots[]] | add')
    seen=$(sed 's/.*;//' "$work/$1.trace" | tr ' ' '\n' | awk -F= '/^tma_/ { sum += $2 } END { print sum }')
    echo "$seen of $slots slots"
    [ "$seen" -le "$slots" ] && [ $((seen * 10)) -ge $((slots * 9)) ]
}
in_order() { awk '/^ *[0-9]/ { if ($1 < a || $2 < r || $2 <= $1) exit 1; a = $1; r = $2 }' "$work/$1.trace"; }
from_call_to_stop() {
    awk '/^ *[0-9]/ { if (!n++) first = $0; last = $0 } END { exit !(first ~ / call / && last ~ / wrmsr /) }' \
        "$work/$1.trace"
}

for at in 0:7 1:9; do
    core=${at%:*} window=${at#*:}
    follow core"$core" $at
    claim "$at: as many lines as instructions in the truth" as_many_lines core"$core" "$core" "$window"
    claim "$at: the slots are the truth's" most_slots core"$core" "$core" "$window"
    claim "$at: allocated and retired in order, retired after allocation" in_order core"$core"
    claim "$at: from the call of the kernel to the write that stops counting" from_call_to_stop core"$core"
done
follow again 0:7
claim "two runs give the same trace" same "$work/core0.trace" "$work/again.trace"
for bad in 0 0: :1 0:0 x:1 0:7- 0:7-6; do
    claim "--trace-window $bad is refused" refuses --cpu icelakex --cores 1 --trace "$work/bad" --trace-window $bad
done
finish
