#!/bin/sh
# Faults at a point: what a program sees of each is what its row in rig/doc/faults.md says, and --fault-points says
# where it happened. TAP on standard output.
#   points.sh BUILD
set -u
. tests/boot.sh

claim "the check image builds" sh tests/rig/check/build.sh "$work/check"
esp=$work/check/esp

# run NAME OPTION...: what the program sees is in NAME.seen, a line for each thing that it does, without the times of
# windows, which differ by a tick, nor that at its begin; what it sends on the first serial line in NAME.serial.
run() {
    name=$1
    shift
    boot "$name" --cpu skylakex --cores 1 --args faults --serial2 "$work/$name.second" \
        --fault-points "$work/$name.points" "$@"
    sed -e 's/ tsc=[0-9a-f]*//' -e '/^tsc /d' "$work/$name.second" >"$work/$name.seen"
    status=$(cat "$work/$name.status")
}
# how_many CLASS: how many K it has in the sound run.
how_many() { jq -r --arg class "$1" 'select(.class == $class and (has("core") | not)) | .count' "$work/sound.points"; }
run sound
claim "sound: the program comes to its end" [ "$status" = 0 -a "$(tail -n 1 "$work/sound.seen")" = end ]
for class in rdmsr wrmsr rdpmc window core-window turn uefi uefi:file_write uefi:stall stick uart pmi counter fixed bank; do
    claim "sound: there are K of $class: $(how_many $class)" [ "$(how_many $class)" -gt 0 ]
done
claim "sound: the program reads counters six times" [ "$(how_many rdpmc)" = 6 ]
claim "sound: and stalls four times" [ "$(how_many uefi:stall)" = 4 ]
run again
claim "two runs see the same" same "$work/sound.seen" "$work/again.seen"
claim "and have the same points" same "$work/sound.points" "$work/again.points"

count=0
# happens FAULT...: the run says so of each, and of no other.
happens() {
    jq -se '[.[] | select(.fault)] | length == ($ARGS.positional | length) and
        all(.happened and (.fault | IN($ARGS.positional[])))' "$work/$name.points" --args "$@"
}
# alters FAULTS WHAT [SED-EXPRESSION...]: with them the program sees what a sound run sees, but for these lines. Faults
# apart by blanks are of one run.
alters() {
    fault=$1 what=$2
    shift 2
    count=$((count + 1))
    options=$(printf -- ' --fault %s' $fault)
    # shellcheck disable=SC2086 # no fault has a blank
    run fault-$count $options
    # shellcheck disable=SC2086
    claim "$fault: the run says that it happened" happens $fault
    sed "$@" "$work/sound.seen" >"$work/expected"
    claim "$fault: $what" diff "$work/expected" "$work/$name.seen"
}

# Registers. The program reads IA32_PERFEVTSEL0, which holds 100C0H, six times, and then writes it six times; two writes
# come before.
alters "rdmsr:3:gp wrmsr:4:lost rdpmc:2:flip:63" "the third RDMSR is a #GP, a WRMSR that is lost leaves the register as it was, without #GP, and the second RDPMC has bit 63 inverted" \
    -e 's/^rdmsr n=2 .*/rdmsr n=2 value=0 gp=1/' -e 's/^wrmsr n=1 .*/wrmsr n=1 gp=0 value=10000/' \
    -e 's/^rdpmc n=1 .*/rdpmc n=1 value=8000000000001234/'
alters msr:5 "the third of both kinds is a #GP" 's/^rdmsr n=2 .*/rdmsr n=2 value=0 gp=1/'
alters "rdmsr:3:flip:5 wrmsr:4:gp" "the third RDMSR has bit 5 inverted, and no other has; a WRMSR that is a #GP leaves the register as it was" \
    -e 's/^rdmsr n=2 .*/rdmsr n=2 value=100e0 gp=0/' -e 's/^wrmsr n=1 .*/wrmsr n=1 gp=1 value=10000/'
