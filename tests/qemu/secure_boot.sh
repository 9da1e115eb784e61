#!/bin/sh
# Secure Boot under OVMF with a key of one's own, by the steps of doc/secure_boot.md: the signed image boots to its end,
# one that was changed or that another key signed is refused. TAP on standard output.
#   secure_boot.sh BUILD
set -u
. tests/boot.sh
for program in sbsign flash-var cert-to-efi-sig-list openssl; do
    command -v $program >/dev/null 2>&1 || skip_all "Secure Boot" "there is no $program"
done
[ -f /usr/share/OVMF/OVMF_CODE_4M.secboot.fd ] || skip_all "Secure Boot" "this OVMF has no Secure Boot"

# key NAME: a private key and its certificate.
key() {
    openssl req -new -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$1/" -keyout "$work/$1.key" -out "$work/$1.crt" \
        2>/dev/null
}
# sign NAME: the image and a disk with it, signed by NAME's key.
sign() {
    cp "$build/BOOTX64.EFI" "$build/slotscope.img" "$work/"
    sh tools/sign.sh "$work/BOOTX64.EFI" "$work/slotscope.img" "$work/$1.key" "$work/$1.crt" &&
        mv "$work/BOOTX64.signed.EFI" "$work/$1.efi"
}
claim "keys are made" eval 'key rigs && key other'
claim "the image is signed" sign rigs
claim "and the disk image has it" sh -c \
    "MTOOLS_SKIP_CHECK=1 mcopy -i '$work/slotscope.signed.img@@1M' ::EFI/BOOT/BOOTX64.EFI - | cmp - '$work/rigs.efi'"
claim "the image has its SBAT section" sh -c \
    "objcopy -O binary -j .sbat '$work/rigs.efi' '$work/sbat' && grep -aq '^slotscope,1,' '$work/sbat' && head -c 7 '$work/sbat' | grep -q '^sbat,1,'"
claim "no key: one line" sh -c "sh tools/sign.sh '$build/BOOTX64.EFI' '$build/slotscope.img' '' '' 2>&1 | grep -q 'expected KEY= and CERT='"
cp "$work/other.crt" "$work/wrong.crt"
cp "$work/rigs.key" "$work/wrong.key"
claim "a certificate of another key is refused, and nothing is left" sh -c "
    ! sh tools/sign.sh '$work/BOOTX64.EFI' '$work/slotscope.img' '$work/wrong.key' '$work/wrong.crt' >/dev/null 2>&1 &&
    [ ! -e '$work/BOOTX64.signed.EFI' ]"
claim "another key signs it, too" sign other

cert-to-efi-sig-list -g 11111111-2222-3333-4444-123456789abc "$work/rigs.crt" "$work/rigs.esl"
cp /usr/share/OVMF/OVMF_VARS_4M.fd "$work/rigs.vars"
global=8be4df61-93ca-11d2-aa0d-00e098032b8c # EFI_GLOBAL_VARIABLE; db is under EFI_IMAGE_SECURITY_DATABASE_GUID
for variable in PK:$global KEK:$global db:d719b2cb-3d3a-4596-a3bc-dad00e67656f; do
    flash-var -g "${variable#*:}" "$work/rigs.vars" "${variable%%:*}" "$work/rigs.esl" >/dev/null 2>&1
done
printf 'kernels = cal.empty\n' >"$work/short.cfg"
# secure NAME IMAGE [OPTION...]
secure() {
    name=$1 image=$2
    shift 2
    sh tests/qemu/run.sh "$build" --quiet --folder "$work" --name "$name" --seconds 3600 --cpus 1 --counted \
        --config "$work/short.cfg" --secure "$work/rigs.vars" --image "$image" "$@"
}
claim "signed: boots to its end" secure signed "$work/rigs.efi"
claim "signed: the log is whole" whole "$work/signed.log"
# The distribution's shim, signed by a key that the firmware knows, starts the image in GRUB's place. The image is signed by
# another key, which only shim knows: the owner of the machine gave it to shim (MOK), as MokManager does. shim also holds
# the image's SBAT section against the generations that are revoked.
shim=/usr/lib/shim/shimx64.efi
if [ ! -f $shim ]; then
    echo "ok $((number += 1)) - shim starts the image # SKIP shim-unsigned is not installed"
