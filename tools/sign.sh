#!/bin/sh
# `make sign KEY= CERT=`: signs the image for Secure Boot, and makes a disk image with it.
#   sign.sh IMAGE DISK KEY CERT
# IMAGE is BOOTX64.EFI, DISK the disk image that has it; beside them BOOTX64.signed.EFI and slotscope.signed.img are made.
# KEY is a private key, CERT its certificate, both PEM (sbsign(1)).
set -eu
fail() {
    echo "sign: $1" >&2
    exit 2
}
[ $# -eq 4 ] || fail "usage: sign.sh IMAGE DISK KEY CERT"
image=$1 disk=$2 key=$3 cert=$4
[ -n "$key" ] && [ -n "$cert" ] || fail "expected KEY= and CERT=, PEM files; doc/secure_boot.md makes some"
for file in "$image" "$disk" "$key" "$cert"; do
    [ -r "$file" ] || fail "$file: no such file, or it may not be read"
done
signed=${image%.EFI}.signed.EFI
signed_disk=${disk%.img}.signed.img
rm -f "$signed" "$signed_disk" "$signed.part" "$signed_disk.part"
sbsign --key "$key" --cert "$cert" --output "$signed.part" "$image" 2>"$signed.said" ||
    { cat "$signed.said" >&2; rm -f "$signed.part" "$signed.said"; fail "sbsign did not sign"; }
sbverify --cert "$cert" "$signed.part" >"$signed.said" 2>&1 ||
    { cat "$signed.said" >&2; rm -f "$signed.part" "$signed.said"; fail "the signature does not verify: is CERT the key's?"; }
rm -f "$signed.said"
cp --sparse=always "$disk" "$signed_disk.part"
MTOOLS_SKIP_CHECK=1 mcopy -o -i "$signed_disk.part@@1M" "$signed.part" ::EFI/BOOT/BOOTX64.EFI
mv "$signed.part" "$signed"
mv "$signed_disk.part" "$signed_disk"
echo "$signed, and $signed_disk with it"
