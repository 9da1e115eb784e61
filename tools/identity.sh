#!/bin/sh
# Prints, as C, which build this is: the number in the file VERSION, the commit, and its day. The bytes depend on the
# sources alone: no clock and no folder is asked.
#   identity.sh
# A tree that is no clone has no commit: SLOTSCOPE_COMMIT gives it one, SOURCE_DATE_EPOCH
# (reproducible-builds.org/specs/source-date-epoch) another time. Empty: not known. A commit whose files were changed ends
# in "+changed".
set -eu
fail() {
    echo "identity.sh: $1" >&2
    exit 2
}
commit=${SLOTSCOPE_COMMIT-} epoch=${SOURCE_DATE_EPOCH-}
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
    [ -n "$epoch" ] || epoch=$(git log -1 --format=%ct)
    [ -n "$commit" ] || commit=$(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD -- || echo +changed)
fi
version=$(cat VERSION)
echo "$version" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?' || fail "VERSION: expected a number as 1.2.3, not $version"
echo "$commit" | grep -qxE '([0-9a-f]{7,40}(\+changed)?)?' || fail "SLOTSCOPE_COMMIT: expected a hash, not $commit"
echo "$epoch" | grep -qxE '[0-9]{0,11}' || fail "SOURCE_DATE_EPOCH: expected seconds, not $epoch"
date=
[ -z "$epoch" ] || date=$(date -u -d "@$epoch" +%Y-%m-%d)
cat <<END
#include "boot/identity.h"

const char identity_version[] = "$version";
const char identity_commit[] = "$commit";
const char identity_date[] = "$date";
END
