# The skid S and the refill A that the image measures, against those that the rig models (--profile): claims on runs of
# samples by name; sourced after boot.sh.

# shellcheck disable=SC2154 # tap.sh gives $work
chain_period=400 # of the chain of additions, harness/sampler/skid.c

# of NAME SERIES FILTER: of the series' sampling record
of() { records "$1" "select(.type == \"sampling\" and .series == \"$2\") | $3"; }

# S on the rig: from the overflow to the cycle in which the interrupt is there, the same for every counter.
rig_skid() { jq -c 'select(.pmi.rip) | .pmi.accepted - .pmi.overflow' "$work/$1.profile" | sort -u; }
same_skid() {
    of "$1" "$2" '.skid.min, .skid.median, .skid.max' | sort -u >"$work/seen"
    rig_skid "$1" | cmp - "$work/seen" && [ -s "$work/seen" ]
}
# A on the rig: what the sampled counter counts before the cycle in which the interrupted code's first instruction
# retires. The counter needs `period` cycles from the handler's write to the next overflow, so A is what `resumed` and
# the next `overflow` leave of them. Of the windows that measure it, which lie between the last two series of cycles and
# overflow first within the chain's period: a window of the second series that was not kept lies there, too. The first
# two bring the chain into the caches.
rig_refill() {
    from=$(of "$1" cycles .last_window) to=$(of "$1" 'classic cycles' .first_window)
    jq -c --argjson from "$from" --argjson to "$to" --argjson period $chain_period -s '
        [.[] | select(.pmi.resumed and .window > $from and .window < $to and .pmi.counters == 8589934592)]
        | group_by(.window) | [.[] | select(.[0].pmi.overflow <= $period)] | .[2:] | [.[] | [.[].pmi] | . as $p | range(1; length)
        | $period - 1 - ($p[.].overflow - $p[. - 1].resumed)] | sort
        | [.[0], .[(length - 1) / 2 | floor], .[-1]]' "$work/$1.profile"
}
same_refill() {
    of "$1" 'classic cycles' '[.refill.min, .refill.median, .refill.max] | tojson' >"$work/seen"
    rig_refill "$1" | cat - "$work/seen"
    rig_refill "$1" | cmp - "$work/seen"
}
# skid_and_refill NAME: both, of a run that sampled by the random periods and by the fixed one.
skid_and_refill() {
    claim "$1: S of the random periods is the rig's, to the cycle" same_skid "$1" cycles
    claim "$1: S of the fixed period is the rig's, to the cycle" same_skid "$1" 'classic cycles'
    claim "$1: A is the rig's, to the cycle: least, median and most" same_refill "$1"
    claim "$1: S, A and a reason are there for series of cycles alone" has_no "$1" \
        '.type == "sampling" and ((.event == "CPU_CLK_UNHALTED.THREAD") != (.skid != null and .refill != null)
            or (.skid == null) != (.why != null))'
}
