#!/bin/sh
# Where a performance-monitoring interrupt is taken: an image that is interrupted once in each of many windows (pmi/),
# against the trace of these windows. TAP on standard output.
#   pmi.sh BUILD
set -u
. tests/boot.sh
claim "the image builds" sh tests/rig/pmi/build.sh "$work/pmi"
esp=$work/pmi/esp
skid=12 # cycles from an overflow to its interrupt, on every personality (a guess of the rig's)

# interrupted NAME CPU WINDOWS OPTION...
way=oldest
interrupted() {
    name=$1 cpu=$2 windows=$3
    shift 3
    boot "$name" --cpu "$cpu" --cores 1 --trace "$work/$name.trace" --trace-window "0:$windows" \
        --profile "$work/$name.profile" "$@"
    claim "$name: the image ends the run" [ "$(cat "$work/$name.status")" = 0 ]
    judged "$name: every interrupt is taken at the oldest instruction that has not retired" \
        awk -v "skid=$skid" -v way=$way -f tests/rig/pmi/check.awk "$work/$name.log" "$work/$name.trace"
    claim "$name: no interrupt is taken before it is there" in_time "$name"
    claim "$name: the profile's cycles and executions are the truth's, window by window" same_sums "$name"
    claim "$name: every cycle has one address that would be saved, and one that was the oldest" whole_sums "$name"
    claim "$name: the profile's saved addresses are those that the image saw" same_addresses "$name"
    # In the trace nothing returns to an instruction that was thrown away.
    [ $way != oldest ] ||
        claim "$name: the profile's cycles are those of the trace" same_cycles "$name" "${windows%-*}"
}
same_counts() {
    awk '$1 == "pmi" { print $2, $3, $4, $6 }' "$work/skylakex.log" >"$work/skylakex.counts"
    awk '$1 == "pmi" { print $2, $3, $4, $6 }' "$work/$1.log" | cmp - "$work/skylakex.counts"
}
same_sums() {
    jq -c 'select(.at) | [.window, .cycles, ([.at[].executions] | add)]' "$work/$1.profile" >"$work/$1.sums"
    jq -c '[.window, .cycles, .instructions]' "$work/$1.truth" | cmp - "$work/$1.sums" && [ -s "$work/$1.sums" ]
}
whole_sums() {
    jq -es 'map(select(.at)) | all(([.at[].cycles] | add) + .elsewhere == .cycles and
        ([.at[].oldest] | add) + .elsewhere == .cycles and .elsewhere < 10 and
        (([.at[].tip] | add) + .elsewhere - .cycles | fabs) < 0.1)' "$work/$1.profile"
}
same_addresses() {
    awk '$1 == "pmi" && $6 == 1 { print $2, $5 }' "$work/$1.log" >"$work/$1.seen"
    jq -r 'select(.pmi.rip) | "\(.window) \(.pmi.rip)"' "$work/$1.profile" |
        while read -r window rip; do printf '%s %x\n' "$window" "$rip"; done | cmp - "$work/$1.seen" &&
        [ -s "$work/$1.seen" ]
}
# same_cycles NAME WINDOW: by address, of the fourth window from WINDOW on.
same_cycles() {
    at=$(($2 + 3))
    jq -r "select(.at and .window == $at) | .at[] | select(.cycles > 0) | \"\(.address) \(.cycles)\"" \
        "$work/$1.profile" | while read -r address cycles; do printf '%x %s\n' "$address" "$cycles"; done |
        sort >"$work/$1.by_address"
    awk -v at=$at -f tests/rig/pmi/trace.awk -f tests/rig/pmi/cycles.awk "$work/$1.trace" | sort | cmp - "$work/$1.by_address" &&
        [ -s "$work/$1.by_address" ]
}

for cpu in haswell skylakex icelakex sapphirerapids; do
    interrupted "$cpu" "$cpu" 1-75
    interrupted "$cpu-fixed" "$cpu" 151-175
done
interrupted vector skylakex 1-75 --args v
# Behind a mispredicted branch, and on this core behind MFENCE, the re-order buffer is empty.
for way in empty flush; do
    interrupted "$way" skylakex 1-75 --interrupt $way
    interrupted "$way-fixed" skylakex 151-200 --interrupt $way
done
interrupted flush-icelakex icelakex 1-75 --interrupt flush
claim "a way that nobody knows is refused" refuses --cpu skylakex --cores 1 --interrupt late
claim "with the ways that there are" grep -q 'unknown way "late"; known are oldest, empty, flush$' "$work/refused.err"
boot plain --cpu skylakex --cores 1
# Where the other thread is halted, and where another core sleeps, nothing changes.
boot smt --cpu skylakex --cores 1 --smt
boot two --cpu skylakex --cores 2
for name in smt two; do
    claim "$name: every event interrupts as often as on one core" same_counts $name
done
boot long --cpu skylakex --cores 1 --at-length
claim "a run without the model's shortcuts has the same log" same "$work/plain.log" "$work/long.log"
claim "and the same truth" same "$work/plain.truth" "$work/long.truth"
claim "a run without --profile and --trace has the same log" same "$work/plain.log" "$work/skylakex.log"
claim "and the same truth" same "$work/plain.truth" "$work/skylakex.truth"
finish
