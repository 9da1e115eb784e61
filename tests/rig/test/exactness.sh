#!/bin/sh
# Whether events count truly is found out by kernels whose counts are known: an honest core is exact in all that they pin,
# and a counter that lies is named, with the size of its lie, wherever a formula rests on it. TAP on standard output.
#   exactness.sh BUILD
set -u
build=$1
work=$build/exactness
. "$(dirname "$0")/../../tap.sh"
rm -rf "$work"
mkdir -p "$work"

# boot NAME CPU KERNELS ARGUMENTS...: the log to $work/NAME.log
boot() {
    name=$1 cpu=$2 kernels=$3
    shift 3
    cp -r "$build/esp" "$work/$name.esp"
    "$build/rig" --cpu "$cpu" --esp "$work/$name.esp" --args "kernels=$kernels" --seconds 120 "$@" 2>"$work/$name.err" |
        tr -d '\r' >"$work/$name.log"
    rm -r "$work/$name.esp"
}
# events NAME CORE: "EVENT is pinned ratio" of each event that some kernel pins there
events() {
    grep "^{\"type\":\"exactness\",\"seq\":[0-9]*,\"core\":$2," "$work/$1.log" |
        grep -oE '"[A-Z0-9_]+[A-Za-z0-9_.:]*":\{"is":"[a-z ]*","pinned":[0-9]*,"ratio":[^}]*' |
        sed 's/"\([^"]*\)":{"is":"\([^"]*\)","pinned":\([0-9]*\),"ratio":\(.*\)/\1 \2 \3 \4/' | grep -v ' not provable ' | sort -u
}
# says NAME CORE EVENT KIND RATIO: with three digits; a lie is cut to whole counts at every reading
says() {
    events "$1" "$2" >"$work/events"
    cat "$work/events"
    awk -v event="$3" -v kind="$4" -v ratio="$5" \
        '$1 == event && $2 == kind && sprintf("%.3f", $4) == ratio { found = 1 } END { exit !found }' "$work/events"
}
all_exact() { # NAME CORE AT-LEAST
    events "$1" "$2" >"$work/events"
    cat "$work/events"
    [ "$(wc -l <"$work/events")" -ge "$3" ] && absent ' (over|under) ' "$work/events"
}

# An honest core. How many events are pinned differs: each CPU counts and names others.
for run in skylakex:0:30 icelakex:0:30 haswell:0:15 sapphirerapids:0:30 alderlake:0:30 alderlake:1:8; do
    cpu=${run%%:*} core=${run#*:} least=${run##*:}
    core=${core%:*}
    [ -f "$work/$cpu.log" ] || boot "$cpu" "$cpu" "exact.*" --cores "$([ "$cpu" = alderlake ] && echo 2 || echo 1)"
    claim "$cpu: no verdict fails on core $core" absent "^not ok .* core $core " "$work/$cpu.log"
    claim "$cpu: all of at least $least events that are pinned on core $core are exact" all_exact "$cpu" "$core" "$least"
done

# lie CPU EVENT PERCENT KIND RATIO NODE NODE-THAT-DOES-NOT-REST-ON-IT
lie() {
    boot "lie-$1-$2" "$1" "exact.uops,be.core.chain,ret.nop,fe.mite" --cores 1 --fault "count:$2:$3"
    name=lie-$1-$2 log=$work/lie-$1-$2.log
    claim "$1, $2 $3 %: the record says $4 by $5" says "$name" 0 "$2" "$4" "$5"
    claim "$1, $2 $3 %: all other pinned events are exact" others_exact "$name" "$2"
    claim "$1, $2 $3 %: a comment names it" grep -q "^# core 0: $2 counts $4: " "$log"
    claim "$1, $2 $3 %: the kernel that pins it fails" grep -qE "^not ok .* core 0 exact\.uops $2 " "$log"
    claim "$1, $2 $3 %: verdicts on $6 say so" grep -qE "^(not )?ok .* core 0 [a-z.]* $6 .*, but $2 counts $5[0-9]* of what it should" "$log"
    claim "$1, $2 $3 %: verdicts on $7 do not" absent "^(not )?ok .* core 0 [a-z.]* $7 .*, but " "$log"
}
others_exact() { events "$1" 0 | grep -v "^$2 " >"$work/events"; absent ' (over|under) ' "$work/events"; }
lie skylakex UOPS_ISSUED.ANY -20 under 0.800 tma_backend_bound tma_retiring
lie skylakex UOPS_RETIRED.RETIRE_SLOTS 10 over 1.100 tma_retiring tma_frontend_bound
lie haswell UOPS_ISSUED.ANY 15 over 1.150 tma_backend_bound tma_retiring

finish
