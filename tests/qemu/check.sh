#!/bin/sh
# Boots the image under OVMF in the machines that it must get through, and checks each log. TAP on standard output.
#   check.sh BUILD
# With CORES=all also 64 CPUs in two packages.
# shellcheck disable=SC2086 # $flash is an option or none
set -u
. tests/boot.sh

# parses LOG COUNT: prove finds so many failures, and no other fault.
parses() {
    proves "$1" >"$work/prove"
    cat "$work/prove"
    grep -q "Failed: $2)" "$work/prove" && ! grep 'Parse errors' "$work/prove"
}

# The serial line has the brief form and the stick the full one, unless the configuration says the same of both. Both
# count the same verdicts.
verdicts() { grep '^{"type":"end"' "$1" | jq -r '[.pass, .fail, .skip, .discarded, .reason] | @tsv'; }
same_or_full() {
    same "$work/$1.log" "$work/$1.stick.log" >"$work/same" && return
    has "$1" '.type == "machine" and .detail == "brief"' && whole "$work/$1.stick.log" &&
        grep -q '^{"type":"machine",.*"detail":"full"' "$work/$1.stick.log" &&
        [ "$(verdicts "$work/$1.log")" = "$(verdicts "$work/$1.stick.log")" ] && return
    cat "$work/same"
    false
}
# Processors that run at once race as those of a board do; one alone has nobody to race, and its time may be counted.
counted() { [ "$1" -gt 1 ] || echo --counted; }
# machine NAME CPUS OPTIONS...: the options are those of run.sh. The limit of host time is there for a machine
# that hangs; no host is so busy that a sound run needs an hour.
machine() {
    name=$1 cpus=$2
    shift 2
    # shellcheck disable=SC2046
    claim "$name: boots to its end and powers off" sh tests/qemu/run.sh "$build" --quiet --folder "$work" \
        --name "$name" --seconds 3600 --cpus "$cpus" $(counted "$cpus") $flash "$@"
    claim "$name: the log is whole: records, CRCs, sequence, plan" whole "$work/$name.log"
    claim "$name: prove reads the log, with a failure for each core" parses "$work/$name.log" "$cpus"
    claim "$name: the log on the stick is the same, or the full form of it" same_or_full "$name"
    claim "$name: a record for each of $cpus cores" \
        [ "$(records "$name" 'select(.type == "core").core' | wc -l)" -eq "$cpus" ]
    unmeasured "$name" "$cpus" # QEMU's processor has no counters
    no_error "$name"
}

# The machine that boots from QEMU's own server has the firmware whose variables are in flash, and so have those of
# secure_boot.sh.
flash=--no-flash
printf 'kernels = cal.empty\ndetail = full\n' >"$work/sixteen-cpus.cfg"
# nodes CPUS BYTES: words for QEMU: two packages of CPUS / 2, each a node with half of the memory.
nodes() {
    echo "-smp $1,sockets=2 -object memory-backend-ram,id=m0,size=$2 -object memory-backend-ram,id=m1,size=$2" \
        "-numa node,nodeid=0,memdev=m0,cpus=0-$(($1 / 2 - 1)) -numa node,nodeid=1,memdev=m1,cpus=$(($1 / 2))-$(($1 - 1))" \
        "-numa dist,src=0,dst=1,val=20"
}
# two_nodes NAME CPUS: half of the cores are on each of two nodes.
two_nodes() {
    claim "$1: package and node of each core" [ "$(records "$1" 'select(.type == "core") | "\(.package) \(.node)"' |
        uniq -c | awk '{ print $1, $2, $3 }' | paste -sd,)" = "$(($2 / 2)) 0 0,$(($2 / 2)) 1 1" ]
}
machine sixteen-cpus 16 --config "$work/sixteen-cpus.cfg" --memory 512 --qemu "$(nodes 16 256M)"
two_nodes sixteen-cpus 16
if [ "${CORES-}" = all ]; then
    machine sixty-four-cpus 64 --config "$work/sixteen-cpus.cfg" --memory 1024 --qemu "$(nodes 64 512M)"
    two_nodes sixty-four-cpus 64