alters wrmsr:4:flip:1 "a WRMSR writes bit 1 inverted" 's/^wrmsr n=1 .*/wrmsr n=1 gp=0 value=10003/'
alters wrmsr:4:flip:60 "a reserved bit is a #GP" 's/^wrmsr n=1 .*/wrmsr n=1 gp=1 value=10000/'
changed() { jq -se --arg fault "$1" --argjson changed "$2" 'any(.fault == $fault and .changed == $changed)' "$work/$name.points"; }
run same --fault wrmsr:19:lost
claim "wrmsr:19:lost: that the register held that value anyway is said" changed wrmsr:19:lost false
claim "wrmsr:19:lost: the run sees no difference" same "$work/sound.seen" "$work/same.seen"

# Counters. A window counts FA4H = 2 * 2000 + 4 instructions, from 10000F800H on.
# each WHAT WINDOWS VALUE CLAIM: a general counter and a fixed one, each of which has its own member of a window's line.
each() {
    alters "counter:0:$1 fixed:0:$1" "both $4" "/^window n=$2 /{s/gp0=[0-9a-f]*/gp0=$3/;s/fixed0=[0-9a-f]*/fixed0=$3/}"
}
each stuck:2-3 '[23]' 10000f800 "keep their value in windows 2 and 3"
each plus1:2-3 '[23]' 1000107a5 "count one too many"
each double:2-2 2 100011748 "count twice as much"
each low16:2-3 '[23]' 7a4 "have no bits above 16"
each low32:2-3 '[23]' 107a4 "have none above 32"
run lying --fault fixed:0:100 --fault lies:3-3
sed '/^window n=3 /s/fixed0=[0-9a-f]*/fixed0=100011748/' "$work/sound.seen" >"$work/expected"
claim "fixed:0:100 with lies:3-3 lies in window 3 alone" diff "$work/expected" "$work/lying.seen"

# Firmware. The program writes AAAAAAAA, BBBBBBBB, CCCCCCCC and DDDDDDDD (in small letters), reads the file, and stalls
# four times.
invalid=8000000000000003 no_media=800000000000000c device=8000000000000007
alters uefi:file_write:3- "writes fail from the third on" -e "s/^write n=\([23]\) .*/write n=\1 status=$device size=8/" \
    -e 's/read=0 size=20/read=0 size=10/'
alters stick:pulled:3 "from the third write on no call of the file succeeds but Close" \
    -e "s/^write n=2 .*/write n=2 status=$no_media size=0/" -e "s/^write n=3 .*/write n=3 status=$no_media size=8/" \
    -e "s/^position .*/position n=$no_media read=$no_media size=40/"
holds() { [ "$(tr '\0' 0 <"$work/$1.esp/POINTS.TXT")" = "$2" ]; }
alters "stick:short:2 uefi:stall:2" "a write that takes half says that it took all; the second Stall fails, and no other does" \
    "s/^stall n=1 .*/stall n=1 status=$invalid/"
claim "stick:short:2: the other half is missing" holds $name aaaaaaaabbbb0000ccccccccdddddddd
alters stick:short:4 "so does the last one" 's/read=0 size=20/read=0 size=1c/'
claim "stick:short:4: the file ends in the middle" holds $name aaaaaaaabbbbbbbbccccccccdddd
alters "stick:lost:2 uefi:stall:2-" "a write that is lost says that it was done; the second and all later Stalls fail" \
    "s/^stall n=\([123]\) .*/stall n=\1 status=$invalid/"
claim "stick:lost:2: it is missing" holds $name aaaaaaaa00000000ccccccccdddddddd
# Call 20 is a Stall, behind which the program looks at the tables.
run spoilt --fault firmware-memory:20
claim "firmware-memory:20: the sum of one ACPI table is wrong by one bit" \
    [ "$(diff "$work/sound.seen" "$work/$name.seen" | grep -cE '^> table n=[0-9a-f]* sum=(1|2|4|8|10|20|40|80|c0|e0|f0|f8|fc|fe|ff)$')" = 1 ]

