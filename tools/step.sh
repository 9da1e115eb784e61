#!/bin/sh
# A step of the build. On a terminal one line counts the steps; elsewhere a step that succeeds says nothing. What
# the command prints, its errors and warnings, is shown in full.
#   step.sh NUMBER TARGET COMMAND...
#   step.sh --end NUMBER
erase=
[ -z "${MAKE_TERMOUT-}" ] || erase=$(printf '\r\033[K')
if [ "$1" = --end ]; then
    echo "${erase}built $2 files"
    exit
fi
number=$1 target=$2
shift 2
[ -z "$erase" ] || printf '%s[%s] %s\r' "$erase" "$number" "$target"
said=$("$@" 2>&1)
status=$?
printf %s "$erase"
[ -z "$said" ] || printf '%s\n' "$said" >&2
exit $status