elif [ "${SHIM-}" = all ]; then
    sbsign --key "$work/rigs.key" --cert "$work/rigs.crt" --output "$work/shim.efi" $shim 2>/dev/null
    cert-to-efi-sig-list -g 11111111-2222-3333-4444-123456789abc "$work/other.crt" "$work/other.esl"
    cp "$work/rigs.vars" "$work/owner.vars"
    flash-var -g 605dab50-e046-4300-abb6-3dd810dd8b23 "$work/owner.vars" MokList "$work/other.esl" >/dev/null 2>&1
    # flash-var knows variables of the firmware alone. shim's own are not there at runtime: attributes 3 (UEFI
    # specification, "Variable Services"), at 4 of a header of 60 bytes (EDK2, AUTHENTICATED_VARIABLE_HEADER).
    perl -0777 -pi -e 's/(\xaa\x55..)....(.{52}M\0o\0k\0L\0i\0s\0t\0\0\0)/$1\x03\0\0\0$2/s' "$work/owner.vars"
    # by_shim NAME IMAGE VARIABLES
    by_shim() {
        sh tests/qemu/run.sh "$build" --quiet --folder "$work" --name "$1" --seconds 3600 --cpus 1 --counted \
            --config "$work/short.cfg" --secure "$3" --image "$2" --shim "$work/shim.efi"
    }
    claim "shim: starts the image that the owner's key signed" by_shim mok "$work/other.efi" "$work/owner.vars"
    claim "shim: the log is whole" whole "$work/mok.log"
    claim "shim: the log on the stick, too" whole "$work/mok.stick.log"
    ! by_shim no-mok "$work/other.efi" "$work/rigs.vars" >/dev/null 2>&1
    claim "shim: refuses it where the owner gave no key" eval \
        "grep -a 'Security Violation\|Verification failed' '$work/no-mok.firmware' && [ ! -s '$work/no-mok.log' ]"
fi
# One bit of the code, which begins in the first page behind the headers.
{ head -c 131072 "$work/rigs.efi"; tail -c +131073 "$work/rigs.efi" | head -c 1 | tr '\000-\377' '\001-\377\000'; tail -c +131074 "$work/rigs.efi"; } >"$work/changed.efi"
claim "changed: one byte differs" [ "$(cmp -l "$work/rigs.efi" "$work/changed.efi" | wc -l)" -eq 1 ]
# Both in one machine, on a stick each.
cp "$build/slotscope.img" "$work/other.img"
MTOOLS_SKIP_CHECK=1 mcopy -o -i "$work/other.img@@1M" "$work/other.efi" ::EFI/BOOT/BOOTX64.EFI
! secure refused "$work/changed.efi" --qemu "-drive if=none,id=other,format=raw,file=$work/other.img
    -device virtio-blk-pci,drive=other,bus=pcie.0,addr=9" >"$work/refused.said" 2>&1
refused=$?
# the sticks as the firmware names them
changed='"UEFI Misc Device" from PciRoot\(0x0\)/Pci\(0x[1-8],0x0\)'
other='"UEFI Misc Device 2" from PciRoot\(0x0\)/Pci\(0x9,0x0\)'
for name in changed other; do
    eval "stick=\$$name"
    claim "$name: is not started" eval "[ $refused -eq 0 ] && absent 'BdsDxe: starting Boot[0-9]* $stick' '$work/refused.firmware'"
    claim "$name: the firmware denies access" grep -aE "failed to load Boot[0-9]* $stick: Access Denied" "$work/refused.firmware"
done
claim "changed, other: and nothing of slotscope ran" [ ! -s "$work/refused.log" ]
finish
