#!/bin/sh
# Whether every C file has the form that .clang-format gives it: TAP on standard output.
#   format.sh [BUILD]     checks (make format-check)
#   format.sh --apply     formats (make format)
set -u
expected=14 # another major version lays out some lines in another way

version=$(clang-format --version 2>/dev/null | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
if [ "$version" != $expected ]; then
    reason="clang-format $expected is needed, found ${version:-none}"
    [ "${1-}" != --apply ] || { echo "format: $reason" >&2; exit 2; }
    echo "ok 1 - every C file is formatted # SKIP $reason"
    echo "1..1"
    exit 0
fi
mode=${1-}
if git rev-parse --git-dir >/dev/null 2>&1; then
    files=$(git ls-files '*.c' '*.h')
else
    files=$(find . -path './build*' -prune -o -name '*.[ch]' -print)
fi
# shellcheck disable=SC2046,SC2086
set -- $(ls -d $files 2>/dev/null) # without files that are removed but still tracked
[ "$mode" != --apply ] || exec clang-format -i "$@"

status=0
said=$(clang-format --dry-run -Werror "$@" 2>&1) || status=1
[ $status -eq 0 ] || printf 'not '
echo "ok 1 - every one of $# C files is formatted"
echo "$said" | sed -n 's/^\([^ ]*:[0-9]*\):[0-9]*: error.*/# \1 differs (make format)/p' | head -50
echo "1..1"
exit $status
