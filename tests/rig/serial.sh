#!/bin/sh
# Serial lines as boards have them: behind ports and in memory, named by a table or by nobody, on any root of PCI, wired
# or not. TAP on standard output. The counters of an AMD processor before Zen are not programmed, which makes these runs
# short.
#   serial.sh BUILD
# With SERIAL=all both clocks of an LPSS in each state, and more places of lines alike.
set -u
. tests/boot.sh

# shellcheck disable=SC2086 # options in words
old="--cpu zen4 --cpuid $work/k10.csv"
k10 "$work/k10.csv"

# line NAME OPTION...: a run whose configuration names no serial line.
line() {
    name=$1
    shift
    boot "$name" $old --cores 1 "$@"
}
# On a slow clock the waits for a function that is asleep are as long, and take fewer instructions.
slowly="--fault slow:100"
stick_log() { echo "$work/$1.esp/slotscope/slotscope.log"; }
# takes NAME TEXT: the serial line is that one, and the log arrives there, at the rate of the terminal.
serial_is() { grep '^{"type":"machine"' "$(stick_log "$1")" | jq -e --arg line "$2" '.serial == $line'; }
takes() {
    claim "$1: the serial line is $2" serial_is "$1" "$2"
    claim "$1: the log that arrives is whole, with the line end of its last line" arrives "$1"
}
# The last byte is still on its way when the line's own rate could be put back too early.
arrives() { whole "$work/$1.log" && [ "$(tail -c 2 "$work/$1.serial" | od -An -tx1)" = ' 0d 0a' ]; }
# nothing NAME TEXT: no byte arrives, and the stick's log says which line there is, or why there is none.
nothing() {
    claim "$1: no byte arrives" [ ! -s "$work/$1.serial" ]
    claim "$1: the log on the stick is whole" whole "$(stick_log "$1")"
    claim "$1: and says $2" serial_is "$1" "$2"
}
says() { claim "$1: the log says: $2" grep -E "$2" "$(stick_log "$1")"; }

# Named by the SPCR, in memory. 48 MHz / 16 / 26 = 115384; the SPCRs of 8 and 16 bits do not say the clock, so the
# divisor that the firmware has set for 115200 tells it: 1 and 13.
line spcr-8 --serial mmio8
takes spcr-8 'memory 0xfe030000, 8 bits 115200'
line spcr-16 --serial mmio16
takes spcr-16 'memory 0xfe030000, 16 bits 115200'
if [ "${SERIAL-}" = all ]; then
    line root-lpss --serial lpss-100 --pci root
    takes root-lpss 'PCI 80:1e.0 memory 0xfe030000, 32 bits 115200'
    line com4 --serial com4 --serial-table none
    takes com4 'COM4 0x2e8 115200'
fi
line spcr-32 --serial mmio32
takes spcr-32 'memory 0xfe030000, 32 bits 115384'
says spcr-32 '^# serial line: memory 0xfe030000, 32 bits 115384, which the SPCR names$'
# Named by the DBG2, which says neither rate nor clock.
line dbg2-16 --serial mmio16 --serial-table dbg2
takes dbg2-16 "memory 0xfe030000, 16 bits, the firmware's rate"
line dbg2-com2 --serial com2 --serial-table dbg2
takes dbg2-com2 'COM2 0x2f8 115200'

# Named by nobody: 115200 is programmed, where the firmware left 9600.
line com1 --serial com1 --serial-table none
takes com1 'COM1 0x3f8 115200'
line pci --serial pci
takes pci 'PCI 01:00.0 0xd000 115200'
says pci '^# serial line: PCI 01:00.0 0xd000 115200, which nobody names; CTS, DSR or DCD is set$'
says pci '^# serial line: not COM2 0x2f8: CTS, DSR and DCD are clear: perhaps it leads nowhere$'
# The rig ends the run when the management engine is touched, which has a UART's subclass and is none.
claim "pci: what is no UART is not touched" absent touched "$work/pci.err"
line pci-memory --serial pci-memory
takes pci-memory 'PCI 01:00.0 memory 0xfe030000, 8 bits 115200'


