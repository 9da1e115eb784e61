#!/bin/sh
# Prints doc/arms.md anew: which arm of each condition a run takes, by kernel, on four of the rig's processors. Half a
# minute.
#   print_arms.sh BUILD >doc/arms.md
set -u
. tests/boot.sh

# run CPU NAME ARGUMENTS OPTION...
run() {
    cpu=$1 name=$1-$2 arguments=$3
    shift 3
    boot "$name" --cpu "$cpu" --args "$arguments levels=6 repeats=1 log=none" "$@"
    whole "$work/$name.log" >"$work/$name.whole" || {
        echo "print_arms.sh: the log of $name is not whole" >&2
        exit 1
    }
}
cpus='ivybridge skylakex icelakex sapphirerapids'
for cpu in $cpus; do
    run "$cpu" one 'kernels=be.core.chain,be.core.div,arm.*' --cores 1
    run "$cpu" smt 'kernels=be.core.chain sibling=be.core.chain cores=all' --cores 1 --smt
    [ "$cpu" = ivybridge ] || run "$cpu" packages 'kernels=be.core.chain cores=0' --cores 4 --sockets 2
done
sed '/^<!-- tables -->$/q' doc/arms.md
# shellcheck disable=SC2086 # a word each
/usr/bin/python3 tests/tools/arms_page.py "$work" $cpus
