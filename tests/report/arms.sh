#!/bin/sh
# Which arm of each condition the formulas of a run took, on the virtual rig. TAP on standard output.
#   arms.sh BUILD
# With ARMS=all doc/arms.md is made anew and compared, which takes some minutes.
set -u
. tests/boot.sh

# The two conditions of Ivy Bridge's memory bound by hand, as TMA 5.2 has them, from the counts of the `kernel` record: in
# each line the kernel, instructions a cycle, fetch latency, the two arms, and the share that the two arms give.
by_hand() {
    records ivybridge 'select(.type == "kernel" and (.kernel | startswith("arm."))) | .kernel as $kernel |
        (.per_iterations | map_values(.median)) as $n | $n["CPU_CLK_UNHALTED.THREAD"] as $cycles |
        ($n["INST_RETIRED.ANY"] / $cycles) as $ipc | ($n["IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE"] / $cycles) as $latency |
        (if $ipc > 1.8 then "3" else "2_UOPS" end) as $few |
        ([$cycles, $n["CYCLE_ACTIVITY.STALLS_LDM_PENDING"]] | min) as $memory |
        ([$cycles, $n["CYCLE_ACTIVITY.CYCLES_NO_EXECUTE"]] | min) as $stalls |
        (1 - ($n["IDQ_UOPS_NOT_DELIVERED.CORE"] + $n["UOPS_ISSUED.ANY"] + 4 * $n["INT_MISC.RECOVERY_CYCLES"]) / (4 * $cycles)) as $back |
        $n["RESOURCE_STALLS.SB"] as $stores |
        ($stalls + $n["UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC"]
            - (if $ipc > 1.8 then $n["UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC"] else $n["UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC"] end)
            - (if $latency > 0.1 then $n["RS_EVENTS.EMPTY_CYCLES"] else 0 end) + $stores) as $all |
        [$kernel, $ipc, $latency, (if $ipc > 1.8 then "if" else "else" end), (if $latency > 0.1 then "if" else "else" end),
            ($memory + $stores) / $all * $back] | @tsv'
}
by_record() {
    records ivybridge 'select(.type == "topdown" and (.kernel | startswith("arm.")) and .part == 1) |
        [.kernel, .arms["#Few_Uops_Executed_Threshold"], .arms["#Frontend_RS_Empty_Cycles"], .nodes.tma_memory_bound] | @tsv'
}
# The image rounds to four digits.
agree() {
    by_hand >"$work/hand" && by_record >"$work/record" || return
    paste "$work/hand" "$work/record"
    paste "$work/hand" "$work/record" | awk -F '\t' '
        { apart = $6 - $10; if ($1 != $7 || $4 != $8 || $5 != $9 || $10 == "" || apart > 0.0001 || apart < -0.0001) bad = 1 }
        END { exit bad || NR != 6 }'
}
# near KERNEL IPC LATENCY: within 0.05, and within 0.015.
near() {
    grep "^$1	" "$work/hand" | awk -F '\t' -v ipc="$2" -v latency="$3" '
        function near(a, b, most) { return a - b < most && b - a < most }
        { print } END { exit !(near($2, ipc, 0.05) && near($3, latency, 0.015)) }'
}

boot ivybridge --cpu ivybridge --cores 1 --args 'kernels=arm.* levels=2 explain=tma_memory_bound log=none'
in_order ivybridge
claim "ivybridge: the record says which arms the counts select, and the share is what these arms give" agree
claim "arm.fast.fed: 1.9 instructions a cycle, fetch latency 0.08" near arm.fast.fed 1.9 0.08
claim "arm.fast.starved: 1.9 and 0.12" near arm.fast.starved 1.9 0.12
claim "arm.slow.fed: 1.7 and 0.08" near arm.slow.fed 1.7 0.08
claim "arm.slow.starved: 1.7 and 0.12" near arm.slow.starved 1.7 0.12
pairs() { [ "$(by_record | grep -v drained | cut -f 2,3 | sort -u | wc -l)" -eq 4 ]; }
claim "the four take the four pairs of arms" pairs
explained() { [ "$(grep -c '^#       arms of its conditions: ' "$work/ivybridge.log")" -ge 12 ] && grep '^#       arms of its conditions: if$' "$work/ivybridge.log"; }
claim "explain says the arms, too" explained
drained() {
    grep '^not ok' "$work/ivybridge.log"
    [ "$(grep -c '^not ok' "$work/ivybridge.log")" -eq 1 ] &&
        grep -E '^not ok .* arm\.drained\.starved tma_memory_bound / tma_backend_bound 1\.[0-9]+ in \[0\.000, 1\.000\]$' "$work/ivybridge.log"
}
claim "with an empty scheduler and more than 0.1 fetch latency, memory is more than the back end: that alone fails" drained

# truth: of each kernel the slots that wait for memory, as a share, by the rig's truth of the windows of its first pass.
truth() {
    jq -r '"truth \(.window) \(.nodes.tma_memory_bound) \(.cycles)"' "$work/ivybridge.truth"
    records ivybridge 'select(.type == "counts" and .pass == 0 and (.kernel | startswith("arm."))) |
        "\(.kernel) \(.iterations) \(.windows | map(tostring) | join(" "))"'
}
# The page's table: kernel, instructions a cycle, fetch latency, back end, memory, and memory in truth, each within 0.03
# of the run's.
tabled() {
    truth | awk '$1 == "truth" { memory[$2] = $3; cycles[$2] = $4; next }
        { sign = $2 == 6 ? -1 : 1; for (i = 3; i <= NF; i++) { m[$1] += sign * memory[$i]; c[$1] += sign * cycles[$i] } }
        END { for (k in m) print k "\t" m[k] / (4 * c[k]) }' | sort >"$work/shares"
    records ivybridge 'select(.type == "topdown" and (.kernel | startswith("arm.")) and .part == 1) |
        [.kernel, .nodes.tma_backend_bound] | @tsv' >"$work/back"
    sed -n 's/^| `\(arm\.[a-z.]*\)` | \([0-9.]*\) | \([0-9.]*\) | \([0-9.]*\) | \([0-9.]*\) | \([0-9.]*\) |$/\1\t\2\t\3\t\4\t\5\t\6/p' doc/arms.md |
        sort >"$work/page"
    cut -f 1-3,6 "$work/hand" | paste "$work/page" - "$work/back" "$work/shares" | tee "$work/table"
    awk -F '\t' 'function apart(a, b) { return a - b > 0.03 || b - a > 0.03 }
        $1 != $7 || $1 != $11 || $1 != $13 || apart($2, $8) || apart($3, $9) || apart($4, $12) || apart($5, $10) || apart($6, $14) { bad = 1 }
        END { exit bad || NR != 6 }' "$work/table"
}
claim "doc/arms.md has what this run counts, and its truth" tabled
listed() { grep -oE '`arm\.[a-z.]+`' doc/arms.md | tr -d '`' | sort -u >"$work/named" && ls kernels/arm.*.asm | sed 's,.*/,,; s/\.asm$//' | diff "$work/named" -; }
claim "doc/arms.md names each of these kernels" listed
if [ "${ARMS-}" = all ]; then
    page() { sh tests/tools/print_arms.sh "$build" >"$work/arms.md" && diff doc/arms.md "$work/arms.md"; }
    claim "doc/arms.md is what its command prints" page
fi
finish
