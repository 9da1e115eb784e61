#!/bin/sh
# build/slotlog: what each command says of logs that are whole, damaged, merged, cut or no logs at all. TAP on standard
# output.
#   slotlog.sh BUILD
set -u
. tests/boot.sh
slotlog=$build/slotlog

# run STATUS ARGUMENT...: slotlog into $work/out and $work/said must end with that status.
run() {
    wanted=$1
    shift
    "$slotlog" "$@" >"$work/out" 2>"$work/said" </dev/null
    status=$?
    [ "$status" -eq "$wanted" ] || { echo "status $status, expected $wanted"; cat "$work/out" "$work/said"; return 1; }
}
says() { grep -qE -- "$1" "$work/out" || { head -20 "$work/out"; return 1; }; }
# complains STATUS PATTERN ARGUMENT...: one line on standard error, nothing else.
complains() {
    wanted_text=$2
    wanted_status=$1
    shift 2
    run "$wanted_status" "$@" && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/said")" -eq 1 ] &&
        grep -E -- "$wanted_text" "$work/said" >/dev/null || { cat "$work/out" "$work/said"; return 1; }
}
# prints STATUS PATTERN ARGUMENT...
prints() {
    wanted_text=$2
    wanted_status=$1
    shift 2
    run "$wanted_status" "$@" && says "$wanted_text"
}

# Two runs: all is well, and an event that counts 5 % too much.
stick good
printf '\ndetail = brief\n' >>"$work/good.esp/slotscope/slotscope.cfg"
cp -r "$work/good.esp" "$work/off.esp"
kernels='kernels=cal.*,be.core.chain,mix.core.port,ret.nop levels=2 repeats=1 warmup=1'
boot good --cpu skylakex --cores 2 --args "$kernels"
# The rig's clock and random numbers are those of the other run: only the load options, a blank more, tell the two apart.
boot off --cpu skylakex --cores 2 --args "$kernels " --fault count:BR_INST_RETIRED.ALL_BRANCHES:5
good=$work/good.log
off=$work/off.log
full=$work/good.esp/slotscope/slotscope.log

# --- verify ---
claim "verify: a brief log is whole" run 0 verify "$good"
claim "verify: the full log of the same run, too" run 0 verify "$full"
claim "verify: and the bytes of the serial line, whose lines end in CR LF" run 0 verify "$work/good.serial"
claim "verify: it counts as jq and grep do" prints 0 \
    ": $(grep -c '^{' "$full") records, $(grep -c '^ok' "$full" | awk -v s="$(grep -c '# SKIP' "$full")" '{ print $1 - s }') ok, 0 not ok, $(grep -c '# SKIP' "$full") skipped" \
    verify "$full"
# changed NAME SED: good.log through sed.
changed() { sed "$2" "$good" >"$work/$1.log"; }
line=$(grep -n '"seq":5,' "$good" | cut -d: -f1)
next=$((line + 1))
changed digit "$line s/\"seq\":5/\"seq\":6/"
claim "verify: a changed digit is damage, with its line" prints 1 "digit.log:$line: a record is damaged: its crc is" verify "$work/digit.log"
claim "verify: and the record is named" says 'record 5 is not there, or damaged'
changed gone "$line d"
claim "verify: a record that is gone is named" prints 1 'record 5 is not there' verify "$work/gone.log"
changed twice "$line p"
claim "verify: so is one that comes twice" prints 1 "twice.log:$next: record 5 comes again" verify "$work/twice.log"
changed verdict '0,/^ok 3 /s/^ok 3 /ok 4 /'
claim "verify: a verdict out of its turn" prints 1 'verdict 4, expected 3' verify "$work/verdict.log"
changed turned '0,/^ok \(.*\)be.core.chain/s/^ok \(.*be.core.chain\)/not ok \1/'
claim "verify: a verdict that turned is not believed, nor are those of its block" \
    prints 1 'the verdicts that are believed say otherwise' verify "$work/turned.log"
head -c 9000 "$good" >"$work/cut.log"
printf 'TAP version 14\n# bring-up: the clock\n' >"$work/bring_up.log"
claim "verify: a log without a record" prints 2 'no end record: the log was cut short before its first record' \
    verify "$work/bring_up.log"
claim "verify: a log that was cut" prints 1 'no end record: the log was cut short behind record' verify "$work/cut.log"
claim "verify: and its last line" says 'the line has no end: it was cut'
claim "verify: what stands behind the last crc of texts is said to be without one" \
    says 'cut.log:[0-9]+: no crc covers the verdicts and comments from here to line [0-9]+: [0-9]+ of them'
cat "$good" "$off" >"$work/two.log"
claim "verify: a second run is named with its line" prints 1 "two.log:[0-9]+: a second run begins" verify "$work/two.log"
# A rig that is reset in the middle of a record, and runs again: nothing ends the line that was cut.
cut_at=$(($(grep -b '"kernel":"be.core.chain"' "$good" | grep -m1 '"result"' | cut -d: -f1) + 100))
{ head -c $cut_at "$good"; cat "$off"; } >"$work/reset.log"
claim "verify: a second run is named behind a line that a reset cut" prints 1 \
    'reset.log:[0-9]+: a second run begins, and the run before it has no end record' verify "$work/reset.log"
claim "verify: and so is the line" says 'reset.log:[0-9]+: the line was cut: "TAP version 14" is at its end'
claim "verify: each record of the second run is believed" says "reset.log: $(grep -c '"crc":"[0-9a-f]*"}$' "$work/reset.log") records"
sed '2,$ s/TAP version 14$/TAP version/' "$work/reset.log" >"$work/unmarked.log"
claim "verify: a second run whose first line is damaged, too" prints 1 'unmarked.log:[0-9]+: a second run begins' verify "$work/unmarked.log"
# The line was gone when the second run began, as that of an adapter which has its power from the rig.
{ head -c $cut_at "$good"; sed -n '/^{"type":"core"/,$p' "$off"; } >"$work/late.log"
claim "verify: the records of a second run whose begin is lost are of another run, too" \
    prints 1 'late.log:[0-9]+: a record is of another run, or of the other form' verify "$work/late.log"
