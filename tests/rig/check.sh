#!/bin/sh
# The virtual machine under an image that was not made for it (check/), and what it says to wrong use. TAP on
# standard output.
#   check.sh BUILD
set -u
. tests/boot.sh

claim "the check image builds" sh tests/rig/check/build.sh "$work/check"
esp=$work/check/esp
image=$esp/EFI/BOOT/BOOTX64.EFI

runs=0
# run OPTION...: a run on a fresh stick. $log, $truth, $said and $status are its log, truth, standard error and exit
# status. The check image leaves registers of the PMU changed, and gnu-efi asks for a protocol that the firmware lacks:
# that standard error names these is claimed once.
run() {
    runs=$((runs + 1))
    boot $runs "$@"
    log=$work/$runs.log truth=$work/$runs.truth said=$work/$runs.said status=$(cat "$work/$runs.status")
    grep -v -e '^rig: processor [0-9]*: MSR 0x[0-9a-f]* held 0x[0-9a-f]* and is left with 0x[0-9a-f]*$' \
        -e '^rig: the firmware lacks UNICODE_COLLATION_PROTOCOL ' "$work/$runs.err" >"$said"
}
shown() { cat "$said" "$log"; "$@"; }
passes() { [ "$status" -eq 0 ] && [ ! -s "$said" ] && ! grep -q '^not ok' "$log" && grep -q '^1\.\.' "$log"; }
boots() {
    run "$@"
    claim "the check image passes with $*" shown passes
}
# ends STATUS PATTERN OPTION...: exit status, and what the one line on standard error says, if anything is
# expected there.
says() { [ "$status" -eq "$1" ] && [ "$(wc -l <"$said")" -le 1 ] && { [ -z "$2" ] || grep -q "$2" "$said"; }; }
ends() {
    wanted=$1 pattern=$2
    shift 2
    run "$@"
    claim "status $wanted${pattern:+, \"$pattern\"} with $*" shown says "$wanted" "$pattern"
}

boots --cpu skylakex --cores 1
claim "what it leaves changed is named" grep '^rig: processor 0: MSR 0x1a6 held 0x0 and is left with 0x10001$' "$work/1.err"
boots --cpu skylakex --cores 4
boots --cpu skylakex --cores 16
boots --cpu skylakex --cores 2 --smt
boots --cpu skylakex --cores 4 --args x2apic
boots --cpu icelakex --cores 4 --memory 128
boots --cpu skylakex --cores 4 --keys q
boots --cpu skylakex --cores 4 --args leave
boots --cpu icelakex --cores 3 --args leave
boots --cpu graniterapids --cores 1
boots --cpu nehalem --cores 2
boots --cpu core2 --cores 2
boots --cpu prescott --cores 1
boots --cpu zen4 --cores 2 --args leave
boots --cpu skylakex --cores 2 --fault clock:7
run --cpu skylakex --cores 64 --stats
sed -i -n '/^rig: at most/p' "$said"
memory=$(sed -n 's/^rig: at most \([0-9]*\) MiB of memory$/\1/p' "$said")
: >"$said"
claim "the check image passes with 64 processors" shown passes
claim "64 processors take less than 512 MiB" [ "${memory:-9999}" -lt 512 ]
run --cpu skylakex --cores 4
first=$log first_truth=$truth
run --cpu skylakex --cores 4
claim "two runs give the same log" same "$first" "$log"
claim "two runs give the same truth" same "$first_truth" "$truth"
claim "and there is a truth" [ -s "$truth" ]

# one STATUS PATTERN ARGUMENT: on one processor
one() { ends "$1" "$2" --cpu skylakex --cores 1 --args "$3"; }
for end in return halt poweroff Cold Warm Shutdown Platform; do
    one 0 "" $end
