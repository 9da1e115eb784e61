#!/bin/sh
# Makes a CD that UEFI firmware boots from the partition of a disk image (image.sh): "El Torito" Bootable CD-ROM Format
# Specification, and ECMA-119 for the descriptors. There is no file system of its own on the CD.
#   cd.sh IMAGE CD
set -eu
image=$1 cd=$2
sector=2048
catalog=19     # sectors: 16 volume, 17 boot record, 18 end of descriptors, then these
partition=20
first=512      # of the partition, in sectors of the CD: 1 MiB
sectors=32768  # 64 MiB

number() { # VALUE BYTES: a number, the lowest byte first
    value=$1
    for _ in $(seq "$2"); do
        printf "$(printf '\\%03o' $((value & 255)))"
        value=$((value >> 8))
    done
}
put() { dd of="$cd.part" bs=1 seek=$(($1 * sector + $2)) conv=notrunc status=none; }

rm -f "$cd.part"
truncate -s $(((partition + sectors) * sector)) "$cd.part"
dd if="$image" of="$cd.part" bs=$sector skip=$first seek=$partition count=$sectors conv=notrunc,sparse status=none
printf '\001CD001\001' | put 16 0                 # primary volume descriptor; the size of the volume is at 80
number $((partition + sectors)) 4 | put 16 80
printf '\000CD001\001EL TORITO SPECIFICATION' | put 17 0
number $catalog 4 | put 17 71
printf '\377CD001\001' | put 18 0
# Validation entry for EFI (EFH), whose words sum to 0; then the one entry: bootable, no emulation.
{
    printf '\001\357'
    number 0 26
    number $(((0x10000 - 0xef01 - 0xaa55) & 0xffff)) 2
    printf '\125\252\210\000\000\000\000\000'
    number 0 2 # sectors of 512 bytes: all up to the end of the volume
    number $partition 4
} | put $catalog 0
mv "$cd.part" "$cd"
