#!/bin/sh
# The speed of the rig and of callgrind on the same code: the same kernel objects, some 70 million instructions in
# each; a shorter run is subtracted, which takes off what the start costs. Prints million instructions a second,
# one line each: of the rig, of callgrind that counts, of callgrind that also simulates caches and branches. The
# times are those of the machine it runs on.
#   same_code.sh BUILD
set -u
build=$1
work=$build/bench/same
kernels="be.core.chain be.core.port be.mem.l1 ret.alu ret.nop bs.return bs.indirect"
rm -rf "$work"
mkdir -p "$work"
cp -r "$build/esp" "$work/esp"
sh tests/rig/test/valgrind/host.sh "$build" "$work/hosted" || exit 1

# rig SCALE: prints million instructions and seconds.
rig() {
    "$build/rig" --cpu skylakex --cores 1 --stats --esp "$work/esp" --args \
        "kernels=$(echo "$kernels" | tr ' ' ',') repeats=1 warmup=1 levels=1 scale=$1" 2>&1 >/dev/null |
        sed -n 's/rig: \([0-9.]*\) million instructions, .* cycles, \([0-9.]*\) s.*/\1 \2/p'
}
# callgrind N OPTION...: the same for all kernels, one after the other.
callgrind() {
    n=$1
    shift
    begun=$(date +%s.%N)
    for kernel in $kernels; do
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" \
            "$work/hosted" "$kernel" "$(printf %08d "$n")" 2>&1
    done >"$work/err"
    echo "$(awk '/Collected :/ { sum += $4 } END { print sum / 1e6 }' "$work/err")" \
        "$(echo "$(date +%s.%N) $begun" | awk '{ print $1 - $2 }')"
}
# speed LESS MORE: million instructions a second, of what MORE has beyond LESS.
speed() { echo "$1 $2" | awk '$4 > $2 { printf "%.1f", ($3 - $1) / ($4 - $2) }'; }

echo "rig $(speed "$(rig 1)" "$(rig 101)")"
command -v valgrind >/dev/null 2>&1 || exit 0
echo "callgrind $(speed "$(callgrind 1000)" "$(callgrind 401000)")"
echo "simulating $(speed "$(callgrind 1000 --cache-sim=yes --branch-sim=yes)" \
    "$(callgrind 401000 --cache-sim=yes --branch-sim=yes)")"