# The UART of an Intel LPSS: in reset without a clock; in use; asleep. 120 MHz * 48 / 3125 = 100 MHz * 288 / 15625 =
# 1843200 Hz.
states='100-usual 100-asleep 120-usual 120-used'
[ "${SERIAL-}" != all ] || states="$states 100-used 120-asleep"
for state in $states; do
    # shellcheck disable=SC2086
    line lpss-$state --serial lpss-${state%-*} --serial-state ${state#*-} $slowly
    takes lpss-$state 'PCI 00:1e.0 memory 0xfe030000, 32 bits 115200'
done
# touches NAME: the rig ends the run when the image touches a function of a UART's class that is none.
touches() { claim "$1: what is no UART is not touched" absent touched "$work/$1.err"; }
touches lpss-120-usual
touches lpss-100-usual
places="lpss-120 pci"
[ "${SERIAL-}" != all ] || places="$places pci-memory"
for place in $places; do
    line nowhere-$place --serial $place --serial-state unassigned
    says nowhere-$place '^# serial line: not PCI 0[01]:[01][0e].0: a UART to which the firmware gave no address$'
    nothing nowhere-$place 'COM2 0x2f8 115200'
done

# It may lead to a chip on the board, so nothing rests on it, and a line of another kind is preferred.
line chip --serial lpss-120 --args 'exclusive=yes'
takes chip 'PCI 00:1e.0 memory 0xfe030000, 32 bits 115200'
says chip '^# serial line: PCI 00:1e.0 .*, which nobody names; it is an LPSS.s: perhaps it leads to a chip on the board$'
claim "chip: boot services stay" has chip '.type == "machine" and .boot_services'
line no-chip --serial lpss-120 --serial2 "$work/no-chip.com2"
nothing no-chip 'COM2 0x2f8 115200'
says no-chip '^# serial line: not PCI 00:1e.0 memory 0xfe030000, 32 bits: another UART is the line, which was found before it$'
line silent-chip --serial lpss-120 --serial-unwired
nothing silent-chip 'COM2 0x2f8 115200'
says silent-chip '^# serial line: COM2 0x2f8 115200, which nobody names; CTS, DSR and DCD are clear: perhaps it leads nowhere$'
says silent-chip '^# serial line: not PCI 00:1e.0 memory 0xfe030000, 32 bits: CTS, DSR and DCD are clear: perhaps it leads nowhere$'
# One that is named, beside one of PCI.
line beside --serial pci --serial2 "$work/beside.com2" --args 'serial=0x2f8'
nothing beside 'COM2 0x2f8 115200'
says beside '^# serial line: COM2 0x2f8 115200, which the configuration names$'
says beside '^# serial line: not PCI 01:00.0 0xd000: the configuration names the line$'

# A line of 115200 baud with a FIFO of 16 characters: none is sent that has no room, and the last ones leave before the
# line's own rate is put back, and before the power is off.
line paced --serial-paced
takes paced 'COM1 0x3f8 115200'
line paced-memory --serial mmio32 --serial-paced --args 'exclusive=yes end=poweroff'
claim "paced-memory: the log that arrives after boot services is whole" arrives paced-memory

# Registers above 4 GiB; and where the firmware's page tables end.
line high-spcr --serial mmio32 --serial-state high
takes high-spcr 'memory 0x800030000, 32 bits 115384'
line high-dbg2 --serial mmio32 --serial-table dbg2 --serial-state high --args 'exclusive=yes'
claim "high-dbg2: the log that arrives after boot services is whole" arrives high-dbg2
claim "high-dbg2: boot services end" has high-dbg2 '.type == "machine" and (.boot_services | not)'
line high-pci --serial pci-memory --serial-state high
takes high-pci 'PCI 01:00.0 memory 0x800030000, 8 bits 115200'
line high-lpss --serial lpss-120 --serial-state high
takes high-lpss 'PCI 00:1e.0 memory 0x800030000, 32 bits 115200'
line far-spcr --serial mmio32 --serial-state unmapped
nothing far-spcr 'COM2 0x2f8 115200'
says far-spcr "ignored: the firmware's page tables do not map that address\",\"where\":\"SPCR, memory 0x4000030000, 32 bits\""
line far-pci --serial pci-memory --serial-state unmapped
nothing far-pci 'COM2 0x2f8 115200'
says far-pci "^# serial line: not PCI 01:00.0 memory 0x4000030000, 8 bits: the firmware's page tables do not map that"

# Configuration space in memory alone, below and above 4 GiB; further roots; another segment.
line ecam --serial pci --pci ecam
takes ecam 'PCI 01:00.0 0xd000 115200'
touches ecam
# shellcheck disable=SC2086
line ecam-high --serial lpss-120 --pci ecam-high --serial-state asleep $slowly
takes ecam-high 'PCI 00:1e.0 memory 0xfe030000, 32 bits 115200'
line root --serial pci-memory --pci root
takes root 'PCI 81:00.0 memory 0xfe030000, 8 bits 115200'
line segment --serial pci --pci segment
takes segment 'PCI 0001:41:00.0 0xd000 115200'
# An MCFG that is wrong: what it says of memory is not read, and what is whole in it is used.
line mcfg-memory --serial pci --pci ecam --lie mcfg:memory
nothing mcfg-memory 'COM2 0x2f8 115200'
says mcfg-memory "ignored: the firmware's memory map has memory there\",\"where\":\"MCFG, 0x100000, segment 0, buses 00 to ff\""
line mcfg-ports --serial pci --lie mcfg:memory
takes mcfg-ports 'PCI 01:00.0 0xd000 115200'
line mcfg-cut --serial pci --pci segment --lie mcfg:cut
nothing mcfg-cut 'COM2 0x2f8 115200'
says mcfg-cut '"the table of PCI configuration space is damaged","where":"MCFG"'
line mcfg-root --serial pci --pci root --lie mcfg:memory
nothing mcfg-root 'COM2 0x2f8 115200'

# An SPCR of nothing: ignored, named, and the run goes on with what there is.
line lost --serial com1 --serial-table lost
takes lost 'COM1 0x3f8 115200'
claim "lost: the log says what was ignored" has lost '.type == "error" and .where == "SPCR, memory 0xfe032000, 32 bits"
    and (.what | test("ignored: no UART answers there"))'
line lost-alone --serial none --serial-table lost
nothing lost-alone 'none: no UART answers'
says lost-alone 'ignored: no UART answers there","where":"SPCR, memory 0xfe032000, 32 bits"'

# An SPCR of free memory, which looks like an idle UART. The rig ends the run when it is written. Of the second one the
# first registers are none, and only the last ones are memory.
for table in memory edge; do
    line $table --serial com1 --serial-table $table
    takes $table 'COM1 0x3f8 115200'
    claim "$table: what a table calls registers is not written" absent 'was written' "$work/$table.err"
    claim "$table: the log says that memory is there" has $table '.type == "error" and (.where | test("^SPCR, memory 0x"))
        and .what == "the serial line that a table names is ignored: the firmware'"'"'s memory map has memory there"'
done
# The firmware refuses the memory map when it is asked what is where the line is: the fifth call, after those that say how
# large the map is and give it to the image as it begins, and as it looks for a place for its stacks.
line mapless --serial mmio32 --serial2 "$work/mapless.com2" --fault uefi:get_memory_map:5
claim "mapless: no byte arrives" [ ! -s "$work/mapless.serial" ]
claim "mapless: the serial line is COM2" serial_is mapless 'COM2 0x2f8 115200'
says mapless 'ignored: perhaps memory is there: the firmware.s map cannot be read","where":"SPCR, memory 0xfe030000, 32 bits"'

# A line that nobody names, with all modem inputs clear, may lead nowhere: the log goes there, and `exclusive` does not
# rely on it. A named one is taken at its word.
line unwired --serial com1 --serial-table none --serial-unwired --args 'exclusive=yes'
takes unwired 'COM1 0x3f8 115200'
says unwired '^# serial line: COM1 0x3f8 115200, which nobody names; CTS, DSR and DCD are clear'
claim "unwired: boot services stay" has unwired '.type == "machine" and .boot_services'
claim "unwired: and the log says why" has unwired '.type == "error" and (.what | test("boot services stay"))'
line three-wires --serial com1 --serial-unwired --args 'exclusive=yes'
claim "three-wires: boot services end, since the SPCR names the line" \
    has three-wires '.type == "machine" and (.boot_services | not)'
claim "three-wires: the log that arrives is whole" whole "$work/three-wires.log"
# Of two lines that nobody names, the one with someone at its other end.
line wired --serial com1 --serial-table none --serial-unwired --serial2 "$work/wired.com2"
nothing wired 'COM2 0x2f8 115200'
says wired '^# serial line: not COM1 0x3f8: CTS, DSR and DCD are clear: perhaps it leads nowhere$'
claim "wired: the log arrives on COM2" grep -a '^1\.\.[0-9]' "$work/wired.com2"
# Nobody keeps the log for sure: the machine stays on.
line alone --serial com1 --serial-table none --serial-unwired --args 'log=none' --screen "$work/alone.txt"
claim "alone: the page says so" \
    grep '^ The log: serial line COM1 0x3f8 115200, if it is wired: the machine stays on$' "$work/alone.txt"
claim "alone: the machine halts in place of powering off" [ "$(cat "$work/alone.status")" = 0 ]

# Of each run the line is said once, and never as one that is not the line.
said() {
    for name in pci no-chip silent-chip beside wired chip root lpss-100-asleep; do
        line=$(grep '^{"type":"machine"' "$(stick_log "$name")" | jq -r .serial | sed 's/ [0-9]*$//')
        [ "$(grep -c "^# serial line: $line " "$(stick_log "$name")")" = 1 ] || { echo "$name: $line"; return 1; }
        ! grep "^# serial line: not $line" "$(stick_log "$name")" || return 1
    done
}
claim "the line is said once, and never as one that is not the line" said

cat "$work"/*.err >"$work/all.err"
claim "every register of every line is left as the firmware had it" absent 'is left with' "$work/all.err"

for bad in com5 mmio64 spcr; do
    claim "--serial $bad is refused" refuses --cpu zen4 --cores 1 --serial $bad
done
for bad in 'com1 --serial-state asleep' 'com1 --serial-state high' 'mmio8 --serial-state unassigned' 'mmio8 --pci root' \
    'pci --serial-state used' 'lpss-120 --serial-state sleepy' 'lpss-120 --pci bus'; do
    # shellcheck disable=SC2086
    claim "--serial $bad is refused" refuses --cpu zen4 --cores 1 --serial $bad
done
for bad in map:1 get_memory_map get_memory_map:0 raise_tpl:1; do
    claim "--fault uefi:$bad is refused" refuses --cpu zen4 --cores 1 --fault "uefi:$bad"
done
claim "--serial-table wrong is refused" refuses --cpu zen4 --cores 1 --serial-table wrong
claim "a table that names no line is refused" refuses --cpu zen4 --cores 1 --serial pci --serial-table spcr
claim "two lines at COM2 are refused" refuses --cpu zen4 --cores 1 --serial com2 --serial2 "$work/refused.com2"
finish
