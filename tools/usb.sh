#!/bin/sh
# `make usb DEV=/dev/sdX`: writes the disk image to a stick, and reads it back.
#   usb.sh IMAGE DEVICE
# It shows what the device is and asks first. A disk that is mounted or in use is never written; a disk that is
# not removable only with FORCE=1 in the environment. Exit status: 0 written and compared, 1 not, 2 refused.
set -eu
PATH=$PATH:/usr/sbin:/sbin
refuse() {
    echo "usb: $1" >&2
    exit 2
}
[ $# -eq 2 ] || refuse "usage: usb.sh IMAGE DEVICE"
image=$1 device=$2
[ -n "$device" ] || refuse "expected DEV=, the stick, such as /dev/sdX; lsblk -d -o NAME,SIZE,MODEL,TRAN lists disks"
[ -f "$image" ] || refuse "$image: no such image; make image makes it, make sign the signed one"
[ -e "$device" ] || refuse "$device: no such device"
[ -b "$device" ] || refuse "$device: no block device"

# of COLUMN: what lsblk says of the device itself.
of() { lsblk -dno "$1" "$device" 2>/dev/null | sed 's/^ *//; s/ *$//'; }
type=$(of TYPE)
case $type in
disk | loop) ;;
part) refuse "$device: a partition, expected the whole disk, /dev/$(of PKNAME)" ;;
*) refuse "$device: lsblk calls it \"$type\", expected a disk" ;;
esac
mounted=$(lsblk -no MOUNTPOINTS "$device" | sed '/^ *$/d' | paste -sd' ')
[ -z "$mounted" ] || refuse "$device: mounted at $mounted; unmount it first"
users=$(lsblk -lno TYPE "$device" | sed '1d' | grep -vx part | sort -u | paste -sd' ') || true
[ -z "$users" ] || refuse "$device: in use by $users"
if [ "$(of RM)" != 1 ] && [ "$(of HOTPLUG)" != 1 ] && [ "${FORCE:-}" != 1 ]; then
    refuse "$device: not removable ($(of MODEL) $(of SIZE)); FORCE=1 writes it all the same"
fi
bytes=$(wc -c <"$image")
[ "$(blockdev --getro "$device" 2>/dev/null || echo 0)" = 0 ] || refuse "$device: is read-only"
sector=$(blockdev --getss "$device" 2>/dev/null || echo 512)
[ "$sector" = 512 ] || refuse "$device: has sectors of $sector bytes, and the image's partition table is for 512"
room=$(lsblk -bdno SIZE "$device" | tr -d ' ')
[ "$room" -ge "$bytes" ] || refuse "$device: has $room bytes, the image has $bytes"
command -v pv >/dev/null 2>&1 || refuse "pv, which shows how far the writing is, is not installed: package pv"
sudo=
if [ ! -w "$device" ]; then
    command -v sudo >/dev/null 2>&1 || refuse "$device: may not be written, and there is no sudo"
    sudo=sudo
fi

model=$(of MODEL)
echo "$device: ${model:-no model}, $(of SIZE), $(of TRAN)"
lsblk -no NAME,SIZE,FSTYPE,LABEL "$device" | sed '1d; s/^/    /'
printf 'Everything on it is lost. Write slotscope to it? [y/N] '
read -r answer || answer=
case $answer in
y | Y | yes) ;;
*) echo; refuse "$device: left as it was" ;;
esac

# alone COMMAND...: with the device opened for this alone (O_EXCL, which on a block device fails while anything has it
# mounted, in whatever namespace). Status 3: something has.
alone() {
    # shellcheck disable=SC2016
    $sudo perl -MFcntl -e '$^F = 255; sysopen(my $held, shift, O_RDWR | O_EXCL) or exit 3; exec @ARGV or exit 1' \
        "$device" "$@"
}
# The stick, not the host's memory, is what is read back: written and read past the page cache.
set +e
pv -pterb -s "$bytes" "$image" | alone dd of="$device" bs=4M iflag=fullblock oflag=direct conv=fsync status=none
status=$?
set -e
[ $status -ne 3 ] || refuse "$device: mounted or in use by now; nothing was written"
if [ $status -ne 0 ]; then
    echo "usb: $device: could not be written; what is on it now does not start" >&2
    exit 1
fi
$sudo blockdev --flushbufs "$device"
echo "reading it back"
if ! $sudo dd if="$device" bs=4M iflag=direct,fullblock,count_bytes count="$bytes" status=none | pv -pterb -s "$bytes" | cmp - "$image"; then
    echo "usb: $device: reads back otherwise than written; try another stick" >&2
    exit 1
fi
$sudo blockdev --rereadpt "$device" 2>/dev/null || true
echo "$device starts slotscope"
