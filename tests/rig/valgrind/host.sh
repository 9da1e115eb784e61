#!/bin/sh
# Builds the kernels as a Linux program: host.sh BUILD PROGRAM
set -eu
build=$1
program=$2
set --
for source in kernels/*.asm; do
    set -- "$@" "$build/asm/${source%.asm}.o"
done
exec gcc -std=c11 -O1 -Wall -Wextra -D_GNU_SOURCE -I. -static -no-pie -Wl,-z,noexecstack -o "$program" \
    tests/rig/valgrind/hosted.c "$@"
