#!/bin/sh
# The speed of the rig and of callgrind on the same code: the same kernel objects, some 70 million instructions in
# each; a shorter run is subtracted, which takes off what the start costs. Prints million instructions a second of
# processor time, one line each: of the rig, of callgrind that counts, of callgrind that also simulates caches and
# branches; then the rig's as a ratio to the latter. Rig and simulation take turns ROUNDS times, and of each the
# median is printed, with the lowest and the highest ratio behind the ratio.
#   same_code.sh BUILD
set -u
build=$1
work=$build/bench/same
rounds=${ROUNDS:-5}
kernels="be.core.chain be.core.port be.mem.l1 ret.alu ret.nop bs.return bs.indirect"
rm -rf "$work"
mkdir -p "$work"
cp -r "$build/esp" "$work/esp"
sh tests/rig/valgrind/host.sh "$build" "$work/hosted" || exit 1

# spent FUNCTION...: runs it in a shell of its own, which prints the seconds that its programs had a processor.
spent() {
    (
        "$@"
        times >"$work/times"
    )
    awk 'NR == 2 { split($1 "m" $2, t, /[ms]+/); print 60 * (t[1] + t[3]) + t[2] + t[4] }' "$work/times"
}
boot() { # SCALE
    "$build/rig" --cpu skylakex --cores 1 --stats --esp "$work/esp" --args \
        "kernels=$(echo "$kernels" | tr ' ' ',') repeats=1 warmup=1 levels=1 scale=$1" 2>"$work/said" >/dev/null
}
play() { # N OPTION...: all kernels, one after the other
    n=$1
    shift
    for kernel in $kernels; do
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" "$work/hosted" "$kernel" "$(printf %08d "$n")" 2>&1
    done >"$work/said"
}
# Both print million instructions and seconds.
rig() {
    seconds=$(spent boot "$@")
    echo "$(sed -n 's/rig: \([0-9.]*\) million instructions.*/\1/p' "$work/said") $seconds"
}
callgrind() {
    seconds=$(spent play "$@")
    echo "$(awk '/Collected :/ { sum += $4 } END { print sum / 1e6 }' "$work/said") $seconds"
}
# speed LESS MORE: million instructions a second, of what MORE has beyond LESS.
speed() { echo "$1 $2" | awk '$4 > $2 { printf "%.2f\n", ($3 - $1) / ($4 - $2) }'; }
# median FILE: of a column of numbers
median() { sort -n "$1" | awk '{ at[NR] = $1 } END { print at[int((NR + 1) / 2)] }'; }

have_callgrind=no
! command -v valgrind >/dev/null 2>&1 || have_callgrind=yes
: >"$work/rig"
: >"$work/simulating"
for round in $(seq "$rounds"); do
    rig=$(speed "$(rig 1)" "$(rig 101)")
    echo "$rig" >>"$work/rig"
    [ $have_callgrind = yes ] || continue
    [ "$round" -ne 1 ] || callgrind=$(speed "$(callgrind 1000)" "$(callgrind 401000)")
    simulating=$(speed "$(callgrind 1000 --cache-sim=yes --branch-sim=yes)" \
        "$(callgrind 401000 --cache-sim=yes --branch-sim=yes)")
    echo "$simulating" >>"$work/simulating"
    echo "$rig $simulating" | awk '{ printf "%.3f\n", $1 / $2 }' >>"$work/ratio"
done
echo "rig $(median "$work/rig")"
[ $have_callgrind = yes ] || exit 0
echo "callgrind $callgrind"
echo "simulating $(median "$work/simulating")"
echo "ratio $(median "$work/ratio") $(sort -n "$work/ratio" | sed -n '1p;$p' | paste -sd' ')"
