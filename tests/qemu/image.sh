#!/bin/sh
# Makes a bootable disk image without root: a GPT with one EFI system partition (FAT) that holds a
# folder's files.
#   image.sh FOLDER IMAGE
# FOLDER holds EFI/BOOT/BOOTX64.EFI and slotscope/...
set -eu

if [ $# -ne 2 ] || [ ! -f "$1/EFI/BOOT/BOOTX64.EFI" ]; then
    echo "usage: image.sh FOLDER IMAGE   (FOLDER holds EFI/BOOT/BOOTX64.EFI)" >&2
    exit 2
fi
folder=$1
image=$2
first=2048      # sectors of 512 bytes: the partition begins at 1 MiB
sectors=131072  # 64 MiB
PATH=$PATH:/usr/sbin:/sbin
export MTOOLS_SKIP_CHECK=1

mkdir -p "$(dirname "$image")"
rm -f "$image.part"
truncate -s $(((first + sectors + 2048) * 512)) "$image.part"
sgdisk --clear --new=1:$first:$((first + sectors - 1)) --typecode=1:ef00 --change-name=1:slotscope \
    "$image.part" >/dev/null
mformat -i "$image.part@@$((first * 512))" -T $sectors -h 255 -s 63 -F -v SLOTSCOPE ::
for entry in "$folder"/*; do
    mcopy -s -Q -i "$image.part@@$((first * 512))" "$entry" ::
done
mv "$image.part" "$image"