fi

# Boards without UEFI: the same stick under SeaBIOS. Nothing can be written to the stick there.
bios() { # NAME CPUS OPTIONS...
    name=$1 cpus=$2
    shift 2
    claim "$name: boots under SeaBIOS to its end" sh tests/qemu/run.sh "$build" --bios --quiet \
        --folder "$work" --name "$name" --seconds 3600 --cpus "$cpus" "$@"
    claim "$name: the log is whole: records, CRCs, sequence, plan" whole "$work/$name.log"
    claim "$name: all $cpus cores start, and each has a record" \
        has "$name" ".type == \"machine\" and .cores_found == $cpus and .cores_started == $cpus"
    claim "$name: a record for each of $cpus cores" \
        [ "$(records "$name" 'select(.type == "core").core' | wc -l)" -eq "$cpus" ]
    unmeasured "$name" "$cpus"
    no_error "$name"
}
# The records without what the firmware, the clock and their place in the log decide. SeaBIOS and OVMF number
# processors alike.
common() {
    records "$1" 'select(.type != "machine" and .type != "log") | del(.crc, .seq, .duration_us, .windows, .microcode, .texts) | tojson' &&
        sed -n 's/^\(not \)*ok [0-9]* - //p' "$work/$1.log"
}
as_under_uefi() { # NAME UEFI
    common "$1" >"$work/bios.common"
    common "$2" >"$work/uefi.common"
    [ -s "$work/bios.common" ] && same "$work/bios.common" "$work/uefi.common"
}
# It halts, so that its last page can be looked at; the others power themselves off.
printf 'end = halt\n' >"$work/bios-one.cfg"
bios bios-one 1 --memory 128 --config "$work/bios-one.cfg" --picture "$work/bios-one.ppm" --qemu '-smbios type=2,manufacturer=Slot,product=Scope,version=2
    -device ipmi-bmc-sim,id=bmc -device isa-ipmi-kcs,bmc=bmc'
claim "bios-one: the firmware's name is GRUB's" has bios-one '.type == "machine" and
    (.firmware_vendor | startswith("BIOS, GRUB")) and .serial == "COM1 0x3f8 115200"'
smbios_is_read() {
    has bios-one '.type == "machine" and (.bios | startswith("SeaBIOS ")) and .board == "Slot Scope 2"' &&
        grep '^# watchdog: SMBIOS names a management controller' "$work/bios-one.log"
}
claim "bios-one: SMBIOS names firmware, board and the management controller" smbios_is_read
claim "bios-one: the log says that there is no log file" \
    grep '^# no log file: what the image was started from cannot be written' "$work/bios-one.log"
bios bios-sixteen 16 --config "$work/sixteen-cpus.cfg" --memory 512 --qemu "$(nodes 16 256M)"
claim "bios-sixteen: the same records and verdicts as under UEFI" as_under_uefi bios-sixteen sixteen-cpus
two_nodes bios-sixteen 16
printf 'kernels = cal.empty\nend = halt\n' >"$work/bios-screen.cfg"
# Without an interval timer, as a board has none whose clock is gated: the time is the ACPI power management timer's.
claim "bios-screen: a run that halts shows its last page" sh tests/qemu/run.sh "$build" --bios --quiet \
    --folder "$work" --name bios-screen --seconds 3600 --cpus 2 --config "$work/bios-screen.cfg" --qemu '-machine pit=off' \
    --picture "$work/bios-screen.ppm"
claim "bios-screen: and knows the clock's rate, by a wait that the firmware measured" \
    has bios-screen '.type == "machine" and .tsc_source == "ACPI PM timer" and .tsc_ticks_per_us > 100'

