#!/bin/sh
# `make gains`: the tables of doc/gains.md, and below BUILD/gains the whole table of each CPU.
#   make.sh BUILD
set -u
build=$1
out=$build/gains
mkdir -p "$out"
cpus='skylakex icelakex sapphirerapids'
every='assist.*,be.*,bs.*,cal.*,clears.*,cpi.*,exact.*,fe.*,lbr.*,mix.*,pebs.*,prog.*,ret.*,skid.*' # `all` leaves out some

# How the page's figures of programs are made; the suite makes them the same way.
programs() { # CPU
    sh tests/gains/run.sh "$build" "$1" 'prog.*' memory branches frontend clears core \
        memory,branches memory,frontend memory,clears memory,core branches,frontend branches,clears branches,core \
        frontend,clears frontend,core clears,core memory,branches,frontend,clears,core
}
kernels() { # CPU
    sh tests/gains/run.sh "$build" "$1" "$every" memory branches frontend clears core \
        memory,branches,frontend,clears,core branches,frontend,clears,core memory,branches,frontend,clears
}
in_jobs() { # FUNCTION SUFFIX: for each CPU, as many at once as there are processors
    jobs=0
    for cpu in $cpus; do
        "$1" "$cpu" >"$out/$cpu.$2" &
        jobs=$((jobs + 1))
        [ $((jobs % $(nproc))) -ne 0 ] || wait
    done
    wait
}

in_jobs programs programs
for table in nodes interactions; do
    for cpu in $cpus; do
        awk -v cpu="$cpu" -v table="$table" -f tests/gains/programs.awk "$out/$cpu.programs"
        echo
    done
done
in_jobs kernels kernels
set --
for cpu in $cpus; do
    set -- "$@" "$out/$cpu.kernels"
done
awk -v far=0.05 -v cpus="$cpus" -f tests/gains/apart.awk "$@"
echo
echo "all nodes of all kernels: $*"
