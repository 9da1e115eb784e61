#!/bin/sh
# What tests/run.sh makes of suites of every kind, planted into a tree of their own. TAP on standard output.
#   run_test.sh BUILD
set -u
. tests/tap.sh
mkdir -p "$work/tests/unit" "$work/build/unit"
cp tests/run.sh tests/suite.sh "$work/tests/"

# plant NAME LINE...: a suite that prints these lines; the last line is its end
plant() {
    touch "$work/tests/unit/$1_test.c"
    name=$1
    shift
    { echo '#!/bin/sh'; printf '%s\n' "$@"; } >"$work/build/unit/${name}_test"
    chmod +x "$work/build/unit/${name}_test"
}
# sums TEXT STATUS: run.sh's last line is TEXT, and that is its exit status
sums() {
    (cd "$work" && sh tests/run.sh unit build) >"$work/out" 2>&1
    status=$?
    cat "$work/out"
    [ $status -eq "$2" ] && [ "$(tail -1 "$work/out")" = "$1" ]
}
says() { cat "$work/out"; grep -qE "$1" "$work/out"; }

plant good 'echo "ok 1 - one"' 'echo "ok 2 - two"' 'echo 1..2'
plant skips 'echo "1..2"' 'echo "ok 1 - one"' 'echo "not ok 2 - two # SKIP no such thing"'
claim "passes and skips are summed, as cmocka writes them, too" sums "3 passed, 0 failed, 1 skipped" 0
claim "each suite has a line with its counts and its time" \
    says '^unit good  *2 passed  *0 failed  *0 skipped  *[0-9]+\.[0-9] s$'
claim "the reason of a skip is shown" says 'skipped: no such thing'

plant bad 'echo "ok 1 - one"' 'echo "not ok 2 - two"' 'echo "# because"' 'echo 1..2' 'exit 1'
claim "a failed line is a failure" sums "4 passed, 1 failed, 1 skipped" 1
claim "and is shown with its comments" says '^    # because$'
plant bad 'echo "ok 1 - one"' 'echo 1..1' 'exit 3'
claim "a suite that ends badly without a failed line is one failure" sums "4 passed, 1 failed, 1 skipped" 1
claim "its status is shown" says 'unit bad ended with status 3'
plant bad 'kill -9 $$'
claim "so is one that dies" sums "3 passed, 1 failed, 1 skipped" 1
plant bad 'echo nothing'
claim "so is one without a test" sums "3 passed, 1 failed, 1 skipped" 1
plant bad 'echo "ok 1 - one"' 'echo 1..2'
claim "so is one whose plan promises more" sums "4 passed, 1 failed, 1 skipped" 1
claim "which prove names" says 'planned 2 tests but ran 1'
rm "$work/tests/unit/bad_test.c"
echo '7 build/unit/skips_test' >"$work/build/suite-times"
order() { sums "3 passed, 0 failed, 1 skipped" 0 && [ "$(paste -sd' ' "$work/build/test-output/order")" = "$1" ]; }
claim "a suite of which no run has told comes first" order "build/unit/good_test build/unit/skips_test"
printf '2 build/unit/good_test\n10 build/unit/skips_test\n' >"$work/build/suite-times"
claim "then those that took longest" order "build/unit/skips_test build/unit/good_test"
claim "what they take is kept for the next run" grep -qE '^[0-9]+ build/unit/good_test$' "$work/build/suite-times"
every_script() {
    # shellcheck disable=SC2046 # patterns of names without blanks
    ls $(sed -n 's/^ *ls \(tests.*\)/\1/p' tests/run.sh) | sort >"$work/listed"
    # pages.sh is pages_test.sh's, and planted.sh builds the image three times, for minutes.
    grep -rlx finish tests --include='*.sh' | grep -vx -e tests/pages.sh -e tests/sweep/planted.sh | sort |
        comm -23 - "$work/listed" >"$work/unlisted"
    cat "$work/unlisted"
    [ -s "$work/listed" ] && [ ! -s "$work/unlisted" ]
}
claim "every script that ends as a suite does is run" every_script
claim "a program left over from an older tree is not run" sums "3 passed, 0 failed, 1 skipped" 0
finish