# What arrives in a window, which goes on behind it: the program takes exceptions and goes on where it was. An SMI has
# 4001 instructions.
# in_window FAULT WHAT PATTERN: the third window counts more than the others, and its line ends so.
in_window() {
    count=$((count + 1))
    run fault-$count --fault "$1"
    claim "$1: the run says that it happened" happens "$1"
    claim "$1: in the window" jq -se 'any(.fault and .window == 3 and (.where | test(", in a window$")))' "$work/$name.points"
    grep -v '^window n=3 ' "$work/sound.seen" >"$work/expected"
    claim "$1: nothing else is altered" sh -c "grep -v '^window n=3 ' '$work/$name.seen' | diff '$work/expected' -"
    claim "$1: $2" grep -E "^window n=3 gp0=(1000[0-9a-f]*) fixed0=\1 $3\$" "$work/$name.seen"
}
in_window nmi:window:3 "one NMI comes" "smi=0 nmi=1"
in_window ud:window:3 "one #UD comes" "smi=0 nmi=0 vector=6"
in_window bp:window:3 "one #BP comes" "smi=0 nmi=0 vector=3"
in_window mce:window:3 "one #MC comes, and bank 1 says why: valid, uncorrected, enabled" \
    "smi=0 nmi=0 vector=12 bank=1 status=b000000000000005"
alters smi-at:3 "one SMI comes, and is counted" '/^window n=3 /{s/1000107a4/100011745/g;s/smi=0/smi=1/}'
alters smi-at:3:hidden "one SMI comes, and is not counted" '/^window n=3 /s/1000107a4/100011745/g'
alters bank:2:3 "bank 2 has a corrected error, and nobody is told" '/^window n=3 /s/$/ bank=2 status=9000000000000135/'
turn=$(($(how_many turn) - 2))
alters nmi:turn:$turn "an NMI comes at a turn" '/^turns /s/nmi=0/nmi=1/'
alters ud:turn:$turn "a #UD does" '/^turns /s/$/ vector=6/'
alters bp:turn:$turn "a #BP does" '/^turns /s/$/ vector=3/'
alters mce:turn:$turn "a #MC does" -e '/^turns /s/$/ vector=12/' -e '/^window n=1 /s/$/ bank=1 status=b000000000000005/'

# The time stamp counter.
tsc_of() { sed -n "s/^$2 .*tsc=\([0-9a-f]*\).*/\1/p; s/^$2 n=\([0-9a-f]*\)\$/\1/p" "$work/$1.second"; }
# later NAME LINE TICKS: the run's counter, or window, is so much longer than the sound run's, but for a tick.
later() {
    off=$((0x$(tsc_of "$1" "$2") - 0x$(tsc_of sound "$2") - $3))
    echo "$off"
    [ "$off" -ge -1 ] && [ "$off" -le 1 ]
}
alters tsc:skew:0:1000000 "nothing else changes" p -n
claim "tsc:skew:0:1000000: the program begins that much later" later $name tsc 1000000
alters tsc:step:0:123456:3 "nothing else changes" p -n
claim "tsc:step:0:123456:3: the third window is that much longer" later $name "window n=3" 123456
claim "tsc:step:0:123456:3: the second is not" later $name "window n=2" 0
claim "tsc:step:0:123456:3: nor is the fourth" later $name "window n=4" 0
alters tsc:step:0:-500:2 "nothing else changes" p -n
claim "tsc:step:0:-500:2: the second window is that much shorter" later $name "window n=2" -500

# The first serial line: ABCDEFGH, each when the transmitter is ready or 10^7 ticks are over. And PMIs, of
# 32 overflows.
sent() { [ "$(cat "$work/$name.serial")" = "$1" ]; }
never='lsr=0 ready=0 late=1'
alters "uart:never pmi:all-lost" "no byte leaves, and no PMI comes" -e "s/^uart n=\(.\) .*/uart n=\1 $never/" -e 's/^pmis .*/pmis n=0/'
claim "uart:never: the line is silent" sent ""
alters "uart:never:3 pmi:half-lost" "none does from the third on, and half of the PMIs come" \
    -e "s/^uart n=\([2-7]\) .*/uart n=\1 $never/" -e 's/^pmis .*/pmis n=10/'
