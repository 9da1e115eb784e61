#!/bin/sh
# `make bench`: speed and size beside their limits. The times are those of the machine it runs on.
#   bench.sh BUILD
set -u
build=$1
work=$build/bench
rm -rf "$work"
mkdir -p "$work"

row() { printf '%-52s %14s   %s\n' "$1" "$2" "$3"; }
seconds() { # COMMAND...: wall seconds
    begun=$(date +%s.%N)
    "$@" >"$work/out" 2>"$work/err" || echo "bench: $* ended with status $?" >&2
    echo "$(date +%s.%N) $begun" | awk '{ printf "%.1f", $1 - $2 }'
}
stat() { sed -n "$1" "$work/err"; } # EDIT: of what the last run said of itself
records() { grep '^{' "$stick/slotscope/slotscope.log" | jq -r "$1"; } # FILTER: of the last run's full log
# sizes KB: the forms of the last run's log, for each of its cores; the brief one has a limit.
sizes() {
    cores=$(records 'select(.type == "core").core' | wc -l)
    row "  on the serial line (brief), for a core" "$(($(wc -c <"$work/out") / cores)) bytes" "${1}000"
    row "  in the file (full), for a core" "$(($(wc -c <"$stick/slotscope/slotscope.log") / cores)) bytes" ""
}

printf '%-52s %14s   %s\n' what figure limit
# What takes the image's bytes: objects by their kind; the rest is the relocations, what the linker aligns and
# libraries.
bytes() { size "$@" | awk 'NR > 1 { sum += $1 + $2 } END { print sum }'; } # OBJECT...
row "image BOOTX64.EFI" "$(wc -c <"$build/BOOTX64.EFI") bytes" "2097152"
row "  descriptions of CPUs" "$(bytes "$build"/asm/pmu/cpu/*.o) bytes" ""
row "  kernels and their maps" "$(bytes "$build"/asm/kernels/*.o "$build"/maps/*.o) bytes" ""
row "  all other code and data" "$(find "$build/image" "$build/asm/boot" "$build/asm/harness" -name '*.o' -print0 |
    xargs -0 size | awk 'NR > 1 { sum += $1 + $2 } END { print sum }') bytes" ""
for cpu in skylakex icelakex; do
    stick=$work/$cpu.esp
    cp -r "$build/esp" "$stick"
    wall=$(seconds "$build/rig" --cpu $cpu --cores 4 --stats --esp "$work/$cpu.esp")
    row "default run, $cpu, 4 cores" "$wall s" "30"
    # The rig plays uncounted instructions faster, and most of these are; "same code" below is about counted ones.
    row "  instructions, counted or not" "$(stat 's/.* s, \([0-9.]*\) million instructions a second.*/\1/p') M/s" ""
    # An empty kernel is one RET: what else its window counted is the harness's.
    counted=$(records 'select(.type == "counts" and .kernel == "cal.empty").events["INST_RETIRED.ANY"].max | values' |
        head -1)
    row "  instructions in a window that are not the kernel's" "$((counted - 1))" "8"
    row "  instructions in all" "$(stat 's/rig: \([0-9.]*\) million instructions.*/\1/p') M" ""
    sizes 25
done
# page_opens LOG: the page of 64 cores and 100 kernels in a headless Chromium, from its first byte until all its charts
# are there.
page_opens() (
    what="page of 64 cores x 100 kernels opens in"
    skip_all() { row "$what" "-" "$2"; exit; }
    . tests/tools/browser.sh
    sh tests/tools/large_log.sh "$1" >"$work/large.log" && report large "$work/large.log" && open large &&
        row "$what" "$(shows large '.opened | round') ms" "2000"
    row "  its size" "$(wc -c <"$work/large.html") bytes" "10000000"
)
page_opens "$work/skylakex.esp/slotscope/slotscope.log"
# The whole tree, and how much of it a drill-down counts. The first part of each `kernel` record has the passes
# that were measured; a drill-down's also has the passes of the whole tree.
for cpu in skylakex icelakex; do
    stick=$work/$cpu.tree.esp
    cp -r "$build/esp" "$stick"
    wall=$(seconds "$build/rig" --cpu $cpu --cores 4 --stats --seconds 1200 --esp "$work/$cpu.tree.esp" --args levels=6)
    row "whole tree, all kernels, $cpu, 4 cores" "$wall s" "300"
    row "  instructions in all" "$(stat 's/rig: \([0-9.]*\) million instructions.*/\1/p') M" ""
    sizes 250
    stick=$work/$cpu.drill.esp
    cp -r "$build/esp" "$stick"
    wall=$(seconds "$build/rig" --cpu $cpu --cores 4 --stats --seconds 1200 --esp "$work/$cpu.drill.esp" \
        --args "levels=auto cores=0")
    row "drill-down, all kernels, $cpu, 1 of 4 cores" "$wall s" ""
    records 'select(.type == "kernel" and .part == 1 and .passes_of_full_tree) | "\(.passes) \(.passes_of_full_tree)"' |
        awk '{ taken += $1; all += $2 } END { print taken, all }' >"$work/passes"
    read -r taken all <"$work/passes"
    row "  passes, and those of the whole tree" "$taken of $all" "$((all / 3))"
