#!/bin/sh
# The pages: their length, the length of their lines, and that what they name exists. TAP on standard output.
#   pages.sh BUILD [TREE]
set -u
. tests/tap.sh
tree=${2:-.}

longest_line=120
longest_page='200 ARCHITECTURE.md'
room_page=40 # README.md of a folder with code in it

(cd "$tree" && find . -name .git -prune -o -path './build*' -prune -o -print) | sed 's,^\./,,' | sort >"$work/entries"
grep '\.md$' "$work/entries" >"$work/pages"

# Problems of every page, a line each: "PAGE:LINE what". Names in backticks are looked at when they look like a
# path or a file of the project; names with a placeholder such as NAME are not, nor what lies below build/.
problems() {
    while read -r page; do
        awk -v page="$page" -v longest="$longest_line" -v entries="$work/entries" '
            BEGIN {
                while ((getline entry < entries) > 0) {
                    exists[entry] = 1
                    base = entry
                    sub(/.*\//, "", base)
                    known[base] = 1
                    all = all entry "\n"
                }
            }
            function problem(what) { print page ":" FNR ": " what }
            function regex_of(glob) { gsub(/[.+]/, "[&]", glob); gsub(/\*/, "[^/\n]*", glob); return "(^|\n|/)" glob "\n" }
            # A name may be relative to the folder of the page or to one above it.
            function is_there(name,    folder) {
                folder = page
                while (sub(/[^\/]*\/?$/, "", folder)) {
                    if ((folder name) in exists) return 1
                    if (folder == "") return 0
                }
                return 0
            }
            function check_name(name,    wanted) {
                wanted = name
                sub(/^\.\//, "", wanted)
                sub(/\/$/, "", wanted)
                if (wanted ~ /[^A-Za-z0-9_.\/*-]/ || wanted ~ /^\// || wanted ~ /^build(\/|$)/)
                    return
                if (wanted ~ /(^|\/)(NAME|DIR|FILE|FOLDER)(_[a-z]+)?([.\/]|$)/)
                    return
                if (wanted !~ /\// && wanted !~ /[^.]\.(c|h|asm|inc|sh|md|def|json|jsonl|py|cfg|ld|gdb|s)$/)
                    return
                if (wanted ~ /\*/ && all ~ regex_of(wanted)) return
                if (is_there(wanted)) return
                if (wanted !~ /\// && (wanted in known)) return
                problem("no such file or folder: " name)
            }
            function target_of(link,    folder, part) {
                folder = page
                if (!sub(/[^\/]*$/, "", folder)) folder = ""
                while (sub(/^\.\.\//, "", link)) sub(/[^\/]+\/$/, "", folder)
                return folder link
            }
            function slug(heading) {
                heading = tolower(heading)
                gsub(/[^a-z0-9 _-]/, "", heading)
                gsub(/ /, "-", heading)
                return heading
            }
            function check_link(link,    file, anchor, line, found) {
                if (link ~ /^[a-z]+:/) return
                file = link
                anchor = ""
                if (match(link, /#/)) { anchor = substr(link, RSTART + 1); file = substr(link, 1, RSTART - 1) }
                file = file == "" ? page : target_of(file)
                if (!(file in exists)) { problem("link to nowhere: " link); return }
                if (anchor == "") return
                while ((getline line < (tree "/" file)) > 0)
                    if (line ~ /^#+ / && slug(substr(line, index(line, " ") + 1)) == anchor) found = 1
                close(tree "/" file)
                if (!found) problem("no such heading: " link)
            }
            /^```/ { code = !code; next }
            code { next }
            length($0) > longest && !/^\|/ { problem("a line of " length($0) " columns") }
            /^    / { next }
            {
                text = $0
                while (match(text, /`[^`]+`/)) {
                    name = substr(text, RSTART + 1, RLENGTH - 2)
                    text = substr(text, RSTART + RLENGTH)
                    check_name(name)
                }
                text = $0
                while (match(text, /\]\([^)]+\)/)) {
                    name = substr(text, RSTART + 2, RLENGTH - 3)
                    text = substr(text, RSTART + RLENGTH)
                    check_link(name)
                }
            }
        ' tree="$tree" "$tree/$page"
    done <"$work/pages"
}
# lines PAGE: how many it has.
lines() { wc -l <"$tree/$1"; }
none() { ! grep "$@" "$work/problems" >"$work/found" || { cat "$work/found"; return 1; }; }

problems >"$work/problems"
claim "no line of prose is longer than $longest_line columns" none ' columns$'
claim "every file and folder that a page names exists" none 'no such file'
claim "every link leads somewhere" none -e 'link to nowhere' -e 'no such heading'
echo "$longest_page" >"$work/limits"
grep -E '^(boot|pmu|kernels|harness|pc|rig|tests)/(.*/)?README\.md$' "$work/pages" | grep -vx 'rig/README.md' |
    sed "s/^/$room_page /" >>"$work/limits"
while read -r limit page; do
    claim "$page: $(lines "$page") lines, at most $limit" [ "$(lines "$page")" -le "$limit" ]
done <"$work/limits"
finish
