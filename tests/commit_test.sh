#!/bin/sh
# What .githooks/commit-msg lets through. TAP on standard output.
#   commit_test.sh BUILD
set -u
. tests/tap.sh
hooks=$PWD/.githooks
mkdir -p "$work/tree/pmu"
git -C "$work/tree" init -q -b main
git -C "$work/tree" config core.hooksPath "$hooks"
git -C "$work/tree" config user.name someone
git -C "$work/tree" config user.email someone@example.org

# commits FILE MESSAGE...: a change of FILE is committed with these paragraphs.
commits() {
    file=$1
    shift
    echo x >>"$work/tree/$file"
    git -C "$work/tree" add "$file"
    for paragraph; do set -- "$@" -m "$paragraph"; shift; done
    git -C "$work/tree" commit -q "$@" 2>"$work/said"
}
refuses() { ! commits "$@" && grep -E "$pattern" "$work/said"; }
line=$(printf '%72s' | tr ' ' x)
claim "72 columns are let through" commits README.md "$line"
pattern='has 73 columns, at most 72: x*$' claim "73 are not" refuses README.md "x$line"
claim "a character is a column, however many bytes it has" commits README.md "$(echo "$line" | sed 's/x/\xc3\xa4/g')"
claim "a page needs no more than its first line" commits README.md "doc: one word"
pattern='pmu/plan.c changes the image' claim "a source of the image does" refuses pmu/plan.c "pmu: one word"
pattern='pmu/plan.c changes the image' claim "and blanks are not that" refuses pmu/plan.c "pmu: one word" " "
claim "with it, it is let through" commits pmu/plan.c "pmu: one word" "Why."
claim "comments of git's are no text" sh -c "printf 'Merge: pmu\n# Why\n' >'$work/message' && '$hooks/commit-msg' '$work/message'"
finish
