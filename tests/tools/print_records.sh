#!/bin/sh
# Prints the records of samples in tests/report/records.jsonl anew, a line each as a run on the rig wrote it: cpi of
# parts, sampling, edges of a doubted core, pebs and skid, in every form that doc/log.schema.json knows. A minute.
#   print_records.sh BUILD
set -u
. tests/boot.sh

# run NAME KERNELS OPTION...
run() {
    name=$1 arguments=$2
    shift 2
    boot "$name" --full --cores 1 --args "$arguments nodes=none repeats=1 warmup=1" "$@"
}
# first NAME CONDITION: the first record that satisfies it, byte for byte.
first() {
    seq=$(records "$1" "select($2) | .seq" | head -1)
    grep "^{\"type\":\"[a-z]*\",\"seq\":${seq:-none}," "$work/$1.log" || {
        echo "print_records.sh: the run $1 has no record with $2" >&2
        exit 1
    }
}
lie=count:BR_INST_RETIRED.ALL_BRANCHES:10
sampled='cpi.loops,pebs.loads,skid.instructions,skid.load'
run plain "kernels=$sampled samples=100 pebs=yes skid=yes" --cpu skylakex
run adaptive 'kernels=pebs.loads pebs=yes' --cpu sapphirerapids
run forced 'kernels=cpi.loops,skid.load cpu=icelakex samples=100 skid=yes' --cpu sapphirerapids
run doubted 'kernels=pebs.loads cpu=icelakex pebs=yes' --cpu sapphirerapids --fault $lie
run doubted-branches 'kernels=lbr.sequence cpu=skylakex' --cpu icelakex --fault $lie
# Some readings of an interrupt's handler that cannot be, at the first place near the run's end where it reads.
run reads 'kernels=cpi.loops samples=100' --cpu skylakex --fault-points "$work/points"
reads=$(sed -n 's/.*"class":"rdmsr","count":\([0-9]*\).*/\1/p' "$work/points")
for back in $(seq 50 50 2000); do
    run apart 'kernels=cpi.loops samples=100' --cpu skylakex \
        $(for i in 0 1 2 3 4 5 6 7; do echo "--fault rdmsr:$((reads - back + i)):flip:51"; done)
    [ -n "$(records apart .late.apart | grep -v null)" ] && break
done

run hard 'kernels=cpi.diamonds samples=100' --cpu haswell
run executed 'kernels=cpi.coins samples=100' --cpu nehalem
run four 'kernels=cpi.aliased samples=100' --cpu core2

for level in instruction block function; do
    first plain ".method == \"cfg\" and .level == \"$level\""
done
first plain '.method == "shared" and .level == "function"'
first hard '.method == "shared" and .level == "function"'
first plain '.method == "cfg timed" and .level == "instruction"'
first forced '.method == "classic" and .level == "block"'
for series in branches cycles; do
    first plain ".type == \"sampling\" and .series == \"$series\""
done
first forced '.type == "sampling"'
first executed '.type == "sampling" and .series == "mispredicted branches"'
first executed '.method == "cfg subtracted" and .level == "function"'
first executed '.method == "interval subtracted" and .level == "function"'
first four '.type == "sampling" and .behind'
first apart '.type == "sampling" and .late.apart'
first doubted-branches '.type == "edges"'
first adaptive '.type == "pebs"'
first plain '.type == "pebs" and .use == "taken branches"'
first plain '.type == "pebs" and .l1_cycles'
first plain '.type == "pebs" and .l2_cycles'
first doubted '.type == "pebs"'
first plain '.type == "skid" and .every'
first plain '.type == "skid" and .cycles'
first plain '.type == "skid" and .method == "PEBS"'
first forced '.type == "skid"'
