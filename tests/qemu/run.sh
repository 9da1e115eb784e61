#!/bin/sh
# Boots BUILD/slotscope.img in QEMU, under OVMF or with --bios under SeaBIOS, until it powers itself off, and keeps the log.
#   run.sh BUILD [--cpus N] [--memory MiB] [--no-serial] [--seconds N] [--accel tcg|kvm]
#                [--name NAME] [--folder FOLDER] [--quiet] [--config FILE] [--qemu OPTIONS]
#                [--cpu FEATURES] [--picture FILE.ppm] [--bios] [--line DEVICE] [--older FILE]
#                [--from stick|usb|cd|iso|net|tftp|http] [--loader FILE] [--secure VARS] [--image FILE] [--counted]
#                [--kernels FOLDER] [--no-flash] [--shim FILE]
# With --secure the firmware has Secure Boot on, and VARS, a file of its variables, has the keys. With --image FILE is
# on the stick in the image's place. What the firmware itself says on the serial line is kept as FOLDER/NAME.firmware.
# With a loader the firmware starts FILE from the stick, which starts the image, \EFI\slotscope.efi.
# With shim the firmware starts FILE, which starts the image in GRUB's place.
# Without flash the firmware, a smaller one, keeps its variables in memory, which takes a third less time; where the
# distribution has no such file, there is flash.
# The kernels are the files of a folder with kernels of the user's own, put on the stick.
# The stick is a disk of virtio, or with usb one on USB. A CD is the ISO of tools/iso.sh, and with iso that is on a stick.
# From a CD or over the network (PXE) there is no stick: the log is the serial line's. The configuration is where the
# image is from. With net the server is QEMU's own, which cannot be written to; with tftp or http that of server.sh, which
# needs root: what it got is FOLDER/NAME.stick.log.
# Counted, time passes by instructions, 64 ns each, and not by the host's clock: where the firmware waits, nobody does. With
# tftp or http an idle machine waits for the host's clock all the same, or its time would be over before a packet is there.
# With a picture, the machine need not end itself (`end = halt`): when the log on the serial line has its plan, or without
# a serial line after half of the seconds, FILE gets what the screen shows, and QEMU ends.
# The serial line is COM1, or the DEVICE of QEMU, such as pci-serial. The older FILE is on the stick as the log of the run
# before, and what that run's log has become is kept as FOLDER/NAME.older.log.
# FEATURES follow the name of the model, such as family=15. OPTIONS are words for QEMU, such as '-gdb tcp::1234'.
# The log is FOLDER/NAME.log, by default in BUILD/qemu: the lines of the serial line; without a serial line, the
# file on the stick, which is kept as FOLDER/NAME.stick.log in any case. The exit status is 0 only when the
# machine powered itself off and the log has its end.
set -eu

build=$1
shift
cpus=4 memory=512 serial=yes seconds=300 accel=tcg name=run out=$build/qemu quiet=no config="" options="" features="" picture="" bios=no device="" older="" from=stick loader="" vars="" image="" counted=no server="" kernels="" flash=yes shim=""
while [ $# -gt 0 ]; do
    case $1 in
    --cpus) cpus=$2; shift ;;
    --memory) memory=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --accel) accel=$2; shift ;;
    --name) name=$2; shift ;;
    --folder) out=$2; shift ;;
    --no-serial) serial=no ;;
    --quiet) quiet=yes ;;
    --config) config=$2; shift ;;
    --qemu) options=$2; shift ;;
    --cpu) features=,$2; shift ;;
    --picture) picture=$2; shift ;;
    --bios) bios=yes ;;
    --line) device=$2; shift ;;
    --older) older=$2; shift ;;
    --from) from=$2; shift ;;
    --loader) loader=$2; shift ;;
    --secure) vars=$2; shift ;;
    --image) image=$2; shift ;;
    --counted) counted=yes ;;
    --kernels) kernels=$2; shift ;;
    --no-flash) flash=no ;;
    --shim) shim=$2; shift ;;
    *) echo "run.sh: unknown option $1" >&2; exit 2 ;;
    esac
    shift
done

mkdir -p "$out"
log=$out/$name.log
stick=$out/$name.stick.log
disk=$out/$name.img
rm -f "$log" "$stick" "$out/$name.serial"

