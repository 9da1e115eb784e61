#!/bin/sh
# Builds the check image: build.sh OUTPUT-FOLDER. Its stick is OUTPUT-FOLDER/esp.
set -eu
here=$(dirname "$0")
out=$1
mkdir -p "$out/esp/EFI/BOOT"
for source in "$here"/*.c; do
    gcc -I/usr/include/efi -I/usr/include/efi/x86_64 -std=gnu11 -O2 -fpic -fshort-wchar -ffreestanding \
        -fno-stack-protector -mno-red-zone -DGNU_EFI_USE_MS_ABI -maccumulate-outgoing-args -Wall -Wextra -Werror \
        -c "$source" -o "$out/$(basename "$source" .c).o"
done
for source in "$here"/*.asm; do
    nasm -f elf64 -o "$out/$(basename "$source" .asm)_code.o" "$source"
done
ld -nostdlib -znocombreloc -T /usr/lib/elf_x86_64_efi.lds -shared -Bsymbolic -L/usr/lib /usr/lib/crt0-efi-x86_64.o \
    "$out"/*.o -o "$out/check.so" -lefi -lgnuefi
objcopy -j .text -j .sdata -j .data -j .dynamic -j .dynsym -j .rel -j .rela -j '.rel.*' -j '.rela.*' -j .reloc \
    --target=efi-app-x86_64 "$out/check.so" "$out/esp/EFI/BOOT/BOOTX64.EFI"
