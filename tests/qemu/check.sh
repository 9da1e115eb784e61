#!/bin/sh
# Boots the image under OVMF in the machines that it must get through, and checks each log. TAP on
# standard output.
#   check.sh BUILD
set -u

build=$1
here=$(dirname "$0")
work=$build/qemu
. "$(dirname "$0")/../tap.sh"

# Test::Harness 3.44 knows TAP up to version 13 and refuses the very number 14; nothing else here
# is newer than 13.
proves() {
    prove -Q --exec 'sed 1s/14/13/' "$1"
}

same() {
    cmp "$build/qemu/$1.log" "$build/qemu/$1.stick.log"
}

cores_in() {
    [ "$(grep -c '^{"type":"core"' "$build/qemu/$1.log")" -eq "$2" ]
}

no_failed_verdict() {
    ! grep '^not ok' "$1"
}

no_error() {
    ! grep '^{"type":"error"' "$1"
}

# machine NAME CPUS OPTIONS...
machine() {
    name=$1 cpus=$2
    shift 2
    claim "$name: boots to its end and powers off" \
        sh "$here/run.sh" "$build" --quiet --name "$name" --cpus "$cpus" "$@"
    log=$build/qemu/$name.log
    claim "$name: the log is well formed" "$build/tools/check_log" "$log"
    claim "$name: its records are as the schema says" "$build/tools/check_schema" doc/log.schema.json "$log"
    claim "$name: prove accepts the log" proves "$log"
    claim "$name: the log on the stick is the same" same "$name"
    claim "$name: a record for each of $cpus cores" cores_in "$name" "$cpus"
    claim "$name: nothing failed, what is missing was skipped" no_failed_verdict "$log"
    claim "$name: no error record" no_error "$log"
}

mkdir -p "$build/qemu"
machine one-cpu 1
machine two-cpus 2
machine four-cpus 4
machine sixteen-cpus 16 --seconds 600
machine no-serial 2 --no-serial
machine small-memory 2 --memory 128

# The emulated CPU has AVX2 and no AVX-512: kernels that need the one run, in the state that boot/
# enables, and those that need the other are left out and say so.
printf 'kernels = ret.fp.*\n' >"$build/qemu/vectors.cfg"
machine vectors 2 --config "$build/qemu/vectors.cfg"
claim "vectors: what needs AVX-512 says that it is not there" \
    grep -q '^ok .*ret.fp.512.double INST_RETIRED.ANY # SKIP this core has no avx512f' \
    "$build/qemu/vectors.log"
claim "vectors: what needs AVX runs" \
    sh -c "! grep 'this core has no avx\$' '$build/qemu/vectors.log'"
rm -f "$work/claim.out"
finish
