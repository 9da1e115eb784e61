#!/bin/sh
# Everything that slotlog makes of logs that are damaged, or made up to do harm, opens with the reader that it is made
# for, and hands on nothing of a damaged log that was not written. TAP on standard output. EXPORTS=all: a hundred times the logs.
#   damaged.sh BUILD
set -u
. tests/boot.sh
slotlog=$build/slotlog
python=/usr/bin/python3
$python -c 'import junitparser, prometheus_client' 2>"$work/said" ||
    skip_all "exports of damaged logs open" "$(tail -1 "$work/said"): make setup-all"
times=1
[ "${EXPORTS-}" != all ] || times=100

# A copy of the program beside a library of charts that is empty: pages of some kilobytes.
mkdir -p "$work/bin/echarts"
cp "$slotlog" "$work/bin/"
touch "$work/bin/echarts/echarts.min.js" "$work/bin/echarts/LICENSE" "$work/bin/echarts/NOTICE" "$work/bin/echarts/LICENSE-d3"

boot full --cpu skylakex --cores 2 --args 'kernels=cal.branches,mix.core.port,ret.nop levels=2 repeats=1' \
    --fault count:BR_INST_RETIRED.ALL_BRANCHES:5
stick brief
printf '\ndetail = brief\n' >>"$work/brief.esp/slotscope/slotscope.cfg"
boot brief --cpu icelakex --cores 2 --args 'kernels=cal.*,be.core.chain levels=2 repeats=1'
# A record of each kind that there is, in one log.
$python - tests/report/records.jsonl >"$work/kinds.unsealed" <<'EOF'
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
once = lambda kind: [record for record in records if record["type"] == kind][:1]
others = [record for record in records if record["type"] not in ("log", "machine", "end")]
print("TAP version 14")
for seq, record in enumerate(once("log") + once("machine") + others + once("end")):
    if record["type"] == "end":
        record["texts"] = 0
    print(json.dumps(record | {"seq": seq}, separators=(",", ":")))
print("1..0")
EOF
$python tests/report/seal.py <"$work/kinds.unsealed" >"$work/kinds.log"
claim "a log with a record of each kind is whole, once its CRCs are what they must be" \
    "$slotlog" verify "$work/kinds.log"

# opens KIND LOG SEED COUNT
opens() { claim "$1: every output of $4 copies of $2.log opens with its reader" $python tests/report/open_exports.py \
    "$1" "$work/bin/slotlog" "$work/$2.log" "$3" "$4"; }
opens damaged brief 1 $((10 * times))
opens damaged full 2 $((4 * times))
opens hostile brief 3 $((10 * times))
opens hostile full 4 $((2 * times))
opens hostile kinds 5 $((8 * times))

# hostile NAME SED: brief.log changed, with CRCs that hold.
hostile() { sed "$2" "$work/brief.log" | $python tests/report/seal.py >"$work/$1.log"; }
reason='s/"missing":{\("[^"]*"\):"[^"]*"/"missing":{\1:"=HYPERLINK(\\"http:\/\/example.com\\")"/'
hostile formula "$reason"
claim "csv: what a spreadsheet would work out has an apostrophe in front" sh -c "
    '$slotlog' export -f csv '$work/formula.log' | grep -F ',\"'\\''=HYPERLINK(\"\"http://example.com\"\")\"'"
hostile escape '1,/"board"/s/"board":"[^"]*"/"board":"a\\u001b]0;title\\u0007\\u009b2Jb\\u00e9"/'
claim "show: no byte of the board's name steers a terminal" sh -c "
    '$slotlog' show '$work/escape.log' | grep 'board     a?\]0;title??2Jb?\$'"
claim "verify: it is no damage: a machine may have such a name" "$slotlog" verify "$work/escape.log"
hostile name '0,/"missing":{"/s//"missing":{"\\u001b/'
claim "verify: the name of a member has no such byte in any log" sh -c "
    '$slotlog' verify '$work/name.log' >'$work/said'; [ \$? -eq 1 ] && grep 'a member whose name is no printable ASCII' '$work/said'"
hostile nul '0,/"board":"/s//"board":"\\u0000/'
claim "verify: nor is there a text with a zero" sh -c "
    '$slotlog' verify '$work/nul.log' >'$work/said'; [ \$? -eq 1 ] && grep 'a record is no JSON' '$work/said'"

# What is no log, as far as it goes.
head -c 1000000 /dev/zero | tr '\0' x >"$work/line"
{ sed -n '1,4p' "$work/brief.log"; cat "$work/line"; echo; sed -n '5,$p' "$work/brief.log"; } >"$work/long.log"
claim "verify: a line of a megabyte is named, and costs nothing else" sh -c "
    '$slotlog' verify '$work/long.log' >'$work/said'; [ \$? -eq 1 ] && grep 'long.log:5: the line has over 65535 bytes' '$work/said' &&
    grep ' 1 damaged lines, 0 records missing, 0 verdicts and comments not believed, 1 problems' '$work/said'"
{ sed -n '1,4p' "$work/brief.log"; printf '\0\0\0ok 9 - a\0b\n'; sed -n '5,$p' "$work/brief.log"; } >"$work/zeros.log"
claim "verify: so is one with zeros" sh -c "
    '$slotlog' verify '$work/zeros.log' >'$work/said'; [ \$? -eq 1 ] && grep ' 1 damaged lines, 0 records missing' '$work/said'"
iconv -t UTF-16 "$work/brief.log" >"$work/wide.log"
claim "verify: a log in UTF-16 is none" sh -c "
    '$slotlog' verify '$work/wide.log' >'$work/said' 2>&1; [ \$? -eq 2 ] && grep 'no log of slotscope' '$work/said'"
finish
