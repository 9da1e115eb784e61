#!/bin/sh
# The core models against basic blocks measured on silicon. TAP on standard output.
#   blocks.sh BUILD
# Ivy Bridge and Skylake; with TREE=all Haswell, too.
# SLOTSCOPE_BLOCKS, by default ../shared/blocks, has the measurements; without them their claims are a SKIP.
set -u
. tests/tap.sh
blocks=${SLOTSCOPE_BLOCKS:-../shared/blocks}
[ -f "$blocks/skl.csv" ] || blocks=../../shared/blocks

# refused FILE WORD...: status 2, nothing on standard output, one line on standard error that has the words.
refused() {
    "$build/blocks" skylakex "$work/$1" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -F "$2" "$work/err"
}
printf 'code,cycles,confirmed\n90,0.25,yes\n4g,1,yes\n' >"$work/no-hex.csv"
printf 'code,cycles,confirmed\n90,yes\n' >"$work/no-number.csv"
: >"$work/empty.csv"
claim "a line that is no hex is named" refused no-hex.csv 'line 3: expected code as'
claim "a line without a number is named" refused no-number.csv 'line 2: expected cycles as'
claim "an empty file is refused" refused empty.csv 'expected the heading'
claim "a file that is not there is refused" refused none.csv 'none.csv: '
printf 'code,cycles,confirmed\n0f05,1,yes\n' >"$work/call.csv"
unplayed() {
    "$build/blocks" skylakex "$work/call.csv" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ]
}
claim "a file of which nothing can be played is a failure" unplayed

# A block that was predicted better by an older build is named.
cat >"$work/two.csv" <<'END'
code,cycles,confirmed
4801c0,1.00,yes
480fafc0,3.00,yes
END
if "$build/blocks" --list skylakex "$work/two.csv" >"$work/now" 2>"$work/err"; then
    printf '2 1.00 1.0300 yes\n3 3.00 2.9500 yes\n' >"$work/before"
    "$build/blocks" --before "$work/before" skylakex "$work/two.csv" >"$work/out" 2>"$work/err"
    claim "nothing is worse than in a list that is as good" absent '^worse' "$work/out"
    sed -i 's/^3 3.00/3 2.70/; s/^2 1.00 1.0300/2 1.00 1.2000/' "$work/before"
    sed -i 's/^480fafc0,3.00/480fafc0,2.70/' "$work/two.csv"
    sed -i 's/2.9500/2.7000/' "$work/before"
    "$build/blocks" --before "$work/before" skylakex "$work/two.csv" >"$work/out" 2>"$work/err"
    claim "a block that is 11 % off and was not is named, one that is better is not" \
        grep -c '^worse: line 3, measured 2.70, was 2.70, is 2.98: 480fafc0$' "$work/out"
    claim "no other is" [ "$(grep -c '^worse' "$work/out")" = 1 ]
    no_list() { ! "$build/blocks" --before "$work/empty.csv" skylakex "$work/two.csv" >"$work/out" 2>"$work/err"; }
    claim "an empty list of an older build is refused" no_list
else
    echo "# $(cat "$work/err")"
    skipped_host="this host steps no process"
fi

