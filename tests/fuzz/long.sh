#!/bin/sh
# Many executions of one fuzz driver under libFuzzer, with AddressSanitizer, UndefinedBehaviorSanitizer and
# LeakSanitizer. A line in BUILD/fuzz-long/NAME.RUNS says what came of it. At a crash, hang or leak, or when an
# execution took over a second, the line goes to standard error instead, and the input that failed stays beside the log
# and the inputs worth keeping, from which the next run starts. The executions come in twenty parts: one that is
# interrupted goes on with the part that it was in.
#   long.sh BUILD NAME RUNS
set -u
build=$1 name=$2 runs=$3
folder=$build/fuzz-long
log=$folder/$name.log
result=$folder/$name.$runs
parts=$result.parts # a line for each part that ended well: executions, seconds, well formed
longest=1536        # bytes of an input: the seeds' whole descriptions, and nine in ten records of a log, fit
part=$((runs > 20 ? runs / 20 : runs))

mkdir -p "$folder/$name.inputs" || exit 2
rm -f "$folder/$name".failed-*

# stat NAME: of the last lines of the log.
stat() { sed -n "s/^stat::$1: *//p" "$log" | tail -n 1; }
# seen NAME: cov or ft, of the last line that has them.
seen() { sed -n "s/^#.* $1: \([0-9]*\) .*/\1/p" "$log" | tail -n 1; }
# total COLUMN
total() { awk -v column="$1" '{ sum += $column } END { print sum + 0 }' "$parts"; }

# An execution may have waited for a processor: the quickest of three counts.
forgive_slow() {
    for input in "$folder/$name".failed-slow-unit-*; do
        [ -e "$input" ] || continue
        "$build/libfuzzer/$name" "$input" "$input" "$input" 2>&1 | awk '
            /^Executed .* in [0-9]+ ms$/ { n++; quick += $(NF - 1) <= 1000 }
            END { exit !(n == 3 && quick > 0) }' && rm "$input"
    done
}

# run_part COUNT: false at whatever failed. Freed memory is kept from use for 16 MiB, not 256, more than an execution takes:
# most of the time went into new pages.
run_part() {
    ASAN_OPTIONS=quarantine_size_mb=16${ASAN_OPTIONS:+:$ASAN_OPTIONS} \
        nice -n 19 "$build/libfuzzer/$name" -runs="$1" -max_len=$longest -timeout=20 -report_slow_units=1 \
        -print_final_stats=1 -artifact_prefix="$folder/$name.failed-" "$folder/$name.inputs" >"$log" 2>&1 || return 1
    forgive_slow
    seconds=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) .*/\1/p' "$log")
    echo "$(stat number_of_executed_units) ${seconds:-0} $(stat well_formed)" >>"$parts"
    ! ls "$folder/$name".failed-* >/dev/null 2>&1
}

touch "$parts"
status=0
while [ $status -eq 0 ] && [ "$(total 1)" -lt "$runs" ]; do
    left=$((runs - $(total 1)))
    run_part $((left < part ? left : part)) || status=1
done
failed=$(ls "$folder/$name".failed-* 2>/dev/null | tr '\n' ' ')
echo "$name: $(total 1) executions in $(total 2) s, $(total 3) well formed, $(seen cov) edges, $(seen ft) features," \
    "at most $(stat peak_rss_mb) MB; ${failed:-no crash, no hang, no leak, none of over a second}" >"$result.part"
if [ $status -eq 0 ] && [ -z "$failed" ]; then
    mv "$result.part" "$result"
    rm "$parts"
else
    cat "$result.part" >&2
    exit 1
fi
