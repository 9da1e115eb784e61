#!/bin/sh
# The virtual machine on its own: TAP on standard output. run.sh RIG WORK-FOLDER
set -u
here=$(dirname "$0")
rig=$1
work=$2
number=0
rm -rf "$work"
mkdir -p "$work"
"$here/build.sh" "$work" || exit 1

verdict() { # verdict TEXT CONDITION-STATUS
    number=$((number + 1))
    if [ "$2" -eq 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        sed 's/^/# /' "$work/out" "$work/err" | head -40
    fi
}
run() { # run ARGUMENTS...: on a fresh copy of the folder
    rm -rf "$work/stick"
    cp -r "$work/esp" "$work/stick"
    "$rig" --esp "$work/stick" "$@" >"$work/out" 2>"$work/err"
    status=$?
}
boots() { # every line ok, a plan, status 0, nothing on standard error
    run "$@"
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && ! grep -q '^not ok' "$work/out" && grep -q '^1\.\.' "$work/out"
    verdict "the check image passes with $*" $?
}
ends() { # ends STATUS PATTERN ARGUMENTS...: exit status and what the one line on standard error says
    wanted=$1 pattern=$2
    shift 2
    run "$@"
    [ "$status" -eq "$wanted" ] && [ "$(wc -l <"$work/err")" -le 1 ] && { [ -z "$pattern" ] || grep -q "$pattern" "$work/err"; }
    verdict "status $wanted${pattern:+, \"$pattern\"} with $*" $?
}
refuses() { # refuses TEXT PATTERN: the image now in $work/bad is refused
    mkdir -p "$work/badstick/EFI/BOOT"
    cp "$work/bad" "$work/badstick/EFI/BOOT/BOOTX64.EFI"
    "$rig" --cpu skylakex --cores 1 --esp "$work/badstick" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q "$2" "$work/err"
    verdict "$1 is refused" $?
}

boots --cpu skylakex --cores 1
boots --cpu skylakex --cores 4
boots --cpu skylakex --cores 16
boots --cpu skylakex --cores 2 --smt
boots --cpu skylakex --cores 4 --args x2apic
boots --cpu icelakex --cores 4 --memory 128
boots --cpu skylakex --cores 4 --keys q
boots --cpu skylakex --cores 4 --args leave
boots --cpu icelakex --cores 3 --args leave
boots --cpu skylakex --cores 64
boots --cpu nehalem --cores 2
boots --cpu core2 --cores 2
boots --cpu prescott --cores 1
boots --cpu zen4 --cores 2 --args leave
run --cpu skylakex --cores 64 --stats
memory=$(sed -n 's/^rig: at most \([0-9]*\) MiB of memory$/\1/p' "$work/err")
[ "${memory:-9999}" -lt 512 ]
verdict "64 processors take less than 512 MiB" $?
run --cpu skylakex --cores 4 --truth "$work/truth1"
cp "$work/out" "$work/out1"
run --cpu skylakex --cores 4 --truth "$work/truth2"
cmp -s "$work/out1" "$work/out" && cmp -s "$work/truth1" "$work/truth2" && [ -s "$work/truth1" ]
verdict "two runs give the same bytes" $?

one="--cpu skylakex --cores 1 --args"
ends 0 "" $one return
ends 0 "" $one halt
ends 0 "" $one poweroff
for kind in Cold Warm Shutdown Platform; do
    ends 0 "" $one $kind
done
ends 1 "unknown type 4" $one Unknown
ends 7 "debug exit port" $one exit
ends 1 "deadlock" $one deadlock
ends 1 "triple fault" $one triple
ends 1 "cannot execute .* c4 e3 7d 08 c1 00" $one vex
ends 1 "cannot execute the instruction at 0x[0-9a-f]*: 62 f1 74 48 c2 ca 00" $one zmm
ends 1 "cannot execute the instruction at 0x[0-9a-f]*: c5 f0 58 c2" $one arithmetic
ends 1 "cannot execute the instruction at 0x[0-9a-f]*: 8f e8 78 a2 c1 10" $one other
ends 1 "cannot execute the instruction at 0x[0-9a-f]*: 0f aa" $one management
ends 1 "vector 6 at" $one intruder
ends 1 "foreign interrupt descriptor table" $one call
ends 1 "seconds of host time" --seconds 1 $one spin
"$rig" --help >"$work/out" 2>"$work/err"
[ $? -eq 0 ] && [ ! -s "$work/err" ] && [ "$(grep -c '^  --[a-z0-9-]* ' "$work/out")" -eq 18 ] && ! grep -q '.\{101\}' "$work/out"
verdict "--help has a line for each option" $?
ends 2 "unknown personality \"pentium\"" --cpu pentium --cores 1
ends 2 "impossible value for --cores: expected a number from 1 to 256, not .0.$" --cpu skylakex --cores 0
ends 2 "impossible value" --cpu skylakex --cores 100000
ends 2 "impossible value" --cpu skylakex --cores 4x
ends 2 "unknown option --verbose" --cpu skylakex --cores 1 --verbose
ends 2 "unknown option more" --cpu skylakex --cores 1 more
ends 2 "are needed" --cpu skylakex
ends 2 "a value is missing after --cores" --cpu skylakex --cores
ends 2 "impossible value for --memory" --cpu skylakex --cores 1 --memory 31
ends 2 "impossible value for --cores" --cpu skylakex --cores 129 --smt
ends 2 "impossible value for --trace-window" --cpu skylakex --cores 1 --trace-window 0:1
for fault in "" msr msr:0 msr:x uefi:-1 ap ap:1 smi:0 count:INST_RETIRED.ANY serial:loud nothing; do
    ends 2 "fault" --cpu skylakex --cores 1 --fault "$fault"
done
ends 2 "cannot be written" --cpu skylakex --cores 1 --truth "$work/no-folder/truth"
nowhere() { # nowhere FOLDER PATTERN
    "$rig" --cpu skylakex --cores 1 --esp "$1" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q "$2" "$work/err"
    verdict "status 2, \"$2\" with --esp ${1#"$work/"}" $?
}
nowhere "$work/no-folder" "not a folder that can be read"
nowhere "$work/esp/EFI/BOOT/BOOTX64.EFI" "not a folder that can be read"
mkdir -p "$work/bare/EFI/BOOT/BOOTX64.EFI"
nowhere "$work/bare" "BOOTX64.EFI: it is not a readable file"
rmdir "$work/bare/EFI/BOOT/BOOTX64.EFI"
nowhere "$work/bare" "BOOTX64.EFI: there is no such file"

image=$work/esp/EFI/BOOT/BOOTX64.EFI
: >"$work/bad"
refuses "an empty file" "not a PE image"
echo "a text that is long enough to hold the header of an image, but is none of any kind at all" >"$work/bad"
refuses "a text" "not a PE image"
for size in 64 100 300 1000 5000; do
    head -c $size "$image" >"$work/bad"
    refuses "an image cut after $size bytes" "BOOTX64.EFI: "
done
cp "$image" "$work/bad"
offset=$(od -An -tu4 -j60 -N4 "$image" | tr -d ' ')
printf '\252' | dd of="$work/bad" bs=1 seek=$((offset + 4)) conv=notrunc 2>/dev/null
refuses "an image for another machine" "another machine"
echo "1..$number"
