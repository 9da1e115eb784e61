#!/bin/sh
# What `slotlog export` writes, read by those that it is written for: junitparser, xmllint with a schema, the reader of
# OpenMetrics in prometheus_client, promtool, jq and prove. TAP on standard output.
#   readers.sh BUILD
set -u
. tests/boot.sh
slotlog=$build/slotlog

# reader NAME ARGUMENT...: what read_exports.py prints, in $work/NAME.read; false with $why: it is not installed.
reader() {
    name=$1
    shift
    /usr/bin/python3 tests/report/read_exports.py "$@" >"$work/$name.read" 2>"$work/$name.said"
    status=$?
    why=$(cat "$work/$name.read")
    [ $status -ne 3 ]
}
skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}
read_well() { [ $status -eq 0 ] || { cat "$work/$1.said"; return 1; }; }

# Failures, SKIPs, names in which XML and OpenMetrics have to escape, doses, a log that is cut.
boot run --cpu skylakex --cores 2 --args 'kernels=cal.branches,mix.core.port,be.mem.contested.remote,ret.nop levels=1 repeats=1' \
    --fault count:BR_INST_RETIRED.ALL_BRANCHES:5
log=$work/run.log
head -c 20000 "$log" >"$work/cut.log"
for form in junit openmetrics perf-json; do
    "$slotlog" export -f $form "$log" -o "$work/run.$form" 2>/dev/null
    "$slotlog" export -f $form "$work/cut.log" -o "$work/cut.$form" 2>/dev/null
done
claim "the log has verdicts of each kind" sh -c "
    grep -q '^ok [0-9]* - [^\#]*$' '$log' && grep -q '^not ok' '$log' && grep -q '^ok .* # SKIP' '$log'"

# cases: outcome, name and reason of each verdict, as the log has them.
cases() {
    sed -n -E 's/^ok [0-9]+ - (.*) # SKIP (.*)/skipped\t\1\t\2/p; t
        s/^ok [0-9]+ - (.*)/passed\t\1\t/p; t
        s/^not ok [0-9]+ - (.*)/failure\t\1\t/p' "$log" | sed 's/\\#/#/g'
}
if reader junit junit "$work/run.junit"; then
    claim "junit: junitparser reads it, and its totals are those of its cases" read_well junit
    cases >"$work/cases"
    claim "junit: each case has the verdict's outcome, name and reason, in the log's order" \
        sh -c "head -n -2 '$work/junit.read' | diff '$work/cases' -"
    claim "junit: the last two are the log itself, which doubts nothing and is whole" \
        [ "$(tail -2 "$work/junit.read")" = "$(printf 'passed\tthe log doubts none of its numbers\t\npassed\tlog and run are whole\t')" ]
    reader cut-junit junit "$work/cut.junit"
    claim "junit: a log that was cut is an error" [ "$(tail -1 "$work/cut-junit.read" | cut -f1)" = error ]
else
    skip "junit: junitparser reads it" "$why"
fi
claim "junit: the schema holds" xmllint --noout --schema tests/report/junit.xsd "$work/run.junit"
claim "junit: of a log that was cut, too" xmllint --noout --schema tests/report/junit.xsd "$work/cut.junit"
sed 's/<skipped /<omitted /' "$work/run.junit" >"$work/other.junit"
claim "junit: the schema refuses another element" sh -c "! xmllint --noout --schema tests/report/junit.xsd '$work/other.junit'"

shares() {
    records run 'select(.type == "topdown" and .dose == null) | . as $r | .nodes | to_entries[] | select(.value != null)
        | "\($r.core)\t\($r.kernel)\t\(.key)\t\(.value)"' | awk -F'\t' '{ printf "%s\t%s\t%s\t%.4f\n", $1, $2, $3, $4 }' | LC_ALL=C sort
}
if reader openmetrics openmetrics "$work/run.openmetrics"; then
    claim "openmetrics: prometheus_client reads it" read_well openmetrics
    shares >"$work/shares"
    claim "openmetrics: each share is the record's" sh -c "sed '\$d' '$work/openmetrics.read' | LC_ALL=C sort | diff '$work/shares' -"
    claim "openmetrics: there are some" [ "$(wc -l <"$work/shares")" -gt 20 ]
    claim "openmetrics: eight families" [ "$(tail -1 "$work/openmetrics.read" | tr '\t' '\n' | grep -c '^slotscope_')" -eq 8 ]
    reader cut-openmetrics openmetrics "$work/cut.openmetrics"
    claim "openmetrics: of a log that was cut, too" read_well cut-openmetrics
    sed '$d' "$work/run.openmetrics" >"$work/endless"
    reader endless openmetrics "$work/endless"
    claim "openmetrics: that reader refuses a text without its end" [ $status -eq 1 ]
else
    skip "openmetrics: prometheus_client reads it" "$why"
fi
if command -v promtool >/dev/null 2>&1; then
    claim "openmetrics: promtool has nothing against it" sh -c "promtool check metrics <'$work/run.openmetrics' 2>&1 | tee '$work/promtool' && [ ! -s '$work/promtool' ]"
else
    skip "openmetrics: promtool has nothing against it" "promtool is not installed: it is in the package prometheus, whose service would start"
fi
claim "perf-json: jq reads each line as an object with an event, a value and a unit" \
    jq -se 'length > 100 and all(.[]; has("event") and has("counter-value") and has("unit"))' "$work/run.perf-json"
claim "prove counts the verdicts of the log" sh -c "
    prove --norc -v --exec 'sed 1s/14/13/' '$log' 2>&1 | grep -E 'Failed $(grep -c '^not ok' "$log")/$(grep -cE '^(not )?ok' "$log") subtests'"
finish
