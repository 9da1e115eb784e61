#!/bin/sh
# What taking causes of lost slots away gains: the table of check_gains from logs and truths by hand, and what is wrong
# with its use. TAP on standard output.
#   gains.sh BUILD
set -u
. tests/tap.sh
tool=$build/tools/check_gains

# by_hand NAME N CYCLES CYCLES_OF_2N MEMORY MEMORY_OF_2N: NAME.log and NAME.truth of one kernel on a core of width 4, with
# windows of N and of 2N iterations; so many slots are the memory's, the others retire.
by_hand() {
    cat >"$work/$1.log" <<END
{"type":"core","core":0,"description":"skylakex"}
{"type":"counts","core":0,"kernel":"prog.x","iterations":$2,"pass":1,"windows":[1]}
{"type":"counts","core":0,"kernel":"prog.x","iterations":$(($2 * 2)),"pass":1,"windows":[2]}
{"type":"topdown","core":0,"kernel":"prog.x","iterations":$2,"nodes":{"tma_memory_bound":0.7,"tma_retiring":0.3}}
END
    window() { # NUMBER CYCLES MEMORY
        echo "{\"core\":0,\"window\":$1,\"cycles\":$2,\"nodes\":{\"tma_backend_bound\":$3,\"tma_memory_bound\":$3," \
            "\"tma_retiring\":$(($2 * 4 - $3))},\"slots\":{\"tma_memory_bound\":$3,\"tma_light_operations\":$(($2 * 4 - $3))}}"
    }
    { window 1 "$3" "$5"; window 2 "$4" "$6"; } >"$work/$1.truth"
}
run_of() { echo "$work/$1.log $work/$1.truth"; }
# row WHAT FORMULA RULE GAIN LAST: the table in $work/table has it.
row() { grep -xF "$(printf 'prog.x\t%s\t%s\t%s\t%s\t%s' "$@")" "$work/table" || { cat "$work/table"; false; }; }

# 100 iterations take 1900 - 1000 = 900 cycles, 3600 slots, of which memory has 2400 - 600 = 1800. Without memory they take
# 540 cycles, without the core 720, without both 450, without all 360: 1440, 720, 1800 and 2160 slots are saved. Without
# all but memory they take 630: memory is worth 270 cycles, 1080 slots, when it goes last.
by_hand normal 100 1000 1900 600 2400
by_hand memory 100 600 1140 0 0
by_hand core 100 800 1520 0 0
by_hand both 100 500 950 0 0
by_hand none 100 400 760 0 0
by_hand other 100 700 1330 0 0
# shellcheck disable=SC2016,SC2046 # $0 is the other shell's; names without blanks
claim "a table is made" sh -c '"$@" >"$0"' "$work/table" "$tool" $(run_of normal) memory $(run_of memory) core $(run_of core) \
    memory,core $(run_of both) memory,branches,frontend,clears,core $(run_of none) branches,frontend,clears,core $(run_of other)
claim "formula, rule, and what memory gains first and last" row tma_memory_bound 0.7000 0.5000 0.4000 0.3000
claim "memory and core together answer for the back end" row tma_backend_bound - 0.5000 0.5000 -
claim "a cause that nothing was charged to gains all the same" row tma_core_bound - 0.0000 0.2000 -
claim "what is left without all causes stands beside retiring" row tma_retiring 0.3000 0.5000 0.4000 -
claim "their interaction: 0.5 less 0.4 and 0.2" row "memory x core" - - -0.1000 -
claim "a node that no run answers for has no gain" row tma_branch_mispredicts - 0.0000 - -

# wrong STATUS PATTERN COMMAND...: its status, and what its one line on standard error says.
wrong() {
    wanted=$1 pattern=$2
    shift 2
    "$@" >"$work/wrong.out" 2>"$work/wrong.err"
    ended=$?
    cat "$work/wrong.err"
    [ $ended -eq "$wanted" ] && grep -q "$pattern" "$work/wrong.err" && [ "$(grep -vc 'image says' "$work/wrong.err")" -eq 1 ]
}
refuses() { claim "refused: $2" wrong "$@"; }
by_hand longer 200 1000 1900 0 0
: >"$work/empty"
# shellcheck disable=SC2046
{
    refuses 2 'unknown name "cor"$' "$tool" $(run_of normal) memory,cor $(run_of core)
    refuses 2 'unknown name ""$' "$tool" $(run_of normal) "" $(run_of core)
    refuses 2 'usage: check_gains' "$tool" $(run_of normal) memory
    refuses 2 'no-file: No such file' "$tool" $(run_of normal) memory "$work/no-file" "$work/core.truth"
    refuses 1 'prog.x: the run without core has no such trial' "$tool" $(run_of normal) core "$work/empty" "$work/empty"
    refuses 1 'prog.x: the run without core has other iterations' "$tool" $(run_of normal) core $(run_of longer)
    refuses 1 'empty has no topdown record' "$tool" "$work/empty" "$work/empty"
}
refuses 2 'no kernel has this name: prog.nope' sh tests/gains/run.sh "$build" skylakex prog.nope memory
refuses 2 'unknown name "cor"; known are' sh tests/gains/run.sh "$build" skylakex prog.dot cor
refuses 2 'unknown personality "pentium"' sh tests/gains/run.sh "$build" pentium prog.dot memory

# The page's table of the programs on one CPU, and the same from runs of today.
cpu=skylakex
nodes_of() { sed -n "/^$cpu  *Frontend_Bound/,/^\$/p" "$1" | grep '^prog\.'; }
nodes_of doc/gains.md >"$work/page"
claim "doc/gains.md has the eight programs on $cpu" [ "$(wc -l <"$work/page")" -eq 8 ]
programs() {
    sh tests/gains/run.sh "$build" $cpu 'prog.*' memory branches frontend clears core \
        memory,branches,frontend,clears,core >"$work/programs"
}
claim "they run as they are and without causes" programs
awk -v cpu=$cpu -f tests/gains/programs.awk "$work/programs" >"$work/today"
nodes_of "$work/today" >"$work/table"
# agrees: every figure within 0.02 of the page's, within 0.05 for programs whose branches go by chance: how many of them
# go wrong in a window depends on all that ran before. A part of a node that is 0 is 0, or has no value: a formula gives a
# hair below 0 as often as one above.
agrees() {
    paste "$work/page" "$work/table" | awk '
        { most = $1 ~ /^prog\.(search|sort)$/ ? 0.05 : 0.02
          for (i = 1; i <= NF / 2; i++) {
              one = $i; other = $(i + NF / 2)
              if (one == "-" && other == "0.00") one = other
              if (other == "-" && one == "0.00") other = one
              apart = one - other
              if (NF != 34 || (one == "-") != (other == "-") || (i == 1 && one != other) || apart > most || apart < -most) {
                  print; bad = 1; next
              }
        } }
        END { exit bad || NR != 8 }'
}
claim "doc/gains.md agrees with what is gained today" agrees
finish
