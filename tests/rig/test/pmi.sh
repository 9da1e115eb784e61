#!/bin/sh
# Where a performance-monitoring interrupt is taken: an image that is interrupted once in each of many windows (pmi/),
# against the trace of these windows. TAP on standard output.
#   pmi.sh BUILD
set -u
. tests/boot.sh
claim "the image builds" sh tests/rig/test/pmi/build.sh "$work/pmi"
esp=$work/pmi/esp
skid=12 # cycles from an overflow to its interrupt, on every personality (a guess of the rig's)

# interrupted NAME CPU WINDOWS OPTION...
interrupted() {
    name=$1 cpu=$2 windows=$3
    shift 3
    boot "$name" --cpu "$cpu" --cores 1 --trace "$work/$name.trace" --trace-window "0:$windows" "$@"
    claim "$name: the image ends the run" [ "$(cat "$work/$name.status")" = 0 ]
    judged "$name: every interrupt is taken behind the oldest instruction that has not retired" \
        awk -v "skid=$skid" -f tests/rig/test/pmi/check.awk "$work/$name.log" "$work/$name.trace"
}

for cpu in haswell skylakex icelakex sapphirerapids; do
    interrupted "$cpu" "$cpu" 1-75
    interrupted "$cpu-fixed" "$cpu" 151-175
done
interrupted vector skylakex 1-75 --args v
finish
