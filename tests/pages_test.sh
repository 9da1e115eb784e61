#!/bin/sh
# What tests/pages.sh must refuse, planted into a small tree, and the project's own pages: TAP on standard output.
#   pages_test.sh BUILD
set -u
. tests/tap.sh
mkdir -p "$work/tree/boot" "$work/tree/doc"

pages() { sh tests/pages.sh "$work" "$work/tree" >"$work/out"; }
sound() { pages || { cat "$work/out"; false; }; }
# refused TEXT: and the reason is printed.
refused() { ! pages && grep -F -- "$1" "$work/out"; }
# page TEXT...: a page of these lines.
page() { printf '%s\n' "$@" >"$work/tree/doc/page.md"; }
long=$(printf 'word %.0s' $(seq 30))

printf '# Rooms\n\n## The first one\n' >"$work/tree/ARCHITECTURE.md"
: >"$work/tree/boot/log.c"
page 'See [the page](../ARCHITECTURE.md#the-first-one),' '`boot/log.c`, `boot/`, `log.c`, `boot/*.c`, `pmu/NAME.def`, `build/rig`.' \
    "| a table's row may be long | $long |" '```' "$long" '`no/such.c`' '```'
claim "sound pages pass" sound
page "$long"
claim "a long line" refused "doc/page.md:1: a line of 150 columns"
page 'First.' 'See `boot/lag.c`.'
claim "a file that does not exist" refused "doc/page.md:2: no such file or folder: boot/lag.c"
page 'See `lag.c`.'
claim "a file that is nowhere" refused "no such file or folder: lag.c"
page 'See `boot/*.asm`.'
claim "a pattern that fits no file" refused "no such file or folder: boot/*.asm"
page 'See [the page](ARCHITECTURE.md).'
claim "a link from the wrong folder" refused "link to nowhere: ARCHITECTURE.md"
page 'See [the page](../ARCHITECTURE.md#the-second-one).'
claim "a link to a heading that does not exist" refused "no such heading: ../ARCHITECTURE.md#the-second-one"
page 'Sound.'
seq 201 | sed 's/^/Line /' >"$work/tree/ARCHITECTURE.md"
claim "a page of 201 lines" refused "ARCHITECTURE.md: 201 lines, at most 200"
echo 'Short.' >"$work/tree/ARCHITECTURE.md"
seq 41 | sed 's/^/Line /' >"$work/tree/boot/README.md"
claim "a room's page of 41 lines" refused "boot/README.md: 41 lines, at most 40"
claim "the project's own pages pass" sh -c "sh tests/pages.sh '$work/build' >'$work/own' || { grep -v '^ok' '$work/own'; false; }"
finish
