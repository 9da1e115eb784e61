#!/bin/sh
# The two forms of the log: the brief one on the serial line, the full one on the stick, of the same run. TAP on
# standard output.
#   brief.sh BUILD
# With TREE=all the default run of Ivy Bridge, too.
set -u
. tests/boot.sh

# both NAME OPTION...: a run whose serial line is brief. NAME.log is the serial line, NAME.full.log the stick's file.
both() {
    stick "$1"
    printf 'detail = brief\n' >>"$work/$1.esp/slotscope/slotscope.cfg"
    boot "$@"
    cp "$work/$1.esp/slotscope/slotscope.log" "$work/$1.full.log"
    in_order "$1"
    claim "$1: the full log is whole, too" whole "$work/$1.full.log"
}
detail() { has "$1" ".type == \"machine\" and .detail == \"$2\""; }
# How many windows lie apart changes with each byte of code that moves, and each has a record of some 230 bytes.
bytes() { grep -v '^{"type":"outliers"' "$work/$1.serial" | wc -c; }

both default --cpu skylakex --cores 1
claim "the serial line is brief" detail default brief
claim "the file is full" detail default.full full
claim "the default run takes at most 25.5 KB of the serial line, without windows that lie apart: $(bytes default)" \
    [ "$(bytes default)" -le 25500 ]
# Ivy Bridge's is the longest of all CPUs: it does not know some of the events that kernels expect.
if [ "${TREE-}" = all ]; then
    both older --cpu ivybridge --cores 1
    claim "on Ivy Bridge, too: $(bytes older)" [ "$(bytes older)" -le 25500 ]
fi

