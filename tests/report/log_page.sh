#!/bin/sh
# doc/log.md describes each member that doc/log.schema.json states, with its types, and no other: TAP on standard
# output.
#   log_page.sh BUILD
set -u
. tests/tap.sh

# members_of PAGE: "record member types" for each row of a record's table, "record member -" for each name after
# "Also:". A row may name several members.
members_of() {
    awk '
        /^### `/ { record = $2; gsub(/`/, "", record); also = 0 }
        /^## / { record = "" }
        record == "" { next }
        /^Also: / { also = 1 }
        /^$/ { also = 0 }
        also || /^\| `/ {
            types = "-"
            text = $0
            if (!also) {
                split($0, cell, / *\| */)
                text = cell[2]
                types = cell[3]
            }
            while (match(text, /`[^`]*`/)) {
                print record, substr(text, RSTART + 1, RLENGTH - 2), types
                text = substr(text, RSTART + RLENGTH)
            }
        }' "$1"
}
# common PAGE: "member types" of the table of members of several records.
common() { awk '/^### Members of several records/ { on = 1; next } /^##/ { on = 0 } on && /^\| `/ { split($0, cell, / *\| */); gsub(/`/, "", cell[2]); print cell[2], cell[3] }' "$1"; }
# Every name once in a record; those after "Also:" are in the common table.
agree() {
    members_of "$1" | cut -d' ' -f1,2 | sort >"$work/page"
    "$build/tools/check_schema" --members doc/log.schema.json >"$work/typed"
    cut -d' ' -f1,2 "$work/typed" | sort >"$work/schema"
    [ -s "$work/schema" ] && diff "$work/page" "$work/schema"
}
types_agree() {
    members_of "$1" | grep -v ' -$' >"$work/rows"
    common "$1" >"$work/common"
    members_of "$1" | grep ' -$' | while read -r record member _; do
        awk -v record="$record" -v member="$member" '$1 == member { print record, $0 }' "$work/common"
    done >>"$work/rows"
    sort "$work/rows" >"$work/page-types"
    sort "$work/typed" | diff "$work/page-types" -
}
claim "doc/log.md names the members of the schema, each record's and no other" agree doc/log.md
claim "and their types" types_agree doc/log.md
refused() { ! "$1" "$work/changed.md"; }
sed '/^| `tsc_source`/d' doc/log.md >"$work/changed.md"
claim "a member that is not described is found" refused agree
sed 's/^| `tsc_source`/| `tsc_origin`/' doc/log.md >"$work/changed.md"
claim "a member that no record has is found" refused agree
sed 's/^| `tsc_source` | string/| `tsc_source` | string or null/' doc/log.md >"$work/changed.md"
claim "a wrong type is found" refused types_agree
finish
