#!/bin/sh
# Periods are skipped when the state of the pipeline is what it was. So each member of the structures in
# rig/core/cycle/state.h is compared in period_snapshot.c, or named there as left out, with the reason. TAP.
#   snapshot.sh BUILD
set -u
. tests/tap.sh
state=rig/core/cycle/state.h compared=rig/core/pipeline/period_snapshot.c

# members FILE: lines "STRUCTURE MEMBER" of its structures.
members() {
    awk '
        { text = text " " $0 }
        END {
            while ((at = index(text, "/*")) > 0) {
                rest = substr(text, at + 2)
                text = substr(text, 1, at - 1) substr(rest, index(rest, "*/") + 2)
            }
            while (match(text, / struct \{[^{}]*\}/)) # its members are those of the structure around it
                text = substr(text, 1, RSTART) substr(text, RSTART + 9, RLENGTH - 10) substr(text, RSTART + RLENGTH)
            while (match(text, /struct [a-z_]+ \{[^}]*\}/)) {
                body = substr(text, RSTART + 7, RLENGTH - 8)
                text = substr(text, RSTART + RLENGTH)
                name = body
                sub(/ .*/, "", name)
                sub(/^[a-z_]+ \{/, "", body)
                gsub(/\[[^]]*\]/, "", body)
                count = split(body, declaration, ";")
                for (i = 1; i <= count; i++) {
                    n = split(declaration[i], part, ",")
                    for (j = 1; j <= n; j++)
                        if (match(part[j], /[a-z_0-9]+ *$/))
                            print name, substr(part[j], RSTART, RLENGTH)
                }
            }
        }' "$1" | sed 's/ *$//'
}
# forgotten FILE: members of FILE that are neither compared nor left out. A structure
# that is compared byte by byte, or of which a period keeps none, is named as "struct NAME".
forgotten() {
    sed -n '/^ \* Left out/,/\*\//p' "$compared" | sed 's/^ \* *//' | tr '\n' ' ' >"$work/comment"
    grep -oE 'struct [a-z_]+' "$work/comment" >"$work/structures"
    tr -c 'a-z_0-9' '\n' <"$work/comment" >"$work/left_out"
    sed -n '/^ \* Left out/,/\*\//d; p' "$compared" | grep -oE '(->|\.)[a-z_0-9]+' | sed 's/^[->.]*//' >"$work/read"
    members "$1" | while read -r structure member; do
        grep -qx "struct $structure" "$work/structures" || grep -qx "$member" "$work/read" "$work/left_out" ||
            echo "$structure $member"
    done
}
none() { forgotten "$1" >"$work/forgotten" && [ ! -s "$work/forgotten" ] || { cat "$work/forgotten"; return 1; }; }

claim "the structures are read: struct model has its clock" [ "$(members $state | grep -cx 'model now')" = 1 ]
claim "and more than 150 members in all" [ "$(members $state | wc -l)" -gt 150 ]
claim "each member is compared, or left out with a reason" none $state
sed 's|^    uint64_t now; |    uint64_t zz_added, zz_too[4];\n&|' $state >"$work/state.h"
claim "a new one is missed" [ "$(forgotten "$work/state.h" | tr '\n' ' ')" = "model zz_added model zz_too " ]
finish