# A PCI function as the serial line, which the firmware has not switched on, and nine more behind it. The stick is on USB.
printf 'kernels = cal.empty\ndetail = full\n' >"$work/pci-serial.cfg"
more=$(for slot in 10 11 12 13 14 15 16 17 18; do echo "-device pci-serial,addr=$slot"; done)
machine pci-serial 1 --config "$work/pci-serial.cfg" --line pci-serial --older "$work/pci-serial.cfg" --from usb \
    --qemu "-device ipmi-bmc-sim,id=bmc -device isa-ipmi-kcs,bmc=bmc $more"
claim "pci-serial: eight of the others are named, and one is counted" [ "$(grep -cE \
    '^# serial line: (not PCI 00:1[0-7].0 0x[0-9a-f]+: another UART is the line, which was found before it|nor 1 more UARTs)$' \
    "$work/pci-serial.log")" = 9 ]
claim "pci-serial: the log says which function it is" \
    has pci-serial '.type == "machine" and (.serial | test("^PCI 00:[0-9a-f]{2}\\.0 0x[0-9a-f]+ 115200$"))'

claim "pci-serial: the chipset's watchdog is named" \
    grep '^# watchdog: the TCO timer of 8086:2918, ports from 0x660 on, is not halted' "$work/pci-serial.log"
claim "pci-serial: and the management controller" \
    grep '^# watchdog: SMBIOS names a management controller' "$work/pci-serial.log"
claim "pci-serial: the log of the run before is kept" same "$work/pci-serial.cfg" "$work/pci-serial.older.log"
claim "pci-serial: the log on the stick, which is on USB, is the same" same "$work/pci-serial.log" "$work/pci-serial.stick.log"

# The same behind bridges of another root, bus 80H, of which only the MCFG tells. The processor is a Pentium 4, which is
# known by its family alone: QEMU has none of its counters, and its IA32_MISC_ENABLE says so.
printf 'kernels = cal.empty\n' >"$work/pci-root.cfg"
machine pci-root 1 --memory 128 --config "$work/pci-root.cfg" --cpu vendor=GenuineIntel,family=15,model=4,stepping=1 --line pci-serial,bus=old,addr=3 --qemu '-device
    pxb-pcie,id=far,bus_nr=128,bus=pcie.0 -device pcie-root-port,id=hole,bus=far,chassis=1,slot=1 -device
    pcie-pci-bridge,id=old,bus=hole'
claim "pci-root: the log says which function it is" \
    has pci-root '.type == "machine" and (.serial | test("^PCI 82:03\\.0 0x[0-9a-f]+ 115200$"))'
claim "pci-root: a core of family 15 is NetBurst, and its counters are reported absent" has pci-root '.type == "core" and
    .signature == "0f_04 stepping 1" and .counts == false and .description == "prescott" and
    (.absent | test("^IA32_MISC_ENABLE says that .* are not available$"))'

# The screen as a picture. What it shows is known from the log.
printf 'kernels = cal.empty\ndetail = full\nend = halt\n' >"$work/screen.cfg"
claim "screen: a run that halts shows its last page" sh tests/qemu/run.sh "$build" --quiet --folder "$work" \
    --name screen --seconds 3600 --cpus 2 $flash --config "$work/screen.cfg" --picture "$work/screen.ppm"
shows() { "$build/tools/check_screen" "$work/screen.ppm" "$@"; }
claim "screen: the title names the processor" \
    shows 1 " slotscope  $(records screen 'select(.type == "core" and .core == 0).brand')"
claim "screen: how the run ended" shows 3 " the run is over: $(records screen 'select(.type == "end").reason')"
claim "screen: the verdicts of the end record" shows 6 "$(records screen 'select(.type == "end") |
    " verdicts: \(.pass) ok, \(.fail) not ok, \(.skip) skipped; windows thrown away: \(.discarded)"')"
claim "screen: nothing else is between the two" shows 4 ""

