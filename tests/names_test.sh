#!/bin/sh
# What tests/names.sh must find, in a tree of two files. TAP on standard output.
#   names_test.sh BUILD
set -u
. tests/tap.sh
mkdir "$work/tree"
# tree COMMENT: says whether names.sh lets it through.
tree() {
    printf '/* %s */\nint there_is;\n' "$1" >"$work/tree/one.c"
    printf 'A page on `there_is`.\n' >"$work/tree/page.md"
    sh tests/names.sh "$work" "$work/tree" >"$work/out" 2>&1
    ! grep '^not ok' "$work/out" >/dev/null
}
refuses() { ! tree "$1" && grep "^# one.c: $2\$" "$work/out"; }
claim "what there is may be named" tree "there_is, in one.c"
claim "a function that is gone is found" refuses "as there_was does" there_was
claim "so is a file" refuses "see two.c" two.c
claim "a name of Linux's is not ours" tree "arch/x86/events/intel/core.c, intel_pmu_init"
finish
