#!/bin/sh
# make usb: what it refuses, and that what is on the device afterwards is the image. The devices are files behind the
# kernel's loop driver, which needs root: else those claims are a SKIP. TAP on standard output.
#   usb_test.sh BUILD
set -u
. tests/tap.sh
PATH=$PATH:/usr/sbin:/sbin
image=$work/image
head -c 3000832 /dev/urandom >"$image" # 5861 sectors: no multiple of the blocks that are written

# usb STATUS PATTERN ANSWER DEVICE
usb() {
    printf '%s\n' "$3" | sh tools/usb.sh "$image" "$4" >"$work/said" 2>&1
    status=$?
    [ $status -eq "$1" ] && grep -qE -- "$2" "$work/said" && return
    echo "status $status"
    cat "$work/said"
    return 1
}
claim "no device is named" usb 2 'expected DEV=' y ""
claim "a device that is not there" usb 2 'no such device' y "$work/sdz"
claim "a file" usb 2 'no block device' y "$image"
claim "no image" sh -c "sh tools/usb.sh '$work/none' /dev/null 2>&1 | grep -q 'no such image'"

truncate -s 64M "$work/disk"
disk=$(losetup --find --show "$work/disk" 2>/dev/null) || disk=
if [ -z "$disk" ] || [ ! -b "$disk" ]; then
    number=$((number + 1))
    echo "ok $number - devices # SKIP losetup makes no device here"
    finish
    exit
fi
trap 'losetup -d "$disk" ${small:-} 2>/dev/null' EXIT
truncate -s 1M "$work/tiny"
small=$(losetup --find --show "$work/tiny")
claim "a disk that is not removable" usb 2 'not removable' y "$disk"
export FORCE=1
claim "a disk that is too small" usb 2 'has 1048576 bytes, the image has 3000832' y "$small"
claim "no answer writes nothing" usb 2 'left as it was' "" "$disk"
claim "nor does another answer" usb 2 'left as it was' n "$disk"
claim "nothing was written" cmp -n 64000000 "$work/disk" /dev/zero
claim "it shows the size" grep -E "^$disk: .*, 64M," "$work/said"
claim "and asks" grep 'Everything on it is lost' "$work/said"
claim "it writes, and compares" usb 0 'starts slotscope' y "$disk"
claim "the image is on the device" cmp -n 3000832 "$image" "$disk"
claim "and nothing behind it" cmp -n 60000000 -i 3000832:0 "$disk" /dev/zero

# A stick that keeps something else: pv, which the bytes go through on their way there, changes one of them.
mkdir -p "$work/bin"
printf '#!/bin/sh\n[ "$4" = "" ] || exec sh -c "head -c 1000000 \"$4\"; printf x; tail -c +1000002 \"$4\""\nexec cat\n' >"$work/bin/pv"
chmod +x "$work/bin/pv"
path=$PATH
PATH=$work/bin:$PATH
claim "a stick that reads back otherwise is named" usb 1 'reads back otherwise than written' y "$disk"
PATH=$path

mkdir -p "$work/mount"
mkfs.ext4 -q -F "$disk" >/dev/null 2>&1
if mount "$disk" "$work/mount" 2>/dev/null; then
    claim "a mounted disk is refused, also with FORCE=1" usb 2 "mounted at .*mount" y "$disk"
    umount "$work/mount"
else
    number=$((number + 1))
    echo "ok $number - a mounted disk is refused # SKIP nothing can be mounted here"
fi
finish
