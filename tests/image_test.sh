#!/bin/sh
# The image's file as firmware reads it that protects memory: marked for it, each section on pages of its own, none of
# them writable and executable. Read by binutils, which is told nothing of it. TAP on standard output.
#   image_test.sh BUILD
set -u
. tests/boot.sh
image=$build/BOOTX64.EFI
objdump -p "$image" >"$work/headers"
# NAME ADDRESS FLAGS, a line for each section; the flags without blanks.
objdump -h -w "$image" | awk '/^ *[0-9]+ \./ { flags = ""; for (i = 8; i <= NF; i++) flags = flags $i; print $2, $4, $3, flags }' \
    >"$work/sections"

# says NAME VALUE: a line of the headers.
says() { grep -E "^$1[[:space:]]+$2\b" "$work/headers"; }
claim "the image is an EFI application" says Subsystem 0000000a
claim "it is marked as NX_COMPAT, and as nothing else" sh -c "grep -A1 '^DllCharacteristics' '$work/headers' |
    tr -s '\\n\\t ' ' ' | grep -qxE 'DllCharacteristics 00000100 NX_COMPAT *'"
claim "sections are aligned to pages of 4 KiB" says SectionAlignment 00001000
claim "each section begins on a page" sh -c "! grep -vE '^[^ ]+ [0-9a-f]+000 ' '$work/sections'"
claim "it has code, data and constants" [ "$(grep -cE '^\.(text|data|rodata) ' "$work/sections")" -eq 3 ]
claim "code is read-only" grep -E '^\.text .*READONLY.*CODE' "$work/sections"
claim "no section is writable and executable" sh -c "! grep CODE '$work/sections' | grep -v READONLY"
claim "no other section is code" [ "$(grep -c CODE "$work/sections")" -eq 1 ]
entry=$(sed -n 's/^AddressOfEntryPoint[[:space:]]*0*//p' "$work/headers")
in_code() {
    awk '/^\.text / { print $2, $3 }' "$work/sections" >"$work/code"
    read -r begin length <"$work/code"
    [ $((0x$entry)) -ge $((0x$begin)) ] && [ $((0x$entry)) -lt $((0x$begin + 0x$length)) ]
}
claim "the entry point is in the code" in_code

# The firmware's loader applies nothing; the image relocates itself.
reloc_is_directory() {
    awk '/^\.reloc / { print $2, $3 }' "$work/sections" >"$work/reloc"
    read -r begin length <"$work/reloc"
    grep -E "^Entry 5 $begin $length Base Relocation" "$work/headers"
}
claim "the directory of relocations is the section .reloc" reloc_is_directory
claim "it has a block, and no fixup in it" sh -c "grep -qE '^Virtual Address: .* Number of fixups 2\$' '$work/headers' &&
    [ \"\$(grep -cE '^[[:space:]]reloc .* ABSOLUTE\$' '$work/headers')\" -eq 2 ] && ! grep -E '^[[:space:]]reloc ' '$work/headers' | grep -v ABSOLUTE"
# What the image relocates before it has page tables of its own must be writable.
relocates_data_alone() {
    readelf -S -W "$build/slotscope.so" | sed -n 's/^.*\] \.data  *PROGBITS  *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/\1 \2/p' \
        >"$work/data"
    read -r begin length <"$work/data"
    readelf -r -W "$build/slotscope.so" | grep -oE '^[0-9a-f]{16}' >"$work/words"
    awk '{ print length($0) }' "$work/words" | sort -u >"$work/lengths"
    [ "$(wc -l <"$work/words")" -ge 1000 ] && [ "$(cat "$work/lengths")" = 16 ] &&
        awk -v begin="$begin" -v end="$(printf %016x $((0x$begin + 0x$length)))" \
            '$0 < begin || $0 >= end { print; wrong = 1 } END { exit wrong }' "$work/words"
}
claim "every word that the image relocates is in .data" relocates_data_alone
# The sum of all words of 16 bits but the checksum's own, with its carry, and the length.
sums_up() {
    perl -e 'local $/; my $f = <STDIN>; my $at = unpack("V", substr($f, 60, 4)) + 24 + 64;
        my $said = unpack("V", substr($f, $at, 4)); substr($f, $at, 4) = "\0" x 4;
        my $sum = unpack("%64v*", $f . "\0" x (length($f) % 2));
        $sum = ($sum & 0xffff) + ($sum >> 16) while $sum >> 16;
        printf "%x, not %x\n", $said, $sum + length($f); exit($said != $sum + length($f))' <"$image"
}
claim "the checksum of the file is right" sums_up
if command -v sbsign >/dev/null 2>&1; then
    openssl req -new -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=rigs/ -keyout "$work/key" -out "$work/crt" 2>/dev/null
    sbsign --key "$work/key" --cert "$work/crt" --output "$work/signed" "$image" >"$work/said" 2>&1
    claim "sbsign finds nothing to warn of" absent warning "$work/said"
    sbverify --cert "$work/crt" "$work/signed" >"$work/said" 2>&1
    claim "and sbverify neither" eval 'absent warning "$work/said" && grep -q "^Signature verification OK" "$work/said"'
fi

# A frame larger than a guard could reach across it (boot/machine/memory/stacks.c).
objdump -d --no-show-raw-insn "$build/slotscope.so" |
    perl -ne 'print hex($1), "\n" if /sub +\$0x([0-9a-f]{1,8}),%rsp/' | sort -n >"$work/frames"
claim "frames are found, and the largest is below 64 KiB" \
    eval '[ "$(wc -l <"$work/frames")" -ge 200 ] && tail -n 1 "$work/frames" && [ "$(tail -n 1 "$work/frames")" -lt 65536 ]'
# The same sources in another folder, by another name, make the same bytes. Some objects are built anew there, with
# REPRODUCE=all every one.
again() {
    copy_sources elsewhere/deeper
    find "$work/elsewhere/deeper/build/image" "$work/elsewhere/deeper/build/asm" -name '*.o' | sort |
        if [ "${REPRODUCE-}" = all ]; then cat; else awk 'NR % 20 == 3'; fi >"$work/objects"
    xargs rm -f <"$work/objects"
    rm -f "$work/elsewhere/deeper/build/image/identity.o"
    (
        commit=$(strings -n 12 "$image" | grep -xE '[0-9a-f]{12}([+]changed)?')
        day=$(strings "$image" | grep -xE '20[0-9]{2}-[0-9]{2}-[0-9]{2}')
        export SLOTSCOPE_COMMIT="$commit" SOURCE_DATE_EPOCH="${day:+$(date -u -d "$day" +%s)}"
        build_image elsewhere/deeper
    ) && [ "$(wc -l <"$work/objects")" -ge 10 ] && cmp "$image" "$work/elsewhere/deeper/build/BOOTX64.EFI"
}
claim "built in another folder it is the same to the byte" again
# refused_identity TEXT ASSIGNMENT: one line, and no C.
refused_identity() {
    ! env "$2" sh tools/identity.sh >"$work/identity" 2>"$work/said" && [ ! -s "$work/identity" ] &&
        [ "$(wc -l <"$work/said")" -eq 1 ] && grep "$1" "$work/said"
}
claim "a commit that is none is refused" refused_identity 'expected a hash' 'SLOTSCOPE_COMMIT=";'
claim "and a time that is none" refused_identity 'expected seconds' SOURCE_DATE_EPOCH=yesterday
finish
