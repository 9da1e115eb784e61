#!/bin/sh
# `make iso`: an ISO that boots as a CD, by UEFI firmware and by a BIOS, and written to a stick as well.
#   iso.sh FOLDER BIOS_FOLDER MBR_IMG CD_IMG ISO
# FOLDER holds EFI/BOOT/BOOTX64.EFI and slotscope/..., BIOS_FOLDER what GRUB reads. UEFI firmware starts the image from
# a FAT partition behind the CD's own file system ("El Torito", no emulation), a BIOS starts CD_IMG, which is GRUB and
# reads that file system; MBR_IMG starts GRUB from the same bytes on a stick.
set -eu
fail() {
    echo "iso.sh: $1" >&2
    exit 2
}
[ $# -eq 5 ] && [ -f "$1/EFI/BOOT/BOOTX64.EFI" ] ||
    fail "usage: iso.sh FOLDER BIOS_FOLDER MBR_IMG CD_IMG ISO   (FOLDER holds EFI/BOOT/BOOTX64.EFI)"
folder=$1 bios=$2 mbr=$3 cd=$4 iso=$5
command -v xorriso >/dev/null 2>&1 || fail "xorriso is not installed"
sectors=65520 # of 512 bytes, 32 MiB: El Torito has 16 bits for their number
export MTOOLS_SKIP_CHECK=1

work=$iso.work
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tree"
cp -r "$folder/." "$bios/." "$work/tree/"
rm -f "$work/tree/slotscope"/*.log
truncate -s $((sectors * 512)) "$work/efi.img"
mformat -i "$work/efi.img" -T $sectors -h 255 -s 63 -v SLOTSCOPE ::
for entry in EFI slotscope; do
    mcopy -s -Q -o -D s -i "$work/efi.img" "$work/tree/$entry" ::
done
cp "$cd" "$work/tree/boot/grub/cd.img"
xorriso -as mkisofs -quiet -V SLOTSCOPE -J -R -o "$work/iso" --grub2-mbr "$mbr" -partition_offset 16 \
    -append_partition 2 0xef "$work/efi.img" -b boot/grub/cd.img -no-emul-boot -boot-load-size 4 -boot-info-table \
    --grub2-boot-info -eltorito-alt-boot -e --interval:appended_partition_2:all:: -no-emul-boot "$work/tree" \
    2>"$work/said" || { cat "$work/said" >&2; fail "xorriso made no ISO"; }
mv "$work/iso" "$iso"
