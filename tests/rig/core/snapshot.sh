#!/bin/sh
# Periods are skipped when the state of the pipeline is what it was. So each member of the structures in
# rig/core/cycle/elements.h and state.h is compared in period_snapshot.c, or named there as left out, with the
# reason. The state of a mechanism is compared as a whole if rig/core/mechanisms.inc has the mechanism. Each
# figure of a mechanism is one that a part sets. TAP.
#   snapshot.sh BUILD
set -u
. tests/tap.sh
state=$work/state.h compared=rig/core/pipeline/period_snapshot.c mechanisms=rig/core/mechanisms.inc
cat rig/core/cycle/elements.h rig/core/cycle/state.h rig/core/mechanism/*.h >"$state"

# plain FILE: FILE without its comments, in one line.
plain() {
    awk '
        { text = text " " $0 }
        END {
            while ((at = index(text, "/*")) > 0) {
                rest = substr(text, at + 2)
                text = substr(text, 1, at - 1) substr(rest, index(rest, "*/") + 2)
            }
            print text
        }' "$1"
}
# members FILE: lines "STRUCTURE MEMBER TYPE" of its structures; TYPE is the structure that the member is or points
# to, or "-".
members() {
    plain "$1" | awk '
        {
            text = $0
            while (match(text, / struct \{[^{}]*\}/)) # its members are those of the structure around it
                text = substr(text, 1, RSTART) substr(text, RSTART + 9, RLENGTH - 10) substr(text, RSTART + RLENGTH)
            while (match(text, /struct [a-z_0-9]+ \{[^}]*\}/)) {
                body = substr(text, RSTART + 7, RLENGTH - 8)
                text = substr(text, RSTART + RLENGTH)
                name = body
                sub(/ .*/, "", name)
                sub(/^[a-z_0-9]+ \{/, "", body)
                gsub(/\[[^]]*\]/, "", body)
                count = split(body, declaration, ";")
                for (i = 1; i <= count; i++) {
                    type = match(declaration[i], /struct [a-z_0-9]+/) ? substr(declaration[i], RSTART + 7, RLENGTH - 7) : "-"
                    n = split(declaration[i], part, ",")
                    for (j = 1; j <= n; j++)
                        if (match(part[j], /[a-z_0-9]+ *$/)) {
                            member = substr(part[j], RSTART, RLENGTH)
                            sub(/ *$/, "", member)
                            print name, member, type
                        }
                }
            }
        }'
}
# reads MEMBERS FILE: lines "STRUCTURE MEMBER" that the functions of FILE read; what is in brackets is read, too.
reads() {
    sed '/^#/d' "$2" >"$work/code"
    plain "$work/code" | sed 's/sizeof([^()]*)//g; s/ }  *static /\n&/g; s/ }  *void /\n&/g; s/ }  *bool /\n&/g' | awk -v members="$1" '
        BEGIN { while ((getline line < members) > 0) { split(line, word); type_of[word[1], word[2]] = word[3] } }
        {
            split("", variable)
            text = $0
            while (match(text, /struct [a-z_0-9]+ \**[a-z_0-9]+/)) {
                split(substr(text, RSTART, RLENGTH), word, /[ *]+/)
                variable[word[3]] = word[2]
                text = substr(text, RSTART + RLENGTH)
            }
            text = $0
            while (match(text, /\[[^][]*\]/))
                text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH) " ; " substr(text, RSTART + 1, RLENGTH - 2)
            while (match(text, /[a-z_][a-z_0-9]*((->|\.)[a-z_][a-z_0-9]*)+/)) {
                n = split(substr(text, RSTART, RLENGTH), name, /->|\./)
                text = substr(text, RSTART + RLENGTH)
                type = variable[name[1]]
                for (i = 2; i <= n && type != "" && type != "-"; i++) {
                    print type, name[i]
                    type = type_of[type, name[i]]
                }
            }
        }'
}
# wholly_compared MEMBERS: the states of the mechanisms, and the structures that these are made of.
wholly_compared() {
    grep -q 'mechanisms_snapshot(' "$compared" || return 0
    sed -n 's/^#include "mechanism\/\(.*\)\.h"$/\1_state/p' "$mechanisms" | awk '
        NR == FNR { whole[$1]; next }
        { of[NR] = $1; type[NR] = $3; }
        END {
            for (again = 1; again;) {
                again = 0
                for (i in of)
                    if (of[i] in whole && type[i] != "-" && !(type[i] in whole)) {
                        whole[type[i]]
                        again = 1
                    }
            }
            for (name in whole)
                print name
        }' - "$1"
}
# forgotten FILE: members of FILE that are neither compared nor left out. A structure that is compared byte by byte, or
# left out as a whole, is named as "struct NAME"; so are the members that are such a structure, or point to it. Figures
# are no state.
forgotten() {
    members "$1" | grep -v '^[a-z_]*_figures ' >"$work/members"
    sed -n '/^ \* Left out/,/\*\//p' "$compared" | sed 's/^ \* *//' | tr '\n' ' ' >"$work/comment"
    grep -oE 'struct [a-z_]+' "$work/comment" | sed 's/struct //' >"$work/whole"
    wholly_compared "$work/members" >>"$work/whole"
    sed 's/- compared byte by byte.*//' "$work/comment" | grep -oE 'struct [a-z_]+' | sed 's/struct //' >"$work/left_out"
    {
        grep -oE '[a-z_]+\.[a-z_0-9]+' "$work/comment" | tr . ' '
        reads "$work/members" "$compared"
    } >"$work/known"
    awk '
        FILENAME ~ /whole$/ { whole[$1] }
        FILENAME ~ /left_out$/ { left_out[$1] }
        FILENAME ~ /known$/ { known[$1, $2] }
        FILENAME ~ /members$/ && !($1 in whole) && !($3 in left_out) && !(($1, $2) in known) { print $1, $2 }
    ' "$work/whole" "$work/left_out" "$work/known" "$work/members"
}
none() { forgotten "$1" >"$work/forgotten" && [ ! -s "$work/forgotten" ] || { cat "$work/forgotten"; return 1; }; }
# with STRUCTURE DECLARATION: what is forgotten when the structure has such a member, too.
with() {
    sed "s|^struct $1 {|&\n    $2;|" "$state" >"$work/with.h"
    forgotten "$work/with.h" | tr '\n' ' '
}

