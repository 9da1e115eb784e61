#!/bin/sh
# What tests/rooms.sh must refuse, planted into a copy of the image and the rig. TAP on standard output.
#   rooms_test.sh BUILD
set -u
. tests/tap.sh
mkdir -p "$work/tree" "$work/image/boot" "$work/image/pmu"
cp -r boot pmu kernels harness pc rig "$work/tree/"
tree=$work/tree

accepts() { sh tests/rooms.sh "$work" "$tree" >"$work/out" 2>&1 || { cat "$work/out"; return 1; }; }
# refuses PATTERN...: rooms.sh fails on the copy, and a comment matches each pattern.
refuses() {
    ! accepts >/dev/null || return 1
    for pattern; do
        grep -E "^#.*$pattern" "$work/out" || { echo "nothing says $pattern in:"; cat "$work/out"; return 1; }
    done
}
# plant FILE HEADER: FILE includes HEADER. Both are new, as are all files whose name begins with zz; clear takes
# them away.
plant() {
    echo "#include \"$2\"" >>"$tree/$1"
    touch "$tree/$2"
}
clear() { find "$tree" "$work/image" -name 'zz*' -delete; }
# upward TEXT FILE HEADER
upward() {
    plant "$2" "$3"
    claim "$1 is refused, with its file" refuses "$2 includes $3"
    clear
}

claim "the copy as it is passes" accepts
upward "an include from boot/ of pmu/" boot/zz.c pmu/zz.h
upward "an include from planning of judging" harness/plan/zz.c harness/judge/zz.h
upward "an include from the model's signals of the decoder" rig/core/zz.h rig/core/decode/zz.h
upward "an include from the rig of the image" rig/pmu/zz.c boot/zz.h
upward "an include from the image of the rig" harness/run/zz.c rig/core/zz.h
upward "an include from the machine of a personality" rig/machine/zz.c rig/cpu/zz.h

upward "an include from what all kinds of counters share of one of them" pmu/sampling/zz.c pmu/netburst/zz.h
upward "an include from a kind of counters of their table" pmu/netburst/zz.c pmu/kinds/zz.h

echo '/* NetBurst alone */' >"$tree/harness/run/zz.c"
claim "a file that names a kind of counters is refused, with its line" refuses 'harness/run/zz\.c:1:/\* NetBurst alone'
clear
echo 'const void *zz = intel_zz;' >"$tree/harness/run/zz.c"
claim "so is one that names something of the room of Intel" refuses 'harness/run/zz\.c:1:const void'
echo 'bool zz = facts->intel; /* Intel */' >"$tree/harness/run/zz.c"
claim "but a vendor may be named" accepts
clear
plant harness/run/zz.c pmu/intel/zz.h
claim "and so is an include of its headers" refuses 'harness/run/zz\.c:1:#include "pmu/intel/zz\.h"'
clear
echo '/* NetBurst */' >"$tree/pmu/netburst/zz.c"
claim "but not in that kind's room" accepts
clear

plant pmu/zz_one.h pmu/zz_two.h
plant pmu/zz_two.h pmu/zz_one.h
claim "a circle is refused, with its files" refuses 'pmu/zz_one\.h includes pmu/zz_two\.h' \
    'pmu/zz_two\.h includes pmu/zz_one\.h'
clear

plant rig/core/mechanism/zz.h rig/core/zz.h
claim "a mechanism's header that includes another one is refused" refuses 'rig/core/mechanism/zz\.h include rig/core/zz\.h'
clear

printf '#ifndef BOOT_LOG_H\n#define BOOT_LOG_H\n#endif\n' >"$tree/pmu/zz.h"
claim "a guard that another header has is refused" refuses 'pmu/zz\.h: BOOT_LOG_H, not PMU_ZZ_H'
echo '#pragma once' >"$tree/pmu/zz.h"
claim "so is a header without a guard" refuses 'pmu/zz\.h: no guard'
clear

# compile FILE CODE: an object of the image as if FILE held CODE.
compile() {
    touch "$tree/$1"
    echo "$2" | gcc -x c -c - -o "$work/image/${1%.c}.o"
}
compile boot/zz_low.c 'void zz_high(void); void zz_low(void); void zz_low(void) { zz_high(); }'
compile pmu/zz_high.c 'void zz_high(void); void zz_high(void) {}'
claim "an upward call without an include is refused" refuses 'boot/zz_low\.c uses zz_high of pmu/zz_high\.c'
rm "$tree/pmu/zz_high.c"
compile boot/zz_high.c 'void zz_low(void); void zz_high(void); void zz_high(void) { zz_low(); }'
claim "a circle of calls is refused" refuses 'boot/zz_low\.c uses zz_high of boot/zz_high\.c' \
    'boot/zz_high\.c uses zz_low of boot/zz_low\.c'
rm "$tree"/boot/zz_*.c
claim "objects whose source is gone do not count" accepts
clear

files_in_pc() { find "$tree/pc" -maxdepth 1 -type f | wc -l; }
for n in $(seq "$(files_in_pc)" 44); do
    touch "$tree/pc/zz_$n.txt"
done
claim "45 files in a folder are allowed" accepts
touch "$tree/pc/zz.txt"
claim "a 46th is refused" refuses 'pc: 46 files'
clear

mkdir "$tree/boot/attic"
touch "$tree/boot/attic/zz.c"
claim "a source in a folder that is no room is refused" refuses 'boot/attic/zz\.c'
finish