# Broken kernels of the user's own, where the firmware hands over with five levels of paging. OVMF has four, so a loader
# changes that before it starts the image. Two cores, as in the run above. Each is ended on each core, and the run goes on. QEMU walks
# page tables, checks rights and delivers traps by its own means. Time is the host's: what shall come to its end has
# seconds for it, where QEMU alone takes less than one. Only an NMI ends the last of them, at the end of the core's timeout.
# (By counted time QEMU 7.2 sometimes never runs the other core again, once one loops with interrupts off.)
as_with_four() {
    for run in "$1" "$2"; do
        common "$run" | grep -v '"type":"\(end\|own\|error\|library\)"' | grep -v 'own\.\|^1\.\.' >"$work/$run.built-in"
    done
    grep -q '"type":"core"' "$work/$1.built-in" && same "$work/$1.built-in" "$work/$2.built-in"
}
mkdir "$work/own"
own() { # NAME DEADLINE FILE
    nasm -f bin -o "$work/own/$1.bin" "$3" && printf 'name own.%s\nn 50\nbuffer 4096\ndeadline %s\n' "$1" "$2" >"$work/own/$1.exp"
}
for kernel in ud gp_cli ss_address pf_above pf_stack return_less ring0_null ring0_window ring0_stack sound_clobber; do
    own $kernel 5000000 tests/rig/own/$kernel.asm
done
own loop 20000 tests/rig/own/loop.asm
own ring0_loop 20000 tests/rig/own/ring0_loop.asm
printf 'bits 64\nmov eax, cs\ntest al, 3\njnz good\ncli\njmp $\ngood: ret\n' >"$work/ring0_cli.asm"
own ring0_cli 5000000 "$work/ring0_cli.asm"
printf 'kernels = cal.empty, own.*\ndetail = full\ntimeout = 2\n' >"$work/own.cfg"
claim "own: boots to its end and powers off" sh tests/qemu/run.sh "$build" --quiet --folder "$work" --name own \
    --seconds 3600 --cpus 2 $flash --config "$work/own.cfg" --loader "$build/qemu/la57.efi" --cpu la57=on --kernels "$work/own" \
    --qemu "-debugcon file:$work/own.said"
claim "own: the log is whole: records, CRCs, sequence, plan" whole "$work/own.log"
claim "own: the loader had switched five levels on" grep -x 'started with five levels' "$work/own.said"
claim "own: the same records and verdicts of cores and built-in kernels as with four" as_with_four own screen
claim "own: twelve kernels are ended on each core, the sound one is not" \
    [ "$(records own 'select(.trial != null and .kernel != "own.sound_clobber").core' | sort | uniq -c | tr -s ' \n' ' ')" \
    = ' 12 0 12 1 ' ]
as_in_trials() {
    records own 'select(.trial != null and .core == 1) | "\(.kernel) \(.trial) \(.what)"' | sort |
        sed 's/an own kernel was ended: //; s/: it [^ ]* [^ ]* 0x.*//; s/ returned with .*/ returned/'
}
cat >"$work/own.expected" <<'EOT'
own.gp_cli true #GP at byte 0 of its code
own.loop true no end within 20000 us, last at byte 0 of its code
own.pf_above true #PF at byte 0 of its code
own.pf_stack true #PF at byte 0 of its code
own.return_less true it returned
own.ring0_cli false no end within the core's timeout, last at byte 7 of its code
own.ring0_loop false no end within 20000 us, last at byte 6 of its code
own.ring0_null false #PF at byte 8 of its code
own.ring0_stack false #PF at byte 6 of its code
own.ring0_window false #PF at byte 10 of its code
own.ss_address true #GP at byte 10 of its code
own.ud true #UD at byte 0 of its code
EOT
as_in_trials >"$work/own.ends"
claim "own: by what, where, and in which run" diff "$work/own.expected" "$work/own.ends"
claim "own: no core is lost" has own '.type == "end" and .reason == "unmeasured" and .cores_unmeasured == 2'