claim "the structures are read: struct timeline has its clock" [ "$(members "$state" | grep -cx 'timeline now -')" = 1 ]
claim "and more than 150 members in all" [ "$(members "$state" | wc -l)" -gt 150 ]
claim "each member is compared, or left out with a reason" none "$state"
claim "a new one is missed" [ "$(with timeline 'uint64_t zz_added, zz_too[4]')" = "timeline zz_added timeline zz_too " ]
claim "so is one with the name of a member that another structure has" [ "$(with stores 'uint64_t cycle')" = "stores cycle " ]
claim "so is a new part of the model" [ "$(with model 'struct stores older')" = "model older " ]
claim "a part that is compared as a whole has its new members compared" [ "$(with allocator 'unsigned zz_added')" = "" ]
claim "a mechanism's state has its new members compared" [ "$(with moves_state 'unsigned zz_added')" = "" ]
# without LINE FILE: a copy of FILE without the lines that have LINE.
without() { grep -v "$1" "$2" >"$work/without" && echo "$work/without"; }
claim "not so if the list lacks the mechanism" \
    [ "$(mechanisms=$(without stack_engine $mechanisms) && forgotten "$state")" = "stack_engine_state moved" ]
claim "nor if nothing writes the states down" \
    [ "$(compared=$(without mechanisms_snapshot $compared) && forgotten "$state" | grep -c 'banks_state uses')" = 1 ]

# pointers FILE: the states of mechanisms in FILE that have a pointer.
pointers() { plain "$1" | grep -oE 'struct [a-z_]+_state \{[^}]*\*[^}]*\}' | sed 's/ {.*//'; }
claim "no state of a mechanism has a pointer" [ "$(pointers "$state")" = "" ]
sed 's/^struct moves_state {/&\n    const char *zz_added;/' "$state" >"$work/with.h"
claim "one that has is found" [ "$(pointers "$work/with.h")" = "struct moves_state" ]

# unset_figures FILE: the figures of mechanisms in FILE that no part sets.
unset_figures() {
    members "$1" | sed -n 's/^\([a-z_0-9]*\)_figures \([a-z_0-9]*\) .*/\1 \2/p' | while read -r mechanism figure; do
        grep -qE "^ *\.$mechanism(\.| = \{([^}]*[ {])?\.)$figure = " rig/cpu/*.c rig/cpu/*.inc || echo "$mechanism $figure"
    done
}
claim "each figure of a mechanism is set by a part" [ "$(unset_figures "$state")" = "" ]
sed 's/^struct banks_figures {/&\n    bool zz_added;/' "$state" >"$work/with.h"
claim "one that none sets is found" [ "$(unset_figures "$work/with.h")" = "banks zz_added" ]
finish