done
one 1 "unknown type 4" Unknown
run --cpu skylakex --cores 1 --args asks
# lacks WHAT TIMES: one line of standard error says that the firmware lacks it, and how often the image asked.
lacks() { [ "$(grep -cx "rig: the firmware lacks $1, called from 0x[0-9a-f]*, $2" "$work/$runs.err")" -eq 1 ]; }
asked() {
    lacks 'UNICODE_COLLATION_PROTOCOL (1d85cd7f-f43d-11d2-9a0c-0090273fc14d): locate_handle' '1 time in all' &&
        lacks 'MP_SERVICES_PROTOCOL (3fdda605-a76e-4f46-ad29-12f4531b3d08): locate_protocol' '2 times in all' &&
        lacks set_time '1 time in all' && [ "$(wc -l <"$work/$runs.err")" -eq 3 ]
}
claim "what an image asks the firmware for in vain is named" shown asked
one 4 "shutdown, status 0x8000000000000015: the image says that its run failed" Failed
one 4 "the image returned, status 0x8000000000000015" Error
one 7 "debug exit port" exit
one 1 "deadlock" deadlock
one 1 "triple fault" triple
one 1 "cannot execute .* c4 e3 7d 08 c1 00" vex
one 1 "cannot execute the instruction at 0x[0-9a-f]*: 62 f1 74 48 c2 ca 00" zmm
one 1 "cannot execute the instruction at 0x[0-9a-f]*: 8f e8 78 a2 c1 10" other
one 1 "cannot execute the instruction at 0x[0-9a-f]*: 0f aa" management
one 1 "cannot execute the instruction at 0x[0-9a-f]*: 0f 23 f8" breakpoint
one 1 "vector 6 at" intruder
one 1 "foreign interrupt descriptor table" call
# A loop of PAUSEs passes the time quickly: the five minutes of the firmware's watchdog are soon over.
ends 1 "watchdog timer reset the machine" --cpu skylakex --cores 1 --args spin --seconds 600
# No simulated time passes in exceptions of which each comes in the handler of the one before, nor in real mode.
ends 1 "seconds of host time" --cpu skylakex --cores 1 --args nested --seconds 1 --memory 3072
ends 1 "seconds of host time" --cpu skylakex --cores 2 --args kept --seconds 1
"$build/rig" --help >"$work/help" 2>"$work/help.err"
claim "--help ends with status 0 and nothing on standard error" [ $? -eq 0 -a ! -s "$work/help.err" ]
# options: those that a page's table or --help begins a line with; --list and its like are no options of a run.
named() { grep -E "$1" "$2" | cut -d"$3" -f"$4" | grep -oE -e '--[a-z0-9-]+' | grep -vxE -e '--(help|list|long)' | sort -u; }
named '^\| `--' rig/README.md '|' 2 >"$work/options.page"
named '^  --' "$work/help" ' ' 3 >"$work/options.help"
claim "--help and the page's table name the same options" cmp "$work/options.page" "$work/options.help"
# forms: of faults, those that the page's tables begin a line with, and those that --help lists.
grep '^| `' rig/doc/faults.md | cut -d'|' -f2 | grep -o '`[^`]*`' | tr -d '`' | grep -v '^{' |
    grep -vxE 'wrmsr|msr|rdpmc|window|core-window|turn|uefi|uefi:CALL|stick|uart|pmi|cr3|counter|fixed|bank' | sort -u >"$work/faults.page"
sed -n '/^  --fault WHAT/,/^  --fault-points/p' "$work/help" | sed '1d;$d' | awk '{ print $1 }' | sort -u >"$work/faults.help"
claim "--help and the page of faults name the same forms: $(wc -l <"$work/faults.help")" diff "$work/faults.page" "$work/faults.help"
claim "no line of --help is longer than 100 columns" absent '.{101}' "$work/help"
ends 2 'unknown personality "pentium"' --cpu pentium --cores 1
ends 2 "impossible value for --cores: expected a number from 1 to 512, not .0.$" --cpu skylakex --cores 0
ends 2 "impossible value" --cpu skylakex --cores 100000
ends 2 "impossible value" --cpu skylakex --cores 4x
ends 2 'unknown name "branch"; known are memory, branches, frontend, clears, core$' --cpu skylakex --cores 1 --ideal memory,branch
ends 2 "unknown option --verbose" --cpu skylakex --cores 1 --verbose
ends 2 "unknown option more" --cpu skylakex --cores 1 more
ends 2 "are needed" --cpu skylakex
ends 2 "a value is missing after --cores" --cpu skylakex --cores
ends 2 "impossible value for --memory" --cpu skylakex --cores 1 --memory 31
ends 2 "impossible value for --cores" --cpu skylakex --cores 257 --smt
ends 2 "impossible value for --trace-window" --cpu skylakex --cores 1 --trace-window 0:1
for fault in "" msr msr:0 msr:x uefi:-1 ap ap:1 smi:0 count:INST_RETIRED.ANY serial:loud nothing; do
    ends 2 "fault" --cpu skylakex --cores 1 --fault "$fault"
done
ends 2 "cannot be written" --cpu skylakex --cores 1 --truth "$work/no-folder/truth"

# on FOLDER: a run with that folder as the stick
on() {
    log=$work/on.log said=$work/on.err
    "$build/rig" --cpu skylakex --cores 1 --esp "$1" >"$log" 2>"$said"
    status=$?
}
nowhere() { # TEXT FOLDER PATTERN
    on "$2"
    claim "$1 is refused: $3" shown says 2 "$3"
}
nowhere "a folder that is not there" "$work/no-folder" "not a folder that can be read"
nowhere "a file in place of the folder" "$image" "not a folder that can be read"
mkdir -p "$work/bare/EFI/BOOT/BOOTX64.EFI"
nowhere "a folder in place of the image" "$work/bare" "BOOTX64.EFI: it is not a readable file"
rmdir "$work/bare/EFI/BOOT/BOOTX64.EFI"
nowhere "a stick without an image" "$work/bare" "BOOTX64.EFI: there is no such file"

bad=$work/bare/EFI/BOOT/BOOTX64.EFI
: >"$bad"
nowhere "an empty file" "$work/bare" "not a PE image"
echo "a text that is long enough to hold the header of an image, but is none of any kind at all" >"$bad"
nowhere "a text" "$work/bare" "not a PE image"
for size in 64 100 300 1000 5000; do
    head -c $size "$image" >"$bad"
    nowhere "an image cut after $size bytes" "$work/bare" "BOOTX64.EFI: "
done
cp "$image" "$bad"
offset=$(od -An -tu4 -j60 -N4 "$image" | tr -d ' ')
printf '\252' | dd of="$bad" bs=1 seek=$((offset + 4)) conv=notrunc 2>/dev/null
nowhere "an image for another machine" "$work/bare" "another machine"
finish