claim "uart:never:3: two have left" sent AB
alters uart:ff "all registers read FFH" 's/^uart n=\(.\) .*/uart n=\1 lsr=ff ready=1 late=0/'
claim "uart:ff: the line is silent" sent ""
alters uart:ff:4 "they do from the fourth byte on" 's/^uart n=\([3-7]\) .*/uart n=\1 lsr=ff ready=1 late=0/'
claim "uart:ff:4: three have left" sent ABC
alters uart:stall:2:3 "behind three bytes the transmitter is not ready for 2 ms" \
    's/^uart n=\([36]\) .*/uart n=\1 lsr=0 ready=1 late=1/'
claim "uart:stall:2:3: all leave" sent ABCDEFGH

# More PMIs than the 32 overflows.
run storm --fault pmi:storm
claim "pmi:storm: the run says that it happened" happens pmi:storm
claim "pmi:storm: many more come than counters overflow" [ "$((0x$(sed -n 's/^pmis n=//p' "$work/storm.seen")))" -gt 320 ]

# Requests that cannot be.
beyond() { [ "$status" = 2 ] && grep -qx "rig: $1" "$work/$name.err"; }
for fault in "rdmsr:99999:gp:RDMSRs" "uefi:99999:firmware calls that can fail" "uefi:stall:5:calls of stall" \
    "fixed:0:stuck:99-100:counting windows on a core" "triple:99:changes of CR3"; do
    what=${fault##*:} request=${fault%:*}
    run beyond --fault "$request"
    claim "$request: status 2, and how many there are" beyond "$request: the run had [0-9]* $what"
done
run beyond --cores 2 --fault stuck:1:1:nmi --fault lies:99-100 --fault counter:0:5
claim "stuck:1:1:nmi and lies:99-100 beyond the run: likewise" [ "$(grep -c '^rig: .*: the run had [0-9]* counting windows on a core$' "$work/beyond.err")" = 2 -a "$status" = 2 ]
run beyond-step --cores 2 --fault tsc:step:1:100:1
claim "tsc:step:1:100:1: a processor that has no window of its own has none" grep -qx \
    'rig: tsc:step:1:100:1: the run had 0 counting windows on a core' "$work/beyond-step.err"
many=$(for i in $(seq 17); do echo "--fault rdmsr:$i:gp"; done)
claim "a seventeenth fault at a place is refused" eval 'refuses --cpu skylakex --cores 1 $many && grep -q "at most 16" "$work/refused.err"'
claim "uefi:stall:4 is not beyond the run" [ "$(run last --fault uefi:stall:4 && echo $status)" = 0 ]
refused() { pattern=$1 && shift && refuses --cpu skylakex --cores 2 --fault "$@" && grep -q "$pattern" "$work/refused.err"; }
claim "an unknown class is refused, with how many there are" refused 'unknown class in "rdmsrs:1:gp"; .* [0-9]* classes' rdmsrs:1:gp
for fault in rdmsr:0:gp rdmsr:1:gp: rdmsr:1:lost rdmsr:1:flip:64 rdmsr::gp rdmsr:1-:gp wrmsr:1 uefi:nobody:1 uefi:-1 uefi:- \
    uefi:stall:1-2 nmi:3 nmi:window:0 mce:turn:x smi-at:3:seen bank:1 tsc:skew:0 tsc:step:0:1:x tsc:skew:0:0 uart:never:0 \
    uart:stall:0:1 pmi:none stick:short firmware-memory counter:0:odd:1-2 counter:0:stuck:2-1 counter:0:stuck:1 fixed:x:stuck:1-2; do
    claim "$fault is refused" refused 'expected one of those that rig --help lists' "$fault"
done
claim "a counter that is not there is refused, with how many there are" \
    refused 'counter:8:stuck:1-2: there are 8 general counters' counter:8:stuck:1-2
claim "so is a bank" refused 'bank:4:1: there are 4 banks' bank:4:1
claim "so is a processor" refused 'tsc:skew:2:1: there are 2 processors' tsc:skew:2:1
claim "so is a fixed one" refused 'fixed:3:stuck:1-2: there are 3 fixed counters' fixed:3:stuck:1-2
finish
