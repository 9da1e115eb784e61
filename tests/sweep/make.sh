#!/bin/sh
# What `make sweep` runs.
#   make.sh BUILD SWEEP SEEDS FAULTS ONE MINUTES        each but BUILD may be empty
set -u
build=$1 sweep=$2 seeds=$3 faults=$4 one=$5 minutes=$6
case $sweep in
'' | sample | all) ;;
*)
    echo "sweep: SWEEP=$sweep: expected all, or nothing for a sample" >&2
    exit 2
    ;;
esac
set -- "$build"
[ "$sweep" != all ] || set -- "$@" --all
[ -z "$seeds" ] || set -- "$@" --seeds "$seeds"
[ -z "$faults" ] || set -- "$@" --faults "$faults"
[ -z "$minutes" ] || set -- "$@" --minutes "$minutes"
[ -z "$one" ] || set -- "$@" --one "$one"
exec "$build/sweep" "$@"
