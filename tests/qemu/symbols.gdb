# Loads the image's symbols where the firmware put the image, which is on a page of its own and begins with "MZ". Run it in the
# root of the tree, attached to a processor that executes the image:
#   gdb -ex 'target remote :1234' -x tests/qemu/symbols.gdb
set $base = (unsigned long)$rip & ~0xffful
while *(unsigned short *)$base != 0x5a4d
  set $base = $base - 0x1000
end
printf "the image is at 0x%lx\n", $base
add-symbol-file build/slotscope.so -o $base