# The emulated CPU has AVX2 and no AVX-512: kernels that need AVX2 run, in the state that boot/ enables, and those
# that need AVX-512 are left out and say so.
printf 'kernels = ret.fp.*\n' >"$work/no-serial.cfg"
machine no-serial 1 --no-serial --config "$work/no-serial.cfg"
claim "no-serial: what needs AVX-512 says that it is not there" \
    grep '^ok .*ret.fp.512.double INST_RETIRED.ANY # SKIP this core has no avx512f' "$work/no-serial.log"
claim "no-serial: what needs AVX runs" absent 'this core has no avx$' "$work/no-serial.log"

# The ISO on a stick, which is written.
printf 'kernels = cal.empty\ndetail = full\n' >"$work/short.cfg"
claim "iso: boots to its end and powers off" sh tests/qemu/run.sh "$build" --quiet --folder "$work" \
    --name iso --seconds 3600 --cpus 1 --counted $flash --config "$work/short.cfg" --from iso
claim "iso: the log is whole: records, CRCs, sequence, plan" whole "$work/iso.log"
claim "iso: and so is the same log on the stick" same "$work/iso.log" "$work/iso.stick.log"

# The ISO as a CD under SeaBIOS.
bios bios-cd 1 --counted --config "$work/short.cfg" --from cd

# From a CD, and over the network, where there is no file system to write to.
for from in cd net; do
    [ $from = cd ] && flash=--no-flash || flash=
    claim "$from: boots to its end and powers off" sh tests/qemu/run.sh "$build" --quiet --folder "$work" \
        --name $from --seconds 3600 --cpus 1 --counted $flash --config "$work/pci-serial.cfg" --from $from
    claim "$from: the log is whole: records, CRCs, sequence, plan" whole "$work/$from.log"
    claim "$from: the log says that there is no log file" grep '^# no log file: ' "$work/$from.log"
    [ $from = cd ] || claim "net: the configuration is the server's" \
        grep '^# slotscope/slotscope.cfg of 10.0.2.2, by TFTP: read' "$work/net.log"
    unmeasured $from 1
    no_error $from
done
# Neither a stick nor a serial line, and a server that takes files: it gets the log, by TFTP after PXE, by PUT after the
# firmware's HTTP boot. A firmware that gave the network up would stay in its menu.
flash=--no-flash
for from in tftp http; do
    if [ "$(id -u)" -ne 0 ] || ! unshare --net true 2>/dev/null || ! command -v dnsmasq in.tftpd ip >/dev/null; then
        number=$((number + 1))
        echo "ok $number - $from: a server gets the log # SKIP it takes root, dnsmasq-base, tftpd-hpa and iproute2"
        continue
    fi
    claim "$from: boots to its end and powers off" sh tests/qemu/run.sh "$build" --quiet --folder "$work" \
        --name $from --seconds 300 --cpus 1 --counted $flash --no-serial --config "$work/short.cfg" --from $from
    claim "$from: the log that the server got is whole: records, CRCs, sequence, plan" whole "$work/$from.log"
    claim "$from: of a run by the server's configuration" grep -E '^# .*slotscope/slotscope.cfg.*: read$' "$work/$from.log"
    unmeasured $from 1
    no_error $from
done
# Nothing keeps the log. QEMU=all: nobody says when the run is over, so the machine is looked at after two minutes.
if [ "${QEMU-}" = all ]; then
    claim "alone: without a serial line and a file system the machine stays on" sh tests/qemu/run.sh "$build" --quiet \
        --folder "$work" --name alone --seconds 240 --cpus 1 --no-serial --from net --picture "$work/alone.ppm"
    claim "alone: with the summary on the screen" "$build/tools/check_screen" "$work/alone.ppm" 3 \
        " the run is over: unmeasured"
    claim "alone: which says that nobody keeps the log" "$build/tools/check_screen" "$work/alone.ppm" 25 \
        " The log: the server does not take it: the machine stays on"
fi
finish
