#!/bin/sh
# Kernels cycle by cycle, held against the trace of an undisturbed window of the same run; and what refuses a
# timeline: TAP on standard output.
#   timeline.sh BUILD
# With TREE=all a timeline of Ice Lake and one of the most cycles, too.
set -u
. tests/boot.sh

# timeline NAME CPU KERNEL CYCLES [MORE]: a run, and the trace of the window that its records name: a second run is the
# same as the first, on a stick that is the same.
timeline() {
    arguments="kernels=cal.empty levels=1 warmup=0 timeline=$3 timeline_cycles=$4 ${5-}"
    boot "$1" --cpu "$2" --cores 1 --args "$arguments"
    window=$(records "$1" 'select(.type == "timeline") | .undisturbed_window // empty' | head -n 1)
    rm -rf "$work/$1.esp" "$work/traces"
    boot "$1" --cpu "$2" --cores 1 --trace "$work/traces" --trace-window 0:"${window:-1}" --args "$arguments"
    awk -v window="$window:" '/^#/ { on = $5 == window } on' "$work/traces" >"$work/$1.trace"
}
# counts NAME EVENT: "cycle count" for each known cycle.
counts() {
    records "$1" "select(.type == \"timeline\" and .event == \"$2\") | .from as \$from |
        .counts | to_entries[] | select(.value != null) | \"\(.key + \$from) \(.value)\""
}
# agreed NAME EVENT: counts of the cycles in which all repeats agree, which are more than half of them. Where repeats
# disagree, a cycle that an access took longer moves all that follows, and the undisturbed window is one of them.
agreed() {
    counts "$1" "$2" >"$work/$1.all"
    records "$1" "select(.type == \"timeline\" and .event == \"$2\") | .apart_in[]?" >"$work/$1.apart"
    awk 'FILENAME ~ /apart$/ { apart[$1] = 1; next } { n++ } !($1 in apart) { kept++; print } END { exit kept <= n / 2 }' \
        "$work/$1.apart" "$work/$1.all"
}
# as_traced NAME EVENT WHICH: in at least 99 % of the cycles in which repeats agree the event's count is the number of
# instructions that retire there by the trace, of those whose text matches.
as_traced() {
    agreed "$1" "$2" >"$work/$1.counts" || return 1
    awk -v which="$3" '
        FNR == NR { if ($1 ~ /^[0-9]/ && substr($0, 64, 36) ~ which) retire[$2]++; next }
        { n++; if ($2 == retire[$1] + 0) equal++; else print "cycle " $1 ": " $2 ", traced " retire[$1] + 0 }
        END { print equal + 0 " of " n + 0 " cycles are equal"; exit !(n && equal >= n * 0.99) }
    ' "$work/$1.trace" "$work/$1.counts"
}
# total NAME FIGURE EVENT...: before the first known cycle and in all cycles, an event of these counts what the truth
# has for the undisturbed window. A CPU may have none of them.
total() {
    name=$1 figure=$2
    shift 2
    truth=$(jq "select(.core == 0 and .window == $window) | .$figure" "$work/$name.truth")
    for event; do
        sum=$(records "$name" "select(.type == \"timeline\" and .event == \"$event\" and .counts) |
            (if .part == 1 then .before else 0 end) + (.counts | add)" | awk '{ s += $1 } END { if (NR) print s }')
        [ -n "$sum" ] || continue
        echo "$event: $sum in all cycles, $truth in truth"
        [ "$sum" = "$truth" ] || return 1
    done
}
totals() {
    total "$1" instructions INST_RETIRED.ANY &&
        total "$1" uops_retired UOPS_RETIRED.RETIRE_SLOTS UOPS_RETIRED.SLOTS &&
        total "$1" uops_issued UOPS_ISSUED.ANY &&
        total "$1" branches BR_INST_RETIRED.ALL_BRANCHES &&
        total "$1" taken BR_INST_RETIRED.NEAR_TAKEN &&
        total "$1" mispredicts BR_MISP_RETIRED.ALL_BRANCHES &&
        total "$1" loads MEM_INST_RETIRED.ALL_LOADS &&
        total "$1" stores MEM_INST_RETIRED.ALL_STORES MEM_UOPS_RETIRED.ALL_STORES
}
# known NAME FIRST: the cycles from FIRST to the window's last are known, and no other.
known() {
    counts "$1" INST_RETIRED.ANY | cut -d' ' -f1 >"$work/$1.known"
    cycles=$(records "$1" 'select(.type == "timeline") | .cycles // empty' | head -n 1)
    seq "$2" $((cycles - 1)) | cmp - "$work/$1.known"
}
# follow NAME CPU KERNEL CYCLES FIRST-KNOWN [MORE]
follow() {
    timeline "$1" "$2" "$3" "$4" "${6-}"
    in_order "$1"
    claim "$1: its verdict is not a failure" grep -E "^ok .* core 0 $3 timeline, [0-9]+ cycles" "$work/$1.log"
    claim "$1: instructions retire in the cycles of the trace" as_traced "$1" INST_RETIRED.ANY .
    claim "$1: so do branches" as_traced "$1" BR_INST_RETIRED.ALL_BRANCHES '^(call|ret|j)'
    claim "$1: all cycles together count what happened in the undisturbed window" totals "$1"
    claim "$1: every cycle from $5 on is known" known "$1" "$5"
}

follow chain skylakex be.core.chain 100 0
follow l2 skylakex be.mem.l2 100 0
follow coinflip skylakex bs.coinflip 100 0
[ "${TREE-}" != all ] || follow icelakex icelakex be.core.chain 100 0
follow sapphirerapids sapphirerapids ret.nop 100 0
# The legacy freeze comes with the PMI: 12 cycles after the overflow on the rig.
follow haswell haswell be.mem.l1 100 13
claim "haswell: the freeze takes 12 cycles" has haswell \
    '.type == "timeline" and .freeze == "legacy" and .freeze_delay == {"min": 12, "max": 12, "windows": 8}'
[ "${TREE-}" != all ] || follow long skylakex be.core.chain 2000 0

# The cycle counter begins one cycle earlier than the image believes.
copy_sources wrong
sed -i 's/->value = start_of(facts, cycles)/->value = start_of(facts, cycles + 1)/' "$work/wrong/pmu/intel/freeze.c"
claim "an image whose preset is wrong by one builds" build_image wrong
stick wrong "$work/wrong.overlay"
boot wrong --cpu skylakex --cores 1 --args 'kernels=cal.empty levels=1 warmup=0 timeline=be.core.chain timeline_cycles=100'
cp "$work/chain.trace" "$work/wrong.trace"
wrong_is_found() { grep -q 'undisturbed_window' "$work/wrong.log" && ! as_traced wrong INST_RETIRED.ANY .; }
claim "it is found: the cycles are not those of the trace" wrong_is_found

# Kernels that are longer than the limit.
boot short --cpu skylakex --cores 1 --args 'kernels=cal.empty timeline=be.mem.dram timeline_cycles=50 levels=1 repeats=1 warmup=0'
in_order short
claim "short: only as far as the limit, and it says so" has short \
    '.type == "timeline" and .whole == false and .iterations == 1 and .cycles > 50 and .from == 0 and (.counts | length) == 50'

boot parallel --cpu skylakex --cores 2 --args 'kernels=cal.empty timeline=be.core.chain timeline_cycles=60 parallel=yes levels=1'
in_order parallel
claim "parallel: each core has its timeline" \
    [ "$(records parallel 'select(.type == "timeline" and .counts) | .core' | sort -u | tr '\n' ' ')" = '0 1 ' ]
no_failure parallel
no_error parallel

boot prescott --cpu prescott --cores 1 --args 'kernels=cal.empty timeline=be.core.chain'
in_order prescott
claim "prescott: a SKIP says why" \
    grep -E '^ok .* core 0 be\.core\.chain timeline # SKIP NetBurst.s counters do not freeze on an interrupt' "$work/prescott.log"
claim "prescott: and there is no timeline" has_no prescott '.type == "timeline"'

# refuse NAME VALUE WHERE
refuse() {
    stick "$1"
    printf 'repeats = 3\n%s\n' "$2" >"$work/$1.esp/slotscope/slotscope.cfg"
    boot "$1" --cpu skylakex --cores 1
    in_order "$1"
    claim "$1: an error record has the place and what was expected" has "$1" \
        ".type == \"error\" and (\"\(.where): \(.what)\" | test(\"$3\")) and .expected != null"
    nothing_measured "$1"
}
refuse unknown 'timeline = no.such' 'slotscope.cfg:2:12: timeline = no.such: no kernel has this name'
refuse partner 'timeline = be.mem.shared' 'slotscope.cfg:2:12: timeline = be.mem.shared: it needs two cores'
refuse limit 'timeline_cycles = 2001' 'slotscope.cfg:2:19'
finish
