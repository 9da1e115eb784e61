#!/bin/sh
# Makes a bootable disk image without root: a GPT with one EFI system partition (FAT) that holds the
# files of two folders, and with GRUB for a BIOS in front of it.
#   image.sh FOLDER BIOS_FOLDER BOOT_IMG CORE_IMG IMAGE
# FOLDER holds EFI/BOOT/BOOTX64.EFI and slotscope/..., BIOS_FOLDER what GRUB reads. BOOT_IMG goes
# into the first sector and CORE_IMG into a BIOS boot partition.
set -eu

if [ $# -ne 5 ] || [ ! -f "$1/EFI/BOOT/BOOTX64.EFI" ]; then
    echo "usage: image.sh FOLDER BIOS_FOLDER BOOT_IMG CORE_IMG IMAGE   (FOLDER holds EFI/BOOT/BOOTX64.EFI)" >&2
    exit 2
fi
folder=$1 bios=$2 boot=$3 core=$4 image=$5
first=2048      # sectors of 512 bytes: the partition begins at 1 MiB
sectors=524288  # 256 MiB: a full log of every level takes 8 to 12 MB for each thread
cluster=4       # sectors: FAT32 has at least 65525 clusters
core_first=34   # behind the GPT
PATH=$PATH:/usr/sbin:/sbin
export MTOOLS_SKIP_CHECK=1

core_sectors=$((($(wc -c <"$core") + 511) / 512))
if [ $core_sectors -gt $((first - core_first)) ]; then
    echo "image.sh: $core has $core_sectors sectors, at most $((first - core_first)) fit" >&2
    exit 2
fi
mkdir -p "$(dirname "$image")"
rm -f "$image.part"
truncate -s $(((first + sectors + 2048) * 512)) "$image.part"
sgdisk --clear --set-alignment=1 --new=2:$core_first:$((first - 1)) --typecode=2:ef02 --change-name=2:bios \
    --new=1:$first:$((first + sectors - 1)) --typecode=1:ef00 --change-name=1:slotscope "$image.part" >/dev/null
mformat -i "$image.part@@$((first * 512))" -T $sectors -h 255 -s 63 -F -c $cluster -v SLOTSCOPE ::
for entry in "$folder"/* "$bios"/*; do
    mcopy -s -Q -o -D s -i "$image.part@@$((first * 512))" "$entry" ::
done
mdel -i "$image.part@@$((first * 512))" '::slotscope/*.log' 2>/dev/null || true

# little VALUE: a sector number in four bytes, the lowest first.
little() { printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24)))"; }
# put FILE SEEK [COUNT]: writes bytes of FILE ("-": of standard input) at that place of the image.
put() { dd if="${1:--}" of="$image.part" bs=1 seek="$2" ${3:+count=$3} conv=notrunc status=none; }
# GRUB's boot sector (grub-core/boot/i386/pc/boot.S) has 440 bytes of code before the disk's own table; at 5CH is the
# sector where the rest begins. The first sector of the rest (diskboot.S) says at 1F4H where it goes on.
put "$boot" 0 440
little $core_first | put /dev/stdin 92
dd if="$core" of="$image.part" bs=512 seek=$core_first conv=notrunc status=none
little $((core_first + 1)) | put /dev/stdin $((core_first * 512 + 500))
mv "$image.part" "$image"
