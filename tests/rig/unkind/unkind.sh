#!/bin/sh
# Kernels of the user's own that do in ring 0 what is not theirs (tests/rig/unkind/kernels.txt): each is ended, or what
# it changed is named and put back, and what is measured after it is what is measured without. TAP on standard output.
#   unkind.sh BUILD
# UNKIND=all: also one that loses its core, all that only another core can end, and on more personalities.
set -u
. tests/boot.sh
table=tests/rig/unkind/kernels.txt
tab=$(printf '\t')

# assemble NAME INSTRUCTIONS: makes $kernels/NAME.bin and .exp. In its trial it only counts down.
assemble() {
    {
        printf 'bits 64\nagain: dec rdi\njnz again\nmov eax, cs\ntest al, 3\njnz done\n'
        printf '%s\n' "$2" | tr '|' '\n' | awk '
            $1 == "W" { print "mov ecx, " $2 "\nmov eax, " $3 "\nmov edx, " $4 "\nwrmsr"; next }
            $1 == "X" { print "mov ecx, " $2 "\nrdmsr\nxor eax, " $3 "\nwrmsr"; next }
            { print }'
        printf 'done: ret\n'
    } >"$work/$1.asm"
    nasm -w-label-orphan -f bin -o "$kernels/$1.bin" "$work/$1.asm" &&
        printf 'name own.%s\nn 50\nbuffer 4096\ndeadline 300\nexpect INST_RETIRED.ANY, 100, 300\n' "$1" >"$kernels/$1.exp"
}
# kernels_on NAME PATTERN: those of the table whose name matches, and one that is sound, on NAME's stick.
kernels_on() {
    stick "$1"
    kernels=$work/$1.esp/slotscope/kernels
    mkdir "$kernels"
    awk -F"$tab" -v OFS="$tab" -v run="$1" -v wanted="^($2)\$" '
        NR == FNR && $1 ~ /@/ && split($1, place, "@") && place[2] == run { becomes[place[1]] = $2 }
        NR == FNR || $1 ~ /^(#|$)|@/ || $1 !~ wanted { next }
        $1 in becomes { $2 = becomes[$1] }
        { print }' "$table" "$table" >"$work/$1.table"
    while IFS=$tab read -r name becomes instructions; do
        assemble "$name" "$instructions" || return 1
    done <"$work/$1.table"
    assemble zz_sound nop
}
# What a kernel of the table left in NAME's log on a core: its verdicts and errors.
said() { grep -E "^not ok [0-9]+ - core $3 own\.$2 |\"error\".*\"core $3, (kernel )?own\.$2[,\"]" "$work/$1.log"; }
# became NAME KERNEL CORE WHAT PATTERN
became() {
    said "$1" "$2" "$3" >"$work/said"
    case $4 in
    changed) grep -qE "^not ok .* changes only what is its own: .*$5" "$work/said" &&
        grep -q 'put back' "$work/said" && ! grep -q 'cannot be put back' "$work/said" && ! grep -q '^not ok .* runs: ' "$work/said" ;;
    counters) grep -qE "^not ok .* changes only what is its own: .*$5" "$work/said" &&
        grep -q '"what":"the kernel writes what counts it"' "$work/said" && uncounted "$1" "$2" "$3" ;;
    ended) grep -qE "^not ok .* runs: .*$5" "$work/said" && uncounted "$1" "$2" "$3" ;;
    lost) [ "$3" -eq 0 ] || grep -q "^not ok .* core $3 own\.$2 runs: core $3 did not come back from own\.$2" "$work/$1.log" ;;
    others) counted "$1" "$2" "$3" && has "$1" ".nmis >= 1 and .core == $((1 - $3)) and (.where | test(\"own.$2,\"))" >/dev/null ;;
    quiet) [ ! -s "$work/said" ] && counted "$1" "$2" "$3" ;;
    each) grep 'too many windows were disturbed' "$work/said" | grep -q 'guard interrupt' && uncounted "$1" "$2" "$3" ;;
    nmi) grep -q 'that nobody asked for' "$work/said" && ! grep -q '^not ok' "$work/said" && uncounted "$1" "$2" "$3" ;;
    esac
}
counts_of() { grep '"type":"counts"' "$work/$1.log" | grep -c "\"core\":$3,\"kernel\":\"own.$2\""; }
counted() { [ "$(counts_of "$@")" -ge 1 ]; }
uncounted() { [ "$(counts_of "$@")" -eq 0 ]; }
# all_became NAME CORES: each kernel of NAME's table on each core.
all_became() {
    wrong=0
    for core in $(seq 0 $(($2 - 1))); do
        while IFS=$tab read -r name becomes instructions; do
            became "$1" "$name" "$core" "${becomes%% *}" "${becomes#* }" && continue
            echo "core $core $name, not $becomes: $(cut -c1-300 "$work/said")"
            wrong=1
        done <"$work/$1.table"
    done
    [ $wrong = 0 ]
}
# What later kernels executed, and how their verdicts went, but for what depends on predictions.
later() {
    records "$1" 'select(.type == "kernel" and (.kernel | test("^own.zz|^ret|^be"))) | . as $k | .per_iterations
        | to_entries[] | select(.key | test("^INST_RETIRED.ANY$|^BR_INST|^MEM_INST|RETIRE_SLOTS"))
        | "\($k.core) \($k.kernel) \(.key) \(.value.min) \(.value.max)"'
    grep -E '^(not )?ok [0-9]+ - core [0-9]+ (own.zz|ret|be\.)' "$work/$1.log" |
        sed -E 's/ok [0-9]+ /ok /; s/ -?[0-9.]+ in \[.*//; s/[0-9]+\.[0-9]+/#/g'
}
unchanged() {
    later "$1" >"$work/with" && later "$1-without" >"$work/without" && [ "$(wc -l <"$work/without")" -ge 20 ] &&
        diff "$work/without" "$work/with"
}
# unkind NAME CORES PATTERN OPTION...
unkind() {
    run=$1 cores=$2 pattern=$3
    shift 3
    claim "$run: the kernels are assembled" kernels_on "$run" "$pattern"
    stick "$run-without"
    mkdir "$work/$run-without.esp/slotscope/kernels"
    cp "$work/$run.esp/slotscope/kernels"/zz_sound.* "$work/$run-without.esp/slotscope/kernels/"
    for name in "$run" "$run-without"; do
        boot "$name" --cores "$cores" --args "kernels=own.*,be.mem.l1,ret.nop levels=1 repeats=1 timeout=1" "$@"
    done
    in_order "$run"
    claim "$run: each of $(wc -l <"$work/$run.table") kernels becomes what the table says, on each core" all_became "$run" "$cores"
    claim "$run: no setting is another at the end" absent 'settings are as they were found' "$work/$run.log"
    claim "$run: the run took a time that it can have taken" has "$run" \
        '.type == "end" and .duration_us > 1000 and .duration_us < 20000000'
}
# all_back NAME: no core is lost, and nothing is left behind.
all_back() {
    claim "$1: what comes after them executes and is judged as without them" unchanged "$1"
    claim "$1: every register of counters holds its old value" absent 'put back, [1-9][0-9]* of them differ' "$work/$1.log"
    claim "$1: every processor is left as it was found" absent 'is left with' "$work/$1.err"
}