# Both forms say the same: a value or the middle of a range against what the full log has, to the last digit that the
# brief one shows.
values() { # FORM FILTER
    grep '^{' "$work/$1.log" | jq -r "$2" | sort
}
middle='(if type == "array" then .[1] else . end)'
nodes_of() { # NAME: of the brief log
    values "$1" "select(.type == \"result\") | .core as \$c | .kernel as \$k | .nodes | to_entries[] |
        [\$c, \$k, .key, (.value | $middle)] | @tsv"
}
counts_of() {
    values "$1" "select(.type == \"result\") | .core as \$c | .kernel as \$k | .counts // {} | to_entries[] |
        [\$c, \$k, .key, (.value | if type == \"array\" then . else [., ., .] end | .[])] | @tsv"
}
full_nodes() {
    values "$1" 'select(.type == "topdown") | .core as $c | .kernel as $k | .nodes // {} | to_entries[] |
        [$c, $k, .key, .value] | @tsv'
}
full_counts() {
    values "$1" 'select(.type == "kernel") | .core as $c | .kernel as $k | .per_iterations // {} | to_entries[] |
        [$c, $k, .key, (.value | .min, .median, .max)] | @tsv'
}
# Each line of FILE is a line of the full one; numbers may differ by half of the last digit.
within() { # BRIEF FULL TOLERANCE LEAST
    awk -F '\t' -v most="$3" -v least="$4" '
        NR == FNR { full[$1, $2, $3] = $0; next }
        {
            lines++
            n = split(full[$1, $2, $3], value, FS)
            bad = n != NF
            for (i = 4; i <= NF; i++) {
                off = $i - value[i]
                bad = bad || ($i == "") != (value[i] == "") || off > most || off < -most
            }
            if (bad) { print "brief:", $0, "full:", full[$1, $2, $3]; wrong++ }
        }
        END { print lines + 0, "values"; exit wrong > 0 || lines < least }' "$2" "$1"
}
agree() { # NAME
    nodes_of "$1" >"$work/nodes"
    full_nodes "$1.full" >"$work/full.nodes"
    claim "$1: the nodes are those of the full log" within "$work/nodes" "$work/full.nodes" 0.00056 "$2"
    counts_of "$1" >"$work/counts"
    full_counts "$1.full" >"$work/full.counts"
    claim "$1: the counts are those of the full log" within "$work/counts" "$work/full.counts" 0 "$2"
}
agree default 100
ends() { values "$1" 'select(.type == "end") | [.pass, .fail, .skip, .discarded] | @tsv'; }
same_end() { [ "$(ends "$1")" = "$(ends "$1.full")" ] && ends "$1"; }
claim "both forms count the same verdicts" same_end default
took=$(sed -n 's/^# serial line: the brief log takes about .* s of it, \([0-9]*\) KB .*/\1/p' "$work/default.log")
claim "the time for the line is said at the start, by a third right: $took KB" \
    [ $((took * 4)) -ge $(($(wc -c <"$work/default.serial") * 3 / 1000)) -a $((took * 3)) -le $(($(wc -c <"$work/default.serial") * 4 / 1000)) ]

# Cores that agree are said once; a core that does not has records of its own.
both cores --cpu skylakex --cores 3 --args 'kernels=ret.alu,ret.fp.*,ret.nop,be.mem.l1 repeats=1 warmup=1'
agreed() { grep -E "^ok [0-9]+ - core $1: [0-9]+ kernels as on core 0, [0-9]+ verdicts$" "$work/cores.log"; }
claim "core 1 is said with core 0" agreed 1
claim "core 2 is said with core 0" agreed 2
# Cores may differ where the machine was in another state, which hangs on where the linker put the image's code. So
# what is claimed is why a core has a record of its own: a share by over 0.01, or CPI by over 5 %, as far as the
# printed digits say.
differs() { # CORE
    records cores 'select(.type == "result")' | jq -s --argjson core "$1" -e '
        def middle: if type == "array" then .[1] else . end;
        (map(select(.core == 0) | {key: .kernel, value: .}) | from_entries) as $first
        | map(select(.core == $core) | . as $own | $first[.kernel] as $other
            | any(($own.nodes // {}) | keys[]; (($own.nodes[.] | middle) // 0) - (($other.nodes[.] | middle) // 0)
                | . > 0.009 or . < -0.009)
              or ($own.cpi | middle) > 1.045 * ($other.cpi | middle)
              or ($other.cpi | middle) > 1.045 * ($own.cpi | middle))
        | all'
}
# complete CORE: the kernels that are said with a core before and those with a record are all.
complete() {
    agreed=$(sed -n "s/^ok .* core $1: \([0-9]*\) kernels as on core [0-9], .*/\1/p" "$work/cores.log" |
        awk '{ n += $1 } END { print n + 0 }')
    own=$(values cores "select(.type == \"result\" and .core == $1) | .kernel" | wc -l)
    all=$(values cores 'select(.type == "result" and .core == 0) | .kernel' | wc -l)
    echo "$agreed kernels as on a core before, $own by themselves, of $all"
    [ $((agreed + own)) -eq "$all" ] && [ "$agreed" -gt $((all / 2)) ]
}
for core in 1 2; do
    claim "core $core has results only where it does not agree" differs $core
    claim "core $core: each kernel is said once" complete $core
done
claim "both forms count the same verdicts of all cores" same_end cores

# What guards threw away is said with them, as often as the full form says.
both smi --cpu skylakex --cores 2 --fault smi:10 --args 'kernels=ret.alu,ret.nop,cal.loads levels=1'
thrown_away() {
    values smi.full 'select(.type == "guard" and .kernel != null and .core == 1) | .discarded | add' |
        awk '{ n += $1 } END { print n + 0 }'
}
brief_thrown_away() {
    { sed -n 's/^ok .* core 1: .* as on core 0, \([0-9]*\) windows thrown away.*/\1/p' "$work/smi.log"
        values smi 'select(.type == "result" and .core == 1) | .discarded // 0'; } | awk '{ n += $1 } END { print n + 0 }'
}
claim "the windows that were thrown away on core 1: $(thrown_away)" \
    [ "$(brief_thrown_away)" = "$(thrown_away)" -a "$(thrown_away)" -gt 0 ]

# Noise makes the repeats differ: the brief log has ranges, and each failure as the full log has it.
both noise --cpu icelakex --cores 1 --fault noise:MEM_INST_RETIRED.ALL_LOADS:9 --args 'kernels=be.mem.l1,cal.loads,bs.coinflip repeats=5'
claim "repeats that differ are a range" has noise '.type == "result" and .kernel == "be.mem.l1" and
    (.counts["MEM_INST_RETIRED.ALL_LOADS"] | type == "array" and .[0] <= .[1] and .[1] <= .[2] and .[0] < .[2])'
agree noise 20
# A node of the brief form has [lowest, value, highest]; the full form has the lowest and the highest where one of them is
# more than 0.005 from the value.
brief_ranges() {
    values noise 'select(.type == "result") | .kernel as $k | .nodes | to_entries[] | select(.value | type == "array")
        | select(.value[1] - .value[0] > 0.006 or .value[2] - .value[1] > 0.006) | [0, $k, .key, .value[0], .value[2]] | @tsv'
}
full_ranges() {
    values noise.full 'select(.type == "topdown") | .kernel as $k | .nodes as $n | .ranges // {} | to_entries[]
        | [0, $k, .key, ([.value[0], $n[.key]] | min), ([.value[1], $n[.key]] | max)] | @tsv'
}
brief_ranges >"$work/ranges"
full_ranges >"$work/full.ranges"
claim "repeats of nodes that lie apart are in both" within "$work/ranges" "$work/full.ranges" 0.00056 1
failures() { sed -n 's/^not ok [0-9]* - //p' "$work/$1.log"; }
same_failures() { [ "$(failures noise)" = "$(failures noise.full)" ] && failures noise | grep .; }
claim "every failure is in both" same_failures

# What has no value says why.
claim "an empty kernel's nodes are null, with their reasons" has default '.type == "result" and
    .kernel == "cal.empty" and .nodes.tma_retiring == null and .missing.tma_retiring == "division by zero"'

# The stick may be brief, and the line full.
stick turned
printf 'detail = full\nlog_detail = brief\nkernels = ret.nop\n' >>"$work/turned.esp/slotscope/slotscope.cfg"
boot turned --cpu skylakex --cores 1
in_order turned
cp "$work/turned.esp/slotscope/slotscope.log" "$work/turned.file.log"
claim "the line is full" detail turned full
claim "the file is brief" detail turned.file brief
claim "the brief file is whole" whole "$work/turned.file.log"
finish
