#!/bin/sh
# Marks a PE file as one whose sections and memory may be mapped without execution (IMAGE_DLLCHARACTERISTICS_NX_COMPAT),
# which objcopy cannot, and adds that to the header's checksum.
#   nx_compat.sh FILE
# Firmware that protects memory refuses a file without the mark, or maps all of it writable and executable.
# "Microsoft Portable Executable and Common Object File Format Specification", optional header.
set -eu
file=$1

# number OFFSET BYTES: from the file, the lowest byte first.
number() { od -An -v -tu"$2" -j "$1" -N "$2" "$file" | tr -d ' '; }
# put OFFSET VALUE BYTES
put() {
    at=$1 value=$2 left=$3
    while [ "$left" -gt 0 ]; do
        # shellcheck disable=SC2059 # an octal escape
        printf "\\$(printf %03o $((value & 255)))"
        value=$((value >> 8)) left=$((left - 1))
    done | dd of="$file" bs=1 seek="$at" conv=notrunc status=none
}

nx_compat=256
optional=$(($(number 60 4) + 24))
characteristics=$(number $((optional + 70)) 2)
[ $((characteristics & nx_compat)) -eq 0 ] || exit 0
bytes=$(wc -c <"$file")
# The checksum is the sum of all words of 16 bits, its carry added to it, and the file's length.
sum=$(($(number $((optional + 64)) 4) - bytes + nx_compat))
put $((optional + 70)) $((characteristics | nx_compat)) 2
put $((optional + 64)) $(((sum & 65535) + (sum >> 16) + bytes)) 4
