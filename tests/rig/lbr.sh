#!/bin/sh
# Every personality's last-branch records: each entry of a sequence of branches that is known to the address, with
# filters, in call-stack mode, frozen, and the mispredicted ones. TAP on standard output.
#   lbr.sh BUILD
set -u
. tests/boot.sh

run() {
    boot "$1" --cpu "$1" --cores "$2" --args 'kernels=lbr.sequence,lbr.calls,lbr.far levels=1 repeats=1 warmup=1'
    in_order "$1"
    no_failure "$1"
    no_error "$1"
}
# verdicts NAME CORE COUNT: so many verdicts on recordings passed and are no SKIP; all others of the twelve are.
verdicts() {
    grep -E "ok .* core $2 lbr\.(sequence|calls) branch records, " "$work/$1.log" >"$work/verdicts"
    cat "$work/verdicts"
    [ "$(wc -l <"$work/verdicts")" -eq 12 ] && [ "$(grep -vc '# SKIP' "$work/verdicts")" -eq "$3" ] &&
        [ "$(grep -c '^ok ' "$work/verdicts")" -eq 12 ]
}
# skips NAME RECORDING REASON
skips() { grep -F "branch records, $2: " "$work/$1.log" | grep "# SKIP $3\$"; }
reads() { has "$1" ".type == \"core\" and .lbr and .lbr_kind == \"$2\" and .lbr_depth == $3"; }

# The branches of a kernel by the labels of its object file, "FROM TO" in bytes from the kernel's start; oldest first,
# the last iteration last.
labels() { nm "$build/asm/kernels/$1.o" | awk '{ print $3, $1 }' >"$work/labels"; }
labels lbr.far
place() { echo $((0x$(awk -v label="kernel_code.$1" '$1 == label { print $2 }' "$work/labels"))); }
steps() {
    while read -r from to; do
        echo "$(place "$from") $(place "$to")"
    done
}
there="far_return there
forth frame
interrupt_return back"
{ echo "$there"; echo "again loop"; } | steps >"$work/iteration"
{ echo "$there"; echo "leave done"; } | steps >"$work/last"
for _ in 1 2 3 4 5 6 7 8; do cat "$work/iteration"; done | cat - "$work/last" | tac >"$work/far"
labels lbr.sequence
forth="loop forth
forth_taken near
near empty
empty after_near
jump target
far elsewhere
astray end"
{ echo "$forth"; echo "back loop"; } | steps >"$work/iteration"
{ echo "$forth"; echo "leave done"; } | steps >"$work/last"
for _ in 1 2 3 4 5; do cat "$work/iteration"; done | cat - "$work/last" | tac >"$work/sequence"