claim "the table and the folder have at least 100 kernels" \
    [ $(($(grep -cvE '^(#|$)|^[^'"$tab"']*@' "$table") + $(ls tests/rig/own/*.asm | wc -l))) -ge 100 ]
plain=$(grep -vE '^(#|$|in_|with_|lost_|[a-z_0-9]*@)' "$table" | cut -f1 | paste -sd'|')
# Each core alone sees what becomes of its kernels; what may come to another one is tried on two.
others=$(awk -F"$tab" '$2 == "others" && $1 !~ /@/ { print $1 }' "$table" | paste -sd'|')
if [ "${UNKIND-}" = all ]; then
    unkind x2apic 2 "$plain" --cpu skylakex --x2apic
else
    unkind x2apic 1 "$(echo "$plain" | tr '|' '\n' | grep -vxE "$others" | paste -sd'|')" --cpu skylakex --x2apic
    unkind others 2 "$others" --cpu skylakex --x2apic
    all_back others
fi
all_back x2apic
# TEST of 8, the selector, with 3 leaves ZF and PF; interrupts are on. INT 13 pushes no error code, as #GP does.
claim "x2apic: the record of INT 13 has the next instruction, ring 0, the flags, and no error code" has x2apic '.type == "error" and
    .kernel == "own.int_gp" and .vector == 13 and .ring == 0 and has("error_code") == false and (.rip | test("00d$")) and
    .registers.rax == "0x8" and (.registers.rflags | test("^0x2[45]6$")) and (.registers.rsp | test("ff8$"))'
unkind xapic 1 'in_xapic.*|apic_off|misc_enable|tsc.*|counter_0|swap_gs|dr7.*|port.*' --cpu skylakex
all_back xapic
# A processor without IA32_TSC_ADJUST: the timer that ends the kernel says how long it ran.
unkind no-adjust 1 'tsc_forward|tsc_back|tsc_a_lot|misc_enable|apic_off' --cpu skylakex --x2apic --fault gone:0x3b
all_back no-adjust
# Only another core can end these: by an NMI after a second, or with an INIT, and then the core is lost.
nmi=with_nmi_halt
[ "${UNKIND-}" != all ] || nmi='with_nmi_.*'
unkind hung 2 "$nmi" --cpu skylakex
all_back hung
if [ "${UNKIND-}" = all ]; then
    unkind init 2 lost_init --cpu skylakex
    claim "init: core 1 is lost, and core 0 measures all" has init \
        '.type == "end" and .reason == "lost" and .cores_lost == 1'
    for cpu in haswell icelakex sapphirerapids; do
        unkind "$cpu" 2 "$plain" --cpu "$cpu" --x2apic
        all_back "$cpu"
    done
fi
finish
