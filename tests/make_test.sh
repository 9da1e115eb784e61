#!/bin/sh
# What `make` links anew when a source goes or comes. The compiler is played by a script whose output names its input. TAP
# on standard output.
#   make_test.sh BUILD
set -u
. tests/tap.sh
work=$(realpath "$work")
mkdir -p "$work/tree/build"
cp -r Makefile linker.ld boot bios pmu kernels tools harness pc rig slotlog tests "$work/tree/"
touch "$work/tree/build/.packages"
# shellcheck disable=SC2016
printf '#!/bin/sh\nfor word; do\n    [ "${last-}" != -o ] || echo "$*" >"$word"\n    last=$word\ndone\n' >"$work/cc"
chmod +x "$work/cc"

built() { make -s -C "$work/tree" BUILD=build MAKEFLAGS= CC="$work/cc" "$1"; }
links() { grep -q 'rig-objects/rig/core/passing\.o' "$work/tree/build/rig"; }
links_not() { ! links; }
rests() {
    touch "$work/before"
    built build/rig && ! [ "$work/tree/build/rig" -nt "$work/before" ]
}

echo >"$work/tree/rig/core/passing.c"
claim "the rig is linked" built build/rig
claim "of all its sources" links
claim "and not a second time" rests
rm "$work/tree/rig/core/passing.c"
claim "without one of them it is linked" built build/rig
claim "of those that are left" links_not
finish