# entries NAME CORE KERNEL: the records of every branch in the log, the same way, without the RET that leaves the kernel.
entries() {
    records "$1" "select(.type == \"lbr\" and .core == $2 and .kernel == \"$3\" and .recording == \"every branch\") |
        .code as \$code | .entries[] | \"\(\$code) \(.from) \(.to)\"" | tail -n +2 |
        while read -r code from to; do
            echo "$((from - code)) $((to - code))"
        done
}
# known NAME CORE DEPTH [KERNEL FILE]
known() {
    entries "$1" "$2" "${4-lbr.sequence}" >"$work/entries"
    [ "$(wc -l <"$work/entries")" -eq $(($3 - 1)) ] && head -$(($3 - 1)) "$work/${5-sequence}" | cmp - "$work/entries"
}
# said NAME CORE: the mispredicted branches that the verdict says were counted.
said() {
    sed -n "s/^ok .* core $2 lbr.sequence .* \([0-9]*\) records, \1 counted\$/\1/p" "$work/$1.log"
}
# The last windows of the kernel are the four in which mispredicted branches are counted. Behind them the counters are
# compared, in windows of 6,400 instructions and more.
truth_agrees() {
    happened=$(jq -s "map(select(.core == $2)) | until(.[-1].instructions < 6000; .[:-1]) | .[-4:] |
        map(.mispredicts) | add" "$work/$1.truth")
    echo "truth: $happened, counted: $(said "$1" "$2")"
    [ "$happened" = "$(said "$1" "$2")" ] && [ "$happened" -gt 0 ]
}
# The return that goes elsewhere than its call would have it is mispredicted each time.
astray() {
    from=$(place astray) base=$(records "$1" 'select(.type == "edges" and .kernel == "lbr.sequence").code')
    has "$1" ".type == \"edges\" and .kernel == \"lbr.sequence\" and
        any(.edges[]; .from == \"$(printf '0x%x' $((base + from)))\" and .count > 1 and .mispredict_ratio == 1)"
}
# Three calls take turns: 31 open calls are 11, 10 and 10 of each.
call_graph() {
    counts=$(records "$1" "select(.type == \"edges\" and .core == $2 and .recording == \"open calls\") |
        [.edges[].count] | sort | tostring")
    echo "$counts"
    [ "$counts" = "$3" ]
}
# Far branches: a far return, and an IRET as at the end of an interrupt's handler. Where there is no filter, one of
# three recordings is judged.
far_verdicts() {
    grep "ok .* core $2 lbr\.far branch records, " "$work/$1.log" >"$work/verdicts"
    cat "$work/verdicts"
    [ "$(wc -l <"$work/verdicts")" -eq 3 ] && [ "$(grep -c '^ok [^#]*$' "$work/verdicts")" -eq "$3" ]
}
# Newest first: the RET that leaves the kernel, the branch that leads to it, the IRET, and the branch before that.
far_types() {
    has "$1" ".type == \"lbr\" and .core == $2 and .kernel == \"lbr.far\" and .recording == \"every branch\" and
        (.entries[:4] | map(.type // \"none\") | join(\" \")) == \"$3\""
}
judge_far() {
    claim "$1: core $2: $4 of three recordings of far branches are judged, and hold" far_verdicts "$1" "$2" "$4"
    claim "$1: core $2: all $3 records are the far and near branches between the labels of the kernel" \
        known "$1" "$2" "$3" lbr.far far
    claim "$1: core $2: the types of the records are $5" far_types "$1" "$2" "$5"
}
judge() {
    claim "$1: core $2: $4 of twelve recordings are judged, and hold" verdicts "$1" "$2" "$4"
    claim "$1: core $2: all $3 records are the branches between the labels of the kernel" known "$1" "$2" "$3"
}
flags() {
    claim "$1: core $2: the mispredicted branches on record are those that happened" truth_agrees "$1" "$2"
}

while read -r personality kind depth judged calls far types; do
    run "$personality" 1
    claim "$personality: the stack is $kind, with $depth records" reads "$personality" "$kind" "$depth"
    judge "$personality" 0 "$depth" "$judged"
    [ "$judged" -lt 11 ] || flags "$personality" 0
    [ "$judged" -lt 11 ] || claim "$personality: a return that leads astray is mispredicted each time" astray "$personality"
    [ "$calls" = - ] || claim "$personality: the open calls are a ring of three" call_graph "$personality" 0 "$calls"
    judge_far "$personality" 0 "$depth" "$far" "$types"
done <<'END'
prescott netburst16 16 1 - 1 none none none none
core2 core2 4 2 - 1 none none none none
nehalem nehalem16 16 10 - 3 none none none none
ivybridge sandybridge16 16 11 - 3 none none none none
haswell haswell16 16 12 [5,5,5] 3 none none none none
skylakex skylake32 32 12 [10,10,11] 3 none none none none
icelakex skylake32 32 12 [10,10,11] 3 none none none none
sapphirerapids architectural 32 12 [10,10,11] 3 return conditional other conditional
graniterapids architectural 32 12 [10,10,11] 3 return conditional other conditional
END
run alderlake 2
for core in 0 1; do
    judge alderlake $core 32 12
    claim "alderlake: core $core: the open calls are a ring of three" call_graph alderlake $core '[10,10,11]'
    judge_far alderlake $core 32 3 "return conditional other conditional"
done

claim "core2: there is no filter" skips core2 "returns alone" "this CPU's LBR has no filter by kind of branch"
claim "core2: there is no flag" skips core2 "mispredicted branches" "this CPU's LBR does not record mispredictions"
claim "core2: what is not recorded is null" has core2 '.type == "lbr" and
    all(.entries[]; .mispredicted == null and .cycles == null and .type == null)'
claim "nehalem: both threads share the filter" has nehalem '.type == "core" and .lbr_filter_shared'
claim "nehalem: it does not count mispredicted branches" \
    skips nehalem "mispredicted branches" "this core does not count mispredicted branches"
claim "ivybridge: there is no call-stack mode" skips ivybridge "open calls" "this CPU's LBR has no call-stack mode"
claim "sapphirerapids: each record has its type" has sapphirerapids '.type == "lbr" and
    .kernel == "lbr.sequence" and ([.entries[].type] | unique | length) == 6'

boot zen4 --cpu zen4 --cores 1 --args 'kernels=lbr.sequence,lbr.calls levels=1 repeats=1 warmup=1'
in_order zen4
no_failure zen4
claim "zen4: its kernels are a skip with the reason" grep -E \
    "^ok .* core 0 lbr\.sequence.* # SKIP this CPU's description names no last-branch record" "$work/zen4.log"
claim "zen4: the core record says why" has zen4 '.type == "core" and .lbr == false and .lbr_absent'
finish