claim "verify: four in a row begin it" says 'late.log:[0-9]+: a second run begins'
# Damage of the brief and the full log of a short run, splices of another run's and of the other form's lines among it.
# DAMAGES=100000 for the long form.
for run in brief brief-too; do
    cp -r "$work/good.esp" "$work/$run.esp"
    rm -f "$work/$run.esp"/slotscope/*.log
done
short='kernels=cal.branches,be.core.chain levels=1 repeats=1 warmup=1'
boot brief --cpu skylakex --cores 1 --args "$short"
boot brief-too --cpu skylakex --cores 1 --args "$short "
for run in brief brief-too; do cp "$work/$run.esp/slotscope/slotscope.log" "$work/$run-full.log"; done
damages=${DAMAGES:-2000}
# damage PLACES SEED LOG OTHER...: an eighth of them.
damage() {
    places=$1 seed=$2
    claim "verify: $3.log damaged $((damages / 8)) times, at $places places at once: nothing is believed that was not written, nothing lost in silence" \
        "$build/tools/check_damage" "$work/$3.log" "$seed" $((damages / 8 / places)) "$places" "$work/$4.log" "$work/$5.log" "$work/$6.log"
}
for seed in 1 2; do
    for places in 1 10; do
        damage $places $seed brief brief-too brief-full brief-too-full
        damage $places $seed brief-full brief-too-full brief brief-too
    done
done
# Lines of the other run in the same place, with the same numbers.
# spliced NAME GREP: good.log with that line of off.log in place of its own.
spliced() {
    at=$(grep -nm1 -- "$2" "$good" | cut -d: -f1)
    { sed "$((at - 1))q" "$good"; sed -n "${at}p" "$off"; sed "1,${at}d" "$good"; } >"$work/$1.log"
    ! cmp -s "$good" "$work/$1.log" || echo "both logs have the same line $at" >&2
}
spliced record '^{"type":"core"'
claim "verify: a record of another run, of the same place and number, is not believed" \
    prints 1 'record.log:[0-9]+: a record is damaged: its crc is' verify "$work/record.log"
at=$(grep -nm1 '^# crc of texts 1 to ' "$good" | cut -d: -f1)
{ sed "${at}q" "$off"; sed "1,${at}d" "$good" | grep -v '^{"type":"log"'; } | sed "2s/.*/$(sed -n 2p "$good")/" |
    awk -v at="$at" 'NR == FNR { own[FNR] = $0; next } FNR < at && /^\{/ { print own[FNR]; next } { print }' "$good" - >"$work/block.log"
claim "verify: nor are verdicts and comments of another run, with the line of their crc" \
    prints 1 'block.log:[0-9]+: texts 1 to [0-9]+, lines 3 to [0-9]+, are not as they were sent' verify "$work/block.log"
seq=$(grep -nm1 '"type":"core"' "$good" | sed 's/.*"seq":\([0-9]*\),.*/\1/')
other_form=$(grep "\"seq\":$seq," "$full" | sed 's/[&/\]/\\&/g')
sed "s/^{\"type\":\"core\",\"seq\":$seq,.*/$other_form/" "$good" >"$work/form.log"
claim "verify: nor is the record of the same number of the same run's other form" \
    prints 1 "record $seq is not there, or damaged" verify "$work/form.log"
sed '0,/^# be.core.chain .* 0\.9/s/^\(# be.core.chain .* 0\.9\)[0-9]/\1'"$(sed -n 's/^# be.core.chain .* 0\.9\([0-9]\).*/\1/p' "$good" | head -1 | tr 0-9 1-90)/" \
    "$good" >"$work/table.log"
claim "verify: a digit of the table that people read is seen" \
    prints 1 'table.log:[0-9]+: texts [0-9]+ to [0-9]+, lines [0-9]+ to [0-9]+, are not as they were sent' verify "$work/table.log"
sed 2d "$good" >"$work/first.log"
claim "verify: where the first record is lost, the others agree on the run" \
    prints 1 "first.log:[0-9]+: the run's first record is not before this line; 8 records agree on its crc" verify "$work/first.log"
claim "verify: and all of them are believed" says ": $(($(grep -c '^{' "$good") - 1)) records, .* 1 records missing, 0 verdicts and comments not believed, 2 problems"
# firsts COUNT: so many records of good.log behind its first.
firsts() { grep '^{' "$good" | sed "1d; $(($1 + 1))q"; }
stranger=$(grep -m1 '"seq":2,' "$off")
{ firsts 1; echo "$stranger"; echo "$stranger"; } >"$work/twice.log"
claim "verify: a record that comes twice does not agree with itself" prints 2 'twice.log:3: nothing says of which run a record is' verify "$work/twice.log"
claim "verify: and no run is made of it" absent "agree on it" "$work/out"
{ firsts 2; grep '^{' "$off" | sed '1,4d; 6q'; } >"$work/even.log"
claim "verify: where as many records are of another run, none is believed" prints 2 'even.log:4: nothing says of which run a record is' verify "$work/even.log"
sed '$p' "$good" >"$work/plans.log"
claim "verify: a plan that comes again is named" prints 1 'plans.log:[0-9]+: the plan comes again' verify "$work/plans.log"
# A letter of a claim, and an ok that is made a SKIP: numbers and totals stay as they are.
sed '0,/^ok .* core 0 /s/ core 0 / core 9 /' "$good" >"$work/letter.log"
claim "verify: a changed letter in a verdict is seen" prints 1 'texts 1 to [0-9]+, lines 3 to [0-9]+, are not as they were sent: their crc is' \
    verify "$work/letter.log"
sed '0,/^ok .* core 0 /s/^\(ok .* core 0 .*\)/\1 # SKIP because/' "$good" >"$work/skipped.log"
claim "verify: so is an ok of the brief form that became a SKIP" prints 1 'texts 1 to [0-9]+, lines 3 to [0-9]+, are not as they were sent' \
    verify "$work/skipped.log"