firmware=
pairs="OVMF_CODE_4M.fd:OVMF_VARS_4M.fd OVMF_CODE.fd:OVMF_VARS.fd"
[ -z "$vars" ] || pairs=OVMF_CODE_4M.secboot.fd:OVMF_VARS_4M.fd
for pair in $pairs; do
    if [ -f "/usr/share/OVMF/${pair%:*}" ]; then
        firmware=/usr/share/OVMF/${pair%:*}
        cp "/usr/share/OVMF/${pair#*:}" "$out/$name.vars"
        break
    fi
done
[ -z "$vars" ] || cp "$vars" "$out/$name.vars"
[ -n "$firmware" ] || [ $bios = yes ] || { echo "run.sh: no OVMF firmware in /usr/share/OVMF" >&2; exit 2; }
whole=/usr/share/ovmf/OVMF.fd # code and variables in one
[ -f $whole ] || flash=yes
cp --sparse=always "$build/slotscope.img" "$disk"

# The partition begins at 1 MiB (image.sh).
export MTOOLS_SKIP_CHECK=1
if [ -n "$config" ]; then
    mmd -i "$disk@@1M" ::slotscope 2>/dev/null || true
    mcopy -o -i "$disk@@1M" "$config" ::slotscope/slotscope.cfg
fi
if [ -n "$kernels" ]; then
    mmd -i "$disk@@1M" ::slotscope 2>/dev/null || true
    mmd -i "$disk@@1M" ::slotscope/kernels
    mcopy -i "$disk@@1M" "$kernels"/* ::slotscope/kernels/
fi
if [ -n "$loader" ]; then
    mcopy -i "$disk@@1M" "$build/BOOTX64.EFI" ::EFI/slotscope.efi
    mcopy -o -i "$disk@@1M" "$loader" ::EFI/BOOT/BOOTX64.EFI
fi
[ -z "$image" ] || mcopy -o -i "$disk@@1M" "$image" ::EFI/BOOT/BOOTX64.EFI
if [ -n "$shim" ]; then
    mcopy -i "$disk@@1M" "${image:-$build/BOOTX64.EFI}" ::EFI/BOOT/grubx64.efi
    mcopy -o -i "$disk@@1M" "$shim" ::EFI/BOOT/BOOTX64.EFI
fi
[ -z "$older" ] || mcopy -o -i "$disk@@1M" "$older" ::slotscope/slotscope.log

line=none
[ $serial = no ] || line=file:$out/$name.serial
set --
if [ -n "$device" ]; then
    line=none
    set -- -chardev "file,id=line,path=$out/$name.serial" -device "$device,chardev=line"
fi
case $bios$flash in
nono) set -- "$@" -bios $whole ;;
noyes) set -- "$@" -drive "if=pflash,format=raw,unit=0,readonly=on,file=$firmware" \
    -drive "if=pflash,format=raw,unit=1,file=$out/$name.vars" ;;
esac
case $from in
stick) set -- "$@" -drive if=none,id=stick,format=raw,file="$disk" -device virtio-blk-pci,drive=stick,bus=pcie.0 ;;
usb) set -- "$@" -drive if=none,id=stick,format=raw,file="$disk" -device qemu-xhci -device usb-storage,drive=stick,removable=on ;;
cd | iso)
    rm -rf "$out/$name.folder"
    cp -r "$build/esp" "$out/$name.folder"
    [ -z "$config" ] || cp "$config" "$out/$name.folder/slotscope/slotscope.cfg"
    sh tools/iso.sh "$out/$name.folder" "$build/bios/stick" /usr/lib/grub/i386-pc/boot_hybrid.img "$build/bios/cd.img" "$disk"
    rm -rf "$out/$name.folder"
    if [ "$from" = cd ]; then
        set -- "$@" -drive if=none,id=cd,format=raw,readonly=on,file="$disk" -device ide-cd,drive=cd,bootindex=1
    else
        set -- "$@" -drive if=none,id=stick,format=raw,file="$disk" -device qemu-xhci -device usb-storage,drive=stick,removable=on
    fi
    ;;
net | tftp | http)
    mkdir -p "$out/$name.tftp/slotscope"
    [ -z "$config" ] || cp "$config" "$out/$name.tftp/slotscope/slotscope.cfg"
    cp "$build/BOOTX64.EFI" "$out/$name.tftp/"
    net=user,id=net,tftp=$out/$name.tftp,bootfile=BOOTX64.EFI
    [ "$from" = net ] || net=tap,id=net,ifname=slotscope0,script=no,downscript=no
    [ "$from" = net ] || server="sh tests/qemu/server.sh $from $out/$name.tftp"
    set -- "$@" -netdev "$net" -device virtio-net-pci,netdev=net,romfile=
    # Or the firmware asks for PXE first, over IPv4 and IPv6, and waits minutes for an answer.
    [ "$from" != http ] || set -- "$@" -fw_cfg name=opt/org.tianocore/IPv4PXESupport,string=n \
        -fw_cfg name=opt/org.tianocore/IPv6PXESupport,string=n
    ;;
esac
sleep=off
case $from in tftp | http) sleep=on ;; esac
[ $counted = no ] || set -- "$@" -icount shift=6,sleep=$sleep # 2^6 ns
monitor=none
[ -z "$picture$vars" ] || monitor=stdio
# What the monitor is told.
commands() {
    [ -n "$picture$vars" ] || return 0
    waited=0
    longest=$((seconds * 5))
    [ $serial = yes ] || longest=$((longest / 2))
    until grep -qE '^1\.\.[0-9]|^BdsDxe: No bootable|Security Violation' "$out/$name.serial" 2>/dev/null || [ $waited -ge "$longest" ]; do
        sleep 0.2
        waited=$((waited + 1))
    done
    # After a run the machine powers itself off.
    [ -z "$vars" ] || grep -q '^BdsDxe: No bootable' "$out/$name.serial" || sleep 2
    [ -z "$picture" ] || printf 'screendump %s\n' "$picture"
    printf 'quit\n'
}
# Variables that only the firmware can write, from system-management mode (OVMF's README, "SECURE BOOT").
machine=q35
[ -z "$vars" ] || { machine=q35,smm=on; set -- "$@" -global driver=cfi.pflash01,property=secure,value=on; }
model=max
[ "$accel" = tcg ] || model=host
status=0
# shellcheck disable=SC2086
commands | timeout "$seconds" $server qemu-system-x86_64 -nodefaults -monitor $monitor -no-reboot -display none -machine "$machine" \
    -accel "$accel" -cpu "$model$features" -smp "$cpus" -m "$memory" -vga std -serial "$line" \
    $options "$@" 2>"$out/$name.errors" >"$out/$name.monitor" || status=$?

first=1M
# The second entry of the table in the first sector: the partition behind the CD's file system.
[ $from != iso ] || first=$(($(od -A n -t u4 -j 470 -N 4 "$disk") * 512))
mtype -i "$disk@@$first" ::slotscope/slotscope.log >"$stick" 2>/dev/null || rm -f "$stick"
[ ! -d "$out/$name.tftp" ] || cat "$out/$name.tftp/slotscope"/*.log >"$stick" 2>/dev/null || rm -f "$stick"
[ -z "$older" ] || mtype -i "$disk@@1M" ::slotscope/slotscope.1.log >"$out/$name.older.log" 2>/dev/null || true
rm -rf "$disk" "$out/$name.vars" "$out/$name.tftp" "$out/$name.tftp".*
if [ $serial = yes ]; then
    # The firmware's own lines come before the log on the same serial line.
    tr -d '\r' <"$out/$name.serial" |
        sed -n -e 's/^.*TAP version 14$/TAP version 14/' -e '/^TAP version 14$/,$p' |
        sed '/^1\.\.[0-9]*$/q' >"$log"
    [ -z "$vars" ] || tr -d '\r' <"$out/$name.serial" >"$out/$name.firmware"
    rm -f "$out/$name.serial"
elif [ -f "$stick" ]; then
    cp "$stick" "$log"
fi

if [ $quiet = no ] && [ -f "$log" ]; then
    sed -n -e '/^# crc of texts /d' -e 's/^# //p' -e 's/^#$//p' -e '/^not ok/p' "$log"
    echo
    echo "whole log: $log"
fi
if [ $status -eq 124 ]; then
    echo "run.sh: still running after $seconds s; stopped" >&2
elif [ $status -ne 0 ]; then
    cat "$out/$name.errors" >&2
elif [ $serial$from != nonet ] && ! grep -q '^{"type":"end"' "$log" 2>/dev/null; then
    echo "run.sh: the log has no end record: the machine died" >&2
    status=1
fi
rm -f "$out/$name.errors" "$out/$name.monitor"
exit $status
