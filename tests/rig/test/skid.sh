#!/bin/sh
# How late samples are: the skid records of kernels whose cause is known, against the cycle and the saved address of
# every interrupt as the rig saw them (--profile); PEBS names the cause, or the next instruction where its format has
# only that. TAP on standard output.
#   skid.sh BUILD
# shellcheck disable=SC2016
set -u
. tests/boot.sh
samples=40

# run NAME KERNELS OPTION...: the kernels' skid on the personality NAME.
run() {
    name=$1 kernels=$2
    shift 2
    boot "$name" --cpu "${name%-*}" --cores 1 --profile "$work/$name.profile" \
        --args "kernels=$kernels nodes=none repeats=1 warmup=1 skid=yes samples=$samples" "$@"
}
# skids NAME FILTER: the skid records of NAME through jq.
skids() { records "$1" "select(.type == \"skid\") | $2"; }
all() {
    skids "$1" . | grep -q . && ! skids "$1" "select(($2) | not) | tojson" | grep .
}
some() { skids "$1" "select($2) | tojson" | grep .; }

# The interrupts that were taken in the loop, as the rig saw them. Behind the cause each instruction of these loops has 3 bytes, but for the division's 2, and the next
# one behind a taken branch is the loop's first. Both print "address count", ascending.
image_addresses() {
    skids "$1" "select(.kernel == \"$2\" and .method == \"PMI\") | . as \$r | .histogram[] |
        [if \"$2\" == \"skid.divide\" then \$r.cause + 3 * .[0] - 1 elif \"$2\" == \"skid.taken\" then
            \$r.loop + 3 * (.[0] - 1) else \$r.cause + 3 * .[0] end, .[1]] | @tsv" |
        awk '{ count[$1] += $2 } END { for (at in count) print at, count[at] }' | sort -n
}
# The kernel's interrupts, one object a line, with the offset of the saved address. Kernels do not overlap.
rig_interrupts() {
    code=$(skids "$1" "select(.kernel == \"$2\") | .code" | head -1)
    [ "$2" = skid.divide ] && bytes=740 || bytes=1444 # of its code, at most
    jq -c --argjson code "$((code))" --argjson bytes "$bytes" 'select(.pmi.rip) |
        {window, overflow: .pmi.overflow, taken: .pmi.taken, at: (.pmi.rip - $code)} |
        select(.at >= 0 and .at < $bytes)' "$work/$1.profile" |
        jq -c .
}
rig_addresses() { rig_interrupts "$1" "$2" | jq .at | sort -n | uniq -c | awk '{ print $2, $1 }'; }
same_addresses() {
    image_addresses "$1" "$2" >"$work/image"
    rig_addresses "$1" "$2" >"$work/rig"
    [ -s "$work/rig" ] && diff "$work/rig" "$work/image"
}
# The loop tells the time to a cycle.
same_cycles() {
    rig=$(rig_interrupts "$1" "$2" | jq -s 'map(.taken - .overflow) | add / length')
    skids "$1" "select(.kernel == \"$2\" and .method == \"PMI\") | .cycles.mean" | awk -v rig="$rig" '
        { print "the rig", rig, "the image", $1; far += $1 < rig - 1 || $1 > rig + 1 }
        END { exit far > 0 || NR != 2 }'
}

for cpu in haswell skylakex icelakex; do
    run $cpu 'skid.taken,skid.load,skid.divide,skid.instructions'
    in_order $cpu
    no_failure $cpu
    no_error $cpu
    claim "$cpu: every address is known; one in twenty at most is of the code around the loop" all $cpu \
        '.broken == 0 and .outside * 20 <= .samples'
    for kernel in skid.taken skid.load skid.divide; do
        claim "$cpu $kernel: the addresses are those that the rig saved" same_addresses $cpu $kernel
    done
    for kernel in skid.taken skid.load; do
        claim "$cpu $kernel: the cycles are the rig's" same_cycles $cpu $kernel
    done
    claim "$cpu: as vector and as NMI" [ "$(skids $cpu 'select(.method == "PMI") | .delivery' | sort | uniq -c |
        awk '{ printf "%s %s ", $2, $1 }')" = 'nmi 4 vector 4 ' ]
    claim "$cpu: PEBS names the cause" all $cpu \
        '.method != "PEBS" or .every or (.histogram | length == 1 and .[0][0] == 0)'
    claim "$cpu: an interrupt waits for the division and names what is behind it" all $cpu \
        '.kernel != "skid.divide" or .method != "PMI" or (.instructions.min == 2 and .instructions.max == 2)'
    # On Haswell it takes more samples to see: of 1036 it has ten times the average.
    [ $cpu = haswell ] || claim "$cpu: interrupts at instructions favour what is behind the division" some $cpu \
        '.every and .method == "PMI" and ([.histogram[] | select(.[0] == 1)[1]][0] > 3 * .samples / .length)'
    claim "$cpu: with precise distribution all instructions come equally often" some $cpu \
        '.every and .method == "PEBS with precise distribution" and (.histogram | length == 100 and
         (map(.[1]) | max - min <= 1))'
done

run ivybridge skid.load
no_failure ivybridge
claim "ivybridge: records of format 1 name the instruction behind the cause" some ivybridge \
    '.method == "PEBS" and .histogram == [[1, .samples]]'
run core2 skid.taken
no_failure core2
claim "core2: without PEBS that part is a SKIP with its reason" grep -E '^ok .* skid .* by PEBS # SKIP .' "$work/core2.log"
finish