sed '/^# crc of texts/p' "$good" >"$work/again.log"
claim "verify: a crc that comes twice" prints 1 'the crc is of texts 1 to [0-9]+, expected texts from [0-9]+ on' verify "$work/again.log"
# around HOW CHANGE: a verdict changed, and all lines that would show it.
around() {
    sed -e '0,/^ok .* core 0 /s/ core 0 / core 9 /' -e "$2" "$good" >"$work/around.log"
    claim "verify: so is a verdict that changed, with all lines of CRCs $1" \
        prints 1 'the crc of texts 1 to [0-9]+ is not there, or damaged' verify "$work/around.log"
}
around gone '/^# crc of texts/d'
around "cut before the digits" 's/^\(# crc of texts [0-9 to]*\).*/\1/'
around "with another word" 's/^# crc of/# src of/'
around "as other comments" 's/^# crc of/# # crc of/'
# What comes before a log on its line is no damage of it.
{ printf 'GRUB loading.\r\n\377\375\001\000\376'; cat "$work/good.serial"; } >"$work/noise.serial"
claim "verify: lines of firmware, telnet's bytes and noise before the log are no damage" \
    prints 0 ': 1 lines before the log are left out' verify "$work/noise.serial"
claim "show: as the log alone" sh -c "
    '$slotlog' show '$work/noise.serial' | cmp - \"\$('$slotlog' show '$good' >'$work/shown'; echo '$work/shown')\""
sed 1s/14/15/ "$good" >"$work/unbegun.log"
claim "verify: a first line that is damaged is named" prints 1 'the log.s first line is not "TAP version 14"' verify "$work/unbegun.log"

