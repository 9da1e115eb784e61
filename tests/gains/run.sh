#!/bin/sh
# What taking causes of lost slots away gains, beside the published formulas and the rig's rule: the table of
# tests/tools/check_gains.c on standard output. Each set of causes is a run of its own, and so is the run as it is.
#   run.sh BUILD CPU KERNELS CAUSES...     KERNELS as `kernels` of the configuration, CAUSES as for build/rig --ideal
# Core 0 is measured; core 1 helps kernels that need two, and cores 2 and 3 are another package. Exit status 2: a name is
# not known, and it is named.
set -u
build=$1 cpu=$2 kernels=$3
shift 3
folder=$build/gains/$cpu-$$
mkdir -p "$folder/esp"
trap 'rm -rf "$folder"' EXIT
cp -r "$build/esp/EFI" "$folder/esp/"

# measured NAME: the run has ended as a run does that measured; 4: verdicts failed, as on a core without a cause they
# must.
measured() {
    { [ "$status" -eq 0 ] || [ "$status" -eq 4 ]; } &&
        grep -q '"type":"end".*"reason":"complete"' "$folder/$1.log" && return
    sed 's/^/gains: /' "$folder/$1.err"
    sed -n 's/.*"type":"error".*"what":"\([^"]*\)".*/gains: \1/p' "$folder/$1.log"
    return 1
}

# measure NAME OPTION...: a run, NAME.log and NAME.truth.
measure() {
    name=$1
    shift
    "$build/rig" --cpu "$cpu" --cores 4 --sockets 2 --esp "$folder/esp" --seconds 3600 --truth "$folder/$name.truth" "$@" \
        --args "kernels=$kernels levels=2 cores=0 repeats=1 detail=full log=none screen=no" \
        >"$folder/$name.serial" 2>"$folder/$name.err"
    status=$?
    tr -d '\r' <"$folder/$name.serial" >"$folder/$name.log"
    measured "$name" >&2
}

runs="$folder/normal.log $folder/normal.truth"
for causes; do
    measure "$causes" --ideal "$causes" || exit 2
    runs="$runs $causes $folder/$causes.log $folder/$causes.truth"
done
measure normal || exit 2
# shellcheck disable=SC2086 # names without blanks
"$build/tools/check_gains" $runs
