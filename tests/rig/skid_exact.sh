#!/bin/sh
# The skid S that the image measures on CPUs without a classic series, against the skid that the rig models. On the
# other CPUs, and the refill A: sampling.sh. TAP on standard output.
#   skid_exact.sh BUILD
set -u
. tests/boot.sh
. tests/rig/pmi/skid.sh

for cpu in ivybridge nehalem; do
    boot "$cpu" --cpu "$cpu" --cores 1 --profile "$work/$cpu.profile" \
        --args "kernels=cpi.loops repeats=1 warmup=1 levels=1 log=none samples=100"
    in_order "$cpu"
    claim "$cpu: S is the rig's, to the cycle" same_skid "$cpu" cycles
done
finish