# within NAME COLUMN LOW HIGH LINE: a number of the summary.
within() { awk -v which="$1" -v column="$2" -v low="$3" -v high="$4" '
    $1 == which { seen = 1; wrong = $column < low || $column > high; print }
    END { exit wrong || !seen }' "$5"; }

# played TEXT FILE.csv: each block of the file is in the summary, or named as not played with its reason.
played() {
    awk -v blocks=$(($(wc -l <"$2") - 1)) '$1 == "all" { n += $2 } $1 == "not" { n += $3 } END { exit n != blocks }' "$1"
}
# skipped CLAIM REASON
skipped() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

# Limits that keep what each model has come to, rounded up: mean error of all blocks and of the confirmed ones in
# percent, and tau of all. The measurements are silicon's; the limits are no goal, and are lowered with the models.
while read -r cpu file all confirmed tau; do
    [ "$cpu-${TREE-}" != haswell- ] || continue
    what="$cpu: mean error at most $all % of all blocks, $confirmed % of those confirmed, tau at least $tau"
    if [ ! -f "$blocks/$file.csv" ] || [ -n "${skipped_host:-}" ]; then
        skipped "$what" "${skipped_host:-no ../shared/blocks}"
        continue
    fi
    "$build/blocks" "$cpu" "$blocks/$file.csv" >"$work/$cpu.txt" 2>"$work/err"
    sed 's/^/# /; 3q' "$work/$cpu.txt"
    claim "$cpu: each block is played, or named with its instruction" played "$work/$cpu.txt" "$blocks/$file.csv"
    claim "$cpu: mean error of all blocks is at most $all %" within all 3 0 "$all" "$work/$cpu.txt"
    claim "$cpu: of confirmed blocks, at most $confirmed %" within confirmed 3 0 "$confirmed" "$work/$cpu.txt"
    claim "$cpu: tau of all blocks is at least $tau" within all 9 "$tau" 1 "$work/$cpu.txt"
done <<'END'
ivybridge ivb 3.0 1.8 0.94
haswell   hsw 2.0 1.3 0.95
skylakex  skl 3.4 2.0 0.95
END

# A loop's cycles: R15 counts the turns, so blocks that have it are not played.
printf 'code,cycles,confirmed\n4801c04801d24801f64801ff,1.3333,yes\n4d01ff,1,yes\n' >"$work/five.csv"
five() {
    "$build/blocks" --loop --list haswell "$work/five.csv" >"$work/out" 2>"$work/err"
    grep -E '^2 1\.33 1\.333[0-9] yes$' "$work/out" && grep '^3 1\.00 - (any) it has R15' "$work/out"
}
[ -n "${skipped_host:-}" ] || claim "haswell: four additions in a loop, five uops, take 1.333 cycles a turn" five

# The same blocks as loops. Nobody measured them, so they stand beside llvm-mca, which is another model: it fuses no
# jump with the instruction before it, unrolls no loop, and no load of it waits for a store. Every eighth block is
# taken, with TREE=all each.
# by_mca FILE PROCESSOR: these of the file, with llvm-mca's cycles of a turn, in $work/FILE.csv. Each block is a region between
# traps (0xcc); the difference of two lengths leaves out what the start of the pipeline costs.
by_mca() {
    awk -v every="$every" 'NR == 1 || (NR - 2) % every == 0' "$blocks/$1.csv" >"$work/$1.part"
    awk -F, 'NR > 1 { for (i = 1; i < length($1); i += 2) printf "0x%s ", substr($1, i, 2)
        print "0x49 0xff 0xcf 0x75 0x80 0xcc" }' "$work/$1.part" |
        llvm-mc --disassemble -triple=x86_64 -mcpu="$2" |
        awk 'BEGIN { begin = "# LLVM-MCA-BEGIN " } !open { n++; print begin n; open = 1 }
            $1 == "int3" { print "# LLVM-MCA-END " n; open = 0; next } !/\.text/' >"$work/$1.s"
    for iterations in 50 100; do
        llvm-mca -mtriple=x86_64 -mcpu="$2" -iterations=$iterations -summary-view -resource-pressure=0 \
            -instruction-info=0 "$work/$1.s" | awk '/^Total Cycles:/ { print $NF }' >"$work/mca.$iterations"
    done
    paste -d ' ' "$work/mca.50" "$work/mca.100" | awk '{ print ($2 - $1) / 50 }' |
        awk -F, 'FNR == NR { cycles[FNR + 1] = $1; next } FNR > 1 { $2 = cycles[FNR] } { print $1 "," $2 "," $3 }' \
            - "$work/$1.part" >"$work/$1.csv"
}
# The share of loops in which the two are at most a quarter of llvm-mca's cycles apart, in percent. llvm-mca is no truth:
# the limits lie 1 to 2 points below what the models had when this was written, so that a drift is noticed. Of
# some 155 blocks a share of 70 to 84 % has a standard error of 2.9 to 3.7 points, so it may be 7 lower. Skylake's share
# fell from 84 to 81.8 when its uops were bound to ports, which silicon's measurements ask for and llvm-mca does not do.
every=8 lower=7
[ "${TREE-}" != all ] || every=1 lower=0
while read -r cpu file processor least; do
    [ "$cpu-${TREE-}" != haswell- ] || continue
    least=$((least - lower))
    what="$cpu: as loops, at least $least % of the blocks take what llvm-mca says, within a quarter"
    command -v llvm-mca >/dev/null 2>&1 || no_mca="llvm-mca is not installed"
    if [ ! -f "$blocks/$file.csv" ] || [ -n "${skipped_host:-${no_mca:-}}" ]; then
        skipped "$what" "${skipped_host:-${no_mca:-no ../shared/blocks}}"
        continue
    fi
    by_mca "$file" "$processor" 2>"$work/err"
    "$build/blocks" --loop "$cpu" "$work/$file.csv" >"$work/$cpu.txt" 2>>"$work/err"
    sed 's/^/# as loops, beside llvm-mca: /; 3q' "$work/$cpu.txt"
    claim "$cpu: each block is played as a loop, or named with its reason" played "$work/$cpu.txt" "$work/$file.csv"
    claim "$what" within all 12 "$least" 100 "$work/$cpu.txt"
done <<'END'
ivybridge ivb ivybridge 70
haswell   hsw haswell   80
skylakex  skl skylake   81
END
finish
