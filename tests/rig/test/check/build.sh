#!/bin/sh
# Builds the check image: build.sh OUTPUT-FOLDER. Gives OUTPUT-FOLDER/esp/EFI/BOOT/BOOTX64.EFI.
set -eu
here=$(dirname "$0")
out=$1
flags="-I/usr/include/efi -I/usr/include/efi/x86_64 -std=gnu11 -O2 -fpic -fshort-wchar -ffreestanding -fno-stack-protector
       -mno-red-zone -DGNU_EFI_USE_MS_ABI -maccumulate-outgoing-args -Wall -Wextra -Werror"
mkdir -p "$out/esp/EFI/BOOT"
objects="$out/start.o $out/rings_code.o $out/debug_code.o $out/avx_code.o $out/xsave_code.o"
for source in check counters sampling platform rules rings avx xsave debug services clock lines images events ends; do
    objects="$objects $out/$source.o"
    gcc $flags -c "$here/$source.c" -o "$out/$source.o"
done
nasm -f elf64 -o "$out/start.o" "$here/start.asm"
nasm -f elf64 -o "$out/rings_code.o" "$here/rings.asm"
nasm -f elf64 -o "$out/debug_code.o" "$here/debug.asm"
nasm -f elf64 -o "$out/avx_code.o" "$here/avx.asm"
nasm -f elf64 -o "$out/xsave_code.o" "$here/xsave.asm"
ld -nostdlib -znocombreloc -T /usr/lib/elf_x86_64_efi.lds -shared -Bsymbolic -L/usr/lib /usr/lib/crt0-efi-x86_64.o \
    $objects -o "$out/check.so" -lefi -lgnuefi
objcopy -j .text -j .sdata -j .data -j .dynamic -j .dynsym -j .rel -j .rela -j '.rel.*' -j '.rela.*' -j .reloc \
    --target=efi-app-x86_64 "$out/check.so" "$out/esp/EFI/BOOT/BOOTX64.EFI"
