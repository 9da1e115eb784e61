#!/bin/sh
# `make kernel SRC=FILE.asm` or `SRC=FILE.c`: makes a kernel of the user's own of it, looks at it, runs it on the
# virtual rig and shows its Topdown (doc/own_kernels.md). FILE.exp beside it says what is expected.
#   kernel.sh BUILD FILE [CPU]
# BUILD/kernels/ gets NAME.bin and NAME.exp, to be copied to \slotscope\kernels\ on the stick. Exit status: 0 no verdict
# failed, 1 one did or the kernel was ended, 2 bad input.
set -eu
refuse() {
    echo "kernel: $1" >&2
    exit 2
}
build=$1 source=${2-} cpu=${3-}
[ -n "$source" ] || refuse "expected SRC=, a file such as my.asm or my.c"
[ -f "$source" ] || refuse "$source: no such file"
stem=${source%.*}
name=$(basename "$stem")
out=$build/kernels
stick=$build/kernel-stick
mkdir -p "$out"

case $source in
*.asm) "${NASM:-nasm}" -f bin -o "$out/$name.bin" "$source" || exit 2 ;;
*.c)
    # shellcheck disable=SC2086
    ${CC:-gcc} -O2 -ffreestanding -fno-jump-tables -fpie -ffunction-sections -fno-stack-protector -fcf-protection=none \
        -fno-asynchronous-unwind-tables -fvisibility=hidden -c -o "$out/$name.o" "$source" || exit 2
    nm "$out/$name.o" | grep -q ' T kernel$' || refuse "$source: no function \`void kernel(...)'"
    ld -pie --no-warn-rwx-segments --no-dynamic-linker -nostdlib -T tools/kernel.ld -o "$out/$name.elf" "$out/$name.o" || exit 2
    ! readelf -rW "$out/$name.elf" | grep -q R_X86_64 ||
        refuse "$source: an address in its data, such as a pointer or a table of them"
    "${OBJCOPY:-objcopy}" -O binary -j .kernel "$out/$name.elf" "$out/$name.bin"
    ;;
*) refuse "$source: expected a name that ends in .asm or .c" ;;
esac
if [ -f "$stem.exp" ]; then
    cp "$stem.exp" "$out/$name.exp"
else
    echo "no $stem.exp: n is 1000, the buffer has 64 KiB, and nothing is expected"
    printf 'name own.%s\nn 1000\nbuffer 65536\n' "$name" >"$out/$name.exp"
fi
kernel=$("$build/own-check" "$out/$name.bin" "$out/$name.exp") || exit 2

rm -rf "$stick"
cp -r "$build/esp" "$stick"
rm -f "$stick"/slotscope/*.log
mkdir -p "$stick/slotscope/kernels"
cp "$out/$name.bin" "$out/$name.exp" "$stick/slotscope/kernels/"
echo "$kernel on the virtual rig: --cpu ${cpu:-skylakex} (a modelled processor, not silicon)"
status=0
"$build/rig" --cpu "${cpu:-skylakex}" --cores 1 --esp "$stick" --args "kernels=$kernel detail=full" \
    >"$build/kernel.serial" 2>"$build/kernel.err" || status=$?
log=$build/kernel.log
tr -d '\r' <"$build/kernel.serial" >"$log"
[ $status -eq 0 ] || [ $status -eq 4 ] || { cat "$build/kernel.err" >&2; exit 2; }
# What does not concern the kernel, the self-check, is shown only where it failed; lines below a row of the table belong
# to it.
sed -n -E 's/^\{"type":"error",.*"what":"([^"]*)","where":"([^"]*)".*/\2: \1/p' "$log"
shown=$("$build/slotlog" show "$log") || true
echo "$shown" | awk '!/^    / { hidden = /^(  cal\.|not ok )/ } !hidden'
grep -E "^not ok|^ok [0-9]+ - core 0 $kernel " "$log" || true
echo "whole log: $log; for the stick: $out/$name.bin, $out/$name.exp"
! grep -q '^not ok' "$log"
