#!/bin/sh
# The schema refuses no log in which counters lie: whatever they count, every record that the image writes of it is as
# the log's schema says, and slotlog reads it. TAP on standard output. LIES=all: more counters, personalities and sizes
# of lies.
#   lies.sh BUILD
set -u
. tests/boot.sh
python=/usr/bin/python3

# lie NAME ARGUMENTS FAULT...: a run of one core in full form; the log is whole and nothing in it is refused.
lie() {
    name=$1
    arguments=$2
    shift 2
    options=
    for fault in "$@"; do
        options="$options --fault $fault"
    done
    # The faults have no blanks.
    # shellcheck disable=SC2086
    boot "$name" --cpu "${cpu:-skylakex}" --cores "${cores:-1}" --args "$arguments" $options
    claim "$name: $*: the log is whole, and each record as its schema says" "$build/slotlog" verify "$work/$name.log"
    claim "$name: it has an end" has "$name" '.type == "end"'
    claim "$name: it counted" has "$name" '.type == "counts"'
}

tree='kernels=cal.branches,cal.loads,be.core.chain,bs.coinflip levels=2 repeats=3'
branches=BR_INST_RETIRED.ALL_BRANCHES
lie nothing "$tree" count:$branches:-100
lie eleven "$tree" count:$branches:1000
lie noise "$tree" noise:$branches:1000 noise:INST_RETIRED.ANY_P:1000
# Chance makes windows of n count more than those of 2n.
lie below 'kernels=cal.* levels=1 repeats=1 warmup=1' noise:$branches:600
claim "below: an event counts fewer than none" has below '
    .type == "exactness" and ([.events[].ratio | select(. != null and . < 0)] | length > 0)'
# A general and a fixed counter at once; with LIES=all each alone.
if [ "${LIES-}" = all ]; then
    for counter in counter:0 counter:3 fixed:0 fixed:1 fixed:2; do
        last=200
        [ "${counter%:*}" = fixed ] || last=60
        lie "$counter" "$tree" $counter:-100
        lie "$counter-much" "$tree" $counter:1000
        lie "$counter-some" "$tree" $counter:1000 lies:40-$last
    done
else
    lie none "$tree" counter:0:-100 fixed:1:-100
    lie much "$tree" counter:0:1000 fixed:1:1000
    lie some "$tree" counter:0:1000 fixed:1:1000 lies:40-60
fi

# Every other kind of record.
small='kernels=be.core.chain levels=1 repeats=3'
lie multiplexed "$small multiplex=yes" counter:1:1000 lies:30-90
lie intervals "$small interval=100us intervals=3" counter:1:-100 lies:30-90
sampled='kernels=cpi.loops samples=100 levels=1 repeats=3'
lie sampled "$sampled" fixed:1:1000 lies:30-90
lie sampled-branches "$sampled" count:BR_INST_RETIRED.NEAR_TAKEN:1000
lie sampled-none "$sampled" count:BR_INST_RETIRED.NEAR_TAKEN:-100
cpu=icelakex lie precise 'kernels=pebs.* pebs=yes samples=60 levels=1 repeats=3' fixed:0:1000 lies:30-90
cpu=icelakex lie metrics "$tree both=yes" metrics:down counter:0:1000 fixed:3:-100
lie timeline 'kernels=ret.nop timeline=be.core.chain timeline_cycles=50 repeats=3' counter:0:-100 lies:10-400
lie dose 'kernels=mix.core.port levels=1 repeats=1' count:UOPS_RETIRED.RETIRE_SLOTS:1000
cores=2 lie loop "$small loop=2" counter:0:1000 lies:120-400
if [ "${LIES-}" = all ]; then
    for cpu in core2 nehalem ivybridge haswell alderlake graniterapids; do
        for percent in -100 -99 -50 100 1000; do
            lie "$cpu$percent" "$tree" counter:0:$percent lies:20-300
        done
    done
fi
finish