# --- show ---
share=$(jq -r 'select(.type == "result" and .core == 0 and .kernel == "be.core.chain") | .nodes.tma_backend_bound |
    if type == "array" then .[1] else . end' "$work/good.lines" 2>/dev/null ||
    grep '^{' "$good" | jq -r 'select(.type == "result" and .core == 0 and .kernel == "be.core.chain") |
    .nodes.tma_backend_bound | if type == "array" then .[1] else . end')
claim "show: the share that the record has" prints 0 "be\.core\.chain .* $share +0\.[0-9]{3} " show "$good"
claim "show: the same of the full log" prints 0 "be\.core\.chain .* $share +0\.[0-9]{3} " show "$full"
sed '/^{"type":"topdown".*"kernel":"be.core.chain"/s/"tma_bad_speculation":[-0-9.]*/"tma_bad_speculation":-0.0002/' "$full" |
    /usr/bin/python3 tests/report/seal.py >"$work/minus.log"
claim "show: what is 0 in three digits has no sign" prints 0 'be\.core\.chain +-?[0-9.]+ +0\.000 ' show "$work/minus.log"
claim "show: what failed" prints 1 '^not ok  core 0 cal\.branches BR_INST_RETIRED' show "$off"
claim "show: no colours but on a terminal" absent "$(printf '\033')" "$work/out"
claim "show: a damaged log is no good run" run 1 show "$work/digit.log"
claim "show: and it says so" grep -E 'digit.log: damaged, 2 problems' "$work/said"

# Where `nodes =` leaves out nodes of level 1, the others are not lost.
stick few
boot few --cpu skylakex --cores 1 --args "kernels=be.core.chain nodes=tma_core_bound repeats=1"
few=$work/few.log
share=$(printf %.3f "$(grep '^{' "$few" | jq 'select(.type == "topdown" and .kernel == "be.core.chain") | .nodes.tma_core_bound')")
claim "show: a measurement without all nodes of level 1 has its line" \
    prints 0 '^  be\.core\.chain +- +- +0\.[0-9]{3} +- +[0-9]+\.[0-9]{2}$' show "$few"
claim "show: and the other nodes that it has" says "^    tma_core_bound +$share\$"
claim "show: which a whole level 1 leaves out" sh -c "! '$slotlog' show '$good' | grep -E '^    tma_[a-z_]+ +[0-9-]'"
"$slotlog" show "$good" | awk '/^  cal.empty /, /^      / { print }' >"$work/empty"
# Which of two reasons it is, by zero or by what the counts cannot tell from it, moves with the image's layout.
{
    echo '  cal.empty                             -               -        -        -       -'
    grep '^{' "$good" | jq -r 'select(.type == "result" and .core == 0 and .kernel == "cal.empty").missing | . as $m |
        "    " + (["tma_frontend_bound", "tma_bad_speculation", "tma_backend_bound", "tma_retiring"] |
            map(select($m[.] == $m.tma_frontend_bound)) | join(", ")) + ":", "      " + .tma_frontend_bound'
} >"$work/reasons"
claim "show: several nodes have one reason" grep -E '^    tma_frontend_bound, tma_bad_speculation' "$work/reasons"
claim "show: below dashes stands why, once for all nodes with that reason" same "$work/reasons" "$work/empty"

# --- compare ---
claim "compare: a log with itself" prints 0 ' compared, 0 moved, 0 in one log alone' compare "$full" "$full"
claim "compare: 4200 branches became 4410" prints 1 'cal\.branches BR_INST_RETIRED\.ALL_BRANCHES: 4200 -> 4410' compare "$good" "$off"
claim "compare: and nothing else moved" absent '->.*' "$(grep -v BR_INST_RETIRED "$work/out" >"$work/rest"; echo "$work/rest")"
# One window that is far off widens the range, and hides nothing where the log says which range the others have.
count='"BR_INST_RETIRED\.ALL_BRANCHES":4200\b'
wide() { changed "$1" "0,/^{\"type\":\"result\".*cal\.branches/s/$count/\"BR_INST_RETIRED.ALL_BRANCHES\":[42,4200,9999${2-}]/" && sent "$1"; }
# What an image would have sent that judges otherwise.
sent() { perl tests/tools/crc.pl "$work/$1.log" >"$work/sent" && mv "$work/sent" "$work/$1.log"; }
wide wide
wide kept ,4200,4200
claim "compare: a range that has the other number has not moved" \
    sh -c "! '$slotlog' compare '$work/wide.log' '$off' 2>/dev/null | grep 'core 0 cal\.branches BR_INST_RETIRED\.ALL_BRANCHES:'"
claim "compare: but without the repeats that lie apart it has" \
    prints 1 'cal\.branches BR_INST_RETIRED\.ALL_BRANCHES: 4200 \[42, 9999\] -> 4410' compare "$work/kept.log" "$off"
cp "$work/turned.log" "$work/turned-sent.log"
sent turned-sent
claim "compare: a verdict that turned is a difference" prints 1 '^not ok only in B: core 0 be\.core\.chain' compare "$good" "$work/turned-sent.log"
claim "compare: and is counted" says ' 0 moved, .*; 1 verdicts not ok in one log alone$'
claim "compare: but not where its CRC does not hold" run 1 compare "$good" "$work/turned.log"
claim "compare: nothing is said of it" says '; 0 verdicts not ok in one log alone$'
# A line of good.log as a failure of two kernels whose names differ in a digit, and with another value.
failing() { changed "$1" "$2" && sent "$1"; }
failed='0,/^ok \([0-9]*\) - core 0 be.core.chain: .*/s//not ok \1 - core 0'
failing l1 "$failed be.mem.l1 tma_memory_bound 0.111 in [0.600, 1.000]/"
failing l2 "$failed be.mem.l2 tma_memory_bound 0.111 in [0.600, 1.000]/"
failing l1-again "$failed be.mem.l1 tma_memory_bound 0.222 in [0.600, 1.000]/"
claim "compare: failures of two kernels are two, however alike their names" \
    prints 1 '; 2 verdicts not ok in one log alone$' compare "$work/l1.log" "$work/l2.log"
claim "compare: one failure with two values is one" \
    prints 1 '; 0 verdicts not ok in one log alone$' compare "$work/l1.log" "$work/l1-again.log"
claim "compare: the same failures are none" prints 0 '; 0 verdicts not ok in one log alone$' compare "$off" "$off"
claim "compare: a damaged log agrees with nothing" run 1 compare "$good" "$work/verdict.log"
claim "compare: a share moves only beyond the tolerance" sh -c "
    sed 's/\"tma_backend_bound\":0.*$//; /^{.*be.core.chain/d' '$good' >'$work/less.log'
    '$slotlog' compare '$good' '$work/less.log' 2>/dev/null | grep 'only in A'"

sed -n '/^TAP/p; /^{"type":"\(log\|machine\|settings\|core\|end\)"/p' "$good" >"$work/numberless.log"
claim "compare: logs without a number in common" run 2 compare "$work/numberless.log" "$full" -o "$work/compared"
claim "compare: leave no file" [ -z "$(ls "$work"/compared* 2>/dev/null)" ]
cp "$good" "$work/compared"
claim "compare: and one that was there as it was" sh -c "'$slotlog' compare '$work/numberless.log' '$full' -o '$work/compared' 2>/dev/null; cmp '$good' '$work/compared'"

# Which build a log is of, and which microcode.
claim "--version: the number of the release and the commit" sh -c "
    '$slotlog' --version | grep -xE 'slotlog $(sed 's/\./\\./g' VERSION)(, commit [0-9a-f]{12}(\+changed)?)?(, [0-9-]{10})?'"
claim "the machine record says the same of the image" [ "$("$slotlog" --version)" = "$(records good 'select(.type == "machine") |
    "slotlog \(.version)" + (if .commit then ", commit \(.commit)" else "" end) + (if .date then ", \(.date)" else "" end)')" ]
# sealed NAME SED: the good log through sed, as a log of its own.
sealed() { sed "$2" "$good" | /usr/bin/python3 tests/report/seal.py >"$work/$1.log"; }
sealed build-a 's/"commit":[^,]*,/"commit":"0123456789ab",/'
sealed build-b 's/"commit":[^,]*,/"commit":"ba9876543210",/'
sealed build-c 's/"commit":[^,]*,/"commit":"0123456789ab",/; s/"microcode":"[^"]*"/"microcode":"0x77"/'
sealed build-d 's/"commit":[^,]*,/"commit":"ba9876543210",/; s/"microcode":"[^"]*"/"microcode":"0x77"/'
sealed build-old 's/"version":[^,]*,"commit":[^,]*,"date":[^,]*,//'
sealed build-changed 's/"commit":[^,]*,/"commit":"0123456789ab+changed",/'
version=$(cat VERSION)
another='^another slotscope: '$version', commit 0123456789ab -> '$version', commit ba9876543210$'
claim "compare: one slotscope and one microcode are not mentioned" sh -c "
    '$slotlog' compare '$work/build-a.log' '$work/build-a.log' >'$work/out' && ! grep -E 'another|perhaps|both' '$work/out'"
claim "compare: another slotscope is named" prints 0 "$another" compare "$work/build-a.log" "$work/build-b.log"
claim "compare: and no microcode" absent 'another microcode|both' "$work/out"
claim "compare: another microcode is named" prints 0 '^another microcode: .* -> 0x77$' compare "$work/build-a.log" "$work/build-c.log"
claim "compare: and no slotscope" absent 'slotscope:|both' "$work/out"
claim "compare: both are named" prints 0 '^another microcode: .* -> 0x77$' compare "$work/build-a.log" "$work/build-d.log"
claim "compare: and that either may be the reason" sh -c "grep -qE '$another' '$work/out' && grep -q '^both are new: ' '$work/out'"
claim "compare: a log from before builds were named" prints 0 "^another slotscope: before 1\.0\.0 -> $version, commit" \
    compare "$work/build-old.log" "$work/build-a.log"
claim "compare: which is whole" run 0 verify "$work/build-old.log"
claim "compare: changed files may differ" prints 0 '^perhaps another slotscope: both say .*\+changed$' \
    compare "$work/build-changed.log" "$work/build-changed.log"

# --- export ---
counts=$(grep '^{' "$full" | jq -s '[.[] | select(.type == "kernel") | .per_iterations | length] | add')
nodes=$(grep '^{' "$full" | jq -s '[.[] | select(.type == "topdown") | .nodes | to_entries[] | select(.value != null)] | length')
claim "export: perf-json is a JSON object for each count" sh -c \
    "[ \"\$('$slotlog' export -f perf-json '$full' | jq -s '[.[] | select(.event and .\"counter-value\")] | length')\" -ge $counts ]"
claim "export: toplev-csv has each node" sh -c \
    "[ \"\$('$slotlog' export -f toplev-csv '$full' | tee '$work/toplev.csv' | grep -c '% Slots')\" -eq $nodes ]"
# What is counted on an untrusted core is doubted; a log may still have nodes of one.
sed '/^{"type":"topdown"/s/"unit"/"trusted":false,&/' "$full" | /usr/bin/python3 tests/report/seal.py >"$work/untrusted.log"
claim "export: toplev-csv has the nodes of an untrusted core, and marks them" sh -c "
    '$slotlog' export -f toplev-csv '$work/untrusted.log' >'$work/untrusted.csv' && [ \"\$(wc -l <'$work/untrusted.csv')\" -gt 4 ] &&
    ! sed 1d '$work/untrusted.csv' | grep -v '; untrusted core,,,,,'"
claim "export: and those of no other" absent untrusted "$work/toplev.csv"
claim "export: csv has as many commas in each line without quotes" sh -c \
    "'$slotlog' export -f csv '$full' | grep -v '\"' | awk -F, 'NF != 18 { print; bad = 1 } END { exit bad }'"
claim "export: csv has the core's processor in each row" [ "$("$slotlog" export -f csv "$full" | tr -d '\r' | sed 1d |
    awk -F, '{ print $(NF - 3) "," $(NF - 2) "," $(NF - 1) "," $NF }' | sort -u)" = "$(grep '^{' "$full" |
    jq -r 'select(.type == "core") | "\(.brand),\(.signature),\(.microcode),"' | sort -u)" ]
claim "export: csv has a range of counts, and none of nodes of the full form" sh -c "
    '$slotlog' export -f csv '$full' | awk -F, '\$6 == \"count\" && \$10 != \"\" && \$11 == \"\" || \$6 == \"node\" && \$11 != \"\" { print; bad = 1 } END { exit bad }'"
claim "export: junit is XML with each verdict, and two cases for the log" sh -c "
    '$slotlog' export -f junit '$off' -o '$work/off.xml' 2>/dev/null
    xmllint --noout '$work/off.xml' &&
    [ \"\$(xmllint --xpath 'count(//testcase)' '$work/off.xml')\" -eq $(($(grep -cE '^(not )?ok ' "$off") + 2)) ] &&
    [ \"\$(xmllint --xpath 'count(//failure)' '$work/off.xml')\" -eq $(grep -c '^not ok' "$off") ]"
claim "export: openmetrics ends in EOF, and says each thing once" sh -c "
    '$slotlog' export -f openmetrics '$full' >'$work/metrics' &&
    [ \"\$(tail -1 '$work/metrics')\" = '# EOF' ] && [ -z \"\$(grep -v '^#' '$work/metrics' | sed 's/} .*//' | sort | uniq -d)\" ]"
claim "export: prove reads the log as it is" proves "$full"

# --- a log that doubts itself, and in which nothing failed ---
# doubting NAME VERDICTS RECORDS: good.log with a doubt of core 0 in place of the last record before the end.
doubting() {
    changed "$1" "/^{\"type\":\"end\"/! { \$! { /$last/ s/.*/{\"type\":\"doubt\",\"seq\":$last_seq,\"core\":0,\"kernel\":null,\"unit\":\"number\",\"why\":\"counters differ for a while\",\"windows\":[1,9],\"verdicts\":$2,\"records\":$3,\"crc\":\"00000000\"}/ } }"
    sent "$1"
}
last_seq=$(($(grep -c '^{' "$good") - 2))
last="\"seq\":$last_seq,"
verdicts=$(grep -cE '^ok ' "$good")
passed=$(grep -E '^ok [0-9]+ - core 0[ :]' "$good" | grep -cv '# SKIP')
doubting doubted "[1,$verdicts]" "[0,$((last_seq - 1))]"
doubting blip null null
claim "verify: a log that doubts itself is a whole log" run 0 verify "$work/doubted.log"
claim "show: but no good run" prints 1 "^doubted core 0: counters differ for a while, verdicts 1 to $verdicts, records 0 to $((last_seq - 1))\$" show "$work/doubted.log"
claim "show: no number of that core is shown" absent '^core 0$' "$work/out"
claim "show: and the end says that verdicts are doubted" says '; complete, doubted among the ok: [1-9][0-9]*$'
claim "capture: nor is it one when it comes by the line" run 1 capture "$work/doubted.log" -o "$work/doubted.captured"
claim "capture: which is said" grep 'the log doubts some of its numbers, 1 records say so' "$work/said"
claim "export: junit has each doubted verdict as an error, and one for the log" sh -c "
    '$slotlog' export -f junit '$work/doubted.log' -o '$work/doubted.xml' 2>/dev/null
    xmllint --noout --schema tests/report/junit.xsd '$work/doubted.xml' &&
    [ \"\$(xmllint --xpath 'count(//testcase[error/@message=\"doubted by the log itself: counters differ for a while\"])' '$work/doubted.xml')\" -eq $passed ] &&
    [ \"\$(xmllint --xpath 'count(//testcase)' '$work/doubted.xml')\" -eq $((verdicts + 2)) ] &&
    [ \"\$(xmllint --xpath 'string(//testsuite/@errors)' '$work/doubted.xml')\" -eq $((passed + 1)) ]"
claim "compare: its numbers are missing" prints 2 '^core 0 .*only in A' compare "$good" "$work/doubted.log"
claim "show: a doubt that nothing rests on is none" run 0 show "$work/blip.log"
claim "capture: nor is it by the line" run 0 capture "$work/blip.log" -o "$work/blip.captured"

# --- merge ---
base=$work/rigs.sqlite
ask() { sqlite3 "$base" "$1"; }
claim "merge: two logs" run 0 merge "$good" "$off" -o "$base"
claim "merge: a log that is there already is left out, with a line" run 0 merge "$good" "$full" -o "$base"
claim "merge: which says so" grep 'good.log: is in .* already' "$work/said"
if command -v sqlite3 >/dev/null 2>&1; then
    claim "merge: three runs" [ "$(ask 'SELECT count(*) FROM run')" = 3 ]
    claim "merge: every verdict of them" [ "$(ask 'SELECT count(*) FROM verdict')" = \
        "$(cat "$good" "$off" "$full" | grep -cE '^(not )?ok ')" ]
    claim "merge: every record of them" [ "$(ask 'SELECT count(*) FROM record')" = "$(cat "$good" "$off" "$full" | grep -c '^{')" ]
    claim "merge: the number that the log has" [ "$(ask "SELECT DISTINCT value FROM number JOIN run ON run.id = run
        WHERE file = '$(realpath "$off")' AND kernel = 'cal.branches' AND name = 'BR_INST_RETIRED.ALL_BRANCHES' AND core = 0")" = 4410.0 ]
    claim "merge: what is missing is no zero" [ "$(ask "SELECT count(*) FROM number WHERE value IS NULL AND reason = ''")" = 0 ]
fi

if command -v sqlite3 >/dev/null 2>&1; then
    sqlite3 "$work/foreign.sqlite" 'CREATE TABLE run (rider TEXT); INSERT INTO run VALUES (1);'
    cp "$work/foreign.sqlite" "$work/foreign.before"
    claim "merge: an SQLite file of something else is named" complains 2 'foreign.sqlite: an SQLite file of something else' \
        merge "$good" -o "$work/foreign.sqlite"
    claim "merge: and not touched" same "$work/foreign.before" "$work/foreign.sqlite"
    sqlite3 "$base" .dump | sed 's/dose INTEGER, beside/dose INTEGER, alone/' | sqlite3 "$work/older.sqlite"
    cp "$work/older.sqlite" "$work/older.before"
    claim "merge: one of another version is, too, with what to do about it" complains 2 \
        'older.sqlite: made by another version of slotlog: merge its logs again, into a new file; its table run has their paths' \
        merge "$good" -o "$work/older.sqlite"
    claim "merge: nor is that touched" same "$work/older.before" "$work/older.sqlite"
    claim "merge: nor has it a journal" [ "$(ls "$work"/foreign.sqlite* | wc -l)" -eq 1 ]
fi
if command -v sqlite3 >/dev/null 2>&1; then
    cp "$good" "$work/twin.log"
    claim "merge: the same log under another name is another rig's" run 0 merge "$good" "$work/twin.log" -o "$work/twins.sqlite"
    claim "merge: which is said, with the name of the first" grep -E 'twin.log: its records and verdicts are those of .*good.log, byte for byte' "$work/said"
    claim "merge: both are there" [ "$(sqlite3 "$work/twins.sqlite" 'SELECT count(*) FROM run')/$(sqlite3 "$work/twins.sqlite" \
        'SELECT count(*) FROM verdict')" = "2/$(cat "$good" "$work/twin.log" | grep -cE '^(not )?ok ')" ]
    claim "merge: so it is under its own name, spelled otherwise" complains 0 'twin.log: is in .* already' \
        merge "$(realpath "$work")/twin.log" -o "$work/twins.sqlite"
    claim "merge: under its own name it is there already" complains 0 'twin.log: is in .* already' merge "$work/twin.log" -o "$work/twins.sqlite"
fi
# A disk that is full, here by the limit of a file's size.
claim "merge: no space" sh -c "
    trap '' XFSZ; ulimit -f 0; '$slotlog' merge '$good' -o '$work/full.sqlite' 2>&1 >/dev/null | cat; [ ! -e '$work/full.sqlite' ]"
claim "merge: leaves no file" [ -z "$(ls "$work"/full.sqlite* 2>/dev/null)" ]
: >"$work/given.sqlite"
claim "merge: but one that was there, if empty, stays" sh -c "
    trap '' XFSZ; ulimit -f 0; '$slotlog' merge '$good' -o '$work/given.sqlite' 2>/dev/null; [ -e '$work/given.sqlite' ]"
echo 'no database' >"$work/no.sqlite"
claim "merge: a file that is no database" complains 2 'file is not a database' merge "$good" -o "$work/no.sqlite"

# 60 MB of verdicts in memory: at most 300 MB, and none above the limit.
{
    grep -m1 '^TAP' "$good"
    grep -m1 '^{' "$good"
    seq -f 'ok %.0f - x' 4000017
} | perl tests/tools/crc.pl >"$work/more.log"
grep -B9999999 '^ok 3900000 ' "$work/more.log" >"$work/many.log"
claim "show: 60 MB of verdicts take less than 300 MB" sh -c "
    ulimit -v 300000; '$slotlog' show '$work/many.log' 2>/dev/null | grep -q 'The log has no end'"
claim "show: more than 4000000 verdicts are no log" complains 2 'a log of over 4000000 verdicts' show "$work/more.log"
rm -f "$work/many.log" "$work/more.log"

# --- capture ---
# paced NAME FILE: the file through a pseudo-terminal at 115200 8N1, which are 11520 bytes a second.
paced() {
    { sleep 1; pv -q -L 11520 "$2"; sleep 1; } | socat -u - "PTY,link=$work/$1.tty,raw,echo=0,wait-slave" &
    sender=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -e "$work/$1.tty" ] && break
        sleep 0.1
    done
}
{ printf 'GRUB loading.\r\nWelcome!\r\n\033[2J\033[01;01H'; cat "$work/good.serial"; } >"$work/line.serial"
paced line "$work/line.serial"
claim "capture: a run through a pty at 115200 baud" run 0 capture -w 1 "$work/line.tty" -o "$work/captured.log"
wait "$sender" 2>/dev/null
claim "capture: nothing is lost, lines end in LF" same "$good" "$work/captured.log"
claim "capture: what the boot loader said is left out" grep '2 lines before the log were left out' "$work/said"
claim "capture: noise in front of the log's first line is no damage" run 0 capture "$work/noise.serial" -o "$work/quiet.log"
claim "capture: and is left out" same "$good" "$work/quiet.log"
claim "capture: two runs are named, and kept" run 1 capture "$work/reset.log" -o "$work/resets.log"
claim "capture: all of them" same "$work/reset.log" "$work/resets.log"
claim "capture: and it says so" grep 'a log of 2 runs, which only slotlog verify reads' "$work/said"
# The plan is lost, and the line goes on.
claim "capture: the run is over 5 s behind its end record, whatever else comes" sh -c "
    { sed '/^1\\.\\./d' '$good'; for i in \$(seq 40); do echo; sleep 0.5; done; } 2>/dev/null |
        timeout 15 '$slotlog' capture - >/dev/null 2>'$work/said'; [ \$? -eq 1 ] && grep 'no plan: the log was cut short' '$work/said'"
claim "capture: a file" run 0 capture "$work/good.serial" -o "$work/file.log"
claim "capture: the same log" same "$good" "$work/file.log"
claim "capture: a line that is silent" sh -c "
    { head -20 '$good'; sleep 4; } | '$slotlog' capture --silence 1 - >'$work/silent.log' 2>'$work/said'; [ \$? -eq 1 ]"
claim "capture: says so" grep -E '^slotlog: -: nothing came for 1 s: the capture ends$' "$work/said"
claim "capture: and keeps what came" sh -c "head -20 '$good' | cmp - '$work/silent.log'"
{ sleep 3; cat "$good"; } | "$slotlog" capture --notice 1 - >"$work/slow.log" 2>"$work/said"
claim "capture: says that nothing came for long, and again when that has doubled" [ "$(grep -c 'nothing has come for [12] s, and no line of a log before$' "$work/said")" -eq 2 ]
claim "capture: and that bytes come again" grep -E 'bytes come again, after [34] s$' "$work/said"
claim "capture: and has all" same "$good" "$work/slow.log"
claim "capture: standard input, to standard output" sh -c "'$slotlog' capture - <'$good' 2>/dev/null | cmp - '$good'"
claim "capture: the exit status is the run's" run 1 capture "$work/off.serial" -o "$work/failed.log"
claim "capture: a line that ends before the run does" run 1 capture "$work/cut.log" -o "$work/short.log"
claim "capture: what came is kept" same "$work/cut.log" "$work/short.log"
claim "capture: and it says what is missing" grep 'no end record: the log was cut short' "$work/said"
sed "$line d" "$good" >"$work/lossy.serial"
claim "capture: a lost record" run 1 capture "$work/lossy.serial" -o "$work/lossy.log"
claim "capture: is named" grep 'record 5 is not there, or damaged' "$work/said"
claim "capture: a run that hung before its first record is kept" run 1 capture "$work/bring_up.log" -o "$work/hung.log"
claim "capture: all that came of it" same "$work/bring_up.log" "$work/hung.log"
claim "capture: no log is written over" complains 2 'is there already' capture "$work/good.serial" -o "$work/file.log"
port=$((20000 + $$ % 20000))
# A connection that breaks in the middle: what comes behind the break is kept, what is lost is named.
half=$(($(wc -c <"$good") / 2))
{ head -c $half "$good" | socat -u - TCP-LISTEN:$port,bind=127.0.0.1,reuseaddr
    tail -c +$((half + 300)) "$good" | socat -u - TCP-LISTEN:$port,bind=127.0.0.1,reuseaddr; } 2>/dev/null &
sleep 0.5
claim "capture: a connection that breaks comes back" run 1 capture -w 20 tcp:127.0.0.1:$port -o "$work/broken.log"
claim "capture: it says how long it was gone" grep -E 'is back after [0-9.]+ s; what was sent meanwhile is lost' "$work/said"
claim "capture: the run's end is there" grep -q '"type":"end"' "$work/broken.log"
claim "capture: what was lost is named" grep -E 'records? [0-9]+ (to [0-9]+ are|is) not there' "$work/said"

# --- bad input ---
: >"$work/empty.log"
head -c 5000 "$build/slotlog" >"$work/binary.log"
sed 's/"log_version":2,/"log_version":3,/' "$good" >"$work/version.log"
sent version
# Version 1 had no first record, and no crc went on from another.
sed -e 2d -e 's/^{"type":"machine","seq":1,/{"type":"machine","seq":0,"log_version":1,/' "$good" >"$work/oldest.log"
sent oldest
sed '/^{"type":"machine"/d' "$work/oldest.log" >"$work/unnamed.log"
for command in show "export -f csv" "compare $good" "merge -o $work/none.sqlite"; do
    claim "$command: a file that is not there" complains 2 'gone.*No such file' $command "$work/gone"
    claim "$command: an empty log" complains 2 'empty.log: the file is empty' $command "$work/empty.log"
    claim "$command: no log" complains 2 'binary.log: no log of slotscope' $command "$work/binary.log"
    claim "$command: a log of two runs" complains 2 'two.log: a log of 2 runs' $command "$work/two.log"
    claim "$command: two runs with a reset between them" complains 2 'reset.log: a log of 2 runs' $command "$work/reset.log"
    claim "$command: and the second one's begin lost" complains 2 'late.log: a log of 2 runs' $command "$work/late.log"
    claim "$command: and their first line damaged" complains 2 'unmarked.log: a log of 2 runs' $command "$work/unmarked.log"
    claim "$command: another version" complains 2 'version.log: a log of version 3, expected 2' $command "$work/version.log"
done
claim "verify: an empty log" complains 2 'the file is empty' verify "$work/empty.log"
claim "verify: no log" complains 2 'binary.log: no log of slotscope' verify "$work/binary.log"
claim "verify: another version" complains 2 'version.log: a log of version 3, expected 2' verify "$work/version.log"
claim "capture: another version" complains 2 'a log of version 3, expected 2; what came is kept' \
    capture "$work/version.log" -o "$work/newer.log"
claim "capture: it is kept" same "$work/version.log" "$work/newer.log"
for log in oldest unnamed; do
    claim "verify: $log: a log of version 1, whose records are not tied to their run, is refused" \
        complains 2 "$log.log: a log of version 1, whose lines are not tied to their run, expected 2" verify "$work/$log.log"
    claim "show: $log: so it is" complains 2 "$log.log: a log of version 1, whose lines are not tied to their run, expected 2" show "$work/$log.log"
done
claim "capture: the log of version 1 is captured to its end" complains 2 'a log of version 1, whose lines are not tied to their run, expected 2; what came is kept' \
    capture "$work/oldest.log" -o "$work/oldest.captured"
claim "capture: and kept" same "$work/oldest.log" "$work/oldest.captured"
for input in "$work/empty.log" "$work/binary.log" /dev/null Makefile; do
    claim "capture: no log: $(basename "$input")" complains 2 'no log of slotscope' capture "$input" -o "$work/no_log.log"
    claim "capture: leaves no file" [ ! -e "$work/no_log.log" ]
done
claim "merge: a log that is refused leaves no file" [ ! -e "$work/none.sqlite" ]
claim "merge: nor anything of the logs beside it" sh -c "
    '$slotlog' merge '$good' '$work/empty.log' -o '$work/half.sqlite' 2>/dev/null
    [ \$? -eq 2 ] && [ ! -e '$work/half.sqlite' ]"
claim "capture: a wrong device" complains 2 'nowhere: No such file' capture "$work/nowhere" -o "$work/nothing.log"
claim "capture: leaves no file" [ ! -e "$work/nothing.log" ]
claim "capture: a rate that no terminal has" run 2 capture -b 12345x "$work/nowhere"
claim "export: an unknown format" complains 2 'no format "xml"' export -f xml "$good"
claim "export: no space" complains 2 'No space left' export -f csv "$full" -o /dev/full
claim "export: a folder that is not there" complains 2 'No such file' export -f csv "$full" -o "$work/no/where.csv"
cp "$full" "$work/only.log"
claim "export: the log itself is not written over" complains 2 'is an input, and is not written over' export -f csv "$work/only.log" -o "$work/only.log"
claim "export: and is what it was" same "$full" "$work/only.log"
claim "an output without a name" complains 2 'no name, expected that of a file' merge "$good" -o ''
claim "merge: :memory: is a file, too" sh -c "
    slotlog=\$(realpath '$slotlog') good=\$(realpath '$good') && cd '$work' && \$slotlog merge \$good -o :memory: && [ -s :memory: ]"
cp "$base" "$work/before.sqlite"
claim "merge: a log that is refused changes nothing" run 2 merge "$work/good.log" "$work/empty.log" -o "$base"
claim "merge: not a byte" same "$base" "$work/before.sqlite"
claim "merge: a damaged log is taken as far as it is believed, with status 1" sh -c "
    '$slotlog' merge '$good' '$work/digit.log' -o '$work/damaged.sqlite'; [ \$? -eq 1 ] &&
    [ \"\$(sqlite3 '$work/damaged.sqlite' 'SELECT count(*) FROM run')\" = 2 ]" 2>/dev/null
claim "merge: a damaged copy does not stand for the log" sh -c "
    '$slotlog' merge '$work/verdict.log' -o '$work/copies.sqlite'; '$slotlog' merge '$good' -o '$work/copies.sqlite' &&'$slotlog' merge '$good' -o '$work/copies.sqlite' &&
    [ \"\$(sqlite3 '$work/copies.sqlite' 'SELECT count(*) FROM run')\" = 2 ]" 2>/dev/null
claim "verify: what cannot be printed is no success" sh -c "'$slotlog' verify '$good' >/dev/full 2>/dev/null; [ \$? -eq 2 ]"
claim "export: standard output by its name" sh -c "
    '$slotlog' export -f csv '$good' -o /dev/stdout >'$work/by-name.csv' && '$slotlog' export -f csv '$good' | cmp - '$work/by-name.csv'"
claim "capture: no space" sh -c "'$slotlog' capture '$good' 2>'$work/said' >/dev/full; [ \$? -eq 2 ] && grep 'No space left' '$work/said'"
stick other
boot other --cpu skylakex --cores 1 --args "kernels=ret.nop levels=1 repeats=1 scale=2"
boot once --cpu skylakex --cores 1 --args "kernels=ret.nop levels=1 repeats=1"
claim "compare: counts of other numbers of iterations are not compared, and that is no agreement" \
    prints 1 '[1-9][0-9]* not compared' compare "$work/once.log" "$work/other.log"
claim "compare: the kernel is named" says 'ret\.nop: counts are of [0-9]+ and of [0-9]+ iterations, not compared'
# Own kernels of one name and other code: an instruction more.
for loop in one two; do
    stick $loop
    mkdir "$work/$loop.esp/slotscope/kernels"
    printf 'bits 64\nagain: %s\njnz again\nret\n' "$([ $loop = one ] && echo 'dec rdi' || printf 'nop\ndec rdi')" >"$work/$loop.asm"
    nasm -f bin -o "$work/$loop.esp/slotscope/kernels/x.bin" "$work/$loop.asm"
    printf 'name own.x\nn 100\nexpect BR_INST_RETIRED.ALL_BRANCHES, n, n\n' >"$work/$loop.esp/slotscope/kernels/x.exp"
    boot $loop --cpu skylakex --cores 1 --args "kernels=own.x levels=1 repeats=1"
done
hash() { sha256sum <"$work/$1.esp/slotscope/kernels/x.bin" | cut -c1-12; }
claim "compare: own kernels of one name and other code are not compared, and that is no agreement" \
    prints 1 "^own\\.x: other code \($(hash one)\.\.\. and $(hash two)\.\.\.\), not compared\$" compare "$work/one.log" "$work/two.log"
claim "compare: not a number of them" absent '^core .* own\.x' "$work/out"
claim "compare: of the same code they are" run 0 compare "$work/one.log" "$work/one.log"
claim "merge: its help asks for -o" prints 0 '-o.*the SQLite file; it must be given' merge --help
for command in verify show compare export merge report capture; do
    claim "$command: is in the manual page's NAME" sh -c "'$slotlog' --man | grep -A1 '^.SH NAME' | grep -w $command"
done
claim "export: -o - is standard output" sh -c "
    '$slotlog' export -f csv '$good' | cmp - \"\$('$slotlog' export -f csv '$good' -o - >'$work/dash.csv'; echo '$work/dash.csv')\" && [ ! -e ./- ]"
claim "merge: -o - is no SQLite file" complains 2 'expected -o FILE' merge "$good" -o -
claim "capture: a port that is none" complains 2 'tcp:127.0.0.1:99999: expected a port of 1..65535' capture tcp:127.0.0.1:99999
claim "export: csv has the digits of the brief form" sh -c "
    '$slotlog' export -f csv '$good' | awk -F, '(\$6 == \"node\" || \$6 == \"cpi\") && \$10 != \"\" && \$10 !~ /^-?[0-9]+\\.[0-9][0-9][0-9]\$/ { print; bad = 1 } END { exit bad }'"
claim "no command" run 2
claim "an unknown command" complains 2 'no such command' frobnicate
finish
