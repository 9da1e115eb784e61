#!/bin/sh
# --trace: one window as its instructions went through the core, against the truth of the same window. TAP on standard
# output.
#   trace.sh BUILD
set -u
build=$1
work=$build/trace
. "$(dirname "$0")/../../tap.sh"
rm -rf "$work"
mkdir -p "$work"

follow() { # NAME CORE:WINDOW
    cp -r "$build/esp" "$work/$1.esp"
    "$build/rig" --cpu icelakex --cores 2 --esp "$work/$1.esp" --args "kernels=cal.*" --truth "$work/$1.truth" \
        --trace "$work/$1.trace" --trace-window "$2" --seconds 120 >"$work/$1.serial" 2>"$work/$1.err"
}
truth() { # NAME CORE WINDOW: the truth's line
    grep "^{\"core\":$2,\"window\":$3," "$work/$1.truth"
}
instructions() { grep -c '^ *[0-9]' "$work/$1.trace"; }
# What is allocated after the window's last instruction, and cycles that end later, belong to no line.
most_slots() { # NAME CORE WINDOW: the lines' slots are no more than the truth's, and nine tenths of them at least
    told=$(truth "$1" "$2" "$3" | sed 's/.*"slots":{//; s/[^0-9,]//g' | tr ',' '\n' | awk '{ s += $1 } END { print s }')
    seen=$(sed 's/.*;//' "$work/$1.trace" | tr ' ' '\n' | sed -n 's/^tma_.*=//p' | awk '{ s += $1 } END { print s }')
    echo "$seen of $told slots"
    [ "$seen" -le "$told" ] && [ $((seen * 10)) -ge $((told * 9)) ]
}
in_order() { awk '/^ *[0-9]/ { if ($1 < a || $2 < r || $2 <= $1) exit 1; a = $1; r = $2 }' "$work/$1.trace"; }

for at in 0:7 1:9; do
    core=${at%:*} window=${at#*:}
    name=core$core
    follow "$name" "$at"
    claim "$at: as many lines as instructions in the truth" \
        test "$(instructions "$name")" = "$(truth "$name" "$core" "$window" | sed 's/.*"instructions":\([0-9]*\).*/\1/')"
    claim "$at: the slots are the truth's" most_slots "$name" "$core" "$window"
    claim "$at: allocated and retired in order, retired after allocation" in_order "$name"
    claim "$at: from the call of the kernel to the write that stops counting" \
        awk '/^ *[0-9]/ { if (!n++) first = $0; last = $0 } END { exit !(first ~ / call / && last ~ / wrmsr /) }' "$work/$name.trace"
done
follow again 0:7
claim "two runs give the same trace" cmp "$work/core0.trace" "$work/again.trace"
for bad in 0 0: :1 0:0 x:1; do
    "$build/rig" --cpu icelakex --cores 1 --esp "$build/esp" --trace "$work/bad" --trace-window $bad >/dev/null 2>&1
    claim "--trace-window $bad is refused" test $? -eq 2
done
finish