done
# Passes that a plan takes / the least that counters and registers allow, one pair for each level; the time is
# that of the longest plan.
"$build/planning" brief | while read -r cpu counters pairs; do
    row "passes/bound, levels 1.., $cpu, $counters counters" "${pairs##* } us" "1000   ${pairs% *}"
done
sh tests/same_code.sh "$build" >"$work/same_code"
of() { sed -n "s/^$1 //p" "$work/same_code"; }
row "same code: kernels on the rig, counted, skylakex" "$(of rig) M/s" "at least 10"
row "same code: under callgrind, counting only" "$(of callgrind) M/s" ""
row "same code: callgrind with caches and branches" "$(of simulating) M/s" ""
of ratio | while read -r ratio lowest highest; do
    row "same code: the rig's part of that, $lowest to $highest" "$ratio" "at least 0.30"
done

# Sampling: what a sample costs by the rig's own account of its interrupts, and how many a second slow a core of this
# clock down by 1 %. Writing a PEBS record takes no time on the rig; Akiyama and Hirofuchi (2017) measured up to 300 ns.
for cpu in skylakex icelakex; do
    stick=$work/$cpu.overhead.esp
    cp -r "$build/esp" "$stick"
    wall=$(seconds "$build/rig" --full --cpu $cpu --cores 1 --profile "$work/$cpu.profile" \
        --esp "$work/$cpu.overhead.esp" --args "kernels=cpi.loops overhead=2000 warmup=0 repeats=1")
    row "overhead of cpi.loops at a period of 2000, $cpu" "$wall s" ""
    mhz=$(records 'select(.type == "machine") | .tsc_ticks_per_us')
    mhz=$(records "select(.type == \"cpi\" and .kernel == \"cpi.loops\") |
        $mhz * .cycles_per_iteration / .reference_cycles_per_iteration")
    jq -s -r 'map(select(.pmi.resumed)) | group_by(.window) | map(select(length > 10)) |
        map(map(.pmi.resumed - .pmi.taken - 1) | add / length) | .[]' "$work/$cpu.profile" >"$work/costs"
    echo "$mhz" | awk '{ print 0.3 * $1 }' >>"$work/costs"
    set -- "interrupt" "interrupt with branch records" "PEBS record, published, not the rig's"
    while read -r cost; do
        row "  cycles of a sample: $1" "$(printf %.0f "$cost")" ""
        row "  samples a second for 1 %, at $(printf %.0f "$mhz") MHz" \
            "$(echo "$mhz $cost" | awk '{ printf "%.0f", 0.01 * $1 * 1e6 / $2 }')" ""
        [ $# -eq 1 ] || shift
    done <"$work/costs"
done
# The error of a profile against the number of samples; a tenth of the samples is a tenth of the time.
pairs=
for samples in ${SAMPLES:-100 1000 10000 100000}; do
    cp -r "$build/esp" "$work/$samples.samples.esp"
    "$build/rig" --cpu skylakex --cores 1 --profile "$work/$samples.samples.profile" --seconds 3600 \
        --esp "$work/$samples.samples.esp" --args "kernels=cpi.latency samples=$samples levels=1 detail=full" \
        >"$work/$samples.samples.log" 2>>"$work/err" &
    pairs="$pairs $work/$samples.samples.log $work/$samples.samples.profile"
done
wait
# shellcheck disable=SC2086
"$build/tools/check_profile" $pairs >"$work/errors"
sed -n 's/^# \(cpi[^ ]*\) *\([0-9]*\) samples *CPI of each instruction \([0-9.]*\) off$/\1 \2 \3/p' "$work/errors" |
    while read -r kernel samples error; do
        row "error of the CPI of instructions, $kernel, $samples samples" "$error" \
            "$(echo "$samples" | awk '{ printf "%.3f", 0.03 * sqrt(1e5 / $1) }')"
    done
mkdir -p "$work/clean"
git ls-files -z | xargs -0 cp --parents -t "$work/clean" 2>/dev/null
mkdir -p "$work/clean/build" && touch "$work/clean/build/.packages"
row "make run from a clean checkout" "$(seconds make -C "$work/clean" run) s" "60, packages apart"
